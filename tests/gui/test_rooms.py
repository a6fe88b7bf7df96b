"""The coordinator's rooms in the window: locked, opened with the passphrase, locked again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from madcat_studio.gui.roomdialog import ChangePassphraseDialog, RoomDialog
from madcat_studio.gui.views import VIEWS
from madcat_studio.operations.campaign import rooms
from madcat_studio.operations.campaign.rooms import Rooms
from madcat_studio.store import lock_rooms
from tests.gui.campaigns import make_campaign

WORDS = "four right words"
ROOMS = [spec.id for spec in VIEWS if spec.for_coordinator]


@pytest.fixture(autouse=True)
def _just_started(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("madcat_studio.store.locking.COST", 2**4)
    lock_rooms()
    yield
    lock_rooms()


@pytest.fixture
def locked(tmp_path: Path) -> Path:
    where = make_campaign(tmp_path / "campaign")
    rooms.set_passphrase(str(where), WORDS)
    lock_rooms()
    return where


def dialog_of(window, kind: type[QWidget]) -> QWidget | None:
    return next((one for one in window.findChildren(kind) if one.isVisible()), None)


def words_in(widget: QWidget) -> str:
    """Everything that a widget's labels, buttons and cells say."""
    from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QLabel

    found = [one.text() for kind in (QLabel, QAbstractButton) for one in widget.findChildren(kind)]
    for view in widget.findChildren(QAbstractItemView):
        model = view.model()
        for row in range(model.rowCount() if model is not None else 0):
            found += [str(model.index(row, column).data()) for column in range(model.columnCount())]
    return "\n".join(found)


def test_the_rooms_are_plan_board_and_report() -> None:
    assert ROOMS == ["plan", "board", "report"]


def test_an_editor_s_window_has_no_coordinator_s_rooms(make_window, qtbot, locked: Path) -> None:
    window = make_window(locked)
    qtbot.waitUntil(lambda: window.front() == "kit" and window.rooms.locked)
    shown = {name: button.isVisible() for name, button in window.rail.buttons.items()}
    assert shown == {
        "home": True,
        "page": True,
        "kit": True,
        "corpus": True,  # holds files, and nothing of a campaign
        "plan": False,
        "board": False,
        "report": False,
        "scorecard": True,
    }
    for keys in (Qt.Key.Key_3, Qt.Key.Key_4, Qt.Key.Key_5):
        QTest.keyClick(window, keys, Qt.KeyboardModifier.ControlModifier)
        asked = dialog_of(window, RoomDialog)
        assert asked is not None
        assert window.front() == "kit"
        asked.reject()
    assert not any(window.view(name) for name in ROOMS), "no room was even made"
    assert "Secretly Alpha" not in words_in(window)
    assert "blue" not in words_in(window.view("kit").kit_page)


@pytest.mark.long
def test_the_passphrase_opens_them_and_a_wrong_one_does_not(
    make_window, qtbot, locked: Path
) -> None:
    window = make_window(locked)
    qtbot.waitUntil(lambda: window.front() == "kit" and window.rooms.locked)
    QTest.keyClick(window, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
    asked = dialog_of(window, RoomDialog)
    asked.field.setText("four wrong words")
    asked._look()
    asked.open_button.click()
    qtbot.waitUntil(lambda: asked.field.isEnabled())
    assert asked.problem.text() == "That passphrase does not open them. Type it again."
    assert asked.field.text() == ""
    assert (window.front(), window.rooms.locked) == ("kit", True)
    asked.field.setText(WORDS)
    asked._look()
    asked.open_button.click()
    qtbot.waitUntil(lambda: window.front() == "board")
    board = window.view("board")
    qtbot.waitUntil(lambda: board.model.rowCount() == 2)
    assert all(window.rail.buttons[name].isVisible() for name in ROOMS)
    # And locked again: nobody stays in a room.
    window.verbs.use_door()
    assert (window.front(), window.rooms.locked) == ("kit", True)
    assert not any(window.rail.buttons[name].isVisible() for name in ROOMS)
    assert rooms.read_rooms(str(locked)) is Rooms.LOCKED


@pytest.mark.long
@pytest.mark.parametrize("room", ROOMS)
def test_a_room_that_is_opened_first_asks(make_window, qtbot, locked: Path, room: str) -> None:
    """Whatever way leads to it: the check is where the campaign is opened."""
    window = make_window(None)
    window.open(str(locked), view=room)
    qtbot.waitUntil(lambda: dialog_of(window, RoomDialog) is not None)
    asked = dialog_of(window, RoomDialog)
    assert window.front() == ""
    asked.field.setText(WORDS)
    asked._look()
    asked.open_button.click()
    qtbot.waitUntil(lambda: window.front() == room and window.rooms.unlocked)
    assert window.message_bar.message is None
    if room == "plan":
        qtbot.waitUntil(lambda: window.view("plan").is_ready)
    elif room == "board":
        qtbot.waitUntil(lambda: window.view("board").model.rowCount() == 2)
    else:
        qtbot.waitUntil(lambda: window.view("report").ready)


@pytest.mark.long
def test_without_a_passphrase_it_opens_with_a_notice_and_gets_one(
    make_window, qtbot, tmp_path: Path
) -> None:
    where = make_campaign(tmp_path / "campaign")
    window = make_window(where)
    qtbot.waitUntil(lambda: window.front() == "kit" and window.rooms.can_change)
    assert window.message_bar.message is None, "editors need not know"
    window.show_view("board")
    qtbot.waitUntil(lambda: window.view("board").model.rowCount() == 2)
    said = window.message_bar.message
    assert said.text.startswith("This campaign has no coordinator's passphrase")
    window.message_bar.dismiss()
    window.show_view("kit")
    window.show_view("board")
    assert window.message_bar.message is None, "it is said once"
    said.action[1]()
    dialog = dialog_of(window, ChangePassphraseDialog)
    assert not dialog.save.isEnabled()
    dialog.lock.first.setText(WORDS)
    dialog.lock.second.setText(WORDS)
    dialog._look()
    dialog.save.click()
    qtbot.waitUntil(lambda: window.rooms.unlocked)
    lock_rooms()
    assert rooms.read_rooms(str(where)) is Rooms.LOCKED
    rooms.unlock_rooms(str(where), WORDS)
