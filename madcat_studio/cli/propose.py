"""``madcat-studio campaign propose-plan``: kits and teams, proposed as tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.cli.address import ask_password
from madcat_studio.errors import UsageError

if TYPE_CHECKING:
    from madcat_studio.operations.planning.proposal import Proposal

__all__ = ["propose_plan"]


def propose_plan(
    where: Annotated[
        str,
        typer.Argument(
            metavar="CAMPAIGN",
            help="The campaign's folder, or postgresql://user@host/database.",
            callback=ask_password,
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="The folder for kits.tsv and assignments.tsv.")
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Put the plan into the campaign at once.")
    ] = False,
    anew: Annotated[
        bool,
        typer.Option("--anew", help="With --write: plan kits that nobody has claimed anew."),
    ] = False,
    target: Annotated[int, typer.Option(help="Reference words of a kit.")] = 600,
    tolerance: Annotated[
        float, typer.Option(help="Share of the target by which a kit may be longer or shorter.")
    ] = 0.15,
    overlap: Annotated[
        str, typer.Option(help="wide: many pairs of teams; deep: few that share many kits.")
    ] = "wide",
    absent: Annotated[
        list[str] | None, typer.Option(metavar="TEAM", help="A team that gets nothing.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same plan.")] = 1,
) -> None:
    """Propose kits and teams for what is in no kit yet: as tables, or into the campaign."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.planning import proposal as operations
    from madcat_studio.planning.pairs import Overlap
    from madcat_studio.planning.units import KitRules

    try:
        mode = Overlap(overlap)
    except ValueError:
        raise UsageError(
            "plan.overlap", f"There is no overlap {overlap!r}", remedy="Write wide or deep"
        ) from None
    if (out is None and not write) or (anew and not write):
        raise UsageError(
            "plan.no-place",
            "It is not said where the plan goes"
            if not anew
            else "Kits can be planned anew only in the campaign itself",
            remedy="Name a folder for its tables with --out, or put it in with --write",
        )
    with bar() as progress:
        proposal = operations.propose_plan(
            where,
            out,
            write=write,
            anew=anew,
            rules=KitRules(target, tolerance),
            overlap=mode,
            absent=tuple(absent or ()),
            seed=seed,
            progress=progress,
        )
    _tell(proposal, target)
    if write:
        print("The plan is in the campaign; it can be changed until a kit is claimed.")


def _tell(proposal: Proposal, target: int) -> None:
    kits, teams = proposal.kit_figures, proposal.team_figures
    mean = sum(kits.words) / len(kits.words)
    print(
        f"{len(kits.words)} kits of {min(kits.words)} to {max(kits.words)} words "
        f"(mean {mean:.0f}, target {target}); {kits.outside} outside the tolerance"
    )
    print(f"Genres miss the campaign's mixture by {100 * kits.genre_miss:.1f} % on average")
    for team, count in teams.loads.items():
        print(f"  team {team}: {count} kits, {teams.words[team]} words")
    shared = ", ".join(
        f"{one} and {other} {count}" for (one, other), count in sorted(teams.pairs.items())
    )
    print(f"Kits shared by two teams: {shared}")
    if not teams.connected:
        print("Not every team is compared with every other: there are too few kits for that")
    print(
        f"Carry-over: {teams.carry_over} times a team meets a passage again "
        f"(no plan has fewer than {teams.carry_over_bound})"
    )
    print(f"Systems over pairs of teams miss their mixture by {100 * teams.system_miss:.1f} %, "
          f"sets by {100 * teams.set_miss:.1f} %")  # fmt: skip
    if proposal.files:
        print("Look at these, then take them in with `madcat-studio campaign plan`:")
    for path in proposal.files:
        print(f"  {path}")
