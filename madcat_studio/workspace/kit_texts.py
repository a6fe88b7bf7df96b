"""The texts of an open kit, and how they are kept: spool, revisions, the way to the campaign.

Every change goes to the spool at once; a revision is made where :meth:`KitTexts.save` is called,
and is delivered at once or by a worker that calls :meth:`KitTexts.deliver`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from madcat_studio.errors import StudioError
from madcat_studio.model.campaign import (
    Claim,
    Delivery,
    Flag,
    KitSegment,
    Revision,
    SegmentName,
    SegmentState,
    new_id,
)
from madcat_studio.model.visits import Source
from madcat_studio.operations.campaign.filling import machine_name
from madcat_studio.reports.effort import IDLE_SECONDS
from madcat_studio.workspace.kit_source import KitSource
from madcat_studio.workspace.kit_values import Recovery
from madcat_studio.workspace.outbox import Outbox
from madcat_studio.workspace.past import Past, past_of
from madcat_studio.workspace.seat import Seat
from madcat_studio.workspace.spool import Spool, SpoolKey, Typed, Unsent
from madcat_studio.workspace.typing import Snapshot
from madcat_studio.workspace.visits import VisitLog

__all__ = ["KitTexts", "start_text"]


def start_text(segment: KitSegment) -> str:
    """What the edit box starts with: the first pass's text, or the system's output."""
    return segment.output if segment.first is None else segment.first


@dataclass(slots=True)
class _Own:
    """The editor's own side of a segment."""

    now: Snapshot
    saved: tuple[str, SegmentState, str, Mapping[Flag, str]]
    base: str

    @property
    def unsaved(self) -> bool:
        return self.now.content != self.saved


class KitTexts:
    """The editor's texts of one pass of one kit, by the number of their segment.

    Attributes:
        segments: what the editor sees, in the order of the kit.
        visits: the log of what is done.
        seat: where the pass is open.
        recovery: what was brought back from an earlier session.
    """

    def __init__(
        self,
        campaign: KitSource,
        claim: Claim,
        *,
        folder: Path | None,
        deliver_at_once: bool,
        clock: Callable[[], float],
        now: Callable[[], datetime],
    ) -> None:
        """Open them, with whatever an earlier session left on this machine.

        Raises:
            ConflictError: another window has the kit open.
            StudioError: the campaign or the spool cannot be read.
        """
        self._claim = claim
        self._now = now
        self._at_once = deliver_at_once
        self._machine = machine_name()
        self._campaign = campaign
        self.seat = Seat(campaign, claim, folder)
        key = SpoolKey(campaign.id, claim.kit, claim.team, claim.pass_, claim.editor)
        self._spool = Spool(key, folder)
        self._outbox = Outbox(campaign, self._spool)
        try:
            # Before the texts are read: what another window had is in them, or comes aside.
            self.seat.take()
            self.segments = campaign.revisions.kit_segments(claim.kit, claim.team, claim.pass_)
            self._index = {segment.name: index for index, segment in enumerate(self.segments)}
            latest = campaign.revisions.latest(claim.kit, claim.team, claim.pass_)
            self.visits = VisitLog(
                claim,
                self._machine,
                self._spool,
                self._outbox.add_visit,
                times_only=campaign.visits.times_only(),
                spent_ms=self._spent(campaign),
                clock=clock,
                now=now,
            )
            self._own = [
                self._opened(segment, latest[segment.name].id if segment.name in latest else "")
                for segment in self.segments
            ]
            self.recovery = self._recover()
            if self.pending and deliver_at_once:
                self.deliver()
        except BaseException:
            self._spool.close()
            raise

    def _spent(self, campaign: KitSource) -> int:
        """The editor's active time in earlier sessions, also what has not arrived."""
        claim = self._claim
        known = campaign.visits.of_pass(claim.kit, claim.team, claim.pass_, claim.editor)
        every = {one.id: one for one in (*known, *self._outbox.visits())}
        return sum(one.active_ms(round(IDLE_SECONDS * 1000)) for one in every.values())

    def _opened(self, segment: KitSegment, base: str) -> _Own:
        text = start_text(segment) if segment.text is None else segment.text
        end = len(text)
        own = Snapshot(text, end, end, segment.state, segment.reason, segment.flags)
        saved = own.content
        if segment.returned is not None:
            own = _begun_again(segment, own)
            if segment.first is None:
                # Confirming it makes a revision, also without a change: that is the answer.
                saved = own.content
        return _Own(own, saved, base)

    def _recover(self) -> Recovery:
        left = self._spool.left
        made: dict[SegmentName, Revision] = {}
        late = set[SegmentName]()
        ours = {revision.id for revision in left.pending}
        for revision in left.pending:
            name = revision.segment
            if revision.side or name in late:
                continue
            index = self._index.get(name)
            fresh = name not in made and revision.turn == self._claim.turn
            base = "" if index is None else self._own[index].base
            # It may have arrived just before the program was killed: then the newest is ours.
            followed = revision.base in (None, base) or base in ours
            if index is not None and fresh and not followed:
                late.add(name)  # another place made a newer one of this segment
            else:
                made[name] = revision
        back, aside = [], len(late)
        for name, revision in made.items():
            if (index := self._index.get(name)) is None:
                continue
            own = self._own[index]
            end = len(revision.text)
            own.now = Snapshot(
                revision.text, end, end, revision.state, revision.reason, revision.flags
            )
            if revision.turn == self._claim.turn:
                own.saved = own.now.content
                own.base = revision.id
            else:
                # Made under a claim that was released: it will arrive as a side revision, and
                # the text becomes an ordinary one when it is saved again.
                back.append(index)
        for typed in left.typed:
            index = self._index.get(typed.segment)
            if index is None:
                continue
            own = self._own[index]
            found = Snapshot(
                typed.text, typed.caret, typed.anchor, typed.state, typed.reason, typed.flags
            )
            if found.content == own.saved:
                continue
            known = {own.base}
            if typed.segment in made:
                known.add(made[typed.segment].id)
            if typed.base in known:
                own.now = found
                back.append(index)
            else:
                # The campaign has something newer, from another machine: that one counts.
                self._outbox.add(self._revision(index, found, side=True))
                aside += 1
        return Recovery(tuple(sorted(set(back))), len(left.pending), aside)

    # -- the texts ----------------------------------------------------------------------------

    def now(self, index: int) -> Snapshot:
        """The editor's text of a segment, with caret, selection and state."""
        return self._own[index].now

    def put(
        self,
        index: int,
        snapshot: Snapshot,
        *,
        source: Source = Source.OTHER,
        keep: bool = True,
    ) -> None:
        """A segment is so from now on; it is kept at once, unless :meth:`save` follows anyway.

        ``source``: where a change of the text comes from.
        """
        own = self._own[index]
        old, own.now = own.now.text, snapshot
        if keep:
            self._spool.typed(self._typed(index))
        if snapshot.text != old:
            self.visits.changed(self.segments[index].name, old, snapshot.text, source)

    def left_at(self) -> int | None:
        """The segment that an earlier session ended at."""
        name = self._spool.left.current
        return None if name is None else self._index.get(name)

    def show(self, index: int) -> None:
        """A segment is shown: that is remembered, and a visit to it begins."""
        name = self.segments[index].name
        self._spool.at(name)
        self.visits.enter(name, lambda: self._own[index].now.text)

    # -- whether they are safe ----------------------------------------------------------------

    @property
    def pending(self) -> int:
        """How many revisions have not arrived in the campaign."""
        return len(self._outbox.waiting())

    @property
    def trouble(self) -> str:
        """Why the campaign could not be reached, or "". The work goes on meanwhile."""
        return self._outbox.trouble

    @property
    def side(self) -> bool:
        """Whether texts arrived as side revisions: the claim is no longer the editor's."""
        return self._outbox.side

    @property
    def beside(self) -> int:
        """How many texts of this session were kept aside, since the pass is open elsewhere."""
        return self._outbox.beside

    @property
    def spool_path(self) -> Path:
        """The file in which what is typed is kept on this machine."""
        return self._spool.path

    @property
    def spool_trouble(self) -> str:
        """Why typed text could not be kept on this machine, or ""."""
        return self._spool.trouble

    @property
    def unsaved(self) -> bool:
        """Whether a text has not become a revision yet."""
        return any(own.unsaved for own in self._own)

    @property
    def stranded(self) -> bool:
        """Whether texts wait for a campaign whose folder is not there any more."""
        return self._outbox.gone and (self.unsaved or bool(self.pending))

    @property
    def in_danger(self) -> bool:
        """Whether there is text that neither this machine nor the campaign has taken yet."""
        return bool(self.spool_trouble) and (self.unsaved or bool(self.pending))

    def own_texts(self) -> dict[SegmentName, tuple[SegmentState, str, str]]:
        """All that the editor wrote in this pass: segment -> (state, text, reason)."""
        return {
            segment.name: (own.now.state, own.now.text, own.now.reason)
            for segment, own in zip(self.segments, self._own, strict=True)
            if own.now.state is not SegmentState.UNTOUCHED
        }

    # -- keeping ------------------------------------------------------------------------------

    def save(self, index: int) -> None:
        """Make a revision of a segment, unless its latest one says the same."""
        own = self._own[index]
        if not own.unsaved:
            return
        now = own.now
        if now.state is SegmentState.UNTOUCHED:
            # Undone to the very start: a draft again, since revisions are never taken away.
            now = own.now = replace(now, state=SegmentState.DRAFT)
            if now.content == own.saved:
                return
        revision = self._revision(index, now)
        own.base = revision.id
        own.saved = now.content
        self._outbox.add(revision)
        self._spool.compact(self._unsent)
        if self._at_once:
            self.deliver()

    def save_all(self) -> None:
        """Make revisions of all that is typed, and deliver them with the whole log."""
        for index in range(len(self._own)):
            self.save(index)
        self._outbox.deliver(whole=True)

    def deliver(self) -> Delivery:
        """Store the revisions that wait. May be called from any thread, again and again.

        Where the campaign cannot be reached, they go on waiting and ``trouble`` says why.
        """
        delivery = self._outbox.deliver()
        if delivery.beside:
            self._go_on_from_latest()
        return delivery

    def _go_on_from_latest(self) -> None:
        """What was kept aside is no text to go on from: the next one comes after the campaign's."""
        claim = self._claim
        waiting = {one.segment for one in self._outbox.waiting()}
        for name, one in self._campaign.revisions.latest(
            claim.kit, claim.team, claim.pass_
        ).items():
            own = self._own[self._index[name]]
            if name not in waiting and own.base != one.id:
                own.base = one.id
                own.saved = one.text, one.state, one.reason, one.flags

    def asides(self) -> tuple[Revision, ...]:
        """The editor's texts of this pass that were kept aside and are not what a segment says.

        Raises:
            StudioError: the campaign cannot be reached.
        """
        claim = self._claim
        return tuple(
            one
            for one in self._campaign.revisions.history(claim.kit, claim.team, claim.pass_)
            if one.side
            and one.editor == claim.editor
            and one.segment in self._index
            and one.text != self._own[self._index[one.segment]].now.text
        )

    def past(self, index: int) -> tuple[Past, ...]:
        """The saved texts of a segment, the oldest first. May be called from any thread.

        Raises:
            StudioError: the campaign cannot be reached.
        """
        return past_of(self._campaign, self._claim, self.segments[index])

    def flush(self) -> bool:
        """Try again what could not be written or delivered. Returns whether all is safe now."""
        written = self._spool.reopen(self._unsent)
        self.deliver()
        return written and not self.pending

    def end(self) -> None:
        """The pass is finished: nothing has to be kept on this machine any more."""
        self.seat.leave()
        self._spool.remove()

    def close(self, current: int) -> None:
        """Save what is typed and let go; what cannot be delivered now is at the next start."""
        try:
            self.save_all()
        except StudioError as error:
            # The texts are in the spool; the next start offers them again.
            self._outbox.trouble = str(error)
        self.seat.leave()
        left = self.pending or self.unsaved or self._outbox.visits()
        self._spool.close(at=None if left else self.segments[current].name)

    def _typed(self, index: int) -> Typed:
        own, now = self._own[index], self._own[index].now
        return Typed(
            self.segments[index].name,
            now.text,
            now.caret,
            now.anchor,
            now.state,
            now.reason,
            own.base,
            now.flags,
        )

    def _unsent(self) -> Unsent:
        now = self.visits.going_on()
        return Unsent(
            [self._typed(index) for index, own in enumerate(self._own) if own.unsaved],
            self._outbox.waiting(),
            [*self._outbox.visits(), *(() if now is None else (now,))],
        )

    def _revision(self, index: int, snapshot: Snapshot, *, side: bool = False) -> Revision:
        return Revision(
            id=new_id(),
            kit=self._claim.kit,
            team=self._claim.team,
            pass_=self._claim.pass_,
            segment=self.segments[index].name,
            editor=self._claim.editor,
            machine=self._machine,
            at=self._now(),
            state=snapshot.state,
            text=snapshot.text,
            turn=self._claim.turn,
            reason=snapshot.reason,
            side=side,
            flags=snapshot.flags,
            base=self._own[index].base,
            place=self.seat.place,
        )


def _begun_again(segment: KitSegment, own: Snapshot) -> Snapshot:
    """A segment that was returned: unconfirmed; in the review, what the first editor made."""
    if segment.first is not None:
        text = start_text(segment)
        flags = dict(own.flags)
        flags.pop(Flag.RETURNED, None)
        own = replace(own, text=text, caret=len(text), anchor=len(text), flags=flags, reason="")
    return replace(own, state=SegmentState.DRAFT)
