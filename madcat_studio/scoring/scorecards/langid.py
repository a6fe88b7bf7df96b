"""langdetect's answer for many texts at once: the same numbers, a tenth of the time.

The page scorecard prescribes the ``langdetect`` package with seed 42. Its detector draws n-grams
of a text at random, multiplies their probabilities for 55 languages one after the other in
Python, and stops when one language is sure. Here its profiles, its cleaning and its n-grams are
used as they are; only the arithmetic is compiled, or done for a few hundred texts in one array, in
the same order of operations, with the same draws. Tests compare the results with the package's own.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from madcat_studio.scoring.scorecards.compiled import cards
from madcat_studio.scoring.scorecards.draws import words

__all__ = ["SEED", "UNKNOWN", "available", "detect", "languages", "probabilities"]

SEED = 42
"""The seed that the scorecard prescribes."""

UNKNOWN = "unknown"
"""The package's answer when no language reaches its threshold."""

_BATCH = 4096
"""Texts whose n-grams are in memory at once."""

_ABREAST = 384
"""Texts that are worked on in one array: few enough for the processor's cache. As soon as one is
sure, the next takes its place."""

_LONGEST = 10_000
"""Characters of a text that the package looks at."""

_TRIALS = 7
"""Trials whose mean is the package's answer; it has no name for the number."""

_DRAWS = _TRIALS * 1006
"""The most draws that one text can ask for."""

_REMEMBERED = 100_000
"""Texts whose answer is kept."""

_WORDS = 1 << 14
"""Random words for one text: a draw takes two words on the average at worst."""


def available() -> bool:
    """Whether the package is installed."""
    return find_spec("langdetect") is not None


def languages() -> frozenset[str]:
    """The codes of the languages that the package has a profile for."""
    return frozenset(_profiles().names)


class _Profiles(NamedTuple):
    """The package's profiles: how often each language has which n-gram."""

    names: tuple[str, ...]
    counts: tuple[Mapping[str, int], ...]
    totals: tuple[Sequence[int], ...]
    """Of n-grams of one, two and three characters."""

    def chances(self, gram: str) -> list[float] | None:
        """The n-gram's probability in each language; None if no language has it."""
        place = len(gram) - 1
        found = [
            counts[gram] / totals[place] if gram in counts else 0.0
            for counts, totals in zip(self.counts, self.totals, strict=True)
        ]
        return found if any(found) else None


@cache
def _profiles() -> _Profiles:
    """Read the profiles: only their JSON. The package also makes a table of all their n-grams,
    most of which no text has, and takes four times as long."""
    spec = find_spec("langdetect")
    assert spec is not None
    assert spec.origin is not None
    # By name, so that sums do not depend on the order of a folder.
    files = sorted((Path(spec.origin).parent / "profiles").iterdir())
    read = [json.loads(file.read_bytes()) for file in files if not file.name.startswith(".")]
    return _Profiles(
        tuple(one["name"] for one in read),
        tuple(one["freq"] for one in read),
        tuple(one["n_words"] for one in read),
    )


def detect(texts: Sequence[str]) -> list[str | None]:
    """The most probable language of each text.

    ``None`` where the package would raise for want of features; ``unknown`` where no language
    reaches its threshold of 0.1.
    """
    new = [text for text in dict.fromkeys(texts) if text not in _answers]
    if len(_answers) + len(new) > _REMEMBERED:
        _answers.clear()
        new = list(dict.fromkeys(texts))
    if new:
        _answers.update(zip(new, _detect(new), strict=True))
    return [_answers[text] for text in texts]


_answers: dict[str, str | None] = {}
"""Texts of this run: several submissions and profiles share many."""


def _detect(texts: Sequence[str]) -> Iterator[str | None]:
    from langdetect.detector import Detector

    names = _profiles().names
    for row in probabilities(texts):
        if row is None:
            yield None
        else:
            best = int(row.argmax())
            yield names[best] if row[best] > Detector.PROB_THRESHOLD else UNKNOWN


def probabilities(texts: Sequence[str]) -> Iterator[NDArray[np.float64] | None]:
    """For each text the probabilities in the order of the package's list; None without features."""
    for start in range(0, len(texts), _BATCH):
        batch = [_grams(text) for text in texts[start : start + _BATCH]]
        filled = [grams for grams in batch if grams]
        rows = iter(_run(filled)) if filled else iter(())
        for grams in batch:
            yield next(rows) if grams else None


class _Normalised(dict[int, str]):
    """A table for str.translate that asks the package about each new character once."""

    def __missing__(self, code: int) -> str:
        from langdetect.utils.ngram import NGram

        answer: str = NGram.normalize(chr(code))
        self[code] = answer
        return answer


_NORMALISED = _Normalised()


_BLANKS = re.compile("  +")
_LATIN = re.compile("[A-z]")
# What the package takes for another script. It means to leave out the block that Vietnamese is
# written in, but compares the block's number with its name.
_OTHER = re.compile("[\u0300-\U0010ffff]")


def _cleaned(text: str) -> str:
    """What the package's ``append``, ``cleaning_text`` and ``normalize`` leave of a text."""
    from langdetect.detector import Detector
    from langdetect.utils.ngram import NGram

    text = Detector.MAIL_RE.sub(" ", Detector.URL_RE.sub(" ", text))
    text = _BLANKS.sub(" ", NGram.normalize_vi(text)[:_LONGEST])
    if 2 * len(_LATIN.findall(text)) < len(_OTHER.findall(text)):
        text = _LATIN.sub("", text)
    return text.translate(_NORMALISED)


def _grams(text: str) -> list[int]:
    """The n-grams that the package would draw from, in its order, as rows of the table."""
    pieces = _cleaned(text).split(" ")
    last = len(pieces) - 1
    found: list[int] = []
    for position, piece in enumerate(pieces):
        if piece:
            # A word is framed by blanks; after its last letter a blank only if one was seen.
            found += _word_grams(f" {piece} " if position < last else f" {piece}")
    return found


class _Table:
    """The probabilities of the n-grams that were met, a row each; it grows."""

    def __init__(self) -> None:
        self._rows: dict[str, int | None] = {}
        self._count = 0
        self._waiting: list[list[float]] = []
        self._table: NDArray[np.float64] = np.empty((0, len(_profiles().names)))

    def row(self, gram: str) -> int | None:
        """The row of an n-gram; None if the package has no profile with it."""
        if gram in self._rows:
            return self._rows[gram]
        values = _profiles().chances(gram)
        row = None
        if values is not None:
            row = self._count
            self._count += 1
            self._waiting.append(values)
        self._rows[gram] = row
        return row

    def values(self) -> NDArray[np.float64]:
        """All rows."""
        if self._waiting:
            self._table = np.concatenate((self._table, np.array(self._waiting)))
            self._waiting = []
        return self._table


@cache
def _table() -> _Table:
    return _Table()


@cache
def _word_grams(word: str) -> tuple[int, ...]:
    """The known 1-, 2- and 3-grams that end at each letter of a framed word, in that order.

    Inside a run of capitals the package takes none.
    """
    table = _table()
    found: list[int] = []
    capitals = False
    for end in range(2, len(word) + 1):
        letter, before = word[end - 1], word[end - 2]
        if not letter.isupper():
            capitals = False
        elif before.isupper():
            capitals = True
        if capitals:
            continue
        for size in (1, 2, 3):
            gram = word[end - size : end] if size <= end else ""
            if gram and gram != " ":
                row = table.row(gram)
                if row is not None:
                    found.append(row)
    return tuple(found)


class _Draws:
    """The draws among ``limit`` n-grams, by their position in the stream of random words."""

    def __init__(self, limit: int) -> None:
        stream = _stream()
        values = stream >> np.uint32(32 - limit.bit_length())
        valid = values < limit
        self.index = values[valid][:_DRAWS].astype(np.int32)
        self.place = np.flatnonzero(valid).astype(np.int32)
        """The word that each draw comes from."""
        self.rank = np.zeros(_WORDS + 1, dtype=np.int32)
        """The first draw at or after each word."""
        np.cumsum(valid, out=self.rank[1:])


@cache
def _stream() -> NDArray[np.uint32]:
    return words(SEED, _WORDS).astype(np.uint32)


@cache
def _draws(limit: int) -> _Draws:
    return _Draws(limit)


@cache
def _gauss(place: int) -> tuple[float, float]:
    """The two normal values that CPython makes from the four words at ``place``."""
    high_1, low_1, high_2, low_2 = (int(word) for word in _stream()[place : place + 4])
    first = ((high_1 >> 5) * 67108864.0 + (low_1 >> 6)) * (1.0 / 9007199254740992.0)
    second = ((high_2 >> 5) * 67108864.0 + (low_2 >> 6)) * (1.0 / 9007199254740992.0)
    angle = first * (2.0 * math.pi)
    radius = math.sqrt(-2.0 * math.log(1.0 - second))
    return math.cos(angle) * radius, math.sin(angle) * radius


def _run(texts: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """The package's ``_detect_block`` for texts given as their n-grams, one row of results each."""
    module = cards("detect")
    if module is None:
        return _run_in_numpy(texts)
    from langdetect.detector import Detector

    rows = np.array([row for text in texts for row in text])
    ends = np.cumsum([len(text) for text in texts])
    found: NDArray[np.float64] = module.detect(
        _table().values(), rows, ends, _stream(), _TRIALS, Detector.ITERATION_LIMIT,
        Detector.ALPHA_DEFAULT, Detector.ALPHA_WIDTH, Detector.BASE_FREQ, Detector.CONV_THRESHOLD,
    )  # fmt: skip
    return found


def _run_in_numpy(texts: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """The same without a compiler: a few hundred texts abreast in one array."""
    from langdetect.detector import Detector

    trials = _TRIALS
    count, width = len(texts), len(_profiles().names)

    flat = np.array([row for text in texts for row in text])
    table = _table().values()
    sizes = [len(text) for text in texts]
    start = np.cumsum([0, *sizes[:-1]])
    draws = [_draws(size) for size in sizes]
    # Texts of the same size draw the same positions: one row of them serves all.
    slots: dict[int, int] = {}
    slot = np.array([slots.setdefault(size, len(slots)) for size in sizes])
    drawn = np.stack([_draws(size).index for size in slots])

    total = np.zeros((count, width))
    chance = np.empty((count, width))
    weight = np.empty(count)
    position = np.zeros(count, dtype=np.int64)  # the next draw of each text
    iteration = np.zeros(count, dtype=np.int64)
    trial = np.zeros(count, dtype=np.int64)
    spare = [0.0] * count
    buffer = np.empty((min(count, _ABREAST), width))

    def begin(chosen: NDArray[np.int64]) -> None:
        for text in chosen:
            draw = draws[text]
            if trial[text] % 2 == 0:
                # A pair of normal values is made from four words; every second trial has one left.
                place = int(draw.place[position[text] - 1]) + 1 if position[text] else 0
                normal, spare[text] = _gauss(place)
                position[text] = draw.rank[place + 4]
            else:
                normal = spare[text]
            alpha = Detector.ALPHA_DEFAULT + normal * Detector.ALPHA_WIDTH
            weight[text] = alpha / Detector.BASE_FREQ
        chance[chosen] = 1.0 / width
        multiply(chosen, 1)
        iteration[chosen] = 0

    def multiply(chosen: NDArray[np.int64], times: int) -> None:
        values = chance[chosen]
        # Spread out once: adding a column to a table is slower than adding two tables.
        own_weight = np.repeat(weight[chosen], width).reshape(-1, width)
        at = position[chosen] + np.arange(times)[:, None]
        factor = buffer[: len(chosen)]
        for rows in flat[start[chosen] + drawn[slot[chosen], at]]:
            table.take(rows, axis=0, out=factor, mode="clip")
            factor += own_weight
            values *= factor
        # accumulate adds from left to right, as the package does; numpy's sum would not.
        values /= np.add.accumulate(values, axis=1)[:, -1:]
        chance[chosen] = values
        position[chosen] += times

    active = np.arange(min(count, _ABREAST))
    following = len(active)
    begin(active)
    while active.size:
        done = (chance[active].max(axis=1) > Detector.CONV_THRESHOLD) | (
            iteration[active] >= Detector.ITERATION_LIMIT
        )
        ended, running = active[done], active[~done]
        if running.size:
            multiply(running, 5)
            iteration[running] += 5
        if ended.size:
            total[ended] += chance[ended] / trials
            trial[ended] += 1
            again = ended[trial[ended] < trials]
            fresh = np.arange(following, min(count, following + ended.size - again.size))
            following += fresh.size
            starting = np.concatenate((again, fresh))
            if starting.size:
                begin(starting)
            active = np.concatenate((running, starting))
    return total
