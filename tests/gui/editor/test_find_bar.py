"""Finding and replacing as in a good text editor: this one, the one before, in what is given."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from madcat_studio.gui.editor.findbar import FindBar
from madcat_studio.model.campaign import Pass, SegmentState
from madcat_studio.store import open_campaign
from madcat_studio.workspace.finding import Found, find, preceding
from tests.gui.campaigns import OUTPUTS
from tests.gui.editor.people import Person

RETURN, SHIFT = Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier


def begin(person: Person, words: str, new: str = "") -> FindBar:
    person.press("Ctrl+F")
    bar = person.view.kit_page.find_bar
    person.wait(bar.words.hasFocus)
    bar.words.setText(words)
    bar.new.setText(new)
    return bar


def texts(person: Person) -> list[str]:
    return [person.kit.own(row).text for row in (0, 1, 2, 4)]


def here(person: Person) -> tuple[int, int, int]:
    own = person.kit.own(person.kit.current)
    return (person.kit.current, *sorted((own.anchor, own.caret)))


def test_the_one_before_is_the_last_that_ends_at_the_place_or_earlier() -> None:
    places = find(["a b a", "", "a"], "a")
    assert preceding(places, 0, 0) == Found(2, 0, 1)
    assert preceding(places, 0, 1) == Found(0, 0, 1)
    assert preceding(places, 0, 4) == Found(0, 0, 1)
    assert preceding(places, 0, 5) == Found(0, 4, 5)
    assert preceding(places, 1, 0) == Found(0, 4, 5)
    assert preceding((), 1, 0) is None


def test_back_and_forth_by_enter(sit) -> None:
    person = sit("red1")
    person.press("Ctrl+Home")
    bar = begin(person, "The")
    found = []
    for modifier in (*[Qt.KeyboardModifier.NoModifier] * 4, *[SHIFT] * 4):
        QTest.keyClick(bar.words, RETURN, modifier)
        found.append(here(person)[0])
    assert found == [0, 2, 4, 0, 4, 2, 0, 4]
    assert person.box.selected() == "The"


@pytest.mark.long
def test_this_one_is_replaced_and_the_next_is_shown(sit) -> None:
    person = sit("red1")
    person.press("Ctrl+Home")
    bar = begin(person, "The", "A")
    QTest.keyClick(bar.words, RETURN)
    QTest.keyClick(bar.new, RETURN)
    assert texts(person) == ["A mayor opened on Monday the new bridge.", *list(texts(person))[1:]]
    assert texts(person)[2] == OUTPUTS["s3"]
    assert (here(person)[0], person.box.selected()) == (2, "The")
    assert bar.said == "2 in 2 segments"
    person.press("Alt+I", bar.words)
    person.wait(lambda: bar.said == "1 in 1 segment")
    person.press("Alt+I", bar.words)
    person.wait(lambda: bar.said == "0 in 0 segments")
    assert [one.split()[0] for one in texts(person)] == ["A", "He", "A", "A"]
    person.window.commands.named("kit.undo").trigger()
    assert [one.split()[0] for one in texts(person)] == ["A", "He", "A", "The"]


def test_what_is_selected_but_not_looked_for_is_not_replaced(sit) -> None:
    person = sit("red1")
    person.kit.move_caret(9, 4)
    bar = begin(person, "The", "A")
    bar.words.setText("The")
    before = texts(person)
    QTest.keyClick(bar.new, RETURN)
    assert texts(person) == before


@pytest.mark.long
def test_a_new_text_that_holds_the_old_one_is_not_replaced_again(sit) -> None:
    person = sit("red1")
    person.press("Ctrl+Home")
    bar = begin(person, "on", "on on")
    for _ in range(4):
        QTest.keyClick(bar.new, RETURN)
    assert texts(person)[0] == "The mayor opened on on M" + "on onday the new bridge."
    assert here(person)[0] != 0 or here(person)[1] > 0


@pytest.mark.long
def test_reference_and_output_are_looked_in_too(sit) -> None:
    person = sit("red1")
    person.press("Ctrl+Home")
    bar = begin(person, "187", "X")
    assert bar.said == "0 in 0 segments"
    person.press("Alt+R", bar.words)
    person.wait(lambda: bar.said == "1 in 1 segment")
    QTest.keyClick(bar.words, RETURN)
    pane = person.view.kit_page.pane
    assert person.kit.current == 2
    assert pane.reference.body.selectedText() == "187"
    assert bar.words.hasFocus()
    before = texts(person)
    person.press("Alt+A", bar.words)
    person.wait(lambda: bar.said == "0 replaced in 0 segments")
    assert texts(person) == before, "only the own text is replaced"
    bar.words.setText("metres")
    person.kit.move_caret(0)
    shown = []
    for _ in range(4):
        QTest.keyClick(bar.words, RETURN)
        own, read, output = (
            person.box.selected(),
            pane.reference.body.selectedText(),
            pane.output.body.selectedText(),
        )
        shown.append([bool(read), bool(output)])
        assert "metres" in (own, read, output)
    assert shown == [[False, False], [True, False], [False, True], [False, False]]
    QTest.keyClick(bar.words, RETURN, SHIFT)
    assert pane.output.body.selectedText() == "metres"


@pytest.mark.parametrize(
    ("answer", "state"),
    [("Keep confirmed", SegmentState.CONFIRMED), ("Make drafts", SegmentState.DRAFT), ("", None)],
)
def test_replacing_all_asks_about_what_is_confirmed(
    sit, campaign: Path, answer: str, state: SegmentState | None
) -> None:
    person = sit("red1")
    person.press("Ctrl+Return")
    person.press("Ctrl+Return")
    bar = begin(person, "The", "A")
    asked: list[str] = []

    def choose(box: QMessageBox) -> None:
        asked.append(box.text())
        buttons = {one.text().replace("&", ""): one for one in box.buttons()}
        chosen = next(
            button for text, button in buttons.items() if text.startswith(answer or "Can")
        )
        chosen.click()

    person.answer(QMessageBox, choose)
    person.press("Alt+A", bar.words)
    person.wait(lambda: bool(asked))
    assert asked == ["1 of the segments is confirmed. What should happen to it?"]
    if state is not None:
        person.wait(lambda: "replaced" in bar.said)
    words = [one.split()[0] for one in texts(person)]
    if state is None:
        assert words == ["The", "He", "The", "The"]
        return
    assert words == ["A", "He", "A", "A"]
    assert person.kit.own(0).state is state
    assert person.kit.own(2).state is SegmentState.DRAFT
    again = "; 1 confirmed one is a draft again" if state is SegmentState.DRAFT else ""
    assert bar.said == f"3 replaced in 3 segments{again}"
    if state is SegmentState.CONFIRMED:
        person.wait(lambda: not person.kit.texts.pending)
        with open_campaign(campaign) as opened:
            latest = opened.revisions.latest("K1", "red", Pass.FIRST)
        saved = {one.text for one in latest.values() if one.state is SegmentState.CONFIRMED}
        assert "A mayor opened on Monday the new bridge." in saved
    person.window.commands.named("kit.undo").trigger()
    assert person.kit.own(0).state is SegmentState.CONFIRMED
    assert texts(person)[0] == OUTPUTS["s1"]


def test_a_confirmed_text_of_which_nothing_is_left_is_no_longer_confirmed(sit) -> None:
    person = sit("red1")
    person.press("Ctrl+Return")
    person.kit.replace_all({0: "  "}, confirmed=True)
    assert person.kit.own(0).state is SegmentState.DRAFT
