"""Passphrases on the command line: from a file or typed unseen, never among the arguments."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from madcat_studio.errors import UsageError, WorldError

__all__ = ["PassphraseFile", "asking", "first_line", "new_passphrase"]

PassphraseFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="A file whose first line is the passphrase; - reads it from the standard input. "
        "Without it you are asked.",
    ),
]


def asking(file: Path | None) -> Callable[[Path], str]:
    """What is asked for the passphrase of a locked file; "" where nobody is there to answer."""
    kept: list[str] = []

    def ask(bundle: Path) -> str:
        if file is None:
            if not sys.stdin.isatty():
                return ""
            return str(
                typer.prompt(f"Passphrase of {bundle.name}", hide_input=True, default="", err=True)
            )
        if not kept:
            kept.append(first_line(file))
        return kept[0]

    return ask


def new_passphrase(file: Path | None, *, wanted: bool) -> str:
    """A passphrase to lock with, typed twice; "" where none is wanted.

    Raises:
        UsageError: ``bundle.no-passphrase``: nobody is there to type one, or the file is empty.
    """
    found = ""
    if file is not None:
        found = first_line(file)
    elif not wanted:
        return ""
    elif sys.stdin.isatty():
        found = typer.prompt(
            "New passphrase", hide_input=True, confirmation_prompt=True, default="", err=True
        )
    if not found:
        raise UsageError(
            "bundle.no-passphrase",
            "There is no passphrase to lock the bundle with",
            where=file or "",
            remedy="Type one when asked, or name a file that has it in its first line with "
            "--passphrase-file",
        )
    return found


def first_line(file: Path) -> str:
    """The first line of a file, or of the standard input for ``-``.

    Raises:
        WorldError: ``bundle.no-passphrase-file``: it cannot be read.
    """
    try:
        if str(file) == "-":
            line = sys.stdin.readline()
        else:
            with file.open(encoding="utf-8-sig") as stream:
                line = stream.readline()
    except (OSError, UnicodeDecodeError) as error:
        raise WorldError(
            "bundle.no-passphrase-file",
            f"The passphrase cannot be read ({getattr(error, 'strerror', None) or error})",
            where=file,
            remedy="Check the name and the permissions; the file must be UTF-8 text",
        ) from error
    return line.rstrip("\r\n")
