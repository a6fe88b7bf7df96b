"""A bundle's file: one ZIP with a kit for an editor without the network, and the way back.

It holds nothing but what its editor may see, pages under the names that editors know:

    bundle.json   what was issued: kit, team, pass, editor, claim, segments, guidelines
    seal          HMAC-SHA256 of bundle.json, and so of the scans' hashes, by the campaign's key
    images/HASH   scans, where the campaign shows them; the name is the content's SHA-256
    work.json     what came of it: revisions, and whether the pass is finished
    work.seal     HMAC-SHA256 of work.json, by the bundle's key

The campaign's key never leaves the campaign, so that issued members cannot be changed unnoticed.
The bundle's key is in the bundle: the seal of the work shows damage, not forgery. A file that is
sent back may leave all scans out. With a passphrase, all of the ZIP is inside
:mod:`madcat_studio.store.locking`'s envelope.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import io
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from madcat_studio.errors import FormatError, UsageError, WorldError
from madcat_studio.store import locking
from madcat_studio.store.bundle import Bundle, Work, key_of, parse_issued, parse_work, spell_work

__all__ = ["BUNDLE_SUFFIX", "ReadBundle", "is_locked", "read_bundle", "seal_of", "write_bundle"]

BUNDLE_SUFFIX = ".madcat-kit"

_ISSUED, _SEAL, _WORK, _WORK_SEAL = "bundle.json", "seal", "work.json", "work.seal"
_IMAGE = re.compile(r"images/[0-9a-f]{64}\Z")

MOST_MEMBERS = 2_000
MOST_TEXT_BYTES = 64 << 20
MOST_BYTES = 1 << 30
"""Limits of what a bundle may unpack to: a kit is some hundred kilobytes and a few scans."""


@dataclass(frozen=True, slots=True)
class ReadBundle:
    """A bundle that was read.

    Attributes:
        bundle: what was issued.
        issued, seal: the same as bytes, with its seal.
        work: what came of it, None where nobody has worked on it.
        images: SHA-256 -> scan.
        lock: what it is locked with, None where it is not.
    """

    bundle: Bundle
    issued: bytes
    seal: str
    work: Work | None
    images: Mapping[str, bytes]
    lock: locking.Lock | None = None


def seal_of(key: str, issued: bytes) -> str:
    """The seal of what was issued, by the campaign's key (hexadecimal)."""
    return hmac.new(bytes.fromhex(key), issued, hashlib.sha256).hexdigest()


# -- writing ----------------------------------------------------------------------------------


def write_bundle(
    path: Path,
    issued: bytes,
    seal: str,
    images: Mapping[str, bytes],
    work: Work | None = None,
    lock: locking.Lock | None = None,
) -> None:
    """Write a bundle, whole or not at all.

    Args:
        path: the file.
        issued: of :func:`issue`.
        seal: of :func:`seal_of`.
        images: SHA-256 -> content.
        work: what came of it.
        lock: to lock it with.

    Raises:
        UsageError: ``bundle.too-large``.
        WorldError: ``bundle.cannot-write``.
    """
    if sum(map(len, images.values())) > MOST_BYTES - MOST_TEXT_BYTES:
        raise UsageError(
            "bundle.too-large",
            f"The scans of this kit have more than {(MOST_BYTES - MOST_TEXT_BYTES) >> 20} MiB",
            where=path,
            remedy="Make smaller scans, or turn editing.show_page off before editing begins",
        )
    beside = path.with_name(f".{path.name}.part")
    try:
        with beside.open("wb") as file:
            if lock is None:
                _write_members(file, issued, seal, images, work)
            else:
                inside = io.BytesIO()
                _write_members(inside, issued, seal, images, work)
                file.write(lock.lock(inside.getvalue()))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            beside.unlink()
        if not isinstance(error, OSError):
            raise
        raise WorldError(
            "bundle.cannot-write",
            f"The bundle cannot be written ({error.strerror or error})",
            where=path,
            remedy="Check the folder's permissions and the disk space",
        ) from error


def _write_members(
    stream: IO[bytes], issued: bytes, seal: str, images: Mapping[str, bytes], work: Work | None
) -> None:
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(_ISSUED, issued)
        file.writestr(_SEAL, seal)
        for name, content in images.items():
            # Scans are compressed already.
            file.writestr(f"images/{name}", content, zipfile.ZIP_STORED)
        if work is not None:
            done = spell_work(work)
            file.writestr(_WORK, done)
            file.writestr(_WORK_SEAL, seal_of(key_of(issued), done))


# -- reading ----------------------------------------------------------------------------------


def is_locked(path: Path) -> bool:
    """Whether a file is a bundle that is locked with a passphrase; False where it is no file."""
    try:
        with path.open("rb") as file:
            return file.read(len(locking.MARK)) == locking.MARK
    except OSError:
        return False


def read_bundle(path: Path, passphrase: str = "", *, images: bool = True) -> ReadBundle:
    """Read a bundle and check all that can be checked without the campaign.

    Args:
        path: the file.
        passphrase: opens a locked one.
        images: read the scans too.

    Raises:
        UsageError: ``bundle.locked`` without a passphrase, ``bundle.wrong-passphrase``.
        FormatError: ``bundle.damaged``: not a bundle, damaged, or made to do harm.
        WorldError: ``bundle.cannot-read``.
    """
    lock = None
    try:
        with contextlib.ExitStack() as stack:
            stream: IO[bytes] = stack.enter_context(path.open("rb"))
            size = os.fstat(stream.fileno()).st_size
            if not size:
                raise ValueError("it is empty")
            if size > MOST_BYTES:
                raise ValueError("it is larger than any kit")
            if is_locked(path):
                if not passphrase:
                    raise UsageError(
                        "bundle.locked",
                        "The bundle is locked with a passphrase",
                        where=path,
                        remedy="Ask the person who sent the file; --passphrase-file reads the "
                        "passphrase from a file",
                    )
                inside, lock = locking.unlock(stream.read(), passphrase, where=str(path))
                stream, size = io.BytesIO(inside), len(inside)
            with zipfile.ZipFile(stream) as file:
                members = _members(file, size)
                issued = file.read(members[_ISSUED])
                seal = file.read(members[_SEAL]).decode("ascii")
                bundle = parse_issued(issued)
                work = _work(file, members, bundle)
                scans = _scans(file, members, bundle) if images else {}
    except OSError as error:
        raise WorldError(
            "bundle.cannot-read",
            f"The bundle cannot be read ({error.strerror or error})",
            where=path,
            remedy="Check the name, the permissions and the disk",
        ) from error
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        RuntimeError,
        EOFError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
        struct.error,
        zlib.error,
    ) as error:
        raise FormatError(
            "bundle.damaged",
            f"This is not a bundle, or it is damaged ({_reason(error)})",
            where=path,
            remedy="Nothing was changed; ask for the file again",
        ) from error
    return ReadBundle(bundle, issued, seal, work, scans, lock)


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error.args[0]} is missing" if error.args else "something is missing"
    if isinstance(error, zipfile.BadZipFile):
        # Its own words are about ZIP files, of which an editor need not know.
        return "it is of another kind, cut off, or its bytes were changed"
    return str(error) or type(error).__name__


def _members(file: zipfile.ZipFile, size: int) -> dict[str, zipfile.ZipInfo]:
    """The members by name, none of which is anything but what a bundle may hold."""
    found: dict[str, zipfile.ZipInfo] = {}
    infos = file.infolist()
    if len(infos) > MOST_MEMBERS:
        raise ValueError(f"it has {len(infos)} members")
    total = packed = 0
    for info in infos:
        text = info.filename in (_ISSUED, _SEAL, _WORK, _WORK_SEAL)
        if not text and not _IMAGE.match(info.filename):
            raise ValueError(f"{info.filename!r} does not belong there")
        if stat.S_ISLNK(info.external_attr >> 16):
            raise ValueError(f"{info.filename!r} is a link")
        if info.filename in found:
            raise ValueError(f"{info.filename!r} is there twice")
        # Deflated texts are bounded below; a scan that unpacks to more than the file has is not
        # one that we packed.
        if info.compress_type not in ((0, zipfile.ZIP_DEFLATED) if text else (0,)):
            raise ValueError(f"{info.filename!r} is packed in another way than ours")
        total += info.file_size
        packed += info.compress_size
        if total > MOST_BYTES or (text and info.file_size > MOST_TEXT_BYTES):
            raise ValueError("it would unpack to more than any kit")
        if packed > size or (not text and info.file_size != info.compress_size):
            raise ValueError("its members lie over each other")
        found[info.filename] = info
    return found


def _work(
    file: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo], bundle: Bundle
) -> Work | None:
    if _WORK not in members:
        return None
    done = file.read(members[_WORK])
    given = file.read(members[_WORK_SEAL]).decode("ascii")
    if not hmac.compare_digest(seal_of(bundle.key, done), given):
        raise ValueError("the work's seal is broken")
    return parse_work(done, bundle.claim)


def _scans(
    file: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo], bundle: Bundle
) -> dict[str, bytes]:
    if _WORK in members and not any(_IMAGE.match(name) for name in members):
        return {}  # sent back without them
    found = {}
    for sha256 in set(bundle.images.values()):
        content = file.read(members[f"images/{sha256}"])
        if hashlib.sha256(content).hexdigest() != sha256:
            raise ValueError("a scan is damaged")
        found[sha256] = content
    return found
