"""A frame drawn over the page: choose what lies in it."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath

from madcat_studio.gui.page.stage import Gesture, Stage
from madcat_studio.gui.page.tools.tool import CTRL, SHIFT, Modifiers

__all__ = ["Band", "BandMode"]


class BandMode(Enum):
    """What becomes of the choice that is there."""

    REPLACE = auto()
    ADD = auto()
    REMOVE = auto()

    @classmethod
    def of(cls, modifiers: Modifiers) -> BandMode | None:
        """The mode that keys held at the press ask for; None for no frame at all."""
        if modifiers & CTRL:
            return cls.REMOVE if modifiers & SHIFT else cls.ADD
        return cls.REPLACE if modifiers & SHIFT else None


class Band(Gesture):
    """Draws the frame and gives it, in stored pixels, to ``take``."""

    def __init__(
        self, stage: Stage, mode: BandMode, take: Callable[[QRectF, BandMode], None]
    ) -> None:
        super().__init__(stage)
        self._mode = mode
        self._take = take
        self._from = QPointF()

    def _rect(self, point: QPointF) -> QRectF:
        return QRectF(self._from, self.stage.camera.to_page(point)).normalized()

    def start(self, point: QPointF) -> None:
        """One corner; kept on the page, which may be scrolled meanwhile."""
        self._from = self.stage.camera.to_page(point)

    def move(self, point: QPointF) -> None:
        """Show the frame."""
        path = QPainterPath()
        path.addRect(self._rect(point))
        self.stage.sketch.show_outline(path)

    def end(self, point: QPointF) -> None:
        """Choose what lies inside."""
        self.stage.sketch.clear()
        self._take(self._rect(point), self._mode)

    def cancel(self, reason: str) -> None:
        """Leave the choice as it was."""
        self.stage.sketch.clear()
