"""ALTO, versions 2 to 4: blocks, lines, baselines, strings, reading order.

Revisions that differ here: ``BASELINE`` is one number up to version 3, a list of points in 4;
``ReadingOrder`` exists from 4.3 on. ``POINTS`` come as ``x,y x,y`` and as ``x y x y``. The unit
that a file claims is sometimes wrong, so the size of the image decides where it is known.
"""

from __future__ import annotations

from collections.abc import Callable

from lxml import etree

from madcat_studio.errors import FormatError
from madcat_studio.formats.layouts import (
    ImageSize,
    Notes,
    ReadLayout,
    box_polygon,
    number,
    points_of,
    whole,
)
from madcat_studio.formats.source import Source
from madcat_studio.formats.xml import Element, Names, parse_xml
from madcat_studio.model.document import Polygon
from madcat_studio.model.geometry import bounding_box
from madcat_studio.model.layout import (
    TEXT_REGION,
    Layout,
    LayoutLine,
    LayoutPage,
    LayoutRegion,
    LayoutWord,
)
from madcat_studio.model.problem import Problem, Severity

__all__ = ["VERSIONS", "read_alto", "write_alto"]

VERSIONS = ("2", "3", "4")
"""Versions that can be written."""

_BLOCKS = {
    "TextBlock": TEXT_REGION,
    "Illustration": "ImageRegion",
    "GraphicalElement": "GraphicRegion",
}
_BOX = {"ID", "HPOS", "VPOS", "WIDTH", "HEIGHT"}
_HELD = {
    "alto": set[str](),
    "Page": {"ID", "WIDTH", "HEIGHT", "PHYSICAL_IMG_NR"},
    "TextBlock": _BOX,
    "Illustration": _BOX,
    "GraphicalElement": _BOX,
    "TextLine": {*_BOX, "BASELINE"},
    "String": {*_BOX, "CONTENT"},
    "SP": _BOX,
    "HYP": {*_BOX, "CONTENT"},
    "Polygon": {"POINTS"},
    "ElementRef": {"ID", "REF"},
    "OrderedGroup": {"ID"},
}
_PASSED = frozenset(
    (
        "Description", "MeasurementUnit", "sourceImageInformation", "fileName", "Layout",
        "PrintSpace", "TopMargin", "BottomMargin", "LeftMargin", "RightMargin", "Shape",
        "ReadingOrder", "UnorderedGroup",
    )
)  # fmt: skip


def read_alto(source: Source, image_size: ImageSize) -> ReadLayout:
    """Read an ALTO file; coordinates become pixels of the image.

    Raises:
        FormatError: ``alto.wrong-root``, ``alto.no-page``, or as ``parse_xml``.
    """
    root = parse_xml(source)
    reader = _Reader(source, image_size)
    if reader.names[root.tag] != "alto":
        raise FormatError(
            "alto.wrong-root",
            "this is not ALTO: its root is not “alto”",
            where=source.name,
            remedy="Check that it is the file you meant",
        )
    pages = reader.pages(root)
    if not pages:
        raise FormatError(
            "alto.no-page", "the file has no page", where=source.name, remedy="Fetch the file again"
        )
    reader.notes.tell_unheld(root, _HELD, _PASSED)
    return ReadLayout(Layout(pages), tuple(reader.notes.problems))


class _Reader:
    def __init__(self, source: Source, image_size: ImageSize) -> None:
        self.names = Names()
        self.notes = Notes(source)
        self.image_size = image_size
        self.across = self.down = 1.0
        self.order: dict[str, int] = {}

    def every(self, element: Element, name: str) -> list[Element]:
        return [found for found in element.iter("*") if self.names[found.tag] == name]

    def pages(self, root: Element) -> list[LayoutPage]:
        names = self.every(root, "fileName")
        image = (names[0].text or "").strip() if names else None
        units = self.every(root, "MeasurementUnit")
        unit = (units[0].text or "").strip() if units else "pixel"
        groups = self.every(root, "OrderedGroup")
        outer = [g for g in groups if self.names[g.getparent().tag] != "OrderedGroup"]
        if outer:
            references = [ref.get("REF") or "" for ref in self.every(outer[0], "ElementRef")]
            for index, reference in enumerate(references):
                self.order.setdefault(reference, index)
        if len(outer) > 1:
            self.notes.tell(
                "reading-orders",
                f"the file gives {len(outer)} reading orders",
                done="the first one is taken over",
                severity=Severity.NOTE,
            )
        return [
            self.page(page, image or None, unit, index)
            for index, page in enumerate(self.every(root, "Page"))
        ]

    def page(self, element: Element, image: str | None, unit: str, index: int) -> LayoutPage:
        width, height = number(element.get("WIDTH")), number(element.get("HEIGHT"))
        size = self.image_size(image, index) if image else None
        self.scale(element, width, height, size, unit)
        page = LayoutPage(
            element.get("ID"),
            image,
            size[0] if size else whole(element.get("WIDTH")),
            size[1] if size else whole(element.get("HEIGHT")),
        )
        blocks = [self.block(b) for b in element.iter("*") if self.names[b.tag] in _BLOCKS]
        if self.order:
            last = len(self.order)
            blocks.sort(
                key=lambda b: min(
                    [self.order.get(b.id or "", last)]
                    + [self.order.get(line.id or "", last) for line in b.lines]
                )
            )
        page.regions = blocks
        page.ordered = bool(self.order) or len(blocks) < 2
        return page

    def scale(
        self,
        page: Element,
        width: float | None,
        height: float | None,
        size: tuple[int, int] | None,
        unit: str,
    ) -> None:
        """Decide how many pixels a unit is, across and down."""
        self.across = self.down = 1.0
        if not width or not height:
            self.notes.tell(
                "page-size-missing",
                "the page has no size",
                element=page,
                done="that of the image is taken" if size else "left open",
            )
        elif size is not None:
            self.across, self.down = size[0] / width, size[1] / height
            if abs(self.across / self.down - 1) > 0.01:
                self.notes.tell(
                    "page-shape-differs",
                    f"the page is {width:g} x {height:g}, the image {size[0]} x {size[1]}: not "
                    "of one shape",
                    element=page,
                    done="scaled by different factors",
                    remedy="Check that it is the right image",
                )
            elif unit == "pixel" and abs(self.across - 1) > 0.001:
                self.notes.tell(
                    "unit-wrong",
                    f"the file claims pixels, but the page is {width:g} x {height:g} and the "
                    f"image {size[0]} x {size[1]}",
                    element=page,
                    done=f"scaled by {self.across:.4g}",
                )
        elif unit != "pixel":
            self.notes.tell(
                "unit-unknown",
                f"the file measures in “{unit}” and its image is not to be found",
                element=page,
                done="numbers are taken as pixels",
                remedy="Put the image beside the file",
            )
        if unit not in ("pixel", "mm10", "inch1200"):
            self.notes.tell("unit-illegal", f"“{unit}” is no unit of ALTO", element=page)

    def block(self, element: Element) -> LayoutRegion:
        lines = [c for c in element if self.names[c.tag] == "TextLine"]
        region = LayoutRegion(
            element.get("ID"), _BLOCKS[self.names[element.tag]], self.outline(element)
        )
        region.lines = [self.line(line) for line in lines]
        if any(line.id in self.order for line in region.lines):
            region.lines.sort(key=lambda line: self.order.get(line.id or "", len(self.order)))
        return region

    def line(self, element: Element) -> LayoutLine:
        line = LayoutLine(element.get("ID"), self.outline(element), self.baseline(element))
        spaced = any(self.names[child.tag] == "SP" for child in element)
        parts: list[str] = []
        for child in element:
            kind = self.names[child.tag]
            content = child.get("CONTENT") or ""
            if kind == "String":
                if parts and not spaced:
                    parts.append(" ")
                parts.append(content)
                line.words.append(LayoutWord(child.get("ID"), self.outline(child), content or None))
            elif kind == "SP":
                parts.append(" ")
            elif kind == "HYP":
                parts.append(content)
        text = "".join(parts)
        line.text = text if text.strip() else None
        return line

    def baseline(self, element: Element) -> Polygon:
        text = (element.get("BASELINE") or "").strip()
        single = number(text)
        if single is not None:
            left, width = number(element.get("HPOS")), number(element.get("WIDTH"))
            if left is None or width is None:
                return ()
            return self.scaled(((left, single), (left + width, single)))
        return self.scaled(points_of(text))

    def outline(self, element: Element) -> Polygon:
        for shape in element:
            if self.names[shape.tag] == "Shape":
                for polygon in shape:
                    if self.names[polygon.tag] == "Polygon":
                        return self.scaled(points_of(polygon.get("POINTS")))
        box = [number(element.get(name)) for name in ("HPOS", "VPOS", "WIDTH", "HEIGHT")]
        return self.scaled(box_polygon(*box))

    def scaled(self, polygon: Polygon) -> Polygon:
        if self.across == self.down == 1.0:
            return polygon
        return tuple((x * self.across, y * self.down) for x, y in polygon)


def write_alto(layout: Layout, name: str, version: str = "4") -> tuple[bytes, list[Problem]]:
    """An ALTO file in pixels with all pages, and what the version cannot hold."""
    notes = Notes(Source(b"", name))
    namespace = f"http://www.loc.gov/standards/alto/ns-v{version}#"

    def add(parent: Element, tag: str, **attributes: str) -> Element:
        return etree.SubElement(parent, f"{{{namespace}}}{tag}", attributes)

    root = etree.Element(f"{{{namespace}}}alto", nsmap={None: namespace})  # type: ignore[dict-item]
    description = add(root, "Description")
    add(description, "MeasurementUnit").text = "pixel"
    names = list(dict.fromkeys(page.image for page in layout.pages if page.image))
    image = names[0] if names else None
    for other in names[1:]:
        notes.tell(
            "convert-lost",
            f"ALTO {version} has no room for a second image, “{other}”",
            severity=Severity.NOTE,
        )
    if image:
        add(add(description, "sourceImageInformation"), "fileName").text = image
    body = add(root, "Layout")
    writer = _Writer(version, notes, add)
    for index, page in enumerate(layout.pages):
        writer.page(body, page, index)
    etree.indent(root)
    data = bytes(etree.tostring(root, encoding="UTF-8", xml_declaration=True)) + b"\n"
    return data, notes.problems


class _Writer:
    def __init__(self, version: str, notes: Notes, add: Callable[..., Element]) -> None:
        self.version = version
        self.notes = notes
        self.add = add
        self.taken: set[str] = set()

    def lost(self, place: str, what: str) -> None:
        self.notes.tell(
            "convert-lost",
            f"ALTO {self.version} has no room for {what}",
            place=place,
            severity=Severity.NOTE,
        )

    def identifier(self, wanted: str | None, prefix: str) -> dict[str, str]:
        if wanted is not None and wanted not in self.taken:
            self.taken.add(wanted)
            return {"ID": wanted}
        count = 0
        while f"{prefix}_{count}" in self.taken:
            count += 1
        made = f"{prefix}_{count}"
        self.taken.add(made)
        if wanted is not None:
            self.notes.tell(
                "convert-id-changed",
                f"the id “{wanted}” is given twice in the file",
                done=f"written as {made}",
                severity=Severity.NOTE,
            )
        return {"ID": made}

    def box(self, polygon: Polygon) -> dict[str, str]:
        bounds = bounding_box(polygon)
        if bounds is None:
            return {}
        left, top, right, bottom = map(round, bounds)
        return {
            "HPOS": str(left),
            "VPOS": str(top),
            "WIDTH": str(right - left),
            "HEIGHT": str(bottom - top),
        }

    def shape(self, parent: Element, polygon: Polygon) -> None:
        if polygon:
            points = " ".join(f"{round(x)},{round(y)}" for x, y in polygon)
            self.add(self.add(parent, "Shape"), "Polygon", POINTS=points)

    def page(self, parent: Element, page: LayoutPage, index: int) -> None:
        element = self.add(
            parent,
            "Page",
            **self.identifier(page.id, "p"),
            PHYSICAL_IMG_NR=str(index + 1),
            WIDTH=str(page.width or 0),
            HEIGHT=str(page.height or 0),
        )
        if page.dpi:
            self.lost(f"page {page.id}", "the resolution")
        space = self.add(
            element, "PrintSpace", HPOS="0", VPOS="0",
            WIDTH=str(page.width or 0), HEIGHT=str(page.height or 0),
        )  # fmt: skip
        kinds = {kind: tag for tag, kind in _BLOCKS.items()}
        for region in page.regions:
            tag = kinds.get(region.kind, "GraphicalElement")
            if region.lines:
                tag = "TextBlock"
            place = f"region {region.id}"
            if region.kind not in kinds:
                self.lost(place, f"regions of kind {region.kind}")
            block = self.add(
                space, tag, **self.identifier(region.id, "b"), **self.box(region.polygon)
            )
            self.shape(block, region.polygon)
            if region.text:
                self.lost(place, "text of a region without lines")
            for line in region.lines:
                self.line(block, line)

    def line(self, parent: Element, line: LayoutLine) -> None:
        place = f"line {line.id}"
        attributes = {**self.identifier(line.id, "l"), **self.box(line.polygon)}
        if line.baseline and self.version == "4":
            attributes["BASELINE"] = " ".join(f"{round(x)},{round(y)}" for x, y in line.baseline)
        elif line.baseline:
            heights = {round(y) for _, y in line.baseline}
            attributes["BASELINE"] = str(round(sum(heights) / len(heights)))
            if len(heights) > 1:
                self.lost(place, "a baseline that is not level")
        element = self.add(parent, "TextLine", **attributes)
        self.shape(element, line.polygon)
        spelt = " ".join(word.text for word in line.words if word.text)
        if line.words:
            if line.text is not None and line.text.split() != spelt.split():
                self.lost(place, "a line's text beside that of its words")
            for index, word in enumerate(line.words):
                if index:
                    self.add(element, "SP")
                string = self.add(
                    element,
                    "String",
                    **self.identifier(word.id, "s"),
                    CONTENT=word.text or "",
                    **self.box(word.polygon),
                )
                self.shape(string, word.polygon)
        elif line.text:
            self.notes.tell(
                "convert-line-as-string",
                "the line has a text and no words",
                place=place,
                done="written as one string of the line's size",
                severity=Severity.NOTE,
            )
            self.add(element, "String", CONTENT=line.text, **self.box(line.polygon))
