"""HTER of a campaign: every segment scored once, summed for every group a report shows.

Records stream through: one document's segments are summed, the sums are merged into the groups,
and the scored segments go to a spool on disk, so that memory grows with the number of documents
and not with that of segments.
"""

from __future__ import annotations

import hashlib
import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from types import TracebackType
from typing import IO

from madcat_studio.model.campaign import DataSet, SegmentRecord
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.scoring.hter import SegmentScore, Tally

__all__ = [
    "CONDITIONS",
    "UNKNOWN",
    "Breakdown",
    "CampaignResults",
    "Group",
    "ScoredSegment",
    "Spool",
    "collect",
    "set_of",
]

CONDITIONS = (
    {"I": "ink", "P": "pencil"},
    {"U": "unlined paper", "L": "lined paper"},
    {"N": "normal", "F": "fast", "C": "careful"},
)
"""What the letters of a writing-conditions code stand for: implement, surface, speed."""

UNKNOWN = "not known"

_STEP = 500  # segments between two reports of progress


def set_of(record: SegmentRecord) -> DataSet:
    """The set a segment is reported in: an earlier phase's output is control, wherever it lies."""
    return DataSet.CONTROL if record.earlier else record.data_set


_ORDER = {
    data_set: place
    for place, data_set in enumerate(
        (
            DataSet.EVALUATION,
            DataSet.DEVELOPMENT,
            DataSet.TRAINING,
            DataSet.PROGRESS,
            DataSet.CONTROL,
        )
    )
}


class Breakdown(StrEnum):
    """What segments are grouped by; each within one set and one system."""

    SYSTEM = "system"
    GENRE = "genre"
    KIT = "kit"
    SOURCE_DOCUMENT = "source document"
    PASSAGE = "passage"
    MANUSCRIPT = "manuscript"
    PAGE = "page"
    SCRIBE = "scribe"
    EXPOSURE = "exposure"
    IMPLEMENT = "implement"
    SURFACE = "surface"
    SPEED = "speed"
    DOCUMENT = "document"


def _value(breakdown: Breakdown, record: SegmentRecord) -> tuple[str, ...]:
    """The names that place a record within a breakdown, after its set and system."""
    match breakdown:
        case Breakdown.SYSTEM:
            return ()
        case Breakdown.GENRE:
            return (record.genre,)
        case Breakdown.KIT:
            return (record.kit,)
        case Breakdown.SOURCE_DOCUMENT:
            return (record.source_document,)
        case Breakdown.PASSAGE:
            return (record.passage,)
        case Breakdown.MANUSCRIPT:
            return (record.manuscript,)
        case Breakdown.PAGE:
            return (record.page,)
        case Breakdown.SCRIBE:
            return (record.scribe,)
        case Breakdown.EXPOSURE:
            return (record.exposure,)
        case Breakdown.IMPLEMENT | Breakdown.SURFACE | Breakdown.SPEED:
            place = (Breakdown.IMPLEMENT, Breakdown.SURFACE, Breakdown.SPEED).index(breakdown)
            letter = record.conditions[place : place + 1]
            return (CONDITIONS[place].get(letter, letter or UNKNOWN),)
        case Breakdown.DOCUMENT:
            return (record.genre, record.kit, record.base)


@dataclass(slots=True)
class Group:
    """The sums of one group: all of it, and the part without scribe errors.

    Attributes:
        data_set: the set; control and progress never mix with the others.
        system: the system's name.
        names: what places the group within its breakdown (empty for a whole system).
        missing: segments for which the system gave no output element at all.
    """

    data_set: DataSet
    system: str
    names: tuple[str, ...]
    all: Tally = field(default_factory=Tally)
    clean: Tally = field(default_factory=Tally)
    missing: int = 0

    def merge(self, other: Group) -> None:
        """Add a smaller group's sums."""
        self.all.merge(other.all)
        self.clean.merge(other.clean)
        self.missing += other.missing


@dataclass(frozen=True, slots=True)
class ScoredSegment:
    """A segment of one system's output with its scores."""

    record: SegmentRecord
    score: SegmentScore


class Spool:
    """Scored segments on disk, readable again and again, gone when closed."""

    def __init__(self) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile(  # noqa: SIM115 - closed by close()
            prefix="madcat-report-"
        )
        self._count = 0

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return self._count

    def append(self, segments: list[ScoredSegment]) -> None:
        """Add some segments; they come back in the order in which they were added."""
        self._file.seek(0, 2)
        pickle.dump(segments, self._file, protocol=pickle.HIGHEST_PROTOCOL)
        self._count += len(segments)

    def __iter__(self) -> Iterator[ScoredSegment]:
        position = 0
        end = self._file.seek(0, 2)
        while position < end:
            self._file.seek(position)
            block: list[ScoredSegment] = pickle.load(self._file)
            position = self._file.tell()
            yield from block

    def close(self) -> None:
        """Remove the file."""
        self._file.close()


class _InputHash:
    """SHA-256 over texts in their order, each with its length so that no two inputs collide."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, *fields: str | None) -> None:
        for text in fields:
            if text is None:
                self._hash.update(b"-;")
                continue
            data = text.encode("utf-8", "surrogatepass")
            self._hash.update(b"%d:" % len(data))
            self._hash.update(data)

    def hex(self) -> str:
        return self._hash.hexdigest()


@dataclass(slots=True)
class CampaignResults:
    """All that a report of a campaign is made from.

    Attributes:
        groups: per breakdown, keyed by (set, system, *names), in order of first appearance.
        codes: the neutral code of each system.
        teams: team names in order of first appearance.
        hashes: SHA-256 of ``outputs``, ``references`` and ``edits``, over the segments' names
            and texts in the campaign's order.
        segments: every scored segment, in the campaign's order.
        source_documents: BASE -> source document.
    """

    segments: Spool
    groups: dict[Breakdown, dict[tuple[str, ...], Group]]
    codes: dict[str, str]
    teams: list[str]
    hashes: dict[str, str]
    source_documents: dict[str, str]

    def of(self, breakdown: Breakdown) -> list[Group]:
        """The groups of a breakdown: evaluation first, control last, else as they came."""
        return sorted(self.groups[breakdown].values(), key=lambda group: _ORDER[group.data_set])

    @property
    def preliminary(self) -> bool:
        """Whether any final text is still to come."""
        return any(group.all.preliminary for group in self.of(Breakdown.SYSTEM))


def collect(
    records: Iterable[SegmentRecord],
    score: Callable[[SegmentRecord], SegmentScore],
    spool: Spool,
    *,
    total: int | None = None,
    progress: Progress = SILENT,
) -> CampaignResults:
    """Score every record once and sum.

    Args:
        records: segments of one document should come together (it saves time; sums are the same).
        score: scores one record.
        spool: where the scored segments go; the caller closes it after the last report.
        total: the number of records, for progress, if it is known.
        progress: told every few hundred segments; may cancel.

    Raises:
        Cancelled: the user wanted to stop.
    """
    groups: dict[Breakdown, dict[tuple[str, ...], Group]] = {kind: {} for kind in Breakdown}
    codes: dict[str, str] = {}
    teams: dict[str, None] = {}
    source_documents: dict[str, str] = {}
    outputs, references, edits = _InputHash(), _InputHash(), _InputHash()

    leaf_key: tuple[str, ...] | None = None
    leaf: Group | None = None
    leaf_record: SegmentRecord | None = None
    block: list[ScoredSegment] = []

    def flush() -> None:
        if leaf is None or leaf_record is None:
            return
        for kind, known in groups.items():
            names = _value(kind, leaf_record)
            key = (leaf.data_set, leaf.system, *names)
            group = known.get(key)
            if group is None:
                group = known[key] = Group(leaf.data_set, leaf.system, names)
            group.merge(leaf)
        spool.append(block)

    done = 0
    for done, record in enumerate(records, start=1):
        if done % _STEP == 0:
            progress.advance(done, total, "Scoring segments")
            if progress.cancelled():
                raise Cancelled
        data_set = set_of(record)
        key = (record.kit, record.system, record.base, record.page, str(data_set))
        if key != leaf_key:
            flush()
            leaf_key, leaf_record, block = key, record, []
            leaf = Group(data_set, record.system, ())
        assert leaf is not None
        result = score(record)
        leaf.all.add(result)
        if not record.scribe_error:
            leaf.clean.add(result)
        leaf.missing += record.missing
        block.append(ScoredSegment(record, result))
        codes.setdefault(record.system, record.code)
        source_documents.setdefault(record.base, record.source_document)
        outputs.add(record.system, record.base, record.segment, record.output)
        references.add(record.base, record.segment, record.reference)
        for team in record.teams:
            teams.setdefault(team.team)
            edits.add(record.system, record.base, record.segment, team.team, team.first, team.final)
    flush()
    progress.advance(done, total, "Scoring segments")
    return CampaignResults(
        segments=spool,
        groups=groups,
        codes=codes,
        teams=list(teams),
        hashes={"outputs": outputs.hex(), "references": references.hex(), "edits": edits.hex()},
        source_documents=source_documents,
    )
