"""Colours and measures of the window, light and dark; one palette and one style sheet from them.

Warm greys like old paper, one calm accent. Marks never rely on colour alone.
"""

from __future__ import annotations

from string import Template
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from madcat_studio.gui.settings import THEME, Setting, Settings
from madcat_studio.paths import resources

__all__ = ["DARK", "LIGHT", "Colours", "Theme"]


class Colours(NamedTuple):
    """The colours of one theme."""

    dark: bool
    ground: str
    panel: str
    surface: str
    raised: str
    border: str
    text: str
    muted: str
    accent: str
    on_accent: str
    soft: str
    hover: str
    note: str
    warning: str
    warning_soft: str
    error: str
    error_soft: str
    lit: str


LIGHT = Colours(
    dark=False,
    ground="#f3f1ec",
    panel="#faf9f6",
    surface="#ffffff",
    raised="#ffffff",
    border="#dedad1",
    text="#24221e",
    muted="#6d685e",
    accent="#0d6b66",
    on_accent="#ffffff",
    soft="#dcecea",
    hover="#eceae3",
    note="#3d6590",
    warning="#8a5a00",
    warning_soft="#fbf0d9",
    error="#a3302b",
    error_soft="#fae4e1",
    lit="#a6d6d0",
)

DARK = Colours(
    dark=True,
    ground="#191b1d",
    panel="#202326",
    surface="#26292d",
    raised="#2e3236",
    border="#3a3e43",
    text="#e7e5e0",
    muted="#a09d96",
    accent="#5cc0b8",
    on_accent="#0d2523",
    soft="#1f3f3d",
    hover="#2f3337",
    note="#8fb6dd",
    warning="#e2b35c",
    warning_soft="#3a3120",
    error="#f0928b",
    error_soft="#402725",
    lit="#2d6a65",
)

_SHEET = Template(
    """
QAbstractItemView, QToolButton, QPushButton, QTabBar { outline: 0; }
QMainWindow, QDialog, #central { background: $ground; }
QToolTip { background: $raised; color: $text; border: 1px solid $border; padding: 4px 6px; }
QMenuBar { background: $ground; color: $text; padding: 2px 6px; spacing: 2px; }
QMenuBar::item { padding: 5px 9px; border-radius: 5px; background: transparent; }
QMenuBar::item:selected { background: $hover; }
QMenu { background: $raised; color: $text; border: 1px solid $border; padding: 5px; }
QMenu::item { padding: 5px 28px 5px 10px; border-radius: 4px; }
QMenu::item:selected { background: $soft; color: $text; }
QMenu::item:disabled { color: $muted; }
QMenu::separator { height: 1px; background: $border; margin: 5px 6px; }
QMenu::icon { padding-left: 6px; }
QStatusBar { background: $ground; color: $muted; border-top: 1px solid $border; }
QStatusBar::item { border: 0; }
QStatusBar QLabel { color: $muted; padding: 2px 8px; }

#rail { background: $ground; border-right: 1px solid $border; }
#rail QToolButton { background: transparent; color: $muted; border: 0; border-radius: 8px;
    padding: 8px 2px 6px 2px; margin: 2px 7px; min-width: 66px; font-size: 12px; }
#rail[names="false"] QToolButton { min-width: 32px; margin: 2px 5px; }
#rail QToolButton:hover { background: $hover; color: $text; }
#rail QToolButton:checked { background: $soft; color: $accent; font-weight: 600; }
#rail QToolButton:focus { border: 1px solid $accent; }
#rail QToolButton:disabled { color: $border; }

#toolbar { background: $panel; border-bottom: 1px solid $border; }
#palette { background: $panel; border-right: 1px solid $border; }
#palette QToolButton { background: transparent; color: $text; border: 1px solid transparent;
    border-radius: 6px; padding: 4px; }
#palette QToolButton:hover { background: $hover; }
#palette QToolButton:checked { background: $soft; color: $accent; border-color: $accent; }
#palette QToolButton:focus { border-color: $accent; }
#palette #divider { background: $border; }
#toolbar QToolButton { background: transparent; color: $text; border: 1px solid transparent;
    border-radius: 6px; padding: 5px; }
#toolbar QToolButton:hover { background: $hover; }
#toolbar QToolButton:checked { background: $soft; color: $accent; }
#toolbar QToolButton:focus { border-color: $accent; }
#toolbar QToolButton:disabled { color: $muted; }
#toolbar QLabel { color: $muted; padding: 0 4px; }
#toolbar #divider { background: $border; }

#markbar { background: $panel; border-bottom: 1px solid $border; }
#queuehead { background: $panel; border-bottom: 1px solid $border; }
QPushButton#chip { padding: 3px 10px; }
QToolButton#chip { background: $raised; color: $text; border: 1px solid $border;
    border-radius: 7px; padding: 4px 9px; }
QToolButton#chip:hover { background: $hover; }
QToolButton#chip:checked { background: $soft; color: $accent; border-color: $accent; }
QToolButton#chip:focus { border-color: $accent; }
QToolButton#chip:disabled { color: $muted; background: $panel; }

#side { background: $panel; border-left: 1px solid $border; }
#heading { color: $muted; font-size: 12px; font-weight: 600; padding: 8px 12px 4px 12px; }
#section { color: $muted; font-size: 12px; font-weight: 600; }
#quiet { color: $muted; }
#elsewhere, #worse { color: $warning; }
#better { color: $accent; }
#caution { color: $text; background: $warning_soft; border-radius: 6px; padding: 6px 10px; }
QPlainTextEdit#signature { background: transparent; border: 0; color: $muted; padding: 0; }
#kitname { font-size: 16px; font-weight: 600; color: $text; }
#reading { color: $text; padding: 2px 0; }
#title { font-size: 26px; font-weight: 600; color: $text; }
#subtitle { font-size: 14px; color: $muted; }
#card { background: $surface; border: 1px solid $border; border-radius: 10px; }
#card:hover { border-color: $accent; }

QPushButton { background: $raised; color: $text; border: 1px solid $border; border-radius: 7px;
    padding: 6px 14px; min-height: 18px; }
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $soft; }
QPushButton:focus { border-color: $accent; }
QPushButton:disabled { color: $muted; background: $panel; }
QPushButton:default, QPushButton#primary { background: $accent; color: $on_accent;
    border-color: $accent; }
QPushButton:default:disabled, QPushButton#primary:disabled { background: $panel; color: $muted;
    border-color: $border; }
QPushButton#choice { text-align: left; padding: 14px 18px; background: $surface;
    border-radius: 10px; font-size: 15px; }
QPushButton#choice:hover, QPushButton#choice:focus { border-color: $accent; background: $raised; }
QPushButton#link { background: transparent; border: 1px solid transparent; color: $accent;
    padding: 3px 6px; text-align: left; }
QPushButton#link:hover { text-decoration: underline; }
QPushButton#link:focus { border-color: $accent; }

QLineEdit, QAbstractSpinBox, QComboBox, QPlainTextEdit, QTextEdit, QFontComboBox {
    background: $surface; color: $text; border: 1px solid $border; border-radius: 6px;
    padding: 4px 7px; selection-background-color: $accent; selection-color: $on_accent; }
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus, QTextEdit:focus {
    border-color: $accent; }
QLineEdit, QAbstractSpinBox, QComboBox { min-height: 20px; }
QComboBox::drop-down { border: 0; width: 24px; }
QComboBox::down-arrow { image: url("$icons/chevron-down.svg"); width: 14px; height: 14px; }
QAbstractSpinBox QLineEdit { padding: 0 0 0 7px; margin: 0; border: 0; background: transparent;
    min-height: 0; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: 0; width: 22px;
    background: transparent; }
QAbstractSpinBox::up-arrow { image: url("$icons/chevron-up.svg"); width: 12px; height: 12px; }
QAbstractSpinBox::down-arrow { image: url("$icons/chevron-down.svg"); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: $raised; color: $text; border: 1px solid $border;
    selection-background-color: $soft; selection-color: $text; }
QCheckBox, QRadioButton { spacing: 8px; }
QRadioButton::indicator { width: 12px; height: 12px; border-radius: 7px;
    border: 1px solid $muted; background: $surface; }
QRadioButton::indicator:checked { width: 6px; height: 6px; border: 4px solid $accent; }
QRadioButton::indicator:focus { border-color: $accent; }
QCheckBox::indicator:unchecked, QListView::indicator:unchecked { width: 13px; height: 13px;
    border: 1px solid $muted; border-radius: 3px; background: $surface; }

QListView, QTableView, QTreeView { background: $panel; color: $text; border: 0;
    selection-background-color: $soft; selection-color: $text;
    alternate-background-color: $panel; gridline-color: $border; }
QTableView::item, QTreeView::item { padding: 4px 8px; border: 0; }
QTableView::item:hover, QTreeView::item:hover { background: $hover; }
QTableView::item:selected, QTreeView::item:selected { background: $soft; color: $text; }
QListWidget::item { padding: 6px 12px; }
QHeaderView, QTableCornerButton::section { background: $panel; border: 0; }
QHeaderView::section { background: $panel; color: $muted; border: 0;
    border-bottom: 1px solid $border; padding: 6px 11px; font-weight: 600; font-size: 12px; }
QListView#chips { padding: 2px 8px 8px 8px; }
QTabWidget::pane { border: 0; background: $panel; }
QTabBar { background: $panel; }
QTabBar::tab { background: transparent; color: $muted; padding: 9px 11px; border: 0;
    border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; font-weight: 600; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:focus { color: $accent; }
QSplitter::handle { background: $border; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QScrollArea, QScrollArea > QWidget > #page { background: transparent; border: 0; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: $border; border-radius: 4px; margin: 2px; min-height: 28px;
    min-width: 28px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QProgressBar { background: $hover; border: 0; border-radius: 4px; max-height: 8px;
    text-align: center; }
QProgressBar::chunk { background: $accent; border-radius: 4px; }

#foot { background: $panel; border-top: 1px solid $border; }
#history::item { padding: 6px 12px; border: 0; }
#legend, #panel { background: $raised; border: 1px solid $border; border-radius: 8px; }
#legend QLabel { background: transparent; }

#message { border: 1px solid $border; border-radius: 6px; background: $soft; }
#message[level="warning"] { background: $warning_soft; }
#message[level="error"] { background: $error_soft; }
#message QLabel { color: $text; }
#message QToolButton { border: 1px solid transparent; border-radius: 5px; padding: 3px; }
#message QToolButton:hover { background: $hover; }
#message QToolButton:focus { border-color: $accent; }
"""
)


class Theme(QObject):
    """The theme in use. ``changed`` is sent after palette and style sheet were replaced."""

    changed = Signal()

    def __init__(self, application: QApplication, settings: Settings) -> None:
        super().__init__(application)
        self._application = application
        self._settings = settings
        self.colours = LIGHT
        settings.changed.connect(self._on_setting)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_system)
        self.apply()

    @property
    def dark(self) -> bool:
        """Whether the dark theme is in use."""
        return self.colours.dark

    def apply(self) -> None:
        """Choose by setting and system, and apply it to the whole program."""
        chosen = self._settings.get(THEME)
        system = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        self.colours = DARK if chosen == "dark" or (chosen == "system" and system) else LIGHT
        colours = self.colours
        application = self._application
        sheet = _SHEET.substitute(
            {name: getattr(colours, name) for name in Colours._fields},
            icons=(resources() / "icons").as_posix(),
        )
        if sheet != application.styleSheet():  # Qt would read it and style all widgets again
            application.setPalette(_palette(colours))
            application.setStyleSheet(sheet)
        self.changed.emit()

    def _on_setting(self, setting: Setting[str]) -> None:
        if setting is THEME:
            self.apply()

    def _on_system(self) -> None:
        if self._settings.get(THEME) == "system":
            self.apply()


def _palette(colours: Colours) -> QPalette:
    palette = QPalette()
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    for which, colour in (
        (role.Window, colours.ground),
        (role.WindowText, colours.text),
        (role.Base, colours.surface),
        (role.AlternateBase, colours.panel),
        (role.Text, colours.text),
        (role.Button, colours.raised),
        (role.ButtonText, colours.text),
        (role.ToolTipBase, colours.raised),
        (role.ToolTipText, colours.text),
        (role.PlaceholderText, colours.muted),
        (role.Highlight, colours.accent),
        (role.HighlightedText, colours.on_accent),
        (role.Link, colours.accent),
        (role.Mid, colours.border),
        (role.Accent, colours.accent),
    ):
        palette.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(group.Disabled, which, QColor(colours.muted))
    return palette
