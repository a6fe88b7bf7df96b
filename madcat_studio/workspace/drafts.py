"""What is begun on a document and not finished: points of an outline, a stroke, half of a link.

A draft is no edit: nothing of the document is changed yet. It can be taken back and made again
part by part all the same, and every step of it goes into the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

__all__ = ["WHOLE", "DraftKey", "DraftStep", "Drafts"]

DraftKey: TypeAlias = tuple[int, str]
"""The page, and what is being made there (the name of a tool or of a question)."""
WHOLE = -1
"""Instead of a page: of what belongs to the whole document, as a link does."""
Spot: TypeAlias = tuple[float, float]
Verb = Literal["add", "set", "back", "clear", "again", "end"]
_VERBS = frozenset(get_args(Verb))


@dataclass(frozen=True, slots=True)
class DraftStep:
    """One step of a draft, as the journal keeps it.

    Attributes:
        verb: ``add`` points, ``set`` the value, take one point ``back``, ``clear`` all of it, make
            ``again`` what was taken back, or ``end`` it for good.
    """

    key: DraftKey
    verb: Verb
    points: tuple[Spot, ...] = ()
    value: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain values; what is empty is left out."""
        plain: dict[str, Any] = {"page": self.key[0], "name": self.key[1], "verb": self.verb}
        if self.points:
            plain["points"] = self.points
        if self.value is not None:
            plain["value"] = dict(self.value)
        return plain

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> DraftStep:
        """The step that :meth:`to_json` wrote.

        Raises:
            ValueError, KeyError, TypeError: it did not.
        """
        verb, value = plain["verb"], plain.get("value")
        if verb not in _VERBS or not isinstance(value, dict | None):
            raise ValueError(plain)
        points = tuple((float(x), float(y)) for x, y in plain.get("points", ()))
        return cls((int(plain["page"]), str(plain["name"])), verb, points, value)


@dataclass(slots=True)
class _Part:
    """What is taken back, and made again, at once."""

    points: list[Spot] = field(default_factory=list)
    value: Mapping[str, Any] | None = None

    def __bool__(self) -> bool:
        return bool(self.points) or self.value is not None


@dataclass(slots=True)
class _Draft:
    there: _Part = field(default_factory=_Part)
    undone: list[_Part] = field(default_factory=list)
    after: int = 0


class Drafts:
    """The drafts of one document."""

    def __init__(
        self,
        keep: Callable[[DraftStep], None] = lambda _: None,
        position: Callable[[], int] = lambda: 0,
    ) -> None:
        """``keep`` writes a step down; ``position``: how many edits are done now."""
        self._keep = keep
        self._position = position
        self._drafts: dict[DraftKey, _Draft] = {}
        self._finishing: DraftKey | None = None

    def begun(self) -> list[DraftKey]:
        """What is begun, the one that was touched last at the end."""
        return [key for key, draft in self._drafts.items() if draft.there]

    def points(self, key: DraftKey) -> Sequence[Spot]:
        """The points so far."""
        draft = self._drafts.get(key)
        return () if draft is None else draft.there.points

    def value(self, key: DraftKey) -> Mapping[str, Any] | None:
        """What is known besides points."""
        draft = self._drafts.get(key)
        return None if draft is None else draft.there.value

    def can_again(self, key: DraftKey) -> bool:
        """Whether a part that was taken back is what comes next: edits before it come first."""
        draft = self._drafts.get(key)
        if draft is None or not draft.undone:
            return False
        return bool(draft.there) or self._position() >= draft.after

    def do(self, step: DraftStep) -> None:
        """Make a step and write it down."""
        self.apply(step)
        self._keep(step)

    def apply(self, step: DraftStep) -> None:
        """Make a step that is written down already."""
        draft = self._drafts.pop(step.key, None) or _Draft(after=self._position())
        if step.verb == "end":
            return
        self._drafts[step.key] = draft  # last, as the one that was touched last
        there = draft.there
        if step.verb in ("add", "set"):
            draft.undone.clear()
            if not there:
                draft.after = self._position()
            there.points += step.points
            there.value = step.value if step.verb == "set" else there.value
        elif step.verb == "back" and there.points:
            draft.undone.append(_Part([there.points.pop()]))
        elif step.verb in ("back", "clear") and there:
            draft.undone.append(there)
            draft.there = _Part()
        elif step.verb == "again" and draft.undone:
            part = draft.undone.pop()
            there.points += part.points
            there.value = part.value if part.value is not None else there.value

    def edited(self, ended: DraftKey | None) -> None:
        """An edit was made: it ends a draft, and drops what could have been made again."""
        for key, draft in list(self._drafts.items()):
            if key == ended or not draft.there:
                del self._drafts[key]

    @contextmanager
    def finishing(self, key: DraftKey) -> Iterator[None]:
        """The edit that is made in here is what the draft becomes, if one is made."""
        self._finishing = key
        try:
            yield
        finally:
            self._finishing = None

    def take_finishing(self) -> DraftKey | None:
        """The draft that the edit which is made now ends; asked once."""
        key, self._finishing = self._finishing, None
        return key

    def steps(self, pages: int) -> list[DraftStep]:
        """The steps that make anew what is begun, of a document of so many pages."""
        return [
            step
            for key in self.begun()
            if key[0] < pages
            for step in (
                DraftStep(key, "add", tuple(self.points(key))),
                DraftStep(key, "set", value=self.value(key)),
            )
            if step.points or step.value is not None
        ]
