"""Hold the parts of LTB-100 against what people said of the same pages."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from madcat_studio.operations.scorecards.files import hash_of
from madcat_studio.operations.scores.trust_table import Keys, ScoreColumn, read_scores
from madcat_studio.progress import SILENT, Progress
from madcat_studio.reports.cards import CardReport
from madcat_studio.reports.cards_ltb_judged import Judged, judged_table, judged_warnings
from madcat_studio.reports.cards_ltb_next import Rendered
from madcat_studio.scoring.resampling import Resampling
from madcat_studio.scoring.scorecards.ltb_board import SystemResult
from madcat_studio.scoring.trust.metrics import Mean
from madcat_studio.scoring.trust.study import Units, study

__all__ = ["with_judgements"]

Key = tuple[str, str, str]

_KEYS = Keys(
    ("system", "document", "pair"),
    "Give the system, the document and the pair as this report has them:",
)

_FEWEST = 3
"""Judged outputs: two points always lie on a line."""


def with_judgements(
    report: CardReport,
    systems: Sequence[SystemResult],
    rendered: Sequence[Rendered],
    others: Mapping[str, Mapping[Key, float]],
    tables: Sequence[Path],
    lower: Collection[str] = (),
    how: Resampling = Resampling(),
    progress: Progress = SILENT,
) -> CardReport:
    """The report with the correlation of each part with each column of judgements.

    Args:
        report: of the systems.
        systems: as they were scored.
        rendered: what version 0.2 adds of them; empty without the preview.
        others: what models give each output, by the model's name.
        tables: with the columns ``system document pair``; every other one holds judgements.
        lower: the columns in which less is better.
        how: documents are drawn.
        progress: may cancel.

    Raises:
        StudioError: a table cannot be read, or is not what it should be.
        Cancelled: ``progress`` said so.
    """
    parts = {**_parts(systems, rendered), **others}
    names = {one.name: one.name for one in systems}
    every = frozenset(key for values in parts.values() for key in values)
    columns = read_scores(tables, names, every, lower, _KEYS)
    judged = [_judged(column, parts, how, progress) for column in columns]
    return replace(
        report,
        tables=(*report.tables, judged_table(judged)),
        warnings=(*report.warnings, *judged_warnings(judged)),
        hashes={**report.hashes, "judgements": hash_of(tables)},
    )


def _parts(
    systems: Sequence[SystemResult], rendered: Sequence[Rendered]
) -> dict[str, dict[Key, float]]:
    """Each part's score of each output; of outputs without one nothing."""
    parts: dict[str, dict[Key, float]] = {}
    for name, key, value in (*_first(systems), *_next(rendered)):
        own = parts.setdefault(name, {})
        if value is not None:
            own[key] = value
    return {name: own for name, own in parts.items() if own}


def _first(systems: Sequence[SystemResult]) -> Iterator[tuple[str, Key, float | None]]:
    for system in systems:
        for one in system.score.documents:
            key = system.name, one.id, one.pair
            yield "LTB-100 (v0.1)", key, one.ltb
            yield "chrF", key, one.chrf
            yield "IoU", key, one.iou
            yield "tau", key, one.tau


def _next(rendered: Sequence[Rendered]) -> Iterator[tuple[str, Key, float | None]]:
    several = any(own.several for own in rendered)
    for own in rendered:
        for one in own.scores:
            key = own.name, one.document, one.pair
            yield "LTB-100 (v0.2, a preview)", key, one.next_ltb
            yield "v0.2 with SSIM", key, one.with_ssim
            if several:
                yield "chrF, best reference", key, one.chrf
            yield "OCR", key, one.ocr
            yield "1 - LPIPS", key, one.lpips
            yield "SSIM", key, one.ssim


def _judged(
    column: ScoreColumn,
    parts: Mapping[str, Mapping[Key, float]],
    how: Resampling,
    progress: Progress,
) -> Judged:
    keys = list(column.values)
    kept = [name for name, own in parts.items() if all(key in own for key in keys)]
    count = len({system for system, _, _ in keys})
    left_out = tuple(name for name in parts if name not in kept)
    if len(keys) < _FEWEST:
        return Judged(column.name, len(keys), count, tuple(kept), None, left_out)
    found = study(
        [Mean(name, [parts[name][key] for key in keys]) for name in kept],
        Mean(column.name, list(column.values.values()), lower=column.lower),
        Units(
            systems=_numbered([system for system, _, _ in keys]),
            documents=_numbered([document for _, document, _ in keys]),
            pages=_numbered([key[1:] for key in keys]),
            segments=_numbered([key[1:] for key in keys]),
        ),
        {},
        how,
        progress,
    )
    return Judged(column.name, len(keys), count, tuple(kept), found, left_out)


def _numbered(names: Sequence[object]) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    places: dict[object, int] = {}
    return np.array([places.setdefault(name, len(places)) for name in names], dtype=np.intp)
