"""``madcat-studio corpus``: what is copied and by whom, before there is a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.cli.forms import Form, FormOption, put, table_rows
from madcat_studio.cli.streams import Stream

if TYPE_CHECKING:
    from madcat_studio.planning.corpus import CorpusPlan
    from madcat_studio.reports.tables import Table

__all__ = ["app", "arrivals", "assign", "choose", "report", "sheets", "show"]

app = typer.Typer(
    no_args_is_help=True, help="Plan a corpus: what is copied, by whom, and what has come in."
)

Folder = Annotated[Path, typer.Argument(help="The folder that `corpus assign` wrote.")]
Passages = Annotated[
    Path,
    typer.Argument(help="A table: passage, source_document, genre, tokens, perhaps text; - too."),
    Stream(".tsv"),
]


@app.command()
def choose(
    candidates: Annotated[
        Path,
        typer.Argument(
            help="A table: passage, source_document, genre, tokens; text; edits and words; - too."
        ),
        Stream(".tsv"),
    ],
    count: Annotated[int, typer.Option(help="How many passages.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="DIR", help="Write passages.tsv and how well it matches there."
        ),
    ] = None,
    per_genre: Annotated[bool, typer.Option("--per-genre", help="--count is per genre.")] = False,
    tokens: Annotated[float, typer.Option(help="How long a passage should be.")] = 125,
    tolerance: Annotated[
        float, typer.Option(help="The share by which it may be longer or shorter.")
    ] = 0.1,
    earlier_scores: Annotated[
        Path | None,
        typer.Option(help="A table: passage, genre, edits, words; its distribution is matched."),
    ] = None,
    not_in: Annotated[
        list[Path] | None,
        typer.Option(
            help=(
                "A table of an earlier set, from which nothing is chosen. May be given several "
                "times."
            )
        ),
    ] = None,
    same_documents: Annotated[
        bool,
        typer.Option("--same-documents", help="Other passages of its documents may be chosen."),
    ] = False,
    measure: Annotated[str, typer.Option(help="A name for the scores.")] = "TER",
    seed: Annotated[int, typer.Option(help="The same seed gives the same choice.", min=0)] = 1,
) -> None:
    """Choose passages by length and by the distribution of TER, and none from earlier sets."""
    from madcat_studio.operations.planning import choosing

    chosen = choosing.choose_passages(
        candidates,
        count=count,
        per_genre=per_genre,
        tokens=tokens,
        within=tolerance,
        earlier_scores=earlier_scores,
        not_in=not_in or (),
        same_documents=same_documents,
        measure=measure,
        seed=seed,
    )
    for sentence in chosen.sentences():
        print(f"{sentence}.")
    if out is None:
        print("Nothing was written: --out writes this choice.")
        return
    for path in choosing.write_chosen(chosen, out):
        print(path)


@app.command()
def assign(
    passages: Passages,
    scribes: Annotated[
        Path,
        typer.Argument(help="A table: scribe, exposure; - too."),
        Stream(".tsv"),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="DIR", help="Write corpus.tsv and writing_conditions.tab there."
        ),
    ] = None,
    training_scribes: Annotated[
        Path | None,
        typer.Option(help="A list of who wrote training data, which decides who is exposed."),
    ] = None,
    quotas: Annotated[
        Path | None,
        typer.Option(help="A table: set, factor, level, target; by default the plan's."),
    ] = None,
    data_set: Annotated[
        str, typer.Option("--set", help="evaluation, development or training.")
    ] = "evaluation",
    track: Annotated[str, typer.Option(help="The track of all copies.")] = "",
    copies: Annotated[
        int | None, typer.Option(help="Scribes for each passage; by default from the quota.", min=1)
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same plan.", min=0)] = 1,
    form: FormOption = Form.TEXT,
) -> None:
    """Assign scribes to passages so that they overlap most, and say how each copy is written."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.planning import corpus as operations

    order = operations.read_order(
        passages,
        scribes,
        training_scribes=training_scribes,
        quotas=quotas,
        data_set=data_set,
        track=track,
        copies=copies,
        seed=seed,
    )
    with bar() as progress:
        plan = operations.plan_corpus(order, progress=progress)
    files = operations.write_corpus(plan.order, plan, out) if out is not None else ()
    _show(plan, form, files)
    if out is None and form is Form.TEXT:
        print("Nothing was written: --out writes this plan.")


@app.command()
def show(folder: Folder, form: FormOption = Form.TEXT) -> None:
    """Show a planned corpus: the overlap of its scribes, and the quotas."""
    _show(_planned(folder), form)


def _show(plan: CorpusPlan, form: Form, files: Sequence[Path] = ()) -> None:
    from madcat_studio.reports.terminal import print_table

    table = _quotas(plan)
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


def _quotas(plan: CorpusPlan) -> Table:
    from madcat_studio.operations.planning.quotas import quotas_table

    return quotas_table([(plan.order.track, one) for one in plan.standing()])


def _planned(folder: Path) -> CorpusPlan:
    from madcat_studio.operations.planning.corpus import read_planned

    return read_planned(folder)


@app.command()
def sheets(
    folder: Folder,
    passages: Annotated[
        Path | None,
        typer.Argument(help="A table with passage and text, if the first had no texts."),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write to.")
    ] = Path("sheets"),
) -> None:
    """Write what each scribe should copy, and how, as a PDF with bar codes."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.planning.corpus import with_texts
    from madcat_studio.operations.planning.scribes import write_scribes_sheets

    plan = _planned(folder)
    if passages is not None:
        plan = with_texts(plan, passages)
    with bar() as progress:
        files = write_scribes_sheets(plan, out, progress=progress)
    for path in files:
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


@app.command()
def report(
    folder: Folder,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write to.")
    ],
    scans: Annotated[
        Path | None, typer.Option(help="The folder into which copies are scanned.")
    ] = None,
) -> None:
    """Write a corpus as a readable page: quotas, overlap, who copies what, what has come in."""
    from madcat_studio.operations.planning.corpus_report import corpus_page
    from madcat_studio.operations.planning.scribes import arrivals_of

    plan = _planned(folder)
    found = None
    if scans is not None:
        found = arrivals_of({one.base: one.scribe.name for one in plan.manuscripts}, scans)
    for path in corpus_page(plan, found, out):
        print(path)
