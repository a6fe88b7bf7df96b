"""Proposing a plan: which manuscripts make a kit, and which two teams edit it.

The proposal is two tables, ``kits.tsv`` and ``assignments.tsv``. The coordinator looks at them,
changes what ought to be otherwise, and takes them in with ``campaign plan``: until then the
campaign is as it was. Outputs that are in a kit already stay where they are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.errors import InputError
from madcat_studio.formats.files import make_folder, write_atomically
from madcat_studio.formats.tables import write_table
from madcat_studio.model.campaign import CampaignDocument, DataSet, Team
from madcat_studio.planning.assignment import (
    AssignmentFigures,
    KitTeams,
    assign_kits,
    assignment_figures,
)
from madcat_studio.planning.kits import KitFigures, figures, plan_kits
from madcat_studio.planning.pairs import Overlap
from madcat_studio.planning.units import KitRules, PlannedKit, Unit
from madcat_studio.progress import SILENT, Progress
from madcat_studio.store import Campaign, open_campaign

__all__ = ["Proposal", "propose_plan"]

_RULES = KitRules()
_PLANNABLE = (DataSet.EVALUATION, DataSet.PROGRESS, DataSet.CONTROL)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed plan.

    Attributes:
        kits: names and kits, in order.
        teams: of each kit; the first of them wins ties.
        kit_figures, team_figures: what the plan came to.
        files: the tables that were written.
    """

    kits: tuple[tuple[str, PlannedKit], ...]
    teams: tuple[KitTeams, ...]
    kit_figures: KitFigures
    team_figures: AssignmentFigures
    files: tuple[Path, ...]


def propose_plan(
    where: str,
    folder: Path,
    *,
    rules: KitRules = _RULES,
    overlap: Overlap = Overlap.WIDE,
    absent: Collection[str] = (),
    seed: int = 1,
    progress: Progress = SILENT,
) -> Proposal:
    """Plan what is in no kit yet, and write the tables into a folder (made if need be).

    Args:
        where: the campaign, which has its teams already; it is only read.
        folder: where ``kits.tsv`` and ``assignments.tsv`` go.
        rules: how long a kit is.
        overlap: how pairs of teams are made.
        absent: names of teams that get nothing.
        seed: the same seed gives the same plan.
        progress: may cancel; then nothing is written.

    Raises:
        InputError: there is no such plan; the message says which rule binds.
        StudioError: the campaign cannot be read, or the folder not written.
        Cancelled: ``progress`` said so.
    """
    with open_campaign(where, read_only=True) as campaign:
        teams = campaign.plans.teams()
        unknown = sorted(set(absent) - {team.name for team in teams})
        if unknown:
            raise InputError(
                "plan.no-team",
                f"There is no team {', '.join(unknown)}",
                where=where,
                remedy="`campaign status` lists the teams",
            )
        units = _units(campaign)
        before = len(campaign.plans.kits())
        edited = _edited_before(campaign, teams)
    kits = plan_kits(units, rules, seed=seed, progress=progress)
    names = [team.name for team in teams]
    assigned = assign_kits(
        kits,
        names,
        absent=absent,
        overlap=overlap,
        forbidden=[_forbidden(kit, edited) for kit in kits],
        seed=seed,
        progress=progress,
    )
    named = tuple((f"K{before + number}", kit) for number, kit in enumerate(kits, 1))
    there = [name for name in names if name not in absent]
    return Proposal(
        kits=named,
        teams=tuple(assigned),
        kit_figures=figures(kits, rules),
        team_figures=assignment_figures(kits, assigned, there),
        files=_write(folder, named, assigned, teams),
    )


def _units(campaign: Campaign) -> list[Unit]:
    """Manuscripts with the output of a system, as far as they are in no kit."""
    taken = {(item.system, item.base) for kit in campaign.plans.kits() for item in kit.items}
    documents = {
        document.base: document
        for document in campaign.contents.documents()
        if document.data_set in _PLANNABLE
    }
    words = {
        base: sum(segment.reference_words for segment in campaign.contents.segments(base))
        for base in documents
    }
    units = []
    for system in campaign.contents.systems():
        manuscripts: dict[str, list[CampaignDocument]] = {}
        for base in campaign.contents.documents_of(system.name):
            document = documents.get(base)
            if document is not None and (system.name, base) not in taken:
                manuscripts.setdefault(document.manuscript, []).append(document)
        for manuscript, pages in manuscripts.items():
            pages.sort(key=lambda page: page.base)
            units.append(
                Unit(
                    manuscript=manuscript,
                    passage=pages[0].passage,
                    genre=pages[0].genre,
                    system=system.name,
                    documents=tuple(page.base for page in pages),
                    words=sum(words[page.base] for page in pages),
                    data_set=pages[0].data_set.value,
                )
            )
    return units


def _edited_before(
    campaign: Campaign, teams: Sequence[Team]
) -> dict[tuple[str, str], frozenset[str]]:
    """For each output (system, BASE) of an earlier phase the teams with an editor who edited it."""
    member_of: dict[str, set[str]] = {}
    for team in teams:
        for editor in team.editors:
            member_of.setdefault(editor.id, set()).add(team.name)
    edited: dict[tuple[str, str], set[str]] = {}
    for text in campaign.earlier.texts():
        found = edited.setdefault((text.system, text.segment.base), set())
        for person in (text.first_editor, text.reviewer):
            found |= member_of.get(person, set())
    return {output: frozenset(found) for output, found in edited.items()}


def _forbidden(kit: PlannedKit, edited: Mapping[tuple[str, str], frozenset[str]]) -> frozenset[str]:
    """The teams that must not get a kit: control output never goes to its first editors."""
    return frozenset(
        team
        for unit in kit.units
        for base in unit.documents
        for team in edited.get((unit.system, base), ())
    )


def _write(
    folder: Path,
    kits: Sequence[tuple[str, PlannedKit]],
    assigned: Sequence[KitTeams],
    teams: Sequence[Team],
) -> tuple[Path, ...]:
    items = [
        (name, unit.system, base)
        for name, kit in kits
        for unit in kit.units
        for base in unit.documents
    ]
    people = {team.name: team.editors for team in teams}
    parts, turns = [], dict.fromkeys(people, 0)
    for (name, _), pair in zip(kits, assigned, strict=True):
        for team in pair:
            editors = people[team]
            if len(editors) < 2:
                raise InputError(
                    "plan.small-team",
                    f"Team {team} has {len(editors)} editor, and a kit needs a first editor and a "
                    "reviewer",
                    remedy="Add an editor to the team, or leave it out with --absent",
                )
            # The roles alternate from kit to kit, and over all editors of a larger team.
            turn, turns[team] = turns[team], turns[team] + 1
            first, reviewer = editors[turn % len(editors)], editors[(turn + 1) % len(editors)]
            parts.append((name, team, first.id, reviewer.id))
    make_folder(folder)
    tables = (
        (folder / "kits.tsv", write_table(("kit", "system", "base"), items)),
        (folder / "assignments.tsv", write_table(("kit", "team", "first", "reviewer"), parts)),
    )
    for path, content in tables:
        write_atomically(path, content)
    return tuple(path for path, _ in tables)
