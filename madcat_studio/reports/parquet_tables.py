"""A table as Parquet: columns by their keys, numbers as numbers; no value where no rate is."""

from __future__ import annotations

from pathlib import Path

from madcat_studio.formats.parquet import write_parquet_rows
from madcat_studio.reports.files import replacing
from madcat_studio.reports.table import NOT_A_RATE, CellKind, Table

__all__ = ["write_parquet"]

_ARROW = {
    CellKind.TEXT: "string",
    CellKind.COUNT: "int64",
    CellKind.NUMBER: "float64",
    CellKind.RATE: "float64",
    CellKind.FLAG: "bool",
}


def write_parquet(table: Table, path: Path) -> None:
    """Write one table, its rows as they come.

    Raises:
        WorldError: ``report.cannot-write``, ``parquet.not-installed``.
    """
    rates = [place for place, one in enumerate(table.columns) if one.kind is CellKind.RATE]

    def cells(row: tuple[object, ...]) -> list[object]:
        found = list(row)
        for place in rates:
            if found[place] == NOT_A_RATE:
                found[place] = None
        return found

    columns = [(column.key, _ARROW[column.kind]) for column in table.columns]
    with replacing(path) as beside:
        write_parquet_rows(beside, columns, map(cells, table.rows))
