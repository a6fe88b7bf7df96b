"""PAGE XML, 2010 to 2019: pages, regions, lines, baselines, words, reading order.

Revisions that differ here: 2010 writes outlines as ``Point`` children of ``Coords`` and knows no
``Baseline``; from 2013 on they are attributes ``points``. Local names decide: wrong namespaces
occur.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from lxml import etree

from madcat_studio.errors import FormatError
from madcat_studio.formats.layouts import Notes, ReadLayout, number, points_of, whole
from madcat_studio.formats.source import Source
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
from madcat_studio.model.problem import Problem, Severity

__all__ = ["VERSIONS", "read_page_xml", "write_page_xml"]

VERSIONS = {
    "2010": "2010-03-19",
    "2013": "2013-07-15",
    "2017": "2017-07-15",
    "2018": "2018-07-15",
    "2019": "2019-07-15",
}
"""Revisions that can be written, by year."""

_NAMESPACE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/"
_INDEX = re.compile(r"readingOrder\s*\{[^}]*?index\s*:\s*(\d+)")
_IDENTIFIER = re.compile(r"[A-Za-z_][\w.\-]*\Z")

_HELD = {
    "PcGts": set[str](),
    "Page": {
        "imageFilename",
        "imageWidth",
        "imageHeight",
        "imageXResolution",
        "imageYResolution",
        "imageResolutionUnit",
    },
    "Coords": {"points"},
    "Baseline": {"points"},
    "Point": {"x", "y"},
    "TextLine": {"id"},
    "Word": {"id"},
    "TextEquiv": {"index"},
    "Unicode": set[str](),
    "ReadingOrder": set[str](),
    "OrderedGroup": {"id"},
    "OrderedGroupIndexed": {"id", "index", "regionRef"},
    "UnorderedGroup": {"id"},
    "UnorderedGroupIndexed": {"id", "index", "regionRef"},
    "RegionRef": {"regionRef"},
    "RegionRefIndexed": {"regionRef", "index"},
}


def read_page_xml(source: Source) -> ReadLayout:
    """Read a PAGE XML file.

    The reading order is that of ``ReadingOrder``, else of ``custom="readingOrder {index:n;}"``,
    else the document's. Of several texts of one element that with the lowest ``index`` counts.

    Raises:
        FormatError: ``page.wrong-root``, ``page.no-page``, or as ``parse_xml``.
    """
    root = parse_xml(source)
    reader = _Reader(source)
    if reader.names[root.tag] != "PcGts":
        raise FormatError(
            "page.wrong-root",
            "this is not PAGE XML: its root is not “PcGts”",
            where=source.name,
            remedy="Check that it is the file you meant",
        )
    pages = [reader.page(found) for found in reader.children(root, "Page")]
    if not pages:
        raise FormatError(
            "page.no-page", "the file has no page", where=source.name, remedy="Fetch the file again"
        )
    regions = {name: {"id", "custom"} for name in reader.regions_seen}
    held = {**_HELD, **regions, "TextLine": {"id", "custom"}}
    reader.notes.tell_unheld(root, held)
    return ReadLayout(Layout(pages), tuple(reader.notes.problems))


class _Reader:
    def __init__(self, source: Source) -> None:
        self.names = Names()
        self.notes = Notes(source)
        self.regions_seen: set[str] = set()

    def children(self, element: Element, name: str) -> list[Element]:
        return [child for child in element if self.names[child.tag] == name]

    def child(self, element: Element, name: str) -> Element | None:
        return next(iter(self.children(element, name)), None)

    def page(self, element: Element) -> LayoutPage:
        page = LayoutPage(
            element.get("id"),
            element.get("imageFilename"),
            whole(element.get("imageWidth")),
            whole(element.get("imageHeight")),
            self.dpi(element),
        )
        found = [
            (child, self.region(child))
            for child in element.iter("*")
            if self.names[child.tag].endswith("Region")
        ]
        order = self.reading_order(element)
        indices = [self.custom_index(child) for child, _ in found]
        if order:
            place = {identifier: index for index, identifier in enumerate(order)}
            rest = len(order)
            keys = [place.get(region.id or "", rest) for _, region in found]
        elif found and all(index is not None for index in indices):
            keys = [index or 0 for index in indices]
        else:
            keys = [0] * len(found)
            page.ordered = len(found) < 2
            if not page.ordered:
                self.notes.tell(
                    "reading-order-missing",
                    "the file gives no reading order",
                    element=element,
                    done="the order of the document is kept",
                )
        ranked = sorted(range(len(found)), key=lambda i: keys[i])
        page.regions = [found[i][1] for i in ranked]
        return page

    def dpi(self, element: Element) -> int | None:
        value = number(element.get("imageXResolution"))
        if not value:
            return None
        per_cm = "cm" in (element.get("imageResolutionUnit") or "").lower()
        return round(value * 2.54 if per_cm else value)

    def reading_order(self, page: Element) -> list[str]:
        order = self.child(page, "ReadingOrder")
        found: list[str] = []

        def walk(group: Element) -> None:
            reference = group.get("regionRef")
            if reference:
                found.append(reference)
            members = [child for child in group if self.names[child.tag]]
            for member in sorted(members, key=lambda m: number(m.get("index")) or 0):
                walk(member)

        if order is not None:
            for group in order:
                if self.names[group.tag]:
                    walk(group)
        return found

    def custom_index(self, element: Element) -> int | None:
        match = _INDEX.search(element.get("custom") or "")
        return int(match.group(1)) if match else None

    def region(self, element: Element) -> LayoutRegion:
        kind = self.names[element.tag]
        self.regions_seen.add(kind)
        region = LayoutRegion(element.get("id"), kind, self.outline(element))
        lines = self.children(element, "TextLine")
        indices = [self.custom_index(line) for line in lines]
        if lines and all(index is not None for index in indices):
            ranked = sorted(range(len(lines)), key=lambda i: indices[i] or 0)
            lines = [lines[i] for i in ranked]
        region.lines = [self.line(line) for line in lines]
        text = self.text(element)
        if not any(line.text for line in region.lines):
            region.text = text
        if self.names[element.getparent().tag].endswith("Region"):
            self.notes.tell(
                "region-nested",
                f"the region {region.id} lies in another one",
                element=element,
                done="read as a region of its own",
                severity=Severity.NOTE,
            )
        return region

    def line(self, element: Element) -> LayoutLine:
        baseline = self.child(element, "Baseline")
        line = LayoutLine(
            element.get("id"),
            self.outline(element),
            self.points(baseline) if baseline is not None else (),
            self.text(element),
            [self.word(word) for word in self.children(element, "Word")],
        )
        spelt = " ".join(word.text for word in line.words if word.text)
        if line.text is None and spelt:
            line.text = spelt
        elif spelt and line.text is not None and line.text.split() != spelt.split():
            self.notes.tell(
                "text-levels-differ",
                f"the line says “{_short(line.text)}”, its words “{_short(spelt)}”",
                element=element,
                place=f"line {line.id}",
                done="both are kept",
            )
        return line

    def word(self, element: Element) -> LayoutWord:
        return LayoutWord(element.get("id"), self.outline(element), self.text(element))

    def outline(self, element: Element) -> Polygon:
        coords = self.child(element, "Coords")
        return self.points(coords) if coords is not None else ()

    def points(self, element: Element) -> Polygon:
        if element.get("points") is not None:
            return points_of(element.get("points"))
        found = [
            (number(point.get("x")), number(point.get("y")))
            for point in self.children(element, "Point")
        ]
        return tuple((x, y) for x, y in found if x is not None and y is not None)

    def text(self, element: Element) -> str | None:
        texts = sorted(
            self.children(element, "TextEquiv"), key=lambda t: number(t.get("index")) or 0
        )
        if len(texts) > 1:
            self.notes.tell(
                "text-alternatives",
                f"{element.get('id')} has {len(texts)} texts",
                element=element,
                done="the first one is taken over",
                severity=Severity.NOTE,
            )
        for text in texts:
            unicode = self.child(text, "Unicode")
            if unicode is not None:
                return str(unicode.xpath("string()")) or None
        return None


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def write_page_xml(
    layout: Layout, name: str, version: str = "2019", created: datetime | None = None
) -> tuple[list[bytes], list[Problem]]:
    """A PAGE XML file for each page, and what the revision cannot hold.

    Args:
        layout: the pages.
        name: for messages.
        version: a year of :data:`VERSIONS`.
        created: the time to write as the file's; None for now.
    """
    notes = Notes(Source(b"", name))
    writer = _Writer(version, (created or datetime.now(UTC)).replace(microsecond=0), notes)
    return [writer.page(page) for page in layout.pages], notes.problems


class _Writer:
    def __init__(self, version: str, created: datetime, notes: Notes) -> None:
        self.version = version
        self.namespace = _NAMESPACE + VERSIONS[version]
        self.created = created
        self.notes = notes
        self.taken: set[str] = set()

    def add(self, parent: Element, name: str, **attributes: str) -> Element:
        return etree.SubElement(parent, f"{{{self.namespace}}}{name}", attributes)

    def page(self, page: LayoutPage) -> bytes:
        self.taken = set()
        root = etree.Element(
            f"{{{self.namespace}}}PcGts",
            nsmap={None: self.namespace},  # type: ignore[dict-item]
        )
        metadata = self.add(root, "Metadata")
        self.add(metadata, "Creator").text = "MADCAT Studio"
        moment = self.created.isoformat().replace("+00:00", "Z")
        self.add(metadata, "Created").text = moment
        self.add(metadata, "LastChange").text = moment
        element = self.add(
            root,
            "Page",
            imageFilename=page.image or "",
            imageWidth=str(page.width or 0),
            imageHeight=str(page.height or 0),
        )
        if page.dpi and self.version >= "2017":
            element.set("imageXResolution", str(page.dpi))
            element.set("imageYResolution", str(page.dpi))
            element.set("imageResolutionUnit", "PPI")
        elif page.dpi:
            self.lost(f"page {page.id}", "the resolution")
        if page.id is not None:
            self.lost(f"page {page.id}", "the id of a page")
        ids = [self.identifier(region.id, "r") for region in page.regions]
        if ids and page.ordered:
            order = self.add(element, "ReadingOrder")
            group = self.add(order, "OrderedGroup", id=self.identifier(None, "ro"))
            for index, identifier in enumerate(ids):
                self.add(group, "RegionRefIndexed", index=str(index), regionRef=identifier)
        for identifier, region in zip(ids, page.regions, strict=True):
            self.region(element, identifier, region)
        etree.indent(root)
        return bytes(etree.tostring(root, encoding="UTF-8", xml_declaration=True)) + b"\n"

    def lost(self, place: str, what: str) -> None:
        self.notes.tell(
            "convert-lost",
            f"PAGE {self.version} has no room for {what}",
            place=place,
            severity=Severity.NOTE,
        )

    def identifier(self, wanted: str | None, prefix: str) -> str:
        """An id that PAGE allows: unique in the file, a name."""
        if wanted is not None and _IDENTIFIER.match(wanted) and wanted not in self.taken:
            self.taken.add(wanted)
            return wanted
        number_ = 0
        while f"{prefix}_{number_}" in self.taken:
            number_ += 1
        made = f"{prefix}_{number_}"
        self.taken.add(made)
        if wanted is not None:
            self.notes.tell(
                "convert-id-changed",
                f"the id “{wanted}” is not unique or no name",
                done=f"written as {made}",
                severity=Severity.NOTE,
            )
        return made

    def region(self, parent: Element, identifier: str, region: LayoutRegion) -> None:
        element = self.add(parent, region.kind, id=identifier)
        # PAGE XML asks for an outline where others, such as GEDI, have none of regions.
        box = bounding_box(tuple(point for line in region.lines for point in line.polygon))
        outline = region.polygon or (corners(box) if box else ())
        self.points(element, "Coords", outline, identifier)
        for line in region.lines:
            self.line(element, line)
        if region.kind == TEXT_REGION:
            self.text(element, region.text)
        elif region.text:
            self.lost(f"region {region.id}", f"text in a {region.kind}")

    def line(self, parent: Element, line: LayoutLine) -> None:
        element = self.add(parent, "TextLine", id=self.identifier(line.id, "l"))
        place = f"line {line.id}"
        self.points(element, "Coords", line.polygon, place)
        if line.baseline and self.version == "2010":
            self.lost(place, "baselines")
        elif line.baseline:
            self.points(element, "Baseline", line.baseline, place)
        for word in line.words:
            inner = self.add(element, "Word", id=self.identifier(word.id, "w"))
            self.points(inner, "Coords", word.polygon, f"word {word.id}")
            self.text(inner, word.text)
        self.text(element, line.text)

    def text(self, parent: Element, text: str | None) -> None:
        if text is not None:
            self.add(self.add(parent, "TextEquiv"), "Unicode").text = text

    def points(self, parent: Element, name: str, polygon: Polygon, place: str) -> None:
        rounded = [(round(x), round(y)) for x, y in polygon]
        if any(value < 0 for point in rounded for value in point):
            self.notes.tell(
                "convert-outside-page",
                "the outline leaves the page, which PAGE XML forbids",
                place=place,
                done="written all the same",
                severity=Severity.NOTE,
            )
        element = self.add(parent, name)
        if self.version == "2010":
            for x, y in rounded:
                self.add(element, "Point", x=str(x), y=str(y))
        else:
            element.set("points", " ".join(f"{x},{y}" for x, y in rounded))
