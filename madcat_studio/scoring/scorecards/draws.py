"""The random draws of Python's ``random.Random(seed)``, many at a time.

The scorecards define their resampling by Python's generator: ``n`` successive ``randrange(n)``.
Asking for millions of draws one by one costs more than all the scoring, so the 32-bit words of
the same Mersenne Twister are taken in bulk and cut down the way CPython does it: the top bits of
a word, and the next word if the value is too large. Tests hold both against each other.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["below", "draws", "resamples", "words"]


def _twister(seed: int) -> np.random.MT19937:
    """numpy's generator in the very state of ``random.Random(seed)``."""
    state = random.Random(seed).getstate()[1]
    twister = np.random.MT19937()
    twister.state = {
        "bit_generator": "MT19937",
        "state": {"key": np.array(state[:-1], dtype=np.uint32), "pos": state[-1]},
    }
    return twister


def words(seed: int, count: int) -> NDArray[np.uint64]:
    """The first ``count`` 32-bit outputs of ``random.Random(seed)``."""
    return _twister(seed).random_raw(count)


def draws(seed: int, limit: int) -> Callable[[int], NDArray[np.int64]]:
    """Gives so many further ``random.Random(seed).randrange(limit)`` each time it is called.

    ``limit`` is at least 1 and below 2**32.
    """
    twister = _twister(seed)
    # CPython throws a word away when its top bits reach the limit; never more than half of them.
    shift = np.uint64(32 - limit.bit_length())
    over = np.empty(0, dtype=np.uint64)

    def draw(count: int) -> NDArray[np.int64]:
        nonlocal over
        found = [over[:count]]
        over = over[count:]
        missing = count - len(found[0])
        while missing > 0:
            values = twister.random_raw(missing + missing // 2 + 64) >> shift
            values = values[values < limit]
            found.append(values[:missing])
            over = values[missing:]
            missing -= len(found[-1])
        return np.concatenate(found).astype(np.int64)

    return draw


def below(seed: int, limit: int, count: int) -> NDArray[np.int64]:
    """What ``count`` successive ``random.Random(seed).randrange(limit)`` give.

    ``limit`` is at least 1 and below 2**32.
    """
    return draws(seed, limit)(count)


def resamples(seed: int, size: int, replicates: int) -> NDArray[np.int64]:
    """``replicates`` draws with replacement of ``size`` out of ``size``, one a row."""
    return below(seed, size, size * replicates).reshape(replicates, size)
