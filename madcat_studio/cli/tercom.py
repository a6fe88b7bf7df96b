"""The original's command line: its options by their first letter, its messages, its statuses."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from madcat_studio.operations.scores.tercom_task import TercomStop, TercomTask

__all__ = ["parse_arguments", "run"]


def run(arguments: Sequence[str]) -> int:
    """Do what the original does with these arguments, and return its exit status."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.errors import UsageError
    from madcat_studio.operations.scores.tercom import run_tercom
    from madcat_studio.operations.scores.tercom_task import TercomStop

    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8")
    rest = list(arguments)
    strict = "--strict" in rest
    if strict:
        rest.remove("--strict")
    moving_spans = "--moving-spans" in rest
    if moving_spans:
        rest.remove("--moving-spans")
    jobs = 1
    if "--jobs" in rest:
        at = rest.index("--jobs")
        if at + 1 >= len(rest) or not rest[at + 1].isdecimal():
            raise UsageError("tercom.jobs", "--jobs needs a number", remedy="Such as --jobs 2")
        jobs = int(rest[at + 1])
        del rest[at : at + 2]
    try:
        task = replace(parse_arguments(rest, print), spans_move=moving_spans)
        with bar() as progress:
            run_tercom(
                task,
                print,
                lambda text: print(f"madcat-studio: {text}", file=sys.stderr),
                strict=strict,
                jobs=jobs,
                progress=progress,
            )
    except TercomStop as stop:
        print(f"madcat-studio: {stop}", file=sys.stderr)
        return 1
    return 0


_USAGE = (
    "usage: madcat-studio tercom -r REF -h HYP [-N] [-s] [-P] [-b BEAM] [-d DISTANCE] "
    "[-a LENGTHS] [-S SPANS] [-o sum,pra,pra_more,xml,ter,sum_nbest -n PREFIX] "
    "[-M COST] [-T COST] [-I COST] [-D COST] [-B COST]"
)
_THEIR_USAGE = (
    "** Usage: java -jar tercom.jar [-N] [-s] [-P] -r ref -h hyp [-a alter_ref] [-b beam_width] "
    "[-S trans_span_prefix] [-o out_format -n out_pefix] [-d max_shift_distance] [-M match_cost] "
    "[-D delete_cost] [-B substitute_cost] [-I insert_cost] [-T shift_cost]"
)
_COSTS = {
    "M": "match",
    "T": "shift",
    "I": "insertion",
    "D": "deletion",
    "B": "substitution",
}


def parse_arguments(arguments: Sequence[str], say: Callable[[str], None]) -> TercomTask:
    """Understand a command line as the original does: by the first letter after the hyphen.

    Args:
        arguments: those after the command.
        say: takes the lines that the original prints where it cannot go on.

    Raises:
        TercomStop: the original would print its usage, or stop at a number that is none.
        UsageError: a cost that nothing can be computed with.
    """

    from madcat_studio.operations.scores.tercom_task import TercomStop, TercomTask
    from madcat_studio.reports.tercom_listings import FORMATS
    from madcat_ter.options import Costs, TerOptions

    def usage(*first: str) -> TercomStop:
        for line in (*first, _THEIR_USAGE):
            say(line)
        return TercomStop("tercom.usage", _USAGE)

    values: dict[str, str] = {}
    switches: set[str] = set()
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        letter = argument[1:2]
        if not argument.startswith("-"):
            raise usage()
        if letter in ("N", "s", "P"):
            switches.add(letter)
        elif letter and letter in "rhbdaSonMTIDB":
            if not rest or rest[0].startswith("-"):
                raise usage()
            values[letter] = rest.pop(0)
    if "r" not in values or "h" not in values:
        raise usage("** Please specify both reference and hypothesis inputs")
    costs = replace(
        Costs(),
        **{name: _number(values[key], key) for key, name in _COSTS.items() if key in values},
    )
    outputs = tuple(FORMATS)
    if "o" in values:
        outputs = tuple(name for name in FORMATS if name in values["o"].split(","))
    return TercomTask(
        reference=values["r"],
        hypothesis=values["h"],
        lengths=values.get("a"),
        spans=values.get("S"),
        outputs=outputs,
        prefix=values.get("n"),
        options=TerOptions(
            case_sensitive="s" in switches,
            normalise="N" in switches,
            no_punctuation="P" in switches,
            beam=_whole(values.get("b", "20"), "b"),
            max_shift_distance=_whole(values.get("d", "50"), "d"),
            costs=costs,
        ),
    )


def _number(text: str, letter: str) -> float:
    from madcat_studio.formats.java import java_float

    if (number := java_float(text)) is None:
        raise _not_a_number(text, letter, "a number")
    return number


def _whole(text: str, letter: str) -> int:
    from madcat_studio.formats.java import java_int

    if (number := java_int(text)) is None:
        raise _not_a_number(text, letter, "a whole number")
    return number


def _not_a_number(text: str, letter: str, what: str) -> TercomStop:
    from madcat_studio.operations.scores.tercom_task import TercomStop

    return TercomStop("tercom.number", f"-{letter} {text} is not {what}, and tercom stops there")
