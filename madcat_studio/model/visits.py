"""The log of visits: when an editor was at a segment, and what was done there.

A visit begins when a segment is shown and ends when another is, when the editor pauses, or when
the kit is closed. It holds events, each with its time since the visit began by a clock that nobody
can set. No threshold is applied here: what a rest is, a report decides and names
(:meth:`Visit.active_ms`).

A campaign may record times only (:data:`TIMES_ONLY_OPTION`); then a visit holds rests and nothing
else (:data:`TIMES`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from madcat_studio.model.campaign import Pass, SegmentName

__all__ = [
    "LEAST_REST_MS",
    "MOST_DETAIL",
    "MOST_EVENTS",
    "MOST_LOG",
    "MOST_MS",
    "TIMES",
    "TIMES_ONLY_OPTION",
    "Event",
    "EventKind",
    "KeyClass",
    "Source",
    "Visit",
    "events_of",
    "note_event",
    "parse_event",
    "plain_events",
    "rests_of",
    "times_of",
]

TIMES_ONLY_OPTION = "editing.record_times_only"
"""The option by which a campaign records times and nothing else."""

MOST_MS = 999_999_999
"""Of a visit and of each time in it: eleven days."""
MOST_EVENTS = 20_000
MOST_LOG = 4_000_000
"""Characters of a visit's events, spelt as JSON."""
MOST_DETAIL = 1_000
"""Characters of a note's detail, spelt as JSON."""
LEAST_REST_MS = 5_000
"""Where only times are recorded, no rest shorter than this is: it would show how somebody types."""

_FEWEST_PARTS = 2
_NAME = re.compile(r"[a-z][a-z0-9 _.-]{0,59}")


class EventKind(StrEnum):
    """What an event is; behind it, what it says."""

    FROM = "from"  # the text as the visit found it
    CONTINUED = "continued"  # no new look: a long visit is kept in parts
    KEY = "key"  # its class
    MOUSE = "mouse"
    COMMAND = "command"  # its name
    TEXT = "text"  # a change: place, removed, added, where the text comes from
    REST = "rest"  # how long it was until this moment, in ms
    NOTE = "note"  # what the program observed: name, detail as JSON


class KeyClass(StrEnum):
    """Which kind of key; never which key."""

    CHARACTER = "character"
    DELETE = "delete"
    NAVIGATION = "navigation"
    OTHER = "other"


class Source(StrEnum):
    """Where a change of a text comes from."""

    TYPED = "typed"
    COMPOSED = "composed"  # by an input method
    DELETED = "deleted"
    PASTED = "pasted"
    CUT = "cut"
    MOVED = "moved"  # dragged, or moved word by word
    SUGGESTION = "suggestion"  # chosen among spellings
    PICKED = "picked"  # words out of the reference, the output or the source
    OUTPUT = "output"  # the system's text, or a part of it, put back
    FIRST = "first pass"  # the first editor's text put back
    REPLACED = "replaced"  # find and replace
    UNDONE = "undone"
    REDONE = "redone"
    OTHER = "other"


class Event(NamedTuple):
    """One event: its time since the visit began, in ms, what it is, and what it says."""

    ms: int
    kind: EventKind
    says: tuple[int | str, ...] = ()


TIMES = frozenset({EventKind.REST, EventKind.CONTINUED})
"""All that is recorded where a campaign records times only."""


def _count(value: object) -> bool:
    return type(value) is int and 0 <= value <= MOST_MS


def _text(value: object) -> bool:
    return isinstance(value, str)


def _name(value: object) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def _key(value: object) -> bool:
    return type(value) is str and value in _KEY_CLASSES


def _source(value: object) -> bool:
    return type(value) is str and value in _SOURCES


_KEY_CLASSES, _SOURCES = frozenset(map(str, KeyClass)), frozenset(map(str, Source))


def _detail(value: object) -> bool:
    if not isinstance(value, str) or len(value) > MOST_DETAIL:
        return False
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and all(
        one is None or isinstance(one, str | int | float) for one in found.values()
    )


# By the name of the kind: a report reads millions of events.
_SAYS: dict[str, tuple[EventKind, tuple[Callable[[object], bool], ...]]] = {
    kind.value: (kind, checks)
    for kind, checks in {
        EventKind.FROM: (_text,),
        EventKind.CONTINUED: (),
        EventKind.KEY: (_key,),
        EventKind.MOUSE: (),
        EventKind.COMMAND: (_name,),
        EventKind.TEXT: (_count, _text, _text, _source),
        EventKind.REST: (_count,),
        EventKind.NOTE: (_name, _detail),
    }.items()
}


def note_event(ms: int, name: str, detail: Mapping[str, str | int | float | None]) -> Event:
    """An event of kind ``note``.

    Raises:
        ValueError: the name is not made of small letters, or the detail is too long or holds
            something else than texts and numbers: that is a fault of whoever notes it.
    """
    spelt = json.dumps(dict(detail), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    event = Event(ms, EventKind.NOTE, (name, spelt))
    if parse_event(_plain(event)) is None:
        raise ValueError(f"not to be noted: {name!r}, {spelt[:100]}")
    return event


def parse_event(plain: object) -> Event | None:
    """An event as it is kept; None: it is none."""
    if type(plain) is not list or len(plain) < _FEWEST_PARTS:
        return None
    ms, name = plain[0], plain[1]
    if type(ms) is not int:
        # A database may have made a float of a whole number.
        if not isinstance(ms, float) or not ms.is_integer():
            return None
        ms = int(ms)
    if type(name) is not str or not 0 <= ms <= MOST_MS or name not in _SAYS:
        return None
    kind, checks = _SAYS[name]
    says = tuple(plain[_FEWEST_PARTS:])
    if len(says) != len(checks):
        return None
    for check, value in zip(checks, says, strict=True):
        if not check(value):
            return None
    return Event(ms, kind, says)


def events_of(plain: object) -> tuple[tuple[Event, ...], int]:
    """The events of a visit as they are kept, and how many are none and were left out."""
    if not isinstance(plain, list):
        return (), 1
    found = [event for one in plain if (event := _quick(one) or parse_event(one)) is not None]
    return tuple(found), len(plain) - len(found)


def _quick(plain: object) -> Event | None:
    """A key or a change of the text, as nearly all events are; a report reads millions."""
    if type(plain) is not list:
        return None
    size = len(plain)
    says: tuple[int | str, ...]
    if size == _KEY_PARTS:
        ms, name, key = plain
        if type(key) is not str or name != "key" or key not in _KEY_SAYS:
            return None
        kind, says = _KEY, _KEY_SAYS[key]
    elif size == _TEXT_PARTS:
        ms, name, at, removed, added, source = plain
        if name != "text" or not (
            type(at) is int
            and 0 <= at <= MOST_MS
            and type(removed) is type(added) is type(source) is str
            and source in _SOURCES
        ):
            return None
        kind, says = _TEXT, (at, removed, added, source)
    else:
        return None
    if type(ms) is not int or not 0 <= ms <= MOST_MS:
        return None
    return _new(Event, (ms, kind, says))


_KEY_PARTS, _TEXT_PARTS = 3, 6
_KEY_SAYS = {str(one): (str(one),) for one in KeyClass}
_new = tuple.__new__  # without the checks of a call by names


def _plain(event: Event) -> list[int | str]:
    return [event.ms, event.kind.value, *event.says]


def plain_events(events: Iterable[Event]) -> list[list[int | str]]:
    """Events as they are kept: a list of lists of numbers and texts."""
    return [_plain(event) for event in events]


def times_of(events: Iterable[Event]) -> tuple[Event, ...]:
    """What is left of events where a campaign records times only."""
    return tuple(event for event in events if event.kind in TIMES)


def rests_of(ms: int, events: Sequence[Event]) -> Iterator[int]:
    """The rests in a visit of ``ms``: see :meth:`Visit.rests`."""
    if not any(event.kind is EventKind.FROM for event in events):  # only times were recorded
        yield from (int(one.says[0]) for one in events if one.kind is EventKind.REST)
        return
    last = 0
    for at, kind, _ in events:
        # In order of frequency, and not a set of them: an enum's hash takes long.
        if kind is _TEXT or kind is _KEY or kind is _COMMAND or kind is _MOUSE:
            if at > last:
                yield at - last
                last = at
            else:
                yield 0
    yield max(0, ms - last)


@dataclass(frozen=True, slots=True)
class Visit:
    """One visit of an editor to a segment in a pass; never changed once it is stored.

    Attributes:
        id: made by the editor's program; delivering a visit twice stores it once.
        at: when the segment was entered, by the editor's clock, UTC.
        ms: how long it was shown, by a clock that nobody can set; pauses are between visits.
        turn: the claim under which it was made.
        events: in order.
    """

    id: str
    kit: str
    team: str
    pass_: Pass
    segment: SegmentName
    editor: str
    machine: str
    at: datetime
    ms: int
    turn: int = 1
    events: tuple[Event, ...] = ()

    @property
    def left(self) -> datetime:
        """When the segment was left."""
        return self.at + timedelta(milliseconds=self.ms)

    @property
    def continued(self) -> bool:
        """Whether it goes on with the one before it, and is no look of its own."""
        return any(event.kind is EventKind.CONTINUED for event in self.events)

    @property
    def times_only(self) -> Visit:
        """It without all that is no time."""
        return replace(self, events=times_of(self.events))

    def rests(self) -> Iterator[int]:
        """How long nothing was done, each time, in ms: from the beginning, between, to the end.

        Where only times were recorded, those that were long enough to be.
        """
        return rests_of(self.ms, self.events)

    def active_ms(self, idle_ms: int) -> int:
        """Time without the rests that are longer than ``idle_ms``, each left out as a whole."""
        return max(0, self.ms - sum(rest for rest in self.rests() if rest > idle_ms))


_TEXT, _KEY = EventKind.TEXT, EventKind.KEY
_COMMAND, _MOUSE = EventKind.COMMAND, EventKind.MOUSE
"""What an editor does."""
