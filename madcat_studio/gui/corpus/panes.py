"""The tables of a corpus: quotas, scribes, copies, each with a line to filter it by."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from madcat_studio.gui.coordinator.heatmap import HeatMap
from madcat_studio.gui.coordinator.rowtable import RowTable
from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import tr, tr_count, tr_figure, tr_number, tr_report
from madcat_studio.planning.corpus import CorpusPlan
from madcat_studio.planning.scribes import Assignment, shared_passages
from madcat_studio.reports.tables import Cell, Table

__all__ = ["OverlapPane", "QuotasTable", "TablePane", "Told", "told_of", "told_quota"]


class QuotasTable(RowTable):
    """The quotas; Enter or a double click on one is to change its target.

    Signals:
        wanted: another target is wanted for the quota that is chosen.
    """

    wanted = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Quotas"))
        self.doubleClicked.connect(lambda _: self.wanted.emit())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.wanted.emit()
            return
        super().keyPressEvent(event)


class TablePane(QWidget):
    """A table below a line that filters its rows."""

    def __init__(self, table: RowTable) -> None:
        super().__init__()
        self.table = table
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Filter the rows"))
        self.filter.setAccessibleName(tr("Filter the rows"))
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(320)
        self.filter.textChanged.connect(table.proxy.filter_by)
        self.said = QLabel()
        self.said.setObjectName("quiet")
        row = QHBoxLayout()
        row.addWidget(self.filter)
        row.addWidget(self.said, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 10, 16, 8)
        layout.setSpacing(8)
        layout.addLayout(row)
        layout.addWidget(table, 1)

    def show_table(self, table: Table | None, without: str = "") -> None:
        """Show a table, or none, and say why there is none."""
        self.said.setText(without if table is None else "")
        self.filter.setEnabled(table is not None)
        self.table.show_rows(
            () if table is None else table.columns, [] if table is None else list(table.rows)
        )


class OverlapPane(QWidget):
    """How many passages each pair of scribes shares."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.map = HeatMap(theme)
        self.map.setAccessibleName(tr("Passages that pairs of scribes share"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 10, 16, 8)
        layout.addWidget(self.map)

    def show_plan(self, plan: CorpusPlan | None) -> None:
        """Show the pairs of a plan, or none."""
        if plan is None:
            self.map.show_matrix((), (), _shared)
            return
        used = sorted({place for row in plan.assignment.scribes for place in row})
        shared = shared_passages(plan.assignment.scribes, len(plan.order.scribes))
        names = [plan.order.scribes[place].name for place in used]
        self.map.show_matrix(names, shared[used][:, used].tolist(), _shared)


def _shared(count: int) -> str:
    return tr_count("{count} passage shared", "{count} passages shared", count)


class Told(NamedTuple):
    """What the view says of a corpus: for its bar, and as sentences below."""

    summary: str
    sentences: str


def told_of(plan: CorpusPlan | None, passages: int, scribes: int, missed: int) -> Told:
    """What a corpus comes to, and how good its assignment is."""
    parts: list[str] = [
        tr_count("{count} passage", "{count} passages", passages),
        tr_count("{count} scribe", "{count} scribes", scribes),
    ]
    kept = (
        tr_count("{count} quota is missed.", "{count} quotas are missed.", missed)
        if missed
        else tr("All quotas are kept.")
    )
    if plan is None:
        said = tr("No scribes are assigned yet.")
        return Told(" · ".join(parts), f"{said} {kept}")
    parts.insert(1, tr_count("{count} copy", "{count} copies", len(plan.ways)))
    found = plan.assignment
    if found.gap is None:
        said = tr("No two scribes can share a passage.")
    elif found.proven:
        said = _overlap(found, tr("no assignment has more."))
    else:
        said = _overlap(
            found, tr("the gap to the bound is {gap}.", gap=tr_figure(f"{found.gap:.2%}"))
        )
    return Told(" · ".join(parts), f"{said} {kept}")


def told_quota(row: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """A row of the quotas: what it is about, and what would do, are said in the language."""
    factor, *figures, remedy = row
    return (tr_report(str(factor)), *figures, tr_report(str(remedy)))


def _overlap(found: Assignment, known: str) -> str:
    return tr_count(
        "Pairs of scribes share {count} of at most {bound} passages (each pair counts up to "
        "{threshold}): {known}",
        "Pairs of scribes share {count} of at most {bound} passages (each pair counts up to "
        "{threshold}): {known}",
        found.overlap,
        bound=tr_number(found.bound),
        threshold=tr_number(found.threshold),
        known=known,
    )
