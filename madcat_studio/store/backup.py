"""A backup: one file with a whole campaign, from a folder or a server, and the way back.

It is a ZIP file:

    campaign.sqlite   every row of the campaign, as a folder would hold it
    backup.json       what it is: campaign, time, tables; the size and SHA-256 of the first

A backup holds all that the campaign holds, the key of bundles too: only its owner may read it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from madcat_studio.errors import ConflictError, FormatError, StudioError, UsageError, WorldError
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.store.campaigns import campaign_there, copy_campaign, open_campaign
from madcat_studio.store.database import is_url
from madcat_studio.store.engines import DATABASE_NAME
from madcat_studio.store.schema import SCHEMA_VERSION
from madcat_studio.store.upgrade import check_version

__all__ = ["BACKUP_SUFFIX", "BackupFacts", "back_up", "read_backup", "restore"]

BACKUP_SUFFIX = ".madcat-backup"

_VERSION = 1
_FACTS = "backup.json"
_MOST_FACTS = 1 << 20
_PART = 1 << 20
_OWNER_ONLY = 0o600


@dataclass(frozen=True, slots=True)
class BackupFacts:
    """What a backup is.

    Attributes:
        campaign, name: id and name of the campaign.
        at: when it was made.
        schema: the version of its tables.
        tables: table -> rows.
        size, sha256: of the database inside.
    """

    campaign: str
    name: str
    at: datetime
    schema: str
    tables: dict[str, int]
    size: int
    sha256: str

    @property
    def rows(self) -> int:
        """Rows of all tables."""
        return sum(self.tables.values())


# -- making -----------------------------------------------------------------------------------


def back_up(where: str | Path, path: Path, *, progress: Progress = SILENT) -> BackupFacts:
    """Write a backup of a campaign, and read it again to compare.

    Args:
        where: the campaign: its folder, or the address of its server.
        path: the file to write.
        progress: told of rows, then of bytes.

    Raises:
        UsageError: ``backup.exists``.
        StudioError: the campaign cannot be read as a whole, or the file not be written.
        Cancelled: nothing was written.
    """
    if path.exists():
        raise UsageError(
            "backup.exists",
            "A file with this name already exists",
            where=path,
            remedy="Choose another name; a backup is never overwritten",
        )
    with _beside(path) as folder:
        copied = copy_campaign(where, folder / "campaign", progress=progress)
        with open_campaign(folder / "campaign", read_only=True) as campaign:
            name, key = campaign.name, campaign.id
        database = folder / "campaign" / DATABASE_NAME
        facts = BackupFacts(
            campaign=key,
            name=name,
            at=datetime.now(UTC),
            schema=SCHEMA_VERSION,
            tables={table: one.rows for table, one in copied.tables.items()},
            size=database.stat().st_size,
            sha256=_hash_of(database, progress),
        )
        packed = folder / "packed"
        _pack(packed, database, facts, progress)
        with zipfile.ZipFile(packed) as file, file.open(DATABASE_NAME) as inside:
            if _copy(inside, None, facts.size, progress, "compare") != facts.sha256:
                raise WorldError(
                    "backup.differs",
                    "The backup differs from what should have been written",
                    where=path,
                    remedy="Nothing was kept; check the disk, and try again",
                )
        packed.replace(path)
    return facts


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A folder on the same disk for what is not whole yet; it goes with all that is in it."""
    try:
        with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
            yield Path(folder)
    except (OSError, zipfile.LargeZipFile) as error:
        raise WorldError(
            "backup.cannot-write",
            f"The backup cannot be written ({getattr(error, 'strerror', None) or error})",
            where=path,
            remedy="Check the folder's permissions and the disk space: for a while it takes "
            "twice the size of the campaign",
        ) from error


def _pack(packed: Path, database: Path, facts: BackupFacts, progress: Progress) -> None:
    descriptor = os.open(packed, os.O_RDWR | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    with os.fdopen(descriptor, "w+b") as stream:
        with zipfile.ZipFile(stream, "w", _packing(database), compresslevel=1) as file:
            with (
                database.open("rb") as source,
                file.open(DATABASE_NAME, "w", force_zip64=True) as into,
            ):
                _copy(source, into, facts.size, progress, "pack")
            file.writestr(_FACTS, _spell(facts))
        stream.flush()
        os.fsync(stream.fileno())


def _packing(database: Path) -> int:
    """Whether to compress: scans are compressed already, and to try again takes minutes."""
    with database.open("rb") as stream:
        stream.seek(database.stat().st_size // 2)
        part = stream.read(_PART)
    gained = len(zlib.compress(part, 1)) < 0.8 * len(part)
    return zipfile.ZIP_DEFLATED if gained else zipfile.ZIP_STORED


def _hash_of(file: Path, progress: Progress) -> str:
    with file.open("rb") as stream:
        return _copy(stream, None, file.stat().st_size, progress, "sum up")


def _copy(
    source: IO[bytes], target: IO[bytes] | None, size: int, progress: Progress, text: str
) -> str:
    """Copy a stream, or only read it. Returns its SHA-256."""
    digest, done = hashlib.sha256(), 0
    while part := source.read(_PART):
        if progress.cancelled():
            raise Cancelled
        digest.update(part)
        if target is not None:
            target.write(part)
        done += len(part)
        progress.advance(done, max(size, done), text)
    return digest.hexdigest()


def _spell(facts: BackupFacts) -> bytes:
    plain = {
        "backup": _VERSION,
        "campaign": facts.campaign,
        "name": facts.name,
        "at": facts.at.isoformat(),
        "schema": facts.schema,
        "tables": facts.tables,
        "size": facts.size,
        "sha256": facts.sha256,
    }
    return json.dumps(plain, indent=1).encode()


# -- and back ---------------------------------------------------------------------------------


def restore(path: Path, target: str | Path, *, progress: Progress = SILENT) -> BackupFacts:
    """Make a campaign of a backup, in an empty folder or database, and compare all rows.

    Args:
        path: the backup.
        target: a folder, or the address of an empty database.
        progress: told of bytes, then of rows.

    Raises:
        ConflictError: there is something at ``target``.
        FormatError: ``backup.damaged``, or made by a newer program.
        WorldError: no room, no right to write, server away.
        Cancelled: nothing was written.
    """
    facts = read_backup(path)
    check_version(facts.schema, path)
    if campaign_there(target):
        # Told before gigabytes are unpacked; the database itself is the judge in the end.
        raise ConflictError(
            "store.not-empty",
            "There is already a campaign here",
            where="" if is_url(target) else target,
            remedy="Choose another place; a backup is never restored over a campaign",
        )
    with _scratch(facts.size, path) as folder:
        database = folder / DATABASE_NAME
        with _reading(path) as file, database.open("wb") as into:
            found = _copy(file.open(DATABASE_NAME), into, facts.size, progress, "unpack")
        if (found, database.stat().st_size) != (facts.sha256, facts.size):
            raise _damaged(path, "the database in it is not the one that was written")
        if _counts(database, facts.tables) != facts.tables:
            raise _damaged(path, "its list says something else than its database")
        # Its passphrase comes with it: who restores need not know it.
        open_campaign(folder, migrate=True, for_editor=True).close()
        copy_campaign(folder, target, for_editor=True, progress=progress)
    return facts


def _counts(database: Path, tables: dict[str, int]) -> dict[str, int]:
    """How many rows there are, in the tables of whatever version they are."""
    with closing(sqlite3.connect(database)) as connection:
        there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        return {
            table: connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
            for table in tables
            if table in there
        }


def read_backup(path: Path) -> BackupFacts:
    """What a backup is, without unpacking it.

    Raises:
        FormatError: ``backup.damaged``, or ``backup.newer``.
        WorldError: ``backup.cannot-read``.
    """
    with _reading(path) as file:
        members = {info.filename: info for info in file.infolist()}
        if sorted(members) != sorted((DATABASE_NAME, _FACTS)) or len(file.infolist()) != 2:
            raise ValueError("it holds something else than a campaign")
        if members[_FACTS].file_size > _MOST_FACTS:
            raise ValueError("its list is too long")
        plain = json.loads(file.read(_FACTS))
        if plain["backup"] != _VERSION:
            raise FormatError(
                "backup.newer",
                f"The backup was made by a newer version of the program ({plain['backup']})",
                where=path,
                remedy="Update MADCAT Studio",
            )
        facts = _facts(plain)
        if members[DATABASE_NAME].file_size != facts.size:
            raise ValueError("the database in it has another size")
    return facts


def _facts(plain: dict[str, Any]) -> BackupFacts:
    return BackupFacts(
        campaign=str(plain["campaign"]),
        name=str(plain["name"]),
        at=datetime.fromisoformat(plain["at"]),
        schema=str(plain["schema"]),
        tables={str(table): int(rows) for table, rows in plain["tables"].items()},
        size=int(plain["size"]),
        sha256=str(plain["sha256"]),
    )


@contextmanager
def _reading(path: Path) -> Iterator[zipfile.ZipFile]:
    """The file, opened; whatever is wrong with it becomes one message."""
    try:
        with zipfile.ZipFile(path) as file:
            yield file
    except StudioError:
        raise
    except OSError as error:
        raise WorldError(
            "backup.cannot-read",
            f"The backup cannot be read or unpacked ({error.strerror or error})",
            where=path,
            remedy="Check the name, the permissions and the disk space",
        ) from error
    except (
        zipfile.BadZipFile,
        zlib.error,
        NotImplementedError,
        RuntimeError,
        EOFError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        OverflowError,
    ) as error:
        raise _damaged(path, str(error) or type(error).__name__) from error


def _damaged(path: Path, why: str) -> FormatError:
    return FormatError(
        "backup.damaged",
        f"This is not a backup, or it is damaged ({why})",
        where=path,
        remedy="Nothing was written; take another backup",
    )


@contextmanager
def _scratch(size: int, path: Path) -> Iterator[Path]:
    """A folder for the unpacked database, where there is room for it."""
    places = (Path(tempfile.gettempdir()), path.parent)
    roomy = [place for place in places if _room(place) > size + (16 << 20)]
    if not roomy:
        raise WorldError(
            "backup.no-room",
            f"There is not enough room to unpack {size >> 20} MiB",
            where=places[0],
            remedy="Make room, or set TMPDIR to another folder",
        )
    folder = Path(tempfile.mkdtemp(prefix="madcat-restore-", dir=roomy[0]))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _room(place: Path) -> int:
    with contextlib.suppress(OSError):
        if os.access(place, os.W_OK):
            return shutil.disk_usage(place).free
    return 0
