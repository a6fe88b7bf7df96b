"""A plan without files: read it, change it by hand, write it into the campaign.

What is in a kit already stays; kits that somebody has claimed are frozen. A draft is a value
(:mod:`madcat_studio.planning.draft`), and nothing is in the campaign before it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

from madcat_studio.errors import ConflictError, InputError
from madcat_studio.formats.files import make_folder, write_atomically
from madcat_studio.formats.tables import write_table
from madcat_studio.model.campaign import Assignment, Kit, KitItem
from madcat_studio.operations.checked import Checking, Outcome, counted
from madcat_studio.operations.planning.scans import warn_of_scans
from madcat_studio.operations.planning.units import (
    campaign_units,
    first_editors,
    forbidden_teams,
    units_of,
)
from madcat_studio.operations.user import who
from madcat_studio.planning.draft import (
    Change,
    Draft,
    DraftKit,
    broken_rules,
    draft_figures,
    effect,
)
from madcat_studio.planning.units import KitRules, Unit
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.store import Campaign, open_campaign

__all__ = [
    "change_plan",
    "draft_of",
    "export_plan",
    "read_covers",
    "read_draft",
    "write_draft",
    "write_tables",
]

_RULES = KitRules()


def read_draft(where: str, *, rules: KitRules = _RULES, absent: Collection[str] = ()) -> Draft:
    """The plan that a campaign has, as a draft; claimed kits are frozen.

    Args:
        where: the campaign; it is only read.
        rules: how long a kit is.
        absent: names of teams that get nothing new, besides those that the campaign knows of.

    Raises:
        InputError: ``plan.no-team``: there is no such team.
        StudioError: the campaign cannot be read.
    """
    with open_campaign(where, read_only=True) as campaign:
        return draft_of(campaign, rules, absent)[0]


def read_covers(where: str) -> dict[str, dict[str, str]]:
    """Kit -> what its editors call each page -> the page's BASE.

    Raises:
        StudioError: the campaign cannot be read.
    """
    with open_campaign(where, read_only=True) as campaign:
        return {
            kit.name: {
                shown.base: real.base for real, shown in campaign.covers.of(kit.name).items()
            }
            for kit in campaign.plans.kits()
        }


def draft_of(
    campaign: Campaign, rules: KitRules, absent: Collection[str]
) -> tuple[Draft, list[Unit]]:
    """The plan as it is, and what is in no kit yet."""
    teams = campaign.plans.teams()
    unknown = sorted(set(absent) - {team.name for team in teams})
    if unknown:
        raise InputError(
            "plan.no-team",
            f"There is no team {', '.join(unknown)}",
            where=campaign.where,
            remedy="`campaign status` lists the teams",
        )
    documents = {one.base: one for one in campaign.contents.documents()}
    words = campaign.contents.reference_words()
    frozen = campaign.plans.claimed()
    parts = _parts(campaign)
    kits = tuple(
        DraftKit(
            kit.name,
            units_of(kit.items, documents, words),
            parts.get(kit.name, ()),
            kit.name in frozen,
        )
        for kit in campaign.plans.kits()
        if not kit.practice
    )
    # The set of a unit of a kit is that of its pages, whoever gave the output.
    taken = {unit.key for kit in kits for unit in kit.units}
    left = [unit for unit in campaign_units(campaign) if unit.key not in taken]
    planned = [unit for kit in kits for unit in kit.units]
    forbidden = forbidden_teams([*planned, *left], teams, first_editors(campaign))
    away = frozenset(absent) | campaign.schedule.absent()
    return Draft(kits, teams, away, rules, forbidden), left


def _parts(campaign: Campaign) -> dict[str, tuple[Assignment, ...]]:
    """Kit -> what its teams do."""
    found: dict[str, list[Assignment]] = {}
    for part in campaign.plans.assignments():
        found.setdefault(part.kit, []).append(part)
    return {kit: tuple(parts) for kit, parts in found.items()}


def _as_before(kit: Kit, there: Kit | None) -> Kit:
    """A kit that holds what it held keeps its order, in which somebody may have read it already."""
    return there if there is not None and set(there.items) == set(kit.items) else kit


def write_draft(where: str, draft: Draft, *, progress: Progress = SILENT) -> Outcome:
    """Put a draft into the campaign: its kits that nobody has claimed, and who edits them.

    Kits that nobody has claimed and that the draft has no more are taken out. Practice kits stay.

    Args:
        where: the campaign.
        draft: as it was proposed or read, and changed since.
        progress: told after each kit.

    Raises:
        InputError: a hard rule is broken; nothing was written.
        ConflictError: a kit that the draft changes was claimed meanwhile; nothing was written.
        StudioError: the campaign cannot be written.
        Cancelled: ``progress`` said so; nothing was written.
    """
    for error in broken_rules(draft):
        raise error
    with open_campaign(where) as campaign, campaign.transaction():
        claimed = campaign.plans.claimed()
        there = {kit.name: kit for kit in campaign.plans.kits()}
        parts = _parts(campaign)
        planned = [_as_before(_kit(kit), there.get(kit.name)) for kit in draft.kits]
        wanted = {kit.name for kit in planned}
        _check_claimed(claimed, there, planned)
        gone = [
            name
            for name, kit in there.items()
            if name not in wanted and not kit.practice and name not in claimed
        ]
        for name in gone:
            campaign.plans.remove_kit(name)
        campaign.plans.empty_kits([kit for kit in planned if kit.name not in claimed])
        changed = assigned = 0
        for number, (kit, own) in enumerate(zip(planned, draft.kits, strict=True)):
            if progress.cancelled():
                raise Cancelled
            progress.advance(number, len(planned), f"kit {kit.name}")
            if kit.name in claimed:
                continue
            # What is so already costs no question: a plan has hundreds of kits.
            if there.get(kit.name) != kit:
                changed += campaign.plans.plan_kit(kit)
            if own.parts and parts.get(kit.name) != own.parts:
                assigned += campaign.plans.assign(kit.name, own.parts)
        checking = Checking(progress)
        warn_of_scans(campaign, planned, checking)
        if changed or assigned or gone:
            campaign.note(
                "plan kits",
                campaign.name,
                who=who(),
                detail=f"{counted(changed, 'kit')} planned, {assigned} assigned, "
                f"{len(gone)} taken out",
            )
    done = [
        f"{counted(changed, 'kit')} planned, {counted(assigned, 'kit')} given to teams, "
        f"{counted(len(planned) - changed, 'kit')} as before"
    ]
    if gone:
        done.append(f"Removed: {', '.join(gone)}")
    return Outcome(tuple(done), tuple(checking.problems))


def _kit(kit: DraftKit) -> Kit:
    return Kit(
        kit.name,
        tuple(KitItem(unit.system, base) for unit in kit.units for base in unit.documents),
    )


def _check_claimed(
    claimed: Collection[str], there: dict[str, Kit], planned: Collection[Kit]
) -> None:
    """A claimed kit must be in the draft just as it is; the order of its documents apart."""
    wanted = {kit.name: kit for kit in planned}
    for name in claimed:
        kit = there[name]
        if kit.practice:
            continue
        if name not in wanted or sorted(wanted[name].items) != sorted(kit.items):
            raise ConflictError(
                "plan.claimed-meanwhile",
                f"Kit {name} has been claimed in the meantime, and stays as it was",
                remedy="Read the plan again, and change kits that nobody has begun",
            )


def write_tables(draft: Draft, folder: Path) -> tuple[Path, ...]:
    """Write the kits that nobody has claimed as ``kits.tsv`` and ``assignments.tsv``.

    Raises:
        StudioError: the folder cannot be made or written.
    """
    kits = [kit for kit in draft.kits if not kit.frozen]
    items = [(kit.name, item.system, item.base) for kit in kits for item in _kit(kit).items]
    parts = [
        (kit.name, part.team, part.first or "", part.reviewer or "")
        for kit in kits
        for part in kit.parts
    ]
    make_folder(folder)
    tables = (
        (folder / "kits.tsv", write_table(("kit", "system", "base"), items)),
        (folder / "assignments.tsv", write_table(("kit", "team", "first", "reviewer"), parts)),
    )
    for path, content in tables:
        write_atomically(path, content)
    return tuple(path for path, _ in tables)


def export_plan(where: str, folder: Path) -> tuple[Path, ...]:
    """Write the plan that a campaign has as ``kits.tsv`` and ``assignments.tsv``.

    Claimed kits are in it; practice kits are not.

    Raises:
        InputError: ``plan.none-yet``: it has no plan.
        StudioError: the campaign cannot be read, or the folder not written.
    """
    draft = read_draft(where)
    if not draft.kits:
        raise InputError(
            "plan.none-yet",
            "The campaign has no plan yet",
            where=where,
            remedy="Make one with `campaign propose-plan`",
        )
    return write_tables(
        replace(draft, kits=tuple(replace(kit, frozen=False) for kit in draft.kits)), folder
    )


def change_plan(
    where: str, change: Callable[[Draft], Draft], *, write: bool = True, rules: KitRules = _RULES
) -> tuple[Change, ...]:
    """Make one change by hand, and say what it does to every figure.

    Args:
        where: the campaign.
        change: makes the change, such as ``lambda draft: draft.with_team("K1", "T1", "T2")``.
        write: False: only say what it would do.
        rules: by which the figures are counted.

    Raises:
        InputError: a hard rule refuses it.
        StudioError: the campaign cannot be read or written.
    """
    before = read_draft(where, rules=rules)
    after = change(before)
    moved = effect(draft_figures(before), draft_figures(after))
    if write:
        write_draft(where, after)
    return moved
