"""What editing took, from the log of visits: by segment, with a threshold for rests."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from madcat_studio.model.visits import EventKind, Source, Visit
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.reports.effort import EffortOnSegment
from madcat_studio.store import Campaign

__all__ = ["efforts_of"]

_STEP = 500
_PASTED = Source.PASTED.value


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
    for done, (_, group) in enumerate(groupby(campaign.visits.all(), key=lambda one: _key(one[0]))):
        if done % _STEP == 0:
            progress.advance(done, None, "Summing effort")
            if progress.cancelled():
                raise Cancelled
        found = list(group)
        yield _sum([visit for visit, _ in found], found[0][1], idle)


def _key(visit: Visit) -> tuple[object, ...]:
    return visit.team, visit.editor, visit.pass_, visit.kit, visit.segment


def _sum(visits: list[Visit], words: int, idle: int) -> EffortOnSegment:
    first = visits[0]
    keys: dict[object, int] = {}
    mouse = commands = pastes = pasted = 0
    for visit in visits:
        for _, kind, says in visit.events:
            if kind is EventKind.KEY:
                keys[says[0]] = keys.get(says[0], 0) + 1
            elif kind is EventKind.TEXT:
                if says[3] == _PASTED:
                    pastes += 1
                    pasted += len(str(says[2]))
            elif kind is EventKind.MOUSE:
                mouse += 1
            elif kind is EventKind.COMMAND:
                commands += 1
    return EffortOnSegment(
        team=first.team,
        editor=first.editor,
        pass_=first.pass_.value,
        kit=first.kit,
        document=first.segment.base,
        segment=first.segment.segment,
        words=words,
        visits=sum(not visit.continued for visit in visits),
        seconds=sum(visit.active_ms(idle) for visit in visits) / 1000,
        raw_seconds=sum(visit.ms for visit in visits) / 1000,
        characters=keys.get("character", 0),
        deletes=keys.get("delete", 0),
        navigations=keys.get("navigation", 0),
        other_keys=keys.get("other", 0),
        mouse=mouse,
        commands=commands,
        pastes=pastes,
        pasted_characters=pasted,
    )
