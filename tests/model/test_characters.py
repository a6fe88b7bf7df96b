"""Which characters are Arabic."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from madcat_studio.model.characters import ARABIC, runs_right_to_left


def test_every_character_that_unicode_calls_arabic_is_arabic() -> None:
    named = [
        chr(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.name(chr(code), "").startswith(("ARABIC", "EXTENDED ARABIC"))
    ]
    assert len(named) > 1000
    assert [one for one in named if not ARABIC.match(one)] == []


@pytest.mark.parametrize(
    "other", ["a", "3", "é", "א", "ܐ", "न", "中", "\ufeff", "\u200f", "\u05f4"]
)
def test_nothing_else_is(other: str) -> None:
    assert not ARABIC.search(other)


@pytest.mark.parametrize(
    ("text", "right", "left"),
    [
        ("كلمة", True, True),
        ("Wort 12", False, False),
        ("IBM كلمة", True, False),  # of two directions: as the reader is told
        ("12, 13", True, False),
        ("", True, False),
        (None, True, False),
        ("שלום!", True, True),
    ],
)
def test_a_text_runs_as_all_its_letters_do(text: str | None, right: bool, left: bool) -> None:
    assert runs_right_to_left(text, default=True) is right
    assert runs_right_to_left(text, default=False) is left
