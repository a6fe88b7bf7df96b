"""A term of the field has one translation in every draft: `resources/translations/terms.tsv`.

A row holds a term of the glossary, its translation in each language, and, as patterns, the words
that were used for it besides and that no draft has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import pytest

from scripts.texts import TRANSLATIONS, drafts

TERMS = TRANSLATIONS / "terms.tsv"
HEAD, *ROWS = (line.split("\t") for line in TERMS.read_text("utf-8").splitlines())
LANGUAGES = ("ar", "es", "fr")

NO_WORDS = re.compile(r"\{\w*\}|&|\S*(?:--|\*\.|\w\.\w)\S*")
"""Values, the keys of menus, and names of options and files: they are the same everywhere."""

OTHER_SENSE = {
    "Nothing was used from it; check the image in an editor, or tell the segmenter's makers",
    "in the document",
    "the document's rules",
}
"""An editor of images; the document that lays down a benchmark."""


TERMS_IN_ORDER = sorted((row[0] for row in ROWS), key=len, reverse=True)
"""The longest first: a term may be a part of another."""

_SPELT = "|".join(f"({term.replace(' ', '[ -]')})" for term in TERMS_IN_ORDER)
ANY_TERM = re.compile(rf"\b(?:{_SPELT})(?:s|es|ed|ing)?\b", re.I)


@cache
def terms_in(english: str) -> set[str]:
    """The terms that a text has."""
    found = ANY_TERM.finditer(NO_WORDS.sub("", english))
    return {TERMS_IN_ORDER[(term.lastindex or 1) - 1] for term in found}


def wrong_words(said: Iterable[tuple[str, str]], unwanted: dict[str, str]) -> list[str]:
    """The drafts that have a word which is not the translation of a term of their English.

    Args:
        said: English texts, each with its translation.
        unwanted: a term -> the pattern of what it is not called.
    """
    return [
        f"{term}: {word[0]!r} in {draft!r} ({english!r})"
        for english, draft in said
        if english not in OTHER_SENSE
        for term in sorted(terms_in(english))
        if unwanted.get(term) and (word := re.search(unwanted[term], NO_WORDS.sub("", draft)))
    ]


def test_the_table_has_every_language() -> None:
    unwanted = [f"not {language}" for language in LANGUAGES]
    assert ["english", *LANGUAGES, *unwanted] == HEAD
    assert {len(row) for row in ROWS} == {len(HEAD)}
    assert all(all(row[: len(LANGUAGES) + 1]) for row in ROWS)
    assert len({row[0] for row in ROWS}) == len(ROWS) > 40


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_term_has_one_translation(language: str) -> None:
    said = [(english, " | ".join(forms)) for english, forms in drafts()[language].items()]
    column = HEAD.index(f"not {language}")
    assert wrong_words(said, {row[0]: row[column] for row in ROWS}) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_says_what_the_drafts_say(language: str) -> None:
    shown = " ".join(" ".join(forms) for forms in drafts()[language].values())
    shown = NO_WORDS.sub("", shown).lower()
    column = HEAD.index(language)
    assert [row[column] for row in ROWS if row[column].lower() not in shown] == []


@pytest.mark.parametrize(
    ("draft", "wrong"),
    [
        ("Le kit {kit} est prêt", True),
        ("Le lot {kit} est prêt", False),
        ("Le lot est dans kits.tsv, ou voir --kit", False),
    ],
)
def test_another_word_for_a_term_is_found(draft: str, wrong: bool) -> None:
    assert bool(wrong_words([("The kit {kit} is ready", draft)], {"kit": r"\bkits?\b"})) == wrong


def test_a_term_within_another_is_that_other() -> None:
    assert terms_in("The control sets of source documents") == {"source document", "control set"}
