from __future__ import annotations

from pathlib import Path

import pytest

from madcat_studio.errors import FormatError
from madcat_studio.formats.standoff import NAME, change_errors, find_standoff, read_errors
from madcat_studio.formats.tables import read_plain_rows
from madcat_studio.model.document import TokenError

ROWS = (
    "# BASE\tsegment\ttoken\n"
    "OTHER\ts1\ts1-1\ttypo\ta\tb\n"
    "MINE\ts1\ts1-3\tmissing\t\tالحكومي\n"
    "MINE\ts2\n"
    "LAST\ts9\ts9-1\textra\tx\t\n"
)
TYPO = TokenError("typo", "كتب", "كتاب")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / NAME
    path.write_bytes(ROWS.encode())
    return path


def changed(path: Path, after: dict[tuple[str, str], TokenError]) -> str:
    change_errors(path, "MINE", read_errors(path, "MINE"), after)
    return path.read_bytes().decode()


def test_the_rows_of_a_document_are_read(table: Path) -> None:
    assert read_errors(table, "MINE") == {("s1", "s1-3"): TokenError("missing", "", "الحكومي")}
    assert read_errors(table, "NOBODY") == {}
    assert read_errors(table.with_name("none.tsv"), "MINE") == {}


def test_a_new_row_goes_behind_those_of_its_document(table: Path) -> None:
    before = read_errors(table, "MINE")
    text = changed(table, {**before, ("s1", "s1-9"): TYPO})
    row = "MINE\ts1\ts1-9\ttypo\tكتب\tكتاب\n"
    assert text == ROWS.replace("MINE\ts2\n", f"MINE\ts2\n{row}")


def test_a_row_is_replaced_and_removed_in_its_place(table: Path) -> None:
    assert changed(table, {("s1", "s1-3"): TYPO}) == ROWS.replace(
        "missing\t\tالحكومي", "typo\tكتب\tكتاب"
    )
    assert changed(table, {}) == ROWS.replace("MINE\ts1\ts1-3\tmissing\t\tالحكومي\n", "").replace(
        "MINE\ts1\ts1-3\ttypo\tكتب\tكتاب\n", ""
    )


def test_nothing_changed_leaves_the_file_alone(table: Path) -> None:
    stamp = table.stat().st_mtime_ns
    changed(table, dict(read_errors(table, "MINE")))
    assert table.stat().st_mtime_ns == stamp


def test_rows_that_somebody_else_wrote_meanwhile_stay(table: Path) -> None:
    before = read_errors(table, "MINE")
    table.write_bytes((ROWS + "MINE\ts5\ts5-5\tnote\t\t\n").encode())
    change_errors(table, "MINE", before, {**before, ("s1", "s1-9"): TYPO})
    assert set(read_errors(table, "MINE")) == {("s1", "s1-3"), ("s1", "s1-9"), ("s5", "s5-5")}


@pytest.mark.parametrize("text", ["", "# only a remark", "OTHER\ts1\ts1-1\ttypo\ta\tb"])
def test_a_first_row_makes_a_sound_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / NAME
    if text:
        path.write_text(text, encoding="utf-8")
    change_errors(path, "MINE", {}, {("s1", "s1-9"): TYPO})
    assert read_errors(path, "MINE") == {("s1", "s1-9"): TYPO}
    assert path.read_text(encoding="utf-8").startswith(text)
    assert path.read_bytes().endswith(b"\n")
    assert len(read_plain_rows(path)) == 1 + text.startswith("OTHER")


def test_line_ends_of_windows_are_kept(table: Path) -> None:
    table.write_bytes(b"\xef\xbb\xbf" + ROWS.replace("\n", "\r\n").encode())
    before = read_errors(table, "MINE")
    change_errors(table, "MINE", before, {**before, ("s1", "s1-9"): TYPO})
    data = table.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf# BASE")
    assert data.count(b"\n") == data.count(b"\r\n") == ROWS.count("\n") + 1
    assert read_errors(table, "MINE")[("s1", "s1-9")] == TYPO


def test_fields_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / NAME
    odd = TokenError("a\tb", "c\\d", "e\nf")
    change_errors(path, "#BASE", {}, {("s", "t"): odd})
    assert read_errors(path, "#BASE") == {("s", "t"): odd}


def test_where_the_file_lies(tmp_path: Path) -> None:
    page = tmp_path / "data" / "madcat" / "MINE.madcat.xml"
    page.parent.mkdir(parents=True)
    assert find_standoff(page) == page.with_name(NAME)
    (tmp_path / "data" / "docs").mkdir()
    there = tmp_path / "data" / "docs" / NAME
    there.write_text("")
    assert find_standoff(page) == there
    page.with_name(NAME).write_text("")
    assert find_standoff(page) == page.with_name(NAME)


def test_a_file_that_cannot_be_read_is_not_written(table: Path) -> None:
    table.write_bytes(b"MINE\ts1\ts1-1\ttypo\t\xff\t\n")
    with pytest.raises(FormatError):
        change_errors(table, "MINE", {}, {("s1", "s1-9"): TYPO})
    assert table.read_bytes() == b"MINE\ts1\ts1-1\ttypo\t\xff\t\n"
