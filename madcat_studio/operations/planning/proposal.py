"""Proposing a plan: which manuscripts make a kit, and which two teams edit it.

As tables (``kits.tsv`` and ``assignments.tsv``) the coordinator looks at it, changes what ought to
be otherwise, and takes it in with ``campaign plan``: until then the campaign is as it was. Or it
is written into the campaign at once, and changed there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from madcat_studio.model.campaign import Assignment, Team
from madcat_studio.operations.planning.draft import (
    draft_of,
    read_draft,
    write_draft,
    write_tables,
)
from madcat_studio.planning.assignment import AssignmentFigures, assign_kits
from madcat_studio.planning.difference import PlanDifference, difference_of
from madcat_studio.planning.draft import Draft, DraftKit, draft_figures
from madcat_studio.planning.kits import KitFigures, plan_kits
from madcat_studio.planning.pairs import Overlap, check_teams
from madcat_studio.planning.roles import choose_roles
from madcat_studio.planning.units import KitRules, PlannedKit
from madcat_studio.progress import SILENT, Progress
from madcat_studio.store import open_campaign

__all__ = ["Proposal", "propose_draft", "propose_plan"]

_RULES = KitRules()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed plan.

    Attributes:
        kits: the new kits, in order.
        kit_figures: what the new kits came to.
        team_figures: what the whole plan comes to, kits of before included.
        files: the tables that were written.
        difference: to the plan that the campaign has.
    """

    kits: tuple[DraftKit, ...]
    kit_figures: KitFigures
    team_figures: AssignmentFigures
    files: tuple[Path, ...]
    difference: PlanDifference


def propose_plan(
    where: str,
    folder: Path | None = None,
    *,
    write: bool = False,
    rules: KitRules = _RULES,
    overlap: Overlap = Overlap.WIDE,
    absent: Collection[str] = (),
    anew: bool = False,
    seed: int = 1,
    progress: Progress = SILENT,
) -> Proposal:
    """Plan what is in no kit yet, and write the plan as tables, or into the campaign.

    Args:
        where: the campaign, which has its teams already.
        folder: where ``kits.tsv`` and ``assignments.tsv`` go (made if need be); None: no tables.
        write: put the plan into the campaign.
        rules, overlap, absent, anew, seed: as
            :func:`propose_draft`.
        progress: may cancel; then nothing is written.

    Raises:
        InputError: there is no such plan; the message says which rule binds.
        StudioError: the campaign cannot be read or written, or the folder not written.
        Cancelled: ``progress`` said so.
    """
    before = read_draft(where, rules=rules, absent=absent)
    draft = propose_draft(
        where,
        rules=rules,
        overlap=overlap,
        absent=absent,
        anew=anew,
        seed=seed,
        progress=progress,
    )
    new = replace(draft, kits=tuple(kit for kit in draft.kits if kit.new))
    files = () if folder is None else write_tables(new, folder)
    if write:
        write_draft(where, draft, progress=progress)
    return Proposal(
        kits=new.kits,
        kit_figures=draft_figures(new).kits,
        team_figures=draft_figures(draft).teams,
        files=files,
        difference=difference_of(before, draft),
    )


def propose_draft(
    where: str,
    *,
    rules: KitRules = _RULES,
    overlap: Overlap = Overlap.WIDE,
    absent: Collection[str] = (),
    anew: bool = False,
    seed: int = 1,
    steps: int | None = None,
    progress: Progress = SILENT,
) -> Draft:
    """Plan what is in no kit yet, beside the kits that are there.

    Args:
        where: the campaign, which has its teams already; it is only read.
        rules: how long a kit is.
        overlap: how pairs of teams are made.
        absent: names of teams that get nothing.
        anew: plan also what is in kits that nobody has claimed; these kits are replaced.
        seed: the same seed gives the same plan.
        steps: exchanges that are tried for kits, and again for teams; by default as many as make
            a good plan.
        progress: its text holds the cost so far; may cancel.

    Raises:
        InputError: there is no such plan; the message says which rule binds.
        StudioError: the campaign cannot be read.
        Cancelled: ``progress`` said so.
    """
    with open_campaign(where, read_only=True) as campaign:
        draft, units = draft_of(campaign, rules, absent)
        names = {kit.name for kit in campaign.plans.kits()}
    away = len(draft.teams) - len(draft.there)
    check_teams(len(draft.there), away)  # before the search, which takes its time
    if anew:
        units += [unit for kit in draft.kits if not kit.frozen for unit in kit.units]
        names -= {kit.name for kit in draft.kits if not kit.frozen}
        draft = replace(draft, kits=tuple(kit for kit in draft.kits if kit.frozen))
    kits = plan_kits(
        units,
        rules,
        forbidden=lambda unit: draft.forbidden.get(unit.key, frozenset()) - draft.absent,
        teams=len(draft.there),
        seed=seed,
        steps=steps,
        progress=progress,
    )
    assigned = assign_kits(
        kits,
        [team.name for team in draft.teams],
        absent=draft.absent,
        overlap=overlap,
        forbidden=[_forbidden(draft, kit) for kit in kits],
        apart=_sharing(draft.teams),
        before=[
            (PlannedKit(list(kit.units)), (kit.parts[0].team, kit.parts[1].team))
            for kit in draft.kits
            if len(kit.parts) == 2
        ],
        seed=seed,
        steps=steps,
        progress=progress,
    )
    return replace(draft, kits=(*draft.kits, *_made(draft, kits, assigned, names)))


def _made(
    draft: Draft,
    kits: Sequence[PlannedKit],
    assigned: Sequence[tuple[str, str]],
    names: Collection[str],
) -> Iterator[DraftKit]:
    """Planned kits with names that are not taken, and a role in them for each of their people."""
    people = {team.name: team for team in draft.teams}
    parts: dict[str, list[Assignment]] = {}
    for kit in draft.kits:
        for part in kit.parts:
            parts.setdefault(part.team, []).append(part)
    number = 0
    for planned, pair in zip(kits, assigned, strict=True):
        number += 1
        while f"K{number}" in names:
            number += 1
        chosen = []
        for team in pair:
            part = choose_roles(f"K{number}", people[team], parts.setdefault(team, []))
            parts[team].append(part)
            chosen.append(part)
        yield DraftKit(f"K{number}", tuple(planned.units), tuple(chosen), new=True)


def _forbidden(draft: Draft, kit: PlannedKit) -> frozenset[str]:
    return frozenset[str]().union(
        *(draft.forbidden.get(unit.key, frozenset()) for unit in kit.units)
    )


def _sharing(teams: Collection[Team]) -> list[tuple[str, str]]:
    """Pairs of teams with an editor in common: such two never get the same kit."""
    members = [(team.name, {editor.id for editor in team.editors}) for team in teams]
    return [
        (one, other)
        for place, (one, here) in enumerate(members)
        for other, there in members[place + 1 :]
        if here & there
    ]
