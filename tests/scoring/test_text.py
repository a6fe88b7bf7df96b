"""The preparation of texts, step by step, and that every switch acts."""

from __future__ import annotations

import itertools
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_ter.options import TerOptions, TextOptions
from madcat_ter.ter import ter
from madcat_ter.text import normalise, remove_punctuation, split, words

RAW = TextOptions(normalise=False)


@pytest.mark.parametrize(
    ("text", "normalised"),
    [
        ("foo's.", "foo's ."),
        ("foo's .", "foo 's ."),
        ("&amp;lt;", "<"),
        ("a-\nb\nc", "ab c"),
        ("x<skipped>y", "xy"),
        ("1,200 3.5 1.", "1,200 3.5 1 ."),
        ("10:30", "10 : 30"),
        ("2008-2009 well-known", "2008 - 2009 well-known"),
        ("٣.٥", "٣ . ٥"),
        ("لماذا؟ نعم،", "لماذا؟ نعم،"),
        ("a..b", "a . . b"),
        ("a/b", "a / b"),
        ("it's\u2028", "it's\u2028"),
        ("", ""),
    ],
)
def test_normalise(text: str, normalised: str) -> None:
    assert normalise(text) == normalised


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [""]),
        (" ", []),
        (" a", ["", "a"]),
        ("a ", ["a"]),
        ("a\v\fb\r\nc", ["a", "b", "c"]),
        ("a\u00a0b\u3000c\x1fd\x85e", ["a\u00a0b\u3000c\x1fd\x85e"]),
    ],
)
def test_split(text: str, found: list[str]) -> None:
    assert split(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [("...", [""]), (". .", []), ('" hello', ["", "hello"]), ("a, b", ["a", "b"])],
)
def test_no_punctuation(text: str, found: list[str]) -> None:
    assert words(text, TextOptions(normalise=False, no_punctuation=True)) == found
    assert split(remove_punctuation(text)) == found


def test_trimming_takes_control_characters() -> None:
    assert words("\x01 a \x1f", RAW) == ["a"]
    assert words("\x01", RAW) == []


# What each switch makes equal, and stays different without it.
ACTS = {
    "remove_diacritics": ("كَتَبَ", "كتب"),
    "remove_tatweel": ("كـــتب", "كتب"),
    "fold_alef": ("أإآٱ", "اااا"),
    "fold_yeh": ("على ی", "علي ي"),
    "fold_teh_marbuta": ("مدرسة", "مدرسه"),
    "fold_digits": ("١٢٣ ۴ ٣٫٥ ١٬٢٠٠", "123 4 3.5 1,200"),
    "remove_format_characters": ("\u200fم\u200cح\u2066مد\u2069 co\u00adop", "محمد coop"),
    "nfkc": ("ﻻ ﬁ a\u00a0b", "لا fi a b"),
}


@pytest.mark.parametrize("switch", ACTS)
def test_each_switch_acts(switch: str) -> None:
    one, other = ACTS[switch]
    on = TextOptions(normalise=False, **{switch: True})
    assert words(one, on) == words(other, on) == words(other, RAW)
    assert words(one, RAW) != words(other, RAW)


@pytest.mark.parametrize(
    ("options", "one", "other"),
    [
        ({"case_sensitive": False}, "ÉCOLE", "école"),
        ({"normalise": True}, "a,", "a ,"),
        ({"no_punctuation": True}, "a,", "a"),
    ],
)
def test_tercom_switches_act(options: dict[str, bool], one: str, other: str) -> None:
    base = {"case_sensitive": True, "normalise": False, "no_punctuation": False}
    assert words(one, TextOptions(**{**base, **options})) == words(
        other, TextOptions(**{**base, **options})
    )
    assert words(one, TextOptions(**base)) != words(other, TextOptions(**base))


def test_every_switch_is_tested() -> None:
    named = {field.name for field in fields(TextOptions)}
    assert named == {*ACTS, "case_sensitive", "normalise", "no_punctuation"}


def test_every_combination_acts() -> None:
    """Case, punctuation, diacritics and NFKC, all together and apart."""
    output, reference = "CAT, كَتب ﬁn", "cat كتب fin"
    for case, punctuation, diacritics, nfkc in itertools.product((False, True), repeat=4):
        options = TerOptions(
            case_sensitive=not case,
            normalise=False,
            no_punctuation=punctuation,
            remove_diacritics=diacritics,
            nfkc=nfkc,
        )
        expected = (not (case and punctuation)) + (not diacritics) + (not nfkc)
        assert ter(output, [reference], options).edits == expected


def test_diacritics_vanish_and_leave_no_blank() -> None:
    options = TextOptions(remove_diacritics=True)
    assert words("كَتَبَ", options) == ["كتب"]
    assert words("\u064b\u0652", options) == []
    result = ter("كتب", ["\u064b"], TerOptions(remove_diacritics=True))
    assert (result.insertions, result.words, result.rate) == (1, 0, None)


def test_which_diacritics() -> None:
    gone = [
        *range(0x064B, 0x0656),
        0x0670,
        *range(0x06D6, 0x06DD),
        *range(0x06DF, 0x06E5),
        *(0x06E7, 0x06E8),
        *range(0x06EA, 0x06EE),
        *range(0x08F0, 0x08F3),
    ]
    options = TextOptions(remove_diacritics=True, normalise=False)
    for point in (*range(0x0600, 0x0700), *range(0x08A0, 0x0900)):
        assert words(f"x{chr(point)}y", options) == ["xy" if point in gone else f"x{chr(point)}y"]


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_words_hold_no_blank(text: str) -> None:
    for word in words(text, TextOptions()):
        assert not set(word) & set(" \t\n\v\f\r")


@given(st.text("abc.,-'1 \"", max_size=30))
def test_normalising_only_puts_blanks_in(text: str) -> None:
    assert normalise(text).replace(" ", "") == text.replace(" ", "")


_SWITCHED = [one.name for one in fields(TextOptions) if one.type == "bool"]


@given(
    st.text(st.sampled_from("ab \u0627\u0622\u064b\u0640\u0649\u0629\u0663\u200f\u00ad")),
    st.sets(st.sampled_from(_SWITCHED)),
)
def test_letters_are_changed_as_the_table_says(text: str, on: set[str]) -> None:
    options = TextOptions(**dict.fromkeys(on, True))
    assert options.translate(text) == text.translate(options.translation())
