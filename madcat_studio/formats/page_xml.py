"""PAGE XML, 2010 to 2019: pages, regions, lines, baselines, words, reading order.

Revisions that differ here: 2010 writes outlines as ``Point`` children of ``Coords``, knows no
``Baseline`` and no region within another; from 2013 on outlines are attributes ``points``. Local
names decide: wrong namespaces occur. What a revision allows is asked of its published schema.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cache

from lxml import etree

from madcat_studio.errors import FormatError
from madcat_studio.formats.layouts import (
    FreshNames,
    Notes,
    ReadLayout,
    line_outline,
    number,
    ordinals,
    points_of,
    region_outline,
    whole,
)
from madcat_studio.formats.source import Source
from madcat_studio.formats.xml import Element, Names, parse_xml
from madcat_studio.model.baselines import derived_baseline
from madcat_studio.model.document import Polygon
from madcat_studio.model.layout import (
    TEXT_REGION,
    Layout,
    LayoutLine,
    LayoutPage,
    LayoutRegion,
    LayoutWord,
)
from madcat_studio.model.problem import Problem, Severity
from madcat_studio.paths import schemas

__all__ = ["VERSIONS", "read_page_xml", "write_page_xml"]

VERSIONS = {
    "2010": "2010-03-19",
    "2013": "2013-07-15",
    "2016": "2016-07-15",
    "2017": "2017-07-15",
    "2018": "2018-07-15",
    "2019": "2019-07-15",
}
"""Revisions that can be written, by year."""

_NAMESPACE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/"
_INDEX = re.compile(r"readingOrder\s*\{[^}]*?index\s*:\s*(\d+)")
_CELL = "TableCell"
"""What some programs write into a table, beside every schema; a text region serves as well."""
_TYPES = {
    TEXT_REGION: "TextTypeSimpleType",
    "GraphicRegion": "GraphicsTypeSimpleType",
    "ChartRegion": "ChartTypeSimpleType",
}

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
    regions = {name: {"id", "custom", "type"} for name in reader.regions_seen}
    held = {**_HELD, **regions, "TextLine": {"id", "custom"}}
    reader.notes.tell_unheld(root, held)
    return ReadLayout(Layout(pages), tuple(reader.notes.problems))


class _Reader:
    def __init__(self, source: Source) -> None:
        self.names = Names()
        self.notes = Notes(source)
        self.regions_seen: set[str] = set()
        self.ordinals: dict[Element, int] = {}

    def children(self, element: Element, name: str) -> list[Element]:
        return [child for child in element if self.names[child.tag] == name]

    def child(self, element: Element, name: str) -> Element | None:
        return next(iter(self.children(element, name)), None)

    def page(self, element: Element) -> LayoutPage:
        self.ordinals = self.ordinals or ordinals(element.getroottree().getroot())
        page = LayoutPage(
            element.get("id"),
            element.get("imageFilename"),
            whole(element.get("imageWidth")),
            whole(element.get("imageHeight")),
            self.dpi(element),
        )
        found: list[tuple[Element, LayoutRegion]] = []
        self.regions(element, None, found)
        keys = self.keys(element, page, found)
        ranked = sorted(range(len(found)), key=lambda i: keys[i])
        page.regions = [found[i][1] for i in ranked]
        return page

    def regions(
        self,
        parent: Element,
        inside: LayoutRegion | None,
        found: list[tuple[Element, LayoutRegion]],
    ) -> None:
        """Collect the regions below an element, each before those that lie in it."""
        for child in parent:
            name = self.names[child.tag]
            if name.endswith("Region") or name == _CELL:
                region = self.region(child)
                region.parent = inside
                found.append((child, region))
                self.regions(child, region, found)

    def keys(
        self, element: Element, page: LayoutPage, found: list[tuple[Element, LayoutRegion]]
    ) -> list[tuple[int, ...]]:
        """What the regions are sorted by; one without a place of its own stands by its parent."""
        order: dict[str, int] = {}
        for identifier in self.reading_order(element):
            order.setdefault(identifier, len(order))
        indices = [self.custom_index(child) for child, region in found if region.parent is None]
        by_index = not order and bool(indices) and None not in indices
        if not order and not by_index:
            page.ordered = len(found) < 2
            if not page.ordered:
                self.notes.tell(
                    "reading-order-missing",
                    "the file gives no reading order",
                    element=element,
                    done="the order of the document is kept",
                )
        keys: dict[int, tuple[int, ...]] = {}
        for number_, (child, region) in enumerate(found):
            above = keys[id(region.parent)] if region.parent is not None else None
            index = (self.custom_index(child) or 0) if by_index else 0
            if region.id in order:
                keys[id(region)] = (order[region.id],)
            elif above is not None:
                keys[id(region)] = (*above, index, number_)
            else:
                keys[id(region)] = (index if by_index else len(order), number_)
        return [keys[id(region)] for _, region in found]

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
        region = LayoutRegion(
            element.get("id"),
            TEXT_REGION if kind == _CELL else kind,
            self.outline(element),
            type=element.get("type"),
            origin=self.ordinals[element],
        )
        lines = self.children(element, "TextLine")
        indices = [self.custom_index(line) for line in lines]
        if lines and all(index is not None for index in indices):
            ranked = sorted(range(len(lines)), key=lambda i: indices[i] or 0)
            lines = [lines[i] for i in ranked]
        region.lines = [self.line(line) for line in lines]
        text = self.text(element)
        said = [word for line in region.lines for word in (line.text or "").split()]
        if text is not None and text.split() != said:
            region.text = text
        return region

    def line(self, element: Element) -> LayoutLine:
        baseline = self.child(element, "Baseline")
        line = LayoutLine(
            element.get("id"),
            self.outline(element),
            self.points(baseline) if baseline is not None else (),
            self.text(element),
            [self.word(word) for word in self.children(element, "Word")],
            self.ordinals[element],
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
        return LayoutWord(
            element.get("id"), self.outline(element), self.text(element), self.ordinals[element]
        )

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


@cache
def _allowed(version: str, kind: str) -> frozenset[str]:
    """The values that a revision lists for a type of its schema."""
    path = f"//*[@name='{kind}']//*[local-name()='enumeration']/@value"
    return frozenset(map(str, _schema(version).xpath(path)))


@cache
def _kinds(version: str) -> frozenset[str]:
    """The kinds of regions that a revision knows."""
    names = _schema(version).xpath("//*[local-name()='element']/@name")
    return frozenset(str(name) for name in names if str(name).endswith("Region"))


@cache
def _schema(version: str) -> Element:
    return etree.parse(schemas() / f"page-{VERSIONS[version]}.xsd")


class _Writer:
    def __init__(self, version: str, created: datetime, notes: Notes) -> None:
        self.version = version
        self.namespace = _NAMESPACE + VERSIONS[version]
        self.created = created
        self.notes = notes
        self.names = FreshNames()

    def add(self, parent: Element, name: str, **attributes: str) -> Element:
        return etree.SubElement(parent, f"{{{self.namespace}}}{name}", attributes)

    def page(self, page: LayoutPage) -> bytes:
        self.names = FreshNames()
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
        if page.dpi and self.version >= "2018":
            element.set("imageXResolution", str(page.dpi))
            element.set("imageYResolution", str(page.dpi))
            element.set("imageResolutionUnit", "PPI")
        elif page.dpi:
            self.lost(f"page {page.id}", "the resolution")
        if page.id is not None:
            self.lost(f"page {page.id}", "the id of a page")
        ids = {id(region): self.identifier(region.id, "r") for region in page.regions}
        if ids and page.ordered:
            order = self.add(element, "ReadingOrder")
            group = self.add(order, "OrderedGroup", id=self.names.fresh("ro"))
            for index, identifier in enumerate(ids.values()):
                self.add(group, "RegionRefIndexed", index=str(index), regionRef=identifier)
        self.regions(element, None, page, ids)
        etree.indent(root)
        return bytes(etree.tostring(root, encoding="UTF-8", xml_declaration=True)) + b"\n"

    def regions(
        self, element: Element, inside: LayoutRegion | None, page: LayoutPage, ids: dict[int, str]
    ) -> None:
        """Write the regions that lie in another one (None: in no other)."""
        flat = self.version == "2010"
        for region in page.regions:
            above = (
                region.parent if region.parent is not None and id(region.parent) in ids else None
            )
            if above is not None and flat and inside is None:
                self.lost(f"region {region.id}", "regions within others")
                self.region(element, region, page, ids)
            elif above is inside and not (flat and inside is not None):
                self.region(element, region, page, ids)

    def lost(self, place: str, what: str) -> None:
        self.notes.tell(
            "convert-lost",
            f"PAGE {self.version} has no room for {what}",
            place=place,
            severity=Severity.NOTE,
        )

    def identifier(self, wanted: str | None, prefix: str) -> str:
        """An id that PAGE allows: unique in the file, a name."""
        if wanted is not None and self.names.take(wanted):
            return wanted
        made = self.names.fresh(prefix)
        if wanted is not None:
            self.notes.tell(
                "convert-id-changed",
                f"the id “{wanted}” is not unique or no name",
                done=f"written as {made}",
                severity=Severity.NOTE,
            )
        return made

    def region(
        self, parent: Element, region: LayoutRegion, page: LayoutPage, ids: dict[int, str]
    ) -> None:
        place = f"region {region.id}"
        kind = TEXT_REGION if region.lines else region.kind
        if kind not in _kinds(self.version):
            kind = TEXT_REGION if region.text else "UnknownRegion"
        if kind != region.kind:
            self.lost(place, f"regions of kind {region.kind} with what this one has")
        element = self.add(parent, kind, id=ids[id(region)])
        if region.type is not None:
            if region.type in _allowed(self.version, _TYPES.get(kind, "")):
                element.set("type", region.type)
            else:
                self.lost(place, f"the type “{region.type}” of a {kind}")
        self.points(element, "Coords", region_outline(region, page), place)
        self.regions(element, region, page, ids)
        for line in region.lines:
            self.line(element, line, region, page)
        if kind == TEXT_REGION:
            self.text(element, region.text)
        elif region.text:
            self.lost(place, f"text in a {kind}")

    def line(
        self, parent: Element, line: LayoutLine, region: LayoutRegion, page: LayoutPage
    ) -> None:
        element = self.add(parent, "TextLine", id=self.identifier(line.id, "l"))
        place = f"line {line.id}"
        outline = line_outline(line, region, page)
        if outline is not line.polygon:
            self.notes.tell_outline_made("line", place)
        self.points(element, "Coords", outline, place)
        baseline = line.baseline if len(line.baseline) > 1 else ()
        if self.version == "2010":
            if line.baseline:
                self.lost(place, "baselines")
        else:
            if not baseline and (baseline := derived_baseline(line.polygon)):
                self.notes.tell_baseline_derived(place)
            if baseline:
                self.points(element, "Baseline", baseline, place)
        for word in line.words:
            inner = self.add(element, "Word", id=self.identifier(word.id, "w"))
            known = len(word.polygon) > 1
            if not known:
                self.notes.tell_outline_made("word", f"word {word.id}")
            self.points(inner, "Coords", word.polygon if known else outline, f"word {word.id}")
            self.text(inner, word.text)
        self.text(element, line.text)

    def text(self, parent: Element, text: str | None) -> None:
        if text is not None:
            equivalent = self.add(parent, "TextEquiv")
            if self.version == "2010":  # which asks for both
                self.add(equivalent, "PlainText")
            self.add(equivalent, "Unicode").text = text

    def points(self, parent: Element, name: str, polygon: Polygon, place: str) -> None:
        rounded = [(round(x), round(y)) for x, y in polygon]
        clipped = [(max(x, 0), max(y, 0)) for x, y in rounded]
        if clipped != rounded:
            self.notes.tell(
                "convert-outside-page",
                "the outline leaves the page, which PAGE XML forbids",
                place=place,
                done="clipped to the page",
                severity=Severity.NOTE,
            )
        element = self.add(parent, name)
        if self.version == "2010":
            for x, y in clipped:
                self.add(element, "Point", x=str(x), y=str(y))
        else:
            element.set("points", " ".join(f"{x},{y}" for x, y in clipped))
