"""What visits come to: kept beside the log, the same as the log says, and never instead of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from madcat_studio.model.campaign import Pass, new_id
from madcat_studio.model.visits import (
    LEAST_REST_MS,
    MOST_MS,
    Event,
    EventKind,
    KeyClass,
    Source,
    events_of,
    rests_of,
)
from madcat_studio.model.visitsums import parse_all_sums, parse_sums, sums_of_plain
from madcat_studio.operations.scores.effort import efforts_of
from madcat_studio.store import Campaign, copy_campaign, open_campaign
from madcat_studio.store.database import Database
from madcat_studio.store.guards import GUARDS
from tests.store.test_visits import EVENTS, claimed, keys_of, statement, visit

if TYPE_CHECKING:
    from tests.store.conftest import Guarded

__all__ = ["claimed"]

times = st.one_of(st.integers(0, 40_000), st.integers(0, MOST_MS))
texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=5)
plain_event = st.one_of(
    st.tuples(times, st.just("from"), texts),
    st.tuples(times, st.sampled_from(["continued", "mouse"])),
    st.tuples(times, st.just("key"), st.sampled_from([one.value for one in KeyClass])),
    st.tuples(times, st.just("command"), st.sampled_from(["undo", "move words", "a_1.-"])),
    st.tuples(
        *(times, st.just("text"), st.integers(0, 99), texts, texts),
        st.sampled_from([one.value for one in Source]),
    ),
    st.tuples(times, st.just("rest"), times),
    st.tuples(times, st.just("note"), st.just("coach.shown"), st.just('{"n":1}')),
).map(list)
odd_event = st.one_of(
    st.sampled_from(
        [
            *([1, "key", "F5"], [1, "key"], [1, "mouse", 3], [-1, "mouse"], [1.5, "mouse"]),
            *([1, "rest", -1], [1, "rest", "long"], [1, "rest", 10**10], [True, "mouse"]),
            *([1, "text", 0, "a", "b", "stolen"], [1, "text", "0", "a", "b", "pasted"]),
            *([1, "command", "UNDO"], [1, "command", "undo\n"], [1, "from", 7], [1, "swears"]),
            *([], [1], "mouse", None, 7, {"a": 1}, [1, ["mouse"]], [1, None]),
        ]
    ),
    st.tuples(times, st.sampled_from([one.value for one in EventKind]), texts).map(list),
    st.tuples(times, st.just("note"), st.just("a"), st.just('{"a": [1, null]}')).map(list),
)


def told(ms: int, plain: list[Any]) -> list[int]:
    """By another way: event after event, as a person would count."""
    events, _ = events_of(plain)
    kinds = [event.kind for event in events]
    pasted = [e.says[2] for e in events if e.kind is EventKind.TEXT and e.says[3] == "pasted"]
    return [
        int(EventKind.CONTINUED in kinds),
        *(
            sum(e.kind is EventKind.KEY and e.says == (one.value,) for e in events)
            for one in KeyClass
        ),
        kinds.count(EventKind.MOUSE),
        kinds.count(EventKind.COMMAND),
        len(pasted),
        sum(len(str(one)) for one in pasted),
        *(rest for rest in rests_of(ms, events) if rest > LEAST_REST_MS),
    ]


@pytest.mark.long
@given(ms=times, plain=st.lists(plain_event, max_size=12))
def test_sums_are_what_the_events_say(ms: int, plain: list[Any]) -> None:
    sums = sums_of_plain(ms, plain)
    assert sums == told(ms, plain)
    kept = parse_sums(json.dumps(sums))
    assert kept is not None
    for idle in (LEAST_REST_MS, 7_900, 60_000):
        one = replace(visit(), ms=ms, events=events_of(plain)[0])
        assert kept.active_ms(ms, idle) == one.active_ms(idle)


NUMBERS = st.lists(st.integers(0, 2**70), min_size=7, max_size=12).map(json.dumps)
ODD = st.one_of(
    st.none(),
    st.text(alphabet='[]0123456789, \n-."e', max_size=40),
    st.sampled_from(
        [
            *("", "[]", "[[1,2,3,4,5,6,7,8,9]]", "[01,2,3,4,5,6,7,8,9]", "[1,2,3,4,5,6,7,8,-9]"),
            *("[1,2,3,4,5,6,7,8,9", "1,2],[3,4]", "[1,2,3,4,5,6,7,8,9],[1]", "[1],\n[2]"),
            *("[1,2,3,4,5,6,7,8,9.0]", "[1,2,3,4,5,6,7,8,1e3]", "[1 ,2, 3,4,5,6,7,8,9, 10]"),
        ]
    ),
)


@pytest.mark.long
@given(st.lists(st.one_of(st.builds(json.dumps, st.just([*range(11)])), NUMBERS, ODD), max_size=5))
def test_many_sums_are_read_as_each(spelt: list[str | None]) -> None:
    alone = [parse_sums(one) for one in spelt]
    assert parse_all_sums(spelt) == [None if one is None else one.plain() for one in alone]
    assert all(one is None or max(one.plain()) <= 10**12 for one in alone)


@given(odd=odd_event, plain=st.lists(plain_event, max_size=3))
def test_there_are_none_where_an_event_is_none(odd: Any, plain: list[Any]) -> None:
    events = [*plain, odd]
    # A note counts for nothing, whatever it says.
    counted = [one for one in events if not (isinstance(one, list) and one[1:2] == ["note"])]
    assert (sums_of_plain(5, events) is None) == bool(events_of(counted)[1])


@pytest.fixture(scope="module")
def summing(request: pytest.FixtureRequest) -> Iterator[psycopg.Connection[Any]]:
    """A server with that one function."""
    server = request.getfixturevalue("server")
    [guard] = [one for one in GUARDS if one.name == "studio_visit_sums"]
    with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
        connection.execute(
            f"CREATE FUNCTION pg_temp.{guard.name}({guard.takes}) RETURNS {guard.gives}"  # type: ignore[arg-type]
            f" LANGUAGE sql STABLE AS $guard${guard.body}$guard$"
        )
        yield connection


@pytest.mark.long
@pytest.mark.postgresql
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(ms=times, plain=st.lists(st.one_of(plain_event, odd_event), max_size=12))
@example(ms=30_000, plain=[[0, "from", ""], [9_000, "mouse"], [8_000, "key", "other"]])
@example(ms=1, plain=[[0, "from", ""], [MOST_MS, "text", 0, "", "ءب😀", "pasted"]])
@example(ms=0, plain=[[0, "rest", 5_000], [0, "rest", 5_001], [0, "continued"]])
@example(ms=70_000, plain=[[0, "from", "a"]])
def test_a_server_says_the_same_or_nothing(
    summing: psycopg.Connection[Any], ms: int, plain: list[Any]
) -> None:
    [found] = summing.execute(
        "SELECT pg_temp.studio_visit_sums(%s, %s::jsonb)", (ms, json.dumps(plain))
    ).fetchone() or [7]
    assert found == sums_of_plain(ms, plain)


@pytest.mark.postgresql
@pytest.mark.parametrize("events", ["null", "7", '"x"', '{"a": [1]}', '[[1.0, "mouse"]]'])
def test_of_what_is_no_list_of_events_a_server_says_nothing(
    summing: psycopg.Connection[Any], events: str
) -> None:
    [found] = summing.execute(
        "SELECT pg_temp.studio_visit_sums(5, %s::jsonb)", (events,)
    ).fetchone() or [7]
    assert found is None


def test_effort_is_the_same_by_the_sums_and_by_the_log(claimed: Campaign) -> None:
    pasted = Event(30_000, EventKind.TEXT, (0, "", "نعم", "pasted"))
    claimed.visits.append([visit(ms=100_000, events=(*EVENTS, pasted)), visit(events=())])
    by_sums = list(efforts_of(claimed, 20))
    assert [one.seconds for one in by_sums] == [100 - 70 - 22.5 + 10]
    assert by_sums[0].pasted_characters == 3
    with claimed._database.writing() as connection:
        change(connection, claimed, "NULL")
    assert list(efforts_of(claimed, 20)) == by_sums
    # Rests that are too short to be kept are looked up in the log.
    [effort] = efforts_of(claimed, 4)
    assert effort.seconds == pytest.approx(100 - 70 - 22.5 - 6.099 + 10)


def change(connection: Any, campaign: Campaign, sums: str) -> None:
    """As the owner of the tables can; the rules are set again."""
    if campaign._database.postgresql:
        connection.exec_driver_sql("ALTER TABLE visits DISABLE TRIGGER ALL")
        connection.exec_driver_sql(f"UPDATE visits SET sums = {sums}")
        connection.exec_driver_sql("ALTER TABLE visits ENABLE TRIGGER ALL")
        return
    spelt = connection.exec_driver_sql(
        "SELECT sql FROM sqlite_master WHERE name = 'rule_visits_kept_update'"
    ).scalar_one()
    connection.exec_driver_sql("DROP TRIGGER rule_visits_kept_update")
    connection.exec_driver_sql(f"UPDATE visits SET sums = {sums}")
    connection.exec_driver_sql(spelt)


@pytest.mark.long
@pytest.mark.parametrize(
    "sums",
    [
        "'[]'",
        "'[1, 2]'",
        "'{\"a\": 1}'",
        "'7'",
        "'[0,0,0,0,0,0,0,0,-1]'",
        "'[0,0,0,0,0,0,0,0,1.5]'",
    ],
)
def test_sums_that_are_none_are_never_believed(
    claimed: Campaign, sums: str, tmp_path: Path
) -> None:
    claimed.visits.append([visit(), visit(ms=8_000)])
    before = list(efforts_of(claimed, 60))
    assert before[0].characters == 2
    with claimed._database.writing() as connection:
        change(connection, claimed, sums)
    assert list(efforts_of(claimed, 60)) == before
    if not claimed._database.postgresql:
        for odd in ("'{'", "x'00ff'", "''"):
            with claimed._database.writing() as connection:
                change(connection, claimed, odd)
            assert list(efforts_of(claimed, 60)) == before
    # A copy has its own.
    copy_campaign(claimed.where, tmp_path / "copy")
    with open_campaign(tmp_path / "copy") as copied:
        assert list(efforts_of(copied, 60)) == before
        with copied._database.reading() as connection:
            found = connection.exec_driver_sql("SELECT sums FROM visits ORDER BY ms").scalars()
            assert [json.loads(one) for one in found] == [
                [0, 1, 0, 0, 0, 1, 1, 0, 0, 6099],
                [0, 1, 0, 0, 0, 1, 1, 0, 0, 6099],
            ]


@pytest.mark.postgresql
def test_a_server_makes_them_whatever_is_given(own_guarded: Guarded) -> None:
    with own_guarded.open("red1") as campaign:
        campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
    with open_campaign(own_guarded.url) as campaign:
        keys = keys_of(campaign)
    forged = {"events": """'[[0, "from", ""], [9000, "mouse"]]'""", "sums": "'[0,9,9,9,9,9,9,9,9]'"}
    with own_guarded.connect("red1") as connection:
        keys["segment_id"] = "(SELECT id FROM studio_read_segments() ORDER BY id LIMIT 1)"
        connection.execute(statement(keys, {**forged, "id": f"'{new_id()}'"}))  # type: ignore[call-overload]
    with closing(Database(own_guarded.url)) as database, database.reading() as connection:
        [found] = connection.exec_driver_sql("SELECT sums FROM visits").scalars()
    assert found == [0, 0, 0, 0, 0, 1, 0, 0, 0, 9000]
