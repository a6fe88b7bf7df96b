"""Scores of segments that other programs or people gave, brought in by table."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.errors import FormatError, InputError, UsageError
from madcat_studio.formats.tables import Table, read_number, read_table

__all__ = ["Keys", "ScoreColumn", "read_scores"]

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Keys:
    """The columns that tell what a row is of.

    Attributes:
        columns: the system's, and two that tell which of its outputs.
        remedy: where the names in them are found, ending in a colon.
    """

    columns: tuple[str, str, str] = ("system", "base", "segment")
    remedy: str = (
        "Give the system's name or code, the BASE and the segment as the campaign has them, of the "
        "evaluation set and of outputs with a final text:"
    )


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """One column of scores.

    Attributes:
        name: the column's.
        lower: whether less is better.
        values: (system, BASE, segment) -> score; of segments without one nothing.
    """

    name: str
    lower: bool
    values: Mapping[Key, float]


def read_scores(
    paths: Sequence[Path],
    systems: Mapping[str, str],
    segments: Collection[Key],
    lower: Collection[str] = (),
    keys: Keys = Keys(),
) -> list[ScoreColumn]:
    """Every column of scores of some tables.

    Args:
        paths: tables with the columns ``system base segment``; every other one holds scores.
        systems: name or code -> name of each system of the campaign.
        segments: those of the campaign that are looked at.
        lower: the columns in which less is better.
        keys: the columns that tell what a row is of, and where their names come from.

    Raises:
        InputError, FormatError: a table that is not there or cannot be read;
            ``trust.no-scores``, ``trust.column-twice``, ``trust.other-segments``,
            ``trust.twice``, ``trust.not-a-number``.
        UsageError: ``trust.no-column``: no table has a column that ``lower`` names.
    """
    found: dict[str, ScoreColumn] = {}
    for path in paths:
        table = read_table(path, required=keys.columns, others=True)
        names = [name for name in table.columns if name not in keys.columns]
        if not names:
            raise FormatError(
                "trust.no-scores",
                "the table has no column of scores",
                where=path,
                remedy=f"Give each metric a column in addition to {', '.join(keys.columns)}",
            )
        for name in names:
            if name in found:
                raise FormatError(
                    "trust.column-twice",
                    f"two tables have a column {name}",
                    where=path,
                    remedy="Give each metric its own name",
                )
        rows = _keys(table, systems, segments, keys)
        for name in names:
            found[name] = ScoreColumn(name, name in lower, _values(table, rows, name))
    if strange := sorted(set(lower) - set(found)):
        raise UsageError(
            "trust.no-column",
            f"no table has a column {strange[0]}",
            remedy=f"There are: {', '.join(found) or 'none'}",
        )
    return list(found.values())


def _keys(
    table: Table, systems: Mapping[str, str], segments: Collection[Key], columns: Keys
) -> list[Key]:
    """Which segment each row is of: of those that are looked at, and each once."""
    keys: list[Key] = []
    system, base, segment = columns.columns
    lines: dict[Key, int] = {}
    strange: list[str] = []
    for row in table.rows:
        name = row[system].strip()
        key = systems.get(name, name), row[base].strip(), row[segment].strip()
        if key not in segments:
            strange.append(f"{table.where(row)}: {key[0]}, {key[1]}/{key[2]}")
        elif key in lines:
            raise FormatError(
                "trust.twice",
                f"{key[0]}, {key[1]}/{key[2]} already has a row",
                where=table.where(row),
                remedy=f"Give each output one row; the other is row {lines[key]}",
            )
        lines.setdefault(key, row.line)
        keys.append(key)
    if strange:
        count = len(strange)
        raise InputError(
            "trust.other-segments",
            f"{count} row{'s do' if count > 1 else ' does'} not belong to an output that is "
            "compared here",
            where=table.path,
            remedy="\n".join(
                [
                    columns.remedy,
                    *(f"  {one}" for one in strange[:5]),
                    *([f"  … and {count - 5} more"] if count > 5 else []),
                ]
            ),
        )
    return keys


def _values(table: Table, keys: Sequence[Key], name: str) -> dict[Key, float]:
    values: dict[Key, float] = {}
    for key, row in zip(keys, table.rows, strict=True):
        if not (spelt := row[name].strip()):
            continue
        try:
            value = read_number(spelt)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise FormatError(
                "trust.not-a-number",
                f"{name} is {spelt!r}, which is not a number",
                where=table.where(row),
                remedy="Write a number, or leave the cell empty where there is no score",
            )
        values[key] = value
    return values
