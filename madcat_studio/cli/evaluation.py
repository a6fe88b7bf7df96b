"""``madcat-studio evaluate``: references against systems' outputs, every task of the plan."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from madcat_studio.cli.forms import Form, FormOption, put_card
from madcat_studio.cli.report import On

__all__ = ["evaluate"]

_PLACES = {
    *("metric", "condition", "track", "system", "genre", "scribe", "exposure", "implement"),
    *("surface", "speed", "scribe_errors", "passage", "manuscript", "document", "page"),
    "source_document",
}
_NARROW = {*_PLACES, "segments", "rate", "low", "high"}
_WIDE = {*_NARROW, "task", "set", "edits", "words", "clean_rate", "missing"}


def evaluate(
    references: Annotated[
        Path, typer.Argument(metavar="REFS", help="The folder of BASE.madcat.xml files.")
    ],
    systems: Annotated[
        list[Path],
        typer.Argument(
            metavar="SYSTEM...", help="Folders of outputs: linesys, wordsys, transys files."
        ),
    ],
    campaign: Annotated[
        str, typer.Option(help="A campaign with post-edits, for HTER: its folder or URL.")
    ] = "",
    corpus: Annotated[
        Path | None, typer.Option(help="The corpus table: genre, scribe, set and so on.")
    ] = None,
    conditions: Annotated[
        Path | None, typer.Option(help="The writing conditions: implement, surface, speed.")
    ] = None,
    standoff: Annotated[
        Path | None, typer.Option(help="The stand-off file of scribe errors.")
    ] = None,
    by: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Also show a breakdown, such as genre, scribe, exposure."
        ),
    ] = "",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Also write a report there.")
    ] = None,
    formats: Annotated[
        str,
        typer.Option(
            "--formats", metavar="LIST", help="Report files to write: html, xlsx, csv, json."
        ),
    ] = "html,xlsx,csv,json",
    form: FormOption = Form.TEXT,
    on: On = "",
) -> None:
    """Score systems' outputs in every task they belong to: TER, WER, HTER."""
    import sys

    from madcat_studio.cli.on_many import here_or_on, tell
    from madcat_studio.cli.report import breakdown_of, read_formats
    from madcat_studio.operations.scorecards.files import CARD_FORMATS, write_card
    from madcat_studio.operations.scores import evaluation as operations
    from madcat_studio.reports.terminal import print_table

    wanted = read_formats(formats, CARD_FORMATS)
    with here_or_on(on) as (many, progress):
        report = operations.evaluate(
            references,
            systems,
            campaign=campaign or None,
            corpus=operations.CorpusFiles(corpus, conditions, standoff),
            many=many,
            tell=tell,
            progress=progress,
        )
        shown = [report.table("tasks"), *([breakdown_of(report, by)] if by else [])]
        files = write_card(report, out, wanted) if out is not None else []
    if form is Form.JSON:
        put_card(report)
        return
    for table in shown:
        print_table(table, _NARROW, _WIDE)
    for name, signature in report.signatures.items():
        print(f"{name}: {signature}")
    for warning in report.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    for table in report.tables:
        if table.name == "listed":
            for row in table.records():
                place = f"{row['document']}/{row['segment']}".removesuffix("/")
                print(f"{row['status']}: {row['system']}, {row['files']}: {place}", file=sys.stderr)
    for path in files:
        print(path)
