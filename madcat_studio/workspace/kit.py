"""An open kit without Qt: texts, undo, confirm, hand over; nothing that was typed is lost.

A window mirrors it: it passes on what the editor does, and shows what comes back as a
:class:`KitChange`. Every change of a text goes to the spool at once; revisions are made at
confirming, on leaving a segment and at hand-over, and are delivered to the campaign at once or by
a worker that calls :meth:`KitTexts.deliver`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from madcat_studio.errors import ConflictError, InputError, WorldError
from madcat_studio.model.campaign import (
    NO_OUTPUT_REASON,
    Claim,
    Flag,
    SegmentState,
)
from madcat_studio.model.characters import clean_line
from madcat_studio.model.sittings import Sitting
from madcat_studio.model.visits import Source
from madcat_studio.operations.campaign.edits_table import write_own_edits
from madcat_studio.operations.checked import counted
from madcat_studio.workspace.advice import advice_of
from madcat_studio.workspace.coaching import AdviceLog
from madcat_studio.workspace.kit_source import KitSource
from madcat_studio.workspace.kit_texts import KitTexts, start_text
from madcat_studio.workspace.kit_values import KitChange, KitProblem, Recovery, problems_of
from madcat_studio.workspace.typing import KitHistory, KitStep, Snapshot, carried_place, cleaned
from madcat_studio.workspace.undofile import UndoFile
from madcat_studio.workspace.visits import Activity, VisitLog

__all__ = ["KitChange", "KitProblem", "KitWorkspace", "Recovery"]


class KitWorkspace:
    """One pass of one kit, opened by the editor who holds its claim.

    Attributes:
        claim: under which it is edited.
        texts: what is typed, and whether it is safe.
        segments: what the editor sees, in the order of the kit.
        recovery: what was brought back from an earlier session.
        taken: where the pass was opened since, so that nothing can be changed here any more.
        coaching: what the coach said, and what became of it.
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
                ``texts.deliver``, from any thread.
            clock: monotonic seconds, for steps of typing and the log of visits.
            now: the time for revisions and visits.

        Raises:
            ConflictError: another window has the kit open.
            StudioError: the campaign or the spool cannot be read.
        """
        self.claim = claim
        self._campaign = campaign
        self._clock = clock
        self._history = KitHistory()
        self._finished = False
        self.taken: Sitting | None = None
        self.texts = KitTexts(
            campaign, claim, folder=folder, deliver_at_once=deliver_at_once, clock=clock, now=now
        )
        self._undo_file = UndoFile(self.texts.spool_path, [one.name for one in self.texts.segments])
        for step in self._undo_file.read(self.texts.now, self.texts.recovery.texts):
            self._history.push(step)
        self.coaching = AdviceLog(self.visits.note)
        self.segments, self.recovery = self.texts.segments, self.texts.recovery
        self._words = [len(segment.reference.split()) for segment in self.segments]
        left_at = self.texts.left_at()
        self.current = self._unfinished_after(-1, default=0) if left_at is None else left_at
        self.texts.show(self.current)

    # -- looking ------------------------------------------------------------------------------

    def own(self, index: int) -> Snapshot:
        """The editor's text of a segment, with caret, selection and state."""
        return self.texts.now(index)

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
            and self.texts.now(index).state is not SegmentState.CONFIRMED
        )

    # -- editing ------------------------------------------------------------------------------

    def set_text(
        self,
        text: str,
        caret: int,
        anchor: int | None = None,
        *,
        source: Source = Source.TYPED,
    ) -> KitChange:
        """The current segment's text as it is after a keystroke, paste or drop.

        In what was added line breaks and tabs become blanks, and characters that XML cannot hold
        are left out; then ``texts`` of the change names the segment, and the view takes the text
        from here. What was there before stays as it is.
        """
        self._check_open()
        index = self.current
        own = self.texts.now(index)
        anchor = caret if anchor is None else anchor
        line, removed, (caret, anchor) = cleaned(own.text, text, caret, anchor)
        after = replace(
            own,
            text=line,
            caret=min(caret, len(line)),
            anchor=min(anchor, len(line)),
            state=SegmentState.DRAFT,
        )
        states = frozenset({index} if own.state is not SegmentState.DRAFT else ())
        if line == own.text:
            self.move_caret(after.caret, after.anchor)
            states = frozenset()
        else:
            self._history.typed(index, own, after, self._clock())
            self.texts.put(index, after, source=source)
        notice = ""
        if removed:
            notice = f"Left out, because a file cannot hold them: {', '.join(removed)}"
        elif line != text:
            notice = "Line breaks and tabs became spaces"
        return KitChange(
            texts=frozenset({index} if line != text else ()), states=states, notice=notice
        )

    def move_caret(self, caret: int, anchor: int | None = None) -> None:
        """The caret was moved without a change of the text; a step of typing ends with it."""
        own, anchor = self.texts.now(self.current), caret if anchor is None else anchor
        if (caret, anchor) != (own.caret, own.anchor):
            self._history.break_off()
            after = replace(own, caret=caret, anchor=anchor)
            self.texts.put(self.current, after, keep=False)

    def revert(self, *, to_output: bool = False) -> KitChange:
        """Put the start text back (or the system's output) as one step."""
        segment = self.segments[self.current]
        text = segment.output if to_output else start_text(segment)
        source = Source.OUTPUT if text == segment.output else Source.FIRST
        return self._change_texts({self.current: text}, "Revert", source)

    def replace_all(
        self,
        texts: dict[int, str],
        label: str = "Replace",
        source: Source = Source.REPLACED,
        *,
        confirmed: bool = False,
    ) -> KitChange:
        """Give several segments new texts as one step, such as find and replace over the kit.

        Args:
            texts: the new texts, by the segments' indices.
            label: what undo says.
            source: where the texts come from.
            confirmed: whether what was confirmed stays so; a text without anything in it is not.
        """
        return self._change_texts(
            {index: cleaned(self.texts.now(index).text, text)[0] for index, text in texts.items()},
            label,
            source,
            confirmed=confirmed,
        )

    def _change_texts(
        self, texts: dict[int, str], label: str, source: Source, *, confirmed: bool = False
    ) -> KitChange:
        self._check_open()
        self.visits.command(source.value)
        before, after = {}, {}
        for index, text in texts.items():
            old = self.texts.now(index)
            if text != old.text:
                before[index] = old
                caret, anchor = (
                    carried_place(old.text, text, at) for at in (old.caret, old.anchor)
                )
                stays = confirmed and old.state is SegmentState.CONFIRMED and bool(text.strip())
                state = SegmentState.CONFIRMED if stays else SegmentState.DRAFT
                after[index] = replace(old, text=text, caret=caret, anchor=anchor, state=state)
        if not after:
            return KitChange()
        self._history.push(KitStep(label, before, after))
        change = self._apply(after, source)
        for index, now in after.items():
            if now.state is SegmentState.CONFIRMED:
                self.texts.save(index)
        return change

    def undo(self) -> KitChange:
        """Take the last step back: text, caret, selection and state. It is an edit, and is kept."""
        self._check_open()
        self.visits.command("undo")
        step = self._history.undo()
        if step is None:
            return KitChange()
        return self._apply(step.before, Source.UNDONE, move=True)

    def redo(self) -> KitChange:
        """Do the step again that was taken back."""
        self._check_open()
        self.visits.command("redo")
        step = self._history.redo()
        if step is None:
            return KitChange()
        return self._apply(step.after, Source.REDONE, move=True)

    @property
    def undo_label(self) -> str:
        """What undo would take back, or ""."""
        return self._history.undo_label

    @property
    def redo_label(self) -> str:
        """What redo would do again, or ""."""
        return self._history.redo_label

    def _apply(
        self, snapshots: Mapping[int, Snapshot], source: Source, *, move: bool = False
    ) -> KitChange:
        """Put snapshots in place; ``move`` shows the first of them where none is shown."""
        for index, snapshot in snapshots.items():
            self.texts.put(index, snapshot, source=source)
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
        old = self.texts.now(index)
        flags = dict(old.flags)
        for flag, words in chosen.items():
            if words is None:
                flags.pop(flag, None)
            else:
                flags[flag] = clean_line(words)[0].strip()
        if flags == old.flags:
            return KitChange()
        after = replace(old, flags=flags)
        self.visits.command("flag")
        self._history.push(KitStep("Flag", {index: old}, {index: after}))
        return self._apply({index: after}, Source.OTHER)

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
        own, segment = self.texts.now(index), self.segments[index]
        if segment.output and not own.text.strip() and not reason.strip():
            raise InputError(
                "kit.empty",
                "The text is empty",
                where=str(segment.name),
                remedy="Write a text, or give a reason for leaving it empty",
            )
        after = replace(
            own,
            state=SegmentState.CONFIRMED,
            reason="" if own.text.strip() else reason.strip() or NO_OUTPUT_REASON,
        )
        self.visits.command("confirm")
        if (after.state, after.reason) != (own.state, own.reason):
            self._history.push(KitStep("Confirm", {index: own}, {index: after}))
            self.texts.put(index, after, keep=False)
        self.texts.save(index)
        self._undo_file.write(self._history.done)
        return KitChange(states=frozenset({index}))

    def go_to(self, index: int) -> KitChange:
        """Show another segment; what was typed in this one becomes a revision."""
        if index == self.current or not 0 <= index < len(self.segments):
            return KitChange()
        if self.taken is not None:
            self.current = index  # to be read
            return KitChange(current=index)
        self._leave()
        self._history.break_off()
        self.texts.save(self.current)
        self.current = index
        self.texts.show(index)
        return KitChange(current=index)

    def _leave(self) -> None:
        """The segment is not shown any more."""
        self.coaching.leave()
        self.visits.leave()
        self._undo_file.write(self._history.done)

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

    @property
    def visits(self) -> VisitLog:
        """The log of what is done."""
        return self.texts.visits

    def note(self, activity: Activity) -> None:
        """The editor pressed a key or used the mouse, in the current segment."""
        self.visits.did(activity)

    def pause(self, paused: bool = True) -> None:
        """Stop the clock of the kit, or let it run again."""
        if paused:
            self.visits.pause()
        else:
            self.visits.resume()

    def seconds(self) -> float:
        """The editor's active time on this pass so far, in all sessions."""
        return self.visits.seconds()

    # -- two places ---------------------------------------------------------------------------

    def be_taken_over(self, sitting: Sitting) -> None:
        """The pass was opened elsewhere: send what is typed, and let go. It can still be read.

        In another home it is kept aside; another window of this home goes on with it.
        """
        if self._finished or self.taken is not None:
            return
        self.taken = sitting
        self._leave()
        self.texts.close(self.current)

    # -- handing over -------------------------------------------------------------------------

    def check(self) -> tuple[KitProblem, ...]:
        """What hinders handing over, in the order of the kit."""
        return tuple(
            problem
            for index, segment in enumerate(self.segments)
            for problem in problems_of(index, segment, self.texts.now(index))
        )

    def advice(self) -> tuple[KitProblem, ...]:
        """What is worth a look before handing over; it hinders nothing."""
        return tuple(
            found
            for index, segment in enumerate(self.segments)
            for found in advice_of(index, segment, self.texts.now(index).text)
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
                f"{counted(len(problems), 'thing')} to do before the kit can be handed over; "
                f"the first: {first.what.lower()}",
                where=str(self.segments[first.index].name),
                remedy="Do them, then hand over again",
            )
        self._finish(
            lambda: self._campaign.claims.hand_over(
                self.claim.kit,
                self.claim.team,
                self.claim.pass_,
                editor=self.claim.editor,
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
        self._leave()
        try:
            self._end(act)
        except BaseException:
            self.texts.show(self.current)
            raise

    def _end(self, act: Callable[[], None]) -> None:
        self.texts.save_all()
        waiting = self.texts.pending
        if waiting:
            raise WorldError(
                "kit.not-delivered",
                f"The campaign cannot be reached; {waiting} texts are waiting on this machine",
                where=self._campaign.where,
                remedy="Nothing is lost; try again when the server is back",
            )
        act()
        self._finished = True
        self.texts.end()
        self._undo_file.remove()

    def save(self) -> None:
        """Make revisions of all that is typed, and deliver them."""
        self.texts.save_all()

    def write_table(self, table: Path) -> None:
        """Write all that the editor wrote in this pass as a table that a campaign can import.

        Raises:
            StudioError: the file cannot be written.
        """
        write_own_edits(table, self.claim, self.texts.own_texts())

    def close(self) -> None:
        """Save what is typed and let go; what cannot be delivered now is at the next start."""
        if self._finished or self.taken is not None:
            return
        self._leave()
        self.texts.close(self.current)
        self._finished = True

    def _check_open(self) -> None:
        if self.taken is not None:
            raise ConflictError(
                "kit.taken-over",
                "The kit is now open elsewhere, and is read-only here",
                where=f"kit {self.claim.kit}",
                remedy="Take it over again to continue here",
            )
        if self._finished:
            raise ConflictError(
                "kit.finished",
                "The pass is handed over",
                where=f"kit {self.claim.kit}",
                remedy="Take it back to continue",
            )
