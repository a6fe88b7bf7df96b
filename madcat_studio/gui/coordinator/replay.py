"""How a segment's text came about, to look at: play, pause, a step forward or back."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.editor.carriers import carried
from madcat_studio.gui.editor.positions import to_qt
from madcat_studio.gui.fonts import english
from madcat_studio.gui.translation import mark, tr, tr_count, tr_figure, tr_number
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.model.campaign import Pass, SegmentName
from madcat_studio.model.visits import EventKind, Source
from madcat_studio.operations.scores.replay import Moment, Replay, read_replays

__all__ = ["ReplayDialog"]

_SPEEDS = (1, 2, 4, 8, 16)
_LONGEST_MS = 2000
"""A rest is cut to this, where rests are cut."""

_ADDED = {False: "#bfe5c8", True: "#1f5a33"}
"""The ground of what was added, on paper and in the dark."""

_SOURCES = {
    Source.TYPED: mark("typed"),
    Source.COMPOSED: mark("composed"),
    Source.DELETED: mark("deleted"),
    Source.PASTED: mark("pasted"),
    Source.CUT: mark("cut"),
    Source.MOVED: mark("moved"),
    Source.SUGGESTION: mark("from a spelling suggestion"),
    Source.PICKED: mark("picked"),
    Source.OUTPUT: mark("put back from the output"),
    Source.FIRST: mark("put back from the first pass"),
    Source.REPLACED: mark("replaced"),
    Source.UNDONE: mark("undone"),
    Source.REDONE: mark("redone"),
    Source.OTHER: mark("changed"),
}


class ReplayDialog(QDialog):
    """Replays one segment of a kit, one editor's work at a time."""

    def __init__(
        self, shell: Shell, location: str, kit: str, segment: SegmentName, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._shell = shell
        self._worker = Dispatcher(self)
        self._replays: tuple[Replay, ...] = ()
        self._next = QTimer(self)
        self._next.setSingleShot(True)
        self._next.timeout.connect(self._go_on)
        self.setWindowTitle(tr("Replay of {segment}, kit {kit}", segment=str(segment), kit=kit))
        self.resize(760, 460)
        self._build()
        self._worker.submit(
            lambda _: read_replays(location, kit, segment), self.show_replays, failed=self._failed
        )

    def _build(self) -> None:
        outer = QVBoxLayout(self)
        outer.setContentsMargins(18, 14, 18, 12)
        outer.setSpacing(8)
        top = QHBoxLayout()
        label = QLabel(tr("&Whose work"))
        self.whose = QComboBox()
        self.whose.currentIndexChanged.connect(self._begin)
        label.setBuddy(self.whose)
        top.addWidget(label)
        top.addWidget(self.whose, 1)
        outer.addLayout(top)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setFont(english(self._shell.settings))
        self.text.setAccessibleName(tr("The text at this moment"))
        outer.addWidget(self.text, 1)
        self.told = QLabel()
        self.told.setWordWrap(True)
        self.told.setMinimumHeight(2 * self.told.fontMetrics().lineSpacing())
        self.told.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        outer.addWidget(self.told)
        self.place = QSlider(Qt.Orientation.Horizontal)
        self.place.setAccessibleName(tr("Moment"))
        self.place.valueChanged.connect(self._show_moment)
        outer.addWidget(self.place)
        outer.addLayout(self._controls())
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        outer.addWidget(buttons)
        self._enable()

    def _controls(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.back = self._button(tr("Step &back"))
        self.back.clicked.connect(lambda: self._step(-1))
        self.play = self._button(tr("&Play"))
        self.play.clicked.connect(self._toggle)
        self.forth = self._button(tr("Step &forward"))
        self.forth.clicked.connect(lambda: self._step(1))
        self.speed = QComboBox()
        self.speed.setAccessibleName(tr("Speed"))
        for speed in _SPEEDS:
            self.speed.addItem(tr("{times}×", times=tr_number(speed)), speed)
        self.cut = QCheckBox(tr("&Cut rests to two seconds"))
        self.cut.setChecked(True)
        self.clock = QLabel()
        self.clock.setObjectName("quiet")
        for widget in (self.back, self.play, self.forth, self.speed, self.cut):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.clock)
        return row

    def _button(self, name: str) -> QPushButton:
        button = QPushButton(name)
        button.setAutoDefault(False)
        return button

    def done(self, result: int) -> None:
        self._next.stop()
        self._worker.close()
        super().done(result)

    def _failed(self, error: BaseException) -> None:
        self.reject()
        self._shell.show_error(error)

    # -- what is replayed ---------------------------------------------------------------------

    def show_replays(self, replays: tuple[Replay, ...]) -> None:
        """Offer these, and show the first."""
        self._replays = replays
        for one in replays:
            pass_ = tr("first pass") if one.pass_ is Pass.FIRST else tr("review")
            looks = tr_count("{count} look", "{count} looks", one.looks)
            self.whose.addItem(
                tr(
                    "Team {team}, {pass_}, {editor}: {looks}, {time}",
                    team=one.team,
                    pass_=pass_,
                    editor=one.editor,
                    looks=looks,
                    time=_clock(one.ms),
                )
            )
        self._begin()
        self.play.setFocus()

    def _moments(self) -> tuple[Moment, ...]:
        at = self.whose.currentIndex()
        return self._replays[at].moments if 0 <= at < len(self._replays) else ()

    def _begin(self) -> None:
        self._pause()
        moments = self._moments()
        self.place.setRange(0, max(0, len(moments) - 1))
        self.place.setValue(0)
        self._show_moment()
        if not self._replays:
            self.told.setText(tr("Nobody has visited this segment yet."))
        elif not moments:
            self.told.setText(tr("Only times were recorded: there is no text to replay."))

    def _show_moment(self) -> None:
        moments = self._moments()
        self._enable()
        if not moments:
            self.text.clear()
            self.clock.clear()
            return
        moment = moments[self.place.value()]
        self.text.setPlainText(carried(moment.text))
        cursor = self.text.textCursor()
        cursor.setPosition(to_qt(moment.text, moment.end))
        self.text.setTextCursor(cursor)
        self.text.setExtraSelections(self._marks(moment))
        self.told.setText(_told(moment))
        whole = self._replays[self.whose.currentIndex()].ms
        self.clock.setText(tr("{now} of {whole}", now=_clock(moment.ms), whole=_clock(whole)))

    def _marks(self, moment: Moment) -> list[QTextEdit.ExtraSelection]:
        if moment.start == moment.end:
            return []
        one = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.text.document())
        cursor.setPosition(to_qt(moment.text, moment.start))
        cursor.setPosition(to_qt(moment.text, moment.end), QTextCursor.MoveMode.KeepAnchor)
        one.cursor = cursor
        dark = self.text.palette().base().color().lightness() < 128
        format_ = QTextCharFormat()
        format_.setBackground(QColor(_ADDED[dark]))
        one.format = format_
        return [one]

    # -- playing ------------------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Whether it goes on by itself."""
        return self._next.isActive()

    def _toggle(self) -> None:
        if self.playing:
            self._pause()
            return
        if self.place.value() == self.place.maximum():
            self.place.setValue(0)
        self._wait()

    def _wait(self) -> None:
        """Until the next moment, as long as it was; rests may be cut."""
        moments, at = self._moments(), self.place.value()
        if at + 1 < len(moments):
            rest = max(0, moments[at + 1].ms - moments[at].ms)
            if self.cut.isChecked():
                rest = min(rest, _LONGEST_MS)
            self._next.start(rest // int(self.speed.currentData()))
        self._enable()

    def _go_on(self) -> None:
        self.place.setValue(self.place.value() + 1)
        self._wait()

    def _pause(self) -> None:
        self._next.stop()
        self._enable()

    def _step(self, direction: int) -> None:
        self._pause()
        self.place.setValue(self.place.value() + direction)

    def _enable(self) -> None:
        some, at = len(self._moments()) > 1, self.place.value()
        self.back.setEnabled(some and at > 0)
        self.forth.setEnabled(some and at < self.place.maximum())
        self.play.setEnabled(some)
        self.place.setEnabled(some)
        self.play.setText(tr("&Pause") if self.playing else tr("&Play"))


def _clock(ms: int) -> str:
    seconds = ms // 1000
    hours, rest = divmod(seconds, 3600)
    minutes = tr_figure(
        f"{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
    )
    return f"{tr_number(hours)}:{minutes}" if hours else minutes


def _told(moment: Moment) -> str:
    """What happened, in words."""
    match moment.kind:
        case EventKind.FROM:
            return tr("Look {number} begins", number=tr_number(moment.look))
        case EventKind.COMMAND:
            return tr("Command: {name}", name=moment.what)
        case EventKind.NOTE:
            return tr("Noted: {name}", name=moment.what)
    source = tr(_SOURCES[Source(moment.what)])
    added = moment.text[moment.start : moment.end]
    if added and moment.removed:
        return tr(
            "{source}: “{added}” instead of “{removed}”",
            source=source,
            added=added,
            removed=moment.removed,
        )
    return tr("{source}: “{words}”", source=source, words=added or moment.removed)
