"""The list of what is to be seen to: it stays while it is worked off, by key."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog

from madcat_studio.model.campaign import Flag, KitSegment, Pass, SegmentName, SegmentState
from madcat_studio.store import open_campaign
from madcat_studio.workspace.kit_values import problems_of
from madcat_studio.workspace.typing import Snapshot
from tests.gui.editor.people import Person


def listed(person: Person) -> list[str]:
    found = person.view.kit_page.findings.list
    rows = [found.item(row).text() for row in range(found.count())]
    return [one for one in rows if "Coach" not in one]


def confirm_all(person: Person) -> None:
    for _ in person.kit.segments:
        person.press("Ctrl+Return")
    assert person.kit.check() == ()


MISSING = "Segment 3: Numbers of the reference that are missing: 187"
MORE = "Segment 3: Numbers that are not in the reference: 178"


@pytest.mark.long
def test_the_list_stays_beside_the_text_and_loses_what_is_seen_to(sit) -> None:
    person = sit("red1")
    person.rewrite("The mayor opend the new bridge.")
    confirm_all(person)
    panel = person.view.kit_page.findings
    assert not panel.isVisible()
    person.press("F5")
    person.wait(panel.isVisible)
    assert listed(person) == ["Segment 1: Not in the dictionary: opend", MISSING, MORE]
    assert panel.over.isVisible()
    # The first one from where the editor was; then by key from one to the next and around.
    seen = []
    for _ in range(4):
        seen.append((person.kit.current, person.box.selected()))
        person.press("F5")
    assert set(seen) == {(0, "opend"), (2, ""), (2, "178")}
    assert seen[0] == seen[3]
    while person.kit.current != 0:
        person.press("Shift+F5")
    assert panel.isVisible()
    person.wait(person.box.hasFocus)
    person.type("opened")
    person.wait(lambda: "Segment 1: It is not confirmed" in listed(person))
    assert not panel.over.isVisible()
    person.press("Ctrl+Shift+Return")
    person.wait(lambda: listed(person) == [MISSING, MORE])
    assert panel.over.isVisible()


@pytest.mark.long
def test_a_finding_is_ignored_with_a_reason_that_goes_with_the_text(
    sit, campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = sit("red1")
    person.rewrite("The mayor Hadad opened the new bridge with Hadadi.")
    confirm_all(person)
    person.press("F5")
    panel = person.view.kit_page.findings
    person.wait(panel.isVisible)
    unknown = [one for one in listed(person) if "dictionary" in one]
    assert [one.rpartition(" ")[2] for one in unknown] == ["Hadad", "Hadadi"]
    panel.list.setCurrentRow(1)
    answers = iter([("  ", True), ("never", False), ("a name", True)])
    monkeypatch.setattr(QInputDialog, "getText", lambda *_: next(answers))
    for _ in range(2):
        QTest.keyClick(panel.list, Qt.Key.Key_Delete)
        assert person.kit.own(0).flags == {}
    QTest.keyClick(panel.list, Qt.Key.Key_Delete)
    note = "Not in the dictionary: Hadadi – a name"
    assert person.kit.own(0).flags == {Flag.NOTE: note}
    person.wait(lambda: listed(person) == [unknown[0], MISSING, MORE])
    assert panel.head.text().endswith("1 is ignored.")
    # Undo takes it back, and with it the finding comes again.
    person.press("Ctrl+Z")
    person.wait(lambda: unknown[1] in listed(person))
    person.press("Ctrl+Shift+Z")
    person.wait(lambda: unknown[1] not in listed(person))
    QTest.mouseClick(panel.over, Qt.MouseButton.LeftButton)
    person.wait(lambda: person.view.kit_page.workspace is None)
    with open_campaign(campaign) as opened:
        latest = opened.revisions.latest("K1", "red", Pass.FIRST)
    notes = [one.flags.get(Flag.NOTE) for one in latest.values() if one.flags]
    assert notes == [note]


@pytest.mark.long
def test_what_hinders_cannot_be_ignored(sit, monkeypatch: pytest.MonkeyPatch) -> None:
    person = sit("red1")
    monkeypatch.setattr(QInputDialog, "getText", lambda *_: pytest.fail("it was asked"))
    person.press("Ctrl+Shift+H")
    panel = person.view.kit_page.findings
    person.wait(panel.isVisible)
    person.wait(panel.list.hasFocus)
    before = listed(person)
    panel.list.setCurrentRow(0)
    QTest.keyClick(panel.list, Qt.Key.Key_Delete)
    assert "cannot be ignored" in panel.head.text()
    assert listed(person) == before
    QTest.keyClick(panel.list, Qt.Key.Key_Escape)
    assert not panel.isVisible()
    person.wait(person.box.hasFocus)


def test_a_word_that_the_reference_has_never_hinders() -> None:
    segment = KitSegment(
        name=SegmentName("D", "s1"),
        reference="He wrote كتاب there.",
        output="He wrote.",
        transcription=None,
        first=None,
        text=None,
        state=SegmentState.UNTOUCHED,
    )
    own = Snapshot("He wrote كتاب now.", 0, 0, state=SegmentState.CONFIRMED)
    assert list(problems_of(0, segment, own)) == []
    own = Snapshot("He wrote كتاب and قلم now.", 0, 0, state=SegmentState.CONFIRMED)
    (problem,) = problems_of(0, segment, own)
    assert problem.what == "Arabic text is left: قلم"
    assert own.text[problem.start : problem.end] == "قلم"
