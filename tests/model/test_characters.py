"""Which characters are Arabic."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from madcat_studio.model.characters import ARABIC


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
