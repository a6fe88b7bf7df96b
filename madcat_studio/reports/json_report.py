"""A report as JSON; ``schemas/report.schema.json`` describes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, Any

from madcat_studio.reports.files import replacing
from madcat_studio.reports.tables import Report, Table

__all__ = ["FORMAT_VERSION", "put_records", "write_json"]

FORMAT_VERSION = 1


_dump = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def write_json(report: Report, path: Path) -> None:
    """Write the report row by row; rates are fractions with all their digits, or ``"n/a"``.

    Raises:
        WorldError: ``report.cannot-write``.
    """
    head: dict[str, Any] = {
        "format": "madcat-studio-report",
        "version": FORMAT_VERSION,
        "title": report.title,
        "kind": report.kind,
        "made": report.made,
        "denominator": str(report.denominator),
        "signatures": dict(report.signatures),
        "input_sha256": dict(report.hashes),
        "preliminary": list(report.preliminary),
        "warnings": list(report.warnings),
        "rules": list(report.notes),
    }
    with replacing(path) as beside, beside.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write("{\n")
        for key, value in head.items():
            stream.write(f"{_dump(key)}: {_dump(value)},\n")
        stream.write('"tables": [')
        for number, table in enumerate(report.tables):
            stream.write(",\n" if number else "\n")
            _write_table(table, stream)
        stream.write("\n]}\n")


def put_records(table: Table, stream: IO[str]) -> None:
    """Put one table by itself into a stream: its name, its note, and its rows as objects."""
    stream.write(f'{{"name": {_dump(table.name)}, "note": {_dump(table.note)}, "rows": [')
    for number, row in enumerate(table.records()):
        stream.write((",\n" if number else "\n") + _dump(dict(row)))
    stream.write("\n]}\n")


def _write_table(table: Table, stream: IO[str]) -> None:
    columns = [
        {"key": c.key, "title": c.title, "kind": str(c.kind), "note": c.note} for c in table.columns
    ]
    stream.write(
        f'{{"name": {_dump(table.name)}, "title": {_dump(table.title)}, '
        f'"note": {_dump(table.note)}, "columns": {_dump(columns)}, "rows": ['
    )
    for number, record in enumerate(table.records()):
        stream.write(",\n" if number else "\n")
        stream.write(_dump(record))
    stream.write("]}")
