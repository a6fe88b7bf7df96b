"""Saving MADCAT XML: only what changed is written anew, every other byte stays.

The model is compared with a fresh reading of the original bytes, object by object through
``origin``. Differences become replacements in the text: the value of one attribute, the text of one
element, one point; elements that are new, gone or elsewhere are inserted, cut out or carried over
with all that is in them.
"""

from __future__ import annotations

from collections.abc import Sequence

from madcat_studio.errors import FormatError
from madcat_studio.formats.madcat import read_bytes, read_point, read_source
from madcat_studio.formats.madcat_elements import (
    ATTRIBUTES,
    BEFORE,
    ELEMENTS,
    PREFIX,
    TEXTS,
    MadcatObject,
    New,
    Render,
    Style,
    children_of,
    extended,
    extension_of,
    new_document,
    new_object,
    new_point,
    new_polygon,
    new_region,
    region_attributes,
    whole,
)
from madcat_studio.formats.madcat_problems import EXTENSION
from madcat_studio.formats.patching import TextPatch, patched
from madcat_studio.formats.source import Source
from madcat_studio.model.document import (
    Document,
    Line,
    Page,
    Point,
    Polygon,
    Region,
    Segment,
    Word,
)

__all__ = ["new_bytes", "prove", "write"]


def write(document: Document, source: Source) -> bytes:
    """The bytes of the file for the document as it is now.

    A document that equals what was read, by whatever way it came there, gives ``source.data``.
    Coordinates that changed are written as whole numbers, rounded half up; characters that the
    file's encoding cannot hold become character references.

    Raises:
        InputError: ``madcat.forbidden-character``: a text holds what XML cannot.
        FormatError: ``madcat.encoding-unstable``: the file's encoding has several byte forms for
            one text, so that unchanged parts could not be kept.
    """
    before = source.reading()
    if before is None:
        before = read_source(source).document
    if before == document:
        return source.data
    return patched(source, lambda data: _Patch(data).document(document, before))


def new_bytes(document: Document) -> bytes:
    """A new file in UTF-8 for a document that was never one; origins do not matter.

    Raises:
        InputError: ``madcat.forbidden-character``.
    """
    root = New("madcat", [("version", document.version)], children=[new_document(document)])
    if any(map(extended, document.pages)):
        root.attributes.append((f"xmlns:{PREFIX}", EXTENSION))
    body = Style("\n", "  ", True).render(root, "")
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + body + b"\n"


def prove(data: bytes, document: Document, name: str) -> None:
    """Read back what is about to be written: our own fault must not reach a disk."""
    read = read_bytes(data, name).document
    if _content(read) != _content(document):
        raise AssertionError(f"{name}: what would be saved does not read back as the document")


def _content(document: Document) -> object:
    """A document as plain values without origins, coordinates as they are written."""
    head = [getattr(document, name) for name, _ in ATTRIBUTES[Document]]
    pages = [
        (
            [page.traits, *(getattr(page, name) for name, _ in ATTRIBUTES[Page])],
            [
                (
                    line.id,
                    line.type,
                    extension_of(line),
                    _rounded(line.polygon),
                    [(word.id, word.traits, _rounded(word.polygon)) for word in line.words],
                )
                for line in page.lines
            ],
            [(region_attributes(region), region.text or None) for region in page.regions],
        )
        for page in document.pages
    ]
    sections = [
        (
            section.id,
            section.type,
            [
                (
                    segment.id,
                    [text.strip() for text in segment.zone_refs],
                    segment.transcription,
                    segment.translation,
                    [
                        (token.id, token.ref_id, token.status, token.source)
                        for token in segment.tokens
                    ],
                )
                for segment in section.segments
            ],
        )
        for section in document.sections
    ]
    return head, document.scribe, document.version, pages, sections


def _rounded(polygon: Polygon) -> Polygon:
    for x, y in polygon:
        if type(x) is not int or type(y) is not int:
            return tuple((int(whole(x)), int(whole(y))) for x, y in polygon)
    return polygon


class _Patch(TextPatch):
    """The differences between two documents as replacements in the text of the first."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data, BEFORE)
        self.carried: dict[int, MadcatObject] = {}
        self.prefix = ""

    def document(self, new: Document, old: Document) -> bytes:
        """The whole text for ``new``, where the file as it is reads as ``old``."""
        if old.origin is None:
            raise FormatError(
                "madcat.no-doc",
                "the file has no “doc” element to change",
                remedy="Save it as a new document",
            )
        before = {found.origin: found for found in _objects(old) if found.origin is not None}
        # An origin counts once: a copy of an object is a new one.
        self.known: dict[int, int] = {}
        for found in _objects(new):
            origin = found.origin
            if (
                origin in before
                and type(before[origin]) is type(found)
                and (origin not in self.carried)
            ):
                self.carried[origin] = found
                self.known[id(found)] = origin
        self.attributes(old.origin, new, old)
        if new.version != old.version:
            self.set_attribute(0, "version", new.version)
        if new.scribe != old.scribe:
            self.scribe(old.origin, new.scribe)
        self.sequence(new.pages, old.pages, old.origin, "image")
        self.sequence(new.sections, old.sections, old.origin, "content")
        for origin, found in self.carried.items():
            self.found(origin, found, before[origin])
        self.close_filled()
        return self.render_all()

    def attributes(
        self, origin: int, new: Document | MadcatObject, old: Document | MadcatObject
    ) -> None:
        for name, written in ATTRIBUTES[type(new)]:
            value = getattr(new, name)
            if value != getattr(old, name):
                self.set_attribute(origin, written, value)

    def scribe(self, doc: int, scribe: str | None) -> None:
        writer = self.child(doc, "writer")
        if writer is None:
            self.add_children(doc, [New("writer", [("id", scribe)])], "writer")
        else:
            self.set_attribute(writer, "id", scribe)

    def found(self, origin: int, new: MadcatObject, old: MadcatObject) -> None:
        """Write what differs in an object that the file has."""
        if self.spans.local(origin) == ELEMENTS[type(new)]:  # not so for a loose section
            self.attributes(origin, new, old)
        if isinstance(new, Line) and isinstance(old, Line):
            self.extension(origin, new, old)
        if isinstance(new, Page | Word) and isinstance(old, Page | Word):
            self.traits(origin, new.traits, old.traits)
        if isinstance(new, Page) and isinstance(old, Page):
            self.regions(origin, new.regions, old.regions)
        match new, old:
            case (Line() | Word(), Line() | Word()) if new.polygon != old.polygon:
                self.polygon(origin, new.polygon)
            case (Segment(), Segment()) if new.zone_refs != old.zone_refs:
                self.zone_refs(origin, new.zone_refs, old.zone_refs)
        # In the order in which a parent that has nothing yet should hold them.
        self.sequence(children_of(new), children_of(old), origin, None)
        for name, written in TEXTS.get(type(new), ()):
            text, before = getattr(new, name), getattr(old, name)
            if text != before:
                self.text_child(origin, written, text)

    def extension(self, origin: int, new: Line, old: Line) -> None:
        """Write what a line has beyond MADCAT, under the prefix that the file has for it."""
        for (name, value), (_, before) in zip(extension_of(new), extension_of(old), strict=True):
            if value != before:
                self.set_attribute(origin, f"{self.extension_prefix()}:{name}", value)

    def traits(self, origin: int, new: str | None, old: str | None) -> None:
        """Write the traits of a page or a word."""
        if new != old:
            self.set_attribute(origin, f"{self.extension_prefix()}:traits", new)

    def extension_prefix(self) -> str:
        """The prefix that the file has for the extension; it gets one where it has none."""
        if not self.prefix:
            declared = self.spans[0].values.items()
            known = (k for k, v in declared if v == EXTENSION and k.startswith("xmlns:"))
            self.prefix = next(known, "")[6:]
            if not self.prefix:
                self.prefix = PREFIX
                self.set_attribute(0, f"xmlns:{PREFIX}", EXTENSION)
        return self.prefix

    def regions(self, origin: int, new: list[Region], old: list[Region]) -> None:
        """Write the regions of a page."""
        before = {region.origin: region for region in old if region.origin is not None}
        now = [region.origin if region.origin in before else None for region in new]
        for region in new:
            was = before.get(region.origin) if region.origin is not None else None
            if was is None or region.origin is None:
                continue
            pairs = zip(region_attributes(region), region_attributes(was), strict=True)
            for (name, value), (_, value_before) in pairs:
                if value != value_before:
                    self.set_attribute(region.origin, name, value)
        if now == list(before):
            return
        made = [new_region(region, self.extension_prefix()) for region in new]
        if before:
            self.arrange(now, list(before), lambda n: self.moved_region(now[n], made[n]))
        else:
            self.add_children(origin, made, "region")

    def moved_region(self, origin: int | None, made: New) -> New | Render:
        """A region that is put somewhere: a new one, or one that the file has elsewhere."""
        if origin is None:
            return made
        span = self.spans[origin]
        return lambda: self.render(span.start, span.end)

    def text_child(self, parent: int, name: str, text: str | None) -> None:
        child = self.child(parent, name)
        if child is None:
            self.add_children(parent, [New(name, text=text)], name)
        elif text is None:
            self.remove(child)
        else:
            self.set_text(child, text)

    def sequence(
        self,
        new: Sequence[MadcatObject],
        old: Sequence[MadcatObject],
        parent: int,
        wrapper: str | None,
    ) -> None:
        """Write the members and the order of a list of elements."""
        now = [self.known.get(id(found)) for found in new]
        then = [found.origin for found in old]
        if now == then:
            return
        if not old:
            self.first_members(new, parent, wrapper)
            return
        there = [origin for origin in then if origin is not None]
        self.arrange(
            now, there, lambda index: new_object(new[index], self.carry, self.extension_prefix)
        )

    def first_members(self, new: Sequence[MadcatObject], parent: int, wrapper: str | None) -> None:
        name = ELEMENTS[type(new[0])]
        elements = [new_object(found, self.carry, self.extension_prefix) for found in new]
        if wrapper is not None:
            container = self.child(parent, wrapper)
            if container is None:
                self.add_children(parent, [New(wrapper, children=elements)], wrapper)
                return
            parent = container
        self.add_children(parent, elements, name)

    def carry(self, found: MadcatObject) -> Render | None:
        """How to render an object that the file has elsewhere."""
        origin = self.known.get(id(found))
        if origin is None or self.spans.local(origin) != ELEMENTS[type(found)]:
            return None
        span = self.spans[origin]
        return lambda: self.render(span.start, span.end)

    def polygon(self, parent: int, new: Polygon) -> None:
        polygon = self.child(parent, "polygon")
        if polygon is None:
            self.add_children(parent, [new_polygon(new)], "polygon")
            return
        nodes: list[int] = []
        old: list[Point] = []
        for child in self.spans[polygon].children:
            span = self.spans[child]
            point = read_point(span.values.get("x"), span.values.get("y"))
            if span.local == "point" and point is not None:
                nodes.append(child)
                old.append(point)

        def change(node: int, before: Point, after: Point) -> None:
            for axis, name in enumerate("xy"):
                if before[axis] != after[axis]:
                    self.set_attribute(node, name, whole(after[axis]))

        def make(point: Point) -> New:
            element = new_point(point)
            if nodes and next(iter(self.spans[nodes[0]].values), "") == "y":
                element.attributes.reverse()
            return element

        self.plain_list(polygon, "point", nodes, old, list(new), change, make)

    def zone_refs(self, parent: int, new: list[str], old: list[str]) -> None:
        nodes = [c for c in self.spans[parent].children if self.spans[c].local == "zone_ref"]

        def change(node: int, _before: str, after: str) -> None:
            self.set_text(node, after)

        self.plain_list(
            parent, "zone_ref", nodes, old, new, change, lambda text: New("zone_ref", text=text)
        )


def _objects(document: Document) -> list[MadcatObject]:
    """All objects of a document, parents before children."""
    found: list[MadcatObject] = []
    rest: list[MadcatObject] = [*reversed(document.sections), *reversed(document.pages)]
    while rest:
        each = rest.pop()
        found.append(each)
        rest += reversed(children_of(each))
    return found
