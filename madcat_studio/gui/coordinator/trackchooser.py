"""Which track of a campaign is shown: nothing is summed over two."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget

from madcat_studio.gui.translation import tr

__all__ = ["TrackChooser"]


class TrackChooser(QWidget):
    """A list of tracks; hidden where there is one only."""

    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        label = QLabel(tr("&Track"))
        self.list = QComboBox()
        self.list.setAccessibleName(tr("Track"))
        self.list.activated.connect(lambda _: self.chosen.emit())
        label.setBuddy(self.list)
        row.addWidget(label)
        row.addWidget(self.list)
        self.hide()

    def show_tracks(self, tracks: Sequence[str], track: str, nameless: str = "") -> None:
        """Offer these tracks, with one of them chosen; ``nameless`` says what "" stands for."""
        self.list.clear()
        for one in tracks:
            self.list.addItem(one or nameless or tr("no track"), one)
        self.list.setCurrentIndex(self.list.findData(track))
        self.setVisible(len(tracks) > 1)

    def track(self) -> str | None:
        """The track that is chosen; None before any is known."""
        return str(self.list.currentData()) if self.list.count() else None

    def choose(self, track: str) -> None:
        """Choose a track, as its user would, without telling of it."""
        self.list.setCurrentIndex(self.list.findData(track))
