"""What the window records of an editor's work, and that it says so."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from madcat_studio.gui.editor.guidelines import TextDialog
from madcat_studio.model.campaign import Pass
from madcat_studio.model.visits import TIMES_ONLY_OPTION, EventKind
from madcat_studio.store import open_campaign
from madcat_studio.workspace import desk
from madcat_studio.workspace.kit import KitWorkspace
from tests.gui.editor.people import Person
from tests.gui.helpers import run


def recorded(person: Person, kind: EventKind) -> list[tuple[int | str, ...]]:
    """What the visit that goes on says of one kind of event."""
    visit = person.kit.visits.going_on()
    assert visit is not None
    return [event.says for event in visit.events if event.kind is kind]


def sources(person: Person) -> list[object]:
    return [says[3] for says in recorded(person, EventKind.TEXT)]


def test_keys_are_told_apart_by_their_class(sit) -> None:
    person = sit("red1")
    person.type("aب ")
    for keys in ("Backspace", "Del", "Left", "Home", "Shift+End", "Ctrl+Left", "F19", "Escape"):
        person.press(keys)
    QTest.keyClick(person.box, Qt.Key.Key_Shift)
    assert [one for (one,) in recorded(person, EventKind.KEY)] == [
        *["character"] * 3,
        *["delete"] * 2,
        *["navigation"] * 4,
        *["other"] * 2,
    ]
    assert sources(person)[:4] == ["typed"] * 3 + ["deleted"]


def test_every_other_way_into_the_text_has_its_source(sit) -> None:
    """A spelling mend, a word by input method, Alt+arrow, Ctrl+R: each was counted as nothing."""
    person = sit("red1")
    box = person.box
    person.press("Ctrl+A")
    person.press("Ctrl+C")
    person.press("Ctrl+X")
    person.press("Ctrl+V")
    data = QMimeData()
    data.setText("two words")
    box.insertFromMimeData(data)
    event = QInputMethodEvent()
    event.setCommitString("é")
    QApplication.sendEvent(box, event)
    box.replace(0, 3, "Tea")
    assert sources(person) == ["cut", "pasted", "pasted", "composed", "suggestion"]
    run(person.view, "kit.revert-output")
    QTest.keyClick(box, Qt.Key.Key_Home)
    run(person.view, "kit.move-right")
    run(person.view, "kit.undo")
    run(person.view, "kit.redo")
    assert sources(person)[5:] == ["output", "moved", "undone", "redone"]
    commands = [one for (one,) in recorded(person, EventKind.COMMAND)]
    assert commands == ["output", "moved", "undo", "redo"]
    assert box.source == "typed", "what is typed next is typed again"


def test_a_click_and_a_pause(sit) -> None:
    person = sit("red1")
    QTest.mouseClick(person.box.viewport(), Qt.MouseButton.LeftButton)
    assert len(recorded(person, EventKind.MOUSE)) == 1
    run(person.view, "kit.pause")
    assert person.kit.visits.going_on() is None
    assert person.view.kit_page.paused
    person.press("Right")
    assert not person.view.kit_page.paused
    assert recorded(person, EventKind.KEY) == [("navigation",)]


@pytest.mark.long
def test_time_that_only_passes_is_kept_too(sit, qtbot) -> None:
    """The window itself keeps the time going: a kill after reading loses half a second."""
    person = sit("red1")
    spool = person.kit.texts._spool.path
    qtbot.wait(1000)
    last = [line for line in spool.read_text().splitlines() if line.startswith('{"of"')][-1]
    kept = int(last.rpartition('"ms":')[2].rstrip("}"))
    visit = person.kit.visits.going_on()
    assert visit is not None
    assert visit.ms - kept < 500
    assert kept > 400


@pytest.mark.long
def test_what_is_recorded_is_told_once(make_window, qtbot, campaign: Path) -> None:
    window = make_window(campaign)
    person = Person(window, qtbot.waitUntil)
    person.sit_down("red1")
    message = window.message_bar.message
    assert message is not None
    assert message.text.startswith("Recorded of your work: your time at each segment")
    assert message.action is not None
    message.action[1]()
    dialog = person.view.findChild(TextDialog)
    assert "each change of the text" in dialog.page.toPlainText()
    dialog.close()
    window.message_bar.dismiss()
    run(person.view, "kit.close")
    person.wait(lambda: bool(person.view.desk_page.buttons))
    person.sit_down("red1")
    assert window.message_bar.message is None


@pytest.mark.parametrize("name", ["red1"])
def test_where_times_are_recorded_that_is_told_and_done(
    make_window, qtbot, campaign: Path, name: str
) -> None:
    with open_campaign(campaign) as opened:
        opened.set_options({TIMES_ONLY_OPTION: True})
    window = make_window(campaign)
    person = Person(window, qtbot.waitUntil)
    person.sit_down(name)
    assert window.message_bar.message.text.endswith("and nothing else.")
    run(person.view, "kit.recorded")
    dialog = person.view.findChild(TextDialog)
    assert "records times and nothing else" in dialog.page.toPlainText()
    dialog.close()
    person.type("secret")
    visit = person.kit.visits.going_on()
    assert visit is not None
    assert visit.events == ()


@pytest.mark.long
def test_a_session_in_the_window_agrees_with_the_scripts_own_clock(
    make_window, qtbot, campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By keys alone, an hour and a half by chance: raw and active time by segment within 1 %."""
    now = 1000.0
    monkeypatch.setattr(desk, "KitWorkspace", partial(KitWorkspace, clock=lambda: now))
    person = Person(make_window(campaign), qtbot.waitUntil)
    person.sit_down("red1")
    kit, names = person.kit, [one.name for one in person.kit.segments]
    raw, active = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
    rest, chance = 0.0, random.Random(11)
    for _ in range(250):
        seconds = chance.choice((0.2, 0.3, 1, 5, 20, 50, 70, 200))
        here = names[kit.current]
        now += seconds
        raw[here] += seconds
        rest += seconds
        active[here] += rest if rest <= 60 else 0  # what follows is something that is done
        rest = 0.0
        what = chance.random()
        if what < 0.6:
            person.press(chance.choice(("a", "Left", "Backspace", "Space")))
        elif what < 0.7:
            person.press("Ctrl+Z" if kit.undo_label else "a")  # else nothing is done
        elif what < 0.8:
            run(person.view, "kit.pause")
            now += chance.randrange(300)
            person.press("Right")  # goes on
        else:
            ways = ["Ctrl+Return"] + ["Alt+Up"] * (kit.current > 0)
            person.press(chance.choice(ways + ["Alt+Down"] * (kit.current < len(names) - 1)))
    run(person.view, "kit.close")
    person.wait(lambda: person.view.kit_page.workspace is None)
    with open_campaign(campaign) as opened:
        visits = opened.visits.of_pass("K1", "red", Pass.FIRST, "red1")
        behind = opened.covers.behind("K1")
    assert sum(raw.values()) > 5000
    assert sum(active.values()) < 0.6 * sum(raw.values())
    for name in names:
        own = [one for one in visits if one.segment == behind[name]]
        assert sum(one.ms for one in own) / 1000 == pytest.approx(raw[name], rel=0.01)
        found = sum(one.active_ms(60_000) for one in own) / 1000
        assert found == pytest.approx(active[name], rel=0.01)
