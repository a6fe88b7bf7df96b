"""In every language, a letter with Alt means one thing: in the menu bar, and in short menus.

Where two entries have the same letter, it opens neither; it only goes from one to the other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from madcat_studio.gui.editor.findbar import FindBar
from madcat_studio.gui.views import VIEWS

LANGUAGES = ("en", "ar", "es", "fr")
ENOUGH = 20
"""Entries of a menu that there are letters for; the long ones are walked by their groups."""

_LETTER = re.compile(r"&(\w)")


def letters(texts: Iterable[str]) -> list[str]:
    """The letters that the texts are reached by."""
    found = (_LETTER.search(text.replace("&&", "")) for text in texts)
    return [letter[1].casefold() for letter in found if letter is not None]


def _menus(actions: list[QAction]) -> Iterator[list[str]]:
    """The entries of a menu, and of the menus in it."""
    shown = [action for action in actions if action.isVisible()]
    yield [action.text() for action in shown]
    for action in shown:
        menu = action.menu()
        if isinstance(menu, QMenu):
            yield from _menus(menu.actions())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_letter_is_one_entry_of_a_menu(
    language: str, spoken: Callable[[str], None], make_window: Callable[[], QWidget]
) -> None:
    spoken(language)
    window = make_window()
    shared: set[tuple[str, ...]] = set()
    for spec in VIEWS:
        window.show_view(spec.id)
        for menu in _menus(window.menuBar().actions()):
            times = Counter(letters(menu))
            shared.update(
                tuple(text for text in menu if letters([text]) == [letter])
                for letter, count in times.items()
                if count > 1 and len(menu) <= ENOUGH
            )
    assert sorted(shared) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_find_bar_says_of_its_letters_is_so(
    language: str, spoken: Callable[[str], None]
) -> None:
    spoken(language)
    bar = FindBar(None, lambda *_: None, lambda *_: None, lambda: None)
    buttons = [one for one in bar.findChildren(QWidget) if "Alt+" in one.toolTip()]
    said = [re.search(r"Alt\+(\w)\)", one.toolTip())[1].casefold() for one in buttons]
    assert said == letters(one.text() for one in buttons)
    assert len(set(said)) == len(said) == 7
