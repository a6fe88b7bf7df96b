"""A report as one XLSX workbook: the verdict, a sheet that explains, then one for each table.

Texts are written as texts: nothing becomes a formula, a link or a number. Numbers keep all their
digits.
"""

from __future__ import annotations

import contextlib
import io
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol
from zipfile import ZipFile

from madcat_studio.reports.files import replacing
from madcat_studio.reports.sheet_rows import CellRows, Exact, fitting
from madcat_studio.reports.tables import Cell, CellKind, Column, Table, number_of

__all__ = ["MOST_ROWS", "Picture", "Printable", "write_spreadsheet"]

MOST_ROWS = 50_000
"""Rows of a long table that a sheet holds; the CSV has them all."""

_ON_TOP = "verdict"
"""The table that is read first: its sheet comes before the one that explains."""

_SAMPLE = 200  # rows that decide a column's width
_SQUEEZED = 2  # of 9: a quarter larger than at the usual 6, in a third of the time
_FORMATS = {CellKind.COUNT: "#,##0.###", CellKind.NUMBER: "0.000", CellKind.RATE: "0.00%"}
_WIDEST = 60


def _width(column: Column, cells: list[Cell]) -> float:
    longest = max((len(_shown(cell, column.kind)) for cell in cells), default=0)
    return min(_WIDEST, max(longest * 1.05 + 1.5, len(column.title) * 1.1 + 3.5, 8))


def _shown(cell: Cell, kind: CellKind) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and kind is CellKind.RATE:
        return f"{cell:.2%}"
    if isinstance(cell, float):
        return f"{cell:.3f}"
    return str(cell)


class _Workbook:
    """The formats of one workbook and how a cell is written in it."""

    def __init__(self, path: Path) -> None:
        import xlsxwriter

        self.book = xlsxwriter.Workbook(
            str(path),
            {
                "constant_memory": True,
                "strings_to_numbers": False,
                "strings_to_formulas": False,
                "strings_to_urls": False,
                "nan_inf_to_errors": False,
            },
        )
        ink, rule, pale = "#1f2933", "#9aa5b1", "#f3f5f7"
        base: dict[str, Any] = {"font_color": ink, "valign": "top"}
        add = self.book.add_format
        self.title = add({**base, "bold": True, "font_size": 16, "align": "left"})
        self.heading = add({**base, "bold": True, "bottom": 1, "bottom_color": rule})
        self.status = add({**base, "bold": True, "font_color": "#9c4a00", "text_wrap": True})
        self.wrapped = add({**base, "text_wrap": True})
        self.small = add({**base, "font_name": "Courier New", "font_size": 9, "text_wrap": True})
        header = {**base, "bold": True, "bg_color": pale, "bottom": 1, "bottom_color": rule}
        self.header = add({**header, "text_wrap": True})
        self.header_right = add({**header, "text_wrap": True, "align": "right"})
        self.cells = {
            kind: add({**base, "align": "right", "num_format": number})
            for kind, number in _FORMATS.items()
        }
        self.cells[CellKind.TEXT] = add({**base, "text_wrap": True})
        self.cells[CellKind.FLAG] = add({**base, "align": "center"})

    def close(self) -> None:
        """Write the file."""
        from xlsxwriter import workbook

        # It takes half of a long report's time to squeeze, and the library has no setting of it.
        workbook.ZipFile = partial(ZipFile, compresslevel=_SQUEEZED)
        try:
            self.book.close()
        finally:
            workbook.ZipFile = ZipFile

    def discard(self) -> None:
        """Give up a workbook that is not whole: its rows lie in temporary files until then."""
        for sheet in self.book.worksheets():
            if not sheet.row_data_fh_closed:
                sheet.row_data_fh.close()
            with contextlib.suppress(OSError):
                Path(sheet.row_data_filename).unlink()
        self.book.fileclosed = True

    def write_row(
        self, sheet: Any, row: int, cells: tuple[Cell, ...], styles: Sequence[Any]
    ) -> None:
        """Write a row; ``styles``: of each column, from :attr:`cells`."""
        text, number = sheet.write_string, sheet.write_number
        for column, cell in enumerate(cells):
            if cell is None:
                continue
            if isinstance(cell, str):
                text(row, column, fitting(cell), styles[column])
            elif isinstance(cell, bool):
                sheet.write_boolean(row, column, cell, styles[column])
            else:
                exact = Exact(cell) if isinstance(cell, float) else cell
                number(row, column, exact, styles[column])


def _sheet_name(title: str, taken: set[str]) -> str:
    """A legal and new name: at most 31 characters, none of ``[]:*?/\\``."""
    name = re.sub(r"[\[\]:*?/\\]", " ", title).strip("'")[:31] or "Table"
    number = 2
    while name.lower() in taken:
        name = f"{name[:27]} ({number})"
        number += 1
    taken.add(name.lower())
    return name


def _for_paper(sheet: Any) -> None:
    """As wide as the paper and as long as need be."""
    sheet.set_landscape()
    sheet.set_paper(9)  # A4
    sheet.fit_to_pages(1, 0)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that stands beside a row.

    Attributes:
        png: its bytes.
        says: what it shows, for those who cannot see it.
    """

    png: bytes
    says: str

    def scale(self) -> float:
        """By what it is drawn, so that it is no larger than a row may be."""
        return min(1.0, _PICTURE_WIDE / self._size[0], _PICTURE_HIGH / self._size[1])

    @property
    def high(self) -> float:
        """Pixels that it is high on the sheet."""
        return self._size[1] * self.scale()

    @property
    def _size(self) -> tuple[int, int]:
        wide, high = struct.unpack(">II", self.png[16:24])  # of a PNG file's header
        return max(1, wide), max(1, high)


_PICTURE_WIDE, _PICTURE_HIGH = 560, 180  # pixels on the sheet
_POINTS = 0.75  # of a pixel
_LINE = 15.0  # points that a line of a cell is high


def _put_picture(sheet: Any, row: int, column: int, picture: Picture, lines: int) -> None:
    """Make the row high enough for the picture and for its own ``lines``, and put it in."""
    high = max(_POINTS * (picture.high + 8), _LINE * lines)
    sheet.set_row(row, high)
    scale = picture.scale()
    sheet.insert_image(
        *(row, column, "line.png"),
        {
            "image_data": io.BytesIO(picture.png),
            "x_scale": scale,
            "y_scale": scale,
            "x_offset": 4,
            "y_offset": 4,
            "object_position": 1,  # moves and sizes with its cells: it is hidden with its row
            "description": picture.says,
        },
    )


def _write_table(
    book: _Workbook,
    sheet: Any,
    table: Table,
    most_rows: int,
    pictures: Mapping[int, Picture],
) -> tuple[int, int]:
    """Write one sheet; returns how many rows it has and how many the table has."""
    sample = list(islice(table.rows, _SAMPLE))
    for index, column in enumerate(table.columns):
        sheet.set_column(index, index, _width(column, [row[index] for row in sample]))
    _for_paper(sheet)
    sheet.repeat_rows(0)
    sheet.freeze_panes(1, min(2, len(table.columns)))
    sheet.set_row(0, 32)
    for index, column in enumerate(table.columns):
        right = column.kind in _FORMATS
        sheet.write_string(0, index, column.title, book.header_right if right else book.header)
        if column.note:
            sheet.write_comment(0, index, column.note)
    beside = len(table.columns)
    if pictures:
        sheet.set_column(beside, beside, _PICTURE_WIDE / 7)  # pixels of a figure
        sheet.write_string(0, beside, "Handwriting", book.header)
    styles = [book.cells[column.kind] for column in table.columns]
    quick = CellRows(sheet, styles)
    written, total = 0, table.count()
    for written, row in enumerate(islice(table.rows, most_rows), start=1):
        picture = pictures.get(written - 1)
        if picture is None:
            quick.write(written, row)
        else:
            kinds = (column.kind for column in table.columns)
            longest = max(len(_shown(*one)) for one in zip(row, kinds, strict=True))
            _put_picture(sheet, written, beside, picture, 1 + int(longest / (0.9 * _WIDEST)))
            book.write_row(sheet, written, row, styles)
    sheet.autofilter(0, 0, max(written, 1), len(table.columns) - 1)
    if written < total:
        sheet.write_string(
            written + 2,
            0,
            f"The first {written:,} of {total:,} rows. The CSV file {table.name}.csv has them all.",
            book.status,
        )
    return written, total


class Printable(Protocol):
    """What a workbook is made of; every report has it."""

    @property
    def title(self) -> str:
        """Of the whole."""
        ...

    @property
    def kind(self) -> str:
        """What was measured."""
        ...

    @property
    def made(self) -> str:
        """When, in UTC."""
        ...

    @property
    def preliminary(self) -> tuple[str, ...]:
        """What is still missing, a sentence each."""
        ...

    @property
    def hashes(self) -> Mapping[str, str]:
        """SHA-256 of the input."""
        ...

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the reader must know."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """The rules that the numbers follow."""
        ...

    @property
    def tables(self) -> tuple[Table, ...]:
        """In the order of reading."""
        ...

    def signature_lines(self) -> list[tuple[str, str]]:
        """Each signature with what it is the signature of."""
        ...


def write_spreadsheet(
    report: Printable,
    path: Path,
    *,
    most_rows: int = MOST_ROWS,
    pictures: Mapping[str, Mapping[int, Picture]] = MappingProxyType({}),
) -> None:
    """Write the workbook.

    Args:
        report: what is in it.
        path: the file.
        most_rows: of a long table.
        pictures: table -> row, from 0 -> what stands beside it.

    Raises:
        WorldError: ``report.cannot-write``.
    """
    with replacing(path) as beside:
        book = _Workbook(beside)
        try:
            _fill(book, report, most_rows, pictures)
            book.close()
        except BaseException:
            book.discard()
            raise


def _fill(
    book: _Workbook,
    report: Printable,
    most_rows: int,
    pictures: Mapping[str, Mapping[int, Picture]],
) -> None:
    book.book.set_properties({"title": f"{report.title}: {report.kind} report"})
    taken: set[str] = set()
    sheets: list[tuple[Table, str, int, int]] = []

    def write(table: Table) -> None:
        name = _sheet_name(table.title, taken)
        sheet = book.book.add_worksheet(name)
        beside = pictures.get(table.name, {})
        sheets.append((table, name, *_write_table(book, sheet, table, most_rows, beside)))

    on_top = [table for table in report.tables if table.name == _ON_TOP]
    for table in on_top:
        write(table)
    about = book.book.add_worksheet(_sheet_name("About", taken))
    for table in report.tables:
        if table not in on_top:
            write(table)
    _write_about(book, about, report, sheets)


def _write_about(
    book: _Workbook, sheet: Any, report: Printable, sheets: list[tuple[Table, str, int, int]]
) -> None:
    sheet.hide_gridlines(2)
    _for_paper(sheet)
    sheet.set_row(0, 30)
    sheet.set_column(0, 0, 26)
    sheet.set_column(1, 1, 100)
    sheet.write_string(0, 0, f"{report.title}: {report.kind} report", book.title)
    row = 1
    sheet.write_string(row, 0, "Made", book.wrapped)
    sheet.write_string(row, 1, report.made, book.wrapped)
    row += 1
    sheet.write_string(row, 0, "State", book.wrapped)
    if report.preliminary:
        told = "Preliminary. " + ". ".join(report.preliminary) + "."
        sheet.write_string(row, 1, told, book.status)
    else:
        sheet.write_string(row, 1, "Final", book.wrapped)
    for heading, lines in (
        ("Signature", report.signature_lines()),
        ("SHA-256 of the input", list(report.hashes.items())),
    ):
        row += 2
        sheet.write_string(row, 0, heading, book.heading)
        sheet.write_blank(row, 1, None, book.heading)
        for name, text in lines:
            row += 1
            sheet.set_row(row, 15 * (1 + len(text) // 110))
            sheet.write_string(row, 0, name, book.wrapped)
            sheet.write_string(row, 1, fitting(text), book.small)
    for heading, sentences in (("Note well", report.warnings), ("Rules", report.notes)):
        if not sentences:
            continue
        row += 2
        sheet.write_string(row, 0, heading, book.heading)
        sheet.write_blank(row, 1, None, book.heading)
        for sentence in sentences:
            row += 1
            sheet.set_row(row, 15 * (1 + len(sentence) // 105))
            sheet.write_string(row, 1, sentence, book.wrapped)
    row += 2
    sheet.write_string(row, 0, "Sheets", book.heading)
    sheet.write_blank(row, 1, None, book.heading)
    for table, name, written, total in sheets:
        row += 1
        sheet.write_string(row, 0, name, book.wrapped)
        rows = number_of(total, "row")
        if written < total:
            rows = f"the first {written:,} of {rows}"
        sheet.write_string(row, 1, f"{rows}. {table.note}".strip(), book.wrapped)
