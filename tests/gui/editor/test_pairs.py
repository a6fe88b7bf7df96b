"""A reviewer sees three pairs of texts compared, one at a time, by key."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from madcat_studio.gui.editor.pairs import Pair
from madcat_studio.gui.settings import REVIEW_PAIR, Settings
from madcat_studio.model.campaign import Pass
from madcat_studio.store import open_campaign
from madcat_studio.workspace.desk import Desk
from tests.gui.campaigns import OUTPUTS, make_campaign
from tests.gui.editor.people import Person

OUTPUT = OUTPUTS["s1"]  # The mayor opened on Monday the new bridge.
FIRST = "The mayor opened on Monday the old bridge."
OWN = "Our mayor opened on Monday the old bridge."


@pytest.fixture
def reviewer(make_window, qtbot, tmp_path: Path) -> Person:
    where = make_campaign(tmp_path / "review")
    with open_campaign(where) as opened:
        opened.set_options({"editing.show_figures": True})
        desk = Desk(opened, tmp_path / "spool")
        kit = desk.open(desk.kits("red1")[0], "red1")
        kit.set_text(FIRST, 0)
        for _ in kit.segments:
            kit.confirm_and_next()
        kit.hand_over()
        assert opened.claims.handed_over("K1", "red", Pass.FIRST)
    person = Person(make_window(where), qtbot.waitUntil)
    person.sit_down("red2")
    return person


def compared(person: Person) -> tuple[str, str, str]:
    """The two texts whose changes are shown, and the figures."""
    panel = person.view.kit_page.pane.pairs
    shown = panel.view.alignment
    return shown.output, shown.text, panel.figures.text()


@pytest.mark.long
def test_three_pairs_by_key_with_their_marks_and_counts(reviewer: Person) -> None:
    panel = reviewer.view.kit_page.pane.pairs
    reviewer.rewrite(OWN)
    reviewer.wait(lambda: compared(reviewer)[1] == OWN)
    assert compared(reviewer) == (FIRST, OWN, "TER 11.1 % (1 edit, 9 words)")
    assert panel.head.text() == "What you changed in the first pass"
    assert [button.text() for button in panel.buttons.values()] == [
        "Yours / first · 1",
        "Yours / output · 2",
        "First / output · 1",
    ]
    reviewer.press("Ctrl+F7")
    assert compared(reviewer) == (OUTPUT, OWN, "HTER 22.2 % (2 edits, 9 words)")
    assert panel.view.accessibleName() == "What you changed in the output"
    reviewer.press("Ctrl+F7")
    assert compared(reviewer) == (OUTPUT, FIRST, "HTER 11.1 % (1 edit, 9 words)")
    assert panel.buttons[Pair.PASS].isChecked()
    assert not panel.buttons[Pair.FIRST].isChecked()
    reviewer.press("Ctrl+F7")
    assert panel.pair is Pair.FIRST
    reviewer.press("Ctrl+Shift+F7")
    assert panel.pair is Pair.PASS
    assert Settings().get(REVIEW_PAIR) == "pass", "it is remembered"
    assert reviewer.box.text() == OWN


@pytest.mark.long
def test_each_pair_is_told_to_those_who_hear(reviewer: Person, monkeypatch) -> None:
    panel = reviewer.view.kit_page.pane.pairs
    said: list[str] = []
    monkeypatch.setattr(
        "madcat_studio.gui.editor.pairs.announce", lambda _, words: said.append(words)
    )
    reviewer.rewrite(OWN)
    reviewer.wait(lambda: compared(reviewer)[1] == OWN)
    for _ in range(3):
        reviewer.press("Ctrl+F7")
    assert said == [
        "What you changed in the output: 2 changes",
        "What the first pass changed: 1 change",
        "What you changed in the first pass: 1 change",
    ]
    told = panel.buttons[Pair.OUTPUT].accessibleName()
    assert told == "What you changed in the output: 2 changes"


@pytest.mark.long
def test_what_is_taken_back_is_of_the_pair_that_is_shown(reviewer: Person) -> None:
    panel = reviewer.view.kit_page.pane.pairs
    reviewer.rewrite(OWN)
    reviewer.wait(lambda: compared(reviewer)[1] == OWN)
    QTest.mouseClick(panel.buttons[Pair.OUTPUT], Qt.MouseButton.LeftButton)
    assert panel.pair is Pair.OUTPUT
    # The first pass's change, as one of the own text against the output.
    panel.view.clicked.emit([one.text for one in panel.view.alignment.columns].index("old"))
    assert reviewer.box.text() == "Our mayor opened on Monday the new bridge."
    reviewer.press("Ctrl+Z")
    QTest.mouseClick(panel.buttons[Pair.PASS], Qt.MouseButton.LeftButton)
    panel.view.clicked.emit([one.text for one in panel.view.alignment.columns].index("old"))
    assert reviewer.box.text() == "Our mayor opened on Monday the new bridge."
    reviewer.press("Ctrl+Z")
    QTest.mouseClick(panel.buttons[Pair.FIRST], Qt.MouseButton.LeftButton)
    reviewer.wait(lambda: compared(reviewer)[:2] == (FIRST, OWN))
    panel.view.clicked.emit(0)
    assert reviewer.box.text() == FIRST


@pytest.mark.long
def test_keys_go_through_the_changes_of_the_pair_that_is_shown(reviewer: Person) -> None:
    reviewer.rewrite(OWN)
    reviewer.wait(lambda: compared(reviewer)[1] == OWN)

    def selected(times: int) -> list[str]:
        reviewer.press("Ctrl+Home")
        found = []
        for _ in range(times):
            reviewer.press("F7")
            found.append(reviewer.box.selected())
        return found

    assert selected(2) == ["Our", "old"], "the own one, and that of the first pass"
    reviewer.press("Ctrl+F7")
    assert selected(2) == ["Our", "old"], "both are the own text's against the output"
    reviewer.press("Ctrl+F7")
    assert selected(2) == ["old", "old"]


def test_a_first_pass_has_one_pair(sit) -> None:
    person = sit("red1")
    panel = person.view.kit_page.pane.pairs
    person.rewrite(FIRST)
    person.scored()
    person.press("Ctrl+F7")
    assert panel.pair is Pair.OUTPUT
    assert not panel.buttons[Pair.FIRST].isVisible()
    assert panel.head.text() == "What you changed in the output"
    assert panel.figures.text() == "", "the campaign does not show them"
