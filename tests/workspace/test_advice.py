"""Advice on texts: it is told, and it never hinders."""

from __future__ import annotations

import pytest

from madcat_studio.model.campaign import KitSegment, SegmentName, SegmentState
from madcat_studio.workspace.advice import advice_of, invisible_name, odd_characters


def advice(
    text: str, reference: str = "He paid 340 euros.", output: str = "He pay 430 euros."
) -> set:
    segment = KitSegment(
        SegmentName("b", "s"), reference, output, None, None, None, SegmentState.UNTOUCHED
    )
    return {one.code for one in advice_of(0, segment, text)}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("He paid 340 euros.", set()),
        ("He paid 430 euros.", {"advice.number-missing", "advice.number-more"}),
        ("He paid 340  euros.", {"advice.blanks"}),
        ("He paid 340 euros. ", {"advice.blanks"}),
        ('He paid "340 euros.', {"advice.quotes", "advice.characters"}),
        ("He paid 340 euros – all.", {"advice.characters"}),
        ("", set()),
    ],
)
def test_what_is_worth_a_look(text: str, codes: set[str]) -> None:
    assert advice(text) == codes


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("He paid 340 and 430 euros.", "number-more", "430"),
        ("He paid  340 euros.", "blanks", "  "),
        ("He paid 340 euros. ", "blanks", " "),
        ('He "paid" "340 euros.', "quotes", '"'),
        ("He paid ``340'' euros.", "doubled-quotes", "''"),
        ("He paid 340 euros – all.", "characters", "–"),
    ],
)
def test_each_leads_to_its_place(text: str, code: str, place: str) -> None:
    segment = KitSegment(
        SegmentName("b", "s"), "He paid 340.", "He pay 4.", None, None, None,
        SegmentState.UNTOUCHED,
    )  # fmt: skip
    (found,) = [one for one in advice_of(7, segment, text) if one.code == f"advice.{code}"]
    assert text[found.start : found.end] == place
    assert found.index == 7


def test_doubled_quotes_that_were_there_before_are_left_alone() -> None:
    assert "advice.doubled-quotes" not in advice("He ''paid''.", output="He ''pay''.")


def test_where_the_system_gave_nothing_there_is_no_advice() -> None:
    assert advice("x  9", output="") == set()


def test_odd_characters_are_those_that_were_nowhere() -> None:
    assert odd_characters("“Yes”, he said – 3 times\u00a0", 'Yes, "no"', "3") == (0, 4, 15, 24)
    assert odd_characters("abc XYZ 019", "") == ()
    assert odd_characters("café", "café") == ()


def test_what_nobody_sees_has_a_name() -> None:
    names = [invisible_name(one) for one in "a\u200f\u00a0\u2003\U000e0001 –"]
    assert names == ["", "RLM", "NBSP", "U+2003", "U+E0001", "", ""]
