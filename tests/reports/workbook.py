"""A workbook read again, as a program of somebody else would."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl

from madcat_studio.reports.tables import Cell

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def _decode(cell: Any) -> Cell:
    """The cell as it was written: _x000D_ is a carriage return again."""
    if isinstance(cell, str):
        return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), cell)
    return cell


def read_spreadsheet(path: Path, sheet: str) -> Iterator[dict[str, Cell]]:
    """The rows of a sheet by the titles of its columns, texts as they were written."""
    book = openpyxl.load_workbook(path, read_only=True)
    rows = book[sheet].iter_rows(values_only=True)
    titles = [str(title) for title in next(rows, ())]
    for row in rows:
        if all(cell is None for cell in row):
            break  # what follows is a note, not a row
        yield dict(zip(titles, map(_decode, row), strict=False))
    book.close()
