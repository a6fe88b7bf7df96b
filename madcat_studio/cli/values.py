"""Words of the command line as values, without the library that Typer asks for each.

Loading that takes a third of what an empty command does. A text, a path, a number or a choice is
plain to see; what is not plain goes to Typer, which says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, get_args

from typer._coercion import RuntimeParam, TypeDescriptor, build_runtime_param
from typer._param_types import coerce_cli_path
from typer.core import TyperGroup

__all__ = ["read_plainly"]

_DIGITS = 9
"""Of a number that is taken as plain."""


def read_plainly(group: TyperGroup) -> TyperGroup:
    """Let a group and all its commands read plain words so. Returns the group."""
    for command in _commands(group):
        # The option --help comes to the others only when they are asked for.
        vars(command)["get_params"] = partial(_plainly_read, command.get_params)
    return group


def _plainly_read(parameters: Callable[[Any], list[Any]], context: Any) -> list[Any]:
    found = parameters(context)
    for one in found:
        if one._runtime_param is None:
            asked = one.type_descriptor
            one._runtime_param = _Plain(asked.parameter_info, asked.annotation, asked)
    return found


def _commands(command: Any) -> Iterator[Any]:
    yield command
    for one in getattr(command, "commands", {}).values():
        yield from _commands(one)


@dataclass(frozen=True)
class _Plain(RuntimeParam):
    """Reads a parameter's words; Typer does where one of them is not plain."""

    asked: TypeDescriptor

    def _coerce_value(self, value: Any, param: Any, ctx: Any) -> Any:
        several = self.asked.is_list
        kind = get_args(self.annotation)[0] if several else self.annotation
        made = [self._plain(kind, one) for one in (value if several else [value])]
        if any(one is None for one in made):
            return build_runtime_param(self.asked)._coerce_value(value, param=param, ctx=ctx)
        if kind is Path:  # there may be one that nobody may read
            made = [
                coerce_cli_path(one, self.parameter_info, path_type=Path, param=param, ctx=ctx)
                for one in made
            ]
        return made if several else made[0]

    def _plain(self, kind: Any, word: Any) -> Any:
        """What a word stands for; None where it is not plain, or is a number out of its range."""
        if kind in (str, Path):
            return kind(word)
        if isinstance(kind, type) and issubclass(kind, Enum):
            return next((one for one in kind if word in (one, one.value)), None)
        if kind in (int, float):
            return self._number(kind, str(word))
        return None

    def _number(self, kind: type[int] | type[float], word: str) -> int | float | None:
        whole, point, part = word.removeprefix("-").partition(".")
        digits = whole + part
        if not (digits.isascii() and digits.isdigit() and whole and len(digits) <= _DIGITS):
            return None
        if point and kind is int:
            return None
        number, info = kind(word), self.parameter_info
        if (info.min is not None and number < info.min) or (
            info.max is not None and number > info.max
        ):
            return None
        return number
