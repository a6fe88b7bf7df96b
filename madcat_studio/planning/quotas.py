"""What a corpus should be by the evaluation plan (sections 3.1.1 and 3.1.3), and what it is.

A quota says for a set how many or which share there should be of something; :func:`standing` holds
manuscripts against quotas and says what is missing. Everything here is a pure function.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from madcat_studio.errors import InputError
from madcat_studio.model.naming import natural_key

__all__ = [
    "PLAN",
    "Copy",
    "Factor",
    "Quota",
    "Standing",
    "check_quotas",
    "share_target",
    "standing",
    "with_target",
]

EVALUATION, DEVELOPMENT, TRAINING = "evaluation", "development", "training"


class Factor(StrEnum):
    """What a quota is about."""

    PASSAGES = "passages"  # of a genre: a number
    TOKENS = "tokens"  # Arabic tokens a passage; the target is their number
    COPIES = "copies"  # scribes a passage; the target is their number
    SCRIBES = "scribes"  # a number
    EXPOSURE = "exposure"  # shares of manuscripts, as all that follow
    IMPLEMENT = "implement"
    SURFACE = "surface"
    SPEED = "speed"

    @property
    def is_share(self) -> bool:
        """Whether its targets are shares of all copies, which make 100 % together."""
        return self not in _COUNTED and self not in _OF_PASSAGES


_COUNTED = (Factor.PASSAGES, Factor.SCRIBES)
_OF_PASSAGES = (Factor.TOKENS, Factor.COPIES)

TOKENS_WITHIN = 0.1
"""The share of the target by which a passage may be longer or shorter."""


class Quota(NamedTuple):
    """One target; ``level`` is what is counted, such as ``pencil``, or ""."""

    data_set: str
    factor: Factor
    level: str
    target: float


class Copy(NamedTuple):
    """One manuscript: a scribe's copy of a passage."""

    data_set: str
    passage: str
    genre: str
    tokens: int
    scribe: str
    exposure: str
    implement: str
    surface: str
    speed: str


@dataclass(frozen=True, slots=True)
class Standing:
    """A quota and how it is kept.

    Attributes:
        quota: the target as it was given.
        target: in the same unit as ``actual``: passages, scribes or manuscripts.
        missing: how many more are needed, or must become others; 0 where the quota is kept.
    """

    quota: Quota
    target: int
    actual: int
    missing: int

    @property
    def remedy(self) -> str:
        """What would do, as a sentence's end; "" where the quota is kept."""
        count, level = self.missing, self.quota.level
        if not count:
            return ""
        one = count == 1
        match self.quota.factor:
            case Factor.PASSAGES:
                of = f" of {level}" if level else ""
                return f"add {count} passage{'' if one else 's'}{of}"
            case Factor.SCRIBES:
                return f"add {count} scribe{'' if one else 's'}"
            case Factor.TOKENS:
                low, high = _lengths(self.quota.target)
                what = "another passage" if one else f"{count} other passages"
                return f"choose {what}, of {low} to {high} tokens"
            case Factor.COPIES:
                return f"have {count} passage{'' if one else 's'} copied by more scribes"
        return f"have {count} {'copy' if one else 'copies'} made {level} instead"


_WRITING = (
    (Factor.IMPLEMENT, "ink", 0.90),
    (Factor.IMPLEMENT, "pencil", 0.10),
    (Factor.SURFACE, "unlined paper", 0.75),
    (Factor.SURFACE, "lined paper", 0.25),
    (Factor.SPEED, "normal", 0.90),
    (Factor.SPEED, "fast", 0.05),
    (Factor.SPEED, "careful", 0.05),
)
_EXPOSURE = ((Factor.EXPOSURE, "exposed", 0.5), (Factor.EXPOSURE, "unexposed", 0.5))


def _of_set(data_set: str, *own: tuple[Factor, str, float]) -> tuple[Quota, ...]:
    return tuple(Quota(data_set, *one) for one in (*own, *_EXPOSURE, *_WRITING))


PLAN: tuple[Quota, ...] = (
    *_of_set(
        EVALUATION,
        (Factor.PASSAGES, "newswire", 80),
        (Factor.PASSAGES, "web", 80),
        (Factor.TOKENS, "", 125),
        (Factor.COPIES, "", 3),
        (Factor.SCRIBES, "", 24),
    ),
    *_of_set(
        DEVELOPMENT,
        (Factor.PASSAGES, "newswire", 100),
        (Factor.PASSAGES, "web", 100),
        (Factor.TOKENS, "", 125),
        (Factor.COPIES, "", 3),
    ),
    *_of_set(
        TRAINING,
        (Factor.PASSAGES, "", 4000),
        (Factor.TOKENS, "", 125),
        (Factor.COPIES, "", 5),
    ),
)
"""Tables 2 to 5 of the plan."""


def check_quotas(quotas: Sequence[Quota]) -> None:
    """Refuse quotas that contradict themselves.

    Raises:
        InputError: ``quotas.negative``, ``quotas.twice``, ``quotas.shares``: which, and by how
            much.
    """
    seen: set[tuple[str, Factor, str]] = set()
    shares: dict[tuple[str, Factor], float] = defaultdict(float)
    for one in quotas:
        key = (one.data_set, one.factor, one.level)
        named = f"{one.data_set}, {one.factor}{' ' + one.level if one.level else ''}"
        if not 0 <= one.target < math.inf:
            raise InputError(
                "quotas.negative",
                f"The quota {named} is {one.target:g}",
                remedy="Give a number of 0 or more",
            )
        if key in seen:
            raise InputError(
                "quotas.twice", f"The quota {named} is listed twice", remedy="Remove one of them"
            )
        seen.add(key)
        if one.factor.is_share:
            shares[one.data_set, one.factor] += one.target
    for (data_set, factor), share in shares.items():
        if abs(share - 1) > 1e-6:
            raise InputError(
                "quotas.shares",
                f"The shares of {factor} in the {data_set} set add up to {share:.0%}, "
                f"{abs(share - 1):.0%} too {'much' if share > 1 else 'little'}",
                remedy="Make them add up to 100 %",
            )


_LEVEL: dict[Factor, Callable[[Copy], str]] = {
    Factor.EXPOSURE: lambda one: one.exposure,
    Factor.IMPLEMENT: lambda one: one.implement,
    Factor.SURFACE: lambda one: one.surface,
    Factor.SPEED: lambda one: one.speed,
}


def share_target(quota: Quota, copies: int) -> int:
    """How many of so many copies a share is: half a manuscript is none, the nearest number does."""
    return round(quota.target * copies)


def _lengths(tokens: float) -> tuple[int, int]:
    """The shortest and the longest passage that are as long as is wanted."""
    within = TOKENS_WITHIN * tokens
    return math.ceil(tokens - within - 1e-9), math.floor(tokens + within + 1e-9)


def with_target(quotas: Sequence[Quota], place: int, target: float) -> tuple[Quota, ...]:
    """The quotas with another target at a place.

    The shares of a factor make 100 % together: those of its other levels are changed in their
    proportion.

    Raises:
        InputError: as :func:`check_quotas`.
    """
    found = list(quotas)
    changed = found[place] = found[place]._replace(target=target)
    if changed.factor.is_share:
        others = [
            number
            for number, one in enumerate(found)
            if number != place and (one.data_set, one.factor) == (changed.data_set, changed.factor)
        ]
        whole = sum(found[number].target for number in others)
        for number in others:
            share = found[number].target / whole if whole else 1 / len(others)
            found[number] = found[number]._replace(target=max(0.0, 1 - target) * share)
    check_quotas(found)
    return tuple(found)


def standing(copies: Iterable[Copy], quotas: Sequence[Quota] = PLAN) -> tuple[Standing, ...]:
    """Each quota of the sets that there are, with what there is of it and what is missing.

    Raises:
        InputError: as :func:`check_quotas`.
    """
    check_quotas(quotas)
    by_set: dict[str, list[Copy]] = defaultdict(list)
    for one in sorted(copies, key=lambda copy: natural_key(copy.passage)):
        by_set[one.data_set].append(one)
    return tuple(
        _standing(quota, by_set[quota.data_set]) for quota in quotas if quota.data_set in by_set
    )


def _standing(quota: Quota, copies: Sequence[Copy]) -> Standing:
    passages = {one.passage: one for one in copies}
    match quota.factor:
        case Factor.PASSAGES:
            actual = sum(quota.level in ("", one.genre) for one in passages.values())
            target = round(quota.target)
        case Factor.SCRIBES:
            actual, target = len({one.scribe for one in copies}), round(quota.target)
        case Factor.TOKENS:
            target = len(passages)
            low, high = _lengths(quota.target)
            actual = sum(low <= one.tokens <= high for one in passages.values())
        case Factor.COPIES:
            scribes = {(one.passage, one.scribe) for one in copies}
            counts = Counter(passage for passage, _ in scribes)
            target = len(passages)
            actual = sum(count >= quota.target for count in counts.values())
        case _:
            level = _LEVEL[quota.factor]
            target = share_target(quota, len(copies))
            actual = sum(level(one) == quota.level for one in copies)
    return Standing(quota, target, actual, max(0, target - actual))
