"""The log of visits at the desk: a scripted session against its own clock, kills, second looks."""

from __future__ import annotations

import errno
import os
import random
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from madcat_studio.errors import WorldError
from madcat_studio.model.campaign import Claim, Flag, Pass
from madcat_studio.model.visits import TIMES, TIMES_ONLY_OPTION, EventKind, Source, Visit
from madcat_studio.operations.scores.effort import efforts_of
from madcat_studio.store import Campaign, create_campaign, open_campaign
from madcat_studio.workspace.kit import KitWorkspace
from madcat_studio.workspace.orphaned import bring_back
from madcat_studio.workspace.visits import Activity
from tests.store.conftest import fill

MONDAY = datetime(2024, 3, 4, 9, 0, tzinfo=UTC)


class Desk:
    """An editor at a kit, with a clock on the wall and one that nobody can set."""

    def __init__(self, campaign: Campaign, claim: Claim, folder: Path) -> None:
        self.campaign, self.claim, self.folder = campaign, claim, folder
        self.seconds, self.wall = 5000.0, MONDAY
        self.open()

    def open(self) -> None:
        self.kit = KitWorkspace(
            self.campaign,
            self.claim,
            folder=self.folder,
            clock=lambda: self.seconds,
            now=lambda: self.wall,
        )

    def wait(self, seconds: float) -> None:
        self.seconds += seconds
        self.wall += timedelta(seconds=seconds)

    def key(self, letter: str = "x") -> None:
        """As the window does it: the key, then what came of it."""
        self.kit.note(Activity.CHARACTER)
        own = self.kit.own(self.kit.current)
        at = own.caret
        self.kit.set_text(own.text[:at] + letter + own.text[at:], at + 1)

    def kill(self) -> None:
        self.kit.texts._spool._soon.close()  # a program that is gone syncs nothing
        os.close(self.kit.texts._spool._file)
        self.kit.texts._spool._file = -1

    def visits(self) -> tuple[Visit, ...]:
        """All that is in the campaign."""
        return self.campaign.visits.of_pass("K1", "red", Pass.FIRST)

    def spooled(self) -> list[Visit]:
        """What a kill now would leave, with what has arrived."""
        copy = self.folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        path = self.kit.texts._spool.path
        shutil.copy(path, copy / path.name)
        spool = type(self.kit.texts._spool)(self.kit.texts._spool.key, copy)
        spool.close()
        return [*self.visits(), *spool.left.visits]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("visits") / "campaign"
    with create_campaign(folder, "Test") as campaign:
        fill(campaign)
    return folder


@pytest.fixture
def campaign(prepared: Path, tmp_path: Path) -> Iterator[Campaign]:
    shutil.copytree(prepared, tmp_path / "campaign")
    with open_campaign(tmp_path / "campaign") as opened:
        yield opened


@pytest.fixture
def desk(campaign: Campaign, tmp_path: Path) -> Desk:
    return Desk(campaign, claim(campaign), tmp_path / "spools")


def claim(campaign: Campaign) -> Claim:
    return campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")


def kinds(visits: tuple[Visit, ...] | list[Visit]) -> list[EventKind]:
    return [event.kind for visit in visits for event in visit.events]


def test_a_second_look_at_a_confirmed_segment_counts(desk: Desk) -> None:
    """(a) look 8 s at a confirmed segment, confirm again."""
    desk.wait(3)
    desk.kit.confirm_and_next()
    desk.kit.go_to(0)
    desk.wait(8)
    desk.kit.confirm()
    desk.kit.close()
    looks = [visit.ms for visit in desk.visits() if visit.segment == desk.kit.segments[0].name]
    assert looks == [3000, 8000]
    one = next(efforts_of(desk.campaign, 60))
    assert (one.visits, one.seconds, one.raw_seconds, one.commands) == (2, 11.0, 11.0, 2)


def test_a_pause_is_the_kits(desk: Desk) -> None:
    """(b) pause, go to the next segment, wait 6 s, type."""
    desk.wait(1)
    desk.kit.pause()
    desk.wait(30)
    desk.kit.next()
    desk.wait(6)
    assert desk.kit.seconds() == 1
    desk.key()
    assert not desk.kit.visits.paused
    desk.wait(2)
    desk.kit.close()
    assert [visit.ms for visit in desk.visits()] == [1000, 2000]
    assert desk.visits()[1].at == MONDAY + timedelta(seconds=37)
    assert desk.kit.seconds() == 3


def test_reading_before_the_first_key_is_there_for_any_threshold(desk: Desk) -> None:
    """(c) read 65 s, press one key."""
    desk.wait(65)
    desk.key()
    desk.kit.close()
    for idle, seconds in ((60, 0), (65, 65), (120, 65)):
        one = next(efforts_of(desk.campaign, idle))
        assert (one.seconds, one.raw_seconds, one.characters) == (seconds, 65, 1)


def test_a_kill_loses_nothing_older_than_half_a_second(desk: Desk) -> None:
    """(d) 30 s of typing, then SIGKILL; and a minute of reading, too."""
    for _ in range(60):
        desk.wait(0.5)
        desk.key()
    desk.kit.note(Activity.NAVIGATION)
    desk.wait(0.4)
    desk.kit.visits.beat()
    desk.kit.next()
    for _ in range(50):
        desk.wait(0.4)
        desk.kit.visits.beat()
    desk.kill()
    desk.open()
    assert desk.kit.seconds() == pytest.approx(50.4)
    desk.kit.close()
    first, second, third = desk.visits()
    assert (first.ms, second.ms, third.ms) == (30_400, 20_000, 0)
    assert kinds([first]).count(EventKind.KEY) == 61
    assert kinds([first]).count(EventKind.TEXT) == 60
    assert second.at == MONDAY + timedelta(seconds=30.4)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_whenever_it_is_killed_the_log_is_as_far_as_the_text(desk: Desk, seed: int) -> None:
    """200 moments: what is in the spool is never older than half a second."""
    chance = random.Random(seed)
    keys = 0
    for _ in range(40):
        match chance.randrange(6):
            case 0:
                desk.kit.go_to(chance.randrange(len(desk.kit.segments)))
            case 1:
                desk.kit.note(Activity.MOUSE)
            case 2:
                desk.kit.undo()
            case _:
                desk.key()
                keys += 1
                left = desk.spooled()
                texts = {visit.segment: text_of(visit) for visit in left}
                name = desk.kit.segments[desk.kit.current].name
                assert texts[name] == desk.kit.own(desk.kit.current).text
                assert kinds(left).count(EventKind.KEY) == keys
        for _ in range(chance.randrange(3)):
            desk.wait(0.4)
            desk.kit.visits.beat()
            spent = desk.seconds - 5000
            assert sum(visit.ms for visit in desk.spooled()) / 1000 == pytest.approx(spent)


def text_of(visit: Visit) -> str:
    """The text at the end of a visit, made again from its events."""
    text = ""
    for event in visit.events:
        if event.kind is EventKind.FROM:
            text = str(event.says[0])
        elif event.kind is EventKind.TEXT:
            place, removed, added, _ = event.says
            assert isinstance(place, int)
            assert text[place : place + len(str(removed))] == removed
            text = text[:place] + str(added) + text[place + len(str(removed)) :]
    return text


def test_a_clock_that_is_set_back_changes_no_time(desk: Desk) -> None:
    desk.wait(10)
    desk.key()
    desk.wall -= timedelta(days=400)
    desk.wait(10)
    desk.kit.next()
    desk.wait(5)
    desk.kit.close()
    first, second = sorted(desk.visits(), key=lambda visit: -visit.ms)
    assert (first.at, first.ms) == (MONDAY, 20_000)
    assert (second.at, second.ms) == (MONDAY + timedelta(days=-400, seconds=20), 5000)


def test_every_way_to_change_a_text_is_counted_with_its_source(desk: Desk) -> None:
    kit = desk.kit
    kit.set_text("one", 3)
    kit.set_text("one two", 7, source=Source.PASTED)
    kit.set_text("one tow", 7, source=Source.SUGGESTION)
    kit.replace_all({0: "tow one"}, "Move words", Source.MOVED)
    kit.undo()
    kit.redo()
    kit.revert(to_output=True)
    kit.replace_all({0: "new", 1: "other"})
    kit.flag(Flag.NOTE, "words")
    kit.close()
    here, aside = {}, {}
    for visit in desk.visits():
        sources = [e.says[3] for e in visit.events if e.kind is EventKind.TEXT]
        (aside if visit.continued else here)[visit.segment] = sources
    assert here[kit.segments[0].name] == [
        *("typed", "pasted", "suggestion", "moved", "undone", "redone", "output", "replaced")
    ]
    assert aside == {kit.segments[1].name: ["replaced"]}
    commands = [e.says[0] for v in desk.visits() for e in v.events if e.kind is EventKind.COMMAND]
    assert commands == ["moved", "undo", "redo", "output", "replaced", "flag"]
    [first, *_] = efforts_of(desk.campaign, 60)
    assert (first.visits, first.pastes, first.pasted_characters) == (1, 1, 4)


def test_where_times_are_recorded_nothing_else_is_kept_anywhere(
    campaign: Campaign, tmp_path: Path
) -> None:
    campaign.set_options({TIMES_ONLY_OPTION: True})
    desk = Desk(campaign, claim(campaign), tmp_path / "spools")
    desk.wait(20)
    for _ in range(10):
        desk.wait(1)
        desk.key()
    desk.kit.visits.note("coach.shown", {"saves": 1})
    desk.kit.replace_all({0: "secret", 1: "secret"})
    desk.wait(7)
    desk.kit.visits.beat()
    log = [line for line in desk.kit.texts._spool.path.read_text().splitlines() if '"of"' in line]
    assert log
    assert not any("secret" in line or "character" in line for line in log)
    assert {kind for visit in desk.spooled() for kind in kinds([visit])} <= TIMES
    desk.kit.close()
    [visit] = desk.visits()
    assert [(event.ms, *event.says) for event in visit.events] == [(21_000, 21_000), (37_000, 7000)]
    assert (visit.ms, visit.active_ms(6000), visit.active_ms(10_000)) == (37_000, 9_000, 16_000)
    one = next(efforts_of(campaign, 10))
    assert (one.seconds, one.raw_seconds, one.visits, one.keys) == (16, 37, 1, 0)


def test_notes_of_the_program_stand_in_the_log_and_are_no_activity(desk: Desk) -> None:
    desk.wait(50)
    desk.kit.visits.note("coach.shown", {"kind": "shift", "saves": 2})
    desk.wait(50)
    desk.key()
    desk.kit.close()
    [visit] = desk.visits()
    [note] = [event for event in visit.events if event.kind is EventKind.NOTE]
    assert (note.ms, note.says) == (50_000, ("coach.shown", '{"kind":"shift","saves":2}'))
    assert visit.active_ms(60_000) == 0
    with pytest.raises(ValueError, match="not to be noted"):
        desk.kit.visits.note("coach.shown", {"text": "x" * 1000})


def test_a_long_visit_is_kept_in_parts_and_is_one_look(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("madcat_studio.workspace.visits._MOST_EVENTS", 10)
    for _ in range(30):
        desk.wait(1)
        desk.key()
        desk.kit.visits.beat()
    desk.kit.close()
    visits = sorted(desk.visits(), key=lambda visit: visit.at)
    assert len(visits) > 3
    assert text_of(visits[-1]) == desk.kit.own(0).text
    one = next(efforts_of(desk.campaign, 60))
    assert (one.visits, one.seconds, one.characters) == (1, 30, 30)


def test_the_log_waits_while_the_campaign_is_away_and_arrives_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(_: object) -> Any:
        raise WorldError("store.server-away", "The server cannot be reached")

    with monkeypatch.context() as patch:
        patch.setattr(desk.campaign.visits, "append", away)
        for _ in range(30):
            desk.wait(1)
            desk.kit.next()
            desk.kit.previous()
        desk.kit.close()
        assert desk.visits() == ()
        desk.open()
        desk.wait(1)
        desk.kit.close()
    desk.open()
    desk.wait(2)
    desk.kit.save()
    desk.kit.close()
    assert sum(visit.ms for visit in desk.visits()) == 33_000
    assert len({visit.id for visit in desk.visits()}) == len(desk.visits())


def test_a_full_disk_loses_no_event(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    real, full = os.write, [True]

    def write(file: int, data: bytes) -> int:
        if full[0] and file == desk.kit.texts._spool._file:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(file, data)

    desk.key("a")
    monkeypatch.setattr(os, "write", write)
    for _ in range(20):
        desk.wait(1)
        desk.key("b")
        desk.kit.visits.beat()
    desk.kit.next()
    for _ in range(50):
        desk.wait(0.4)
        desk.kit.visits.beat()
    beats = [one for one in desk.kit.texts._spool._waiting if b'"events":[]' in one.data]
    assert len(beats) == len({one.only for one in beats}), "of each visit its last length counts"
    full[0] = False
    assert desk.kit.texts.flush()
    desk.kill()
    desk.open()
    desk.kit.close()
    first, second, _ = desk.visits()
    assert kinds([first]).count(EventKind.TEXT) == kinds([first]).count(EventKind.KEY) == 21
    assert text_of(first).count("b") >= 20
    assert (first.ms, second.ms) == (20_000, 20_000)


def test_a_log_without_texts_comes_back_from_a_lost_claim(desk: Desk) -> None:
    """Somebody looked, and was killed; the pass was given to somebody else meanwhile."""
    desk.wait(5)
    desk.kit.visits.beat()
    desk.kill()
    desk.campaign.claims.release("K1", "red", Pass.FIRST, by="coordinator")
    assert bring_back(desk.campaign, "red1", desk.folder) == ()
    assert [visit.ms for visit in desk.visits()] == [5000]
    assert not list(desk.folder.glob("*.spool"))


@pytest.mark.long
def test_a_scripted_session_agrees_with_its_own_clock(desk: Desk) -> None:
    """Three hours of work by chance; active and raw time by segment within 1 %."""
    chance = random.Random(7)
    raw = dict.fromkeys(range(len(desk.kit.segments)), 0.0)
    active, current, rest = dict(raw), 0, 0.0

    def passes(seconds: float) -> None:
        nonlocal rest
        desk.wait(seconds)
        desk.kit.visits.beat()
        raw[current] += seconds
        rest += seconds

    def acts() -> None:
        nonlocal rest
        active[current] += rest if rest <= 60 else 0
        rest = 0.0

    for _ in range(400):
        passes(chance.choice((0.2, 0.3, 1, 5, 20, 50, 70, 200)))
        what = chance.random()
        if what < 0.7:
            acts()
            desk.key()
        elif what < 0.8:
            acts()
            desk.kit.undo()
            current = desk.kit.current
        elif what < 0.85:
            acts()
            desk.kit.pause()
            desk.wait(chance.randrange(300))
            desk.kit.pause(False)
        elif what < 0.9:
            desk.kill()
            acts()
            desk.open()
            desk.kit.go_to(current)
        elif (other := chance.randrange(len(desk.kit.segments))) != current:
            acts()
            current = other
            desk.kit.go_to(current)
    acts()
    desk.kit.close()
    idle, names = 60_000, [segment.name for segment in desk.kit.segments]
    for index, name in enumerate(names):
        own = [visit for visit in desk.visits() if visit.segment == name]
        assert sum(one.ms for one in own) / 1000 == pytest.approx(raw[index], rel=0.01)
        assert sum(one.active_ms(idle) for one in own) / 1000 == pytest.approx(
            active[index], rel=0.01
        )
    assert sum(raw.values()) > 3600
