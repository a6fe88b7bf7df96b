"""``madcat-studio corpus``: who copies what, before there is a campaign."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from madcat_studio.cli.forms import Form, FormOption, put, table_rows

__all__ = ["app", "arrivals", "assign", "sheets"]

app = typer.Typer(no_args_is_help=True, help="Plan a corpus: who copies what, what has come in.")


@app.command()
def assign(
    passages: Annotated[
        Path, typer.Argument(help="A table: passage, source_document, genre, tokens.")
    ],
    scribes: Annotated[Path, typer.Argument(help="A table: scribe, exposure.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write corpus.tsv and writing_conditions.tab there."),
    ] = None,
    training_scribes: Annotated[
        Path | None, typer.Option(help="Who wrote training data: it decides who is exposed.")
    ] = None,
    quotas: Annotated[
        Path | None,
        typer.Option(help="A table: set, factor, level, target; else the plan's own."),
    ] = None,
    data_set: Annotated[
        str, typer.Option("--set", help="evaluation, development or training.")
    ] = "evaluation",
    track: Annotated[str, typer.Option(help="Of all copies.")] = "",
    copies: Annotated[
        int | None, typer.Option(help="Scribes of each passage; else the quota's.", min=1)
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same plan.", min=0)] = 1,
    form: FormOption = Form.TEXT,
) -> None:
    """Assign scribes to passages so that they overlap most, and say how each copy is written."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.planning import scribes as operations
    from madcat_studio.operations.planning.quotas import quotas_table
    from madcat_studio.reports.terminal import print_table

    with bar() as progress:
        plan = operations.plan_corpus(
            passages,
            scribes,
            training_scribes=training_scribes,
            quotas=quotas,
            data_set=data_set,
            track=track,
            copies=copies,
            seed=seed,
            progress=progress,
        )
    files = operations.write_corpus_plan(plan, out) if out is not None else ()
    table = quotas_table([(track, one) for one in plan.standing])
    if form is Form.JSON:
        found = plan.assignment
        put(
            {
                "overlap": found.overlap,
                "bound": found.bound,
                "proven": found.proven,
                "quotas": table_rows(table),
                "files": files,
            }
        )
        return
    for sentence in plan.sentences():
        print(f"{sentence}.")
    print_table(table)
    for path in files:
        print(path)
    if out is None:
        print("Nothing was written: --out writes this plan.")


@app.command()
def sheets(
    folder: Annotated[Path, typer.Argument(help="The folder that `corpus assign` wrote.")],
    passages: Annotated[Path, typer.Argument(help="The table of passages, with a column text.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write to.")],
) -> None:
    """Write what each scribe is to copy, and how, as a PDF with bar codes."""
    from madcat_studio.operations.planning.scribes import write_scribes_sheets

    for path in write_scribes_sheets(folder, passages, out):
        print(path)


@app.command()
def arrivals(
    corpus: Annotated[Path, typer.Argument(help="The corpus table that was planned.")],
    folder: Annotated[Path, typer.Argument(help="The folder into which copies are scanned.")],
    form: FormOption = Form.TEXT,
) -> None:
    """Show which planned copies have come in, and what is missing by scribe."""
    from madcat_studio.model.characters import marked
    from madcat_studio.operations.planning import scribes as operations

    found = operations.read_arrivals(corpus, folder)
    missing = sum(len(bases) for bases in found.missing.values())
    if form is Form.JSON:
        put(
            {
                "arrived": {base: str(path) for base, path in found.arrived.items()},
                "missing": {scribe: list(bases) for scribe, bases in found.missing.items()},
                "unknown": [str(path) for path in found.unknown],
            }
        )
        return
    print(f"{len(found.arrived)} copies have come in, {missing} are missing")
    for scribe, bases in found.missing.items():
        print(marked(f"{scribe}: {len(bases)} missing: {', '.join(bases)}"))
    for path in found.unknown:
        print(marked(f"in no row of the plan: {path}"))
