"""What the dialog asks for, and how it is done: scored, written, ready to be opened."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from madcat_studio.operations.scorecards.boxed import Places
from madcat_studio.operations.scorecards.files import CARD_FORMATS, write_card
from madcat_studio.progress import Cancelled, Progress
from madcat_studio.reports.cards import CardReport

__all__ = ["CardKind", "CardOrder", "make_card"]


class CardKind(StrEnum):
    """The evaluation of all tasks, and the three scorecards; the value is their files' name."""

    TASKS = "evaluation"
    PAGES = "ltb"
    RUNS = "rosetta"
    IMAGES = "imtbench"


@dataclass(frozen=True, slots=True)
class CardOrder:
    """A scorecard or an evaluation to be made.

    Attributes:
        kind: which of them.
        inputs: systems' folders, submissions, runs, or files of samples.
        folder: where the report is written.
        truth: of tasks: the folder of references; of pages: the ground truth.
        profile, pair, files, polygons: of pages; ``files`` such as ``linesys``.
        campaign: of tasks: a campaign whose post-edits give HTER, or ""; of runs: a campaign
            whose systems are runs too, or "".
        corpus, conditions, standoff: of tasks: tables of what is known of documents.
        source, target: of runs: language codes, or "".
        glossary: of runs: a table of prescribed terms.
        code_switching: of runs: whether words in the source's script are counted.
        comet, backbone: of images: models on this disk; None: the values are in the samples.
    """

    kind: CardKind
    inputs: tuple[Path, ...]
    folder: Path
    truth: Path | None = None
    profile: str = "doc"
    pair: str = ""
    files: str = ""
    polygons: bool = False
    campaign: str = ""
    corpus: Path | None = None
    conditions: Path | None = None
    standoff: Path | None = None
    source: str = ""
    target: str = ""
    glossary: Path | None = None
    code_switching: bool = False
    comet: Path | None = None
    backbone: Path | None = None

    @property
    def result(self) -> Path:
        """The file that can be opened afterwards."""
        return self.folder / f"{self.kind}.json"


def make_card(order: CardOrder, progress: Progress) -> Path:
    """Score and write the report in all forms; the result's file.

    Raises:
        StudioError: an input cannot be read, or the folder cannot be written.
        Cancelled: the user stopped it; nothing was written.
    """
    report = _score(order, progress)
    if progress.cancelled():
        raise Cancelled
    places = None if order.truth is None else Places.of(order.truth)
    write_card(report, order.folder, CARD_FORMATS, pages=places, progress=progress)
    return order.result


def _score(order: CardOrder, progress: Progress) -> CardReport:
    match order.kind:
        case CardKind.TASKS:
            from madcat_studio.operations.scores.evaluation import CorpusFiles, evaluate

            assert order.truth is not None
            return evaluate(
                order.truth,
                order.inputs,
                campaign=order.campaign or None,
                corpus=CorpusFiles(order.corpus, order.conditions, order.standoff),
                progress=progress,
            )
        case CardKind.PAGES:
            from madcat_studio.operations.scorecards.ltb import score_pages
            from madcat_studio.scoring.scorecards.ltb import PROFILES, Options

            assert order.truth is not None
            return score_pages(
                order.truth,
                order.inputs,
                options=Options(PROFILES[order.profile]),
                pair=order.pair or None,
                kind=order.files,
                polygons=order.polygons,
                progress=progress,
            )
        case CardKind.RUNS:
            from madcat_studio.operations.scorecards.rosetta import CardOptions, score_runs

            return score_runs(
                order.inputs,
                campaign=order.campaign,
                options=CardOptions(
                    source=order.source,
                    target=order.target,
                    glossary=order.glossary,
                    code_switching=order.code_switching,
                ),
                progress=progress,
            )
        case CardKind.IMAGES:
            from madcat_studio.operations.scorecards.imtbench import ImageOptions, score_images

            return score_images(
                order.inputs,
                options=ImageOptions(comet=order.comet, backbone=order.backbone),
                progress=progress,
            )
