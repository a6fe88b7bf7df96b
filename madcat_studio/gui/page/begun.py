"""What is begun on the page that is shown, for its tools: kept by the document, not by a tool.

So it waits while another tool, page or document is in front, undo takes it back and redo makes it
again, and it is there after a crash.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QObject, QPointF, Signal

from madcat_studio.gui.translation import tr
from madcat_studio.workspace.drafts import WHOLE, DraftKey, Drafts, DraftStep, Verb

__all__ = ["LINK", "QUESTION", "Begun"]

LINK = "link"
"""Half of a link; of the whole document, since its word may be on another page."""
QUESTION = "question"
"""What the page says otherwise than the transcript, while it is being said."""
_POINTWISE = frozenset({"polygon", "mark"})
"""What is taken back point by point; else all of it at once."""


class Begun(QObject):
    """The drafts of one page.

    Signals:
        changed: what is begun by this name is another one now.
    """

    changed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._drafts, self._page = Drafts(), 0
        self._resuming = False

    def show(self, drafts: Drafts, page: int) -> None:
        """Those of another document, or of another of its pages."""
        self._drafts, self._page = drafts, page

    def came_back(self) -> int | None:
        """A session before left what is begun: its page (that of the newest), None for nothing."""
        begun = self._drafts.begun()
        self._resuming = bool(begun)
        return begun[-1][0] if begun else None

    def resume(self, names: Sequence[str]) -> str:
        """Which of these came back on this page and is to be gone on with, "" for none; once."""
        newest = next((key for key in reversed(self._drafts.begun()) if self._has(key)), None)
        if not self._resuming or newest is None or newest[1] not in names:
            return ""
        self._resuming = False
        return newest[1]

    def _has(self, key: DraftKey) -> bool:
        return key[0] in (WHOLE, self._page)

    def _key(self, name: str) -> DraftKey:
        return (WHOLE if name == LINK else self._page, name)

    # What there is

    def points(self, name: str) -> list[QPointF]:
        """The points so far."""
        return [QPointF(x, y) for x, y in self._drafts.points(self._key(name))]

    def value(self, name: str) -> Mapping[str, Any] | None:
        """What is known besides points."""
        return self._drafts.value(self._key(name))

    def has(self, name: str) -> bool:
        """Whether there is anything."""
        return self._key(name) in self._drafts.begun()

    def can_again(self, name: str) -> bool:
        """Whether a part of it was taken back and comes next."""
        return self._drafts.can_again(self._key(name))

    def waiting(self) -> list[str]:
        """What is begun on this page, by name."""
        return [key[1] for key in self._drafts.begun() if self._has(key)]

    def last_part(self, name: str) -> str:
        """What undo would take back of it."""
        if name == LINK:
            return tr("the link you began")
        if name == QUESTION:
            return tr("what was asked")
        return tr("the last point") if name in _POINTWISE else tr("the stroke")

    # What is done

    def _do(self, name: str, verb: Verb, *points: QPointF, value: Any = None) -> None:
        spots = tuple((round(point.x(), 2), round(point.y(), 2)) for point in points)
        self._drafts.do(DraftStep(self._key(name), verb, spots, value))
        self.changed.emit(name)

    def add(self, name: str, *points: QPointF) -> None:
        """Points more."""
        self._do(name, "add", *points)

    def set(self, name: str, value: Mapping[str, Any]) -> None:
        """Something that is known besides points."""
        self._do(name, "set", value=dict(value))

    def back(self, name: str) -> bool:
        """Take its last part back; False where there is none."""
        if not self.has(name):
            return False
        self._do(name, "back" if name in _POINTWISE else "clear")
        return True

    def again(self, name: str) -> bool:
        """Make the part again that was taken back last; False where there is none."""
        if not self.can_again(name):
            return False
        self._do(name, "again")
        return True

    def give_up(self, name: str) -> bool:
        """All of it, which can be made again at once; False where there is nothing."""
        if not self.has(name):
            return False
        self._do(name, "clear")
        return True

    def end(self, name: str) -> None:
        """It is done, or became something else."""
        if self.has(name) or self.can_again(name):
            self._do(name, "end")

    @contextmanager
    def finishing(self, name: str) -> Iterator[None]:
        """The edit that is made in here is what it becomes; without one it stays."""
        with self._drafts.finishing(self._key(name)):
            yield
        self.changed.emit(name)
