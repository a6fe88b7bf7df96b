"""``madcat-studio render``: pages with their translations in place of the writing."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.errors import UsageError

if TYPE_CHECKING:
    from madcat_studio.operations.pages.rendering import Picture, RenderedFile

__all__ = ["render"]

UNUSABLE = 2
NOT_WHOLE = 1


class Direction(StrEnum):
    """In which direction texts are set."""

    AUTO = "auto"
    LEFT_TO_RIGHT = "ltr"
    RIGHT_TO_LEFT = "rtl"


class Output(StrEnum):
    """How what was noticed is printed."""

    TEXT = "text"
    JSON = "json"


def render(
    context: typer.Context,
    pages: Annotated[
        list[str],
        typer.Argument(metavar="PAGE…", help="Files, folders or patterns: MADCAT, PAGE XML, ALTO."),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="Write into this folder.")
    ],
    texts: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Other translations: a table with segment and text, or a system's documents.",
        ),
    ] = None,
    team: Annotated[
        str,
        typer.Option(metavar="TEAM", help="With a table of edits: the team whose texts are used."),
    ] = "",
    pictures: Annotated[
        str, typer.Option("--pictures", metavar="LIST", help="Picture formats: png, pdf.")
    ] = "png",
    font: Annotated[str, typer.Option(metavar="NAME", help="An installed font.")] = "",
    direction: Annotated[
        Direction, typer.Option(help="Direction of the texts; by default from their letters.")
    ] = Direction.AUTO,
    least: Annotated[
        float,
        typer.Option("--least", min=1, help="Size of the smallest font on the paper, in points."),
    ] = 5.0,
    folders: Annotated[
        list[Path] | None, typer.Option("--images", help="Look for page images in this folder too.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace existing files.")] = False,
    fail_on_loss: Annotated[
        bool,
        typer.Option("--fail-on-loss", help="Exit with 1 if a text is incomplete."),
    ] = False,
    output: Annotated[
        Output, typer.Option("--format", help="Text to read, or JSON.")
    ] = Output.TEXT,
) -> None:
    """Show pages with their translations in place of the writing.

    The ink is replaced by paper, and nothing else in the scan changes; each text is set in the
    outlines of its lines. What does not fit, or has no glyph, is listed.

    Exit status 2 if a page could not be rendered; the others are.
    """
    from madcat_studio.cli.bar import bar
    from madcat_studio.cli.window import window_of
    from madcat_studio.operations.pages.folder import page_files
    from madcat_studio.operations.pages.rendered_texts import read_texts
    from madcat_studio.operations.pages.rendering import RenderOptions, render_files

    fit = window_of(context).fit()
    wanted = _pictures(pictures)
    way = {Direction.AUTO: None, Direction.LEFT_TO_RIGHT: False, Direction.RIGHT_TO_LEFT: True}
    options = RenderOptions(wanted, font, way[direction], least, tuple(folders or ()), overwrite)
    given = None if texts is None else read_texts(texts, team)
    files = page_files(pages)
    with bar() as progress:
        done = list(render_files(files, out, fit, options, texts=given, progress=progress))
    _print(done, output)
    if any(one.error for one in done):
        raise typer.Exit(UNUSABLE)
    if fail_on_loss and not all(one.is_whole for one in done):
        raise typer.Exit(NOT_WHOLE)


def _pictures(names: str) -> tuple[Picture, ...]:
    from madcat_studio.operations.pages.rendering import Picture

    found = []
    for name in names.split(","):
        try:
            found.append(Picture(name.strip().lower()))
        except ValueError:
            raise UsageError(
                "render.picture",
                f"“{name.strip()}” is not a picture format that can be written",
                remedy=f"Write {' or '.join(Picture)}",
            ) from None
    return tuple(dict.fromkeys(found))


def _print(done: list[RenderedFile], output: Output) -> None:
    import json
    import sys

    if output is Output.JSON:
        made = [
            {
                "file": str(one.path),
                "outputs": [str(path) for path in one.outputs],
                "notes": list(one.notes),
                "whole": one.is_whole and one.error is None,
                "error": None if one.error is None else str(one.error),
            }
            for one in done
        ]
        print(json.dumps(made, ensure_ascii=False, indent=2))
        return
    for one in done:
        for path in one.outputs:
            print(path)
        for note in one.notes:
            print(f"{one.path.name}: {note}", file=sys.stderr)
        if one.error is not None:
            print(f"madcat-studio: {one.error}", file=sys.stderr)
