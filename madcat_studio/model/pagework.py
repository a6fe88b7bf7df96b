"""How far the work on a page is, who has it, and which step may follow which.

    open ──claim──▶ in work ──finish──▶ done ──claim──▶ in check ──finish──▶ checked
      ▲               │                  ▲                │                     │
      └───give back───┘                  └───give back────┘        release ──▶ released
                                                                                │
      open ◀──────────────────────────────reopen──────────────────(done, checked or released)

The second check is somebody else's: who did a page cannot check it. A released page is frozen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from madcat_studio.errors import ConflictError

__all__ = ["PageWork", "WorkState", "claim", "finish", "give_back", "note", "release", "reopen"]


class WorkState(StrEnum):
    """How far a page is."""

    OPEN = "open"
    IN_WORK = "in work"
    DONE = "done"
    IN_CHECK = "in check"
    CHECKED = "checked"
    RELEASED = "released"


_HELD = frozenset({WorkState.IN_WORK, WorkState.IN_CHECK})
_BACK = {WorkState.IN_WORK: WorkState.OPEN, WorkState.IN_CHECK: WorkState.DONE}
_ON = {WorkState.IN_WORK: WorkState.DONE, WorkState.IN_CHECK: WorkState.CHECKED}
_TAKEN = {WorkState.OPEN: WorkState.IN_WORK, WorkState.DONE: WorkState.IN_CHECK}


@dataclass(frozen=True, slots=True)
class PageWork:
    """What the queue says of one page.

    Attributes:
        page: the name of its file, without ``.madcat.xml``.
        state: how far it is.
        holder: who has it now, "" for nobody.
        worker: who did it, "" before it is done.
        checker: who checked it, "" before.
        note: anything, one line or more.
        since: from when on it is in this state, in these hands (UTC).
        by, machine, at: who wrote this, where and when (UTC); "" and None for a page of which
            nothing was ever written.
        step: what was done: ``claim``, ``finish`` and so on.
        number: how many steps there were.
    """

    page: str
    state: WorkState = WorkState.OPEN
    holder: str = ""
    worker: str = ""
    checker: str = ""
    note: str = ""
    since: datetime | None = None
    by: str = ""
    machine: str = ""
    at: datetime | None = None
    step: str = ""
    number: int = 0

    @property
    def frozen(self) -> bool:
        """Whether the page may not be edited any more."""
        return self.state is WorkState.RELEASED


def claim(
    work: PageWork, who: str, *, take_over: bool = False, only: WorkState | None = None
) -> PageWork:
    """Take a page for work, or a done one for its second check.

    Args:
        work: the page as it is.
        who: claims it.
        take_over: also from somebody who has it.
        only: the state that it must be in; None for any that will do.

    Raises:
        ConflictError: ``queue.held``, ``queue.own-check``, ``queue.finished``.
    """
    if work.state in _HELD:
        if work.holder == who:
            return work
        if not take_over:
            raise ConflictError(
                "queue.held",
                f"{work.holder} has the page{_since(work)}",
                where=work.page,
                remedy="Take another page, or take this one over if that is agreed",
            )
        taken = work.state
    elif work.state in _TAKEN and only in (None, work.state):
        taken = _TAKEN[work.state]
    else:
        raise ConflictError(
            "queue.finished",
            f"the page is {work.state}",
            where=work.page,
            remedy="Reopen it if there is more to do",
        )
    if taken is WorkState.IN_CHECK and who == work.worker:
        raise ConflictError(
            "queue.own-check",
            "a page must be checked by somebody other than its annotator",
            where=work.page,
            remedy="Take another page",
        )
    return replace(work, state=taken, holder=who)


def finish(work: PageWork, who: str) -> PageWork:
    """Say that work or check is done.

    Raises:
        ConflictError: ``queue.not-yours``.
    """
    _need(work, who)
    checked = work.state is WorkState.IN_CHECK
    return replace(
        work,
        state=_ON[work.state],
        holder="",
        worker=work.worker if checked else who,
        checker=who if checked else "",
    )


def give_back(work: PageWork, who: str, *, force: bool = False) -> PageWork:
    """Let a page go, unfinished; with ``force`` also somebody else's.

    Raises:
        ConflictError: ``queue.not-yours``.
    """
    if not (force and work.state in _HELD):
        _need(work, who)
    return replace(work, state=_BACK[work.state], holder="")


def reopen(work: PageWork, who: str) -> PageWork:
    """Take a finished page back into work: it is open again, for whoever claims it.

    Raises:
        ConflictError: ``queue.not-finished``.
    """
    if work.state in _HELD or work.state is WorkState.OPEN:
        raise ConflictError(
            "queue.not-finished",
            f"the page is {work.state}",
            where=work.page,
            remedy="Only a finished page can be reopened",
        )
    return replace(work, state=WorkState.OPEN, holder="", worker="", checker="")


def release(work: PageWork, who: str, *, unchecked: bool = False) -> PageWork:
    """Freeze a page: it is given out.

    Args:
        work: the page as it is.
        who: releases it.
        unchecked: also without a second check.

    Raises:
        ConflictError: ``queue.not-checked``.
    """
    ready = {WorkState.CHECKED, WorkState.DONE} if unchecked else {WorkState.CHECKED}
    if work.state not in ready:
        raise ConflictError(
            "queue.not-checked",
            f"the page is {work.state}",
            where=work.page,
            remedy="Only a checked page is released, or a finished one if you say so explicitly",
        )
    return replace(work, state=WorkState.RELEASED)


def note(work: PageWork, text: str) -> PageWork:
    """Write something down; an empty text takes the note away."""
    return replace(work, note=text)


def _need(work: PageWork, who: str) -> None:
    if work.state not in _HELD or work.holder != who:
        has = f"{work.holder} has it{_since(work)}" if work.holder else "nobody has it"
        raise ConflictError(
            "queue.not-yours",
            f"the page is not {who}'s: {has}",
            where=work.page,
            remedy="Claim it first",
        )


def _since(work: PageWork) -> str:
    return f" (since {work.since:%Y-%m-%d %H:%M} UTC)" if work.since is not None else ""
