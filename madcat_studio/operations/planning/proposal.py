"""Proposing a plan: which manuscripts make a kit, and which two teams edit it.

As tables (``kits.tsv`` and ``assignments.tsv``) the coordinator looks at it, changes what ought to
be otherwise, and takes it in with ``campaign plan``: until then the campaign is as it was. Or it
is written into the campaign at once, and changed there.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from madcat_studio.operations.planning.draft import propose_draft, write_draft, write_tables
from madcat_studio.planning.assignment import AssignmentFigures
from madcat_studio.planning.draft import DraftKit, draft_figures
from madcat_studio.planning.kits import KitFigures
from madcat_studio.planning.pairs import Overlap
from madcat_studio.planning.units import KitRules
from madcat_studio.progress import SILENT, Progress

__all__ = ["Proposal", "propose_plan"]

_RULES = KitRules()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed plan.

    Attributes:
        kits: the new kits, in order.
        kit_figures: what the new kits came to.
        team_figures: what the whole plan comes to, kits of before included.
        files: the tables that were written.
    """

    kits: tuple[DraftKit, ...]
    kit_figures: KitFigures
    team_figures: AssignmentFigures
    files: tuple[Path, ...]


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
            :func:`~madcat_studio.operations.planning.draft.propose_draft`.
        progress: may cancel; then nothing is written.

    Raises:
        InputError: there is no such plan; the message says which rule binds.
        StudioError: the campaign cannot be read or written, or the folder not written.
        Cancelled: ``progress`` said so.
    """
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
    )
