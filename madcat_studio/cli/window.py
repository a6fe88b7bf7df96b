"""``madcat-studio open``: the window. Whoever starts the command line says how it is opened."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from madcat_studio.errors import InputError, WorldError

__all__ = ["open_window"]


def open_window(
    context: typer.Context,
    path: Annotated[
        str,
        typer.Argument(
            metavar="PATH", help="A page, a folder of pages, a campaign, a scorecard's result."
        ),
    ],
) -> None:
    """Open a page, a folder, a campaign or a scorecard's result in the window."""
    if "://" not in path and not Path(path).exists():
        raise InputError(
            "file.not-found",
            "there is no such file",
            where=path,
            remedy="Check the name and the folder",
        )
    if context.obj is None:
        raise WorldError("window.not-here", "no window can be opened from here")
    status = context.obj(path)
    if status:
        raise typer.Exit(status)
