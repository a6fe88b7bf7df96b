"""All that is told of a campaign at a glance, read while it is open once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from madcat_studio.operations.campaign.board import Board, board_of
from madcat_studio.operations.campaign.pace import hours_left, pace_of
from madcat_studio.operations.campaign.standing import CampaignStatus, status_of
from madcat_studio.operations.scores.drift import alarms_of
from madcat_studio.store import open_campaign

if TYPE_CHECKING:
    from madcat_studio.reports.drift import Drift

__all__ = ["Glance", "read_glance"]


@dataclass(frozen=True, slots=True)
class Glance:
    """How a campaign stands.

    Attributes:
        status: what it holds.
        board: each pass.
        hours: of editing that are left at the pace so far; None: nothing was measured.
        alarms: drift beyond chance; None to an editor's login, which is not told.
    """

    status: CampaignStatus
    board: Board
    hours: float | None
    alarms: tuple[Drift, ...] | None


def read_glance(where: str) -> Glance:
    """Read a campaign for a look at it.

    Raises:
        StudioError: it cannot be opened, or a text cannot be scored.
    """
    with open_campaign(where, read_only=True) as campaign:
        board = board_of(campaign)
        return Glance(
            status_of(campaign, tuple(one.progress for one in board.passes)),
            board,
            hours_left(board, pace_of(campaign)),
            alarms_of(campaign) if campaign.editor is None else None,
        )
