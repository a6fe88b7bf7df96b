"""``madcat-studio open`` and ``doctor``: the window, and what this machine has for all of it.

Whoever starts the command line says how the window is opened.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.cli.forms import Form, FormOption, put
from madcat_studio.errors import InputError, WorldError

if TYPE_CHECKING:
    from madcat_studio.pages.lettering import Fit

__all__ = ["Window", "doctor", "open_window", "window_of"]


@dataclass(frozen=True, slots=True)
class Window:
    """What the window's libraries do for commands; this room does not know them.

    Attributes:
        show: opens the window at a location, for a demo campaign with its doors, and returns its
            exit status.
        fit: gives what lays texts out on pages; needs no display.
    """

    show: Callable[[str | None, bool], int]
    fit: Callable[[], Fit]


def window_of(context: typer.Context) -> Window:
    """The window that whoever started the command line has.

    Raises:
        WorldError: ``window.not-here``.
    """
    if not isinstance(context.obj, Window):
        raise WorldError("window.not-here", "a window cannot be opened from here")
    return context.obj


def open_window(
    context: typer.Context,
    path: Annotated[
        str | None,
        typer.Argument(
            metavar="PATH",
            help="A page, a folder of pages, a campaign, a kit file or a scorecard's result.",
            show_default=False,
        ),
    ] = None,
    demo: Annotated[
        bool,
        typer.Option("--demo", help="Ask what to try in the demo at PATH, or in one of your own."),
    ] = False,
) -> None:
    """Open the window, on a page, a folder, a campaign, a kit or a scorecard's result."""
    if path is not None and "://" not in path and not Path(path).exists():
        raise InputError(
            "file.not-found",
            "there is no such file",
            where=path,
            remedy="Check the name and the folder",
        )
    status = window_of(context).show(path, demo)
    if status:
        raise typer.Exit(status)


def doctor(form: FormOption = Form.TEXT) -> None:
    """Check this machine: window, display, fonts, dictionaries, databases, folders, disk.

    Exit status 1 if something is broken; what is merely not installed is reported, but is no error.
    """
    from madcat_studio.model.characters import marked
    from madcat_studio.workspace.machine import State, examine, worst

    found = []
    for one in examine():
        found.append(one)
        if form is Form.TEXT:
            remedy = f". {one.remedy}" if one.remedy else ""
            print(marked(f"{one.state:<6}  {one.name}: {one.what}{remedy}."), flush=True)
    if form is Form.JSON:
        put(found)
    if worst(found) is State.BROKEN:
        raise typer.Exit(1)
