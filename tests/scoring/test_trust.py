"""Coefficients, accuracies and tests of metrics, held against plain code and published values."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import scipy.stats

from madcat_studio.progress import SILENT, Cancelled
from madcat_studio.scoring.resampling import Resampling, holm, percentiles
from madcat_studio.scoring.trust.accuracy import SegmentPairs, system_accuracy
from madcat_studio.scoring.trust.correlation import Coefficient, correlate
from madcat_studio.scoring.trust.drawing import Drawn, interval_from, told_apart
from madcat_studio.scoring.trust.kendall import kendall
from madcat_studio.scoring.trust.metrics import Bleu, Chrf, Length, Mean, Metric, Rate
from madcat_studio.scoring.trust.permutation import permutation_of_both
from madcat_studio.scoring.trust.study import Grouping, Level, Study, Units, study
from madcat_studio.scoring.trust.williams import williams

HOW = Resampling(resamples=20)
SEGMENT, DOCUMENT, SYSTEM = Level.SEGMENT, Level.DOCUMENT, Level.SYSTEM
ALL, WITHIN = Grouping.ALL, Grouping.SYSTEM
OF_SCIPY = {
    Coefficient.KENDALL: lambda x, y: scipy.stats.kendalltau(x, y).statistic,
    Coefficient.SPEARMAN: lambda x, y: scipy.stats.spearmanr(x, y).statistic,
    Coefficient.PEARSON: lambda x, y: scipy.stats.pearsonr(x, y).statistic,
}


def made(seed: int, count: int = 60, documents: int = 9, digits: int = 1):
    """Two metrics, one of three values, and people, with equal scores; documents of all sizes."""
    generator = np.random.default_rng(seed)
    own = generator.integers(0, documents, count)
    own[:documents] = np.arange(documents)
    x = np.round(generator.normal(size=count), digits)
    y = np.round(x + generator.normal(size=count), digits)
    return np.stack([x, generator.integers(0, 3, count).astype(float)]), y, own


def tau_of_pairs(x: np.ndarray, y: np.ndarray) -> float:
    """By its definition, pair by pair."""
    signs = [
        (np.sign(x[i] - x[j]), np.sign(y[i] - y[j])) for i, j in combinations(range(len(x)), 2)
    ]
    agree = sum(a * b for a, b in signs)
    return agree / np.sqrt(sum(a * a for a, _ in signs) * sum(b * b for _, b in signs))


@pytest.mark.parametrize("digits", [0, 1, 6])
@pytest.mark.parametrize("seed", range(4))
def test_each_resample_gives_what_scipy_gives_of_its_segments(seed: int, digits: int) -> None:
    metrics, people, documents = made(seed, digits=digits)
    drawn = Drawn.of(9, HOW)
    found = correlate(metrics, people, documents, drawn)
    for row, times in enumerate(drawn.times):
        rows = np.repeat(np.arange(len(people)), times[documents].astype(int))
        for place, metric in enumerate(metrics):
            for one, of in OF_SCIPY.items():
                expected = of(metric[rows], people[rows])
                assert found[one][row, place] == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("seed", range(6))
def test_tau_is_what_its_pairs_say(seed: int) -> None:
    metrics, people, documents = made(seed, count=25, documents=5, digits=0)
    once = np.ones((1, 5))
    for metric in metrics:
        expected = tau_of_pairs(metric, people)
        assert kendall(metric[None], people, documents, once)[0, 0] == pytest.approx(
            expected, abs=1e-14
        )


def test_tau_is_the_same_in_either_precision() -> None:
    """Each document so many times more changes no share; its whole numbers need more digits."""
    metrics, people, documents = made(1, count=400, documents=20)
    times = Drawn.of(20, HOW).times
    short = kendall(metrics, people, documents, times)
    assert kendall(metrics, people, documents, 3000 * times) == pytest.approx(short, abs=1e-13)


def test_documents_need_not_be_together_nor_all_there() -> None:
    metrics, people, documents = made(3)
    drawn = Drawn.of(9, HOW)
    there = documents != 4
    found = correlate(metrics[:, there], people[there], documents[there], drawn)
    for row, times in enumerate(drawn.times):
        rows = np.repeat(np.nonzero(there)[0], times[documents[there]].astype(int))
        expected = scipy.stats.kendalltau(metrics[0][rows], people[rows]).statistic
        assert found[Coefficient.KENDALL][row, 0] == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("constant", ["metric", "people"])
def test_a_constant_has_no_coefficient(constant: str) -> None:
    metrics, people, documents = made(2)
    if constant == "metric":
        metrics[0] = 0.1 + 0.2  # whose mean is another number in the last digit
    else:
        people = np.full(len(people), 1 / 3)
    for values in correlate(metrics, people, documents, Drawn.of(9, HOW)).values():
        assert np.isnan(values[:, 0]).all()
        assert np.isnan(values[:, 1]).all() == (constant == "people")


def test_a_resample_that_is_constant_is_left_out_of_the_interval() -> None:
    values = np.array([0.5, *[0.4] * 50, *[0.6] * 45, *[np.nan] * 5])
    found = interval_from(values, 30, HOW)
    assert found is not None
    assert (found.low, found.high) == (0.4, 0.6)
    assert interval_from(np.array([0.5, *[0.4] * 8, *[np.nan] * 2]), 30, HOW) is None
    assert interval_from(np.array([np.nan, 0.4, 0.5]), 30, HOW) is None
    assert interval_from(np.array([0.5, 0.4, 0.5]), 1, HOW) is None


def test_the_paired_bootstrap_counts_resamples_on_the_other_side() -> None:
    assert told_apart(np.array([0.1, *[0.2] * 97, -0.1, 0.0])) == pytest.approx(2 * 3 / 100)
    assert told_apart(np.array([np.nan, 0.1, 0.2])) is None


# The examples of mt-metrics-eval 1.0, tau_optimization_test.py (Apache 2.0).
ACC_EQ = [
    ([[0, 2, 6, 8]], [[1, 2, 3, 4]], 0, 1.0),
    ([[0, 2, 6, 8]], [[1, 1, 1, 4]], 4, 4 / 6),
    (
        [[0, 5, 2, 3, 2], [None, 2, 1, 5, 3], [9, 1, 5, 3, 8], [9, 3, 4, 4, 1], [None] * 5],
        [[1, 5, 2, 1, 1], [4, 2, 2, 1, 4], [5, 9, 2, 8, 7], [7, 6, None, 3, 2], [None] * 5],
        1,
        0.4916666666666668,
    ),
]


@pytest.mark.parametrize(("metric", "people", "threshold", "accuracy"), ACC_EQ)
def test_accuracy_with_calibrated_ties_is_that_of_its_authors(
    metric: list, people: list, threshold: float, accuracy: float
) -> None:
    rows = [
        (segment, one, other)
        for segment, pair in enumerate(zip(metric, people, strict=True))
        for one, other in zip(*pair, strict=True)
        if one is not None and other is not None
    ]
    segments, of_metric, of_people = (np.array(column) for column in zip(*rows, strict=True))
    found = SegmentPairs(segments, of_people).calibrated(of_metric)
    assert found is not None
    assert found.threshold == threshold
    assert found.accuracy == pytest.approx(accuracy, abs=1e-15)


@pytest.mark.parametrize("seed", range(4))
def test_the_threshold_is_the_best_of_all(seed: int) -> None:
    generator = np.random.default_rng(seed)
    segments = generator.integers(0, 12, 50)
    people, metric = generator.integers(0, 3, 50), generator.integers(0, 9, 50) / 4
    found = SegmentPairs(segments, people).calibrated(metric)
    assert found is not None

    def accuracy(threshold: float) -> float:
        shares = []
        for segment in np.unique(segments):
            own = np.nonzero(segments == segment)[0]
            right = [
                np.sign(people[i] - people[j])
                == (np.sign(d) if abs(d := metric[i] - metric[j]) > threshold else 0)
                for i, j in combinations(own, 2)
            ]
            shares += [np.mean(right)] if right else []
        return float(np.mean(shares))

    tried = {step / 4: accuracy(step / 4) for step in range(10)}
    best = max(tried.values())
    assert found.accuracy == pytest.approx(best, abs=1e-14)
    assert found.threshold == min(at for at, value in tried.items() if value > best - 1e-12)


def test_outputs_of_different_segments_are_no_pair() -> None:
    assert SegmentPairs([1, 2, 3], [0.1, 0.2, 0.3]).calibrated([1.0, 2.0, 3.0]) is None


def test_systems_that_people_do_not_tell_apart_do_not_count() -> None:
    people = np.array([[1.0, 2.0, 2.0, 4.0], [3.0, 3.0, 3.0, 3.0]])
    metric = np.array([[1.0, 3.0, 2.0, 0.0], [1.0, 2.0, 3.0, 4.0]])
    found = system_accuracy(metric, people)
    assert found[0] == pytest.approx(2 / 5)  # of 1-2, 1-3, 1-4, 2-4, 3-4 the first two
    assert np.isnan(found[1])


def test_williams_is_that_of_r() -> None:
    """nlpstats 0.0.4, williams_test.py, which holds itself against r.test of R's psych."""
    state = np.random.RandomState(12)
    x, y, z = (state.random_sample((9, 5)).ravel() for _ in range(3))

    def r(one: np.ndarray, other: np.ndarray) -> float:
        return float(np.corrcoef(one, other)[0, 1])

    found = williams(r(x, z), r(y, z), r(x, y), 45)
    assert found == pytest.approx(0.5433956, abs=5e-8)
    assert williams(r(y, z), r(x, z), r(x, y), 45) == found
    assert williams(0.5, 0.5, 1.0, 45) is None
    assert williams(0.5, 0.4, 0.3, 3) is None


def test_the_permutation_of_both_is_that_of_its_authors() -> None:
    """nlpstats 0.0.4, permutation_test.py: 0.5362 of 9,999 permutations of its own."""
    state = np.random.RandomState(1234)
    x, y, z = (state.random_sample((9, 5)).ravel() for _ in range(3))
    systems, documents = np.divmod(np.arange(45), 5)
    (p,) = permutation_of_both(
        np.stack([x, y]), z, systems, documents, [(0, 1)], Resampling(resamples=9999)
    )
    assert p == pytest.approx(0.5362, abs=0.02)  # three deviations of the difference of two such


def test_the_permutation_counts_every_way_of_swapping() -> None:
    """Of 2 systems and 2 documents there are 8 ways; drawn often, each comes as often."""
    generator = np.random.default_rng(5)
    x, y, z = generator.normal(size=(3, 12))
    systems, documents = np.divmod(np.arange(12) % 4, 2)
    x, y, z = ((one - one.mean()) / one.std() for one in (x, y, z))

    def difference(swapped: np.ndarray) -> float:
        a, b = np.where(swapped, y, x), np.where(swapped, x, y)
        return abs(np.corrcoef(a, z)[0, 1] - np.corrcoef(b, z)[0, 1])

    seen = difference(np.zeros(12, bool))
    ways = [
        difference(np.array([s0, s1])[systems] ^ np.array([d0, d1])[documents])
        for s0 in (False, True)
        for s1 in (False, True)
        for d0 in (False, True)
        for d1 in (False, True)
    ]
    exact = np.mean([way >= seen - 1e-12 for way in ways])
    (p,) = permutation_of_both(
        np.stack([x, y]), z, systems, documents, [(0, 1)], Resampling(resamples=4000)
    )
    assert p == pytest.approx(exact, abs=0.03)


def test_the_same_metric_twice_is_never_told_apart() -> None:
    metrics, people, documents = made(4)
    twice = np.stack([metrics[0], metrics[0], np.zeros(len(people))])
    systems = np.arange(len(people)) % 3
    pairs = [(0, 1), (0, 2)]
    assert permutation_of_both(twice, people, systems, documents, pairs, HOW) == [1.0, None]


# -- metrics ---------------------------------------------------------------------------------------


def test_a_documents_score_comes_from_sums() -> None:
    rate = Rate("TER", [[1, 4], [3, 4], [0, 0], [2, 0]])
    assert rate.segments()[:3].tolist() == [0.25, 0.75, 0.0]
    assert np.isnan(rate.segments()[3])
    assert rate.scores(rate.added(np.array([0, 0, 1, 1]), 2))[0] == 0.5
    length = Length("Length", [[5, 4], [3, 4]])
    assert length.segments().tolist() == [0.25, 0.25]
    assert length.scores(length.sums.sum(axis=0)) == 0.0
    mean = Mean("COMET", [0.5, 1.0])
    assert mean.scores(mean.sums.sum(axis=0)) == 0.75
    assert mean.oriented(mean.segments()).tolist() == [-0.5, -1.0]


def test_bleu_and_chrf_are_those_of_sacrebleu() -> None:
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

    outputs = ["The mayor opened the new bridge on Monday .", "He did name a builder .", "Yes"]
    references = ["The mayor opened on Monday the new bridge.", "He did not name him.", "Yes"]
    sentence = BLEU(effective_order=True)
    scores = [sentence.sentence_score(o, [r]) for o, r in zip(outputs, references, strict=True)]
    bleu = Bleu("BLEU", [[*one.counts, *one.totals, one.sys_len, one.ref_len] for one in scores])
    assert bleu.segments().tolist() == [one.score for one in scores]
    corpus = BLEU().corpus_score(outputs, [references]).score
    assert bleu.scores(bleu.sums.sum(axis=0)) == pytest.approx(corpus, abs=1e-12)
    library = CHRF(word_order=2)
    counts = [
        library._extract_corpus_statistics([o], [[r]])[0]
        for o, r in zip(outputs, references, strict=True)
    ]
    chrf = Chrf("chrF++", counts)
    expected = library.corpus_score(outputs, [references]).score
    assert chrf.scores(chrf.sums.sum(axis=0)) == pytest.approx(expected, abs=1e-12)


# -- everything together ---------------------------------------------------------------------------


def campaign(systems: int = 4, documents: int = 8) -> tuple[list[Metric], Metric, Units, dict]:
    """Each document has two copies (pages) of three segments; systems are of different quality."""
    generator = np.random.default_rng(7)
    segments = documents * 6
    segment = np.tile(np.arange(segments), systems)
    system = np.repeat(np.arange(systems), segments)
    words = generator.integers(4, 30, segments)[segment]
    edits = generator.binomial(words, np.clip(0.2 + 0.1 * system, 0, 1))
    people = Rate("HTER", np.stack([edits, words], axis=1))
    others = [
        Rate("TER", np.stack([generator.binomial(words, edits / words * 0.7 + 0.1), words], 1)),
        Mean("COMET", -edits / words + generator.normal(0, 0.1, len(words))),
        Mean("same", np.full(len(words), 0.3)),
    ]
    units = Units(system, segment // 6, segment // 3, segment)
    return others, people, units, {"genre": [("a", "b")[one % 2] for one in segment // 6]}


@pytest.fixture(scope="module")
def found() -> Study:
    return study(*campaign(), how=HOW)


def straight(level: Level, grouping: Grouping, one: Coefficient, place: int):
    """Value and ends of the interval by plain code: each resample's rows gathered and looked at."""
    metrics, people, units, _ = campaign()
    metric = metrics[place]
    drawn = Drawn.of(8, HOW)
    values = []
    for times in drawn.times:
        cells: list[tuple[int, np.ndarray]] = []  # of which system, which rows are one unit
        for document, often in enumerate(times.astype(int)):
            for _ in range(often):
                own = np.nonzero(units.documents == document)[0]
                if level is SEGMENT:
                    cells += [(units.systems[row], np.array([row])) for row in own]
                else:
                    pairs = {(units.systems[row], units.pages[row]) for row in own}
                    cells += [
                        (s, own[(units.systems[own] == s) & (units.pages[own] == p)])
                        for s, p in sorted(pairs)
                    ]
        x = np.array([metric.scores(metric.sums[rows].sum(axis=0)) for _, rows in cells])
        y = np.array([people.scores(people.sums[rows].sum(axis=0)) for _, rows in cells])
        x = metric.oriented(x)
        systems = np.array([system for system, _ in cells])
        groups = [systems >= 0] if grouping is ALL else [systems == s for s in range(4)]
        values.append(np.mean([OF_SCIPY[one](x[own], y[own]) for own in groups]))
    low, high = percentiles(np.array(values[1:]), HOW.level, 8)
    return values[0], low, high


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("one", Coefficient)
@pytest.mark.parametrize("grouping", [ALL, WITHIN])
@pytest.mark.parametrize("level", [SEGMENT, DOCUMENT])
def test_value_and_interval_are_those_of_plain_code(
    found: Study, level: Level, grouping: Grouping, one: Coefficient, place: int
) -> None:
    estimate = found.coefficients[level, grouping, one][place]
    assert estimate.interval is not None
    told = estimate.value, estimate.interval.low, estimate.interval.high
    assert told == pytest.approx(straight(level, grouping, one, place), abs=1e-12)
    assert estimate.units == (192 if level is SEGMENT else 64)


def test_systems_are_scored_from_the_sums_of_each_resample(found: Study) -> None:
    metrics, people, units, _ = campaign()
    drawn = Drawn.of(8, HOW)
    accuracies = []
    for times in drawn.times:
        weights = times[units.documents]
        x, y = (
            one.oriented(
                np.array(
                    [
                        one.scores((one.sums * weights[:, None])[units.systems == s].sum(axis=0))
                        for s in range(4)
                    ]
                )
            )
            for one in (metrics[1], people)
        )
        pairs = list(combinations(range(4), 2))
        right = [np.sign(x[i] - x[j]) == np.sign(y[i] - y[j]) for i, j in pairs]
        accuracies.append(np.mean(right))
    estimate = found.system_accuracies[1]
    assert estimate.interval is not None
    assert estimate.value == pytest.approx(accuracies[0], abs=1e-12)
    ends = percentiles(np.array(accuracies[1:]), HOW.level, 8)
    assert (estimate.interval.low, estimate.interval.high) == pytest.approx(ends, abs=1e-12)
    # As they were seen, turned so that more is worse: HTER rises with the system's number.
    assert (np.diff(found.people) > 0).all()
    rows = [people.sums[units.systems == s].sum(axis=0) for s in range(4)]
    assert found.people == pytest.approx([edits / words for edits, words in rows])
    means = [metrics[1].sums[units.systems == s, 0].mean() for s in range(4)]
    assert found.systems[1] == pytest.approx([-mean for mean in means])


def test_a_constant_metric_is_absent_everywhere(found: Study) -> None:
    for estimates in (*found.coefficients.values(), *found.groups.values(), found.accuracies):
        assert estimates[2].value is None
        assert estimates[2].interval is None
        assert estimates[0].value is not None
    for one in found.compared:
        if one.second == 2:
            assert (one.p_both, one.p_holm, one.p_williams, one.p_bootstrap) == (None,) * 4
            assert one.pearson.value is None
            assert one.kendall.value is None
    # It puts no two systems in any order.
    assert found.system_accuracies[2].value == 0.0


def test_metrics_are_compared_on_the_same_resamples(found: Study) -> None:
    one = found.compared[0]
    values = [
        found.coefficients[SEGMENT, ALL, Coefficient.PEARSON][place].value for place in (0, 1)
    ]
    assert one.pearson.value == pytest.approx(values[0] - values[1])
    known = [each.p_both for each in found.compared if each.p_both is not None]
    assert [each.p_holm for each in found.compared if each.p_holm is not None] == holm(known)


def test_a_group_has_its_own_segments(found: Study) -> None:
    metrics, people, _, groups = campaign()
    own = np.array(groups["genre"]) == "b"
    expected = scipy.stats.kendalltau(metrics[0].segments()[own], people.segments()[own]).statistic
    estimate = found.groups["genre", "b"][0]
    assert estimate.value == pytest.approx(expected, abs=1e-12)
    assert estimate.units == int(own.sum())


def test_of_two_systems_nothing_is_said() -> None:
    few = study(*campaign(systems=2), how=HOW)
    assert few.system_accuracies == []
    assert not [key for key in few.coefficients if key[0] is SYSTEM]
    assert few.systems.shape == (3, 2)


def test_it_stops_when_it_is_told_to() -> None:
    class Impatient:
        def advance(self, done: int, total: int | None, what: str) -> None: ...

        def cancelled(self) -> bool:
            return True

    with pytest.raises(Cancelled):
        study(*campaign(), how=HOW, progress=Impatient())
    assert not SILENT.cancelled()
