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

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["kendall"]

_AT_ONCE = 4_000_000
"""Numbers in memory together. So many in few products: the threads of a product of matrices go on
waiting for the next one, which is processor time as well."""

_PARTS = 4
"""Into which documents are parted at least: a part is not held against those before it again."""

_SIDE_BY_SIDE = 64
"""Resamples in which equal values are counted together."""

_Numbers = NDArray[np.float64]
_Places = NDArray[np.intp]


def kendall(
    first: ArrayLike, second: ArrayLike, documents: _Places, times: NDArray[np.float64]
) -> _Numbers:
    """Tau-b of two columns in every resample.

    Args:
        first, second: a value of each for every segment.
        documents: the number of the document of each segment; each number is there.
        times: (resamples, documents): how often each document is in each resample.

    Returns:
        One value for each resample; nan where one of the columns is constant.
    """
    order = np.argsort(documents, kind="stable")
    starts = np.searchsorted(documents[order], np.arange(times.shape[1]))
    one, other = (_dense(np.asarray(values, np.float64)[order]) for values in (first, second))
    signs = _signs(one, other, starts, times)
    sizes = times @ np.diff(np.append(starts, len(order))).astype(np.float64)
    apart = [sizes**2 - _tied(values, starts, times) for values in (one, other)]
    with np.errstate(divide="ignore", invalid="ignore"):
        taus = signs / np.sqrt(apart[0]) / np.sqrt(apart[1])
    taus[(apart[0] <= 0) | (apart[1] <= 0)] = np.nan
    return np.asarray(np.clip(taus, -1.0, 1.0))


def _dense(values: _Numbers) -> _Places:
    """Each value's place among the different ones."""
    return np.asarray(np.unique(values, return_inverse=True)[1])


def _signs(one: _Places, other: _Places, starts: _Places, times: _Numbers) -> _Numbers:
    """The sum of both signs over all ordered pairs of segments of each resample."""
    count = len(starts)
    ends = np.append(starts[1:], len(one))
    sizes = int(one.max()) + 1, int(other.max()) + 1
    # No sum of a column's whole numbers comes above this; up to 2^24 single precision has them all.
    most = float((times @ (ends - starts)).max() * (ends - starts).max())
    drawn = times.astype(np.float32) if most < 2**24 else times
    sums = np.zeros(len(times))
    step = min(-(-count // _PARTS), max(1, _AT_ONCE // count))
    for begin in range(0, count, step):
        wide = min(step, count - begin)
        against = np.zeros((count - begin, wide), drawn.dtype)
        for place in range(wide):
            start, end = starts[begin + place], ends[begin + place]
            added = _against(one[start:], other[start:], end - start, sizes)
            # Those after it are met this once, and count from both sides; it itself does by half.
            against[place:, place] = np.add.reduceat(added, starts[begin + place :] - start)
            against[place, place] /= 2
        made = drawn[:, begin:] @ against
        sums += 2 * np.einsum(
            "rd,rd->r", times[:, begin : begin + wide], made.astype(np.float64), optimize=False
        )
    return sums


def _against(one: _Places, other: _Places, own: int, sizes: tuple[int, int]) -> _Places:
    """For each segment the sum of both signs over the first ``own`` of them."""
    across, wide = _intervals(one[:own], sizes[0])
    down, high = _intervals(other[:own], sizes[1])
    across *= high
    at = across.take(one) + down.take(other)
    table = np.bincount(at[:own], minlength=wide * high)
    table = table.reshape(wide, high)
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
