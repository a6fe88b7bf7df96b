"""What surrounds the page scorecard's numbers: manifests, the two leaderboards, the weights'
ablation, the check of imported references, and the held-out split."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import combinations

from madcat_studio.errors import InputError
from madcat_studio.scoring.scorecards.gate import LEAST_SHARE, target_of
from madcat_studio.scoring.scorecards.intervals import Interval
from madcat_studio.scoring.scorecards.layout import kendall_tau_b
from madcat_studio.scoring.scorecards.ltb import (
    Means,
    SubmissionScore,
    TruthDocument,
    composite,
)
from madcat_studio.scoring.scorecards.scripts import count_in_script, letters

__all__ = [
    "ABLATION_WEIGHTS",
    "HELD_OUT_DAYS",
    "HELD_OUT_SHARE",
    "STABLE_TAU",
    "SYSTEM_TYPES",
    "Ablation",
    "BoardRow",
    "DroppedReference",
    "Manifest",
    "Placed",
    "SystemResult",
    "ablate",
    "check_references",
    "held_out",
    "leaderboards",
    "read_manifest",
    "reference_share",
    "show",
]

SYSTEM_TYPES = ("end-to-end", "oracle-layout")
"""Systems that find the boxes themselves, and systems that were given them. Never one ranking."""

_REQUIRED = (
    "system_name",
    "system_version",
    "manifest_version",
    "model_id_or_url",
    "runner_config",
    "hardware",
    "total_runtime_seconds",
    "median_per_doc_runtime_seconds",
    "cost_usd",
)

_NUMBERS = ("total_runtime_seconds", "median_per_doc_runtime_seconds", "cost_usd")

ABLATION_WEIGHTS = (
    (0.50, 0.30, 0.20),
    (0.40, 0.40, 0.20),
    (0.60, 0.20, 0.20),
    (1 / 3, 1 / 3, 1 / 3),
)
"""The weights of chrF, IoU and tau whose rankings are compared."""

STABLE_TAU = 0.95
"""Normalised tau of two rankings below which the weights decide the order."""

HELD_OUT_SHARE = 0.20
"""Of the documents of each category, never shown raw."""

HELD_OUT_DAYS = 90
"""After so many days another fifth is held out."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a submission says of itself.

    Attributes:
        name: of the system; empty if it says nothing.
        system_type: one of :data:`SYSTEM_TYPES`.
        missing: required fields that are absent or null; any makes the submission "unverified".
        fields: everything that it says.
    """

    name: str
    system_type: str
    missing: tuple[str, ...]
    fields: Mapping[str, object]

    @property
    def verified(self) -> bool:
        """Whether every required field is there."""
        return not self.missing


def read_manifest(fields: Mapping[str, object], where: str = "") -> Manifest:
    """Check a manifest. Missing fields are accepted and named; a cost of 0 is a value.

    Raises:
        InputError: ``scorecards.manifest``: another system type, or a number that is none.
    """
    system_type = fields.get("system_type")
    if system_type is None:
        system_type = SYSTEM_TYPES[0]
    if system_type not in SYSTEM_TYPES:
        raise InputError(
            "scorecards.manifest",
            f"“{system_type}” is not a type of system",
            where=where,
            remedy=f"system_type is {' or '.join(SYSTEM_TYPES)}",
        )
    for name in _NUMBERS:
        value = fields.get(name)
        if value is not None and (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
            or value < 0
        ):
            raise InputError(
                "scorecards.manifest",
                f"{name} is {value!r}, not a number of at least 0",
                where=where,
                remedy="Give a number, or null if it is not known",
            )
    missing = tuple(
        name
        for name in _REQUIRED
        # The model of a closed product has no address: the key has to be there, null is fine.
        if name not in fields or (fields[name] is None and name != "model_id_or_url")
    )
    own_name = fields.get("system_name")
    return Manifest(
        own_name if isinstance(own_name, str) else "",
        str(system_type),
        missing,
        dict(fields),
    )


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A system on a leaderboard."""

    name: str
    system_type: str
    means: Means
    verified: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """A row with its rank; equal scores share one (1, 2, 2, 4)."""

    rank: int
    row: BoardRow


@dataclass(frozen=True, slots=True)
class SystemResult:
    """One system's submission, scored."""

    name: str
    manifest: Manifest
    score: SubmissionScore

    def row(self, means: Means) -> BoardRow:
        """Its place on a leaderboard by ``means``."""
        return BoardRow(self.name, self.manifest.system_type, means, self.manifest.verified)


def leaderboards(rows: Sequence[BoardRow]) -> dict[str, list[Placed]]:
    """One ranking for each system type, by falling LTB-100; names decide inside a rank.

    Systems without a score are left out.
    """
    boards: dict[str, list[Placed]] = {}
    for system_type in SYSTEM_TYPES:
        scored = [
            (row.means.ltb, row)
            for row in rows
            if row.system_type == system_type and row.means.ltb is not None
        ]
        scored.sort(key=lambda item: (-item[0], item[1].name))
        placed: list[Placed] = []
        previous: float | None = None
        for position, (value, row) in enumerate(scored, 1):
            rank = placed[-1].rank if placed and value == previous else position
            placed.append(Placed(rank, row))
            previous = value
        boards[system_type] = placed
    return boards


def show(interval: Interval, point: float | None = None) -> str:
    """``point [low, high]``; an interval of 0/0, which old files have, is a dash."""
    value = interval.point if point is None else point
    if value is None:
        return "—"
    if interval.low is None or interval.high is None or interval.low == interval.high == 0.0:
        return f"{value:.2f} —"
    return f"{value:.2f} [{interval.low:.2f}, {interval.high:.2f}]"


@dataclass(frozen=True, slots=True)
class Ablation:
    """Rankings of systems under several weights.

    Attributes:
        rankings: for each weights the systems' names, best first.
        lowest: the lowest normalised tau between two rankings; None below two systems.
    """

    rankings: Mapping[tuple[float, float, float], tuple[str, ...]]
    lowest: float | None

    @property
    def stable(self) -> bool:
        """Whether no two rankings differ much."""
        return self.lowest is None or self.lowest >= STABLE_TAU


def ablate(rows: Sequence[BoardRow]) -> Ablation:
    """Rank the systems of ``rows`` under all weights and compare the rankings."""
    scored = [row for row in rows if row.means.ltb is not None]
    scores = {
        weights: [
            composite(row.means.chrf or 0.0, row.means.iou or 0.0, row.means.tau or 0.0, weights)
            for row in scored
        ]
        for weights in ABLATION_WEIGHTS
    }
    rankings = {
        weights: tuple(
            scored[position].name
            for position in sorted(range(len(scored)), key=lambda p: (-values[p], scored[p].name))
        )
        for weights, values in scores.items()
    }
    taus: list[float] = []
    for first, second in combinations(scores.values(), 2):
        tau = kendall_tau_b(_ranks(first), _ranks(second))
        if tau is not None:
            taus.append((tau + 1) / 2)
    return Ablation(rankings, min(taus, default=None))


def _ranks(values: Sequence[float]) -> list[int]:
    """Ranks of scores; sums that differ by rounding alone are equal."""
    places = sorted({round(value, 9) for value in values}, reverse=True)
    return [places.index(round(value, 9)) for value in values]


def reference_share(pair: str, text: str) -> float | None:
    """The share of the letters of a reference that are in the target's script.

    1.0 without any letter; None for a target that is not known.
    """
    alphabetic = letters(text)
    inside = count_in_script(target_of(pair), alphabetic)
    if inside is None:
        return None
    return inside / len(alphabetic) if alphabetic else 1.0


@dataclass(frozen=True, slots=True)
class DroppedReference:
    """A reference in the wrong script."""

    document: str
    region: str
    pair: str
    text: str
    share: float


def check_references(
    documents: Sequence[TruthDocument],
) -> tuple[list[TruthDocument], list[DroppedReference]]:
    """Drop references whose letters are mostly of another script; regions stay for the layout."""
    kept: list[TruthDocument] = []
    dropped: list[DroppedReference] = []
    for document in documents:
        regions = []
        for region in document.regions:
            texts = {
                pair: (text, *region.further.get(pair, ()))
                for pair, text in region.references.items()
            }
            good: dict[str, tuple[str, ...]] = {}
            for pair, every in texts.items():
                wrong = {
                    text: share
                    for text in every
                    if (share := reference_share(pair, text)) is not None and share < LEAST_SHARE
                }
                good[pair] = tuple(text for text in every if text not in wrong)
                dropped += (
                    DroppedReference(document.id, region.id, pair, text, share)
                    for text, share in wrong.items()
                )
            if good != texts:
                region = replace(
                    region,
                    references={pair: own[0] for pair, own in good.items() if own},
                    further={pair: own[1:] for pair, own in good.items() if len(own) > 1},
                )
            regions.append(region)
        kept.append(replace(document, regions=tuple(regions)))
    return kept, dropped


def held_out(documents: Sequence[TruthDocument], day: date, secret: str = "") -> set[str]:
    """The ids of the fifth of each category that is held out on ``day``.

    The choice depends only on ids, the 90-day period and ``secret``; adding a document moves few
    others. Every category with at least two documents holds at least one out.

    Args:
        documents: the whole ground truth.
        day: today.
        secret: what keeps outsiders from computing the split.
    """
    period = day.toordinal() // HELD_OUT_DAYS
    categories: dict[str, list[str]] = {}
    for document in documents:
        categories.setdefault(document.category, []).append(document.id)
    chosen: set[str] = set()
    for category, names in categories.items():
        count = round(len(names) * HELD_OUT_SHARE)
        if count == 0 and len(names) > 1:
            count = 1
        names.sort(
            key=lambda name: hashlib.sha256(
                "\0".join((secret, str(period), category, name)).encode()
            ).digest()
        )
        chosen.update(names[:count])
    return chosen
