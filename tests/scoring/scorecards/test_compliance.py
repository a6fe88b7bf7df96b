from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.scoring.scorecards import compliance


def test_a_faithful_output_is_wholly_compliant() -> None:
    found = compliance.check("Hello {name}, %s", "مرحبا {name}، %s", "ar")
    assert found.index == pytest.approx(1)
    assert found.violations == 0


def test_a_lost_placeholder_costs_its_share_of_the_variables() -> None:
    found = compliance.check("{a} and {b}", "{a} und b", "de")
    assert found.variables == 0.5
    assert found.index == pytest.approx(0.6 * 0.5 + 0.4)
    assert found.violations == 1


def test_an_invented_placeholder_counts_too() -> None:
    assert compliance.check("no variable", "{x}", "de").variables == 0


def test_quotes_of_another_language() -> None:
    found = compliance.check("", 'Er sagte „ja“ und "nein"', "de")
    assert found.quotes == 0.5
    assert found.violations == 2


def test_a_language_without_a_card_is_not_judged() -> None:
    assert compliance.check("", '"x"', "sw").quotes == 1


def test_latin_letters_in_a_caseless_language() -> None:
    found = compliance.check("The door", "باب door", "ar")
    assert found.casing == pytest.approx(3 / 7)
    assert found.violations == 1


@pytest.mark.parametrize(
    ("source", "output", "target", "expected"),
    [
        ("Hi {user_name}", "Hallo { User Name }", "de", "Hallo {user_name}"),
        ("Hi {name}", "مرحبا {الاسم}", "ar", "مرحبا {name}"),
        ("%(count)s files", "% ( count ) s Dateien", "de", "%(count)s Dateien"),
        ("say", 'sag "ja"', "de", "sag „ja“"),
        ("say", 'sag "ja', "de", 'sag "ja'),
        ("{a} {b}", "{x}", "de", "{x}"),
        ("<b>x</b>", '<a href="y">x</b>', "fr", '<a href="y">x</b>'),
    ],
)
def test_repairs(source: str, output: str, target: str, expected: str) -> None:
    assert compliance.repair(source, output, target) == expected


def test_a_summary_tells_how_much_was_repaired() -> None:
    found = compliance.summarise(
        [("Hi {name}", "Hallo { name }"), ("x", 'y "z"'), ("{a}", "fort")], "de"
    )
    assert found is not None
    assert found.violations == 4
    assert found.left == 1
    assert found.effectiveness == pytest.approx(3 / 4)
    assert found.repaired > found.raw


def test_nothing_to_summarise() -> None:
    assert compliance.summarise([], "de") is None


texts = st.text(alphabet='ab {}%s()"„“«»<>/ب', max_size=24)


@given(texts, texts, st.sampled_from(["ar", "de", "fr", "sw"]))
def test_a_repair_never_makes_it_worse(source: str, output: str, target: str) -> None:
    before = compliance.check(source, output, target)
    after = compliance.check(source, compliance.repair(source, output, target), target)
    assert after.violations <= before.violations
    assert 0 <= before.index <= 1 + 1e-9
