"""Rows on disk come back as they were, whoever reads them, however far, and in whatever order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.reports.blocks import Blocks, KeptRows

CELLS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()


@pytest.mark.long
@given(st.lists(st.lists(st.tuples(CELLS, CELLS), max_size=4), max_size=6))
def test_blocks_come_back_in_their_order(blocks: list[list[tuple[object, object]]]) -> None:
    kept = Blocks()
    for block in blocks:
        kept.append(block)
    assert list(kept) == blocks
    assert len(kept) == sum(map(len, blocks))
    kept.close()


class Source:
    """So many rows; knows how often they were made."""

    def __init__(self, rows: int) -> None:
        self.rows, self.made = rows, 0
        self.fail_at: int | None = None

    def __iter__(self) -> Iterator[tuple[int]]:
        for number in range(self.rows):
            if number == self.fail_at:
                raise InterruptedError
            self.made += 1
            yield (number,)


@pytest.mark.long
@given(
    st.integers(min_value=0, max_value=2200),
    st.lists(st.tuples(st.integers(0, 2), st.integers(1, 900)), max_size=12),
)
def test_readers_side_by_side_see_all_rows_and_each_is_made_once(
    rows: int, steps: list[tuple[int, int]]
) -> None:
    source = Source(rows)
    kept = KeptRows(lambda: source, lambda: rows)
    readers = [iter(kept) for _ in range(3)]
    seen: list[list[tuple[int]]] = [[], [], []]
    for which, count in steps:
        seen[which] += islice(readers[which], count)
    for which, reader in enumerate(readers):
        seen[which] += reader
    assert seen == [[(number,) for number in range(rows)]] * 3
    assert source.made == rows == len(kept)
    kept.close()


def test_only_what_is_read_is_made() -> None:
    source = Source(5000)
    kept = KeptRows(lambda: source, lambda: 5000)
    assert list(islice(kept, 3)) == [(0,), (1,), (2,)]
    assert source.made < 5000
    kept.close()


def test_rows_that_were_broken_off_are_made_anew() -> None:
    source = Source(1500)
    source.fail_at = 700
    kept = KeptRows(lambda: source, lambda: 1500)
    with pytest.raises(InterruptedError):
        list(kept)
    source.fail_at = None
    assert len(list(kept)) == 1500
    kept.close()


def test_who_watches_is_told_how_far_the_reading_is() -> None:
    told: list[int] = []
    kept = KeptRows(lambda: Source(1200), lambda: 1200, told.append)
    list(kept)
    list(kept)
    assert told == [0, 500, 1000] * 2
    kept.close()
