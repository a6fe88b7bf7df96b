"""A copy of a document for a thread that judges it while its user goes on editing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from madcat_studio.formats.source import ReadDocument
from madcat_studio.images.reading import ImageFinder
from madcat_studio.model.document import Document

if TYPE_CHECKING:
    from madcat_studio.checks import Finding

__all__ = ["find_problems", "snapshot"]


def snapshot(document: Document) -> Document:
    """A copy that shares only what never changes (texts, polygons)."""
    return replace(
        document,
        pages=[
            replace(
                page,
                lines=[
                    replace(line, words=[replace(word) for word in line.words])
                    for line in page.lines
                ],
            )
            for page in document.pages
        ],
        sections=[
            replace(
                section,
                segments=[
                    replace(
                        segment,
                        zone_refs=list(segment.zone_refs),
                        tokens=[replace(token) for token in segment.tokens],
                    )
                    for segment in section.segments
                ],
            )
            for section in document.sections
        ],
    )


def find_problems(opened: ReadDocument) -> list[Finding]:
    """Everything that is wrong with a document, and what can be done about it.

    For a worker: its first call loads geometry.
    """
    from madcat_studio.checks import check

    return check(opened, ImageFinder())
