"""Scribes overlap as much as they can: small cases against all assignments, the plan's proven."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from madcat_studio.errors import InputError
from madcat_studio.planning import scribes as module
from madcat_studio.planning.quotas import PLAN, Copy, Factor, Quota, check_quotas, standing
from madcat_studio.planning.scribes import (
    Assignment,
    Scribe,
    assign_scribes,
    deal,
    loads_of,
    overlap_of,
    shared_passages,
)


def people(exposed: int, unexposed: int) -> list[Scribe]:
    made = [Scribe(f"E{number}", True) for number in range(exposed)]
    return made + [Scribe(f"U{number}", False) for number in range(unexposed)]


def overlap(rows: tuple[tuple[int, ...], ...], scribes: int, threshold: int) -> int:
    shared = np.zeros((scribes, scribes), dtype=np.int64)
    for row in rows:
        for one, other in combinations(row, 2):
            shared[one, other] += 1
            shared[other, one] += 1
    return overlap_of(shared, threshold)


def check(found: Assignment, scribes: list[Scribe], copies: int, exposed: float) -> None:
    loads = loads_of(scribes, len(found.scribes), copies, exposed)
    counts = [0] * len(scribes)
    for row in found.scribes:
        assert len(set(row)) == copies
        for one in row:
            counts[one] += 1
    assert counts == loads
    assert found.overlap == overlap(found.scribes, len(scribes), found.threshold)
    assert found.overlap <= found.bound


@pytest.mark.parametrize(
    ("passages", "exposed", "unexposed", "copies", "share"),
    [
        (3, 2, 1, 2, 2 / 3),
        (4, 2, 2, 2, 0.5),
        (4, 2, 2, 3, 0.5),
        (3, 3, 2, 2, 0.5),
        (2, 3, 3, 3, 0.5),
    ],
)
def test_small_cases_are_those_of_brute_force(
    passages: int, exposed: int, unexposed: int, copies: int, share: float
) -> None:
    scribes = people(exposed, unexposed)
    loads = loads_of(scribes, passages, copies, share)
    found = assign_scribes(passages, scribes, copies=copies, exposed=share)
    check(found, scribes, copies, share)
    choices = list(combinations(range(len(scribes)), copies))
    best = max(
        overlap(rows, len(scribes), found.threshold)
        for rows in product(choices, repeat=passages)
        if [sum(one in row for row in rows) for one in range(len(scribes))] == loads
    )
    assert found.overlap == best
    assert found.bound == best  # proven: the bound is no higher


def test_where_all_pairs_cannot_be_even_the_whole_is_searched() -> None:
    # Six scribes in fours: a pair would share two of five passages; no such design has equal loads.
    scribes = people(3, 3)
    found = assign_scribes(4, scribes, copies=4, exposed=0.5, steps=0)
    check(found, scribes, 4, 0.5)
    assert found.gap is not None
    assert found.proven
    # The bound that counting gives is lowered, or reached, by the search of the whole.
    assert found.bound <= min(4 * 6, found.threshold * 15)


def test_the_plans_own_corpus_is_proven_best() -> None:
    """160 passages by three of 24 scribes: every pair shares a passage, and more is not counted."""
    scribes = people(12, 12)
    found = assign_scribes(160, scribes)
    check(found, scribes, 3, 0.5)
    assert (found.overlap, found.bound, found.gap) == (276, 276, 0.0)
    assert {loads_of(scribes, 160, 3, 0.5)[one] for one in range(24)} == {20}
    assert assign_scribes(160, scribes) == found
    # And even beyond that: 480 meetings of 276 pairs are one or two for each.
    shared = shared_passages(found.scribes, 24)[np.triu_indices(24, 1)]
    assert {int(one) for one in shared} == {1, 2}


def test_a_bound_of_nothing_is_no_gap() -> None:
    found = assign_scribes(3, people(1, 1), copies=1)
    assert (found.overlap, found.bound, found.gap) == (0, 0, None)


@pytest.mark.parametrize(
    ("scribes", "copies", "share", "code", "told"),
    [
        (people(2, 0), 3, 1.0, "scribes.too-few", "1 too few"),
        (people(2, 2), 0, 0.5, "scribes.nothing", "nothing to copy"),
        (people(0, 4), 2, 0.5, "scribes.exposure", "10, and 0 such scribes can make 0: 10 too few"),
        (people(1, 4), 3, 0.5, "scribes.exposure", "15, and 1 such scribes can make 10: 5 too few"),
    ],
)
def test_a_quota_that_cannot_be_met_is_told(
    scribes: list[Scribe], copies: int, share: float, code: str, told: str
) -> None:
    with pytest.raises(InputError) as caught:
        assign_scribes(10, scribes, copies=copies, exposed=share)
    assert caught.value.code == code
    assert told in str(caught.value)
    assert caught.value.remedy


@pytest.mark.parametrize("count", [0, 1, 7, 480])
def test_levels_are_dealt_as_near_to_their_shares_as_can_be(count: int) -> None:
    shares = {"normal": 0.9, "fast": 0.05, "careful": 0.05}
    dealt = deal(count, shares)
    for place in range(count + 1):
        for level, share in shares.items():
            assert abs(dealt[:place].count(level) - share * place) <= 1
    assert len(dealt) == count


def copy(**given: object) -> Copy:
    base = {
        "data_set": "evaluation",
        "passage": "p",
        "genre": "web",
        "tokens": 125,
        "scribe": "S1",
        "exposure": "exposed",
        "implement": "ink",
        "surface": "lined paper",
        "speed": "normal",
    }
    return Copy(**(base | given))  # type: ignore[arg-type]


def test_what_is_missing_is_counted() -> None:
    copies = [
        copy(passage="p1", scribe="S1"),
        copy(passage="p1", scribe="S2", exposure="unexposed"),
        copy(passage="p2", scribe="S1", tokens=90, implement="pencil"),
        copy(passage="p2", scribe="S1", tokens=90),
    ]
    quotas = [
        Quota("evaluation", Factor.PASSAGES, "web", 3),
        Quota("evaluation", Factor.PASSAGES, "newswire", 1),
        Quota("evaluation", Factor.TOKENS, "", 125),
        Quota("evaluation", Factor.COPIES, "", 2),
        Quota("evaluation", Factor.SCRIBES, "", 2),
        Quota("evaluation", Factor.EXPOSURE, "exposed", 0.5),
        Quota("evaluation", Factor.EXPOSURE, "unexposed", 0.5),
        Quota("training", Factor.SCRIBES, "", 9),
    ]
    found = [(one.target, one.actual, one.missing) for one in standing(copies, quotas)]
    assert found == [(3, 2, 1), (1, 0, 1), (2, 1, 1), (2, 1, 1), (2, 2, 0), (2, 3, 0), (2, 1, 1)]


@pytest.mark.parametrize(
    ("quotas", "code"),
    [
        ([Quota("training", Factor.SCRIBES, "", -1)], "quotas.negative"),
        ([Quota("training", Factor.SCRIBES, "", float("nan"))], "quotas.negative"),
        ([Quota("training", Factor.SCRIBES, "", 1)] * 2, "quotas.twice"),
        ([Quota("training", Factor.SPEED, "fast", 0.4)], "quotas.shares"),
    ],
)
def test_quotas_that_contradict_themselves(quotas: list[Quota], code: str) -> None:
    with pytest.raises(InputError) as caught:
        check_quotas(quotas)
    assert caught.value.code == code


def test_the_plans_quotas_are_whole() -> None:
    check_quotas(PLAN)
    assert module.assign_scribes is assign_scribes
