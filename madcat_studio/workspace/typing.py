"""The history of a kit's texts: steps that end at word boundaries, pauses and caret moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from madcat_studio.model.campaign import Flag, SegmentState
from madcat_studio.model.characters import clean_line
from madcat_studio.workspace.history import History

__all__ = [
    "PAUSE_SECONDS",
    "KitHistory",
    "KitStep",
    "Snapshot",
    "carried_place",
    "cleaned",
    "difference",
]

PAUSE_SECONDS = 1.0
"""A rest as long as this ends a step."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that undoing brings back of a segment: text, caret, selection, state, reason, flags.

    The selection lies between ``anchor`` and ``caret``; both count characters.
    """

    text: str
    caret: int = 0
    anchor: int = 0
    state: SegmentState = SegmentState.UNTOUCHED
    reason: str = ""
    flags: Mapping[Flag, str] = field(default_factory=dict)

    @property
    def content(self) -> tuple[str, SegmentState, str, Mapping[Flag, str]]:
        """What a revision keeps; where the caret stood is of this session only."""
        return self.text, self.state, self.reason, self.flags


@dataclass(frozen=True, slots=True)
class KitStep:
    """One step: for each segment that it changed (by index), how it was and how it is."""

    label: str
    before: Mapping[int, Snapshot]
    after: Mapping[int, Snapshot]


def difference(old: str, new: str) -> tuple[int, str, str]:
    """(position, removed text, added text): the one change that makes ``new`` of ``old``."""
    start = _alike(old, new, min(len(old), len(new)))
    end = _alike(old[start:][::-1], new[start:][::-1], min(len(old), len(new)) - start)
    return start, old[start : len(old) - end], new[start : len(new) - end]


def cleaned(old: str, new: str, *places: int) -> tuple[str, tuple[str, ...], tuple[int, ...]]:
    """``new`` with what it adds to ``old`` made fit for a segment; what was there stays.

    Returns:
        The text; what :func:`~madcat_studio.model.characters.clean_line` left out; and where
        ``places`` of ``new`` are in the text.
    """
    start, _, added = difference(old, new)
    line, left_out = clean_line(added)

    def moved(place: int) -> int:
        if place <= start:
            return place
        within = clean_line(added[: place - start])[0]
        return start + len(within) + max(0, place - start - len(added))

    text = new[:start] + line + new[start + len(added) :]
    return text, left_out, tuple(map(moved, places))


def carried_place(old: str, new: str, place: int) -> int:
    """Where a place of a text is after a change that was not typed there: in the same words.

    A place within the removed text is behind the added text.
    """
    start, removed, added = difference(old, new)
    if place <= start and (place < start or removed):
        return place
    return start + len(added) + max(0, place - start - len(removed))


def _alike(one: str, other: str, most: int) -> int:
    """How many characters, ``most`` at most, two texts have in common at their start."""
    # Halving, so that the comparing is the interpreter's and not ours: this is in every keystroke.
    sure = 0
    while sure < most:
        half = (sure + most + 1) // 2
        if one[sure:half] == other[sure:half]:
            sure = half
        else:
            most = half - 1
    return sure


@dataclass(slots=True)
class _Run:
    """Typing that may still grow: where the next key must fall to belong to the same step."""

    index: int
    time: float
    typing: bool
    blank: bool
    place: int


class KitHistory(History[KitStep]):
    """Steps of texts; keystrokes that go on with each other are one."""

    def __init__(self) -> None:
        super().__init__()
        self._run: _Run | None = None

    def break_off(self) -> None:
        """End the step that is being typed: the caret moved, the segment was left."""
        self._run = None

    def push(self, step: KitStep) -> None:
        """Add a step of its own."""
        super().push(step)
        self._run = None

    def typed(self, index: int, before: Snapshot, after: Snapshot, now: float) -> bool:
        """Add a keystroke's change, to the step before it if it goes on with that.

        Returns:
            Whether it joined the step before it.
        """
        _, removed, added = difference(before.text, after.text)
        single = len(added) + len(removed) == 1
        typing = bool(added)
        blank = (added or removed).isspace()
        run = self._run
        joins = (
            run is not None
            and single
            and run.index == index
            and now - run.time < PAUSE_SECONDS
            and run.typing == typing
            and before.caret == before.anchor == run.place
            # A new word begins a step; the blank after a word still belongs to it.
            and not (run.blank and not blank)
        )
        if joins:
            last = self.done[-1]
            self.amend(KitStep(last.label, last.before, {index: after}))
        else:
            label = "Typing" if typing else "Deleting"
            self.push(KitStep(label, {index: before}, {index: after}))
        self._run = _Run(index, now, typing, blank, after.caret) if single else None
        return joins

    def undo(self) -> KitStep | None:
        """The step to take back, or None."""
        self._run = None
        return super().undo()

    def redo(self) -> KitStep | None:
        """The step to do again, or None."""
        self._run = None
        return super().redo()
