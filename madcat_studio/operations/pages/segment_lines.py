"""Where a document's segments stand on its pages, for an editor who may see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.model.document import Document, Line, Page, Section, Segment
from madcat_studio.model.outlines import SegmentLines
from madcat_studio.operations.pages.campaign_pages import fetch_scan
from madcat_studio.store import Campaign

__all__ = ["DocumentLines", "fetch_lines", "page_of_texts"]


@dataclass(frozen=True, slots=True)
class DocumentLines:
    """The segments of one document, by name, and the file of its scan (None: it has none)."""

    scan: Path | None
    segments: Mapping[str, SegmentLines]


def fetch_lines(campaign: Campaign, base: str, folder: Path | None = None) -> DocumentLines:
    """Find the segments' lines, and put the scan where a window can read it.

    Args:
        campaign: that holds the document.
        base: BASE of the document.
        folder: for the scan; by default the user's cache.

    Raises:
        InputError: the campaign has no such document, or does not show it to this login.
        StudioError: it cannot be read, or the scan cannot be written.
    """
    scan = fetch_scan(campaign, base, folder)
    return DocumentLines(scan, {} if scan is None else campaign.contents.lines(base))


def page_of_texts(found: DocumentLines, frame: int, texts: Mapping[str, str]) -> Document:
    """One page that has these segments with these texts, and nothing else of its document.

    Args:
        found: where the document's segments stand.
        frame: of the page in the scan.
        texts: by the segments' names; those that stand on another page are left out.
    """
    lines: list[Line] = []
    segments: list[Segment] = []
    for name, text in texts.items():
        place = found.segments.get(name)
        if place is None or place.frame != frame:
            continue
        ids = [f"{name}/{number}" for number in range(1, len(place.outlines) + 1)]
        lines += [
            Line(own, polygon=outline) for own, outline in zip(ids, place.outlines, strict=True)
        ]
        segments.append(Segment(name, ids, translation=text))
    return Document(None, pages=[Page(None, lines=lines)], sections=[Section(None, None, segments)])
