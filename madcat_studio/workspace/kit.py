"""An open kit without Qt: texts, undo, confirm, hand over; nothing that was typed is lost.

A window mirrors it: it passes on what the editor does, and shows what comes back as a
:class:`KitChange`. Every change of a text goes to the spool at once; revisions are made at
confirming, on leaving a segment and at hand-over, and are delivered to the campaign at once or by
a worker that calls :meth:`KitWorkspace.deliver`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from madcat_studio.errors import ConflictError, InputError, StudioError, WorldError
from madcat_studio.model.campaign import (
    Claim,
    Delivery,
    Flag,
    KitSegment,
    Revision,
    SegmentState,
    new_id,
)
from madcat_studio.model.characters import clean_line
from madcat_studio.operations.campaign.filling import machine_name
from madcat_studio.workspace.advice import advice_of
from madcat_studio.workspace.effort import Activity, Effort
from madcat_studio.workspace.kit_source import KitSource
from madcat_studio.workspace.kit_values import KitChange, KitProblem, Recovery, problems_of
from madcat_studio.workspace.outbox import Outbox
from madcat_studio.workspace.spool import Spool, SpoolKey, Typed
from madcat_studio.workspace.typing import KitHistory, KitStep, Snapshot, carried_place

__all__ = ["KitChange", "KitProblem", "KitWorkspace", "Recovery"]


@dataclass(slots=True)
class _Own:
    """The editor's own side of a segment."""

    now: Snapshot
    saved: tuple[str, SegmentState, str, Mapping[Flag, str]]
    base: str
    effort: Effort

    @property
    def unsaved(self) -> bool:
        return self.now.content != self.saved


class KitWorkspace:
    """One pass of one kit, opened by the editor who holds its claim.

    Attributes:
        claim: under which it is edited.
        segments: what the editor sees, in the order of the kit.
        recovery: what was brought back from an earlier session.
    """

    def __init__(
        self,
        campaign: KitSource,
        claim: Claim,
        *,
        folder: Path | None = None,
        deliver_at_once: bool = True,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Open the kit, with whatever an earlier session left on this machine.

        Args:
            campaign: a campaign, which stays open as long as the workspace, or an open bundle.
            claim: the pass, held by the editor.
            folder: of spools; by default the user's.
            deliver_at_once: store revisions when they are made; otherwise someone calls
                :meth:`deliver`, from any thread.
            clock: monotonic seconds, for steps of typing and effort.
            now: the time for revisions.

        Raises:
            ConflictError: another window has the kit open.
            StudioError: the campaign or the spool cannot be read.
        """
        self.claim = claim
        self._campaign = campaign
        self._clock, self._now = clock, now
        self._at_once = deliver_at_once
        self._machine = machine_name()
        self._history = KitHistory()
        self._finished = False
        self._spent = 0
        self.segments = campaign.revisions.kit_segments(claim.kit, claim.team, claim.pass_)
        self._words = [len(segment.reference.split()) for segment in self.segments]
        self._index = {segment.name: index for index, segment in enumerate(self.segments)}
        key = SpoolKey(campaign.id, claim.kit, claim.team, claim.pass_, claim.editor)
        self._spool = Spool(key, folder)
        self._outbox = Outbox(campaign, self._spool)
        try:
            latest = campaign.revisions.latest(claim.kit, claim.team, claim.pass_)
            self._spent = sum(
                revision.effort.get("ms", 0)
                for revision in campaign.revisions.history(claim.kit, claim.team, claim.pass_)
                if revision.editor == claim.editor
            )
            self._own = [
                self._opened(segment, latest[segment.name].id if segment.name in latest else "")
                for segment in self.segments
            ]
            self.current = 0
            self.recovery = self._recover()
            self._choose_start()
            if self.pending and deliver_at_once:
                self.deliver()
        except BaseException:
            self._spool.close()
            raise
        self._own[self.current].effort.begin()

    def _opened(self, segment: KitSegment, base: str) -> _Own:
        text = self.start_text(segment) if segment.text is None else segment.text
        end = len(text)
        own = Snapshot(text, end, end, segment.state, segment.reason, segment.flags)
        saved = own.content
        if segment.returned is not None:
            own = self._begun_again(segment, own)
            if segment.first is None:
                # Confirming it makes a revision, also without a change: that is the answer.
                saved = own.content
        return _Own(own, saved, base, Effort(clock=self._clock))

    def _begun_again(self, segment: KitSegment, own: Snapshot) -> Snapshot:
        """A segment that was returned: unconfirmed; in the review, what the first editor made."""
        if segment.first is not None:
            text = self.start_text(segment)
            flags = dict(own.flags)
            flags.pop(Flag.RETURNED, None)
            own = replace(own, text=text, caret=len(text), anchor=len(text), flags=flags, reason="")
        return replace(own, state=SegmentState.DRAFT)

    @staticmethod
    def start_text(segment: KitSegment) -> str:
        """What the edit box starts with: the first pass's text, or the system's output."""
        return clean_line(segment.output if segment.first is None else segment.first)[0]

    def _recover(self) -> Recovery:
        left = self._spool.left
        made = {revision.segment: revision for revision in left.pending if not revision.side}
        back, aside = [], 0
        for name, revision in made.items():
            if (index := self._index.get(name)) is None:
                continue
            own = self._own[index]
            end = len(revision.text)
            own.now = Snapshot(
                revision.text, end, end, revision.state, revision.reason, revision.flags
            )
            if revision.turn == self.claim.turn:
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

    def _choose_start(self) -> None:
        if self._spool.left.current in self._index:
            self.current = self._index[self._spool.left.current]
        else:
            self.current = self._unfinished_after(-1, default=0)

    # -- looking ------------------------------------------------------------------------------

    def own(self, index: int) -> Snapshot:
        """The editor's text of a segment, with caret, selection and state."""
        return self._own[index].now

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
    def spool_trouble(self) -> str:
        """Why typed text could not be kept on this machine, or ""."""
        return self._spool.trouble

    @property
    def unsaved(self) -> bool:
        """Whether a text has not become a revision yet."""
        return any(own.unsaved for own in self._own)

    @property
    def in_danger(self) -> bool:
        """Whether there is text that neither this machine nor the campaign has taken yet."""
        return bool(self.spool_trouble) and (self.unsaved or bool(self.pending))

    @property
    def finished(self) -> bool:
        """Whether the pass is handed over: nothing can be changed."""
        return self._finished

    def words(self) -> tuple[int, int]:
        """(done, all) reference words; segments without output count as done."""
        done = sum(count for index, count in enumerate(self._words) if not self._to_do(index))
        return done, sum(self._words)

    def _to_do(self, index: int) -> bool:
        return (
            bool(self.segments[index].output)
            and self._own[index].now.state is not SegmentState.CONFIRMED
        )

    # -- editing ------------------------------------------------------------------------------

    def set_text(self, text: str, caret: int, anchor: int | None = None) -> KitChange:
        """The current segment's text as it is after a keystroke, paste or drop.

        Line breaks and tabs become blanks, characters that XML cannot hold are left out; then
        ``texts`` of the change names the segment, and the view takes the text from here.
        """
        self._check_open()
        index = self.current
        own = self._own[index]
        line, removed = clean_line(text)
        if line != text:
            caret, anchor = (
                len(clean_line(text[:place])[0])
                for place in (caret, caret if anchor is None else anchor)
            )
        after = replace(
            own.now,
            text=line,
            caret=min(caret, len(line)),
            anchor=min(caret if anchor is None else anchor, len(line)),
            state=SegmentState.DRAFT,
        )
        states = frozenset({index} if own.now.state is not SegmentState.DRAFT else ())
        if line == own.now.text:
            self._move(own, after.caret, after.anchor)
            states = frozenset()
        else:
            self._history.typed(index, own.now, after, self._clock())
            own.now = after
            self._keep(index)
        notice = ""
        if removed:
            notice = f"Left out, since no file can hold them: {', '.join(removed)}"
        return KitChange(
            texts=frozenset({index} if line != text else ()), states=states, notice=notice
        )

    def move_caret(self, caret: int, anchor: int | None = None) -> None:
        """The caret was moved without a change of the text; a step of typing ends with it."""
        own = self._own[self.current]
        self._move(own, caret, caret if anchor is None else anchor)

    def _move(self, own: _Own, caret: int, anchor: int) -> None:
        if (caret, anchor) != (own.now.caret, own.now.anchor):
            self._history.break_off()
            own.now = replace(own.now, caret=caret, anchor=anchor)

    def revert(self, *, to_output: bool = False) -> KitChange:
        """Put the start text back (or the system's output) as one step."""
        segment = self.segments[self.current]
        text = clean_line(segment.output)[0] if to_output else self.start_text(segment)
        return self._change_texts({self.current: text}, "Revert")

    def replace_all(self, texts: dict[int, str], label: str = "Replace") -> KitChange:
        """Give several segments new texts as one step, such as find and replace over the kit."""
        return self._change_texts(texts, label)

    def _change_texts(self, texts: dict[int, str], label: str) -> KitChange:
        self._check_open()
        before, after = {}, {}
        for index, text in texts.items():
            line = clean_line(text)[0]
            old = self._own[index].now
            if line != old.text:
                before[index] = old
                caret, anchor = (
                    carried_place(old.text, line, at) for at in (old.caret, old.anchor)
                )
                after[index] = replace(
                    old, text=line, caret=caret, anchor=anchor, state=SegmentState.DRAFT
                )
        if not after:
            return KitChange()
        self._history.push(KitStep(label, before, after))
        return self._apply(after)

    def undo(self) -> KitChange:
        """Take the last step back: text, caret, selection and state. It is an edit, and is kept."""
        self._check_open()
        step = self._history.undo()
        return KitChange() if step is None else self._apply(step.before, move=True)

    def redo(self) -> KitChange:
        """Do the step again that was taken back."""
        self._check_open()
        step = self._history.redo()
        return KitChange() if step is None else self._apply(step.after, move=True)

    @property
    def undo_label(self) -> str:
        """What undo would take back, or ""."""
        return self._history.undo_label

    @property
    def redo_label(self) -> str:
        """What redo would do again, or ""."""
        return self._history.redo_label

    def _apply(self, snapshots: Mapping[int, Snapshot], *, move: bool = False) -> KitChange:
        """Put snapshots in place; ``move`` shows the first of them where none is shown."""
        for index, snapshot in snapshots.items():
            self._own[index].now = snapshot
            self._keep(index)
        current = None
        if move and self.current not in snapshots:
            current = self.go_to(min(snapshots)).current
        touched = frozenset(snapshots)
        return KitChange(texts=touched, states=touched, current=current)

    def flag(self, flag: Flag, words: str | None = "") -> KitChange:
        """Say something of the current segment besides its text; None takes it back. A step.

        The segment's text and state stay as they are.
        """
        return self.set_flags({flag: words})

    def set_flags(self, chosen: Mapping[Flag, str | None]) -> KitChange:
        """Set or take back several flags of the current segment as one step."""
        self._check_open()
        index = self.current
        old = self._own[index].now
        flags = dict(old.flags)
        for flag, words in chosen.items():
            if words is None:
                flags.pop(flag, None)
            else:
                flags[flag] = clean_line(words)[0].strip()
        if flags == old.flags:
            return KitChange()
        after = replace(old, flags=flags)
        self._history.push(KitStep("Flag", {index: old}, {index: after}))
        return self._apply({index: after})

    # -- confirming and moving about ----------------------------------------------------------

    def confirm(self, reason: str = "") -> KitChange:
        """Confirm the current segment, changed or not.

        Args:
            reason: why the text is empty; without one an empty text is refused.

        Raises:
            InputError: ``kit.empty``: there is no text and no reason.
        """
        self._check_open()
        index = self.current
        own = self._own[index]
        if self.segments[index].output and not own.now.text.strip() and not reason.strip():
            raise InputError(
                "kit.empty",
                "The text is empty",
                where=str(self.segments[index].name),
                remedy="Write a text, or give a reason for leaving it empty",
            )
        after = replace(
            own.now,
            state=SegmentState.CONFIRMED,
            reason="" if own.now.text.strip() else reason.strip(),
        )
        if (after.state, after.reason) != (own.now.state, own.now.reason):
            self._history.push(KitStep("Confirm", {index: own.now}, {index: after}))
            own.now = after
        self._save(index)
        return KitChange(states=frozenset({index}))

    def go_to(self, index: int) -> KitChange:
        """Show another segment; what was typed in this one becomes a revision."""
        if index == self.current or not 0 <= index < len(self.segments):
            return KitChange()
        left = self._own[self.current]
        left.effort.leave()
        self._history.break_off()
        if left.unsaved:
            self._save(self.current)
        self.current = index
        self._own[index].effort.begin()
        self._spool.at(self.segments[index].name)
        return KitChange(current=index)

    def next(self) -> KitChange:
        """Show the next segment, if there is one."""
        return self.go_to(self.current + 1)

    def previous(self) -> KitChange:
        """Show the segment before, if there is one."""
        return self.go_to(self.current - 1)

    def next_unfinished(self) -> KitChange:
        """Show the next segment that is not confirmed, from the start again after the end."""
        return self.go_to(self._unfinished_after(self.current, default=self.current))

    def confirm_and_next(self, reason: str = "") -> KitChange:
        """Confirm, and show the next segment that is not confirmed.

        Raises:
            InputError: as :meth:`confirm`.
        """
        confirmed = self.confirm(reason)
        moved = self.next_unfinished()
        return replace(confirmed, current=moved.current)

    def _unfinished_after(self, index: int, default: int) -> int:
        order = [*range(index + 1, len(self.segments)), *range(index + 1)]
        return next((one for one in order if self._to_do(one)), default)

    # -- effort -------------------------------------------------------------------------------

    def note(self, activity: Activity) -> None:
        """The editor pressed a key, used the mouse or pasted, in the current segment."""
        self._own[self.current].effort.note(activity)

    def pause(self, paused: bool = True) -> None:
        """Stop the clock of the current segment, or let it run again."""
        effort = self._own[self.current].effort
        if paused:
            effort.pause()
        else:
            effort.resume()

    def seconds(self) -> float:
        """The editor's time on this pass so far, in all sessions."""
        return self._spent / 1000 + sum(own.effort.seconds() for own in self._own)

    # -- keeping ------------------------------------------------------------------------------

    def _keep(self, index: int) -> None:
        """Into the spool, at once."""
        self._spool.typed(self._typed(index))

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

    def _save(self, index: int) -> None:
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
        effort = own.effort.take()
        self._spent += effort["ms"]
        revision = self._revision(index, now, effort=effort)
        own.base = revision.id
        own.saved = now.content
        self._outbox.add(revision)
        self._spool.compact(self._unsaved_texts(), self._outbox.waiting())
        if self._at_once:
            self.deliver()

    def _unsaved_texts(self) -> list[Typed]:
        return [self._typed(index) for index, own in enumerate(self._own) if own.unsaved]

    def _revision(
        self,
        index: int,
        snapshot: Snapshot,
        *,
        effort: dict[str, int] | None = None,
        side: bool = False,
    ) -> Revision:
        return Revision(
            id=new_id(),
            kit=self.claim.kit,
            team=self.claim.team,
            pass_=self.claim.pass_,
            segment=self.segments[index].name,
            editor=self.claim.editor,
            machine=self._machine,
            at=self._now(),
            state=snapshot.state,
            text=snapshot.text,
            turn=self.claim.turn,
            effort=effort or {},
            reason=snapshot.reason,
            side=side,
            flags=snapshot.flags,
        )

    def deliver(self) -> Delivery:
        """Store the revisions that wait. May be called from any thread, again and again.

        Where the campaign cannot be reached, they go on waiting and ``trouble`` says why.
        """
        return self._outbox.deliver()

    def flush(self) -> bool:
        """Try again what could not be written or delivered. Returns whether all is safe now."""
        written = self._spool.reopen(lambda: (self._unsaved_texts(), self._outbox.waiting()))
        self.deliver()
        return written and not self.pending

    # -- handing over -------------------------------------------------------------------------

    def check(self) -> tuple[KitProblem, ...]:
        """What hinders handing over, in the order of the kit."""
        return tuple(
            problem
            for index, (segment, own) in enumerate(zip(self.segments, self._own, strict=True))
            for problem in problems_of(index, segment, own.now)
        )

    def advice(self) -> tuple[KitProblem, ...]:
        """What is worth a look before handing over; it hinders nothing."""
        return tuple(
            found
            for index, (segment, own) in enumerate(zip(self.segments, self._own, strict=True))
            for found in advice_of(index, segment, own.now.text)
        )

    def hand_over(self) -> None:
        """Finish the pass. Everything is delivered first.

        Raises:
            InputError: ``kit.not-ready``: :meth:`check` finds something.
            ConflictError: the claim is no longer the editor's.
            WorldError: the campaign cannot be reached; nothing is lost, try again.
        """
        self._check_open()
        problems = self.check()
        if problems:
            first = problems[0]
            raise InputError(
                "kit.not-ready",
                f"{len(problems)} things to do before the kit can be handed over; the first: "
                f"{first.what.lower()}",
                where=str(self.segments[first.index].name),
                remedy="Do them and hand over again",
            )
        self._finish(
            lambda: self._campaign.claims.hand_over(
                self.claim.kit,
                self.claim.team,
                self.claim.pass_,
                editor=self.claim.editor,
                machine=self._machine,
            )
        )

    def send_back(self, act: Callable[[Claim], None]) -> None:
        """Give a review's flagged segments back to the first pass. Everything is delivered first.

        Args:
            act: does it in the campaign.

        Raises:
            StudioError: as ``act`` does.
            WorldError: the campaign cannot be reached; nothing is lost, try again.
        """
        self._check_open()
        self._finish(lambda: act(self.claim))

    def _finish(self, act: Callable[[], None]) -> None:
        """Deliver all there is, end the claim, and let go."""
        self._save_all()
        self.deliver()
        if self.pending:
            raise WorldError(
                "kit.not-delivered",
                f"The campaign cannot be reached, and {self.pending} texts wait on this machine",
                where=self._campaign.where,
                remedy="Nothing is lost; try again when the server is back",
            )
        act()
        self._finished = True
        self._spool.remove()

    def save(self) -> None:
        """Make revisions of all that is typed, and deliver them."""
        self._save_all()
        self.deliver()

    def _save_all(self) -> None:
        for index in range(len(self._own)):
            self._save(index)

    def close(self) -> None:
        """Save what is typed and let go; what cannot be delivered now is at the next start."""
        if self._finished:
            return
        self._own[self.current].effort.leave()
        try:
            self.save()
        except StudioError as error:
            # The texts are in the spool; the next start offers them again.
            self._outbox.trouble = str(error)
        self._spool.close(
            at=None if self.pending or self.unsaved else self.segments[self.current].name
        )
        self._finished = True

    def _check_open(self) -> None:
        if self._finished:
            raise ConflictError(
                "kit.finished",
                "The pass is handed over",
                where=f"kit {self.claim.kit}",
                remedy="Take it back to go on",
            )
