"""Which tool is in use, and what is done to the outlines that are chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QPointF

from madcat_studio.gui.declarations import Bar
from madcat_studio.gui.page.features import Feature
from madcat_studio.gui.page.outlineedits import OutlineEdits
from madcat_studio.gui.page.palette import Palette
from madcat_studio.gui.page.shapes import OutlineKind, ShapeKey
from madcat_studio.gui.page.tools.brush import BrushTool
from madcat_studio.gui.page.tools.drawing import FreehandTool, PolygonTool, RectangleTool
from madcat_studio.gui.page.tools.edit import EditTool
from madcat_studio.gui.page.tools.select import SelectTool
from madcat_studio.gui.page.tools.strokes import CutTool, GiveTool, OrderTool
from madcat_studio.gui.page.tools.tool import Tool, ToolName
from madcat_studio.gui.settings import BRUSH, SNAP
from madcat_studio.model.change import Change
from madcat_studio.model.document import Line, Word

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["Toolbox"]

_BRUSHES = (0, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128)
"""Widths in stored pixels."""


class Toolbox(Feature):
    """Hosts the tools, and the actions that work on the choice.

    Attributes:
        edits: what tools ask.
        palette: the buttons beside the page.
    """

    def __init__(self, view: PageHost, buttons: Bar) -> None:
        super().__init__(view)
        canvas, edits = view.canvas, OutlineEdits(view)
        self.edits = edits
        stage = canvas.tools
        self._tools: dict[ToolName, Tool] = {
            "select": SelectTool(stage, edits),
            "edit": EditTool(stage, edits),
            "polygon": PolygonTool(stage, edits),
            "rectangle": RectangleTool(stage, edits),
            "freehand": FreehandTool(stage, edits),
            "cut": CutTool(stage, edits),
            "give": GiveTool(stage, edits),
            "order": OrderTool(stage, edits),
            "brush": BrushTool("brush", stage, edits, self._width),
            "erase": BrushTool("erase", stage, edits, self._width),
        }
        self._held: list[Line | Word] = []
        self.palette = Palette(view.shell.commands, buttons)
        view.beside.insertWidget(0, self.palette)
        stage.use(self._tools["select"])
        stage.snap.on = view.shell.settings.get(SNAP)
        stage.nudged.connect(edits.nudge)
        stage.removal_wanted.connect(edits.remove)
        stage.changed.connect(self._on_tool)
        stage.refused.connect(view.shell.messages.info)
        stage.left.connect(lambda: self.take("select"))
        view.choice.changed.connect(self._on_choice)

    def take(self, name: ToolName) -> None:
        """Take a tool into the hand."""
        self.view.canvas.tools.use(self._tools[name])
        self.view.canvas.setFocus()

    def _on_tool(self) -> None:
        self.view.advice.emit(self.view.canvas.tools.tool.hint())
        self.view.state_changed.emit()

    def _on_choice(self) -> None:
        self._held = self.edits.objects_of(self.view.canvas.selection.keys)
        self.view.advice.emit(self.view.canvas.tools.tool.hint())

    # As a feature

    def page_shown(self) -> None:
        """Nothing is chosen on another page."""
        self._held = []
        self._show_locks()
        resumed = self.view.canvas.tools.begun.resume([*self._tools])
        if resumed:
            self.view.canvas.tools.use(self._tools[cast(ToolName, resumed)])
        self.view.advice.emit(self.view.canvas.tools.tool.hint())

    def changed(self, change: Change) -> None:
        """What was chosen stays so wherever it is now, and locks are shown."""
        canvas = self.view.canvas
        if change.shifts is None:
            keys = self.edits.keys_of(self._held)
            if keys != canvas.selection.keys:
                canvas.selection.select(keys)
        elif change.structure and len(canvas.selection.keys) != len(self._held):
            # The rest of it is chosen now, which is told.
            canvas.selection.select(canvas.selection.keys)
        if change.structure or change.lines:
            self._show_locks()

    def _show_locks(self) -> None:
        workspace, page = self.view.workspace, self.view.page_number
        if workspace is not None and page < len(workspace.document.pages):
            lines = workspace.document.pages[page].lines
            locked = [ShapeKey(n) for n, line in enumerate(lines) if line.locked]
            if locked or self.view.canvas.base.locked:
                self.view.canvas.outlines.mark_locked(locked)

    # Actions

    @property
    def has_choice(self) -> bool:
        """Whether an outline is chosen."""
        return bool(self.view.canvas.selection.keys)

    @property
    def has_words(self) -> bool:
        """Whether a word is chosen."""
        return any(key.word is not None for key in self.view.canvas.selection.keys)

    @property
    def works_on_lines(self) -> bool:
        """Whether tools draw, cut and order lines instead of words."""
        return self.view.canvas.tools.layer is OutlineKind.LINE

    def change_layer(self) -> None:
        """Work on lines instead of words, or the other way round."""
        layer = OutlineKind.WORD if self.works_on_lines else OutlineKind.LINE
        self.view.canvas.tools.work_on(layer)

    def toggle_snapping(self) -> None:
        """Let points come to rest on what is near, or no longer."""
        snap = self.view.canvas.tools.snap
        snap.on = not snap.on
        self.view.shell.settings.set(SNAP, snap.on)

    @property
    def paints(self) -> bool:
        """Whether a brush is in the hand."""
        return self.view.canvas.tools.tool in (self._tools["brush"], self._tools["erase"])

    def _width(self) -> int:
        return self.view.shell.settings.get(BRUSH)

    def change_brush(self, step: int) -> None:
        """A wider brush, or a narrower one; narrower than the narrowest takes whole areas."""
        now = self._width()
        others = [width for width in _BRUSHES if (width > now if step > 0 else width < now)]
        if others:
            self.view.shell.settings.set(BRUSH, others[0] if step > 0 else others[-1])
            self.view.canvas.tools.tool.draft_changed()
            self.view.canvas.tools.tell()

    def select_all(self) -> None:
        """Choose all words of the page."""
        self.view.canvas.selection.select(self._words())

    def _words(self, line: int | None = None) -> list[ShapeKey]:
        workspace, page = self.view.workspace, self.view.page_number
        if workspace is None or page >= len(workspace.document.pages):
            return []
        lines = workspace.document.pages[page].lines
        return [
            ShapeKey(n, k)
            for n in (range(len(lines)) if line is None else [line])
            for k in range(len(lines[n].words))
        ]

    def select_line(self) -> None:
        """Choose all words of the line that is chosen, or of the chosen word."""
        key = self.view.canvas.selection.key
        if key is not None:
            words = self._words(key.line)
            self.view.canvas.selection.select(words)
            self.view.canvas.outlines.reveal(words)

    def select_beneath(self) -> None:
        """What lies under the middle of the chosen outline, the next larger one."""
        canvas, key = self.view.canvas, self.view.canvas.selection.key
        if canvas.shapes is None or key is None:
            return
        left, top, right, bottom = canvas.shapes.box(key)
        if left > right:
            return
        middle = canvas.camera.to_view(QPointF((left + right) / 2, (top + bottom) / 2))
        target = canvas.tools.target(middle, beneath=key, bodies=True)
        if target is not None:
            canvas.selection.select([target.key])
