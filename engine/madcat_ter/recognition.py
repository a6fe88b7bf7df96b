"""Rates of recognition in the form of ``jiwer.process_words``: WER, MER, WIL, WIP and alignments.

MER, the match error rate, and WIL, the word information lost, are those of Morris, Maier and Green
("From WER and RIL to MER and WIL: improved evaluation measures for connected speech recognition",
Interspeech 2004). The sums are of the whole corpus, the alignments those of rapidfuzz.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from madcat_ter.options import WerOptions
from madcat_ter.progress import SILENT, Progress
from madcat_ter.tables import texts_of
from madcat_ter.wer import WerCorpus, wer_corpus

__all__ = [
    "AlignmentChunk",
    "CharacterOutput",
    "WordOutput",
    "process_characters",
    "process_words",
]

_KINDS = {" ": "equal", "S": "substitute", "D": "delete", "I": "insert"}


@dataclass(frozen=True, slots=True)
class AlignmentChunk:
    """Units of both sides that one kind of edit turns into each other.

    Attributes:
        type: ``equal``, ``substitute``, ``delete`` (of the reference only) or ``insert``.
        ref_start_idx, ref_end_idx: which units of the reference, the end not included.
        hyp_start_idx, hyp_end_idx: which units of the hypothesis.
    """

    type: str
    ref_start_idx: int
    ref_end_idx: int
    hyp_start_idx: int
    hyp_end_idx: int


@dataclass(frozen=True, slots=True)
class _Output:
    references: list[list[str]]
    hypotheses: list[list[str]]
    alignments: list[list[AlignmentChunk]]
    hits: int
    substitutions: int
    insertions: int
    deletions: int

    def _rate(self) -> float | None:
        """Edits / units of the reference; None for insertions into nothing, 0.0 for nothing."""
        edits = self.substitutions + self.insertions + self.deletions
        units = self.hits + self.substitutions + self.deletions
        return edits / units if units else None if edits else 0.0


@dataclass(frozen=True, slots=True)
class WordOutput(_Output):
    """What ``jiwer.WordOutput`` tells, by the same names.

    Attributes:
        references, hypotheses: the words of each text.
        alignments: one list a segment.
        hits, substitutions, insertions, deletions: of all segments together.
    """

    @property
    def wer(self) -> float | None:
        """Word error rate. None where no reference has a word (jiwer gives the insertions)."""
        return self._rate()

    @property
    def mer(self) -> float:
        """Match error rate: edits / (edits + hits), 0 to 1; 0.0 for nothing against nothing."""
        edits = self.substitutions + self.insertions + self.deletions
        return edits / (edits + self.hits) if edits else 0.0

    @property
    def wip(self) -> float:
        """Word information preserved: hits / reference words x hits / hypothesis words."""
        references = self.hits + self.substitutions + self.deletions
        hypotheses = self.hits + self.substitutions + self.insertions
        if not references and not hypotheses:
            return 1.0
        if not references or not hypotheses:
            return 0.0
        return (self.hits / references) * (self.hits / hypotheses)

    @property
    def wil(self) -> float:
        """Word information lost: 1 - WIP."""
        return 1 - self.wip


@dataclass(frozen=True, slots=True)
class CharacterOutput(_Output):
    """What ``jiwer.CharacterOutput`` tells, by the same names."""

    @property
    def cer(self) -> float | None:
        """Character error rate; None where no reference has a character."""
        return self._rate()


def process_words(
    reference: Any,
    hypothesis: Any,
    options: WerOptions = WerOptions(),
    *,
    progress: Progress = SILENT,
) -> WordOutput:
    """WER and its kin of one text, of a list, or of a column of a table.

    Args:
        reference: what should have been recognised; the reference comes first, as in jiwer.
        hypothesis: what was.
        options: what is done to both texts.
        progress: told after every thousand segments.

    Raises:
        InputError: the numbers of texts differ, or a row is no text.
        Cancelled: ``progress`` said so.

    >>> process_words("the cat sat", "the cat sat down").mer
    0.25
    """
    corpus = _corpus(reference, hypothesis, options, progress, characters=False)
    return WordOutput(*_told(corpus))


def process_characters(
    reference: Any,
    hypothesis: Any,
    options: WerOptions = WerOptions(),
    *,
    progress: Progress = SILENT,
) -> CharacterOutput:
    """CER of one text, of a list, or of a column; arguments as :func:`process_words`.

    The words of a text are joined by one blank, which counts.
    """
    corpus = _corpus(reference, hypothesis, options, progress, characters=True)
    return CharacterOutput(*_told(corpus))


def _corpus(
    reference: Any, hypothesis: Any, options: WerOptions, progress: Progress, *, characters: bool
) -> WerCorpus:
    references, hypotheses = (
        [texts] if isinstance(texts, str) else texts_of(texts, what)
        for texts, what in ((reference, "reference"), (hypothesis, "hypothesis"))
    )
    return wer_corpus(hypotheses, references, options, characters=characters, progress=progress)


def _told(
    corpus: WerCorpus,
) -> tuple[list[list[str]], list[list[str]], list[list[AlignmentChunk]], int, int, int, int]:
    return (
        [list(segment.reference_words) for segment in corpus.segments],
        [list(segment.output_words) for segment in corpus.segments],
        [list(_chunks(segment.alignment)) for segment in corpus.segments],
        corpus.matches,
        corpus.substitutions,
        corpus.insertions,
        corpus.deletions,
    )


def _chunks(path: str) -> Iterator[AlignmentChunk]:
    reference = hypothesis = 0
    for step, steps in groupby(path):
        count = sum(1 for _ in steps)
        next_reference = reference + count * (step != "I")
        next_hypothesis = hypothesis + count * (step != "D")
        yield AlignmentChunk(_KINDS[step], reference, next_reference, hypothesis, next_hypothesis)
        reference, hypothesis = next_reference, next_hypothesis
