from __future__ import annotations

import shutil
import sqlite3
import subprocess
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.sql.compiler import SQLCompiler

from madcat_studio.errors import ConflictError, FormatError, StudioError, UsageError, WorldError
from madcat_studio.model.campaign import Pass
from madcat_studio.store import (
    Campaign,
    campaign_there,
    create_campaign,
    discard_campaign,
    open_campaign,
    schema,
)
from madcat_studio.store.database import DATABASE_NAME, Database, on_network_share
from madcat_studio.store.times import UtcTime


def refused(code: str, kind: type[StudioError]) -> pytest.RaisesExc[StudioError]:
    return pytest.RaisesExc(kind, check=lambda error: error.code == code)


def tables(where: str) -> dict[str, int]:
    with (
        closing(Database(where)) as database,
        database.reading() as connection,
    ):
        return {
            name: connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0
            for name, table in schema.metadata.tables.items()
        }


def test_times_are_utc_and_know_it(campaign: Campaign) -> None:
    entry_zone = timezone(timedelta(hours=3))
    kind = UtcTime()
    dialect = sa.create_engine("sqlite://").dialect
    given = datetime(2026, 11, 27, 12, 0, tzinfo=entry_zone)
    assert kind.process_bind_param(given, dialect) == datetime(2026, 11, 27, 9, 0, tzinfo=UTC)
    assert kind.process_result_value(datetime(2026, 11, 27, 9, 0), dialect) == given  # noqa: DTZ001
    with pytest.raises(ValueError, match="zone"):
        kind.process_bind_param(datetime(2026, 11, 27), dialect)  # noqa: DTZ001
    claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    stored = campaign.claims.current("K1", "red", Pass.FIRST)
    assert stored == claim
    assert stored.at.utcoffset() == timedelta(0)
    assert abs(datetime.now(UTC) - stored.at) < timedelta(minutes=1)


def test_a_transaction_is_kept_as_a_whole_or_not_at_all(campaign: Campaign, where: str) -> None:
    before = tables(where)

    def half() -> None:
        with campaign.transaction():
            campaign.set_options({"a": 1})
            campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    assert campaign.options() == {}
    assert not campaign.frozen
    assert tables(where) == before


def test_options_and_guidelines_are_frozen_at_the_first_claim(campaign: Campaign) -> None:
    campaign.set_options({"scoring.case_sensitive": True, "editing.show_source": False})
    campaign.set_options({"editing.show_source": True})
    assert campaign.options() == {"editing.show_source": True, "scoring.case_sensitive": True}
    assert campaign.guidelines() == (0, "")
    assert campaign.set_guidelines("Edit little.") == 1
    assert campaign.set_guidelines("Edit little.") == 1
    assert campaign.set_guidelines("Edit less.") == 2
    campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    assert campaign.frozen
    campaign.set_options({"editing.show_source": True})
    with refused("store.options-frozen", ConflictError):
        campaign.set_options({"editing.show_source": False})
    with refused("store.guidelines-frozen", ConflictError):
        campaign.set_guidelines("Edit more.")
    assert campaign.guidelines() == (2, "Edit less.")
    assert [entry.action for entry in campaign.audit_trail()][:2] == ["claim", "set guidelines"]


def test_where_nothing_or_something_else_is(tmp_path: Path) -> None:
    with refused("store.no-campaign", UsageError):
        open_campaign(tmp_path / "absent")
    with refused("store.no-campaign", UsageError):
        open_campaign(tmp_path)
    assert not campaign_there(tmp_path)
    with closing(sqlite3.connect(tmp_path / DATABASE_NAME)) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    with refused("store.not-a-campaign", FormatError):
        open_campaign(tmp_path)
    with refused("store.not-empty", ConflictError):
        create_campaign(tmp_path, "Mine")
    with refused("store.bad-url", UsageError):
        open_campaign("postgresql://host:port:wrong/x")
    with refused("store.bad-url", UsageError):
        create_campaign("mysql://host/x", "Mine")


def test_a_damaged_database_is_refused_and_left_alone(prepared: Path, tmp_path: Path) -> None:
    folder = tmp_path / "campaign"
    shutil.copytree(prepared, folder)
    file = folder / DATABASE_NAME
    sound = file.read_bytes()
    noise = bytes(range(256)) * 16
    middle = 4096 * (len(sound) // 8192)
    for data in (
        b"",
        b"SQLite format 3\0" + noise,
        noise,
        sound[: len(sound) // 2],
        sound[:middle] + noise + sound[middle + 4096 :],
    ):
        file.write_bytes(data)
        with pytest.raises(FormatError) as caught:
            open_campaign(folder)
        assert caught.value.code in ("store.damaged", "store.not-a-campaign")
        assert str(folder) in caught.value.where
        assert file.read_bytes() == data


def test_tables_of_an_unreleased_version_are_one_message(where: str) -> None:
    with closing(Database(where)) as database, database.writing() as connection:
        connection.execute(sa.text("ALTER TABLE segments DROP COLUMN reference"))
    with open_campaign(where) as campaign, refused("store.other-tables", FormatError):
        campaign.revisions.kit_segments("K1", "red", Pass.FIRST)


@pytest.mark.long
@pytest.mark.postgresql
def test_a_server_that_is_away_is_one_message(request: pytest.FixtureRequest) -> None:
    server = request.getfixturevalue("server")
    with refused("store.server-away", WorldError):
        open_campaign("postgresql://nobody:secret@127.0.0.1:1/none")
    with refused("store.no-database", WorldError):
        open_campaign(server.url("absent"))
    server.execute("CREATE DATABASE goes_away")
    with create_campaign(server.url("goes_away"), "x") as campaign:
        server.execute(
            "SELECT pg_terminate_backend(pid, 20000) FROM pg_stat_activity"  # and wait for its end
            " WHERE datname = 'goes_away'"
        )
        # The next use finds the broken connection, and opens another.
        assert campaign.options() == {}


def test_a_password_is_never_shown() -> None:
    with pytest.raises(WorldError) as caught:
        open_campaign("postgresql://nobody:geheim@127.0.0.1:1/none")
    assert "geheim" not in str(caught.value)


def test_a_full_disk_is_one_message(prepared: Path, tmp_path: Path) -> None:
    folder = tmp_path / "campaign"
    shutil.copytree(prepared, folder)

    def fill(database: Database) -> None:
        with database.writing() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 1")
            for number in range(2000):
                connection.execute(
                    schema.options.insert(), {"name": f"option {number}", "value": "x" * 500}
                )

    with closing(Database(folder)) as database, refused("store.disk-full", WorldError):
        fill(database)
    with open_campaign(folder) as campaign:
        assert campaign.options() == {}


def test_asked_to_read_only(campaign: Campaign, where: str) -> None:
    with open_campaign(where, read_only=True) as reader:
        assert reader.read_only
        assert len(list(reader.segment_records())) == 8
        with refused("store.read-only", WorldError):
            reader.set_options({"a": 1})
    assert campaign.options() == {}


@pytest.mark.parametrize("read_only", [True, False])
def test_nothing_is_left_beside_the_file(prepared: Path, tmp_path: Path, read_only: bool) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(prepared, folder)
    with open_campaign(folder) as other, open_campaign(folder, read_only=read_only) as campaign:
        other.set_options({"a": 1})
        assert campaign.options() == {"a": 1}
    assert [file.name for file in folder.iterdir()] == [DATABASE_NAME]
    with open_campaign(folder, read_only=True) as campaign:
        assert campaign.options() == {"a": 1}
    assert [file.name for file in folder.iterdir()] == [DATABASE_NAME]


def test_a_read_only_mount_opens_read_only(prepared: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mounted"
    folder.mkdir()
    try:
        subprocess.run(["mount", "--bind", prepared, folder], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("mounting is not allowed here")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", folder], check=True, capture_output=True)
        with open_campaign(folder) as campaign:
            assert campaign.read_only
            assert len(campaign.progress()) == 8
            with refused("store.read-only", WorldError):
                campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
        with refused("store.cannot-make", WorldError):
            create_campaign(folder / "new", "x")
    finally:
        subprocess.run(["umount", folder], check=True)


def test_what_a_kill_left_of_making_a_campaign_is_made_again(tmp_path: Path) -> None:
    (tmp_path / DATABASE_NAME).write_bytes(b"")
    assert not campaign_there(tmp_path)
    with create_campaign(tmp_path, "Mine") as campaign:
        assert campaign.name == "Mine"
    assert campaign_there(tmp_path)


def test_a_campaign_that_cannot_be_made_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_database: Database) -> None:
        raise WorldError("store.disk-full", "The disk is full")

    monkeypatch.setattr("madcat_studio.store.campaigns.make_tables", fail)
    with refused("store.disk-full", WorldError):
        create_campaign(tmp_path / "new", "x")
    assert list(tmp_path.iterdir()) == []


def test_discarding_leaves_what_is_not_ours(tmp_path: Path) -> None:
    create_campaign(tmp_path / "a", "x").close()
    (tmp_path / "a" / "notes").write_text("mine", encoding="utf-8")
    create_campaign(tmp_path / "b", "x").close()
    discard_campaign(tmp_path / "a")
    discard_campaign(tmp_path / "b")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["notes"]
    assert not (tmp_path / "b").exists()


def test_network_shares_are_known_by_their_mount(tmp_path: Path) -> None:
    mounts = (
        "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw\n"
        f"23 22 0:5 / {tmp_path} rw shared:2 - nfs4 server:/export rw\n"
        f"24 23 0:6 / {tmp_path}/local\\040disk rw - xfs /dev/sdb rw\n"
    )
    assert on_network_share(tmp_path / "campaign", mounts)
    assert not on_network_share(tmp_path / "local disk" / "campaign", mounts)
    assert not on_network_share(Path("/"), mounts)
    assert on_network_share(Path("\\\\server\\share\\campaign"), "")


def test_no_write_ahead_log_on_a_share(
    prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "campaign"
    shutil.copytree(prepared, folder)

    def mode() -> object:
        open_campaign(folder).close()
        with closing(Database(folder)) as database, database.reading() as connection:
            return connection.exec_driver_sql("PRAGMA journal_mode").scalar()

    assert mode() == "wal"
    monkeypatch.setattr("madcat_studio.store.database.on_network_share", lambda _path: True)
    assert mode() == "delete"


def test_statements_are_put_into_sql_once_for_all_campaigns(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_campaign(where) as campaign:
        asked = campaign.progress()

    def compile_(*_: object, **__: object) -> None:
        pytest.fail("this statement was put into SQL before")

    monkeypatch.setattr(SQLCompiler, "__init__", compile_)
    with open_campaign(where) as campaign:
        assert campaign.progress() == asked
