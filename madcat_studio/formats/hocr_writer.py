"""hOCR made anew from a layout: areas, lines with baselines, words, in the order of reading."""

from __future__ import annotations

from lxml import etree

from madcat_studio.formats.flat_writer import FlatWriter
from madcat_studio.formats.hocr import FLOATS
from madcat_studio.formats.layouts import line_outline, named, region_outline
from madcat_studio.formats.written import Written
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

__all__ = ["write_hocr"]

_CLASSES = {kind: name for name, kind in reversed(FLOATS.items())}


def write_hocr(layout: Layout, name: str, version: str = "") -> Written:
    """An hOCR file with all pages, and what it cannot hold.

    An outline that is no upright box is written as ``poly`` beside its box.
    """
    writer = _Writer("hOCR", name)
    return Written([writer.file(layout)], writer.notes.problems)


class _Writer(FlatWriter):
    def file(self, layout: Layout) -> bytes:
        root = etree.Element("html")
        head = etree.SubElement(root, "head")
        etree.SubElement(head, "title").text = "Pages"
        used = "ocr_page ocr_carea ocr_line ocrx_word"
        for key, value in (("ocr-system", "MADCAT Studio"), ("ocr-capabilities", used)):
            etree.SubElement(head, "meta", name=key, content=value)
        body = etree.SubElement(root, "body")
        for number, page in enumerate(layout.pages):
            self.page(body, page, number)
        for element in (head, body, *head, *body, *body.iterfind("*/*")):
            element.tail = "\n"
        written = etree.tostring(root, method="html", encoding="utf-8", doctype="<!DOCTYPE html>")
        return bytes(written) + b"\n"

    def element(self, parent: Element, tag: str, kind: str, id_: str, title: str) -> Element:
        return etree.SubElement(parent, tag, {"class": kind, "id": id_, "title": title})

    def page(self, body: Element, page: LayoutPage, number: int) -> None:
        title = []
        if page.image:
            title.append('image "{}"'.format(page.image.replace('"', "%22")))
        title.append(f"bbox 0 0 {page.width or 0} {page.height or 0}")
        title.append(f"ppageno {number}")
        if page.dpi:
            title.append(f"scan_res {page.dpi} {page.dpi}")
        made = self.element(
            body, "div", "ocr_page", self.identifier(page.id, "page"), "; ".join(title)
        )
        made.text = "\n"
        self.notes.tell_traits_lost(self.format_name, page)
        for region in page.regions:
            self.region(made, region, page)

    def region(self, parent: Element, region: LayoutRegion, page: LayoutPage) -> None:
        self.unheld(region)
        if region.text and region.lines:
            self.lost(named("region", region.id), "text of a region beside that of its lines")
        kind = "ocr_carea"
        if not (region.lines or region.text):
            kind = _CLASSES.get(region.kind, kind)
        if region.kind != (TEXT_REGION if kind == "ocr_carea" else region.kind):
            self.lost(named("region", region.id), f"regions of kind {region.kind}")
        identifier = self.identifier(region.id, "block")
        title = self.place(region_outline(region, page))
        made = self.element(parent, "div", kind, identifier, title)
        if region.lines:
            made.text = "\n"
        elif region.text:
            made.text = region.text
        for line in region.lines:
            self.line(made, line, region, page)

    def line(
        self, parent: Element, line: LayoutLine, region: LayoutRegion, page: LayoutPage
    ) -> None:
        outline = line_outline(line, region, page)
        if outline is not line.polygon:
            self.notes.tell_outline_made("line", named("line", line.id))
        title = self.place(outline)
        if baseline := self.baseline(line, outline):
            title += f"; baseline {baseline}"
        made = self.element(parent, "span", "ocr_line", self.identifier(line.id, "line"), title)
        made.tail = "\n"
        if not line.words:
            made.text = self.said(line)
        for word, after in zip(line.words, self.between(line), strict=True):
            known = len(word.polygon) > 1
            if not known:
                self.notes.tell_outline_made("word", named("word", word.id))
            place = self.place(word.polygon if known else outline)
            inner = self.element(made, "span", "ocrx_word", self.identifier(word.id, "word"), place)
            inner.text = word.text
            inner.tail = after

    def between(self, line: LayoutLine) -> list[str]:
        """What stands after each word of a line; one that says something else has blanks only."""
        left, found = self.said(line).strip(), []
        for word in line.words:
            text = (word.text or "").strip()
            if not left.startswith(text):
                break
            left = left.removeprefix(text)
            found.append(" " if left[:1].isspace() else "")
            left = left.lstrip()
        else:
            if left and found:
                found[-1] += left
            return found
        self.lost(named("line", line.id), "a line's text beside that of its words")
        return [" "] * len(line.words)

    def baseline(self, line: LayoutLine, outline: Polygon) -> str:
        """A baseline as slope and offset from the lower left corner of the line's box."""
        given = line.baseline if len(line.baseline) > 1 else ()
        baseline = given or derived_baseline(outline)
        box = bounding_box(_whole(outline))
        if not baseline or box is None:
            return ""
        if not given:
            self.notes.tell_baseline_derived(named("line", line.id))
        (x0, y0), (x1, y1) = baseline[0], baseline[-1]
        slope = (y1 - y0) / (x1 - x0) if x1 != x0 else 0.0
        offset = y0 + slope * (box[0] - x0) - box[3]
        if any(abs(y0 + slope * (x - x0) - y) > 1 for x, y in given):
            self.lost(named("line", line.id), "a baseline that is not straight")
        return f"{slope:.6g} {offset:.6g}"

    def place(self, outline: Polygon) -> str:
        points = _whole(outline)
        box = bounding_box(points) or (0, 0, 0, 0)
        title = "bbox {} {} {} {}".format(*box)
        if len(points) > 2 and set(points) != set(corners(box)):
            title += "; poly " + " ".join(f"{x} {y}" for x, y in points)
        return title


def _whole(outline: Polygon) -> Polygon:
    return tuple((round(x), round(y)) for x, y in outline)
