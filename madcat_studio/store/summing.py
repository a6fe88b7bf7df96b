"""What a visit's events come to, as PostgreSQL adds them up: see ``model/visitsums.py``.

None where any event is none, as ``model/visits.py`` parses them: readers then look at the events.
"""

from __future__ import annotations

from madcat_studio.model.visits import LEAST_REST_MS, MOST_EVENTS, KeyClass, Source

__all__ = ["VISIT_SUMS"]


def _listed(values: type[KeyClass] | type[Source]) -> str:
    return ", ".join(f"'{one.value}'" for one in values)


# Nine digits at most: what a time, a place and a rest may have.
_COUNT = "jsonb_typeof({0}) = 'number' AND {0} #>> '{{}}' ~ '^[0-9]{{1,9}}$'"
_TEXT = "jsonb_typeof({0}) = 'string'"
_NAME = "jsonb_typeof({0}) = 'string' AND {0} #>> '{{}}' ~ '^[a-z][a-z0-9 _.-]{{0,59}}$'"

_GOOD = f"""CASE WHEN jsonb_typeof(e) <> 'array' THEN false
    WHEN NOT ({_COUNT.format("(e -> 0)")}) OR NOT ({_TEXT.format("(e -> 1)")}) THEN false
    ELSE CASE e ->> 1
        WHEN 'from' THEN jsonb_array_length(e) = 3 AND {_TEXT.format("(e -> 2)")}
        WHEN 'continued' THEN jsonb_array_length(e) = 2
        WHEN 'mouse' THEN jsonb_array_length(e) = 2
        WHEN 'key' THEN jsonb_array_length(e) = 3 AND {_TEXT.format("(e -> 2)")}
            AND e ->> 2 IN ({_listed(KeyClass)})
        WHEN 'command' THEN jsonb_array_length(e) = 3 AND {_NAME.format("(e -> 2)")}
        WHEN 'text' THEN jsonb_array_length(e) = 6 AND {_COUNT.format("(e -> 2)")}
            AND {" AND ".join(_TEXT.format(f"(e -> {place})") for place in (3, 4, 5))}
            AND e ->> 5 IN ({_listed(Source)})
        WHEN 'rest' THEN jsonb_array_length(e) = 3 AND {_COUNT.format("(e -> 2)")}
        WHEN 'note' THEN true
        ELSE false END
    END"""

_PASTED = f"kind = 'text' AND source = '{Source.PASTED.value}'"
_DONE = "kind IN ('key', 'text', 'mouse', 'command')"


def _number(condition: str) -> str:
    return f"count(*) FILTER (WHERE {condition})"


# What is no list has one event, which is none.
VISIT_SUMS = f"""
    WITH events AS (
        SELECT e, n, coalesce({_GOOD}, false) AS good
        FROM jsonb_array_elements(CASE jsonb_typeof($2) WHEN 'array' THEN $2 ELSE '[0]' END)
            WITH ORDINALITY AS every(e, n)),
    parts AS (
        SELECT n, e ->> 1 AS kind, e ->> 2 AS says, e ->> 4 AS added, e ->> 5 AS source,
            CASE WHEN good THEN (e ->> 0)::integer END AS at
        FROM events WHERE good),
    gaps AS (
        SELECT n, kind, at, CASE
            WHEN kind = 'rest' THEN says::integer
            WHEN {_DONE} THEN at - coalesce(max(CASE WHEN {_DONE} THEN at END) OVER (
                ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) END AS ms
        FROM parts),
    whole AS (
        SELECT coalesce(bool_or(kind = 'from'), false) AS full_,
            $1 - coalesce(max(at) FILTER (WHERE {_DONE}), 0) AS rest FROM parts),
    long AS (
        SELECT n, ms FROM gaps, whole WHERE ms > {LEAST_REST_MS} AND full_ = ({_DONE})
        UNION ALL
        SELECT {MOST_EVENTS + 1}, rest FROM whole WHERE full_ AND rest > {LEAST_REST_MS})
    SELECT CASE WHEN (SELECT coalesce(bool_and(good), true) FROM events) THEN
        jsonb_build_array(
            coalesce(max(CASE kind WHEN 'continued' THEN 1 ELSE 0 END), 0),
            {", ".join(_number(f"kind = 'key' AND says = '{one.value}'") for one in KeyClass)},
            {_number("kind = 'mouse'")},
            {_number("kind = 'command'")},
            {_number(_PASTED)},
            coalesce(sum(length(added)) FILTER (WHERE {_PASTED}), 0))
        || (SELECT coalesce(jsonb_agg(ms ORDER BY n), '[]') FROM long) END
    FROM parts"""
