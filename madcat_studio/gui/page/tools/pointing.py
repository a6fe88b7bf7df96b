"""Tools that point at places, with the mouse or with a cross that the arrow keys move."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainterPath, QPolygonF

from madcat_studio.gui.page.sketch import Stroke
from madcat_studio.gui.page.stage import Stage
from madcat_studio.gui.page.tools.editing import Editing
from madcat_studio.gui.page.tools.tool import SLACK, Modifiers, Tool

__all__ = ["PointingTool", "StrokeTool", "cross_at", "path_through", "stepped"]

_STEP, _FAR = 8.0, 40.0
_ARM = 9.0
_NEAR = 3.0
"""View pixels between the points of a stroke."""


def path_through(points: Sequence[QPointF], *, closed: bool = False) -> QPainterPath:
    """A path along points of the page."""
    path = QPainterPath()
    if points:
        path.addPolygon(QPolygonF(list(points)))
        if closed:
            path.closeSubpath()
    return path


def cross_at(stage: Stage, place: QPointF | None) -> list[Stroke]:
    """A cross at a place of the page, for the sketch; nothing for no place."""
    if place is None:
        return []
    arm = _ARM / stage.camera.scale()
    path = QPainterPath()
    for across, down in ((arm, 0.0), (0.0, arm)):
        path.moveTo(place - QPointF(across, down))
        path.lineTo(place + QPointF(across, down))
    return [Stroke(path, stage.base.colours.chosen, 2.0)]


def stepped(
    stage: Stage, before: QPointF, across: int, down: int, *, far: bool, fine: bool
) -> QPointF:
    """The place on the page, brought into view, that arrow keys lead to from a view point.

    ``fine``: by a pixel of the page.
    """
    step = stage.camera.scale() if fine else _FAR if far else _STEP
    wanted = before + QPointF(across * step, down * step)
    place = stage.camera.on_page(stage.camera.to_page(wanted))
    stage.camera.bring(place)
    return place


class PointingTool(Tool):
    """Has a cross of its own as soon as an arrow key is used. The space bar is its button.

    Attributes:
        drags: whether one tap presses and the next lets go; else a tap is a whole click.
    """

    cursor = Qt.CursorShape.CrossCursor
    grips = False
    leaves = True
    drags = True

    def __init__(self, stage: Stage, editing: Editing) -> None:
        super().__init__(stage)
        self.editing = editing
        self._mouse: QPointF | None = None
        self._cross: QPointF | None = None
        self._down = False

    def show(self) -> None:
        """Sketch what there is to see now."""

    def cross(self) -> list[Stroke]:
        """The cross, for the sketch; nothing while the mouse is used."""
        return cross_at(self.stage, self._cross)

    def begin(self) -> None:
        """Forget where the cross was."""
        self._cross, self._down = None, False

    def pause(self) -> None:
        """Let go of the button that the space bar pressed; what is begun waits."""
        self._down = self._tapped = False

    def end(self) -> None:
        """What is begun waits until the tool is taken again."""
        self.pause()
        self.stage.sketch.clear()
        self.stage.snap.clear()

    def page_changed(self) -> None:
        """What is begun lies on the scan, whatever becomes of outlines. The cross stays as well."""
        self.pause()
        if self.stage.in_use(self):
            self.show()

    def draft_changed(self) -> None:
        """Show what is begun."""
        self.pause()
        self.show()

    def move(self, point: QPointF, modifiers: Modifiers, *, held: bool) -> None:
        """The mouse takes over from the cross."""
        self._mouse = point
        if not self._down:
            self._cross = None

    def key(self, key: Qt.Key, modifiers: Modifiers) -> bool:
        """Finish, or take the last point back."""
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return self.enter()
        if key == Qt.Key.Key_Backspace:
            return self.back()
        return False

    def back(self) -> bool:
        """Backspace: take the last part of what is begun back."""
        if not self.stage.begun.back(self.name):
            return False
        self.draft_changed()
        self.stage.tell()
        return True

    def enter(self) -> bool:
        """Enter: finish what was begun."""
        return False

    def step(self, across: int, down: int, *, far: bool, fine: bool) -> bool:
        """Move the cross: ``fine`` by a pixel of the page."""
        stage = self.stage
        before = stage.camera.to_view(self._cross) if self._cross is not None else self._start()
        place = stepped(stage, before, across, down, far=far, fine=fine)
        self.move(stage.camera.to_view(place), Modifiers.NoModifier, held=self._down)
        self._cross = place
        self.show()
        return True

    def _start(self) -> QPointF:
        """Where the cross begins: at the mouse, else in the middle of the view."""
        view = self.stage.camera.rect()
        if self._mouse is not None and view.contains(self._mouse.toPoint()):
            return self._mouse
        return view.center().toPointF()

    def tap(self) -> bool:
        """Press or let go at the cross."""
        stage, none = self.stage, Modifiers.NoModifier
        if self._cross is None:
            self._cross = stage.camera.on_page(stage.camera.to_page(self._start()))
        place = self._cross
        point = stage.camera.to_view(place)
        if not self._down:
            self.press(point, none)
            self._down = True
        if self.drags and self._down and not self._tapped:
            self._tapped = True
        else:
            self._down = self._tapped = False
            self.release(point, none)
        self._cross = place
        self.show()
        return True

    _tapped = False

    def cancel(self) -> bool:
        """Let go of the button that the space bar pressed, and put the cross away."""
        had = self._down
        self.pause()
        return had


class StrokeTool(PointingTool):
    """One stroke from press to release. A subclass says what it means.

    A stroke that something came between waits: the next press goes on with it, Enter ends it.
    """

    @property
    def _path(self) -> list[QPointF]:
        return self.stage.begun.points(self.name)

    def begin(self) -> None:
        """Show a stroke that waited."""
        super().begin()
        if self._path:
            self.show()

    def finish(self, path: list[QPointF]) -> None:
        """The stroke ended; places in stored pixels."""
        raise NotImplementedError

    def click(self, place: QPointF) -> None:
        """It was no stroke but a click."""

    def show(self) -> None:
        """The stroke as far as it is."""
        path = self._path
        stroke = Stroke(path_through(path), self.stage.base.colours.chosen, 2.0)
        self.stage.sketch.show_all([*([stroke] if path else []), *self.cross()])

    def press(self, point: QPointF, modifiers: Modifiers) -> None:
        """Begin the stroke, or go on with one that waited."""
        self._cross = None
        self.stage.begun.add(self.name, self.stage.camera.to_page(point))

    def move(self, point: QPointF, modifiers: Modifiers, *, held: bool) -> None:
        """Draw on."""
        super().move(point, modifiers, held=held)
        path = self._path if held else []
        if path:
            last = self.stage.camera.to_view(path[-1])
            if (point - last).manhattanLength() >= _NEAR:
                self.stage.begun.add(self.name, self.stage.camera.to_page(point))
                self.show()

    def release(self, point: QPointF, modifiers: Modifiers) -> None:
        """End the stroke, or take it for a click."""
        path = self._path
        if path:
            self._end([*path, self.stage.camera.to_page(point)])

    def enter(self) -> bool:
        """End a stroke that waited."""
        path = self._path
        if path:
            self._end(path)
        return bool(path)

    def _end(self, path: list[QPointF]) -> None:
        self.pause()
        self.stage.sketch.clear()
        with self.stage.begun.finishing(self.name):
            self._take(path)
        # What became no edit, because it was refused or a question was left, can be made again.
        self.stage.begun.give_up(self.name)

    def _take(self, path: list[QPointF]) -> None:
        view = [self.stage.camera.to_view(place) for place in path]
        if max((place - view[0]).manhattanLength() for place in view) > SLACK:
            self.finish(path)
        else:
            self.stage.begun.end(self.name)
            self.click(path[0])

    def cancel(self) -> bool:
        """Wipe the stroke away."""
        had = super().cancel()
        had = self.stage.begun.give_up(self.name) or had
        self.stage.sketch.clear()
        return had
