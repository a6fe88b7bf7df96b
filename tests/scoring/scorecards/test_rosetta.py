from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.progress import Cancelled
from madcat_studio.scoring.scorecards import rosetta
from madcat_studio.scoring.scorecards.rosetta_text import Glossary, SourceLanguage
from madcat_ter.options import TerOptions


def entry(data: dict[str, Any]) -> rosetta.Entry:
    usage = data.get("usage", {})
    fst = data.get("fst")
    return rosetta.Entry(
        id=data["id"],
        source=data.get("source", ""),
        expected=data["expected"],
        predicted=data["predicted"],
        variants=tuple(data["variants"]) if "variants" in data else None,
        fst=rosetta.FstCount(fst["words"], fst["accepted"]) if fst else None,
        metrics=data.get("metrics", {}),
        difficulty=str(data["difficulty"]) if "difficulty" in data else None,
        provenance=data.get("provenance"),
        latency=rosetta.number(data.get("latency_s")),
        usage=rosetta.Usage(
            usage.get("prompt_tokens", 0),
            usage.get("completion_tokens", 0),
            usage.get("completion_tokens_details", {}).get("reasoning_tokens", 0),
            usage.get("prompt_tokens_details", {}).get("cached_tokens", 0),
        ),
        error=data.get("error") or "",
    )


def run(data: dict[str, Any]) -> rosetta.Run:
    return rosetta.Run(
        data["run_id"],
        tuple(map(entry, data["entries"])),
        data["total_cost_usd"],
        data["elapsed_seconds"],
        data.get("has_fst"),
    )


def breakdown(groups) -> dict[str, Any]:
    return {
        name: {
            "total": group.total,
            "evaluated": group.evaluated,
            "errors": group.errors,
            "exact_matches": group.exact_matches,
            "exact_match_rate": group.exact_match_rate,
            "chrf_plus_plus": group.chrf,
        }
        for name, group in groups.items()
    }


@pytest.mark.long
def test_cards_are_those_of_the_independent_implementation(golden, differences) -> None:
    wrong: list[str] = []
    for case in golden("rosetta")["runs"]:
        expected = dict(case["expected"])
        alternatives = expected.pop("alternatives")
        card = rosetta.card(run(case))
        scores = dict(card.scores)
        # Ours beside theirs; not in the document.
        assert scores.pop("ter_tercom") is None
        assert scores.pop("length_ratio_mean") is None
        found = {
            "profile": card.profile,
            "scores": {
                **scores,
                "comet_model": card.comet_model,
                "composite": card.composite,
                "quality_tier": card.quality_tier,
                "cost_adjusted": card.cost_adjusted,
                "confidence_intervals": {
                    name: {"ci_lower": low, "ci_upper": high}
                    for name, (low, high) in card.intervals.items()
                },
                "by_difficulty": breakdown(card.by_difficulty),
                "by_provenance": breakdown(card.by_provenance),
                "total": card.total,
                "evaluated": card.evaluated,
                "errors": card.errors,
            },
            "cost": card.cost,
            "speed": card.speed,
            "tokens": card.tokens,
            "per_entry": [
                {"id": one.id, "exact_match": one.exact, "chrf_plus_plus": one.chrf}
                for one in card.entries
            ],
        }
        wrong += differences(found, expected, case["run_id"])
        wrong += differences(
            card.composite_unrounded, alternatives["composite_unrounded"], case["run_id"]
        )
    assert not wrong


def test_paired_tests_are_those_of_the_independent_implementation(golden, differences) -> None:
    wrong: list[str] = []
    for case in golden("rosetta")["paired"]:
        sides = [rosetta.Run(side, tuple(map(entry, case[side]))) for side in ("a", "b")]
        tests, warnings = rosetta.compare(*sides)
        for test in tests:
            found = {
                "n": test.common,
                "delta": test.delta,
                "p_value": test.p_value,
                "ci_lower": test.low,
                "ci_upper": test.high,
                "significant": test.significant,
                "winner": test.winner,
            }
            if test.a is not None:
                found |= {"a": test.a, "b": test.b}
            wrong += differences(found, case["expected"][test.metric], f"{case['tag']}")
        assert any("in common" in line for line in warnings) == (tests[0].common < 10)
    assert not wrong


@pytest.mark.parametrize("profile", ["A", "B"])
def test_composites(golden, profile: str) -> None:
    for case in golden("rosetta")["composites"]:
        expected = case["expected"][profile]
        unrounded = rosetta.composite(case["scores"], profile)
        if expected["composite_unrounded"] is None:
            assert unrounded is None
        else:
            assert unrounded == pytest.approx(expected["composite_unrounded"], abs=1e-6)
        rounded = None if unrounded is None else round(unrounded, 4)
        assert rounded == (
            None
            if expected["composite"] is None
            else pytest.approx(expected["composite"], abs=1.1e-4)
        )
        assert rosetta.tier(rounded) == expected["quality_tier"]
        adjusted = rosetta.cost_adjusted(rounded, case["cost_per_entry_usd"])
        assert adjusted == (
            None
            if expected["cost_adjusted"] is None
            else pytest.approx(expected["cost_adjusted"], rel=1e-6, abs=1e-6)
        )


def test_tiers(golden) -> None:
    for case in golden("rosetta")["tiers"]:
        assert rosetta.tier(case["composite"]) == case["expected"]


@pytest.mark.parametrize("weights", [rosetta.PROFILE_A, rosetta.PROFILE_B])
def test_weights_sum_to_one(weights) -> None:
    assert math.isclose(sum(weights.values()), 1)


@pytest.mark.parametrize("value", [True, "0.5", None, math.nan, math.inf, -math.inf, [1]])
def test_what_is_no_number(value) -> None:
    assert rosetta.number(value) is None


def plain(*texts: tuple[str, str, str]) -> rosetta.Run:
    return rosetta.Run(
        "r",
        tuple(
            rosetta.Entry(f"e{n}", source, expected, predicted)
            for n, (source, expected, predicted) in enumerate(texts)
        ),
    )


def test_planned_metrics_that_need_no_model() -> None:
    made = rosetta.card(
        plain(
            ("بيت كبير", "a big house", "a house big"),
            ("باب", "the door", "the door بيت"),
            ("باب", "the door", "the gate"),
        ),
        rosetta.Tools(
            ter=True,
            ter_tercom=TerOptions(),
            length_ratio=True,
            consistency=True,
            language=SourceLanguage("ar", "en"),
            glossary=Glossary({"باب": ("door",)}),
            target="en",
        ),
    )
    # One shift, one insertion, one substitution over 3 + 2 + 2 words.
    assert made.scores["ter_tercom"] == pytest.approx(300 / 7)
    assert made.scores["ter"] == pytest.approx(300 / 7)
    assert made.scores["length_ratio"] == pytest.approx((11 + 12 + 8) / (11 + 8 + 8))
    assert made.scores["length_ratio_mean"] == pytest.approx((1 + 12 / 8 + 1) / 3)
    assert made.scores["code_switching_rate"] == pytest.approx((0 + 1 / 3 + 0) / 3)
    assert made.scores["terminology_adherence"] == pytest.approx(1 / 2)
    # The source “باب” was translated in two ways; the term was rendered once as allowed.
    assert made.scores["consistency_score"] == pytest.approx(1 / 2)
    assert set(made.computed_beyond_document) == {
        "ter",
        "ter_tercom",
        "length_ratio",
        "length_ratio_mean",
        "code_switching_rate",
        "terminology_adherence",
        "consistency_score",
    }
    assert made.compliance is not None
    assert "code_switching_rate" in made.available


def test_supplied_values_are_kept_and_not_called_ours() -> None:
    made = rosetta.card(
        rosetta.Run(
            "r", (rosetta.Entry("1", "s", "e", "e", metrics={"code_switching_rate": 0.25}),)
        ),
        rosetta.Tools(language=SourceLanguage("ar", "en")),
    )
    assert made.scores["code_switching_rate"] == 0.25
    assert made.computed_beyond_document == ()


def test_models_are_asked_only_where_no_value_is_supplied() -> None:
    made = rosetta.card(
        plain(("s", "a", "b"), ("s", "c", "c")),
        rosetta.Tools(
            semantic=lambda outputs, references: [0.5, 1.0],
            comet=lambda sources, references, outputs: [0.25, 0.75],
            comet_model="a checkpoint",
        ),
    )
    assert made.scores["semantic_score"] == 0.75
    assert made.scores["comet_score"] == 0.5
    assert made.comet_model == "a checkpoint"
    assert any("COMET" in note for note in made.notes)
    assert "comet_score" not in made.available


def test_an_analyser_counts_words_once() -> None:
    asked: list[str] = []

    def accepts(word: str) -> bool:
        asked.append(word)
        return word != "xyz"

    made = rosetta.card(
        plain(("s", "a b", "a xyz, a!"), ("s", "b", "7 b")), rosetta.Tools(accepts=accepts)
    )
    assert made.scores["fst_acceptance_rate"] == pytest.approx(3 / 4)
    assert made.scores["fst_accepted"] == 3
    assert made.profile == "A"
    assert sorted(asked) == ["a", "b", "xyz"]


def test_a_run_without_entries_says_so() -> None:
    made = rosetta.card(rosetta.Run("r", ()))
    assert made.composite is None
    assert made.quality_tier == "unscored"
    assert any("no entries" in note for note in made.notes)


def test_latencies_that_are_no_numbers_are_left_out_and_counted() -> None:
    made = rosetta.card(
        rosetta.Run(
            "r",
            (
                rosetta.Entry("1", "s", "e", "e", latency=rosetta.number(math.nan)),
                rosetta.Entry("2", "s", "e", "e", latency=0.5),
            ),
        )
    )
    assert made.speed["avg_latency_seconds"] == 0.5
    assert any("1 entries have no usable latency" in note for note in made.notes)


def test_high_tiers_carry_their_mark() -> None:
    assert rosetta.card(plain(("s", "the same", "the same"))).marks == (rosetta.COMMUNITY_MARK,)
    assert rosetta.card(plain(("s", "the same", "xyz"))).marks == ()


def test_a_very_cheap_run_is_noted() -> None:
    made = rosetta.card(rosetta.Run("r", (rosetta.Entry("1", "s", "e", "e"),), total_cost_usd=1e-6))
    assert any("grows without bound" in note for note in made.notes)


def test_a_user_can_stop_it() -> None:
    class Stop:
        def advance(self, done: int, total: int | None, text: str = "") -> None:
            pass

        def cancelled(self) -> bool:
            return True

    with pytest.raises(Cancelled):
        rosetta.card(plain(("s", "e", "p")), progress=Stop())


@pytest.mark.long
@given(
    st.dictionaries(
        st.sampled_from(rosetta.COMPOSITE_METRICS), st.none() | st.floats(0, 1), min_size=1
    ),
    st.sampled_from("AB"),
)
def test_a_composite_lies_between_its_parts(scores, profile: str) -> None:
    scores = {
        name: value * 100 if name == "chrf_plus_plus" and value is not None else value
        for name, value in scores.items()
    }
    found = rosetta.composite(scores, profile)
    available = rosetta.available_metrics(scores, profile)
    assert (found is None) == (not available)
    if found is not None:
        assert -1e-9 <= found <= 1 + 1e-9
