"""From older tables to today's, by steps as Alembic takes them.

Nothing is released, and so the older tables are made up: they and the step from them to today's
are in ``steps``. What takes the steps is the program's own.
"""

from __future__ import annotations

import shutil
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from madcat_studio.cli.app import main
from madcat_studio.errors import FormatError, WorldError
from madcat_studio.model.campaign import Pass, new_id
from madcat_studio.store import open_campaign, schema, upgrade
from madcat_studio.store.backup import back_up
from madcat_studio.store.database import DATABASE_NAME, Database, is_url
from madcat_studio.store.inspection import inspect_server
from madcat_studio.store.migrations.history import NEVER_RELEASED, VERSIONS
from madcat_studio.store.rules import RULES
from madcat_studio.store.times import UtcTime
from tests.store.conftest import fill
from tests.store.test_campaigns import refused

STEPS = Path(__file__).parent / "steps"


def version(connection: sa.Connection) -> object:
    return connection.scalar(sa.text("SELECT version_num FROM alembic_version"))


def set_version(where: str, name: str) -> None:
    with closing(Database(where)) as database, database.writing() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = :v"), {"v": name})


@pytest.fixture
def empty(request: pytest.FixtureRequest, kind: str, tmp_path: Path) -> Iterator[str]:
    """A place where nothing is yet, on the database of this kind."""
    if kind == "sqlite":
        where = tmp_path / "100 % campaign: an older one"
        where.mkdir()
        yield str(where)
        return
    server = request.getfixturevalue("server")
    name = "s" + uuid.uuid4().hex
    server.execute(f"CREATE DATABASE {name}")
    yield server.url(name)
    server.execute(f"DROP DATABASE {name} WITH (FORCE)")


# -- today's ------------------------------------------------------------------------------------


def demand_the_programs_tables(where: str) -> None:
    def same_type(_context: object, *kinds: object) -> bool | None:
        # Our own time is the database's; comparing its name would find a difference.
        return False if isinstance(kinds[3], UtcTime) else None

    with closing(Database(where)) as database, database.writing() as connection:
        # What finds odd rows is the rules', which are no steps.
        for table in RULES:
            connection.exec_driver_sql(f"DROP INDEX odd_{table}")
        context = MigrationContext.configure(connection, opts={"compare_type": same_type})
        assert compare_metadata(context, schema.metadata) == []


def rules_there(where: str) -> dict[str, str]:
    """Name -> text of what keeps the rules in a database."""
    with closing(Database(where)) as database, database.reading() as connection:
        query = (
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE conname LIKE 'rule\\_%%' UNION ALL"
            " SELECT indexname, indexdef FROM pg_indexes WHERE indexname LIKE 'odd\\_%%'"
            if database.postgresql
            else "SELECT name, sql FROM sqlite_master WHERE name LIKE 'rule|_%' ESCAPE '|'"
            " OR name LIKE 'odd|_%' ESCAPE '|'"
        )
        return {row[0]: row[1] for row in connection.exec_driver_sql(query)}


def definitions(where: str) -> dict[str, object]:
    """What a database says of all that is in it, by name; the order of constraints is no matter."""
    with closing(Database(where)) as database, database.reading() as connection:
        look = sa.inspect(connection)
        found: dict[str, object] = {
            f"columns of {table}": [
                (one["name"], str(one["type"]), one["nullable"], one["default"])
                for one in look.get_columns(table)
            ]
            for table in look.get_table_names()
        }
        query = (
            "SELECT conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid)"
            " FROM pg_constraint WHERE connamespace = 'public'::regnamespace UNION ALL"
            " SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' UNION ALL"
            " SELECT tgrelid::regclass || ' ' || tgname, pg_get_triggerdef(oid) FROM pg_trigger"
            " WHERE NOT tgisinternal UNION ALL"
            " SELECT tablename || ' ' || policyname, concat(roles, cmd, qual, with_check)"
            " FROM pg_policies"
            if database.postgresql
            else "SELECT name, sql FROM sqlite_master"
        )
        for name, text in connection.exec_driver_sql(query):
            found[name] = sorted(line.strip(" ,\t") for line in (text or "").splitlines())
    return found


def test_tables_made_at_once_are_those_that_the_steps_make(empty: str, where: str) -> None:
    with closing(Database(empty, create=True)) as database, database.writing() as connection:
        upgrade._take_steps(connection)
        upgrade._guard(connection)
    stepped = definitions(empty)
    assert len(stepped) > 100
    assert stepped == definitions(where)
    demand_the_programs_tables(empty)


def test_the_rules_are_there(where: str) -> None:
    there = rules_there(where)
    assert {name.removeprefix("odd_") for name in there if name.startswith("odd_")} == set(RULES)
    if is_url(where):
        wanted = {f"rule_{table}_{one.name}" for table, rules in RULES.items() for one in rules}
        assert wanted == {name for name in there if name.startswith("rule_")}
    else:
        for table, rules in RULES.items():
            for event in ("insert", "update"):
                told = there[f"rule_{table}_{event}"]
                assert [one for one in rules if f"'rule {table}.{one.name}'" not in told] == []


def test_rules_of_another_program_become_this_ones(prepared: Path, tmp_path: Path) -> None:
    """Also where the tables are the same: rules are no steps."""
    folder = tmp_path / "campaign"
    shutil.copytree(prepared, folder)
    before = rules_there(str(folder))
    with closing(sqlite3.connect(folder / DATABASE_NAME)) as file:
        file.execute("DROP TRIGGER rule_revisions_insert")
        file.execute("DROP INDEX odd_claims")
        file.execute("CREATE TRIGGER rule_old BEFORE DELETE ON claims BEGIN SELECT 1; END")
        file.execute("PRAGMA user_version = 7")
    with open_campaign(folder) as campaign:
        assert campaign.backup is None
    assert rules_there(str(folder)) == before


def test_the_newest_step_is_the_programs_own() -> None:
    config = Config()
    config.set_main_option("script_location", str(upgrade.STEPS.parent))
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_heads() == [schema.SCHEMA_VERSION]
    assert tuple(one.revision for one in scripts.walk_revisions())[::-1] == VERSIONS
    assert not NEVER_RELEASED.intersection(VERSIONS)


@pytest.mark.parametrize("name", sorted(NEVER_RELEASED))
def test_a_campaign_of_the_time_before_is_refused(
    where: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_version(where, name)
    for migrate in (None, True):
        with refused("store.before-release", FormatError) as caught:
            open_campaign(where, migrate=migrate)
        assert f"tables of version {name}" in str(caught.value)
    assert main(["campaign", "migrate", where]) == 2
    answer = capsys.readouterr().err
    assert answer.count("store.before-release") == 1
    assert "campaign create" in answer
    with closing(Database(where)) as database, database.reading() as connection:
        assert version(connection) == name


def test_a_backup_of_the_time_before_is_refused_before_it_is_unpacked(
    prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = tmp_path / "old.madcat-backup"
    with monkeypatch.context() as older:
        older.setattr("madcat_studio.store.backup.SCHEMA_VERSION", "0003")
        back_up(prepared, backup)
    from madcat_studio.store.backup import restore

    with refused("store.before-release", FormatError) as caught:
        restore(backup, tmp_path / "restored")
    assert caught.value.where == str(backup)
    assert not (tmp_path / "restored").exists()


def test_a_newer_campaign_is_refused_politely(where: str) -> None:
    set_version(where, "v9999")
    with refused("store.newer-schema", FormatError):
        open_campaign(where)
    with closing(Database(where)) as database, database.reading() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(schema.kits)) == 2


# -- from older ones ----------------------------------------------------------------------------


@pytest.fixture
def older_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program, as if there had been one with other tables before it."""
    monkeypatch.setattr(upgrade, "STEPS", STEPS)
    monkeypatch.setattr(upgrade, "VERSIONS", ("v0000", *VERSIONS))


@pytest.fixture
def older(empty: str, older_steps: None) -> str:
    """The place of a campaign with the older tables, and a kit in it."""
    with closing(Database(empty, create=True)) as database, database.writing() as connection:
        config = Config()
        migrations = Path(upgrade.__file__).parent / "migrations"
        config.set_main_option("script_location", str(migrations))
        config.set_main_option("version_locations", str(STEPS))
        config.set_main_option("path_separator", "newline")
        config.attributes["connection"] = connection
        command.upgrade(config, "v0000")
        fill_older(connection)
    return empty


def fill_older(connection: sa.Connection) -> None:
    """A kit of one page with segments of 3 and 4 words, as the older program planned it."""
    found = sa.MetaData()
    found.reflect(connection)
    plain = {str: "x", int: 0, bool: False, bytes: b"x"}

    def add(table: str, **values: object) -> str:
        row = {
            column.name: values.get(column.name, plain.get(column.type.python_type))
            for column in found.tables[table].columns
            if not column.nullable
        }
        connection.execute(schema.metadata.tables[table].insert(), row)
        return str(row.get("id", ""))

    add("campaign", id=new_id(), name="old", at=datetime(2026, 1, 1, tzinfo=UTC))
    add("blobs", sha256="0" * 64, content=b"")
    document = add("documents", id=new_id(), base="B", data_set="evaluation", sha256="0" * 64)
    system = add("systems", id=new_id())
    add("output_files", system_id=system, document_id=document, sha256="0" * 64)
    for position, words in enumerate((3, 4)):
        segment = new_id()
        add(
            "segments",
            id=segment,
            document_id=document,
            position=position,
            name=f"s{position + 1}",
            reference_words=words,
        )
        add("outputs", segment_id=segment, system_id=system)
    kit = add("kits", id=new_id(), name="K9", segments=2)
    add("kit_items", kit_id=kit, document_id=document, system_id=system, cover=new_id())


def words(where: str, kit: str) -> int | None:
    query = sa.select(schema.kits.c.words).where(schema.kits.c.name == kit)
    with closing(Database(where)) as database, database.reading() as connection:
        return connection.scalar(query)


@pytest.mark.long
def test_an_older_campaign_is_brought_up_to_date_and_works(older: str) -> None:
    with open_campaign(older, migrate=True) as campaign:
        assert campaign.name == "old"
        assert (campaign.backup is None) == is_url(older)
        assert campaign.plans.kits()[0].name == "K9"
        assert words(older, "K9") == 7
        assert campaign.schedule.absent() == set()
        fill(campaign)
        assert campaign.schedule.set_absent("blue", True)
        claim = campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "here")
        assert claim.turn == 1
        assert campaign.claims.available("red1")[0].held
    with open_campaign(older) as campaign:
        assert campaign.backup is None, "done once"
    if is_url(older):
        assert inspect_server(older).rights_current
    test_the_rules_are_there(older)
    demand_the_programs_tables(older)


def test_an_older_server_is_changed_only_when_told(older: str) -> None:
    with refused("store.older-schema", WorldError):
        open_campaign(older, migrate=False)
    with refused("store.older-schema", WorldError):
        open_campaign(older, read_only=True)
    with closing(Database(older)) as database, database.reading() as connection:
        assert version(connection) == "v0000"
    if is_url(older):
        with refused("store.older-schema", WorldError):
            open_campaign(older)


@pytest.mark.long
def test_a_step_that_fails_leaves_what_was_there(
    older: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    failing = tmp_path / "steps"
    failing.mkdir()
    for step in STEPS.glob("*.py"):
        text = step.read_text(encoding="utf-8")
        if step.stem.startswith("v0001"):
            text += '\n    op.execute("SELECT * FROM nowhere")\n'
        (failing / step.name).write_text(text, encoding="utf-8")
    with monkeypatch.context() as worse:
        worse.setattr(upgrade, "STEPS", failing)
        with pytest.raises(FormatError):
            open_campaign(older, migrate=True)
    with closing(Database(older)) as database, database.reading() as connection:
        # Statements that change tables stand inside the transaction.
        assert version(connection) == "v0000"
        assert not sa.inspect(connection).has_table("absences")
    with open_campaign(older, migrate=True) as campaign:
        assert campaign.name == "old"


@pytest.mark.long
def test_an_older_file_is_copied_before_it_is_changed(
    older: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_url(older):
        return
    with open_campaign(older) as campaign:
        backup = campaign.backup
    assert backup is not None
    folder = backup.parent / "copy"
    folder.mkdir()
    backup.rename(folder / DATABASE_NAME)
    with closing(Database(folder)) as database, database.reading() as connection:
        assert version(connection) == "v0000"
        assert connection.scalar(sa.text("SELECT name FROM kits")) == "K9"


def test_a_step_that_loses_rows_is_not_kept(prepared: Path, tmp_path: Path) -> None:
    shutil.copytree(prepared, tmp_path / "campaign")
    with closing(Database(tmp_path / "campaign")) as database:
        with (
            refused("store.damaged", FormatError) as caught,
            database.writing(keys_at_end=True) as c,
        ):
            c.execute(sa.text("DELETE FROM kits"))
        assert "point to rows that are not there" in str(caught.value)
        with database.writing() as connection:
            assert connection.scalar(sa.select(sa.func.count()).select_from(schema.kits)) == 2
            assert connection.scalar(sa.text("PRAGMA foreign_keys")) == 1
