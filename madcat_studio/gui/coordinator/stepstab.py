"""What comes next in a campaign: each step done, possible now with its button, or waiting."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from madcat_studio.gui.pathfields import make_button
from madcat_studio.gui.translation import mark, tr, tr_report
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Follower
from madcat_studio.model.doors import Door
from madcat_studio.operations.campaign.steps import Step, Steps, StepState, read_steps

__all__ = ["StepsTab"]

_STATES = {
    StepState.DONE: mark("done"),
    StepState.NOW: mark("now"),
    StepState.WAITING: mark("waits"),
}
_SIGNS = {StepState.DONE: "✓", StepState.NOW: "▸", StepState.WAITING: "…"}


class StepsTab(QScrollArea):
    """The path of a campaign, from its references to the evidence."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._location = ""
        self._reader = Follower(self)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Next steps"))

    def read(self, location: str) -> None:
        """Read it anew, after what is being read of the same campaign."""
        if location != self._location:
            self._reader.cancel()
        self._location = location
        # What lies beside a campaign's folder is most probably meant for it.
        files = None if "://" in location else Path(location).parent
        self._reader.submit(
            lambda _: read_steps(location, files), self._show, failed=self._shell.show_error
        )

    def close_worker(self) -> None:
        """Wait until no thread works for it."""
        self._reader.close()

    def _show(self, found: Steps) -> None:
        page = QWidget()
        page.setObjectName("page")
        outer = QVBoxLayout(page)
        outer.setContentsMargins(16, 12, 16, 12)
        outer.setSpacing(10)
        following = found.next
        said = tr("All is done.")
        if following is not None:
            then = f"{tr_report(following.title)} – {tr_report(following.told)}"
            said = tr("Next: {step}", step=then)
        head = QLabel(said)
        head.setObjectName("kitname")
        head.setTextFormat(Qt.TextFormat.PlainText)
        head.setWordWrap(True)
        outer.addWidget(head)
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(7)
        for row, step in enumerate(found.steps):
            self._add(grid, row, step, chosen=step is following)
        grid.setColumnStretch(2, 1)
        outer.addLayout(grid)
        outer.addStretch(1)
        self.setWidget(page)

    def _add(self, grid: QGridLayout, row: int, step: Step, *, chosen: bool) -> None:
        state = tr(_STATES[step.state])
        sign = QLabel(f"{_SIGNS[step.state]} {state}")
        title = QLabel(tr_report(step.title))
        told = tr_report(step.told)
        if step.optional and step.state is StepState.NOW:
            told = tr("{told} (optional)", told=told)
        text = QLabel(told)
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setWordWrap(True)
        text.setMinimumWidth(160)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        text.setToolTip(step.line)
        if step.state is not StepState.NOW:
            for label in (sign, title, text):
                label.setObjectName("quiet")
        middle = Qt.AlignmentFlag.AlignVCenter
        grid.addWidget(sign, row, 0, middle)
        grid.addWidget(title, row, 1, middle)
        grid.addWidget(text, row, 2, middle)
        if step.state is not StepState.DONE and step.door is not None:
            button = make_button(tr("Go there"), lambda: self._go(step))
            button.setAccessibleName(tr("Go to: {step}", step=tr_report(step.title)))
            if chosen:
                button.setObjectName("primary")
            grid.addWidget(button, row, 3, middle)

    def _go(self, step: Step) -> None:
        """Show where a step is done; what asks before it does anything is begun at once."""
        if step.door is Door.PLAN:
            self._shell.open(self._location, view="plan")
            return
        declared = self._shell.commands.declared()
        action = next(one for one in declared if one.door is step.door)
        if step.door is not Door.NEW_CAMPAIGN:
            self._shell.open(self._location, view=action.part)
        self._shell.run(action)
