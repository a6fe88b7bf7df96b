"""Handing a kit over from the window: what hinders it, what is worth a look, and the question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtWidgets import QMessageBox, QWidget

from madcat_studio.gui.editor.coaching import Coach
from madcat_studio.gui.editor.handover import HandOverDialog
from madcat_studio.gui.translation import tr
from madcat_studio.model.campaign import Flag, Pass
from madcat_studio.workspace.kit import KitProblem, KitWorkspace

__all__ = ["Finishing", "may_send_back"]


class _Page(Protocol):
    @property
    def workspace(self) -> KitWorkspace | None: ...

    @property
    def coach(self) -> Coach: ...

    def spell(self, done: Callable[[tuple[KitProblem, ...]], None]) -> None: ...

    def show_problem(self, problem: KitProblem) -> None: ...


class Finishing:
    """Leads through handing over; ``hand_over`` is called when nothing hinders it any more."""

    def __init__(
        self, parent: QWidget, page: _Page, hand_over: Callable[[KitWorkspace], None]
    ) -> None:
        self._parent, self._page, self._hand_over = parent, page, hand_over

    def begin(self) -> None:
        """Check, and go to what is to be done; or look at the spelling, and ask."""
        workspace = self._page.workspace
        if workspace is None:
            return
        problems = workspace.check()
        if problems:
            self._show(workspace, problems, ())
            return

        def coached(found: tuple[KitProblem, ...]) -> None:
            if self._page.workspace is workspace:
                self._ask(workspace, found)

        def spelled(found: tuple[KitProblem, ...]) -> None:
            if self._page.workspace is workspace:
                own = (*workspace.advice(), *found)
                self._page.coach.look_through(lambda said: coached((*own, *said)))

        self._page.spell(spelled)

    def _ask(self, workspace: KitWorkspace, advice: tuple[KitProblem, ...]) -> None:
        in_order = tuple(sorted(advice, key=lambda one: one.index))
        if self._show(workspace, (), in_order) if advice else self._sure(workspace):
            self._hand_over(workspace)

    def _show(
        self,
        workspace: KitWorkspace,
        problems: tuple[KitProblem, ...],
        advice: tuple[KitProblem, ...],
    ) -> bool:
        """Show what there is; whether to hand over all the same."""
        dialog = HandOverDialog(workspace, problems, advice, self._parent)
        accepted, chosen = bool(dialog.exec()), dialog.chosen
        dialog.deleteLater()
        self._parent.activateWindow()  # not every window manager gives it back by itself
        if chosen is None:
            return accepted
        self._page.show_problem(chosen)
        return False

    def _sure(self, workspace: KitWorkspace) -> bool:
        asked = QMessageBox.question(
            self._parent,
            tr("Hand over"),
            tr(
                "Hand over {which} of kit {kit}? The next person can then take it up.",
                which=tr("the first pass")
                if workspace.claim.pass_ is Pass.FIRST
                else tr("the review"),
                kit=workspace.claim.kit,
            ),
        )
        return asked == QMessageBox.StandardButton.Yes


def may_send_back(workspace: KitWorkspace, parent: QWidget) -> bool:
    """Ask before a review's flagged segments go back; say how, where none is flagged."""
    flagged = [
        index + 1
        for index in range(len(workspace.segments))
        if Flag.RETURNED in workspace.own(index).flags
    ]
    if not flagged:
        QMessageBox.information(
            parent,
            tr("Return to the first pass"),
            tr("Flag the segments first (Ctrl+Shift+F), each with a word to the first editor."),
        )
        return False
    asked = QMessageBox.question(
        parent,
        tr("Return to the first pass"),
        tr(
            "Give segments {names} of kit {kit} back to the first editor? The review waits until "
            "the first pass is handed over again.",
            names=", ".join(map(str, flagged)),
            kit=workspace.claim.kit,
        ),
    )
    return asked == QMessageBox.StandardButton.Yes
