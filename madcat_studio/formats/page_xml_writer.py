"""PAGE XML made anew from a layout, as the published schema of its revision asks."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache

from lxml import etree

from madcat_studio.formats.layouts import (
    FreshNames,
    Notes,
    line_outline,
    region_outline,
)
from madcat_studio.formats.source import Source
from madcat_studio.formats.xml import Element
from madcat_studio.model.baselines import derived_baseline
from madcat_studio.model.document import Polygon
from madcat_studio.model.layout import (
    TEXT_REGION,
    Layout,
    LayoutLine,
    LayoutPage,
    LayoutRegion,
)
from madcat_studio.model.problem import Problem, Severity
from madcat_studio.paths import schemas

__all__ = ["NAMESPACE", "VERSIONS", "write_page_xml"]

VERSIONS = {
    "2010": "2010-03-19",
    "2013": "2013-07-15",
    "2016": "2016-07-15",
    "2017": "2017-07-15",
    "2018": "2018-07-15",
    "2019": "2019-07-15",
}
"""Revisions that can be written, by year."""

NAMESPACE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/"
_TYPES = {
    TEXT_REGION: "TextTypeSimpleType",
    "GraphicRegion": "GraphicsTypeSimpleType",
    "ChartRegion": "ChartTypeSimpleType",
}


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
        self.namespace = NAMESPACE + VERSIONS[version]
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
            elif self.version != "2010" and not set(region.type) & set("{};"):
                element.set("custom", f"structure {{type:{region.type};}}")
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
