"""The calendar of a campaign: each date as a line to write in, and how far it is off."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.errors import StudioError
from madcat_studio.gui.coordinator.countdown import countdown_text, left_text, told_of
from madcat_studio.gui.errorwords import tr_failure
from madcat_studio.gui.translation import tr
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.model.calendar import Calendar, Date
from madcat_studio.operations.campaign.calendar import read_calendar, set_dates
from madcat_studio.operations.people.passes import end_of, local_moment

__all__ = ["CalendarDialog", "open_calendar"]

_DAY = 10
"""Letters of a day without a time."""


def open_calendar(shell: Shell, location: str, parent: QWidget) -> bool:
    """Show it until it is closed; whether something was changed."""
    dialog = CalendarDialog(shell, location, parent)
    changed = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    return changed


class CalendarDialog(QDialog):
    """The dates of a campaign, in local time."""

    def __init__(self, shell: Shell, location: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell, self._location = shell, location
        self._worker = Dispatcher(self)
        self.calendar: Calendar | None = None
        self.setWindowTitle(tr("Calendar of the campaign"))
        self.setMinimumWidth(760)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(22, 18, 22, 18)
        outer.setSpacing(12)
        self.next = QLabel()
        self.next.setObjectName("kitname")
        self.next.setWordWrap(True)
        outer.addWidget(self.next)
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setColumnStretch(2, 1)
        self.boxes: dict[Date, QLineEdit] = {}
        self.states: dict[Date, QLabel] = {}
        for row, date in enumerate(Date):
            what = told_of(date)
            label, box, state = QLabel(what[:1].upper() + what[1:]), QLineEdit(), QLabel()
            label.setBuddy(box)
            box.setAccessibleName(what)
            box.setFixedWidth(170)
            box.setPlaceholderText(tr("no date"))
            state.setObjectName("quiet")
            for column, widget in enumerate((label, box, state)):
                grid.addWidget(widget, row, column)
            self.boxes[date], self.states[date] = box, state
        outer.addLayout(grid)
        self.note = QLabel(
            tr(
                "A day such as 2048-11-18 (until its end), or a moment such as 2048-11-18 10:00, "
                "in local time. What comes before its date is refused, in the window, in "
                "commands, in kits as files and on a server."
            )
        )
        self.note.setObjectName("quiet")
        self.note.setWordWrap(True)
        outer.addWidget(self.note)
        self.wrong = QLabel()
        self.wrong.setObjectName("caution")
        self.wrong.setWordWrap(True)
        self.wrong.hide()
        outer.addWidget(self.wrong)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        self.save = buttons.button(QDialogButtonBox.StandardButton.Save)
        self.save.setEnabled(False)
        buttons.accepted.connect(self.write)
        buttons.rejected.connect(self.reject)
        outer.addWidget(buttons)
        self._worker.submit(lambda _: read_calendar(location), self._show, failed=self._failed)

    def done(self, result: int) -> None:
        self._worker.close()
        super().done(result)

    def _show(self, calendar: Calendar) -> None:
        self.calendar = calendar
        now = datetime.now(UTC)
        for date, box in self.boxes.items():
            moment = calendar.dates.get(date)
            box.setText("" if moment is None else _written(moment))
            self.states[date].setText("" if moment is None else left_text(moment, now))
        self.next.setText(countdown_text(calendar, now) or tr("Nothing is to come."))
        self.save.setEnabled(True)

    def _failed(self, error: BaseException) -> None:
        if self.calendar is None:
            self.reject()
            self._shell.show_error(error)
            return
        self._tell(error)

    def _tell(self, error: BaseException) -> None:
        self.save.setEnabled(True)
        self.wrong.setText(tr_failure(error))
        self.wrong.show()

    def write(self) -> None:
        """Set what was changed; what cannot be meant is told, and nothing is set."""
        if self.calendar is None:
            return
        changed: dict[Date, datetime | None] = {}
        for date, box in self.boxes.items():
            before = self.calendar.dates.get(date)
            spelt = box.text().strip()
            if spelt == ("" if before is None else _written(before)):
                continue  # seconds that are not shown stay
            try:
                changed[date] = _moment(spelt)
            except (ValueError, StudioError) as error:
                box.setFocus()
                self._tell(
                    error
                    if isinstance(error, StudioError)
                    else ValueError(tr("{spelt} is no date", spelt=spelt))
                )
                return
        if not changed:
            self.reject()
            return
        self.save.setEnabled(False)
        location = self._location
        self._worker.submit(
            lambda _: set_dates(location, changed), lambda _: self.accept(), failed=self._failed
        )


def _written(moment: datetime) -> str:
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"


def _moment(spelt: str) -> datetime | None:
    if not spelt:
        return None
    moment = datetime.fromisoformat(spelt)
    return end_of(moment.date()) if len(spelt) <= _DAY else local_moment(moment)
