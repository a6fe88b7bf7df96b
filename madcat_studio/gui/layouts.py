"""What stands on the keys of a keyboard: a sheet of keys names them as their user sees them.

Keys are declared as they are on a US keyboard; ``keyboard.py`` says what a key means on another.
Here is the way back, for the layouts that are known. Which one it is shows when its keys are
pressed; until then the system's language is the best guess.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, cast

from PySide6.QtCore import QKeyCombination, QLocale, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from madcat_studio.gui.keyboard import place_of
from madcat_studio.gui.settings import window_state
from madcat_studio.gui.translation import mark

__all__ = ["LAYOUTS", "Layout", "cap", "choose", "guessed", "noticed"]


class Layout(NamedTuple):
    """A layout.

    Attributes:
        id: as X names it.
        title: goes through translation.
        rows: what its keys type, row by row from the digits.
        above: the same with Shift.
        third: signs of a US keyboard that are typed with AltGr, and the keys that type them: where
            the key in their place is another command.
    """

    id: str
    title: str
    rows: tuple[str, str, str, str]
    above: tuple[str, str, str, str]
    third: Mapping[str, str] = MappingProxyType({})

    @property
    def is_latin(self) -> bool:
        """Whether its letters are Latin: then the label of a letter counts, not its place."""
        return self.rows[1][0].isascii()


US = Layout(
    "us",
    mark("US keyboard"),
    ("1234567890-=", "qwertyuiop[]", "asdfghjkl;'`", "\\zxcvbnm,./"),
    ("!@#$%^&*()_+", "QWERTYUIOP{}", 'ASDFGHJKL:"~', "|ZXCVBNM<>?"),
)
LAYOUTS = (
    US,
    Layout(
        "ara",
        mark("Arabic keyboard"),
        ("1234567890-=", "ضصثقفغعهخحجد", "شسيبلاتنمكطذ", "\\ئءؤر\ufefbىةوزظ"),
        ("!@#$%^&*)(_+", "\u064e\u064b\u064f\u064c\ufef9\u0625`÷×؛<>",
         "\u0650\u064d][\ufef7أـ،/:\"\u0651", "|~\u0652}{\ufef5آ',.؟"),
    ),
    Layout(
        "fr",
        mark("French keyboard"),
        ("&é\"'(-è_çà)=", "azertyuiop^$", "qsdfghjklmù²", "*wxcvbn,;:!"),
        ("1234567890°+", "AZERTYUIOP¨£", "QSDFGHJKLM%~", "µWXCVBN?./§"),
    ),
    Layout(
        "de",
        mark("German keyboard"),
        ("1234567890ß´", "qwertzuiopü+", "asdfghjklöä^", "#yxcvbnm,.-"),
        ('!"§$%&/()=?`', "QWERTZUIOPÜ*", "ASDFGHJKLÖÄ°", "'YXCVBNM;:_"),
        MappingProxyType({"[": "8", "]": "9"}),
    ),
)  # fmt: skip

_CHOSEN = "keys/keyboard"
_LANGUAGES = {
    QLocale.Language.Arabic: "ara",
    QLocale.Language.French: "fr",
    QLocale.Language.German: "de",
}


def guessed(locale: QLocale) -> Layout:
    """The layout that was last chosen by hand, else the one that goes with a language."""
    wanted = str(window_state().value(_CHOSEN, "")) or _LANGUAGES.get(locale.language(), US.id)
    return next((layout for layout in LAYOUTS if layout.id == wanted), US)


def choose(layout: Layout) -> None:
    """Somebody said that this is the keyboard; remembered for the next start."""
    window_state().setValue(_CHOSEN, layout.id)


def noticed(event: QKeyEvent, so_far: Layout) -> Layout:
    """The layout on which a key was pressed: another where this one has another letter there."""
    place, sign = place_of(event), chr(event.key()) if event.key() < 0x10000 else ""
    if place is None or not sign.isalpha() or _letter(so_far, place) == sign.lower():
        return so_far
    fits = [layout for layout in LAYOUTS if _letter(layout, place) == sign.lower()]
    return fits[0] if fits else so_far


def _letter(layout: Layout, place: str) -> str:
    at = _AT.get(place)
    return "" if at is None else layout.rows[at[0]][at[1]].lower()


_AT = {
    sign: (row, number)
    for signs in (US.rows, US.above)
    for row, text in enumerate(signs)
    for number, sign in enumerate(text)
}
"""The row of each sign of a US keyboard, and its place in it."""


def cap(keys: str, layout: Layout) -> str:
    """What is to be pressed for declared keys, as a text for people.

    What is on this keyboard as well is named by it, with Shift where it takes Shift; a letter of
    another script stands beside the Latin one; what is not there is named by the key in its place.
    """
    sequence = QKeySequence(keys)
    plain = sequence.toString(QKeySequence.SequenceFormat.NativeText)
    combination = cast("Sequence[QKeyCombination]", sequence)[0]  # which its stub does not say
    held, key = combination.keyboardModifiers(), int(combination.key())
    sign = chr(key) if 0x20 < key < 0x7F else ""
    if layout.id == US.id or (sign not in _AT and sign.lower() not in _AT):
        return plain
    row, number = _AT[sign if sign in _AT else sign.lower()]
    if sign.isalpha():
        return plain if layout.is_latin else f"{plain} {layout.rows[row][number]}"
    if any(sign in text for text in layout.rows):
        return plain
    if layout.is_latin:
        for line, text in enumerate(layout.above):
            if sign in text:
                below = layout.rows[line][text.index(sign)]
                return f"{_native(held | Qt.KeyboardModifier.ShiftModifier, below)} ({sign})"
    if sign in layout.third:
        return f"{_native(held, layout.third[sign], 'AltGr+')} ({sign})"
    signs = layout.above if any(sign in text for text in US.above) else layout.rows
    return f"{plain} {signs[row][number]}"


def _native(held: Qt.KeyboardModifier, sign: str, more: str = "") -> str:
    upper = sign.upper()
    combination = QKeyCombination(held, Qt.Key(ord(upper if len(upper) == 1 else sign)))
    text = QKeySequence(combination).toString(QKeySequence.SequenceFormat.NativeText)
    return f"{text.removesuffix(sign)}{more}{sign}" if more else text
