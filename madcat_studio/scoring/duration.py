"""How long the search for shifts may take: told before it begins, where it is long."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain

from madcat_ter import kernel
from madcat_ter.options import Costs, TerOptions
from madcat_ter.text import fold

__all__ = ["LONG", "any_long", "expected_seconds", "long_segments", "long_texts"]

LONG = 5.0
"""Seconds from which on a segment is told beforehand."""

# Measured on texts of few kinds of words, which take longest. Most others take a part of it.
_EACH_STEP = 6e-9 if kernel.NAME != "python" else 2e-6
_EACH_CELL = 2.5e-9 if kernel.NAME != "python" else 5e-7


def expected_seconds(
    output: Sequence[Hashable],
    reference: Sequence[Hashable],
    options: TerOptions,
    *,
    spans: bool = False,
) -> float:
    """About the most seconds that a pair of texts takes, words or their numbers.

    There are fewer rounds than edits, and a round tries some shifts for each word, each of which
    is looked at around the place that it changes; with other costs than 1, or with spans, in the
    whole matrix.
    """
    most = _most_seconds(len(output), len(reference), options, spans)
    if most < LONG:
        return 0.0
    from rapidfuzz.distance import Levenshtein

    return most * Levenshtein.distance(output, reference) / max(len(output), len(reference))


def _most_seconds(output: int, reference: int, options: TerOptions, spans: bool) -> float:
    """If every word is wrong."""
    if options.max_shift_distance <= 0:
        return 0.0
    longer, cells = max(output, reference), output * reference
    if spans or options.costs != Costs():
        return 1.5 * longer**2 * cells * _EACH_CELL
    return longer * cells * _EACH_STEP


def long_segments(
    pairs: Iterable[tuple[str, Sequence[Hashable], Sequence[Hashable]]],
    options: TerOptions,
    *,
    spans: bool = False,
) -> Iterator[str]:
    """A sentence for each pair of texts, given with the segment's id, that may take long."""
    for name, output, reference in pairs:
        seconds = expected_seconds(output, reference, options, spans=spans)
        if seconds >= LONG:
            yield (
                f"segment {name} has {len(output):,} words against {len(reference):,}, and may "
                f"take up to {_told(seconds)}; Ctrl+C stops it"
            )


def any_long(
    outputs: Iterable[str], references: Iterable[str], options: TerOptions, *, spans: bool = False
) -> bool:
    """Whether any of the texts may take long; the longest of both sides tell, most often no."""
    # No more words than characters.
    longest, against = (max(map(len, texts), default=0) for texts in (outputs, references))
    return _most_seconds(longest, against, options, spans) >= LONG


def long_texts(
    ids: Sequence[str],
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    options: TerOptions,
    *,
    spans: bool = False,
) -> Iterator[str]:
    """:func:`long_segments` of texts; most are seen to be short without being split."""
    if not any_long(outputs, chain.from_iterable(references), options, spans=spans):
        return iter(())

    def words(text: str) -> list[str]:
        folded = fold(text, options)
        split: list[str] = kernel.text.split(folded, options.normalise, options.no_punctuation)
        return split

    return long_segments(
        (
            (name, words(output), words(reference))
            for name, output, texts in zip(ids, outputs, references, strict=True)
            for reference in texts
            if _most_seconds(len(output), len(reference), options, spans) >= LONG
        ),
        options,
        spans=spans,
    )


def _told(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    if seconds < 5400:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:,.0f} hours"
