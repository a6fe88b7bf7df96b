"""The coordinator's passphrase on the command line: from a file, the environment, or typed unseen.

Every command with a campaign among its arguments takes ``--coordinator-file``, given to it here,
so that none can be without.
"""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable, Iterator
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any

import typer

from madcat_studio.cli.passphrase import first_line
from madcat_studio.errors import UsageError

__all__ = ["FLAG", "VARIABLE", "give_option", "given_passphrase", "new_passphrase_of_rooms"]

FLAG = "--coordinator-file"
VARIABLE = "MADCAT_STUDIO_COORDINATOR_PASSPHRASE"

_CAMPAIGN = {"where", "campaign"}
"""What the parameters are called that name a campaign."""

_ROLES_DECIDE = "server"
"""The group of commands whose campaigns are on a server, where no passphrase opens anything."""

_OPTION = Parameter(
    "coordinator_file",
    Parameter.POSITIONAL_OR_KEYWORD,
    default=None,
    annotation=Annotated[
        Path | None,
        typer.Option(
            FLAG,
            metavar="FILE",
            help="A file whose first line is the coordinator's passphrase, where the campaign "
            f"has one; - reads it from the standard input. Otherwise {VARIABLE} in the "
            "environment, or you are asked.",
        ),
    ],
)

_Command = Callable[..., Any]
_given: Path | None = None
"""The file that was named for the command that runs."""


def give_option(app: typer.Typer) -> None:
    """Let every command of a campaign take the coordinator's passphrase from a file."""
    for info in _commands(app):
        if info.callback is not None and _CAMPAIGN & set(
            inspect.signature(info.callback).parameters
        ):
            info.callback = _with_option(info.callback)


def _commands(app: typer.Typer) -> Iterator[Any]:
    yield from app.registered_commands
    for group in app.registered_groups:
        if group.typer_instance is not None and group.name != _ROLES_DECIDE:
            yield from _commands(group.typer_instance)


def _with_option(command: _Command) -> _Command:
    own = inspect.signature(command, eval_str=True)

    @functools.wraps(command)
    def run(*, coordinator_file: Path | None, **given: Any) -> Any:
        from madcat_studio.store import ask_passphrase_with

        global _given
        _given = coordinator_file
        ask_passphrase_with(lambda where: given_passphrase() or _typed(where))
        return command(**given)

    vars(run)["__signature__"] = own.replace(parameters=[*own.parameters.values(), _OPTION])
    return run


def given_passphrase() -> str:
    """What the file or the environment says, or ""."""
    if _given is not None:
        return first_line(_given)
    return os.environ.get(VARIABLE, "")


def _typed(where: str) -> str:
    if not sys.stdin.isatty():
        return ""
    return str(
        typer.prompt(f"Coordinator's passphrase of {where}", hide_input=True, default="", err=True)
    )


def new_passphrase_of_rooms(file: Path | None, given: str = "") -> str:
    """A new passphrase for the coordinator's rooms: from a file, as given, or typed twice.

    Raises:
        UsageError: ``campaign.no-passphrase``: nobody is there to type one, or the file is empty.
    """
    found = given
    if file is not None:
        found = first_line(file)
    elif not found and sys.stdin.isatty():
        found = typer.prompt(
            "New passphrase of the coordinator",
            hide_input=True,
            confirmation_prompt=True,
            default="",
            err=True,
        )
    if not found:
        raise UsageError(
            "campaign.no-passphrase",
            "There is no passphrase for the coordinator's rooms",
            where=file or "",
            remedy="Type one when asked, or name a file that has it in its first line",
        )
    return found
