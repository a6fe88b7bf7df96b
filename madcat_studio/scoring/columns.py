"""An alignment as columns to draw: each word of the output over the word that it became.

The shifts come first in tercom's account, then the edits; so the columns go over the output as it
stands after all shifts, and a block that moved leaves a column of its own behind where it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from madcat_ter import kernel
from madcat_ter.ter import TerResult

__all__ = ["Column", "ColumnKind", "columns", "packed_columns"]


class ColumnKind(StrEnum):
    """What a column shows."""

    MATCH = "match"
    SUBSTITUTION = "substitution"
    INSERTION = "insertion"  # a word that only the output has
    DELETION = "deletion"  # a word that only the other text has
    ORIGIN = "origin"  # the place from which a block moved away


class Column(NamedTuple):
    """One column. A plain tuple, since dozens of them are made and compared at every keystroke.

    Attributes:
        kind: what it shows.
        output: the output's word, "" where it has none here.
        text: the other text's word, "" where it has none here.
        shift: number of the shift that brought the word here (or, for an origin, took the block
            away), from 1; 0 where the word did not move.
        output_at, text_at: which word of the output and of the other text it is, from 0; -1 for
            none.
    """

    kind: ColumnKind
    output: str = ""
    text: str = ""
    shift: int = 0
    output_at: int = -1
    text_at: int = -1


_KINDS = {
    " ": ColumnKind.MATCH,
    "S": ColumnKind.SUBSTITUTION,
    "I": ColumnKind.INSERTION,
    "D": ColumnKind.DELETION,
}


def packed_columns(
    outputs: Sequence[str],
    texts: Sequence[str],
    alignment: str,
    shifts: Iterable[Sequence[int]],
) -> tuple[str, str, str] | tuple[str, str, str, list[int]]:
    """The columns in few words, without origins: a report has millions.

    Args:
        outputs, texts: the words that were compared.
        alignment, shifts: of :meth:`madcat_ter.ter.TerSegments.steps`.

    Returns:
        The output's words after all shifts and the other text's, a blank between them; the
        alignment, a step a column; and, where any word moved, the number of the shift of each of
        the output's words, or 0.
    """
    moves = [(start, end, newloc) for start, end, _, newloc in shifts]
    if not moves:
        return " ".join(outputs), " ".join(texts), alignment
    order, last_shift, _ = _moved(len(outputs), moves)
    return (
        " ".join([outputs[word] for word in order]),
        " ".join(texts),
        alignment,
        [last_shift[word] for word in order],
    )


def _moved(
    words: int, moves: Iterable[tuple[int, int, int]]
) -> tuple[Sequence[int], list[int], dict[int, list[int]]]:
    """An output's words in their order after all shifts, the last shift of each, and origins.

    An origin is remembered by the word that stood behind the block; -1: none did.
    """
    order: Sequence[int] = range(words)
    last_shift = [0] * words
    origins: dict[int, list[int]] = {}
    for number, (start, end, newloc) in enumerate(moves, start=1):
        for word in order[start : end + 1]:
            last_shift[word] = number
        behind = order[end + 1] if end + 1 < len(order) else -1
        origins.setdefault(behind, []).append(number)
        order = kernel.move(list(order), start, end, newloc)
    return order, last_shift, origins


def columns(result: TerResult) -> tuple[Column, ...]:
    """The columns of a result, from left to right.

    The words are those that were compared: after normalisation, and lower-cased where case was
    not heeded. A word that moved twice bears the number of its last shift.
    """
    moves = [(shift.start, shift.end, shift.newloc) for shift in result.shifts]
    order, last_shift, origins = _moved(len(result.output_words), moves)
    drawn: list[Column] = []
    outputs, texts = result.output_words, result.reference_words
    place = text_at = 0
    for step in result.alignment:
        kind = _KINDS[step]
        if kind is ColumnKind.DELETION:
            drawn.append(Column(kind, "", texts[text_at], 0, -1, text_at))
            text_at += 1
            continue
        word = order[place]
        place += 1
        if word in origins:
            drawn.extend(Column(ColumnKind.ORIGIN, shift=number) for number in origins[word])
        if kind is ColumnKind.INSERTION:
            drawn.append(Column(kind, outputs[word], "", last_shift[word], word))
        else:
            drawn.append(
                Column(kind, outputs[word], texts[text_at], last_shift[word], word, text_at)
            )
            text_at += 1
    drawn.extend(Column(ColumnKind.ORIGIN, shift=number) for number in origins.get(-1, ()))
    return tuple(drawn)
