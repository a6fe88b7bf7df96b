"""Kendall's tau-b of many resamples at once, exactly.

A resample has a document so many times. So the signs that tau-b adds up over all pairs of segments
are, over the pairs of two documents, a number that no resample changes, times how often each of
the two is there: a quadratic form. The numbers are computed once, a few documents at a time, so
that the memory stays what it is; a thousand resamples are then one product of matrices.

For the numbers of one document against all others no pair is looked at either. A document's few
values divide each axis into intervals; a segment lies in one interval of each, and a small table
says what the document's segments add for it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["kendall"]

_AT_ONCE = 8_000_000
"""Numbers in memory together. So many in few products: the threads of a product of matrices go on
waiting for the next one, which is processor time as well."""

_PARTS = 4
"""Into which documents are parted at least: a part is not held against those before it again."""

_SIDE_BY_SIDE = 64
"""Resamples in which equal values are counted together."""

_Numbers = NDArray[np.float64]
_Places = NDArray[np.intp]


def kendall(
    metrics: ArrayLike, people: ArrayLike, documents: _Places, times: NDArray[np.float64]
) -> _Numbers:
    """Tau-b of several columns with one, in every resample.

    Args:
        metrics: (metrics, segments).
        people: (segments,).
        documents: the number of the document of each segment; each number is there.
        times: (resamples, documents): how often each document is in each resample.

    Returns:
        (resamples, metrics); nan where one of the two columns is constant.
    """
    order = np.argsort(documents, kind="stable")
    starts = np.searchsorted(documents[order], np.arange(times.shape[1]))
    said = _dense(np.asarray(people, np.float64)[order])
    columns = [_dense(row[order]) for row in np.asarray(metrics, np.float64)]
    signs = _signs(columns, said, starts, times)
    sizes = times @ np.diff(np.append(starts, len(order))).astype(np.float64)
    of_people = sizes**2 - _tied(said, starts, times)
    taus = np.full(signs.shape, np.nan)
    for place, column in enumerate(columns):
        of_metric = sizes**2 - _tied(column, starts, times)
        known = (of_metric > 0) & (of_people > 0)
        taus[known, place] = (
            signs[known, place] / np.sqrt(of_metric[known]) / np.sqrt(of_people[known])
        )
    return np.asarray(np.clip(taus, -1.0, 1.0))


def _dense(values: _Numbers) -> _Places:
    """Each value's place among the different ones."""
    return np.asarray(np.unique(values, return_inverse=True)[1])


def _signs(columns: Sequence[_Places], said: _Places, starts: _Places, times: _Numbers) -> _Numbers:
    """The sum of both signs over all ordered pairs of segments of each resample, of each column."""
    count = len(starts)
    ends = np.append(starts[1:], len(said))
    sizes = [int(column.max()) + 1 for column in columns]
    of_people = int(said.max()) + 1
    # No sum of a column's whole numbers comes above this; up to 2^24 single precision has them all.
    most = float((times @ (ends - starts)).max() * (ends - starts).max())
    drawn = times.astype(np.float32) if most < 2**24 else times
    sums = np.zeros((len(times), len(columns)))
    step = min(-(-count // _PARTS), max(1, _AT_ONCE // (count * len(columns))))
    for begin in range(0, count, step):
        wide = min(step, count - begin)
        against = np.zeros((len(columns), count - begin, wide), drawn.dtype)
        for place in range(wide):
            start, own = starts[begin + place], ends[begin + place] - starts[begin + place]
            later = starts[begin + place :] - start
            intervals, high = _intervals(said[start : start + own], of_people)
            down = intervals.take(said[start:])
            for sheet, column, size in zip(against, columns, sizes, strict=True):
                added = _against(column[start:], (down, high), own, size)
                # Those after it are met this once, and count from both sides; it itself by half.
                sheet[place:, place] = np.add.reduceat(added, later)
                sheet[place, place] /= 2
        part = times[:, begin : begin + wide]
        for place, sheet in enumerate(against):
            made = (drawn[:, begin:] @ sheet).astype(np.float64)
            sums[:, place] += 2 * np.einsum("rd,rd->r", part, made, optimize=False)
    return sums


def _against(one: _Places, other: tuple[_Places, int], own: int, size: int) -> _Places:
    """For each segment the sum of both signs over the first ``own`` of them.

    Args:
        one: the segments' places on the metric's axis.
        other: the intervals of people's axis that they lie in, and how many of these there are.
        own: how many segments the document has.
        size: of the metric's axis.
    """
    across, wide = _intervals(one[:own], size)
    down, high = other
    across *= high
    at = across.take(one) + down
    table = np.bincount(at[:own], minlength=wide * high).reshape(wide, high)
    # Those in intervals below a segment count for it, those above against: on one axis, then on
    # the other. By sums that run on, not by a product of matrices: for tables this small, the
    # threads of one cost more than they save.
    for axis in (0, 1):
        upto = np.cumsum(table, axis=axis)
        table = 2 * upto - table - upto.take([-1], axis=axis)
    return np.asarray(table.ravel().take(at))


def _intervals(own: _Places, size: int) -> tuple[_Places, int]:
    """The interval of each place on an axis that some values divide: below, at, between them.

    Returns:
        The interval of each place, and how many intervals there are.
    """
    different = np.unique(own)
    lengths = np.ones(2 * len(different) + 1, dtype=np.intp)
    lengths[0] = different[0]
    lengths[2:-1:2] = np.diff(different) - 1
    lengths[-1] = size - 1 - different[-1]
    return np.repeat(np.arange(len(lengths)), lengths), len(lengths)


def _tied(values: _Places, starts: _Places, times: _Numbers) -> _Numbers:
    """The number of ordered pairs with the same value, each segment with itself among them."""
    from scipy.sparse import csr_array

    often = np.bincount(values)
    documents = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(values))))
    alone = often[values] == 1
    tied = (times**2) @ np.bincount(documents[alone], minlength=len(starts)).astype(np.float64)
    if not alone.all():
        of_value = np.cumsum(often > 1) - 1
        there = ~alone
        shape = int(of_value[-1]) + 1, len(starts)
        places = of_value[values[there]], documents[there]
        counts = csr_array((np.ones(int(there.sum())), places), shape=shape)
        for start in range(0, len(times), _SIDE_BY_SIDE):
            drawn = counts @ np.ascontiguousarray(times[start : start + _SIDE_BY_SIDE].T)
            tied[start : start + _SIDE_BY_SIDE] += np.einsum("vr,vr->r", drawn, drawn)
    return np.asarray(tied)
