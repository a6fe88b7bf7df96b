"""What assistive technology is told of a widget that paints itself.

Qt tells of its own widgets, not of what a ``paintEvent`` draws. A widget of ours makes a
:class:`Spoken` and says there what can be read on it: a text, or parts with a name and a place.
Nothing of this is made until somebody asks: without a screen reader it costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
    QAccessibleObject,
    QAccessibleTextInterface,
    QAccessibleTextUpdateEvent,
    QWindow,
)
from PySide6.QtWidgets import QAccessibleWidget, QWidget
from shiboken6 import Shiboken

__all__ = ["Part", "Role", "Selection", "Spoken", "announce", "install"]

Role = QAccessible.Role
_Text = QAccessible.Text
_NOWHERE = QRect()


def _none() -> Sequence[Part]:
    return ()


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that can be read on a widget.

    Attributes:
        name: what is said of it.
        role: what kind of thing it is.
        box: gives its place, in the widget's own pixels; None: it has none of its own.
        chosen: tells whether it is selected.
        parts: gives what it consists of itself; asked for when somebody looks into it.
        act: what pressing it does, None for nothing.
    """

    name: str
    role: Role = Role.ListItem
    box: Callable[[], QRect] | None = None
    chosen: Callable[[], bool] | None = None
    parts: Callable[[], Sequence[Part]] = _none
    act: Callable[[], object] | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """Reads and sets what is selected in a text: its start and its length, in UTF-16 units."""

    get: Callable[[], tuple[int, int]]
    set: Callable[[int, int], None]


class Spoken(QObject):
    """What can be read on one widget, which holds it as its ``spoken``."""

    def __init__(
        self,
        widget: QWidget,
        role: Role,
        parts: Callable[[], Sequence[Part]] = _none,
        *,
        text: Callable[[], str] | None = None,
        selection: Selection | None = None,
        widgets: Callable[[], Sequence[QWidget]] = tuple,
    ) -> None:
        """Say what there is.

        Args:
            widget: of which it is.
            role: what kind of thing the widget is.
            parts: gives its parts, from the first to the last.
            text: gives its text, where it is one that is read on by letter, word and line.
            selection: of that text, where something can be selected.
            widgets: gives the widgets that lie on it and are told of after the parts.
        """
        super().__init__(widget)
        self.widget, self.role = widget, role
        self.text, self.selection, self.widgets = text, selection, widgets
        self._make = parts
        self._parts: tuple[Part, ...] | None = None
        self._places: list[_Place] = []
        self._told = ""

    def parts(self) -> tuple[Part, ...]:
        """The parts as they are now."""
        if self._parts is None:
            self._parts = tuple(self._make())
        return self._parts

    def place(self, number: int) -> _Place:
        """The object that stands for a part; it is told of by what it is the n-th of."""
        while len(self._places) <= number:
            self._places.append(_Place(self, self.widget, len(self._places)))
        return self._places[number]

    def changed(self) -> None:
        """What is painted is another thing: parts are asked for anew, and listeners are told."""
        self._tell_text()
        before, self._parts = self._parts, None
        if before is None or not QAccessible.isActive():
            return  # nobody has looked
        after = self.parts()
        for number, (old, new) in enumerate(zip(before, after, strict=False)):
            if old.name != new.name and number < len(self._places):
                _tell(self._places[number], QAccessible.Event.NameChanged)
        for number in range(len(before), len(after)):
            _tell(self.place(number), QAccessible.Event.ObjectCreated)
        for place in self._places[len(after) : len(before)]:
            _tell(place, QAccessible.Event.ObjectDestroyed)

    def _tell_text(self) -> None:
        if self.text is None or not QAccessible.isActive():
            return
        before, self._told = self._told, self.text()
        QAccessible.updateAccessibility(
            QAccessibleTextUpdateEvent(self.widget, 0, before, self._told)
        )

    def point_to(self, *path: int) -> None:
        """A part is what the user is at now: the first number is that of the widget's part, ..."""
        if not path or not QAccessible.isActive():
            return
        self._parts = None
        place = self.place(path[0])
        for number in path[1:]:
            place = place.place(number)
        _tell(place, QAccessible.Event.Focus)


class _Place(QObject):
    """Stands for the n-th part of something. Qt lets go of its interface when it goes."""

    def __init__(self, spoken: Spoken, parent: QObject, number: int) -> None:
        super().__init__(parent)
        self.spoken, self.number = spoken, number
        self._places: list[_Place] = []

    def part(self) -> Part | None:
        """The part, None where there are fewer by now."""
        above = self.parent()
        parts = above.inner() if isinstance(above, _Place) else self.spoken.parts()
        return parts[self.number] if self.number < len(parts) else None

    def inner(self) -> Sequence[Part]:
        """What the part consists of."""
        part = self.part()
        return () if part is None else part.parts()

    def place(self, number: int) -> _Place:
        """The object that stands for a part of this one."""
        while len(self._places) <= number:
            self._places.append(_Place(self.spoken, self, len(self._places)))
        return self._places[number]


def _tell(thing: QObject, event: QAccessible.Event) -> None:
    QAccessible.updateAccessibility(QAccessibleEvent(thing, event))


def announce(widget: QWidget, words: str) -> None:
    """Say something at once that is shown somewhere else than where the keyboard is."""
    if words and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))


# -- what Qt asks ---------------------------------------------------------------------------------


def install() -> None:
    """Let Qt ask here. Once in a program."""
    QAccessible.installFactory(_interface_of)


def _interface_of(_: str, thing: QObject) -> QAccessibleInterface | None:
    if isinstance(thing, _Place):
        return _PlaceInterface(thing)
    if isinstance(thing, QWidget):
        spoken = getattr(thing, "spoken", None)
        if isinstance(spoken, Spoken):
            return _WidgetInterface(spoken)
    return None


# Qt takes no interface and no window for an answer; the binding's types do not say so.
_NO_INTERFACE = cast(QAccessibleInterface, None)
_NO_WINDOW = cast(QWindow, None)
# Asked for an address, the binding takes that of an object; without any, None crashes it.
_NO_ADDRESS = cast(int, Shiboken.VoidPtr(0))


def _ask(thing: QObject) -> QAccessibleInterface:
    return QAccessible.queryAccessibleInterface(thing)


class _WidgetInterface(QAccessibleWidget):
    """Of a widget that paints itself."""

    def __init__(self, spoken: Spoken) -> None:
        super().__init__(spoken.widget, spoken.role)
        self._spoken = spoken
        self._text = _TextInterface(spoken) if spoken.text is not None else None
        self._focus = _FocusInterface(spoken.widget)

    def text(self, kind: _Text) -> str:
        said = super().text(kind)
        if kind == _Text.Value and not said and self._spoken.text is not None:
            return self._spoken.text()
        return said

    def state(self) -> QAccessible.State:
        state = super().state()
        if self._text is not None:
            state.readOnly = True
            state.multiLine = True
            state.selectableText = self._spoken.selection is not None
        return state

    def interface_cast(self, kind: QAccessible.InterfaceType) -> int:
        if kind == QAccessible.InterfaceType.TextInterface and self._text is not None:
            return cast(int, self._text)
        if kind == QAccessible.InterfaceType.ActionInterface and self.state().focusable:
            return cast(int, self._focus)
        return _NO_ADDRESS

    def childCount(self) -> int:
        return len(self._spoken.parts()) + len(self._spoken.widgets())

    def child(self, number: int) -> QAccessibleInterface:
        own = len(self._spoken.parts())
        if 0 <= number < own:
            return _ask(self._spoken.place(number))
        others = self._spoken.widgets()
        inside = own <= number < own + len(others)
        return _ask(others[number - own]) if inside else _NO_INTERFACE

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        thing = child.object()
        if isinstance(thing, _Place):
            return thing.number
        others = self._spoken.widgets()
        at = next((at for at, one in enumerate(others) if one is thing), None)
        return -1 if at is None else len(self._spoken.parts()) + at

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        return _child_at(self, x, y)

    def focusChild(self) -> QAccessibleInterface:
        return _ask(self._spoken.widget) if self._spoken.widget.hasFocus() else _NO_INTERFACE


class _PlaceInterface(QAccessibleObject):
    """Of a part."""

    def __init__(self, place: _Place) -> None:
        super().__init__(place)
        self._place = place
        self._press = _PressInterface(place)

    def text(self, kind: _Text) -> str:
        part = self._place.part()
        return part.name if part is not None and kind == _Text.Name else ""

    def role(self) -> Role:
        part = self._place.part()
        return Role.NoRole if part is None else part.role

    def state(self) -> QAccessible.State:
        state, part = QAccessible.State(), self._place.part()
        widget = self._place.spoken.widget
        state.invalid = part is None
        state.invisible = part is None or not widget.isVisible()
        state.selectable = part is not None
        state.selected = part is not None and part.chosen is not None and part.chosen()
        state.focusable = True
        state.focused = state.selected and widget.hasFocus()
        return state

    def rect(self) -> QRect:
        widget, part = self._place.spoken.widget, self._place.part()
        if part is None or part.box is None:
            return _NOWHERE
        box = part.box()
        return QRect(widget.mapToGlobal(box.topLeft()), box.size())

    def window(self) -> QWindow:
        return self._place.spoken.widget.window().windowHandle() or _NO_WINDOW

    def parent(self) -> QAccessibleInterface:
        above = self._place.parent()
        return _NO_INTERFACE if above is None else _ask(above)

    def childCount(self) -> int:
        return len(self._place.inner())

    def child(self, number: int) -> QAccessibleInterface:
        inside = 0 <= number < len(self._place.inner())
        return _ask(self._place.place(number)) if inside else _NO_INTERFACE

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        thing = child.object()
        return thing.number if isinstance(thing, _Place) else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        return _child_at(self, x, y)

    def interface_cast(self, kind: QAccessible.InterfaceType) -> int:
        part = self._place.part()
        if kind == QAccessible.InterfaceType.ActionInterface and part is not None and part.act:
            return cast(int, self._press)
        return _NO_ADDRESS


def _child_at(of: QAccessibleInterface, x: int, y: int) -> QAccessibleInterface:
    point = QPoint(x, y)
    for number in range(of.childCount()):
        child = of.child(number)
        if child.rect().contains(point):
            return child
    return _NO_INTERFACE


class _FocusInterface(QAccessibleActionInterface):
    """Gives the keyboard to a widget."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self._widget = widget

    def actionNames(self) -> list[str]:
        return [QAccessibleActionInterface.setFocusAction()]

    def doAction(self, name: str) -> None:
        self._widget.setFocus()

    def keyBindingsForAction(self, name: str) -> list[str]:
        return []


class _PressInterface(QAccessibleActionInterface):
    """Presses a part."""

    def __init__(self, place: _Place) -> None:
        super().__init__()
        self._place = place

    def actionNames(self) -> list[str]:
        return [QAccessibleActionInterface.pressAction()]

    def doAction(self, name: str) -> None:
        part = self._place.part()
        if part is not None and part.act is not None:
            part.act()

    def keyBindingsForAction(self, name: str) -> list[str]:
        return []


class _TextInterface(QAccessibleTextInterface):
    """Reads a text; places are counted in UTF-16 units, as Qt does.

    The binding has no way to answer where a selection begins and ends: the caret is told, and
    :func:`announce` says what is selected.
    """

    def __init__(self, spoken: Spoken) -> None:
        super().__init__()
        self._spoken = spoken

    def _units(self) -> bytes:
        assert self._spoken.text is not None
        return self._spoken.text().encode("utf-16-le", "surrogatepass")

    def text(self, start: int, end: int) -> str:
        return self._units()[2 * max(start, 0) : 2 * max(end, 0)].decode("utf-16-le", "replace")

    def characterCount(self) -> int:
        return len(self._units()) // 2

    def _selected(self) -> tuple[int, int]:
        return (0, 0) if self._spoken.selection is None else self._spoken.selection.get()

    def selectionCount(self) -> int:
        return 0

    def setSelection(self, number: int, start: int, end: int) -> None:
        if self._spoken.selection is not None:
            self._spoken.selection.set(start, max(end - start, 0))

    def addSelection(self, start: int, end: int) -> None:
        self.setSelection(0, start, end)

    def removeSelection(self, number: int) -> None:
        self.setSelection(0, self.cursorPosition(), self.cursorPosition())

    def cursorPosition(self) -> int:
        return sum(self._selected())

    def setCursorPosition(self, place: int) -> None:
        self.setSelection(0, place, place)

    def characterRect(self, place: int) -> QRect:
        widget = self._spoken.widget
        return QRect(widget.mapToGlobal(QPoint()), widget.size())

    def offsetAtPoint(self, point: QPoint) -> int:
        return -1

    def scrollToSubstring(self, start: int, end: int) -> None:
        pass  # all of it is shown
