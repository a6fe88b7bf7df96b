"""A campaign in memory: pages to evaluate, systems, kits, teams, passes, revisions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["DataSet", "Pass", "SegmentRecord", "SegmentState", "TeamText"]


class Pass(StrEnum):
    """The two passes of a team over a kit."""

    FIRST = "first"
    REVIEW = "review"


class SegmentState(StrEnum):
    """How far a segment is within one pass of one team."""

    UNTOUCHED = "untouched"
    DRAFT = "draft"
    CONFIRMED = "confirmed"


class DataSet(StrEnum):
    """What a page is for."""

    TRAINING = "training"
    DEVELOPMENT = "development"
    EVALUATION = "evaluation"
    CONTROL = "control"
    PROGRESS = "progress"


@dataclass(frozen=True, slots=True)
class TeamText:
    """What one team made of one segment of one system's output.

    ``first`` and ``final`` are the confirmed texts of the first pass and of the reviewer, None
    while that pass has not been handed over.
    """

    team: str
    first: str | None
    final: str | None
    first_editor: str | None = None
    reviewer: str | None = None


@dataclass(frozen=True, slots=True)
class SegmentRecord:
    """Everything that scoring needs to know of one segment of one system's output in one kit.

    Attributes:
        base: BASE of the page's file.
        segment: the segment's id in that file.
        system: the system's name; ``code``: the neutral code that editors see.
        output: the system's text; "" where it gave none, and then ``missing`` may be True.
        reference: the gold reference translation.
        teams: in the order of the kit's assignment (it breaks ties).
        scribe_error: whether the stand-off file names the segment.
    """

    kit: str
    system: str
    code: str
    base: str
    segment: str
    genre: str
    source_document: str
    passage: str
    manuscript: str
    page: str
    scribe: str
    exposure: str
    data_set: DataSet
    reference: str
    output: str
    missing: bool
    scribe_error: bool
    teams: tuple[TeamText, ...]
