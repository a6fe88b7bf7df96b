"""Rows that break a rule all the same, by an owner's SQL: set aside and named, and all goes on."""

from __future__ import annotations

import html
import json
import shutil
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pypdf
import pytest
from openpyxl import load_workbook

from madcat_studio.formats.tables import read_table
from madcat_studio.model.campaign import Pass
from madcat_studio.operations.campaign.edits_table import EDITS_COLUMNS
from madcat_studio.reports.csv_tables import read_csv
from madcat_studio.store import Campaign, copy_campaign, open_campaign
from madcat_studio.store.backup import restore
from madcat_studio.store.database import DATABASE_NAME, Database, is_url
from madcat_studio.store.enforcing import apply_rules
from tests.store.commanding import Answer, figures, run, run_all
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
    server.copy(prepared_database, name)
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
    server.copy(template, name)
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


def entry(at: str, who: str = "'boss'") -> str:
    """An entry in the audit trail."""
    return (
        "INSERT INTO audit (id, at, who, machine, action, subject, detail)"
        f" VALUES ('00000000-0000-4000-8000-0000000000aa', {at}, {who}, '', 'note', '', '')"
    )


ODD["an entry of no time"] = ("audit", entry("'infinity'"))


def quoted(at: str) -> str:
    """A row that stayed behind when the campaign was copied."""
    return (
        "INSERT INTO set_aside (id, at, table_name, content)"
        f" VALUES ('00000000-0000-4000-8000-0000000000ac', {at}, 'revisions', '{{}}')"
    )


ODD["left behind at no time"] = ("set_aside", quoted("'infinity'"))

_FILE_ONLY = {
    "an entry by bytes": (
        "audit",
        entry("'2026-01-01 00:00:00.000000'", "x'ff'").replace("aa'", "ab'"),
    ),
    "left behind on a day": ("set_aside", quoted("'1970-01-01'").replace("ac'", "ad'")),
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


@pytest.mark.long
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
        where = "entry 0" if table in ("audit", "set_aside") else "kit K"
        assert odd.where.startswith(where)
        after = everything(campaign)
    if table in ("revisions", "visits", "audit", "set_aside"):
        assert after == before, "what was there before it counts, as it did"
    assert f"set aside, and left out of every figure: {table}, {where}" in caplog.text


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


@pytest.mark.long
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
            tables = figures(after)["tables"]
            # The verdict says it too; apart from that nothing is different.
            rows = tables[0]["rows"]
            first = [row["what"] for row in rows].index("preliminary")
            mark = rows.pop(first)
            assert mark["text"].startswith(f"{len(statements)} rows break the rules")
            assert tables == figures(before)["tables"]
            remark, table = (after / "edits.tsv").read_bytes().split(b"\n", 1)
            assert remark.startswith(f"# {len(statements)} rows break the rules".encode())
            assert table == (before / "edits.tsv").read_bytes()
        # What was kept of it is sound, and all is in it.
        restore(after / "kept.backup", after / "restored")
        for copy in (after / "copy", after / "restored"):
            with open_campaign(copy) as campaign, campaign._database.reading() as connection:
                assert campaign.odd == ()
                kept = connection.exec_driver_sql("SELECT content FROM set_aside").scalars().all()
            assert len(kept) >= len(statements)
            assert all(isinstance(json.loads(content), dict) for content in kept)


@pytest.mark.long
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


@pytest.mark.long
def test_what_points_to_nothing_stays_behind_when_a_folder_is_copied(
    edited_folder: str, tmp_path: Path
) -> None:
    """Programs other than this one remove rows from a file without asking who points to them."""
    where = shutil.copytree(edited_folder, tmp_path / "own")
    with closing(sqlite3.connect(where / DATABASE_NAME)) as file, file:
        file.execute(
            "DELETE FROM claims WHERE pass_ = 'review'"
            " AND team_id = (SELECT id FROM teams WHERE name = 'red')"
        )
    answer = run("campaign", "copy", str(where), str(tmp_path / "copy"))
    assert answer.status == 0, answer
    assert run("campaign", "backup", str(where), str(tmp_path / "kept.backup")).status == 0
    restore(tmp_path / "kept.backup", tmp_path / "restored")
    for copy in ("copy", "restored"):
        with open_campaign(tmp_path / copy) as campaign:
            assert campaign.left_out() == (
                "5 rows that broke rules stayed behind when this campaign was copied",
            )
            assert not campaign.claims.handed_over("K1", "red", Pass.REVIEW)
            assert campaign.claims.handed_over("K1", "blue", Pass.REVIEW)
            with campaign._database.reading() as connection:
                assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []


MARK = (
    "1 row breaks the rules of the campaign's tables and counts in no figure: revisions, kit K1,"
    " team red, pass review, segment s1"
)
BEHIND = "1 row that broke rules stayed behind when this campaign was copied"


def of_html(folder: Path) -> str:
    page = html.unescape((folder / "hter.html").read_text("utf-8"))
    assert '<strong class="state">Preliminary</strong>' in page
    return page


def of_json(folder: Path) -> str:
    found = json.loads((folder / "hter.json").read_text("utf-8"))
    return "\n".join(found["preliminary"])


def of_csv(folder: Path) -> str:
    rows = [(row["what"], row["text"]) for row in read_csv(folder / "about.csv")]
    assert ("state", "preliminary") in rows
    return "\n".join(text for what, text in rows if what == "preliminary")


def of_workbook(folder: Path) -> str:
    with closing(load_workbook(folder / "hter.xlsx", read_only=True)) as book:
        # On the sheet that is seen first, and on the one that tells what the figures are.
        sheets = [
            "\n".join(str(cell) for row in book[name].values for cell in row)
            for name in ("Verdict", "About")
        ]
    assert [BEHIND in one or MARK in one for one in sheets] == [True, True]
    return "\n".join(sheets)


def of_pdf(folder: Path) -> str:
    first = pypdf.PdfReader(folder / "hter.pdf").pages[0].extract_text()
    return " ".join(first.split())


FORMS = {"html": of_html, "json": of_json, "csv": of_csv, "xlsx": of_workbook, "pdf": of_pdf}


@pytest.fixture(scope="module")
def spoilt(edited_folder: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign with one odd row, and a copy of it, which has none."""
    folder = tmp_path_factory.mktemp("spoilt")
    shutil.copytree(edited_folder, folder / "own")
    force(str(folder / "own"), later(state="'hacked'"))
    assert run("campaign", "copy", str(folder / "own"), str(folder / "copy")).status == 0
    return folder


@pytest.mark.long
@pytest.mark.parametrize(("campaign_", "mark"), [("own", MARK), ("copy", BEHIND)])
def test_every_form_of_a_report_says_that_a_row_is_left_out(
    spoilt: Path, campaign_: str, mark: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """No figure goes without the mark into the hands of others."""
    where = str(spoilt / campaign_)
    answer = run(
        *("campaign", "report", where, "--out", str(tmp_path), "--resamples", "100"),
        *("--formats", ",".join(FORMS)),
    )
    assert answer.status == 0, answer
    assert f"preliminary: {mark}" in answer.err
    for name, read in FORMS.items():
        assert mark in read(tmp_path), name


@pytest.mark.long
@pytest.mark.parametrize(("campaign_", "mark"), [("own", MARK), ("copy", BEHIND)])
def test_whatever_else_goes_out_says_so_too(
    spoilt: Path, campaign_: str, mark: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    where = str(spoilt / campaign_)

    def said(*arguments: str) -> Answer:
        answer = run("campaign", *arguments)
        assert answer.status == 0, answer
        return answer

    assert mark in said("status", where).out
    [told] = json.loads(said("status", where, "--format", "json").out)["left_out"]
    assert told.startswith(mark)
    assert f"preliminary: {mark}" in said("score", where).err
    assert mark in "".join(json.loads(said("score", where, "--format", "json").out)["preliminary"])
    assert mark in run("campaign", "doctor", where).out  # its status says that there is something
    assert f"preliminary: {mark}" in said("evidence", where, "--out", str(tmp_path)).err
    assert f"Preliminary: {mark}" in (tmp_path / "README.txt").read_text("utf-8")
    for form in ("tsv", "xlsx"):
        table = tmp_path / f"edits.{form}"
        assert mark in said("export-edits", where, str(table)).out
        # It stands above the table, and whoever reads the table passes over it.
        assert read_table(table, required=EDITS_COLUMNS, optional=("reason",)).rows
        if form == "tsv":
            assert table.read_text("utf-8").startswith(f"# {mark}")
        else:
            with closing(load_workbook(table, read_only=True)) as book:
                assert str(book.active["A1"].value).startswith(f"# {mark}")
            kept = said("import-edits", where, str(table), "--dry-run").out
            assert "0 texts would be added, 19 are there" in kept


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
