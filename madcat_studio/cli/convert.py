"""``madcat-studio convert``: a page in another format, with the ledger of what became of it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from madcat_studio.model.problem import Problem
    from madcat_studio.operations.pages.convert import Converted

__all__ = ["convert"]


class Target(StrEnum):
    """Which format ``convert`` writes."""

    MADCAT = "madcat"
    PAGE = "page"
    ALTO = "alto"


class Output(StrEnum):
    """How the ledger is printed."""

    TABLE = "table"
    JSON = "json"


def convert(
    source: Annotated[
        Path, typer.Argument(metavar="IN", help="MADCAT, PAGE XML, ALTO, hOCR or GEDI.")
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.")],
    to: Annotated[
        Target | None,
        typer.Option(help="The format of OUT; otherwise its name tells (.page.xml, .alto.xml …)."),
    ] = None,
    version: Annotated[
        str | None,
        typer.Option(help="PAGE: 2010, 2013, 2016, 2017, 2018 or 2019; ALTO: 2, 3 or 4."),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace existing files.")] = False,
    fail_on_loss: Annotated[
        bool,
        typer.Option("--fail-on-loss", help="Exit with 1 where anything is left behind."),
    ] = False,
    output: Annotated[
        Output, typer.Option("--format", help="A table to read, or JSON.")
    ] = Output.TABLE,
) -> None:
    """Convert a page's file. What goes in, comes out and is left behind is counted and listed."""
    from madcat_studio.formats.kinds import FileFormat
    from madcat_studio.operations.pages.convert import convert_file

    result = convert_file(
        source,
        target,
        target=None if to is None else FileFormat(to.value),
        version=version,
        overwrite=overwrite,
    )
    if output is Output.JSON:
        _print_json(result)
    else:
        _print_table(result)
    if fail_on_loss and result.is_loss:
        raise typer.Exit(1)


def _notes(result: Converted) -> list[tuple[Problem, int]]:
    """One note a kind, the first, with their number: a page has many lines that lack the same."""
    found: dict[tuple[str, str, str], tuple[Problem, int]] = {}
    for problem in result.problems:
        key = problem.code, problem.what, problem.done
        first, times = found.get(key, (problem, 0))
        found[key] = first, times + 1
    return list(found.values())


def _print_json(result: Converted) -> None:
    import json

    plain = {
        "outputs": [str(path) for path in result.outputs],
        "format": result.source_format.value,
        "ledger": {
            row.kind: {"in": row.came, "out": row.went, "left": row.left} for row in result.ledger
        },
        "notes": [
            {
                "code": problem.code,
                "severity": problem.severity.value,
                "what": problem.what,
                "done": problem.done,
                "times": times,
                "where": str(problem.where),
            }
            for problem, times in _notes(result)
        ],
        "loss": result.is_loss,
    }
    print(json.dumps(plain, ensure_ascii=False, indent=2))


def _print_table(result: Converted) -> None:
    from rich.markup import escape
    from rich.table import Table

    from madcat_studio.reports import terminal

    console = terminal.console(highlight=False, soft_wrap=True)
    for problem, times in _notes(result):
        done = f" ({problem.done})" if problem.done else ""
        many = f" [{times} times]" if times > 1 else ""
        console.print(
            f"{problem.severity.value:<8} {escape(str(problem.where))}: {escape(problem.what)}"
            f"{escape(done)}{escape(many)}"
        )
    table = Table("", box=None)
    for column in ("in", "out", "left"):
        table.add_column(column, justify="right")
    for row in result.ledger:
        table.add_row(row.kind, str(row.came), str(row.went), str(row.left))
    console.print(table)
    names = ", ".join(map(str, result.outputs))
    console.print(f"{result.source_format.value} converted to {escape(names)}")
