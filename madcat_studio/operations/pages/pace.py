"""How many pages an hour are done in a folder: by person, and by kind of page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from madcat_studio.errors import StudioError
from madcat_studio.formats.documents import format_of
from madcat_studio.formats.files import read_file
from madcat_studio.formats.page_queue import PageQueue
from madcat_studio.operations.pages.compare import open_any
from madcat_studio.operations.pages.convert import open_source
from madcat_studio.operations.pages.folder import page_file
from madcat_studio.operations.pages.page_queue import list_work
from madcat_studio.pages.pace import LONGEST, Done, Pace, done_in, paces
from madcat_studio.progress import SILENT, Cancelled, Progress

__all__ = ["FolderPace", "folder_pace"]


@dataclass(frozen=True, slots=True)
class FolderPace:
    """The pace of a folder's pages.

    Attributes:
        done: every page that somebody finished, with its kind.
        by_person, by_kind: the same in sums; a kind is the page's genre, else its format.
        longest: hours beyond which a page is left out.
    """

    done: tuple[Done, ...]
    by_person: tuple[Pace, ...]
    by_kind: tuple[Pace, ...]
    longest: float


def folder_pace(
    folder: Path, *, longest: float = LONGEST, progress: Progress = SILENT
) -> FolderPace:
    """How fast the pages of a folder were worked on and checked.

    Args:
        folder: of the pages.
        longest: hours; a page that was held for longer is counted apart.
        progress: is told how many pages were looked at.

    Raises:
        InputError: ``file.not-found``: there is no such folder.
        WorldError, FormatError: the queue cannot be read.
        Cancelled: the user stopped it.
    """
    queue = PageQueue(folder)
    done: list[Done] = []
    works = list_work(folder, queue)
    for number, work in enumerate(works, 1):
        found = done_in(queue.history(work.page)) if work.number else []
        if found:
            kind = _kind(page_file(folder, work.page))
            done += [replace(each, kind=kind) for each in found]
        progress.advance(number, len(works), work.page)
        if progress.cancelled():
            raise Cancelled
    return FolderPace(
        tuple(done),
        tuple(paces(done, lambda each: each.person, longest=longest)),
        tuple(paces(done, lambda each: each.kind, longest=longest)),
        longest,
    )


def _kind(path: Path) -> str:
    """The genre that a page says, else its format, else "unreadable"."""
    try:
        genre = (open_any(path).genre or "").strip()
        return genre or format_of(open_source(read_file(path), path)).value
    except StudioError:
        return "unreadable"
