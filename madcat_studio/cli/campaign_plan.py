"""``madcat-studio campaign propose-plan``, ``change`` and ``kits``: the plan and its figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.cli.address import ask_password
from madcat_studio.cli.forms import Form, FormOption, plain, put
from madcat_studio.errors import UsageError
from madcat_studio.operations.checked import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from madcat_studio.operations.planning.proposal import Proposal
    from madcat_studio.planning.difference import PlanDifference
    from madcat_studio.planning.draft import Change, Draft

__all__ = ["COMMANDS", "change", "export_plan", "kits", "propose_plan"]

Where = Annotated[
    str,
    typer.Argument(
        metavar="CAMPAIGN", help="The campaign's folder, or postgresql://user@host/database."
    ),
]


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
        Path | None,
        typer.Option("--out", "-o", help="The folder for kits.tsv and assignments.tsv."),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Put the plan into the campaign at once.")
    ] = False,
    anew: Annotated[
        bool,
        typer.Option("--anew", help="Also plan the kits again that nobody has claimed."),
    ] = False,
    target: Annotated[int, typer.Option("--kit-words", help="Reference words of a kit.")] = 600,
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
    """Propose kits and teams for what is in no kit yet, and show what would change.

    Nothing is written without --out (as tables) or --write (into the campaign).
    """
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
    _tell(proposal, target, anew)
    if write:
        print("The plan is in the campaign; it can be changed until a kit is claimed.")
    elif out is None:
        print("Nothing was written: --write accepts this plan, --out writes it as tables.")


def _tell(proposal: Proposal, target: int, anew: bool) -> None:
    _tell_difference(proposal.difference)
    kits, teams = proposal.kit_figures, proposal.team_figures
    mean = sum(kits.words) / len(kits.words)
    print(
        f"{counted(len(kits.words), 'kit')} of {min(kits.words)} to {max(kits.words)} words "
        f"(mean {mean:.0f}, target {target}); {kits.outside} outside the tolerance"
    )
    print(f"Genres miss the campaign's mixture by {100 * kits.genre_miss:.1f} % on average")
    for team, count in teams.loads.items():
        print(f"  team {team}: {counted(count, 'kit')}, {counted(teams.words[team], 'word')}")
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
        taken = "--write instead of --out" if anew else "`madcat-studio campaign plan`"
        print(f"Look at these, then take them in with {taken}:")
    for path in proposal.files:
        print(f"  {path}")


def _tell_difference(difference: PlanDifference) -> None:
    """How it differs from the plan that the campaign has."""
    for line in difference.sentences():
        print(line)
    _tell_changes(difference.figures)


change = typer.Typer(
    name="change",
    help="Change the plan by hand, and see what it does to every figure.",
    no_args_is_help=True,
)

DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Only show what it would do; the plan stays as it is.")
]
Target = Annotated[
    int, typer.Option("--kit-words", help="Reference words of a kit, for the figures.")
]
Kit = Annotated[str, typer.Argument(help="The kit.")]
System = Annotated[str, typer.Argument(help="The system that made the output.")]
Manuscript = Annotated[str, typer.Argument(help="The manuscript; it moves as a whole.")]


@change.command()
def move(
    where: Where, system: System, manuscript: Manuscript, kit: Kit,
    dry_run: DryRun = False, target: Target = 600,
) -> None:  # fmt: skip
    """Move a manuscript of a system's output into another kit."""
    from madcat_studio.planning.units import UnitKey

    unit = UnitKey(system, manuscript)
    _change(where, lambda draft: draft.with_unit_moved(unit, kit), dry_run, target)


@change.command()
def swap(
    where: Where,
    system: System,
    manuscript: Manuscript,
    other_system: Annotated[str, typer.Argument(help="The system of the other one.")],
    other_manuscript: Annotated[str, typer.Argument(help="The other manuscript.")],
    dry_run: DryRun = False,
    target: Target = 600,
) -> None:
    """Exchange two manuscripts of different kits."""
    from madcat_studio.planning.units import UnitKey

    one, other = UnitKey(system, manuscript), UnitKey(other_system, other_manuscript)
    _change(where, lambda draft: draft.with_units_swapped(one, other), dry_run, target)


@change.command()
def team(
    where: Where,
    kit: Kit,
    old: Annotated[str, typer.Argument(help="The team that has the kit.")],
    new: Annotated[str, typer.Argument(help="The team that gets the kit.")],
    dry_run: DryRun = False,
    target: Target = 600,
) -> None:
    """Give a kit to another team instead of one it has."""
    _change(where, lambda draft: draft.with_team(kit, old, new), dry_run, target)


@change.command("swap-teams")
def swap_teams(
    where: Where,
    kit: Kit,
    other: Annotated[str, typer.Argument(help="The other kit.")],
    dry_run: DryRun = False,
    target: Target = 600,
) -> None:
    """Exchange the teams of two kits."""
    _change(where, lambda draft: draft.with_teams_swapped(kit, other), dry_run, target)


@change.command("turn-roles")
def turn_roles(
    where: Where,
    kit: Kit,
    team: Annotated[str, typer.Argument(help="The team.")],
    dry_run: DryRun = False,
) -> None:
    """Swap a team's first editor and reviewer in a kit."""
    _change(where, lambda draft: draft.with_roles_turned(kit, team), dry_run, 600)


def _change(where: str, make: Callable[[Draft], Draft], dry_run: bool, target: int) -> None:
    from madcat_studio.operations.planning.draft import change_plan
    from madcat_studio.planning.units import KitRules

    moved = change_plan(where, make, write=not dry_run, rules=KitRules(target))
    _tell_changes(moved)
    if not moved:
        print("No figure changes.")
    print("Nothing was written." if dry_run else "The plan is changed.")


def _tell_changes(changes: Iterable[Change]) -> None:
    for one in changes:
        verdict = {True: "better", False: "worse", None: ""}[one.better]
        print(f"{one.name}: {_number(one.before)} -> {_number(one.after)} {verdict}".rstrip())


def _number(value: float) -> str:
    return f"{value:g}" if value == int(value) else f"{value:.4f}"


def kits(where: Where, form: FormOption = Form.TEXT) -> None:
    """Show what is in each kit and which teams edit it; in JSON also what editors call pages."""
    from rich.table import Table

    from madcat_studio.operations.planning.draft import read_covers, read_draft
    from madcat_studio.reports import terminal

    if form is Form.JSON:
        found = read_draft(where).kits
        covers = read_covers(where)
        put([{**plain(kit), "words": kit.words, "covers": covers[kit.name]} for kit in found])
        return

    found = read_draft(where).kits
    several = len({kit.track for kit in found}) > 1
    table = Table("kit", "words", "teams", "system", "manuscript", "set", "genre", "words of it")
    for kit in found:
        for number, unit in enumerate(kit.units):
            begin = ("", "", "") if number else (
                kit.name
                + (f" · {kit.track or 'no track'}" if several else "")
                + (" (claimed)" if kit.frozen else ""),
                str(kit.words),
                ", ".join(kit.teams) or "none yet",
            )  # fmt: skip
            table.add_row(
                *begin, unit.system, unit.manuscript, unit.data_set, unit.genre, str(unit.words)
            )
    console = terminal.console()
    (console if console.is_terminal else terminal.console(width=200)).print(table)


def export_plan(
    where: Where,
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for both tables.")],
) -> None:
    """Write the campaign's plan as kits.tsv and assignments.tsv."""
    from madcat_studio.operations.planning.draft import export_plan as export

    for path in export(where, out):
        print(path)


COMMANDS = (("kits", kits), ("export-plan", export_plan))
"""Name and command, in the order of the help page."""
