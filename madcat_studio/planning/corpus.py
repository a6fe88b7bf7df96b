"""A corpus as it is ordered and as it is planned: passages, scribes, quotas, who copies what.

Everything here is a pure function of plain values.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from madcat_studio.errors import InputError
from madcat_studio.model.naming import natural_key
from madcat_studio.planning.quotas import (
    Copy,
    Factor,
    Quota,
    Standing,
    share_target,
    standing,
)
from madcat_studio.planning.scribes import Assignment, Scribe, assign_scribes, deal
from madcat_studio.progress import SILENT, Progress

__all__ = [
    "CorpusOrder",
    "CorpusPlan",
    "Manuscript",
    "Passage",
    "Way",
    "plan_order",
    "standing_before",
]

_COPIES = 3
"""Scribes of a passage where no quota says it."""

_LETTERS = {
    Factor.IMPLEMENT: {"ink": "I", "pencil": "P"},
    Factor.SURFACE: {"unlined paper": "U", "lined paper": "L"},
    Factor.SPEED: {"normal": "N", "fast": "F", "careful": "C"},
}


class Passage(NamedTuple):
    """What is to be copied; ``text`` may be missing until sheets are written."""

    name: str
    source_document: str
    genre: str
    tokens: int
    text: str = ""


class Way(NamedTuple):
    """How a copy is to be written."""

    implement: str
    surface: str
    speed: str

    @property
    def code(self) -> str:
        """As the writing conditions have it, such as ``IUN``."""
        return "".join(
            known.get(level, "?") for known, level in zip(_LETTERS.values(), self, strict=True)
        )


@dataclass(frozen=True, slots=True)
class CorpusOrder:
    """What a corpus is to be made from.

    Attributes:
        passages, scribes: in the order of their tables; each once.
        quotas: of all sets; those of ``data_set`` count.
        data_set, track: of all copies.
        copies: scribes of each passage; None: as many as the quota says.
        seed: the same seed gives the same plan.
    """

    passages: tuple[Passage, ...]
    scribes: tuple[Scribe, ...]
    quotas: tuple[Quota, ...]
    data_set: str
    track: str = ""
    copies: int | None = None
    seed: int = 1

    @property
    def own_quotas(self) -> tuple[Quota, ...]:
        """Those of its set."""
        return tuple(one for one in self.quotas if one.data_set == self.data_set)

    @property
    def copies_wanted(self) -> int:
        """Scribes of each passage."""
        if self.copies is not None:
            return self.copies
        told = [one.target for one in self.own_quotas if one.factor is Factor.COPIES]
        return int(told[0]) if told else _COPIES

    def shares(self, factor: Factor) -> dict[str, float]:
        """The level of a factor with its share of all copies."""
        return {one.level: one.target for one in self.own_quotas if one.factor is factor}


class Manuscript(NamedTuple):
    """One copy that is to be made: the BASE of its page, who writes what, and how."""

    base: str
    page: int
    passage: Passage
    scribe: Scribe
    way: Way


@dataclass(frozen=True, slots=True)
class CorpusPlan:
    """Who copies what, and how.

    Attributes:
        order: what it was made from.
        assignment: with its overlap and the bound.
        ways: of each copy, passage by passage, in the order of its scribes.
    """

    order: CorpusOrder
    assignment: Assignment
    ways: tuple[Way, ...]

    @property
    def manuscripts(self) -> list[Manuscript]:
        """All copies, passage by passage.

        Passages of one source document are its pages 1, 2 and so on, so that no two copies of a
        scribe have one name.
        """
        found = []
        seen: Counter[str] = Counter()
        ways = iter(self.ways)
        for passage, row in zip(self.order.passages, self.assignment.scribes, strict=True):
            seen[passage.source_document] += 1
            page = seen[passage.source_document]
            for place in row:
                scribe = self.order.scribes[place]
                base = f"{passage.source_document}_{page}_{scribe.name}"
                found.append(Manuscript(base, page, passage, scribe, next(ways)))
        return found

    def by_scribe(self) -> dict[str, list[Manuscript]]:
        """What each scribe copies, by name."""
        found: dict[str, list[Manuscript]] = defaultdict(list)
        for one in self.manuscripts:
            found[one.scribe.name].append(one)
        return {name: found[name] for name in sorted(found, key=natural_key)}

    @property
    def copies(self) -> list[Copy]:
        """As quotas count them."""
        return [
            Copy(
                self.order.data_set,
                one.passage.name,
                one.passage.genre,
                one.passage.tokens,
                one.scribe.name,
                one.scribe.exposure,
                *one.way,
            )
            for one in self.manuscripts
        ]

    def standing(self, quotas: Sequence[Quota] | None = None) -> tuple[Standing, ...]:
        """How the quotas are kept: the order's, or others.

        Raises:
            InputError: they contradict themselves.
        """
        return standing(self.copies, self.order.own_quotas if quotas is None else quotas)

    def sentences(self) -> tuple[str, ...]:
        """What was planned and how good it is, a sentence each."""
        found = self.assignment
        gap = found.gap
        told = "no two scribes can share a passage"
        if gap is not None:
            known = "no assignment has more" if found.proven else f"at most {gap:.2%} more can be"
            told = (
                f"{found.overlap} of {found.bound} shared passages over pairs of scribes: {known}"
            )
        scribes = len({place for row in found.scribes for place in row})
        return (
            f"{len(found.scribes)} passages, {len(self.ways)} copies, {scribes} scribes",
            f"Overlap (each pair up to {found.threshold}): {told}",
        )


def plan_order(order: CorpusOrder, *, progress: Progress = SILENT) -> CorpusPlan:
    """Assign scribes to passages, and say how each copy is to be written.

    Raises:
        InputError: ``corpus.no-quotas``; a quota that cannot be met: which, by how much, and what
            would do.
        Cancelled: ``progress`` said so.
    """
    if not order.own_quotas:
        raise InputError(
            "corpus.no-quotas",
            f"There are no quotas for the {order.data_set} set",
            remedy="Name a set that the quotas have, or give a table of quotas",
        )
    standing((), order.own_quotas)  # quotas that contradict themselves, before the work
    levels = {factor: _levels(order, factor) for factor in _LETTERS}
    share = order.shares(Factor.EXPOSURE).get("exposed", 0.5)
    found = assign_scribes(
        len(order.passages),
        order.scribes,
        copies=order.copies_wanted,
        exposed=share,
        seed=order.seed,
        progress=progress,
    )
    return CorpusPlan(order, found, _ways(order, found, levels))


def _levels(order: CorpusOrder, factor: Factor) -> dict[str, float]:
    known = _LETTERS[factor]
    shares = order.shares(factor) or {next(iter(known)): 1.0}
    unknown = sorted(set(shares) - set(known))
    if unknown:
        raise InputError(
            "corpus.level",
            f"There is no {factor} called {unknown[0]!r}",
            remedy=f"Write one of {', '.join(known)}",
        )
    return shares


def _ways(
    order: CorpusOrder, found: Assignment, levels: dict[Factor, dict[str, float]]
) -> tuple[Way, ...]:
    """How each copy is written: each factor dealt in an order of its own, scribe by scribe.

    So every scribe has something of each, and no two factors go together.
    """
    names = [order.scribes[place].name for row in found.scribes for place in row]
    dealt: dict[Factor, list[str]] = {}
    for number, (factor, shares) in enumerate(levels.items()):
        chance = random.Random(f"{order.seed} {number}")
        places = sorted(range(len(names)), key=lambda one: (chance.random(), names[one]))
        places.sort(key=lambda one: natural_key(names[one]))
        own = dealt[factor] = [""] * len(names)
        for place, level in zip(places, deal(len(places), shares), strict=True):
            own[place] = level
    return tuple(Way(*levels) for levels in zip(*dealt.values(), strict=True))


def standing_before(order: CorpusOrder) -> tuple[Standing, ...]:
    """How the quotas stand while nobody is assigned: passages and scribes there are, copies none.

    Raises:
        InputError: the quotas contradict themselves.
    """
    alone = [
        Copy(order.data_set, one.name, one.genre, one.tokens, "", "", "", "", "")
        for one in order.passages
    ]
    known = {one.quota: one for one in standing(alone, order.own_quotas)}
    copies = len(order.passages) * order.copies_wanted
    found = []
    for quota in order.own_quotas:
        match quota.factor:
            case Factor.PASSAGES | Factor.TOKENS if quota in known:
                found.append(known[quota])
                continue
            case Factor.PASSAGES | Factor.SCRIBES:
                target = round(quota.target)
            case Factor.TOKENS | Factor.COPIES:
                target = len(order.passages)
            case _:
                target = share_target(quota, copies)
        actual = len(order.scribes) if quota.factor is Factor.SCRIBES else 0
        found.append(Standing(quota, target, actual, max(0, target - actual)))
    return tuple(found)
