"""Cells in quotation marks, as spreadsheets save them; our tables quote nothing.

A spreadsheet wraps a cell that has a quotation mark (most of them also one with a comma) and
doubles the marks within. Read as they stand such texts are others, and so is every score of them.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["is_quoted", "unquoted", "wrapped"]


def wrapped(cell: str) -> bool:
    """Whether a cell stands in quotation marks, and each within is doubled."""
    return len(cell) >= 2 and cell[0] == cell[-1] == '"' and '"' not in cell[1:-1].replace('""', "")


def is_quoted(rows: Sequence[Sequence[str]]) -> bool:
    """Whether a spreadsheet put these cells in quotation marks.

    It did where each cell that has a mark is wrapped, and either a mark within is doubled, which
    nobody writes by hand, or each cell with a comma is wrapped too. A few texts that are quoted
    speech from end to end are none of either.
    """
    marked = [cell for row in rows for cell in row if '"' in cell]
    if not marked or not all(map(wrapped, marked)):
        return False
    if any('""' in cell[1:-1] for cell in marked) or all(map(wrapped, rows[0])):
        return True
    commas = [cell for row in rows for cell in row if "," in cell]
    return bool(commas) and all(map(wrapped, commas))


def unquoted(cell: str) -> str:
    """What the cell of a spreadsheet says."""
    return cell[1:-1].replace('""', '"') if wrapped(cell) else cell
