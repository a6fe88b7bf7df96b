"""A reviewer gives a segment back to the first editor, where the campaign allows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from madcat_studio.gui.editor.flags import FlagDialog
from madcat_studio.model.campaign import Flag, Pass, SegmentState
from madcat_studio.store import open_campaign
from tests.gui.editor.people import Person
from tests.gui.helpers import can


def finish(person: Person) -> None:
    for _ in person.kit.segments:
        person.wait(person.box.hasFocus)
        if person.kit.check():
            person.press("Ctrl+Return")
    assert person.kit.check() == ()
    person.press("Ctrl+Shift+H")
    page = person.view.kit_page
    person.wait(lambda: page.workspace is None or page.findings.isVisible())
    if page.findings.isVisible():
        page.findings.over.click()  # what is left is only worth a look
    person.wait(lambda: person.view.kit_page.workspace is None)


@pytest.mark.long
def test_a_segment_goes_back_and_comes_again(
    sit, campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_campaign(campaign) as opened:
        opened.set_options({"editing.allow_return": True})
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    told: list[str] = []
    monkeypatch.setattr(QMessageBox, "information", lambda *words: told.append(words[2]))
    first = sit("red1")
    finish(first)

    second = sit("red2")
    second.press("Ctrl+Return")
    second.rewrite("He did not name it.")
    second.press("Ctrl+Shift+B")
    assert "Flag the segments first" in told[0]

    def answer(dialog: FlagDialog) -> None:
        _, words = dialog.rows[Flag.RETURNED]
        words.setFocus()
        QTest.keyClicks(words, "not the bridge?")
        dialog.accept()

    second.answer(FlagDialog, answer)
    second.press("Ctrl+Shift+F")
    second.wait(second.box.hasFocus)
    assert "kit.returned" in [one.code for one in second.kit.check()]
    second.press("Ctrl+Shift+B")
    second.wait(lambda: second.view.kit_page.workspace is None)
    assert "with the first editor again" in second.window.message_bar.text.text()

    first = sit("red1")
    pane = first.view.kit_page.pane
    assert first.kit.current == 1, "it begins where there is something to do"
    assert pane.returned.text() == "The reviewer returned this segment: not the bridge?"
    assert [one.code for one in first.kit.check()] == ["kit.unconfirmed"]
    assert first.kit.own(0).state is SegmentState.CONFIRMED
    first.rewrite("He did not name the bridge.")
    finish(first)

    second = sit("red2")
    pane = second.view.kit_page.pane
    assert second.kit.current == 1
    assert pane.returned.text().startswith("You returned this segment, and it was done again")
    assert second.box.toPlainText() == "He did not name the bridge."
    assert second.kit.own(1).flags == {}
    finish(second)
    with open_campaign(campaign) as opened:
        texts = {one.segment: one.teams[0] for one in opened.segment_records()}
        history = opened.revisions.history("K1", "red", Pass.REVIEW)
    assert texts["s2"].first == texts["s2"].final == "He did not name the bridge."
    assert "He did not name it." in [one.text for one in history], "that text is kept as well"


@pytest.mark.long
def test_it_is_not_offered_by_default(sit, campaign: Path) -> None:
    person = sit("red1")
    assert not can(person.view, "kit.send-back")
    offered: list[Flag] = []

    def answer(dialog: FlagDialog) -> None:
        offered.extend(dialog.rows)
        dialog.reject()

    person.answer(FlagDialog, answer)
    person.press("Ctrl+Shift+F")
    assert Flag.RETURNED not in offered
    assert Flag.NOTE in offered
