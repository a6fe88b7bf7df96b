"""What a change of the plan would do to every figure, before it is made."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from madcat_studio.errors import StudioError
from madcat_studio.gui.pathfields import make_button
from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import tr, tr_number, tr_report
from madcat_studio.planning.draft import Change
from madcat_studio.workspace.plan import Preview

__all__ = ["EffectPanel", "figure_text"]

_SHOWN = 12


def figure_text(name: str, value: float) -> str:
    """A figure of a plan as people read it."""
    if isinstance(value, bool) or name.startswith("teams compared"):
        return tr("yes") if value else tr("no")
    if name.endswith("missed by"):
        return f"{100 * value:.1f} %"
    if name.startswith("cost"):
        return f"{value:,.3f}"
    return f"{value:,.0f}"


class EffectPanel(QFrame):
    """Shows a change that is not made yet.

    Signals:
        wanted: make the change.
        unwanted: leave it.
    """

    wanted = Signal()
    unwanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("card")
        self.setAccessibleName(tr("Effect of the change"))
        self.preview: Preview | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(8)
        self.title = QLabel()
        self.title.setWordWrap(True)
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        layout.addWidget(self.title)
        self.refusal = QLabel()
        self.refusal.setObjectName("caution")
        self.refusal.setWordWrap(True)
        layout.addWidget(self.refusal)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)
        layout.addLayout(self._grid)
        row = QHBoxLayout()
        row.addStretch(1)
        self.leave = make_button(tr("Leave it"), self.unwanted.emit)
        self.leave.setToolTip(tr("Esc"))
        self.make = make_button(tr("Make the change"), self.wanted.emit)
        self.make.setToolTip(tr("Enter"))
        self.make.setObjectName("primary")
        row.addWidget(self.leave)
        row.addWidget(self.make)
        layout.addLayout(row)
        self.hide()

    def show_preview(self, preview: Preview, *, held: bool = False) -> None:
        """Show a change and what it does; ``held``: it is still being dragged."""
        self.preview = preview
        self.title.setText(preview.label)
        self.refusal.hide()
        self._fill(preview.changes)
        self.leave.setVisible(not held)
        self.make.setVisible(not held)
        self.show()
        if not held:
            self.make.setFocus()

    def show_refusal(self, label: str, error: StudioError, *, held: bool = False) -> None:
        """Show why a change cannot be made."""
        self.preview = None
        self.title.setText(label)
        then = f" {error.remedy}." if error.remedy else ""
        self.refusal.setText(f"{error.reason}.{then}")
        self.refusal.show()
        self._fill(())
        self.make.hide()
        self.leave.setVisible(not held)
        self.show()
        if not held:
            self.leave.setFocus()

    def clear(self) -> None:
        """Show nothing."""
        self.preview = None
        self.hide()

    def _fill(self, changes: Sequence[Change]) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        colours = self._theme.colours
        for row, change in enumerate(changes[:_SHOWN]):
            name = QLabel(tr_report(change.name))
            name.setObjectName("quiet")
            name.setWordWrap(True)
            before = figure_text(change.name, change.before)
            after = figure_text(change.name, change.after)
            value = QLabel(f"{before} → {after}")
            sign = {None: "", True: tr("better"), False: tr("worse")}[change.better]
            said = QLabel(sign)
            if change.better is not None:
                said.setStyleSheet(f"color: {colours.accent if change.better else colours.warning}")
            self._grid.addWidget(name, row, 0)
            self._grid.addWidget(value, row, 1, Qt.AlignmentFlag.AlignRight)
            self._grid.addWidget(said, row, 2)
        if len(changes) > _SHOWN:
            more = QLabel(tr("and {count} more", count=tr_number(len(changes) - _SHOWN)))
            more.setObjectName("quiet")
            self._grid.addWidget(more, _SHOWN, 0)
        if not changes and self.refusal.isHidden():
            self._grid.addWidget(QLabel(tr("No figure changes.")), 0, 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.unwanted.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.preview is not None:
            (self.unwanted if self.leave.hasFocus() else self.wanted).emit()
        else:
            super().keyPressEvent(event)
