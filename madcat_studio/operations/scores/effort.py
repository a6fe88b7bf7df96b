"""What editing took, from the log of visits: by segment, with a threshold for rests."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import compress, groupby, pairwise
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from madcat_studio.model.visits import LEAST_REST_MS
from madcat_studio.model.visitsums import VisitsOfPass, sums_of
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.reports.effort import EffortOfPass, EffortOnSegment
from madcat_studio.store import Campaign

__all__ = ["efforts_by_pass", "efforts_of"]

_CONTINUED, _COUNTS, _RESTS = 0, slice(1, 9), slice(9, None)
"""Where a visit's sums have what."""


def efforts_of(
    campaign: Campaign, idle_seconds: float, *, progress: Progress = SILENT
) -> Iterator[EffortOnSegment]:
    """All work of one editor on one segment in one pass, each; streamed.

    Arguments and errors as :func:`efforts_by_pass`.
    """
    for own in efforts_by_pass(campaign, idle_seconds, progress=progress):
        numbers = (own.words, own.visits, own.seconds, own.raw_seconds, own.counts)
        for place, *told, counts in zip(
            own.places, *[column.tolist() for column in numbers], strict=True
        ):
            yield EffortOnSegment(*own[:3], *place, *told, *counts)


def efforts_by_pass(
    campaign: Campaign,
    idle_seconds: float,
    kits: Collection[str] | None = None,
    *,
    progress: Progress = SILENT,
) -> Iterator[EffortOfPass]:
    """All work of each editor in one pass; one pass is in memory at a time.

    Practice kits are left out.

    Args:
        campaign: with the log.
        idle_seconds: rests longer than this are no active time.
        kits: of which, if not of all.
        progress: may cancel.

    Raises:
        Cancelled: ``progress`` said so.
    """
    idle = round(idle_seconds * 1000)
    found = campaign.visits.sums() if idle >= LEAST_REST_MS else _summed(campaign, idle)
    done = 0
    for visits in found:
        progress.advance(done, None, "Summing effort")
        if progress.cancelled():
            raise Cancelled
        done += len(visits.places)
        if kits is not None:
            visits = _of_kits(visits, kits)
        if visits.places:
            yield _by_segment(visits, idle)


def _of_kits(visits: VisitsOfPass, kits: Collection[str]) -> VisitsOfPass:
    own = [kit in kits for kit, _, _ in visits.places]
    if all(own):
        return visits
    team, editor, pass_, places, words, ms, sums = visits
    return VisitsOfPass(
        *(team, editor, pass_),
        list(compress(places, own)),
        list(compress(words, own)),
        list(compress(ms, own)),
        list(compress(sums, own)),
    )


def _summed(campaign: Campaign, idle: int) -> Iterator[VisitsOfPass]:
    """Where rests count that are too short to be kept with the sums."""
    who = attrgetter("team", "editor", "pass_")
    for own, rows in groupby(campaign.visits.all(), lambda row: who(row[0])):
        found = VisitsOfPass(*own, [], [], [], [])
        for visit, words in rows:
            found.places.append((visit.kit, *visit.segment))
            found.words.append(words)
            found.ms.append(visit.ms)
            found.sums.append(sums_of(visit, idle).plain())
        yield found


def _by_segment(visits: VisitsOfPass, idle: int) -> EffortOfPass:
    starts = np.array(
        [0, *[n for n, (one, other) in enumerate(pairwise(visits.places), 1) if one != other]]
    )
    ms = np.array(visits.ms, np.int64)
    active = np.array(
        [
            max(0, own - sum([rest for rest in sums[_RESTS] if rest > idle]))
            if len(sums) > _RESTS.start
            else own
            for own, sums in zip(visits.ms, visits.sums, strict=True)
        ],
        np.int64,
    )
    looks = np.array([not sums[_CONTINUED] for sums in visits.sums], np.int64)
    counts = np.array([sums[_COUNTS] for sums in visits.sums], np.int64)

    def summed(column: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.add.reduceat(column, starts)

    return EffortOfPass(
        *visits[:3],
        [visits.places[start] for start in starts],
        np.array(visits.words, np.int64)[starts],
        summed(looks),
        summed(active) / 1000,
        summed(ms) / 1000,
        summed(counts),
    )
