"""What editing took, from the log of visits: by segment, with a threshold for rests."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import add, itemgetter

from madcat_studio.model.visits import LEAST_REST_MS
from madcat_studio.model.visitsums import SummedVisit, sums_of
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.reports.effort import EffortOnSegment
from madcat_studio.store import Campaign

__all__ = ["efforts_of"]

_STEP = 500
_COUNTS = 8
"""Keys by class, mouse, commands, pastes: the same in a visit's sums and in an effort."""


def efforts_of(
    campaign: Campaign, idle_seconds: float, *, progress: Progress = SILENT
) -> Iterator[EffortOnSegment]:
    """All work of one editor on one segment in one pass, each; streamed.

    Those of one editor in one pass follow each other. Practice kits are left out.

    Args:
        campaign: with the log.
        idle_seconds: rests longer than this are no active time.
        progress: may cancel.
    """
    idle = round(idle_seconds * 1000)
    visits = campaign.visits.sums() if idle >= LEAST_REST_MS else _summed(campaign, idle)
    for done, (_, group) in enumerate(groupby(visits, key=itemgetter(0, 1, 2, 3, 4, 5))):
        if done % _STEP == 0:
            progress.advance(done, None, "Summing effort")
            if progress.cancelled():
                raise Cancelled
        yield _sum(list(group), idle)


def _summed(campaign: Campaign, idle: int) -> Iterator[SummedVisit]:
    """Where rests count that are too short to be kept with the sums."""
    for visit, words in campaign.visits.all():
        where = (visit.team, visit.editor, visit.pass_, visit.kit, *visit.segment)
        yield SummedVisit(*where, words, visit.ms, sums_of(visit, idle))


def _sum(visits: list[SummedVisit], idle: int) -> EffortOnSegment:
    first = visits[0]
    if len(visits) == 1:  # most often; there are very many
        sums, ms = first.sums, first.ms
        looks, active = int(not sums.continued), sums.active_ms(ms, idle)
        return EffortOnSegment(*first[:7], looks, active / 1000, ms / 1000, *sums[1:-1])
    looks = ms = active = 0
    counts = [0] * _COUNTS
    for visit in visits:
        sums = visit.sums
        looks += not sums.continued
        ms += visit.ms
        active += sums.active_ms(visit.ms, idle)
        counts = list(map(add, counts, sums[1:-1]))
    return EffortOnSegment(*first[:7], looks, active / 1000, ms / 1000, *counts)
