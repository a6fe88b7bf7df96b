"""The original's command line: what each argument means, and numbers as Java reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from madcat_studio.errors import StudioError
from madcat_studio.reports.tercom_listings import FORMATS
from madcat_studio.scoring.options import Costs, TerOptions
from madcat_studio.scoring.text import TRIMMED

__all__ = ["TercomStop", "TercomTask", "java_int", "parse_arguments"]


class TercomStop(StudioError):
    """The original would stop here with exit status 1, after what it has said on its output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TercomTask:
    """What the command line asks for.

    Attributes:
        reference: the file of ``-r``.
        hypothesis: the file of ``-h``.
        lengths: the file of ``-a``, or None.
        spans: the prefix of ``-S``, or None.
        outputs: which files to write.
        prefix: of their names; None: no file.
        options: how to score.
        spans_move: a word's span of ``-S`` goes with it for good; the original puts it back.
    """

    reference: str
    hypothesis: str
    lengths: str | None = None
    spans: str | None = None
    outputs: tuple[str, ...] = tuple(FORMATS)
    prefix: str | None = None
    options: TerOptions = field(
        default_factory=lambda: TerOptions(case_sensitive=False, normalise=False)
    )
    spans_move: bool = False


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


# Java's Double.parseDouble, blanks at the ends taken off already.
_DECIMAL = re.compile(
    r"[+-]?(?:NaN|Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fFdD]?)"
)
_HEXADECIMAL = re.compile(
    r"[+-]?0[xX](?:[0-9a-fA-F]+\.?|[0-9a-fA-F]*\.[0-9a-fA-F]+)[pP][+-]?[0-9]+[fFdD]?"
)
# Java's Integer.parseInt: digits of any script, as far as one unit of UTF-16 holds them.
_WHOLE = re.compile(r"[+-]?\d+")


def _number(text: str, letter: str) -> float:
    number = text.strip(TRIMMED)
    if _DECIMAL.fullmatch(number):
        return float(number if number.endswith(("NaN", "Infinity")) else number.rstrip("fFdD"))
    if _HEXADECIMAL.fullmatch(number):
        try:
            return float.fromhex(number.rstrip("fFdD"))
        except OverflowError:  # Java calls it infinite
            return float("inf")
    raise _not_a_number(text, letter, "a number")


def java_int(text: str) -> int | None:
    """A whole number as Java reads it, of 32 bits; None where it reads none."""
    if not _WHOLE.fullmatch(text) or max(text) > "\uffff":
        return None
    number = int(text)
    return number if -(2**31) <= number < 2**31 else None


def _whole(text: str, letter: str) -> int:
    number = java_int(text)
    if number is None:
        raise _not_a_number(text, letter, "a whole number")
    return number


def _not_a_number(text: str, letter: str, what: str) -> TercomStop:
    return TercomStop("tercom.number", f"-{letter} {text} is not {what}, and tercom stops there")
