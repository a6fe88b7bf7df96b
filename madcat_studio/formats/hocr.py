"""hOCR: text and boxes in HTML. An HTML parser takes what is not well-formed."""

from __future__ import annotations

import re

from madcat_studio.errors import FormatError
from madcat_studio.formats.html import parse_html
from madcat_studio.formats.layouts import Notes, ReadLayout
from madcat_studio.formats.numbers import box_polygon, number, points_of
from madcat_studio.formats.source import Source
from madcat_studio.formats.survey import Survey
from madcat_studio.formats.xml import Element
from madcat_studio.model.characters import remove_forbidden
from madcat_studio.model.document import Polygon
from madcat_studio.model.layout import (
    TEXT_REGION,
    Layout,
    LayoutLine,
    LayoutPage,
    LayoutRegion,
    LayoutWord,
)
from madcat_studio.model.problem import Severity

__all__ = ["FLOATS", "read_hocr"]

_LINES = ("ocr_line", "ocrx_line", "ocr_header", "ocr_footer", "ocr_caption", "ocr_textfloat")
_BLOCKS = ("ocr_carea", "ocrx_block", "ocr_par", *_LINES[2:])
"""What may hold lines; of a line's kinds, one that holds other lines."""
_AREAS = {"ocr_carea", "ocrx_block"}
FLOATS = {
    "ocr_image": "ImageRegion",
    "ocr_photo": "ImageRegion",
    "ocr_linedrawing": "LineDrawingRegion",
    "ocr_separator": "SeparatorRegion",
    "ocr_table": "TableRegion",
    "ocr_math": "MathsRegion",
    "ocr_chem": "ChemRegion",
    "ocr_float": "GraphicRegion",
}
"""What stands on a page besides text, and the kind of its region."""
_PART = re.compile(r"""(?:"[^"]*"|[^;"])+""")
_WORDS = ("ocrx_word", "ocr_word")
_ATTRIBUTES = {"class", "id", "title"}
_HELD = {*_LINES, *_WORDS, *_AREAS, *FLOATS, "ocr_page", "ocr_par"}
_TAKEN = {"bbox", "image", "file", "baseline", "poly", "ppageno", "scan_res"}


def read_hocr(source: Source) -> ReadLayout:
    """Read an hOCR file.

    A baseline is given as slope and offset from the lower left corner of the line's box.

    Raises:
        FormatError: ``hocr.no-page``, ``hocr.too-deep``, ``xml.wrong-encoding`` and kin.
    """
    root = parse_html(source.decoded.text, source.name)
    reader = _Reader(source, Survey(root).ordinals)
    source.keep_lines(tuple(element.sourceline or 1 for element in reader.ordinals))
    pages = [reader.page(found) for found in reader.every(root, ("ocr_page",))]
    if not pages:
        raise FormatError(
            "hocr.no-page",
            "this is not an hOCR file: it has no ocr_page",
            where=source.name,
            remedy="Check that it is the file you meant",
        )
    reader.count_left()
    for name, times in sorted(reader.left.items()):
        reader.notes.tell(
            "convert-not-taken-over",
            f"{name} ({times} time{'s' * (times != 1)}) is not copied",
            severity=Severity.NOTE,
        )
    return ReadLayout(Layout(pages), tuple(reader.notes.problems), source)


class _Reader:
    def __init__(self, source: Source, places: dict[Element, int]) -> None:
        self.ordinals = places
        self.kinds = {
            element: frozenset(given.split())
            for element in places
            if (given := element.get("class"))
        }
        self.notes = Notes(source)
        self.left: dict[str, int] = {}

    def every(self, element: Element, kinds: tuple[str, ...]) -> list[Element]:
        wanted, given = frozenset(kinds), self.kinds
        return [
            found
            for found in element.iter("*")
            if found in given and not wanted.isdisjoint(given[found])
        ]

    def count_left(self) -> None:
        """Count what no property tells, such as attributes for the language."""
        for element, given in self.kinds.items():
            kinds = [kind for kind in given if kind.startswith("ocr")]
            if not kinds:
                continue
            lost = [kind for kind in kinds if kind not in _HELD]
            lost += [f"@{key}" for key in element.keys() if key not in _ATTRIBUTES]  # noqa: SIM118
            for name in lost:
                self.left[name] = self.left.get(name, 0) + 1

    def properties(self, element: Element) -> dict[str, str]:
        found: dict[str, str] = {}
        for part in _PART.findall(_given(element, "title") or ""):
            name, _, value = part.strip().partition(" ")
            if name:
                found[name] = value.strip()
                if name not in _TAKEN:
                    self.left[name] = self.left.get(name, 0) + 1
        return found

    def page(self, element: Element) -> LayoutPage:
        properties = self.properties(element)
        image = (properties.get("image") or properties.get("file") or "").strip("\"'")
        box = points_of(properties.get("bbox"))
        resolution = number((properties.get("scan_res") or "").split(" ")[0])
        page = LayoutPage(
            _given(element, "id"),
            image.replace("\\", "/").rpartition("/")[2] or None,
            int(box[1][0]) if len(box) == 2 else None,
            int(box[1][1]) if len(box) == 2 else None,
            round(resolution) if resolution else None,
        )
        if len(box) != 2:
            self.notes.tell(
                "page-size-missing", "the page has no size", origin=self.ordinals[element]
            )
        page.origin = self.ordinals[element]
        page.regions = self.regions(element)
        return page

    def regions(self, page: Element) -> list[LayoutRegion]:
        """The blocks of a page in document order, each with the lines that stand in it."""
        blocks = set(self.every(page, _BLOCKS))
        bare = blocks - {above for block in blocks for above in block.iterancestors()}
        holding = {above for line in self.every(page, _LINES) for above in line.iterancestors()}
        regions: list[LayoutRegion] = []
        last: Element | None = page
        for element in self.every(page, (*_BLOCKS, *_LINES, *FLOATS)):
            kinds = (element.get("class") or "").split()
            if element not in holding and any(kind in kinds for kind in _LINES):
                holder = self.holder(element, page, blocks)
                if not regions or holder is not last:
                    regions.append(self.region(holder))
                    last = holder
                regions[-1].lines.append(self.line(element))
            elif element not in holding and element in bare and _text(element) is not None:
                regions.append(self.bare_region(element))
                last = page
            elif element not in holding and not len(element) and (kind := self.kind(kinds)):
                regions.append(self.region(element))
                regions[-1].kind = kind
                last = page
        if not regions and _text(page) is not None:
            regions.append(self.bare_region(page))
            regions[0].id = None
        return regions

    def bare_region(self, element: Element) -> LayoutRegion:
        """What has a text and no lines: its words are a line, or the text is its own."""
        region = self.region(element)
        words = self.line(element)
        if words.words:
            region.lines.append(words)
        else:
            region.text = words.text
        return region

    def kind(self, kinds: list[str]) -> str:
        """The kind of a region that holds nothing; "" where an element is none."""
        told = next((FLOATS[name] for name in kinds if name in FLOATS), "")
        return told or (TEXT_REGION if _AREAS.intersection(kinds) else "")

    def region(self, holder: Element | None) -> LayoutRegion:
        if holder is None:
            return LayoutRegion(None)
        outline = self.outline(self.properties(holder))
        return LayoutRegion(_given(holder, "id"), polygon=outline, origin=self.ordinals[holder])

    def holder(self, line: Element, page: Element, blocks: set[Element]) -> Element | None:
        """The outermost block that a line stands in: paragraphs of an area are one region."""
        found = None
        for above in line.iterancestors():
            if above is page:
                break
            if above in blocks:
                found = above
        return found

    def line(self, element: Element) -> LayoutLine:
        properties = self.properties(element)
        polygon = self.outline(properties)
        words = [
            LayoutWord(
                _given(word, "id"),
                self.outline(self.properties(word)),
                _text(word),
                self.ordinals[word],
            )
            for word in self.every(element, _WORDS)
        ]
        line = LayoutLine(_given(element, "id"), polygon, text=_text(element), words=words)
        line.origin = self.ordinals[element]
        slope = [number(part) for part in (properties.get("baseline") or "").split()]
        box = points_of(properties.get("bbox"))
        if len(slope) == 2 and len(box) == 2 and None not in slope:
            rise, offset = slope[0] or 0, slope[1] or 0
            (left, _), (right, bottom) = box
            line.baseline = (
                (left, bottom + offset),
                (right, bottom + offset + rise * (right - left)),
            )
        return line

    def outline(self, properties: dict[str, str]) -> Polygon:
        poly = points_of(properties.get("poly"))
        if len(poly) >= 3:
            return poly
        box = points_of(properties.get("bbox"))
        if len(box) != 2:
            return ()
        (left, top), (right, bottom) = box
        return box_polygon(left, top, right - left, bottom - top)


def _given(element: Element, name: str) -> str | None:
    """An attribute without what XML cannot hold: HTML may spell out any character."""
    value = element.get(name)
    return None if value is None else remove_forbidden(value)[0]


def _text(element: Element) -> str | None:
    text, _ = remove_forbidden(element.text_content())
    return " ".join(text.split()) or None
