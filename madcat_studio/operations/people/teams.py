"""Bringing people in: a new team, or more editors for a team that is there."""

from __future__ import annotations

from collections.abc import Sequence

from madcat_studio.errors import InputError
from madcat_studio.model.campaign import Editor, Team
from madcat_studio.operations.checked import Outcome, counted
from madcat_studio.operations.user import who
from madcat_studio.store import open_campaign

__all__ = ["add_editors"]


def add_editors(where: str, team: str, editors: Sequence[Editor]) -> Outcome:
    """Make a team, or add editors to one.

    Args:
        where: the campaign.
        team: its name.
        editors: who joins; whoever is in it already is left as he is.

    Raises:
        InputError: a name is empty, an editor is named twice, or the team would have one editor.
        StudioError: the campaign cannot be written.
    """
    names = [editor.id for editor in editors]
    if not team.strip() or not all(name.strip() for name in names):
        raise InputError(
            "teams.no-name",
            "The team or an editor has no name",
            remedy="Give the team a name, and each editor a short name",
        )
    if len(set(names)) < len(names):
        raise InputError(
            "teams.named-twice", f"An editor of team {team} is named twice", remedy="Name each once"
        )
    with open_campaign(where) as campaign, campaign.transaction():
        before = {one.name: one for one in campaign.plans.teams()}.get(team)
        there = {editor.id for editor in before.editors} if before is not None else set()
        if len(there | set(names)) < 2:
            raise InputError(
                "teams.one-editor",
                f"Team {team} would have one editor",
                remedy="A team needs two: one for each pass",
            )
        added = campaign.plans.add_team(Team(team, tuple(editors)))
        if added:
            campaign.note("add editors", f"team {team}", who=who(), detail=", ".join(names))
    made = "made" if before is None else "has"
    total = len(there | set(names))
    return Outcome((f"Team {team} {made}: {counted(total, 'editor')}, {added} of them new",))
