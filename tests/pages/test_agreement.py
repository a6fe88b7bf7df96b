"""Krippendorff's alpha over outlines, against its formula written out and against known values."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest

from madcat_studio.model.document import Line, Page, Polygon, Word
from madcat_studio.model.geometry import iou, shape_of
from madcat_studio.pages.agreement import agreement, alpha, matched_units


def box(left: float, width: float = 100, top: float = 0) -> Polygon:
    return ((left + width, top), (left, top), (left, top + 50), (left + width, top + 50))


def written_out(outlines: Sequence[Sequence[Polygon]], units: list[dict[int, int]]) -> float:
    """The formula as it stands in the module, pair by pair."""

    def distance(a: Polygon | None, b: Polygon | None) -> float:
        if a is None or b is None:
            return float((a is None) != (b is None))
        return 1 - iou(shape_of(a), shape_of(b))

    many = len(outlines)
    rows = [
        [outlines[who][unit[who]] if who in unit else None for who in range(many)] for unit in units
    ]
    values = [value for row in rows for value in row]
    n = len(values)
    within = sum(
        distance(a, b) / (many - 1) for row in rows for a, b in itertools.permutations(row, 2)
    )
    overall = sum(distance(a, b) for a, b in itertools.permutations(values, 2))
    return 1 - (within / n) / (overall / (n * (n - 1)))


def test_who_agrees_wholly_has_one_and_nobody_has_none() -> None:
    row = [box(0), box(200), box(400)]
    assert alpha([row, row, row]) == 1
    assert alpha([row]) is None
    assert alpha([[], []]) is None
    assert alpha([[box(0)], [box(0)]]) is None, "one unit, always the same: nothing could differ"


def test_two_annotators_of_two_words_by_hand() -> None:
    """One word alike, the other one missing: 4 values, A A and B none."""
    # Within: 0 and 1 + 1. Overall: A-A 0, A-B 1 four times, A-none 1 four, B-none 1 two.
    assert alpha([[box(0), box(200)], [box(0)]]) == pytest.approx(1 - (2 / 4) / (10 / 12))


def test_a_word_that_is_a_little_wider_differs_a_little() -> None:
    one, other = [box(0), box(200)], [box(0, 125), box(200)]
    # IoU 0.8: within 2 · 0.2 of 4 values; overall 12 pairs, of which 2 · 0.2 and 2 · 0.
    assert alpha([one, other]) == pytest.approx(1 - (0.4 / 4) / ((8 + 0.4) / 12))


def test_outlines_are_put_together_best_first_and_one_to_one() -> None:
    one = [box(0), box(60)]
    other = [box(50)]
    assert matched_units([one, other], 0.3) == [{0: 0}, {0: 1, 1: 0}]
    assert matched_units([one, other], 0.9) == [{0: 0}, {0: 1}, {1: 0}]
    assert matched_units([[box(0)], [], [box(2)]]) == [{0: 0, 2: 0}]


@pytest.mark.parametrize("seed", range(12))
def test_it_is_the_formula(seed: int) -> None:
    chance = random.Random(seed)
    truth = [(200 * n, chance.randint(60, 180)) for n in range(12)]
    outlines = [
        [
            box(left + chance.randint(-30, 30), width + chance.randint(-20, 20))
            for left, width in truth
            if chance.random() < 0.85
        ]
        for _ in range(chance.choice([2, 3, 5]))
    ]
    units = matched_units(outlines)
    assert sum(map(len, units)) == sum(map(len, outlines)), "every outline is in one unit"
    assert alpha(outlines) == pytest.approx(written_out(outlines, units))


def test_whoever_draws_anywhere_agrees_by_chance_only() -> None:
    chance = random.Random(5)
    outlines = [[box(chance.randint(0, 4000)) for _ in range(40)] for _ in range(3)]
    found = alpha(outlines, threshold=0.01)
    assert found is not None
    assert found < 0.35


def test_lines_and_words_of_pages_and_each_two_annotators() -> None:
    def page(*words: Polygon) -> Page:
        return Page(
            "p", lines=[Line("z", polygon=box(0, 900), words=[Word(None, w) for w in words])]
        )

    all_ = page(box(0), box(200), box(400))
    found = agreement([all_, all_, page(box(0), box(200))])
    assert (found.words.units, found.words.by_all) == (3, 2)
    assert found.words.pairs[0, 1] == 1
    assert found.words.pairs[0, 2] == found.words.pairs[1, 2]
    assert found.words.pairs[0, 2] is not None
    assert found.words.pairs[0, 2] < 1
    assert (found.lines.units, found.lines.by_all, found.lines.alpha) == (1, 1, None)
