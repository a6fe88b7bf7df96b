"""Which pairs of teams share how much, so that every team can be compared with every other."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from madcat_studio.gui.coordinator.heatmap import HeatMap
from madcat_studio.gui.translation import mark, tr, tr_count, tr_number
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Follower
from madcat_studio.operations.campaign.follow import Overlap, read_overlap

__all__ = ["OverlapTab"]


def _kits(count: int) -> str:
    return tr_count("{count} kit shared", "{count} kits shared", count)


def _words(count: int) -> str:
    return tr_count("{count} word shared", "{count} words shared", count)


def _finished(count: int) -> str:
    return tr_count(
        "{count} shared kit finished by both", "{count} shared kits finished by both", count
    )


_KINDS = (
    ("kits", mark("kits by plan"), _kits),
    ("words", mark("reference words"), _words),
    ("finished", mark("kits finished by both"), _finished),
)


class OverlapTab(QWidget):
    """The heat map, with a choice of what is counted."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._location = ""
        self._overlap: Overlap | None = None
        self._reader = Follower(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 10)
        layout.setSpacing(10)
        row = QHBoxLayout()
        label = QLabel(tr("&Count"))
        self.kind = QComboBox()
        for key, title, _ in _KINDS:
            self.kind.addItem(tr(title), key)
        self.kind.currentIndexChanged.connect(lambda _: self._fill())
        label.setBuddy(self.kind)
        row.addWidget(label)
        row.addWidget(self.kind)
        self.said = QLabel()
        self.said.setObjectName("quiet")
        row.addWidget(self.said, 1)
        layout.addLayout(row)
        self.map = HeatMap(shell.theme)
        layout.addWidget(self.map, 1)

    def read(self, location: str) -> None:
        """Read it anew, after what is being read of the same campaign."""
        if location != self._location:
            self._reader.cancel()
        self._location = location
        self._reader.submit(
            lambda _: read_overlap(location), self._show, failed=self._shell.show_error
        )

    def close_worker(self) -> None:
        """Wait until no thread works for it."""
        self._reader.close()

    def _show(self, overlap: Overlap) -> None:
        self._overlap = overlap
        said = (
            tr("Every team is compared with every other, at least through other teams.")
            if overlap.connected
            else tr(
                "Not every team can be compared with every other: the pairs form separate groups."
            )
        )
        self.said.setText(
            f"{said} "
            + tr("The most kits that two teams share: {count}.", count=tr_number(overlap.most))
        )
        self._fill()

    def _fill(self) -> None:
        if self._overlap is not None:
            key, _, told = _KINDS[self.kind.currentIndex()]
            self.map.show_matrix(self._overlap.teams, getattr(self._overlap, key), told)
