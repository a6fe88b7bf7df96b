"""The switches of scoring as options of a command, made from where each is declared."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from inspect import Parameter
from typing import Annotated

import typer

from madcat_ter.options import TextOptions, switches

__all__ = ["takes_switches"]

Command = Callable[..., None]


def takes_switches(options: type[TextOptions]) -> Callable[[Command], Command]:
    """Give a command, in place of its ``**switches``, those of a kind of options.

    On the help page they follow the arguments.
    """

    def give(command: Command) -> Command:
        own = inspect.signature(command, eval_str=True)
        named = [one for one in own.parameters.values() if one.kind is not Parameter.VAR_KEYWORD]
        needed = [one for one in named if one.default is Parameter.empty]
        made = [
            Parameter(
                name,
                Parameter.POSITIONAL_OR_KEYWORD,
                default=switch.default,
                annotation=Annotated[bool, typer.Option(*switch.flags, help=switch.help)],
            )
            for name, switch in switches(options)
        ]
        parameters = [*needed, *made, *named[len(needed) :]]
        vars(command)["__signature__"] = own.replace(parameters=parameters)
        return command

    return give
