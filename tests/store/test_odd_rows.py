"""Rows that break a rule all the same, by an owner's SQL: set aside and named, and all goes on."""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from madcat_studio.model.campaign import Pass
from madcat_studio.store import Campaign, copy_campaign, open_campaign
from madcat_studio.store.backup import restore
from madcat_studio.store.database import Database, is_url
from madcat_studio.store.enforcing import apply_rules
from tests.store.commanding import figures, run_all
from tests.store.conftest import Server
from tests.store.test_claims import finish


def edit(where: str) -> str:
    """K1 is final for both teams, K2's first pass is handed over by blue and held by red."""
    with open_campaign(where) as campaign:
        for pass_, editor in ((Pass.FIRST, "1"), (Pass.REVIEW, "2")):
            for team in ("red", "blue"):
                finish(campaign, "K1", team, pass_, team + editor)
        finish(campaign, "K2", "blue", Pass.FIRST, "blue2")
        campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "desk")
    return where


@pytest.fixture(scope="module")
def edited_folder(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("edited") / "campaign"
    return edit(str(shutil.copytree(prepared, folder)))


@pytest.fixture(scope="module")
def edited_database(server: Server, prepared_database: str) -> str:
    name = "e" + uuid.uuid4().hex  # made again where tests come in another order
    server.execute(f"CREATE DATABASE {name} TEMPLATE {prepared_database}")
    edit(server.url(name))
    return name


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def edited(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A copy of the edited campaign, on each database in turn: editing it takes longer."""
    if request.param == "sqlite":
        folder = tmp_path / "edited"
        yield str(shutil.copytree(request.getfixturevalue("edited_folder"), folder))
        return
    server: Server = request.getfixturevalue("server")
    template = request.getfixturevalue("edited_database")
    name = "o" + uuid.uuid4().hex
    server.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    yield server.url(name)
    server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def force(where: str, *statements: str) -> None:
    """Do what no rule allows, as the owner of the tables can."""
    with closing(Database(where)) as database, database.writing() as connection:
        if database.postgresql:
            rules = connection.exec_driver_sql(
                "SELECT relname, conname FROM pg_constraint k JOIN pg_class c ON c.oid = conrelid"
                " WHERE conname LIKE 'rule\\_%%'"
            ).all()
            for table, name in rules:
                connection.exec_driver_sql(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
            connection.exec_driver_sql("ALTER TABLE handovers DISABLE TRIGGER ALL")
        else:
            for (name,) in connection.exec_driver_sql(
                "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            ).all():
                connection.exec_driver_sql(f"DROP TRIGGER {name}")
        for statement in statements:
            done = connection.exec_driver_sql(statement.replace("%", "%%"))
            assert done.rowcount == 1, statement
        if database.postgresql:
            connection.exec_driver_sql("ALTER TABLE handovers ENABLE TRIGGER ALL")
        apply_rules(connection)


_LATER = """
    INSERT INTO revisions (kit_id, team_id, pass_, segment_id, number, id, turn, editor_id, machine,
        at, state, text, reason, flags, side, stored_at)
    SELECT kit_id, team_id, pass_, segment_id, {number}, {id}, turn, editor_id, {machine}, {at},
        {state}, {text}, {reason}, {flags}, {side}, {stored_at}
    FROM revisions v WHERE number = 1 AND pass_ = 'review'
        AND team_id = (SELECT id FROM teams WHERE name = 'red')
        AND segment_id = (SELECT s.id FROM segments s JOIN documents d ON d.id = document_id
            WHERE s.name = 's1' AND d.base = 'A.x_1_S1')"""


def later(**change: str) -> str:
    """A text after the last one of a segment that red's reviewer has finished."""
    values: dict[str, str] = {
        name: name for name in ("machine", "at", "state", "text", "reason", "flags")
    }
    values |= {"side": "false", "stored_at": "stored_at", "number": "2"}
    values["id"] = "'00000000-0000-4000-8000-000000000000'"
    return _LATER.format(**{**values, **change})


def visit(**change: str) -> str:
    """A visit of red's reviewer."""
    values = {"at": "at", "ms": "5", "events": "'[]'", **change}
    return (
        "INSERT INTO visits (kit_id, team_id, pass_, segment_id, number, id, turn, editor_id,"
        " machine, at, ms, events, stored_at) SELECT kit_id, team_id, pass_, segment_id, 1, id,"
        f" turn, editor_id, machine, {values['at']}, {values['ms']}, {values['events']}, stored_at"
        " FROM revisions WHERE pass_ = 'review' AND number = 1"
        " AND team_id = (SELECT id FROM teams WHERE name = 'red')"
        " AND segment_id = (SELECT s.id FROM segments s JOIN documents d ON d.id = document_id"
        " WHERE s.name = 's1' AND d.base = 'A.x_1_S1')"
    )


_OF_RED_K2 = (
    " WHERE team_id = (SELECT id FROM teams WHERE name = 'red')"
    " AND kit_id = (SELECT id FROM kits WHERE name = 'K2')"
)

ODD: dict[str, tuple[str, str]] = {
    "a time without end": ("revisions", later(at="'infinity'")),
    "stored at no time": ("revisions", later(stored_at="'-infinity'")),
    "flags in numbers": ("revisions", later(flags="""'{"note": 7}'""")),
    "flags nested for ever": ("revisions", later(flags=f"'{'[' * 900}{']' * 900}'")),
    "flags as a list": ("revisions", later(flags="'[1, 2]'")),
    "a flag that is none": ("revisions", later(flags="""'{"hacked": "x"}'""")),
    "a state that is none": ("revisions", later(state="'hacked'")),
    "an empty text": ("revisions", later(text="''")),
    "a machine that steers": ("revisions", later(machine="'\x1b[2J'")),
    "a number below nothing": ("revisions", later(number="-5")),
    "a visit of no time": ("visits", visit(at="'infinity'")),
    "a visit below nothing": ("visits", visit(ms="-5")),
    "a visit's log in words": ("visits", visit(events="""'{"keys": "many"}'""")),
    "a claim of no time": ("claims", "UPDATE claims SET at = 'infinity'" + _OF_RED_K2),
    "a hand-over of no time": (
        "handovers",
        "UPDATE handovers SET at = 'infinity' WHERE pass_ = 'review'"
        " AND team_id = (SELECT id FROM teams WHERE name = 'red')",
    ),
    "a role of no time": (
        "roles",
        "UPDATE roles SET at = '-infinity'" + _OF_RED_K2 + " AND pass_ = 'review'",
    ),
    "due at no time": (
        "due_dates",
        "INSERT INTO due_dates SELECT id, 'first', 1, 'infinity', kits_at.at, 'boss'"
        " FROM kits, (SELECT min(at) AS at FROM roles) AS kits_at WHERE name = 'K2'",
    ),
    "a release of no time": (
        "releases",
        "INSERT INTO releases SELECT kit_id, team_id, pass_, turn, 'infinity', 'red1', ''"
        " FROM claims" + _OF_RED_K2,
    ),
}

_FILE_ONLY = {
    "a number that is a word": ("revisions", later(number="'two'")),
    "a text of bytes": ("revisions", later(text="x'ff00'")),
    "flags that are no JSON": ("revisions", later(flags="'{\"note'")),
    "a day that never was": ("revisions", later(at="'2026-02-30 00:00:00.000000'")),
    "a time in other words": ("revisions", later(at="'yesterday'")),
}


@pytest.fixture
def commands(edited: str, tmp_path: Path) -> tuple[str, Path]:
    folder = tmp_path / "before"
    folder.mkdir()
    for name, answer in run_all(edited, folder).items():
        assert answer.status == 0, (name, answer)
        assert "set aside" not in answer.err
    return edited, folder


def cases(where: str) -> dict[str, tuple[str, str]]:
    return ODD if is_url(where) else {**ODD, **_FILE_ONLY}


@pytest.mark.parametrize("what", [*ODD, *_FILE_ONLY])
def test_it_is_found_and_whatever_is_read_goes_on(
    edited: str, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    if what not in cases(edited):
        return  # a server's columns do not hold it
    table, statement = cases(edited)[what]
    with open_campaign(edited) as campaign:
        before = everything(campaign)
    force(edited, statement)
    with open_campaign(edited) as campaign:
        [odd] = campaign.odd
        assert odd.table == table
        assert odd.where.startswith("kit K")
        after = everything(campaign)
    if table in ("revisions", "visits"):
        assert after == before, "the text before it counts, as it did"
    assert f"set aside, and left out of every figure: {table}, kit K" in caplog.text


def everything(campaign: Campaign) -> tuple[Any, ...]:
    """What readers of any kind get."""
    return (
        campaign.progress(),
        tuple(campaign.segment_records()),
        tuple(campaign.visits.all()),
        campaign.revisions.flagged(),
        campaign.revisions.history("K1", "red", Pass.REVIEW),
        campaign.revisions.kit_segments("K2", "red", Pass.FIRST),
        campaign.audit_trail(),
        campaign.schedule.due(),
        campaign.claims.available("red1"),
    )


def test_every_command_goes_on_and_says_so(
    commands: tuple[str, Path], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """With all of them at once; the figures are those of the sound rows."""
    where, before = commands
    texts, others = [], []
    visits = 0
    for table, statement in cases(where).values():
        if table == "revisions":
            # Each with a number and an identifier of its own.
            number = f"{len(texts) + 2}"
            statement = statement.replace(", 2, '0000", f", {number}, '0000")
            texts.append(statement.replace("'00000000", f"'000000{number:0>2}"))
        elif table == "visits":
            visits += 1
            new = f"{visits}, '00000000-0000-4000-8000-{visits:012}'"
            texts.append(statement.replace("segment_id, 1, id,", f"segment_id, {new},"))
        else:
            others.append(statement)
    for round_, statements in enumerate((texts, others)):
        force(where, *statements)
        after = tmp_path / f"after{round_}"
        after.mkdir()
        for name, answer in run_all(where, after).items():
            assert answer.status == 0, (name, answer)
            assert "set aside, and left out of every figure: " in answer.err, name
            assert "\x1b" not in answer.out + answer.err
        if statements is texts:
            assert figures(after)["tables"] == figures(before)["tables"]
            assert (after / "edits.tsv").read_bytes() == (before / "edits.tsv").read_bytes()
        # What was kept of it is sound, and all is in it.
        restore(after / "kept.backup", after / "restored")
        for copy in (after / "copy", after / "restored"):
            with open_campaign(copy) as campaign, campaign._database.reading() as connection:
                assert campaign.odd == ()
                kept = connection.exec_driver_sql("SELECT content FROM set_aside").scalars().all()
            assert len(kept) >= len(statements)
            assert all(isinstance(json.loads(content), dict) for content in kept)


def test_a_text_under_an_odd_claim_goes_with_it_and_is_kept(
    edited: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A copy holds nothing that points to what it does not hold."""
    force(
        edited,
        "UPDATE claims SET machine = '\x07' WHERE pass_ = 'review'"
        " AND team_id = (SELECT id FROM teams WHERE name = 'red')",
    )
    copied = copy_campaign(edited, tmp_path / "copy")
    with open_campaign(tmp_path / "copy") as campaign:
        with campaign._database.reading() as connection:
            kept = [
                (table, json.loads(content))
                for table, content in connection.exec_driver_sql(
                    "SELECT table_name, content FROM set_aside"
                )
            ]
        texts = {row["text"] for table, row in kept if table == "revisions"}
        assert texts == {"red review s1", "red review s2"}
        assert copied.aside == len(kept)
        assert {table for table, _ in kept} == {"claims", "handovers", "revisions"}
        assert not campaign.claims.handed_over("K1", "red", Pass.REVIEW)
        assert campaign.claims.handed_over("K1", "blue", Pass.REVIEW)


def test_writing_beside_an_odd_row_goes_on(edited: str, caplog: pytest.LogCaptureFixture) -> None:
    """Numbers and turns are those of the table, whatever was set aside."""
    force(
        edited,
        later(state="'hacked'"),
        # Open again: nobody takes a review back by any other way.
        "DELETE FROM handovers WHERE pass_ = 'review'"
        " AND team_id = (SELECT id FROM teams WHERE name = 'red')",
    )
    with open_campaign(edited) as campaign:
        assert [one.table for one in campaign.odd] == ["revisions"]
        assert "segment s1" in campaign.odd[0].where
        assert "state is none of" in str(campaign.odd[0])
        assert not campaign.claims.handed_over("K1", "red", Pass.REVIEW)
        campaign.claims.hand_over("K1", "red", Pass.REVIEW, editor="red2")
        assert campaign.claims.handed_over("K1", "red", Pass.REVIEW)
