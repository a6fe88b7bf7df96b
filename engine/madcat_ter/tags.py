"""Tags for quality estimation: which words of an output are right, and where words are missing.

The convention of the WMT shared tasks on word-level quality estimation (Fonseca, Yankovskaya,
Martins, Fishel and Federmann, "Findings of the WMT 2019 Shared Tasks on Quality Estimation"):
shifts are turned off, a word of the output is OK where the alignment matches it with its
post-edited text, and a gap is BAD where the post-edited text has words that go there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from madcat_ter.options import TerOptions
from madcat_ter.tables import texts_of
from madcat_ter.ter import TerResult, ter_corpus

__all__ = ["BAD", "OK", "Tags", "quality_tags", "tags_of"]

OK, BAD = "OK", "BAD"


@dataclass(frozen=True, slots=True)
class Tags:
    """The tags of one output.

    Attributes:
        tokens: its n words.
        words: OK or BAD for each word; n of them.
        gaps: OK or BAD before the first word, between words, and behind the last; n + 1 of them.
    """

    tokens: tuple[str, ...]
    words: tuple[str, ...]
    gaps: tuple[str, ...]

    def interleaved(self) -> tuple[str, ...]:
        """Gap, word, gap, …, gap, as the shared tasks' files have them; 2 n + 1 of them."""
        pairs = zip(self.gaps, self.words, strict=False)
        return (*(tag for pair in pairs for tag in pair), self.gaps[-1])


def quality_tags(
    outputs: Any, edited: Any, options: TerOptions = TerOptions(), *, jobs: int = 1
) -> list[Tags]:
    """The tags of many outputs against their post-edited texts.

    Args:
        outputs: one text a segment; a list or a column of a table.
        edited: their post-edited texts, in the same order.
        options: what is done to the texts; shifts are turned off.
        jobs: threads.

    Raises:
        InputError: what :func:`~madcat_ter.ter.ter_corpus` refuses.

    >>> quality_tags(["a b x d"], ["a b c e d"])[0].words
    ('OK', 'OK', 'BAD', 'OK')
    """
    still = replace(options, max_shift_distance=0)
    references = [[text] for text in texts_of(edited, "edited")]
    results = ter_corpus(texts_of(outputs, "outputs"), references, still, jobs=jobs)
    return [tags_of(result) for result in results.segments]


def tags_of(result: TerResult) -> Tags:
    """The tags that an alignment without shifts gives.

    Raises:
        ValueError: words were shifted: the alignment is not over the output as it stands.
    """
    if result.shifts:
        raise ValueError("tags need an alignment without shifts")
    words: list[str] = []
    gaps = [OK]
    for step in result.alignment:
        if step == "D":
            gaps[-1] = BAD
        else:
            words.append(OK if step == " " else BAD)
            gaps.append(OK)
    return Tags(result.output_words, tuple(words), tuple(gaps))
