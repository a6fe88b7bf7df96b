"""The tour of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QWidget

from madcat_studio.gui.coreactions import FIND_ACTION, MANUAL
from madcat_studio.gui.guide import Led, Step, button_of, other
from madcat_studio.gui.page.actions import MEND, NEXT_PROBLEM, UNDO
from madcat_studio.gui.page.canvasactions import NEXT_WORD, PREVIOUS_WORD
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
            tr(
                "Press the key {key} to go to the next word. The key {back} goes back.",
                key=led.commands.key(NEXT_WORD),
                back=led.commands.key(PREVIOUS_WORD),
            ),
            canvas,
            other(chosen),
        ),
        Step(
            tr(
                "Choose the tool that edits outlines: this button, or the key {key}.",
                key=led.commands.key(EDIT),
            ),
            lambda: button_of(view(), led.commands[EDIT]),
            has_edit_tool,
        ),
        Step(
            tr(
                "Drag a corner or an edge of the outline. Press Esc while dragging to leave it "
                "as it was."
            ),
            canvas,
            can_undo,
        ),
        Step(
            tr(
                "Undo it: this button, or {key}. Unsaved edits survive a crash.",
                key=led.commands.key(UNDO),
            ),
            lambda: button_of(view(), led.commands[UNDO]),
            lambda: not can_undo(),
        ),
        Step(
            tr(
                "{next} goes to the next place that looks wrong, {mend} mends it. {manual} "
                "explains this view; {find} finds any action.",
                next=led.commands.key(NEXT_PROBLEM),
                mend=led.commands.key(MEND),
                manual=led.commands.key(MANUAL),
                find=led.commands.key(FIND_ACTION),
            ),
            canvas,
        ),
    )
