"""What a key means, whatever layout it is typed with.

Keys are declared as they are on a US keyboard. With another Latin layout the label counts: on a
French keyboard A is where the user's A is. A key that has no Latin label, such as any letter of an
Arabic layout, counts by its place; so does a sign that means nothing here, where another sign in
its place would. What AltGr types is text, and never a command by its place.
"""

from __future__ import annotations

import unicodedata

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence

__all__ = ["digit_of", "key_of", "place_of", "strokes"]

_Held = Qt.KeyboardModifier
_SHIFT, _CTRL, _ALT = _Held.ShiftModifier, _Held.ControlModifier, _Held.AltModifier

_ROWS = (
    (2, "1234567890-=", "!@#$%^&*()_+"),
    (16, "qwertyuiop[]", "QWERTYUIOP{}"),
    (30, "asdfghjkl;'`", 'ASDFGHJKL:"~'),
    (43, "\\zxcvbnm,./", "|ZXCVBNM<>?"),
)
"""The rows of a US keyboard: the first scan code, what its keys type, what they type with Shift."""
_PLACES = {
    first + number: (plain, shifted)
    for first, row, above in _ROWS
    for number, (plain, shifted) in enumerate(zip(row, above, strict=True))
}
_X_OFFSET = 8
"""X and Wayland count scan codes from here."""
_LEVEL_3 = 0x80
"""X's bit of AltGr among the native modifiers (Mod5), where Qt has none."""
_SPECIAL = 0x01000000
_DEAD = range(0x01001250, 0x01001300)
"""Keys that wait for a letter to put an accent on it."""


def key_of(event: QKeyEvent) -> Qt.Key:
    """The key as a US keyboard has it: by its label where that is Latin, else by its place."""
    label, place = event.key(), _place(event)
    if place is None or _types_text(event) or _is_special(label):
        return Qt.Key(label)
    if label < 0x80 and not (_is_above_letter(event, place)):
        return Qt.Key(label)
    number = _decimal(label)
    return Qt.Key(ord(number or place[0].upper()))


def digit_of(event: QKeyEvent) -> int | None:
    """The digit of a key, on whichever level of it, and of whichever script; None for no digit."""
    number, place = _decimal(event.key()), _place(event)
    if number is None and place is not None and place[0].isdecimal():
        number = place[0]
    return None if number is None else int(number)


def place_of(event: QKeyEvent) -> str | None:
    """What the key in this place types on a US keyboard; None for one that types no sign."""
    place = _place(event)
    return None if place is None else place[0]


def strokes(event: QKeyEvent) -> tuple[str, ...]:
    """What a key may stand for, as portable texts, the likeliest first."""
    # The keys of the number block mean what the others do.
    held = event.modifiers() & ~(_Held.KeypadModifier | _Held.GroupSwitchModifier)
    label, place = event.key(), _place(event)
    own = _text(held, label)
    if _types_text(event):
        return (_text(held & ~(_CTRL | _ALT), label), own) if _is_windows() else (own,)
    if place is None or _is_special(label) or (label < 0x80 and chr(label).isalpha()):
        return (own,)
    by_place = _text(held, ord(place[0].upper()))
    bare = _text(held & ~_SHIFT, label)  # Shift may be what it takes to type the sign at all
    number = _decimal(label)
    if label >= 0x80:
        found = [own, *([_text(held, ord(number))] if number else []), by_place]
    elif not held & _SHIFT:
        found = [own, by_place]
    elif _is_above_letter(event, place):
        found = [by_place, own, bare]
    elif chr(label) in place:
        found = [own, by_place, bare]
    else:
        found = [bare, own, by_place]
    return tuple(dict.fromkeys(found))


def _text(held: Qt.KeyboardModifier, key: int) -> str:
    return QKeySequence(QKeyCombination(held, Qt.Key(key))).toString()


def _is_windows() -> bool:
    return QGuiApplication.platformName() == "windows"


def _place(event: QKeyEvent) -> tuple[str, str] | None:
    """What the key in this place types on a US keyboard, without and with Shift."""
    code = event.nativeScanCode()
    return _PLACES.get(code if _is_windows() else code - _X_OFFSET)


def _is_special(label: int) -> bool:
    unknown = label == Qt.Key.Key_unknown or label in _DEAD
    return (label >= _SPECIAL and not unknown) or label == Qt.Key.Key_Space


def _is_above_letter(event: QKeyEvent, place: tuple[str, str]) -> bool:
    """Whether it is a sign that a layout without Latin letters has on a letter's second level."""
    shifted = bool(event.modifiers() & _SHIFT)
    return shifted and place[0].isalpha() and not chr(event.key()).isalnum()


def _types_text(event: QKeyEvent) -> bool:
    """Whether AltGr is held; Windows says Ctrl and Alt for it."""
    if event.modifiers() & _Held.GroupSwitchModifier:
        return True
    if _is_windows():
        both = _CTRL | _ALT
        return event.modifiers() & both == both and (event.text() or "\t").isprintable()
    return bool(event.nativeModifiers() & _LEVEL_3)


def _decimal(label: int) -> str | None:
    """A digit of any script as ours."""
    number = unicodedata.decimal(chr(label), None) if label < _SPECIAL else None
    return None if number is None else str(number)
