"""Writing a report's files into a folder: each whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from madcat_studio.errors import WorldError

__all__ = ["prepare_folder", "prepared_folder", "replacing", "replacing_folder"]


def prepare_folder(folder: Path) -> Path:
    """Make ``folder`` if it is not there and see that files can be made in it.

    Raises:
        WorldError: ``report.folder-not-writable``.
    """
    import tempfile  # loads much, and a command that writes nothing should not wait for it

    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=folder)
        os.close(handle)
        Path(name).unlink()
    except OSError as error:
        raise WorldError(
            "report.folder-not-writable",
            f"no file can be made in this folder ({error.strerror or error})",
            where=folder,
            remedy="Name a folder where you can write",
        ) from error
    return folder


@contextlib.contextmanager
def prepared_folder(folder: Path) -> Iterator[Path]:
    """:func:`prepare_folder` before long work; what it made is gone again where nothing came of it.

    Raises:
        WorldError: ``report.folder-not-writable``.
    """
    new = [one for one in (folder, *folder.parents) if not one.exists()]
    prepare_folder(folder)
    try:
        yield folder
    except BaseException:
        with contextlib.suppress(OSError):  # something was written before
            for one in new:
                one.rmdir()
        raise


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path beside ``path`` to write to; it takes the place of ``path`` if all goes well.

    Raises:
        WorldError: ``report.cannot-write`` (no rights, disk full); an older file is as it was.
    """
    import tempfile

    beside: Path | None = None
    try:
        handle, name = tempfile.mkstemp(
            prefix=f".{path.stem}-", suffix=f".part{path.suffix}", dir=path.parent
        )
        os.close(handle)
        beside = Path(name)
        yield beside
        mask = os.umask(0)
        os.umask(mask)
        beside.chmod(0o666 & ~mask)  # mkstemp's files are for their owner only
        beside.replace(path)
        beside = None
    except OSError as error:
        raise WorldError(
            "report.cannot-write",
            f"the file cannot be written ({error.strerror or error})",
            where=path,
            remedy="Check the folder's permissions and the disk space",
        ) from error
    finally:
        if beside is not None:
            with contextlib.suppress(OSError):
                beside.unlink()


@contextlib.contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """A folder beside ``path`` to write into; it takes the place of ``path`` if all goes well.

    Raises:
        WorldError: ``report.cannot-write`` (no rights, disk full); an older folder is as it was.
    """
    import tempfile

    made: list[Path] = []

    def beside() -> Path:
        made.append(
            Path(tempfile.mkdtemp(prefix=f".{path.name}-", suffix=".part", dir=path.parent))
        )
        return made[-1]

    try:
        new = beside()
        yield new
        mask = os.umask(0)
        os.umask(mask)
        new.chmod(0o777 & ~mask)  # mkdtemp's folders are for their owner only
        if path.exists():
            path.replace(beside() / path.name)
        new.replace(path)
    except OSError as error:
        raise WorldError(
            "report.cannot-write",
            f"the folder cannot be written ({error.strerror or error})",
            where=path,
            remedy="Check the folder's permissions and the disk space",
        ) from error
    finally:
        for folder in made:
            shutil.rmtree(folder, ignore_errors=True)
