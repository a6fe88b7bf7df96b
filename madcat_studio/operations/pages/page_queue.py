"""The queue of pages: who works on which, what is done, what is checked, what is released."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from madcat_studio.errors import ConflictError, InputError
from madcat_studio.formats.page_queue import PageQueue
from madcat_studio.model import pagework
from madcat_studio.model.pagework import PageWork, WorkState
from madcat_studio.operations.pages.folder import page_file, page_name, pages_in
from madcat_studio.operations.user import login

__all__ = [
    "change_work",
    "claim",
    "claim_next",
    "finish",
    "give_back",
    "history",
    "list_work",
    "me",
    "release",
    "reopen",
    "set_note",
    "why_frozen",
    "work_of",
]


def me() -> str:
    """The name of whoever uses the machine."""
    return login("annotator")


def list_work(folder: Path, queue: PageQueue | None = None) -> list[PageWork]:
    """What the queue says of every page in a folder (not below), in the order of their names.

    Pages are the files that are saved in place: MADCAT, PAGE XML and ALTO.

    Args:
        folder: of the pages.
        queue: one that remembers what it read, for whoever asks again and again.

    Raises:
        InputError: ``file.not-found``: there is no such folder.
        WorldError, FormatError: the queue cannot be read.
    """
    if not folder.is_dir():
        raise InputError(
            "file.not-found",
            "there is no such folder",
            where=folder,
            remedy="Name the folder that holds the pages",
        )
    known = (queue or PageQueue(folder)).all()
    names = sorted(page_name(path) for path in pages_in(folder))
    return [known.get(name, PageWork(name)) for name in names]


def work_of(document: Path) -> PageWork:
    """What the queue says of one document.

    Raises:
        WorldError, FormatError: the queue cannot be read.
    """
    return PageQueue(document.parent).of(page_name(document))


def why_frozen(work: PageWork) -> str:
    """Why a page may not be edited, "" where it may."""
    if not work.frozen:
        return ""
    when = f" on {work.since:%Y-%m-%d}" if work.since is not None else ""
    return f"the page was released{when} and is frozen"


def claim(document: Path, who: str, *, take_over: bool = False) -> PageWork:
    """Take a page for work, or a done one for its second check.

    Raises:
        ConflictError: somebody has it, or it is finished; see :func:`model.pagework.claim`.
        InputError, WorldError, FormatError: there is no such page; the queue cannot be used.
    """
    step = partial(pagework.claim, who=who, take_over=take_over)
    return change_work(document, who, "claim", step)


def claim_next(folder: Path, who: str, *, check: bool = False) -> PageWork:
    """Take the first page that is to be had; what one has already comes first.

    Args:
        folder: of the pages.
        who: takes it.
        check: a page for its second check instead of an open one.

    Raises:
        ConflictError: ``queue.empty``: there is none.
        InputError, WorldError, FormatError: the folder or its queue cannot be used.
    """
    held, wanted = (
        (WorkState.IN_CHECK, WorkState.DONE) if check else (WorkState.IN_WORK, WorkState.OPEN)
    )
    pages = list_work(folder)
    for work in pages:
        if work.state is held and work.holder == who:
            return work
    for work in pages:
        if work.state is not wanted or (check and work.worker == who):
            continue
        try:
            return change_work(
                page_file(folder, work.page),
                who,
                "claim",
                lambda now: pagework.claim(now, who, only=wanted),
            )
        except ConflictError:
            continue  # somebody was faster: the next one
    raise ConflictError(
        "queue.empty",
        "no page is waiting for a second check by you" if check else "no page is open",
        where=folder,
        remedy="`queue list` shows who has which",
    )


def finish(document: Path, who: str) -> PageWork:
    """Say that work or check is done.

    Raises:
        ConflictError: the page is not ``who``'s.
        InputError, WorldError, FormatError: there is no such page; the queue cannot be used.
    """
    return change_work(document, who, "finish", lambda work: pagework.finish(work, who))


def give_back(document: Path, who: str, *, force: bool = False) -> PageWork:
    """Let a page go, unfinished.

    Raises:
        ConflictError: the page is not ``who``'s (and not ``force``).
        InputError, WorldError, FormatError: there is no such page; the queue cannot be used.
    """
    step = partial(pagework.give_back, who=who, force=force)
    return change_work(document, who, "give back", step)


def reopen(document: Path, who: str) -> PageWork:
    """Take a finished or released page back into work.

    Raises:
        ConflictError: the page is not finished.
        InputError, WorldError, FormatError: there is no such page; the queue cannot be used.
    """
    return change_work(document, who, "reopen", lambda work: pagework.reopen(work, who))


def release(document: Path, who: str, *, unchecked: bool = False) -> PageWork:
    """Freeze a page that is given out.

    Raises:
        ConflictError: the page is not checked.
        InputError, WorldError, FormatError: there is no such page; the queue cannot be used.
    """
    step = partial(pagework.release, who=who, unchecked=unchecked)
    return change_work(document, who, "release", step)


def set_note(document: Path, who: str, text: str) -> PageWork:
    """Write a note on a page.

    Raises:
        InputError, WorldError, FormatError: there is no such page; the queue cannot be used.
    """
    return change_work(document, who, "note", lambda work: pagework.note(work, text))


def history(document: Path) -> list[PageWork]:
    """Every step of a page.

    Raises:
        WorldError, FormatError: the queue cannot be read.
    """
    return PageQueue(document.parent).history(page_name(document))


def change_work(
    document: Path, who: str, name: str, step: Callable[[PageWork], PageWork]
) -> PageWork:
    """Make one step; where somebody else made one meanwhile it is tried anew on what is there.

    Raises:
        ConflictError: the step makes no sense (any more).
        InputError: ``file.not-found``: there is no such page. ``queue.no-name``: nobody is named.
        WorldError, FormatError: the queue cannot be used.
    """
    if not document.is_file():
        raise InputError(
            "file.not-found",
            "there is no such file",
            where=document,
            remedy="Check the name and the folder",
        )
    if not who.strip():
        raise InputError(
            "queue.no-name", "nobody is named", where=document, remedy="Say who you are"
        )
    queue = PageQueue(document.parent)
    page = page_name(document)
    while True:
        before = queue.of(page)
        after = step(before)
        if after == before:
            return before
        same = (after.state, after.holder) == (before.state, before.holder)
        since = before.since if same else None
        after = replace(after, by=who, machine=platform.node(), step=name, since=since)
        written = queue.add(after)
        if written is not None:
            return written
