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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from madcat_ter import kernel
from madcat_ter.alternatives import has_alternatives, least_edits, network_of
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
        reference_words: the units of the reference. Of texts with alternatives those that were
            chosen; an optional word that was left out agrees with "".
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
            if output and reference and output != reference
        )


def wer(output: str, reference: str, options: WerOptions = WerOptions()) -> WerResult:
    """The WER of one output.

    Raises:
        InputError: NUL or a lone surrogate in a text, or alternatives that are not well formed.

    >>> wer("d e f g h a b c", "a b c d e f g h").edits
    6
    >>> both = WerOptions(nist=True, alternatives="read")
    >>> wer("the color", "the { colour / color }", both).edits
    0
    """
    check_text(output, "the output")
    check_text(reference, "the reference")
    return _scored([output], [reference], options, False, SILENT)[0]


def cer(output: str, reference: str, options: WerOptions = WerOptions()) -> WerResult:
    """The character error rate: as :func:`wer`, over the characters of the words joined by blanks.

    A character is a Unicode code point.
    """
    check_text(output, "the output")
    check_text(reference, "the reference")
    return _scored([output], [reference], options, True, SILENT)[0]


def wer_words(output: Sequence[str], reference: Sequence[str], *, nist: bool = False) -> WerResult:
    """Like :func:`wer`, of words that were split already.

    Raises:
        InputError: a bare string instead of a list of words.
    """
    for words in (output, reference):
        if isinstance(words, str):
            raise InputError("scoring.bare-string", "words must be a list, not a single text")
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
    results: list[WerResult] = []
    for first in range(0, len(outputs), _PORTION):
        last = min(first + _PORTION, len(outputs))
        results += _scored(
            outputs[first:last], references[first:last], options, characters, progress
        )
        progress.advance(last, len(outputs))
    return WerCorpus(tuple(results))


def _scored(
    outputs: Sequence[str],
    references: Sequence[str],
    options: WerOptions,
    characters: bool,
    progress: Progress,
) -> list[WerResult]:
    """One result a pair of texts; pairs with alternatives go a way of their own."""
    stop_if_cancelled = stopper(progress)

    def units(text: str) -> list[str]:
        stop_if_cancelled()
        return _units(text, options, characters)

    pairs = list(zip(outputs, references, strict=True))
    apart = {
        n: pair
        for n, pair in enumerate(pairs)
        if options.alternatives != "no" and any(map(has_alternatives, pair))
    }
    rest = [pair for n, pair in enumerate(pairs) if n not in apart]
    results = iter(
        _results(
            [units(output) for output, _ in rest],
            [units(reference) for _, reference in rest],
            options.nist,
            progress,
        )
    )
    if apart and characters:
        raise InputError(
            "scoring.alternatives",
            "characters cannot be counted with alternatives",
            remedy="Score words, or write the texts without { / } and parentheses",
        )
    return [
        next(results) if n not in apart else _of_networks(*pair, options, units)
        for n, pair in enumerate(pairs)
    ]


def _of_networks(
    output: str, reference: str, options: WerOptions, units: Callable[[str], list[str]]
) -> WerResult:
    ours, theirs = (
        network_of(text, units, optional=options.alternatives == "optional")
        for text in (output, reference)
    )
    steps = least_edits(ours, theirs)
    path = "".join(step for step, _, _ in steps)
    return WerResult(
        path.count("I"),
        path.count("D"),
        path.count("S"),
        len(path) - path.count("I"),
        path,
        tuple(word for _, word, _ in steps if word is not None),
        tuple(word for _, _, word in steps if word is not None),
    )


_PORTION = 1024
"""Segments between two looks at the progress."""


def _units(text: str, options: WerOptions, characters: bool) -> list[str]:
    """The words of a text, or its characters."""
    found: list[str] = kernel.text.split(
        fold(text, options), options.normalise, options.no_punctuation
    )
    return list(" ".join(found)) if characters else found
