"""Who did what in a campaign, newest first."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from madcat_studio.gui.coordinator.rowtable import RowTable
from madcat_studio.gui.pathfields import make_button
from madcat_studio.gui.translation import mark, tr, tr_count
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Follower
from madcat_studio.operations.campaign.trail import audit_trail
from madcat_studio.reports.tables import Cell, Column

__all__ = ["TrailTab"]

_COLUMNS = (
    Column("at", mark("When")),
    Column("who", mark("Who")),
    Column("action", mark("What")),
    Column("subject", mark("Of what")),
    Column("detail", mark("Detail")),
)
_AT_ONCE = 500


class TrailTab(QWidget):
    """The audit trail with a filter."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._location = ""
        self._limit = _AT_ONCE
        self._reader = Follower(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 10)
        layout.setSpacing(8)
        row = QHBoxLayout()
        self.said = QLabel()
        self.said.setObjectName("quiet")
        row.addWidget(self.said, 1)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Filter: person, action, kit …"))
        self.filter.setAccessibleName(tr("Filter the audit trail"))
        self.filter.setClearButtonEnabled(True)
        self.filter.setFixedWidth(260)
        row.addWidget(self.filter)
        self.more = make_button(tr("Show older ones"), self._more)
        row.addWidget(self.more)
        layout.addLayout(row)
        self.table = RowTable(tr("Audit trail"))
        self.filter.textChanged.connect(self.table.proxy.filter_by)
        layout.addWidget(self.table, 1)

    def read(self, location: str) -> None:
        """Read it anew, after what is being read of the same campaign."""
        if location != self._location:
            self._reader.cancel()
        self._location = location
        limit = self._limit

        def work() -> list[tuple[Cell, ...]]:
            # One more than is shown tells whether there are older ones.
            return [
                (
                    one.at.astimezone().strftime("%Y-%m-%d %H:%M:%S"),
                    one.who,
                    one.action,
                    one.subject,
                    one.detail,
                )
                for one in audit_trail(location, limit + 1)
            ]

        self._reader.submit(lambda _: work(), self._show, failed=self._shell.show_error)

    def close_worker(self) -> None:
        """Wait until no thread works for it."""
        self._reader.close()

    def _show(self, rows: list[tuple[Cell, ...]]) -> None:
        older = len(rows) > self._limit
        shown = rows[: self._limit]
        self.table.show_rows(_COLUMNS, shown)
        self.more.setEnabled(older)
        self.said.setText(
            tr_count("The newest {count} entry.", "The newest {count} entries.", len(shown))
            if older
            else tr_count(
                "{count} entry; there is no other.",
                "All {count} entries; the newest first.",
                len(shown),
            )
        )

    def _more(self) -> None:
        self._limit *= 4
        self.read(self._location)
