"""A guided way through a view: a mark at the next control, on real work.

A step ends when its user has done what it says, or by *Next*. The way can be left at any time; when
its door is taken again, it goes on where it was left. The keys stay with what a step speaks of,
until *Go to the tour* gives them to the mark: Enter or the arrow onward is *Next* then, Esc leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QAction, QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget
from shiboken6 import isValid

from madcat_studio.gui.accessible import Role, Spoken
from madcat_studio.gui.settings import kept_number, window_state
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import tr, tr_number
from madcat_studio.gui.views import VIEWS, Shell, View

if TYPE_CHECKING:
    from madcat_studio.gui.rail import Rail

__all__ = ["CoachMark", "Guide", "Led", "Step", "button_of", "lead", "other", "to_tour"]

_LOOK_MS = 200
_GAP, _WIDTH, _BEAK = 10, 330, 9


class Step(NamedTuple):
    """One step of a way.

    Attributes:
        text: what to do; translated already.
        at: the control that it is about; None while that is not there.
        done: whether it was done.
    """

    text: str
    at: Callable[[], QWidget | None]
    done: Callable[[], bool] = bool


class Led(Shell, Protocol):
    """What a tour asks of the window."""

    @property
    def rail(self) -> Rail:
        """The buttons of the views, at the left."""
        ...

    def view(self, identifier: str) -> View | None:
        """A view that was made already."""
        ...

    def front(self) -> str:
        """The id of the view at the front, "" on the first page."""
        ...


class CoachMark(QWidget):
    """A note with a beak, beside a control."""

    def __init__(self, window: QWidget, colours: Callable[[], Colours]) -> None:
        super().__init__(window)
        self._window, self._colours = window, colours
        self._beak = QPoint()
        self.setFixedWidth(_WIDTH)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(_BEAK + 14, _BEAK + 12, _BEAK + 14, _BEAK + 10)
        self.number = QLabel()
        self.number.setObjectName("quiet")
        layout.addWidget(self.number)
        self.text = QLabel()
        self.text.setWordWrap(True)
        layout.addWidget(self.text)
        row = QHBoxLayout()
        self.leave = self._button(row, tr("Leave the tour"))
        row.addStretch(1)
        self.next = self._button(row, tr("Next"))
        layout.addLayout(row)
        self.keys = QLabel(tr("Enter: next. Esc: leave."))
        self.keys.setObjectName("quiet")
        self.keys.hide()
        layout.addWidget(self.keys)
        self.hide()
        self.setAccessibleName(tr("Tour"))
        self.spoken = Spoken(
            self, Role.Note, text=self.words, widgets=lambda: (self.leave, self.next)
        )

    @staticmethod
    def _button(row: QHBoxLayout, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName("link")
        # The keys that a step speaks of go to what it speaks of.
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        row.addWidget(button)
        return button

    def words(self) -> str:
        """What it says, for a screen reader."""
        return f"{self.number.text()}. {self.text.text()} {self.keys.text()}"

    def _onward(self) -> tuple[Qt.Key, ...]:
        to_the_right = self.layoutDirection() is Qt.LayoutDirection.LeftToRight
        arrow = Qt.Key.Key_Right if to_the_right else Qt.Key.Key_Left
        return (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Down, arrow)

    def event(self, event: QEvent) -> bool:
        # Before the window's own actions of these keys.
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() in (*self._onward(), Qt.Key.Key_Escape):
                event.accept()
                return True
        elif event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.keys.setVisible(self.hasFocus())
            self.resize(_WIDTH, self.heightForWidth(_WIDTH))
            self.update()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in self._onward():
            self.next.click()
        elif event.key() == Qt.Key.Key_Escape:
            self.leave.click()
        else:
            super().keyPressEvent(event)

    def point_at(self, target: QWidget) -> None:
        """Stand beside a control, wherever there is room, and point at it."""
        window = self._window
        self.resize(_WIDTH, self.heightForWidth(_WIDTH))
        place = QRect(target.mapTo(window, QPoint()), target.size()) & window.rect()
        size = self.size()
        beside = [
            QPoint(place.right() + _GAP, place.center().y() - size.height() // 2),
            QPoint(place.left() - _GAP - size.width(), place.center().y() - size.height() // 2),
            QPoint(place.center().x() - size.width() // 2, place.bottom() + _GAP),
            QPoint(place.center().x() - size.width() // 2, place.top() - _GAP - size.height()),
        ]
        fitting = [one for one in beside if window.rect().contains(QRect(one, size))]
        # Of a large control, such as a page, a corner is covered.
        corner = place.bottomRight() - QPoint(size.width() + _GAP, size.height() + _GAP)
        where = (fitting or [corner])[0]
        where.setX(min(max(where.x(), 0), max(window.width() - size.width(), 0)))
        where.setY(min(max(where.y(), 0), max(window.height() - size.height(), 0)))
        self._beak = place.center() - where if fitting else QPoint()
        self.move(where)
        self.show()
        self.raise_()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self._colours()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours.accent), 3 if self.hasFocus() else 1))
        painter.setBrush(QColor(colours.raised))
        body = self.rect().adjusted(_BEAK, _BEAK, -_BEAK, -_BEAK)
        painter.drawRoundedRect(body, 8, 8)
        beak = self._beak
        if not beak.isNull():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.accent))
            painter.drawPolygon(self._triangle(body, beak))
        painter.end()

    @staticmethod
    def _triangle(body: QRect, beak: QPoint) -> QPolygonF:
        """At the edge that is nearest to what is pointed at."""
        x = min(max(beak.x(), body.left() + 20), body.right() - 20)
        y = min(max(beak.y(), body.top() + 20), body.bottom() - 20)
        if beak.x() > body.right() or beak.x() < body.left():
            right = beak.x() > body.right()
            edge, tip = (body.right(), _BEAK) if right else (body.left(), -_BEAK)
            points = [(edge, y - 8), (edge, y + 8), (edge + tip, y)]
        else:
            below = beak.y() > body.bottom()
            edge, tip = (body.bottom(), _BEAK) if below else (body.top(), -_BEAK)
            points = [(x - 8, edge), (x + 8, edge), (x, edge + tip)]
        return QPolygonF([QPointF(*one) for one in points])


class Guide(QObject):
    """Leads through steps; the window has one at a time."""

    def __init__(
        self, name: str, steps: Sequence[Step], window: QWidget, colours: Callable[[], Colours]
    ) -> None:
        """Begin, or go on where it was left.

        Args:
            name: by which it is remembered.
            steps: in order.
            window: over which the marks stand.
            colours: of the theme as it is.
        """
        super().__init__(window)
        self._key, self._steps, self._window = f"guide/{name}", steps, window
        self.mark = CoachMark(window, colours)
        self.mark.next.clicked.connect(self.go_on)
        self.mark.leave.clicked.connect(self.close)
        kept = kept_number(self._key, 0)
        self.at = kept if 0 <= kept < len(steps) else 0
        self._shown = -1
        self._before: QWidget | None = None  # had the keys before the mark took them
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        """Show the step at its control, or go on where it was done."""
        if not self._window.isVisible():
            return  # it was closed, and what a step points at may be gone
        step = self._steps[self.at]
        target = step.at()
        there = target is not None and target.isVisible()
        # What was never shown was not done by it: another view may be in front.
        if (there or self._shown == self.at) and step.done():
            self.go_on()
            return
        if target is None or not there:
            self.mark.hide()
            return
        self._shown = self.at
        self.mark.number.setText(
            tr(
                "Step {number} of {all}",
                number=tr_number(self.at + 1),
                all=tr_number(len(self._steps)),
            )
        )
        if self.mark.text.text() != step.text:
            self.mark.text.setText(step.text)
            self.mark.spoken.changed()
        self.mark.next.setText(tr("Next") if self.at + 1 < len(self._steps) else tr("Done"))
        self.mark.point_at(target)

    def is_led(self) -> bool:
        """Whether it was not left yet."""
        return self._timer.isActive()

    def take_keys(self) -> None:
        """Give the keys to the mark."""
        if not self.mark.hasFocus():
            self._before = self._window.focusWidget()
        self._look()
        self.mark.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def go_on(self) -> None:
        """To the next step; after the last one it is over, and begins anew another time."""
        if self.at + 1 == len(self._steps):
            self.at = 0
            self.close()
            return
        self.at += 1
        window_state().setValue(self._key, self.at)
        self._look()

    def close(self) -> None:
        """Leave, and remember the step."""
        window_state().setValue(self._key, self.at)
        self._timer.stop()
        had_keys = self.mark.hasFocus()
        self.mark.hide()
        if had_keys and self._before is not None and isValid(self._before):
            self._before.setFocus()
        self.mark.deleteLater()
        self.deleteLater()


def lead(view: str, led: Led, window: QWidget) -> Guide:
    """Begin the tour of a view, or go on in it; another one is left."""
    spec = next(spec for spec in VIEWS if spec.id == view)
    for before in window.findChildren(Guide):
        before.close()
    return Guide(view, spec.tour(led), window, lambda: led.theme.colours)


def to_tour(led: Led, window: QWidget) -> None:
    """Give the keys to the tour; where none is led, to that of the view in front."""
    guide = next((one for one in window.findChildren(Guide) if one.is_led()), None)
    front = led.front()
    if guide is None and any(spec.id == front and spec.tour_in for spec in VIEWS):
        guide = lead(front, led, window)
    if guide is not None:
        guide.take_keys()


def other(value: Callable[[], object]) -> Callable[[], bool]:
    """Whether a value is another one than when this was asked first."""
    first: list[object] = []

    def is_other() -> bool:
        if not first:
            first.append(value())
        return value() != first[0]

    return is_other


def button_of(view: QWidget | None, action: QAction) -> QWidget | None:
    """The button of an action, where one is to be seen."""
    if view is None:
        return None
    buttons = view.findChildren(QToolButton)
    return next((one for one in buttons if one.defaultAction() is action and one.isVisible()), None)
