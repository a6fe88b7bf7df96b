"""``madcat-studio evaluate``: references against systems' outputs, every task of the plan."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["evaluate"]


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
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write a report there too.")
    ] = None,
    formats: Annotated[
        str, typer.Option("--format", metavar="LIST", help="Of html, xlsx, csv, json.")
    ] = "html,xlsx,csv,json",
) -> None:
    """Score systems' outputs in every task they belong to: TER, WER, HTER."""
    import sys

    from madcat_studio.cli.bar import bar
    from madcat_studio.cli.report import read_formats
    from madcat_studio.operations.scorecards.files import CARD_FORMATS, write_card
    from madcat_studio.operations.scores import evaluation as operations
    from madcat_studio.reports.terminal import print_table

    wanted = read_formats(formats, CARD_FORMATS)
    with bar() as progress:
        report = operations.evaluate(
            references, systems, campaign=campaign or None, progress=progress
        )
        files = write_card(report, out, wanted) if out is not None else []
    print_table(report.table("tasks"))
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
