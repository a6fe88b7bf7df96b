"""How a segment's text came about, replayed in the window."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from madcat_studio.gui.coordinator.replay import ReplayDialog
from madcat_studio.gui.coordinator.segment import SegmentDialog
from madcat_studio.model.campaign import Pass, SegmentName, new_id
from madcat_studio.model.visits import Event, EventKind, Visit
from madcat_studio.operations.scores.replay import read_replays, replay_of
from madcat_studio.store import open_campaign

S2 = "s2"


def visit(ms: int, *events: Event, pass_: Pass = Pass.FIRST, editor: str = "blue1") -> Visit:
    return Visit(
        id=new_id(),
        kit="K1",
        team="blue",
        pass_=pass_,
        segment=SegmentName("", S2),
        editor=editor,
        machine="m",
        at=datetime(2024, 3, 4, tzinfo=UTC),
        ms=ms,
        events=events,
    )


WORK = (
    visit(
        10_000,
        Event(0, EventKind.FROM, ("a 😀 cat",)),
        Event(2000, EventKind.KEY, ("character",)),
        Event(2000, EventKind.TEXT, (4, "", "fat ", "typed")),
        Event(9000, EventKind.TEXT, (2, "😀", "big", "suggestion")),
    ),
    visit(
        5000,
        Event(0, EventKind.FROM, ("a big fat cat",)),
        Event(1000, EventKind.COMMAND, ("undo",)),
        Event(1000, EventKind.TEXT, (2, "big ", "", "undone")),
    ),
)


def test_every_moment_of_all_looks() -> None:
    replay = replay_of(WORK)
    assert (replay.editor, replay.looks, replay.ms) == ("blue1", 2, 15_000)
    assert [(one.ms, one.look, one.text, one.start, one.end) for one in replay.moments] == [
        (0, 1, "a 😀 cat", 0, 0),
        (2000, 1, "a 😀 fat cat", 4, 8),
        (9000, 1, "a big fat cat", 2, 5),
        (10_000, 2, "a big fat cat", 0, 0),
        (11_000, 2, "a big fat cat", 0, 0),
        (11_000, 2, "a fat cat", 2, 2),
    ]
    assert replay_of([visit(9000)]).moments == ()


def shown(dialog: ReplayDialog) -> tuple[str, str, str]:
    return dialog.text.toPlainText(), dialog.told.text(), dialog.clock.text()


@pytest.fixture
def dialog(report, qtbot, campaign: Path):
    view = report()
    with open_campaign(campaign, read_only=True) as opened:
        base = opened.contents.documents()[0].base
    made = ReplayDialog(view.shell, str(campaign), "K1", SegmentName(base, S2), view)
    qtbot.addWidget(made)
    qtbot.waitUntil(lambda: made.whose.count() > 0)
    made.show()
    yield made
    made.reject()


def test_it_shows_who_did_what_of_a_real_kit(dialog: ReplayDialog, campaign: Path) -> None:
    """What the fixture's editors typed into the kit, by their own desks."""
    names = [dialog.whose.itemText(row) for row in range(dialog.whose.count())]
    assert [name.partition(":")[0] for name in names] == [
        "Team red, first pass, red1",
        "Team red, review, red2",
        "Team blue, first pass, blue1",
    ]
    dialog.whose.setCurrentIndex(2)
    before = dialog.text.toPlainText()
    QTest.mouseClick(dialog.forth, Qt.MouseButton.LeftButton)
    assert dialog.text.toPlainText() == "He did not name a builder." != before
    assert dialog.told.text().startswith("typed: “")


def test_steps_and_the_end(dialog: ReplayDialog, qtbot) -> None:
    dialog.whose.clear()
    dialog.show_replays((replay_of(WORK),))
    assert shown(dialog) == ("a 😀 cat", "Look 1 begins", "0:00 of 0:15")
    assert not dialog.back.isEnabled()
    QTest.mouseClick(dialog.forth, Qt.MouseButton.LeftButton)
    assert shown(dialog) == ("a 😀 fat cat", "typed: “fat ”", "0:02 of 0:15")
    [lit] = dialog.text.extraSelections()
    assert lit.cursor.selectedText() == "fat "
    QTest.mouseClick(dialog.forth, Qt.MouseButton.LeftButton)
    assert shown(dialog)[1] == "from a spelling suggestion: “big” instead of “😀”"
    QTest.keyClick(dialog.place, Qt.Key.Key_End)
    assert shown(dialog) == ("a fat cat", "undone: “big ”", "0:11 of 0:15")
    assert not dialog.forth.isEnabled()
    QTest.mouseClick(dialog.back, Qt.MouseButton.LeftButton)
    assert shown(dialog)[1] == "Command: undo"


@pytest.mark.long
def test_it_plays_in_its_own_time_and_cuts_rests(dialog: ReplayDialog, qtbot) -> None:
    dialog.whose.clear()
    dialog.show_replays((replay_of(WORK),))
    dialog.place.setValue(1)
    QTest.mouseClick(dialog.play, Qt.MouseButton.LeftButton)
    assert dialog.playing
    assert dialog.play.text() == "&Pause"
    assert dialog._next.interval() == 2000, "seven seconds, cut"
    QTest.mouseClick(dialog.play, Qt.MouseButton.LeftButton)
    assert not dialog.playing
    dialog.cut.setChecked(False)
    dialog.speed.setCurrentIndex(dialog.speed.findData(16))
    QTest.mouseClick(dialog.play, Qt.MouseButton.LeftButton)
    assert dialog._next.interval() == 7000 // 16
    qtbot.waitUntil(lambda: not dialog.playing)
    assert dialog.place.value() == dialog.place.maximum()
    # Played to the end it begins anew.
    QTest.mouseClick(dialog.play, Qt.MouseButton.LeftButton)
    assert dialog.place.value() == 0
    dialog.reject()
    assert not dialog.playing


def test_where_there_is_no_text_it_says_so(dialog: ReplayDialog) -> None:
    dialog.whose.clear()
    dialog.show_replays((replay_of([visit(9000)]),))
    assert dialog.told.text() == "Only times were recorded: there is no text to replay."
    assert not dialog.play.isEnabled()
    dialog.whose.clear()
    dialog.show_replays(())
    assert dialog.told.text() == "Nobody has visited this segment yet."


def test_a_segment_leads_to_its_replay(report, qtbot, campaign: Path, monkeypatch) -> None:
    view = report()
    line = view._scored.verdict.lines[0]
    target = {"system": line.system, "document": line.document, "segment": line.segment}
    dialog = SegmentDialog(view.shell, str(campaign), target, view)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(dialog._replay.isEnabled)
    opened: list[str] = []
    monkeypatch.setattr(ReplayDialog, "exec", lambda self: opened.append(self.windowTitle()))
    QTest.mouseClick(dialog._replay, Qt.MouseButton.LeftButton)
    assert opened == [f"Replay of {SegmentName(line.document, line.segment)}, kit K1"]
    dialog.reject()


def test_replays_come_by_team_and_pass(campaign: Path) -> None:
    with open_campaign(campaign, read_only=True) as opened:
        base = opened.contents.documents()[0].base
    found = read_replays(campaign, "K1", SegmentName(base, S2))
    assert [(one.team, one.pass_, one.editor) for one in found] == [
        ("red", Pass.FIRST, "red1"),
        ("red", Pass.REVIEW, "red2"),
        ("blue", Pass.FIRST, "blue1"),
    ]
    assert found[2].moments[-2].text == "He did not name a builder."
