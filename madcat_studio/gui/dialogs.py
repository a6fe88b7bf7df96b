"""The dialog of the settings."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QFontDatabase, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.pathfields import PathRow
from madcat_studio.gui.settings import ARABIC_FONT, GROUPS, SETTINGS, Setting, Settings
from madcat_studio.gui.translation import tr

__all__ = ["SettingsDialog"]

_WIDTH, _HIGHEST = 640, 500
"""Of the dialog, and what is seen of a sheet at once; the rest is scrolled to."""


class SettingsDialog(QDialog):
    """Made from the declarations; every change holds at once."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Settings"))
        self.setMinimumWidth(_WIDTH)
        self._settings = settings
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 14, 22, 18)
        layout.setSpacing(6)
        self.fields: dict[str, QWidget] = {}
        self._sheets: list[QWidget] = []
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        layout.addWidget(self.tabs, 1)
        for group, title in GROUPS.items():
            sheet = QWidget()
            form = QFormLayout(sheet)
            form.setContentsMargins(4, 14, 4, 4)
            form.setHorizontalSpacing(18)
            form.setVerticalSpacing(8)
            form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
            for setting in SETTINGS:
                if setting.group != group:
                    continue
                field = self._field(setting)
                field.setAccessibleName(tr(setting.title))
                self.fields[setting.key] = field
                label = QLabel(tr(setting.title))
                label.setBuddy(field)
                label.setMinimumWidth(170)
                form.addRow(label, field)
                if setting.help:
                    field.setToolTip(tr(setting.help))
                    note = QLabel(tr(setting.help))
                    note.setObjectName("quiet")
                    note.setWordWrap(True)
                    form.addRow("", note)
            self.tabs.addTab(_scrolled(sheet), tr(title))
            self._sheets.append(sheet)
        layout.addSpacing(6)
        buttons = QDialogButtonBox()
        reset = buttons.addButton(tr("Defaults"), QDialogButtonBox.ButtonRole.ResetRole)
        reset.setAutoDefault(False)
        reset.clicked.connect(self._reset)
        close = buttons.addButton(tr("Close"), QDialogButtonBox.ButtonRole.AcceptRole)
        close.setDefault(True)
        buttons.accepted.connect(self.accept)
        layout.addWidget(buttons)

    def showEvent(self, event: QShowEvent) -> None:
        # Notes wrap, so the height that all rows need is known only at the real width and style.
        super().showEvent(event)
        width = self._sheets[0].width()
        tallest = max(sheet.heightForWidth(width) for sheet in self._sheets)
        room = min(_HIGHEST, self.screen().availableGeometry().height() * 2 // 3)
        self.tabs.setMinimumHeight(min(tallest, room) + self.tabs.tabBar().height())

    def _field(self, setting: Setting[Any]) -> QWidget:
        value = self._settings.get(setting)
        if setting.choices:
            box = QComboBox()
            for choice, text in setting.choices:
                box.addItem(tr(text), choice)
            box.setCurrentIndex(box.findData(value))
            box.currentIndexChanged.connect(
                lambda _: self._settings.set(setting, box.currentData())
            )
            return box
        if setting.font:
            fonts = QComboBox()
            fonts.addItem(tr("Automatic"), "")
            systems = QFontDatabase.WritingSystem
            wanted = systems.Arabic if setting is ARABIC_FONT else systems.Latin
            for family in QFontDatabase.families(wanted):
                fonts.addItem(family, family)
            fonts.setCurrentIndex(max(0, fonts.findData(value)))
            fonts.currentIndexChanged.connect(
                lambda _: self._settings.set(setting, fonts.currentData())
            )
            return fonts
        if isinstance(setting.default, bool):
            check = QCheckBox()
            check.setChecked(bool(value))
            check.toggled.connect(lambda on: self._settings.set(setting, on))
            return check
        if setting.file:
            return self._file(setting)
        if isinstance(setting.default, str):
            line = QLineEdit(str(value))
            line.setPlaceholderText(setting.default)
            line.editingFinished.connect(
                lambda: self._settings.set(setting, line.text().strip() or setting.default)
            )
            return line
        number = QSpinBox()
        number.setRange(setting.least, setting.most)
        number.setSuffix(tr(setting.unit) if setting.unit else "")
        number.setValue(int(value))
        number.valueChanged.connect(lambda wanted: self._settings.set(setting, wanted))
        return number

    def _file(self, setting: Setting[Any]) -> PathRow:
        row = PathRow(tr(setting.title), hint=tr(setting.file))
        row.field.setText(self._settings.get(setting))

        def take() -> None:
            path = row.path()
            self._settings.set(setting, "" if path is None else str(path))

        row.field.editingFinished.connect(take)
        row.chosen.connect(take)
        row.setFocusProxy(row.field)
        return row

    def _reset(self) -> None:
        self._settings.reset()
        for setting in SETTINGS:
            field = self.fields.get(setting.key)
            if isinstance(field, QComboBox):
                field.setCurrentIndex(max(0, field.findData(setting.default)))
            elif isinstance(field, QLineEdit):
                field.setText(str(setting.default))
            elif isinstance(field, PathRow):
                field.field.setText(str(setting.default))
            elif isinstance(field, QCheckBox):
                field.setChecked(bool(setting.default))
            elif isinstance(field, QSpinBox):
                field.setValue(int(setting.default))


def _scrolled(sheet: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    sheet.setObjectName("page")  # on the ground of the dialog
    area.setWidget(sheet)
    return area
