"""One list of rules: programs, SQLite and PostgreSQL judge the same value the same way."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from madcat_studio.errors import ConflictError, InputError
from madcat_studio.model.campaign import (
    NO_OUTPUT_REASON,
    Flag,
    Pass,
    Revision,
    SegmentName,
    SegmentState,
    new_id,
)
from madcat_studio.model.visits import MOST_EVENTS, MOST_LOG, MOST_MS, EventKind, KeyClass
from madcat_studio.store import Campaign, create_campaign
from madcat_studio.store.database import DATABASE_NAME, Database
from madcat_studio.store.enforcing import rule_broken_by
from madcat_studio.store.rules import MOST_CHARACTERS, RULES, Rule, broken
from madcat_studio.store.schema import metadata
from madcat_studio.store.times import UtcTime
from madcat_studio.workspace.visits import Activity
from tests.store.test_claims import confirm_all, finish

ALL = [(table, rule) for table, rules in RULES.items() for rule in rules]
KINDS = {rule.name: rule for _, rule in ALL}
"""One rule of each kind and column; tables share them."""

LONG = MOST_CHARACTERS

texts = st.one_of(
    st.text(max_size=20),
    st.text("\0\x01\t\n\x1b\x7f\x85\x9b\u2028\ufffe\uffff\ud800 a\u00a0\u3000\u200f", max_size=4),
    st.sampled_from(["", "a" * 500, "a" * 501, "a" * 2000, "a" * 2001, "😀" * 500, "ب" * LONG]),
    st.just("a" * (LONG + 1)),
)
leaves = st.one_of(
    st.none(), st.booleans(), st.integers(-1, 10**10), st.floats(allow_nan=False), texts
)
objects = st.one_of(
    st.dictionaries(st.sampled_from([*Flag, "note ", "", "a.b", '"', "ms"]), leaves, max_size=3),
    st.dictionaries(st.sampled_from([one.value for one in Flag]), texts, max_size=3),
    st.lists(st.integers(), max_size=2),
    leaves,
)
returned = st.dictionaries(st.sampled_from([Flag.RETURNED.value, "note"]), leaves)
parts = st.one_of(
    leaves.filter(lambda one: not (isinstance(one, str) and set(one) & {"\0", "\ud800"})),
    st.integers(-(10**9), 10**9),
    st.lists(st.integers(), max_size=1),
    st.dictionaries(st.sampled_from(["a"]), st.integers(), max_size=1),
)
"""JSON itself has a way to write NUL and half a character that SQLite does not read back."""
sound_events = st.tuples(
    st.integers(0, MOST_MS), st.sampled_from([one.value for one in EventKind]), st.text("aب\n")
).map(list)
events = st.one_of(
    sound_events,
    st.tuples(sound_events, st.integers(0, 2), parts).map(
        lambda drawn: [*drawn[0][: drawn[1]], drawn[2], *drawn[0][drawn[1] + 1 :]]
    ),
    st.lists(parts, max_size=7),
    parts,
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "moment": st.one_of(
        st.datetimes(
            datetime(1, 1, 3),  # noqa: DTZ001
            datetime(9999, 12, 29),  # noqa: DTZ001
            timezones=st.just(UTC),
        ),
        st.sampled_from(
            [
                datetime(1970, 1, 1, tzinfo=UTC) - timedelta(microseconds=1),
                datetime(1970, 1, 1, tzinfo=UTC),
                datetime(2200, 1, 1, tzinfo=UTC) - timedelta(microseconds=1),
                datetime(2200, 1, 1, tzinfo=UTC),
                datetime(2024, 2, 29, 23, 59, 59, 999999, tzinfo=UTC),
            ]
        ),
    ),
    "text": texts,
    "words": texts,
    "known": st.one_of(texts, st.sampled_from([*Pass, *SegmentState, "hacked", "First"])),
    "final": st.one_of(texts, st.sampled_from([*Pass, "First"])),
    "number": st.integers(-(2**31), 2**31 - 1),
    "yes": st.booleans(),
    "key": st.uuids().map(str),
    "object": objects,
    "count": st.integers(-(2**31), 2**31 - 1),
    "list": st.one_of(
        st.lists(leaves, max_size=3),
        st.sampled_from([[[0, "key"]] * MOST_EVENTS, [0] * (MOST_EVENTS + 1), ["a" * MOST_LOG]]),
        objects,
    ),
    "events": st.one_of(st.lists(events, max_size=4), objects),
}
TYPES = {
    "moment": "timestamptz",
    "number": "integer",
    "yes": "boolean",
    "key": "uuid",
    "count": "integer",
}
JSON = ("flags", "events")
"""Columns that are kept as JSON."""


def drawn(rule: Rule) -> st.SearchStrategy[tuple[Any, ...]]:
    if rule.name == "reasoned":
        words = st.one_of(texts, st.sampled_from(["", " ", "\u00a0\u3000", "a", " a "]))
        return st.tuples(st.sampled_from(["draft", "confirmed"]), words, words)
    if rule.name == "returned":
        return st.tuples(VALUES["known"], st.one_of(objects, returned))
    return st.tuples(VALUES[rule.name.split("_")[0]])


@pytest.fixture(scope="module")
def file() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        yield connection


@pytest.fixture(scope="module")
def asked(request: pytest.FixtureRequest) -> Iterator[psycopg.Connection[Any]]:
    server = request.getfixturevalue("server")
    with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
        yield connection


def by_file(file: sqlite3.Connection, rule: Rule, values: tuple[Any, ...]) -> bool | None:
    """What SQLite says; None where it cannot keep the value."""
    spelt = [
        f"{value:%Y-%m-%d %H:%M:%S.%f}".rjust(26, "0")
        if isinstance(value, datetime)
        else json.dumps(value)
        if name in JSON
        else value
        for name, value in zip(rule.columns, values, strict=True)
    ]
    columns = ", ".join(f"? AS {name}" for name in rule.columns)
    query = f"SELECT {rule.condition(postgresql=False)} FROM (SELECT {columns})"
    try:
        [found] = file.execute(query, spelt).fetchone()
    except UnicodeEncodeError:
        return None
    assert found in (0, 1), "never unknown"
    return bool(found)


def by_server(asked: psycopg.Connection[Any], rule: Rule, values: tuple[Any, ...]) -> bool | None:
    """What PostgreSQL says; None where it cannot keep the value."""
    kind = TYPES.get(rule.name.split("_")[0], "text")
    pairs = [*zip(rule.columns, values, strict=True)]
    spelt = [json.dumps(value) if name in JSON else value for name, value in pairs]
    kinds = {name: "jsonb" if name in JSON else kind for name in rule.columns}
    columns = ", ".join(f"%s::{kinds[name]} AS {name}" for name in rule.columns)
    query = f"SELECT {rule.condition(postgresql=True)} FROM (SELECT {columns}) row"
    try:
        [found] = asked.execute(query, spelt).fetchone() or [None]  # type: ignore[call-overload]
    except (psycopg.DataError, UnicodeEncodeError):
        return None
    assert found in (True, False), "never unknown"
    return bool(found)


@pytest.mark.parametrize("name", sorted(KINDS))
@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_program_and_a_file_judge_alike(
    file: sqlite3.Connection, name: str, data: st.DataObject
) -> None:
    rule = KINDS[name]
    values = data.draw(drawn(rule))
    said = by_file(file, rule, values)
    # Of what it cannot keep, another rule says so where one looks at several columns.
    assert rule.holds(*values) == bool(said) or (said is None and len(values) > 1)


@pytest.mark.postgresql
@pytest.mark.parametrize("name", sorted(KINDS))
@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_program_and_a_server_judge_alike(
    asked: psycopg.Connection[Any], name: str, data: st.DataObject
) -> None:
    rule = KINDS[name]
    values = data.draw(drawn(rule))
    said = by_server(asked, rule, values)
    # Of what it cannot keep, another rule says so where one looks at several columns.
    assert rule.holds(*values) == bool(said) or (said is None and len(values) > 1)


@given(value=st.one_of(leaves, st.binary(max_size=3), st.lists(st.integers(), max_size=2)))
@example(value=float("inf"))
def test_a_value_of_any_type_is_judged(value: object) -> None:
    """From a file of others nothing is of the type that it should be."""
    for rule in KINDS.values():
        if len(rule.columns) == 1:
            assert rule.holds(value) in (True, False)


def test_what_an_editor_does_is_what_may_be_recorded() -> None:
    assert {one.value for one in Activity} == {*KeyClass, "mouse"}
    assert broken("revisions", sound_row()) is None


def sound_row() -> dict[str, Any]:
    return {
        "pass_": "first",
        "turn": 1,
        "number": 1,
        "id": new_id(),
        "machine": "desk",
        "at": datetime(2026, 1, 1, tzinfo=UTC),
        "stored_at": datetime(2026, 1, 1, tzinfo=UTC),
        "state": "confirmed",
        "text": "The text",
        "reason": "",
        "flags": {"note": "نعم"},
        "side": False,
    }


def test_every_time_has_a_rule() -> None:
    """What is no time, in a file as text, ends every command that reads or copies the table."""
    for table in metadata.sorted_tables:
        ruled = {
            column
            for rule in RULES.get(table.name, ())
            if rule.name.startswith("moment_")
            for column in rule.columns
        }
        assert {one.name for one in table.c if isinstance(one.type, UtcTime)} == ruled, table.name


# -- at the boundary ----------------------------------------------------------------------------

DEEP = "[" * 3000 + "]" * 3000

BAD: dict[str, dict[str, str]] = {
    "a time without end": {"at": "'infinity'"},
    "a time before all others": {"at": "'-infinity'"},
    "the year 9999": {"at": "'9999-12-31 00:00:00.000000'", "stored_at": "'2199-01-01'"},
    "stored at no time": {"stored_at": "'infinity'"},
    "flags that are nothing": {"flags": "'null'"},
    "a flag said twice": {"flags": """'{"note": "a", "note": 1}'"""},
    "flags nested for ever": {"flags": f"'{DEEP}'"},
    "flags as a list": {"flags": "'[1, 2]'"},
    "a flag that is none": {"flags": """'{"hacked": ""}'"""},
    "a flag with a number": {"flags": """'{"note": 7}'"""},
    "a flag that steers a terminal": {"flags": r"""'{"note": "\u001b[2J"}'"""},
    "a state that is none": {"state": "'hacked'"},
    "an empty text without its reason": {"text": "''"},
    "a text of blanks": {"text": "' '"},
    "a text of a megabyte": {"text": f"'{'x' * 1_000_000}'"},
    "a character that no file can hold": {"text": "'a\x0bb'"},
    "a machine that steers a terminal": {"machine": "'\x1b[2Jdesk'"},
    "a return to oneself": {"flags": """'{"to the first pass": "why?"}'"""},
    "a turn that never was": {"turn": "0"},
    "a number below nothing": {"number": "-1"},
}
"""What is written instead of a value of a sound row, in SQL."""


def claimed(campaign: Campaign) -> dict[str, str]:
    """The keys, in SQL, of a claim and a segment under it."""
    campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    with campaign._database.reading() as connection:
        row = connection.exec_driver_sql(
            "SELECT c.kit_id, c.team_id, c.editor_id, s.id FROM claims c"
            " JOIN kit_items i ON i.kit_id = c.kit_id"
            " JOIN segments s ON s.document_id = i.document_id"
        ).first()
    assert row is not None
    return dict(
        zip(
            ("kit_id", "team_id", "editor_id", "segment_id"),
            (f"'{one}'" for one in row),
            strict=True,
        )
    )


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
        "state": "'confirmed'",
        "text": "'text'",
        "reason": "''",
        "flags": "'{}'",
        "side": "false",
        **change,
    }
    return f"INSERT INTO revisions ({', '.join(row)}) VALUES ({', '.join(row.values())})"


@pytest.mark.parametrize("what", BAD)
def test_a_database_refuses_what_breaks_a_rule(campaign: Campaign, what: str) -> None:
    """Also of the owner; an editor's login is the same to these rules."""
    keys = claimed(campaign)
    before = campaign.revisions.history("K1", "red", Pass.FIRST)
    # PostgreSQL itself takes no JSON that is nested so deep or says a thing twice, by its type.
    twice = what == "a flag said twice" and campaign._database.postgresql
    if twice:
        return
    with pytest.raises(InputError) as caught, campaign._database.writing() as connection:
        connection.exec_driver_sql(statement(keys, BAD[what]).replace("%", "%%"))
    assert caught.value.code in ("store.rule-broken", "store.empty-text")
    assert campaign.revisions.history("K1", "red", Pass.FIRST) == before
    with campaign._database.writing() as connection:
        connection.exec_driver_sql(statement(keys, {}))
    assert len(campaign.revisions.history("K1", "red", Pass.FIRST)) == 1


def test_a_pass_is_handed_over_only_when_it_may_be(campaign: Campaign) -> None:
    """Whoever inserts the row; where the system gave nothing there is nothing to do."""
    keys = claimed(campaign)
    end = {name: keys[name] for name in ("kit_id", "team_id")} | {
        "pass_": "'first'",
        "turn": "1",
        "number": "1",
        "by": "'red1'",
        "at": "'2026-01-01 00:00:00.000000'",
    }
    insert = (
        f"INSERT INTO handovers ({', '.join(f'{one!s}' for one in end)})"
        f" VALUES ({', '.join(end.values())})"
    ).replace("by,", '"by",')

    def hand_over() -> None:
        with campaign._database.writing() as connection:
            connection.exec_driver_sql(insert)

    segments = campaign.revisions.kit_segments("K1", "red", Pass.FIRST)
    for one in segments:
        with pytest.raises(InputError) as caught:
            hand_over()
        assert "not all confirmed" in caught.value.reason
        state = SegmentState.CONFIRMED if one.output else SegmentState.DRAFT
        campaign.revisions.append([revision(one.name, state)])
    # A text that was kept aside is no text of the pass, and neither is one before it.
    campaign.revisions.append([revision(segments[0].name, SegmentState.DRAFT)])
    with pytest.raises(InputError):
        hand_over()
    campaign.revisions.append([revision(segments[0].name, SegmentState.CONFIRMED)])
    hand_over()
    assert campaign.claims.handed_over("K1", "red", Pass.FIRST)


def end(table: str, pass_: str, turn: int, by: str) -> str:
    """An INSERT of a hand-over or a taking back of kit K1 by red, as somebody writes it by hand."""
    names = {"kit_id": ("kits", "K1"), "team_id": ("teams", "red")}
    keys = ", ".join(f"(SELECT id FROM {own} WHERE name = '{n}')" for own, n in names.values())
    return (
        f'INSERT INTO {table} (kit_id, team_id, pass_, turn, number, at, "by") VALUES'
        f" ({keys}, '{pass_}', {turn}, 1, '2026-01-01 00:00:00.000000', '{by}')"
    )


def by_hand(campaign: Campaign, statement: str) -> None:
    with campaign._database.writing() as connection:
        connection.exec_driver_sql(statement)


def test_a_review_is_final_whoever_takes_it_back(campaign: Campaign) -> None:
    finish(campaign, "K1", "red", Pass.FIRST, "red1")
    finish(campaign, "K1", "red", Pass.REVIEW, "red2")
    before = list(campaign.segment_records())
    with pytest.raises(InputError, match="a review that is handed over is final") as caught:
        by_hand(campaign, end("takebacks", "review", 1, "red2"))
    assert caught.value.code == "store.rule-broken"
    assert campaign.claims.handed_over("K1", "red", Pass.REVIEW)
    assert list(campaign.segment_records()) == before


def test_a_review_is_handed_over_without_a_segment_that_is_to_go_back(campaign: Campaign) -> None:
    finish(campaign, "K1", "red", Pass.FIRST, "red1")
    campaign.claims.claim("K1", "red", Pass.REVIEW, "red2", "here")
    confirm_all(campaign, "K1", "red", Pass.REVIEW)
    segment = SegmentName("A.x_1_S1", "s1")
    more = {"pass_": Pass.REVIEW, "editor": "red2", "state": SegmentState.CONFIRMED}
    campaign.revisions.append([revision(segment, flags={Flag.RETURNED: "why?"}, **more)])
    with pytest.raises(InputError, match="1 segment is not confirmed, or flagged to go back: K1"):
        campaign.claims.hand_over("K1", "red", Pass.REVIEW, editor="red2")
    with pytest.raises(InputError, match="or one is to go back"):
        by_hand(campaign, end("handovers", "review", 1, "red2"))
    campaign.revisions.append([revision(segment, **more)])
    campaign.claims.hand_over("K1", "red", Pass.REVIEW, editor="red2")


def test_a_review_is_handed_over_after_its_first_pass(campaign: Campaign) -> None:
    """Also where the first pass was given back meanwhile and the review is held all the same."""
    finish(campaign, "K1", "red", Pass.FIRST, "red1")
    campaign.claims.claim("K1", "red", Pass.REVIEW, "red2", "here")
    confirm_all(campaign, "K1", "red", Pass.REVIEW)
    by_hand(campaign, end("takebacks", "first", 1, "red2"))
    with pytest.raises(InputError, match="a review is handed over whose first pass is not"):
        by_hand(campaign, end("handovers", "review", 1, "red2"))
    with pytest.raises(ConflictError) as caught:
        campaign.claims.hand_over("K1", "red", Pass.REVIEW, editor="red2")
    assert caught.value.code == "store.first-pass-open"
    campaign.claims.hand_over("K1", "red", Pass.FIRST, editor="red1")
    campaign.claims.hand_over("K1", "red", Pass.REVIEW, editor="red2")
    assert campaign.claims.handed_over("K1", "red", Pass.REVIEW)


def revision(segment: SegmentName, state: SegmentState, **more: Any) -> Revision:
    return Revision(
        **{
            "id": new_id(),
            "kit": "K1",
            "team": "red",
            "pass_": Pass.FIRST,
            "segment": segment,
            "editor": "red1",
            "machine": "desk",
            "state": state,
            "at": datetime.now(UTC),
            "text": "text",
            **more,
        }
    )


def test_a_program_refuses_with_the_same_words(campaign: Campaign) -> None:
    claimed(campaign)
    segment = SegmentName("A.x_1_S1", "s1")
    for more, words in (
        ({"text": ""}, "empty, without a reason"),
        ({"text": "a\x07"}, "that no file can hold"),
        ({"flags": {Flag.NOTE: 7}}, "not made of words"),
        ({"flags": {Flag.NOTE: "x" * 2001}}, "control characters"),
        ({"machine": "\x9b2J"}, "control characters"),
    ):
        with pytest.raises(InputError, match=words) as caught:
            campaign.revisions.append([revision(segment, SegmentState.CONFIRMED, **more)])
        assert caught.value.code in ("store.rule-broken", "store.empty-text")
    late = datetime.now(UTC) + timedelta(days=3)
    campaign.revisions.append([revision(segment, SegmentState.CONFIRMED, at=late)])
    campaign.revisions.append(
        [revision(segment, SegmentState.CONFIRMED, text="", reason=NO_OUTPUT_REASON)]
    )
    first, _ = campaign.revisions.history("K1", "red", Pass.FIRST, segment)
    assert first.at < datetime.now(UTC), "nothing is typed after it is stored"


def test_a_rule_is_known_by_what_each_database_says(tmp_path: Any) -> None:
    """SQLite tells in words which rule it was; another constraint is none of ours."""
    create_campaign(tmp_path, "x").close()
    with closing(Database(tmp_path)) as database, database.writing() as connection:
        for sql, code in (
            ("INSERT INTO teams VALUES ('a', 'b', 1), ('a', 'b', 1)", None),
            ("INSERT INTO participations VALUES ('a', 'b', 'c', 'd')", "store.rule-broken"),
        ):
            try:
                connection.exec_driver_sql(sql)
            except Exception as error:
                found = rule_broken_by(error, "")  # type: ignore[arg-type]
                assert (None if found is None else found.code) == code
            else:
                pytest.fail(sql)
    assert (tmp_path / DATABASE_NAME).exists()
