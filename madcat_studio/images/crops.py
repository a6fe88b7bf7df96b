"""Pictures of lines and words, cut from a page in stored pixel order.

Whatever a crop shows beyond the page is white, and so is what lies outside its outline where that
is asked for. Pixels of 16 bits become 8 over the full range; colours become RGB.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFilter

from madcat_studio.model.document import Polygon

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
    angle = main_angle(polygon) if style.straighten else 0.0
    margin = style.margin
    # Turning needs what would come into view at the corners.
    reach = margin + (_turn_reach(polygon) if angle else 0)
    left = math.floor(min(x for x, _ in polygon)) - reach
    top = math.floor(min(y for _, y in polygon)) - reach
    right = math.ceil(max(x for x, _ in polygon)) + reach
    bottom = math.ceil(max(y for _, y in polygon)) + reach
    white = (255, 255, 255) if image.mode == "RGB" else 255
    part = Image.new(image.mode, (max(1, right - left), max(1, bottom - top)), white)
    seen = (max(left, 0), max(top, 0), min(right, image.width), min(bottom, image.height))
    if seen[0] < seen[2] and seen[1] < seen[3]:
        part.paste(image.crop(seen), (seen[0] - left, seen[1] - top))
    inner = [(x - left, y - top) for x, y in polygon]
    if style.mask:
        part = Image.composite(
            part, Image.new(part.mode, part.size, white), _mask(part, inner, margin)
        )
    if not angle:
        return part
    turned = (part.convert("L") if part.mode == "1" else part).rotate(
        angle,
        resample=Image.Resampling.BICUBIC,
        fillcolor=white,
    )
    box = _turned_box(inner, part.size, angle, margin)
    return turned.crop(box)


def _turn_reach(polygon: Polygon) -> int:
    width = max(x for x, _ in polygon) - min(x for x, _ in polygon)
    height = max(y for _, y in polygon) - min(y for _, y in polygon)
    return math.ceil(max(width, height) / 2)


def _mask(part: Image.Image, inner: list[tuple[float, float]], margin: int) -> Image.Image:
    mask = Image.new("L", part.size, 0)
    if len(inner) > 1:
        ImageDraw.Draw(mask).polygon(inner, fill=255, outline=255)
    if margin:
        mask = mask.filter(ImageFilter.MaxFilter(2 * margin + 1))
    return mask.convert("1")


def _turned_box(
    inner: list[tuple[float, float]], size: tuple[int, int], angle: float, margin: int
) -> tuple[int, int, int, int]:
    """Where an outline lies after turning about the middle of the picture."""
    middle_x, middle_y = size[0] / 2, size[1] / 2
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    turned = [
        (
            middle_x + (x - middle_x) * cos + (y - middle_y) * sin,
            middle_y - (x - middle_x) * sin + (y - middle_y) * cos,
        )
        for x, y in inner
    ]
    return (
        math.floor(min(x for x, _ in turned)) - margin,
        math.floor(min(y for _, y in turned)) - margin,
        math.ceil(max(x for x, _ in turned)) + margin,
        math.ceil(max(y for _, y in turned)) + margin,
    )
