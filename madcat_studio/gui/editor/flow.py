"""Lays an alignment out in rows: the text as it reads, and above it what was there before.

Pure measuring, so that it can be tested without a window. The lower row keeps the text's own
spacing; what stands above a word may reach over the words that follow it, and pushes them to the
right only where it would run into the next thing above.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from madcat_studio.scoring.changes import Alignment
from madcat_studio.scoring.columns import Column, ColumnKind

__all__ = ["CARET", "Flow", "Placed", "Row", "flow", "known_of", "number_text", "rows_of"]

CARET = 9.0
"""The room of the mark in the lower row where words are missing, in pixels."""

_BETWEEN_ABOVE = 8.0
_BETWEEN_WORDS = 4.0
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"


def number_text(shift: int) -> str:
    """How the number of a move is written."""
    return _CIRCLED[shift - 1] if shift <= len(_CIRCLED) else f"({shift})"


class Placed(NamedTuple):
    """One column in its place.

    Attributes:
        number: of the column.
        row: from 0.
        x, width: of its word in the lower row, or of its caret.
        mark: what stands above before the words: ``+`` or the number of a move.
        above: the words above, "" for none.
        above_x, above_width: their place, mark included.
        continues: it belongs to the column before it, in the same row: one block.
    """

    number: int
    row: int
    x: float
    width: float
    mark: str
    above: str
    above_x: float
    above_width: float
    continues: bool


@dataclass(frozen=True, slots=True)
class Flow:
    """All columns in their places."""

    placed: tuple[Placed, ...]
    rows: int


@dataclass(slots=True)
class Row:
    """One row, to be compared with the one that stood there before.

    Attributes:
        placed: its columns, each with the one before it.
        drawn: all that decides what each column looks like.
    """

    placed: list[tuple[Placed, Placed | None]] = field(default_factory=list)
    drawn: list[tuple[object, ...]] = field(default_factory=list)

    def changed_from(self, old: Row) -> float | None:
        """From where on it looks different from another row; None: it looks the same."""
        if self.drawn == old.drawn:
            return None
        both = min(len(self.drawn), len(old.drawn))
        same = next((at for at in range(both) if self.drawn[at] != old.drawn[at]), both)
        return self.placed[same - 1][0].x if same else 0.0


def rows_of(
    flow: Flow, columns: Sequence[Column], old: Sequence[Row] = (), kept: int = 0
) -> list[Row]:
    """The rows of a flow; the first ``kept`` ones are those of the flow before."""
    rows = [*old[:kept], *(Row() for _ in range(flow.rows - kept))]
    first = sum(len(row.placed) for row in rows[:kept])
    before = flow.placed[first - 1] if first else None
    for placed in flow.placed[first:]:
        row, column = rows[placed.row], columns[placed.number]
        row.placed.append((placed, before))
        row.drawn.append(
            (
                placed.x,
                placed.width,
                placed.above_width,
                column.kind,
                column.text,
                placed.above,
                placed.mark,
                placed.continues,
                column.shift > 0,
            )
        )
        before = placed
    return rows


def flow(
    alignment: Alignment,
    width: float,
    below: Callable[[str], float],
    above: Callable[[str], float],
    known: Sequence[Placed] = (),
) -> Flow:
    """Place the columns.

    Args:
        alignment: what to draw.
        width: of a row, in pixels.
        below, above: measure a text of the lower and of the upper row.
        known: where the first columns go, up to the first one of a row.
    """
    blank = below(" ")
    placed = list(known)
    row, end, above_end = 0, 0.0, -_BETWEEN_ABOVE
    before: Column | None = None
    if known:
        last = known[-1]
        row, end = last.row, last.x + last.width
        above_end = last.x + last.above_width if last.above_width else -_BETWEEN_ABOVE
        before = alignment.columns[last.number]
    for number, column in enumerate(alignment.columns[len(placed) :], len(placed)):
        kind, _, text, shift, _, _ = column
        if kind is ColumnKind.MATCH and not shift:
            # Most words of most texts: nothing stands above them, and all this is in every key.
            room = below(text)
            x = end if end == 0 or alignment.joined(column) else end + blank
            if end and x + room > width:
                row, x, above_end = row + 1, 0.0, -_BETWEEN_ABOVE
            placed.append(Placed(number, row, x, room, "", "", x, 0.0, False))
            end, before = x + room, column
            continue
        missing = kind in _MISSING
        again = before is not None and before.kind is kind is ColumnKind.INSERTION
        mark, words = _above(alignment, column, before)
        over = above(mark + words) if mark or words else 0.0
        room = CARET if missing else below(text)
        joined = not missing and alignment.joined(column)
        x = end + (0.0 if joined or end == 0 else blank)
        if again:
            # Words left out one after the other share one caret.
            x, room = above_end + _BETWEEN_WORDS, 0.0
        elif over:
            x = max(x, above_end + _BETWEEN_ABOVE)
        if end and (x + room > width or (over and x + over > width)):
            row, x, above_end, before = row + 1, 0.0, -_BETWEEN_ABOVE, None
            if again:
                again, room = False, CARET
        continues = before is not None and _one_block(before, column)
        placed.append(Placed(number, row, x, room, mark, words, x, over, continues))
        if not again:
            end = x + room
        if over:
            above_end = x + over
        before = column
    return Flow(tuple(placed), row + 1 if placed else 0)


def known_of(flow: Flow, old: Alignment, new: Alignment) -> Sequence[Placed]:
    """What a flow of an alignment tells of that of another one, for the same width and faces.

    A keystroke changes nothing of what stands before it: up to the first column of the row in
    which it is, all stays where it was.
    """
    same = old.same_columns(new)
    if not same or not flow.placed:
        return ()
    row = flow.placed[same - 1].row
    first = bisect_left(flow.placed, row, hi=same, key=lambda one: one.row)
    return flow.placed[: first + 1]


_MISSING = (ColumnKind.INSERTION, ColumnKind.ORIGIN)  # a tuple: an enum's hash is slow


def _one_block(before: Column, column: Column) -> bool:
    return (
        before.kind is column.kind
        and before.shift == column.shift
        and column.kind not in _MISSING
        and (column.kind is not ColumnKind.MATCH or bool(column.shift))
    )


def _above(alignment: Alignment, column: Column, before: Column | None) -> tuple[str, str]:
    """The mark and the words of the upper row, for a word that was changed."""
    number = number_text(column.shift) if column.shift else ""
    if before is not None and before.shift == column.shift and before.kind is not ColumnKind.ORIGIN:
        number = ""  # it stands above the first word of the block
    match column.kind:
        case ColumnKind.MATCH:
            return number, ""
        case ColumnKind.ORIGIN:
            return number, alignment.moved(column.shift)
        case ColumnKind.DELETION:
            again = before is not None and before.kind is ColumnKind.DELETION
            return "" if again else "+", ""
        case _:
            return number, column.output
