"""Tables as CSV that opens right in a spreadsheet, and back again character for character.

UTF-8 with a byte-order mark, commas, CR LF between rows, numbers with a point and all their
digits; or, as spreadsheets of many countries want it, semicolons and decimal commas. A text that
a spreadsheet would take for a formula (it begins with ``= + - @``, a tab or a carriage return), or
that begins with an apostrophe, gets one apostrophe in front; :func:`read_csv` takes exactly that
one away.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from madcat_studio.errors import FormatError, WorldError
from madcat_studio.reports.files import replacing
from madcat_studio.reports.table import Cell, CellKind, Table

__all__ = ["guard", "put_csv", "read_csv", "unguard", "write_csv"]

_DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "'")


def guard(text: str) -> str:
    """``text`` so that no spreadsheet takes it for a formula."""
    return f"'{text}" if text.startswith(_DANGEROUS) else text


def unguard(field: str) -> str:
    """The text that :func:`guard` was given. A number below zero stays as it is."""
    return field[1:] if field.startswith("'") else field


def _fields(row: tuple[Cell, ...], texts: Sequence[int], commas: bool) -> list[Cell]:
    """A row as ``csv`` is to write it: nothing as nothing, numbers with all their digits."""
    fields = [("yes" if cell else "no") if cell is True or cell is False else cell for cell in row]
    for place in texts:
        cell = fields[place]
        if isinstance(cell, str):
            fields[place] = guard(cell)
    if commas:
        return [str(cell).replace(".", ",") if type(cell) is float else cell for cell in fields]
    return fields


def write_csv(table: Table, path: Path, *, bom: bool = True, semicolons: bool = False) -> None:
    """Write one table; the first row holds the columns' keys.

    Args:
        table: what is written.
        path: the file.
        bom: begin it with a byte-order mark.
        semicolons: between cells, and a comma in numbers.

    Raises:
        WorldError: ``report.cannot-write``.
    """
    with (
        replacing(path) as beside,
        beside.open("w", encoding="utf-8-sig" if bom else "utf-8", newline="") as stream,
    ):
        put_csv(table, stream, semicolons=semicolons)


def put_csv(table: Table, stream: IO[str], end: str = "\r\n", *, semicolons: bool = False) -> None:
    """Put one table into a stream, with ``end`` at each line's end."""
    texts = [place for place, column in enumerate(table.columns) if column.kind is CellKind.TEXT]
    writer = csv.writer(stream, lineterminator=end, delimiter=";" if semicolons else ",")
    writer.writerow(column.key for column in table.columns)
    writer.writerows(_fields(row, texts, semicolons) for row in table.rows)


def read_csv(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a table that :func:`write_csv` wrote, texts as they were.

    Raises:
        FormatError: ``report.not-csv``: not UTF-8, or rows of unequal length.
        WorldError: ``report.cannot-read``.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            rows = csv.reader(stream, strict=True)
            header = next(rows, [])
            for row in rows:
                if len(row) != len(header):
                    raise FormatError(
                        "report.not-csv",
                        f"line {rows.line_num} has {len(row)} fields and the first {len(header)}",
                        where=path,
                        remedy="Use the file as it was written",
                    )
                yield dict(zip(header, map(unguard, row), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise FormatError(
            "report.not-csv",
            f"this is not a CSV file in UTF-8 ({error})",
            where=path,
            remedy="Use the file as it was written",
        ) from error
    except OSError as error:
        raise WorldError(
            "report.cannot-read", f"the file cannot be read ({error.strerror})", where=path
        ) from error
