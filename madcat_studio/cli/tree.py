"""The commands as the parser knows them, made for what was asked: the whole tree takes long.

Whoever asks for one command needs its options, and of all others no more than their names and the
first line of their help.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from typer.main import get_command_name, get_group

from madcat_studio.cli.completion import answer, completion, typed
from madcat_studio.cli.coordinator import give_option
from madcat_studio.cli.examples import EXAMPLES
from madcat_studio.cli.streams import with_streams
from madcat_studio.cli.values import read_plainly

if TYPE_CHECKING:
    import typer
    from typer.core import TyperGroup

__all__ = ["asked_for", "completion", "show_help", "tree"]


def tree(app: typer.Typer, words: tuple[str, ...] | None = None) -> TyperGroup:
    """The commands of an application; with ``words`` only that on their way has its options."""
    made = _copied(app, words, ())
    give_option(made)
    return read_plainly(get_group(made))


def asked_for(app: typer.Typer, arguments: list[str]) -> tuple[str, ...]:
    """The groups and the command that arguments name, as far as they are there.

    Where a shell completes, they are what has been typed so far.
    """
    half = typed()
    if half is not None:
        answer()
        arguments = half
    found: list[str] = []
    groups = {"": app}
    commands: set[str] = set()
    for word in arguments:
        if word.startswith("-"):
            if found:
                break
            continue
        here = groups.get(found[-1] if found else "")
        if here is None:
            break
        groups = {
            _group(one): one.typer_instance for one in here.registered_groups if one.typer_instance
        }
        commands = {_name(one) for one in here.registered_commands}
        if word not in groups and word not in commands:
            break
        found.append(word)
        if word in commands and word not in groups:
            break
    return tuple(found)


def show_help(group: TyperGroup, words: tuple[str, ...]) -> None:
    """Print the help page of the command on this way.

    The parser would read the options before it first, which brings the library that turns words
    into values: a third of the time.
    """
    command: Any = group
    context = command.context_class(command, info_name="madcat-studio", **command.context_settings)
    for word in words:
        command = command.commands[word]
        context = command.context_class(
            command, info_name=word, parent=context, **command.context_settings
        )
    print(command.get_help(context))


def _copied(app: typer.Typer, words: tuple[str, ...] | None, way: tuple[str, ...]) -> typer.Typer:
    """A copy with all commands whole, with the one on the way alone, or with all by their names."""
    made = copy.copy(app)
    made.registered_commands = [
        _whole(info, way) if words is None or words else _named_alone(info)
        for info in app.registered_commands
        if not words or words[0] == _name(info)
    ]
    made.registered_groups = []
    for info in app.registered_groups:
        name = _group(info)
        if info.typer_instance is None or (words and words[0] != name):
            continue
        group = copy.copy(info)
        rest = None if words is None else words[1:]
        group.typer_instance = _copied(info.typer_instance, rest, (*way, name))
        made.registered_groups.append(group)
    return made


def _whole(info: Any, way: tuple[str, ...]) -> Any:
    made = copy.copy(info)
    example = EXAMPLES.get(" ".join((*way, _name(info))))
    made.callback = with_streams(info.callback)
    made.epilog = f"Example: madcat-studio {example}" if example else info.epilog
    return made


def _group(info: Any) -> str:
    """A group's name: as it was added, else as it calls itself."""
    given = info.name if isinstance(info.name, str) else info.typer_instance.info.name
    return str(given)


def _name(info: Any) -> str:
    return str(info.name or get_command_name(info.callback.__name__))


def _named_alone(info: Any) -> Any:
    """A command's name and help without its options, which nobody asks for now."""
    made = copy.copy(info)

    def alone() -> None:
        raise AssertionError  # it is only listed

    alone.__name__, alone.__doc__ = info.callback.__name__, info.callback.__doc__
    made.callback = alone
    return made
