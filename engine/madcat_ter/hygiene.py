"""What cannot be seen in texts and counts all the same, told with what it costs and what lifts it.

A mark of direction, a letter written as two characters, a letter in its printed form, a blank that
is none, digits of another script: two texts look alike, and the words differ.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Generic, TypeVar

from madcat_ter.options import FORMAT_CHARACTERS, TextOptions, switches
from madcat_ter.text import FOREIGN_BLANKS

__all__ = ["Hygiene", "Seen", "Trouble", "troubles"]


class Trouble(StrEnum):
    """A kind of what cannot be seen."""

    FORMAT = "format characters"
    DECOMPOSED = "decomposed characters"
    PRESENTATION = "presentation forms of letters"
    BLANKS = "blanks that divide no words, as in tercom"
    DIGITS = "digits of several scripts"


LIFTED_BY = {
    Trouble.FORMAT: "remove_format_characters",
    Trouble.DECOMPOSED: "nfkc",
    Trouble.PRESENTATION: "nfkc",
    Trouble.BLANKS: "nfkc",
    Trouble.DIGITS: "fold_digits",
}
"""The switch of each, by its name among the options."""

_FORMAT = frozenset(map(chr, FORMAT_CHARACTERS))
_LATIN = frozenset("0123456789")
_ARABIC = frozenset(map(chr, (*range(0x0660, 0x066A), 0x066B, 0x066C)))
_EASTERN = frozenset(map(chr, range(0x06F0, 0x06FA)))


_FIRST_FORM = "\ufb50"


def _presentation(character: str) -> bool:
    return _FIRST_FORM <= character <= "\ufdff" or "\ufe70" <= character <= "\ufefc"


def troubles(text: str) -> dict[Trouble, str]:
    """The kinds that are in a text, each with its characters; digits are told with their script.

    >>> list(troubles("a\u200fb"))
    [<Trouble.FORMAT: 'format characters'>]
    """
    if text.isascii():
        return {Trouble.DIGITS: "0-9"} if not _LATIN.isdisjoint(text) else {}
    found: dict[Trouble, str] = {}
    present = set(text)
    for kind, some in ((Trouble.FORMAT, _FORMAT), (Trouble.BLANKS, FOREIGN_BLANKS)):
        if not some.isdisjoint(present):
            found[kind] = "".join(one for one in text if one in some)
    # Mostly no letter comes as far back in Unicode as the first of those.
    if max(present) >= _FIRST_FORM and (forms := {one for one in present if _presentation(one)}):
        found[Trouble.PRESENTATION] = "".join(one for one in text if one in forms)
    if not unicodedata.is_normalized("NFC", text):
        found[Trouble.DECOMPOSED] = "".join(one for one in text if unicodedata.combining(one))
    scripts = [
        name
        for name, digits in (("0-9", _LATIN), ("٠-٩", _ARABIC), ("۰-۹", _EASTERN))
        if not digits.isdisjoint(present)
    ]
    if scripts:
        found[Trouble.DIGITS] = " ".join(scripts)
    return found


_known = lru_cache(maxsize=4096)(troubles)
"""The same of a reference, which is looked at with the output of each system."""

_Options = TypeVar("_Options", bound=TextOptions)

Pair = tuple[str, Sequence[str]]
"""An output with what it is compared with."""

_MOST_SCORED = 20_000
"""Pairs of a kind that are scored twice to see what it costs; the others are only counted."""


@dataclass(slots=True)
class Seen:
    """What was seen of one kind.

    Attributes:
        texts: how many texts of each side it is in.
        characters: how often each character is there, on each side.
        one_sided: whether a pair has it on one side only, or more of it there.
        rows: the first pairs that have it, by the number of the look at them, from 0.
    """

    texts: tuple[int, int] = (0, 0)
    characters: tuple[Counter[str], Counter[str]] = field(
        default_factory=lambda: (Counter(), Counter())
    )
    one_sided: bool = False
    rows: list[int] = field(default_factory=list)


class Hygiene(Generic[_Options]):
    """Looks at pairs of texts, and tells of each kind what it costs.

    Args:
        options: what is done to the texts already; a kind that they lift is no trouble.
        edits: scores pairs.
        sides: what the two sides of a pair are called, one and several.
        kinds: what is looked for.
    """

    def __init__(
        self,
        options: _Options,
        edits: Callable[[Sequence[Pair], _Options], float],
        sides: tuple[tuple[str, str], tuple[str, str]] = (
            ("output", "outputs"),
            ("reference", "references"),
        ),
        kinds: Collection[Trouble] = tuple(Trouble),
    ) -> None:
        self._options = options
        self._edits = edits
        self._sides = sides
        self._kinds = kinds
        self._seen: dict[Trouble, Seen] = {}
        self._pairs: dict[Trouble, list[Pair]] = {}
        self._looks = 0

    def look(self, output: str, others: Sequence[str]) -> None:
        """Look at one pair."""
        row = self._looks
        self._looks += 1
        if output.isascii() and all(text.isascii() for text in others):
            return
        one = troubles(output)
        rest = [_known(text) for text in others]
        for kind in self._kinds:
            mine, theirs = one.get(kind, ""), [told[kind] for told in rest if kind in told]
            if not mine and not theirs:
                continue
            if kind is Trouble.DIGITS and len({*mine.split(), *" ".join(theirs).split()}) < 2:
                continue
            seen = self._seen.setdefault(kind, Seen())
            seen.texts = seen.texts[0] + bool(mine), seen.texts[1] + len(theirs)
            for counter, texts in zip(seen.characters, ([mine], theirs), strict=True):
                for text in texts:
                    counter.update(text.split(" ") if kind is Trouble.DIGITS and text else text)
            seen.one_sided |= any(sorted(mine) != sorted(told.get(kind, "")) for told in rest)
            pairs = self._pairs.setdefault(kind, [])
            if len(pairs) < _MOST_SCORED:
                pairs.append((output, others))
                seen.rows.append(row)

    def seen(self) -> dict[str, Seen]:
        """What was seen so far, without any text: what :meth:`take` takes elsewhere."""
        return {str(kind): seen for kind, seen in self._seen.items()}

    def take(self, found: Mapping[str, Seen], pair: Callable[[int], Pair]) -> None:
        """Add what was seen in pairs that come after those seen here.

        Args:
            found: from :meth:`seen` of one that looked at those pairs.
            pair: gives one of them by its number.
        """
        for name, more in found.items():
            kind = Trouble(name)
            seen = self._seen.setdefault(kind, Seen())
            seen.texts = seen.texts[0] + more.texts[0], seen.texts[1] + more.texts[1]
            for counter, others in zip(seen.characters, more.characters, strict=True):
                counter.update(others)
            seen.one_sided |= more.one_sided
            pairs = self._pairs.setdefault(kind, [])
            pairs += [pair(row) for row in more.rows[: _MOST_SCORED - len(pairs)]]

    def warnings(self) -> Iterator[str]:
        """A sentence for each kind that costs something or stands on one side."""
        flags = {name: switch.flags[0] for name, switch in switches(type(self._options))}
        for kind, seen in self._seen.items():
            switch = LIFTED_BY[kind]
            if getattr(self._options, switch):
                continue
            lifted = replace(self._options, **{switch: True})
            pairs = self._pairs[kind]
            less = self._edits(pairs, self._options) - self._edits(pairs, lifted)
            if not less and not seen.one_sided and kind is not Trouble.BLANKS:
                continue
            where = " and ".join(
                f"{count:,} {names[count != 1]} ({_listed(kind, counter)})"
                for count, names, counter in zip(
                    seen.texts, self._sides, seen.characters, strict=True
                )
                if count
            )
            amount = f"{abs(less):,.0f} {'edit' if abs(less) == 1 else 'edits'}"
            cost = f"{amount} {'fewer' if less > 0 else 'more'}" if less else "as many edits"
            yield f"{kind} in {where}; {cost} with {flags[switch]}"


def _listed(kind: Trouble, characters: Counter[str]) -> str:
    if kind is Trouble.DIGITS:
        return ", ".join(sorted(characters))
    told = [
        f"U+{ord(character):04X} {count:,} {'time' if count == 1 else 'times'}"
        for character, count in sorted(characters.items())
    ]
    return ", ".join(told[:6]) + (" …" if len(told) > 6 else "")
