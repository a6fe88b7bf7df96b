"""What there is to try in the demo: three pieces of work that somebody has begun."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.guide import Led, lead
from madcat_studio.gui.icons import icon
from madcat_studio.gui.jobbar import JobBar
from madcat_studio.gui.pathfields import make_button
from madcat_studio.gui.translation import tr
from madcat_studio.progress import Progress

__all__ = ["Doors"]

_WIDTH, _ICON = 492, 22
_EDITOR = "leila.haddad"
"""In the demo she has a kit that nobody has begun."""


class _Door(QPushButton):
    """A button of a title and what it leads to; Qt's own keeps its icon at the left in Arabic."""

    def __init__(self, text: str, what: str, picture: QIcon) -> None:
        super().__init__()
        self.setObjectName("choice")
        self.setAccessibleName(text.replace("&", ""))
        self.setAccessibleDescription(what)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 12, 16, 12)
        row.setSpacing(14)
        shown = QLabel()
        shown.setPixmap(picture.pixmap(_ICON, _ICON))
        row.addWidget(shown, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(3)
        row.addLayout(words, 1)
        title = QLabel(text)
        title.setObjectName("kitname")
        title.setBuddy(self)  # the key of its title presses it
        self.told = QLabel(what)
        self.told.setObjectName("quiet")
        self.told.setWordWrap(True)
        for label in (title, self.told):
            words.addWidget(label)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)

    def sizeHint(self) -> QSize:
        layout = self.layout()
        assert layout is not None
        return QSize(_WIDTH, layout.heightForWidth(max(self.width(), _WIDTH)))

    minimumSizeHint = sizeHint


class Doors(QDialog):
    """Makes the demo, with a bar and a way to stop, and offers what to do with it."""

    manual = "index"

    def __init__(self, led: Led, parent: QWidget, make: Callable[[Progress], Path]) -> None:
        """Begin with ``make``, which gives the demo's folder."""
        super().__init__(parent)
        self.setWindowTitle(tr("The demo"))
        self._led, self._window = led, parent
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 18)
        layout.setSpacing(8)
        title = QLabel(tr("What would you like to try?"))
        title.setObjectName("subtitle")
        layout.addWidget(title)
        self.doors = [
            self._door(
                "page",
                tr("Mark a &page"),
                tr("Check and correct the outlines of lines and words on a handwritten page."),
                self._mark,
            ),
            self._door(
                "kit",
                tr("Correct a &kit"),
                tr("As an editor: make a system's translation say what the reference says."),
                self._correct,
            ),
            self._door(
                "campaign",
                tr("Run a &campaign"),
                tr("As the coordinator: follow the kits of four teams, and read the scores."),
                self._follow,
            ),
        ]
        for door in self.doors:
            layout.addWidget(door)
        self._note = QLabel(
            tr(
                "Change anything you like. A short tour shows the first steps; you can leave it "
                "at any time."
            )
        )
        self._note.setObjectName("quiet")
        self._note.setWordWrap(True)
        layout.addWidget(self._note)
        self.bar = JobBar()
        layout.addWidget(self.bar)
        self.close_button = make_button(tr("Close"), self.reject)
        self.close_button.setAutoDefault(False)
        layout.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignRight)
        self.setMinimumWidth(540)
        self._folder = Path()
        self.bar.busy_changed.connect(self._note.setHidden)
        self.bar.stop.clicked.connect(self.reject)
        self.bar.start(tr("Making the demo …"), make, self._made, self._failed)

    def _door(self, name: str, text: str, what: str, work: Callable[[], None]) -> _Door:
        picture = icon(name, self._led.theme.colours, checkable=False, can_rest=False)
        door = _Door(text, what, picture)
        door.setAutoDefault(False)  # a frame, not the colour of a default, shows where one is
        door.setEnabled(False)

        def enter() -> None:
            self.accept()
            work()

        door.clicked.connect(enter)
        return door

    def _made(self, folder: Path) -> None:
        self._folder = folder
        for door in self.doors:
            door.setEnabled(True)
        self.doors[0].setFocus()

    def _failed(self, error: BaseException) -> None:
        self.reject()
        self._led.show_error(error)

    def _mark(self) -> None:
        self._led.open(str(self._folder / "pages"))
        self._lead("page")

    def _correct(self) -> None:
        self._led.open(str(self._folder), view="kit", target={"editor": _EDITOR})
        self._lead("kit")

    def _follow(self) -> None:
        self._led.open(str(self._folder), view="board")
        self._lead("board")

    def _lead(self, view: str) -> None:
        lead(view, self._led, self._window)

    def done(self, result: int) -> None:
        """Close; what is being made is given up."""
        self.bar.close_worker()
        super().done(result)
