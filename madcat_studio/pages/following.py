"""Which columns of the writing are which word: one sequence followed along another.

All words in order are one long sequence of columns as they are drawn, all lines another one as they
are written. The cheapest way through both is found by dynamic programming (Vintsyuk, 1968), with
two conditions: a line ends where a word ends, and the next begins with the next. What the columns
of each form of a letter are like on this page is learnt from that way, and the way sought again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from madcat_studio.pages.columnwise import columns_of_words
from madcat_studio.pages.glyphs import DrawnWord

__all__ = ["Followed", "follow"]

Floats = npt.NDArray[np.float64]
Cells = npt.NDArray[np.int64]

_BAND = 500
"""How many columns the way may stray from the even one."""
_STEP = 0.35
"""The price of a column more or less than the word as it is drawn has."""
_DEAREST = 4.0
"""No column costs more, whatever it looks like."""
_LEARN = 3.0
"""A form counts as if it had been seen so many times as it is drawn."""
_ROUNDS = 2


class Followed(NamedTuple):
    """Where the words are.

    Attributes:
        ranges: the line, and the columns from and to, of each word; line -1 for none.
        unlike: how much, on the average, its columns differ from what they should look like.
    """

    ranges: list[tuple[int, int, int]]
    unlike: Floats


class _Model(NamedTuple):
    """All words as one sequence.

    Attributes:
        looks: (columns, features).
        words: (columns,) the word of each, -1 for the gap behind it.
        forms: (columns,) which column of which form of a letter; -1 for gaps.
        first, last: (words,) its first and last column.
    """

    looks: Floats
    words: Cells
    forms: Cells
    first: Cells
    last: Cells


def follow(ink: Floats, counts: Sequence[int], words: Sequence[DrawnWord]) -> Followed | None:
    """Find each word in the lines.

    Args:
        ink: (columns of all lines, features).
        counts: how many columns each line has.
        words: all that are written there, in order.

    Returns:
        None where there is no way.
    """
    drawn = columns_of_words(words)
    total = sum(word.ink.shape[1] for word in words)
    scale = len(ink) / total
    sizes: dict[int, float] = {}
    learnt: dict[tuple[int, int], Floats] = {}
    seen: dict[tuple[int, int], int] = {}
    way: Cells | None = None
    names: list[tuple[int, int]] = []
    model = None
    for _ in range(_ROUNDS):
        model, names = _model(words, drawn, scale, sizes, learnt, seen)
        way = _way(ink, counts, model)
        if way is None:
            return None
        learnt, seen = _looks(ink, way, model, names)
        for form, ratio in _sizes(way, model, names).items():
            sizes[form] = sizes.get(form, 1.0) * ratio
    assert way is not None
    assert model is not None
    ranges = _ranges(way, counts, model, len(words))
    return Followed(ranges, _unlike(ink, way, model, len(words)))


def _model(
    words: Sequence[DrawnWord],
    drawn: Sequence[Floats],
    scale: float,
    sizes: dict[int, float],
    learnt: dict[tuple[int, int], Floats],
    seen: dict[tuple[int, int], int],
) -> tuple[_Model, list[tuple[int, int]]]:
    looks: list[Floats] = []
    owner: list[int] = []
    forms: list[int] = []
    numbers: dict[tuple[int, int], int] = {}
    first, last = [], []
    bare = np.min(np.stack([each.min(axis=0) for each in drawn]), axis=0)
    bare[-2:] = 0.0
    for number, (word, columns) in enumerate(zip(words, drawn, strict=True)):
        first.append(len(owner))
        for form, left, wide in word.letters:
            many = max(1, round(wide * scale * sizes.get(form, 1.0)))
            edges = left + np.linspace(0, wide, many + 1)
            for place in range(many):
                a = min(int(edges[place]), len(columns) - 1)
                b = max(a + 1, min(int(np.ceil(edges[place + 1])), len(columns)))
                look = columns[a:b].mean(axis=0)
                name = (form, min(int(place * 8 / many), 7))
                if name in learnt:
                    n = seen[name]
                    look = (n * learnt[name] + _LEARN * look) / (n + _LEARN)
                looks.append(look)
                owner.append(number)
                forms.append(numbers.setdefault(name, len(numbers)))
        last.append(len(owner) - 1)
        looks.append(bare)
        owner.append(-1)
        forms.append(-1)
    model = _Model(
        np.array(looks), np.array(owner), np.array(forms), np.array(first), np.array(last)
    )
    return model, list(numbers)


def _way(ink: Floats, counts: Sequence[int], model: _Model) -> Cells | None:
    """For each column of ink the column of the model."""
    size, steps = len(model.looks), len(ink)
    band = min(2 * _BAND + 1, size)
    starts = np.clip((np.arange(steps) * size / steps).astype(np.int64) - band // 2, 0, size - band)
    hows = np.zeros((steps, band), dtype=np.int8)
    new_line = np.zeros(steps, dtype=np.bool_)
    new_line[np.cumsum(counts)[:-1]] = True
    gap = model.words < 0
    may_end = gap.copy()
    may_end[model.last] = True
    score = np.full(size, np.inf)
    places = np.arange(band)
    paid = np.where(gap, 0.0, _STEP)
    for step in range(steps):
        low = int(starts[step])
        high = low + band
        near = model.looks[low:high] - ink[step]
        price = np.minimum(np.einsum("ij,ij->i", near, near) / near.shape[1], _DEAREST)
        if step == 0:
            fresh = np.full(band, np.inf)
            fresh[0] = price[0]  # the band begins with the first word
        elif new_line[step]:
            ended = np.where(may_end, score, np.inf)
            begun, behind = ended[model.last[:-1]], ended[model.last[:-1] + 1]
            entry = np.full(size, np.inf)
            entry[model.first[1:]] = np.minimum(begun, behind)
            kind = np.zeros(size, dtype=np.int8)
            kind[model.first[1:]] = np.where(begun <= behind, 0, 1)
            fresh = entry[low:high] + price
            hows[step] = kind[low:high]
        else:
            ways = np.full((3, band), np.inf)
            ways[0] = score[low:high] + paid[low:high]
            one, two = max(low, 1), max(low, 2)
            ways[1, one - low :] = score[one - 1 : high - 1]
            # From a word to the next without a gap costs nothing.
            ways[2, two - low :] = score[two - 2 : high - 2] + paid[two - 1 : high - 1]
            how = ways.argmin(axis=0)
            fresh = ways[how, places] + price
            hows[step] = how
        score[int(starts[max(step - 1, 0)]) : low] = np.inf
        score[low:high] = fresh
    ends = np.where(np.arange(size) >= model.last[-1], score, np.inf)
    at = int(ends.argmin())
    if not np.isfinite(ends[at]):
        return None
    way = np.empty(steps, dtype=np.int64)
    for step in range(steps - 1, -1, -1):
        way[step] = at
        if step == 0:
            break
        how = int(hows[step, at - int(starts[step])])
        if new_line[step]:
            word = int(model.words[at])
            at = int(model.last[word - 1]) + how
        else:
            at -= how
    return way


def _looks(
    ink: Floats, way: Cells, model: _Model, names: Sequence[tuple[int, int]]
) -> tuple[dict[tuple[int, int], Floats], dict[tuple[int, int], int]]:
    """What the forms look like on this page, and how often each was seen."""
    forms = model.forms[way]
    there = forms >= 0
    counts = np.bincount(forms[there], minlength=len(names))
    sums = np.zeros((len(names), ink.shape[1]))
    np.add.at(sums, forms[there], ink[there])
    learnt = {name: sums[n] / counts[n] for n, name in enumerate(names) if counts[n]}
    return learnt, {name: int(counts[n]) for n, name in enumerate(names) if counts[n]}


def _sizes(way: Cells, model: _Model, names: Sequence[tuple[int, int]]) -> dict[int, float]:
    """How wide each form is on this page, by its width as it is drawn now."""
    letter = np.array([name[0] for name in names])
    used = np.bincount(model.forms[way][model.forms[way] >= 0], minlength=len(names))
    had = np.bincount(model.forms[model.forms >= 0], minlength=len(names))
    sizes = {}
    for form in np.unique(letter).tolist():
        own = letter == form
        some = 12.0
        sizes[form] = float((used[own].sum() + some) / (had[own].sum() + some))
    return sizes


def _unlike(ink: Floats, way: Cells, model: _Model, words: int) -> Floats:
    owner = model.words[way]
    there = owner >= 0
    apart = np.minimum(((ink - model.looks[way]) ** 2).mean(axis=1), _DEAREST)
    sums = np.bincount(owner[there], weights=apart[there], minlength=words)
    counts = np.bincount(owner[there], minlength=words)
    return np.where(counts > 0, sums / np.maximum(counts, 1), _DEAREST)


def _ranges(
    way: Cells, counts: Sequence[int], model: _Model, words: int
) -> list[tuple[int, int, int]]:
    line_of = np.repeat(np.arange(len(counts)), counts)
    within = np.concatenate([np.arange(count) for count in counts])
    owner = model.words[way]
    found = []
    for number in range(words):
        own = np.flatnonzero(owner == number)
        if not len(own):
            found.append((-1, 0, 0))
            continue
        found.append((int(line_of[own[0]]), int(within[own[0]]), int(within[own[-1]]) + 1))
    return found
