from __future__ import annotations

import pytest

from madcat_studio.scoring.scorecards.rosetta_invented import invented
from madcat_studio.scoring.scorecards.rosetta_text import (
    Glossary,
    SourceLanguage,
    code_switching,
    consistency,
    read_glossary,
    words_of,
)


def test_words() -> None:
    assert words_of("don't  well-known, 12 (كِتَابٌ) x1 — 3D") == [
        "don't",
        "well-known",
        "كِتَابٌ",
        "x1",
        "D",
    ]


def test_words_of_the_source_script_are_switched() -> None:
    language = SourceLanguage("ar", "en")
    assert language.usable
    assert code_switching("the بيت is big", "the house is big", language) == 0.25
    assert code_switching("the house", "the house", language) == 0


def test_the_other_direction() -> None:
    assert code_switching("باب house", "باب بيت", SourceLanguage("en", "ar")) == 0.5


def test_names_that_the_reference_has_too_are_not_switched() -> None:
    assert code_switching("شركة IBM", "شركة IBM", SourceLanguage("en", "ar")) == 0


def test_the_same_script_needs_a_word_list() -> None:
    assert not SourceLanguage("en", "de").usable
    language = SourceLanguage("en", "de", frozenset({"house", "the"}))
    assert language.usable
    assert code_switching("das House hier", "das Haus hier", language) == pytest.approx(1 / 3)


def test_scripts_that_share_letters_are_not_told_apart() -> None:
    assert not SourceLanguage("zh", "ja").usable
    assert not SourceLanguage("ar", "ur").usable
    assert not SourceLanguage("", "en").usable


def test_no_words_no_rate() -> None:
    assert code_switching("12 — 3", "x", SourceLanguage("ar", "en")) is None


GLOSSARY = read_glossary(
    [("door", "باب"), ("door", "بوابة"), ("Big House", "بيت كبير"), ("", "x"), ("unused", " ")]
)


def test_a_glossary_takes_several_renderings() -> None:
    assert GLOSSARY.terms == {"door": ("باب", "بوابة"), "Big House": ("بيت كبير",)}


def test_terms_are_whole_words_in_any_case() -> None:
    assert GLOSSARY.prescribed("The DOOR of the big house") == ["door", "Big House"]
    assert GLOSSARY.prescribed("outdoors") == []


def test_adherence() -> None:
    assert GLOSSARY.adherence("the door of the big house", "بوابة المنزل") == 0.5
    assert GLOSSARY.adherence("nothing", "باب") is None


def test_chinese_terms_need_no_borders() -> None:
    glossary = Glossary({"合同": ("contract",)})
    assert glossary.prescribed("本合同受") == ["合同"]
    assert glossary.adherence("本合同受", "this contract is") == 1
    assert glossary.adherence("本合同受", "contractor") == 0


def test_consistency_of_equal_sources() -> None:
    pairs = [("a  b", "x"), ("a b", "x"), ("a b", "y"), ("c", "z")]
    assert consistency(pairs) == pytest.approx(2 / 3)


def test_consistency_of_terms() -> None:
    pairs = [("the door", "باب"), ("a door", "بوابة"), ("door!", "باب"), ("door?", "شيء")]
    assert consistency(pairs, GLOSSARY) == pytest.approx(2 / 3)


def test_nothing_repeated() -> None:
    assert consistency([("a", "x"), ("b", "y")]) is None


@pytest.mark.parametrize(
    ("source", "output", "rate"),
    [
        ("in the house", "", 0.0),
        ("in the house", "dans la maison", 0.0),
        ("in the house", "In the house", 0.1),  # an echo
        ("abcdefgh", "abcdefghi", 0.05),  # nearly its letters
        ("ab", "abababababab", 0.4),  # six times as long
        ("ab", "x" * 9, 0.2),  # 4.5 times: half of the way to the longest
        ("x" * 100, "ab" * 6, 0.4 * 0.6),  # 0.12 of it: the shortest is 0.3
        ("", "a long text out of nothing", 0.4),
        ("Anna saw it", "Anna told Peter and Maria", 0.2 * 2 / 3),
        ("one two three four", "a b c a b c a b c", 0.3 * 4 / 7),
    ],
)
def test_signs_of_what_is_invented(source: str, output: str, rate: float) -> None:
    assert invented(source, output) == pytest.approx(rate)
