"""English spelling."""

from __future__ import annotations

import unicodedata
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


NAMES = ("Ghazālī", "d’Estaing", "Straßburg", "İzmir", "Nuʿmānī", "O'Qaddafi", "ḤADĪTH", "naïf")
TERMS = ("mukhtār", "wāqif", "hijrī", "qanungo")
WRITTEN = {
    "as it is": lambda one: one,
    "in small letters": str.lower,
    "in capitals": str.upper,
    "as a title": str.title,
    "in parts": lambda one: unicodedata.normalize("NFD", one),
    "in wholes": lambda one: unicodedata.normalize("NFC", one),
    "with a curly apostrophe": lambda one: one.replace("'", "’"),
    "with a plain apostrophe": lambda one: one.replace("’", "'"),
    "with another's apostrophe": lambda one: one.replace("’", "ʼ").replace("'", "ʼ"),
    "as an owner": lambda one: f"{one}'s",
    "as an owner, curly": lambda one: f"{one}’s",
    "as owners": lambda one: f"{one}s’".replace("s’", "’"),
    "within a compound": lambda one: f"non-{one}-led",
    "at a full stop": lambda one: f"“{one}.”",
}
"""What becomes of a name or a term between the reference and the text."""


@pytest.mark.parametrize("there", WRITTEN)
@pytest.mark.parametrize("here", WRITTEN)
def test_no_name_and_no_term_of_a_reference_is_ever_wrong(
    speller: Speller, there: str, here: str
) -> None:
    for name in (*NAMES, *TERMS):
        reference = f"In the year {WRITTEN[there](name)} said so."
        text = f"So {WRITTEN[here](name)} said."
        assert wrong(speller, text, "Nothing of it.", reference) == [], (text, reference)


def test_what_resembles_a_name_is_wrong_all_the_same(speller: Speller) -> None:
    reference = "Minister Hadadi and d’Estaing's mukhtar"
    for text in ("Hadadis", "Hadad", "dEstaing", "mukhtarr", "Mukhtar's’t", "Hadadi's frist"):
        found = wrong(speller, text, reference)
        assert found, text
    assert wrong(speller, "Hadadi", "the Hadadist said") == ["Hadadi"], "no part of a word"


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
