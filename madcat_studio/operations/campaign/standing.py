"""How a campaign stands, at a glance.

Whoever asks does so often: it is read while the campaign is open once, and what filling one takes
is not loaded here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from madcat_studio.model.campaign import PassProgress, System, Team
from madcat_studio.operations.campaign.board import Board, board_of
from madcat_studio.operations.campaign.pace import hours_left, pace_of
from madcat_studio.operations.campaign.rooms import Rooms, rooms_of
from madcat_studio.operations.scores.drift import alarms_of
from madcat_studio.store import Campaign, OptionValue, open_campaign

if TYPE_CHECKING:
    from madcat_studio.reports.drift import Drift

__all__ = ["CampaignStatus", "Glance", "read_glance", "status_of"]


@dataclass(frozen=True, slots=True)
class CampaignStatus:
    """A campaign at a glance; to an ``editor``'s login to a server, what is that editor's.

    None stands for what such a login is not told, which is not the same as nothing.
    """

    name: str
    where: str
    frozen: bool | None
    documents: int | None
    systems: tuple[System, ...] | None
    teams: tuple[Team, ...]
    kits: int
    unassigned: tuple[str, ...] | None
    options: Mapping[str, OptionValue]
    progress: tuple[PassProgress, ...]
    absent: tuple[str, ...] | None
    editor: str | None = None
    rooms: Rooms = Rooms.OPEN
    left_out: tuple[str, ...] = ()


def status_of(campaign: Campaign, progress: tuple[PassProgress, ...]) -> CampaignStatus:
    """What an open campaign holds, and how far its kits are.

    Args:
        campaign: opened.
        progress: of all its passes.
    """
    if campaign.editor is not None:
        return CampaignStatus(
            name=campaign.name,
            where=campaign.where,
            # Another team's claim is none that this login sees.
            frozen=campaign.frozen or None,
            documents=None,
            systems=None,
            teams=campaign.plans.teams(),
            kits=len({one.kit for one in progress}),
            unassigned=None,
            options=campaign.options(),
            progress=progress,
            absent=None,
            editor=campaign.editor,
            rooms=rooms_of(campaign),
        )
    kits = campaign.plans.kits()
    assigned = {one.kit for one in progress}
    return CampaignStatus(
        name=campaign.name,
        where=campaign.where,
        frozen=campaign.frozen,
        documents=len(campaign.contents.documents()),
        systems=campaign.contents.systems(),
        teams=campaign.plans.teams(),
        kits=len(kits),
        unassigned=tuple(kit.name for kit in kits if kit.name not in assigned),
        options=campaign.options(),
        progress=progress,
        absent=tuple(sorted(campaign.schedule.absent())),
        rooms=rooms_of(campaign),
        left_out=campaign.left_out(),
    )


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
