"""The coach at the desk: seen, gone to, taken, dismissed, logged; and switched off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from madcat_studio.coach.values import Advice, AdviceKind
from madcat_studio.gui.editor.coachbar import change_text
from madcat_studio.gui.editor.marks import Mark
from madcat_studio.gui.settings import COACH
from madcat_studio.model.campaign import Pass
from madcat_studio.model.visits import EventKind
from madcat_studio.scoring.changes import Splice
from madcat_studio.store import open_campaign
from madcat_studio.workspace.kit import KitWorkspace
from madcat_ter.options import TerOptions
from madcat_ter.ter import ter
from tests.gui.editor.people import Person

CHANGED = "The mayor 😀 opens on Monday a new bridge."
"""Of “The mayor opened on Monday the new bridge.”; the face keeps Qt's places and ours apart."""


@pytest.fixture
def coached(campaign: Path) -> Path:
    with open_campaign(campaign) as opened:
        opened.set_options({"editing.coach": True})
    return campaign


@pytest.fixture
def person(coached: Path, sit) -> Person:
    return sit("red1")


def rows(person: Person) -> list[str]:
    person.wait(lambda: not person.view.kit_page.coach.busy)
    shown = person.view.kit_page.coach.bar.list
    return [read(shown.item(row).text()) for row in range(shown.count())]


def read(text: str) -> str:
    """A text as it is read, without the marks that keep its English from the left to the right."""
    return text.replace("\u2066", "").replace("\u2069", "")


def marked(person: Person) -> list[str]:
    return person.box.marks.words(Mark.COACHED)


def edits(person: Person) -> float:
    segment = person.kit.segments[person.kit.current]
    return ter(segment.output, [person.box.toPlainText()], TerOptions()).edits


@pytest.mark.long
def test_what_could_be_spared_is_seen_gone_to_and_taken_by_key(person: Person) -> None:
    bar = person.view.kit_page.coach.bar
    assert rows(person) == []
    assert bar.head.text() == "Coach: no edits to spare were found."
    before = edits(person)
    person.rewrite(CHANGED)
    agreed = "the output agreed with the reference"
    assert rows(person) == [
        f"saves 2 edits · “😀 opens” → “opened” · {agreed}",
        f"saves 1 edit · “a” → “the” · {agreed}",
    ]
    assert bar.head.text() == "Coach: 3 edits could be spared."
    assert sorted(marked(person)) == ["a", "😀 opens"]
    assert person.box.toPlainText() == CHANGED, "nothing is changed by itself"
    selected = person.box.textCursor
    person.press("F9")
    assert selected().selectedText() == "😀 opens"
    person.press("F9")
    assert selected().selectedText() == "a"
    person.press("F9")
    assert selected().selectedText() == "😀 opens", "round again"
    person.press("Shift+F9")
    person.press("Ctrl+F9")
    assert person.box.toPlainText() == "The mayor 😀 opens on Monday the new bridge."
    assert edits(person) == before + 2
    assert rows(person) == [f"saves 2 edits · “😀 opens” → “opened” · {agreed}"]
    person.press("Ctrl+F9")
    assert person.box.toPlainText() == "The mayor opened on Monday the new bridge."
    assert (rows(person), marked(person)) == ([], [])
    person.press("Ctrl+Z")
    person.press("Ctrl+Z")
    assert person.box.toPlainText() == CHANGED, "each was one step"
    person.window.message_bar.hide()
    person.press("Ctrl+R")
    assert rows(person) == []
    person.press("F9")
    assert person.window.message_bar.isVisible(), "nothing to go to: said, not done"


@pytest.mark.long
def test_by_the_mouse_too(person: Person) -> None:
    person.rewrite(CHANGED)
    assert len(rows(person)) == 2
    bar = person.view.kit_page.coach.bar
    place = bar.list.visualItemRect(bar.list.item(1)).center()
    QTest.mouseClick(bar.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert person.box.textCursor().selectedText() == "a"
    bar.take.click()
    assert person.box.toPlainText() == "The mayor 😀 opens on Monday the new bridge."
    assert person.box.hasFocus()


@pytest.mark.long
def test_what_is_dismissed_is_not_shown_again(person: Person) -> None:
    bar = person.view.kit_page.coach.bar
    person.rewrite(CHANGED)
    assert len(rows(person)) == 2
    person.press("Ctrl+Shift+F9")
    assert len(rows(person)) == 1
    assert bar.head.text() == "Coach: more edits could be spared."
    assert marked(person) == ["a"]
    person.press("End")
    person.type(" Yes")
    assert [one.partition(" · ")[2].partition(" · ")[0] for one in rows(person)] == [
        "leave out “Yes”",
        "“a” → “the”",
    ]


@pytest.mark.long
def test_what_became_of_it_is_in_the_log(person: Person, coached: Path) -> None:
    person.rewrite(CHANGED)
    assert len(rows(person)) == 2
    person.press("Ctrl+F9")
    assert len(rows(person)) == 1
    person.press("Ctrl+W")
    person.wait(lambda: person.view.kit_page.workspace is None)

    def kept() -> list[tuple[str, dict[str, object]]]:
        with open_campaign(coached, read_only=True) as opened:
            events = [event for visit, *_ in opened.visits.all() for event in visit.events]
        notes = [event.says for event in events if event.kind is EventKind.NOTE]
        return [(str(name), json.loads(str(detail))) for name, detail in notes]

    assert [(name, detail["new"], detail["saves"]) for name, detail in kept()] == [
        ("coach.shown", "opened", 2),
        ("coach.shown", "the", 1),
        ("coach.taken", "opened", 2),
        ("coach.left", "the", 1),
    ]


@pytest.mark.long
def test_it_is_there_only_where_the_campaign_has_it(sit) -> None:
    person = sit("red1")
    coach = person.view.kit_page.coach
    person.rewrite(CHANGED)
    person.scored()
    assert not coach.on
    assert not coach.busy
    assert not coach.bar.isVisible()
    assert marked(person) == []


@pytest.mark.long
def test_an_editor_switches_it_off(person: Person) -> None:
    bar = person.view.kit_page.coach.bar
    person.rewrite(CHANGED)
    assert len(rows(person)) == 2
    person.window.settings.set(COACH, False)
    assert not bar.isVisible()
    assert marked(person) == []
    person.type("x")
    person.scored()
    assert rows(person) == []
    person.press("Backspace")
    person.window.settings.set(COACH, True)
    assert bar.isVisible()
    assert len(rows(person)) == 2


@pytest.mark.long
def test_a_reviewer_sees_what_the_first_pass_could_have_spared(
    coached: Path, make_window, qtbot
) -> None:
    with open_campaign(coached) as opened:
        claim = opened.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
        kit = KitWorkspace(opened, claim, folder=coached / "spool")
        kit.set_text(CHANGED, 0)
        while kit.check():
            kit.confirm_and_next()
        kit.hand_over()
    person = Person(make_window(coached), qtbot.waitUntil)
    person.sit_down("red2")
    head = person.view.kit_page.pane.first_head
    person.wait(lambda: head.text().endswith("coach: saves 3 edits"))
    assert read(head.toolTip()).splitlines() == [
        "“😀 opens” → “opened” · saves 2 edits",
        "“a” → “the” · saves 1 edit",
    ]
    assert len(rows(person)) == 2, "of the own text, which begins with it"
    person.press("Alt+Down")
    person.wait(lambda: head.text() == "First pass, and what it changed in the output")
    person.press("Alt+Up")
    person.wait(lambda: head.text().endswith("coach: saves 3 edits"))


@pytest.mark.long
def test_at_hand_over_it_tells_of_the_whole_kit(person: Person) -> None:
    person.rewrite(CHANGED)
    for _ in range(4):
        person.press("Ctrl+Return")
    assert person.kit.check() == ()
    panel = person.view.kit_page.findings
    person.press("Ctrl+Shift+H")
    person.wait(panel.isVisible)
    told = [read(panel.list.item(row).text()) for row in range(panel.list.count())]
    row = next(row for row, one in enumerate(told) if one.endswith("“the” · saves 1 edit"))
    panel.list.setCurrentRow(row)
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert "Segment 1: Coach: “😀 opens” → “opened” · saves 2 edits" in told
    person.wait(lambda: person.box.textCursor().selectedText() == "a")
    assert person.kit.current == 0


@pytest.mark.parametrize("text", ["a → “b”", "كتاب"])
def test_the_change_runs_from_the_left_in_any_language(text: str) -> None:
    splice = Splice(0, 3, text)
    both = change_text(Advice(AdviceKind.AGREED, (splice,), "old", text, 1))
    assert both == f"\u2066“old” → “{text}”\u2069"
    assert change_text(Advice(AdviceKind.AGREED, (splice,), "", text, 1)) == (
        f"put in “\u2066{text}\u2069”"
    )


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("\u00a0", " ", "“NBSP” → “blank”"),
        ("\u200e", "", "leave out “LRM”"),
        ("on Monday", "on Monday", "“on Monday” back to its place"),
    ],
)
def test_what_nobody_sees_has_a_name(old: str, new: str, wanted: str) -> None:
    one = Advice(AdviceKind.CHARACTER, (Splice(0, 1, new),), old, new, 1)
    assert read(change_text(one)) == wanted
