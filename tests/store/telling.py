"""How well a stranger tells control pages from the rest, by all that an editor sees but the words.

Features come from whatever rows, files and objects hold, without knowing what they mean: where a
row stands, how a value is spelt, how often it comes again and in how many kits, and what is known
of the other kits in which it comes again. Only what is written on a page is left out: the
reference, the output, the transcription, texts, and the picture with its hash.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.stats import rankdata

__all__ = ["Seen", "area", "features", "tell"]

Matrix = np.ndarray[Any, np.dtype[np.float64]]


@dataclass
class Seen:
    """A page of a kit, as one view shows it.

    Attributes:
        kit: any name of the kit.
        places: where it stands, in each list in which it comes, as a share of the list.
        values: what is said of it, by the name of the value; several where it has several.
        control: the truth.
    """

    kit: Hashable
    control: bool
    places: dict[str, float] = field(default_factory=dict)
    values: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))


def features(pages: Sequence[Seen]) -> Matrix:
    """A row of numbers for each page."""
    columns = [
        [page.places.get(name, -1.0) for page in pages]
        for name in sorted({name for page in pages for name in page.places})
    ]
    for name in sorted({name for page in pages for name in page.values}):
        columns += _of_value(pages, [page.values.get(name, []) for page in pages])
    columns.append([sum(other.kit == page.kit for other in pages) for page in pages])
    return np.array(columns, dtype=float).T


def _of_value(pages: Sequence[Seen], values: Sequence[list[Any]]) -> list[list[float]]:
    numbers = [[float(one) for one in own if isinstance(one, int | float)] for own in values]
    first = [repr(own[0]) if own else "" for own in values]
    shapes = [re.sub(r"[0-9a-f]+", "0", re.sub(r"\d", "0", one)) for one in first]
    everywhere, shaped = Counter(first), Counter(shapes)
    here = Counter((page.kit, one) for page, one in zip(pages, first, strict=True))
    kits = defaultdict(set)
    known: dict[str, list[tuple[Hashable, bool]]] = defaultdict(list)
    for page, one in zip(pages, first, strict=True):
        kits[one].add(page.kit)
        known[one].append((page.kit, page.control))
    order = rankdata(first_keys(first))
    # As if the truth of half of the kits were known; never anything of the page's own half.
    half = {kit: place % 2 for place, kit in enumerate(sorted({str(p.kit) for p in pages}))}
    rates = [
        float(np.mean([page.control for page in pages if half[str(page.kit)] == part] or [0]))
        for part in range(2)
    ]

    def from_other_kits(page: Seen, one: str) -> float:
        other = 1 - half[str(page.kit)]
        others = [control for kit, control in known[one] if half[str(kit)] == other]
        return (sum(others) + rates[other]) / (len(others) + 1) - rates[other]

    return [
        [len(own) for own in values],
        [sum(own) / len(own) if own else -1.0 for own in numbers],
        [float(len(set(map(repr, own)))) for own in values],
        [float(len(one)) for one in first],
        [float(sum(letter.isdigit() for letter in one)) for one in first],
        [float(shaped[one]) for one in shapes],
        [float(everywhere[one]) for one in first],
        [float(here[page.kit, one]) for page, one in zip(pages, first, strict=True)],
        [float(len(kits[one])) for one in first],
        [float(place) for place in order],
        [from_other_kits(page, one) for page, one in zip(pages, first, strict=True)],
    ]


def first_keys(values: Sequence[str]) -> list[int]:
    """Numbers in the order of texts."""
    places = {one: place for place, one in enumerate(sorted(set(values)))}
    return [places[one] for one in values]


def tell(plans: Sequence[tuple[Matrix, Sequence[bool]]]) -> float:
    """The area under the curve (AUC) of a logistic regression on binned features.

    Each plan is told by what was learned from the others.
    """
    areas = []
    for number, (seen, control) in enumerate(plans):
        others = [one for place, one in enumerate(plans) if place != number]
        known = np.concatenate([matrix for matrix, _ in others])
        truth = np.concatenate([np.asarray(answer, dtype=float) for _, answer in others])
        edges = [np.unique(np.quantile(known[:, at], BINS)) for at in range(known.shape[1])]
        weights = _learn(_binned(known, edges), truth)
        areas.append(area(_binned(seen, edges) @ weights, control))
    return float(np.mean(areas))


BINS = np.linspace(0, 1, 9)[1:-1]


def _binned(matrix: Matrix, edges: Sequence[Matrix]) -> Matrix:
    parts = [np.ones((len(matrix), 1))]
    for at, cuts in enumerate(edges):
        column = matrix[:, at]
        parts.append((column[:, None] > cuts[None, :]).astype(float))
        parts.append((column[:, None] == cuts[None, :]).astype(float))
    return np.concatenate(parts, axis=1)


def _learn(seen: Matrix, truth: Matrix) -> Matrix:
    weight = np.where(truth > 0, 0.5 / truth.mean(), 0.5 / (1 - truth.mean()))

    def loss(weights: Matrix) -> tuple[float, Matrix]:
        score = seen @ weights
        odds = 1 / (1 + np.exp(-np.clip(score, -30, 30)))
        value = (weight * (np.logaddexp(0, score) - truth * score)).mean()
        slope = seen.T @ (weight * (odds - truth)) / len(truth)
        return float(value + 0.01 * weights @ weights), slope + 0.02 * weights

    found: Matrix = minimize(
        loss, np.zeros(seen.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 200}
    ).x
    return found


def area(scores: Matrix, control: Sequence[bool]) -> float:
    """How often a control page gets the higher score of a pair; ties count half."""
    truth = np.asarray(control, dtype=bool)
    ranks = rankdata(scores)
    yes, no = int(truth.sum()), int((~truth).sum())
    return float((ranks[truth].sum() - yes * (yes + 1) / 2) / (yes * no))


def merged(views: Mapping[str, Mapping[tuple[str, str], Seen]]) -> dict[tuple[str, str], Seen]:
    """All views of each page as one."""
    found: dict[tuple[str, str], Seen] = {}
    for view, pages in views.items():
        for key, page in pages.items():
            one = found.setdefault(key, Seen(page.kit, page.control))
            one.places |= {f"{view} {name}": place for name, place in page.places.items()}
            for name, values in page.values.items():
                one.values[f"{view} {name}"] += values
    return found
