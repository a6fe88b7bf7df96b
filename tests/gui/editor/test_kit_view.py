"""Kits in the window, by the keys that an editor presses."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog, QLabel, QMessageBox

from madcat_studio.errors import ConflictError, WorldError
from madcat_studio.gui.editor.flags import FlagDialog
from madcat_studio.gui.editor.guidelines import TextDialog
from madcat_studio.gui.editor.segmentlist import KitSegmentModel
from madcat_studio.gui.settings import ARABIC_SIZE, DICTIONARY, ENGLISH_SIZE, SPELLING
from madcat_studio.gui.shortcutsheet import ShortcutSheet
from madcat_studio.model.campaign import Flag, Pass, PassState, SegmentState
from madcat_studio.operations.campaign.edits_table import import_edits
from madcat_studio.operations.campaign.kit_files import export_kit
from madcat_studio.scoring.columns import ColumnKind
from madcat_studio.store import open_campaign, take_back
from madcat_studio.workspace.desk import Desk
from madcat_studio.workspace.kit import KitWorkspace
from tests.gui.campaigns import OUTPUTS, make_campaign
from tests.gui.editor.people import Person
from tests.gui.helpers import can, run


@pytest.mark.long
def test_two_people_do_a_kit_without_the_mouse(
    sit, campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    first = sit("red1")
    assert first.box.toPlainText() == OUTPUTS["s1"]
    assert first.box.hasFocus()
    first.press("Ctrl+Return")  # confirmed unchanged
    assert first.kit.current == 1
    first.rewrite("He did not name the builder.")
    first.press("Ctrl+Return")
    first.rewrite("The bridge is 187 metres long.")
    first.press("Ctrl+Return")
    assert first.kit.current == 4, "a segment without output is nothing to do"
    first.press("Ctrl+Return")
    assert first.kit.check() == ()
    first.press("Ctrl+Shift+H")
    first.wait(lambda: first.view.kit_page.workspace is None)
    with open_campaign(campaign) as opened:
        assert opened.claims.handed_over("K1", "red", Pass.FIRST)

    second = sit("red2")
    second.press("Ctrl+Return")
    assert second.kit.segments[1].first == "He did not name the builder."
    assert second.box.toPlainText() == "He did not name the builder."
    assert second.view.kit_page.pane.first.alignment.text == "He did not name the builder."
    second.rewrite("He did not name its builder.")
    second.press("Ctrl+R")
    assert second.box.toPlainText() == "He did not name the builder."
    second.press("Ctrl+Z")
    assert second.box.toPlainText() == "He did not name its builder."
    for _ in range(3):
        second.press("Ctrl+Return")
    second.press("Ctrl+Shift+H")
    second.wait(lambda: second.view.kit_page.workspace is None)

    with open_campaign(campaign) as opened:
        texts = {record.segment: record.teams[0] for record in opened.segment_records()}
    assert texts["s2"].first == "He did not name the builder."
    assert texts["s2"].final == "He did not name its builder."
    assert texts["s1"].final == OUTPUTS["s1"]


def test_an_editor_sees_neither_a_system_nor_where_a_page_comes_from(sit) -> None:
    page = sit("red1").view.kit_page
    model = page.findChild(KitSegmentModel)
    roles = (
        KitSegmentModel.DOCUMENT,
        Qt.ItemDataRole.AccessibleTextRole,
        Qt.ItemDataRole.ToolTipRole,
    )
    shown = [
        *(f"{label.text()} {label.toolTip()}" for label in page.findChildren(type(page.side.kit))),
        *(str(model.index(row, 0).data(role)) for row in range(3) for role in roles),
    ]
    assert any("K1.01" in text for text in shown)
    for hidden in ("X1", "Secretly", "D_1_S1", "s1"):
        assert not any(hidden in text for text in shown), hidden


@pytest.mark.long
def test_the_newest_text_is_what_is_aligned(sit) -> None:
    person = sit("red1")
    person.type(" Really and truly it was on Monday.")
    person.scored()
    person.press("Ctrl+Return")
    person.scored()
    kinds = {column.kind for column in person.view.kit_page.pane.changes.alignment.columns}
    assert kinds == {ColumnKind.MATCH}


@pytest.mark.long
def test_undo_and_redo_bring_back_text_caret_selection_and_state(sit) -> None:
    person = sit("red1")
    person.press("Ctrl+Home")
    person.press("Ctrl+Shift+Right")
    selection = person.box.caret()
    person.type("A")
    assert person.box.toPlainText().startswith("Amayor")
    assert person.kit.own(0).state is SegmentState.DRAFT
    person.press("Ctrl+Z")
    assert person.box.toPlainText() == OUTPUTS["s1"]
    assert person.box.caret() == selection
    assert person.kit.own(0).state is SegmentState.UNTOUCHED
    person.press("Ctrl+Shift+Z")
    assert person.box.toPlainText().startswith("Amayor")


@pytest.mark.long
def test_words_move_by_key_as_one_shift(sit) -> None:
    person = sit("red1")
    person.press("Ctrl+Home")
    person.press("Alt+Right")
    assert person.box.toPlainText() == "mayor The opened on Monday the new bridge."
    person.press("Alt+Right")
    assert person.box.toPlainText() == "mayor opened The on Monday the new bridge."
    person.press("Ctrl+Z")
    person.press("Ctrl+Z")
    assert person.box.toPlainText() == OUTPUTS["s1"]


@pytest.mark.long
def test_words_move_by_dragging_as_one_step(sit) -> None:
    person = sit("red1")
    person.box.dragged.emit(17, 26, 37)
    assert person.box.toPlainText() == "The mayor opened the new bridge on Monday."
    assert person.box.textCursor().selectedText() == "on Monday"
    person.press("Ctrl+Z")
    assert person.box.toPlainText() == OUTPUTS["s1"]


def changed_columns(view) -> list[int]:
    return [
        number
        for number, column in enumerate(view.alignment.columns)
        if column.kind is not ColumnKind.MATCH or column.shift
    ]


def click_change(view, number: int) -> None:
    """Click on a column of an alignment, where it is painted."""
    placed = next(one for one in view._flow.placed if one.number == number)
    QTest.mouseClick(
        view,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        (view._box(placed).bottomLeft() + QPointF(3, -8)).toPoint(),
    )


@pytest.mark.long
def test_one_change_is_taken_back_by_a_click_and_by_key(sit) -> None:
    person = sit("red1")
    person.press("Ctrl+Home")
    person.press("Ctrl+Shift+Right")
    person.type("Our ")
    person.press("Ctrl+End")
    person.type(" Indeed")
    person.scored()
    both = person.box.toPlainText()
    view = person.view.kit_page.pane.changes
    click_change(view, changed_columns(view)[0])
    assert person.box.toPlainText() == (OUTPUTS["s1"] or "") + " Indeed"
    person.press("Ctrl+Shift+T")
    assert person.box.toPlainText() == (OUTPUTS["s1"] or "") + " Indeed"
    assert person.window.message_bar.isVisible(), "the caret stands in no change: said, not done"
    person.press("Ctrl+End")
    person.press("Ctrl+Shift+T")
    assert person.box.toPlainText() == OUTPUTS["s1"]
    person.press("Ctrl+Z")
    person.press("Ctrl+Z")
    assert person.box.toPlainText() == both


@pytest.mark.long
def test_a_reviewer_rejects_one_change_of_the_first_pass(
    make_window, qtbot, campaign: Path
) -> None:
    finish_first_pass(campaign, "Our mayor opened on Monday the long bridge.")
    person = Person(make_window(campaign), qtbot.waitUntil)
    person.sit_down("red2")
    view = person.view.kit_page.pane.first
    person.wait(lambda: len(changed_columns(view)) == 2)
    person.press("Ctrl+End")
    person.type(" Yes.")
    click_change(view, changed_columns(view)[0])
    assert person.box.toPlainText() == "The mayor opened on Monday the long bridge. Yes."
    click_change(view, changed_columns(view)[0])
    assert person.box.toPlainText() == "The mayor opened on Monday the long bridge. Yes."
    assert person.window.message_bar.isVisible(), "that place is changed already"
    person.scored()
    assert person.view.kit_page.pane.changes.alignment.output == person.kit.segments[0].first


def finish_first_pass(campaign: Path, text: str) -> None:
    """Somebody did the first pass; its first segment has this text."""
    with open_campaign(campaign) as opened:
        claim = opened.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
        kit = KitWorkspace(opened, claim, folder=campaign / "spool")
        kit.set_text(text, 0)
        while kit.check():
            kit.confirm_and_next()
        kit.hand_over()


@pytest.mark.long
def test_a_reviewer_goes_through_the_changes_by_key(make_window, qtbot, campaign: Path) -> None:
    finish_first_pass(campaign, "Our mayor opened on Monday the long bridge.")
    person = Person(make_window(campaign), qtbot.waitUntil)
    person.sit_down("red2")
    first = person.view.kit_page.pane.first
    person.wait(lambda: len(changed_columns(first)) == 2)
    selected = person.box.textCursor
    person.press("Ctrl+Home")
    person.press("F7")
    assert selected().selectedText() == "Our"
    person.press("F7")
    assert selected().selectedText() == "long"
    person.press("Ctrl+Shift+T")  # rejected: the output's word is back
    assert person.box.toPlainText() == "Our mayor opened on Monday the new bridge."
    person.scored()
    person.press("Ctrl+Shift+T")  # and that is taken back too: it is the own change now
    assert person.box.toPlainText() == "Our mayor opened on Monday the long bridge."
    person.press("Ctrl+End")
    person.type(" Yes.")
    person.scored()
    person.press("F7")
    assert selected().selectedText() == "Our", "round again"
    person.press("Shift+F7")
    assert selected().selectedText() == ". Yes"
    for _ in range(12):
        person.press("Ctrl+Z")
    assert person.box.toPlainText() == person.kit.segments[0].first
    person.press("Ctrl+Return")
    person.press("F7")
    assert person.window.message_bar.isVisible(), "nothing is changed there: said, not done"


@pytest.mark.long
def test_a_word_of_the_reference_is_inserted_by_key(sit) -> None:
    person = sit("red1")
    pane = person.view.kit_page.pane
    person.press("Ctrl+Home")
    person.press("F6")
    assert pane.reference.body.hasFocus()
    for keys in ("Right",) * 4 + ("Ctrl+Shift+Right",):
        person.press(keys, pane.reference.body)
    assert pane.selected_words().strip() == "mayor"
    person.press("Ctrl+I")
    assert person.box.toPlainText() == "mayor " + (OUTPUTS["s1"] or "")
    assert person.box.hasFocus()
    assert not pane.reference.body.hasSelectedText()
    for stop in (pane.reference.body, pane.output.body, person.box):
        person.press("F6")
        assert stop.hasFocus()


@pytest.mark.parametrize("text", ["محمد علي went home (in 2009).", "GALE 2009", "𝒜 قال"])
def test_the_direction_is_that_of_the_language(sit, text: str) -> None:
    """A13: English stays at the left whatever it begins with, and no marks get into the text."""
    person = sit("red1")
    person.rewrite("")
    person.press("Delete")
    mime = QMimeData()
    mime.setText(text)
    person.box.insertFromMimeData(mime)
    option = person.box.document().defaultTextOption()
    assert option.textDirection() is Qt.LayoutDirection.LeftToRight
    line = person.box.document().firstBlock().layout().lineAt(0)
    assert line.naturalTextRect().left() < 20
    assert person.kit.own(0).text == text
    caret = person.kit.own(0).caret
    assert caret == len(text), "places count characters, not UTF-16 units"


@pytest.mark.long
def test_a_name_that_goes_away_leaves_the_direction(sit) -> None:
    person = sit("red1")
    person.press("Ctrl+A")
    person.type("محمد علي opened (in 2009).")
    person.press("Ctrl+Home")
    person.press("Ctrl+Shift+Right")
    person.press("Ctrl+Shift+Right")
    person.press("Delete")
    assert person.box.toPlainText() == person.kit.own(0).text == "opened (in 2009)."
    assert person.box.document().defaultTextOption().textDirection() is (
        Qt.LayoutDirection.LeftToRight
    )
    line = person.box.document().firstBlock().layout().lineAt(0)
    assert line.naturalTextRect().left() < 20


def test_what_no_file_can_hold_stays_outside(sit) -> None:
    """A7, by pasting: the text is clean, and the editor is told."""
    person = sit("red1")
    person.press("Ctrl+A")
    mime = QMimeData()
    mime.setText("one\x0btwo\x04 three\nfour\ud800 five\ufffe")
    person.box.insertFromMimeData(mime)
    assert person.kit.own(0).text == "one two three four five"
    assert person.window.message_bar.isVisible()


def test_an_empty_text_needs_a_reason(sit, monkeypatch: pytest.MonkeyPatch) -> None:
    person = sit("red1")
    answers = iter([("", False), ("The line is unreadable", True)])
    monkeypatch.setattr(QInputDialog, "getText", lambda *_: next(answers))
    person.press("Ctrl+A")
    person.press("Delete")
    person.press("Ctrl+Return")
    assert person.kit.current == 0
    person.press("Ctrl+Return")
    assert person.kit.own(0).reason == "The line is unreadable"
    assert person.kit.current == 1


def listed(person: Person) -> list[str]:
    """What the list of findings shows."""
    found = person.view.kit_page.findings.list
    return [found.item(row).text() for row in range(found.count())]


@pytest.mark.long
def test_hand_over_leads_to_what_is_left_to_do(sit) -> None:
    person = sit("red1")
    person.press("Ctrl+Return")
    person.rewrite("He did not name محمد there.")
    person.press("Ctrl+Shift+Return")
    person.press("Ctrl+Return")
    person.press("Ctrl+Shift+H")
    panel = person.view.kit_page.findings
    person.wait(panel.isVisible)
    hinders = [one for one in listed(person) if "It is not" in one or "Arabic" in one]
    assert [text.partition(":")[0] for text in hinders] == ["Segment 2", "Segment 3", "Segment 5"]
    assert not panel.over.isVisible()
    while "Arabic" not in panel.list.currentItem().text():
        QTest.keyClick(panel.list, Qt.Key.Key_Down)
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert person.kit.current == 1
    assert person.box.textCursor().selectedText() == "محمد"
    person.wait(person.box.hasFocus)


@pytest.mark.long
def test_text_comes_back_at_the_next_start(sit, qtbot) -> None:
    person = sit("red1")
    person.type(" And more")
    text = person.box.toPlainText()
    person.window.close()
    again = sit("red1")
    assert again.box.toPlainText() == text
    assert again.kit.current == 0


@pytest.mark.long
def test_a_kit_is_open_only_once(sit, make_window, qtbot, campaign: Path) -> None:
    sit("red1")
    other = Person(make_window(campaign), qtbot.waitUntil)
    other.wait(lambda: other.window.current_view() is not None)
    other.wait(lambda: bool(other.view.desk_page.buttons))
    told: list[str] = []
    other.window.messages.posted.connect(lambda message: told.append(message.text))

    def dismiss() -> None:
        dialog = QApplication.activeModalWidget()
        if dialog is not None:
            told.append(dialog.windowTitle())
            dialog.close()

    timer = QTimer()
    timer.timeout.connect(dismiss)
    timer.start(50)
    QTest.keyClick(other.view.desk_page.buttons[0], Qt.Key.Key_Space)
    other.wait(lambda: bool(told))
    timer.stop()
    assert other.view.kit_page.workspace is None


@pytest.mark.long
def test_the_list_of_segments_is_a_sound_model(sit) -> None:
    person = sit("red1")
    model = person.view.kit_page.side.model
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    person.type("!")
    person.press("Ctrl+Return")
    assert model.index(0).data(model.STATE) == SegmentState.CONFIRMED
    assert model.index(3).data(model.STATE) is None
    del tester


@pytest.mark.long
def test_the_source_is_shown_only_where_allowed(make_window, qtbot, tmp_path: Path) -> None:
    open_to_all = make_campaign(tmp_path / "open", show_source=True)
    person = Person(make_window(open_to_all), qtbot.waitUntil)
    person.sit_down("blue1")
    source = person.view.kit_page.pane.source.body
    assert source.isVisible()
    assert source.text() == "افتتح رئيس البلدية الجسر"


@pytest.mark.long
def test_the_source_is_hidden_by_default(sit) -> None:
    assert not sit("blue1").view.kit_page.pane.source.isVisible()


def test_the_page_and_figures_are_shown_only_where_allowed(
    make_window, qtbot, tmp_path: Path
) -> None:
    where = make_campaign(tmp_path / "seen", show_page=True)
    person = Person(make_window(where), qtbot.waitUntil)
    person.sit_down("red1")
    pane = person.view.kit_page.pane
    assert pane.strip.isVisible()
    person.wait(lambda: pane.strip.pyramid is not None)
    person.wait(lambda: "HTER" in pane.figures.text())
    middle = pane.strip.grab().toImage().pixelColor(pane.strip.rect().center())
    edge = pane.strip.grab().toImage().pixelColor(8, pane.strip.height() - 8)
    assert middle.lightness() > edge.lightness(), "the line is lit, the rest of the page is dimmed"
    person.press("Ctrl+Return")
    person.wait(lambda: "names no lines" in pane.strip._said)


def test_neither_page_nor_figures_are_shown_by_default(sit) -> None:
    person = sit("red1")
    person.scored()
    assert not person.view.kit_page.pane.strip.isVisible()
    assert person.view.kit_page.pane.figures.text() == ""


def test_a_folder_that_is_gone_is_asked_about_and_a_table_saves_the_texts(
    sit, campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = sit("red1")
    person.rewrite("The mayor\u00a0opened the bridge.")
    away = campaign.with_name("away")
    campaign.rename(away)
    table = tmp_path / "texts.tsv"
    asked: list[str] = []
    answers = ["Sta&y", "&Try again", "&Save as a table…"]

    def answer(box: QMessageBox) -> int:
        asked.append(box.text())
        wanted = answers.pop(0)
        next(button for button in box.buttons() if button.text() == wanted).click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", answer)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(table), ""))
    person.window.close()
    assert person.window.isVisible(), "its editor stays"
    assert asked[0].startswith("1 of your texts is on this machine only")
    person.window.close()
    assert not person.window.isVisible()
    assert len(asked) == 3
    assert not answers
    # Another campaign, made of what is left, takes it in, character for character.
    assert import_edits(str(away), table).done[0] == "1 text added"
    with open_campaign(away) as opened:
        (latest,) = opened.revisions.latest("K1", "red", Pass.FIRST).values()
    assert latest.text == "The mayor\u00a0opened the bridge."
    assert latest.editor == "red1"


def test_a_folder_that_comes_back_is_asked_about_no_more(
    sit, campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = sit("red1")
    person.type(" One.")
    away = campaign.with_name("away")
    campaign.rename(away)

    def answer(box: QMessageBox) -> int:
        away.rename(campaign)
        next(button for button in box.buttons() if button.text() == "&Try again").click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", answer)
    person.window.close()
    assert not person.window.isVisible()
    with open_campaign(campaign) as opened:
        (latest,) = opened.revisions.latest("K1", "red", Pass.FIRST).values()
    assert latest.text == f"{OUTPUTS['s1']} One."


@pytest.mark.long
def test_keys_still_work_after_a_look_at_the_sheet_of_all_keys(sit) -> None:
    person = sit("red1")
    seen: list[list[str]] = []

    def look(sheet: ShortcutSheet) -> None:
        seen.append(sheet.headings())
        QTest.keyClicks(sheet.search, "confirm")
        assert {meaning for meaning, _ in sheet.shown()} >= {"Confirm and next"}
        assert "Outlines" not in sheet.headings()
        sheet.accept()

    person.answer(ShortcutSheet, look)
    person.press("Shift+F1")
    assert seen[0][0] == "Kit", "what one is doing comes first"
    assert "Pages: Outlines" in seen[0]
    assert seen[0].index("Kits") < seen[0].index("Pages")
    person.window.activateWindow()
    person.wait(person.window.isActiveWindow)
    person.press("Ctrl+Home")
    person.press("Alt+Right")
    assert person.box.toPlainText() == "mayor The opened on Monday the new bridge."
    menus = [one.text() for one in person.window.menuBar().actions() if one.isVisible()]
    assert "&Kit" in menus
    assert "&Outlines" not in menus


@pytest.mark.long
def test_a_name_is_chosen_by_arrows_and_only_what_can_be_done_is_offered(
    make_window, qtbot, campaign: Path
) -> None:
    with open_campaign(campaign) as opened:
        desk = Desk(opened)

        def finish(editor: str) -> None:
            kit = desk.open(desk.kits(editor)[0], editor)
            for _ in kit.segments:
                kit.confirm_and_next()
            kit.hand_over()

        def may_take_back(editor: str) -> list[bool]:
            kits = desk.kits(editor)
            return [kit.may_take_back for kit in kits if kit.state is PassState.HANDED_OVER]

        finish("red1")
        assert may_take_back("red1") == [True]
        desk.open(desk.kits("red2")[0], "red2").close()
        assert may_take_back("red1") == [False]
        finish("red2")
        assert (may_take_back("red1"), may_take_back("red2")) == ([False], [False])
        final = desk.kits("red2")[0]
        with pytest.raises(ConflictError) as refused:
            desk.take_back(final, "red2")
        assert refused.value.code == "store.final"
        assert opened.claims.handed_over("K1", "red", Pass.REVIEW)
    person = Person(make_window(campaign), qtbot.waitUntil)
    person.wait(lambda: person.window.current_view() is not None)
    page = person.view.desk_page
    page.who.setFocus()
    for editor, offered in (("red1", []), ("red2", [])):
        while page.who.currentData() != editor:
            QTest.keyClick(page.who, Qt.Key.Key_Down)
        person.wait(lambda: not page.is_waiting)
        assert [button.text() for button in page.buttons] == offered
        said = "Final" if editor == "red2" else "The reviewer has begun"
        assert said in [label.text() for label in page.findChildren(QLabel)]
        assert page.who.hasFocus(), "the next arrow is for the next name"


@pytest.mark.long
def test_find_and_replace_over_the_kit_is_one_step(sit) -> None:
    person = sit("red1")
    person.press("Ctrl+F")
    bar = person.view.kit_page.find_bar
    person.wait(lambda: bar.words.hasFocus())
    QTest.keyClicks(bar.words, "The")
    assert bar.said == "3 in 3 segments"
    QTest.keyClick(bar.words, Qt.Key.Key_Return)
    assert person.box.textCursor().selectedText() == "The"
    assert person.kit.current == 2, "the next one behind the caret"
    assert bar.words.hasFocus()
    QTest.keyClick(bar.words, Qt.Key.Key_Return)
    QTest.keyClick(bar.words, Qt.Key.Key_Return)
    assert person.kit.current == 0
    QTest.keyClicks(bar.new, "That")
    person.press("Alt+A", bar.words)
    person.wait(lambda: bar.said == "3 replaced in 3 segments")
    texts = [person.kit.own(row).text for row in range(5)]
    assert [text.split()[:1] for text in texts] == [["That"], ["He"], ["That"], [], ["That"]]
    QTest.keyClick(bar.new, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    person.wait(lambda: person.box.hasFocus())
    person.press("Ctrl+Z")
    assert [person.kit.own(row).text for row in range(5)] == [
        text or "" for text in OUTPUTS.values()
    ]
    assert person.kit.own(4).state is SegmentState.UNTOUCHED


@pytest.mark.long
def test_whole_words_are_found_by_key_and_the_choice_is_remembered(
    sit, make_window, qtbot, campaign: Path
) -> None:
    person = sit("red1")
    person.press("Ctrl+F")
    bar = person.view.kit_page.find_bar
    person.wait(lambda: bar.words.hasFocus())
    QTest.keyClicks(bar.words, "ed")
    assert bar.said == "1 in 1 segment"
    person.press("Alt+W", bar.words)
    person.wait(lambda: bar.said == "0 in 0 segments")
    assert bar.words.hasFocus()
    bar.words.clear()
    QTest.keyClicks(bar.words, "opened")
    assert bar.said == "1 in 1 segment"
    person.press("Alt+U", bar.words)
    person.wait(lambda: not bar.case.isChecked())
    person.window.close()
    other = Person(make_window(campaign), qtbot.waitUntil)
    other.wait(lambda: other.window.current_view() is not None)
    again = other.view.kit_page.find_bar
    assert (again.case.isChecked(), again.whole.isChecked()) == (False, True)


@pytest.mark.long
def test_a_word_of_the_reference_is_inserted(sit) -> None:
    person = sit("red1")
    label = person.view.kit_page.pane.reference.body
    person.press("End")
    person.press("Left")
    QTest.mouseDClick(label, Qt.MouseButton.LeftButton, pos=label.rect().topLeft() + QPoint(12, 8))
    assert person.box.toPlainText() == "The mayor opened on Monday the new bridge The."
    person.press("Ctrl+Z")
    assert person.box.toPlainText() == OUTPUTS["s1"]
    label.setSelection(4, 12)
    person.press("Ctrl+Home")
    person.press("Ctrl+I")
    assert person.box.toPlainText().startswith("mayor opened The mayor")
    run(person.view, "kit.copy-output")
    assert QApplication.clipboard().text() == OUTPUTS["s1"]


@pytest.mark.long
def test_what_was_nowhere_before_is_marked_and_the_caret_stays(sit) -> None:
    person = sit("red1")
    pane = person.view.kit_page.pane
    person.press("Ctrl+Home")
    person.type("“A")
    where = person.box.caret()
    assert pane.odd.isVisible()
    assert "U+201C" in pane.odd.text()
    assert len(person.box.marks.words()) == 1
    run(person.view, "kit.invisible")
    person.type("\u200f")
    person.box.grab()
    assert "RLM" in pane.odd.text()
    assert person.box.caret() == (where[0] + 1, where[1] + 1)
    for _ in range(3):
        person.press("Backspace")
    assert not pane.odd.isVisible()
    assert person.box.marks.words() == []
    assert person.box.toPlainText() == OUTPUTS["s1"]


@pytest.mark.long
def test_advice_hinders_nothing_and_leads_to_its_place(sit, campaign: Path) -> None:
    person = sit("red1")
    person.rewrite("The mayor opend the new bridge.")
    for _ in range(4):
        person.press("Ctrl+Return")
    assert person.kit.check() == ()
    panel = person.view.kit_page.findings
    person.press("Ctrl+Shift+H")
    person.wait(panel.isVisible)
    told = listed(person)
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert [text.partition(": ")[0] for text in told] == ["Segment 1"] + ["Segment 3"] * 2, (
        "187 and 178"
    )
    assert told[0].endswith("Not in the dictionary: opend")
    assert person.kit.current == 0
    assert person.box.textCursor().selectedText() == "opend"
    person.wait(person.box.hasFocus)
    QTest.mouseClick(panel.over, Qt.MouseButton.LeftButton)
    person.wait(lambda: person.view.kit_page.workspace is None)
    assert not panel.isVisible()
    with open_campaign(campaign) as opened:
        assert opened.claims.handed_over("K1", "red", Pass.FIRST)


@pytest.mark.long
def test_spelling_is_marked_after_a_rest_and_moves_nothing(sit, qtbot) -> None:
    person = sit("red1")
    person.press("Ctrl+Home")
    person.type("Teh ")
    where = person.box.caret()
    marks = person.box.marks.words
    person.wait(lambda: marks() == ["Teh"])
    assert person.box.caret() == where
    person.press("Shift+End")
    marked = person.box.caret()
    person.window.settings.set(SPELLING, False)
    person.press("Ctrl+Home")
    person.type("x")
    person.wait(lambda: not marks())
    assert marked[0] != marked[1]


@pytest.mark.long
def test_a_suggestion_is_taken_from_the_menu(sit) -> None:
    person = sit("red1")
    person.press("Ctrl+Home")
    person.type("Brigde ")
    person.wait(lambda: bool(person.box.marks.words()))
    menu = person.box.menu_at(person.box.cursorRect().topLeft() - QPoint(20, -4))
    names = [action.objectName() for action in menu.actions()]
    assert "edit-copy" in names
    assert "edit-undo" not in names, "the history is the kit's"
    person.wait(lambda: any(action.text() == "Bridge" for action in menu.actions()))
    next(action for action in menu.actions() if action.text() == "Bridge").trigger()
    assert person.box.toPlainText() == "Bridge " + (OUTPUTS["s1"] or "")
    person.press("Ctrl+Z")
    assert person.box.toPlainText() == "Brigde " + (OUTPUTS["s1"] or "")
    menu.deleteLater()


@pytest.mark.long
def test_another_dictionary_is_taken_and_a_missing_one_told_once(sit, tmp_path: Path) -> None:
    person = sit("red1")
    told: list[str] = []
    person.window.messages.posted.connect(lambda message: told.append(message.text))
    marks = person.box.marks.words
    person.window.settings.set(DICTIONARY, str(tmp_path / "none.dic"))
    person.type(" Teh bridg")
    person.wait(lambda: bool(told))
    person.type(" agin")
    person.scored()
    assert len(told) == 1
    assert told[0].startswith("Spelling is not marked. The dictionary cannot be used: no such file")
    assert str(tmp_path) in told[0]
    (tmp_path / "own.aff").write_bytes(b"SET UTF-8\n")
    (tmp_path / "own.dic").write_bytes(b"2\nTeh\nmayor\n")
    person.window.settings.set(DICTIONARY, str(tmp_path / "own.dic"))
    person.wait(lambda: bool(marks()))
    assert marks() == ["bridg", "agin"]
    person.window.settings.set(SPELLING, False)
    assert not marks()


def test_guidelines_are_there_to_read(make_window, qtbot, campaign: Path) -> None:
    with open_campaign(campaign) as opened:
        opened.set_guidelines("# Rules\n\nEdit *little*.")
    person = Person(make_window(campaign), qtbot.waitUntil)
    person.sit_down("red1")
    assert can(person.view, "kit.guidelines")
    run(person.view, "kit.guidelines")
    dialog = person.view.findChild(TextDialog)
    assert "Edit little." in dialog.page.toPlainText()
    assert not dialog.isModal()
    dialog.close()


@pytest.mark.long
def test_a_segment_is_flagged_and_undo_takes_the_flag_back(sit, campaign: Path) -> None:
    person = sit("red1")

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, FlagDialog)
        check, words = dialog.rows[Flag.SCRIBE_ERROR]
        words.setFocus()
        QTest.keyClicks(words, "one letter too many")
        assert check.isChecked()
        QTest.keyClick(words, Qt.Key.Key_Return)

    QTimer.singleShot(0, answer)
    person.press("Ctrl+Shift+F")
    assert person.kit.own(0).flags == {Flag.SCRIBE_ERROR: "one letter too many"}
    pane, model = person.view.kit_page.pane, person.view.kit_page.side.model
    assert "scribe error" in pane.state.text()
    assert model.index(0).data(model.FLAGGED) is True
    person.wait(person.box.hasFocus)
    person.press("Ctrl+Z")
    assert person.kit.own(0).flags == {}
    assert "scribe error" not in pane.state.text()
    person.press("Ctrl+Y")
    person.press("Ctrl+Return")
    person.wait(lambda: not person.kit.texts.pending)
    with open_campaign(campaign) as opened:
        (flagged,) = opened.revisions.flagged()
    assert (flagged.flag, flagged.words) == (Flag.SCRIBE_ERROR, "one letter too many")


@pytest.mark.long
def test_the_desk_tells_what_was_done_today(sit) -> None:
    person = sit("red1")
    person.press("Ctrl+Return")
    person.press("Ctrl+Return")
    person.wait(lambda: not person.kit.texts.pending)
    run(person.view, "kit.close")
    said = person.view.desk_page._day
    person.wait(said.isVisible)
    assert said.text().startswith("Today: 2 segments confirmed, 14 words")


@pytest.mark.long
def test_a_full_disk_is_told_once_and_waited_for(sit, monkeypatch: pytest.MonkeyPatch) -> None:
    person = sit("red1")
    told: list[str] = []
    person.window.messages.posted.connect(lambda message: told.append(message.text))
    real, spool = os.write, person.kit.texts._spool

    def write(file: int, data: bytes) -> int:
        if file == spool._file:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(file, data)

    monkeypatch.setattr(os, "write", write)
    person.type(" And more")
    assert [text for text in told if "cannot be kept" in text] == told
    assert len(told) == 1
    assert person.view.kit_page.pane.saved.text() == "Not on the disk yet"
    monkeypatch.undo()
    person.view.kit_page.keeper.try_again()
    person.wait(lambda: len(told) == 2)
    assert person.view.kit_page.pane.saved.text() == "Kept on this machine as you type"
    assert person.box.toPlainText() == (OUTPUTS["s1"] or "") + " And more"


@pytest.mark.long
def test_a_server_that_is_away_is_told_once_and_waited_for(
    sit, campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = sit("red1")
    told: list[str] = []
    person.window.messages.posted.connect(lambda message: told.append(message.text))

    def away(*_: object) -> None:
        raise WorldError("store.away", "The server does not answer", where="there")

    monkeypatch.setattr(type(person.view._desk.campaign.revisions), "append", away)
    person.press("Ctrl+Return")
    person.wait(lambda: bool(told))
    person.press("Ctrl+Return")
    person.type("x")
    person.press("Ctrl+Return")
    person.wait(lambda: not person.view._store.busy)
    assert len(told) == 1
    assert "cannot be reached" in told[0]
    assert person.view.kit_page.pane.saved.text() == "Kept on this machine"
    monkeypatch.undo()
    person.view.kit_page.keeper.try_again()
    person.wait(lambda: len(told) == 2)
    assert person.view.kit_page.pane.saved.text() == "Saved in the campaign"
    with open_campaign(campaign) as opened:
        assert len(opened.revisions.history("K1", "red", Pass.FIRST)) == 3


@pytest.mark.long
def test_the_text_grows_and_shrinks_within_limits(sit) -> None:
    person = sit("red1")
    settings, before = person.window.settings, person.box.font().pixelSize()
    person.press("Ctrl++")
    assert settings.get(ENGLISH_SIZE) == ENGLISH_SIZE.default + 1
    assert person.box.font().pixelSize() > before
    for _ in range(60):
        run(person.view, "kit.smaller")
    assert settings.get(ENGLISH_SIZE) == ENGLISH_SIZE.least
    assert settings.get(ARABIC_SIZE) == ARABIC_SIZE.least


@pytest.mark.long
def test_in_a_low_window_the_caret_stays_in_sight(make_window, qtbot, tmp_path: Path) -> None:
    where = make_campaign(tmp_path / "low", show_page=True, show_source=True)
    person = Person(make_window(where), qtbot.waitUntil)
    person.window.resize(860, 560)
    person.sit_down("red1")
    pane = person.view.kit_page.pane

    def in_sight() -> bool:
        line = person.box.cursorRect()
        top = person.box.viewport().mapTo(pane.viewport(), line.topLeft()).y()
        return top >= 0 and top + line.height() <= pane.viewport().height()

    person.wait(lambda: pane.strip.pyramid is not None)
    person.scored()
    person.wait(in_sight)
    bottom = person.box.mapTo(pane.viewport(), person.box.rect().bottomLeft()).y()
    assert bottom <= pane.viewport().height(), "the whole box is seen, whatever came later"
    person.type("y")
    pane.verticalScrollBar().setValue(0)
    person.type("x")
    assert in_sight()
    resting = pane.verticalScrollBar().value()
    person.scored()
    qtbot.wait(100)
    assert pane.verticalScrollBar().value() == resting
    person.type(" and on" * 60)
    person.wait(in_sight)


@pytest.mark.long
def test_a_kit_that_came_as_a_locked_file_is_edited_in_it(
    make_window, qtbot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = make_campaign(tmp_path / "seen", show_page=True)
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    monkeypatch.setattr("madcat_studio.store.locking.COST", 2**4)
    asked: list[str] = []

    def typed(_parent: object, _title: str, text: str, _echo: object) -> tuple[str, bool]:
        asked.append(text)
        return ("wrong words", True) if len(asked) == 1 else ("four right words", True)

    monkeypatch.setattr(QInputDialog, "getText", typed)
    path = tmp_path / "طقم 1.madcat-kit"
    export_kit(
        *(str(campaign), "K1", "red", Pass.FIRST, "red1", path), passphrase="four right words"
    )
    person = Person(make_window(path), qtbot.waitUntil)
    person.wait(lambda: person.window.current_view() is not None)
    assert [one.startswith("That passphrase") for one in asked] == [False, True]
    assert person.box.toPlainText() == OUTPUTS["s1"]
    assert "Small" in person.window.windowTitle()
    assert person.view.kit_page.pane.saved.text() == "Saved in the file"
    person.wait(lambda: person.view.kit_page.pane.strip.pyramid is not None)
    person.rewrite("Mine.")
    back = tmp_path / "back.madcat-kit"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(back), ""))
    assert can(person.view, "kit.return")
    person.press("Ctrl+Shift+S")
    person.wait(back.exists)
    with open_campaign(campaign) as opened:
        take_back(opened, back, "four right words")
        latest = opened.revisions.latest("K1", "red", Pass.FIRST)
    assert [one.text for one in latest.values()] == ["Mine."]
    for _ in person.kit.segments:
        if not person.box.toPlainText():
            person.type("Filled.")
        person.press("Ctrl+Return")
    person.press("Ctrl+Shift+H")
    person.wait(person.view.kit_page.findings.isVisible)
    person.view.kit_page.findings.over.click()
    person.wait(lambda: person.view.kit_page.workspace is None)
    person.wait(lambda: path.name in person.window.message_bar.text.text())
    with open_campaign(campaign) as opened:
        assert take_back(opened, path, "four right words").finished


def test_a_file_that_is_no_kit_is_told(make_window, qtbot, tmp_path: Path) -> None:
    path = tmp_path / "junk.madcat-kit"
    path.write_bytes(b"junk")
    window = make_window(path)
    qtbot.waitUntil(window.message_bar.isVisible)
    assert "not a bundle" in window.message_bar.text.text()
