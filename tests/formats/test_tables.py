from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.errors import FormatError, InputError
from madcat_studio.formats.tables import (
    escape_field,
    read_plain_rows,
    read_table,
    unescape_field,
    write_table,
)


@given(st.text())
def test_a_field_comes_back(text: str) -> None:
    escaped = escape_field(text)
    assert unescape_field(escaped) == text
    assert not set(escaped) & set("\t\n\r")


def table(folder: Path, text: str | bytes) -> Path:
    path = folder / "t.tsv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_columns_in_any_order_with_remarks_and_a_mark(tmp_path: Path) -> None:
    path = table(tmp_path, "\ufeff# remark\r\nb\ta\tc\r\n\r\n1\\t2\t\\\\\tx\r\n# no\r\n3\t4\t5")
    found = read_table(path, required=["a"], optional=["b", "d"])
    assert found.columns == ("b", "a")
    assert [(row.line, row["a"], row["b"], row.get("d", "-")) for row in found.rows] == [
        (4, "\\", "1\t2", "-"),
        (6, "4", "3", "-"),
    ]
    assert [(p.code, p.where.line, p.where.element) for p in found.problems] == [
        ("table-unknown-column", 2, "c")
    ]
    assert found.where(found.rows[0]) == f"{path}:4"


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "table.empty", ""),
        ("# only\n\n", "table.empty", ""),
        ("b\n1\n", "table.column-missing", ":1"),
        ("a\ta\n1\t2\n", "table.column-twice", ":1"),
        ("a\n1\t2\n", "table.fields", ":2"),
        ("a\tb\n1\n", "table.fields", ":2"),
        ("a\n\\x\n", "table.escape", ":2"),
        ("a\nend\\\n", "table.escape", ":2"),
        (b"a\n\nb\xffc\n", "table.not-utf8", ":3"),
    ],
)
def test_what_is_no_table(tmp_path: Path, text: str | bytes, code: str, line: str) -> None:
    path = table(tmp_path, text)
    with pytest.raises(FormatError) as caught:
        read_table(path, required=["a"], optional=["b"])
    assert (caught.value.code, caught.value.where) == (code, f"{path}{line}")


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_table(tmp_path / "no.tsv", required=["a"])
    assert caught.value.code == "file.not-found"


def test_written_and_read(tmp_path: Path) -> None:
    rows = [["a\tb", "سلام"], ["c\nd\\n", "\u2028"], ["x", ""], ["# no remark", "#"]]
    path = table(tmp_path, write_table(["one", "two"], rows))
    found = read_table(path, required=["one", "two"])
    assert [[row["one"], row["two"]] for row in found.rows] == rows
    with pytest.raises(ValueError, match="1 fields for 2"):
        write_table(["a", "b"], [["x"]])


def test_rows_without_a_header(tmp_path: Path) -> None:
    assert read_plain_rows(table(tmp_path, "#x\na\tb\n\nc\\td\n")) == [
        (2, ["a", "b"]),
        (4, ["c\td"]),
    ]


PLAIN = [
    ["segment", "text"],
    ["A/1", 'He said "yes", twice.'],
    ["A/2", "No comma here."],
    ["A/3", "One, two"],
    ["A/4", '"Quoted from end to end."'],
]


def saved(rows: list[list[str]], *, which: str) -> str:
    """A table as a spreadsheet saves it: ``all``, ``minimal`` (marks and commas) or ``marks``."""

    def cell(text: str) -> str:
        wants = which == "all" or '"' in text or (which == "minimal" and "," in text)
        doubled = text.replace('"', '""')
        return f'"{doubled}"' if wants else text

    return "".join("\t".join(map(cell, row)) + "\n" for row in rows)


@pytest.mark.parametrize("which", ["all", "minimal", "marks"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("tail", ["", "\t\t"])
def test_what_a_spreadsheet_saves_is_what_was_written(
    tmp_path: Path, which: str, encoding: str, end: str, tail: str
) -> None:
    path = tmp_path / "t.tsv"
    path.write_bytes(saved(PLAIN, which=which).replace("\n", tail + end).encode(encoding))
    table = read_table(path, required=("segment", "text"))
    assert [[row["segment"], row["text"]] for row in table.rows] == PLAIN[1:]
    assert [problem.code for problem in table.problems] == ["table-quoted"]


def test_quoted_speech_is_no_spreadsheets_work(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    for text in ('"Stop."', '"Yes" and "no"', 'a "b', '"'):
        rows = [["segment", "text"], ["A/1", "One, two"], ["A/2", text]]
        path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
        table = read_table(path, required=("segment", "text"))
        assert [row["text"] for row in table.rows] == ["One, two", text]
        noted = [problem.what for problem in table.problems]
        assert noted == (
            ["1 cell begin and end with a quotation mark"] if text == '"Stop."' else []
        )


def test_quoted_rows_without_a_header_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text(saved(PLAIN[1:], which="minimal"), encoding="utf-8")
    with pytest.raises(FormatError, match=r"t\.tsv:1.*table\.quoted"):
        read_plain_rows(path)
