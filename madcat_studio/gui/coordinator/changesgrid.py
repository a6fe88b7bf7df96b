"""Figures of a plan before and after a change, with whether that is better or worse."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from madcat_studio.gui.translation import tr, tr_figure, tr_number, tr_report
from madcat_studio.planning.draft import Change

__all__ = ["ChangesGrid", "figure_text"]

_SHOWN = 12


def figure_text(name: str, value: float) -> str:
    """A figure of a plan as people read it."""
    if isinstance(value, bool) or name.startswith("teams compared"):
        return tr("yes") if value else tr("no")
    if name.endswith("missed by"):
        return tr_figure(f"{100 * value:.1f} %")
    if name.startswith("cost"):
        return tr_figure(f"{value:,.3f}")
    return tr_figure(f"{value:,.0f}")


class ChangesGrid(QWidget):
    """Figures before and after, one a line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(0, 1)

    def fill(self, changes: Sequence[Change], nothing: str = "") -> None:
        """Show these; where there are none, ``nothing``."""
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for row, change in enumerate(changes[:_SHOWN]):
            name = QLabel(tr_report(change.name))
            name.setObjectName("quiet")
            name.setWordWrap(True)
            before = figure_text(change.name, change.before)
            after = figure_text(change.name, change.after)
            value = QLabel(tr("{before} → {after}", before=before, after=after))
            sign = {None: "", True: tr("better"), False: tr("worse")}[change.better]
            said = QLabel(sign)
            if change.better is not None:
                said.setObjectName("better" if change.better else "worse")  # of the theme's sheet
            self._grid.addWidget(name, row, 0)
            self._grid.addWidget(value, row, 1, Qt.AlignmentFlag.AlignRight)
            self._grid.addWidget(said, row, 2)
        if len(changes) > _SHOWN:
            more = QLabel(tr("and {count} more", count=tr_number(len(changes) - _SHOWN)))
            more.setObjectName("quiet")
            self._grid.addWidget(more, _SHOWN, 0)
        if not changes and nothing:
            self._grid.addWidget(QLabel(nothing), 0, 0)
