"""An alignment as columns to draw: each word of the output over the word that it became.

The shifts come first in tercom's account, then the edits; so the columns go over the output as it
stands after all shifts, and a block that moved leaves a column of its own behind where it was.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from madcat_studio.scoring import kernel
from madcat_studio.scoring.ter import TerResult

__all__ = ["Column", "ColumnKind", "columns"]


class ColumnKind(StrEnum):
    """What a column shows."""

    MATCH = "match"
    SUBSTITUTION = "substitution"
    INSERTION = "insertion"  # a word that only the output has
    DELETION = "deletion"  # a word that only the other text has
    ORIGIN = "origin"  # the place from which a block moved away


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes:
        kind: what it shows.
        output: the output's word, "" where it has none here.
        text: the other text's word, "" where it has none here.
        shift: number of the shift that brought the word here (or, for an origin, took the block
            away), from 1; 0 where the word did not move.
        output_at, text_at: which word of the output and of the other text it is, from 0; -1 for
            none. Two columns that show the same are equal wherever they stand.
    """

    kind: ColumnKind
    output: str = ""
    text: str = ""
    shift: int = 0
    output_at: int = field(default=-1, compare=False)
    text_at: int = field(default=-1, compare=False)


_KINDS = {
    " ": ColumnKind.MATCH,
    "S": ColumnKind.SUBSTITUTION,
    "I": ColumnKind.INSERTION,
    "D": ColumnKind.DELETION,
}


def columns(result: TerResult) -> tuple[Column, ...]:
    """The columns of a result, from left to right.

    The words are those that were compared: after normalisation, and lower-cased where case was
    not heeded. A word that moved twice bears the number of its last shift.
    """
    order = list(range(len(result.output_words)))
    last_shift = [0] * len(order)
    origins: dict[int, list[int]] = {}
    for number, shift in enumerate(result.shifts, start=1):
        for word in order[shift.start : shift.end + 1]:
            last_shift[word] = number
        # The gap is remembered by the word that stood behind the block; -1: none did.
        behind = order[shift.end + 1] if shift.end + 1 < len(order) else -1
        origins.setdefault(behind, []).append(number)
        order = kernel.move(order, shift.start, shift.end, shift.newloc)

    drawn: list[Column] = []

    def gaps(word: int) -> None:
        drawn.extend(Column(ColumnKind.ORIGIN, shift=number) for number in origins.get(word, ()))

    outputs, texts = iter(order), iter(enumerate(result.reference_words))
    for step in result.alignment:
        kind = _KINDS[step]
        output, text, moved, output_at, text_at = "", "", 0, -1, -1
        if kind is not ColumnKind.DELETION:
            output_at = next(outputs)
            gaps(output_at)
            output, moved = result.output_words[output_at], last_shift[output_at]
        if kind is not ColumnKind.INSERTION:
            text_at, text = next(texts)
        drawn.append(Column(kind, output, text, moved, output_at, text_at))
    gaps(-1)
    return tuple(drawn)
