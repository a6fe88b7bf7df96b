"""An editor's desk: who one is, which kits one may take up, and opening one. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

from madcat_studio.errors import ConflictError
from madcat_studio.model.campaign import (
    AvailablePass,
    Claim,
    Editor,
    Pass,
    PassState,
    SegmentName,
    SegmentState,
    Team,
)
from madcat_studio.model.sittings import Sitting
from madcat_studio.operations.campaign.filling import machine_name
from madcat_studio.operations.pages.segment_lines import DocumentLines, fetch_lines
from madcat_studio.reports.effort import IDLE_SECONDS
from madcat_studio.store import Campaign
from madcat_studio.workspace.kit import KitWorkspace
from madcat_studio.workspace.orphaned import BroughtBack, bring_back
from madcat_studio.workspace.seat import Seat, home_name

_PATIENCE = 15.0
"""Seconds that another window of this home has to let go of a kit that is taken over."""

_AGAIN = 0.2

__all__ = ["BroughtBack", "DaySheet", "Desk", "DeskKit", "Look"]


@dataclass(frozen=True, slots=True)
class DeskKit:
    """A pass of a kit that is or may become an editor's.

    Attributes:
        state: open (may be claimed), claimed (the editor holds it), or handed over by the editor.
        words, words_done: reference words.
        segments, confirmed: counts.
        may_take_back: of a first pass that is handed over: the reviewer has not begun. A review is
            final.
        sitting: where a pass in the editor's hands is open, as far as anybody knows.
        here: that is this machine's home, so that nobody need be asked.
    """

    kit: str
    team: str
    pass_: Pass
    state: PassState
    segments: int = 0
    confirmed: int = 0
    words: int = 0
    words_done: int = 0
    may_take_back: bool = True
    sitting: Sitting | None = None
    here: bool = False


@dataclass(frozen=True, slots=True)
class DaySheet:
    """What one editor did on one day: segments confirmed, their reference words, the time."""

    day: date
    segments: int
    words: int
    seconds: float


class Look(NamedTuple):
    """What an editor's desk shows: kits, today's work, and texts that were kept aside just now."""

    kits: tuple[DeskKit, ...]
    day: DaySheet
    aside: tuple[BroughtBack, ...]


class Desk:
    """What one editor sees of a campaign. Nothing of another team is ever told."""

    def __init__(self, campaign: Campaign, folder: Path | None = None) -> None:
        """Sit down; ``folder`` is that of spools, by default the user's."""
        self.campaign = campaign
        self._folder = folder

    def teams(self) -> tuple[Team, ...]:
        """All teams with their editors, to choose oneself from."""
        return self.campaign.plans.teams()

    def editor(self, identifier: str) -> Editor | None:
        """The editor of that id, None if there is none."""
        for team in self.teams():
            for editor in team.editors:
                if editor.id == identifier:
                    return editor
        return None

    def kits(self, editor: str) -> tuple[DeskKit, ...]:
        """The editor's passes: held ones first, then those to claim, then finished ones.

        Raises:
            StudioError: there is no such editor, or the campaign cannot be read.
        """
        offers = self.campaign.claims.available(editor)
        held = {_key(offer) for offer in offers if offer.held}
        free = {_key(offer) for offer in offers if not offer.held}
        kits = []
        places = self.campaign.sittings.all() if held else {}
        home = home_name(self._folder)
        rows = self.campaign.progress()
        in_review = {
            (row.kit, row.team)
            for row in rows
            if row.pass_ is Pass.REVIEW and row.state in (PassState.CLAIMED, PassState.HANDED_OVER)
        }
        for row in rows:
            key = (row.kit, row.team, row.pass_)
            mine = row.state is PassState.HANDED_OVER and row.editor == editor
            if key in held or key in free or mine:
                state = PassState.CLAIMED if key in held else row.state
                sitting = places.get(key) if key in held else None
                kits.append(
                    DeskKit(
                        kit=row.kit,
                        team=row.team,
                        pass_=row.pass_,
                        state=PassState.OPEN if key in free else state,
                        segments=row.segments,
                        # What somebody else confirmed before a release is not this editor's.
                        confirmed=row.confirmed,
                        words=row.words,
                        words_done=row.words_confirmed,
                        may_take_back=row.pass_ is Pass.FIRST
                        and (row.kit, row.team) not in in_review,
                        sitting=sitting,
                        here=sitting is not None and sitting.home == home,
                    )
                )
        order = {PassState.CLAIMED: 0, PassState.OPEN: 1, PassState.HANDED_OVER: 2}
        return tuple(sorted(kits, key=lambda kit: order[kit.state]))

    def open(
        self,
        kit: DeskKit,
        editor: str,
        *,
        deliver_at_once: bool = True,
        take_over: bool = False,
    ) -> KitWorkspace:
        """Claim a pass, or go on with it, and open it.

        Args:
            kit: the pass.
            editor: who opens it.
            deliver_at_once: as for :class:`KitWorkspace`.
            take_over: also where it is open elsewhere, or out as a file: that place is told, and
                what it still sends is kept aside. A window of the same home lets go first.

        Raises:
            ConflictError: somebody else was quicker; ``kit.open-elsewhere``, ``kit.out-as-file``,
                ``spool.held``: it is open elsewhere, and not to be taken over.
            StudioError: the campaign cannot be read.
        """
        claim = self.campaign.claims.claim(kit.kit, kit.team, kit.pass_, editor, machine_name())
        now = self.campaign.sittings.current(claim)
        if not take_over and now is not None and now.home != home_name(self._folder):
            raise _open_elsewhere(claim, now)
        patience = _PATIENCE if take_over else 0.0
        if take_over:
            # A window of this home looks for it, and lets go of the spool.
            Seat(self.campaign, claim, self._folder).take()
        begun = monotonic()
        while True:
            try:
                return KitWorkspace(
                    self.campaign.for_editors(),
                    claim,
                    folder=self._folder,
                    deliver_at_once=deliver_at_once,
                )
            except ConflictError as error:
                if error.code != "spool.held" or monotonic() - begun >= patience:
                    raise
                sleep(_AGAIN)

    def lines(self, kit: str, page: str) -> DocumentLines:
        """Where the segments of a page of a kit stand on its scan; named as in the open kit.

        Raises:
            InputError: there is no such page in the kit.
            StudioError: the campaign cannot be read, or the scan not be written.
        """
        if self.campaign.editor is not None:
            return fetch_lines(self.campaign, page)
        behind = self.campaign.covers.behind(kit)
        names = {real: shown for shown, real in behind.items() if shown.base == page}
        found = fetch_lines(self.campaign, next((one.base for one in names), page))
        return DocumentLines(
            found.scan,
            {
                shown.segment: found.segments[real.segment]
                for real, shown in names.items()
                if real.segment in found.segments
            },
        )

    def day(self, editor: str, day: date) -> DaySheet:
        """What an editor did on a day, by the clock of this machine.

        A segment that was confirmed twice counts once; the active time of all visits that began on
        that day counts. What was confirmed without a visit, such as an imported text, is left out.

        Raises:
            StudioError: the campaign cannot be read.
        """
        begin = datetime.combine(day, time.min).astimezone()
        end = datetime.combine(day + timedelta(days=1), time.min).astimezone()
        confirmed: set[tuple[str, Pass, SegmentName]] = set()
        idle = round(IDLE_SECONDS * 1000)
        visited, spent = set(), 0
        # A visit may have begun on the day before.
        for visit in self.campaign.visits.of_editor(editor, begin - timedelta(days=1), end):
            visited.add((visit.kit, visit.pass_, visit.segment))
            spent += visit.active_ms(idle) if visit.at >= begin else 0
        words = 0
        for kit, pass_, segment, state, count in self.campaign.revisions.work_of(
            editor, begin, end
        ):
            key = kit, pass_, segment
            if state is SegmentState.CONFIRMED and key in visited and key not in confirmed:
                confirmed.add(key)
                words += count
        return DaySheet(day, len(confirmed), words, spent / 1000)

    def look(self, editor: str, day: date) -> Look:
        """The editor's kits and day; what was typed here in passes lost meanwhile is kept aside.

        Raises:
            StudioError: there is no such editor, or the campaign cannot be reached.
        """
        aside = () if self.campaign.read_only else bring_back(self.campaign, editor)
        return Look(self.kits(editor), self.day(editor, day), aside)

    def send_back(self, workspace: KitWorkspace) -> None:
        """Give the flagged segments of an open review back to the first pass, and let go of it.

        Raises:
            InputError: no segment is flagged.
            StudioError: the campaign refuses it, or cannot be reached.
        """
        workspace.send_back(
            lambda claim: self.campaign.returns.send_back(
                claim.kit, claim.team, editor=claim.editor
            )
        )

    def take_back(self, kit: DeskKit, editor: str) -> Claim:
        """Take a finished first pass back.

        Raises:
            ConflictError: the next person has begun; or it is a review, whose texts are final.
        """
        return self.campaign.claims.take_back(kit.kit, kit.team, kit.pass_, editor=editor)


def _open_elsewhere(claim: Claim, now: Sitting) -> ConflictError:
    since = f"{now.at.astimezone():%Y-%m-%d %H:%M}"
    if now.as_file:
        return ConflictError(
            "kit.out-as-file",
            f"The kit is out as a file since {since}",
            where=f"kit {claim.kit}",
            remedy=(
                "Continue in the file, or call it back: anything that still comes from it "
                "is kept aside"
            ),
        )
    return ConflictError(
        "kit.open-elsewhere",
        f"The kit is open on {now.machine} since {since}",
        where=f"kit {claim.kit}",
        remedy="Continue there, or take it over: anything typed there from then on is kept aside",
    )


def _key(offer: AvailablePass) -> tuple[str, str, Pass]:
    return offer.kit, offer.team, offer.pass_
