"""Choosing one of many by typing a part of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QSortFilterProxyModel,
    QStringListModel,
    Qt,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QListView,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.translation import tr

__all__ = ["ChooseDialog"]

_LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class ChooseDialog(QDialog):
    """A field and a list; the keys that walk the list do so from the field too."""

    def __init__(
        self, title: str, label: str, items: Sequence[str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.resize(560, 460)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 18)
        layout.setSpacing(10)
        head = QLabel(label)
        head.setWordWrap(True)
        layout.addWidget(head)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Type part of it"))
        self.field.setAccessibleName(label)
        self.field.setClearButtonEnabled(True)
        self.field.installEventFilter(self)
        head.setBuddy(self.field)
        layout.addWidget(self.field)
        self._proxy = QSortFilterProxyModel(self)
        self._proxy.setSourceModel(QStringListModel(list(items), self))
        self._proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.list = QListView()
        self.list.setModel(self._proxy)
        self.list.setAccessibleName(title)
        self.list.setUniformItemSizes(True)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.activated.connect(lambda _: self.accept())
        layout.addWidget(self.list, 1)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self._ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self._ok.setDefault(True)
        layout.addWidget(buttons)
        self.field.textChanged.connect(self._filter)
        self._filter("")
        self.field.setFocus()

    def chosen(self) -> int | None:
        """The number of the chosen item; None without one."""
        index: QModelIndex = self._proxy.mapToSource(self.list.currentIndex())
        return index.row() if index.isValid() else None

    def _filter(self, text: str) -> None:
        self._proxy.setFilterFixedString(text)
        self.list.setCurrentIndex(self._proxy.index(0, 0))
        self._ok.setEnabled(self._proxy.rowCount() > 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            walks = event.key() in _LIST_KEYS
            if walks:
                self.list.keyPressEvent(event)
            return walks
        return super().eventFilter(watched, event)
