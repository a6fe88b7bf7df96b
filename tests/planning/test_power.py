"""Power by simulation, beside the textbook's formulas."""

from __future__ import annotations

from math import ceil, comb

import numpy as np
import pytest
from scipy import stats

from madcat_studio.errors import InputError
from madcat_studio.planning.power import Pilot, Power, documents_needed, power_at


def paired(documents: int, deviation: float, seed: int = 1) -> Pilot:
    """Two systems whose documents have all 200 words, and differ by about ``deviation``."""
    generator = np.random.default_rng(seed)
    words = np.full(documents, 200.0)
    first = 200 * generator.normal(0.25, 0.06, documents)
    differences = generator.normal(0, 1, documents)
    differences = (differences - differences.mean()) / differences.std() * deviation * 200
    return Pilot(first, words, (first + differences, words))


def expected(documents: int, difference: float, deviation: float, level: float = 0.05) -> float:
    """The power of the paired t test, by the noncentral t distribution."""
    shift = difference / deviation * np.sqrt(documents)
    edge = stats.t.isf(level / 2, documents - 1)
    apart = stats.nct.sf(edge, documents - 1, shift) + stats.nct.cdf(-edge, documents - 1, shift)
    return float(apart)


@pytest.mark.parametrize(
    ("documents", "difference", "pairs"), [(20, 0.03, 1), (40, 0.03, 1), (60, 0.02, 3)]
)
def test_it_is_the_power_of_the_t_test(documents: int, difference: float, pairs: int) -> None:
    found = power_at(paired(400, 0.06), documents, difference, pairs=pairs, simulations=400, seed=3)
    wanted = expected(documents, difference, 0.06, 0.05 / pairs)
    # Three standard errors of what is simulated.
    assert found.power == pytest.approx(wanted, abs=3 * np.sqrt(0.25 / 400))
    theirs = stats.binomtest(round(found.power * 400), 400).proportion_ci(method="wilson")
    assert (found.low, found.high) == (theirs.low, theirs.high)
    assert found.low < found.power < found.high


def test_where_nothing_differs_the_level_is_kept() -> None:
    found = power_at(paired(200, 0.06), 30, 1e-12, simulations=400)
    assert found.power == pytest.approx(0.05, abs=0.035)


@pytest.mark.long
def test_the_documents_that_are_needed() -> None:
    pilot, tried = paired(300, 0.05), []
    found = documents_needed(pilot, 0.02, look=tried.append)
    assert found is not None
    assert found.power >= 0.8
    assert found in tried
    assert all(isinstance(one, Power) for one in tried)
    by_formula = next(n for n in range(5, 500) if expected(n, 0.02, 0.05) >= 0.8)
    assert found.documents == pytest.approx(by_formula, rel=0.2)
    fewer = [one for one in tried if one.documents < found.documents]
    assert fewer
    assert max(fewer, key=lambda one: one.documents).power < 0.8
    assert documents_needed(pilot, 0.02) == found, "the seed decides"


@pytest.mark.long
def test_one_system_alone_asks_for_more() -> None:
    """Without a second system what documents have in common is not counted on."""
    both = paired(60, 0.05)
    alone = documents_needed(Pilot(both.edits, both.words), 0.03, simulations=200)
    together = documents_needed(both, 0.03, simulations=200)
    assert alone is not None
    assert together is not None
    assert alone.documents > together.documents
    # Two systems, each with the spread of the documents' own rates.
    spread = float(np.std(both.edits / both.words)) * np.sqrt(2)
    by_formula = next(n for n in range(5, 900) if expected(n, 0.03, spread) >= 0.8)
    assert alone.documents == pytest.approx(by_formula, rel=0.25)


def test_what_cannot_be_reckoned_is_refused() -> None:
    two = Pilot(np.array([1.0, 2.0]), np.array([10.0, 10.0]))
    with pytest.raises(InputError, match="2 source documents do not show") as caught:
        documents_needed(two, 0.02)
    assert caught.value.code == "power.pilot"
    with pytest.raises(InputError) as caught:
        documents_needed(paired(10, 0.05), 0.0)
    assert caught.value.code == "power.difference"


def test_more_than_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("madcat_studio.planning.power.MOST_DOCUMENTS", 50)
    assert documents_needed(paired(30, 0.3), 0.001, simulations=50) is None


@pytest.mark.long
def test_many_systems_ask_for_more() -> None:
    pilot = paired(100, 0.05)
    found = [
        documents_needed(pilot, 0.03, pairs=comb(systems, 2), simulations=200) for systems in (2, 5)
    ]
    assert found[0] is not None
    assert found[1] is not None
    assert found[0].documents < found[1].documents
    assert found[1].documents >= ceil(1 - np.log2(0.05 / 10))
