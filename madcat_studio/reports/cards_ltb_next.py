"""LTB-100 v0.2 as it is announced, beside v0.1, in the page scorecard's report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from madcat_studio.reports.cards import CardReport
from madcat_studio.reports.tables import Cell, CellKind, Column, Table
from madcat_studio.scoring.scorecards.intervals import mean_interval
from madcat_studio.scoring.scorecards.ltb import SEED
from madcat_studio.scoring.scorecards.ltb_next import NEXT_WEIGHTS, NextScore
from madcat_ter.signature import signature

__all__ = ["Rendered", "with_next"]

_FEWEST = 25
"""Documents of a pair that the announcement asks for."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a system rendered, as its report has it.

    Attributes:
        name: of the system.
        scores: of the documents that it rendered.
        without: (document, pair) without a rendered page.
        failed: what could not be read, by document.
        resized: rendered pages of another size than their source.
        regions: of rendered pages with a reference; ``several``: with more than one.
    """

    name: str
    scores: tuple[NextScore, ...]
    without: tuple[tuple[str, str], ...]
    failed: dict[str, str]
    resized: int
    regions: int = 0
    several: int = 0


_NAMES = (Column("system", "System"), Column("pair", "Pair"))
_SUMS = (
    Column("ltb_100", "v0.1", CellKind.NUMBER),
    Column("ltb_next", "v0.2", CellKind.NUMBER),
    Column("ltb_ssim", "v0.2 with SSIM", CellKind.NUMBER),
)
_PARTS = (
    Column("chrf", "chrF", CellKind.NUMBER, "by the best of a region's references"),
    Column("layout_iou", "IoU", CellKind.NUMBER),
    Column("tau", "τ", CellKind.NUMBER),
    Column("ocr", "OCR", CellKind.NUMBER),
    Column("lpips", "1 - LPIPS", CellKind.NUMBER),
    Column("ssim", "SSIM", CellKind.NUMBER),
)
_COLUMNS = (
    *_NAMES,
    Column("documents", "Documents", CellKind.COUNT),
    *_SUMS[:2],
    Column("ltb_next_low", "from", CellKind.NUMBER),
    Column("ltb_next_high", "to", CellKind.NUMBER),
    _SUMS[2],
    *_PARTS,
)
_DOCUMENT_COLUMNS = (*_NAMES, Column("document", "Document"), *_SUMS, *_PARTS)


def with_next(
    report: CardReport, systems: Sequence[Rendered], *, reader: str, backbone: str, documents: bool
) -> CardReport:
    """The report with the tables of the preview.

    Args:
        report: of version 0.1.
        systems: what each rendered.
        reader: the version of the program that read the pages.
        backbone: of LPIPS, with its hash; empty without.
        documents: whether single documents may be shown.
    """
    tables = [_pairs(systems)]
    if documents:
        tables.append(_documents(systems))
    line = signature(
        "LTB-100-preview",
        [
            ("like", "v0.2-as-announced"),
            ("weights", "/".join(f"{100 * weight:g}" for weight in NEXT_WEIGHTS)),
            ("ocr", reader.replace(" ", "-") or "none"),
            ("round-trip", "chrF,declared-text-in-reading-order"),
            ("references", "best-of-all"),
            ("visual", backbone or "ssim,gauss1.5"),
            ("background", "outside-boxes-of-both"),
        ],
    )
    return replace(
        report,
        signatures={**report.signatures, "LTB-100 v0.2 (preview)": line},
        warnings=(*report.warnings, *_warnings(systems, backbone)),
        tables=(*report.tables, *tables),
    )


def _pairs(systems: Sequence[Rendered]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for system in systems:
        by_pair: dict[str, list[NextScore]] = {}
        for score in system.scores:
            by_pair.setdefault(score.pair, []).append(score)
        for pair, own in by_pair.items():
            whole = [one for score in own if (one := score.next_ltb) is not None]
            interval = mean_interval(whole if len(whole) == len(own) else [], SEED)
            rows.append(
                (
                    system.name,
                    pair,
                    len(own),
                    _mean([score.ltb for score in own]),
                    interval.point,
                    interval.low,
                    interval.high,
                    _mean([score.with_ssim for score in own]),
                    *_parts(own),
                )
            )
    return Table(
        "v02",
        "v0.2, a preview",
        _COLUMNS,
        rows,
        "The announced version, beside v0.1; both over the documents with a rendered page. "
        "v0.2 = 100 (0.40 chrF/100 + 0.25 IoU + 0.15 τ + 0.10 OCR/100 + 0.10 (1 - LPIPS)); "
        "without LPIPS there is none. “v0.2 with SSIM” is a different number, with SSIM in "
        "place of LPIPS. Results of v0.1 stay valid.",
    )


def _documents(systems: Sequence[Rendered]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            *(system.name, one.pair, one.document),
            *(one.ltb, one.next_ltb, one.with_ssim),
            *_parts([one]),
        )
        for system in systems
        for one in system.scores
    ]
    return Table(
        "v02-documents",
        "Rendered pages",
        _DOCUMENT_COLUMNS,
        rows,
        "OCR: the chrF of what is read on the rendered page against the text that the system "
        "declares for it, in its reading order.",
        long=True,
    )


def _parts(own: Sequence[NextScore]) -> tuple[float | None, ...]:
    return (
        _mean([one.chrf for one in own]),
        _mean([one.iou for one in own]),
        _mean([one.tau for one in own]),
        _mean([one.ocr for one in own]),
        _mean([one.lpips for one in own]),
        _mean([one.ssim for one in own]),
    )


def _mean(values: Sequence[float | None]) -> float | None:
    """The mean; None where any is absent: a mean over some is another figure."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def _asked_for(systems: Sequence[Rendered]) -> Iterator[str]:
    """What the announcement asks for and is not there."""
    counts: dict[str, int] = {}
    for system in systems:
        own = Counter(one.pair for one in system.scores)
        counts |= {pair: max(count, counts.get(pair, 0)) for pair, count in own.items()}
    few = [f"{pair} {count}" for pair, count in counts.items() if count < _FEWEST]
    if few:
        yield f"It asks for {_FEWEST} documents a pair; rendered are: {', '.join(few)}."
    regions = max((one.regions for one in systems), default=0)
    several = max((one.several for one in systems), default=0)
    if several < regions:
        yield (
            f"It asks for two references a region: {several} of {regions} regions have them. The "
            "best of a region's references counts."
        )


def _warnings(systems: Sequence[Rendered], backbone: str) -> Iterator[str]:
    yield (
        "LTB-100 v0.2 is a preview of what is announced, not a published version: do not rank by "
        "it."
    )
    yield from _asked_for(systems)
    if not backbone:
        yield (
            "Without AlexNet's weights (--backbone) there is no LPIPS, and so no v0.2: SSIM is "
            "shown under its own name."
        )
    for system in systems:
        if system.without:
            yield (
                f"{system.name} gave no rendered page for {len(system.without)} documents, such "
                f"as {system.without[0][0]}: they are not in the preview."
            )
        if system.resized:
            yield (
                f"{system.resized} rendered pages of {system.name} had another size than their "
                "source and were brought to it."
            )
        if system.failed:
            name, why = next(iter(system.failed.items()))
            yield (
                f"{len(system.failed)} rendered pages of {system.name} could not be compared, such "
                f"as that of {name}: {why}"
            )
