"""How far several annotators of one page agree about its lines and words, beyond chance.

Krippendorff's alpha over outlines. A *unit* is what several annotators outlined in one place:
outlines of different annotators are put together one to one, those with the highest intersection
over union (IoU) first, down to a threshold. Every annotator has a value for every unit, an outline
or none: what one of them did not mark is a disagreement (as with Tschirschwitz et al., "A Dataset
for Analysing Complex Document Layouts in the Digital Humanities and Its Evaluation with
Krippendorff's Alpha", GCPR 2022). Two outlines differ by 1 - IoU, an outline and none by 1, none
and none by 0: a distance made for what is annotated (Braylan, Alonso and Lease, "Measuring
Annotator Agreement Generally across Complex Structured, Multi-object, and Free-text Annotation
Tasks", WWW 2022). With N annotators, U units and n = N·U values (Krippendorff, "Content Analysis",
4th edition, 2019)::

    observed = 1/n · Σ over units of Σ over ordered pairs of values within it of d / (N - 1)
    expected = 1/(n·(n - 1)) · Σ over ordered pairs of all values of d
    alpha    = 1 - observed / expected

1 is perfect, 0 what chance gives. Nothing is said where nothing could differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from madcat_studio.model.document import Page, Polygon
from madcat_studio.model.geometry import Shape, overlapping_pairs, shapes_of
from madcat_studio.pages.compare import THRESHOLD

__all__ = ["Agreement", "LevelAgreement", "agreement", "alpha", "matched_units"]


@dataclass(frozen=True, slots=True)
class LevelAgreement:
    """Of the lines, or of the words.

    Attributes:
        alpha: over all annotators; None where nothing could differ.
        units: how many were found.
        by_all: those that every annotator has.
        pairs: the alpha of each two annotators, by their numbers.
    """

    alpha: float | None
    units: int
    by_all: int
    pairs: dict[tuple[int, int], float | None]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of several segmentations of one page."""

    lines: LevelAgreement
    words: LevelAgreement


def agreement(pages: Sequence[Page], threshold: float = THRESHOLD) -> Agreement:
    """How far pages of the same scan agree; each is one annotator's."""
    return Agreement(
        _of_level([[line.polygon for line in page.lines] for page in pages], threshold),
        _of_level([[word.polygon for word in page.words()] for page in pages], threshold),
    )


def _of_level(outlines: Sequence[Sequence[Polygon]], threshold: float) -> LevelAgreement:
    count = len(outlines)
    units = matched_units(outlines, threshold)
    pairs = {
        (i, j): alpha([outlines[i], outlines[j]], threshold)
        for i in range(count)
        for j in range(i + 1, count)
    }
    return LevelAgreement(
        alpha(outlines, threshold), len(units), sum(len(unit) == count for unit in units), pairs
    )


def matched_units(
    outlines: Sequence[Sequence[Polygon]], threshold: float = THRESHOLD
) -> list[dict[int, int]]:
    """The units: of each the outline of every annotator who has one."""
    return _matched(*_flat(outlines), threshold)[0]


def alpha(outlines: Sequence[Sequence[Polygon]], threshold: float = THRESHOLD) -> float | None:
    """Krippendorff's alpha as the module says; None where nothing could differ."""
    owners, shapes = _flat(outlines)
    units, overlap = _matched(owners, shapes, threshold)
    many = len(outlines)
    values = many * len(units)
    present = len(shapes)
    absent = values - present
    if many < 2 or values < 2:
        return None
    first = [sum(o < owner for o in owners) for owner in range(many)]  # where each one's begin
    within = 0.0
    for unit in units:
        flat = [first[owner] + index for owner, index in unit.items()]
        same = sum(overlap.get((min(a, b), max(a, b)), 0.0) for a in flat for b in flat if a < b)
        here = len(flat)
        within += here * (here - 1) - 2 * same + 2 * here * (many - here)
    observed = within / (many - 1) / values
    in_all = present * (present - 1) - 2 * sum(overlap.values()) + 2 * present * absent
    expected = in_all / (values * (values - 1))
    return 1 - observed / expected if expected > 0 else None


def _flat(outlines: Sequence[Sequence[Polygon]]) -> tuple[list[int], list[Shape]]:
    """Whose each outline is, and its area; one annotator's after the other's."""
    owners = [owner for owner, own in enumerate(outlines) for _ in own]
    return owners, shapes_of([polygon for own in outlines for polygon in own])


def _matched(
    owners: Sequence[int], shapes: Sequence[Shape], threshold: float
) -> tuple[list[dict[int, int]], dict[tuple[int, int], float]]:
    """Units, and the IoU of all outlines that overlap, by their places in one row."""
    overlap = {
        (a, b): shared / (shapes[a].area + shapes[b].area - shared)
        for a, b, shared in overlapping_pairs(shapes, shapes)
        if a < b
    }
    ranked = sorted(
        (
            pair
            for pair, iou in overlap.items()
            if iou >= threshold and owners[pair[0]] != owners[pair[1]]
        ),
        key=lambda pair: (-overlap[pair], pair),
    )
    unit_of = list(range(len(shapes)))
    members = {number: {owners[number]: number} for number in unit_of}
    for a, b in ranked:
        one, other = unit_of[a], unit_of[b]
        if one == other or members[one].keys() & members[other].keys():
            continue
        for number in members[other].values():
            unit_of[number] = one
        members[one] |= members.pop(other)
    begin = {owner: owners.index(owner) for owner in set(owners)}
    units = [
        {owner: number - begin[owner] for owner, number in sorted(unit.items())}
        for unit in members.values()
    ]
    return units, overlap
