"""Fields for paths, typed, chosen or dropped, and the forms that they stand in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.settings import window_state
from madcat_studio.gui.translation import tr

__all__ = [
    "PathList",
    "PathRow",
    "add_row",
    "dropped_paths",
    "input_folder",
    "make_button",
    "make_form",
    "remember_input",
]

_INPUTS = "inputs/folder"


def input_folder() -> str:
    """Where something was chosen last."""
    return str(window_state().value(_INPUTS, ""))


def remember_input(path: str) -> None:
    """Begin the next choice in the folder of this path."""
    window_state().setValue(_INPUTS, str(Path(path).parent))


def dropped_paths(event: QDropEvent) -> list[str]:
    """The local files and folders of a drag."""
    return [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]


class PathRow(QWidget):
    """A path: typed, chosen as a file or a folder, or dropped here.

    Signals:
        changed: the path is another one.
        chosen: it was chosen or dropped, not typed.
    """

    changed = Signal()
    chosen = Signal()

    def __init__(
        self, name: str, *, file: bool = True, folder: bool = False, hint: str = ""
    ) -> None:
        super().__init__()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self._name = name
        self.setAcceptDrops(True)
        self.field = QLineEdit()
        # A field of its own would take the text of a drag, and the path with its file://.
        self.field.setAcceptDrops(False)
        self.field.setAccessibleName(name)
        self.field.setPlaceholderText(hint)
        self.field.setToolTip(hint)  # what a narrow field has no room for
        self.field.textChanged.connect(lambda _: self.changed.emit())
        layout.addWidget(self.field, 1)
        if file:
            layout.addWidget(make_button(tr("File…"), self._choose_file))
        if folder:
            layout.addWidget(make_button(tr("Folder…"), self._choose_folder))

    def path(self) -> Path | None:
        """What was chosen; None if nothing was."""
        text = self.field.text().strip()
        return Path(text).expanduser() if text else None

    def show_path(self, path: Path | None) -> None:
        """Fill the field."""
        self.field.setText("" if path is None else str(path))

    def _choose_file(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self, self._name, self.field.text() or input_folder()
        )
        self._take(chosen)

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(
            self, self._name, self.field.text() or input_folder()
        )
        self._take(chosen)

    def _take(self, chosen: str) -> None:
        if chosen:
            remember_input(chosen)
            self.field.setText(chosen)
            self.chosen.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self._take(dropped_paths(event)[0])


class PathList(QWidget):
    """Several paths: added as files or folders, or dropped here."""

    changed = Signal()

    def __init__(self, name: str, *, folders: bool, files: bool = True) -> None:
        super().__init__()
        self._name = name
        self.setAcceptDrops(True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.list = QListWidget()
        self.list.setAccessibleName(name)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setFixedHeight(112)
        layout.addWidget(self.list, 1)
        column = QVBoxLayout()
        if files:
            column.addWidget(make_button(tr("Add files…"), self._add_files))
        if folders:
            column.addWidget(make_button(tr("Add a folder…"), self._add_folder))
        column.addWidget(make_button(tr("Remove"), self._remove))
        column.addStretch(1)
        layout.addLayout(column)

    def paths(self) -> tuple[Path, ...]:
        """What was added, in order."""
        return tuple(Path(self.list.item(row).text()) for row in range(self.list.count()))

    def add(self, paths: list[str]) -> None:
        """Add paths that are not there yet."""
        there = {str(path) for path in self.paths()}
        self.list.addItems([path for path in dict.fromkeys(paths) if path not in there])
        if paths:
            remember_input(paths[-1])
        self.changed.emit()

    def _add_files(self) -> None:
        chosen, _ = QFileDialog.getOpenFileNames(self, self._name, input_folder())
        self.add(chosen)

    def _add_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self._name, input_folder())
        self.add([chosen] if chosen else [])

    def _remove(self) -> None:
        for item in self.list.selectedItems():
            self.list.takeItem(self.list.row(item))
        self.changed.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.add(dropped_paths(event))


def make_form() -> QFormLayout:
    """A form as all dialogs have it."""
    form = QFormLayout()
    form.setHorizontalSpacing(18)
    form.setVerticalSpacing(8)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    return form


def add_row(form: QFormLayout, title: str, widget: QWidget, field: QWidget | None = None) -> None:
    """Add a row; ``field`` is the part of the widget that the title's letter leads to."""
    label = QLabel(title)
    label.setMinimumWidth(170)
    label.setBuddy(field or widget)
    if not (field or widget).accessibleName():
        (field or widget).setAccessibleName(title.replace("&", ""))
    form.addRow(label, widget)


def make_button(title: str, pressed: Callable[[], None]) -> QPushButton:
    """A button that Enter elsewhere in the dialog does not press."""
    button = QPushButton(title)
    button.setAutoDefault(False)
    button.clicked.connect(lambda _=False: pressed())
    return button
