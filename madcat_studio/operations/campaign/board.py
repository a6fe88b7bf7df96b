"""How a campaign stands, for its coordinator: each kit, each team, each pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from madcat_studio.garbage import uncollected
from madcat_studio.model.campaign import Pass, PassProgress, PassState
from madcat_studio.model.sittings import Sitting
from madcat_studio.operations.campaign.calendar import Calendars, calendars_of
from madcat_studio.store import Campaign, open_campaign

__all__ = ["STALLED_AFTER", "Board", "BoardPass", "BoardRow", "board_of", "read_board"]

STALLED_AFTER = timedelta(days=3)
"""A pass that is claimed and got no text for so long is called stalled."""


# By names of their own: asking the enumeration for a member, for each of thousands of passes,
# costs more than the rest.
_CLAIMED, _HANDED_OVER = PassState.CLAIMED, PassState.HANDED_OVER


class BoardPass(NamedTuple):
    """One pass; ``last`` is when its last text came, or when it was claimed.

    ``due`` is when it should be handed over, and ``late`` whether that is past; ``out`` is since
    when it is out as a file.
    """

    progress: PassProgress
    last: datetime | None
    stalled: bool
    due: datetime | None = None
    late: bool = False
    out: datetime | None = None


class BoardRow(NamedTuple):
    """One team's part in one kit. A tuple, as a pass is: a board has thousands."""

    kit: str
    team: str
    words: int
    first: BoardPass
    review: BoardPass
    practice: bool = False
    track: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """All rows, in the order of the kits.

    Attributes:
        complete: whether these are all of the campaign's kits.
        left_out: what no figure counts, in sentences.
        calendars: the dates of the campaign and of its tracks.
    """

    campaign: str
    at: datetime
    rows: tuple[BoardRow, ...]
    complete: bool = True
    left_out: tuple[str, ...] = ()
    calendars: Calendars = field(default_factory=Calendars)

    @property
    def passes(self) -> tuple[BoardPass, ...]:
        """All passes."""
        return tuple(one for row in self.rows for one in (row.first, row.review))

    @property
    def tracks(self) -> tuple[str, ...]:
        """The tracks of the kits, practice kits left out."""
        return tuple(sorted({row.track for row in self.rows if not row.practice}))

    @property
    def words_left(self) -> int:
        """Reference words that are not confirmed yet, over all passes but those for practice."""
        return sum(
            one.progress.words - one.progress.words_confirmed
            for row in self.rows
            if not row.practice
            for one in (row.first, row.review)
        )

    @property
    def late(self) -> tuple[BoardPass, ...]:
        """Passes that should have been handed over."""
        return tuple(one for one in self.passes if one.late)


def read_board(where: str, *, now: datetime | None = None, first_kits: int | None = None) -> Board:
    """How the campaign stands now.

    Args:
        where: a folder, or the URL of a database.
        now: the time that stalling and lateness are judged by; by default the present.
        first_kits: how many kits are read, from the beginning; by default all.

    Raises:
        StudioError: the campaign cannot be read.
    """
    with open_campaign(where, read_only=True) as campaign:
        return board_of(campaign, now=now, first_kits=first_kits)


def board_of(
    campaign: Campaign, *, now: datetime | None = None, first_kits: int | None = None
) -> Board:
    """The same of an open campaign."""
    at = now or datetime.now(UTC)
    with uncollected():
        due = campaign.schedule.due()
        out = campaign.sittings.all(files=True)
        # An editor's login is shown no track: it says what a page is evaluated for.
        tracks = {} if campaign.editor is not None else campaign.plans.tracks(practice=True)
        rows = []
        # First pass and review of a team stand side by side.
        passes = iter(campaign.progress(first_kits))
        for first, review in zip(passes, passes, strict=True):
            kit, team, words = first.kit, first.team, first.words
            shown = _board_pass(first, due, at), _board_pass(review, due, at)
            if out:  # seldom: a board has thousands of rows
                shown = _out(shown[0], out), _out(shown[1], out)
            rows.append(BoardRow(kit, team, words, *shown, first.practice, tracks.get(kit, "")))
        complete = first_kits is None or len({row.kit for row in rows}) < first_kits
        told = campaign.left_out()
        return Board(campaign.name, at, tuple(rows), complete, told, calendars_of(campaign))


def _out(one: BoardPass, out: Mapping[tuple[str, str, Pass], Sitting]) -> BoardPass:
    own = one.progress
    sitting = out.get((own.kit, own.team, own.pass_))
    return one if sitting is None else one._replace(out=sitting.at)


def _board_pass(
    one: PassProgress, dates: Mapping[tuple[str, Pass], datetime], at: datetime
) -> BoardPass:
    due = dates.get((one.kit, one.pass_)) if dates else None
    state = one.state
    if state is not _CLAIMED:
        late = due is not None and due < at and state is not _HANDED_OVER
        return BoardPass(one, one.since, False, due, late)
    # A text that came before the claim is of the editor before.
    last = max((time for time in (one.last, one.since) if time is not None), default=None)
    stalled = last is not None and at - last > STALLED_AFTER
    return BoardPass(one, last, stalled, due, due is not None and due < at)
