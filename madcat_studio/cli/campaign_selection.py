"""``madcat-studio campaign select`` and ``select-passages``: which passages are edited."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from madcat_studio.cli import corpus
from madcat_studio.cli.forms import Form, FormOption, put, table_rows
from madcat_studio.cli.streams import Stream
from madcat_studio.errors import UsageError

__all__ = ["COMMANDS", "CORPUS", "quotas", "select", "select_passages"]

Where = Annotated[
    str,
    typer.Argument(
        metavar="CAMPAIGN", help="The campaign's folder, or postgresql://user@host/database."
    ),
]
Seed = Annotated[int, typer.Option(help="The same seed gives the same choice.")]
PerGenre = Annotated[bool, typer.Option("--per-genre", help="--count is per genre.")]


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
    system: Annotated[str, typer.Option(help="Evaluation: the system whose TER counts.")] = "",
    earlier_system: Annotated[str, typer.Option(help="Evaluation: its old output.")] = "",
    track: Annotated[
        str, typer.Option(help="Passages of this track; needed if the set has several.")
    ] = "",
    seed: Seed = 1,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="A folder for the choice as HTML, SVG, CSV and JSON."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show the choice; the campaign stays as it is.")
    ] = False,
    everything: Annotated[
        bool,
        typer.Option(
            "--all", help="Discard a choice: every passage of the set again; for control, none."
        ),
    ] = False,
) -> None:
    """Choose passages whose scores are distributed like the earlier phase's, for planning kits."""
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
        # Of the control set nothing is planned without a choice; who wants all of it chooses all.
        control = chosen_set is DataSet.CONTROL
        planned = "No passage" if control else "Every passage"
        until = " until you choose" if control else ""
        before = "" if was else ", as before"
        print(f"{planned} of the {data_set} set is planned{until}{before}.")
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
            track=track,
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
        Path,
        typer.Argument(help="A table with passage, genre, edits and words of each; - too."),
        Stream(".tsv"),
    ],
    earlier: Annotated[
        Path,
        typer.Argument(help="The same for the earlier phase's passages; - too."),
        Stream(".tsv"),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for the choice.")],
    count: Annotated[int, typer.Option(help="How many passages.")],
    per_genre: PerGenre = False,
    measure: Annotated[str, typer.Option(help="A name for the scores.")] = "TER",
    seed: Seed = 1,
) -> None:
    """Choose evaluation passages from tables of scores, before you have a campaign."""
    from madcat_studio.operations.planning import selection as operations

    selected = operations.select_from_tables(
        candidates, earlier, count=count, per_genre=per_genre, measure=measure, seed=seed
    )
    for line in selected.sentences():
        print(line)
    for path in operations.write_selection(selected, out):
        print(f"  {path}")


def quotas(
    where: Where,
    table: Annotated[
        Path | None,
        typer.Option(
            "--quotas", help="A table: set, factor, level, target; by default the plan's."
        ),
    ] = None,
    form: FormOption = Form.TEXT,
) -> None:
    """Show the quotas of the evaluation plan: target, actual and missing in each set."""
    from madcat_studio.operations.planning.quotas import quotas_table, read_standing
    from madcat_studio.reports.terminal import print_table

    shown = quotas_table(read_standing(where, table))
    if form is Form.JSON:
        put(table_rows(shown))
    else:
        print_table(shown)


CORPUS = corpus.app
"""What comes before a selection: who copies what."""

COMMANDS = (("select", select), ("select-passages", select_passages), ("quotas", quotas))
"""Name and command, in the order of the help page."""
