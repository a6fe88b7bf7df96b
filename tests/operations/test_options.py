"""The options of a campaign."""

from __future__ import annotations

import pytest

from madcat_studio.errors import UsageError
from madcat_studio.operations.campaign.options import (
    EDITING,
    SPELLING_OPTION,
    Showing,
    check_options,
)
from madcat_studio.operations.scores.options import SCORING, denominator_of, scoring_options
from madcat_ter.hter import Denominator


def test_every_option_has_a_name_and_a_sensible_value() -> None:
    check_options(dict.fromkeys(EDITING, True))
    check_options({"scoring.case_sensitive": False, "scoring.beam": None})
    check_options({"scoring.denominator": "reference", "scoring.max_shift_distance": 0})
    for name in ("en_US", "en_GB", "de", "sr_Latn_RS", "off"):
        check_options({SPELLING_OPTION: name})
    assert "scoring.costs" not in SCORING


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("editing.show_pages", True, "campaign.unknown-option"),
        ("scoring.costs", 1, "campaign.unknown-option"),
        ("beam", 20, "campaign.unknown-option"),
        ("editing.show_page", "yes", "campaign.option-value"),
        ("editing.show_page", 1, "campaign.option-value"),
        ("editing.spelling", True, "campaign.option-value"),
        ("editing.spelling", "en-GB", "campaign.option-value"),
        ("editing.spelling", "../en_GB", "campaign.option-value"),
        ("editing.spelling", "", "campaign.option-value"),
        ("scoring.case_sensitive", None, "campaign.option-value"),
        ("scoring.beam", -1, "campaign.option-value"),
        ("scoring.beam", True, "campaign.option-value"),
        ("scoring.max_shift_distance", None, "campaign.option-value"),
        ("scoring.denominator", "words", "campaign.option-value"),
    ],
)
def test_what_makes_no_sense_is_refused(name: str, value, code: str) -> None:
    with pytest.raises(UsageError) as refused:
        check_options({name: value})
    assert refused.value.code == code
    assert refused.value.remedy
    if name.startswith("scoring."):  # the same rule, the same words, when it is scored
        read = denominator_of if name.endswith("denominator") else scoring_options
        with pytest.raises(UsageError) as found:
            read({name: value})
        assert str(found.value) == str(refused.value)


def test_whose_words_count_is_asked_for_or_those_of_the_chosen_text() -> None:
    assert denominator_of({}) is Denominator.CHOSEN
    assert denominator_of({"scoring.denominator": "reference"}) is Denominator.REFERENCE


def test_editors_see_only_what_is_switched_on() -> None:
    assert Showing.of({}) == Showing(source=False, page=False, figures=False)
    assert Showing.of({"editing.show_page": True, "editing.show_figures": "true"}) == Showing(
        page=True
    )
    shown = {"editing.show_page": True, "editing.show_translated": True}
    assert Showing.of(shown) == Showing(page=True, translated=True)
    # The page is not seen by another name.
    assert Showing.of({"editing.show_translated": True}) == Showing()
    for value, found in (("en_GB", "en_GB"), ("off", "off"), ("../x", ""), (True, ""), (None, "")):
        assert Showing.of({"editing.spelling": value}).spelling == found
    assert Showing.of({"editing.coach": True, "editing.allow_return": True}) == Showing(
        coach=True, returns=True
    )
