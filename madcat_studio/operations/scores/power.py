"""What it costs to tell systems apart: documents, kits and teams, from a pilot by simulation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from madcat_studio.errors import UsageError
from madcat_studio.model.campaign import DataSet
from madcat_studio.operations.checked import counted
from madcat_studio.operations.scores.drift import read_earlier
from madcat_studio.operations.scores.report import open_report, read_tracks
from madcat_studio.planning.power import Pilot, Power, documents_needed
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.reports.grouping import Breakdown
from madcat_studio.reports.results import CampaignResults
from madcat_studio.store import open_campaign
from madcat_ter.hter import Denominator

__all__ = ["KITS_A_TEAM", "Cost", "cost_by_earlier", "cost_by_pilot"]

KITS_A_TEAM = 8
"""How many kits a team edits, where nothing else is said."""

_FEW = 20
"""Source documents of a pilot below which its own chance is worth a word."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What is needed.

    Attributes:
        basis: from what it was reckoned, a sentence without its stop.
        pilot: its documents.
        difference: of HTER that is to be told, as a fraction.
        systems: how many are compared.
        power: with so many source documents; None: more than can be had.
        words: reference words of a source document, with all its copies.
        kit_words, kits_a_team: how long a kit is, how many a team edits.
        tried: what was simulated on the way, by the number of documents.
    """

    basis: str
    pilot: Pilot
    difference: float
    systems: int
    power: Power | None
    words: float
    kit_words: int
    kits_a_team: int
    tried: tuple[Power, ...]

    @property
    def kits(self) -> int:
        """Kits for all systems."""
        assert self.power is not None
        return max(1, ceil(self.power.documents * self.words * self.systems / self.kit_words))

    @property
    def teams(self) -> int:
        """Teams, each kit being edited by two."""
        return max(2, ceil(2 * self.kits / self.kits_a_team))

    @property
    def answer(self) -> str:
        """What it comes to, as one sentence."""
        points = f"{self.difference * 100:g} points of HTER"
        if self.power is None:
            return f"To tell {points} apart, no practical number of documents is enough"
        return (
            f"To tell systems apart that differ by {points}: {self.power.documents:,} source "
            f"documents, {self.kits:,} kits of {self.kit_words} words for {self.systems} systems, "
            f"{self.teams:,} teams at {counted(self.kits_a_team, 'kit')} each"
        )

    def sentences(self) -> tuple[str, ...]:
        """For people, a sentence each; :attr:`answer` is one of them."""
        told = [self.basis]
        if self.pilot.documents < _FEW:
            told.append(
                f"The pilot has only {counted(self.pilot.documents, 'source document')}: "
                "what it says about how documents vary is uncertain, and so is everything "
                "that follows from it"
            )
        if self.pilot.other is None:
            told.append(
                "It has only one system: two systems are assumed to find different "
                "documents hard, which takes more documents than usual"
            )
        told.append(self.answer)
        one = self.power
        if one is None:
            return tuple(told)
        told.append(
            f"Power {one.power:.0%} [{one.low:.0%}, {one.high:.0%}] in {one.simulations:,} "
            "simulated evaluations, by approximate randomisation after Holm"
        )
        return tuple(told)


def cost_by_pilot(
    where: str,
    points: float,
    *,
    track: str | None = None,
    systems: int = 0,
    wanted: float = 0.8,
    kit_words: int = 600,
    kits_a_team: int = KITS_A_TEAM,
    seed: int = 1,
    progress: Progress = SILENT,
) -> Cost:
    """The cost as a campaign's own finals tell it, or else the earlier phase that it holds.

    Args:
        where: the campaign; it is only read.
        points: of HTER, that two systems differ by.
        track: whose finals are the pilot; by default the first.
        systems: how many are to be compared; by default as many as the campaign has.
        wanted: the power, such as 0.8.
        kit_words: reference words of a kit.
        kits_a_team: how many kits a team edits.
        seed: the same seed gives the same figures.
        progress: may cancel.

    Raises:
        InputError: ``power.pilot``, ``power.difference``: nothing can be reckoned from it.
        UsageError: ``power.option``: a number that makes no sense.
        StudioError: the campaign cannot be read.
        Cancelled: ``progress`` said so.
    """
    with open_campaign(where, read_only=True) as campaign:
        own = sum(not one.earlier for one in campaign.contents.systems())
        sources = {one.base: one.source_document for one in campaign.contents.documents()}
        scores = [
            (one.system, sources.get(one.base, one.passage), one.edits, one.words)
            for one in campaign.earlier.scores()
        ]
    chosen = read_tracks(where)[0] if track is None else track
    with open_report(where, track=chosen, full=False, verdict=False, progress=progress) as (
        report,
        _,
    ):
        found = _of_finals(report.results, report.denominator)
    if found is None:
        found = _of_scores(scores, "the earlier phase")
    return _cost(
        *found, points, systems or max(own, 2), wanted, kit_words, kits_a_team, seed, progress
    )


def cost_by_earlier(
    folder: Path,
    points: float,
    *,
    systems: int = 2,
    wanted: float = 0.8,
    kit_words: int = 600,
    kits_a_team: int = KITS_A_TEAM,
    seed: int = 1,
    progress: Progress = SILENT,
) -> Cost:
    """The cost as an earlier phase tells it that is not in a campaign yet.

    Args:
        folder: with ``hter.tsv``.
        points, systems, wanted, kit_words, kits_a_team, seed, progress: as for
            :func:`cost_by_pilot`.

    Raises:
        StudioError: as :func:`cost_by_pilot`; the table cannot be read.
        Cancelled: ``progress`` said so.
    """
    rows = read_earlier(folder / "hter.tsv")
    scores = [(one.system, one.passage, one.edits, one.words) for one in rows]
    found = _of_scores(scores, "the earlier phase")
    return _cost(*found, points, max(systems, 2), wanted, kit_words, kits_a_team, seed, progress)


_Found = tuple[str, Pilot, float]  # basis, pilot, words of a source document


def _of_finals(results: CampaignResults, denominator: Denominator) -> _Found | None:
    """The two systems with the most source documents in common, or one; None without finals."""
    by_system: dict[str, list[tuple[float, float]]] = {}
    for group in results.of(Breakdown.SOURCE_DOCUMENT, DataSet.EVALUATION):
        totals = group.all.of(denominator)
        if totals.segments and totals.words > 0:
            by_system.setdefault(group.system, []).append((totals.edits, totals.words))
    best: _Found | None = None
    for one, other in combinations(by_system, 2):
        _, sums = results.in_common(one, other, denominator)
        sums = sums[:, (sums[1] > 0) & (sums[3] > 0)]
        if sums.shape[1] >= 3 and (best is None or sums.shape[1] > best[1].documents):
            pilot = Pilot(sums[0], sums[1], (sums[2], sums[3]))
            best = f"{one} and {other} in this campaign", pilot, float(sums[1].mean())
    if best is None and by_system:
        system = max(by_system, key=lambda name: len(by_system[name]))
        numbers = np.array(by_system[system], dtype=np.float64)
        if len(numbers) >= 3:
            pilot = Pilot(numbers[:, 0], numbers[:, 1])
            best = f"{system} in this campaign", pilot, float(numbers[:, 1].mean())
    return None if best is None else _told(best)


def _of_scores(scores: Iterable[tuple[str, str, float, float]], where: str) -> _Found:
    """The same from sums of documents: system, source document, edits, words."""
    sums: dict[str, dict[str, tuple[float, float]]] = {}
    for system, source, edits, words in scores:
        own = sums.setdefault(system, {})
        before = own.get(source, (0.0, 0.0))
        own[source] = before[0] + edits, before[1] + words
    best: _Found | None = None
    for one, other in combinations(sums, 2):
        common = [source for source in sums[one] if source in sums[other]]
        if len(common) >= 3 and (best is None or len(common) > best[1].documents):
            first, second = (_columns(sums[system], common) for system in (one, other))
            best = f"{one} and {other} of {where}", Pilot(*first, second), float(first[1].mean())
    if best is None:
        system = max(sums, key=lambda name: len(sums[name]), default="")
        alone = _columns(sums.get(system, {}), list(sums.get(system, {})))
        mean = float(alone[1].mean()) if alone[1].size else 0.0
        best = f"{system or 'nothing'} of {where}", Pilot(*alone), mean
    return _told(best)


def _columns(
    sums: Mapping[str, tuple[float, float]], sources: Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    kept = [sums[source] for source in sources if sums[source][1] > 0]
    return (
        np.array([edits for edits, _ in kept], dtype=np.float64),
        np.array([words for _, words in kept], dtype=np.float64),
    )


def _told(found: _Found) -> _Found:
    name, pilot, words = found
    if pilot.documents < 2:
        return name, pilot, words
    told = (
        f"From {name}: {counted(pilot.documents, 'source document')}, HTER {pilot.rate:.1%}, "
        f"documents vary by {pilot.spread * 100:.1f} points (standard deviation)"
    )
    return told, pilot, words


def _cost(
    basis: str,
    pilot: Pilot,
    words: float,
    points: float,
    systems: int,
    wanted: float,
    kit_words: int,
    kits_a_team: int,
    seed: int,
    progress: Progress,
) -> Cost:
    if not (0 < wanted < 1 and kit_words > 0 and kits_a_team > 0 and systems > 1):
        raise UsageError(
            "power.option",
            "Nothing can be calculated from these numbers",
            remedy="Give a power between 0 and 1, two systems or more, and kits with words",
        )
    tried: dict[int, Power] = {}

    def look(power: Power) -> None:
        tried[power.documents] = power
        told = f"{power.documents} documents: power {power.power:.0%}"
        progress.advance(len(tried), None, told)
        if progress.cancelled():
            raise Cancelled

    power = documents_needed(
        pilot, points / 100, wanted=wanted, pairs=comb(systems, 2), seed=seed, look=look
    )
    shown = tuple(tried[number] for number in sorted(tried))
    return Cost(basis, pilot, points / 100, systems, power, words, kit_words, kits_a_team, shown)
