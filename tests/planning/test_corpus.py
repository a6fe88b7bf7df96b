"""A corpus as it is planned: its copies, their ways and names, and how its quotas stand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from madcat_studio.errors import InputError
from madcat_studio.planning.corpus import (
    CorpusOrder,
    Passage,
    plan_order,
    standing_before,
)
from madcat_studio.planning.quotas import PLAN, Factor, Quota, Standing, standing, with_target
from madcat_studio.planning.scribes import Scribe, assess, shared_passages


def order(passages: int = 20, scribes: int = 6, *, documents: int | None = None) -> CorpusOrder:
    return CorpusOrder(
        tuple(
            Passage(
                f"p{number}",
                f"DOC{number % (documents or passages)}",
                "newswire" if number % 2 else "web",
                120 + number,
            )
            for number in range(passages)
        ),
        tuple(Scribe(f"S{number}", number % 2 == 0) for number in range(scribes)),
        PLAN,
        "evaluation",
        "go-no-go",
    )


def found(quotas: tuple[Standing, ...], factor: Factor, level: str = "") -> Standing:
    return next(one for one in quotas if (one.quota.factor, one.quota.level) == (factor, level))


def test_every_copy_has_a_scribe_a_way_and_a_name_of_its_own() -> None:
    plan = plan_order(order(documents=7))
    made = plan.manuscripts
    assert len(made) == 60
    assert len({one.base for one in made}) == 60
    # Passages of one source document are its pages.
    assert {one.base for one in made if one.passage.name == "p7"} == {
        f"DOC0_2_{one.scribe.name}" for one in made if one.passage.name == "p7"
    }
    for own in plan.by_scribe().values():
        assert len(own) == 10
        assert len({one.passage for one in own}) == 10
    codes = Counter(letter for one in made for letter in one.way.code)
    assert codes == {"I": 54, "P": 6, "U": 45, "L": 15, "N": 54, "F": 3, "C": 3}
    assert [one.scribe for one in plan.copies] == [one.scribe.name for one in made]
    assert plan.standing() == standing(plan.copies, plan.order.own_quotas)
    assert found(plan.standing(), Factor.EXPOSURE, "exposed").missing == 0
    assert plan_order(order(documents=7)) == plan


def test_it_is_told_how_good_the_assignment_is() -> None:
    plan = plan_order(order())
    assert plan.sentences() == (
        "20 passages, 60 copies, 6 scribes",
        "Overlap (each pair up to 4): 60 of 60 shared passages over pairs of scribes: no "
        "assignment has more",
    )
    worse = replace(plan, assignment=replace(plan.assignment, overlap=57))
    assert worse.sentences()[1].endswith("57 of 60 shared passages over pairs of scribes: at most "
                                         "5.00% more can be")  # fmt: skip
    alone = plan_order(replace(order(), copies=1))
    assert alone.sentences()[1].endswith("no two scribes can share a passage")


def test_what_is_assigned_is_assessed_as_it_was_planned() -> None:
    plan = plan_order(order())
    assert assess(plan.assignment.scribes, 6) == plan.assignment
    shared = shared_passages([(0, 1, 2), (0, 1)], 4)
    assert shared.tolist() == [[0, 2, 1, 0], [2, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    # Three scribes, three pairs, four meetings: each pair counts once, and a pair lacks nothing.
    assert assess([(0, 1, 2), (0, 1)], 4).overlap == 3
    assert assess([(0, 1, 2), (0, 1)], 4).bound == 3


def test_a_scribe_meets_others_no_more_often_than_the_own_passages_allow() -> None:
    """One exposed scribe with two of 20 passages: counting alone gives a bound out of reach."""
    scribes = (Scribe("E", True), *(Scribe(f"U{number}", False) for number in range(5)))
    quotas = (
        Quota("evaluation", Factor.EXPOSURE, "exposed", 2 / 60),
        Quota("evaluation", Factor.EXPOSURE, "unexposed", 58 / 60),
    )
    found = plan_order(replace(order(), scribes=scribes, quotas=quotas)).assignment
    # Ten pairs of the five share four passages each; the sixth meets two others twice.
    assert (found.threshold, found.overlap, found.bound) == (4, 44, 44)
    assert assess(found.scribes, 6) == found


def test_quotas_before_anybody_is_assigned() -> None:
    quotas = standing_before(order())
    assert {(one.quota.factor, one.quota.level):
            (one.target, one.actual, one.missing) for one in quotas} == {
        (Factor.PASSAGES, "newswire"): (80, 10, 70),
        (Factor.PASSAGES, "web"): (80, 10, 70),
        (Factor.TOKENS, ""): (20, 18, 2),
        (Factor.COPIES, ""): (20, 0, 20),
        (Factor.SCRIBES, ""): (24, 6, 18),
        (Factor.EXPOSURE, "exposed"): (30, 0, 30),
        (Factor.EXPOSURE, "unexposed"): (30, 0, 30),
        (Factor.IMPLEMENT, "ink"): (54, 0, 54),
        (Factor.IMPLEMENT, "pencil"): (6, 0, 6),
        (Factor.SURFACE, "unlined paper"): (45, 0, 45),
        (Factor.SURFACE, "lined paper"): (15, 0, 15),
        (Factor.SPEED, "normal"): (54, 0, 54),
        (Factor.SPEED, "fast"): (3, 0, 3),
        (Factor.SPEED, "careful"): (3, 0, 3),
    }  # fmt: skip
    nothing = standing_before(replace(order(), passages=()))
    assert found(nothing, Factor.PASSAGES, "web").missing == 80
    assert found(nothing, Factor.TOKENS).target == 0


@pytest.mark.parametrize(
    ("factor", "level", "missing", "told"),
    [
        (Factor.PASSAGES, "web", 2, "add 2 passages of web"),
        (Factor.PASSAGES, "", 1, "add 1 passage"),
        (Factor.SCRIBES, "", 1, "add 1 scribe"),
        (Factor.SCRIBES, "", 18, "add 18 scribes"),
        (Factor.TOKENS, "", 1, "choose another passage, of 113 to 137 tokens"),
        (Factor.TOKENS, "", 5, "choose 5 other passages, of 113 to 137 tokens"),
        (Factor.COPIES, "", 1, "have 1 passage copied by more scribes"),
        (Factor.IMPLEMENT, "pencil", 1, "have 1 copy made pencil instead"),
        (Factor.SPEED, "fast", 3, "have 3 copies made fast instead"),
        (Factor.SPEED, "fast", 0, ""),
    ],
)
def test_it_is_told_what_would_do(factor: Factor, level: str, missing: int, told: str) -> None:
    assert Standing(Quota("evaluation", factor, level, 125), 9, 0, missing).remedy == told


def test_a_share_that_is_changed_leaves_the_rest_to_the_others() -> None:
    place = PLAN.index(Quota("evaluation", Factor.SPEED, "fast", 0.05))
    changed = with_target(PLAN, place, 0.24)
    assert {one.level: round(one.target, 4) for one in changed
            if (one.data_set, one.factor) == ("evaluation", Factor.SPEED)} == {
        "normal": 0.72, "fast": 0.24, "careful": 0.04,
    }  # fmt: skip
    assert [one for one in changed if one.factor is not Factor.SPEED] == [
        one for one in PLAN if one.factor is not Factor.SPEED
    ]
    assert [one for one in changed if one.data_set != "evaluation"] == [
        one for one in PLAN if one.data_set != "evaluation"
    ]
    two = (Quota("a", Factor.SPEED, "fast", 1.0), Quota("a", Factor.SPEED, "slow", 0.0))
    assert [one.target for one in with_target(two, 0, 0.75)] == [0.75, 0.25]
    number = with_target(PLAN, 0, 100)
    assert (number[0].target, number[1:]) == (100, PLAN[1:])
    with pytest.raises(InputError) as caught:
        with_target((two[0],), 0, 0.5)
    assert caught.value.code == "quotas.shares"
    with pytest.raises(InputError) as caught:
        with_target(PLAN, 0, -1)
    assert caught.value.code == "quotas.negative"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"data_set": "control"}, "corpus.no-quotas"),
        ({"copies": 7}, "scribes.too-few"),
        ({"passages": ()}, "scribes.nothing"),
        ({"quotas": (Quota("evaluation", Factor.SPEED, "fast", 0.5),)}, "quotas.shares"),
        ({"quotas": (Quota("evaluation", Factor.SPEED, "slow", 1.0),)}, "corpus.level"),
    ],
)
def test_an_order_that_cannot_be_is_refused(changed: dict[str, Any], code: str) -> None:
    with pytest.raises(InputError) as caught:
        plan_order(replace(order(), **changed))
    assert caught.value.code == code
    assert caught.value.remedy


def test_without_quotas_of_copies_and_ways_there_are_three_in_ink() -> None:
    plan = plan_order(replace(order(), quotas=(Quota("evaluation", Factor.SCRIBES, "", 6),)))
    assert {len(row) for row in plan.assignment.scribes} == {3}
    assert {one.way.code for one in plan.manuscripts} == {"IUN"}
