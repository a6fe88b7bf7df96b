"""Where a document's segments stand on its pages, for an editor who may see them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from madcat_studio.formats import madcat
from madcat_studio.model.document import Document, Polygon
from madcat_studio.model.links import link
from madcat_studio.operations.campaign_pages import fetch_scan
from madcat_studio.operations.intake import segment_names
from madcat_studio.store import Campaign

__all__ = ["DocumentLines", "SegmentLines", "fetch_lines", "segment_lines"]


@dataclass(frozen=True, slots=True)
class SegmentLines:
    """A segment's lines on the page where it begins: the page's index, and their outlines.

    A line that the segment shares with others is given by the outlines of the segment's own words.
    """

    page: int
    outlines: tuple[Polygon, ...]


@dataclass(frozen=True, slots=True)
class DocumentLines:
    """The segments of one document, by name, and the file of its scan (None: it has none)."""

    scan: Path | None
    pages: int
    segments: dict[str, SegmentLines]


def fetch_lines(campaign: Campaign, base: str, folder: Path | None = None) -> DocumentLines:
    """Find the segments' lines, and put the scan where a window can read it.

    Args:
        campaign: that holds the document.
        base: BASE of the document.
        folder: for the scan; by default the user's cache.

    Raises:
        InputError: the campaign has no such document.
        StudioError: it cannot be read, or the scan cannot be written.
    """
    known, scan = fetch_scan(campaign, base, folder)
    document = madcat.read_bytes(campaign.contents.blob(known.sha256), base).document
    return DocumentLines(scan, len(document.pages), segment_lines(document))


def segment_lines(document: Document) -> dict[str, SegmentLines]:
    """Segment -> its lines; a segment that names none is left out."""
    links = link(document)
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
                found[name] = SegmentLines(first, kept)
    return found
