"""What a visit comes to, kept beside its log: a report adds up millions of events otherwise."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
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

__all__ = ["VisitSums", "VisitsOfPass", "parse_all_sums", "parse_sums", "sums_of", "sums_of_plain"]

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
_MOST = 10**12  # that a sum may be; beyond are none that anybody could have made


class VisitsOfPass(NamedTuple):
    """What the visits of one editor in one pass come to: lists, since there are very many.

    Attributes:
        places: kit, document and segment of each visit; those of one segment follow each other.
        words: of the segment's reference.
        sums: as they are kept.
    """

    team: str
    editor: str
    pass_: str
    places: list[tuple[str, str, str]]
    words: list[int]
    ms: list[int]
    sums: list[list[int]]


def parse_sums(spelt: str | None) -> VisitSums | None:
    """Sums as they are kept, spelt as JSON; None: they are none, and the events must tell."""
    if spelt is None or not (spelt.startswith("[") and spelt.endswith("]")):
        return None
    try:
        numbers = tuple(map(int, spelt[1:-1].split(",")))
    except ValueError:
        return None
    if len(numbers) < _FIXED or min(numbers) < 0 or max(numbers) > _MOST:
        return None
    return VisitSums._make((*numbers[:_FIXED], numbers[_FIXED:]))


_LISTS = re.compile(r"[][0-9, \n]*")


def parse_all_sums(spelt: Sequence[str | None]) -> list[list[int] | None]:
    """:meth:`VisitSums.plain` of what :func:`parse_sums` makes of each; many at once."""
    found = _lists(",\n".join([one or "" for one in spelt]), len(spelt))
    if found is not None and all(len(one) >= _FIXED and max(one) <= _MOST for one in found):
        return [*found]
    return [None if sums is None else sums.plain() for sums in map(parse_sums, spelt)]


def _lists(joined: str, count: int) -> list[list[int]] | None:
    """So many lists of whole numbers, each on a line; None: something is none."""
    # A bracket ends each line and begins the next, and there are no others.
    breaks = joined.count("\n"), joined.count("],\n[")
    if breaks != (count - 1, count - 1) or (joined.count("["), joined.count("]")) != (count, count):
        return None
    if not _LISTS.fullmatch(joined):
        return None
    try:
        found: list[list[int]] = json.loads(f"[{joined}]")
    except ValueError:
        return None
    return found


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
