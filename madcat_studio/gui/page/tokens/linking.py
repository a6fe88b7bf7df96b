"""Choosing the word that a token is linked to: the one tool for it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, Qt

from madcat_studio.gui.page.begun import LINK
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.page.stage import Stage
from madcat_studio.gui.page.tools.tool import Modifiers, Tool
from madcat_studio.gui.translation import tr

__all__ = ["LinkTool"]


class LinkTool(Tool):
    """A click on a word, or Enter on the chosen one, links it; Esc gives up."""

    name = LINK
    drafts = (LINK,)
    cursor = Qt.CursorShape.PointingHandCursor
    grips = False

    def __init__(
        self, stage: Stage, take: Callable[[ShapeKey], None], leave: Callable[[], None]
    ) -> None:
        super().__init__(stage)
        self._take = take
        self._leave = leave

    def hint(self) -> str:
        """What can be done."""
        return tr("Click the word of the token, or walk to it with . and , and press Enter")

    def press(self, point: QPointF, modifiers: Modifiers) -> None:
        """Take the word under the pointer."""
        target = self.stage.target(point, bodies=True)
        if target is not None and target.key.word is not None:
            self._take(target.key)

    def move(self, point: QPointF, modifiers: Modifiers, *, held: bool) -> None:
        """Light the word under the pointer."""
        target = self.stage.target(point, bodies=True)
        word = target is not None and target.key.word is not None
        self.stage.selection.light(target.key if target is not None and word else None)

    def key(self, key: Qt.Key, modifiers: Modifiers) -> bool:
        """Enter takes the chosen word."""
        if key not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return False
        chosen = self.stage.selection.key
        if chosen is not None and chosen.word is not None:
            self._take(chosen)
        return True

    def cancel(self) -> bool:
        """Esc gives up."""
        self._leave()
        return True

    def end(self) -> None:
        """Another tool follows; the link that was begun waits."""

    def page_changed(self) -> None:
        """The word may be on another page: go on."""
