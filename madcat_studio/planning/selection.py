"""Passages chosen so that their scores are distributed as another set's are.

The other set's scores (the *target*) are ranked and cut into as many strata of equal size as
passages are wanted; from each stratum one passage is drawn. Where the candidates are the target
itself (a control or progress set out of an earlier phase), a stratum's own passages are drawn
from; where they are others (evaluation passages), a point of the stratum is drawn and the free
candidate nearest to it taken. Where the candidates are so few or so different that the largest
distance between the two cumulative distributions is above one stratum, passages are exchanged for
free ones while it falls. Genres are matched each for itself, in the proportion of the target. All
drawing is seeded.

How well it matches is measured by the two-sample Kolmogorov-Smirnov test and by the rank-sum test
of Wilcoxon, Mann and Whitney (SciPy): a small p-value would say that the two differ.
"""

from __future__ import annotations

import bisect
import random
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from madcat_studio.errors import InputError

__all__ = ["Candidate", "Match", "Selection", "match_of", "select"]

_EXCHANGES = 5_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage with its score.

    Attributes:
        passage: its name; ``genre``: matched within.
        edits, words: the score's own numbers; the rate is their quotient.
    """

    passage: str
    genre: str
    edits: float
    words: float

    @property
    def rate(self) -> float:
        """Edits over words."""
        return self.edits / self.words


@dataclass(frozen=True, slots=True)
class Match:
    """How alike two distributions of rates are.

    Attributes:
        chosen, target: how many rates on each side; ``chosen_mean``, ``target_mean``: of rates.
        distance, distance_p: Kolmogorov-Smirnov statistic and its two-sided p-value.
        rank_sum, rank_sum_p: Mann and Whitney's U of the chosen and its two-sided p-value.
    """

    chosen: int
    target: int
    chosen_mean: float
    target_mean: float
    distance: float
    distance_p: float
    rank_sum: float
    rank_sum_p: float


@dataclass(frozen=True, slots=True)
class Selection:
    """What was chosen, and how well it matches.

    Attributes:
        chosen: by genre, then by name.
        target: the rates that it should be distributed as.
        match: over all genres; ``by_genre``: of each.
        seed: of the drawing.
    """

    chosen: tuple[Candidate, ...]
    target: tuple[Candidate, ...]
    match: Match
    by_genre: Mapping[str, Match]
    seed: int


def match_of(chosen: Sequence[float], target: Sequence[float]) -> Match:
    """How alike two sets of rates are.

    Raises:
        InputError: ``planning.no-scores``: one of them is empty.
    """
    if not chosen or not target:
        raise InputError(
            "planning.no-scores",
            "There are no scores to compare",
            remedy="Add the scores of both sets",
        )
    from scipy.stats import ks_2samp, mannwhitneyu  # 1.5 s to import

    with warnings.catch_warnings():
        # Rounding may put an exact probability of 1 a hair above it: SciPy warns and approximates.
        warnings.filterwarnings("ignore", "ks_2samp: Exact calculation", RuntimeWarning)
        distance = ks_2samp(chosen, target)
    ranks = mannwhitneyu(chosen, target, alternative="two-sided")
    return Match(
        len(chosen),
        len(target),
        sum(chosen) / len(chosen),
        sum(target) / len(target),
        float(distance.statistic),
        float(distance.pvalue),
        float(ranks.statistic),
        float(ranks.pvalue),
    )


def select(
    candidates: Collection[Candidate],
    target: Collection[Candidate],
    count: int | Mapping[str, int],
    *,
    seed: int = 1,
) -> Selection:
    """Choose passages whose rates are distributed as those of the target.

    Args:
        candidates: to choose from; each passage once.
        target: the set to match; it may be the candidates themselves, or hold them.
        count: how many: in all, shared out over genres as the target is, or of each genre.
        seed: the same seed gives the same choice, whatever the order of candidates.

    Raises:
        InputError: a passage is there twice or without words, or there are too few candidates.
    """
    _check(candidates, "among the candidates")
    _check(target, "in the set to match")
    wanted = _shares(target, count) if isinstance(count, int) else dict(count)
    chance = random.Random(seed)
    chosen: list[Candidate] = []
    matched: list[Candidate] = []
    by_genre: dict[str, Match] = {}
    for genre, number in sorted(wanted.items()):
        if not number:
            continue
        pool = _ranked(one for one in candidates if one.genre == genre)
        goal = _ranked(one for one in target if one.genre == genre)
        if len(pool) < number or not goal:
            raise InputError(
                "planning.too-few-passages",
                f"Genre {genre} has only {len(pool)} passages, fewer than the {number} to choose"
                if goal
                else f"The set to match has no passages of genre {genre}",
                remedy="Choose fewer, or add more passages",
            )
        own = _draw(pool, goal, number, chance)
        chosen += sorted(own, key=lambda one: one.passage)
        matched += goal
        by_genre[genre] = match_of([one.rate for one in own], [one.rate for one in goal])
    if not chosen:
        raise InputError(
            "planning.nothing-selected",
            "The number of passages to choose is 0",
            remedy="Give a number of 1 or more",
        )
    whole = match_of([one.rate for one in chosen], [one.rate for one in matched])
    return Selection(tuple(chosen), tuple(matched), whole, by_genre, seed)


def _check(passages: Collection[Candidate], what: str) -> None:
    seen = set()
    for one in passages:
        if one.passage in seen:
            raise InputError(
                "planning.passage-listed-twice",
                f"Passage {one.passage} is listed twice {what}",
                remedy="List each passage once, with its scores added up",
            )
        seen.add(one.passage)
        if not one.words > 0 or one.edits < 0:
            raise InputError(
                "planning.no-rate",
                f"Passage {one.passage} has {one.edits:g} edits over {one.words:g} words, "
                "which does not give a rate",
                remedy="Leave it out, or correct its numbers",
            )


def _ranked(passages: Iterable[Candidate]) -> list[Candidate]:
    return sorted(passages, key=lambda one: (one.rate, one.passage))


def _shares(target: Collection[Candidate], count: int) -> dict[str, int]:
    """The number of each genre by largest remainders, so that they add up."""
    genres: dict[str, int] = {}
    for one in target:
        genres[one.genre] = genres.get(one.genre, 0) + 1
    whole = sum(genres.values())
    exact = {genre: count * own / whole for genre, own in genres.items()}
    shares = {genre: int(share) for genre, share in exact.items()}
    left = count - sum(shares.values())
    for genre in sorted(exact, key=lambda one: (shares[one] - exact[one], one))[:left]:
        shares[genre] += 1
    return shares


def _draw(
    pool: list[Candidate], goal: list[Candidate], count: int, chance: random.Random
) -> list[Candidate]:
    """One passage from each stratum of the target's ranks, then exchanges that help."""
    free = list(pool)
    rates = [one.rate for one in free]
    own = []
    for stratum in range(count):
        # A random rank within the stratum, and the rate there.
        rank = (stratum + chance.random()) / count * len(goal)
        place = _nearest(rates, goal[min(int(rank), len(goal) - 1)].rate)
        own.append(free.pop(place))
        rates.pop(place)
    return _exchanged(own, free, [one.rate for one in goal], chance)


def _nearest(rates: Sequence[float], rate: float) -> int:
    place = bisect.bisect_left(rates, rate)
    if place == len(rates) or (place and rate - rates[place - 1] <= rates[place] - rate):
        return place - 1
    return place


def _exchanged(
    own: list[Candidate], free: list[Candidate], goal: Sequence[float], chance: random.Random
) -> list[Candidate]:
    """Exchange chosen for free passages while the distance is more than a stratum."""
    rates = sorted(one.rate for one in own)
    distance = _distance(rates, goal)
    for _ in range(_EXCHANGES if free else 0):
        if distance <= 1 / len(own) + 1e-12:
            break
        place, other = chance.randrange(len(own)), chance.randrange(len(free))
        tried = list(rates)
        tried.pop(bisect.bisect_left(tried, own[place].rate))
        bisect.insort(tried, free[other].rate)
        now = _distance(tried, goal)
        if now < distance:
            own[place], free[other] = free[other], own[place]
            rates, distance = tried, now
    return own


def _distance(rates: Sequence[float], goal: Sequence[float]) -> float:
    """The Kolmogorov-Smirnov distance of two sorted sets of rates.

    Between two of the rates the one share stays and the other grows, so that it is largest just
    below or at one of them.
    """
    count, size = len(rates), len(goal)
    return max(
        max(
            abs(bisect.bisect_left(goal, rate) / size - bisect.bisect_left(rates, rate) / count),
            abs(bisect.bisect_right(goal, rate) / size - bisect.bisect_right(rates, rate) / count),
        )
        for rate in rates
    )
