"""Which scribe copies which passage, so that scribes overlap as much as they can.

The plan studies the effect of the hand (section 3.1.3.1): two scribes can be compared on the
passages that both have copied. There are so many chances for that (every passage gives one for
each pair of its scribes), and an assignment is good where no pair of scribes has many of them while
another has few. What counts is *overlap*: the sum, over all pairs of scribes, of the passages that
they share, each pair counted up to what all pairs would have if it were even. No assignment has
more than all pairs at that, nor more than there are chances, nor does any scribe meet others more
often than the own passages allow: that is the bound, and where it is reached the assignment is
proven best. Where it is not, and the case is small, SciPy's ``milp`` searches the whole and lowers
the bound.

Hard: a passage is copied by so many different scribes; the share of exposed hands; within exposed
and unexposed ones the work is even, within one passage.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from madcat_studio.errors import InputError
from madcat_studio.progress import SILENT, Cancelled, Progress

__all__ = [
    "Assignment",
    "Scribe",
    "assess",
    "assign_scribes",
    "deal",
    "loads_of",
    "overlap_of",
    "shared_passages",
]

_SMALL = 1500
"""Passages times pairs of scribes up to which the whole is searched."""

_SECONDS = 20.0
_STEP = 2000


class Scribe(NamedTuple):
    """A scribe; ``exposed`` if training data has the same hand."""

    name: str
    exposed: bool

    @property
    def exposure(self) -> str:
        """As tables write it."""
        return "exposed" if self.exposed else "unexposed"


@dataclass(frozen=True, slots=True)
class Assignment:
    """Who copies what.

    Attributes:
        scribes: of each passage, the places of its scribes, in order.
        overlap: as the module says; ``bound``: no assignment has more.
        threshold: up to how many shared passages a pair counts.
    """

    scribes: tuple[tuple[int, ...], ...]
    overlap: int
    bound: int
    threshold: int

    @property
    def gap(self) -> float | None:
        """How far the bound is, as its share; None of a bound of nothing."""
        return (self.bound - self.overlap) / self.bound if self.bound else None

    @property
    def proven(self) -> bool:
        """Whether no assignment is better."""
        return self.overlap == self.bound


def loads_of(scribes: Sequence[Scribe], passages: int, copies: int, exposed: float) -> list[int]:
    """How many passages each scribe copies.

    Raises:
        InputError: ``scribes.too-few``, ``scribes.exposure``: which quota cannot be met, by how
            much, and what would do.
    """
    if copies < 1 or passages < 1:
        raise InputError(
            "scribes.nothing",
            f"{passages} passages by {copies} scribes each leave nothing to copy",
            remedy="Give at least one passage and one copy of it",
        )
    if copies > len(scribes):
        raise InputError(
            "scribes.too-few",
            f"Each passage is to be copied by {copies} scribes, and there are {len(scribes)}: "
            f"{copies - len(scribes)} too few",
            remedy=f"Add {copies - len(scribes)}, or ask for {len(scribes)} copies",
        )
    total = passages * copies
    wanted = round(total * exposed)
    loads = [0] * len(scribes)
    for kind, share, sum_of in ((True, exposed, wanted), (False, 1 - exposed, total - wanted)):
        own = [place for place, one in enumerate(scribes) if one.exposed is kind]
        word = "exposed" if kind else "unexposed"
        most = passages * len(own)
        if sum_of > most:
            needed = -(-sum_of // passages)
            raise InputError(
                "scribes.exposure",
                f"{share:.0%} of {total} copies are to be by {word} scribes: {sum_of}, and "
                f"{len(own)} such scribes can make {most}: {sum_of - most} too few",
                remedy=f"Add {word} scribes up to {needed}, or ask for a share of at most "
                f"{most / total:.0%}",
            )
        for place, scribe in enumerate(own):
            loads[scribe] = sum_of // len(own) + (place < sum_of % len(own))
    return loads


def overlap_of(shared: NDArray[np.int64], threshold: int) -> int:
    """The overlap by a matrix of what scribes share."""
    upper = shared[np.triu_indices(len(shared), 1)]
    return int(np.minimum(upper, threshold).sum())


def assign_scribes(
    passages: int,
    scribes: Sequence[Scribe],
    *,
    copies: int = 3,
    exposed: float = 0.5,
    seed: int = 1,
    steps: int | None = None,
    progress: Progress = SILENT,
) -> Assignment:
    """Assign scribes to passages, which are numbered in their order.

    Args:
        passages: how many.
        scribes: who can copy.
        copies: scribes of each passage.
        exposed: the share of copies by exposed scribes.
        seed: the same seed gives the same assignment.
        steps: exchanges that are tried; by default 60 for each copy.
        progress: may cancel.

    Raises:
        InputError: as :func:`loads_of`.
        Cancelled: ``progress`` said so.
    """
    loads = loads_of(scribes, passages, copies, exposed)
    mates = [load * (copies - 1) for load in loads]
    pairs, threshold, bound = _counted(loads, mates)
    search = _Search(passages, copies, loads, threshold, random.Random(seed))
    search.fill()
    evened = min(sum(mates) // 2, (threshold + 1) * pairs)
    search.improve((bound, evened), 60 * passages * copies if steps is None else steps, progress)
    found, overlap = search.rows(), search.overlap()
    if overlap < bound:
        bound = min(bound, _met(loads, mates, threshold))
    if overlap < bound and passages * max(pairs, 1) <= _SMALL:
        solved, limit = _searched(passages, copies, loads, threshold)
        bound = max(overlap, min(bound, limit))
        if (
            solved is not None
            and (better := overlap_of(shared_passages(solved, len(scribes)), threshold)) > overlap
        ):
            found, overlap = solved, better
            bound = max(bound, overlap)
    return Assignment(tuple(tuple(sorted(row)) for row in found), overlap, bound, threshold)


def _counted(loads: Sequence[int], mates: Sequence[int]) -> tuple[int, int, int]:
    """Pairs of scribes who work, up to what each counts, and the bound that counting gives.

    Args:
        loads: passages of each scribe.
        mates: how often each of them meets another in a passage.
    """
    working = sum(load > 0 for load in loads)
    pairs = working * (working - 1) // 2
    chances = sum(mates) // 2
    threshold = max(1, chances // pairs) if pairs else 1
    return pairs, threshold, min(chances, threshold * pairs)


def _met(loads: Sequence[int], mates: Sequence[int], threshold: int) -> int:
    """The most that pairs can share where no scribe meets more others than the passages allow.

    A linear program over pairs: an assignment is one of its points, whatever else it has to keep.
    """
    from scipy.optimize import linprog

    one, other = np.triu_indices(len(loads), 1)
    own, pairs = np.array(loads), np.arange(len(one))
    meetings = np.zeros((len(loads), len(one)))
    meetings[one, pairs] = meetings[other, pairs] = 1.0
    most = np.minimum(np.minimum(own[one], own[other]), threshold)
    found = linprog(
        -np.ones(len(one)),
        A_ub=meetings,
        b_ub=np.array(mates, dtype=np.float64),
        bounds=[(0.0, float(each)) for each in most],
    )
    return int(most.sum()) if found.fun is None else int(np.floor(-found.fun + 1e-6))


def assess(rows: Sequence[Sequence[int]], scribes: int) -> Assignment:
    """An assignment that is there, with its overlap and the bound that counting gives.

    Args:
        rows: of each passage, the places of its scribes; each once.
        scribes: how many there are.
    """
    loads, mates = [0] * scribes, [0] * scribes
    for row in rows:
        for one in row:
            loads[one] += 1
            mates[one] += len(row) - 1
    _, threshold, bound = _counted(loads, mates)
    overlap = overlap_of(shared_passages(rows, scribes), threshold)
    if overlap < bound:
        bound = min(bound, _met(loads, mates, threshold))
    return Assignment(tuple(tuple(sorted(row)) for row in rows), overlap, bound, threshold)


def shared_passages(rows: Sequence[Sequence[int]], scribes: int) -> NDArray[np.int64]:
    """How many passages each pair of scribes shares, as a matrix."""
    shared = np.zeros((scribes, scribes), dtype=np.int64)
    for row in rows:
        for one, other in combinations(row, 2):
            shared[one, other] += 1
            shared[other, one] += 1
    return shared


class _Search:
    """An assignment that is filled greedily, and improved by exchanges that keep every load."""

    def __init__(
        self,
        passages: int,
        copies: int,
        loads: Sequence[int],
        threshold: int,
        chance: random.Random,
    ) -> None:
        self._passages, self._copies, self._loads = passages, copies, list(loads)
        self._threshold, self._chance = threshold, chance
        self._rows: list[list[int]] = []
        self._shared = [[0] * len(loads) for _ in loads]

    def fill(self) -> None:
        """Passage by passage: who has most left to do, of those who shared least so far."""
        left = np.array(self._loads, dtype=np.int64)
        shared = np.zeros((len(left), len(left)), dtype=np.int64)
        noise = np.random.default_rng(self._chance.getrandbits(32))
        for number in range(self._passages):
            rest = self._passages - number
            row: list[int] = []
            for _ in range(self._copies):
                # Who must be in every passage that is left comes first; then the most behind.
                cost = shared[row].sum(axis=0) if row else np.zeros(len(left))
                key = np.where(left >= rest, -1e9, 0.0) + cost - 4.0 * left / rest
                key = key + noise.random(len(left)) * 1e-3
                key[row] = np.inf
                key[left <= 0] = np.inf
                row.append(int(np.argmin(key)))
            for one, other in combinations(row, 2):
                shared[one, other] += 1
                shared[other, one] += 1
            left[row] -= 1
            self._rows.append(row)
        self._shared = shared.tolist()

    def overlap(self, more: int = 0) -> int:
        """Of the assignment as it is, each pair counted up to the threshold, or to more."""
        return overlap_of(np.array(self._shared, dtype=np.int64), self._threshold + more)

    def rows(self) -> list[list[int]]:
        """The scribes of each passage."""
        return self._rows

    def improve(self, goals: tuple[int, int], steps: int, progress: Progress) -> None:
        """Exchange scribes of two passages while that makes overlap no less and evenness better.

        Args:
            goals: the overlap that is enough, and the one with each pair counted up to one more: no
                pair is to have many passages while another has few.
            steps: exchanges that are tried.
            progress: may cancel.
        """
        overlap, evened = self.overlap(), self.overlap(1)
        for step in range(steps):
            if step % _STEP == 0:
                progress.advance(step, steps, "Assigning scribes")
                if progress.cancelled():
                    raise Cancelled
            if overlap >= goals[0] and evened >= goals[1]:
                return
            gained, more = self._try()
            overlap, evened = overlap + gained, evened + more

    def _try(self) -> tuple[int, int]:
        chance = self._chance
        here, there = (int(chance.random() * self._passages) for _ in range(2))
        at, to = (int(chance.random() * self._copies) for _ in range(2))
        one, other = self._rows[here][at], self._rows[there][to]
        if one == other or one in self._rows[there] or other in self._rows[here]:
            return 0, 0
        gained = more = 0
        threshold = self._threshold
        changes: dict[tuple[int, int], int] = {}
        for row, out, into in ((self._rows[here], one, other), (self._rows[there], other, one)):
            for mate in row:
                if mate != out:
                    for scribe, by in ((out, -1), (into, 1)):
                        key = (scribe, mate) if scribe < mate else (mate, scribe)
                        changes[key] = changes.get(key, 0) + by
        energy = 0
        for (first, second), by in changes.items():
            if by:
                before = self._shared[first][second]
                gained += min(before + by, threshold) - min(before, threshold)
                more += min(before + by, threshold + 1) - min(before, threshold + 1)
                energy += by * (2 * before + by)
        # Level moves walk on; evenness leads the walk where overlap does not.
        if gained < 0 or (gained == 0 and energy > 0 and chance.random() > 0.001):
            return 0, 0
        for (first, second), by in changes.items():
            self._shared[first][second] += by
            self._shared[second][first] += by
        self._rows[here][at], self._rows[there][to] = other, one
        return gained, more


def _searched(
    passages: int, copies: int, loads: Sequence[int], threshold: int
) -> tuple[list[list[int]] | None, int]:
    """The best assignment that SciPy's ``milp`` finds, and the bound that it proves."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import lil_matrix

    scribes = len(loads)
    pairs = list(combinations(range(scribes), 2))
    chosen = passages * scribes  # x: passage by scribe, then y: passage by pair, then z: pair
    both, shared = chosen, chosen + passages * len(pairs)
    size = shared + len(pairs)
    rows: list[tuple[dict[int, float], float, float]] = []
    for passage in range(passages):
        own = {passage * scribes + scribe: 1.0 for scribe in range(scribes)}
        rows.append((own, copies, copies))
        for number, pair in enumerate(pairs):
            y = both + passage * len(pairs) + number
            rows += [({y: 1.0, passage * scribes + one: -1.0}, -np.inf, 0.0) for one in pair]
    for scribe, load in enumerate(loads):
        own = {passage * scribes + scribe: 1.0 for passage in range(passages)}
        rows.append((own, load, load))
    for number in range(len(pairs)):
        own = {both + passage * len(pairs) + number: -1.0 for passage in range(passages)}
        rows.append(({shared + number: 1.0, **own}, -np.inf, 0.0))
    matrix = lil_matrix((len(rows), size))
    for place, (own, _, _) in enumerate(rows):
        for column, value in own.items():
            matrix[place, column] = value
    goal = np.zeros(size)
    goal[shared:] = -1.0
    upper = np.ones(size)
    upper[shared:] = threshold
    found = milp(
        goal,
        constraints=LinearConstraint(
            matrix.tocsr(), [low for _, low, _ in rows], [high for _, _, high in rows]
        ),
        integrality=np.concatenate([np.ones(chosen), np.zeros(size - chosen)]),
        bounds=Bounds(np.zeros(size), upper),
        options={"time_limit": _SECONDS},
    )
    proven = getattr(found, "mip_dual_bound", None)
    limit = passages * len(pairs) if proven is None else int(np.floor(-proven + 1e-6))
    if found.x is None:
        return None, limit
    table = found.x[:chosen].reshape(passages, scribes) > 0.5
    return [np.flatnonzero(row).tolist() for row in table], limit


def deal(count: int, shares: Mapping[str, float]) -> list[str]:
    """Levels for so many things in order, each as near to its share as it can be at every place.

    >>> deal(4, {"a": 0.75, "b": 0.25})
    ['a', 'a', 'b', 'a']
    """
    dealt = dict.fromkeys(shares, 0)
    found = []
    for number in range(1, count + 1):
        level = max(shares, key=lambda one: shares[one] * number - dealt[one])
        dealt[level] += 1
        found.append(level)
    return found
