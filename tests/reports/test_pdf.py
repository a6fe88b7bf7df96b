"""The report on paper says what the report says, and needs no window."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pypdf
import pytest

from madcat_studio.errors import WorldError
from madcat_studio.model.campaign import SegmentRecord
from madcat_studio.operations.scores.report import report_records
from madcat_studio.reports.pdf import MOST_ROWS, chosen_columns, drawn_by_neighbours, write_pdf
from madcat_studio.reports.tables import CellKind, Column, Report, Table


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


@pytest.mark.long
def test_every_short_table_and_the_signature_are_in_it(report: Report, written: Path) -> None:
    said = read(written)
    squeezed = said.replace(" ", "")
    for name, text in report.signature_lines():
        assert f"{name}:{text}".replace(" ", "") in squeezed
    told = said.partition("Not on paper, but in the page, the workbook and the CSV files: ")[2]
    for table in report.tables:
        on_paper = not table.long and "segments" not in table.name
        assert (f"{table.title} ({table.name}.csv)" in told) is not on_paper
        if not on_paper or table.name == "verdict":
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


@pytest.mark.long
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


@pytest.mark.parametrize(
    ("text", "whether"),
    [
        *[
            (text, False)
            for text in ("", "maple 12.3\u202f%", "K\u00e9k\u0151 \u22123", "1\u20132 \u2026")
        ],
        *[
            (text, True)
            for text in ("\u0632\u064a\u062a", "e\u0301", "\u0915\u093f", "a \u05d0", "\U0001e900")
        ],
    ],
)
def test_only_letters_that_look_at_their_neighbours_are_shaped(text: str, whether: bool) -> None:
    assert drawn_by_neighbours(text) is whether


@pytest.mark.long
def test_a_long_table_is_cut_on_paper_and_says_where_the_rest_is(
    report: Report, tmp_path: Path
) -> None:
    rows = [(f"row{number}.", number) for number in range(MOST_ROWS + 7)]
    columns = (Column("a", "A"), Column("b", "B", CellKind.COUNT))
    write_pdf(replace(report, tables=(Table("by-x", "By x", columns, rows),)), tmp_path / "t.pdf")
    said = read(tmp_path / "t.pdf")
    assert f"row{MOST_ROWS - 1}. {MOST_ROWS - 1}" in said
    assert f"row{MOST_ROWS}." not in said
    assert f"The first {MOST_ROWS} rows; by-x.csv has 7 more." in said


@pytest.mark.long
def test_a_folder_that_is_not_there_is_told(report: Report, tmp_path: Path) -> None:
    with pytest.raises(WorldError) as caught:
        write_pdf(report, tmp_path / "no" / "hter.pdf")
    assert caught.value.code == "report.cannot-write"
    assert not (tmp_path / "no").exists()
