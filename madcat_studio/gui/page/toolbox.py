"""Which tool is in use, and what is done to the outlines that are chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QPointF

from madcat_studio.gui.page.features import Feature
from madcat_studio.gui.page.outlineedits import OutlineEdits
from madcat_studio.gui.page.palette import Palette
from madcat_studio.gui.page.shapes import OutlineKind, ShapeKey
from madcat_studio.gui.page.toolactions import PALETTE
from madcat_studio.gui.page.tools.drawing import FreehandTool, PolygonTool, RectangleTool
from madcat_studio.gui.page.tools.edit import EditTool
from madcat_studio.gui.page.tools.select import SelectTool
from madcat_studio.gui.page.tools.strokes import CutTool, GiveTool, OrderTool
from madcat_studio.gui.page.tools.tool import Tool
from madcat_studio.gui.settings import SNAP
from madcat_studio.model.change import Change
from madcat_studio.model.document import Line, Word

if TYPE_CHECKING:
    from madcat_studio.gui.page.view import PageView

__all__ = ["Toolbox"]

_TOOL = "page.tool-"


class Toolbox(Feature):
    """Hosts the tools, and the actions that work on the choice.

    Attributes:
        edits: what tools ask.
        palette: the buttons beside the page.
    """

    actions: ClassVar[frozenset[str]] = frozenset(
        {
            *(f"{_TOOL}{name}" for name in ("select", "edit", "polygon", "rectangle")),
            *(f"{_TOOL}{name}" for name in ("freehand", "cut", "give", "order")),
            "page.work-on-lines",
            "page.snap",
            "page.select-line",
            "page.select-all",
            "page.select-beneath",
            "page.merge",
            "page.simplify",
            "page.lock",
            "page.remove",
            "page.line-up",
            "page.line-down",
            "page.earlier",
            "page.later",
        }
    )

    def __init__(self, view: PageView) -> None:
        super().__init__(view)
        canvas, edits = view.canvas, OutlineEdits(view)
        self.edits = edits
        self._tools: dict[str, Tool] = {
            "select": SelectTool(canvas, edits),
            "edit": EditTool(canvas, edits),
            "polygon": PolygonTool(canvas, edits),
            "rectangle": RectangleTool(canvas, edits),
            "freehand": FreehandTool(canvas, edits),
            "cut": CutTool(canvas, edits),
            "give": GiveTool(canvas, edits),
            "order": OrderTool(canvas, edits),
        }
        self._held: list[Line | Word] = []
        self.palette = Palette(view.shell.commands, PALETTE)
        view.beside.insertWidget(0, self.palette)
        canvas.use(self._tools["select"])
        canvas.snapping = view.shell.settings.get(SNAP)
        canvas.nudged.connect(edits.nudge)
        canvas.removal_wanted.connect(edits.remove)
        canvas.tool_changed.connect(self._on_tool)
        canvas.tool_left.connect(lambda: self.take("select"))
        view.choice.changed.connect(self._on_choice)

    def take(self, name: str) -> None:
        """Take a tool into the hand."""
        self.view.canvas.use(self._tools[name])
        self.view.canvas.setFocus()

    def _on_tool(self) -> None:
        self.view.advice.emit(self.view.canvas.tool.hint())
        self.view.state_changed.emit()

    def _on_choice(self) -> None:
        self._held = self.edits.objects_of(self.view.canvas.selection)
        self.view.advice.emit(self.view.canvas.tool.hint())

    # As a feature

    def page_shown(self) -> None:
        """Nothing is chosen on another page."""
        self._held = []
        self._show_locks()
        self.view.advice.emit(self.view.canvas.tool.hint())

    def changed(self, change: Change) -> None:
        """What was chosen stays so wherever it is now, and locks are shown."""
        canvas = self.view.canvas
        if change.shifts is None:
            keys = self.edits.keys_of(self._held)
            if keys != canvas.selection:
                canvas.select(keys)
        elif change.structure and len(canvas.selection) != len(self._held):
            canvas.select(canvas.selection)  # the rest of it is chosen now, which is told
        if change.structure or change.lines:
            self._show_locks()

    def _show_locks(self) -> None:
        workspace, page = self.view.workspace, self.view.page_number
        if workspace is not None and page < len(workspace.document.pages):
            lines = workspace.document.pages[page].lines
            locked = [ShapeKey(n) for n, line in enumerate(lines) if line.locked]
            if locked or self.view.canvas.base.locked:
                self.view.canvas.show_locked(locked)

    def trigger(self, action: str, checked: bool) -> None:
        """Take a tool, or do something to what is chosen."""
        if action.startswith(_TOOL):
            self.take(action.removeprefix(_TOOL))
            return
        canvas, edits = self.view.canvas, self.edits
        run: dict[str, Callable[[], None]] = {
            "page.work-on-lines": lambda: self._work_on(
                OutlineKind.LINE if checked else OutlineKind.WORD
            ),
            "page.snap": lambda: self._snap(checked),
            "page.select-line": self._select_line,
            "page.select-all": lambda: canvas.select(self._words()),
            "page.select-beneath": self._select_beneath,
            "page.merge": edits.merge,
            "page.simplify": edits.simplify,
            "page.lock": edits.lock,
            "page.remove": edits.remove,
            "page.line-up": lambda: edits.to_neighbour(-1),
            "page.line-down": lambda: edits.to_neighbour(1),
            "page.earlier": lambda: edits.along(-1),
            "page.later": lambda: edits.along(1),
        }
        run[action]()

    def can(self, action: str) -> bool:
        """Most need something chosen."""
        canvas = self.view.canvas
        keys = canvas.selection
        if action == "page.merge":
            return len(keys) > 1
        if action in ("page.line-up", "page.line-down"):
            return any(key.word is not None for key in keys)
        free = action.startswith(_TOOL) or action in (
            "page.work-on-lines",
            "page.snap",
            "page.select-all",
        )
        return free or bool(keys)

    def is_checked(self, action: str) -> bool:
        """The tool in use; snapping; lines."""
        canvas = self.view.canvas
        if action.startswith(_TOOL):
            return canvas.tool.name == action.removeprefix(_TOOL)
        return (
            canvas.layer is OutlineKind.LINE if action == "page.work-on-lines" else canvas.snapping
        )

    def _work_on(self, layer: OutlineKind) -> None:
        self.view.canvas.layer = layer
        self.view.canvas.tool.page_changed()
        self._on_tool()

    def _snap(self, wanted: bool) -> None:
        self.view.canvas.snapping = wanted
        self.view.shell.settings.set(SNAP, wanted)

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

    def _select_line(self) -> None:
        key = self.view.canvas.chosen_key
        if key is not None:
            words = self._words(key.line)
            self.view.canvas.select(words)
            self.view.canvas.reveal(words)

    def _select_beneath(self) -> None:
        """What lies under the middle of the chosen outline, the next larger one."""
        canvas, key = self.view.canvas, self.view.canvas.chosen_key
        if canvas.shapes is None or key is None:
            return
        left, top, right, bottom = canvas.shapes.box(key)
        if left > right:
            return
        middle = canvas.to_view(QPointF((left + right) / 2, (top + bottom) / 2))
        target = canvas.target(middle, beneath=key, bodies=True)
        if target is not None:
            canvas.select([target.key])
