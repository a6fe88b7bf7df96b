"""The tables of docs/files.md: tab-separated, and as spreadsheets have them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.errors import FormatError
from madcat_studio.formats.files import read_file
from madcat_studio.formats.foreign_tables import (
    is_workbook,
    separated,
    workbook_of,
    workbook_rows,
)
from madcat_studio.formats.spreadsheet_quotes import is_quoted, unquoted, wrapped
from madcat_studio.model.problem import Problem, Severity, Where

__all__ = [
    "Row",
    "Table",
    "escape_field",
    "read_number",
    "read_plain_rows",
    "read_table",
    "table_bytes",
    "unescape_field",
    "write_table",
]

_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_LETTERS = {"\\": "\\", "t": "\t", "n": "\n", "r": "\r", "#": "#"}


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its 1-based line in the file and its fields by column name."""

    line: int
    fields: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.fields[column]

    def get(self, column: str, default: str = "") -> str:
        """The field, or ``default`` where the table has no such column."""
        return self.fields.get(column, default)


@dataclass(frozen=True, slots=True)
class Table:
    """A table that was read.

    Attributes:
        path: the file.
        columns: those of the file that are known, in the file's order.
        rows: in the file's order; each has a field for every column in ``columns``.
        problems: unknown columns and the like.
    """

    path: Path
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    problems: tuple[Problem, ...]

    def where(self, row: Row) -> str:
        """``file:line`` of a row, for messages."""
        return f"{self.path}:{row.line}"


def escape_field(text: str) -> str:
    r"""``text`` with tab, line feed, carriage return and backslash as ``\t \n \r \\``."""
    return "".join(_ESCAPES.get(character, character) for character in text)


def unescape_field(text: str) -> str:
    """The reverse of :func:`escape_field`.

    Raises:
        ValueError: a backslash before anything else than ``t``, ``n``, ``r``, ``#`` or a backslash.
    """
    if "\\" not in text:
        return text
    parts: list[str] = []
    characters = iter(text)
    for character in characters:
        if character != "\\":
            parts.append(character)
            continue
        letter = next(characters, "")
        if letter not in _LETTERS:
            raise ValueError(f"\\{letter}")
        parts.append(_LETTERS[letter])
    return "".join(parts)


def read_table(
    path: Path | str,
    *,
    required: Sequence[str],
    optional: Sequence[str] = (),
    others: bool = False,
) -> Table:
    """Read a table whose first row names its columns.

    Args:
        path: the file.
        required: columns that must be there.
        optional: columns that may be there; any other is left out, with a problem.
        others: any other column is kept as well, if it has a name.

    Raises:
        InputError: the file is not there.
        FormatError: ``table.not-utf8``, ``table.empty``, ``table.column-missing``,
            ``table.column-twice``, ``table.fields`` (a row with too few or too many fields),
            ``table.escape``.
        WorldError: it cannot be read.
    """
    path = Path(path)
    lines, told = _cells(path, required)
    if not lines:
        raise FormatError(
            "table.empty",
            "the table has no row that names its columns",
            where=path,
            remedy=f"Begin it with: {' '.join(required)} (tabs between)",
        )
    header_line, header = lines[0]
    names = [name.strip() for name in header]
    while names and not names[-1]:  # a spreadsheet's empty columns at the end
        names.pop()
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise FormatError(
            "table.column-twice",
            f"the column {twice[0]} occurs twice",
            where=f"{path}:{header_line}",
            remedy="Name each column once",
        )
    missing = [name for name in required if name not in names]
    if missing:
        raise FormatError(
            "table.column-missing",
            f"the table has no column {', '.join(missing)} (it has: {', '.join(names)})",
            where=f"{path}:{header_line}",
            remedy="The first row must name the columns, with tabs between",
        )
    wanted = {*required, *optional, *(filter(None, names) if others else ())}
    problems = tuple(
        Problem(
            "table-unknown-column",
            Severity.WARNING,
            Where(str(path), header_line, name),
            f"the column {name or '(without a name)'} is unknown",
            "ignored",
            "Check its spelling",
        )
        for name in names
        if name not in wanted
    )
    if told is not None:
        problems = (told, *problems)
    rows = []
    for number, fields in lines[1:]:
        while len(fields) > len(names) and not fields[-1]:
            fields.pop()
        if len(fields) != len(names):
            raise FormatError(
                "table.fields",
                f"the row has {_count(len(fields), 'field')}, the first row names "
                f"{_count(len(names), 'column')}",
                where=f"{path}:{number}",
                remedy=r"Put one tab between two fields, and \t for a tab inside one",
            )
        rows.append(
            Row(
                number,
                {
                    name: _unescape(field, path, number)
                    for name, field in zip(names, fields, strict=True)
                    if name in wanted
                },
            )
        )
    return Table(path, tuple(name for name in names if name in wanted), tuple(rows), problems)


def read_plain_rows(path: Path | str) -> list[tuple[int, list[str]]]:
    """The rows of a table without a header: (1-based line, fields).

    Raises:
        InputError, WorldError: the file is not there or cannot be read.
        FormatError: ``table.not-utf8``, ``table.escape``; ``table.quoted``: a spreadsheet put its
            cells in quotation marks.
    """
    path = Path(path)
    data = read_file(path)
    if is_workbook(data):
        lines, _ = workbook_rows(data, path)
        return [(number, [_unescape(one, path, number) for one in row]) for number, row in lines]
    lines = _lines(_decoded(data, path))
    if is_quoted([fields for _, fields in lines]):
        number = next(number for number, fields in lines if any(map(wrapped, fields)))
        raise FormatError(
            "table.quoted",
            "a spreadsheet put cells of this table in quotation marks",
            where=f"{path}:{number}",
            remedy="Save it as text without quotation marks around cells",
        )
    return [
        (number, [_unescape(field, path, number) for field in fields]) for number, fields in lines
    ]


def write_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """A table as bytes in UTF-8: the row of column names, then ``rows``."""
    lines = ["\t".join(columns)]
    for row in rows:
        if len(row) != len(columns):
            raise ValueError(f"{len(row)} fields for {len(columns)} columns")
        line = "\t".join(map(escape_field, row))
        # Else the row would read as a remark.
        lines.append(f"\\{line}" if line.startswith("#") else line)
    return ("\n".join(lines) + "\n").encode("utf-8")


def table_bytes(
    path: Path,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    remarks: Sequence[str] = (),
) -> bytes:
    """A table as bytes: a workbook where the file is to be called ``.xlsx``, else with tabs.

    Remarks, of one line each, stand above it; whoever reads it as a table passes over them.
    """
    spelt = [f"# {one}" for one in remarks]
    if path.suffix.lower() == ".xlsx":
        return workbook_of(columns, rows, spelt)
    above = "".join(f"{escape_field(one)}\n" for one in spelt)
    return above.encode("utf-8") + write_table(columns, rows)


def read_number(text: str) -> float:
    """A number, with a decimal point or a decimal comma. ValueError where it is none."""
    return float(text.replace(",", ".", 1) if "." not in text else text)


def _cells(
    path: Path, required: Sequence[str]
) -> tuple[list[tuple[int, list[str]]], Problem | None]:
    """Numbered rows of cells without a spreadsheet's quotation marks, and what is to be said."""
    data = read_file(path)
    if is_workbook(data):
        return workbook_rows(data, path)
    text = _decoded(data, path)
    if (found := separated(text, required, path)) is not None:
        return found
    lines = _lines(text)
    marked = sum(wrapped(cell) for _, fields in lines for cell in fields)
    if not marked:
        return lines, None
    place = Where(str(path), next(number for number, row in lines if any(map(wrapped, row))))
    if not is_quoted([fields for _, fields in lines]):
        return lines, Problem(
            "table-quotation-marks",
            Severity.NOTE,
            place,
            f"{_count(marked, 'cell')} begin and end with a quotation mark",
            "kept as they are",
            "If a spreadsheet put them there, save the table without them",
        )
    return [(number, [*map(unquoted, fields)]) for number, fields in lines], Problem(
        "table-quoted",
        Severity.WARNING,
        place,
        f"a spreadsheet put {_count(marked, 'cell')} in quotation marks",
        "read without them",
        "Check texts that have quotation marks of their own",
    )


_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def _decoded(data: bytes, path: Path) -> str:
    try:
        return data.decode("utf-16" if data.startswith(_UTF_16) else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            "table.not-utf8",
            f"byte {error.start} (0x{data[error.start]:02X}) is not UTF-8",
            where=f"{path}:{data.count(10, 0, error.start) + 1}",
            remedy="Save the table as UTF-8",
        ) from None


def _lines(text: str) -> list[tuple[int, list[str]]]:
    """Numbered rows of cells that are neither blank nor a remark."""
    # Only line feeds end a row: U+2028 and the like are text.
    ends = "\n" if "\n" in text else "\r"  # old programs end a row with a carriage return alone
    lines = (line.removesuffix("\r") for line in text.split(ends))
    # Most cells of a column say the same as others: each is kept once.
    once: dict[str, str] = {}
    return [
        (number, [once.setdefault(cell, cell) for cell in line.split("\t")])
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.startswith("#")  # spreadsheets leave rows of tabs behind
    ]


def _unescape(field: str, path: Path, line: int) -> str:
    try:
        return unescape_field(field)
    except ValueError as error:
        raise FormatError(
            "table.escape",
            f"“{error}” has no meaning in a table",
            where=f"{path}:{line}",
            remedy=r"Write a backslash as \\, a tab as \t, a line feed as \n",
        ) from None


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
