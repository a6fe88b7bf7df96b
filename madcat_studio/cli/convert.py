"""``madcat-studio convert``: pages in another format, with the ledger of what became of them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.cli.streams import READ, Stream
from madcat_studio.errors import UsageError
from madcat_studio.formats.kinds import TRAITS, WRITTEN, FileFormat

if TYPE_CHECKING:
    from madcat_studio.operations.pages.convert_many import ConvertOptions

__all__ = ["convert"]

UNUSABLE = 2
LOST = 1

_READ = ", ".join(traits.name for traits in TRAITS.values())
_ENDINGS = ", ".join(TRAITS[kind].written for kind in WRITTEN)
_VERSIONS = "; ".join(
    f"{traits.name}: {', '.join(traits.versions)}" for traits in TRAITS.values() if traits.versions
)


class Output(StrEnum):
    """How the ledger is printed."""

    TABLE = "table"
    JSON = "json"


def convert(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="IN…", help=f"Files, folders or patterns, or -: {_READ}."),
        READ,
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT",
            help="The file to write; with --to a folder for several, or - for standard output.",
        ),
        Stream(written=True),
    ],
    to: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(WRITTEN),
            help=f"The format of OUT; by default from its name ({_ENDINGS}).",
            autocompletion=lambda: [kind.value for kind in WRITTEN],
        ),
    ] = None,
    version: Annotated[str | None, typer.Option(help=f"{_VERSIONS}.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace existing files.")] = False,
    fail_on_loss: Annotated[
        bool,
        typer.Option("--fail-on-loss", help="Exit with 1 if anything is left behind."),
    ] = False,
    output: Annotated[
        Output, typer.Option("--format", help="A table to read, or JSON.")
    ] = Output.TABLE,
    workers: Annotated[
        int | None,
        typer.Option("--jobs", min=1, help="Number of processes; by default one per core."),
    ] = None,
) -> None:
    """Convert page files. What goes in, comes out and is left behind is counted and listed.

    Exit status 2 if a file could not be converted; the others are.
    """
    wanted = _format(to)
    out = Path(target)
    first = Path(sources[0])
    several = len(sources) > 1 or first.is_dir() or (_is_pattern(sources[0]) and not first.exists())
    if several or out.is_dir() or target.endswith("/"):
        if wanted is None:
            raise UsageError(
                "convert.target",
                "several files are converted into a folder, whose name does not give the format",
                remedy=f"Give --to with one of {', '.join(WRITTEN)}",
            )
        from madcat_studio.operations.pages.convert_many import ConvertOptions

        options = ConvertOptions(wanted, version, overwrite)
        _many(sources, out, options, output, workers, fail_on_loss)
        return
    from madcat_studio.cli.converted import print_one
    from madcat_studio.operations.pages.convert import convert_file

    result = convert_file(first, out, target=wanted, version=version, overwrite=overwrite)
    print_one(result, output.value)
    if fail_on_loss and result.is_loss:
        raise typer.Exit(LOST)


def _many(
    sources: list[str],
    folder: Path,
    options: ConvertOptions,
    output: Output,
    workers: int | None,
    fail_on_loss: bool,
) -> None:
    from madcat_studio.cli.bar import bar
    from madcat_studio.cli.converted import teller
    from madcat_studio.operations.pages.convert_many import convert_files, jobs

    work = jobs(sources, folder, options.target)
    with teller(output.value, folder, len(work)) as tell, bar() as progress:
        for result in convert_files(work, options, progress=progress, workers=workers):
            tell.file(result)
    if tell.failed:
        raise typer.Exit(UNUSABLE)
    if fail_on_loss and tell.losses:
        raise typer.Exit(LOST)


def _format(name: str | None) -> FileFormat | None:
    try:
        return None if name is None else FileFormat(name.lower())
    except ValueError:
        raise UsageError(
            "convert.target",
            f"“{name}” is not a format that can be written",
            remedy=f"Write {', '.join(WRITTEN[:-1])} or {WRITTEN[-1]}",
        ) from None


def _is_pattern(name: str) -> bool:
    return any(mark in name for mark in "*?[")
