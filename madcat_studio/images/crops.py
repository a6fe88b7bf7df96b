"""Pictures of lines and words, cut from a page in stored pixel order.

Whatever a crop shows beyond the page is white, and so is what lies outside its outline where that
is asked for. Pixels of 16 bits become 8 over the full range; colours become RGB.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from PIL import Image, ImageDraw

from madcat_studio.model.document import Polygon
from madcat_studio.model.geometry import exterior_of, grow, parts_of, shape_of

__all__ = ["CropStyle", "crop", "main_angle", "plain_image"]


@dataclass(frozen=True, slots=True)
class CropStyle:
    """How to cut.

    Attributes:
        margin: pixels kept around the outline; dots and strokes may lie just outside of it.
        straighten: turn the crop so that its main direction is level.
        mask: whiten what is farther than ``margin`` from the outline.
    """

    margin: int = 10
    straighten: bool = False
    mask: bool = False


def plain_image(image: Image.Image) -> Image.Image:
    """The image in bilevel, 8-bit grey or RGB, whatever it was; transparent pixels are white."""
    if image.mode in ("1", "L", "RGB"):
        return image
    if image.mode.startswith("I;16") or image.mode == "I":
        return image.convert("I").point(lambda value: value / 257).convert("L")
    if image.mode == "F":
        return image.convert("L")
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        over = image.convert("RGBA")
        ground = Image.new("RGBA", over.size, "white")
        ground.alpha_composite(over)
        return ground.convert("RGB")
    return image.convert("RGB")


def main_angle(polygon: Polygon) -> float:
    """The direction of an outline's longer side in degrees, clockwise on the page, -45 to 45.

    It is that of the smallest rectangle around the outline, whichever way that stands.
    """
    best: tuple[float, float] | None = None
    size = len(polygon)
    for index in range(size):
        x0, y0 = polygon[index]
        x1, y1 = polygon[(index + 1) % size]
        if (x0, y0) == (x1, y1):
            continue
        angle = math.atan2(y1 - y0, x1 - x0)
        cos, sin = math.cos(angle), math.sin(angle)
        along = [x * cos + y * sin for x, y in polygon]
        across = [y * cos - x * sin for x, y in polygon]
        area = (max(along) - min(along)) * (max(across) - min(across))
        degrees = math.degrees(angle)
        level = (degrees + 45) % 90 - 45
        if best is None or area < best[0] - 1e-9:
            best = area, level
    return best[1] if best is not None else 0.0


def crop(image: Image.Image, polygon: Polygon, style: CropStyle) -> Image.Image | None:
    """The part of a plain image that an outline encloses; None for an outline without points.

    Args:
        image: as :func:`plain_image` gives it.
        polygon: in stored pixels; may leave the page.
        style: how to cut.
    """
    if not polygon:
        return None
    margin = style.margin
    angle = main_angle(polygon) if style.straighten else 0.0
    if not angle:
        left, top, right, bottom = _box(polygon, margin)
        return _cut(image, polygon, style, (left, top, right, bottom))
    # In a frame that is turned with the outline, the crop is an upright box again.
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    turned = tuple((x * cos + y * sin, y * cos - x * sin) for x, y in polygon)
    box = _box(turned, margin)
    corners = tuple((x * cos - y * sin, x * sin + y * cos) for x in box[::2] for y in box[1::2])
    around = _box(corners, 2)
    part = _cut(image, polygon, style, around)
    if part.mode == "1":
        part = part.convert("L")
    return part.transform(
        (box[2] - box[0], box[3] - box[1]),
        Image.Transform.AFFINE,
        (
            cos,
            -sin,
            box[0] * cos - box[1] * sin - around[0],
            sin,
            cos,
            box[0] * sin + box[1] * cos - around[1],
        ),
        resample=Image.Resampling.BICUBIC,
        fillcolor=_white(part.mode),
    )


def _white(mode: str) -> int | tuple[int, int, int]:
    return (255, 255, 255) if mode == "RGB" else 255


def _box(polygon: Polygon, margin: int) -> tuple[int, int, int, int]:
    """The box around an outline, with a margin, in whole pixels; at least one each way."""
    left = math.floor(min(x for x, _ in polygon)) - margin
    top = math.floor(min(y for _, y in polygon)) - margin
    right = math.ceil(max(x for x, _ in polygon)) + margin
    bottom = math.ceil(max(y for _, y in polygon)) + margin
    return left, top, max(right, left + 1), max(bottom, top + 1)


def _cut(
    image: Image.Image, polygon: Polygon, style: CropStyle, box: tuple[int, int, int, int]
) -> Image.Image:
    """A box of the page, white beyond it and, where asked, far from the outline."""
    left, top, right, bottom = box
    white = _white(image.mode)
    part = Image.new(image.mode, (right - left, bottom - top), white)
    seen = (max(left, 0), max(top, 0), min(right, image.width), min(bottom, image.height))
    if seen[0] < seen[2] and seen[1] < seen[3]:
        part.paste(image.crop(seen), (seen[0] - left, seen[1] - top))
    if not style.mask:
        return part
    inner = tuple((x - left, y - top) for x, y in polygon)
    blank = Image.new(part.mode, part.size, white)
    return Image.composite(part, blank, _mask(part, inner, style.margin))


def _mask(part: Image.Image, inner: Polygon, margin: int) -> Image.Image:
    """What lies in the outline or within the margin of it."""
    mask = Image.new("1", part.size, 0)
    draw = ImageDraw.Draw(mask)
    # A filter over the pixels would take minutes for a line at 600 dpi.
    for piece in parts_of(grow(shape_of(inner), margin)):
        draw.polygon(exterior_of(piece), fill=1, outline=1)
    return mask
