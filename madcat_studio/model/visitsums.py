"""What a visit comes to, kept beside its log: a report adds up millions of events otherwise."""

from __future__ import annotations

from typing import NamedTuple

from madcat_studio.model.visits import (
    LEAST_REST_MS,
    MOST_MS,
    Event,
    EventKind,
    KeyClass,
    Source,
    Visit,
    events_of,
    rests_of,
)

__all__ = ["SummedVisit", "VisitSums", "parse_sums", "sums_of", "sums_of_plain"]

_KEYS = tuple(key.value for key in KeyClass)
_PASTED = Source.PASTED.value


class VisitSums(NamedTuple):
    """What is counted in a visit. A plain tuple: a report has hundreds of thousands.

    Attributes:
        continued: 1 for no new look: it goes on with the visit before it.
        characters, deletes, navigations, other_keys: keys by class.
        mouse, commands: how often.
        pastes, pasted: how often, and how many characters.
        rests: those that are long enough to be told, in ms.
    """

    continued: int
    characters: int
    deletes: int
    navigations: int
    other_keys: int
    mouse: int
    commands: int
    pastes: int
    pasted: int
    rests: tuple[int, ...] = ()

    def plain(self) -> list[int]:
        """As it is kept."""
        *counts, rests = self
        return [*counts, *rests]

    def active_ms(self, ms: int, idle_ms: int) -> int:
        """:meth:`Visit.active_ms` of a visit of ``ms``, by all rests above ``idle_ms``."""
        if not self.rests:
            return ms
        return max(0, ms - sum(rest for rest in self.rests if rest > idle_ms))


_FIXED = 9  # numbers before the rests


class SummedVisit(NamedTuple):
    """What a visit comes to, and where it belongs."""

    team: str
    editor: str
    pass_: str
    kit: str
    base: str
    segment: str
    words: int
    ms: int
    sums: VisitSums


def parse_sums(spelt: str | None) -> VisitSums | None:
    """Sums as they are kept, spelt as JSON; None: they are none, and the events must tell."""
    if spelt is None or not (spelt.startswith("[") and spelt.endswith("]")):
        return None
    try:
        numbers = tuple(map(int, spelt[1:-1].split(",")))
    except ValueError:
        return None
    if len(numbers) < _FIXED or min(numbers) < 0:
        return None
    return VisitSums._make((*numbers[:_FIXED], numbers[_FIXED:]))


def sums_of(visit: Visit, least_rest_ms: int = LEAST_REST_MS) -> VisitSums:
    """The sums of a visit, with its rests that are longer than ``least_rest_ms``."""
    return _sums(visit.ms, visit.events, least_rest_ms)


def sums_of_plain(ms: int, plain: object) -> list[int] | None:
    """The sums of a visit's events as they are kept; None where some are none.

    A server's own function says the same of the same events, or nothing: ``store/summing.py``.
    """
    if isinstance(plain, list):
        plain = [one for one in plain if not _is_note(one)]  # whatever they say, nothing counts it
    events, odd = events_of(plain)
    return None if odd else _sums(ms, events, LEAST_REST_MS).plain()


def _is_note(plain: object) -> bool:
    return (
        isinstance(plain, list)
        and plain[1:2] == [EventKind.NOTE.value]
        and type(plain[0]) is int
        and 0 <= plain[0] <= MOST_MS
    )


def _sums(ms: int, events: tuple[Event, ...], least_rest_ms: int) -> VisitSums:
    keys = dict.fromkeys(_KEYS, 0)
    continued = mouse = commands = pastes = pasted = 0
    for _, kind, says in events:
        if kind is EventKind.KEY:
            keys[str(says[0])] += 1
        elif kind is EventKind.TEXT:
            if says[3] == _PASTED:
                pastes += 1
                pasted += len(str(says[2]))
        elif kind is EventKind.MOUSE:
            mouse += 1
        elif kind is EventKind.COMMAND:
            commands += 1
        elif kind is EventKind.CONTINUED:
            continued = 1
    rests = tuple(rest for rest in rests_of(ms, events) if rest > least_rest_ms)
    return VisitSums._make((continued, *keys.values(), mouse, commands, pastes, pasted, rests))
