"""Which edits of the teams could have been spared, and what became of the coach's advice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from madcat_studio.reports.table import NOT_A_RATE, Cell, CellKind, Column, Table, plain

__all__ = ["AvoidableInPass", "avoidable_table"]


@dataclass(slots=True)
class AvoidableInPass:
    """What one team's texts of one pass could have spared, summed up.

    Attributes:
        segments: texts that were looked at; ``some``: those with an edit that could be spared.
        edits, words: of all texts, as HTER counts them.
        avoidable: edits fewer where all advice on a text is followed.
        kinds: pieces of advice by their kind.
        log: what became of advice while it was shown, by the log of visits.
    """

    team: str
    pass_: str
    segments: int = 0
    some: int = 0
    edits: float = 0.0
    words: float = 0.0
    avoidable: float = 0.0
    kinds: dict[str, int] = field(default_factory=dict)
    log: dict[str, int] = field(default_factory=dict)

    def add(self, edits: float, words: float, avoidable: float, kinds: Mapping[str, int]) -> None:
        """Count one text."""
        self.segments += 1
        self.some += avoidable > 0
        self.edits += edits
        self.words += words
        self.avoidable += avoidable
        for kind, count in kinds.items():
            self.kinds[kind] = self.kinds.get(kind, 0) + count


_KINDS = {
    "agreed": Column("agreed", "Agreed", CellKind.COUNT, "the output agreed with the reference"),
    "rewording": Column("rewording", "Rewording", CellKind.COUNT, "the output's words would do"),
    "shift": Column("shift", "Shift", CellKind.COUNT, "one shift instead of two edits"),
    "character": Column("character", "Character", CellKind.COUNT, "quotes, dashes and blanks"),
}
_FATES = {
    "coach.shown": Column("shown", "Shown", CellKind.COUNT, "pieces of advice, while editing"),
    "coach.taken": Column("taken", "Taken", CellKind.COUNT, "by key or click"),
    "coach.dismissed": Column("dismissed", "Dismissed", CellKind.COUNT),
    "coach.left": Column("left", "Left", CellKind.COUNT, "still there when the segment was left"),
    "coach.gone": Column("gone", "Gone", CellKind.COUNT, "by other editing"),
}
_COLUMNS = (
    Column("team", "Team"),
    Column("pass", "Pass"),
    Column("segments", "Segments", CellKind.COUNT),
    Column("edits", "Edits", CellKind.NUMBER),
    Column("avoidable", "Avoidable", CellKind.NUMBER, "edits"),
    Column("share", "Share", CellKind.RATE, "of the edits"),
    Column("hter", "Of HTER", CellKind.RATE, "avoidable edits over the words of the texts"),
    Column("some", "With some", CellKind.COUNT, "segments"),
    *_KINDS.values(),
    *_FATES.values(),
)
_NOTE = (
    "What the coach finds in the texts as they were handed over, whether or not it was shown to "
    "the editors: how many fewer edits, by the engine's count, if all of its advice on a text were "
    "followed. It compares words and knows no meaning, so this is no bound. What became of advice "
    "is from the log of visits, and empty where only times were recorded."
)


def avoidable_table(passes: Iterable[AvoidableInPass]) -> Table:
    """The avoidable edits by team and pass."""
    return Table("avoidable", "Avoidable edits", _COLUMNS, [_row(one) for one in passes], _NOTE)


def _row(one: AvoidableInPass) -> tuple[Cell, ...]:
    return (
        *(one.team, one.pass_, one.segments, plain(one.edits), plain(one.avoidable)),
        one.avoidable / one.edits if one.edits else None,
        one.avoidable / one.words if one.words else NOT_A_RATE if one.avoidable else None,
        one.some,
        *(one.kinds.get(kind, 0) for kind in _KINDS),
        *(one.log.get(fate, 0) if one.log else None for fate in _FATES),
    )
