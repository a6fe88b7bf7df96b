"""The calendar of a campaign or a track: each date as a line to write in, and how far it is off."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.errors import StudioError
from madcat_studio.gui.coordinator.countdown import countdown_text, left_text, told_of
from madcat_studio.gui.coordinator.trackchooser import TrackChooser
from madcat_studio.gui.errorwords import tr_failure
from madcat_studio.gui.translation import tr
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.model.calendar import NO_CALENDAR, Calendar, Date
from madcat_studio.operations.campaign.calendar import Calendars, read_calendars, set_calendars
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
    """The dates of a campaign and of its tracks, in local time.

    What is written for one track waits while another is shown; all of it is saved together.
    """

    def __init__(self, shell: Shell, location: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell, self._location = shell, location
        self._worker = Dispatcher(self)
        self.calendars: Calendars | None = None
        self._written: dict[str, dict[Date, str]] = {}  # what the lines of a track were left with
        self._track = ""
        self.setWindowTitle(tr("Calendar of the campaign"))
        self.setMinimumWidth(760)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(22, 18, 22, 18)
        outer.setSpacing(12)
        self.next = QLabel()
        self.next.setObjectName("kitname")
        self.next.setWordWrap(True)
        self.tracks = TrackChooser()
        self.tracks.chosen.connect(self.turn)
        head = QHBoxLayout()
        head.addWidget(self.next, 1)
        head.addWidget(self.tracks, 0, Qt.AlignmentFlag.AlignTop)
        outer.addLayout(head)
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
        self._worker.submit(lambda _: read_calendars(location), self._show, failed=self._failed)

    def done(self, result: int) -> None:
        self._worker.close()
        super().done(result)

    def _show(self, calendars: Calendars) -> None:
        self.calendars = calendars
        named = [track for track in calendars.own if track]
        # Pages of one track alone have no other dates than their campaign, unless it has some.
        apart = len(named) > 1 or any(calendars.own[track].dates for track in named)
        self.tracks.show_tracks(["", *named] if apart else [""], "", tr("whole campaign"))
        self._fill(calendars)
        self.save.setEnabled(True)

    def turn(self) -> None:
        """To the lines of another track."""
        if self.calendars is None:
            return
        self._written[self._track] = self._spelt()
        self._track = self.tracks.track() or ""
        self.wrong.hide()
        self._fill(self.calendars)

    def _spelt(self) -> dict[Date, str]:
        return {date: box.text().strip() for date, box in self.boxes.items()}

    def _fill(self, calendars: Calendars) -> None:
        now, own = datetime.now(UTC), _own(calendars, self._track)
        written = self._written.get(self._track, {})
        for date, box in self.boxes.items():
            moment, other = own.dates.get(date), calendars.campaign.dates.get(date)
            state = "" if moment is None else left_text(moment, now)
            if moment is None and self._track and other is not None:
                state = tr("{when}, by the campaign", when=left_text(other, now))
            box.setText(written.get(date, _shown(moment)))
            box.setPlaceholderText((self._track and _shown(other)) or tr("no date"))
            self.states[date].setText(state)
        coming = countdown_text(calendars.of(self._track), now)
        self.next.setText(coming or tr("No dates ahead."))

    def _failed(self, error: BaseException) -> None:
        if self.calendars is None:
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
        if self.calendars is None:
            return
        changed: dict[str, dict[Date, datetime | None]] = {}
        for track, spelt in {**self._written, self._track: self._spelt()}.items():
            before = _own(self.calendars, track)
            for date, text in spelt.items():
                if text == _shown(before.dates.get(date)):
                    continue  # seconds that are not shown stay
                try:
                    changed.setdefault(track, {})[date] = _moment(text)
                except (ValueError, StudioError) as error:
                    self._refuse(track, date, text, error)
                    return
        if not changed:
            self.reject()
            return
        self.save.setEnabled(False)
        location = self._location
        self._worker.submit(
            lambda _: set_calendars(location, changed), lambda _: self.accept(), failed=self._failed
        )

    def _refuse(self, track: str, date: Date, text: str, error: Exception) -> None:
        """Show the line that cannot be meant, whichever track it is of."""
        if track != self._track:
            self.tracks.choose(track)
            self.turn()
        self.boxes[date].setFocus()
        self._tell(
            error
            if isinstance(error, StudioError)
            else ValueError(tr("{spelt} is not a date", spelt=text))
        )


def _own(calendars: Calendars, track: str) -> Calendar:
    return calendars.own.get(track, NO_CALENDAR) if track else calendars.campaign


def _shown(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment.astimezone():%Y-%m-%d %H:%M}"


def _moment(spelt: str) -> datetime | None:
    if not spelt:
        return None
    moment = datetime.fromisoformat(spelt)
    return end_of(moment.date()) if len(spelt) <= _DAY else local_moment(moment)
