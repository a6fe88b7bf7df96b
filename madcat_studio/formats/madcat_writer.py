"""Saving MADCAT XML: only what changed is written anew, every other byte stays.

The model is compared with a fresh reading of the original bytes, object by object through
``origin``. Differences become replacements in the text: the value of one attribute, the text of one
element, one point; elements that are new, gone or elsewhere are inserted, cut out or carried over
with all that is in them.
"""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias, TypeVar

from madcat_studio.errors import ConflictError, FormatError, InputError
from madcat_studio.formats.files import read_file, write_atomically
from madcat_studio.formats.madcat import read_bytes, read_point, read_source
from madcat_studio.formats.source import Source
from madcat_studio.formats.spans import Span, attributes_of, spans_of
from madcat_studio.model.characters import FORBIDDEN
from madcat_studio.model.document import (
    Document,
    Line,
    Page,
    Point,
    Polygon,
    Section,
    Segment,
    Token,
    Word,
)

__all__ = ["new_bytes", "save", "write"]

_Object: TypeAlias = Page | Line | Word | Section | Segment | Token
_T = TypeVar("_T")
_Render: TypeAlias = Callable[[], bytes]

_ELEMENTS: dict[type, str] = {
    Page: "page",
    Line: "zone",
    Word: "token-image",
    Section: "section",
    Segment: "segment",
    Token: "token",
}
_ATTRIBUTES: dict[type, tuple[tuple[str, str], ...]] = {
    Document: (("id", "id"), ("src", "src"), ("genre", "type"), ("nbpages", "nbpages")),
    Page: (
        ("id", "id"),
        ("width", "width"),
        ("height", "height"),
        ("dpi", "dpi"),
        ("colordepth", "colordepth"),
    ),
    Line: (("id", "id"), ("type", "type")),
    Word: (("id", "id"),),
    Section: (("id", "id"), ("type", "type")),
    Segment: (("id", "id"),),
    Token: (("id", "id"), ("ref_id", "ref_id"), ("status", "status")),
}
_TEXTS: dict[type, tuple[tuple[str, str], ...]] = {
    Token: (("source", "source"),),
    Segment: (("transcription", "transcription"), ("translation", "translation")),
}
_BEFORE: dict[str, tuple[str, ...]] = {
    "writer": (),
    "image": ("writer",),
    "content": ("writer", "image", "page"),
    "page": (),
    "zone": (),
    "polygon": (),
    "token-image": ("polygon",),
    "point": (),
    "section": (),
    "segment": (),
    "zone_ref": (),
    "token": ("zone_ref",),
    "source": (),
    "transcription": ("zone_ref", "token"),
    "translation": ("zone_ref", "token", "transcription"),
}
"""The kinds of elements after which one of this kind is put where there is none yet."""


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
    before = read_source(source).document
    source.take_tree()
    if before == document:
        return source.data
    decoded = source.decoded
    if decoded.text.encode(decoded.encoding) != source.data[len(decoded.bom) :]:
        raise FormatError(
            "madcat.encoding-unstable",
            f"a file in {decoded.encoding} cannot be changed without touching its other bytes",
            where=source.name,
            remedy="Convert the file to UTF-8 first",
        )
    data = _Patch(decoded.text.encode("utf-8")).document(document, before)
    return decoded.bom + data.decode("utf-8").encode(decoded.encoding, "xmlcharrefreplace")


def new_bytes(document: Document) -> bytes:
    """A new file in UTF-8 for a document that was never one; origins do not matter.

    Raises:
        InputError: ``madcat.forbidden-character``.
    """
    root = _New("madcat", [("version", document.version)], children=[_new_document(document)])
    body = _Style("\n", "  ", True).render(root, "")
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + body + b"\n"


def save(
    path: Path | str,
    document: Document,
    source: Source | None,
    *,
    overwrite: bool = False,
    backup: bool = False,
) -> Source:
    """Save a document: whole or not at all.

    Args:
        path: where to; the file it was read from, or another ("save as").
        document: the model as it is now.
        source: what it was read from, None for a new document.
        overwrite: replace a file that somebody else changed, or that is another file.
        backup: keep the file as it was as ``NAME.bak``.

    Returns:
        The source to save with next time.

    Raises:
        ConflictError: ``madcat.changed-on-disk``, ``madcat.file-exists``.
        InputError, FormatError: see :func:`write`.
        WorldError: it cannot be written; the old file is as it was.
    """
    path = Path(path)
    data = write(document, source) if source is not None else new_bytes(document)
    same_file = source is not None and source.path is not None and _same(path, source.path)
    on_disk = read_file(path) if path.exists() else None
    if on_disk is not None and not overwrite:
        if not same_file:
            raise ConflictError(
                "madcat.file-exists",
                "there is a file of this name already",
                where=path,
                remedy="Choose another name, or say that it may be replaced",
            )
        if source is not None and _sha256(on_disk) != source.disk_sha256:
            raise ConflictError(
                "madcat.changed-on-disk",
                "the file was changed by somebody else since it was opened",
                where=path,
                remedy="Save under another name, read it again, or say that it may be replaced",
            )
    if on_disk != data:
        _prove(data, document, str(path))
        write_atomically(path, data, backup=backup)
    if source is None:
        return Source(data, str(path), path)
    return Source(source.data, str(path), path, _sha256(data))


def _same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _prove(data: bytes, document: Document, name: str) -> None:
    """Read back what is about to be written: our own fault must not reach a disk."""
    read = read_bytes(data, name).document
    if _content(read) != _content(document):
        raise AssertionError(f"{name}: what would be saved does not read back as the document")


def _content(document: Document) -> object:
    """A document as plain values without origins, coordinates as they are written."""
    head = [getattr(document, name) for name, _ in _ATTRIBUTES[Document]]
    pages = [
        (
            [getattr(page, name) for name, _ in _ATTRIBUTES[Page]],
            [
                (
                    line.id,
                    line.type,
                    _rounded(line.polygon),
                    [(word.id, _rounded(word.polygon)) for word in line.words],
                )
                for line in page.lines
            ],
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


def _rounded(polygon: Polygon) -> list[tuple[str, str]]:
    return [(_whole(x), _whole(y)) for x, y in polygon]


def _whole(value: float) -> str:
    return str(math.floor(value + 0.5))


# New elements


@dataclass(slots=True)
class _New:
    """An element that is not in the file yet; children may be ones that are."""

    name: str
    attributes: list[tuple[str, str | int | None]] = field(default_factory=list)
    text: str | None = None
    children: list[_New | _Render] = field(default_factory=list)


def _new_object(found: _Object, known: Callable[[_Object], _Render | None]) -> _New | _Render:
    """``found`` as an element; what the file has already is carried over by ``known``."""
    old = known(found)
    if old is not None:
        return old
    element = _New(
        _ELEMENTS[type(found)],
        [(written, getattr(found, name)) for name, written in _ATTRIBUTES[type(found)]],
    )
    children = element.children
    if isinstance(found, Line | Word) and found.polygon:
        children.append(_new_polygon(found.polygon))
    if isinstance(found, Segment):
        children += [_New("zone_ref", text=text) for text in found.zone_refs]
    children += [_new_object(child, known) for child in _children(found)]
    for name, written in _TEXTS.get(type(found), ()):
        text = getattr(found, name)
        if text is not None:
            children.append(_New(written, text=text))
    return element


def _new_document(document: Document) -> _New:
    def nothing(_found: _Object) -> None:
        return None

    doc = _New(
        "doc", [(written, getattr(document, name)) for name, written in _ATTRIBUTES[Document]]
    )
    if document.scribe is not None:
        doc.children.append(_New("writer", [("id", document.scribe)]))
    if document.pages:
        pages = [_new_object(page, nothing) for page in document.pages]
        doc.children.append(_New("image", children=pages))
    if document.sections:
        sections = [_new_object(section, nothing) for section in document.sections]
        doc.children.append(_New("content", children=sections))
    return doc


def _new_polygon(polygon: Polygon) -> _New:
    return _New("polygon", children=[_new_point(point) for point in polygon])


def _new_point(point: Point) -> _New:
    return _New("point", [("x", _whole(point[0])), ("y", _whole(point[1]))])


def _children(found: _Object) -> Sequence[_Object]:
    match found:
        case Page():
            return found.lines
        case Line():
            return found.words
        case Section():
            return found.segments
        case Segment():
            return found.tokens
    return ()


@dataclass(frozen=True, slots=True)
class _Style:
    """How the file is laid out: its line end, one step of indentation, whether it is indented."""

    line_end: str
    unit: str
    pretty: bool
    prefix: str = ""

    def render(self, element: _New, indent: str) -> bytes:
        """``element`` as text; its first line is not indented."""
        name = self.prefix + element.name
        attributes = "".join(
            f' {key}="{_attribute_text(str(value), chr(34))}"'
            for key, value in element.attributes
            if value is not None
        )
        if not element.children:
            if element.text is None:
                return f"<{name}{attributes}/>".encode()
            text = _element_text(element.text, self.line_end)
            return f"<{name}{attributes}>{text}</{name}>".encode()
        inner_indent = indent + self.unit
        gap = (self.line_end + inner_indent).encode() if self.pretty else b""
        inner = b"".join(
            gap + (self.render(child, inner_indent) if isinstance(child, _New) else child())
            for child in element.children
        )
        closing = (self.line_end + indent).encode() if self.pretty else b""
        return f"<{name}{attributes}>".encode() + inner + closing + f"</{name}>".encode()


def _checked(text: str) -> str:
    found = FORBIDDEN.search(text)
    if found:
        raise InputError(
            "madcat.forbidden-character",
            f"the text “{FORBIDDEN.sub('▯', text)[:40]}” holds the character "
            f"U+{ord(found.group()):04X}, which XML cannot hold",
            remedy="Remove the character",
        )
    return text


def _element_text(text: str, line_end: str) -> str:
    text = _checked(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\r", "&#13;").replace("\n", line_end)


def _attribute_text(text: str, quote: str) -> str:
    text = _checked(text).replace("&", "&amp;").replace("<", "&lt;")
    text = text.replace("\r", "&#13;").replace("\n", "&#10;").replace("\t", "&#9;")
    return text.replace(quote, "&quot;" if quote == '"' else "&apos;")


# Changes to the file


@dataclass(frozen=True, slots=True)
class _Replacement:
    """Bytes from ``start`` to ``end`` become what ``render`` gives, once all is collected."""

    start: int
    end: int
    number: int
    render: _Render


class _Patch:
    """Collects replacements in the UTF-8 form of the file, then makes them."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.spans = spans_of(data)
        self.replacements: list[_Replacement] = []
        self.starts: list[int] = []
        self.filled: dict[int, list[_Render]] = {}
        self.carried: dict[int, _Object] = {}
        root = self.spans[0]
        self.style = _Style(
            "\r\n" if b"\r\n" in data else "\n", self.find_unit(), True, root.prefix
        )

    # The text around elements

    def gap_start(self, span: Span) -> int:
        """Where the blanks before an element begin; its start if other text stands there."""
        at = span.start
        while at and self.data[at - 1 : at].isspace():
            at -= 1
        return at if self.data[at - 1 : at] == b">" else span.start

    def gap(self, span: Span) -> str:
        """The blanks before an element."""
        return self.data[self.gap_start(span) : span.start].decode()

    def find_unit(self) -> str:
        """One step of indentation, from the first element that shows it."""
        for span in self.spans:
            if span.parent < 0:
                continue
            own, above = self.gap(span), self.gap(self.spans[span.parent])
            if "\n" in own:
                own, above = own.rpartition("\n")[2], above.rpartition("\n")[2]
                if own.startswith(above) and own != above:
                    return own[len(above) :]
        return "  "

    def child(self, parent: int, local: str) -> int | None:
        """The first child element of this name."""
        return next((c for c in self.spans[parent].children if self.spans[c].local == local), None)

    # Replacements

    def replace(self, start: int, end: int, render: _Render) -> None:
        self.replacements.append(_Replacement(start, end, len(self.replacements), render))

    def text(self, start: int, end: int, text: str) -> None:
        data = text.encode()
        self.replace(start, end, lambda: data)

    def render(self, start: int, end: int) -> bytes:
        """The bytes of an element with the replacements inside it, once all are collected.

        What touches the edge of an element belongs to its parent.
        """
        parts: list[bytes] = []
        at = max(start, 0)
        for index in range(bisect_right(self.starts, start), bisect_left(self.starts, end)):
            replacement = self.replacements[index]
            if replacement.start < at or replacement.end > end:  # cut out with its parent
                continue
            parts += self.data[at : replacement.start], replacement.render()
            at = replacement.end
        parts.append(self.data[at:end])
        return b"".join(parts)

    def render_all(self) -> bytes:
        """The whole text with all replacements."""
        self.replacements.sort(key=lambda r: (r.start, r.end > r.start, -r.end, r.number))
        self.starts = [replacement.start for replacement in self.replacements]
        return self.render(-1, len(self.data) + 1)

    def set_attribute(self, origin: int, name: str, value: str | int | None) -> None:
        span = self.spans[origin]
        there = attributes_of(self.data, span)
        found = there.get(name)
        if found is not None and value is None:
            self.text(found.start, found.end, "")
        elif found is not None:
            new = _attribute_text(str(value), found.quote)
            self.text(found.value_start, found.value_end, new)
        elif value is not None:
            ends = [attribute.end for attribute in there.values()]
            at = max(ends, default=span.start + 1 + len(span.name.encode()))
            self.text(at, at, f' {name}="{_attribute_text(str(value), chr(34))}"')

    def set_text(self, origin: int, text: str) -> None:
        span = self.spans[origin]
        escaped = _element_text(text, self.style.line_end)
        if span.is_empty_tag:
            if text:
                self.filled.setdefault(origin, []).append(escaped.encode)
        else:
            self.text(span.tag_end, span.inner_end, escaped)

    def remove(self, origin: int) -> None:
        span = self.spans[origin]
        self.text(self.gap_start(span), span.end, "")

    def insert(self, at: int, gap: str, element: _New | _Render) -> None:
        """Put an element at an offset, after ``gap``."""
        self.replace(at, at, self.after_gap(gap, element))

    def after_gap(self, gap: str, element: _New | _Render) -> _Render:
        if isinstance(element, _New):
            made = element
            return lambda: gap.encode() + self.render_new(made, gap)
        carried = element
        return lambda: gap.encode() + carried()

    def render_new(self, element: _New, gap: str) -> bytes:
        """A new element that stands after ``gap``, laid out as the gap suggests."""
        style = replace(self.style, pretty="\n" in gap)
        return style.render(element, gap.rpartition("\n")[2])

    def add_children(self, parent: int, elements: Sequence[_New | _Render], name: str) -> None:
        """Put elements of kind ``name`` into a parent that has none of the kind yet."""
        span = self.spans[parent]
        own = self.gap(span)
        inner = own + self.style.unit if "\n" in own else ""
        if span.children:
            inner = self.gap(self.spans[span.children[0]])
        if span.is_empty_tag:
            for element in elements:
                self.filled.setdefault(parent, []).append(self.after_gap(inner, element))
            return
        earlier = [c for c in span.children if self.spans[c].local in _BEFORE[name]]
        at = self.spans[earlier[-1]].end if earlier else span.tag_end
        for element in elements:
            self.insert(at, inner, element)
        if not span.children and "\n" in inner and not self.data[at : span.inner_end].strip():
            # <parent></parent> on one line: its end tag moves to a line of its own.
            self.text(at, span.inner_end, own)

    def close_filled(self) -> None:
        for origin, renders in self.filled.items():
            span = self.spans[origin]
            name, own = span.name, self.gap(span)

            def content(
                renders: list[_Render] = renders, name: str = name, own: str = own
            ) -> bytes:
                inner = b"".join(render() for render in renders)
                closing = own if inner[:1].isspace() and b"<" in inner else ""
                return b">" + inner + f"{closing}</{name}>".encode()

            self.replace(self.tag_slash(span), span.tag_end, content)

    def tag_slash(self, span: Span) -> int:
        """Where the end of an empty tag begins, with the blanks before its slash."""
        at = span.tag_end - 2
        while self.data[at - 1 : at].isspace():
            at -= 1
        return at

    # The model

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

    def attributes(self, origin: int, new: Document | _Object, old: Document | _Object) -> None:
        for name, written in _ATTRIBUTES[type(new)]:
            value = getattr(new, name)
            if value != getattr(old, name):
                self.set_attribute(origin, written, value)

    def scribe(self, doc: int, scribe: str | None) -> None:
        writer = self.child(doc, "writer")
        if writer is None:
            self.add_children(doc, [_New("writer", [("id", scribe)])], "writer")
        else:
            self.set_attribute(writer, "id", scribe)

    def found(self, origin: int, new: _Object, old: _Object) -> None:
        """Write what differs in an object that the file has."""
        if self.spans[origin].local == _ELEMENTS[type(new)]:  # not so for a loose section
            self.attributes(origin, new, old)
        match new, old:
            case (Line() | Word(), Line() | Word()) if new.polygon != old.polygon:
                self.polygon(origin, new.polygon)
            case (Segment(), Segment()) if new.zone_refs != old.zone_refs:
                self.zone_refs(origin, new.zone_refs, old.zone_refs)
        # In the order in which a parent that has nothing yet should hold them.
        self.sequence(_children(new), _children(old), origin, None)
        for name, written in _TEXTS.get(type(new), ()):
            text, before = getattr(new, name), getattr(old, name)
            if text != before:
                self.text_child(origin, written, text)

    def text_child(self, parent: int, name: str, text: str | None) -> None:
        child = self.child(parent, name)
        if child is None:
            self.add_children(parent, [_New(name, text=text)], name)
        elif text is None:
            self.remove(child)
        else:
            self.set_text(child, text)

    def sequence(
        self, new: Sequence[_Object], old: Sequence[_Object], parent: int, wrapper: str | None
    ) -> None:
        """Write the members and the order of a list of elements."""
        now = [self.known.get(id(found)) for found in new]
        then = [found.origin for found in old]
        if now == then:
            return
        place = {origin: index for index, origin in enumerate(then) if origin is not None}
        kept = _longest_rising([place[o] for o in now if o is not None and o in place])
        staying = {then[index] for index in kept}
        for origin in then:
            if origin is not None and origin not in staying:
                self.remove(origin)
        if not old:
            self.first_members(new, parent, wrapper)
            return
        spans = [self.spans[origin] for origin in then if origin is not None]
        gap = next((g for g in map(self.gap, spans) if g), "")
        at = self.gap_start(spans[0])
        for found, origin in zip(new, now, strict=True):
            if origin is not None and origin in staying:
                at = self.spans[origin].end
            else:
                self.insert(at, gap, _new_object(found, self.carry))

    def first_members(self, new: Sequence[_Object], parent: int, wrapper: str | None) -> None:
        name = _ELEMENTS[type(new[0])]
        elements = [_new_object(found, self.carry) for found in new]
        if wrapper is not None:
            container = self.child(parent, wrapper)
            if container is None:
                self.add_children(parent, [_New(wrapper, children=elements)], wrapper)
                return
            parent = container
        self.add_children(parent, elements, name)

    def carry(self, found: _Object) -> _Render | None:
        """How to render an object that the file has elsewhere."""
        origin = self.known.get(id(found))
        if origin is None or self.spans[origin].local != _ELEMENTS[type(found)]:
            return None
        span = self.spans[origin]
        return lambda: self.render(span.start, span.end)

    def polygon(self, parent: int, new: Polygon) -> None:
        polygon = self.child(parent, "polygon")
        if polygon is None:
            self.add_children(parent, [_new_polygon(new)], "polygon")
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
                    self.set_attribute(node, name, _whole(after[axis]))

        def make(point: Point) -> _New:
            element = _new_point(point)
            if nodes and next(iter(self.spans[nodes[0]].values), "") == "y":
                element.attributes.reverse()
            return element

        self.plain_list(polygon, "point", nodes, old, list(new), change, make)

    def zone_refs(self, parent: int, new: list[str], old: list[str]) -> None:
        nodes = [c for c in self.spans[parent].children if self.spans[c].local == "zone_ref"]

        def change(node: int, _before: str, after: str) -> None:
            self.set_text(node, after)

        self.plain_list(
            parent, "zone_ref", nodes, old, new, change, lambda text: _New("zone_ref", text=text)
        )

    def plain_list(
        self,
        parent: int,
        name: str,
        nodes: list[int],
        old: list[_T],
        new: list[_T],
        change: Callable[[int, _T, _T], None],
        make: Callable[[_T], _New],
    ) -> None:
        """Write a list of values without identity; what is alike at both ends stays."""
        head = 0
        while head < min(len(old), len(new)) and old[head] == new[head]:
            head += 1
        tail = 0
        while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
            tail += 1
        old_end, new_end = len(old) - tail, len(new) - tail
        both = min(old_end, new_end)
        for index in range(head, both):
            if old[index] != new[index]:
                change(nodes[index], old[index], new[index])
        for node in nodes[both:old_end]:
            self.remove(node)
        for value in new[both:new_end]:
            if not nodes:
                self.add_children(parent, [make(value)], name)
                continue
            neighbour = self.spans[nodes[both - 1] if both else nodes[0]]
            at = neighbour.end if both else self.gap_start(neighbour)
            self.insert(at, self.gap(neighbour), make(value))


def _objects(document: Document) -> list[_Object]:
    """All objects of a document, parents before children."""
    found: list[_Object] = []
    rest: list[_Object] = [*reversed(document.sections), *reversed(document.pages)]
    while rest:
        each = rest.pop()
        found.append(each)
        rest += reversed(_children(each))
    return found


def _longest_rising(values: list[int]) -> list[int]:
    """The longest strictly rising subsequence (patience sorting with back links)."""
    tails: list[int] = []
    at: list[int] = []
    links: list[int] = []
    for index, value in enumerate(values):
        slot = bisect_left(tails, value)
        links.append(at[slot - 1] if slot else -1)
        if slot == len(tails):
            tails.append(value)
            at.append(index)
        else:
            tails[slot] = value
            at[slot] = index
    chain: list[int] = []
    index = at[-1] if at else -1
    while index >= 0:
        chain.append(values[index])
        index = links[index]
    return chain[::-1]
