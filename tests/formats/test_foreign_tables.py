"""Tables as people have them: workbooks, semicolons, commas."""

from __future__ import annotations

import io
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from madcat_studio.errors import FormatError
from madcat_studio.formats.segment_texts import read_segment_texts
from madcat_studio.formats.tables import (
    read_number,
    read_plain_rows,
    read_table,
    table_bytes,
)

TEXTS = ['He said "yes", twice.', "One; two", "=1+1", "a\tb\nc\\d", "", "'x'", "10", "نص"]


def workbook(*rows: list[Any], more: tuple[list[Any], ...] = ()) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    if more:
        sheet = book.create_sheet("more")
        for row in more:
            sheet.append(row)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def fields(path: Path) -> list[dict[str, str]]:
    found = read_table(path, required=("segment", "text"))
    return [dict(row.fields) for row in found.rows]


def rows_of(texts: list[str]) -> list[tuple[str, str]]:
    return [(f"s{number}", text) for number, text in enumerate(texts)]


@pytest.mark.parametrize("suffix", [".xlsx", ".tsv"])
def test_a_table_comes_back_as_it_was_written(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"texts{suffix}"
    path.write_bytes(table_bytes(path, ("segment", "text"), rows_of(TEXTS)))
    assert fields(path) == [{"segment": a, "text": b} for a, b in rows_of(TEXTS)]
    assert [row[1] for _, row in read_plain_rows(path)][1:] == TEXTS


@pytest.mark.long
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"))), max_size=6))
def test_any_text_comes_through_a_workbook(tmp_path_factory: pytest.TempPathFactory, texts) -> None:
    path = tmp_path_factory.mktemp("any") / "t.xlsx"
    path.write_bytes(table_bytes(path, ("segment", "text"), rows_of(texts)))
    assert [row["text"] for row in fields(path)] == [
        text.replace("\ufffe", "\ufffe") for text in texts
    ]


def test_what_begins_with_an_equals_sign_is_written_as_a_text(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    cell = load_workbook(io.BytesIO(table_bytes(path, ("text",), [("=1+1",)]))).active["A2"]
    assert (cell.value, cell.data_type) == ("=1+1", "s")


def test_a_workbook_is_read_as_texts(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    path.write_bytes(
        workbook(
            ["segment", "text", "note"],
            ["s1", "One two", "x"],
            [2, 12.5],
            [None, None],
            ["# a remark"],
            ["s3", True, None],
            more=(["other", "sheet"],),
        )
    )
    found = read_table(path, required=("segment", "text"))
    assert [(row.line, row["segment"], row["text"]) for row in found.rows] == [
        (2, "s1", "One two"), (3, "2", "12.5"), (6, "s3", "TRUE"),
    ]  # fmt: skip
    assert {one.code for one in found.problems} == {"table-sheets", "table-unknown-column"}


@pytest.mark.parametrize(
    ("value", "what"), [("=A1", "a formula"), (date(2026, 1, 2), "a date"), ("#N/A", "an error")]
)
def test_a_cell_that_is_no_text_is_refused_with_its_row(
    tmp_path: Path, value: object, what: str
) -> None:
    path = tmp_path / "t.xlsx"
    path.write_bytes(workbook(["segment", "text"], ["s1", value]))
    with pytest.raises(FormatError, match=what) as told:
        fields(path)
    assert told.value.code == "table.cell"
    assert str(told.value.where).endswith("t.xlsx:2")


@pytest.mark.parametrize("damage", [lambda data: data[:200], lambda _: b"PK\x03\x04 nothing"])
def test_a_damaged_workbook_is_one_message(tmp_path: Path, damage) -> None:
    path = tmp_path / "t.xlsx"
    path.write_bytes(damage(workbook(["segment", "text"])))
    with pytest.raises(FormatError) as told:
        fields(path)
    assert told.value.code == "table.not-workbook"


@pytest.mark.parametrize(("mark", "name"), [(";", "semicolons"), (",", "commas")])
def test_cells_between_semicolons_and_commas(tmp_path: Path, mark: str, name: str) -> None:
    path = tmp_path / "t.csv"
    lines = [
        f"segment{mark}text",
        f's1{mark}"He said ""yes"", twice."',
        f"s2{mark}One two",
        f's3{mark}"two\nlines{mark} one cell"',
        f"s4{mark}",
    ]
    path.write_bytes("\r\n".join(lines).encode("utf-8-sig"))
    found = read_table(path, required=("segment", "text"))
    assert [row["text"] for row in found.rows] == [
        'He said "yes", twice.', "One two", f"two\nlines{mark} one cell", "",
    ]  # fmt: skip
    [problem] = found.problems
    assert (problem.code, problem.what) == ("table-separated", f"{name} are between the cells")


def test_a_cell_that_never_ends_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('segment;text\ns1;"never ends\ns2;x\n', encoding="utf-8")
    with pytest.raises(FormatError) as told:
        fields(path)
    assert told.value.code == "table.separated"


def test_tabs_stay_tabs_whatever_else_is_in_the_texts(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("segment\ttext\ns1\tone; two, three\n", encoding="utf-8")
    assert fields(path) == [{"segment": "s1", "text": "one; two, three"}]


def test_numbers_have_a_point_or_a_comma() -> None:
    assert [read_number(one) for one in ("1.5", "1,5", "12", "-3,25")] == [1.5, 1.5, 12, -3.25]
    for wrong in ("1.000,5", "1,000,5", "x", ""):
        with pytest.raises(ValueError, match=r"."):
            read_number(wrong)


def test_texts_for_scoring_are_unquoted_only_with_a_word(tmp_path: Path) -> None:
    for path, content in (
        (tmp_path / "q.tsv", b'segment\ttext\ns1\t"He said ""yes""."\n'),
        (tmp_path / "q.csv", b'segment;text\ns1;"He said ""yes""."\n'),
    ):
        path.write_bytes(content)
        found = read_segment_texts(path)
        assert found.texts == ('He said "yes".',)
        assert len(found.warnings) == 1
        assert "quotation marks" in found.warnings[0]
    path = tmp_path / "q.xlsx"
    path.write_bytes(workbook(["segment", "text"], ["s1", '"as it stands"']))
    assert read_segment_texts(path).texts == ('"as it stands"',)
