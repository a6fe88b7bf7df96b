"""A table with typed columns: what every form of a report is made from.

A cell is a str, an int, a float, a bool or None. Rates are fractions, unrounded; a rate that
does not exist (edits over no words) is :data:`NOT_A_RATE`, a rate of nothing at all None.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["NOT_A_RATE", "Cell", "CellKind", "Column", "Table", "number_of", "plain", "some_of"]

NOT_A_RATE = "n/a"
"""The cell of a rate with edits and no words: never nan, never infinite."""

Cell = str | int | float | bool | None


class CellKind(StrEnum):
    """What a column holds: it decides alignment, number format and sorting."""

    TEXT = "text"
    COUNT = "count"
    NUMBER = "number"
    RATE = "rate"
    FLAG = "flag"

    def shown(self, cell: Cell) -> str:
        """A cell as people read it: 1,234 and 17.65 %."""
        if cell is None:
            return ""
        if isinstance(cell, bool):
            return "yes" if cell else ""
        if isinstance(cell, str):
            return cell
        if self is CellKind.RATE:
            text = f"{cell * 100:.2f}\u202f%"
        else:
            text = f"{cell:,}" if isinstance(cell, int) else f"{cell:,.3f}"
        return text.replace("-", "\u2212")


@dataclass(frozen=True, slots=True)
class Column:
    """One column: ``key`` for programs, ``title`` and ``note`` for people."""

    key: str
    title: str
    kind: CellKind = CellKind.TEXT
    note: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """One table. ``rows`` can be gone through as often as wanted.

    Attributes:
        name: for file names and programs, such as ``by-kit``.
        title: for people.
        note: a sentence or two under the title.
        long: whether it may have more rows than a spreadsheet or a page should hold.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: Iterable[tuple[Cell, ...]]
    note: str = ""
    long: bool = False

    def count(self) -> int:
        """How many rows there are; long tables know it without going through them."""
        return len(self.rows) if isinstance(self.rows, Sized) else sum(1 for _ in self.rows)

    def records(self) -> Iterator[dict[str, Cell]]:
        """The rows as mappings from column keys to cells."""
        keys = [column.key for column in self.columns]
        for row in self.rows:
            yield dict(zip(keys, row, strict=True))


def some_of(names: Sequence[str], most: int = 3) -> str:
    """The first names of a list, and how many there are besides."""
    if len(names) <= most + 1:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"


def number_of(count: int, thing: str) -> str:
    """``1 segment``, ``2 segments``."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def plain(value: float) -> int | float:
    """A whole number as an int: edits and words are whole unless costs or references vary."""
    return int(value) if value == int(value) else value
