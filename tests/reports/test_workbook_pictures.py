"""The handwriting of the verdict's lines stands beside them in the workbook, and fits its row."""

from __future__ import annotations

import base64
import io
import zipfile
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from PIL import Image

from madcat_studio.operations.scores.report import Format, write_report
from madcat_studio.reports.tables import Report
from madcat_ter.options import TerOptions

EMU = 9525  # of a pixel
WIDEST, HIGHEST = 560, 180
SIZES = [(1100, 900), (30, 20)]


def png(size: tuple[int, int]) -> bytes:
    stream = io.BytesIO()
    Image.new("L", size, 200).save(stream, "PNG")
    return stream.getvalue()


@pytest.fixture(scope="module")
def pictured(report: Report) -> Report:
    """With a picture, each of another size, for the first of the verdict's lines."""
    assert report.verdict is not None
    names = list(dict.fromkeys((one.document, one.segment) for one in report.verdict.lines))
    assert len(names) == len(SIZES) + 1, "one of them has no picture"
    return replace(
        report,
        pictures={
            name: f"data:image/png;base64,{base64.b64encode(png(size)).decode()}"
            for name, size in zip(names, SIZES, strict=False)
        },
    )


@pytest.mark.long
def test_each_line_has_its_own_picture_in_its_own_row(pictured: Report, tmp_path: Path) -> None:
    [path] = write_report(pictured, tmp_path, [Format.XLSX], TerOptions())
    sheet = openpyxl.load_workbook(path)["Verdict"]
    assert [sheet.cell(1, column).value for column in (1, 2, 3)] == [
        *("What", "Verdict", "Handwriting")
    ]
    assert pictured.verdict is not None
    expected = []
    for row in range(2, sheet.max_row + 1):
        for (document, segment), address in pictured.pictures.items():
            if f", {document}/{segment}," in str(sheet.cell(row, 2).value):
                expected.append((row, base64.b64decode(address.partition(",")[2])))
    assert len(expected) == 1 + len(SIZES), "one line is among the worst of two systems"
    found = []
    for image in sheet._images:
        anchor = image.anchor
        assert anchor._from.row == anchor.to.row, "it covers no other row"
        assert anchor._from.col == anchor.to.col == 2
        wide = (anchor.to.colOff - anchor._from.colOff) / EMU
        high = (anchor.to.rowOff - anchor._from.rowOff) / EMU
        scale = min(1, WIDEST / image.width, HIGHEST / image.height)
        assert (wide, high) == pytest.approx((image.width * scale, image.height * scale), abs=1)
        points = sheet.row_dimensions[anchor._from.row + 1].height
        assert anchor.to.rowOff / EMU <= points / 0.75
        found.append((anchor._from.row + 1, image._data()))
    assert found == expected
    with zipfile.ZipFile(path) as book:
        drawing = book.read("xl/drawings/drawing1.xml").decode()
    for document, segment in pictured.pictures:
        assert f'descr="Handwriting of {document}/{segment}"' in drawing


@pytest.mark.long
def test_without_pictures_there_is_no_column_for_them(report: Report, tmp_path: Path) -> None:
    [path] = write_report(report, tmp_path, [Format.XLSX], TerOptions())
    sheet = openpyxl.load_workbook(path)["Verdict"]
    assert sheet._images == []
    assert sheet.max_column == 2
