"""The report on paper says what the report says, and needs no window."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pypdf
import pytest

from madcat_studio.errors import WorldError
from madcat_studio.model.campaign import SegmentRecord
from madcat_studio.operations.scores.report import report_records
from madcat_studio.reports.pdf import chosen_columns, write_pdf
from madcat_studio.reports.tables import Report


def read(path: Path) -> str:
    """All words of a PDF, one blank apart."""
    pages = pypdf.PdfReader(io.BytesIO(path.read_bytes())).pages
    said = " ".join(page.extract_text() for page in pages)
    return " ".join(said.replace("\u200e", "").split())


@pytest.fixture(scope="module")
def written(report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pdf") / "hter.pdf"
    write_pdf(report, path)
    return path


def test_the_verdict_stands_on_the_first_page(report: Report, written: Path) -> None:
    first = pypdf.PdfReader(written).pages[0].extract_text()
    said = " ".join(first.replace("\u200e", "").split())
    assert report.verdict is not None
    for one in report.verdict.standings:
        assert f"{one.place}. {one.sentence}." in said
    for duel in report.verdict.duels:
        assert duel.sentence in said
    assert said.index(report.verdict.standings[0].system) < said.index("Worst lines")


def test_every_short_table_and_the_signature_are_in_it(report: Report, written: Path) -> None:
    said = read(written)
    squeezed = said.replace(" ", "")
    for name, text in report.signature_lines():
        assert f"{name}:{text}".replace(" ", "") in squeezed
    for table in report.tables:
        if table.long or "segments" in table.name or table.name == "verdict":
            continue
        assert table.title in said
        for row in table.rows:
            for place in chosen_columns(table.columns):
                shown = table.columns[place].kind.shown(row[place])
                assert "".join(shown.split()) in "".join(said.split()), (table.name, shown)


def test_columns_that_are_needed_are_never_left_out(report: Report) -> None:
    table = report.table("systems")
    chosen = [table.columns[place].key for place in chosen_columns(table.columns)]
    assert len(chosen) == 10
    assert {"system", "hter", "hter_first", "edits", "words", "segments"} <= set(chosen)


def test_names_of_any_script_are_drawn(
    record_of: Callable[..., SegmentRecord], tmp_path: Path
) -> None:
    record = record_of("k1", "alpha", "D1", "s1", "a", "a b", {"T1": ("a", "a"), "T2": ("b", "b")})
    records = [record._replace(system="زيتون <b> & Ω")]
    with report_records(records, title="حملة") as report:
        write_pdf(report, tmp_path / "out.pdf")
    said = read(tmp_path / "out.pdf")
    assert "b> & Ω: HTER 100.0 %" in said
    # Joined letters are drawn as such; which way round they are read back is the reader's affair.
    assert {"ز", "ي", "ت", "و", "ن"} <= set(said)


def test_a_folder_that_is_not_there_is_told(report: Report, tmp_path: Path) -> None:
    with pytest.raises(WorldError) as caught:
        write_pdf(report, tmp_path / "no" / "hter.pdf")
    assert caught.value.code == "report.cannot-write"
    assert not (tmp_path / "no").exists()
