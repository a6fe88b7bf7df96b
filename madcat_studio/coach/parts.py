"""Parts of an alignment: neighbouring columns that can be changed as one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from madcat_studio.scoring.columns import Column, ColumnKind

__all__ = ["Part", "changed", "parts", "stretches"]

_WIDEST = 14
"""Columns of one part that is taken back as a whole."""

_LONGEST_BLOCK = 10
"""Words; tercom moves no longer ones."""

_EDITS = (ColumnKind.SUBSTITUTION, ColumnKind.INSERTION, ColumnKind.DELETION)


def changed(column: Column) -> bool:
    """Whether the text is another one here: in words, or in their order."""
    return column.kind in _EDITS or (column.kind is ColumnKind.MATCH and column.shift > 0)


@dataclass(frozen=True, slots=True)
class Part:
    """Columns whose words of the output followed each other, as those of the text do.

    Attributes:
        first: its first column.
        output, text: its words.
        solid: nothing in it is as it was.
        moved: words in it are in another order.
    """

    first: int
    output: range
    text: range
    solid: bool = True
    moved: bool = False


def parts(columns: Sequence[Column]) -> Iterator[Part]:
    """All parts in which something was changed, up to a width."""
    texts, before = 0, -1  # words of the text before a part; the output's word before it
    after, changes = _following(columns), [changed(column) for column in columns]
    shifted = [number for number, column in enumerate(columns) if column.shift]
    for first, start in enumerate(columns):
        # Where nothing moved, a part begins with a change: nothing at an end may be as it was.
        near = bisect_left(shifted, first)
        moving = near < len(shifted) and shifted[near] < first + _WIDEST
        begins = start.kind is not ColumnKind.ORIGIN and (changes[first] or moving)
        widest = first + _WIDEST if begins else 0
        low, high, count, inside = len(columns), -1, 0, 0
        solid = True
        for last in range(first, min(widest, len(columns))):
            column = columns[last]
            if (at := column.output_at) >= 0:
                inside += 1
                low, high = min(low, at), max(high, at)
            count += column.text_at >= 0
            solid = solid and changes[last]
            if not inside:
                output, closed = range(before + 1, before + 1), after[last] in (before + 1, None)
            else:
                output, closed = range(low, high + 1), high - low + 1 == inside
            if not closed or column.kind is ColumnKind.ORIGIN:
                continue
            if (changes[first] or start.output_at != low) and (changes[last] or at != high):
                moved = near < len(shifted) and shifted[near] <= last
                yield Part(first, output, range(texts, texts + count), solid, moved)
        if start.output_at >= 0:
            before = start.output_at
        texts += start.text_at >= 0


def _following(columns: Sequence[Column]) -> list[int | None]:
    """For each column the output's word that comes next; None where none does."""
    found: list[int | None] = []
    after: int | None = None
    for column in reversed(columns):
        found.append(after)
        if column.output_at >= 0:
            after = column.output_at
    return found[::-1]


def stretches(columns: Sequence[Column], wanted: ColumnKind) -> Iterator[Part]:
    """Words that follow each other on one side only, or stand against others.

    Each stretch within them, up to a block that a shift can move.
    """
    texts = 0
    for first, column in enumerate(columns):
        outputs: list[int] = []
        count = 0
        for last in range(first, min(first + _LONGEST_BLOCK, len(columns))):
            if columns[last].kind not in (wanted, ColumnKind.SUBSTITUTION):
                break
            if columns[last].output_at >= 0:
                outputs.append(columns[last].output_at)
            count += columns[last].text_at >= 0
            if outputs and max(outputs) - min(outputs) + 1 != len(outputs):
                break
            low = min(outputs, default=0)
            yield Part(first, range(low, low + len(outputs)), range(texts, texts + count))
        texts += column.text_at >= 0
