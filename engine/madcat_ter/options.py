"""What scoring can be told to do: each option declared once, with its names elsewhere.

A switch's field says what it is called on the command line and in a signature. The command line,
the options of a campaign and the signatures are made from that; a new switch is a field here, and
what it does to a text (its ``letters``, or a step of :mod:`madcat_ter.text`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, Literal

from madcat_ter.errors import UsageError

__all__ = [
    "FORMAT_CHARACTERS",
    "Costs",
    "Switch",
    "TerOptions",
    "TextOptions",
    "WerOptions",
    "switches",
]


@dataclass(frozen=True, slots=True)
class Switch:
    """What is known of an option that is on or off.

    Attributes:
        default: whether it is on where nobody says so.
        flags: what it is called on the command line: as Typer takes it, then short ones.
        help: what it does, for the command line.
        setting, on, off: its name in a signature, and what stands there. Switches of one name
            share a place: those that are on, or else ``off``.
        letters: for :meth:`str.translate`, where that is all that it does.
    """

    default: bool
    flags: tuple[str, ...]
    help: str
    setting: str
    on: str
    off: str
    letters: Mapping[int, str | None] | None = None


_SWITCH = "switch"
_FOLD = "fold"


def _declared(switch: Switch) -> Any:
    return field(default=switch.default, metadata={_SWITCH: switch})


def _switch(default: bool, flags: str, help_: str, *, signed: tuple[str, str, str]) -> Any:
    return _declared(Switch(default, tuple(flags.split()), help_, *signed))


def _folding(
    flag: str, help_: str, name: str, letters: Mapping[int, str | None] | None = None
) -> Any:
    return _declared(Switch(False, (flag,), help_, _FOLD, name, "no", letters))


def _characters(*ranges: tuple[int, int]) -> dict[int, None]:
    return {point: None for first, last in ranges for point in range(first, last + 1)}


_DIACRITICS = _characters(
    (0x064B, 0x0655),
    (0x0670, 0x0670),
    (0x06D6, 0x06DC),
    (0x06DF, 0x06E4),
    (0x06E7, 0x06E8),
    (0x06EA, 0x06ED),
    (0x08F0, 0x08F2),
)
FORMAT_CHARACTERS = _characters(
    *((0x00AD, 0x00AD), (0x061C, 0x061C), (0x180E, 0x180E), (0x200B, 0x200F), (0x202A, 0x202E)),
    *((0x2060, 0x206F), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0x13430, 0x1343F)),
    *((0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0001, 0xE0001), (0xE0020, 0xE007F)),
    # The grapheme joiner and the selectors of a variant are marks to Unicode, and never seen alone.
    *((0x034F, 0x034F), (0x180B, 0x180D), (0x180F, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF)),
)
"""Unicode's format characters and joining marks that are not seen.

Without the few format characters that are seen: the signs that span numbers.
"""

_ALEFS = dict.fromkeys(map(ord, "\u0622\u0623\u0625\u0671"), "\u0627")  # madda, hamzas, wasla
_YEHS = dict.fromkeys(map(ord, "\u0649\u06cc"), "\u064a")  # alef maksura, Farsi yeh
_DIGITS = {zero + digit: str(digit) for zero in (0x0660, 0x06F0) for digit in range(10)}
_DIGITS |= {0x066B: ".", 0x066C: ","}  # the signs that stand within numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOptions:
    """What is done to both texts before their words are compared.

    Attributes:
        case_sensitive: upper and lower case differ (tercom ``-s``).
        normalise: split punctuation off by tercom's rules (``-N``).
        no_punctuation: delete ``. , ? : ; ! " ( )`` (``-P``).
        remove_diacritics: delete Arabic vowel signs and Quranic marks: U+064B-U+0655, U+0670,
            U+06D6-U+06DC, U+06DF-U+06E4, U+06E7, U+06E8, U+06EA-U+06ED, U+08F0-U+08F2.
        remove_tatweel: delete U+0640.
        remove_format_characters: delete what Unicode calls format characters: marks of direction,
            joiners, soft hyphens and the like; not those that are seen.
        fold_alef: alef with madda, hamza or wasla becomes bare alef.
        fold_yeh: alef maksura and Farsi yeh become yeh.
        fold_teh_marbuta: teh marbuta becomes heh.
        fold_digits: Arabic-Indic digits, both forms, become 0-9, U+066B a full stop and U+066C
            a comma.
        nfkc: Unicode normalisation form KC, before everything else.
    """

    case_sensitive: bool = _switch(
        True,
        "--case/--no-case",
        "Upper and lower case differ (-s).",
        signed=("case", "kept", "lower"),
    )
    normalise: bool = _switch(
        True,
        "--normalise/--no-normalise",
        "Split punctuation off (-N).",
        signed=("norm", "tercom-N", "no"),
    )
    no_punctuation: bool = _switch(
        False,
        "--no-punctuation -P",
        "Delete punctuation, as tercom -P.",
        signed=("punct", "removed", "kept"),
    )
    remove_diacritics: bool = _folding(
        "--remove-diacritics", "Delete Arabic vowel signs.", "diacritics", _DIACRITICS
    )
    remove_tatweel: bool = _folding(
        "--remove-tatweel", "Delete tatweel.", "tatweel", {0x0640: None}
    )
    remove_format_characters: bool = _folding(
        "--remove-format-characters",
        "Delete direction marks, joiners and similar characters.",
        "format",
        FORMAT_CHARACTERS,
    )
    fold_alef: bool = _folding(
        "--fold-alef", "Any alef with a sign becomes plain alef.", "alef", _ALEFS
    )
    fold_yeh: bool = _folding("--fold-yeh", "Alef maksura becomes yeh.", "yeh", _YEHS)
    fold_teh_marbuta: bool = _folding(
        "--fold-teh-marbuta", "Teh marbuta becomes heh.", "teh-marbuta", {0x0629: "\u0647"}
    )
    fold_digits: bool = _folding(
        "--fold-digits", "Arabic-Indic digits become 0-9.", "digits", _DIGITS
    )
    nfkc: bool = _folding("--nfkc", "Unicode normalisation form KC first.", "nfkc")

    @property
    def folds(self) -> bool:
        """Whether any of the Unicode and Arabic switches is on."""
        return any(
            switch.setting == _FOLD and getattr(self, name) for name, switch in switches(type(self))
        )

    def translation(self) -> Mapping[int, str | None]:
        """The table for :meth:`str.translate` that the Arabic switches amount to."""
        return _translation(self)[0]

    def translate(self, text: str) -> str:
        """The text as the Arabic switches leave it."""
        # Mostly there is nothing to change, and to see that takes a tenth of the time.
        table, letters = _translation(self)
        return text if text.isascii() or letters.isdisjoint(text) else text.translate(table)

    def settings(self) -> Iterator[tuple[str, str]]:
        """Name and value of every switch, for a signature.

        None is left out, so that equal signatures mean equal preparation.
        """
        told: dict[str, list[str]] = {}
        off: dict[str, str] = {}
        for name, switch in switches(type(self)):
            on = told.setdefault(switch.setting, [])
            off[switch.setting] = switch.off
            if getattr(self, name):
                on.append(switch.on)
        return ((setting, ",".join(on) or off[setting]) for setting, on in told.items())


@lru_cache(maxsize=64)
def _translation(options: TextOptions) -> tuple[dict[int, str | None], frozenset[str]]:
    """The table, and the letters that it changes."""
    table: dict[int, str | None] = {}
    for name, switch in switches(type(options)):
        if switch.letters and getattr(options, name):
            table.update(switch.letters)
    return table, frozenset(map(chr, table))


def switches(options: type[TextOptions]) -> tuple[tuple[str, Switch], ...]:
    """The switches of a kind of options, by the names of their fields, in the order declared."""
    return tuple(
        (one.name, one.metadata[_SWITCH]) for one in fields(options) if _SWITCH in one.metadata
    )


def _otherwise(name: str) -> Any:
    """A switch of TextOptions whose default is the other one here."""
    switch = dict(switches(TextOptions))[name]
    return _declared(replace(switch, default=not switch.default))


@dataclass(frozen=True, slots=True)
class Costs:
    """What each kind of edit costs; tercom ``-M -T -I -D -B``.

    Raises:
        UsageError: a cost is negative or not finite.
    """

    match: float = 0.0
    shift: float = 1.0
    insertion: float = 1.0
    deletion: float = 1.0
    substitution: float = 1.0

    def __post_init__(self) -> None:
        for name, cost in zip(self.__slots__, self.values(), strict=True):
            if not (math.isfinite(cost) and cost >= 0):
                raise UsageError(
                    "scoring.cost",
                    f"the cost of a {name} is {cost}",
                    remedy="Costs must be finite numbers, 0 or more",
                )

    def values(self) -> tuple[float, float, float, float, float]:
        """The costs in the order of the attributes, as floats."""
        return (
            float(self.match),
            float(self.shift),
            float(self.insertion),
            float(self.deletion),
            float(self.substitution),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TerOptions(TextOptions):
    """All settings that a TER depends on. The defaults are those of the plan: ``-s -N``.

    Attributes:
        beam: how far, in edits, a path may lie above the best one of the column before; tercom's
            default is 20. The beam can raise a number (an omission of more than 20 words).
            None: no beam, the exact edit distance.
        max_shift_distance: how many words a block may move; 0 turns shifts off.
        costs: of each kind of edit.
    """

    beam: int | None = 20
    max_shift_distance: int = 50
    costs: Costs = field(default_factory=Costs)

    def __post_init__(self) -> None:
        if self.beam is not None and self.beam < 0:
            raise UsageError(
                "scoring.beam",
                f"the beam is {self.beam}",
                remedy="It is 0 or more; tercom's own is 20",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class WerOptions(TextOptions):
    """All settings that a WER depends on.

    Punctuation stays where it is (``normalise`` is off): it is split in translations only.

    Attributes:
        nist: weigh as sclite does (substitution 4, insertion 3, deletion 3).
        alternatives: whether ``{ a / b / @ }`` in a text are alternatives, weighed as sclite does:
            ``no``, ``read``, or ``optional``, where words in parentheses may also be left out, as
            with sclite's ``-D``.
    """

    normalise: bool = _otherwise("normalise")
    nist: bool = _switch(
        False,
        "--nist",
        "sclite's weights and alignment (4/3/3).",
        signed=("weights", "nist", "edits"),
    )
    alternatives: Literal["no", "read", "optional"] = "no"

    def __post_init__(self) -> None:
        if self.alternatives != "no" and not self.nist:
            raise UsageError(
                "scoring.alternatives-weights",
                "alternatives and optional words are weighed as sclite does",
                remedy="Set nist as well",
            )
