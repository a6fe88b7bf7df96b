"""What the scorecards' commands share: their options, and how a report is shown and written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.cli.forms import Form, put_card

if TYPE_CHECKING:
    from madcat_studio.operations.scores.report import Format
    from madcat_studio.reports.cards import CardReport

__all__ = ["ALL_FORMATS", "Formats", "Out", "Title", "finish", "formats_of"]

Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="DIR", help="Write the report into this folder."),
]
Formats = Annotated[
    str,
    typer.Option("--formats", metavar="LIST", help="Report files to write: html, xlsx, csv, json."),
]
Title = Annotated[str, typer.Option(help="The report's title.")]

ALL_FORMATS = "html,xlsx,csv,json"


def formats_of(names: str) -> list[Format]:
    """The forms that a list names.

    Raises:
        UsageError: one that a scorecard does not have.
    """
    from madcat_studio.cli.report import read_formats
    from madcat_studio.operations.scorecards.files import CARD_FORMATS

    return read_formats(names, CARD_FORMATS)


def finish(
    report: CardReport,
    names: Sequence[str],
    form: Form,
    out: Path | None,
    formats: Sequence[Format],
    pages: Sequence[Path] = (),
) -> None:
    """Show the report's tables ``names``, or all of it to a script; write it if wanted.

    ``pages``: where scored pages may lie, which the report shows with their boxes.
    """
    if form is Form.JSON:
        put_card(report)
    else:
        _show(report, names)
    if out is not None:
        from madcat_studio.operations.scorecards.boxed import Places
        from madcat_studio.operations.scorecards.files import write_card

        for path in write_card(report, out, formats, pages=Places.of(*pages)):
            if form is Form.TEXT:
                print(path)


def _show(report: CardReport, names: Sequence[str]) -> None:
    """Print the tables ``names`` and what goes with them."""
    import sys

    from rich import box
    from rich.table import Table as Shown
    from rich.text import Text

    from madcat_studio.operations.scorecards.showing import shown_cell
    from madcat_studio.reports import terminal
    from madcat_studio.reports.tables import CellKind

    console = terminal.console() if sys.stdout.isatty() else terminal.console(width=180)
    print(f"{report.title}: {report.kind}")
    for table in report.tables:
        if table.name not in names:
            continue
        rows = list(table.rows)
        grid = Shown(title=table.title, title_justify="left", box=box.SIMPLE_HEAD)
        kept = [
            index
            for index in range(len(table.columns))
            if any(row[index] not in (None, "") for row in rows)
        ]
        for index in kept:
            column = table.columns[index]
            left = column.kind in (CellKind.TEXT, CellKind.FLAG)
            grid.add_column(column.title, justify="left" if left else "right")
        for row in rows:
            cells = (shown_cell(row, index, table.columns) or "—" for index in kept)
            grid.add_row(*(Text(cell) for cell in cells))
        console.print(grid)
    for name, line in report.signatures.items():
        print(f"{name}: {line}")
    for sentence in report.warnings:
        print(f"warning: {sentence}", file=sys.stderr)
