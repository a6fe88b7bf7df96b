"""The parts of the page scorecard: boxes, orders, the gate, the detector, draws and intervals."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from madcat_studio.scoring.scorecards import draws, gate, langid, rosetta_counts
from madcat_studio.scoring.scorecards.chrf import chrf2, chrf2_all, chrf2_sacrebleu
from madcat_studio.scoring.scorecards.compiled import cards
from madcat_studio.scoring.scorecards.intervals import Interval, mean_interval
from madcat_studio.scoring.scorecards.layout import (
    Box,
    box_overlap,
    kendall_tau_b,
    match_regions,
    normalised_tau,
)
from madcat_studio.scoring.scorecards.rosetta_counts import (
    chrf_counts,
    counts_by_sacrebleu,
    replicated,
)

GATES = {
    "doc": gate.GateRules(),
    "ltbench": gate.GateRules(blanks_count=True, unsupported_pass=False),
}


@pytest.mark.parametrize("profile", sorted(GATES))
def test_the_gate_gives_the_golden_verdicts(golden, profile: str) -> None:
    cases = golden("ltb")["language_gate"]
    found = gate.check(
        [(case["text"], gate.target_of(case["lang_pair"])) for case in cases], GATES[profile]
    )
    wrong = [
        (case["text"], verdict)
        for case, verdict in zip(cases, found, strict=True)
        if [verdict.accepted, verdict.reason] != case["expected"][profile]
    ]
    assert not wrong


def test_the_detector_is_asked_once_for_each_text() -> None:
    asked: list[str] = []

    def detect(texts):
        asked.extend(texts)
        return ["en" for _ in texts]

    verdicts = gate.check(
        [("a long text", "es"), ("a long text", "en"), ("a long text", "es"), ("abc", "es")],
        gate.GateRules(),
        detect,
    )
    assert asked == ["a long text"]
    assert [verdict.accepted for verdict in verdicts] == [False, True, False, True]


def test_a_text_without_features_passes() -> None:
    (verdict,) = gate.check([("ᚠᚢᚦᚨᚱᚲ", "es")], gate.GateRules())
    assert verdict == gate.Verdict(True, "no-features")


def test_without_the_package_the_gate_says_that_it_did_not_run(monkeypatch) -> None:
    monkeypatch.setattr(langid, "available", lambda: False)
    (verdict,) = gate.check([("a long English text", "es")], gate.GateRules())
    assert verdict == gate.Verdict(True, "not-run")


def test_a_pair_is_split_at_its_first_hyphen() -> None:
    assert gate.target_of("en-zh-tw") == "zh-tw"


@cache
def library():
    from langdetect.detector_factory import PROFILES_DIRECTORY, DetectorFactory

    factory = DetectorFactory()
    factory.seed = 42
    factory.load_profile(PROFILES_DIRECTORY)
    return factory


def library_probabilities(text: str) -> list[float] | None:
    from langdetect import LangDetectException

    detector = library().create()
    detector.append(text)
    try:
        detector.get_probabilities()
    except LangDetectException:
        return None
    chances = dict(zip(detector.langlist, detector.langprob, strict=True))
    return [chances[name] for name in langid._profiles().names]


@pytest.mark.long
def test_the_detector_gives_the_packages_own_probabilities(golden) -> None:
    data = golden("ltb")
    texts = [case["text"] for case in data["language_gate"]][:40]
    texts += [
        region["text"] for case in data["documents"] for region in case["submission"]["regions"]
    ][:120:3]
    texts += [
        "", " ", "ab", "HELLO WORLD", "NASA launches IBM", "see http://a.b/c or mail x@y.org now",
        "Tiê´ng Viê.t", "ţară șosea", "ß", "x" * 400, "Mixed النص العربي with a few Latin words",
        "한국어 문장", "カタカナ ひらがな 漢字",
    ]  # fmt: skip
    found = list(langid.probabilities(texts))
    for text, row in zip(texts, found, strict=True):
        expected = library_probabilities(text)
        assert (row is None) == (expected is None), text
        if row is not None:
            # But for the last bits: languages are summed in another order.
            assert row.tolist() == pytest.approx(expected, abs=1e-9), text


@pytest.mark.long
@settings(max_examples=40)
@given(st.text(alphabet="abcdefghi ABCÉéñüß.,1سلامабв你あ\u1ea1\u0301", max_size=60))
def test_the_detector_gives_the_packages_own_probabilities_for_anything(text: str) -> None:
    (row,) = langid.probabilities([text])
    expected = library_probabilities(text)
    assert (row is None) == (expected is None)
    if row is not None:
        assert row.tolist() == pytest.approx(expected, abs=1e-9)


needs_compiled = pytest.mark.skipif(
    cards("chrf_counts") is None, reason="the kernel is not compiled here"
)


@pytest.mark.kernel
@needs_compiled
def test_the_compiled_detector_gives_the_same_bits(golden, monkeypatch) -> None:
    texts = [
        region["text"]
        for case in golden("ltb")["documents"]
        for region in case["submission"]["regions"]
    ]
    fast = list(langid.probabilities(texts))
    monkeypatch.setattr(langid, "cards", lambda _: None)
    for first, second in zip(fast, langid.probabilities(texts), strict=True):
        assert (first is None) == (second is None)
        assert first is None or first.tolist() == second.tolist()


@pytest.mark.long
@pytest.mark.kernel
@needs_compiled
@given(st.lists(st.tuples(*[st.text(max_size=20)] * 2), max_size=4))
def test_the_compiled_chrf_gives_the_same_bits(pairs) -> None:
    outputs, references = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    assert chrf2_all(outputs, references) == [chrf2(*pair) for pair in pairs]


@pytest.mark.long
@pytest.mark.kernel
@needs_compiled
@given(st.lists(st.tuples(*[st.text(st.sampled_from("ab.,!( \u00a0\u200bبé"), max_size=15)] * 2)))
def test_the_compiled_counts_of_chrf_are_sacrebleus(pairs) -> None:
    assert chrf_counts(pairs).tolist() == counts_by_sacrebleu(pairs).tolist()


@pytest.mark.kernel
@needs_compiled
def test_every_character_is_a_blank_or_a_mark_where_it_is_for_sacrebleu() -> None:
    blanks = [code for code in range(0x110000) if chr(code).isspace()]
    codes = {*range(1, 0x100), *(code + by for code in blanks for by in (-1, 0, 1))}
    near = [chr(code) for code in sorted(codes)]
    pairs = [(f"a{character}b x{character}", f"{character}x a{character}b") for character in near]
    assert (chrf_counts(pairs) == counts_by_sacrebleu(pairs)).all()


@pytest.mark.parametrize("count", [1, 7, 300])
def test_sums_over_replicates_are_those_of_entries_drawn_one_by_one(
    count: int, monkeypatch
) -> None:
    monkeypatch.setattr(rosetta_counts, "_NUMBERS", 1000)
    numbers = np.arange(2.0 * count).reshape(count, 2)
    several, one = replicated(numbers, numbers[:, 0])
    chance = random.Random(rosetta_counts.SEED)
    drawn = [[chance.randrange(count) for _ in range(count)] for _ in range(1000)]
    assert several.tolist() == [numbers[rows].sum(axis=0).tolist() for rows in drawn]
    assert one.tolist() == several[:, 0].tolist()


@pytest.mark.kernel
@needs_compiled
def test_the_compiled_loops_check_what_they_get() -> None:
    module = cards("detect")
    assert module is not None
    with pytest.raises(ValueError, match="as many references"):
        module.chrf2(["a"], [])
    with pytest.raises(ValueError, match="as many references"):
        module.chrf_counts(["a"], [])
    with pytest.raises(TypeError):
        module.chrf2(["a"], [1])
    table = np.ones((2, 3))
    stream = np.arange(99, dtype=np.uint32)
    limits = (7, 1000, 0.5, 0.05, 10_000, 0.99999)
    for rows, ends in (([0, 5], [2]), ([0, -1], [2]), ([0, 1], [0]), ([0, 1], [3])):
        with pytest.raises(ValueError, match="n-gram"):
            module.detect(table, np.array(rows), np.array(ends), stream, *limits)


def test_without_a_compiler_the_same_is_done_in_python(monkeypatch) -> None:
    from madcat_studio.scoring.scorecards import chrf

    monkeypatch.setattr(chrf, "cards", lambda _: None)
    assert chrf2_all(["abc", "x"], ["abd", "x"]) == [chrf2("abc", "abd"), 100.0]


def test_boxes(golden) -> None:
    for case in golden("ltb")["iou"]:
        found = box_overlap(Box(*case["a"]), Box(*case["b"]))
        assert found == pytest.approx(case["expected"], abs=1e-6)


def test_boxes_that_touch_or_have_no_size_do_not_overlap() -> None:
    assert box_overlap(Box(0, 0, 10, 10), Box(10, 0, 10, 10)) == 0
    assert box_overlap(Box(0, 0, 10, 10), Box(5, 5, 0, 0)) == 0


@pytest.mark.parametrize("profile", ["doc", "ltbench"])
def test_orders(golden, profile: str) -> None:
    for case in golden("ltb")["kendall"]:
        tau, norm = normalised_tau(case["gt"], case["pred"], constant_is_one=profile == "ltbench")
        expected_tau, expected_norm = case["expected"][profile]
        assert tau == (None if expected_tau is None else pytest.approx(expected_tau, abs=1e-6))
        assert norm == pytest.approx(expected_norm, abs=1e-6)


@pytest.mark.long
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=12))
def test_tau_b_is_scipys(pairs) -> None:
    first, second = zip(*pairs, strict=True)
    found = kendall_tau_b(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(kendalltau(first, second).statistic, abs=1e-12)


def test_greedy_matching_goes_by_overlap_then_by_position() -> None:
    table = {(0, 0): 0.5, (0, 1): 0.5, (1, 0): 0.6, (1, 1): 0.1, (2, 1): 0.0999}
    found = match_regions(["", "", ""], ["", ""], lambda a, b: table.get((a, b), 0.0))
    assert [(one.truth, one.prediction) for one in found] == [(0, 1), (1, 0)]


text = st.text(alphabet="abc اب 你", max_size=14)


@given(text, text)
def test_chrf_is_the_mean_of_f(output: str, reference: str) -> None:
    """The textbook: lists of n-grams, matched one by one."""

    def grams(value: str, order: int) -> list[str]:
        return [value[start : start + order] for start in range(len(value) - order + 1)]

    scores = []
    for order in range(1, 7):
        left, right = grams(output, order), grams(reference, order)
        if not left and not right:
            continue
        matches = 0
        rest = list(right)
        for gram in left:
            if gram in rest:
                rest.remove(gram)
                matches += 1
        if matches:
            precision, recall = matches / len(left), matches / len(right)
            scores.append(5 * precision * recall / (4 * precision + recall))
        else:
            scores.append(0.0)
    expected = 100.0 if output == reference else 100 * sum(scores) / len(scores)
    assert chrf2(output, reference) == pytest.approx(expected, abs=1e-9)


@given(st.text(alphabet="abcd é", min_size=6, max_size=30), st.text("abcd é", min_size=6))
def test_chrf_is_sacrebleus_with_blanks_and_mean_of_f(output: str, reference: str) -> None:
    from sacrebleu.metrics.chrf import CHRF

    library = CHRF(eps_smoothing=True, whitespace=True).sentence_score(output, [reference]).score
    # Both strip their ends before they count.
    if output == output.strip() and reference == reference.strip():
        assert chrf2(output, reference) == pytest.approx(library, abs=1e-9)


def test_the_other_chrf_is_sacrebleus_default() -> None:
    from sacrebleu.metrics.chrf import CHRF

    pair = ("the small house", "the little house")
    assert chrf2_sacrebleu(*pair) == CHRF().sentence_score(pair[0], [pair[1]]).score


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8, 1000, 65_536, 65_537])
@pytest.mark.parametrize("seed", [0, 42, 12_345])
def test_draws_are_pythons(limit: int, seed: int) -> None:
    generator = random.Random(seed)
    expected = [generator.randrange(limit) for _ in range(3000)]
    assert draws.below(seed, limit, 3000).tolist() == expected


def test_no_draws() -> None:
    assert draws.below(1, 5, 0).tolist() == []


def test_raw_words_are_pythons() -> None:
    generator = random.Random(7)
    assert draws.words(7, 50).tolist() == [generator.getrandbits(32) for _ in range(50)]


def test_intervals(golden) -> None:
    for case in golden("ltb")["bootstrap"]:
        found = mean_interval(case["values"], 42)
        expected = case["expected"]
        for value, wanted in zip(
            (found.point, found.low, found.high),
            (expected["point"], expected["ci_low"], expected["ci_high"]),
            strict=True,
        ):
            assert value == (None if wanted is None else pytest.approx(wanted, abs=1e-6))


def test_one_value_is_its_own_interval() -> None:
    assert mean_interval([3.5], 42) == Interval(3.5, 3.5, 3.5)
