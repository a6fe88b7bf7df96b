"""Where the segments of a document stand on its scan: all of a page's file that an editor needs.

The file itself holds the transcription and names scribe and source; these outlines do not.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from madcat_studio.model.document import Document, Polygon, Segment
from madcat_studio.model.links import link

__all__ = ["SegmentLines", "parse_lines", "segment_lines", "segment_names", "spell_lines"]


class SegmentLines(NamedTuple):
    """A segment's lines on the page where it begins: the page's frame in the scan, their outlines.

    A line that the segment shares with others is given by the outlines of the segment's own words.
    """

    frame: int
    outlines: tuple[Polygon, ...]


def segment_names(segments: Sequence[Segment]) -> list[str]:
    """Names that are unique in a document: a doubled id gets ``#2``, a missing one its number.

    Ids are never merged and never renumbered; a name is the id wherever the id will do.
    """
    names: list[str] = []
    for index, segment in enumerate(segments):
        name = segment.id or f"#{index + 1}"
        count = 2
        unique = name
        while unique in names:
            unique = f"{name}#{count}"
            count += 1
        names.append(unique)
    return names


def segment_lines(document: Document) -> dict[str, SegmentLines]:
    """Segment, by its name -> its lines; one that names none is left out."""
    links = link(document)
    several = len(document.pages) > 1
    names = iter(segment_names(list(document.segments())))
    found: dict[str, SegmentLines] = {}
    for s, section in enumerate(document.sections):
        for g, _ in enumerate(section.segments):
            name = next(names)
            lines = links.lines_of[s, g]
            if not lines:
                continue
            first = lines[0][0]
            words = links.words_of[s, g]
            outlines: list[Polygon] = []
            for page, number in lines:
                if page != first:
                    continue
                line = document.pages[page].lines[number]
                own = [line.words[k] for p, n, k in words if (p, n) == (page, number)]
                shared = len(own) < len(line.words)
                outlines += [w.polygon for w in own] if own and shared else [line.polygon]
            kept = tuple(outline for outline in outlines if len(outline) > 2)
            if kept:
                # Each page is a frame; a document of one page has one, whatever is in the file.
                found[name] = SegmentLines(first if several else 0, kept)
    return found


def spell_lines(lines: SegmentLines | None) -> str:
    """As a campaign keeps them: JSON without blanks; "" where there are none."""
    if lines is None:
        return ""
    plain = [
        [[int(value) if value == int(value) else value for value in point] for point in outline]
        for outline in lines.outlines
    ]
    return json.dumps([lines.frame, plain], separators=(",", ":"))


def parse_lines(spelt: str) -> SegmentLines | None:
    """What :func:`spell_lines` wrote."""
    if not spelt:
        return None
    frame, outlines = json.loads(spelt)
    return SegmentLines(frame, tuple(tuple((x, y) for x, y in outline) for outline in outlines))
