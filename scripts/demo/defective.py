"""A submission with every defect that the receiving side has to name and count."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

from madcat_studio.model.document import Document, Segment

__all__ = ["ABSENT", "DOUBLED", "EXTRA", "MISSING", "spoil"]

ABSENT = "DEMO_ARB_20480104.0004_1_SCR0002"
"""The page for which the submission has no file."""

DOUBLED = ("DEMO_ARB_20480101.0001_1_SCR0001", "s2")
"""A segment that is there twice, with two texts."""

MISSING = ("DEMO_ARB_20480102.0002_1_SCR0002", "s4")
"""A segment that is not there."""

EXTRA = ("DEMO_ARB_20480103.0003_1_SCR0003", "s9")
"""A segment that no input has."""


def spoil(outputs: list[Document]) -> Iterator[Document]:
    """``outputs`` as the defective submission has them."""
    for document in outputs:
        if document.id == ABSENT:
            continue
        spoilt = deepcopy(document)
        segments = spoilt.sections[0].segments
        if document.id == DOUBLED[0]:
            place = [segment.id for segment in segments].index(DOUBLED[1])
            twin = deepcopy(segments[place])
            twin.translation = "Transport minister said line will carry thousands of passengers."
            segments.insert(place + 1, twin)
        if document.id == MISSING[0]:
            segments[:] = [segment for segment in segments if segment.id != MISSING[1]]
        if document.id == EXTRA[0]:
            segments.append(Segment(EXTRA[1], [], [], "", "A segment that nobody asked for."))
        yield spoilt
