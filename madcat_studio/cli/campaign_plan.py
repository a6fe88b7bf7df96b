"""``madcat-studio campaign select`` and ``change``: which passages, and the plan by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from madcat_studio.planning.draft import Draft

__all__ = ["COMMANDS", "change", "kits", "select", "select_passages"]

Where = Annotated[
    str,
    typer.Argument(
        metavar="CAMPAIGN", help="The campaign's folder, or postgresql://user@host/database."
    ),
]
Seed = Annotated[int, typer.Option(help="The same seed gives the same choice.")]
PerGenre = Annotated[bool, typer.Option("--per-genre", help="--count is meant for each genre.")]


def select(
    where: Where,
    data_set: Annotated[
        str, typer.Argument(metavar="SET", help="control, progress or evaluation.")
    ],
    count: Annotated[int | None, typer.Option(help="How many passages.")] = None,
    per_genre: PerGenre = False,
    share: Annotated[
        float | None,
        typer.Option(help="How many, as a share of the earlier phase's; control: 0.1."),
    ] = None,
    system: Annotated[str, typer.Option(help="Evaluation: the system whose TER decides.")] = "",
    earlier_system: Annotated[str, typer.Option(help="Evaluation: its old output.")] = "",
    seed: Seed = 1,
    out: Annotated[
        Path | None, typer.Option(help="A folder for the choice as HTML, SVG, CSV and JSON.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show it; the campaign stays as it is.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Forget a choice: all passages of the set again.")
    ] = False,
) -> None:
    """Choose passages whose scores are distributed as the earlier phase's; kits are planned so."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.model.campaign import DataSet
    from madcat_studio.operations.planning import selection as operations

    try:
        chosen_set = DataSet(data_set)
    except ValueError:
        raise UsageError(
            "select.set",
            f"There is no set {data_set!r}",
            remedy="Write control, progress or evaluation",
        ) from None
    if everything:
        was = operations.forget_selection(where, chosen_set)
        print(f"All passages of the {data_set} set are planned" + ("." if was else ", as before."))
        return
    with bar() as progress:
        selected = operations.select_set(
            where,
            chosen_set,
            count=count,
            share=share,
            per_genre=per_genre,
            system=system,
            earlier_system=earlier_system,
            seed=seed,
            progress=progress,
        )
    for line in selected.sentences():
        print(line)
    if out is not None:
        for path in operations.write_selection(selected, out):
            print(f"  {path}")
    if dry_run:
        print("Nothing was kept in the campaign.")
        return
    for line in operations.keep_selection(where, selected):
        print(line)


def select_passages(
    candidates: Annotated[
        Path, typer.Argument(help="A table with passage, genre, edits and words of each.")
    ],
    earlier: Annotated[Path, typer.Argument(help="The same of the earlier phase's passages.")],
    out: Annotated[Path, typer.Option(help="The folder for the choice.")],
    count: Annotated[int, typer.Option(help="How many passages.")],
    per_genre: PerGenre = False,
    measure: Annotated[str, typer.Option(help="What the scores are called.")] = "TER",
    seed: Seed = 1,
) -> None:
    """Choose evaluation passages from tables of scores, before there is a campaign."""
    from madcat_studio.operations.planning import selection as operations

    selected = operations.select_from_tables(
        candidates, earlier, count=count, per_genre=per_genre, measure=measure, seed=seed
    )
    for line in selected.sentences():
        print(line)
    for path in operations.write_selection(selected, out):
        print(f"  {path}")


change = typer.Typer(
    name="change",
    help="Change the plan by hand, and see what it does to every figure.",
    no_args_is_help=True,
)

DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Only say what it would do; the plan stays as it is.")
]
Target = Annotated[int, typer.Option(help="Reference words of a kit, for the figures.")]
Kit = Annotated[str, typer.Argument(help="The kit.")]
System = Annotated[str, typer.Argument(help="The system whose output it is.")]
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
    other_system: Annotated[str, typer.Argument(help="The other's system.")],
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
    new: Annotated[str, typer.Argument(help="The team that gets it.")],
    dry_run: DryRun = False,
    target: Target = 600,
) -> None:
    """Give a team's part in a kit to another team."""
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
    """Let a team's first editor and reviewer of a kit change places."""
    _change(where, lambda draft: draft.with_roles_turned(kit, team), dry_run, 600)


def _change(where: str, make: Callable[[Draft], Draft], dry_run: bool, target: int) -> None:
    from madcat_studio.operations.planning.draft import change_plan
    from madcat_studio.planning.units import KitRules

    moved = change_plan(where, make, write=not dry_run, rules=KitRules(target))
    for one in moved:
        verdict = {True: "better", False: "worse", None: ""}[one.better]
        print(f"{one.name}: {_number(one.before)} -> {_number(one.after)} {verdict}".rstrip())
    if not moved:
        print("No figure changes.")
    print("Nothing was written." if dry_run else "The plan is changed.")


def _number(value: float) -> str:
    return f"{value:g}" if value == int(value) else f"{value:.4f}"


def kits(where: Where) -> None:
    """Show what is in each kit, and which teams edit it."""
    from rich.table import Table

    from madcat_studio.operations.planning.draft import read_draft
    from madcat_studio.reports import terminal

    table = Table("kit", "words", "teams", "system", "manuscript", "set", "genre", "words of it")
    for kit in read_draft(where).kits:
        for number, unit in enumerate(kit.units):
            begin = ("", "", "") if number else (
                kit.name + (" (claimed)" if kit.frozen else ""),
                str(kit.words),
                ", ".join(kit.teams) or "none yet",
            )  # fmt: skip
            table.add_row(
                *begin, unit.system, unit.manuscript, unit.data_set, unit.genre, str(unit.words)
            )
    console = terminal.console()
    (console if console.is_terminal else terminal.console(width=200)).print(table)


COMMANDS = (("select", select), ("select-passages", select_passages), ("kits", kits))
"""Name and command, in the order of the help page."""
