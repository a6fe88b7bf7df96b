"""``-`` where a file is named: the standard input, or the standard output.

A command gets a file all the same: readers go back and forth in it, and writers write all or
nothing, so that nothing half-written leaves. What a command tells beside goes to the error stream.
"""

from __future__ import annotations

import functools
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any, TextIO, cast

import typer

from madcat_studio.cli.terminal import Changing

__all__ = ["READ", "Stream", "standing_in", "streams_of", "with_streams"]

SIGN = "-"


@dataclass(frozen=True, slots=True)
class Stream:
    """Beside a parameter's type: ``-`` may stand for the file.

    Attributes:
        ending: of such a file's name, where that tells its form.
        written: it is the standard output.
        back: the parameter that is written where this one would be changed in place.
    """

    ending: str = ""
    written: bool = False
    back: str = ""


READ = Stream()


def streams_of(command: Callable[..., Any]) -> dict[str, Stream]:
    """Which parameters of a command may be ``-``."""
    return {
        name: one
        for name, parameter in signature(command, eval_str=True).parameters.items()
        for one in getattr(parameter.annotation, "__metadata__", ())
        if isinstance(one, Stream)
    }


def with_streams(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command; where ``-`` is given for a file, with a file that stands in for it."""

    @functools.wraps(command)
    def run(*given: Any, **named: Any) -> Any:
        if any(SIGN in _words(value) for value in named.values()):
            with standing_in(streams_of(command), named) as instead:
                return command(*given, **instead)
        return command(*given, **named)

    return run


@contextmanager
def standing_in(streams: dict[str, Stream], named: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The values of parameters with files in place of ``-``; what was written is put out.

    Raises:
        UsageError: ``input.twice``: the standard input is wanted for two files.
    """
    from madcat_studio.errors import StudioError, UsageError
    from madcat_studio.formats.files import STAND_IN

    given = dict(named)
    read = [
        name for name, one in streams.items() if not one.written and SIGN in _words(given[name])
    ]
    if sum(_words(given[name]).count(SIGN) for name in read) > 1:
        raise UsageError(
            "input.twice", "the standard input can be only one file", remedy="Name the others"
        )
    for name in read:
        if (back := streams[name].back) and given[back] is None:
            given[back] = Path(SIGN)
    written = [
        name for name, one in streams.items() if one.written and _words(given[name]) == [SIGN]
    ]
    out = sys.stdout
    with tempfile.TemporaryDirectory(prefix="madcat-studio-") as made:
        folder = Path(made)
        told: dict[str, str] = {}
        for name in read:
            kept = folder / f"{STAND_IN}{streams[name].ending}"
            with kept.open("wb") as file:
                shutil.copyfileobj(sys.stdin.buffer, file)
            given[name] = _put(given[name], kept)
            told |= {str(kept): "<stdin>", kept.name: "<stdin>"}
        place: Path | None = None
        for name in written:
            place = folder / f"standard-output{streams[name].ending}"
            given[name] = _put(given[name], place)
            told |= {str(place): "<stdout>", place.name: "<stdout>"}
        try:
            with _called(told), redirect_stdout(sys.stderr) if written else nullcontext():
                yield given
        except typer.Exit:
            _put_out(place, out)
            raise
        except StudioError as error:
            for part in ("where", "reason", "remedy"):
                setattr(error, part, _as_called(getattr(error, part), told))
            raise
        _put_out(place, out)


def _calling(stream: Any, names: dict[str, str]) -> Changing:
    """A stream on which the files that stand in are called what the user gave for them."""
    made = Changing(stream, functools.partial(_as_called, names=names))
    # Rich writes past marks of ours, to the stream below.
    below = getattr(stream, "rich_proxied_file", None)
    made.rich_proxied_file = made if below is None else _calling(below, names)
    return made


def _as_called(text: str, names: dict[str, str]) -> str:
    for file, called in names.items():
        text = text.replace(file, called)
    return text


@contextmanager
def _called(names: dict[str, str]) -> Iterator[None]:
    with ExitStack() as after:
        for name, redirect in (("stdout", redirect_stdout), ("stderr", redirect_stderr)):
            after.enter_context(redirect(cast(TextIO, _calling(getattr(sys, name), names))))
        yield


def _words(value: object) -> list[str]:
    """The files that a value names."""
    if isinstance(value, list | tuple):
        return [str(one) for one in value]
    return [str(value)] if isinstance(value, str | Path) else []


def _put(value: Any, place: Path) -> Any:
    """The value with a file in place of the sign, of the same type."""
    if isinstance(value, list | tuple):
        return [_put(one, place) if str(one) == SIGN else one for one in value]
    return type(value)(place) if isinstance(value, Path) else str(place)


def _put_out(place: Path | None, out: TextIO) -> None:
    if place is not None and place.exists():
        out.flush()
        with place.open("rb") as file:
            shutil.copyfileobj(file, out.buffer)
        out.buffer.flush()
