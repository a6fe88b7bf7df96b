"""How the parts of a segment stand: one below the other, or for long texts side by side.

Side by side the given texts are at the left, the own text and its changes at the right; each is
a window on its text, so that the places that belong together are all in sight.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QScrollArea,
    QSizePolicy,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.settings import SIDE_BY_SIDE, Setting, Settings
from madcat_studio.model.campaign import KitSegment

__all__ = ["LONG", "Arrangement", "TextWindow"]

LONG = 120
"""A reference or an output of so many words is long: below one another they leave the screen."""
_BETWEEN, _BELOW = 24, 6
_MEASURE = 1080
"""Lines that are much longer than this many pixels are hard to read."""
_LEAST_HIGH, _NARROWEST = 56, 250
_ROOMY = 700
"""In a narrower pane the halves would be too narrow for their buttons."""


class TextWindow(QScrollArea):
    """A window on something that may be longer than there is room; it can be taken away again.

    Signals:
        resized: the window, or what is inside, is larger or smaller.
    """

    resized = Signal()

    def __init__(self, layout: QBoxLayout, inside: QWidget) -> None:
        """Stand for ``inside``, which is in ``layout``, whenever the window is wanted."""
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumHeight(_LEAST_HIGH)
        self._layout, self._inside = layout, inside

    def sizeHint(self) -> QSize:
        # Whatever is inside: nothing moves when a first change is shown.
        return QSize(_NARROWEST, _LEAST_HIGH)

    def set_wanted(self, wanted: bool) -> None:
        """Put the window around what is inside, or take it away."""
        if wanted == (self.widget() is not None):
            return
        layout, inside = self._layout, self._inside
        if wanted:
            at = layout.indexOf(inside)
            layout.removeWidget(inside)
            self.setWidget(inside)
            layout.insertWidget(at, self, 1)
            self.show()
        else:
            at = layout.indexOf(self)
            layout.removeWidget(self)
            self.hide()
            layout.insertWidget(at, self.takeWidget())
        inside.show()

    def eventFilter(self, thing: QObject, event: QEvent) -> bool:
        # The base class watches what is inside.
        if event.type() == QEvent.Type.Resize and thing in (self.widget(), self.viewport()):
            self.resized.emit()
        return super().eventFilter(thing, event)

    def show_part(self, box: QRect) -> None:
        """Bring a part of what is inside into sight, with a line above and below it."""
        if self.widget() is not None and not box.isNull():
            middle, margin = box.center(), round(box.height() * 1.5)
            self.ensureVisible(middle.x(), middle.y(), 0, margin)


class Arrangement:
    """Of one pane; it remembers how its editor wants it.

    Attributes:
        given: where the reference and what else there is to read go.
        own: where the own text and its changes go.
        side_by_side: how they stand now.
    """

    def __init__(
        self, column: QVBoxLayout, settings: Settings, moved: Callable[[bool], None]
    ) -> None:
        """Arrange the parts at the end of a column; ``moved`` is told how they stand now."""
        self._column, self._settings, self._moved = column, settings, moved
        self._body = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self.given, self.own = self._part(), self._part()
        self._windows: list[TextWindow] = []
        self._sharing: list[tuple[QBoxLayout, QWidget]] = []
        self._long, self._roomy = False, True
        self.side_by_side = False
        column.addLayout(self._body)
        self._rest = QSpacerItem(0, 0)
        column.addSpacerItem(self._rest)
        self._stand()
        settings.changed.connect(self._on_setting)

    def _part(self) -> QVBoxLayout:
        part = QWidget()
        layout = QVBoxLayout(part)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        self._body.addWidget(part)
        return layout

    def window(self, layout: QBoxLayout, inside: QWidget) -> TextWindow:
        """A window around something, when the parts stand side by side."""
        window = TextWindow(layout, inside)
        self._windows.append(window)
        return window

    def share(self, layout: QBoxLayout, widget: QWidget) -> None:
        """Side by side, a widget takes its share of the height."""
        self._sharing.append((layout, widget))

    def suit(self, segment: KitSegment) -> None:
        """Arrange for a segment."""
        texts = (segment.reference, segment.output)
        self._long = max(len(text.split()) for text in texts) >= LONG
        self._settle()

    def fit(self, width: int) -> None:
        """There are so many pixels: in few, nothing is put side by side by itself."""
        self._roomy = width >= _ROOMY
        self._settle()

    def _by_itself(self) -> bool:
        return self._long and self._roomy

    def _on_setting(self, setting: Setting[object]) -> None:
        if setting is SIDE_BY_SIDE:
            self._settle()

    def _settle(self) -> None:
        wish = self._settings.get(SIDE_BY_SIDE)
        wanted = wish == "always" or (wish == "long" and self._by_itself())
        if wanted != self.side_by_side:
            self.side_by_side = wanted
            self._stand()
            self._moved(wanted)

    def _stand(self) -> None:
        beside, way = self.side_by_side, QBoxLayout.Direction
        self._body.setDirection(way.LeftToRight if beside else way.TopToBottom)
        self._body.setSpacing(_BETWEEN if beside else _BELOW)
        for number, part in enumerate((self.given, self.own)):
            self._body.setStretch(number, int(beside))
            holder = part.parentWidget()
            assert holder is not None
            # Halves, whatever is said in one of them: the texts must not be wrapped anew.
            policy = QSizePolicy.Policy.Ignored if beside else QSizePolicy.Policy.Preferred
            holder.setSizePolicy(policy, QSizePolicy.Policy.Preferred)
            holder.setMinimumWidth(_NARROWEST if beside else 0)
        self._column.setStretch(self._column.indexOf(self._body), int(beside))
        self._column.setStretch(self._column.indexOf(self._rest), int(not beside))
        whole = self._column.parentWidget()
        assert whole is not None
        whole.setMaximumWidth(2 * _MEASURE + _BETWEEN if beside else _MEASURE)
        for window in self._windows:
            window.set_wanted(beside)
        for layout, widget in self._sharing:
            layout.setStretchFactor(widget, int(beside))

    def toggle(self) -> None:
        """The other way, now and for segments to come; it is remembered.

        Where the length alone would do it, the length decides again.
        """
        wanted = not self.side_by_side
        wish = "long" if wanted == self._by_itself() else "always" if wanted else "never"
        self._settings.set(SIDE_BY_SIDE, wish)
