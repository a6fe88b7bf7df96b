"""Tables as other programs have them: a sheet of a workbook, cells between semicolons or commas.

Each is brought into rows of cells as ``tables.py`` reads them.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from madcat_studio.errors import FormatError
from madcat_studio.model.problem import Problem, Severity, Where

__all__ = ["is_workbook", "separated", "workbook_of", "workbook_rows"]

Rows = list[tuple[int, list[str]]]

_SEPARATORS = {";": "semicolons", ",": "commas"}


def is_workbook(data: bytes) -> bool:
    """Whether bytes are a workbook (.xlsx), whatever their name."""
    return data.startswith(b"PK\x03\x04")


def workbook_rows(data: bytes, path: Path) -> tuple[Rows, Problem | None]:
    """Numbered rows of the first sheet that has any, and what is to be said of the others.

    Cells are taken as texts. A number is written without a needless ``.0``; what is no text and no
    number (a formula, a date, an error) is refused: nobody can tell what was meant.

    Raises:
        FormatError: ``table.not-workbook``, ``table.cell``.
    """
    from openpyxl import load_workbook

    try:
        book = load_workbook(io.BytesIO(data), read_only=True, keep_links=False)
        sheets = [(sheet.title, list(_rows(sheet, path))) for sheet in book.worksheets]
    except (zipfile.BadZipFile, KeyError, ValueError, OSError, SyntaxError) as error:
        raise FormatError(
            "table.not-workbook",
            f"this workbook cannot be read ({type(error).__name__})",
            where=path,
            remedy="Save it again as .xlsx, or as text with tabs",
        ) from error
    filled = [(title, rows) for title, rows in sheets if rows]
    if not filled:
        return [], None
    title, rows = filled[0]
    # A sheet has no empty cells at the end of a row.
    width = len(rows[0][1])
    rows = [(number, cells + [""] * (width - len(cells))) for number, cells in rows]
    if len(filled) == 1:
        return rows, None
    return rows, Problem(
        "table-sheets",
        Severity.WARNING,
        Where(str(path)),
        f"the workbook has {len(filled)} sheets that are not empty",
        f"read the first, {title!r}",
        "Put the table into the first sheet",
    )


def _rows(sheet: Any, path: Path) -> Iterator[tuple[int, list[str]]]:
    for number, row in enumerate(sheet.iter_rows(), 1):
        cells = [_text(cell, f"{path}:{number}") for cell in row]
        while cells and not cells[-1]:
            cells.pop()
        if cells and not cells[0].startswith("#"):
            yield number, cells


def _text(cell: Any, where: str) -> str:
    value, kind = cell.value, cell.data_type
    if value is None:
        return ""
    if kind == "f":
        raise _refused(where, "a formula")
    if kind == "e":
        raise _refused(where, f"an error ({value})")
    if isinstance(value, str):
        return _spelt(value)
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return str(int(value)) if float(value).is_integer() else repr(value)
    raise _refused(where, "a date")


def _refused(where: str, what: str) -> FormatError:
    return FormatError(
        "table.cell",
        f"a cell holds {what}, not text",
        where=where,
        remedy="Format the column as text, and write the text itself",
    )


def _spelt(text: str) -> str:
    """A cell's text in the spelling of tables, which write tabs and line ends out."""
    text = text.replace("\\", "\\\\").replace("\t", "\\t")
    return text.replace("\r", "\\r").replace("\n", "\\n")


def separated(text: str, required: Sequence[str], path: Path) -> tuple[Rows, Problem] | None:
    """Rows of a text whose first line names the columns between semicolons or commas; else None.

    Raises:
        FormatError: ``table.separated``: quotation marks that do not close.
    """
    head = next((line for line in text.splitlines() if line.strip() and line[0] != "#"), "")
    if "\t" in head:
        return None
    for separator, name in _SEPARATORS.items():
        names = [one.strip() for one in next(csv.reader([head], delimiter=separator), [])]
        if len(names) < 2 or not set(required) <= set(names):
            continue
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        rows: Rows = []
        line = 1
        try:
            for cells in reader:
                if any(cells) and not cells[0].startswith("#"):
                    rows.append((line, [_folded(cell) for cell in cells]))
                line = reader.line_num + 1
        except csv.Error as error:
            raise FormatError(
                "table.separated",
                f"cells separated by {name} cannot be told apart ({error})",
                where=f"{path}:{line}",
                remedy="Save the table as text with tabs between cells, or as .xlsx",
            ) from error
        return rows, Problem(
            "table-separated",
            Severity.WARNING,
            Where(str(path), rows[0][0]),
            f"{name} are between the cells",
            "read so, and without the quotation marks around cells",
            "To be sure, save the table with tabs between cells",
        )
    return None


def _folded(cell: str) -> str:
    """A cell whose line ends are written out; what was written out already stays so."""
    return cell.replace("\t", "\\t").replace("\r", "\\r").replace("\n", "\\n")


def workbook_of(
    columns: Sequence[str], rows: Iterable[Sequence[str]], above: Sequence[str] = ()
) -> bytes:
    """A table as a workbook of one sheet, each cell a text as it is; ``above``: lines on top."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    sheet = book.create_sheet("table")

    def text(value: str) -> Any:
        cell = WriteOnlyCell(sheet, value)
        cell.data_type = "s"  # what begins with = is no formula
        cell.number_format = "@"
        return cell

    for row in (*((line,) for line in above), columns, *rows):
        sheet.append([text(value) for value in row])
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()
