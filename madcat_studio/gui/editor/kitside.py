"""The left side of an open kit: which it is, how far it is, and its segments."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QListView,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.editor.segmentlist import KitSegmentDelegate, KitSegmentModel
from madcat_studio.gui.editor.worst import WorstRows
from madcat_studio.gui.fonts import english
from madcat_studio.gui.settings import Settings
from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import tr, tr_count, tr_figure, tr_number
from madcat_studio.model.campaign import Pass, SegmentState
from madcat_studio.workspace.kit import KitWorkspace
from madcat_ter.options import TerOptions

__all__ = ["KitSide", "Shown", "clock_seconds_text", "clock_text", "pass_text"]


def pass_text(pass_: Pass) -> str:
    """The pass in words."""
    return tr("first pass") if pass_ is Pass.FIRST else tr("review")


def clock_text(seconds: float) -> str:
    """Hours and minutes, as on a clock."""
    minutes = int(seconds) // 60
    # One value: between two, the colon would run as the language does, the hours last in Arabic.
    return tr("{time} h", time=tr_figure(f"{minutes // 60:,}:{minutes % 60:02}"))


def clock_seconds_text(seconds: float) -> str:
    """Hours, minutes and seconds."""
    minutes, rest = divmod(int(seconds), 60)
    told = f"{minutes // 60:,}:{minutes % 60:02}:{rest:02}"
    return tr("{time} h", time=tr_figure(told))


class Shown(StrEnum):
    """Which segments the list shows."""

    ALL = "all"
    UNCONFIRMED = "unconfirmed"
    FLAGGED = "flagged"
    CHANGED = "changed"
    WORST = "worst"

    def of(self, kit: KitWorkspace, row: int, worst: frozenset[int]) -> bool:
        """Whether a segment is among them; ``worst`` are those with the highest HTER."""
        own, segment = kit.own(row), kit.segments[row]
        match self:
            case Shown.ALL:
                return True
            case Shown.UNCONFIRMED:
                return bool(segment.output) and own.state is not SegmentState.CONFIRMED
            case Shown.FLAGGED:
                return bool(own.flags)
            case Shown.CHANGED:
                before = segment.output if segment.first is None else segment.first
                return own.text != before
            case Shown.WORST:
                return row in worst


_LATER_MS = 250


class KitSide(QWidget):
    """Names the kit and lists its segments. ``chosen`` carries a row."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumWidth(220)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.kit = QLabel()
        self.kit.setObjectName("kitname")
        self.kit.setContentsMargins(12, 14, 12, 0)
        self.kit.setWordWrap(True)
        column.addWidget(self.kit)
        facts = QHBoxLayout()
        facts.setContentsMargins(12, 3, 12, 7)
        self.words = QLabel()
        self.words.setObjectName("quiet")
        self.clock = QLabel()
        self.clock.setObjectName("quiet")
        self.clock.setToolTip(
            tr("Time spent on this pass; rests of more than a minute are left out")
        )
        facts.addWidget(self.words)
        facts.addStretch(1)
        facts.addWidget(self.clock)
        column.addLayout(facts)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(6)
        self._bar.setAccessibleName(tr("Words done"))
        bar = QHBoxLayout()
        bar.setContentsMargins(12, 0, 12, 12)
        bar.addWidget(self._bar)
        column.addLayout(bar)
        self.shown = QComboBox()
        self.shown.setAccessibleName(tr("Which segments are listed"))
        self.shown.activated.connect(lambda _: self._filter())
        above = QHBoxLayout()
        above.setContentsMargins(12, 0, 12, 8)
        above.addWidget(self.shown)
        column.addLayout(above)
        self.model = KitSegmentModel(self)
        self._delegate = KitSegmentDelegate(self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(self._delegate)
        self.list.setMouseTracking(True)
        self.list.setAccessibleName(tr("Segments of the kit"))
        # English runs from left to right, whichever way the window runs.
        self.list.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.activated.connect(self._on_row)
        self.list.clicked.connect(self._on_row)
        column.addWidget(self.list, 1)
        self._workspace: KitWorkspace | None = None
        self.worst = WorstRows(self)
        self.worst.found.connect(lambda: self._filter())
        self.seconds = False
        self._clock = 0.0, False
        # A changed row makes the list lay itself out anew: not at every keystroke.
        self._typed: set[int] = set()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_LATER_MS)
        self._later.timeout.connect(lambda: self.rows_changed(frozenset()))

    def apply_theme(self, settings: Settings, theme: Theme) -> None:
        """Follow theme and fonts."""
        self._delegate.apply_theme(english(settings), theme.colours)
        self.list.doItemsLayout()

    def show_kit(self, workspace: KitWorkspace | None, options: TerOptions) -> None:
        """Show another kit, whose texts are scored like this, or none."""
        self.worst.begin(options)
        self._later.stop()
        self._typed.clear()
        self.model.show_kit(workspace)
        self._workspace = workspace
        if workspace is not None:
            self._name_filters(review=workspace.claim.pass_ is Pass.REVIEW)
            claim = workspace.claim
            self.kit.setText(tr("Kit {kit}, {which}", kit=claim.kit, which=pass_text(claim.pass_)))

    def rows_changed(self, rows: frozenset[int]) -> None:
        """Texts or states of these rows are different."""
        self._later.stop()
        rows |= self._typed
        self._typed.clear()
        if rows:
            self.model.changed(rows)

    def row_typed(self, row: int) -> None:
        """A row's text grows under its editor's hand; the list follows at the next pause."""
        self._typed.add(row)
        self._later.start()

    def show_row(self, row: int) -> None:
        """Mark a segment and bring it into sight."""
        self._filter(row)
        index = self.model.index(row)
        self.list.setCurrentIndex(index)
        self.list.scrollTo(index)

    def _name_filters(self, *, review: bool) -> None:
        changed = tr("Changed in the review") if review else tr("Changed")
        names = {
            Shown.ALL: tr("All segments"),
            Shown.UNCONFIRMED: tr("Not confirmed"),
            Shown.FLAGGED: tr("Flagged"),
            Shown.CHANGED: changed,
            Shown.WORST: tr("Worst quarter by HTER"),
        }
        self.shown.clear()
        for shown, name in names.items():
            self.shown.addItem(name, shown)

    def _filter(self, current: int | None = None) -> None:
        """Show the segments that are wanted, and the current one always."""
        workspace = self._workspace
        if workspace is None:
            return
        here = workspace.current if current is None else current
        wanted = Shown(self.shown.currentData() or Shown.ALL)
        if wanted is Shown.WORST:
            self.worst.look(workspace)
        worst = self.worst.rows
        for row in range(len(workspace.segments)):
            self.list.setRowHidden(row, row != here and not wanted.of(workspace, row, worst))

    def show_progress(self, workspace: KitWorkspace) -> None:
        """Words done and left."""
        done, total = workspace.words()
        self.words.setText(
            tr_count(
                "{done} of {count} word, {left} left",
                "{done} of {count} words, {left} left",
                total,
                done=tr_number(done),
                left=tr_number(total - done),
            )
        )
        self._bar.setMaximum(max(total, 1))
        self._bar.setValue(done)

    def show_clock(self, seconds: float, *, paused: bool) -> None:
        """The time spent on the pass."""
        self._clock = seconds, paused
        told = clock_seconds_text if self.seconds else clock_text
        self.clock.setText(tr("clock paused") if paused else told(seconds))

    def toggle_seconds(self) -> None:
        """Show the clock's seconds, or no longer."""
        self.seconds = not self.seconds
        seconds, paused = self._clock
        self.show_clock(seconds, paused=paused)

    def ask_number(self) -> None:
        """Ask for a segment's number, and choose it."""
        if self._workspace is None:
            return
        number, given = QInputDialog.getInt(
            self,
            tr("Go to a segment"),
            tr("Its number:"),
            self._workspace.current + 1,
            1,
            len(self._workspace.segments),
        )
        if given:
            self.chosen.emit(number - 1)

    def _on_row(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(index.row())
