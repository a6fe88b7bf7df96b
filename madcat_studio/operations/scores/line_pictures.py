"""The handwriting behind a segment, cut from its page's scan, for reports."""

from __future__ import annotations

import base64
import io
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from madcat_studio.errors import StudioError
from madcat_studio.images.crops import CropStyle, crop, plain_image
from madcat_studio.images.reading import open_image
from madcat_studio.model.document import Polygon
from madcat_studio.model.geometry import bounding_box, corners

if TYPE_CHECKING:
    from PIL import Image

    from madcat_studio.store import Campaign

__all__ = ["MOST_WIDE", "handwriting_of", "line_pictures"]

MOST_WIDE = 1100
"""Pixels that a picture is wide at most; it is made smaller to fit."""

_MARGIN = 20


def handwriting_of(location: str, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """:func:`line_pictures` of a campaign that is not open.

    Raises:
        StudioError: the campaign cannot be opened.
    """
    from madcat_studio.store import open_campaign

    with open_campaign(location, read_only=True) as campaign:
        return line_pictures(campaign, wanted)


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
    sha256 = next((scan.sha256 for scan in campaign.contents.scans(base)), None)
    if sha256 is None:
        return {}
    lines = campaign.contents.lines(base)
    scan = scratch / "scan"
    scan.write_bytes(campaign.contents.blob(sha256))
    outlines: dict[int, list[tuple[str, Polygon]]] = {}
    for name in wanted:
        if name in lines:
            frame, polygons = lines[name]
            points = tuple(point for polygon in polygons for point in polygon)
            outlines.setdefault(frame, []).append((name, points))
    found: dict[tuple[str, str], str] = {}
    for frame, on_page in outlines.items():
        # A page is decoded once, however many of its segments are wanted.
        with open_image(scan, frame) as image:
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
    part.quantize(16).save(stream, "PNG")  # optimised: a twentieth smaller, ten times the work
    return f"data:image/png;base64,{base64.b64encode(stream.getvalue()).decode('ascii')}"
