"""A kit that is open in two places, as the windows show it: asked, told, compared, taken over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMessageBox

from madcat_studio.gui.coordinator.boardmodel import BoardModel
from madcat_studio.gui.editor.asides import AsideDialog, marked
from madcat_studio.gui.messagebar import MessageBar
from madcat_studio.model.campaign import Pass
from madcat_studio.operations.campaign.kit_files import export_kit
from madcat_studio.store import Campaign, open_campaign
from madcat_studio.workspace.desk import Desk
from madcat_studio.workspace.kit import KitWorkspace
from tests.gui.helpers import can, run


@pytest.fixture
def elsewhere(campaign: Path, tmp_path: Path) -> Iterator[Desk]:
    """The same editor at another machine."""
    with open_campaign(campaign, for_editor=True) as opened:
        yield Desk(opened, tmp_path / "laptop" / "spools")


def open_there(desk: Desk, monkeypatch: pytest.MonkeyPatch, *, take_over: bool) -> KitWorkspace:
    with monkeypatch.context() as patch:
        for module in ("desk", "seat", "kit_texts"):
            patch.setattr(f"madcat_studio.workspace.{module}.machine_name", lambda: "laptop")
        return desk.open(desk.kits("red1")[0], "red1", take_over=take_over)


def told(bar: MessageBar) -> str:
    return "" if bar.message is None else bar.message.text


def texts(campaign: Campaign) -> list[tuple[str, bool]]:
    return [(one.text, one.side) for one in campaign.revisions.history("K1", "red", Pass.FIRST)]


@pytest.mark.long
def test_the_window_is_told_and_can_only_read_and_takes_over_again(
    sit, elsewhere: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = sit("red1")
    person.rewrite("The mayor opened the bridge.")
    there = open_there(elsewhere, monkeypatch, take_over=True)
    bar = person.window.message_bar
    person.wait(lambda: told(bar).startswith("Kit K1 was opened on laptop at "))
    assert person.view.places.is_taken
    assert person.box.isReadOnly()
    assert person.view.kit_page.pane.saved.text() == "Open elsewhere: read-only here"
    person.type("x")
    person.press("Alt+Down")
    assert person.kit.current == 1, "it can be read"
    assert person.box.isReadOnly()
    assert texts(elsewhere.campaign) == [("The mayor opened the bridge.", True)]
    # The other place hears of the text that came aside, and this one takes over again.
    assert [one.text for one in there.texts.asides()] == ["The mayor opened the bridge."]
    there.go_to(1)
    there.set_text("He did not name the builder.", 0)
    there.confirm()
    assert can(person.view, "kit.take-over")
    run(person.view, "kit.take-over")
    person.wait(lambda: person.view.has_kit and not person.view.places.is_taken)
    assert person.kit.own(1).text == "He did not name the builder."
    assert not person.box.isReadOnly()
    person.wait(lambda: person.view.places.has_asides)
    assert bar.message.text == (
        "1 of your texts is kept aside, because the kit was open in another place."
    )
    found = there.texts.seat.elsewhere()
    assert found is not None
    there.be_taken_over(found)
    # Compared, and put into the kit as a step that can be taken back.
    run(person.view, "kit.asides")
    [dialog] = [one for one in person.view.findChildren(AsideDialog) if one.isVisible()]
    assert dialog.aside.toPlainText() == "The mayor opened the bridge."
    assert dialog.now.toPlainText() == "The mayor opened on Monday the new bridge."
    QTest.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    assert person.kit.own(0).text == "The mayor opened the bridge."
    dialog.reject()
    person.view.kit_page.do(KitWorkspace.undo)
    assert person.kit.own(0).text == "The mayor opened on Monday the new bridge."


@pytest.mark.long
def test_a_kit_that_is_open_elsewhere_is_asked_about(
    make_window, qtbot, campaign: Path, elsewhere: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = open_there(elsewhere, monkeypatch, take_over=False)
    window = make_window(campaign)
    qtbot.waitUntil(lambda: window.front() == "kit")
    view = window.view("kit")
    view.desk_page.chosen.emit("red1")
    qtbot.waitUntil(lambda: bool(view.desk_page.buttons))
    said = [label.text() for label in view.desk_page.findChildren(QLabel)]
    assert any(one.startswith("Open on laptop since ") for one in said)
    asked: list[str] = []
    answers = ["Cancel", "&Take it over"]

    def answer(box: QMessageBox) -> int:
        asked.append(box.text())
        wanted = answers.pop(0)
        button = next(one for one in box.buttons() if one.text().strip("&") == wanted.strip("&"))
        monkeypatch.setattr(QMessageBox, "clickedButton", lambda _: button)
        return 0

    monkeypatch.setattr(QMessageBox, "exec", answer)
    view.desk_page.buttons[0].click()
    qtbot.waitUntil(lambda: len(asked) == 1)
    assert asked[0].startswith("Kit K1 is open on laptop since ")
    assert not view.has_kit
    assert there.texts.seat.elsewhere() is None
    view.desk_page.buttons[0].click()
    qtbot.waitUntil(lambda: view.has_kit)
    assert there.texts.seat.elsewhere() is not None
    there.be_taken_over(there.texts.seat.elsewhere())


@pytest.mark.long
def test_a_kit_out_as_a_file_says_so_on_desk_and_board_and_is_called_back(
    sit, campaign: Path, tmp_path: Path, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = sit("red1")
    export_kit(str(campaign), "K1", "red", Pass.FIRST, "red1", tmp_path / "k.madcat-kit")
    bar = person.window.message_bar
    person.wait(lambda: told(bar).startswith("Kit K1 was given out as a file at "))
    assert person.view.places.is_taken
    person.press("Ctrl+W")
    desk = person.view.desk_page
    person.wait(
        lambda: any(
            label.text().startswith("Out as a file since ") for label in desk.findChildren(QLabel)
        )
    )
    person.window.show_view("board")
    board = person.window.view("board")
    qtbot.waitUntil(lambda: board.model.rowCount() == 2)
    cell = board.model.index(0, BoardModel.FIRST_PASS)
    assert "out as a file, just now" in cell.data()
    assert not can(board, "board.call-back")
    board.table.setCurrentIndex(cell)
    assert can(board, "board.call-back")
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    run(board, "board.call-back")
    qtbot.waitUntil(lambda: "out as a file" not in cell.data())
    with open_campaign(campaign) as opened:
        assert opened.sittings.all() == {}


def test_words_that_differ_are_marked() -> None:
    assert marked("a b <c>", "a x <c>", "red") == (
        'a <span style="background: red">b</span> &lt;c&gt;'
    )
    assert marked("same", "same", "red") == "same"
    assert marked("", "more", "red") == ""
