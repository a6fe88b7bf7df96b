"""Rows that are spelt as XML are those that XlsxWriter writes, byte for byte."""

from __future__ import annotations

import zipfile
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st

from madcat_studio.reports.sheet_rows import CellRows, Exact, fitting
from madcat_studio.reports.table import Cell

LETTERS = st.one_of(
    st.characters(exclude_categories=("Cs",)),
    st.sampled_from("<>&\"'_x0041_\t\n\r\x00\x0b\x1f\ufffe\uffff\u00a0\u200f \u3000\U0001f600ء"),
)
TEXTS = st.one_of(
    st.text(alphabet=LETTERS, max_size=12),
    st.sampled_from(["", " a", "a ", "a\n", "_x000D_", "=1+1", "<b>&amp;", "x" * 32_768, "ء" * 9]),
)
CELLS = st.one_of(
    st.none(),
    TEXTS,
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.floats(allow_nan=False, allow_infinity=False),
)
COLUMNS = 30  # beyond Z


def sheet_of(path: Path, rows: list[tuple[Cell, ...]], quick: bool) -> bytes:
    """The XML of a sheet with a header, these rows, and a note two rows below."""
    with xlsxwriter.Workbook(path, {"constant_memory": True}) as book:
        sheet = book.add_worksheet()
        styles = [book.add_format({"num_format": "0" * (n % 3 + 1)}) for n in range(COLUMNS)]
        sheet.set_row(0, 32)
        sheet.write_string(0, COLUMNS - 1, "header", styles[0])
        sheet.write_comment(0, 0, "told")
        made = CellRows(sheet, styles)
        for number, row in enumerate(rows, start=1):
            if quick:
                made.write(number, row)
                continue
            for place, cell in enumerate(row):
                if isinstance(cell, str):
                    sheet.write_string(number, place, fitting(cell), styles[place])
                elif isinstance(cell, bool):
                    sheet.write_boolean(number, place, cell, styles[place])
                elif cell is not None:
                    exact = Exact(cell) if isinstance(cell, float) else cell
                    sheet.write_number(number, place, exact, styles[place])
        sheet.write_string(len(rows) + 2, 0, "a note")
    with zipfile.ZipFile(path) as files:
        return files.read("xl/worksheets/sheet1.xml")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rows") / "a.xlsx"


@pytest.mark.long
@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(CELLS, max_size=COLUMNS), min_size=1, max_size=4))
def test_rows_are_those_of_the_library(place: Path, rows: list[list[Cell]]) -> None:
    full = [tuple(row + [None] * (COLUMNS - len(row))) for row in rows]
    own = sheet_of(place, full, quick=True)
    assert own == sheet_of(place, full, quick=False)
    assert own.count(b"<row ") == 2 + sum(any(c is not None for c in row) for row in full)


USUAL = ("maple", "", 3, 0.25, True, None, "word word", -4, 0.0, "نص", False)


@pytest.mark.parametrize(
    "odd",
    [
        *(
            " a",
            "a ",
            " ",
            "a\u2502",
            "\u2502 a",
            "a \u2502",
            "a\u00a0",
            "a\nb",
            "\0",
            "%s %",
            "{0}",
        ),
        *("&", "<", ">", "_x0041_", "_", "x", "\ud800", "x" * 40_000, "\U0001f600" * 9_000),
        *(-0.0, 1e-4, 9e-5, 1e15, 1e16, -0.5, 5e-324, 1 / 3, 10**15, 0, True, None),
    ],
)
def test_a_usual_row_is_spelt_at_once_and_an_odd_cell_changes_nothing(
    place: Path, odd: Cell
) -> None:
    rows: list[tuple[Cell, ...]] = []
    for at in range(0, COLUMNS, 7):  # beside texts, beside numbers, at both ends
        cells: list[Cell] = [USUAL[n % len(USUAL)] for n in range(COLUMNS)]
        rows.append(tuple(cells))
        cells[at] = odd
        rows.append(tuple(cells))
    assert sheet_of(place, rows, quick=True) == sheet_of(place, rows, quick=False)


def test_a_text_with_marks_of_a_rich_one_stays_a_text(place: Path) -> None:
    text = "<r><t>bold</t></r>"
    sheet_of(place, [(text, *[None] * (COLUMNS - 1))], quick=True)
    assert openpyxl.load_workbook(place)["Sheet1"]["A2"].value == text


def test_a_number_that_is_none_is_refused(place: Path) -> None:
    for number in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="no number of a workbook"):
            sheet_of(place, [(number, *[None] * (COLUMNS - 1))], quick=True)
