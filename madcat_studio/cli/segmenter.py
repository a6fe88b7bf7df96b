"""``madcat-studio segmenter …``: programs of others' that find the lines of a page."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(
    name="segmenter",
    help="Name programs that find the lines of a page: kraken, or one of your own. They run in an "
    "environment and a process of their own.",
    no_args_is_help=True,
)


class Format(StrEnum):
    """How ``list`` and ``try`` print."""

    TABLE = "table"
    JSON = "json"


Model = Annotated[Path | None, typer.Option(help="A model file to use instead of its own.")]
Always = Annotated[
    bool,
    typer.Option(
        "--always",
        help="Always take its lines; by default only where they make more words of the "
        "transcript sure than the lines that this program finds.",
    ),
]


@app.command()
def install(
    name: Annotated[str, typer.Argument(help="What to install: kraken.")],
    model: Model = None,
    python: Annotated[
        str, typer.Option(help="The interpreter for its environment; by default this program's.")
    ] = "",
) -> None:
    """Install a segmenter into its own environment, try it, and use it from now on."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.pages.segmenter_install import install_segmenter
    from madcat_studio.operations.pages.segmenters import segmenters_folder

    with bar() as progress:
        made = install_segmenter(
            name, python=python, model=str(model) if model else "", progress=progress
        )
    print(f"{made.name} is installed in {segmenters_folder() / made.environment} and in use")


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="A name for it.")],
    command: Annotated[
        list[str],
        typer.Argument(metavar="-- COMMAND…", help="The command that starts it, after --."),
    ],
    model: Model = None,
    timeout: Annotated[
        float,
        typer.Option(metavar="SECONDS", min=1, max=86_400, help="Seconds it may take for a page."),
    ] = 600,
) -> None:
    """Add your own program that speaks the protocol (docs/segmenters.md)."""
    from madcat_studio.operations.pages.segmenters import Segmenter, add_segmenter

    add_segmenter(
        Segmenter(name, tuple(command), model=str(model) if model else "", seconds=timeout)
    )
    print(f"{name} is named; use it with: madcat-studio segmenter use {name}")


@app.command()
def use(
    name: Annotated[
        str,
        typer.Argument(help="A segmenter in the list; or ink: none, only the lines in the ink."),
    ],
    always: Always = False,
    model: Annotated[
        str | None,
        typer.Option(help="A model file to use from now on; '' for its own."),
    ] = None,
) -> None:
    """Use a segmenter from now on, in the window and in ``lines --from-ink``."""
    from madcat_studio.operations.pages.segmenters import OWN, use_segmenter

    use_segmenter(name, always=always, model=model)
    print("no segmenter is in use" if name == OWN else f"{name} is in use")


@app.command()
def remove(name: Annotated[str, typer.Argument(help="A segmenter in the list.")]) -> None:
    """Remove a segmenter, and what was installed for it."""
    from madcat_studio.operations.pages.segmenters import remove_segmenter

    remove_segmenter(name)
    print(f"{name} is removed")


@app.command("list")
def list_(
    output: Annotated[Format, typer.Option("--format", help="A table, or JSON.")] = Format.TABLE,
) -> None:
    """List the segmenters, and show which one is in use."""
    from madcat_studio.operations.pages.segmenters import command_of, list_segmenters

    listed = list_segmenters()
    if output is Format.JSON:
        import json

        said = [
            {
                "name": one.name,
                "in_use": one.name == listed.use,
                "always": one.name == listed.use and listed.always,
                "command": command_of(one),
                "model": one.model or None,
                "seconds": one.seconds,
            }
            for one in listed.all
        ]
        print(json.dumps(said, ensure_ascii=False, indent=1))
        return
    if not listed.all:
        print("no segmenter is named; install kraken with: madcat-studio segmenter install kraken")
        return
    from rich.table import Table

    from madcat_studio.reports import terminal

    table = Table(box=None)
    for column in ("name", "in use", "model", "command"):
        table.add_column(column, overflow="fold")
    for one in listed.all:
        used = "" if one.name != listed.use else "always" if listed.always else "where better"
        table.add_row(one.name, used, one.model, " ".join(command_of(one)))
    terminal.console().print(table)


@app.command("try")
def try_(
    image: Annotated[Path, typer.Argument(help="A scan.")],
    name: Annotated[
        str, typer.Option("--segmenter", help="Which one; by default the one in use.")
    ] = "",
    left_to_right: Annotated[
        bool, typer.Option("--left-to-right", help="Its lines are read from left to right.")
    ] = False,
    output: Annotated[Format, typer.Option("--format", help="A table, or JSON.")] = Format.TABLE,
) -> None:
    """Let a segmenter find the lines of a scan, and show its answer."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.errors import UsageError
    from madcat_studio.operations.pages.segmenters import find_segmenter, segmenter_in_use
    from madcat_studio.operations.pages.segmenting import segment_page

    segmenter = find_segmenter(name) if name else segmenter_in_use()
    if segmenter is None:
        raise UsageError(
            "segmenter.none-in-use",
            "no segmenter is in use",
            remedy="Name one with --segmenter, or see: madcat-studio segmenter list",
        )
    with bar() as progress:
        lines = segment_page(segmenter, image, right_to_left=not left_to_right, progress=progress)
    if output is Format.JSON:
        import json

        print(json.dumps([{"polygon": one.polygon, "baseline": one.baseline} for one in lines]))
        return
    print(f"{segmenter.name}: {len(lines)} line{'s' * (len(lines) != 1)}")
    for number, line in enumerate(lines, 1):
        xs, ys = zip(*line.polygon, strict=True)
        print(f"{number:4}  {min(xs)},{min(ys)} to {max(xs)},{max(ys)}")
