"""``madcat-studio completion``: what a shell needs to complete commands and options by Tab.

A shell asks the program itself, by a variable of the environment, so that its answer is that of the
version which is installed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

import typer

__all__ = ["SHELLS", "VARIABLE", "Shell", "answer", "completion", "completion_script", "typed"]

_PROGRAM = "madcat-studio"
VARIABLE = "_MADCAT_STUDIO_COMPLETE"
"""A shell that completes sets it."""


class Shell(StrEnum):
    """The shells that are known."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


SHELLS = tuple(Shell)


def completion_script(shell: Shell) -> str:
    """What a shell reads at its start to complete the program's commands."""
    from typer._completion_shared import get_completion_script

    text = get_completion_script(prog_name=_PROGRAM, complete_var=VARIABLE, shell=shell)
    if shell is Shell.ZSH:
        # As a file of its own it is read at the first Tab, which is to be answered too.
        text += '\n\n[ "$funcstack[1]" = "_madcat-studio" ] && _madcat_studio_completion "$@"'
    return text.strip() + "\n"


def completion(shell: Annotated[Shell, typer.Argument(help="Your shell.")]) -> None:
    """Print what a shell needs to complete commands and options by Tab."""
    print(completion_script(shell), end="")


def typed(environment: Mapping[str, str] = os.environ) -> list[str] | None:
    """The words that stand behind the program where a shell completes; else None."""
    if VARIABLE not in environment:
        return None
    line = environment.get("COMP_WORDS") or environment.get("_TYPER_COMPLETE_ARGS", "")
    return line.split()[1:]


def answer() -> None:
    """Let Typer know the shells; it does of itself only where it adds options of its own."""
    from typer._completion_classes import completion_init

    completion_init()
