"""How a campaign stands, for its coordinator: each kit, each team, each pass."""

from __future__ import annotations

import getpass
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from madcat_studio.model.campaign import Pass, PassProgress, PassState
from madcat_studio.store import open_campaign

__all__ = ["STALLED_AFTER", "Board", "BoardPass", "BoardRow", "read_board", "release_pass"]

STALLED_AFTER = timedelta(days=3)
"""A pass that is claimed and got no text for so long is called stalled."""


@dataclass(frozen=True, slots=True)
class BoardPass:
    """One pass; ``last`` is when its last text came, or when it was claimed."""

    progress: PassProgress
    last: datetime | None
    stalled: bool


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One team's part in one kit."""

    kit: str
    team: str
    words: int
    first: BoardPass
    review: BoardPass


@dataclass(frozen=True, slots=True)
class Board:
    """All rows, in the order of the kits."""

    campaign: str
    at: datetime
    rows: tuple[BoardRow, ...]

    @property
    def passes(self) -> tuple[BoardPass, ...]:
        """All passes."""
        return tuple(one for row in self.rows for one in (row.first, row.review))


def read_board(where: str, *, now: datetime | None = None) -> Board:
    """How the campaign stands now.

    Args:
        where: a folder, or the URL of a database.
        now: the time that stalling is judged by; by default the present.

    Raises:
        StudioError: the campaign cannot be read.
    """
    at = now or datetime.now(UTC)
    with open_campaign(where, read_only=True) as campaign:
        found: dict[tuple[str, str], dict[Pass, BoardPass]] = {}
        for one in campaign.progress():
            last = one.since
            # Only passes at work are looked into: they are as many as people are.
            if one.state is PassState.CLAIMED:
                times = [
                    revision.at
                    for revision in campaign.revisions.latest(one.kit, one.team, one.pass_).values()
                ]
                last = max([*times, *([last] if last is not None else [])], default=None)
            stalled = (
                one.state is PassState.CLAIMED and last is not None and at - last > STALLED_AFTER
            )
            passes = found.setdefault((one.kit, one.team), {})
            passes[one.pass_] = BoardPass(one, last, stalled)
        rows = tuple(
            BoardRow(
                kit, team, both[Pass.FIRST].progress.words, both[Pass.FIRST], both[Pass.REVIEW]
            )
            for (kit, team), both in found.items()
        )
        return Board(campaign.name, at, rows)


def release_pass(where: str, kit: str, team: str, pass_: Pass, *, reason: str) -> None:
    """Take a claimed pass from its editor, so that another of the team can claim it.

    The texts that were saved stay; what the editor still delivers is kept aside.

    Raises:
        ConflictError: nobody holds the pass.
        StudioError: the campaign cannot be written.
    """
    with open_campaign(where) as campaign:
        campaign.claims.release(kit, team, pass_, by=getpass.getuser(), reason=reason)
