"""A campaign in memory: pages to evaluate, systems, kits, teams, passes, revisions."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

__all__ = [
    "Assignment",
    "AvailablePass",
    "CampaignDocument",
    "CampaignSegment",
    "Claim",
    "DataSet",
    "Delivery",
    "EarlierScore",
    "EarlierText",
    "Editor",
    "Flag",
    "Flagged",
    "Kit",
    "KitItem",
    "KitSegment",
    "Pass",
    "PassProgress",
    "PassState",
    "Revision",
    "ScribeError",
    "SegmentName",
    "SegmentRecord",
    "SegmentState",
    "System",
    "Team",
    "TeamText",
    "new_id",
]


def new_id() -> str:
    """A new identifier, made by whoever makes the thing: no server is needed for it."""
    return str(uuid.uuid4())


class Pass(StrEnum):
    """The two passes of a team over a kit."""

    FIRST = "first"
    REVIEW = "review"


class SegmentState(StrEnum):
    """How far a segment is within one pass of one team."""

    UNTOUCHED = "untouched"
    DRAFT = "draft"
    CONFIRMED = "confirmed"


NO_OUTPUT_REASON = "no output"
"""Why a text is empty where the system gave nothing."""


class Flag(StrEnum):
    """What an editor may say of a segment besides its text."""

    SCRIBE_ERROR = "scribe error"  # a proposal: the stand-off file decides
    UNREADABLE = "unreadable"
    DISCUSS = "for discussion"
    NOTE = "note"
    RETURNED = "to the first pass"  # a reviewer's, where the campaign allows it


class DataSet(StrEnum):
    """What a page is for."""

    TRAINING = "training"
    DEVELOPMENT = "development"
    EVALUATION = "evaluation"
    CONTROL = "control"
    PROGRESS = "progress"


class TeamText(NamedTuple):
    """What one team made of one segment of one system's output.

    ``first`` and ``final`` are the confirmed texts of the first pass and of the reviewer, None
    while that pass has not been handed over.
    """

    team: str
    first: str | None
    final: str | None
    first_editor: str | None = None
    reviewer: str | None = None


class SegmentRecord(NamedTuple):
    """Everything that scoring needs to know of one segment of one system's output in one kit.

    Attributes:
        base: BASE of the page's file.
        segment: the segment's id in that file.
        system: the system's name; ``code``: its short name in tables.
        output: the system's text; "" where it gave none, and then ``missing`` may be True.
        reference: the gold reference translation.
        teams: in the order of the kit's assignment (it breaks ties).
        scribe_error: whether the stand-off file names the segment.
        conditions: how the page was written, a code such as ``IUN``, or "".
        earlier: an earlier phase's output (control set): never in a system's score.
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
    conditions: str = ""
    track: str = ""
    earlier: bool = False


class SegmentName(NamedTuple):
    """A segment of a campaign: BASE of its document and its id there. Prints as BASE/segment."""

    base: str
    segment: str

    def __str__(self) -> str:
        return f"{self.base}/{self.segment}"

    @classmethod
    def parse(cls, text: str) -> SegmentName:
        """The name that ``text`` (BASE/segment) spells. ValueError where there is no slash."""
        base, slash, segment = text.partition("/")
        if not (base and slash and segment):
            raise ValueError(text)
        return cls(base, segment)


@dataclass(frozen=True, slots=True)
class ScribeError:
    """A token that the scribe wrote wrongly, as the stand-off file names it."""

    base: str
    segment: str
    token: str
    error: str = ""
    written: str = ""
    intended: str = ""


@dataclass(frozen=True, slots=True)
class CampaignSegment:
    """A segment of a document in a campaign.

    Attributes:
        name: its id in the file; a doubled or missing id gets a ``#n`` (M9: never merged).
        page: the page of its first token.
        transcription_words, reference_words: counted by white space.
        lines: where it stands on its scan, by :func:`madcat_studio.model.outlines.spell_lines`.
            They go into the campaign with the segment, and are read apart from it.
    """

    name: str
    page: str
    transcription: str
    reference: str
    transcription_words: int
    reference_words: int
    scribe_error: bool = False
    lines: str = ""


@dataclass(frozen=True, slots=True)
class CampaignDocument:
    """A document of a campaign: what the corpus table and the file say of it.

    Attributes:
        sha256: of the reference file's bytes, which the campaign keeps.
        image_name: ``doc/@src``; ``image_sha256`` is None while the image is not in the campaign.
        conditions: the code of ``writing_conditions.tab``, or "".
        sequestered: kept out of training and development, with every copy of its passage.
    """

    base: str
    source_document: str
    passage: str
    manuscript: str
    page: str
    scribe: str
    exposure: str
    data_set: DataSet
    track: str
    genre: str
    sha256: str
    image_name: str = ""
    image_sha256: str | None = None
    conditions: str = ""
    sequestered: bool = False


@dataclass(frozen=True, slots=True)
class System:
    """A system under evaluation. Editors see neither its name nor its ``code``.

    ``earlier`` marks the output of an earlier phase (control set): never in a system's score.
    """

    name: str
    code: str
    earlier: bool = False


@dataclass(frozen=True, slots=True)
class EarlierText:
    """What a team of an earlier phase made of a segment of an old system's output."""

    system: str
    segment: SegmentName
    team: str
    first_editor: str
    reviewer: str
    first_text: str
    final_text: str


@dataclass(frozen=True, slots=True)
class EarlierScore:
    """What an earlier phase measured on a document: edits and words of the chosen texts."""

    system: str
    base: str
    passage: str
    edits: float
    words: float


@dataclass(frozen=True, slots=True)
class Editor:
    """A person who edits: a short id, unique in the campaign, and a name for reports."""

    id: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Team:
    """A team and its editors, in the order in which they were brought in."""

    name: str
    editors: tuple[Editor, ...]


class KitItem(NamedTuple):
    """A document of one system's output in a kit."""

    system: str
    base: str


@dataclass(frozen=True, slots=True)
class Kit:
    """A kit; ``practice`` kits are edited but never scored."""

    name: str
    items: tuple[KitItem, ...]
    practice: bool = False


@dataclass(frozen=True, slots=True)
class Assignment:
    """A team's part in a kit. None: whichever editor of the team claims it."""

    kit: str
    team: str
    first: str | None
    reviewer: str | None


@dataclass(frozen=True, slots=True)
class AvailablePass:
    """A pass that an editor may claim now; ``held`` where it is the editor's already."""

    kit: str
    team: str
    pass_: Pass
    held: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """An editor's hold on one pass of one kit. ``turn`` counts the claims of that pass."""

    kit: str
    team: str
    pass_: Pass
    turn: int
    editor: str
    machine: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Revision:
    """One saved text of one segment in one pass; never changed later.

    Attributes:
        id: made by the editor's program; delivering a revision twice stores it once.
        at: by the editor's clock, UTC. The order of revisions is the order of storing.
        turn: the claim under which it was made.
        reason: why a confirmed text is empty, or "".
        flags: what the editor says of the segment, each with words of the editor's own or "".
        side: it came when the pass was no longer the editor's: kept, but never a pass's text.
        base: the id of the revision that it was made after, "" where there was none; None: not
            known, and not looked at. Not kept: it is looked at when the revision is stored.
        place: where it was made, as ``sittings.Sitting`` has it; in the same way.
    """

    id: str
    kit: str
    team: str
    pass_: Pass
    segment: SegmentName
    editor: str
    machine: str
    at: datetime
    state: SegmentState
    text: str
    turn: int = 1
    reason: str = ""
    side: bool = False
    flags: Mapping[Flag, str] = field(default_factory=dict)
    base: str | None = field(default=None, compare=False)
    place: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Flagged:
    """A flag as it stands, for the coordinator."""

    kit: str
    team: str
    pass_: Pass
    segment: SegmentName
    editor: str
    flag: Flag
    words: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of revisions: stored, known already, kept as side revisions.

    ``beside`` counts those of the latter whose claim is still the editor's: the pass is open in
    another place, or the segment was changed in one meanwhile.
    """

    stored: int = 0
    known: int = 0
    side: int = 0
    beside: int = 0

    def __add__(self, other: Delivery) -> Delivery:
        return Delivery(
            self.stored + other.stored,
            self.known + other.known,
            self.side + other.side,
            self.beside + other.beside,
        )


@dataclass(frozen=True, slots=True)
class KitSegment:
    """What an editor sees of a segment in a kit: nothing of the other team, nor of the system.

    Attributes:
        output: as the system gave it; "" where it gave none: there is nothing to edit then.
        transcription: None unless the campaign shows the source.
        first: the first pass's text, for a reviewer; None for a first editor.
        text, state, reason, flags: of the latest revision of this pass, or None and untouched.
        returned: the reviewer's words, where the segment was returned to the first pass: for the
            first editor until it is saved again, for the reviewer from then on; else None.
    """

    name: SegmentName
    reference: str
    output: str
    transcription: str | None
    first: str | None
    text: str | None
    state: SegmentState
    reason: str = ""
    flags: Mapping[Flag, str] = field(default_factory=dict)
    returned: str | None = None


class PassState(StrEnum):
    """How far a pass of a team over a kit is."""

    WAITING = "waiting"  # a review whose first pass is not handed over
    OPEN = "open"  # may be claimed
    CLAIMED = "claimed"
    HANDED_OVER = "handed over"


class PassProgress(NamedTuple):
    """How far one pass of one team over one kit is; words are reference words.

    ``last`` is when the last text came, of passes that are being worked on. A tuple, since a
    board makes tens of thousands of them.
    """

    kit: str
    team: str
    pass_: Pass
    state: PassState
    editor: str | None
    machine: str | None
    since: datetime | None
    segments: int
    confirmed: int
    drafts: int
    words: int
    words_confirmed: int
    last: datetime | None = None
    practice: bool = False
