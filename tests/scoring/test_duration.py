"""What is told of segments that may take long, before they are scored."""

from __future__ import annotations

import random
import time

import pytest

from madcat_studio.scoring.duration import LONG, expected_seconds, long_segments, long_texts
from madcat_ter import kernel
from madcat_ter.options import Costs, TerOptions
from madcat_ter.ter import ter_words

TER = TerOptions()
needs_compiled = pytest.mark.skipif(kernel.NAME == "python", reason="slower by another measure")


def words(count: int, kinds: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return [str(rng.randrange(kinds)) for _ in range(count)]


@needs_compiled
@pytest.mark.parametrize("kinds", [2, 20, 300])
def test_the_estimate_is_not_far_below(kinds: int) -> None:
    """Of the processor's time; the machine may be several times slower than the one measured."""
    pair = words(330, kinds, 1), words(330, kinds, 2)
    most = 330**2 * 330 * 6e-9
    start = time.process_time()
    ter_words(pair[0], [pair[1]])
    assert time.process_time() - start < 6 * most


@needs_compiled
def test_ordinary_segments_are_not_told() -> None:
    for count in (10, 100, 700):
        assert expected_seconds(words(count, 20, 1), words(count, 20, 2), TER) < LONG
    same = words(9000, 4000, 3)
    changed = [*same[:50], "x", *same[52:]]
    assert expected_seconds(changed, same, TER) < LONG
    far = words(9000, 4000, 4)
    assert expected_seconds(far, same, TerOptions(max_shift_distance=0)) == 0


@needs_compiled
def test_long_ones_are_told_with_their_id() -> None:
    long, other = words(3000, 20, 1), words(2900, 20, 2)
    told = list(long_segments([("s1", ["a"], ["b"]), ("s2", long, other)], TER))
    assert len(told) == 1
    assert told[0].startswith("segment s2 has 3,000 words against 2,900, and may take up to ")
    assert told[0].endswith("minutes; Ctrl+C stops it")
    texts = [" ".join(long), "a"], [["a"], [" ".join(other), "b"]]
    assert list(long_texts(["one", "two"], *texts, TER)) == []
    assert len(list(long_texts(["one"], texts[0][:1], [[" ".join(other)] * 2], TER))) == 2


@needs_compiled
def test_other_costs_and_spans_take_longer() -> None:
    pair = words(320, 20, 1), words(320, 20, 2)
    assert expected_seconds(*pair, TER) < LONG
    assert expected_seconds(*pair, TerOptions(costs=Costs(shift=0.5))) > LONG
    assert expected_seconds(*pair, TER, spans=True) > LONG
