"""The tour of a kit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QWidget

from madcat_studio.gui.coreactions import MANUAL
from madcat_studio.gui.editor.actions import CONFIRM, HAND_OVER
from madcat_studio.gui.guide import Led, Step, other
from madcat_studio.gui.translation import tr

if TYPE_CHECKING:
    from madcat_studio.gui.editor.view import KitView

__all__ = ["steps"]


def steps(led: Led) -> Sequence[Step]:
    """Take a kit, correct a segment, confirm it."""

    def view() -> KitView | None:
        return cast("KitView | None", led.view("kit"))

    def part(find: Callable[[KitView], QWidget | None]) -> Callable[[], QWidget | None]:
        def found() -> QWidget | None:
            there = view()
            return find(there) if there is not None else None

        return found

    def text() -> object:
        there = view()
        return there and there.kit_page.box.toPlainText()

    def is_open() -> bool:
        there = view()
        return there is not None and there.kit_page.workspace is not None

    def done() -> object:
        there = view()
        workspace = there.kit_page.workspace if there is not None else None
        return workspace and workspace.current

    return (
        Step(
            tr("A kit is waiting for you here. Take it; nobody else can have it while you do."),
            part(lambda there: next(iter(there.desk_page.buttons), None)),
            is_open,
        ),
        Step(
            tr("This is what the translation should say. Below it is what the system said."),
            part(lambda there: there.kit_page.pane.reference),
        ),
        Step(
            tr(
                "This is your text. Make it say what the reference says, with as few edits as "
                "possible."
            ),
            part(lambda there: there.kit_page.box),
            other(text),
        ),
        Step(
            tr("Here is what you have changed so far, as the score counts it."),
            part(lambda there: there.kit_page.pane.changes),
        ),
        Step(
            tr(
                "{key} confirms the segment and shows the next one.",
                key=led.commands.key(CONFIRM),
            ),
            part(lambda there: there.kit_page.box),
            other(done),
        ),
        Step(
            tr(
                "Here are all segments. When all are confirmed, {key} hands the kit over. "
                "{manual} explains this view.",
                key=led.commands.key(HAND_OVER),
                manual=led.commands.key(MANUAL),
            ),
            part(lambda there: there.kit_page.side),
        ),
    )
