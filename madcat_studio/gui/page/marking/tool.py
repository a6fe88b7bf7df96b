"""The tool of marking: frames and corners become outlines, keys answer for the current word."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath, QPolygonF

from madcat_studio.gui.page.begun import QUESTION
from madcat_studio.gui.page.sketch import Stroke
from madcat_studio.gui.page.stage import Stage
from madcat_studio.gui.page.tools.pointing import cross_at, stepped
from madcat_studio.gui.page.tools.tool import ALT, CTRL, SHIFT, SLACK, Modifiers, Tool
from madcat_studio.gui.translation import tr
from madcat_studio.model.document import Polygon

__all__ = ["MarkHost", "MarkTool"]

_FRAME = "frame"
"""The draft of a frame that is being drawn; that of corners has the tool's name."""
_STEP = 3.0
"""View pixels between the places of a frame's corner that are kept against a crash."""
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

    def outlines(self) -> tuple[Polygon, list[Polygon], list[Polygon]]:
        """What is proposed for the current word, for others surely, and for others with doubt."""
        ...


class MarkTool(Tool):
    """Draws outlines for a :class:`MarkHost`."""

    name = "mark"
    drafts = ("mark", _FRAME, QUESTION)
    cursor = Qt.CursorShape.CrossCursor
    grips = False

    def __init__(self, stage: Stage, host: MarkHost) -> None:
        super().__init__(stage)
        self._host = host
        self._pressed: QPointF | None = None
        self._cross: QPointF | None = None
        self._pointer = QPointF()
        self._sure, self._doubtful, self._current = QPainterPath(), QPainterPath(), QPainterPath()

    @property
    def _corners(self) -> list[QPointF]:
        return self.stage.begun.points(self.name)

    @property
    def _frame(self) -> list[QPointF]:
        """Where the frame began, and where it has got to; empty without one."""
        return self.stage.begun.points(_FRAME)

    def hint(self) -> str:
        """What can be done."""
        return tr(
            "Enter takes the proposal, A all sure ones; or drag a frame around the word (or "
            "Space and arrow keys), or click corners. M missing, E extra, S misspelt, N later, "
            "Backspace back"
        )

    def begin(self) -> None:
        """Show what is proposed."""
        self.refresh()

    def page_changed(self) -> None:
        """What was begun lies on the scan, and is that of the page."""
        self._pressed = None

    def draft_changed(self) -> None:
        """Show the corners as they are now."""
        self._pressed = None
        self.show()

    def press(self, point: QPointF, modifiers: Modifiers) -> None:
        """The beginning of a click or of a frame."""
        self._cross = None
        if modifiers & CTRL:
            self._host.choose_at(point)
            return
        self._pressed = point

    def move(self, point: QPointF, modifiers: Modifiers, *, held: bool) -> None:
        """Show the frame, or the next edge of the outline."""
        self._pointer = self.stage.camera.to_page(point)
        start = self._pressed if held and not self._corners else None
        frame = self._frame
        if start is not None and not frame and (point - start).manhattanLength() > SLACK:
            frame = [self.stage.camera.to_page(start)]
            self.stage.begun.add(_FRAME, *frame)
        if frame and held:
            last = self.stage.camera.to_view(frame[-1])
            if (point - last).manhattanLength() >= _STEP:
                self.stage.begun.add(_FRAME, self._pointer)
        if frame or self._corners:
            self.show()

    def release(self, point: QPointF, modifiers: Modifiers) -> None:
        """The end of a frame, or a corner."""
        if self._pressed is None:
            return
        self._pressed = None
        place = self.stage.camera.on_page(self.stage.camera.to_page(point))
        frame, corners = self._frame, self._corners
        if frame:
            self._end_frame(frame[0], place, rough=not modifiers & ALT)
            return
        if len(corners) >= 3:
            first = self.stage.camera.to_view(corners[0])
            if (first - point).manhattanLength() <= _NEAR:
                self._finish()
                return
        if not corners or place != corners[-1]:
            self.stage.begun.add(self.name, place)
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
            corners, frame = self._corners, self._frame
            if len(corners) >= 3:
                self._finish()
            elif frame:  # something came between, and it waited
                self._end_frame(frame[0], frame[-1], rough=True)
            elif not corners:
                self._host.accept(line=shift)
            return True
        if key == Qt.Key.Key_Backspace and self.back():
            return True
        if key in _SIDES and self._cross is None:
            side = 1 if shift else -1
            self._host.reach(side, 1 if side == _SIDES[key] else -1)
            return True
        return self._host.answer(key)

    # A frame without the mouse

    def tap(self) -> bool:
        """A cross, at the corner where the word begins; then a corner of a frame, and the other."""
        stage, frame, cross = self.stage, self._frame, self._cross
        if cross is None:
            # What waited goes on where it had got to.
            self._cross = frame[-1] if frame else self._begin_at()
            stage.camera.bring(self._cross)
        elif not frame:
            stage.begun.add(_FRAME, cross)
        else:
            self._cross = None
            self._end_frame(frame[0], cross, rough=True)
        self.show()
        return True

    def _begin_at(self) -> QPointF:
        """The right top of what is proposed; without that the middle of what is seen."""
        if not self._current.isEmpty():
            return self._current.boundingRect().topRight()
        camera = self.stage.camera
        return camera.on_page(camera.to_page(camera.rect().center().toPointF()))

    def step(self, across: int, down: int, *, far: bool, fine: bool) -> bool:
        """Move the cross, and the corner of the frame with it."""
        if self._cross is None:
            return False
        before = self.stage.camera.to_view(self._cross)
        self._cross = stepped(self.stage, before, across, down, far=far, fine=fine)
        if self._frame:
            self.stage.begun.add(_FRAME, self._cross)
        self.show()
        return True

    def back(self) -> bool:
        """One corner less."""
        if not self.stage.begun.back(self.name):
            return False
        self.show()
        self.stage.tell()
        return True

    def cancel(self) -> bool:
        """Give up an outline that was begun, else what the host began."""
        self._pressed, cross, self._cross = None, self._cross, None
        begun = [name for name in (self.name, _FRAME) if self.stage.begun.give_up(name)]
        if begun or cross is not None:
            self.show()
            return True
        return self._host.give_up()

    def end(self) -> None:
        """Another tool follows; what is begun waits."""
        self._pressed = self._cross = None
        self.stage.sketch.clear()

    def refresh(self) -> None:
        """Ask again what is proposed, and show it."""
        current, sure, doubtful = self._host.outlines()
        self._sure, self._doubtful = _path(sure), _path(doubtful)
        self._current = _path([current] if current else [])
        self.show()

    def show(self) -> None:
        """Sketch what is proposed and what is being drawn."""
        colours = self.stage.base.colours
        strokes = []
        corners, frame = self._corners, self._frame
        drawing = bool(frame or corners)
        # What is drawn by hand is drawn over the bare ink, and follows the mouse at once.
        if not self._sure.isEmpty() and not drawing:
            strokes.append(Stroke(self._sure, colours.linked, 1.3, 0, True))
        if not self._doubtful.isEmpty() and not drawing:
            strokes.append(Stroke(self._doubtful, colours.doubtful, 1.8, 26))
        if not self._current.isEmpty():
            strokes.append(Stroke(self._current, colours.chosen, 2.2, 14 if drawing else 46))
        if frame:
            # To the pointer while the button is down, else where it was then.
            end = self._pointer if self._pressed is not None else frame[-1]
            box = QPainterPath()
            box.addRect(QRectF(frame[0], end).normalized())
            strokes.append(Stroke(box, colours.hover, 1.6, 20))
        elif corners:
            begun = QPainterPath(corners[0])
            for corner in (*corners[1:], self._pointer):
                begun.lineTo(corner)
            strokes.append(Stroke(begun, colours.hover, 1.8))
        strokes += cross_at(self.stage, self._cross)
        self.stage.sketch.show_all(strokes, points=corners)

    def _end_frame(self, start: QPointF, end: QPointF, *, rough: bool) -> None:
        frame = QRectF(self.stage.camera.on_page(start), end).normalized()
        if frame.width() >= 2 and frame.height() >= 2:
            with self.stage.begun.finishing(_FRAME):
                self._host.drew(_corners_of(frame), rough=rough)
        self.stage.begun.give_up(_FRAME)
        self.show()

    def _finish(self) -> None:
        polygon = tuple((int(corner.x()), int(corner.y())) for corner in self._corners)
        with self.stage.begun.finishing(self.name):
            self._host.drew(polygon, rough=False)
        # Refused, or part of a question by now: it can be made again.
        self.stage.begun.give_up(self.name)
        self.show()


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
