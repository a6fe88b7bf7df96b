"""Revisions and visits on their way to the campaign: they wait here until they have arrived."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from madcat_studio.errors import StudioError, WorldError
from madcat_studio.model.campaign import Delivery, Revision
from madcat_studio.model.visits import Visit
from madcat_studio.workspace.kit_source import KitSource
from madcat_studio.workspace.spool import Spool

__all__ = ["Outbox"]

_VISITS_AT_ONCE = 20
"""So many of the log are sent together; they are safe in the spool, and a text must not wait."""


class Outbox:
    """What of one open kit has not arrived. Safe to use from several threads.

    Attributes:
        trouble: why the campaign could not be reached at the last try, or "".
        gone: whether the campaign is not where it was any more, at the last try.
        side: whether revisions arrived as side revisions: the claim is no longer the editor's.
        beside: how many arrived so though it is: the pass is open, or was edited, elsewhere.
    """

    def __init__(self, campaign: KitSource, spool: Spool) -> None:
        self.trouble = ""
        self.gone = False
        self.side = False
        self.beside = 0
        self._campaign = campaign
        self._spool = spool
        self._waiting: list[Revision] = list(spool.left.pending)
        self._visits: list[Visit] = list(spool.left.visits)
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

    def visits(self) -> tuple[Visit, ...]:
        """The visits that have not arrived, in order."""
        with self._lock:
            return tuple(self._visits)

    def add_visit(self, visit: Visit) -> None:
        """Take a visit that has ended; the spool has it already."""
        with self._lock:
            self._visits.append(visit)

    def deliver(self, *, whole: bool = False) -> Delivery:
        """Store what waits. Where the campaign cannot be reached, it goes on waiting.

        Args:
            whole: the log up to its last visit; otherwise when there are some more of them.

        Raises:
            StudioError: the campaign refuses a revision; that is not for want of reaching it, and
                is raised once, however often it is tried again.
        """
        with self._delivering:
            revisions, visits = self.waiting(), self.visits()
            if not whole and len(visits) < _VISITS_AT_ONCE:
                visits = ()
            if not revisions and not visits:
                return Delivery()
            delivery = Delivery()
            try:
                if revisions:
                    delivery = self._campaign.revisions.append(revisions)
                    self._stored(revisions, delivery)
                if visits:
                    self._campaign.visits.append(visits)
                    with self._lock:
                        del self._visits[: len(visits)]
                    self._spool.arrived(visits)
            except StudioError as error:
                known, self.trouble = self.trouble == str(error), str(error)
                self.gone = error.code == "store.gone"
                if known or isinstance(error, WorldError):
                    return delivery
                raise
            self.trouble, self.gone = "", False
            return delivery

    def _stored(self, revisions: tuple[Revision, ...], delivery: Delivery) -> None:
        self.beside += delivery.beside
        self.side = self.side or delivery.side > _meant_aside(revisions) + delivery.beside
        with self._lock:
            del self._waiting[: len(revisions)]
        self._spool.arrived(revisions)


def _meant_aside(revisions: Iterable[Revision]) -> int:
    return sum(revision.side for revision in revisions)
