"""How a segment's text came about, moment by moment, from the log of visits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from madcat_studio.model.campaign import Pass, SegmentName
from madcat_studio.model.visits import Event, EventKind, Visit
from madcat_studio.store import open_campaign

__all__ = ["Moment", "Replay", "read_replays", "replay_of"]


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment of a replay.

    Attributes:
        ms: on a clock that runs during visits only.
        look: the how-manieth look at the segment it belongs to.
        kind: what happened; ``from`` where a look begins.
        text: as it is then.
        start, end: of what was added; where nothing was, the place.
        removed: what was taken away there.
        what: the source of a change, the name of a command or of a note.
    """

    ms: int
    look: int
    kind: EventKind
    text: str
    start: int = 0
    end: int = 0
    removed: str = ""
    what: str = ""


@dataclass(frozen=True, slots=True)
class Replay:
    """One editor's work on one segment in one pass.

    Attributes:
        looks: how often the segment was visited.
        ms: how long all visits were.
        moments: none where only times were recorded.
    """

    team: str
    pass_: Pass
    editor: str
    looks: int
    ms: int
    moments: tuple[Moment, ...]


def read_replays(where: str | Path, kit: str, segment: SegmentName) -> tuple[Replay, ...]:
    """The replays of a segment in a kit: by team and pass.

    Raises:
        StudioError: the campaign cannot be read, or has no such segment.
    """
    with open_campaign(where, read_only=True) as campaign:
        visits = campaign.visits.of_segment(kit, segment)
    return tuple(
        replay_of(list(group))
        for _, group in groupby(visits, lambda one: (one.team, one.pass_, one.editor))
    )


def replay_of(visits: Sequence[Visit]) -> Replay:
    """The replay of one editor's visits to a segment, in the order of beginning."""
    first = visits[0]
    return Replay(
        first.team,
        first.pass_,
        first.editor,
        sum(not one.continued for one in visits),
        sum(one.ms for one in visits),
        tuple(_moments(visits)),
    )


def _moments(visits: Sequence[Visit]) -> Iterator[Moment]:
    began = look = 0
    text = ""
    for visit in visits:
        look += not visit.continued
        for event in visit.events:
            moment = _moment(event, began, max(look, 1), text)
            if moment is not None:
                text = moment.text
                yield moment
        began += visit.ms


def _moment(event: Event, began: int, look: int, text: str) -> Moment | None:
    ms, kind, says = began + event.ms, event.kind, event.says
    match kind:
        case EventKind.FROM:
            return Moment(ms, look, kind, str(says[0]))
        case EventKind.TEXT:
            place, removed, added, source = says
            assert isinstance(place, int)
            now = text[:place] + str(added) + text[place + len(str(removed)) :]
            end = place + len(str(added))
            return Moment(ms, look, kind, now, place, end, str(removed), str(source))
        case EventKind.COMMAND | EventKind.NOTE:
            return Moment(ms, look, kind, text, what=str(says[0]))
        case _:
            return None
