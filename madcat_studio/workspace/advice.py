"""Advice on an editor's text, beside the way of minimal editing: it never hinders anything."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator

from madcat_studio.model.campaign import KitSegment
from madcat_studio.workspace.kit_values import KitProblem
from madcat_studio.workspace.spelling import Speller

__all__ = ["INVISIBLE", "advice_of", "invisible_name", "odd_characters", "spelling_advice"]

_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_BLANKS = re.compile(r" {2,}|^ +| +$")
_QUOTES = re.compile("[\"“”„«»]{2,}|['‘’]{2,}")

INVISIBLE: dict[str, str] = {
    "\t": "TAB",
    "\n": "LF",
    "\r": "CR",
    "\u00a0": "NBSP",
    "\u00ad": "SHY",
    "\u061c": "ALM",
    "\u200b": "ZWSP",
    "\u200c": "ZWNJ",
    "\u200d": "ZWJ",
    "\u200e": "LRM",
    "\u200f": "RLM",
    "\u202a": "LRE",
    "\u202b": "RLE",
    "\u202c": "PDF",
    "\u202d": "LRO",
    "\u202e": "RLO",
    "\u202f": "NNBSP",
    "\u2060": "WJ",
    "\u2066": "LRI",
    "\u2067": "RLI",
    "\u2068": "FSI",
    "\u2069": "PDI",
    "\ufeff": "BOM",
}
"""Characters that nobody sees, with the names they go by."""


def invisible_name(character: str) -> str:
    """The short name of a character that nobody sees, or ""."""
    if character in INVISIBLE:
        return INVISIBLE[character]
    hidden = unicodedata.category(character) in ("Cf", "Cc", "Zs") and character != " "
    return f"U+{ord(character):04X}" if hidden else ""


def odd_characters(text: str, *known: Iterable[str]) -> tuple[int, ...]:
    """Places of characters that occur in none of the ``known`` texts, or sets of characters.

    Typing never substitutes a character, so a curly quote or a long dash that neither the output
    nor the reference has is nearly always a slip, and costs an edit. Letters and digits of ASCII,
    and blanks, are never odd.
    """
    odd = {
        character
        for character in set(text).difference(*known)
        if character != " " and not (character.isascii() and character.isalnum())
    }
    return tuple(place for place, one in enumerate(text) if one in odd) if odd else ()


def _numbers(text: str) -> Counter[str]:
    return Counter(_NUMBER.findall(text))


def _listed(counts: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(counts))


def advice_of(index: int, segment: KitSegment, text: str) -> Iterator[KitProblem]:
    """What is worth a look in one segment's text; spelling is :func:`spelling_advice`'s."""
    if not segment.output or not text.strip():
        return

    def at(code: str, what: str, start: int = -1, end: int = -1) -> KitProblem:
        return KitProblem(index, f"advice.{code}", what, start, end)

    own, reference = _numbers(text), _numbers(segment.reference)
    if missing := reference - own:
        yield at("number-missing", f"Numbers of the reference that are missing: {_listed(missing)}")
    if more := own - reference:
        place = next(found.span() for found in _NUMBER.finditer(text) if found[0] in more)
        yield at("number-more", f"Numbers that are not in the reference: {_listed(more)}", *place)
    if blanks := _BLANKS.search(text):
        yield at("blanks", "Double spaces, or spaces at an end", *blanks.span())
    if text.count('"') % 2 and not segment.output.count('"') % 2:
        mark = text.index('"')
        yield at("quotes", "A quotation mark is not paired", mark, mark + 1)
    given = (segment.output, segment.reference)
    doubled = next((one for one in _QUOTES.finditer(text) if one[0] not in "\n".join(given)), None)
    if doubled:
        yield at("doubled-quotes", "Double quotation marks", *doubled.span())
    if odd := odd_characters(text, *given):
        shown = _listed(f"{text[place]} (U+{ord(text[place]):04X})" for place in odd)
        what = f"Characters in neither output nor reference: {shown}"
        yield at("characters", what, odd[0], odd[0] + 1)


def spelling_advice(
    index: int, segment: KitSegment, text: str, speller: Speller, allowed: Iterable[str] = ()
) -> Iterator[KitProblem]:
    """Each word that the dictionary does not have, once. Slow: for workers.

    Args:
        index, segment, text: the segment, and its text as it is now.
        speller: the dictionary.
        allowed: texts whose words are right, besides the segment's reference: a name stands in
            one reference of a kit, and is meant in another.

    Raises:
        InputError: the dictionary cannot be used.
    """
    told: set[str] = set()
    for start, end in (
        speller.misspelled(text, (segment.reference, *allowed)) if segment.output else ()
    ):
        word = text[start:end]
        if word not in told:
            told.add(word)
            what = f"Not in the dictionary: {word}"
            yield KitProblem(index, "advice.spelling", what, start, end)
