"""The tour of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QWidget

from madcat_studio.gui.guide import Led, Step, button_of, other
from madcat_studio.gui.page.actions import UNDO
from madcat_studio.gui.page.toolactions import EDIT
from madcat_studio.gui.translation import tr

if TYPE_CHECKING:
    from madcat_studio.gui.page.view import PageView

__all__ = ["steps"]


def steps(led: Led) -> Sequence[Step]:
    """Choose, walk, edit, take back: what marking a page is made of."""

    def view() -> PageView | None:
        there = cast("PageView | None", led.view("page"))
        return there if there is not None and there.workspace is not None else None

    def canvas() -> QWidget | None:
        there = view()
        return there.canvas if there is not None else None

    def chosen() -> object:
        there = view()
        return there and tuple(there.canvas.selection.keys)

    def can_undo() -> bool:
        there = view()
        return there is not None and there.workspace is not None and there.workspace.can_undo

    def has_edit_tool() -> bool:
        there = view()
        return there is not None and there.canvas.tools.tool.name == "edit"

    return (
        Step(
            tr(
                "A page, with the outlines of its lines and words over the scan. Click a word: "
                "its text lights up at the side."
            ),
            canvas,
            lambda: bool(chosen()),
        ),
        Step(
            tr("Press the full stop key: it leads to the next word. The comma key leads back."),
            canvas,
            other(chosen),
        ),
        Step(
            tr("Take the tool that edits outlines: this button, or the key E."),
            lambda: button_of(view(), led.commands[EDIT]),
            has_edit_tool,
        ),
        Step(
            tr(
                "Drag a corner or an edge of the outline. Esc in the middle of it leaves the "
                "outline as it was."
            ),
            canvas,
            can_undo,
        ),
        Step(
            tr("Take it back: this button, or Ctrl+Z. What is not saved survives a crash."),
            lambda: button_of(view(), led.commands[UNDO]),
            lambda: not can_undo(),
        ),
        Step(
            tr(
                "F8 goes to the next place that looks wrong, F9 mends it. F1 tells more of this "
                "view; Ctrl+Shift+A finds whatever can be done."
            ),
            canvas,
        ),
    )
