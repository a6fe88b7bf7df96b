"""Revisions on their way to the campaign: they wait here while it cannot be reached."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from madcat_studio.errors import StudioError, WorldError
from madcat_studio.model.campaign import Delivery, Revision
from madcat_studio.workspace.kit_source import KitSource
from madcat_studio.workspace.spool import Spool

__all__ = ["Outbox"]


class Outbox:
    """The revisions of one open kit that have not arrived. Safe to use from several threads.

    Attributes:
        trouble: why the campaign could not be reached at the last try, or "".
        gone: whether the campaign is not where it was any more, at the last try.
        side: whether revisions arrived as side revisions: the claim is no longer the editor's.
    """

    def __init__(self, campaign: KitSource, spool: Spool) -> None:
        self.trouble = ""
        self.gone = False
        self.side = False
        self._campaign = campaign
        self._spool = spool
        self._waiting: list[Revision] = list(spool.left.pending)
        self._lock = threading.Lock()
        self._delivering = threading.Lock()

    def waiting(self) -> tuple[Revision, ...]:
        """The revisions that have not arrived, in the order in which they were made."""
        with self._lock:
            return tuple(self._waiting)

    def add(self, revision: Revision) -> None:
        """Take a revision; it is on the disk when this returns."""
        self._spool.made(revision)
        with self._lock:
            self._waiting.append(revision)

    def deliver(self) -> Delivery:
        """Store what waits. Where the campaign cannot be reached, it goes on waiting.

        Raises:
            StudioError: the campaign refuses a revision; that is not for want of reaching it, and
                is raised once, however often it is tried again.
        """
        with self._delivering:
            revisions = self.waiting()
            if not revisions:
                return Delivery()
            try:
                delivery = self._campaign.revisions.append(revisions)
            except StudioError as error:
                known, self.trouble = self.trouble == str(error), str(error)
                self.gone = error.code == "store.gone"
                if known or isinstance(error, WorldError):
                    return Delivery()
                raise
            self.trouble, self.gone = "", False
            self.side = self.side or delivery.side > _meant_aside(revisions)
            with self._lock:
                del self._waiting[: len(revisions)]
            self._spool.arrived(revisions)
            return delivery


def _meant_aside(revisions: Iterable[Revision]) -> int:
    return sum(revision.side for revision in revisions)
