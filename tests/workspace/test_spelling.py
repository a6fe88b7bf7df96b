"""English spelling."""

from __future__ import annotations

from pathlib import Path

import pytest

from madcat_studio.errors import InputError
from madcat_studio.workspace.spelling import Speller


@pytest.fixture(scope="module")
def speller() -> Speller:
    return Speller()


def wrong(speller: Speller, text: str, *allowed: str) -> list[str]:
    return [text[start:end] for start, end in speller.misspelled(text, allowed)]


def test_words_that_the_dictionary_does_not_have_are_found(speller: Speller) -> None:
    text = "The mayr didn't opne 12 bridges in the year’s frist week."
    assert wrong(speller, text) == ["mayr", "opne", "frist"]


def test_names_of_the_reference_are_right(speller: Speller) -> None:
    assert wrong(speller, "Al-Abdali spoke", "Minister AL-ABDALI said") == []
    assert wrong(speller, "Abdali spoke") == ["Abdali"]


def test_what_is_no_latin_word_is_not_judged(speller: Speller) -> None:
    assert wrong(speller, "محمد NATO x2y 3rd") == []


def test_a_dictionary_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        Speller(tmp_path / "none.dic").misspelled("word")
    assert refused.value.code == "spelling.dictionary"
