"""Runs of the run card from JSON values and table rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from madcat_studio.errors import InputError
from madcat_studio.scoring.scorecards import fields
from madcat_studio.scoring.scorecards.rosetta import Entry, FstCount, Run, Usage
from madcat_studio.scoring.scorecards.rosetta_harness import (
    is_harness_report,
    reported_by,
    run_of_report,
)

__all__ = ["TABLE_COLUMNS", "read_run", "read_table_run"]

TABLE_COLUMNS = (
    "id", "source", "expected", "predicted",
    "variant", "difficulty", "provenance", "latency_s", "error",
)  # fmt: skip
"""Of a run as a table; the first four are required. Variants are set apart by " | "."""

_TEXTS = ("source", "expected", "predicted")
"""What an entry has and the header of a run has not."""

_SHARES = (
    "semantic_score",
    "morphological_accuracy",
    "orthographic_accuracy",
    "code_switching_rate",
    "hallucination_rate",
    "terminology_adherence",
)
"""Supplied metrics that the document has on a scale from 0 to 1."""

_RUN_FIELDS = ("run_id", "name", "total_cost_usd", "elapsed_seconds", "has_fst", "entries")


def read_run(name: str, values: Iterable[tuple[str, object]]) -> Run:
    """A run from (place, value) pairs.

    Either one object with ``entries`` (also a report of the public harness, whose cost is taken
    over), or one entry a value. The first value may tell about the
    run instead (``total_cost_usd``, ``elapsed_seconds``, ``has_fst`` and more): it has neither an
    ``id`` nor a text. Any other value without an ``id`` is a damaged entry, never a header: a
    lost entry would raise the score.

    Raises:
        InputError: ``scorecards.field``, ``scorecards.entry-twice``.
    """
    about: dict[str, Any] = {}
    about_where = name
    reported: dict[str, float] = {}
    rows: list[tuple[str, Mapping[str, Any]]] = []
    for position, (where, value) in enumerate(values):
        row = fields.mapping(value, where)
        if position == 0 and is_harness_report(row):
            reported = reported_by(row, where)
            row = run_of_report(row, where)
        if position or "id" in row or any(name in row for name in _TEXTS):
            rows.append((where, row))
            continue
        about.update(row)
        about_where = where
        for number, entry in enumerate(fields.listed(row, "entries", where), 1):
            place = f"{where}, entry {number}"
            rows.append((place, fields.mapping(entry, place, "an entry")))
    has_fst = about.get("has_fst")
    if has_fst is not None and not isinstance(has_fst, bool):
        raise InputError("scorecards.field", "“has_fst” is not true or false", where=about_where)
    own_name = about.get("run_id") or about.get("name") or name
    return Run(
        str(own_name),
        _entries(rows),
        fields.scaled(about, "total_cost_usd", about_where),
        fields.scaled(about, "elapsed_seconds", about_where),
        has_fst,
        {key: value for key, value in about.items() if key not in _RUN_FIELDS},
        reported,
    )


def _entries(rows: Iterable[tuple[str, Mapping[str, Any]]]) -> tuple[Entry, ...]:
    entries: list[Entry] = []
    seen: set[str] = set()
    for where, row in rows:
        entry = _entry(row, where)
        if entry.id in seen:
            raise InputError("scorecards.entry-twice", f"a second entry “{entry.id}”", where=where)
        seen.add(entry.id)
        entries.append(entry)
    return tuple(entries)


def _entry(row: Mapping[str, Any], where: str) -> Entry:
    name = fields.text(row, "id", where)
    place = f"{where}, {name}"
    fst = row.get("fst")
    counts = None
    if fst is not None:
        own = fields.mapping(fst, place, "fst")
        counts = FstCount(fields.whole(own, "words", place), fields.whole(own, "accepted", place))
        if not 0 <= counts.accepted <= counts.words:
            raise InputError(
                "scorecards.field", "more words are accepted than the text has", where=place
            )
    variants = row.get("variants")
    error = row.get("error")
    metrics = fields.mapping(row.get("metrics") or {}, place, "metrics")
    return Entry(
        id=name,
        source=fields.text(row, "source", place, ""),
        expected=fields.text(row, "expected", place, ""),
        predicted=fields.text(row, "predicted", place, ""),
        variants=None
        if variants is None
        else tuple(str(one) for one in fields.listed(row, "variants", place)),
        fst=counts,
        metrics={
            key: fields.scaled(metrics, key, place, most=1.0)
            if key in _SHARES
            else fields.optional_number(metrics, key, place)
            for key in metrics
        },
        difficulty=_label(row.get("difficulty")),
        provenance=_label(row.get("provenance")),
        latency=fields.scaled(row, "latency_s", place),
        usage=_usage(fields.mapping(row.get("usage") or {}, place, "usage"), place),
        error=str(error) if error else "",
    )


def _label(value: object) -> str | None:
    return None if value is None else str(value)


def _usage(usage: Mapping[str, Any], where: str) -> Usage:
    def tokens(values: Mapping[str, Any], key: str) -> int:
        count = fields.whole(values, key, where, 0)
        if count < 0:
            raise InputError("scorecards.field", f"“{key}” is below 0", where=where)
        return count

    def details(name: str, key: str) -> int:
        return tokens(fields.mapping(usage.get(name) or {}, where, name), key)

    return Usage(
        tokens(usage, "prompt_tokens"),
        tokens(usage, "completion_tokens"),
        details("completion_tokens_details", "reasoning_tokens"),
        details("prompt_tokens_details", "cached_tokens"),
    )


def read_table_run(name: str, rows: Iterable[tuple[str, Mapping[str, str]]]) -> Run:
    """A run from (place, row) pairs of a table with :data:`TABLE_COLUMNS`.

    Raises:
        InputError: ``scorecards.field``, ``scorecards.entry-twice``.
    """

    def value(where: str, row: Mapping[str, str]) -> Mapping[str, Any]:
        made: dict[str, Any] = {
            key: row[key] for key in ("id", "source", "expected", "predicted") if key in row
        }
        for key in ("difficulty", "provenance", "error"):
            if row.get(key):
                made[key] = row[key]
        if "variant" in row:
            made["variants"] = [one for one in row["variant"].split(" | ") if one]
        if row.get("latency_s"):
            try:
                made["latency_s"] = float(row["latency_s"])
            except ValueError:
                raise InputError(
                    "scorecards.field", f"“{row['latency_s']}” is not a number", where=where
                ) from None
        return made

    return Run(name, _entries((where, value(where, row)) for where, row in rows))
