"""TER and WER of files on many machines: the numbers of one, whatever their size and number.

Parts are read as workers take them. Their numbers come back in order and go to a file on this
machine's disk, from which tables are made; so memory stays the same whatever the number of pairs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from madcat_studio.closing import Closing
from madcat_studio.operations.many import Many, in_order
from madcat_studio.operations.scores.paired_parts import Numbers, PairedParts, Part
from madcat_studio.operations.scores.ter_wer import (
    OddRates,
    Scores,
    TerRows,
    ter_edits,
    ter_scores,
    wer_cells,
    wer_hygiene,
    wer_scores,
)
from madcat_studio.progress import SILENT, Progress
from madcat_studio.reports.blocks import Blocks
from madcat_studio.reports.table import Cell
from madcat_studio.scoring.duration import any_long, long_texts
from madcat_ter.hygiene import Hygiene
from madcat_ter.options import TerOptions, WerOptions
from madcat_ter.parts import ter_part, wer_part
from madcat_ter.ter import TerCounts

__all__ = ["ScoredOnMany", "score_ter", "score_wer"]


class ScoredOnMany(Closing):
    """Scores whose segments lie on the disk until it is closed.

    Attributes:
        scores: as on one machine.
        confusions: how often each word was written as another, where that was asked for.
    """

    def __init__(self, scores: Scores, confusions: Counter[tuple[str, str]], kept: _Kept) -> None:
        self.scores, self.confusions = scores, confusions
        self._kept = kept

    def close(self) -> None:
        """Remove what lies on the disk."""
        self._kept.close()


class _Kept(Closing):
    """Ids and numbers of segments on the disk, in order."""

    def __init__(self) -> None:
        self._blocks = Blocks()
        self.count = 0

    def add(self, ids: Sequence[str], *numbers: NDArray[Any]) -> None:
        """Add those of some segments."""
        numbered = isinstance(ids, Numbers)
        names = (ids.numbers.start, ids.numbers.stop) if isinstance(ids, Numbers) else list(ids)
        self._blocks.append([(numbered, names, [one.tobytes() for one in numbers])])
        self.count += len(ids)

    def read(self) -> Iterator[tuple[Sequence[str], list[bytes]]]:
        """All of them, as they were added."""
        for ((numbered, names, numbers),) in self._blocks:
            yield (Numbers(range(*names)) if numbered else names), numbers

    def close(self) -> None:
        """Remove them."""
        self._blocks.close()


def score_ter(
    output: Path,
    references: Sequence[Path],
    options: TerOptions,
    many: Many,
    *,
    jobs: int = 1,
    tell: Callable[[str], None] = lambda note: None,
    progress: Progress = SILENT,
) -> ScoredOnMany:
    """The TER of files.

    Args:
        output: what is scored.
        references: what it is compared with.
        options: of TER.
        many: who does it.
        jobs: threads of each worker.
        tell: is told of segments that may take long, before they are scored.
        progress: may cancel.

    Raises:
        InputError: as reading and pairing do.
        PartsFailed: a text that cannot be scored, or a part that no worker could do.
        WorldError: the workers or the scheduler went away.
        Cancelled: ``progress`` said so.
    """
    parts = PairedParts(output, references)
    hygiene = Hygiene(options, ter_edits)
    odd = OddRates()
    kept = _Kept()

    def told() -> Iterator[Part]:
        for part in parts:
            outputs, columns = part.pairs.outputs, part.pairs.columns
            if any_long(outputs, chain.from_iterable(columns), options):
                for note in long_texts(part.ids, outputs, part.pairs.references(), options):
                    tell(note)
            yield part

    def work(part: Part) -> tuple[Any, ...]:
        return ter_part, part.pairs, options, jobs

    def counts_of(stored: list[bytes]) -> TerCounts:
        edits, words = (np.frombuffer(one, np.float64) for one in stored[1:])
        counts = np.frombuffer(stored[0], np.int32).reshape(-1, 5)
        return TerCounts(counts, edits, words, np.zeros(0, np.int64))

    try:
        sums = np.zeros(5, np.int64)
        for part, found in in_order(many, told(), work, Part.place, progress):
            kept.add(part.ids, found.counts, found.edits, found.words)
            sums += found.counts.sum(axis=0)
            odd.look(found.edits, found.words)
            hygiene.take(found.seen, part.pair)
            progress.advance(kept.count, max(parts.total, kept.count))
        scores = ter_scores(
            options,
            {len(references)},
            (*sums.tolist(), *(_sum(kept, column) for column in (1, 2))),
            kept.count,
            TerRows(lambda: ((ids, counts_of(stored)) for ids, stored in kept.read())),
            (*parts.warnings, *hygiene.warnings()),
            odd,
        )
    except BaseException:
        kept.close()
        raise
    return ScoredOnMany(scores, Counter(), kept)


def _sum(kept: _Kept, column: int) -> float:
    """Rounded once, as on one machine: the order of the parts cannot be seen in it."""
    blocks = (np.frombuffer(stored[column], np.float64).tolist() for _, stored in kept.read())
    return math.fsum(chain.from_iterable(blocks))


def score_wer(
    output: Path,
    reference: Path,
    options: WerOptions,
    many: Many,
    *,
    characters: bool = False,
    confusions: bool = False,
    progress: Progress = SILENT,
) -> ScoredOnMany:
    """The WER of files, or the CER; arguments and errors as :func:`score_ter`."""
    parts = PairedParts(output, [reference], "transcription")
    hygiene = wer_hygiene(options, characters)
    odd, counted = OddRates(), Counter[tuple[str, str]]()
    kept = _Kept()

    def work(part: Part) -> tuple[Any, ...]:
        return wer_part, part.pairs, options, characters, confusions

    try:
        sums = np.zeros(5, np.int64)
        for part, found in in_order(many, parts, work, Part.place, progress):
            kept.add(part.ids, found.counts)
            sums += found.counts.sum(axis=0)
            odd.look(found.counts[:, 1:4].sum(axis=1), found.counts[:, 4])
            counted.update(found.confusions)
            hygiene.take(found.seen, part.pair)
            progress.advance(kept.count, max(parts.total, kept.count))
        scores = wer_scores(
            options,
            characters,
            wer_cells(*sums.tolist()),
            kept.count,
            _WerRows(kept),
            (*parts.warnings, *hygiene.warnings()),
            odd,
        )
    except BaseException:
        kept.close()
        raise
    return ScoredOnMany(scores, counted, kept)


class _WerRows:
    """The rows of a WER table, made when they are asked for."""

    def __init__(self, kept: _Kept) -> None:
        self._kept = kept

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        for ids, (stored,) in self._kept.read():
            rows = np.frombuffer(stored, np.int64).reshape(-1, 5).tolist()
            for name, row in zip(ids, rows, strict=True):
                yield (name, *wer_cells(*row))
