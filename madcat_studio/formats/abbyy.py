"""XML of ABBYY FineReader, versions 6 to 10: blocks, lines, and a box for each letter. Read only.

A word is what stands between blanks; its box is that of its letters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set

from madcat_studio.errors import FormatError
from madcat_studio.formats.layouts import Notes, ReadLayout
from madcat_studio.formats.numbers import number, whole
from madcat_studio.formats.source import Source
from madcat_studio.formats.survey import Survey
from madcat_studio.formats.xml import Element, Names, parse_xml
from madcat_studio.model.document import Polygon
from madcat_studio.model.geometry import bounding_box, corners
from madcat_studio.model.layout import (
    TEXT_REGION,
    Layout,
    LayoutLine,
    LayoutPage,
    LayoutRegion,
    LayoutWord,
)

__all__ = ["count_abbyy", "read_abbyy"]

_KINDS = {
    "Text": TEXT_REGION,
    "Table": "TableRegion",
    "Picture": "ImageRegion",
    "RasterPicture": "ImageRegion",
    "VectorPicture": "GraphicRegion",
    "Barcode": "GraphicRegion",
    "Separator": "SeparatorRegion",
    "SeparatorsBox": "SeparatorRegion",
    "Checkmark": "UnknownRegion",
}
_BOX = {"l", "t", "r", "b"}
_HELD: dict[str, Set[str]] = {
    "document": {"pagesCount", "mainLanguage", "languages", "producer", "version"},
    "page": {"width", "height", "resolution", "originalCoords"},
    "block": {"blockType", "blockName", *_BOX},
    "line": {"baseline", *_BOX},
    "charParams": {"wordStart", "wordFirst", *_BOX},
    "rect": _BOX,
    **dict.fromkeys(("region", "text", "par", "formatting", "row", "cell"), frozenset[str]()),
}


def read_abbyy(source: Source) -> ReadLayout:
    """Read a file of FineReader.

    Raises:
        FormatError: ``abbyy.no-page``, or as ``parse_xml``.
    """
    root, names = _root(source)
    notes = Notes(source)
    survey = Survey(root)
    reader = _Reader(names, survey.ordinals)
    pages = [reader.page(element) for element in root if names[element.tag] == "page"]
    notes.tell_unreadable(survey, {*_BOX, "width", "height", "resolution", "baseline"}, set())
    notes.tell_unheld(survey, _HELD, aside={"documentData"})
    return ReadLayout(Layout(pages), tuple(notes.problems), source)


def _root(source: Source) -> tuple[Element, Names]:
    root, names = parse_xml(source), Names()
    if not any(names[element.tag] == "page" for element in root):
        raise FormatError(
            "abbyy.no-page",
            "the file has no page of FineReader",
            where=source.name,
            remedy="Check that it is the file you meant",
        )
    return root, names


class _Reader:
    def __init__(self, names: Names, places: dict[Element, int]) -> None:
        self.names = names
        self.places = places

    def page(self, element: Element) -> LayoutPage:
        page = LayoutPage(
            None,
            None,
            whole(element.get("width")),
            whole(element.get("height")),
            whole(element.get("resolution")),
            ordered=False,
            origin=self.places[element],
        )
        for block in element:
            if self.names[block.tag] == "block":
                page.regions += self.regions(block)
        return page

    def regions(self, block: Element) -> list[LayoutRegion]:
        """A block; a table and its cells that hold text."""
        kind = _KINDS.get(block.get("blockType") or "", "UnknownRegion")
        region = LayoutRegion(block.get("blockName") or None, kind, _outline(block, self.names))
        region.origin = self.places[block]
        if kind != "TableRegion":
            region.lines = [self.line(line) for line in _lines(block, self.names)]
            return [region]
        found = [region]
        for cell in (each for each in block.iter("*") if self.names[each.tag] == "cell"):
            inner = LayoutRegion(None, TEXT_REGION, parent=region, origin=self.places[cell])
            inner.lines = [self.line(line) for line in _lines(cell, self.names)]
            box = bounding_box(tuple(point for line in inner.lines for point in line.polygon))
            if box is not None:
                inner.polygon = corners(box)
                found.append(inner)
        return found

    def line(self, element: Element) -> LayoutLine:
        outline = _box(element)
        line = LayoutLine(None, outline, origin=self.places[element])
        words: list[tuple[str, list[Polygon], int]] = []
        fresh = True
        for letter in element.iter("*"):
            if self.names[letter.tag] != "charParams":
                continue
            text = str(letter.text or "")
            if not text.strip():
                fresh = True
                continue
            if fresh:
                words.append(("", [], self.places[letter]))
                fresh = False
            said, boxes, place = words[-1]
            words[-1] = said + text, [*boxes, _box(letter)], place
        for said, boxes, place in words:
            box = bounding_box(tuple(point for each in boxes for point in each))
            outside = corners(box) if box is not None else ()
            line.words.append(LayoutWord(None, outside, said, place))
        line.text = " ".join(_said(element, self.names).split()) or None
        level = number(element.get("baseline"))
        if level and outline:
            line.baseline = ((outline[0][0], level), (outline[1][0], level))
        return line


def _lines(element: Element, names: Names) -> list[Element]:
    return [each for each in element.iter("*") if names[each.tag] == "line"]


def _outline(block: Element, names: Names) -> Polygon:
    box = _box(block)
    if box:
        return box
    rects = [_box(each) for each in block.iter("*") if names[each.tag] == "rect"]
    found = bounding_box(tuple(point for rect in rects for point in rect))
    return corners(found) if found is not None else ()


def _box(element: Element) -> Polygon:
    left, top, right, bottom = (number(element.get(side)) for side in ("l", "t", "r", "b"))
    if left is None or top is None or right is None or bottom is None:
        return ()
    return corners((left, top, right, bottom))


def _said(line: Element, names: Names) -> str:
    """The text of a line; older versions have no boxes of letters, only the text."""
    letters = [each for each in line.iter("*") if names[each.tag] == "charParams"]
    if letters:
        return "".join(str(letter.text or " ") for letter in letters)
    return str(line.xpath("string()"))


def count_abbyy(source: Source, found: Counter[str]) -> Iterator[str]:
    """Count what a file of FineReader holds."""
    root, names = _root(source)
    for element in root.iter("*"):
        name = names[element.tag]
        found["regions"] += name == "block"
        if name == "cell":
            found["regions"] += any(_box(line) for line in _lines(element, names))
        elif name == "line":
            found["lines"] += 1
            found["baselines"] += bool(number(element.get("baseline")) and _box(element))
            said = _said(element, names)
            if any(names[each.tag] == "charParams" for each in element.iter("*")):
                found["words"] += len(said.split())
            yield said
