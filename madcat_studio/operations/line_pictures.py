"""The handwriting behind a segment, cut from its page's scan, for reports."""

from __future__ import annotations

import base64
import io
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from madcat_studio.errors import StudioError
from madcat_studio.formats import madcat
from madcat_studio.images.crops import CropStyle, crop, plain_image
from madcat_studio.images.reading import open_image
from madcat_studio.model.document import Document, Polygon, Segment
from madcat_studio.model.geometry import bounding_box, corners
from madcat_studio.operations.intake import segment_names

if TYPE_CHECKING:
    from PIL import Image

    from madcat_studio.store import Campaign

__all__ = ["MOST_WIDE", "line_pictures", "segment_outline"]

MOST_WIDE = 1100
"""Pixels that a picture is wide at most; it is made smaller to fit."""

_MARGIN = 20


def segment_outline(document: Document, segment: Segment) -> tuple[int, Polygon] | None:
    """Index of the page where a segment begins, and the points of its words there.

    Where its tokens name no words, the lines that it names are taken. None where it has neither.
    """
    wanted = {token.ref_id for token in segment.tokens if token.ref_id}
    for index, page in enumerate(document.pages):
        points = [p for word in page.words() if word.id in wanted for p in word.polygon]
        if points:
            return index, tuple(points)
    lines = set(segment.zone_refs)
    for index, page in enumerate(document.pages):
        points = [p for line in page.lines if line.id in lines for p in line.polygon]
        if points:
            return index, tuple(points)
    return None


def line_pictures(
    campaign: Campaign, wanted: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], str]:
    """Pictures as ``data:`` addresses, by (BASE, segment); those that cannot be made are left out.

    Args:
        campaign: that holds the documents and, perhaps, their images.
        wanted: (BASE, segment), not too many.
    """
    by_base: dict[str, list[str]] = {}
    for base, segment in dict.fromkeys(wanted):
        by_base.setdefault(base, []).append(segment)
    found: dict[tuple[str, str], str] = {}
    with tempfile.TemporaryDirectory(prefix="madcat-report-") as scratch:
        for base, segments in by_base.items():
            try:
                found |= _of_document(campaign, base, segments, Path(scratch))
            except StudioError:
                continue  # without its image, or with one that cannot be read
    return found


def _of_document(
    campaign: Campaign, base: str, wanted: list[str], scratch: Path
) -> dict[tuple[str, str], str]:
    known = campaign.contents.document(base)
    if known is None or known.image_sha256 is None:
        return {}
    document = madcat.read_bytes(campaign.contents.blob(known.sha256), base).document
    segments = list(document.segments())
    by_name = dict(zip(segment_names(segments), segments, strict=True))
    scan = scratch / "scan"
    scan.write_bytes(campaign.contents.blob(known.image_sha256))
    outlines: dict[int, list[tuple[str, Polygon]]] = {}
    for name in wanted:
        outline = segment_outline(document, by_name[name]) if name in by_name else None
        if outline is not None:
            outlines.setdefault(outline[0], []).append((name, outline[1]))
    found: dict[tuple[str, str], str] = {}
    for index, on_page in outlines.items():
        # A page is decoded once, however many of its segments are wanted.
        with open_image(scan, index) as image:  # a frame a page, in order
            plain = plain_image(image)
            for name, points in on_page:
                box = bounding_box(points)
                part = crop(plain, corners(box) if box else (), CropStyle(margin=_MARGIN))
                if part is not None:
                    found[base, name] = _address(part)
    return found


def _address(part: Image.Image) -> str:
    """A small picture in grey as a ``data:`` address."""
    part = part.convert("L")
    part.thumbnail((MOST_WIDE, MOST_WIDE))
    stream = io.BytesIO()
    part.quantize(16).save(stream, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(stream.getvalue()).decode('ascii')}"
