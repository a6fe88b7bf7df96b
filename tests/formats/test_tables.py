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
