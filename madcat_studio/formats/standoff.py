"""The stand-off file of scribe errors: found beside a document, read, and changed row by row.

One file names the errors of many documents (docs/files.md). Changing one row leaves every other
byte as it was: remarks, rows of other documents, the order, how lines end.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from madcat_studio.formats.files import read_file, write_atomically
from madcat_studio.formats.tables import escape_field, read_plain_rows
from madcat_studio.model.document import TokenError

__all__ = ["NAME", "change_errors", "find_standoff", "read_errors"]

NAME = "scribe_errors.standoff.tsv"

Errors = Mapping[tuple[str, str], TokenError]


def find_standoff(document: Path) -> Path:
    """The file for a document: beside it, in ``docs`` beside it, or one folder above in the same
    places; where there is none yet, beside it."""
    here = document.parent
    places = (here, here / "docs", here.parent, here.parent / "docs")
    return next((found for place in places if (found := place / NAME).is_file()), here / NAME)


def read_errors(path: Path, base: str) -> dict[tuple[str, str], TokenError]:
    """The errors of one document, by the ids of segment and token; none where there is no file.

    A row without a token names its whole segment and is no token's error; of two rows for one
    token the first counts.

    Raises:
        FormatError: it is not UTF-8, or a field is escaped wrongly.
        WorldError: it cannot be read.
    """
    found: dict[tuple[str, str], TokenError] = {}
    if not path.is_file():
        return found
    for _, row in read_plain_rows(path):
        of, segment, token, error, written, intended = (*row, "", "", "", "", "")[:6]
        if of == base and segment and token:
            found.setdefault((segment, token), TokenError(error, written, intended))
    return found


def change_errors(path: Path, base: str, before: Errors, after: Errors) -> None:
    """Bring the rows of one document from ``before`` to ``after``, in the file as it is now.

    Rows that did not change between the two are left to whoever else writes the file.

    Raises:
        FormatError, WorldError: as :func:`read_errors`; ``file.cannot-write``.
    """
    changed = {
        name: after.get(name)
        for name in before.keys() | after.keys()
        if before.get(name) != after.get(name)
    }
    if not changed:
        return
    data = read_file(path) if path.is_file() else b""
    rows = dict(read_plain_rows(path)) if data else {}
    lines = data.split(b"\n")
    ending = b"\r\n" if b"\r\n" in data else b"\n"
    kept: list[bytes] = []
    last_of_base = None
    for number, line in enumerate(lines, 1):
        row = rows.get(number)
        if row is None or row[0] != base:
            kept.append(line)
            continue
        name = (row[1], row[2]) if len(row) > 2 else ("", "")
        if name not in changed:
            kept.append(line)
            last_of_base = len(kept)
            continue
        error = changed.pop(name)
        if error is not None:
            cr = b"\r" if line.endswith(b"\r") else b""
            kept.append(_row(base, name, error) + cr)
            last_of_base = len(kept)
    new = [_row(base, name, error) for name, error in sorted(changed.items()) if error is not None]
    if new and last_of_base is None:
        # At the end: behind the last line feed, which a file made by hand may lack.
        while kept and not kept[-1].strip():
            kept.pop()
        last_of_base = len(kept)
        kept.append(b"")
    cr = ending[:-1]
    if new and last_of_base is not None:
        if last_of_base and cr and not kept[last_of_base - 1].endswith(cr):
            kept[last_of_base - 1] += cr
        kept[last_of_base:last_of_base] = [line + cr for line in new]
        if last_of_base + len(new) == len(kept):
            kept.append(b"")
    write_atomically(path, b"\n".join(kept))


def _row(base: str, name: tuple[str, str], error: TokenError) -> bytes:
    fields = (base, *name, error.error, error.written, error.intended)
    line = "\t".join(map(escape_field, fields))
    return (f"\\{line}" if line.startswith("#") else line).encode("utf-8")
