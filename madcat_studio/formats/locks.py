"""Which lines of a document are locked: a small table beside it, never the document itself.

``BASE.locks.tsv`` has one row a line: page and line, counted from 1, and the line's id. There is
no file where nothing is locked.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from madcat_studio.errors import FormatError, WorldError
from madcat_studio.formats.files import write_atomically
from madcat_studio.formats.madcat import base_of
from madcat_studio.formats.tables import read_table, write_table
from madcat_studio.model.document import Document, Line

__all__ = ["find_locked", "locks_file", "read_locks", "write_locks"]

_COLUMNS = ("page", "line", "id")
Rows = tuple[tuple[int, int, str], ...]
"""Page and line from 0, id; "" for a line without one."""


def locks_file(document: Path) -> Path:
    """Where the locks of a document are."""
    return document.with_name(f"{base_of(document)}.locks.tsv")


def read_locks(path: Path) -> Rows:
    """The rows of a table; none where there is no file.

    Raises:
        FormatError: ``locks.number`` and what tables raise.
        WorldError: it cannot be read.
    """
    if not path.is_file():
        return ()
    table = read_table(path, required=_COLUMNS)
    rows = []
    for row in table.rows:
        if not (row["page"].isdecimal() and row["line"].isdecimal()):
            raise FormatError(
                "locks.number",
                f"page and line must be numbers, not {row['page']!r} and {row['line']!r}",
                where=table.where(row),
                remedy="Correct the row, or remove the file: then nothing is locked",
            )
        rows.append((int(row["page"]) - 1, int(row["line"]) - 1, row["id"]))
    return tuple(rows)


def write_locks(path: Path, rows: Rows) -> None:
    """Write the table; without rows the file is removed.

    Raises:
        WorldError: it cannot be written.
    """
    if rows:
        texts = [(str(page + 1), str(line + 1), name) for page, line, name in rows]
        write_atomically(path, write_table(_COLUMNS, texts))
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise WorldError(
            "locks.cannot-remove",
            f"the file cannot be removed ({error.strerror})",
            where=path,
            remedy="Remove it by hand: nothing is locked any more",
        ) from None


def find_locked(document: Document, rows: Rows) -> list[Line]:
    """The lines that rows mean: by id, and of several with one id the one at that place."""
    found = []
    for page, number, name in rows:
        lines: Sequence[Line] = document.pages[page].lines if page < len(document.pages) else ()
        same = [n for n, line in enumerate(lines) if (line.id or "") == name]
        if number in same or len(same) == 1:
            found.append(lines[number if number in same else same[0]])
    return found
