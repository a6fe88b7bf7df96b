"""Two systems side by side: by length, by frequency of words, by kind of edit; and where they
differ most."""

from __future__ import annotations

from collections.abc import Iterable

from madcat_studio.reports.closer import FEWEST_WORDS, FREQUENCIES, MOST_COUNTED, CloserLook
from madcat_studio.reports.results import CampaignResults, ScoredSegment
from madcat_studio.reports.table import Cell, CellKind, Column, Table
from madcat_ter.hter import Denominator
from madcat_ter.ter import rate

__all__ = ["MOST_DIFFERENT", "side_by_side"]

MOST_DIFFERENT = 5
"""Segments that are listed of a pair, for each of its systems being the better."""

_KINDS = ("insertions", "deletions", "substitutions", "shifts")


def side_by_side(
    results: CampaignResults,
    denominator: Denominator,
    closer: CloserLook,
    pairs: Iterable[tuple[str, str]],
) -> list[Table]:
    """The tables of all pairs; none where there is no pair."""
    pairs = list(pairs)
    if not pairs:
        return []
    tables = [_buckets(closer, pairs), _different(results, denominator, closer, pairs)]
    return [table for table in tables if table.count()]


def _buckets(closer: CloserLook, pairs: list[tuple[str, str]]) -> Table:
    columns = (
        Column("first", "System"),
        Column("second", "Against"),
        Column("by", "By"),
        Column("bucket", "Bucket"),
        # The numbers that are compared stand where a small window shows them.
        Column("value_first", "Rate", CellKind.RATE, "of the system"),
        Column("value_second", "Rate, against", CellKind.RATE, "of the other"),
        Column("difference", "Difference", CellKind.RATE),
        Column("measure", "Measure"),
        Column("count", "Segments or words", CellKind.COUNT, "words of final texts by frequency"),
    )
    rows: list[tuple[Cell, ...]] = []
    for first, second in pairs:
        for row in (*_by_length_and_kind(closer, first, second), *_by_word(closer, first, second)):
            by, bucket, count, measure, one, other = row
            change = None if one is None or other is None else one - other
            rows.append((first, second, by, bucket, one, other, change, measure, count))
    note = (
        "Evaluation set. By length of the reference and by kind of edit: segments that both were "
        "scored on. By frequency of the word in the references: of the words of the chosen final "
        "texts, how many the output has, wherever they stand."
    )
    if closer.sampled:
        note += f" Words are counted in a sample of about {MOST_COUNTED:,} segments."
    return Table("side-by-side", "Side by side", columns, rows, note)


_Row = tuple[str, str, int, str, float | None, float | None]


def _by_length_and_kind(closer: CloserLook, first: str, second: str) -> list[_Row]:
    lengths: list[_Row] = []
    kinds: list[_Row] = []
    for part in closer.in_common(first, second):
        one, other = part.first, part.second
        if part.bucket is None:
            kinds = [
                (
                    *("kind of edit", kind, part.segments, "edits per word"),
                    *(rate(one[place], one[1]), rate(other[place], other[1])),
                )
                for place, kind in enumerate(_KINDS, start=2)
            ]
        else:
            lengths.append(
                (
                    *("length of the reference", part.bucket.label, part.segments, "HTER"),
                    *(rate(*one[:2]), rate(*other[:2])),
                )
            )
    return [*lengths, *kinds]


def _by_word(closer: CloserLook, first: str, second: str) -> list[_Row]:
    ours, theirs = closer.by_frequency(first), closer.by_frequency(second)
    made: list[_Row] = []
    for bucket in FREQUENCIES:
        one, other = ours[bucket], theirs[bucket]
        if one[1] or other[1]:
            made.append(
                (
                    *("frequency of the word", bucket.label, one[1] + other[1], "words right"),
                    *(
                        one[0] / one[1] if one[1] else None,
                        other[0] / other[1] if other[1] else None,
                    ),
                )
            )
    return made


def _different(
    results: CampaignResults,
    denominator: Denominator,
    closer: CloserLook,
    pairs: list[tuple[str, str]],
) -> Table:
    columns = (
        Column("first", "System"),
        Column("second", "Against"),
        Column("better", "Better"),
        Column("document", "Document"),
        Column("segment", "Segment"),
        Column("difference", "Difference", CellKind.RATE),
        Column("hter_first", "HTER", CellKind.RATE, "of the system"),
        Column("hter_second", "HTER, against", CellKind.RATE, "of the other"),
        Column("output_first", "Output"),
        Column("output_second", "Output, against"),
        Column("reference", "Reference"),
    )
    listed = {pair: closer.most_different(*pair, MOST_DIFFERENT) for pair in pairs}
    segments = results.segments.some(
        {number for found in listed.values() for row in found for number in row[:2]}
    )
    rows: list[tuple[Cell, ...]] = []
    for (first, second), found in listed.items():
        for one, other, difference in found:
            ours, theirs = segments[one], segments[other]
            rows.append(
                (
                    *(first, second, second if difference > 0 else first),
                    *(ours.record.base, ours.record.segment),
                    *(difference, _rate(ours, denominator), _rate(theirs, denominator)),
                    *(ours.record.output, theirs.record.output, ours.record.reference),
                )
            )
    note = (
        f"Evaluation set: of each pair at most {MOST_DIFFERENT} segments where the one is better, "
        f"and as many where the other is, of those with output and at least {FEWEST_WORDS} words."
    )
    return Table("most-different", "Most different segments", columns, rows, note)


def _rate(scored: ScoredSegment, denominator: Denominator) -> float | None:
    return scored.score.choice(denominator).rate
