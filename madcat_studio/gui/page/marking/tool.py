"""The tool of marking: frames and corners become outlines, keys answer for the current word."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath, QPolygonF

from madcat_studio.gui.page.sketch import Stroke
from madcat_studio.gui.page.stage import Stage
from madcat_studio.gui.page.tools.tool import ALT, CTRL, SHIFT, SLACK, Modifiers, Tool
from madcat_studio.gui.translation import tr
from madcat_studio.model.document import Polygon

__all__ = ["MarkHost", "MarkTool"]

_NEAR = 9.0
"""View pixels from the first corner within which a click closes the outline."""
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_SIDES = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class MarkHost(Protocol):
    """Who marks."""

    def accept(self, *, line: bool) -> None:
        """Take the proposal, or those of the whole line."""

    def drew(self, polygon: Polygon, *, rough: bool) -> None:
        """An outline was drawn; ``rough``: it may be fitted to the ink."""

    def knows(self, key: Qt.Key) -> bool:
        """Whether a letter key says something of the current word."""
        ...

    def answer(self, key: Qt.Key) -> bool:
        """Do what a letter key says of the current word; False for another key."""
        ...

    def reach(self, side: int, step: int) -> None:
        """Let the proposal take in a part at a side (-1: left), or leave it out (step -1)."""

    def choose_at(self, point: QPointF) -> None:
        """Go to the word that is marked at a view point."""

    def give_up(self) -> bool:
        """Esc: leave what was begun; False where nothing was."""
        ...

    def outlines(self) -> tuple[Polygon, list[Polygon]]:
        """What is proposed for the current word, and for the others."""
        ...


class MarkTool(Tool):
    """Draws outlines for a :class:`MarkHost`."""

    name = "mark"
    cursor = Qt.CursorShape.CrossCursor
    grips = False

    def __init__(self, stage: Stage, host: MarkHost) -> None:
        super().__init__(stage)
        self._host = host
        self._pressed: QPointF | None = None
        self._frame_from: QPointF | None = None
        self._corners: list[QPointF] = []
        self._pointer = QPointF()
        self._others, self._current = QPainterPath(), QPainterPath()

    def hint(self) -> str:
        """What can be done."""
        return tr(
            "Enter takes the outline that is proposed; or drag a frame around the word, or click "
            "its corners. M missing, E extra, S misspelt, N later, Backspace back"
        )

    def begin(self) -> None:
        """Show what is proposed."""
        self.refresh()

    def page_changed(self) -> None:
        """What was begun stays only with the outlines that it was begun on."""
        self._corners, self._frame_from, self._pressed = [], None, None

    def press(self, point: QPointF, modifiers: Modifiers) -> None:
        """The beginning of a click or of a frame."""
        if modifiers & CTRL:
            self._host.choose_at(point)
            return
        self._pressed = point

    def move(self, point: QPointF, modifiers: Modifiers, *, held: bool) -> None:
        """Show the frame, or the next edge of the outline."""
        self._pointer = self.stage.camera.to_page(point)
        start = self._pressed if held and not self._corners else None
        if start is not None and (point - start).manhattanLength() > SLACK:
            self._frame_from = self.stage.camera.to_page(start)
        if self._frame_from is not None or self._corners:
            self.show()

    def release(self, point: QPointF, modifiers: Modifiers) -> None:
        """The end of a frame, or a corner."""
        if self._pressed is None:
            return
        self._pressed = None
        place = self.stage.camera.on_page(self.stage.camera.to_page(point))
        if self._frame_from is not None:
            start = self.stage.camera.on_page(self._frame_from)
            self._frame_from = None
            frame = QRectF(start, place).normalized()
            self.show()
            if frame.width() >= 2 and frame.height() >= 2:
                self._host.drew(_corners_of(frame), rough=not modifiers & ALT)
            return
        if len(self._corners) >= 3:
            first = self.stage.camera.to_view(self._corners[0])
            if (first - point).manhattanLength() <= _NEAR:
                self._finish()
                return
        if not self._corners or place != self._corners[-1]:
            self._corners.append(place)
            self.stage.tell()
        self.show()

    def double(self, point: QPointF, modifiers: Modifiers) -> None:
        """A double click ends an outline: its first press made the last corner."""
        if len(self._corners) >= 3:
            self._finish()

    def wants(self, key: Qt.Key, modifiers: Modifiers) -> bool:
        """Whether a key is the tool's, although it may be the shortcut of an action besides."""
        own = key in _ENTER or key in _SIDES or key == Qt.Key.Key_Backspace
        return not modifiers & (CTRL | ALT) and (own or self._host.knows(key))

    def key(self, key: Qt.Key, modifiers: Modifiers) -> bool:
        """Take, adjust, answer."""
        if modifiers & (CTRL | ALT):
            return False
        shift = bool(modifiers & SHIFT)
        if key in _ENTER:
            if len(self._corners) >= 3:
                self._finish()
            elif not self._corners:
                self._host.accept(line=shift)
            return True
        if key == Qt.Key.Key_Backspace and self.back():
            return True
        if key in _SIDES:
            side = 1 if shift else -1
            self._host.reach(side, 1 if side == _SIDES[key] else -1)
            return True
        return self._host.answer(key)

    @property
    def has_draft(self) -> bool:
        """Whether an outline was begun."""
        return bool(self._corners)

    def back(self) -> bool:
        """One corner less."""
        if not self._corners:
            return False
        self._corners.pop()
        self.show()
        self.stage.tell()
        return True

    def cancel(self) -> bool:
        """Give up an outline that was begun, else what the host began."""
        begun = bool(self._corners) or self._frame_from is not None
        self._corners, self._frame_from, self._pressed = [], None, None
        if begun:
            self.show()
            return True
        return self._host.give_up()

    def end(self) -> None:
        """Another tool follows."""
        self._corners, self._frame_from, self._pressed = [], None, None
        self.stage.sketch.clear()

    def refresh(self) -> None:
        """Ask again what is proposed, and show it."""
        current, others = self._host.outlines()
        self._others, self._current = _path(others), _path([current] if current else [])
        self.show()

    def show(self) -> None:
        """Sketch what is proposed and what is being drawn."""
        colours = self.stage.base.colours
        strokes = []
        drawing = self._frame_from is not None or bool(self._corners)
        # What is drawn by hand is drawn over the bare ink, and follows the mouse at once.
        if not self._others.isEmpty() and not drawing:
            strokes.append(Stroke(self._others, colours.linked, 1.3, 0, True))
        if not self._current.isEmpty():
            strokes.append(Stroke(self._current, colours.chosen, 2.2, 14 if drawing else 46))
        if self._frame_from is not None:
            frame = QPainterPath()
            frame.addRect(QRectF(self._frame_from, self._pointer).normalized())
            strokes.append(Stroke(frame, colours.hover, 1.6, 20))
        elif self._corners:
            begun = QPainterPath(self._corners[0])
            for corner in (*self._corners[1:], self._pointer):
                begun.lineTo(corner)
            strokes.append(Stroke(begun, colours.hover, 1.8))
        self.stage.sketch.show_all(strokes, points=self._corners)

    def _finish(self) -> None:
        polygon = tuple((int(corner.x()), int(corner.y())) for corner in self._corners)
        self._corners = []
        self._host.drew(polygon, rough=False)


def _corners_of(frame: QRectF) -> Polygon:
    """From the right top on, as Arabic is written."""
    left, top = int(frame.left()), int(frame.top())
    right, bottom = int(frame.right()), int(frame.bottom())
    return ((right, top), (left, top), (left, bottom), (right, bottom))


def _path(outlines: list[Polygon]) -> QPainterPath:
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for outline in outlines:
        path.addPolygon(QPolygonF([QPointF(x, y) for x, y in outline]))
        path.closeSubpath()
    return path
