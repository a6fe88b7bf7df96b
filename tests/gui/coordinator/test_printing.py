"""The report as a PDF."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog

from madcat_studio.errors import WorldError
from madcat_studio.gui.coordinator.printing import print_report
from tests.gui.helpers import can, run


def content(path: Path) -> bytes:
    """The drawing of all pages of a PDF, uncompressed."""
    data = path.read_bytes()
    drawn = b""
    for stream in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL):
        try:
            drawn += zlib.decompress(stream.group(1))
        except zlib.error:
            continue
    return drawn


@pytest.mark.long
def test_the_report_is_printed_with_all_its_short_tables(
    report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = report()
    path = tmp_path / "مشروع" / "hter.pdf"
    path.parent.mkdir()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    assert can(view, "report.print")
    run(view, "report.print")
    assert path.read_bytes().startswith(b"%PDF")
    # Every shown cell is drawn as glyphs; a page without tables draws a tenth of that.
    shown = sum(len(table.rows) for table in view._scored.tables if not table.long)
    assert content(path).count(b"Tj") > shown
    assert not list(path.parent.glob(".*")), "nothing is left beside it"


@pytest.mark.long
def test_a_folder_that_is_not_there_is_told_and_an_old_file_stays(
    report, tmp_path: Path, qapp: QApplication
) -> None:
    view = report()
    with pytest.raises(WorldError) as caught:
        print_report(view._scored, tmp_path / "no" / "hter.pdf", ["DejaVu Sans"])
    assert caught.value.code == "gui.cannot-print"
    assert not (tmp_path / "no").exists()
