"""What a row must be like, whoever writes it: one list, for programs and for both databases.

Each rule says the same thing three times, side by side: to a program that is about to write a row
(:func:`broken`), to SQLite and to PostgreSQL. :mod:`madcat_studio.store.enforcing` makes the
databases refuse what breaks one; :mod:`madcat_studio.store.odd` finds rows that got past them,
by an owner's own SQL or by damage.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from madcat_studio.model.campaign import Flag, Pass, SegmentState
from madcat_studio.model.visits import MOST_EVENTS, MOST_LOG, MOST_MS, EventKind

__all__ = [
    "BLANKS",
    "FINAL",
    "LATEST",
    "MOST_CHARACTERS",
    "REASONED",
    "RULES",
    "Rule",
    "broken",
    "holds",
    "storable",
]

FIRST_MOMENT = datetime(1970, 1, 1, tzinfo=UTC)
LAST_MOMENT = datetime(2200, 1, 1, tzinfo=UTC)

LATEST = LAST_MOMENT - timedelta(microseconds=1)
"""Stands for a time that only the server knows, where a row is looked at before it is sent."""

MOST_CHARACTERS = 100_000
"""Of the text of a segment: a page of handwriting has some 2,000."""

_MOST_WORDS = 2_000  # characters of a reason, or of what is said with a flag
_MOST_NAME = 500
_MOST_QUOTED = 1_000_000_000  # characters, all that a value of a file can have
_MOST_NUMBER = 1_000_000  # of turns, hand-overs, revisions of a segment

_BLANKS = "".join(chr(one) for one in range(0x3001) if chr(one).isspace())

BLANKS = "".join(f"\\u{ord(one):04X}" for one in _BLANKS)
"""What parts words, for a pattern of PostgreSQL's: its own idea of blanks hangs on the server."""

_FORBIDDEN = ((1, 8), (11, 12), (14, 31), (0xFFFE, 0xFFFF))
"""What no XML can hold; an output may have breaks, and a text keeps what is not edited. None of the
list is NUL, which is looked for by itself in SQLite and which PostgreSQL cannot keep."""

_CONTROLS = ((1, 31), (0x7F, 0x9F), (0x2028, 0x2029), (0xFFFE, 0xFFFF))
"""What has no place in names and remarks: it could steer a terminal."""

_Ranges = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a table.

    Attributes:
        name: of the rule within its table.
        columns: that it looks at.
        says: what is wrong where it is broken, for people.
        holds: whether it is kept by the values of its columns, as programs have them.
        sqlite, postgresql: the same as a condition; ``{column}`` stands for each column.
        deep: it looks through all of a long value. Such a row is refused as every other, but one
            that got in is found by whoever reads it: no index of SQLite can hold the rule, and to
            ask it of every row again would take longer than reading them.
    """

    name: str
    columns: tuple[str, ...]
    says: str
    holds: Callable[..., bool]
    sqlite: str
    postgresql: str
    deep: bool = False

    def condition(self, *, postgresql: bool, prefix: str = "") -> str:
        """It as a condition on a row, never unknown; ``prefix`` stands before each column."""
        text = self.postgresql if postgresql else self.sqlite
        found = text.format_map({name: f"{prefix}{name}" for name in self.columns})
        return f"coalesce(({found}), {'false' if postgresql else '0'})"


# -- kinds of rules -----------------------------------------------------------------------------


def _moment(column: str = "at", *, optional: bool = False) -> Rule:
    digits = "[0-9]"
    day = f"{digits * 4}-{digits * 2}-{digits * 2}"
    form = f"{day} {digits * 2}:{digits * 2}:{digits * 2}.{digits * 6}"
    first, last = (f"{one:%Y-%m-%d}" for one in (FIRST_MOMENT, LAST_MOMENT))
    sqlite = (
        f"typeof({{{column}}}) = 'text' AND {{{column}}} GLOB '{form}'"
        f" AND {{{column}}} >= '{first}' AND {{{column}}} < '{last}'"
        f" AND substr({{{column}}}, 12, 2) < '24' AND substr({{{column}}}, 15, 2) < '60'"
        f" AND substr({{{column}}}, 18, 2) < '60'"
        # A day that never was is another one when it is counted.
        f" AND date(substr({{{column}}}, 1, 10), '+0 days') = substr({{{column}}}, 1, 10)"
    )
    postgresql = (
        f"{{{column}}} >= TIMESTAMPTZ '{first} 00:00:00+00'"
        f" AND {{{column}}} < TIMESTAMPTZ '{last} 00:00:00+00'"
    )

    def holds(value: object) -> bool:
        if value is None:
            return optional
        return (
            isinstance(value, datetime)
            and value.tzinfo is not None
            and FIRST_MOMENT <= value < LAST_MOMENT
        )

    if optional:
        sqlite, postgresql = (f"{{{column}}} IS NULL OR ({one})" for one in (sqlite, postgresql))
    return Rule(
        f"moment_{column}",
        (column,),
        f"the time is none between {FIRST_MOMENT.year} and {LAST_MOMENT.year}",
        holds,
        sqlite,
        postgresql,
    )


def _without(column: str, ranges: _Ranges, postgresql: bool) -> str:
    """That a text has none of these characters."""
    if postgresql:
        spelt = "".join(f"\\u{first:04X}-\\u{last:04X}" for first, last in ranges)
        return f"{column} !~ '[{spelt}]'"
    parts = " || ".join(f"char({first}) || '-' || char({last})" for first, last in ranges)
    return f"instr({column}, char(0)) = 0 AND {column} NOT GLOB '*[' || {parts} || ']*'"


def _pattern(ranges: _Ranges) -> re.Pattern[str]:
    spelt = "".join(f"\\u{first:04x}-\\u{last:04x}" for first, last in ranges)
    # A surrogate alone is no character: no database can keep it.
    return re.compile(f"[\\0\ud800-\udfff{spelt}]")


_NO_CHARACTER = re.compile("[\0\ud800-\udfff]")
"""What no database can keep: NUL, and half a character."""

_NOT_XML, _CONTROL = _pattern(_FORBIDDEN), _pattern(_CONTROLS)


def _text(column: str, most: int, *, text: bool = False) -> Rule:
    ranges, pattern = (_FORBIDDEN, _NOT_XML) if text else (_CONTROLS, _CONTROL)
    place = f"{{{column}}}"
    return Rule(
        f"text_{column}",
        (column,),
        f"the {column} is longer than {most} characters, or holds some that no file can hold"
        if text
        else f"the {column} is longer than {most} characters, or holds control characters",
        lambda value: isinstance(value, str) and len(value) <= most and not pattern.search(value),
        f"typeof({place}) = 'text' AND length({place}) <= {most} AND "
        + _without(place, ranges, False),
        f"length({place}) <= {most} AND {_without(place, ranges, True)}",
    )


def _words(column: str, most: int) -> Rule:
    """A text that may quote anything, such as a file's name; who shows it marks what steers."""
    place = f"{{{column}}}"
    return Rule(
        f"words_{column}",
        (column,),
        f"the {column} is no text of at most {most} characters",
        lambda value: (
            isinstance(value, str) and len(value) <= most and not _NO_CHARACTER.search(value)
        ),
        f"typeof({place}) = 'text' AND length({place}) <= {most} AND instr({place}, char(0)) = 0",
        f"length({place}) <= {most}",
    )


def _one_of(column: str, values: Sequence[str]) -> Rule:
    spelt = ", ".join(f"'{one}'" for one in values)
    return Rule(
        f"known_{column}",
        (column,),
        f"the {column.strip('_')} is none of: {', '.join(values)}",
        lambda value: value in values,
        f"{{{column}}} IN ({spelt})",
        f"{{{column}}} IN ({spelt})",
    )


def _number(column: str) -> Rule:
    return Rule(
        f"number_{column}",
        (column,),
        f"the {column} is no number from 1 to {_MOST_NUMBER}",
        lambda value: type(value) is int and 1 <= value <= _MOST_NUMBER,
        f"typeof({{{column}}}) = 'integer' AND {{{column}}} BETWEEN 1 AND {_MOST_NUMBER}",
        f"{{{column}}} BETWEEN 1 AND {_MOST_NUMBER}",
    )


def _yes_or_no(column: str) -> Rule:
    return Rule(
        f"yes_or_no_{column}",
        (column,),
        f"{column} is neither yes nor no",
        lambda value: isinstance(value, bool),
        f"typeof({{{column}}}) = 'integer' AND {{{column}}} IN (0, 1)",
        f"{{{column}}} IS NOT NULL",
    )


def _key(column: str) -> Rule:
    return Rule(
        f"key_{column}",
        (column,),
        f"the {column} is no identifier",
        lambda value: isinstance(value, str) and _UUID.fullmatch(value) is not None,
        f"typeof({{{column}}}) = 'text' AND {{{column}}} GLOB '{_UUID_GLOB}'",
        f"{{{column}}} IS NOT NULL",
    )


_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_UUID_GLOB = "-".join("[0-9a-f]" * length for length in (8, 4, 4, 4, 12))


def _object(
    column: str,
    names: Sequence[str],
    says: str,
    holds: Callable[[object], bool],
    sqlite: str,
    postgresql: str,
) -> Rule:
    """A rule for JSON: an object of such names and no others.

    ``sqlite`` and ``postgresql`` are the condition on one value, with ``«kind»`` for the name of
    its type and ``«value»`` for it as SQL has it.
    """
    place = f"{{{column}}}"
    # Each test stands behind that without which it would fail.
    known = ", ".join(f"""'$."{name}"'""" for name in names)
    file = [
        f"""(json_type({place}, '$."{name}"') IS NULL OR """
        + sqlite.replace("«kind»", f"""json_type({place}, '$."{name}"')""").replace(
            "«value»", f"""json_extract({place}, '$."{name}"')"""
        )
        + ")"
        for name in names
    ]
    server = [
        f"({place} -> '{name}' IS NULL OR "
        + postgresql.replace("«kind»", f"jsonb_typeof({place} -> '{name}')").replace(
            "«value»", f"({place} ->> '{name}')"
        )
        + ")"
        for name in names
    ]
    listed = ", ".join(f"'{name}'" for name in names)

    def fits(value: object) -> bool:
        return isinstance(value, Mapping) and all(
            name in names and holds(one) for name, one in value.items()
        )

    return Rule(
        f"object_{column}",
        (column,),
        says,
        fits,
        f"CASE WHEN typeof({place}) <> 'text' OR NOT json_valid({place}) THEN 0"
        f" WHEN json_type({place}) <> 'object' THEN 0"
        f" ELSE json_remove({place}, {known}) = '{{{{}}}}' AND {' AND '.join(file)} END",
        f"CASE WHEN jsonb_typeof({place}) <> 'object' THEN false"
        f" ELSE {place} - ARRAY[{listed}] = '{{{{}}}}'::jsonb AND {' AND '.join(server)} END",
    )


def _remarks(column: str, names: Sequence[str]) -> Rule:
    return _object(
        column,
        names,
        f"the {column} are not made of words, up to {_MOST_WORDS} characters and without control "
        f"characters, for: {', '.join(names)}",
        lambda value: (
            isinstance(value, str) and len(value) <= _MOST_WORDS and not _CONTROL.search(value)
        ),
        f"(«kind» = 'text' AND length(«value») <= {_MOST_WORDS}"
        f" AND {_without('«value»', _CONTROLS, False)})",
        f"(«kind» = 'string' AND length(«value») <= {_MOST_WORDS}"
        f" AND {_without('«value»', _CONTROLS, True)})",
    )


def _milliseconds(column: str) -> Rule:
    return Rule(
        f"count_{column}",
        (column,),
        f"{column} is no number from 0 to {MOST_MS}",
        lambda value: type(value) is int and 0 <= value <= MOST_MS,
        f"typeof({{{column}}}) = 'integer' AND {{{column}}} BETWEEN 0 AND {MOST_MS}",
        f"{{{column}}} BETWEEN 0 AND {MOST_MS}",
    )


_MOST_PARTS = 6


def _list(column: str) -> Rule:
    """A rule for JSON: a list that is not too long."""
    place = f"{{{column}}}"
    return Rule(
        f"list_{column}",
        (column,),
        f"the {column} are no list of at most {MOST_EVENTS}, or longer than {MOST_LOG} characters",
        lambda value: (
            isinstance(value, list) and len(value) <= MOST_EVENTS and _spelt_length(value)
        ),
        f"CASE WHEN typeof({place}) <> 'text' OR length({place}) > {MOST_LOG} THEN 0"
        f" WHEN NOT json_valid({place}) THEN 0"
        f" ELSE json_type({place}) = 'array' AND json_array_length({place}) <= {MOST_EVENTS} END",
        f"CASE WHEN jsonb_typeof({place}) <> 'array' THEN false"
        f" ELSE jsonb_array_length({place}) <= {MOST_EVENTS}"
        f" AND length({place}::text) <= {MOST_LOG} END",
    )


def _spelt_length(value: object) -> bool:
    try:
        return len(json.dumps(value)) <= MOST_LOG
    except (ValueError, TypeError, RecursionError):
        return False


def _events(column: str) -> Rule:
    """A rule for JSON: a list of lists, each a time, a kind, and some numbers and texts.

    What each kind says is looked at by whoever reads it.
    """
    place = f"{{{column}}}"
    kinds = tuple(kind.value for kind in EventKind)
    listed = ", ".join(f"'{kind}'" for kind in kinds)
    # As in JSON's own paths of PostgreSQL: strict, so that nothing is unpacked by itself.
    named = " || ".join(f'@[1] == "{kind}"' for kind in kinds)
    event = (
        f'@.type() == "array" && @.size() >= 2 && @.size() <= {_MOST_PARTS}'
        f' && @[0].type() == "number" && @[0] >= 0 && @[0] <= {MOST_MS} && @[0] == @[0].floor()'
        f' && @[1].type() == "string" && ({named})'
    )
    controls = "".join(f"\\u{first:04X}-\\u{last:04X}" for first, last in _FORBIDDEN)
    part = (
        '@.type() == "number" && @ <= 1e9 && @ >= -1e9'
        f' || @.type() == "string" && !(@ like_regex "[{controls}]")'
    )

    def bad(path: str, good: str) -> str:
        whole = f"strict {path} ? (!({good}) || (({good}) is unknown))"
        return f"jsonb_path_exists({place}, '{whole}', '{{{{}}}}', true)"

    def holds(value: object) -> bool:
        return isinstance(value, list) and all(map(_is_event, value))

    text = "v.value"
    return Rule(
        f"events_{column}",
        (column,),
        f"the {column} are not lists of a time, one of {', '.join(kinds)}, and numbers and texts",
        holds,
        f"""CASE WHEN typeof({place}) <> 'text' OR NOT json_valid({place}) THEN 0
            WHEN json_type({place}) <> 'array' THEN 0
            ELSE NOT EXISTS (SELECT 1 FROM json_each({place}) e WHERE coalesce(CASE
                WHEN e.type <> 'array' THEN 1
                WHEN json_array_length(e.value) NOT BETWEEN 2 AND {_MOST_PARTS} THEN 1
                WHEN json_type(e.value, '$[0]') NOT IN ('integer', 'real') THEN 1
                WHEN json_extract(e.value, '$[0]') NOT BETWEEN 0 AND {MOST_MS} THEN 1
                WHEN json_extract(e.value, '$[0]')
                    <> CAST(json_extract(e.value, '$[0]') AS INTEGER) THEN 1
                WHEN json_type(e.value, '$[1]') <> 'text' THEN 1
                ELSE json_extract(e.value, '$[1]') NOT IN ({listed}) END, 1))
            AND NOT EXISTS (SELECT 1 FROM json_each({place}) e, json_each(
                CASE e.type WHEN 'array' THEN e.value ELSE '[]' END) v
                WHERE NOT coalesce(CASE
                    WHEN v.type IN ('integer', 'real') THEN v.value BETWEEN -1e9 AND 1e9
                    WHEN v.type = 'text' THEN {_without(text, _FORBIDDEN, False)}
                    ELSE 0 END, 0)) END""",
        f"CASE WHEN jsonb_typeof({place}) <> 'array' THEN false"
        f" ELSE NOT {bad('$[*]', event)} AND NOT {bad('$[*][*]', part)} END",
        deep=True,
    )


def _is_event(value: object) -> bool:
    if not isinstance(value, list) or not 2 <= len(value) <= _MOST_PARTS:
        return False
    ms, kind = value[:2]
    return (
        isinstance(ms, int | float)
        and not isinstance(ms, bool)
        and 0 <= ms <= MOST_MS
        and ms == int(ms)
        and kind in tuple(EventKind)
        and all(map(_is_part, value))
    )


def _is_part(value: object) -> bool:
    if isinstance(value, str):
        return not _NOT_XML.search(value)
    return isinstance(value, int | float) and not isinstance(value, bool) and -1e9 <= value <= 1e9


REASONED = "reasoned"
"""The name of the rule for confirmed texts that are empty."""

FINAL = "final"
"""The name of the rule for reviews, which nobody takes back."""


def _reasoned() -> Rule:
    blanks = " || ".join(f"char({ord(one)})" for one in _BLANKS)
    return Rule(
        REASONED,
        ("state", "text", "reason"),
        "a confirmed text is empty, without a reason",
        lambda state, text, reason: state != "confirmed" or bool(text.strip() or reason.strip()),
        f"{{state}} <> 'confirmed' OR trim({{text}}, {blanks}) <> ''"
        f" OR trim({{reason}}, {blanks}) <> ''",
        f"{{state}} <> 'confirmed' OR {{text}} ~ '[^{BLANKS}]' OR {{reason}} ~ '[^{BLANKS}]'",
    )


def _final() -> Rule:
    """The first pass is taken back by its editor or by the reviewer, the review by nobody."""
    kept = f"{{pass_}} = '{Pass.FIRST}'"
    return Rule(
        FINAL,
        ("pass_",),
        "a review that is handed over is final",
        lambda value: value == Pass.FIRST,
        kept,
        kept,
    )


def _returned() -> Rule:
    """What it says goes to the first editor: of the first pass it would go to oneself."""
    name = Flag.RETURNED.value
    return Rule(
        "returned",
        ("pass_", "flags"),
        f"only a review flags a segment as “{name}”",
        lambda pass_, flags: (
            pass_ == Pass.REVIEW or not isinstance(flags, Mapping) or name not in flags
        ),
        f"{{pass_}} = '{Pass.REVIEW}' OR CASE WHEN json_valid({{flags}})"
        f" THEN json_type({{flags}}, '$.\"{name}\"') IS NULL ELSE 1 END",
        f"{{pass_}} = '{Pass.REVIEW}' OR {{flags}} -> '{name}' IS NULL",
    )


# -- the list -----------------------------------------------------------------------------------

_CLAIM = (_one_of("pass_", tuple(Pass)), _number("turn"))
_BY = (_moment(), _text("by", _MOST_NAME))

RULES: dict[str, tuple[Rule, ...]] = {
    **dict.fromkeys(("campaign", "guidelines", "selections", "absences", "logins"), (_moment(),)),
    "roles": (*_CLAIM, *_BY, _text("reason", _MOST_WORDS)),
    "due_dates": (_one_of("pass_", tuple(Pass)), _moment("due", optional=True), *_BY),
    "participations": (_one_of("pass_", tuple(Pass)),),
    "claims": (*_CLAIM, _moment(), _text("machine", _MOST_NAME)),
    "releases": (*_CLAIM, *_BY, _text("reason", _MOST_WORDS)),
    "handovers": (*_CLAIM, _number("number"), *_BY),
    "takebacks": (_final(), *_CLAIM, _number("number"), *_BY),
    "revisions": (
        *_CLAIM,
        _number("number"),
        _key("id"),
        _text("machine", _MOST_NAME),
        _moment(),
        _moment("stored_at"),
        _one_of("state", (SegmentState.DRAFT, SegmentState.CONFIRMED)),
        _text("text", MOST_CHARACTERS, text=True),
        _text("reason", _MOST_WORDS),
        _remarks("flags", tuple(Flag)),
        _yes_or_no("side"),
        _reasoned(),
        _returned(),
    ),
    "audit": (
        _moment(),
        *(
            _words(column, MOST_CHARACTERS)
            for column in ("who", "machine", "action", "subject", "detail")
        ),
    ),
    # Of a row that broke a rule: whatever that was is quoted in full.
    "set_aside": (_moment(), _words("table_name", _MOST_NAME), _words("content", _MOST_QUOTED)),
    "sittings": (
        *_CLAIM,
        _number("number"),
        _text("place", _MOST_NAME),
        _text("machine", _MOST_NAME),
        _moment(),
        _yes_or_no("ended"),
    ),
    "visits": (
        *_CLAIM,
        _number("number"),
        _key("id"),
        _text("machine", _MOST_NAME),
        _moment(),
        _moment("stored_at"),
        _milliseconds("ms"),
        _list("events"),
        _events("events"),
    ),
}
"""Table -> its rules. Of those that look at a column, the first is told."""


def storable(text: str) -> str:
    """A text that may quote anything, such as a file's name, as a column can hold it."""
    return _NO_CHARACTER.sub("\ufffd", text)[:MOST_CHARACTERS]


def holds(table: str, column: str, value: object) -> bool:
    """Whether a value may stand in a column, by the rules that look at that column alone."""
    return all(rule.holds(value) for rule in RULES[table] if rule.columns == (column,))


def broken(table: str, row: Mapping[str, Any]) -> Rule | None:
    """The first rule that a row breaks, or None."""
    for rule in RULES[table]:
        if not rule.holds(*(row[name] for name in rule.columns)):
            return rule
    return None
