"""Who of a team does the first pass and who reviews: by turns, as much of both for each."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from madcat_studio.errors import InputError
from madcat_studio.model.campaign import Assignment, Team

__all__ = ["choose_roles"]


def choose_roles(
    kit: str, team: Team, others: Iterable[Assignment], *, busy: Collection[str] = ()
) -> Assignment:
    """A team's part in a kit.

    Args:
        kit: its name.
        team: with its editors, in order.
        others: the team's parts in other kits.
        busy: people who have a part in this kit already.

    Returns:
        Who had fewest parts so far does the first pass, and of the others the one with fewest
        parts reviews; of equals the one who did less of just that, then the one listed first.

    Raises:
        InputError: ``planning.small-team``: fewer than two of its editors are left.
    """
    free = [editor.id for editor in team.editors if editor.id not in busy]
    if len(free) < 2:
        taken = [editor.id for editor in team.editors if editor.id in busy]
        raise InputError(
            "planning.small-team",
            f"Team {team.name} has {len(team.editors)} editor"
            + ("" if len(team.editors) == 1 else "s")
            + (f", of whom {', '.join(taken)} edits kit {kit} on the other side" if taken else "")
            + ", and a kit needs a first editor and a reviewer",
            remedy="Add an editor to the team, or leave the team out",
        )
    firsts, reviews = dict.fromkeys(free, 0), dict.fromkeys(free, 0)
    for part in others:
        if part.first in firsts:
            firsts[part.first] += 1
        if part.reviewer in reviews:
            reviews[part.reviewer] += 1
    first = min(free, key=lambda one: (firsts[one] + reviews[one], firsts[one] - reviews[one]))
    reviewer = min(
        (one for one in free if one != first),
        key=lambda one: (firsts[one] + reviews[one], reviews[one] - firsts[one]),
    )
    return Assignment(kit, team.name, first, reviewer)
