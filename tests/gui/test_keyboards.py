"""Every key under every layout: events as X gives them, with the layouts' own labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from PySide6.QtCore import QEvent, QLocale, Qt
from PySide6.QtGui import QFont, QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from madcat_studio.gui.keyboard import digit_of, key_of, strokes
from madcat_studio.gui.keysdialog import show_shortcuts
from madcat_studio.gui.layouts import LAYOUTS, cap, choose, guessed, noticed
from madcat_studio.gui.page.asklink import LinkDialog
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.shortcutsheet import ShortcutSheet
from madcat_studio.gui.views import VIEWS
from tests.gui.helpers import NORMAL, PageUser, copy_sample, run

_Held = Qt.KeyboardModifier
SHIFT, CTRL, ALT, NONE = (
    _Held.ShiftModifier, _Held.ControlModifier, _Held.AltModifier, _Held.NoModifier
)  # fmt: skip

# From the first scan code of X for each row: what a key types, and what with Shift.
_STARTS = (10, 24, 38, 51)
_LAYOUTS = {
    "us": (
        ("1234567890-=", "!@#$%^&*()_+"),
        ("qwertyuiop[]", "QWERTYUIOP{}"),
        ("asdfghjkl;'`", 'ASDFGHJKL:"~'),
        ("\\zxcvbnm,./", "|ZXCVBNM<>?"),
    ),
    "fr": (
        ("&é\"'(-è_çà)=", "1234567890°+"),
        ("azertyuiop^$", "AZERTYUIOP¨£"),
        ("qsdfghjklmù²", "QSDFGHJKLM%~"),
        ("*wxcvbn,;:!", "µWXCVBN?./§"),
    ),
    "de": (
        ("1234567890ß´", '!"§$%&/()=?`'),
        ("qwertzuiopü+", "QWERTZUIOPÜ*"),
        ("asdfghjklöä^", "ASDFGHJKLÖÄ°"),
        ("#yxcvbnm,.-", "'YXCVBNM;:_"),
    ),
    "ara": (
        ("1234567890-=", "!@#$%^&*)(_+"),
        ("ضصثقفغعهخحجد", "\u064e\u064b\u064f\u064c\ufef9\u0625`÷×؛<>"),
        ("شسيبلاتنمكطذ", '\u0650\u064d][\ufef7أـ،/:"\u0651'),
        ("\\ئءؤر\ufefbىةوزظ", "|~\u0652}{\ufef5آ',.؟"),
    ),
}
_LESS = 94
_LEVEL_3 = 0x80
_DEAD = {"^": Qt.Key.Key_Dead_Circumflex, "¨": Qt.Key.Key_Dead_Diaeresis,
         "´": Qt.Key.Key_Dead_Acute, "`": Qt.Key.Key_Dead_Grave}  # fmt: skip


class Press(NamedTuple):
    """A key of a layout, with what is held."""

    key: int
    held: Qt.KeyboardModifier
    code: int
    text: str = ""
    native: int = 0

    def event(self, kind: QEvent.Type = QEvent.Type.KeyPress) -> QKeyEvent:
        return QKeyEvent(kind, self.key, self.held, self.code, ord(self.text or "\0"), self.native,
                         self.text)  # fmt: skip


def _presses(layout: str, held: Qt.KeyboardModifier) -> Iterator[Press]:
    shift = bool(held & SHIFT)
    for start, row in zip(_STARTS, _LAYOUTS[layout], strict=True):
        for number, sign in enumerate(row[shift]):
            dead = _DEAD.get(sign) if layout in ("fr", "de") else None
            key = dead or ord(sign.upper() if sign != "ß" else sign)
            yield Press(int(key), held, start + number, "" if dead else sign)
    if layout == "de":
        yield Press(ord("["), held, 17, "[", _LEVEL_3)
        yield Press(ord("]"), held, 18, "]", _LEVEL_3)
    if layout in ("fr", "de"):
        yield Press(ord("<>"[shift]), held, _LESS, "<>"[shift])


def presses_for(layout: str, keys: str) -> list[Press]:
    """What can be pressed on a layout for keys that are declared; the first is what is meant."""
    combination = QKeySequence(keys)[0]
    held, key = combination.keyboardModifiers(), int(combination.key())
    if key >= 0x01000000 or key == Qt.Key.Key_Space:
        return [Press(key, held, 0)]
    # The label first, on whichever level; else the place on a US keyboard.
    labelled = [each for each in _presses(layout, held) if each.key == key]
    shifted = [each for each in _presses(layout, held | SHIFT) if each.key == key]
    place = next((each.code for each in _presses("us", held) if each.key == key), 0)
    by_place = [each for each in _presses(layout, held) if each.code == place]
    if layout == "ara":
        return by_place
    return [*labelled, *([] if chr(key).isalnum() and chr(key).isalpha() else shifted), *by_place]


ACTIONS = [action for spec in VIEWS if spec.id == "page" for action in spec.actions()]


@pytest.fixture
def page(user, tmp_path: Path) -> PageUser:
    return user(copy_sample(NORMAL, tmp_path))


def _meaning(someone: PageUser, press: Press) -> str:
    """The id of what a key does on the page; what is as labelled is Qt's own."""
    event = press.event()
    local = someone.view.canvas.tools.keys.action(event)
    if local is not None:
        return local.id
    meant = someone.window.commands.meant(event)
    if meant is not None:
        return meant.objectName()
    first = strokes(event)[0]
    return next((action.id for action in ACTIONS if first in action.shortcut), "")


@pytest.mark.long
def test_every_key_of_the_page_can_be_pressed_on_every_layout(page) -> None:
    dead = []
    for layout in ("us", "fr", "de", "ara"):
        for action in ACTIONS:
            presses = [press for keys in action.shortcut for press in presses_for(layout, keys)]
            if presses and action.id not in [_meaning(page, press) for press in presses]:
                dead.append((layout, action.id, action.shortcut))
    assert dead == []


@pytest.mark.long
def test_keys_of_an_arabic_layout_reach_tools_window_and_page(user, tmp_path: Path) -> None:
    someone = user(copy_sample(NORMAL, tmp_path))
    canvas = someone.view.canvas
    _send(canvas, presses_for("ara", ".")[0])
    assert canvas.selection.key == ShapeKey(0, 0)
    for keys, tool in (("E", "edit"), ("R", "rectangle"), ("S", "select")):
        press = presses_for("ara", keys)[0]
        override = press.event(QEvent.Type.ShortcutOverride)
        override.ignore()
        QApplication.sendEvent(canvas, override)
        assert override.isAccepted()
        _send(canvas, press)
        assert canvas.tools.tool.name == tool


def _send(widget: QWidget, press: Press) -> None:
    QApplication.sendEvent(widget, press.event())


LETTERS = [
    (action, keys)
    for action in ACTIONS
    for keys in action.shortcut
    if keys[-1].isalpha() and (len(keys) == 1 or keys[-2] == "+")
]


def test_a_letter_under_an_arabic_layout_means_its_place_alone(page) -> None:
    """Whatever sign is there, and although it cannot be done now.

    Ctrl+Shift+F types Ctrl+[ there, which is another action's.
    """
    assert len(LETTERS) > 40
    means = {keys: _meaning(page, presses_for("ara", keys)[0]) for _, keys in LETTERS}
    assert means == {keys: action.id for action, keys in LETTERS}


@pytest.mark.long
def test_n_means_later_while_marking(user, tmp_path: Path) -> None:
    someone = user(copy_sample(NORMAL, tmp_path))
    run(someone.view, "page.mark")
    marking = someone.view.features.marking.marking
    assert marking is not None
    snaps = someone.view.canvas.tools.snap.on
    for layout in ("us", "ara", "fr", "de"):
        someone.view.features.marking._choose(marking.tokens[0])
        before = marking.position
        press = presses_for(layout, "N")[0]
        override = press.event(QEvent.Type.ShortcutOverride)
        override.ignore()
        QApplication.sendEvent(someone.view.canvas, override)
        assert override.isAccepted(), layout  # no shortcut of another tool
        _send(someone.view.canvas, press)
        assert marking.position > before, layout  # to the next that is open
        assert someone.view.canvas.tools.snap.on == snaps, layout


@pytest.mark.long
def test_the_sheet_names_each_key_as_it_stands_on_the_keyboard(page) -> None:
    """What it says is on the key that does the action, or is what that key types with Shift."""
    for layout in ("us", "fr", "de", "ara"):
        _names_each_key(page, layout)


def _names_each_key(page: PageUser, layout: str) -> None:
    shown = next(each for each in LAYOUTS if each.id == layout)
    wrong, nowhere = [], set()
    for action in (each for each in ACTIONS if each.shortcut and each.menu):
        keys = action.shortcut[0]
        said = cap(keys, shown)
        named = set(re.sub(r"^((Ctrl|Shift|AltGr|Alt)\+)*", "", said).upper().split(" "))
        presses = presses_for(layout, keys)
        # Some keys are of two actions, of which one can be done at a time.
        works = [each for each in presses if _meaning(page, each) == action.id]
        if not presses:
            nowhere.add(keys)
            continue
        if not presses[0].code:
            plain = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
            assert said == plain, action.id
            continue
        on_it = {
            sign.upper()
            for start, row in zip(_STARTS, _LAYOUTS[layout], strict=True)
            for signs in row
            for number, sign in enumerate(signs)
            if start + number in {each.code for each in works or presses}
        }
        if not named & on_it:
            wrong.append((action.id, said, on_it))
    assert wrong == []
    # Shift and a sign that stands on the key without it: any press of it types another sign.
    assert nowhere <= {"Shift+,", "Shift+.", "Ctrl++"}


@pytest.mark.parametrize(
    ("keys", "layout", "said"),
    [
        ("R", "ara", "R \u0642"),
        ("Ctrl+Z", "ara", "Ctrl+Z \u0626"),
        ("Ctrl+Z", "de", "Ctrl+Z"),
        ("?", "us", "?"),
        ("?", "fr", "Shift+, (?)"),
        ("?", "de", "Shift+\u00df (?)"),
        (".", "fr", "Shift+; (.)"),
        ("Ctrl+]", "de", "Ctrl+AltGr+9 (])"),
        ("Ctrl+]", "fr", "Ctrl+] $"),
        ("F10", "ara", "F10"),
        ("Alt+Right", "fr", "Alt+Right"),
    ],
)
def test_what_the_sheet_says(keys: str, layout: str, said: str) -> None:
    assert cap(keys, next(each for each in LAYOUTS if each.id == layout)) == said


def test_the_keyboard_shows_when_its_keys_are_pressed(make_window) -> None:
    commands = make_window().commands
    for layout, keys in (("ara", "Q"), ("fr", "Q"), ("de", "Z"), ("us", "Q"), ("us", "Z")):
        press = next(each for each in presses_for("us", keys))
        sign = next(each for each in _presses(layout, NONE) if each.code == press.code)
        commands.meant(sign.event())
    assert commands.layout.id == "us"
    for layout, keys in (("ara", "Q"), ("fr", "A"), ("de", "Y")):
        code = presses_for("us", keys)[0].code
        commands.meant(next(e for e in _presses(layout, NONE) if e.code == code).event())
        assert commands.layout.id == layout


def test_the_systems_language_says_which_keyboard_until_then() -> None:
    found = [guessed(QLocale(name)).id for name in ("ar_EG", "fr_FR", "de_DE", "en_US", "fa_IR")]
    assert found == ["ara", "fr", "de", "us", "us"]
    arrow = Press(int(Qt.Key.Key_Left), NONE, 113)
    assert noticed(arrow.event(), LAYOUTS[1]) is LAYOUTS[1]


@pytest.mark.long
def test_the_sheet_follows_the_keyboard_that_is_chosen(qtbot, make_window) -> None:
    window = make_window()
    sheet = ShortcutSheet(window.commands.declared(), [], "page", window, layout=LAYOUTS[1])
    before = dict(sheet.shown())
    sheet.search.setText("undo")
    sheet.keyboards.setCurrentIndex(0)
    assert dict(sheet.shown()) == {"Undo": "Ctrl+Z"}
    assert before["Undo"] == "Ctrl+Z \u0626"
    assert sheet.layout_shown is LAYOUTS[0]


@pytest.mark.long
def test_the_sheet_remembers_where_it_was(qtbot, make_window, monkeypatch) -> None:
    commands = make_window().commands

    def opened(front: str, act: Callable[[ShortcutSheet], None]) -> None:
        def run(sheet: ShortcutSheet) -> int:
            sheet.show()
            QTest.qWait(0)
            act(sheet)
            sheet.reject()  # Esc
            return 0

        with monkeypatch.context() as patch:
            patch.setattr(ShortcutSheet, "exec", run)
            show_shortcuts(commands, None, front)

    def leave(sheet: ShortcutSheet) -> None:
        sheet.resize(701, 503)
        QTest.qWait(0)
        sheet.area.verticalScrollBar().setValue(140)
        sheet.keyboards.setCurrentIndex(2)
        QTest.qWait(0)
        assert sheet.area.verticalScrollBar().value() == 140

    seen: list[object] = []

    def look(sheet: ShortcutSheet) -> None:
        seen.append((sheet.width(), sheet.height(), sheet.area.verticalScrollBar().value()))
        seen.append((sheet.search.text(), sheet.search.selectedText(), sheet.layout_shown.id))

    opened("page", leave)
    opened("page", look)
    assert seen == [(701, 503, 140), ("", "", LAYOUTS[2].id)]
    opened("page", lambda sheet: sheet.search.setText("undo"))
    opened("page", look)
    assert seen[3] == ("undo", "undo", LAYOUTS[2].id)
    opened("page", lambda sheet: (sheet.search.clear(), leave(sheet)))
    opened("kit", look)
    assert seen[4] == (701, 503, 0)  # in another view its own keys come first


def test_a_keyboard_that_was_chosen_is_remembered_over_a_start() -> None:
    choose(LAYOUTS[2])
    assert guessed(QLocale("en_US")) is LAYOUTS[2]


@pytest.mark.parametrize(
    ("press", "meant"),
    [
        (Press(0x20AC, NONE, 26, "€", _LEVEL_3), "€"),  # French and German AltGr+E
        (Press(ord("@"), NONE, 24, "@", _LEVEL_3), "@"),  # German AltGr+Q
        (Press(ord("["), NONE, 17, "[", _LEVEL_3), "["),  # German AltGr+8
        (Press(0x0141, NONE, 46, "ł", _LEVEL_3), "Ł"),  # Polish AltGr+L
    ],
)
def test_what_altgr_types_is_no_command_by_its_place(press: Press, meant: str) -> None:
    assert strokes(press.event()) == (meant,)
    assert key_of(press.event()) == press.key


def test_no_key_is_what_other_systems_say_for_altgr(make_window) -> None:
    declared = make_window().commands.declared()
    assert [(a.id, keys) for a in declared for keys in a.shortcut if "Ctrl+Alt" in keys] == []


@pytest.mark.parametrize(
    ("press", "number"),
    [
        (Press(ord("2"), NONE, 11, "2"), 2),
        (Press(ord("É"), NONE, 11, "é"), 2),  # French, without Shift
        (Press(0x0662, NONE, 11, "٢"), 2),  # Arabic digits
        (Press(0x0662, _Held.KeypadModifier, 88, "٢"), 2),
        (Press(ord("B"), NONE, 56, "b"), None),
    ],
)
def test_digits_choose_answers(qtbot, press: Press, number: int | None) -> None:
    assert digit_of(press.event()) == number
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = LinkDialog("Which", "Which?", ["one", "two"], QFont(), parent)
    _send(dialog, press)
    assert dialog.answer() == (1 if number == 2 else 0)
