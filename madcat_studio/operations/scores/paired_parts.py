"""Output and references of any size, paired part by part: what goes out to many machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import overload

import numpy as np

from madcat_studio.formats.segment_texts import Layer
from madcat_studio.formats.text_streams import TextStream, WholeTexts, open_stream
from madcat_studio.operations.scores.ter_wer import ids_differ, lines_differ, read_texts
from madcat_ter.parts import Pairs

__all__ = ["Numbers", "PairedParts", "Part"]

_ROWS = 1 << 15
_CHARACTERS = 1 << 21
"""A part has no more of either, so that those on their way take little memory."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some pairs that follow each other.

    Attributes:
        ids: of each, as :func:`~madcat_studio.operations.scores.ter_wer.pair` gives them.
        pairs: their texts.
    """

    ids: Sequence[str]
    pairs: Pairs

    def place(self, row: int | None) -> str:
        """The id of a row, or the first and the last."""
        return f"{self.ids[0]} to {self.ids[-1]}" if row is None else self.ids[row]

    def pair(self, row: int) -> tuple[str, list[str]]:
        """One pair."""
        one = self.pairs.row(row)
        return one.outputs[0], one.references()[0]


class Numbers(Sequence[str]):
    """The ids of lines, which are their numbers from 1, made when they are asked for."""

    def __init__(self, numbers: range) -> None:
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Numbers: ...
    def __getitem__(self, at: int | slice) -> str | Numbers:
        return Numbers(self.numbers[at]) if isinstance(at, slice) else str(self.numbers[at])


class PairedParts:
    """An output file and its references, read once, in parts.

    What stands in the same order on both sides is paired as it is read; from the first id that
    does not, the rest of the files is held in memory.

    Attributes:
        total: how many pairs there are, or about so many.
        warnings: what the reader must know of the input.

    Raises:
        InputError: ``scoring.lines-differ``, and what reading raises.
    """

    def __init__(
        self, output: Path, references: Sequence[Path], layer: Layer = "translation"
    ) -> None:
        self._output: TextStream
        self._references: list[TextStream]
        if output.suffix.lower() == ".ctm":  # it has no segments of its own
            found, others = read_texts(output, references, layer)
            self._output, self._references = WholeTexts(found), [WholeTexts(one) for one in others]
        else:
            self._output = open_stream(output, layer)
            self._references = [open_stream(path, layer) for path in references]
        self.total = self._output.count
        streams = (self._output, *self._references)
        self.warnings = tuple(warning for one in streams for warning in one.warnings)
        for other in self._references:
            if self._output.numbered and other.numbered and other.count != self._output.count:
                raise lines_differ(self._output.path, self._output.count, other.path, other.count)

    def __iter__(self) -> Iterator[Part]:
        rows = _Rows(self._output)
        others = [_Rows(one) for one in self._references]
        named = [one for one in others if not (one.numbered and rows.numbered)]
        while ids := rows.more():
            number = min(len(ids), *(len(one.more()) for one in others), _ROWS)
            ids = ids[:number]
            if not number or any(list(one.ids[:number]) != list(ids) for one in named):
                break
            texts = [one.texts[:number] for one in (rows, *others)]
            yield from _parts(ids, texts)
            for one in (rows, *others):
                one.drop(number)
        if any(one.more() for one in (rows, *others)):
            yield from self._rest(rows, others)

    def _rest(self, rows: _Rows, others: Sequence[_Rows]) -> Iterator[Part]:
        """What is left, paired by id.

        Raises:
            InputError: ``scoring.ids-differ``.
        """
        outputs = dict(rows.rest())
        columns = [outputs]
        for one in others:
            texts = dict(one.rest())
            missing = [name for name in texts if name not in outputs]
            extra = [name for name in outputs if name not in texts]
            if missing or extra:
                raise ids_differ(rows.path, one.path, missing, extra)
            columns.append(texts)
        names = iter(outputs)
        while some := list(islice(names, _ROWS)):
            yield from _parts(some, [[column[name] for name in some] for column in columns])


def _parts(ids: Sequence[str], columns: Sequence[Sequence[str]]) -> Iterator[Part]:
    """Rows in parts of no more characters than one may have."""
    start = 0
    while start < len(ids):
        rest = [column[start:] for column in columns] if start else columns
        rows = slice(0, _fitting(rest, len(ids) - start))
        outputs, *references = (list(column[rows]) for column in rest)
        yield Part(ids[start : start + rows.stop], Pairs(outputs, references))
        start += rows.stop


def _fitting(columns: Sequence[Sequence[str]], number: int) -> int:
    """So many of the first rows as a part may hold characters: one at least."""
    sizes = [np.fromiter(map(len, column), np.int64, number) for column in columns]
    return max(1, int(np.searchsorted(np.sum(sizes, axis=0).cumsum(), _CHARACTERS, "right")))


class _Rows:
    """The rows of a stream that were read and not used yet."""

    def __init__(self, stream: TextStream) -> None:
        self.path, self.numbered = stream.path, stream.numbered
        self.texts: list[str] = []
        self._ids: list[str] = []
        self._first = 1
        self._blocks = stream.blocks()

    @property
    def ids(self) -> Sequence[str]:
        """Their ids."""
        if self.numbered:
            return Numbers(range(self._first, self._first + len(self.texts)))
        return self._ids

    def more(self) -> Sequence[str]:
        """Read on where there are few; returns the ids of all that are there."""
        while len(self.texts) < _ROWS and (block := next(self._blocks, None)) is not None:
            self.texts += block.texts
            self._ids += block.ids or ()
        return self.ids

    def drop(self, number: int) -> None:
        """Forget the first."""
        self._first += number
        self.texts, self._ids = self.texts[number:], self._ids[number:]

    def rest(self) -> Iterator[tuple[str, str]]:
        """All that are left."""
        while ids := self.more():
            yield from zip(ids, self.texts, strict=True)
            self.drop(len(self.texts))
