"""What MADCAT asks of every page and other formats do not: a size, a resolution, outlines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import NamedTuple, TypeAlias

from madcat_studio.model.document import Document, Line, Page, Point, Polygon
from madcat_studio.model.geometry import bounding_box, corners, known_outline
from madcat_studio.model.layout import Layout
from madcat_studio.model.problem import Problem, Severity, Where

__all__ = ["RESOLUTION", "Facts", "PageImage", "completed", "completed_layout"]

RESOLUTION = 300
"""Dots per inch where neither the file nor its image says any: what most pages are scanned at."""


class PageImage(NamedTuple):
    """What an image says of itself; ``dpi`` None where it does not say."""

    width: int
    height: int
    dpi: int | None = None


Facts: TypeAlias = Callable[[str, int], PageImage | None]
"""What the image of a name says of a frame, None where it is not to be found."""


def completed_layout(layout: Layout, base: str, file: str) -> list[Problem]:
    """Give pages of a layout the image's name and the size that other programs ask for.

    Returns:
        what had to be made up.
    """
    maker = _Maker(file)
    for page in layout.pages:
        if not page.image:
            page.image = f"{base}.tif"
            maker.tell("page-image-assumed", "the file names no image", f"{page.image} is used")
        if not (page.width and page.height):
            points = [point for region in page.regions for point in region.polygon]
            for region in page.regions:
                for line in region.lines:
                    points += (*line.polygon, *line.baseline)
                    points += (point for word in line.words for point in word.polygon)
            right, bottom = _extent(points)
            page.width, page.height = page.width or right, page.height or bottom
            maker.tell_size(page.width, page.height, f"page {page.id}")
    return maker.problems


def completed(document: Document, file: str, facts: Facts) -> tuple[Document, list[Problem]]:
    """A copy of a document that has all that MADCAT asks for, and what had to be made up.

    An outline of fewer than three points gets its last one again; one that nobody drew is the
    nearest that is known.
    """
    made = deepcopy(document)
    maker = _Maker(file)
    if not made.src:
        made.src = f"{made.id}.tif"
        maker.tell("page-image-assumed", "the file names no image", f"{made.src} is used")
    for number, page in enumerate(made.pages):
        maker.page(page, facts(made.src, number))
    return made, maker.problems


class _Maker:
    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []

    def tell(self, code: str, what: str, done: str, place: str = "") -> None:
        where = Where(self.file, None, place)
        self.problems.append(Problem(code, Severity.NOTE, where, what, done))

    def tell_size(self, width: int, height: int, place: str) -> None:
        done = f"{width} x {height} is used, which holds all outlines"
        self.tell("page-size-assumed", "the page has no size", done, place)

    def page(self, page: Page, image: PageImage | None) -> None:
        place = f"page {page.id}"
        if not (page.width and page.height):
            if image is None:
                points = [point for region in page.regions for point in region.polygon]
                for line in page.lines:
                    points += (*line.polygon, *line.baseline)
                    points += (point for word in line.words for point in word.polygon)
                right, bottom = _extent(points)
                page.width, page.height = page.width or right, page.height or bottom
                self.tell_size(page.width, page.height, place)
            else:
                page.width, page.height = image.width, image.height
        if not page.dpi:
            page.dpi = image.dpi if image is not None else None
            if not page.dpi:
                page.dpi = RESOLUTION
                what = "neither the file nor its image says a resolution"
                self.tell("page-resolution-assumed", what, f"{RESOLUTION} dpi is used", place)
        regions = {region.id: region.polygon for region in page.regions}
        whole = corners((0, 0, page.width, page.height))
        for line in page.lines:
            self.line(line, regions.get(line.region or "") or whole)

    def line(self, line: Line, around: Polygon) -> None:
        words = tuple(point for word in line.words for point in word.polygon)
        known = known_outline(line.polygon, words, line.baseline) or around
        if known is not line.polygon:
            self.outline("line", line.id)
        line.polygon = _of_three(known)
        for word in line.words:
            if not word.polygon:
                self.outline("word", word.id)
            word.polygon = _of_three(word.polygon or line.polygon)

    def outline(self, what: str, identifier: str | None) -> None:
        self.tell(
            "convert-outline-made",
            f"the {what} has no outline",
            "the nearest known one is used instead",
            f"{what} {identifier}",
        )


def _of_three(polygon: Polygon) -> Polygon:
    return polygon + polygon[-1:] * (3 - len(polygon))


def _extent(points: Sequence[Point]) -> tuple[int, int]:
    """How wide and high a page is at least, by what lies on it."""
    box = bounding_box(tuple(points)) or (0, 0, 1, 1)
    return max(1, round(box[2])), max(1, round(box[3]))
