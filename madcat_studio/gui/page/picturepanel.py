"""The sliders for how a page is shown: brightness, contrast, gamma, opacity, and the colours."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSlider,
    QVBoxLayout,
)

from madcat_studio.gui.page.canvas import PageCanvas
from madcat_studio.gui.page.overlays import Overlay
from madcat_studio.gui.settings import (
    SEE_BRIGHTNESS,
    SEE_COLOURS,
    SEE_CONTRAST,
    SEE_GAMMA,
    SEE_OPACITY,
    Setting,
    Settings,
)
from madcat_studio.gui.translation import mark, tr, tr_figure

__all__ = ["PicturePanel"]

_ROWS: tuple[tuple[Setting[int], str], ...] = (
    (SEE_BRIGHTNESS, mark("Brightness")),
    (SEE_CONTRAST, mark("Contrast")),
    (SEE_GAMMA, mark("Gamma")),
    (SEE_OPACITY, mark("Opacity of outlines")),
)


class PicturePanel(Overlay):
    """Lies at the top right of the page. What is set holds at once and is remembered.

    Signals:
        closed: its user is done with it.
        plain: everything is to be shown as it is.
    """

    closed = Signal()
    plain = Signal()

    def __init__(self, canvas: PageCanvas, settings: Settings) -> None:
        super().__init__(canvas, Qt.Corner.TopRightCorner)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Picture and colours"))
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._settings = settings
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(8)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        self.sliders: dict[str, QSlider] = {}
        self._values: dict[str, QLabel] = {}
        for row, (setting, title) in enumerate(_ROWS):
            slider = QSlider(Qt.Orientation.Horizontal)
            slider.setRange(setting.least, setting.most)
            slider.setPageStep(10)
            slider.setMinimumWidth(150)
            slider.setAccessibleName(tr(title))
            slider.setToolTip(tr(title))
            slider.valueChanged.connect(self._setter(setting))
            value = QLabel()
            value.setObjectName("quiet")
            value.setMinimumWidth(42)
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            label = QLabel(tr(title))
            label.setBuddy(slider)
            grid.addWidget(label, row, 0)
            grid.addWidget(slider, row, 1)
            grid.addWidget(value, row, 2)
            self.sliders[setting.key] = slider
            self._values[setting.key] = value
        self.colours = QComboBox()
        self.colours.setAccessibleName(tr("Colours by"))
        for choice, title in SEE_COLOURS.choices:
            self.colours.addItem(tr(title), choice)
        self.colours.currentIndexChanged.connect(
            lambda _: settings.set(SEE_COLOURS, self.colours.currentData())
        )
        label = QLabel(tr("Colours by"))
        label.setBuddy(self.colours)
        grid.addWidget(label, len(_ROWS), 0)
        grid.addWidget(self.colours, len(_ROWS), 1, 1, 2)
        column.addLayout(grid)
        row_of_buttons = QHBoxLayout()
        plain = QPushButton(tr("Reset"))
        plain.setToolTip(tr("Show scan and outlines unchanged"))
        plain.clicked.connect(self.plain)
        close = QPushButton(tr("Close"))
        close.clicked.connect(self.closed)
        row_of_buttons.addWidget(plain)
        row_of_buttons.addStretch(1)
        row_of_buttons.addWidget(close)
        column.addLayout(row_of_buttons)
        self.show_values()
        self.adjustSize()

    def show_values(self) -> None:
        """Show what is set."""
        for setting, _ in _ROWS:
            value = self._settings.get(setting)
            slider = self.sliders[setting.key]
            if slider.value() != value:
                slider.setValue(value)
            text = f"{value / 100:.2f}" if setting is SEE_GAMMA else f"{value}"
            shown = tr_figure(f"{text} %" if setting is SEE_OPACITY else text)
            self._values[setting.key].setText(shown)
        self.colours.setCurrentIndex(self.colours.findData(self._settings.get(SEE_COLOURS)))

    def open(self) -> None:
        """Show it, ready for the keyboard."""
        self.adjustSize()
        self.settle()
        self.show()
        self.raise_()
        self.sliders[SEE_BRIGHTNESS.key].setFocus()

    def _setter(self, setting: Setting[int]) -> Any:
        return lambda value: self._settings.set(setting, value)
