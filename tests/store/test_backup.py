"""A campaign as one file, and back."""

from __future__ import annotations

import json
import random
import shutil
import stat
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa

from madcat_studio.cli.app import main
from madcat_studio.errors import ConflictError, FormatError, StudioError, UsageError, WorldError
from madcat_studio.model.campaign import Claim, Pass, Revision, SegmentName, SegmentState, new_id
from madcat_studio.progress import Cancelled
from madcat_studio.store import Campaign, copy_campaign, open_campaign, schema
from madcat_studio.store.backup import back_up, read_backup, restore
from madcat_studio.store.database import DATABASE_NAME, Database
from madcat_studio.store.enforcing import history
from madcat_studio.store.times import UtcTime


def everything(where: str | Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(Database(where)) as database, database.reading() as connection:
        return {
            name: sorted((tuple(row) for row in connection.execute(sa.select(table))), key=repr)
            for name, table in schema.metadata.tables.items()
        }


def work(campaign: Campaign) -> None:
    campaign.set_options({"a": None, "b": True, "c": 1.5, "d": "x\u200f"})
    campaign.bundle_key()
    campaign.contents.add_blob(random.Random(1).randbytes(300_000))
    claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    for name in ("s1", "s2"):
        campaign.revisions.append([draft(claim, "نص text", name)])


def draft(claim: Claim, text: str, segment: str = "s1") -> Revision:
    return Revision(
        id=new_id(),
        kit=claim.kit,
        team=claim.team,
        pass_=claim.pass_,
        segment=SegmentName("A.x_1_S1", segment),
        editor=claim.editor,
        machine="here",
        at=claim.at,
        state=SegmentState.DRAFT,
        text=text,
        turn=claim.turn,
    )


class Stop:
    """Says no after so many steps."""

    def __init__(self, steps: int) -> None:
        self.left = steps
        self.texts: set[str] = set()

    def advance(self, done: int, total: int | None, text: str = "") -> None:
        assert total is None or done <= total
        self.left -= 1
        self.texts.add(text)

    def cancelled(self) -> bool:
        return self.left <= 0


@contextmanager
def refused(code: str, kind: type[StudioError]) -> Iterator[None]:
    with pytest.raises(kind) as caught:
        yield
    assert caught.value.code == code


@pytest.mark.long
def test_a_backup_and_back(campaign: Campaign, where: str, tmp_path: Path) -> None:
    work(campaign)
    before = everything(where)
    path = tmp_path / "kept.madcat-backup"
    facts = back_up(where, path)
    assert read_backup(path) == facts
    assert (facts.campaign, facts.name) == (campaign.id, "Test")
    assert facts.tables == {name: len(rows) for name, rows in before.items()}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600, "the key of bundles is in it"
    # Work goes on; the backup is of the moment when it was made.
    campaign.claims.release("K1", "red", Pass.FIRST, by="coordinator")
    assert restore(path, tmp_path / "again") == facts
    assert everything(tmp_path / "again") == before
    with open_campaign(tmp_path / "again") as again:
        assert again.id == campaign.id
        again.claims.claim("K1", "blue", Pass.FIRST, "blue1", "there")
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(
        {"again", path.name, *([Path(where).name] if "://" not in where else [])}
    )
    with refused("backup.exists", UsageError):
        back_up(where, path)
    with refused("store.not-empty", ConflictError):
        restore(path, tmp_path / "again")
    with refused("store.not-empty", ConflictError):
        restore(path, where)


@pytest.mark.long
def test_nobody_has_to_stop_working(campaign: Campaign, where: str, tmp_path: Path) -> None:
    """A backup is of one moment, though others write all the while."""
    campaign.contents.add_blob(random.Random(1).randbytes(3_000_000))
    claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    told: list[str] = []
    enough = threading.Event()

    def type_on() -> None:
        with open_campaign(where) as other:
            while not enough.is_set():
                made = draft(claim, f"text {len(told)}")
                other.revisions.append([made])
                told.append(made.id)

    with ThreadPoolExecutor(1) as beside:
        typing = beside.submit(type_on)
        while len(told) < 3:
            assert not typing.done(), typing.result()
            time.sleep(0.01)
        before = len(told)
        back_up(where, tmp_path / "kept")
        while len(told) < before + 1:
            time.sleep(0.01)
        enough.set()
        typing.result(timeout=30)
    restore(tmp_path / "kept", tmp_path / "again")
    with open_campaign(tmp_path / "again") as again:
        kept = [one.id for one in again.revisions.history("K1", "red", Pass.FIRST)]
    assert kept == told[: len(kept)]
    assert before <= len(kept) <= len(told)


@pytest.mark.long
@pytest.mark.postgresql
def test_from_folder_to_server_to_folder_nothing_changes(
    request: pytest.FixtureRequest, prepared: Path, tmp_path: Path
) -> None:
    """By copying and by backups, with everything that a campaign holds."""
    server = request.getfixturevalue("server")
    start = tmp_path / "start"
    copy_campaign(prepared, start)
    with open_campaign(start) as campaign:
        work(campaign)
        for one in schema.metadata.sorted_tables:
            fill_if_empty(campaign, one)
    before = everything(start)
    assert all(before.values()), "a table without rows would be compared with nothing"
    server.execute("CREATE DATABASE there")
    server.execute("CREATE DATABASE again")
    copied = copy_campaign(start, server.url("there"))
    assert everything(server.url("there")) == before
    back_up(server.url("there"), tmp_path / "kept")
    restore(tmp_path / "kept", server.url("again"))
    assert copy_campaign(server.url("again"), tmp_path / "end") == copied
    assert everything(tmp_path / "end") == before
    with closing(Database(server.url("again"))) as database, database.reading() as connection:
        policies = connection.exec_driver_sql("SELECT count(*) FROM pg_policies").scalar_one()
    assert policies > len(before), "what comes back to a server is under its rights again"


def fill_if_empty(campaign: Campaign, table: sa.Table) -> None:
    """One row for a table that this test's campaign has nothing in, true to its foreign keys."""
    with campaign._database.writing() as connection:
        if connection.scalar(sa.select(sa.func.count()).select_from(table)):
            return
        row: dict[str, object] = {}
        for key in table.foreign_key_constraints:
            there = connection.execute(sa.select(key.referred_table).limit(1)).mappings().one()
            row |= {one.parent.name: there[one.column.name] for one in key.elements}
        for column in table.columns:
            if column.name not in row:
                row[column.name] = an_example(column)
        with history(connection):
            connection.execute(table.insert(), row)


def an_example(column: sa.Column[object]) -> object:
    if isinstance(column.type, UtcTime):
        return datetime(2026, 11, 28, 1, 2, 3, 456789, UTC)
    if column.name == "events":
        return [[0, "from", "ب"], [3, "note", "a", '{"a": ["ب", 1, null]}']]
    if column.name == "sums":
        return [0] * 9  # what they come to: a copy makes it anew
    if isinstance(column.type, sa.JSON):
        return {"a": ["ب", 1, None]}
    if isinstance(column.type, sa.Uuid):
        return new_id()
    return {int: 3, bool: True, float: 0.1 + 0.2, bytes: b"\0x"}.get(
        column.type.python_type, "first" if column.name == "pass_" else "text"
    )


@pytest.mark.long
def test_a_backup_that_is_stopped_leaves_nothing(prepared: Path, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    whole = tmp_path / "kept" / "whole"
    for act, left in (
        (lambda stop: back_up(prepared, tmp_path / "kept" / f"{stop.left}", progress=stop), 1),
        (lambda stop: restore(whole, tmp_path / "again", progress=stop), 0),
    ):
        count = Stop(10**6)
        act(count)
        steps = 10**6 - count.left
        assert {"pack", "sum up", "compare"} <= count.texts if left else "unpack" in count.texts
        if left:
            (tmp_path / "kept" / "1000000").rename(whole)
        else:
            shutil.rmtree(tmp_path / "again")
        for part in (0, steps // 4, steps // 2, steps - 2):
            with pytest.raises(Cancelled):
                act(Stop(part))
            assert list(tmp_path.iterdir()) == [tmp_path / "kept"]
            assert list((tmp_path / "kept").iterdir()) == [whole]


def rewrite(path: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    change(members)
    with zipfile.ZipFile(path, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)


def change_facts(**values: object) -> Callable[[dict[str, bytes]], None]:
    def change(members: dict[str, bytes]) -> None:
        facts = json.loads(members["backup.json"]) | values
        members["backup.json"] = json.dumps(facts).encode()

    return change


def flip(members: dict[str, bytes]) -> None:
    data = members[DATABASE_NAME]
    members[DATABASE_NAME] = data[:-1] + bytes([data[-1] ^ 1])


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (flip, "backup.damaged"),
        (lambda members: members.pop("backup.json"), "backup.damaged"),
        (lambda members: members.update({"../escape": b""}), "backup.damaged"),
        (lambda members: members.update({"backup.json": b"["}), "backup.damaged"),
        (change_facts(backup=2), "backup.newer"),
        (change_facts(size=2**60), "backup.damaged"),
        (change_facts(at="then"), "backup.damaged"),
        (change_facts(tables={"revisions": 7}), "backup.damaged"),
        (change_facts(tables={'x" FROM revisions; --': 7}), "backup.damaged"),
    ],
)
def test_a_backup_that_is_not_as_it_was_written_is_refused(
    prepared: Path,
    tmp_path: Path,
    change: Callable[[dict[str, bytes]], None],
    code: str,
) -> None:
    path = tmp_path / "kept"
    back_up(prepared, path)
    rewrite(path, change)
    with refused(code, FormatError):
        restore(path, tmp_path / "again")
    assert not (tmp_path / "again").exists()


@pytest.mark.long
def test_a_disk_that_forgets_is_noticed(
    prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from madcat_studio.store import backup, copying

    copy = backup._copy

    def forget(source, target, size, progress, text):
        return copy(source, target, size, progress, text) if text != "compare" else "other"

    monkeypatch.setattr(backup, "_copy", forget)
    with refused("backup.differs", WorldError):
        back_up(prepared, tmp_path / "kept")
    rows = copying._rows
    monkeypatch.setattr(
        copying,
        "_rows",
        lambda connection, table: (
            [one | {"text": "x"} for one in part] if writes(connection) else part
            for part in rows(connection, table)
        ),
    )
    with refused("store.copy-differs", WorldError):
        copy_campaign(prepared, tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []


def writes(connection: sa.Connection) -> bool:
    return bool(connection.get_execution_options().get("madcat_studio_writing"))


@pytest.mark.long
def test_by_command(
    campaign: Campaign, where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work(campaign)
    (tmp_path / "backups").mkdir()
    topic = "server" if "://" in where else "campaign"
    assert main([topic, "backup", where, str(tmp_path / "backups")]) == 0
    assert "2 texts" in capsys.readouterr().out
    (path,) = (tmp_path / "backups").iterdir()
    assert path.name.startswith("Test.")
    assert main([topic, "restore", str(path), str(tmp_path / "again")]) == 0
    assert "verified; the backup is from 20" in capsys.readouterr().out
    assert main([topic, "restore", str(path), str(tmp_path / "again")]) == 2
    assert "store.not-empty" in capsys.readouterr().err
    assert main([topic, "backup", where, str(tmp_path / "no" / "folder")]) == 2
    assert "backup.cannot-write" in capsys.readouterr().err
    assert main([topic, "restore", str(tmp_path / "none"), str(tmp_path / "x")]) == 2
    assert "backup.cannot-read" in capsys.readouterr().err
    assert list((tmp_path / "backups").iterdir()) == [path]
