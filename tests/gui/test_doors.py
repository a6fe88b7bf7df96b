"""The demo: made with a bar, and three ways into it."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from madcat_studio.errors import WorldError
from madcat_studio.formats.tables import read_table
from madcat_studio.gui.doors import _EDITOR, Doors, _Door
from madcat_studio.gui.empty import EmptyScreen
from madcat_studio.gui.guide import CoachMark, Guide, Step
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.settings import window_state
from madcat_studio.gui.views import VIEWS
from madcat_studio.paths import resources
from madcat_studio.progress import Cancelled, Progress
from tests.gui.campaigns import make_campaign
from tests.gui.helpers import NORMAL, SMALL, copy_sample


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """As the demo is laid out, and made in no time."""
    folder = make_campaign(tmp_path / "demo")
    (folder / "pages").mkdir()
    copy_sample(SMALL, folder / "pages")
    monkeypatch.setattr("madcat_studio.gui.doors._EDITOR", "blue1")
    return folder


def test_the_demos_editor_has_a_kit_that_waits() -> None:
    plan = read_table(
        resources() / "demo" / "assignments.tsv", required=("kit", "team", "first")
    ).rows
    edits = read_table(resources() / "demo" / "edits.tsv", required=("kit", "team"))
    begun = {(row["kit"], row["team"]) for row in edits.rows}
    hers = [row for row in plan if row["first"] == _EDITOR]
    assert any((row["kit"], row["team"]) not in begun for row in hers)


@pytest.fixture
def opened(make_window, monkeypatch) -> Callable[[object], tuple[object, Doors]]:
    def open_(make: object) -> tuple[object, Doors]:
        monkeypatch.setattr("madcat_studio.gui.demo.demo_campaign", make)
        window = make_window()
        window.commands.named("file.open-demo").trigger()
        doors = window.findChild(Doors)
        assert doors is not None
        return window, doors

    return open_


@pytest.mark.long
@pytest.mark.parametrize(("door", "view"), [(0, "page"), (1, "kit"), (2, "board")])
def test_each_door_leads_to_work_that_is_there(opened, demo: Path, qtbot, door, view) -> None:
    window, doors = opened(lambda _: demo)
    qtbot.waitUntil(doors.doors[0].isEnabled)
    assert doors.isVisible()
    assert [door is doors.focusWidget() for door in doors.doors] == [True, False, False]
    doors.doors[door].click()
    assert not doors.isVisible()
    qtbot.waitUntil(lambda: window.front() == view, timeout=20_000)
    shown = window.view(view)
    if view == "page":
        qtbot.waitUntil(shown.splitter.isVisible, timeout=20_000)
    elif view == "kit":
        # As an editor who has a kit that waits for her.
        assert shown.desk_page.who.currentText().startswith("Bo,")
        qtbot.waitUntil(lambda: bool(shown.desk_page.buttons), timeout=20_000)
    # And a mark stands at the first thing to do, until one leaves.
    [guide] = window.findChildren(Guide)
    qtbot.waitUntil(guide.mark.isVisible)
    assert guide.mark.number.text().startswith("Step 1 of ")
    assert "Step 1 of " in guide.mark.words()
    assert guide.mark.text.text() in guide.mark.words()
    guide.mark.leave.click()
    assert not guide.mark.isVisible()


def test_the_window_begins_with_the_doors_of_a_demo_that_is_there(
    make_window, demo: Path, qtbot
) -> None:
    window = make_window(demo, demo=True)
    qtbot.waitUntil(lambda: window.findChild(Doors) is not None)
    doors = window.findChild(Doors)
    qtbot.waitUntil(doors.doors[0].isEnabled)
    assert doors.isVisible()
    doors.doors[2].click()
    qtbot.waitUntil(lambda: window.front() == "board", timeout=20_000)
    assert Path(window.campaign) == demo


def test_the_window_begins_with_the_doors_of_this_users_demo(
    make_window, demo: Path, monkeypatch, qtbot
) -> None:
    monkeypatch.setattr("madcat_studio.gui.demo.demo_campaign", lambda _: demo)
    window = make_window(demo=True)
    qtbot.waitUntil(lambda: window.findChild(Doors) is not None)
    doors = window.findChild(Doors)
    qtbot.waitUntil(doors.doors[2].isEnabled)
    doors.doors[2].click()
    qtbot.waitUntil(lambda: window.front() == "board", timeout=20_000)
    assert Path(window.campaign) == demo


def _guide(window, steps: list[Step], name: str = "test") -> Guide:
    return Guide(name, steps, window, lambda: window.theme.colours)


def _tour(view: str, window) -> list[Step]:
    return list(next(spec for spec in VIEWS if spec.id == view).tour(window))


@pytest.mark.long
def test_a_step_ends_when_it_is_done_or_by_next(make_window, qtbot) -> None:
    window = make_window()
    buttons = [button for button, _ in window.welcome._choices]
    done: list[bool] = []
    steps = [
        Step("first", lambda: buttons[0], lambda: bool(done)),
        Step("second", lambda: buttons[3]),
        Step("nowhere", lambda: None),
    ]
    guide = _guide(window, steps)
    mark = guide.mark
    qtbot.waitUntil(lambda: mark.text.text() == "first" and mark.isVisible())
    for button in buttons[:2]:
        # Beside its control, never over it, and within the window.
        mark.point_at(button)
        place = QRect(button.mapTo(window, QPoint()), button.size())
        assert not mark.geometry().intersects(place)
        assert window.rect().contains(mark.geometry())
    assert mark.next.text() == "Next"
    done.append(True)
    qtbot.waitUntil(lambda: mark.text.text() == "second")
    mark.next.click()
    # A control that is not there yet is waited for.
    qtbot.waitUntil(lambda: not mark.isVisible())
    mark.leave.click()


@pytest.mark.long
def test_a_tour_goes_on_where_it_was_left(make_window, qtbot) -> None:
    window = make_window()
    target = window.welcome.first_button()
    steps = [Step(text, lambda: target) for text in ("one", "two", "three")]
    guide = _guide(window, steps)
    qtbot.waitUntil(guide.mark.isVisible)
    guide.mark.next.click()
    guide.mark.leave.click()
    again = _guide(window, steps)
    qtbot.waitUntil(again.mark.isVisible)
    assert again.mark.text.text() == "two"
    again.mark.next.click()
    assert again.mark.next.text() == "Done"
    again.mark.next.click()
    anew = _guide(window, steps)
    qtbot.waitUntil(anew.mark.isVisible)
    assert anew.mark.text.text() == "one"
    # Another tour has a place of its own; fewer steps than were kept begin anew.
    window_state().setValue("guide/test", 7)
    assert _guide(window, steps).at == 0


@pytest.mark.long
def test_a_tour_looks_at_nothing_of_a_window_that_was_closed(make_window, qtbot) -> None:
    window = make_window()
    asked: list[int] = []
    guide = _guide(window, [Step("one", lambda: asked.append(1))])
    qtbot.waitUntil(lambda: len(asked) > 1)
    window.hide()
    asked.clear()
    guide._look()
    assert not asked
    # A window that stays after all, since something in it was not saved, leads on.
    window.show()
    qtbot.waitUntil(lambda: bool(asked))
    guide.close()


def test_keys_lead_through_a_tour(make_window, qtbot) -> None:
    """They stay with the control until they are wanted; then Enter goes on, and Esc leaves."""
    window = make_window()
    target = window.welcome.first_button()
    target.setFocus()
    guide = _guide(window, [Step(text, lambda: target) for text in ("one", "two", "three", "four")])
    mark = guide.mark
    qtbot.waitUntil(mark.isVisible)
    assert not mark.hasFocus()
    assert not mark.keys.isVisibleTo(mark)
    to_the_tour = window.commands.named("help.tour")
    assert to_the_tour.shortcut().toString() == "Ctrl+F1"
    to_the_tour.trigger()
    assert window.focusWidget() is mark
    assert mark.keys.isVisibleTo(mark)
    assert mark.words() == "Step 1 of 4. one Enter: next. Esc: leave."
    qtbot.keyClick(mark, Qt.Key.Key_Return)
    assert mark.text.text() == "two"
    qtbot.keyClick(mark, Qt.Key.Key_Right)
    assert mark.text.text() == "three"
    qtbot.keyClick(mark, Qt.Key.Key_Left)
    assert mark.text.text() == "three"
    mark.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    qtbot.keyClick(mark, Qt.Key.Key_Left)
    assert mark.text.text() == "four"
    qtbot.keyClick(mark, Qt.Key.Key_Escape)
    assert not mark.isVisible()
    assert window.focusWidget() is target, "the keys are back where they were"
    # Where no view with a tour is in front there is nothing to go to.
    to_the_tour.trigger()
    assert window.focusWidget() is target


def test_a_door_has_its_icon_before_its_words(qtbot) -> None:
    picture = QPixmap(22, 22)
    picture.fill(Qt.GlobalColor.black)
    for direction in (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft):
        door = _Door("Mark a &page", "Check the outlines of a page. " * 4, QIcon(picture))
        qtbot.addWidget(door)
        door.setLayoutDirection(direction)
        door.resize(door.sizeHint())
        door.show()
        shown, title, told = door.findChildren(QLabel)
        before = shown.geometry().right() < title.geometry().left()
        assert before is (direction is Qt.LayoutDirection.LeftToRight)
        assert not shown.geometry().intersects(told.geometry())
        assert told.height() >= told.heightForWidth(told.width())
        assert (door.accessibleName(), door.accessibleDescription()) == (
            "Mark a page",
            "Check the outlines of a page. " * 4,
        )


@pytest.mark.long
def test_a_page_is_marked_by_the_tour(user, tmp_path: Path, qtbot) -> None:
    someone = user(copy_sample(NORMAL, tmp_path))
    window = someone.window
    guide = _guide(window, _tour("page", window))
    at = guide.mark.text.text

    def reached(word: str) -> None:
        qtbot.waitUntil(lambda: guide.mark.isVisible() and word in at())

    reached("Click a word")
    someone.click(someone.at(ShapeKey(0, 0)))
    reached("Press the key “.”")
    someone.press(".")
    reached("Choose the tool")
    window.commands.named("page.tool-edit").trigger()
    reached("Drag a corner")
    someone.press(Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    reached("Undo it")
    window.commands.named("page.undo").trigger()
    reached("F8 goes")
    guide.mark.next.click()
    assert not window.findChildren(CoachMark) or not guide.mark.isVisible()


_KEY = re.compile(r"\b(?:Ctrl|Alt|Shift)\+\S*\w|\bF\d+\b|\bkey \S+")


@pytest.mark.parametrize("view", ["page", "kit", "board"])
def test_a_tour_names_the_keys_that_are_bound(make_window, view: str) -> None:
    """After the user gave each of its actions another key, none of the old ones is named."""
    window = make_window()
    before = [_KEY.findall(step.text) for step in _tour(view, window)]
    assert any(before)
    told = {re.sub(r"^key |[“”]|(?<=[\w”])\.$", "", key) for keys in before for key in keys}
    named = [one for one in window.commands.declared() if told & set(one.shortcut)]
    for action in named:
        window.commands.keymap.set(action, ("Ctrl+Alt+F11",))
    after = [_KEY.findall(step.text) for step in _tour(view, window)]
    for old, new in zip(before, after, strict=True):
        assert len(old) == len(new)
        assert all("Ctrl+Alt+F11" in key for key in new)
    for action in named:
        window.commands.keymap.set(action, ())
    texts = " ".join(step.text for step in _tour(view, window))
    assert "F11" not in texts
    assert "\u201c" in texts, "without a key its menu's words"


@pytest.mark.long
def test_the_other_tours_lead_through_their_views(make_window, demo: Path, qtbot) -> None:
    window = make_window()
    window.open(str(demo), view="kit", target={"editor": "blue1"})
    guide = _guide(window, _tour("kit", window))
    qtbot.waitUntil(lambda: guide.mark.isVisible() and "waiting for you" in guide.mark.text.text())
    view = window.view("kit")
    view.desk_page.buttons[0].click()
    qtbot.waitUntil(lambda: "should say" in guide.mark.text.text())
    guide.mark.next.click()
    qtbot.waitUntil(lambda: "your text" in guide.mark.text.text())
    QTest.keyClicks(view.kit_page.box, "Yes ")
    qtbot.waitUntil(lambda: "you have changed" in guide.mark.text.text())
    guide.mark.next.click()
    qtbot.waitUntil(lambda: "Ctrl+Enter" in guide.mark.text.text())
    before = view.kit_page.workspace.current
    window.commands.named("kit.confirm-next").trigger()
    qtbot.waitUntil(lambda: view.kit_page.workspace.current != before)
    qtbot.waitUntil(lambda: "all segments" in guide.mark.text.text())
    guide.close()
    window.open(str(demo), view="board")
    guide = _guide(window, _tour("board", window))
    qtbot.waitUntil(lambda: guide.mark.isVisible() and "The board" in guide.mark.text.text())
    guide.mark.next.click()
    qtbot.waitUntil(lambda: "open the report" in guide.mark.text.text())
    window.rail.buttons["report"].click()
    qtbot.waitUntil(lambda: guide.mark.isVisible() and "It begins with" in guide.mark.text.text())
    guide.mark.next.click()
    window.rail.buttons["plan"].click()
    qtbot.waitUntil(lambda: guide.mark.isVisible() and "Propose" in guide.mark.text.text())
    guide.close()


@pytest.mark.parametrize("view", [spec.id for spec in VIEWS])
def test_no_room_is_empty_without_a_way_out(make_window, view: str) -> None:
    window = make_window()
    window.show_view(view)
    [empty] = [one for one in window.findChildren(EmptyScreen) if one.isVisible()]
    assert len(empty.findChildren(QLabel)[1].text()) > 40, "what belongs here, and how to bring it"
    ways = [one for one in empty.findChildren(QPushButton) if one.isVisible() and one.isEnabled()]
    assert len(ways) >= 2


@pytest.mark.parametrize("view", ["plan", "board"])
@pytest.mark.parametrize("fails", [False, True])
def test_a_room_whose_campaign_is_being_read_does_not_say_that_there_is_none(
    make_window, tmp_path: Path, qtbot, monkeypatch, view: str, fails: bool
) -> None:
    where = make_campaign(tmp_path / "campaign")

    def refuse(*_: object, **__: object) -> None:
        raise WorldError("store.unreachable", "The campaign cannot be reached")

    if fails:
        name = {"plan": "planview._read", "board": "board.read_board"}[view]
        monkeypatch.setattr(f"madcat_studio.gui.coordinator.{name}", refuse)
    window = make_window()
    window.open(str(where), view=view)
    qtbot.waitUntil(lambda: window.front() == view)
    shown = window.view(view)
    assert not shown.empty.isVisible()
    if fails:
        qtbot.waitUntil(shown.empty.isVisible)
        assert "cannot be reached" in window.message_bar.message.text
    else:
        qtbot.waitUntil(lambda: shown.screens.currentIndex() == shown.screens.count() - 1)


def test_the_work_is_shown_and_can_be_stopped(opened, qtbot) -> None:
    begun, ended = threading.Event(), threading.Event()

    def make(progress: Progress) -> Path:
        progress.advance(1, 4, "scoring")
        begun.set()
        while not progress.cancelled():
            ended.wait(0.01)
        ended.set()
        raise Cancelled

    window, doors = opened(make)
    assert begun.wait(10)
    qtbot.waitUntil(lambda: "scoring" in doors.bar._text.text())
    assert doors.bar.isVisible()
    assert not any(door.isEnabled() for door in doors.doors)
    doors.bar.stop.click()
    assert ended.wait(10)
    qtbot.waitUntil(lambda: not doors.isVisible())
    # And again, from the beginning.
    window.commands.named("file.open-demo").trigger()
    qtbot.waitUntil(lambda: any(one.isVisible() for one in window.findChildren(Doors)))
    window.close()
    assert not window.isVisible()


def test_a_demo_that_cannot_be_made_is_told(opened, qtbot) -> None:
    def make(_: Progress) -> Path:
        raise WorldError("demo.not-installed", "The files of the demo campaign are missing")

    window, doors = opened(make)
    qtbot.waitUntil(lambda: not doors.isVisible())
    qtbot.waitUntil(lambda: window.message_bar.message is not None)
    assert "missing" in window.message_bar.message.text
