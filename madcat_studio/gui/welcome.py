"""What is there when nothing is open: what can be opened, and what was opened last."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.icons import icon, pixmap
from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import tr
from madcat_studio.gui.views import LocationKind, kind_of

__all__ = ["Welcome"]

_ICONS = {
    LocationKind.PAGE: "page",
    LocationKind.FOLDER: "folder",
    LocationKind.CAMPAIGN: "campaign",
    LocationKind.KIT: "kit",
    LocationKind.SCORECARD: "scorecard",
}


class Welcome(QWidget):
    """The first page.

    Signals:
        open_page, open_campaign, open_demo, new_campaign: a button was pressed.
        open_recent: a location of the list.
    """

    open_page = Signal()
    open_campaign = Signal()
    open_demo = Signal()
    new_campaign = Signal()
    open_recent = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: list[tuple[QPushButton, str]] = []
        outer = QHBoxLayout(self)
        outer.addStretch(1)
        column = QWidget()
        column.setMaximumWidth(760)
        column.setMinimumWidth(520)
        outer.addWidget(column, 4)
        outer.addStretch(1)
        layout = QVBoxLayout(column)
        layout.setSpacing(10)
        layout.addStretch(2)
        head = QHBoxLayout()
        head.setSpacing(16)
        self._mark = QLabel()
        head.addWidget(self._mark)
        words = QVBoxLayout()
        words.setSpacing(2)
        title = QLabel("MADCAT Studio")
        title.setObjectName("title")
        words.addWidget(title)
        subtitle = QLabel(tr("A workbench for the translation of document images"))
        subtitle.setObjectName("subtitle")
        words.addWidget(subtitle)
        head.addLayout(words, 1)
        layout.addLayout(head)
        layout.addSpacing(18)
        choices = QGridLayout()
        choices.setSpacing(12)
        self._choices: list[tuple[QPushButton, str]] = []
        for number, (text, name, signal) in enumerate(
            (
                (tr("Open the demo"), "demo", self.open_demo),
                (tr("Open a page"), "page", self.open_page),
                (tr("Open a campaign"), "campaign", self.open_campaign),
                (tr("Set up a campaign"), "plan", self.new_campaign),
            )
        ):
            button = QPushButton(text)
            button.setObjectName("choice")
            button.setIconSize(QSize(24, 24))
            button.setMinimumHeight(58)
            button.clicked.connect(signal)
            choices.addWidget(button, number // 2, number % 2)
            self._choices.append((button, name))
        layout.addLayout(choices)
        drop = QLabel(tr("or drag files and folders into this window"))
        drop.setObjectName("quiet")
        layout.addWidget(drop)
        layout.addSpacing(16)
        self._heading = QLabel(tr("Recent"))
        self._heading.setObjectName("section")
        layout.addWidget(self._heading)
        self._list = QFrame()
        self._list.setObjectName("card")
        self._list_layout = QVBoxLayout(self._list)
        self._list_layout.setContentsMargins(8, 8, 8, 8)
        self._list_layout.setSpacing(0)
        layout.addWidget(self._list)
        layout.addStretch(3)
        theme.changed.connect(self.apply_theme)

    def show_recent(self, locations: list[str]) -> None:
        """List what was opened last."""
        for button, _ in self._rows:
            self._list_layout.removeWidget(button)
            button.deleteLater()
        self._rows = []
        for location in locations[:8]:
            name, place = _names(location)
            button = QPushButton(f"{name}   {place}")
            button.setObjectName("link")
            button.setToolTip(location)
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(lambda _=False, place=location: self.open_recent.emit(place))
            self._list_layout.addWidget(button)
            self._rows.append((button, _ICONS[kind_of(location)]))
        self._heading.setVisible(bool(locations))
        self._list.setVisible(bool(locations))
        self.apply_theme()

    def apply_theme(self) -> None:
        """Follow the theme."""
        colours, ratio = self._theme.colours, self.devicePixelRatioF()
        self._mark.setPixmap(pixmap("app", colours.accent, 52, ratio))
        for button, name in self._choices:
            button.setIcon(
                icon(name, colours, size=24, ratio=ratio, checkable=False, can_rest=False)
            )
        for button, name in self._rows:
            button.setIcon(
                icon(name, colours, size=18, ratio=ratio, checkable=False, can_rest=False)
            )

    def first_button(self) -> QPushButton:
        """Where the focus starts."""
        return self._choices[0][0]


def _names(location: str) -> tuple[str, str]:
    """The name in the list, and the folder that it lies in, the home folder as ``~``."""
    if "://" in location:
        return location.rsplit("/", 1)[-1], location.rsplit("@", 1)[-1]
    path = Path(location)
    folder = str(path.parent)
    home = str(Path.home())
    if folder.startswith(home):
        folder = "~" + folder[len(home) :]
    name = path.name.removesuffix(".madcat.xml")
    return (name if len(name) <= 46 else f"{name[:30]}…{name[-14:]}"), (
        folder if len(folder) <= 48 else "…" + folder[-46:]
    )
