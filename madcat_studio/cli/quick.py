"""The scoring commands without the command line's library, which takes longer than they do.

Only what is written in the usual way is understood here; help, mistakes and anything unusual are
left to Typer, which says all there is to say. A test holds the options against those of Typer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from madcat_studio.cli.ending import guarded
from madcat_ter.options import TerOptions, TextOptions, WerOptions, switches

__all__ = ["COMMANDS", "Form", "run", "understand"]


@dataclass(frozen=True, slots=True)
class Form:
    """What a command takes.

    Attributes:
        options: the kind of options whose switches it has.
        flags: further ones: the option -> the name of what becomes true.
        numbers: the option -> its name; whole and not negative.
        texts: the option -> its name.
        paths: the option -> its name.
        most: arguments after the first, None for any number.
    """

    options: type[TextOptions]
    flags: Mapping[str, str]
    numbers: Mapping[str, str]
    texts: Mapping[str, str]
    paths: Mapping[str, str]
    most: int | None

    def all_flags(self) -> dict[str, tuple[str, bool]]:
        """Each option without a value: what it sets, and to what."""
        found = {flag: (name, True) for flag, name in self.flags.items()}
        for name, switch in switches(self.options):
            for flag in switch.flags:
                on, slash, off = flag.partition("/")
                found[on] = name, True
                if slash:
                    found[off] = name, False
        return found


_SHOWN = {"--segments": "segments"}
_FORMS = ("text", "json")

COMMANDS = {
    "ter": Form(
        TerOptions,
        {**_SHOWN, "--exact": "exact"},
        {"--beam": "beam", "--distance": "distance", "--jobs": "jobs"},
        {"--replay": "replay", "--on": "on", "--format": "form"},
        {"--out": "out", "-o": "out"},
        None,
    ),
    "wer": Form(
        WerOptions,
        {
            **_SHOWN,
            "--characters": "characters",
            "--alternatives": "alternatives",
            "--optional-words": "optional_words",
        },
        {"--confusions": "confusions"},
        {"--on": "on", "--format": "form"},
        {"--out": "out", "-o": "out"},
        1,
    ),
}


def understand(
    form: Form, arguments: Sequence[str]
) -> tuple[list[Path], dict[str, bool | int | str | Path]] | None:
    """The command's arguments and its options by name; None where Typer has to look."""
    flags = form.all_flags()
    places: list[Path] = []
    given: dict[str, bool | int | str | Path] = {}
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        option, equals, value = argument.partition("=")
        if not argument.startswith("-"):
            if not argument:
                return None
            places.append(Path(argument))
        elif argument in flags:
            name, on = flags[argument]
            given[name] = on
        else:
            if not equals:
                if not rest:
                    return None
                value = rest.pop(0)
            if not value or value.startswith("-"):
                return None
            if option == "--format" and value not in _FORMS:
                return None
            if option in form.numbers and value.isascii() and value.isdecimal():
                given[form.numbers[option]] = int(value)
            elif option in form.texts:
                given[form.texts[option]] = value
            elif option in form.paths:
                given[form.paths[option]] = Path(value)
            else:
                return None
    if len(places) < 2 or (form.most is not None and len(places) > 1 + form.most):
        return None
    return places, given


def run(arguments: Sequence[str]) -> int | None:
    """Run a command that is understood here and return its exit status; None leaves it to Typer."""
    if not arguments:
        return None
    command, *rest = arguments
    if command == "tercom" and "--help" not in rest and "--" not in rest:
        return guarded(partial(_logged, command, partial(_tercom, rest)))
    form = COMMANDS.get(command)
    understood = None if form is None else understand(form, rest)
    if understood is None:
        return None
    return guarded(partial(_logged, command, partial(_scored, command, *understood)))


def _tercom(arguments: Sequence[str]) -> None:
    from madcat_studio.cli import tercom

    raise SystemExit(tercom.run(arguments))


def _scored(
    command: str, places: Sequence[Path], given: Mapping[str, bool | int | str | Path]
) -> None:
    from madcat_studio.cli import scored

    first, *others = places
    # The forms above know the types of what they give.
    if command == "ter":
        scored.ter(first, others, **given)  # type: ignore[arg-type]
    else:
        scored.wer(first, others[0], **given)  # type: ignore[arg-type]


def _logged(command: str, work: Callable[[], None]) -> None:
    """Start the log where there is something to say: for a line or two it takes too long."""
    try:
        work()
    except Exception:
        import logging

        from madcat_studio import __version__, log

        log.start()
        logging.getLogger(__name__).info("%s of version %s", command, __version__)
        raise
