"""A brush that makes an outline larger, or takes a part of it away."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

from madcat_studio.errors import InputError
from madcat_studio.gui.page.shapes import OutlineKind
from madcat_studio.gui.page.sketch import Stroke
from madcat_studio.gui.page.stage import Stage
from madcat_studio.gui.page.tools.editing import Editing
from madcat_studio.gui.page.tools.pointing import StrokeTool, path_through
from madcat_studio.gui.page.tools.tool import ALT, SHIFT, Modifiers, ToolName
from madcat_studio.gui.translation import tr
from madcat_studio.model.document import Polygon

__all__ = ["BrushTool"]


class BrushTool(StrokeTool):
    """One stroke of a round brush; of width 0, or with Shift, the area that it goes round.

    With Alt it does the opposite. What it would make of the outline is shown while it is drawn.
    """

    def __init__(
        self, name: ToolName, stage: Stage, editing: Editing, width: Callable[[], int]
    ) -> None:
        super().__init__(stage, editing)
        self.name = name
        self.drafts = (name,)
        self._width = width
        self._pointer: QPointF | None = None

    def hint(self) -> str:
        """What to do."""
        width = self._width()
        what = tr("the word") if self.stage.layer is OutlineKind.WORD else tr("the line")
        if self.name == "erase":
            told = tr("Paint over what to take away from {what}; Alt adds", what=what)
        else:
            told = tr("Paint over what to add to {what}; Alt takes away", what=what)
        if not width:
            return f"{told}. {tr('Go round it in one stroke; ] makes the brush wider')}"
        return f"{told}. {tr('Shift: go round it in one stroke; [ and ] change the width')}"

    # What is begun

    def _said(self) -> tuple[Polygon, int, bool] | None:
        """The outline that is painted, the width, and whether it is taken away from."""
        value = self.stage.begun.value(self.name)
        if value is None:
            return None
        outline = tuple((x, y) for x, y in value["outline"])
        return outline, int(value["width"]), bool(value["away"])

    def press(self, point: QPointF, modifiers: Modifiers) -> None:
        """Begin on the chosen outline, or the one that is there; or go on with what waited."""
        if not self._path:
            outline = self.editing.outline_at(self.stage.camera.to_page(point))
            if outline is None:
                self.stage.refuse(tr("Choose an outline first, or begin on one"))
                return
            away = (self.name == "erase") != bool(modifiers & ALT)
            width = 0 if modifiers & SHIFT else self._width()
            value = {"outline": [list(place) for place in outline], "width": width, "away": away}
            self.stage.begun.set(self.name, value)
        super().press(point, modifiers)
        self.show()

    def move(self, point: QPointF, modifiers: Modifiers, *, held: bool) -> None:
        """Draw on, and show how wide the brush is."""
        self._pointer = self.stage.camera.to_page(point)
        super().move(point, modifiers, held=held)
        if not held or not self._path:
            self.show()

    def pause(self) -> None:
        """The pointer may be anywhere when it goes on."""
        super().pause()
        self._pointer = None

    def show(self) -> None:
        """The brush, and what the outline would be."""
        stage, said, path = self.stage, self._said(), self._path
        strokes = []
        if said is not None and path:
            outline, width, away = said
            strokes += self._result(outline, path, width, away=away)
            if not width:
                strokes.append(
                    Stroke(path_through(path, closed=True), stage.base.colours.hover, 1.4)
                )
        place = path[-1] if path else self._pointer
        width = said[1] if said is not None else self._width()
        if place is not None and width:
            tip = QPainterPath()
            tip.addEllipse(place, width / 2, width / 2)
            strokes.append(Stroke(tip, stage.base.colours.hover, 1.4, 30))
        stage.sketch.show_all([*strokes, *self.cross()])

    def _result(
        self, outline: Polygon, path: list[QPointF], width: int, *, away: bool
    ) -> list[Stroke]:
        try:
            painted = self.editing.painted(outline, _points(path), width, away=away)
        except InputError:
            return []
        colours = self.stage.base.colours
        return [
            Stroke(
                path_through([QPointF(x, y) for x, y in piece], closed=True),
                colours.hover if number else colours.chosen,
                1.8,
                60,
            )
            for number, piece in enumerate(painted.pieces)
        ]

    # Ending

    def _take(self, path: list[QPointF]) -> None:
        """A click is a stroke as well: one dab."""
        self.finish(path)

    def finish(self, path: list[QPointF]) -> None:
        """Ask for the outline."""
        said = self._said()
        if said is not None:
            outline, width, away = said
            self.editing.paint(outline, _points(path), width, away=away)


def _points(path: list[QPointF]) -> Polygon:
    return tuple((place.x(), place.y()) for place in path)
