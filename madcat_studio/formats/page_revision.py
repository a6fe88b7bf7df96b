"""PAGE XML in another revision: only what the revision does not allow is changed.

The namespace is written anew, and what 2010 spells otherwise: outlines as ``Point`` elements, a
``PlainText`` beside every text, regions side by side. Then the file is held against the published
schema of the revision, and what that refuses is taken out and told: attributes, and elements that
hold no text. All other bytes stay, and what the file says in the end is what it said.
"""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from madcat_studio.formats.layouts import Notes
from madcat_studio.formats.madcat_elements import New, whole
from madcat_studio.formats.numbers import number, points_of
from madcat_studio.formats.page_xml import read_page_xml
from madcat_studio.formats.page_xml_writer import NAMESPACE, VERSIONS, kinds_of
from madcat_studio.formats.patching import TextPatch, patched
from madcat_studio.formats.schema import schema_of
from madcat_studio.formats.source import Source
from madcat_studio.formats.spans import Span
from madcat_studio.formats.survey import Survey
from madcat_studio.formats.xml import Element, Names
from madcat_studio.model.document import Polygon
from madcat_studio.model.problem import Problem, Severity

__all__ = ["revised"]

_ANY = re.compile(r"https?://schema\.primaresearch\.org/PAGE/gts/pagecontent/[\d-]+")
_ATTRIBUTE = re.compile(r"attribute '([^']*)'")
_ROUNDS = 12
_TEXTS = {"TextLine", "Word", "Unicode"}


class _Unheld(Exception):
    """The revision refuses something that cannot just be taken out."""


def revised(source: Source, version: str) -> tuple[bytes, list[Problem]] | None:
    """A PAGE XML file in another revision, and what that could not hold.

    Returns:
        None where it must be made anew: where what the revision refuses holds text, or gave the
        order of reading.
    """
    notes = Notes(source)
    try:
        made = patched(source, lambda data: _Revision(version, notes).of(data))
    except _Unheld:
        return None
    if _content(source) != _content(Source(made, source.name)):
        return None
    return made, notes.problems


def _content(source: Source) -> list[list[object]]:
    """The lines of a file in order, with their words: outlines and texts."""
    return [
        [
            [_clipped(line.polygon), line.text],
            *([_clipped(word.polygon), word.text] for word in line.words),
        ]
        for page in read_page_xml(source).layout.pages
        for region in page.regions
        for line in region.lines
    ]


def _clipped(polygon: Polygon) -> Polygon:
    return tuple((max(x, 0), max(y, 0)) for x, y in polygon)


class _Revision:
    def __init__(self, version: str, notes: Notes) -> None:
        self.version = version
        self.notes = notes
        self.names = Names()
        self.schema = schema_of(f"page-{VERSIONS[version]}.xsd")

    def of(self, data: bytes) -> bytes:
        """The file, after as many rounds as it takes until the schema refuses nothing."""
        data = self.renamed(data)
        for _ in range(_ROUNDS):
            try:
                root: Any = etree.fromstring(_undeclared(data))
            except etree.XMLSyntaxError:  # such as a namespace that is no URI
                raise _Unheld from None
            if self.schema.validate(root):
                return data
            data = self.mended(data, root)
        raise _Unheld

    def renamed(self, data: bytes) -> bytes:
        """The file in the namespace and the spelling of the revision."""
        patch = TextPatch(data, {"Point": (), "PlainText": ()})
        for name, value in patch.spans[0].values.items():
            if _ANY.search(value):
                patch.set_attribute(0, name, _ANY.sub(NAMESPACE + VERSIONS[self.version], value))
        for ordinal, span in enumerate(patch.spans):
            if span.local == "TableCell":
                patch.rename(ordinal, "TextRegion")
            elif span.local.endswith("Region") and span.local not in kinds_of(self.version):
                self.notes.tell(
                    "convert-lost",
                    f"PAGE {self.version} cannot hold regions of the kind {span.local}",
                    place=f"region {span.values.get('id')}",
                    severity=Severity.NOTE,
                )
                patch.rename(ordinal, "UnknownRegion")
            if self.version == "2010":
                self.as_oldest(patch, ordinal, span)
            elif span.local == "Coords" and "points" not in span.values:
                self.with_points(patch, ordinal, span)
        patch.close_filled()
        return patch.render_all()

    def with_points(self, patch: TextPatch, ordinal: int, span: Span) -> None:
        """Write an outline as an attribute, as all revisions but 2010 do."""
        points, rest, at = [], b"", span.tag_end
        for child in (patch.spans[number_] for number_ in span.children):
            if child.local == "Point":
                points.append(f"{child.values.get('x', '')},{child.values.get('y', '')}")
                rest += patch.data[at : child.start].strip()
                at = child.end
        rest += patch.data[at : span.inner_end].strip()
        patch.set_attribute(ordinal, "points", " ".join(points))
        if rest:  # such as comments; blanks are not allowed any more
            patch.text(span.tag_end, span.inner_end, rest.decode())
        elif not span.is_empty_tag:
            patch.text(span.tag_end - 1, span.end, "/>")

    def as_oldest(self, patch: TextPatch, ordinal: int, span: Span) -> None:
        """Write an element as 2010 does."""
        if span.local == "Coords" and "points" in span.values:
            patch.set_attribute(ordinal, "points", None)
            points = _clipped(points_of(span.values["points"]))
            made = [New("Point", [("x", whole(x)), ("y", whole(y))]) for x, y in points]
            patch.add_children(ordinal, made, "Point")
        elif span.local == "TextEquiv" and patch.child(ordinal, "PlainText") is None:
            patch.add_children(ordinal, [New("PlainText")], "PlainText")
        elif span.parent >= 0 and _is_region(span) and _is_region(patch.spans[span.parent]):
            top = span
            while _is_region(patch.spans[top.parent]):
                top = patch.spans[top.parent]
            patch.remove(ordinal)
            patch.insert(top.end, patch.gap(top), lambda: patch.render(span.start, span.end))
            self.notes.tell(
                "convert-lost",
                "PAGE 2010 cannot hold regions inside others",
                place=f"region {span.values.get('id')}",
                severity=Severity.NOTE,
            )

    def mended(self, data: bytes, root: Element) -> bytes:
        """The file without what the schema refuses first of each element."""
        places = Survey(root).ordinals
        tree = root.getroottree()
        patch = TextPatch(data, {})
        done: set[tuple[int, str]] = set()
        log: Any = self.schema.error_log
        prefixes = {prefix: name for prefix, name in root.nsmap.items() if prefix}
        for entry in log:
            found = tree.xpath(re.sub(r"/@[^/]*$", "", entry.path), namespaces=prefixes)
            if not found:
                raise _Unheld
            element = found[0]
            attribute = _ATTRIBUTE.search(entry.message)
            what = attribute.group(1) if attribute else ""
            if (places[element], what) in done:
                continue
            done.add((places[element], what))
            if attribute:
                self.without_attribute(patch, element, places[element], what)
            elif "This element is not expected" in entry.message:
                self.without(patch, element, places[element])
            else:
                raise _Unheld
        return patch.render_all()

    def without_attribute(self, patch: TextPatch, element: Element, place: int, what: str) -> None:
        """Take an attribute out; a region's type goes where programs look for it otherwise."""
        name = self.names[element.tag]
        if what not in element.attrib or what in ("id", "points"):
            raise _Unheld
        patch.set_attribute(place, what, None)
        value = element.get(what) or ""
        if what == "type" and element.get("custom") is None and not set(value) & set("{};"):
            patch.set_attribute(place, "custom", f"structure {{type:{value};}}")
        else:
            self.lost(f"{name}/@{what} “{value}”", element)

    def without(self, patch: TextPatch, element: Element, place: int) -> None:
        """Take an element out that holds no text, or an alternative to one."""
        inner = {self.names[child.tag] for child in element.iter("*")}
        name = self.names[element.tag]
        if name == "TextEquiv":
            texts = [c for c in element.getparent() if self.names[c.tag] == name]
            if min(texts, key=lambda text: number(text.get("index")) or 0) is element:
                raise _Unheld
        elif inner & _TEXTS:
            raise _Unheld
        patch.remove(place)
        self.lost(name, element)

    def lost(self, what: str, element: Element) -> None:
        self.notes.tell(
            "convert-lost",
            f"PAGE {self.version} cannot hold {what}",
            place=str(element.get("id") or ""),
            severity=Severity.NOTE,
        )


def _is_region(span: Span) -> bool:
    return span.local.endswith("Region") or span.local == "TableCell"


def _undeclared(data: bytes) -> bytes:
    """A file without its declaration, which names another encoding than it is in here."""
    return re.sub(rb"^\s*<\?xml[^>]*\?>", b"", data)
