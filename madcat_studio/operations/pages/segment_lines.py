"""Where a document's segments stand on its pages, for an editor who may see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from madcat_studio.model.outlines import SegmentLines
from madcat_studio.operations.pages.campaign_pages import fetch_scan
from madcat_studio.store import Campaign

__all__ = ["DocumentLines", "fetch_lines"]


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
