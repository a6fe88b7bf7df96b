"""PAGE XML made anew from a layout, as the published schema of its revision asks."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache

from lxml import etree

from madcat_studio.formats.layout_writer import LayoutWriter, file_of, root_of
from madcat_studio.formats.layouts import FreshNames, Notes, line_outline, named, region_outline
from madcat_studio.formats.schema_attributes import allows, has_element
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
from madcat_studio.model.traits import CELL, DIRECTIONS, STYLE, traits_of
from madcat_studio.paths import schemas

__all__ = ["NAMESPACE", "VERSIONS", "kinds_of", "types_of", "write_page_xml"]

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
_DIRECTIONS = {alto: page for page, alto in DIRECTIONS.items()}
_NEWEST = "page-2019-07-15.xsd"
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
def types_of(version: str, kind: str) -> frozenset[str]:
    """The types that a revision lists for a kind of region."""
    path = f"//*[@name='{_TYPES.get(kind, '')}']//*[local-name()='enumeration']/@value"
    return frozenset(map(str, _schema(version).xpath(path)))


@cache
def kinds_of(version: str) -> frozenset[str]:
    """The kinds of regions that a revision knows."""
    names = _schema(version).xpath("//*[local-name()='element']/@name")
    return frozenset(str(name) for name in names if str(name).endswith("Region"))


@cache
def _schema(version: str) -> Element:
    return etree.parse(schemas() / f"page-{VERSIONS[version]}.xsd")


class _Writer(LayoutWriter):
    def __init__(self, version: str, created: datetime, notes: Notes) -> None:
        super().__init__(f"PAGE {version}", NAMESPACE + VERSIONS[version], notes)
        self.version = version
        self.schema = f"page-{VERSIONS[version]}.xsd"
        self.created = created

    def page(self, page: LayoutPage) -> bytes:
        self.names = FreshNames()
        root = root_of(self.namespace, "PcGts")
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
        else:
            self.resolution(page)
        if page.id is not None:
            if self.names.take(page.id):
                root.set("pcGtsId", page.id)
            else:
                self.notes.tell_aside(
                    f"PAGE {self.version} takes no id such as “{page.id}” for a page"
                )
        self.traits(element, page.traits, f"page {page.id}")
        ids = {id(region): self.identifier(region.id, "r") for region in page.regions}
        if ids and page.ordered:
            order = self.add(element, "ReadingOrder")
            group = self.add(order, "OrderedGroup", id=self.names.fresh("ro"))
            for index, identifier in enumerate(ids.values()):
                self.add(group, "RegionRefIndexed", index=str(index), regionRef=identifier)
        self.style(element, page.traits, f"page {page.id}")
        self.regions(element, None, page, ids)
        return file_of(root)

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
                self.lost(named("region", region.id), "regions within others")
                self.region(element, region, page, ids)
            elif above is inside and not (flat and inside is not None):
                self.region(element, region, page, ids)

    def region(
        self, parent: Element, region: LayoutRegion, page: LayoutPage, ids: dict[int, str]
    ) -> None:
        place = named("region", region.id)
        kind = TEXT_REGION if region.lines or region.text else region.kind
        if kind not in kinds_of(self.version):
            kind = "UnknownRegion"
        if kind != region.kind:
            self.lost(place, f"regions of kind {region.kind} with what this one has")
        element = self.add(parent, kind, id=ids[id(region)])
        custom = region.custom or ""
        if region.type is not None:
            if region.type in types_of(self.version, kind):
                element.set("type", region.type)
            elif self.version != "2010" and not set(region.type) & set("{};"):
                custom = f"structure {{type:{region.type};}} {custom}"
            else:
                self.lost(place, f"the type “{region.type}” of a {kind}")
        self.traits(element, region.traits, place)
        cell = self.cell(region.traits, place)
        has_roles = has_element(self.schema, "TableCellRole")
        if cell and not has_roles:
            said = " ".join(f"{name}:{value};" for name, value in cell.items())
            custom = f"{custom.strip()} tableCell {{{said}}}"
        self.custom(element, custom, place)
        self.points(element, "Coords", region_outline(region, page), place)
        if cell and has_roles:
            self.add(self.add(element, "Roles"), "TableCellRole", **cell)
        self.regions(element, region, page, ids)
        for line in region.lines:
            self.line(element, line, region, page)
        self.text(element, region.text or None)
        self.style(element, region.traits, place)

    def line(
        self, parent: Element, line: LayoutLine, region: LayoutRegion, page: LayoutPage
    ) -> None:
        element = self.add(parent, "TextLine", id=self.identifier(line.id, "l"))
        place = named("line", line.id)
        self.custom(element, line.custom or "", place)
        self.traits(element, line.traits, place)
        outline = line_outline(line, region, page)
        if outline is not line.polygon:
            self.notes.tell_outline_made("line", place)
        self.points(element, "Coords", outline, place)
        baseline = line.baseline if len(line.baseline) > 1 else ()
        if self.version == "2010":
            if line.baseline:
                self.lost(place, "baselines")
        else:
            if not baseline and (baseline := derived_baseline(outline)):
                self.notes.tell_baseline_derived(place)
            if baseline:
                self.points(element, "Baseline", baseline, place)
        for word in line.words:
            inner = self.add(element, "Word", id=self.identifier(word.id, "w"))
            self.traits(inner, word.traits, named("word", word.id))
            known = len(word.polygon) > 1
            if not known:
                self.notes.tell_outline_made("word", named("word", word.id))
            self.points(inner, "Coords", word.polygon if known else outline, named("word", word.id))
            self.text(inner, word.text)
            self.style(inner, word.traits, named("word", word.id))
        self.text(element, line.text)
        self.style(element, line.traits, place)

    def traits(self, element: Element, said: str | None, place: str) -> None:
        """Write what else is said in attributes, as far as the revision allows it."""
        if not said:
            return
        name = etree.QName(element).localname
        traits = traits_of(said)
        direction = _DIRECTIONS.get(traits.get("BASEDIRECTION", ""), "")
        if allows(self.schema, name, "readingDirection", direction):
            del traits["BASEDIRECTION"]
            traits.setdefault("readingDirection", direction)
        for trait, value in traits.items():
            if trait.startswith((STYLE, CELL)):
                continue
            if allows(self.schema, name, trait, value):
                element.set(trait, value)
            else:
                self.lost_trait(place, trait, value, self.schema, name)

    def style(self, element: Element, said: str | None, place: str) -> None:
        """Write the style of a text, behind it."""
        if not said:
            return
        found = {
            n.removeprefix(STYLE): v for n, v in traits_of(said).items() if n.startswith(STYLE)
        }
        if not found:
            return
        name = etree.QName(element).localname
        allowed = {n: v for n, v in found.items() if allows(self.schema, "TextStyle", n, v)}
        if not allowed or (name == "Page" and self.version < "2019") or (
            name.endswith("Region") and name != TEXT_REGION
        ):  # fmt: skip
            self.lost(place, f"the style of a {name}")
            return
        self.add(element, "TextStyle", **allowed)
        for other in sorted(found.keys() - allowed.keys()):
            self.lost_trait(place, other, found[other], self.schema, "TextStyle")

    def cell(self, said: str | None, place: str) -> dict[str, str]:
        """The place of a cell in its table; empty where it is not told in whole numbers."""
        found = {n.removeprefix(CELL): v for n, v in traits_of(said).items() if n.startswith(CELL)}
        known = {n: v for n, v in found.items() if allows(_NEWEST, "TableCellRole", n, v)}
        if not {"rowIndex", "columnIndex"} <= known.keys():
            known = {}
        for other in sorted(found.keys() - known.keys()):
            self.lost_trait(place, other, found[other], _NEWEST, "TableCellRole")
        return known

    def custom(self, element: Element, said: str, place: str) -> None:
        """Write what is said besides, where the revision has an attribute for it."""
        if said.strip() and self.version == "2010":
            self.lost(place, f"custom “{said.strip()}”")
        elif said.strip():
            element.set("custom", said.strip())

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
                "the outline goes off the page, which PAGE XML forbids",
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
