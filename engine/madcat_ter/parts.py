"""Parts of a large scoring: texts in, numbers out, in whatever process or machine does them.

A part is a plain function of texts and options. Its result holds numbers and no text but what
was asked for, an error in it is a value, and nothing that is printed or logged of a part tells a
text.
"""

from __future__ import annotations

import pickle
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Sized
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from madcat_ter.errors import MadcatError
from madcat_ter.hter import SegmentScore, score_segments
from madcat_ter.hygiene import Hygiene, Seen
from madcat_ter.options import TerOptions, WerOptions
from madcat_ter.ter import ter_counts
from madcat_ter.wer import wer_corpus

__all__ = [
    "Broken",
    "Pairs",
    "Segments",
    "TeamTexts",
    "TerPart",
    "WerPart",
    "called",
    "hter_part",
    "ter_part",
    "wer_part",
]


class Pairs:
    """Outputs with their references. The ``repr`` tells how many there are: logs keep it.

    On its way it is one string a column, which costs a tenth of so many strings.

    Args:
        outputs: the texts that are scored.
        columns: of references: each holds one for each output.
    """

    __slots__ = ("columns", "outputs")

    def __init__(self, outputs: list[str], columns: Sequence[list[str]]) -> None:
        self.outputs, self.columns = outputs, list(columns)

    def __len__(self) -> int:
        return len(self.outputs)

    def __repr__(self) -> str:
        return f"<{len(self)} pairs of texts>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpacked, tuple(_packed(texts) for texts in (self.outputs, *self.columns))

    def references(self) -> list[list[str]]:
        """The references of each output."""
        return [list(texts) for texts in zip(*self.columns, strict=True)]

    def row(self, row: int) -> Pairs:
        """One pair alone."""
        return Pairs([self.outputs[row]], [[column[row]] for column in self.columns])


def _packed(texts: Sequence[str]) -> tuple[str, npt.NDArray[np.int32] | None]:
    """One string of all texts; and the size of each, where a line feed in one hides their ends."""
    together = "\n".join(texts)
    if texts and together.count("\n") == len(texts) - 1:
        return together, None
    return "".join(texts), np.fromiter(map(len, texts), np.int32, len(texts))


def _unpacked(*columns: tuple[str, npt.NDArray[np.int32] | None]) -> Pairs:
    outputs, *references = (
        together.split("\n") if sizes is None else list(_cut(together, sizes))
        for together, sizes in columns
    )
    return Pairs(outputs, references)


def _cut(together: str, sizes: npt.NDArray[np.int32]) -> Iterator[str]:
    start = 0
    for size in sizes.tolist():
        yield together[start : start + size]
        start += size


class TeamTexts(NamedTuple):
    """The texts of one team: what :func:`~madcat_ter.hter.score_segments` reads of it."""

    team: str
    first: str | None
    final: str | None


@dataclass(frozen=True, slots=True, repr=False)
class Segments:
    """Segments of a campaign: output, reference and the teams' texts of each."""

    rows: list[tuple[str, str, tuple[TeamTexts, ...]]]

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<{len(self)} segments>"


@dataclass(frozen=True, slots=True, eq=False)
class TerPart:
    """The numbers of some pairs.

    Attributes:
        counts, edits, words: as :class:`~madcat_ter.ter.TerCounts` has them.
        seen: what cannot be seen in the texts.
    """

    counts: npt.NDArray[np.int32]
    edits: npt.NDArray[np.float64]
    words: npt.NDArray[np.float64]
    seen: dict[str, Seen]


@dataclass(frozen=True, slots=True, eq=False)
class WerPart:
    """The numbers of some pairs.

    Attributes:
        counts: matches, substitutions, deletions, insertions, units of the reference; int64,
            shape (n, 5).
        confusions: how often each word was written as another; empty unless asked for.
        seen: what cannot be seen in the texts.
    """

    counts: npt.NDArray[np.int64]
    confusions: Counter[tuple[str, str]]
    seen: dict[str, Seen]


@dataclass(frozen=True, slots=True)
class Broken:
    """A part that gave no numbers.

    Attributes:
        reason: why, without any text of the part.
        row: which of its rows it was, None where that is not known.
    """

    reason: str
    row: int | None = None


def ter_part(
    pairs: Pairs, options: TerOptions, jobs: int = 1, look: bool = True
) -> TerPart | Broken:
    """The TER of some pairs.

    Args:
        pairs: the texts.
        options: as for :func:`~madcat_ter.ter.ter_counts`.
        jobs: threads.
        look: look for what cannot be seen as well.
    """

    def count(some: Pairs) -> TerPart:
        counts = ter_counts(some.outputs, some.references(), options, jobs=jobs)
        return TerPart(
            counts.counts,
            counts.edits,
            counts.words,
            _seen(some.outputs, some.columns, options) if look else {},
        )

    return _guarded(count, pairs, pairs.row)


def wer_part(
    pairs: Pairs,
    options: WerOptions,
    characters: bool = False,
    confusions: bool = False,
    look: bool = True,
) -> WerPart | Broken:
    """The WER of some pairs, one reference each, or with ``characters`` their CER."""

    def count(some: Pairs) -> WerPart:
        corpus = wer_corpus(some.outputs, some.columns[0], options, characters=characters)
        counts = np.array(
            [
                (one.matches, one.substitutions, one.deletions, one.insertions, one.words)
                for one in corpus.segments
            ],
            np.int64,
        ).reshape(-1, 5)
        return WerPart(
            counts,
            corpus.confusions() if confusions else Counter(),
            _seen(some.outputs, some.columns, options) if look else {},
        )

    return _guarded(count, pairs, pairs.row)


def hter_part(segments: Segments, options: TerOptions) -> list[SegmentScore] | Broken:
    """The scores of some segments of a campaign."""

    def count(some: Segments) -> list[SegmentScore]:
        return score_segments(some.rows, options)

    return _guarded(count, segments, lambda row: Segments([segments.rows[row]]))


def called(path: str) -> Any:
    """Make a call that a process of this machine has left in a file of its own: a pickled tuple of
    a function and its arguments.
    """
    with Path(path).open("rb") as file:
        function, *arguments = pickle.load(file)
    return function(*arguments)


def _seen(
    outputs: list[str], columns: list[list[str]], options: TerOptions | WerOptions
) -> dict[str, Seen]:
    """What a look at the texts found; what it costs is counted where all parts come together."""
    if all("".join(texts).isascii() for texts in (outputs, *columns)):
        return {}
    hygiene = Hygiene(options, _not_here)
    for output, *texts in zip(outputs, *columns, strict=True):
        hygiene.look(output, texts)
    return hygiene.seen()


def _not_here(_pairs: Sequence[Any], _options: Any) -> float:
    raise AssertionError("a part counts no costs")


_Rows = TypeVar("_Rows", bound=Sized)
_Result = TypeVar("_Result")


def _guarded(
    work: Callable[[_Rows], _Result], rows: _Rows, single: Callable[[int], _Rows]
) -> _Result | Broken:
    """What ``work`` gives for all rows, or what broke it: no error with a text in it leaves here.

    A worker that sees an exception would log it with the arguments and send the traceback on.
    """
    try:
        return work(rows)
    except MadcatError as error:
        first = next((row for row in range(len(rows)) if _fails(partial(work, single(row)))), None)
        return Broken(error.reason, first)
    except Exception as error:
        return Broken(f"{type(error).__name__} in {_place(error)}")


def _fails(work: Callable[[], object]) -> bool:
    try:
        work()
    except MadcatError:
        return True
    return False


def _place(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(frame.filename).name}, line {frame.lineno}"
