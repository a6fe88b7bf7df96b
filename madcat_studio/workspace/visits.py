"""The log of visits while a kit is open: what is recorded, and that a kill loses none of it.

Every visit is in the spool from its beginning. Its events are written there with the change of the
text that they belong to, and otherwise by :meth:`VisitLog.beat`, which whoever shows the kit calls
at least twice a second: nothing older than half a second can be lost. A visit that has ended waits
in the outbox.

No threshold is applied to what is recorded; the clock that an editor sees has that of reports.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Protocol

from madcat_studio.model.campaign import Claim, SegmentName, new_id
from madcat_studio.model.visits import (
    LEAST_REST_MS,
    Event,
    EventKind,
    KeyClass,
    Source,
    Visit,
    note_event,
)
from madcat_studio.reports.effort import IDLE_SECONDS
from madcat_studio.workspace.typing import difference

__all__ = ["BEAT_SECONDS", "Activity", "VisitLog", "VisitSpool"]

BEAT_SECONDS = 0.4
"""How often :meth:`VisitLog.beat` is to be called."""

_MOST_SIZE = 200_000
_MOST_EVENTS = 10_000
_MOST_SECONDS = 24 * 3600.0
"""What one part of a visit may hold; a longer one is kept in parts."""


class Activity(StrEnum):
    """What an editor did with keyboard or mouse; which key it was is never kept."""

    CHARACTER = KeyClass.CHARACTER.value
    DELETE = KeyClass.DELETE.value
    NAVIGATION = KeyClass.NAVIGATION.value
    OTHER = KeyClass.OTHER.value
    MOUSE = "mouse"


class VisitSpool(Protocol):
    """Where a visit is kept while it goes on."""

    def entered(self, visit: Visit) -> None:
        """A visit has begun."""
        ...

    def seen(self, visit: str, first: int, events: tuple[Event, ...], ms: int) -> None:
        """More of it: events from number ``first`` on, and how long it is by now."""
        ...


@dataclass(slots=True)
class _Open:
    """The visit that goes on."""

    visit: Visit
    began: float
    events: list[Event] = field(default_factory=list)
    spooled: int = 0
    size: int = 0
    ms: int = 0


class VisitLog:
    """Records visits to the segments of one open kit.

    ``note`` is open to whatever the program wants to keep beside what the editor does, such as an
    advice that was shown and what became of it::

        kit.visits.note("coach.shown", {"kind": "shift", "saves": 2})

    The name is made of small letters, digits, blanks, ``.``, ``_`` and ``-`` (60 at most), the
    detail of texts and numbers (1,000 characters as JSON). It is read back as an event of kind
    ``note`` of the segment's visit: ``event.says == (name, json)``. Notes are no activity of the
    editor. Where a campaign records times only, they are not kept.
    """

    def __init__(
        self,
        claim: Claim,
        machine: str,
        spool: VisitSpool,
        send: Callable[[Visit], None],
        *,
        times_only: bool,
        spent_ms: int = 0,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Record for the holder of a claim.

        Args:
            claim: under which the kit is edited.
            machine: where.
            spool: keeps what is going on.
            send: takes a visit that has ended.
            times_only: record times and nothing else.
            spent_ms: the editor's active time on this pass in earlier sessions.
            clock: monotonic seconds.
            now: the time of entering.
        """
        self._claim, self._machine = claim, machine
        self._spool, self._send = spool, send
        self._clock, self._now = clock, now
        self.times_only = times_only
        self.paused = False
        self._place: tuple[SegmentName, Callable[[], str]] | None = None
        self._open: _Open | None = None
        self._spent = spent_ms / 1000
        self._last = 0.0

    # -- coming and going ---------------------------------------------------------------------

    def enter(self, segment: SegmentName, text: Callable[[], str]) -> None:
        """A segment is shown; ``text`` tells how its text is. During a pause no time runs."""
        self.leave()
        self._place = (segment, text)
        if not self.paused:
            self._begin()

    def leave(self) -> None:
        """The segment is not shown any more."""
        if self._open is not None:
            self._end()
        self._place = None

    def pause(self) -> None:
        """Stop the time until the editor goes on."""
        if self._open is not None:
            self._end()
        self.paused = True

    def resume(self) -> None:
        """Let the time run again."""
        self.paused = False
        if self._open is None and self._place is not None:
            self._begin()

    def _begin(self, *, continued: bool = False) -> None:
        assert self._place is not None
        segment, text = self._place
        now = self._clock()
        self._open = _Open(self._visit(segment), now)
        if not continued:
            self._last = now
        self._spool.entered(self._open.visit)
        if continued:
            self._add(Event(0, EventKind.CONTINUED))
        if not self.times_only:
            self._add(Event(0, EventKind.FROM, (text(),)))
        self._keep()

    def _visit(self, segment: SegmentName) -> Visit:
        claim = self._claim
        return Visit(
            id=new_id(),
            kit=claim.kit,
            team=claim.team,
            pass_=claim.pass_,
            segment=segment,
            editor=claim.editor,
            machine=self._machine,
            at=self._now(),
            ms=0,
            turn=claim.turn,
        )

    def _end(self) -> None:
        self._rest()
        self._keep()
        one, self._open = self._open, None
        assert one is not None
        self._send(_whole(one))

    # -- what is done -------------------------------------------------------------------------

    def did(self, activity: Activity) -> None:
        """The editor pressed a key or used the mouse."""
        if activity is Activity.MOUSE:
            self._act(EventKind.MOUSE)
        else:
            self._act(EventKind.KEY, activity.value)

    def command(self, name: str) -> None:
        """The editor did something by a command, whether from a menu, a button or by a key."""
        self._act(EventKind.COMMAND, name)

    def changed(self, segment: SegmentName, old: str, new: str, source: Source) -> None:
        """A text was changed; another segment's than the one shown has a visit of no length."""
        if self.paused:
            self.resume()
        place, removed, added = difference(old, new)
        says = (place, removed, added, source.value)
        if self._place is None or segment != self._place[0]:
            if not self.times_only:
                events = (
                    Event(0, EventKind.FROM, (old,)),
                    Event(0, EventKind.CONTINUED),
                    Event(0, EventKind.TEXT, says),
                )
                aside = self._visit(segment)
                self._spool.entered(aside)
                self._spool.seen(aside.id, 0, events, 0)
                self._send(_whole(_Open(aside, 0.0, list(events))))
            return
        self._act(EventKind.TEXT, *says)
        self._keep()

    def note(self, name: str, detail: Mapping[str, str | int | float | None]) -> None:
        """Keep what the program observed; see the class.

        Raises:
            ValueError: name or detail is not as it must be.
        """
        event = note_event(self._ms(), name, detail)
        if self._open is not None and not self.times_only:
            self._add(event)

    def beat(self) -> None:
        """Keep what is not kept yet, and how long the visit is by now."""
        one = self._open
        if one is None:
            return
        self._keep()
        whole = one.size > _MOST_SIZE or len(one.events) > _MOST_EVENTS
        if whole or self._clock() - one.began > _MOST_SECONDS:
            self._rest()
            self._end()
            self._begin(continued=True)

    def _act(self, kind: EventKind, *says: int | str) -> None:
        if self.paused:
            self.resume()
        if self._open is None:
            return
        self._rest()
        if not self.times_only:
            self._add(Event(self._ms(), kind, says))

    def _rest(self) -> None:
        """The rest that ends now: for the editor's clock, and for a log of times."""
        now = self._clock()
        rest, self._last = max(0.0, now - self._last), now
        if rest <= IDLE_SECONDS:
            self._spent += rest
        if self.times_only and rest * 1000 >= LEAST_REST_MS:
            self._add(Event(self._ms(), EventKind.REST, (round(rest * 1000),)))

    def _ms(self) -> int:
        if self._open is None:
            return 0
        # A clock that stands still or goes back counts nothing.
        self._open.ms = max(self._open.ms, round((self._clock() - self._open.began) * 1000))
        return self._open.ms

    def _add(self, event: Event) -> None:
        assert self._open is not None
        self._open.events.append(event)
        self._open.size += 20 + sum(len(one) for one in event.says if isinstance(one, str))

    def _keep(self) -> None:
        one = self._open
        assert one is not None
        new = tuple(one.events[one.spooled :])
        self._spool.seen(one.visit.id, one.spooled, new, self._ms())
        one.spooled = len(one.events)

    # -- for others ---------------------------------------------------------------------------

    def going_on(self) -> Visit | None:
        """The visit that goes on, as far as it is."""
        if self._open is None:
            return None
        self._ms()
        return _whole(self._open)

    def seconds(self) -> float:
        """The editor's active time on this pass so far, in all sessions.

        A rest that is still going on counts at first.
        """
        if self._open is None:
            return self._spent
        resting = max(0.0, self._clock() - self._last)
        return self._spent + (resting if resting <= IDLE_SECONDS else 0.0)


def _whole(one: _Open) -> Visit:
    return replace(one.visit, ms=one.ms, events=tuple(one.events))
