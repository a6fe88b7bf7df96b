"""What a table of texts would change of texts that are there, in counts and examples."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from madcat_studio.model.campaign import SegmentName
from madcat_studio.operations.checked import counted

__all__ = ["Difference", "Replacement", "describe"]

_QUOTES = re.compile("[\"'`\u00ab\u00bb\u2018-\u201f\u2039\u203a]+")

_EXAMPLES = 2
_LONGEST = 60
"""Examples of each kind, and how much of a text they show."""


class Difference(StrEnum):
    """In what two texts differ, the least first."""

    QUOTES = "by quotes alone"
    BLANKS = "by blanks alone"
    CASE = "by capital letters alone"
    PUNCTUATION = "by punctuation alone"
    WORDS = "by words"


class Replacement(NamedTuple):
    """A text that would stand in the place of another."""

    segment: SegmentName
    before: str
    after: str

    @property
    def difference(self) -> Difference:
        """The least that the two differ in."""
        before, after = self.before, self.after
        if _QUOTES.sub("", before) == _QUOTES.sub("", after):
            return Difference.QUOTES
        before, after = _plain(before), _plain(after)
        if before == after:
            return Difference.BLANKS
        if before.casefold() == after.casefold():
            return Difference.CASE
        if re.findall(r"\w+", before) == re.findall(r"\w+", after):
            return Difference.PUNCTUATION
        return Difference.WORDS


def _plain(text: str) -> str:
    return " ".join(text.split())


def describe(replacements: Iterable[Replacement]) -> tuple[str, ...]:
    """``257 texts differ from what is there by quotes alone, such as …``, for each kind."""
    kinds: dict[Difference, list[Replacement]] = {}
    for one in replacements:
        kinds.setdefault(one.difference, []).append(one)
    return tuple(
        f"{counted(len(own), 'text differs', 'texts differ')} from what is there {kind}, such as "
        + "; ".join(_example(one) for one in own[:_EXAMPLES])
        for kind in Difference
        if (own := kinds.get(kind))
    )


def _example(one: Replacement) -> str:
    # From a little before the first letter in which they differ.
    pairs = zip(one.before, one.after, strict=False)
    same = next((place for place, (a, b) in enumerate(pairs) if a != b), 0)
    start = max(0, same - _LONGEST // 3)
    shown = [_cut(text, start) for text in (one.before, one.after)]
    return f"{one.segment}: {shown[0]} → {shown[1]}"


def _cut(text: str, start: int) -> str:
    part = text[start : start + _LONGEST]
    return ("…" if start else "") + part + ("…" if start + _LONGEST < len(text) else "")
