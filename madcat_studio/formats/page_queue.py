"""The queue of pages as a folder beside them: ``page-queue``, one small file a step.

``NAME.0003.json`` is the third step of the page NAME and says all that is known after it, so that
only the newest file of each page has to be read. A step is never changed and none is skipped:
whoever writes the fourth must have read the third and creates a file that must not be there yet.
So two programs at once, also on two machines and a share, never both succeed, no lock can be left
behind, and what was done by whom can be read afterwards. Nothing of it is in the XML.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import time
import uuid
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from madcat_studio.errors import FormatError, WorldError
from madcat_studio.formats.files import make_folder
from madcat_studio.model.pagework import PageWork, WorkState

__all__ = ["FOLDER", "PageQueue"]

FOLDER = "page-queue"
"""Its name beside the pages."""

_STEP = re.compile(r"(?P<page>.+)\.(?P<number>\d{4,})\.json")
_NO_LINKS = frozenset(
    {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES}
)
_TIMES = ("since", "at")
_PATIENCE = 2.0
"""Seconds that a step which is not complete may take; after that its writer has died."""


class PageQueue:
    """The queue of one folder of pages. It remembers what it read: steps never change."""

    def __init__(self, pages: Path) -> None:
        """Look at the queue of a folder of pages; nothing is made before the first step."""
        self.folder = pages / FOLDER
        self._read: dict[str, PageWork] = {}

    def all(self) -> dict[str, PageWork]:
        """The newest step of every page that has any, by page.

        Raises:
            WorldError: the folder cannot be read.
            FormatError: ``queue.unreadable``: a step is damaged.
        """
        return {page: self._newest(page, numbers) for page, numbers in self._steps().items()}

    def of(self, page: str) -> PageWork:
        """What is known of one page.

        Raises:
            WorldError, FormatError: as :meth:`all`.
        """
        return self._newest(page, self._steps().get(page, []))

    def history(self, page: str) -> list[PageWork]:
        """All steps of a page, the first one first.

        Raises:
            WorldError, FormatError: as :meth:`all`.
        """
        found = (self._load(page, number) for number in sorted(self._steps().get(page, [])))
        return [step for step in found if step is not None]

    def add(self, work: PageWork) -> PageWork | None:
        """Write a step behind the one that it was made from (``work.number`` is that one's).

        ``work.since`` is None where state or holder changed with it.

        Returns:
            The step as it was written; None where somebody else was faster: read again.

        Raises:
            WorldError: it cannot be written.
        """
        make_folder(self.folder)
        now = datetime.now(UTC)
        step = replace(work, number=work.number + 1, at=now, since=work.since or now)
        while self._is_void(step.page, step.number):
            step = replace(step, number=step.number + 1)
        target = self.folder / _name(step.page, step.number)
        data = json.dumps(
            {
                **asdict(step),
                "state": step.state.value,
                **{name: getattr(step, name).isoformat() for name in _TIMES},
            },
            ensure_ascii=False,
            indent=1,
        ).encode()
        try:
            written = _create(target, data)
        except OSError as error:
            raise WorldError(
                "queue.cannot-write",
                f"the queue cannot be written ({error.strerror or error})",
                where=self.folder,
                remedy="Check the folder's permissions and the disk space",
            ) from error
        return step if written else None

    def _steps(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        try:
            with os.scandir(self.folder) as entries:
                for entry in entries:
                    match = _STEP.fullmatch(entry.name)
                    if match is not None:
                        found.setdefault(match["page"], []).append(int(match["number"]))
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            raise _cannot_read(self.folder, error) from error
        return found

    def _newest(self, page: str, numbers: list[int]) -> PageWork:
        for number in sorted(numbers, reverse=True):
            step = self._load(page, number)
            if step is not None:
                return step
        return PageWork(page)

    def _load(self, page: str, number: int) -> PageWork | None:
        """One step; None for one whose writer died in the middle."""
        name = _name(page, number)
        known = self._read.get(name)
        if known is not None:
            return known
        path = self.folder / name
        begun = time.monotonic()
        while True:
            try:
                data = path.read_bytes()
            except FileNotFoundError:
                return None
            except OSError as error:
                raise _cannot_read(path, error) from error
            if data.endswith(b"}"):
                break
            if self._is_old(path) or time.monotonic() - begun > _PATIENCE:
                return None
            time.sleep(0.02)
        try:
            step = _step(json.loads(data))
        except (ValueError, TypeError, KeyError) as error:
            raise FormatError(
                "queue.unreadable",
                f"a step of the queue cannot be read ({error})",
                where=path,
                remedy="It is damaged, or was written by a newer version; remove it to go "
                "back to the step before",
            ) from None
        self._read[name] = step
        return step

    def _is_void(self, page: str, number: int) -> bool:
        """Whether there is a file of that step that its writer left unfinished."""
        path = self.folder / _name(page, number)
        return path.exists() and self._load(page, number) is None

    def _is_old(self, path: Path) -> bool:
        # The clock of the disk, which may be another machine's: a file made now tells it.
        probe = self.folder / f".{uuid.uuid4().hex}"
        try:
            probe.touch()
            now = probe.stat().st_mtime
            return now - path.stat().st_mtime > _PATIENCE
        except OSError:
            return False
        finally:
            with contextlib.suppress(OSError):
                probe.unlink()


def _name(page: str, number: int) -> str:
    return f"{page}.{number:04d}.json"


def _create(target: Path, data: bytes) -> bool:
    """Create a whole file, False where there is one already. OSError where it cannot be."""
    beside = target.with_name(f".{uuid.uuid4().hex}")
    try:
        with beside.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        try:
            os.link(beside, target)  # fails where there is one, and is never half there
        except FileExistsError:
            return False
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            return _create_plainly(target, data)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()
    return True


def _create_plainly(target: Path, data: bytes) -> bool:
    """The same on a disk without hard links: readers wait until the end of it is there."""
    try:
        with target.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except FileExistsError:
        return False
    return True


def _step(plain: dict[str, Any]) -> PageWork:
    known = {name: plain[name] for name in asdict(PageWork("")) if name in plain}
    times = {name: datetime.fromisoformat(str(plain[name])) for name in _TIMES}
    step = PageWork(**{**known, "state": WorkState(str(plain["state"])), **times})
    if not isinstance(step.number, int) or not isinstance(step.page, str):
        raise TypeError("its number or its page is none")
    return step


def _cannot_read(path: Path, error: OSError) -> WorldError:
    return WorldError(
        "queue.cannot-read",
        f"the queue cannot be read ({error.strerror or error})",
        where=path,
        remedy="Check the folder's permissions",
    )
