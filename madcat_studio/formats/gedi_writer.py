"""GEDI made anew from a layout: flat zones, each naming the next.

Zones have whatever attributes a project gives them. Ours are ``contents`` for text, ``region`` and
``line`` for what a zone lies in, ``type``, ``baseline``, ``custom`` and ``traits``.
"""

from __future__ import annotations

from itertools import pairwise

from lxml import etree

from madcat_studio.formats.flat_writer import FlatWriter
from madcat_studio.formats.gedi import KIND, LINE, WORD
from madcat_studio.formats.layout_writer import file_of
from madcat_studio.formats.layouts import line_outline, named, region_outline
from madcat_studio.formats.written import Written
from madcat_studio.formats.xml import Element
from madcat_studio.model.document import Polygon
from madcat_studio.model.geometry import bounding_box, corners
from madcat_studio.model.layout import Layout, LayoutLine, LayoutPage, LayoutRegion

__all__ = ["write_gedi"]


def write_gedi(layout: Layout, name: str, version: str = "") -> Written:
    """A GEDI file with all pages, and what it cannot hold."""
    writer = _Writer("GEDI", name)
    return Written([writer.file(layout)], writer.notes.problems)


class _Writer(FlatWriter):
    def file(self, layout: Layout) -> bytes:
        root = etree.Element("GEDI", GEDI_version="2.4.0")
        first = next((page.image for page in layout.pages if page.image), "")
        document = etree.SubElement(
            root, "DL_DOCUMENT", src=first, NrOfPages=str(len(layout.pages)), docTag="xml"
        )
        for page in layout.pages:
            self.page(document, page)
        return file_of(root)

    def page(self, document: Element, page: LayoutPage) -> None:
        self.resolution(page)
        made = etree.SubElement(
            document,
            "DL_PAGE",
            gedi_type="DL_PAGE",
            src=page.image or "",
            pageID=page.id or "",
            width=str(page.width or 0),
            height=str(page.height or 0),
        )
        if page.traits:
            made.set("traits", page.traits)
        for region in page.regions:
            self.region(made, region, page)
        for zone, after in pairwise(list(made)):
            zone.set("nextZoneID", after.get("id") or "")

    def zone(self, page: Element, kind: str, id_: str | None, outline: Polygon) -> Element:
        points = tuple((round(x), round(y)) for x, y in outline)
        left, top, right, bottom = bounding_box(points) or (0, 0, 0, 0)
        wanted = None if id_ in ("", "0", "-1") else id_  # which stand for “no next zone”
        made = etree.SubElement(
            page,
            "DL_ZONE",
            gedi_type=kind,
            id=self.own_id(wanted),
            col=str(left),
            row=str(top),
            width=str(right - left),
            height=str(bottom - top),
            orientationD="0.0",
        )
        if len(points) > 2 and points != corners((left, top, right, bottom)):
            made.set("polygon", ";".join(f"({x},{y})" for x, y in points))
        return made

    def own_id(self, wanted: str | None) -> str:
        """An id that no other zone has; it need not be a name, most are numbers."""
        if wanted is not None and wanted not in self.given:
            self.given.add(wanted)
            return wanted
        made = self.names.fresh("zone")
        while made in self.given:
            made = self.names.fresh("zone")
        self.given.add(made)
        if wanted is not None:
            self.notes.tell_id_changed(wanted, made)
        return made

    def __init__(self, format_name: str, name: str) -> None:
        super().__init__(format_name, name)
        self.given: set[str] = set()
        self.ids: dict[int, str] = {}

    def region(self, page: Element, region: LayoutRegion, of: LayoutPage) -> None:
        kind = region.kind
        if not KIND.fullmatch(kind) or LINE.search(kind) or WORD.search(kind):
            self.lost(named("region", region.id), f"regions of kind {kind}")
            kind = "UnknownRegion"
        zone = self.zone(page, kind, region.id, region_outline(region, of))
        self.ids[id(region)] = zone.get("id")
        within = self.ids.get(id(region.parent))
        said = {"contents": region.text, "type": region.type, "custom": region.custom}
        said["traits"] = region.traits
        zone.attrib.update({key: value for key, value in said.items() if value})
        if within is not None:
            zone.set("region", within)
        for line in region.lines:
            self.line(page, line, region, zone.get("id"), of)

    def line(
        self, page: Element, line: LayoutLine, region: LayoutRegion, within: str, of: LayoutPage
    ) -> None:
        outline = line_outline(line, region, of)
        if outline is not line.polygon:
            self.notes.tell_outline_made("line", named("line", line.id))
        zone = self.zone(page, "DL_TEXTLINE", line.id, outline)
        zone.set("region", within)
        told = {"contents": self.said(line), "custom": line.custom, "traits": line.traits}
        zone.attrib.update({key: value for key, value in told.items() if value})
        if len(line.baseline) > 1:
            points = ";".join(f"({round(x)},{round(y)})" for x, y in line.baseline)
            zone.set("baseline", points)
        for word in line.words:
            known = len(word.polygon) > 1
            if not known:
                self.notes.tell_outline_made("word", named("word", word.id))
            inner = self.zone(page, "DL_WORD", word.id, word.polygon if known else outline)
            inner.set("line", zone.get("id"))
            if word.text is not None:
                inner.set("contents", word.text)
            if word.traits:
                inner.set("traits", word.traits)
