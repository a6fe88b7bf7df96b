"""The log of visits in the store: appended, kept as it is, and closed to everybody else."""

from __future__ import annotations

import json
import uuid
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.errors import InputError, UsageError
from madcat_studio.model.campaign import Pass, SegmentName, new_id
from madcat_studio.model.visits import (
    MOST_EVENTS,
    MOST_MS,
    TIMES_ONLY_OPTION,
    Event,
    EventKind,
    Source,
    Visit,
    events_of,
    note_event,
    parse_event,
    plain_events,
)
from madcat_studio.store import Campaign, copy_campaign, open_campaign
from madcat_studio.store.covers import SHOWN_ID
from madcat_studio.store.database import Database

if TYPE_CHECKING:
    from tests.store.conftest import Guarded

S1, S2 = SegmentName("A.x_1_S1", "s1"), SegmentName("A.x_1_S1", "s2")
ENTERED = datetime(2026, 3, 1, 9, 0, 0, 250_000, tzinfo=UTC)
EVENTS = (
    Event(0, EventKind.FROM, ("the 'first' sentence\u00a0.",)),
    Event(900, EventKind.KEY, ("character",)),
    Event(901, EventKind.TEXT, (3, "", "ء", "typed")),
    Event(7000, EventKind.MOUSE),
    Event(7500, EventKind.COMMAND, ("move words",)),
    Event(7500, EventKind.TEXT, (0, "the ", "", "moved")),
    note_event(9000, "coach.shown", {"saves": 2, "rate": 0.5, "what": "«نعم»\n"}),
)


def visit(**more: Any) -> Visit:
    return Visit(
        **{
            "id": new_id(),
            "kit": "K1",
            "team": "red",
            "pass_": Pass.FIRST,
            "segment": S1,
            "editor": "red1",
            "machine": "desk",
            "at": ENTERED,
            "ms": 10_000,
            "turn": 1,
            "events": EVENTS,
            **more,
        }
    )


@pytest.fixture
def claimed(campaign: Campaign) -> Campaign:
    campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    return campaign


def test_a_visit_comes_back_as_it_was(claimed: Campaign) -> None:
    first, second = visit(), visit(at=ENTERED + timedelta(minutes=1), ms=0, events=())
    assert claimed.visits.append([second, first]).stored == 2
    assert claimed.visits.of_pass("K1", "red", Pass.FIRST) == (first, second)
    assert claimed.visits.of_pass("K1", "red", Pass.FIRST, "red1") == (first, second)
    assert claimed.visits.of_pass("K1", "red", Pass.FIRST, "red2") == ()
    assert list(claimed.visits.of_editor("red1", ENTERED, ENTERED + timedelta(minutes=1))) == [
        first
    ]
    assert claimed.visits.of_segment("K1", S1) == (first, second)
    assert claimed.visits.of_segment("K1", S2) == ()
    # 4 are the words of "the first sentence .".
    assert list(claimed.visits.all()) == [(first, 4), (second, 4)]


def test_a_visit_that_is_delivered_twice_is_stored_once(claimed: Campaign) -> None:
    one, two = visit(), visit(segment=S2)
    assert claimed.visits.append([one]).stored == 1
    again = claimed.visits.append([one, two])
    assert (again.stored, again.known) == (1, 1)
    assert [v.id for v, _ in claimed.visits.all()] == [one.id, two.id]


def test_all_of_a_campaign_comes_by_editor_and_pass_and_without_practice(
    claimed: Campaign,
) -> None:
    claimed.claims.claim("K1", "blue", Pass.FIRST, "blue1", "there")
    blue = visit(team="blue", editor="blue1")
    late = visit(segment=S1, at=ENTERED + timedelta(hours=1))
    other = visit(segment=SegmentName("B.x_1_S1", "s1"), at=ENTERED - timedelta(hours=1))
    claimed.visits.append([other, blue, late, visit(segment=S2), visit()])
    found = [(v.team, str(v.segment), v.at) for v, _ in claimed.visits.all()]
    assert found == [
        ("red", str(S1), ENTERED),
        ("red", str(S1), late.at),
        ("red", str(S2), ENTERED),
        ("red", str(other.segment), other.at),
        ("blue", str(S1), ENTERED),
    ]


def test_what_was_never_claimed_or_is_not_in_the_kit_is_refused(claimed: Campaign) -> None:
    for one, code in (
        (visit(editor="red2"), "store.never-claimed"),
        (visit(turn=2), "store.never-claimed"),
        (visit(team="blue"), "store.never-claimed"),
        (visit(segment=SegmentName("B.x_1_S2", "s1")), "store.not-in-kit"),
        (visit(ms=MOST_MS + 1), "store.rule-broken"),
        (visit(at=datetime(1969, 1, 1, tzinfo=UTC)), "store.rule-broken"),
        (visit(machine="\x1b[2J"), "store.rule-broken"),
        (visit(events=(Event(0, EventKind.FROM, ("a\x07",)),)), "store.rule-broken"),
        (visit(events=(Event(0, EventKind.MOUSE),) * (MOST_EVENTS + 1)), "store.rule-broken"),
    ):
        with pytest.raises(InputError) as caught:
            claimed.visits.append([visit(), one])
        assert caught.value.code == code
    assert list(claimed.visits.all()) == []


def test_a_clock_that_goes_fast_enters_nothing_after_it_is_stored(claimed: Campaign) -> None:
    claimed.visits.append([visit(at=datetime.now(UTC) + timedelta(days=2))])
    [(found, _)] = claimed.visits.all()
    assert found.at <= datetime.now(UTC)
    assert found.ms == 10_000


def test_where_times_are_recorded_nothing_else_is_stored(campaign: Campaign) -> None:
    campaign.set_options({TIMES_ONLY_OPTION: True})
    campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    assert campaign.visits.times_only()
    rest = Event(6000, EventKind.REST, (5800,))
    part = Event(0, EventKind.CONTINUED)
    campaign.visits.append([visit(events=(EVENTS[0], part, *EVENTS[1:3], rest, *EVENTS[3:]))])
    [(found, _)] = campaign.visits.all()
    assert found.events == (part, rest)
    assert (found.ms, found.at) == (10_000, ENTERED)


# -- at the boundary ----------------------------------------------------------------------------

BAD = {
    "a time without end": {"at": "'infinity'"},
    "stored at no time": {"stored_at": "'-infinity'"},
    "a stay below nothing": {"ms": "-1"},
    "a stay without end": {"ms": "2000000000"},
    "a turn that never was": {"turn": "0"},
    "a machine that steers a terminal": {"machine": "'\x1b[2Jdesk'"},
    "events that are none": {"events": "'null'"},
    "events as an object": {"events": """'{"a": 1}'"""},
    "events as numbers": {"events": "'[1, 2]'"},
    "an event without its kind": {"events": "'[[1]]'"},
    "an event of another kind": {"events": """'[[1, "swears"]]'"""},
    "an event before its visit": {"events": """'[[-1, "mouse"]]'"""},
    "an event at no time": {"events": """'[["now", "mouse"]]'"""},
    "an event at the end of time": {"events": """'[[1e300, "mouse"]]'"""},
    "an event between two moments": {"events": """'[[1.5, "mouse"]]'"""},
    "an event with too much": {"events": """'[[1, "mouse", 1, 2, 3, 4, 5]]'"""},
    "an event in an event": {"events": """'[[1, "note", ["a"]]]'"""},
    "an event with an object": {"events": """'[[1, "note", {"a": 1}]]'"""},
    "an event with a count without end": {"events": """'[[1, "rest", 1e300]]'"""},
    "an event that steers a terminal": {"events": r"""'[[1, "command", "\u001b[2J"]]'"""},
    "events nested for ever": {"events": f"'{'[' * 900}{']' * 900}'"},
    "too many events": {"events": f"'{json.dumps([[1, 'mouse']] * (MOST_EVENTS + 1))}'"},
    "events of megabytes": {"events": f"""'[[1, "command", "{"x" * 4_100_000}"]]'"""},
}


def keys_of(campaign: Campaign) -> dict[str, str]:
    with campaign._database.reading() as connection:
        row = connection.exec_driver_sql(
            "SELECT c.kit_id, c.team_id, c.editor_id, s.id FROM claims c"
            " JOIN kit_items i ON i.kit_id = c.kit_id"
            " JOIN segments s ON s.document_id = i.document_id"
        ).first()
    assert row is not None
    names = ("kit_id", "team_id", "editor_id", "segment_id")
    return dict(zip(names, (f"'{one}'" for one in row), strict=True))


def statement(keys: dict[str, str], change: dict[str, str]) -> str:
    """An INSERT as somebody writes it by hand."""
    row = {
        **keys,
        "pass_": "'first'",
        "turn": "1",
        "number": "1",
        "id": f"'{uuid.uuid4()}'",
        "machine": "'desk'",
        "at": "'2026-01-01 00:00:00.000000'",
        "stored_at": "'2026-01-01 00:00:00.000000'",
        "ms": "5",
        "events": """'[[1, "mouse"]]'""",
        **change,
    }
    return f"INSERT INTO visits ({', '.join(row)}) VALUES ({', '.join(row.values())})"


@pytest.mark.parametrize("what", BAD)
def test_a_database_refuses_what_breaks_a_rule(claimed: Campaign, what: str) -> None:
    keys = keys_of(claimed)
    with pytest.raises(InputError) as caught, claimed._database.writing() as connection:
        connection.exec_driver_sql(statement(keys, BAD[what]).replace("%", "%%"))
    assert caught.value.code == "store.rule-broken"
    assert list(claimed.visits.all()) == []
    with claimed._database.writing() as connection:
        connection.exec_driver_sql(statement(keys, {}))
    assert len(list(claimed.visits.all())) == 1


def test_the_log_is_only_added_to_also_by_the_owner(claimed: Campaign) -> None:
    claimed.visits.append([visit()])
    for change in ("UPDATE visits SET ms = 1", "DELETE FROM visits"):
        with pytest.raises(InputError, match="only added to"), claimed._database.writing() as c:
            c.exec_driver_sql(change)
    assert len(list(claimed.visits.all())) == 1


def test_events_that_got_past_a_file_are_left_out_by_readers_and_copies(
    claimed: Campaign, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """An owner's own SQL can take the rules away; reading goes on, and so does copying."""
    if claimed._database.postgresql:
        return  # its index finds such rows when the campaign is opened
    keys = keys_of(claimed)
    claimed.visits.append([visit(segment=S2)])
    odd = """'[[1, "mouse"], [2, "swears"], "x", [3, "rest", -1]]'"""
    with claimed._database.writing() as connection:
        connection.exec_driver_sql("DROP TRIGGER rule_visits_insert")
        connection.exec_driver_sql(statement(keys, {"events": odd}))
    with open_campaign(claimed.where) as campaign:
        [found] = [one for one, _ in campaign.visits.all() if one.ms == 5]
    assert found.events == (Event(1, EventKind.MOUSE),)
    assert "3 events of visit" in caplog.text
    copied = copy_campaign(claimed.where, tmp_path / "copy")
    assert copied.aside == 1
    with open_campaign(tmp_path / "copy") as campaign:
        assert [v.segment for v, _ in campaign.visits.all()] == [S2]


def test_what_is_opened_for_an_editor_shows_one_log(claimed: Campaign) -> None:
    one = visit()
    claimed.visits.append([one])
    with open_campaign(claimed.where, for_editor=True) as campaign:
        assert campaign.visits.of_pass("K1", "red", Pass.FIRST, "red1") == (one,)
        for ask in (
            lambda: campaign.visits.of_pass("K1", "red", Pass.FIRST),
            lambda: campaign.visits.of_segment("K1", S1),
            lambda: list(campaign.visits.all()),
        ):
            with pytest.raises(UsageError) as caught:
                ask()
            assert caught.value.code == "campaign.one-side"


@pytest.mark.long
def test_a_copy_holds_the_whole_log(claimed: Campaign, tmp_path: Path) -> None:
    claimed.visits.append([visit(), visit(segment=S2)])
    before = list(claimed.visits.all())
    copied = copy_campaign(claimed.where, tmp_path / "copy")
    assert copied.tables["visits"].rows == 2
    with open_campaign(tmp_path / "copy") as campaign:
        assert list(campaign.visits.all()) == before


# -- a server's editors -------------------------------------------------------------------------


@pytest.fixture
def desks(own_guarded: Guarded) -> Guarded:
    for editor in ("red1", "blue1"):
        with own_guarded.open(editor) as campaign:
            campaign.claims.claim("K1", editor[:-1], Pass.FIRST, editor, "desk")
            shown = SegmentName("K1.01", "1")
            campaign.visits.append([visit(team=editor[:-1], editor=editor, segment=shown)])
    return own_guarded


@pytest.mark.long
@pytest.mark.postgresql
def test_an_editor_reads_the_own_log_and_no_other(desks: Guarded) -> None:
    with desks.open("red1") as campaign:
        assert [v.editor for v, _ in campaign.visits.all()] == ["red1"]
        assert len(campaign.visits.of_pass("K1", "red", Pass.FIRST)) == 1
        with pytest.raises(InputError):
            campaign.visits.of_pass("K1", "blue", Pass.FIRST)
    with desks.open("red2") as campaign:
        # Of the same team: the reviewer sees texts, and not how they came about.
        assert list(campaign.visits.all()) == []
    with open_campaign(desks.url) as campaign:
        assert [v.editor for v, _ in campaign.visits.all()] == ["red1", "blue1"]


@pytest.mark.long
@pytest.mark.postgresql
def test_an_editor_writes_no_log_for_others_and_changes_none(desks: Guarded) -> None:
    with closing(Database(desks.url)) as database, database.reading() as connection:
        rows = connection.exec_driver_sql(
            f"SELECT v.kit_id, v.team_id, v.editor_id, {SHOWN_ID.format(i='i', s='s')}, e.name"
            " FROM visits v JOIN editors e ON e.id = v.editor_id JOIN segments s ON"
            " s.id = v.segment_id JOIN kit_items i USING (kit_id, document_id)"
        ).all()
    keys = {
        row[4]: dict(
            zip(
                ("kit_id", "team_id", "editor_id", "segment_id"),
                (f"'{one}'" for one in row[:4]),
                strict=True,
            )
        )
        for row in rows
    }
    with desks.connect("red1") as connection:
        for keys_, change in (
            (keys["blue1"], {}),
            (keys["red1"], {"editor_id": keys["blue1"]["editor_id"]}),
            (keys["red1"], {"pass_": "'review'"}),
            (keys["red1"], {"ms": "-1"}),
            (keys["red1"], {"at": "'-infinity'"}),
            (keys["red1"], {"events": """'[[1e300, "mouse"]]'"""}),
        ):
            with pytest.raises(psycopg.Error, match=r"policy|rule_visits"):
                connection.execute(statement(keys_, change))  # type: ignore[call-overload]
        for change in ("UPDATE visits SET ms = 1", "DELETE FROM visits", "TRUNCATE visits"):
            with pytest.raises(psycopg.Error, match="denied"):
                connection.execute(change)  # type: ignore[call-overload]
        # A number and times of one's own choice are not taken.
        late = {"number": "77", "at": "'2190-01-01'", "stored_at": "'2190-01-01'"}
        connection.execute(statement(keys["red1"], late))  # type: ignore[call-overload]
    with closing(Database(desks.url)) as database, database.reading() as connection:
        found = connection.exec_driver_sql(
            "SELECT number, at <= now(), stored_at <= now() FROM visits ORDER BY stored_at"
        ).all()
    assert [tuple(row) for row in found[2:]] == [(2, True, True)]
    assert len(found) == 3


@pytest.mark.postgresql
def test_a_server_strips_what_is_no_time_whoever_writes(own_guarded: Guarded) -> None:
    with open_campaign(own_guarded.url) as campaign:
        campaign.set_options({TIMES_ONLY_OPTION: True})
    with own_guarded.open("red1") as campaign:
        campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        assert campaign.visits.times_only()
    with open_campaign(own_guarded.url) as campaign:
        keys = keys_of(campaign)
    events = """'[[0, "from", "text"], [1, "mouse"], [9000, "rest", 8000], [9001, "note", "a"]]'"""
    with own_guarded.connect("red1") as connection:
        keys["segment_id"] = "(SELECT id FROM studio_read_segments() ORDER BY id LIMIT 1)"
        connection.execute(statement(keys, {"events": events}))  # type: ignore[call-overload]
    with open_campaign(own_guarded.url) as campaign:
        [(found, _)] = campaign.visits.all()
    assert plain_events(found.events) == [[9000, "rest", 8000]]


# -- one event ----------------------------------------------------------------------------------


def test_events_are_read_strictly_by_their_kind() -> None:
    assert events_of(plain_events(EVENTS)) == (EVENTS, 0)
    for odd in (
        [1, "key"],
        [1, "key", "F5"],
        [1, "mouse", 3],
        [1, "text", 0, "a", "b", "stolen"],
        [1, "text", -1, "a", "b", "typed"],
        [1, "rest", "long"],
        [1, "command", "\x1b"],
        [1, "note", "a", "{"],
        [1, "note", "a", "[1]"],
        [1, "note", "a", '{"a": [1]}'],
        [1, "note", "a", '{"a": "' + "x" * 1000 + '"}'],
        [True, "mouse"],
        [1, ["mouse"]],
        "mouse",
        None,
    ):
        assert parse_event(odd) is None, odd
    assert parse_event([2.0, "mouse"]) == Event(2, EventKind.MOUSE)
    assert {source.value for source in Source} >= {"typed", "pasted", "suggestion", "output"}


def test_a_note_is_small_and_plain() -> None:
    assert note_event(3, "coach.taken", {"n": 1}).says == ("coach.taken", '{"n":1}')
    for name, detail in (("Coach", {}), ("a", {"x": "y" * 1000}), ("", {}), ("a", {"x": [1]})):
        with pytest.raises(ValueError, match="not to be noted"):
            note_event(0, name, detail)  # type: ignore[arg-type]


def test_active_time_leaves_out_rests_by_whatever_threshold() -> None:
    full = visit()  # 10 s: at 0.9, 0.901, 7.0, 7.5, 7.5 something is done
    assert list(full.rests()) == [900, 1, 6099, 500, 0, 2500]
    assert full.active_ms(60_000) == 10_000
    assert full.active_ms(5_000) == 10_000 - 6099
    assert full.active_ms(2_499) == 10_000 - 6099 - 2500
    times = visit(events=(Event(7000, EventKind.REST, (6099,)),))
    assert times.active_ms(60_000) == 10_000
    assert times.active_ms(5_000) == 10_000 - 6099
    assert visit(events=()).active_ms(5_000) == 10_000


_ODD = st.one_of(
    st.integers(-1, 3),
    st.just(MOST_MS + 1),
    st.floats(0, 3),
    st.booleans(),
    st.none(),
    st.sampled_from(["key", "text", "typed", "character", "mouse", "flown", ""]),
)


@given(
    st.lists(
        st.one_of(
            st.lists(_ODD, max_size=7),
            st.tuples(_ODD, st.just("key"), _ODD).map(list),
            st.tuples(_ODD, st.just("text"), _ODD, _ODD, _ODD, _ODD).map(list),
            _ODD,
        ),
        max_size=6,
    )
)
def test_many_events_are_read_as_each_alone(plain: list[object]) -> None:
    """The shorter way, which reports take, lets nothing through that the other would not."""
    alone = [parse_event(one) for one in plain]
    found = tuple(one for one in alone if one is not None)
    assert events_of(plain) == (found, alone.count(None))
    assert all(type(one.kind) is EventKind for one in events_of(plain)[0])
