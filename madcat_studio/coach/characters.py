"""Quotes, dashes and blanks in their many forms: one for a reader, many for a count."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from madcat_studio.scoring.changes import Splice

__all__ = ["Item", "folded", "items", "other_forms"]

_FAMILIES: dict[str, tuple[str, ...]] = {
    "'": ("'", "‘", "’", "‚", "‛", "`", "´", "ʼ", "′"),
    '"': ('"', "“", "”", "„", "‟", "«", "»", "″", "''", "``"),
    "-": ("-", "‐", "‑", "‒", "–", "—", "―", "−", "--", "---"),
    "...": ("...", "…"),
    " ": (" ", "\u00a0", *map(chr, range(0x2000, 0x200B)), "\u202f", "\u205f", "\u3000"),
    "": ("\u00ad", "\u061c", *map(chr, range(0x200B, 0x2010)), "\u2060", "\ufeff"),
}
"""By the plain form: all forms of one character; those that nobody sees have nothing for one."""

_PLAIN = {form: plain for plain, forms in _FAMILIES.items() for form in forms}
_ITEM = re.compile("|".join(map(re.escape, sorted(_PLAIN, key=len, reverse=True))))


@dataclass(frozen=True, slots=True)
class Item:
    """A quote, a dash or a blank in a text."""

    start: int
    end: int
    form: str

    @property
    def plain(self) -> str:
        """The form that is on every keyboard."""
        return _PLAIN[self.form]


def items(text: str, start: int, end: int) -> Iterator[Item]:
    """The quotes, dashes and blanks of a part of a text, but plain blanks."""
    for found in _ITEM.finditer(text, start, end):
        if found[0] != " ":
            yield Item(found.start(), found.end(), found[0])


def other_forms(item: Item, output: str) -> Iterator[Splice]:
    """An item in each other form that the output has, and in the plain one."""
    plain = item.plain
    known = {found[0] for found in _ITEM.finditer(output)}
    for form in _FAMILIES[plain]:
        if form != item.form and (form in known or form == plain):
            yield Splice(item.start, item.end, form)
    if not plain and item.form:
        yield Splice(item.start, item.end, "")


def folded(text: str) -> str:
    """A text by which forms and blanks make no difference."""
    return _ITEM.sub(lambda found: _PLAIN[found[0]], text).replace(" ", "")
