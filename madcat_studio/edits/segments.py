"""Edits that add and remove whole segments, as where each line is a segment of its own."""

from __future__ import annotations

from dataclasses import dataclass

from madcat_studio.edits.base import Edit, find_segment
from madcat_studio.edits.structure import insert_at
from madcat_studio.edits.values import SegmentValue
from madcat_studio.model.change import EVERYTHING, Change
from madcat_studio.model.document import Document, Section

__all__ = ["AddSegment", "RemoveSegment"]


@dataclass(frozen=True, slots=True)
class AddSegment:
    """Add a segment before the one at ``index`` of a section; the first makes the section."""

    section: int
    index: int
    segment: SegmentValue

    @property
    def label(self) -> str:
        """What the user did."""
        return "Add a segment"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Add the segment."""
        first = self.section == len(document.sections) == 0
        if first:
            document.sections.append(Section("sec0001", "tokenization"))
        segments = document.sections[self.section].segments
        insert_at(segments, self.index, self.segment.make(), "segments")
        return EVERYTHING, RemoveSegment(self.section, self.index, with_section=first)


@dataclass(frozen=True, slots=True)
class RemoveSegment:
    """Remove a segment, and with it the section that was made for it."""

    section: int
    index: int
    with_section: bool = False

    @property
    def label(self) -> str:
        """What the user did."""
        return "Remove a segment"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Remove the segment."""
        segment = find_segment(document, self.section, self.index)
        del document.sections[self.section].segments[self.index]
        if self.with_section:
            del document.sections[self.section]
        return EVERYTHING, AddSegment(self.section, self.index, SegmentValue.of(segment))
