"""Handing a kit over from the window: what hinders it, what is worth a look, and the question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, SignalInstance
from PySide6.QtWidgets import QMessageBox, QWidget

from madcat_studio.gui.editor.coaching import Coach
from madcat_studio.gui.editor.findings import FindingsPanel
from madcat_studio.gui.translation import tr
from madcat_studio.model.campaign import Flag, Pass
from madcat_studio.workspace.findings import Findings, findings_of, ignore
from madcat_studio.workspace.kit import KitChange, KitProblem, KitWorkspace

__all__ = ["Finishing", "may_send_back"]

_REST_MS = 500


class _Page(Protocol):
    @property
    def workspace(self) -> KitWorkspace | None: ...

    @property
    def coach(self) -> Coach: ...

    @property
    def findings(self) -> FindingsPanel: ...

    @property
    def touched(self) -> SignalInstance: ...

    def spell(self, done: Callable[[tuple[KitProblem, ...]], None]) -> None: ...

    def show_problem(self, problem: KitProblem) -> None: ...

    def do(self, act: Callable[[KitWorkspace], KitChange]) -> None: ...


class Finishing(QObject):
    """Leads through handing over; ``hand_over`` is called when nothing hinders it any more."""

    def __init__(
        self, parent: QWidget, page: _Page, hand_over: Callable[[KitWorkspace], None]
    ) -> None:
        super().__init__(parent)
        self._parent, self._page, self._hand_over = parent, page, hand_over
        panel = self._panel = page.findings
        panel.chosen.connect(page.show_problem)
        panel.ignore_wanted.connect(self._ignore)
        panel.hand_over_wanted.connect(self._over)
        # What is worked off goes from the list, a moment after the last key.
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_REST_MS)
        self._later.timeout.connect(lambda: self._look(self._show))
        page.touched.connect(self._on_touched)

    def begin(self) -> None:
        """Check the whole kit; list what is found, or ask."""

        def found(workspace: KitWorkspace, findings: Findings) -> None:
            if not findings.all:
                self._panel.hide()
                if self._sure(workspace):
                    self._hand_over(workspace)
                return
            self._show(workspace, findings)
            self._panel.show()
            self._panel.list.setFocus()

        self._look(found)

    def go_on(self, step: int) -> None:
        """Go to the next finding of the list, or the one before; open the list where it is not."""
        if self._panel.isVisible():
            self._panel.go_on(step)
            return

        def found(workspace: KitWorkspace, findings: Findings) -> None:
            self._show(workspace, findings)
            self._panel.show()
            self._panel.go_to_first_from(workspace.current)

        self._look(found)

    def _look(self, found: Callable[[KitWorkspace, Findings], None]) -> None:
        workspace = self._page.workspace
        if workspace is None:
            return

        def seen(advice: tuple[KitProblem, ...]) -> None:
            if self._page.workspace is workspace and not workspace.finished:
                found(workspace, findings_of(workspace, advice))

        def spelled(spelling: tuple[KitProblem, ...]) -> None:
            if self._page.workspace is workspace:
                self._page.coach.look_through(lambda said: seen((*spelling, *said)))

        self._page.spell(spelled)

    def _show(self, workspace: KitWorkspace, findings: Findings) -> None:
        self._panel.show_findings(workspace.claim.kit, findings)

    def _on_touched(self) -> None:
        if self._panel.isVisible():
            self._later.start()

    def _ignore(self, problem: KitProblem, reason: str) -> None:
        self._page.do(lambda kit: ignore(kit, problem, reason))
        self._look(self._show)

    def _over(self) -> None:
        workspace = self._page.workspace
        if workspace is None:
            return
        if workspace.check():
            self.begin()  # something was reopened since
            return
        self._panel.hide()
        self._hand_over(workspace)

    def shut_down(self) -> None:
        """End the timer."""
        self._later.stop()

    def _sure(self, workspace: KitWorkspace) -> bool:
        asked = QMessageBox.question(
            self._parent,
            tr("Hand over"),
            tr(
                "Hand over {which} of kit {kit}? The next person can then begin.",
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
            tr("Flag the segments first, each with a message to the first editor."),
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
