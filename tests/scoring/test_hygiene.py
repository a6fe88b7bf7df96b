"""What cannot be seen is told, by kind and side, with what it costs and what lifts it."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence

import pytest

from madcat_ter.hygiene import LIFTED_BY, Hygiene, Pair, Trouble, troubles
from madcat_ter.options import FORMAT_CHARACTERS, TerOptions, TextOptions
from madcat_ter.ter import ter_counts
from madcat_ter.text import words


def edits(pairs: Sequence[Pair], options: TerOptions) -> float:
    outputs, references = [one for one, _ in pairs], [texts for _, texts in pairs]
    return float(ter_counts(outputs, references, options).edits.sum())


def told(*pairs: tuple[str, str], options: TerOptions = TerOptions(normalise=False)) -> list[str]:
    hygiene = Hygiene(options, edits)
    for output, reference in pairs:
        hygiene.look(output, [reference])
    return list(hygiene.warnings())


NAME = "محمد"


@pytest.mark.parametrize(
    ("output", "reference", "warning"),
    [
        (
            f"{NAME}\u200f",
            NAME,
            "format characters in 1 output (U+200F 1 time); 1 edit fewer with "
            "--remove-format-characters",
        ),
        (
            f"\u2066{NAME}\u2069 a",
            "مح\u200cمد a",
            "format characters in 1 output (U+2066 1 time, U+2069 1 time) and 1 reference "
            "(U+200C 1 time); 1 edit fewer with --remove-format-characters",
        ),
        (
            "cafe\u0301",
            "café",
            "decomposed characters in 1 output (U+0301 1 time); 1 edit fewer with --nfkc",
        ),
        (
            "لا",
            "ﻻ",
            "presentation forms of letters in 1 reference (U+FEFB 1 time); 1 edit fewer with "
            "--nfkc",
        ),
        (
            "a\u00a0b\u00a0c",
            "a b c",
            "blanks that divide no words, as in tercom in 1 output (U+00A0 2 times); 3 edits "
            "fewer with --nfkc",
        ),
        (
            "عام 1999",
            "عام ١٩٩٩",
            "digits of several scripts in 1 output (0-9) and 1 reference (٠-٩); 1 edit fewer "
            "with --fold-digits",
        ),
        (
            "\u200fa b",
            "c d",
            "format characters in 1 output (U+200F 1 time); as many edits with "
            "--remove-format-characters",
        ),
    ],
)
def test_each_kind_is_told(output: str, reference: str, warning: str) -> None:
    assert told((output, reference)) == [warning]
    assert told(("a", "a"), (output, reference), ("b", "c")) == [warning]


@pytest.mark.parametrize(
    ("output", "reference"),
    [
        ("plain", "text 1"),
        (NAME, NAME),
        ("عام 1999", "عام 1999"),
        (f"{NAME}\u200f", f"{NAME}\u200f"),
        ("cafe\u0301", "cafe\u0301"),
        ("ﻻ", "ﻻ"),
        ("3 ٣", "3 ٣"),
    ],
)
def test_what_stands_on_both_sides_and_costs_nothing_is_not_told(
    output: str, reference: str
) -> None:
    assert told((output, reference)) == []


@pytest.mark.parametrize("kind", Trouble)
def test_what_is_lifted_already_is_not_told(kind: Trouble) -> None:
    everything = ("\u200fcafe\u0301 ﻻ 1999 a\u00a0b", "café لا ١٩٩٩ a b")
    assert any(one.startswith(kind) for one in told(everything))
    options = TerOptions(normalise=False, **{LIFTED_BY[kind]: True})
    assert not any(one.startswith(kind) for one in told(everything, options=options))


def test_all_format_characters_that_cannot_be_seen() -> None:
    """Those of Unicode, without the signs that enclose or precede numbers."""
    seen = {*range(0x0600, 0x0606), 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD}
    unicode = {
        point for point in range(sys.maxunicode + 1) if unicodedata.category(chr(point)) == "Cf"
    }
    assert unicode - seen <= FORMAT_CHARACTERS.keys()
    # Marks that Unicode tells programs not to show: the joiner, and which variant is meant.
    marks = {0x034F, *range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE10)}
    marks |= set(range(0xE0100, 0xE01F0))
    assert marks <= FORMAT_CHARACTERS.keys()
    # The others are format characters of later versions, or stand in a block of them.
    for point in FORMAT_CHARACTERS.keys() - unicode - marks:
        assert unicodedata.category(chr(point)) == "Cn"
    options = TextOptions(normalise=False, remove_format_characters=True)
    for point in FORMAT_CHARACTERS:
        assert Trouble.FORMAT in troubles(f"a{chr(point)}b")
        assert words(f"a{chr(point)}b", options) == ["ab"]


def test_several_references_and_many_characters() -> None:
    hygiene = Hygiene(TerOptions(normalise=False), edits, (("text", "texts"), ("edit", "edits")))
    marks = "".join(map(chr, range(0x200B, 0x2010)))
    hygiene.look("a", ["a", f"a{marks}", f"b\u2060\u2061{marks}"])
    (warning,) = hygiene.warnings()
    assert warning == (
        "format characters in 2 edits (U+200B 2 times, U+200C 2 times, U+200D 2 times, U+200E 2 "
        "times, U+200F 2 times, U+2060 1 time …); as many edits with --remove-format-characters"
    )
