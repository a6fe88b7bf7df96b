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


ENGLISH = b"SET UTF-8\nSFX S Y 1\nSFX S 0 s .\n", "3\ncolour/S\ncafé\nwrong\n".encode()


def dictionary(folder: Path, aff: bytes | None, dic: bytes | None) -> Path:
    for name, data in (("own.aff", aff), ("own.dic", dic)):
        if data is not None:
            (folder / name).write_bytes(data)
    return folder / "own.dic"


def test_another_dictionary(tmp_path: Path) -> None:
    path = dictionary(tmp_path, *ENGLISH)
    for given in (path, path.with_suffix(".aff")):
        own = Speller(given)
        assert wrong(own, "Colours colors café") == ["colors"]
        assert own.suggestions("wrongg") == ("wrong",)


@pytest.mark.parametrize(
    ("aff", "dic", "why"),
    [
        (None, None, "no such file"),
        (None, ENGLISH[1], "no such file"),
        (ENGLISH[0], None, "no such file"),
        (b"", b"", "no word"),
        (b"SET KLINGON\n", b"1\nword\n", "none of Hunspell's"),
        (b"SFX S Y 3\nSFX S\n", b"1\nword/S\n", "none of Hunspell's"),
        (b"SFX S Y 1\nSFX S 0 s [\n", b"1\nword/S\n", "none of Hunspell's"),
    ],
)
def test_a_dictionary_that_is_none_is_refused(
    tmp_path: Path, aff: bytes | None, dic: bytes | None, why: str
) -> None:
    with pytest.raises(InputError, match=why) as refused:
        Speller(dictionary(tmp_path, aff, dic)).misspelled("word")
    assert refused.value.code == "spelling.dictionary"
    assert str(tmp_path) in refused.value.where
