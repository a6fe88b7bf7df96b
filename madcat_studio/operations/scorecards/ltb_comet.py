"""COMET and COMET-Kiwi of the regions that chrF is taken of, by the user's own model files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from madcat_studio.operations.scorecards.files import hash_of
from madcat_studio.progress import Progress
from madcat_studio.reports.cards import CardReport
from madcat_studio.reports.cards_ltb_comet import OutputKey, comet_table
from madcat_studio.scoring.scorecards.ltb import DocumentScore, Submission, TruthDocument
from madcat_studio.scoring.scorecards.ltb_board import SystemResult
from madcat_studio.scoring.scorecards.models import comet_scorer, kiwi_scorer
from madcat_ter.signature import signature

__all__ = ["CometOptions", "with_comet"]

_COMET, _KIWI = "COMET", "COMET-Kiwi"

_Scorer = Callable[[Sequence[str], Sequence[str], Sequence[str]], list[float]]


@dataclass(frozen=True, slots=True)
class CometOptions:
    """The user's checkpoints; None: not computed.

    Attributes:
        comet: of a model that compares with a reference.
        kiwi: of one that looks at source and output alone.
    """

    comet: Path | None = None
    kiwi: Path | None = None

    def files(self) -> Iterator[tuple[str, Path]]:
        """What is to be computed, by its name."""
        if self.comet is not None:
            yield _COMET, self.comet
        if self.kiwi is not None:
            yield _KIWI, self.kiwi


def with_comet(
    report: CardReport,
    systems: Sequence[tuple[SystemResult, Submission]],
    truth: Sequence[TruthDocument],
    options: CometOptions,
    progress: Progress,
) -> tuple[CardReport, dict[str, dict[OutputKey, float]]]:
    """The report with the scores of models beside chrF, and those scores of each output.

    Args:
        report: of version 0.1.
        systems: each with what it submitted.
        truth: the ground truth.
        options: which models.
        progress: told model by model.

    Raises:
        StudioError: the extra is not installed; a file is no such model.
    """
    files = list(options.files())
    if not files:
        return report, {}
    pages = {one.id: one for one in truth}
    found: dict[str, dict[OutputKey, float]] = {}
    settings: list[tuple[str, object]] = []
    for number, (name, file) in enumerate(files):
        progress.advance(number, len(files), f"running {name}")
        scorer = comet_scorer(file) if name == _COMET else _without_references(file)
        found[name] = dict(_scored(systems, pages, scorer))
        settings.append((name.lower(), f"{file.name},sha256:{hash_of([file])[:16]}"))
    line = signature("LTB-models", [*settings, ("regions", "as-chrF"), ("gate", "none")])
    return (
        replace(
            report,
            tables=(*report.tables, comet_table([one for one, _ in systems], found)),
            signatures={**report.signatures, "models": line},
        ),
        found,
    )


def _without_references(file: Path) -> _Scorer:
    score = kiwi_scorer(file)
    return lambda sources, references, outputs: score(sources, outputs)


@dataclass(slots=True)
class _Texts:
    """What a model is asked about; each text once."""

    sources: list[str]
    references: list[str]
    outputs: list[str]


def _scored(
    systems: Sequence[tuple[SystemResult, Submission]],
    pages: Mapping[str, TruthDocument],
    scorer: _Scorer,
) -> Iterator[tuple[OutputKey, float]]:
    """Each output's score, 0..100: the regions' by area, as chrF is averaged."""
    documents = [
        (result.name, one, list(_regions(one, pages[one.id], submission)))
        for result, submission in systems
        for one in result.score.documents
    ]
    asked = list(dict.fromkeys(texts for _, _, own in documents for _, texts in own if texts))
    texts = _Texts(*(list(column) for column in zip(*asked, strict=True))) if asked else None
    known: dict[tuple[str, str, str], float] = {}
    if texts is not None:
        scores = scorer(texts.sources, texts.references, texts.outputs)
        known = dict(zip(asked, scores, strict=True))
    for name, one, own in documents:
        area = sum(weight for weight, _ in own)
        total = sum(
            weight * 100 * min(1.0, max(0.0, known[texts])) for weight, texts in own if texts
        )
        yield (name, one.id, one.pair), total / area if area else 0.0


def _regions(
    one: DocumentScore, page: TruthDocument, submission: Submission
) -> Iterator[tuple[float, tuple[str, str, str] | None]]:
    """The area of each region that chrF is taken of, and its texts; None where it gave none."""
    prediction = submission.pairs[one.pair].get(one.id)
    for scored, region in zip(one.regions, page.regions, strict=True):
        if scored.chrf is None:
            continue
        output = ""
        if prediction is not None and scored.prediction is not None:
            output = prediction.regions[scored.prediction].text
        # A model gives even an empty text a score.
        texts = region.text, region.references.get(one.pair, ""), output
        yield scored.area, texts if output.strip() else None
