"""``madcat-studio campaign effort|export-visits``: what editing took."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from madcat_studio.cli.streams import Stream

__all__ = ["COMMANDS", "effort", "export_visits"]

Where = Annotated[
    str,
    typer.Argument(
        metavar="CAMPAIGN", help="The campaign's folder, or postgresql://user@host/database."
    ),
]


class TableFormat(StrEnum):
    """How a table is shown."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


class LogFormat(StrEnum):
    """How the log is written; the operation has the same, but is not loaded for ``--help``."""

    CSV = "csv"
    JSONL = "jsonl"
    TRANSLOG = "translog"


def effort(
    where: Where,
    idle: Annotated[
        float,
        typer.Option(
            metavar="SECONDS", help="Rests longer than this do not count as active time.", min=0
        ),
    ] = 60.0,
    segments: Annotated[bool, typer.Option("--segments", help="One row for each segment.")] = False,
    format_: Annotated[
        TableFormat, typer.Option("--format", help="A table to read, CSV, or JSON.")
    ] = TableFormat.TABLE,
) -> None:
    """Show the effort of editing: visits, active and raw time, keys, mouse, commands, pastes."""
    import sys

    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.scores.visit_log import read_effort
    from madcat_studio.reports.csv_tables import put_csv
    from madcat_studio.reports.json_report import put_records
    from madcat_studio.reports.terminal import print_table

    with bar() as progress:
        table = read_effort(where, idle_seconds=idle, by_segment=segments, progress=progress)
    match format_:
        case TableFormat.CSV:
            put_csv(table, sys.stdout, "\n")
        case TableFormat.JSON:
            put_records(table, sys.stdout)
        case TableFormat.TABLE if table.rows:
            print_table(table)
            print(table.note)
        case _:
            print("No visit is recorded yet.")


def export_visits(
    where: Where,
    target: Annotated[
        Path,
        typer.Argument(help="The file to write, or -; for translog a folder.", metavar="TARGET"),
        Stream(written=True),
    ],
    format_: Annotated[
        LogFormat,
        typer.Option(
            "--format", help="One event per line as CSV or JSON, or XML like that of Translog-II."
        ),
    ] = LogFormat.CSV,
    practice: Annotated[
        bool, typer.Option("--with-practice", help="Include practice kits.")
    ] = False,
) -> None:
    """Write the log of visits: every event of every editor."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.scores import visit_log as operations

    with bar() as progress:
        outcome = operations.export_visits(
            where,
            target,
            operations.LogFormat(format_.value),
            practice=practice,
            progress=progress,
        )
    tell(outcome)


COMMANDS = (("effort", effort), ("export-visits", export_visits))
