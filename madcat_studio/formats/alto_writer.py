"""ALTO made anew from a layout, as the published schema of its version asks."""

from __future__ import annotations

import re

from madcat_studio.formats.alto import COMPOSED, KIND, LINE, TYPE
from madcat_studio.formats.alto_styles import TraitWriter
from madcat_studio.formats.layout_writer import LayoutWriter, file_of, root_of
from madcat_studio.formats.layouts import Notes, line_outline, named, region_outline
from madcat_studio.formats.source import Source
from madcat_studio.formats.xml import Element
from madcat_studio.model.baselines import derived_baseline
from madcat_studio.model.document import Polygon
from madcat_studio.model.geometry import bounding_box, corners
from madcat_studio.model.layout import (
    TEXT_REGION,
    Layout,
    LayoutLine,
    LayoutPage,
    LayoutRegion,
)
from madcat_studio.model.problem import Problem, Severity

__all__ = ["VERSIONS", "write_alto"]

VERSIONS = ("2", "3", "4")
"""Versions that can be written."""

_TYPE = re.compile(r"structure\s*\{\s*type\s*:\s*([^;{}]+?)\s*;?\s*\}")
_KIND_OF_CUSTOM = re.compile(r"([\w-]+)\s*\{")
_REVISIONS = {"2": "2.1", "3": "3.1", "4": "4.4"}
"""The revision that is written for a version: its last."""


def write_alto(layout: Layout, name: str, version: str = "4") -> tuple[bytes, list[Problem]]:
    """An ALTO file in pixels with all pages, and what the version cannot hold."""
    writer = _Writer(version, Notes(Source(b"", name)))
    return writer.file(layout), writer.notes.problems


def _type_of(line: LayoutLine) -> str | None:
    """What a line is for, as PAGE XML tells it."""
    found = _TYPE.search(line.custom or "")
    return found.group(1) if found else None


class _Writer(LayoutWriter):
    def __init__(self, version: str, notes: Notes) -> None:
        namespace = f"http://www.loc.gov/standards/alto/ns-v{version}#"
        super().__init__(f"ALTO {version}", namespace, notes)
        self.version = version
        self.tags: dict[tuple[str, str], str] = {}
        schema = f"alto-{_REVISIONS[version].replace('.', '-')}.xsd"
        self.traits = TraitWriter(self, schema)

    def file(self, layout: Layout) -> bytes:
        root = root_of(self.namespace, "alto")
        if self.version != "2":  # which has no such attribute
            root.set("SCHEMAVERSION", _REVISIONS[self.version])
        description = self.add(root, "Description")
        self.add(description, "MeasurementUnit").text = "pixel"
        names = list(dict.fromkeys(page.image for page in layout.pages if page.image))
        for other in names[1:]:
            self.notes.tell(
                "convert-lost",
                f"ALTO {self.version} cannot hold a second image, “{other}”",
                severity=Severity.NOTE,
            )
        if names:
            image = self.add(description, "sourceImageInformation")
            self.add(image, "fileName").text = names[0]
        ids: dict[int, str] = {}
        for page in layout.pages:
            ids |= {id(region): self.identifier(region.id, "b") for region in page.regions}
        self.all_tags(root, layout)
        self.order(root, layout, ids)
        body = self.add(root, "Layout")
        for index, page in enumerate(layout.pages):
            self.page(body, page, index, ids)
        self.traits.close(root)
        return file_of(root)

    def all_tags(self, root: Element, layout: Layout) -> None:
        """Write what regions are for, and their kinds where ALTO has no element for them."""
        said: dict[tuple[str, str], None] = {}
        for page in layout.pages:
            for region in page.regions:
                said |= dict.fromkeys(self.said_of(region))
                said |= {(LINE, type_): None for line in region.lines if (type_ := _type_of(line))}
        if said:
            parent = self.add(root, "Tags")
            for type_, label in said:
                identifier = self.names.fresh("tag")
                self.tags[type_, label] = identifier
                self.add(parent, "OtherTag", ID=identifier, TYPE=type_, LABEL=label)

    def said_of(self, region: LayoutRegion) -> list[tuple[str, str]]:
        said = [(TYPE, region.type)] if region.type else []
        if region.kind != TEXT_REGION and region.kind not in ("ImageRegion", "GraphicRegion"):
            said.append((KIND, region.kind))
        return said

    def order(self, root: Element, layout: Layout, ids: dict[int, str]) -> None:
        if self.version != "4" or not all(page.ordered for page in layout.pages):
            return
        regions = [region for page in layout.pages for region in page.regions]
        if len(regions) < 2:
            return
        order = self.add(root, "ReadingOrder")
        group = self.add(order, "OrderedGroup", ID=self.names.fresh("order"))
        for region in regions:
            self.add(group, "ElementRef", ID=self.names.fresh("ref"), REF=ids[id(region)])

    def box(self, polygon: Polygon) -> dict[str, str]:
        left, top, right, bottom = map(round, bounding_box(polygon) or (0, 0, 0, 0))
        return {
            "HPOS": str(left),
            "VPOS": str(top),
            "WIDTH": str(right - left),
            "HEIGHT": str(bottom - top),
        }

    def shape(self, parent: Element, polygon: Polygon, place: str) -> None:
        if len(polygon) < 2:
            return
        if self.version == "2" and not parent.tag.endswith("Block"):
            box = bounding_box(polygon)
            if box is not None and set(polygon) != set(corners(box)):
                self.lost(place, "an outline that is no upright box")
            return
        points = " ".join(f"{round(x)},{round(y)}" for x, y in polygon)
        self.add(self.add(parent, "Shape"), "Polygon", POINTS=points)

    def page(self, parent: Element, page: LayoutPage, index: int, ids: dict[int, str]) -> None:
        element = self.add(
            parent,
            "Page",
            ID=self.identifier(page.id, "p"),
            PHYSICAL_IMG_NR=str(index + 1),
            WIDTH=str(page.width or 0),
            HEIGHT=str(page.height or 0),
        )
        self.resolution(page)
        self.traits.write(element, page.traits, f"page {page.id}")
        space = self.add(
            element, "PrintSpace", HPOS="0", VPOS="0",
            WIDTH=str(page.width or 0), HEIGHT=str(page.height or 0),
        )  # fmt: skip
        self.regions(space, None, page, ids)

    def regions(
        self, parent: Element, inside: LayoutRegion | None, page: LayoutPage, ids: dict[int, str]
    ) -> None:
        """Write the regions that lie in another one (None: in no other)."""
        for region in page.regions:
            if (region.parent if id(region.parent) in ids else None) is inside:
                self.region(parent, region, page, ids)

    def region(
        self, parent: Element, region: LayoutRegion, page: LayoutPage, ids: dict[int, str]
    ) -> None:
        place = named("region", region.id)
        holds = any(other.parent is region for other in page.regions)
        tag = {TEXT_REGION: "TextBlock", "ImageRegion": "Illustration"}.get(
            region.kind, "GraphicalElement"
        )
        if holds:
            tag = COMPOSED
        elif region.lines or region.text:
            tag = "TextBlock"
        outline = region_outline(region, page)
        block = self.add(parent, tag, ID=ids[id(region)], **self.box(outline))
        if said := [self.tags[tag_] for tag_ in self.said_of(region)]:
            block.set("TAGREFS", " ".join(said))
        self.shape(block, region.polygon, place)
        self.custom(region.custom, place)
        self.traits.write(block, region.traits, place)
        if region.text and region.lines:
            self.lost(place, "text of a region beside that of its lines")
        inner = region.lines or self.lines_of(region, place)
        lines = block
        if inner and tag != "TextBlock":  # a block of blocks, or a picture, has no lines itself
            lines = self.add(block, "TextBlock", ID=self.names.fresh("b"), **self.box(outline))
        for line in inner:
            self.line(lines, line, region, page)
        if holds:
            self.regions(block, region, page, ids)

    def lines_of(self, region: LayoutRegion, place: str) -> list[LayoutLine]:
        """The text of a region without lines, which ALTO holds in lines only."""
        texts = [text.strip() for text in (region.text or "").splitlines() if text.strip()]
        if texts:
            self.notes.tell(
                "convert-lines-made",
                "the region has a text but no lines, and ALTO keeps texts only in lines",
                place=place,
                done="written as lines, each where the region is",
                severity=Severity.NOTE,
            )
        return [LayoutLine(None, text=text) for text in texts]

    def custom(self, custom: str | None, place: str) -> None:
        """Note what is said besides in PAGE XML, each kind of it."""
        for kind in dict.fromkeys(_KIND_OF_CUSTOM.findall(custom or "")):
            self.lost(place, f"“{kind}” of a custom attribute")

    def line(
        self, parent: Element, line: LayoutLine, region: LayoutRegion, page: LayoutPage
    ) -> None:
        place = named("line", line.id)
        outline = line_outline(line, region, page)
        box = self.box(outline)
        element = self.add(parent, "TextLine", ID=self.identifier(line.id, "l"), **box)
        if type_ := _type_of(line):
            element.set("TAGREFS", self.tags[LINE, type_])
        self.custom(_TYPE.sub("", line.custom or "", count=1), place)
        self.traits.write(element, line.traits, place)
        if outline is not line.polygon:
            self.notes.tell_outline_made("line", place)
        baseline = line.baseline
        if not baseline and (baseline := derived_baseline(outline)):
            self.notes.tell_baseline_derived(place)
        if baseline and self.version == "4":
            element.set("BASELINE", " ".join(f"{round(x)},{round(y)}" for x, y in baseline))
        elif baseline:
            heights = {round(y) for _, y in baseline}
            element.set("BASELINE", str(round(sum(heights) / len(heights))))
            if len(heights) > 1 and line.baseline:
                self.lost(place, "a baseline that is not level")
        self.shape(element, line.polygon, place)
        if not line.words:  # the schema asks for a string in every line
            self.add(element, "String", CONTENT=line.text or "", **box)
            return
        blanks, rest = self.blanks(line, place)
        for word, blank in zip(line.words, blanks, strict=True):
            if blank:
                self.add(element, "SP")
            string = self.add(
                element, "String", ID=self.identifier(word.id, "s"), CONTENT=word.text or ""
            )
            self.traits.write(string, word.traits, named("word", word.id))
            if word.polygon:
                string.attrib.update(self.box(word.polygon))
                self.shape(string, word.polygon, named("word", word.id))
        if rest:
            self.add(element, "HYP", CONTENT=rest)

    def blanks(self, line: LayoutLine, place: str) -> tuple[list[bool], str]:
        """Before which words of a line there is a blank, and what stands after the last of them."""
        words = [word.text or "" for word in line.words]
        usual = [index > 0 for index in range(len(words))]
        if len(words) == 1 and len(words[0].split()) > 1:
            self.lost(place, "a word with blanks that is alone in its line")
        if line.text is None:
            return usual, ""
        blanks = []
        left = line.text.strip()
        for word in words:
            blanks.append(left[:1].isspace())
            left = left.lstrip()
            if not left.startswith(word) or word != word.strip():
                break
            left = left.removeprefix(word)
        else:
            told = any(blanks) or not any(usual)
            if told and len(left.split()) < 2 and not left[:1].isspace():
                return blanks, left
        if line.text.split() != " ".join(words).split():
            self.lost(place, "a line's text beside that of its words")
        return usual, ""
