"""The other page beside one's own: a canvas that shows and edits nothing, moved with the first."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from madcat_studio.gui.page.camera import Camera
from madcat_studio.gui.page.canvas import PageCanvas
from madcat_studio.gui.page.levels import Pyramid
from madcat_studio.gui.page.shapes import PageShapes, ShapeKey
from madcat_studio.gui.translation import tr
from madcat_studio.model.document import Page

__all__ = ["ComparePane", "ViewSync"]


class ComparePane(QWidget):
    """Holds the second canvas.

    Signals:
        chosen: the outline that was clicked on it (ShapeKey or None).
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 0, 0, 0)
        column.setSpacing(0)
        self.name = QLabel()
        self.name.setObjectName("heading")
        column.addWidget(self.name)
        self.canvas = PageCanvas()
        self.canvas.setAccessibleName(tr("The other page"))
        self.canvas.setAcceptDrops(False)
        self.canvas.selection.set_editable(False)
        self.canvas.selection.chosen.connect(self.chosen)
        column.addWidget(self.canvas, 1)

    def show_page(self, name: str, page: Page, pyramid: Pyramid | None) -> None:
        """Show a page; the scan is the first one's."""
        self.name.setText(name)
        self.canvas.set_page(PageShapes(page), pyramid)

    def mark(self, keys: list[ShapeKey]) -> None:
        """Light the outlines of a difference."""
        self.canvas.selection.choose([keys[0]] if len(keys) == 1 else [])
        self.canvas.selection.link(keys)


class ViewSync(QObject):
    """Moves and zooms two pages as one."""

    def __init__(self, one: Camera, other: Camera, parent: QObject) -> None:
        super().__init__(parent)
        self._pairs = ((one, other), (other, one))
        self._busy = False
        self.on = False
        for leader, follower in self._pairs:
            leader.moved.connect(lambda a=leader, b=follower: self._follow(a, b))
            leader.zoomed.connect(lambda _, a=leader, b=follower: self._follow(a, b))

    def align(self) -> None:
        """Bring the second where the first is."""
        self._follow(*self._pairs[0])

    def _follow(self, leader: Camera, follower: Camera) -> None:
        if self._busy or not self.on:
            return
        self._busy = True
        try:
            if follower.turn != leader.turn:
                follower.set_turn(leader.turn)
            follower.zoom_to(leader.scale())
            follower.centre_on(leader.centre())
        finally:
            self._busy = False
