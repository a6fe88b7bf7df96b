"""What the coach says: one change that could be spared, and what it would save."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from madcat_studio.scoring.changes import Splice

__all__ = ["Advice", "AdviceKind", "Coaching", "Fate", "applied"]


class AdviceKind(StrEnum):
    """Why a change could be spared."""

    CHARACTER = "character"  # a quote, a dash or a blank of another form than the output's
    AGREED = "agreed"  # the output agreed with the reference there
    REWORDING = "rewording"  # the output's words would do: the reference has them
    SHIFT = "shift"  # left out here and put in there: the same words would be one shift


class Fate(StrEnum):
    """What became of a piece of advice, as the log of visits names it."""

    SHOWN = "coach.shown"
    TAKEN = "coach.taken"  # by the editor's key or click
    DISMISSED = "coach.dismissed"
    LEFT = "coach.left"  # it still stood when the segment was left
    GONE = "coach.gone"  # the editor's further editing made it pointless


def applied(splices: Iterable[Splice], text: str) -> str:
    """A text with several changes that do not overlap."""
    for splice in sorted(splices, key=lambda one: (one.start, one.end), reverse=True):
        text = splice.apply(text)
    return text


@dataclass(frozen=True, slots=True)
class Advice:
    """One change of the text that would save edits.

    Attributes:
        kind: why.
        splices: what to change, in places of the text; two where words go back to where they were.
        old, new: what stands there and what would stand there, to be read; "" for nothing.
        saved: edits fewer, by the engine's count, where this alone is changed.
    """

    kind: AdviceKind
    splices: tuple[Splice, ...]
    old: str
    new: str
    saved: float

    @property
    def start(self) -> int:
        """Where it begins."""
        return min(one.start for one in self.splices)

    @property
    def end(self) -> int:
        """Where it ends."""
        return max(one.end for one in self.splices)

    def apply(self, text: str) -> str:
        """The text, which must be the one that was judged, with this change."""
        return applied(self.splices, text)


@dataclass(frozen=True, slots=True)
class Coaching:
    """What there is to say of one text.

    Attributes:
        advice: what could be spared, the most first; none overlaps another, and each saves edits
            also when all others are followed.
        edits: of the text, as HTER counts them.
        words: of the text, as HTER counts them.
        avoidable: edits fewer where all advice is followed.
    """

    advice: tuple[Advice, ...]
    edits: float
    words: float
    avoidable: float
