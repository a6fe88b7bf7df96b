"""Everything that can be done is found by its words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest

from madcat_studio.gui.palette import Entry, Palette, folded
from madcat_studio.gui.views import VIEWS
from tests.gui.helpers import NORMAL, copy_sample


def _opened(window) -> Palette:
    window.commands.named("help.find-action").trigger()
    [palette] = [one for one in window.findChildren(Palette) if one.isVisible()]
    return palette


@pytest.mark.long
def test_words_find_an_action_and_enter_does_it(user, tmp_path: Path) -> None:
    someone = user(copy_sample(NORMAL, tmp_path, image=False))
    window = someone.window
    fill = window.commands.named("page.fill")
    before = fill.isChecked()
    palette = _opened(window)
    # All that is there, and no action of another view.
    there = {made.text().replace("&", "").rstrip("…") for _, made in window.commands.there()}
    assert set(palette.titles()) == there
    assert "Confirm and next" not in there
    title = fill.text().replace("&", "")
    QTest.keyClicks(palette.search, title.lower())
    assert palette.titles()[0] == title
    QTest.keyClick(palette.search, Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert fill.isChecked() is not before


def test_keys_stand_from_left_to_right_in_a_mirrored_window(make_window, qapp) -> None:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        window = make_window()
        window.commands.named("help.find-action").trigger()
        palette = window.findChild(Palette)
        rows = [palette.tree.topLevelItem(row) for row in range(palette.tree.topLevelItemCount())]
        keys = {row.text(2) for row in rows}
        assert "\u2066Ctrl+,\u2069" in keys
        assert "" in keys
        palette.reject()
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_the_beginning_of_a_title_comes_first_and_keys_walk(make_window) -> None:
    window = make_window()
    palette = _opened(window)
    QTest.keyClicks(palette.search, "open")
    assert all(title.startswith("Open") for title in palette.titles()[:5])
    QTest.keyClick(palette.search, Qt.Key.Key_Down)
    assert palette.tree.currentItem().text(0) == palette.titles()[1]
    assert palette.search.text() == "open"
    # Then a word that begins so, then any; what only the menu or the hint has comes last.
    made = window.commands.named("help.about")
    entries = [Entry(title, "Outlines", "", made) for title in ("A", "Outlines", "Show lines")]
    found = Palette([*entries, Entry("Line by line", "", "", made)], window)
    found.search.setText("lin")
    assert found.titles() == ["Line by line", "Show lines", "Outlines", "A"]
    palette.search.setText("")
    # By its menu and its hint as well; words in any order.
    QTest.keyClicks(palette.search, "address server")
    assert palette.titles() == ["Open a campaign on a server"]
    row = palette.tree.topLevelItem(0)
    assert row.text(1) == "File"
    keys = QKeySequence("Ctrl+Shift+L").toString(QKeySequence.SequenceFormat.NativeText)
    assert row.text(2) == keys


@pytest.mark.long
@pytest.mark.parametrize("language", ["ar", "es", "fr"])
def test_every_action_is_found_in_the_language_and_in_english(
    make_window, spoken: Callable[[str], None], language: str
) -> None:
    spoken(language)
    window = make_window()
    for view in ("home", *(spec.id for spec in VIEWS)):
        window.show_view(view)
        palette = _opened(window)
        assert len(palette._entries) > 30
        for entry in palette._entries:
            plain = folded(entry.title)
            for said in (entry.title, plain, plain.upper(), entry.english, entry.english.lower()):
                assert entry.rank(folded(said).split()) is not None, f"{view}: {said}"
        palette.reject()


def test_its_english_name_leads_to_an_action_in_arabic(
    make_window, spoken: Callable[[str], None]
) -> None:
    spoken("ar")
    window = make_window()
    for typed in ("settings", "اعدادات"):
        palette = _opened(window)
        palette.search.setText(typed)
        assert palette.titles()[0] == "الإعدادات"
        palette.reject()


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("Édition", "edition"),
        ("Ñandú", "nandu"),
        ("الإعدادات", "الاعدادات"),
        ("حزمة", "حزمه"),
        ("مستوى", "مستوي"),
        ("حُفظ", "حفظ"),
        ("كتـــاب", "كتاب"),
        ("Straße", "strasse"),
    ],
)
def test_letters_that_people_leave_out_need_not_be_typed(written: str, typed: str) -> None:
    assert folded(written) == folded(typed)


def test_what_cannot_be_done_now_comes_last_and_says_so(make_window) -> None:
    window = make_window()
    palette = _opened(window)
    passphrase = window.commands.named("file.passphrase")
    assert not passphrase.isEnabled()
    ran: list[bool] = []
    passphrase.triggered.connect(lambda: ran.append(True))
    QTest.keyClicks(palette.search, "passphrase change")
    assert palette.titles() == ["Coordinator's passphrase"]
    assert palette._hint.text() == "Not available now."
    QTest.keyClick(palette.search, Qt.Key.Key_Return)
    assert palette.isVisible()
    assert not ran
    palette.search.setText("zzz")
    assert palette.titles() == []
    assert palette._hint.text() == "No action matches all these words."
    palette.search.clear()
    resting = [palette.tree.topLevelItem(row).isDisabled() for row in range(len(palette.titles()))]
    assert resting == sorted(resting)
    assert any(resting)
