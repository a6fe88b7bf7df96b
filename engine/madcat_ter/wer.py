"""Word error rate and character error rate: insertions, deletions, substitutions, no shifts.

Two ways to count. Minimum edits is what jiwer and rapidfuzz give: the fewest edits. NIST's weights
are what sclite gives: it minimises 4 for a substitution and 3 for an insertion or a deletion, so
that its number can be higher. Neither splits edits into kinds in one way only. Where several
alignments cost the same, minimum edits takes the one of rapidfuzz (and so of jiwer); NIST's weights
take, from the end of the texts backwards, the diagonal before an insertion before a deletion, which
is sclite's own rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from madcat_ter import kernel
from madcat_ter.errors import InputError
from madcat_ter.options import WerOptions
from madcat_ter.progress import SILENT, Progress, stopper
from madcat_ter.ter import rate
from madcat_ter.text import check_text, check_texts, fold

__all__ = ["WerCorpus", "WerResult", "cer", "wer", "wer_corpus", "wer_words"]


@dataclass(frozen=True, slots=True)
class WerResult:
    """What it takes to turn one output into its reference.

    Attributes:
        insertions: units that only the output has.
        deletions: units that only the reference has.
        substitutions: units against others.
        words: units of the reference: the denominator.
        alignment: one character a step: blank for a match, ``S``, ``I``, ``D``.
        output_words: the units of the output: words, or characters for :func:`cer`.
        reference_words: the units of the reference.
    """

    insertions: int
    deletions: int
    substitutions: int
    words: int
    alignment: str
    output_words: tuple[str, ...]
    reference_words: tuple[str, ...]

    @property
    def edits(self) -> int:
        """Insertions, deletions and substitutions."""
        return self.insertions + self.deletions + self.substitutions

    @property
    def matches(self) -> int:
        """Units that agree."""
        return self.alignment.count(" ")

    @property
    def rate(self) -> float | None:
        """Edits / words; may exceed 1. 0.0: nothing against nothing; None: edits of nothing."""
        return rate(self.edits, self.words)

    def pairs(self) -> list[tuple[str | None, str | None]]:
        """The units side by side, ``(output, reference)``; None where one side has none."""
        output, reference = iter(self.output_words), iter(self.reference_words)
        return [
            (None if step == "D" else next(output), None if step == "I" else next(reference))
            for step in self.alignment
        ]


@dataclass(frozen=True, slots=True)
class WerCorpus:
    """The results of many segments; the rate comes from the sums, never from averaged rates.

    Attributes:
        segments: one result for each output, in order.
    """

    segments: tuple[WerResult, ...]

    @property
    def insertions(self) -> int:
        """Insertions of all segments."""
        return sum(segment.insertions for segment in self.segments)

    @property
    def deletions(self) -> int:
        """Deletions of all segments."""
        return sum(segment.deletions for segment in self.segments)

    @property
    def substitutions(self) -> int:
        """Substitutions of all segments."""
        return sum(segment.substitutions for segment in self.segments)

    @property
    def matches(self) -> int:
        """Matches of all segments."""
        return sum(segment.matches for segment in self.segments)

    @property
    def edits(self) -> int:
        """Edits of all segments."""
        return sum(segment.edits for segment in self.segments)

    @property
    def words(self) -> int:
        """Reference words of all segments."""
        return sum(segment.words for segment in self.segments)

    @property
    def rate(self) -> float | None:
        """Edits / words of all segments together; None for edits of nothing."""
        return rate(self.edits, self.words)

    def confusions(self) -> Counter[tuple[str, str]]:
        """How often each word of the reference was written as another: ``(reference, output)``."""
        return Counter(
            (reference, output)
            for output, reference in chain.from_iterable(one.pairs() for one in self.segments)
            if output is not None and reference is not None and output != reference
        )


def wer(output: str, reference: str, options: WerOptions = WerOptions()) -> WerResult:
    """The WER of one output.

    Raises:
        InputError: NUL or a lone surrogate in a text.

    >>> wer("d e f g h a b c", "a b c d e f g h").edits
    6
    """
    check_text(output, "the output")
    check_text(reference, "the reference")
    return wer_words(
        _units(output, options, False), _units(reference, options, False), nist=options.nist
    )


def cer(output: str, reference: str, options: WerOptions = WerOptions()) -> WerResult:
    """The character error rate: as :func:`wer`, over the characters of the words joined by blanks.

    A character is a Unicode code point.
    """
    check_text(output, "the output")
    check_text(reference, "the reference")
    return wer_words(
        _units(output, options, True), _units(reference, options, True), nist=options.nist
    )


def wer_words(output: Sequence[str], reference: Sequence[str], *, nist: bool = False) -> WerResult:
    """Like :func:`wer`, of words that were split already.

    Raises:
        InputError: a bare string instead of a list of words.
    """
    for words in (output, reference):
        if isinstance(words, str):
            raise InputError(
                "scoring.bare-string", "words must come as a list, not as a single text"
            )
    return _results([output], [reference], nist)[0]


def _results(
    outputs: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    nist: bool,
    progress: Progress = SILENT,
) -> list[WerResult]:
    """One result a pair of word lists."""
    ids = kernel.text.intern(list(outputs), list(references))
    counts, paths, ends = kernel.wer_batch(*ids, nist, stopper(progress))
    results: list[WerResult] = []
    begin = 0
    for output, reference, row, end in zip(
        outputs, references, counts.tolist(), ends.tolist(), strict=True
    ):
        _, substitutions, deletions, insertions = row
        results.append(
            WerResult(
                insertions,
                deletions,
                substitutions,
                len(reference),
                paths[begin:end],
                tuple(output),
                tuple(reference),
            )
        )
        begin = end
    return results


def wer_corpus(
    outputs: Sequence[str],
    references: Sequence[str],
    options: WerOptions = WerOptions(),
    *,
    characters: bool = False,
    progress: Progress = SILENT,
) -> WerCorpus:
    """The WER of many outputs, or with ``characters`` the character error rate.

    Args:
        outputs: one text a segment.
        references: one text a segment, in the same order.
        options: what is done to the texts and how edits are weighed.
        characters: count characters instead of words.
        progress: told after every thousand segments.

    Raises:
        InputError: a bare string, NUL or a lone surrogate, or the numbers of segments differ.
        Cancelled: ``progress`` said so.
    """
    check_texts(outputs, "outputs")
    check_texts(references, "references")
    if len(outputs) != len(references):
        raise InputError(
            "scoring.unequal",
            f"there are {len(outputs)} outputs and {len(references)} references",
            remedy="Give one reference for each output, in the same order",
        )
    stop_if_cancelled = stopper(progress)

    def units(text: str) -> list[str]:
        stop_if_cancelled()
        return _units(text, options, characters)

    results: list[WerResult] = []
    for first in range(0, len(outputs), _PORTION):
        last = min(first + _PORTION, len(outputs))
        pair = [[units(text) for text in texts[first:last]] for texts in (outputs, references)]
        results += _results(pair[0], pair[1], options.nist, progress)
        progress.advance(last, len(outputs))
    return WerCorpus(tuple(results))


_PORTION = 1024
"""Segments between two looks at the progress."""


def _units(text: str, options: WerOptions, characters: bool) -> list[str]:
    """The words of a text, or its characters."""
    found: list[str] = kernel.text.split(
        fold(text, options), options.normalise, options.no_punctuation
    )
    return list(" ".join(found)) if characters else found
