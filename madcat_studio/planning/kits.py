"""Manuscripts into kits: about the target of words, mixed like the campaign, no passage twice.

What a plan costs stands in :mod:`madcat_studio.planning.kitproblem`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from madcat_studio.planning.kitproblem import KitProblem, Weights
from madcat_studio.planning.search import improve, usual_steps
from madcat_studio.planning.units import KitRules, PlannedKit, Unit, by_track, check_units
from madcat_studio.progress import SILENT, Progress

__all__ = ["KitFigures", "figures", "greedy_kits", "kit_cost", "plan_kits"]


@dataclass(frozen=True, slots=True)
class KitFigures:
    """What a plan of kits came to; each can be counted again from the plan.

    Attributes:
        words: of each kit.
        outside: kits whose words lie outside the tolerance.
        genre_miss: mean over kits of half the summed differences from the campaign's genres.
        cost: as :func:`kit_cost`.
        size_bound: no plan of so many kits has a smaller mean miss of the target, in words.
    """

    words: tuple[int, ...]
    outside: int
    genre_miss: float
    cost: float
    size_bound: float


_RULES = KitRules()
_WEIGHTS = Weights()

_HOT, _COLD = 0.03, 0.00005
"""Warmth of the search: a kit that is as the campaign's words allow costs about 0.1."""


def plan_kits(
    units: Sequence[Unit],
    rules: KitRules = _RULES,
    *,
    weights: Weights = _WEIGHTS,
    forbidden: Callable[[Unit], Collection[str]] | None = None,
    teams: int = 0,
    seed: int = 1,
    steps: int | None = None,
    progress: Progress = SILENT,
) -> list[PlannedKit]:
    """Divide manuscripts into kits.

    Args:
        units: manuscripts of systems' outputs, in any order: the plan does not depend on it.
        rules: how long a kit is.
        weights: what counts how much.
        forbidden: of a unit the teams that must not get it: units are put together so that two
            teams are left for each kit.
        teams: how many teams are there, where some are forbidden.
        seed: the same seed gives the same plan.
        steps: exchanges that are tried; by default :func:`usual_steps`, 4,500 for each unit.
        progress: may cancel.

    Returns:
        The kits, track by track. A manuscript is in one kit, and no passage is twice in a kit.

    Raises:
        InputError: there is no such plan (see :func:`~madcat_studio.planning.units.check_units`).
        Cancelled: ``progress`` said so.
    """
    tracks = by_track(units) or {"": []}
    planned: list[PlannedKit] = []
    for own in tracks.values():
        planned += _plan_track(own, rules, weights, forbidden, teams, seed, steps, progress)
    return planned


def _plan_track(
    units: Sequence[Unit],
    rules: KitRules,
    weights: Weights,
    forbidden: Callable[[Unit], Collection[str]] | None,
    teams: int,
    seed: int,
    steps: int | None,
    progress: Progress,
) -> list[PlannedKit]:
    ordered = sorted(units, key=lambda unit: (unit.passage, unit.manuscript, unit.system))
    count = check_units(ordered, rules)
    barred = [forbidden(unit) for unit in ordered] if forbidden is not None else ()
    plan = KitProblem(ordered, count, rules, weights, barred, teams)
    plan.fill()
    improve(
        plan,
        seed=seed,
        steps=usual_steps(len(ordered), 4_500) if steps is None else steps,
        hot=_HOT,
        cold=_COLD,
        progress=progress,
        text="Planning kits",
    )
    return plan.planned()


def greedy_kits(units: Sequence[Unit], rules: KitRules = _RULES) -> list[PlannedKit]:
    """The plan that the search starts from: what a person would do by hand.

    Raises:
        InputError: as :func:`plan_kits`.
    """
    planned: list[PlannedKit] = []
    for own in (by_track(units) or {"": []}).values():
        ordered = sorted(own, key=lambda unit: (unit.passage, unit.manuscript, unit.system))
        plan = KitProblem(ordered, check_units(ordered, rules), rules, _WEIGHTS)
        plan.fill()
        planned += plan.planned()
    return planned


def kit_cost(
    kits: Sequence[PlannedKit], rules: KitRules = _RULES, weights: Weights = _WEIGHTS
) -> float:
    """The cost of a plan, counted from the plan alone; 0 of one without kits.

    Each track is held against its own mixture and its own mean kit.
    """
    return sum(_track_cost(own, rules, weights) for own in _tracks(kits).values())


def _tracks(kits: Sequence[PlannedKit]) -> dict[str, list[PlannedKit]]:
    found: dict[str, list[PlannedKit]] = {}
    for kit in kits:
        found.setdefault(kit.track, []).append(kit)
    return found


def _track_cost(kits: Sequence[PlannedKit], rules: KitRules, weights: Weights) -> float:
    units = [unit for kit in kits for unit in kit.units]
    plan = KitProblem(units, len(kits), rules, weights)
    number = 0
    for place, kit in enumerate(kits):
        for _ in kit.units:
            plan.put(number, place)
            number += 1
    return plan.cost()


def figures(
    kits: Sequence[PlannedKit], rules: KitRules = _RULES, weights: Weights = _WEIGHTS
) -> KitFigures:
    """What a plan came to."""
    words = tuple(kit.words for kit in kits)
    misses: list[float] = []
    bound = 0.0
    for own in _tracks(kits).values():
        misses += _genre_misses(own)
        bound += abs(sum(kit.words for kit in own) - len(own) * rules.target)
    return KitFigures(
        words=words,
        outside=sum(not rules.least <= count <= rules.most for count in words),
        genre_miss=sum(misses) / len(misses) if misses else 0.0,
        cost=kit_cost(kits, rules, weights),
        size_bound=bound / len(kits) if kits else 0.0,
    )


def _genre_misses(kits: Sequence[PlannedKit]) -> list[float]:
    """How far each kit's genres are from those of all, which are of one track."""
    total = sum(kit.words for kit in kits)
    genres: dict[str, int] = {}
    for kit in kits:
        for unit in kit.units:
            genres[unit.genre] = genres.get(unit.genre, 0) + unit.words
    misses = []
    for kit in kits:
        own: dict[str, int] = {}
        for unit in kit.units:
            own[unit.genre] = own.get(unit.genre, 0) + unit.words
        misses.append(
            sum(
                abs(own.get(genre, 0) / max(kit.words, 1) - count / max(total, 1))
                for genre, count in genres.items()
            )
            / 2
        )
    return misses
