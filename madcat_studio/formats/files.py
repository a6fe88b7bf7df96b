"""Reading and writing whole files: never half a file, never a traceback."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from madcat_studio.errors import InputError, WorldError

_PATIENCE_S, _PAUSE_S = 3.0, 0.05
"""So long a file that somebody holds (a scanner for viruses, a cloud's client) is waited for."""

__all__ = [
    "MOST_BYTES",
    "STAND_IN",
    "filled_folder",
    "has_name",
    "is_pipe",
    "keep_beside",
    "make_folder",
    "read_file",
    "reading",
    "sync",
    "write_atomically",
]


MOST_BYTES = 1 << 30
"""Largest file that is read as a whole; a page has some kilobytes, the largest tables megabytes."""

STAND_IN = "standard-input"
"""What a file is called that stands in for standard input, without its ending."""

_GIVEN = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
"""Where a shell hands us a pipe: ``<(sort texts)``, or standard input."""


def read_file(path: Path) -> bytes:
    """The bytes of ``path``: of a file, or of a pipe that the shell gave to this command.

    Any other pipe, socket or device is refused: a reader would wait for a writer who may never
    come, or read without an end.

    Raises:
        InputError: ``file.not-found``, ``file.is-folder``, ``file.not-a-file``,
            ``file.too-large``.
        WorldError: ``file.cannot-read`` (rights, disk).
    """
    with reading(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        data = stream.read(size + 1) if size <= MOST_BYTES else None
        if data is not None and len(data) > size:  # a pipe, or it grows
            data += stream.read(MOST_BYTES + 1 - len(data))
        if data is None or len(data) > MOST_BYTES:
            raise InputError(
                "file.too-large",
                f"the file has more than {MOST_BYTES >> 20} MiB",
                where=path,
                remedy="Check that it is the one you mean; divide it if it is",
            )
        return data


def is_pipe(path: Path) -> bool:
    """Whether it can be read once only: a pipe that the shell gave to this command."""
    return str(path).startswith(_GIVEN)


def has_name(path: Path) -> bool:
    """Whether a file has a name of its own: what came from another program has none."""
    return not is_pipe(path) and path.name.partition(".")[0] != STAND_IN


@contextmanager
def reading(path: Path) -> Iterator[IO[bytes]]:
    """The stream of a file, or of a pipe that the shell gave; however long it is.

    Raises:
        InputError, WorldError: as :func:`read_file`, whatever is done with the stream.
    """
    try:
        with _opened(path) as stream:
            yield stream
    except FileNotFoundError:
        raise InputError(
            "file.not-found",
            "there is no such file",
            where=path,
            remedy="Check the name and the folder",
        ) from None
    except IsADirectoryError:
        raise InputError(
            "file.is-folder", "this is a folder, not a file", where=path, remedy="Name a file in it"
        ) from None
    except OSError as error:
        raise _cannot_read(path, error) from error


def _cannot_read(path: Path, error: Exception) -> WorldError:
    return WorldError(
        "file.cannot-read",
        f"the file cannot be read ({getattr(error, 'strerror', None) or error})",
        where=path,
        remedy="Check its name, its permissions and the disk",
    )


def _opened(path: Path) -> IO[bytes]:
    # Opened without waiting, so that a pipe without a writer does not hold us before we look.
    def at_once(name: str, flags: int) -> int:
        return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))

    try:
        stream = open(path, "rb", opener=at_once)  # noqa: SIM115 - the caller closes it
    except ValueError as error:  # a NUL in the name
        raise _cannot_read(path, error) from error
    try:
        kind = os.fstat(stream.fileno())
        if stat.S_ISFIFO(kind.st_mode) and is_pipe(path):
            os.set_blocking(stream.fileno(), True)
        elif stat.S_ISDIR(kind.st_mode):
            raise IsADirectoryError
        elif not stat.S_ISREG(kind.st_mode):
            raise InputError(
                "file.not-a-file",
                "this is a pipe, a socket or a device, not a file",
                where=path,
                remedy="Save its output as a file, and name that",
            )
    except BaseException:
        stream.close()
        raise
    return stream


def write_atomically(path: Path, data: bytes, *, backup: bool = False) -> None:
    """Write ``data`` beside ``path``, then put it in its place: never half a file.

    A symbolic link stays one: its target is replaced. Rights of an existing file are kept where
    the disk has rights at all. A file that cannot be replaced just now is tried for 3 seconds.

    Args:
        path: the file to write.
        data: its whole content.
        backup: copy an existing file to ``NAME.bak`` first, replacing an older backup.

    Raises:
        WorldError: ``file.cannot-write``; the old file is as it was.
    """
    target = Path(os.path.realpath(path))
    beside: Path | None = None
    try:
        if backup and target.exists():
            # An older backup is replaced by a whole one, also where the disk is full.
            beside = target.with_name(target.name + ".bak.part")
            shutil.copyfile(target, beside)
            with contextlib.suppress(OSError):
                shutil.copystat(target, beside)
            _replace(beside, target.with_name(target.name + ".bak"))
            beside = None
        handle, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=target.parent)
        beside = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            sync(stream.fileno())
        with contextlib.suppress(OSError):  # a disk without rights, such as a camera's card
            if target.exists():
                shutil.copymode(target, beside)
            else:
                beside.chmod(0o666 & ~_umask())
        _replace(beside, target)
    except OSError as error:
        if beside is not None:
            with contextlib.suppress(OSError):
                beside.unlink()
        raise WorldError(
            "file.cannot-write",
            f"the file cannot be written ({error.strerror or error})",
            where=path,
            remedy="Check the folder's permissions and the disk space, or save elsewhere",
        ) from error


def sync(descriptor: int) -> None:
    """Wait until the disk has what was written; some network disks cannot say, and are believed.

    Raises:
        OSError: the disk is full, or broken.
    """
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            raise


def _replace(beside: Path, target: Path) -> None:
    end = time.monotonic() + _PATIENCE_S
    while True:
        try:
            beside.replace(target)
        except PermissionError:
            if time.monotonic() >= end:
                raise
            time.sleep(_PAUSE_S)
        else:
            return


def keep_beside(path: Path, whose: str, data: bytes) -> Path:
    """Keep ``data`` beside a file under a name that is free: ``NAME.WHOSE.bak``, ``-2`` and so on.

    Raises:
        WorldError: ``file.cannot-write``.
    """
    number = 1
    while True:
        mark = whose if number == 1 else f"{whose}-{number}"
        kept = path.with_name(f"{path.name}.{mark}.bak")
        if not kept.exists():
            write_atomically(kept, data)
            return kept
        number += 1


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, if they are not there.

    Raises:
        WorldError: ``file.no-folder``: there is a file of this name; no right to make it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorldError(
            "file.no-folder",
            f"the folder cannot be made ({error.strerror or error})",
            where=folder,
            remedy="Name another folder where you can write",
        ) from error


@contextmanager
def filled_folder(folder: Path) -> Iterator[None]:
    """A folder to write into, made if need be; those made are gone again where they stay empty.

    Raises:
        WorldError: as :func:`make_folder`.
    """
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    make_folder(folder)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # the first that holds something ends it
            for one in missing:
                one.rmdir()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
