"""What the coach said of a segment while it was shown, and what became of it: for the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from madcat_studio.coach.values import Advice, AdviceKind, Fate

__all__ = ["AdviceLog"]

_LONGEST = 200
"""Characters of words that are kept of one piece of advice."""

_Key = tuple[AdviceKind, str, str, int]
"""Kind, what stands there and what would, and which of several that are alike."""

_Note = Callable[[str, Mapping[str, str | int | float | None]], None]


class AdviceLog:
    """Keeps for each visit to a segment what was shown, and how each piece ended.

    The notes are named by :class:`~madcat_studio.coach.values.Fate`. What was neither taken nor
    dismissed has its end when the segment is left.
    """

    def __init__(self, note: _Note) -> None:
        """Log; ``note`` keeps an event of the visit that goes on."""
        self._note = note
        self._index = -1
        self._shown: dict[_Key, Advice] = {}
        self._standing: dict[_Key, Advice] = {}
        self._dismissed: dict[int, set[_Key]] = {}

    def show(self, index: int, advice: Sequence[Advice]) -> tuple[Advice, ...]:
        """The coach has something to say of a segment's text; that which is to be shown.

        What the editor dismissed is not shown again in this segment.
        """
        if index != self._index:
            self.leave()
            self._index = index
        keys = _keys(advice)
        dismissed = self._dismissed.get(index, set())
        self._standing = {
            key: one for key, one in zip(keys, advice, strict=True) if key not in dismissed
        }
        for key, one in self._standing.items():
            if key not in self._shown:
                self._shown[key] = one
                self._tell(Fate.SHOWN, one)
        return tuple(self._standing.values())

    def take(self, advice: Advice) -> None:
        """The editor takes a piece of advice that stands, by key or click."""
        self._end(advice, Fate.TAKEN)

    def dismiss(self, advice: Advice) -> None:
        """The editor does not want a piece of advice that stands."""
        self._dismissed.setdefault(self._index, set()).add(self._end(advice, Fate.DISMISSED))

    def leave(self) -> None:
        """The segment is left: tell of each piece that was neither taken nor dismissed."""
        for key, one in self._shown.items():
            self._tell(Fate.LEFT if key in self._standing else Fate.GONE, one)
        self._shown, self._standing, self._index = {}, {}, -1

    def _end(self, advice: Advice, how: Fate) -> _Key:
        key = next(key for key, one in self._standing.items() if one is advice)
        del self._standing[key], self._shown[key]
        self._tell(how, advice)
        return key

    def _tell(self, what: Fate, one: Advice) -> None:
        self._note(
            what.value,
            {
                "kind": one.kind.value,
                "saves": one.saved,
                "old": one.old[:_LONGEST],
                "new": one.new[:_LONGEST],
                "start": one.start,
                "end": one.end,
            },
        )


def _keys(advice: Sequence[Advice]) -> list[_Key]:
    """For each piece a key that stays while the text around it changes."""
    alike: Counter[tuple[AdviceKind, str, str]] = Counter()
    keys: dict[int, _Key] = {}
    for number in sorted(range(len(advice)), key=lambda number: advice[number].start):
        one = advice[number]
        kind = (one.kind, one.old, one.new)
        keys[number] = (*kind, alike[kind])
        alike[kind] += 1
    return [keys[number] for number in range(len(advice))]
