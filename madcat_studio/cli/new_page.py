"""``madcat-studio new``: a page to be marked, from a scan and its transcript."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from madcat_studio.cli.streams import READ

__all__ = ["new"]


def new(
    image: Annotated[Path, typer.Argument(help="The scan, or a PDF of scans.")],
    transcript: Annotated[
        Path | None,
        typer.Option(help="A UTF-8 text, one segment per line; - too."),
        READ,
    ] = None,
    translation: Annotated[
        Path | None,
        typer.Option(help="The reference, with as many lines; - too."),
        READ,
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The file to write.")] = None,
    scribe: Annotated[str, typer.Option(help="Who wrote the page.")] = "",
    genre: Annotated[str, typer.Option(help="The genre of the text, such as newswire.")] = "",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file.")] = False,
) -> None:
    """Make a page to mark, from a scan and the text written on it."""
    from madcat_studio.operations.pages.new_page import new_page

    path = new_page(
        image,
        transcript,
        translation=translation,
        target=out,
        scribe=scribe or None,
        genre=genre or None,
        overwrite=overwrite,
    )
    print(path)
