"""Elements of a MADCAT file that are not in it yet, and how they are laid out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from madcat_studio.errors import InputError
from madcat_studio.model.characters import FORBIDDEN
from madcat_studio.model.document import (
    Document,
    Line,
    Page,
    Point,
    Polygon,
    Region,
    Section,
    Segment,
    Token,
    Word,
)

__all__ = [
    "ATTRIBUTES",
    "BEFORE",
    "ELEMENTS",
    "PREFIX",
    "TEXTS",
    "MadcatObject",
    "New",
    "Render",
    "Style",
    "attribute_text",
    "children_of",
    "element_text",
    "extended",
    "extension_of",
    "new_document",
    "new_object",
    "new_point",
    "new_polygon",
    "new_region",
    "region_attributes",
    "whole",
]

MadcatObject: TypeAlias = Page | Line | Word | Section | Segment | Token
Render: TypeAlias = Callable[[], bytes]

PREFIX = "layout"
"""Of what is written in the namespace of the extension."""

ELEMENTS: dict[type, str] = {
    Page: "page",
    Line: "zone",
    Word: "token-image",
    Section: "section",
    Segment: "segment",
    Token: "token",
}
ATTRIBUTES: dict[type, tuple[tuple[str, str], ...]] = {
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
TEXTS: dict[type, tuple[tuple[str, str], ...]] = {
    Token: (("source", "source"),),
    Segment: (("transcription", "transcription"), ("translation", "translation")),
}
BEFORE: dict[str, tuple[str, ...]] = {
    "writer": (),
    "image": ("writer",),
    "content": ("writer", "image", "page"),
    "page": (),
    "zone": ("region",),
    "polygon": (),
    "token-image": ("polygon",),
    "point": (),
    "region": (),
    "section": (),
    "segment": (),
    "zone_ref": (),
    "token": ("zone_ref",),
    "source": (),
    "transcription": ("zone_ref", "token"),
    "translation": ("zone_ref", "token", "transcription"),
}
"""The kinds of elements after which one of this kind is put where there is none yet."""


def whole(value: float) -> str:
    """A coordinate as it is written: a whole number, rounded half up."""
    return str(math.floor(value + 0.5))


@dataclass(slots=True)
class New:
    """An element that is not in the file yet; children may be ones that are."""

    name: str
    attributes: list[tuple[str, str | int | None]] = field(default_factory=list)
    text: str | None = None
    children: list[New | Render] = field(default_factory=list)


def new_object(
    found: MadcatObject,
    known: Callable[[MadcatObject], Render | None],
    prefix: Callable[[], str] = lambda: PREFIX,
) -> New | Render:
    """``found`` as an element; what the file has already is carried over by ``known``.

    ``prefix`` is asked for that of the extension where one is needed, so that it is declared.
    """
    old = known(found)
    if old is not None:
        return old
    element = New(
        ELEMENTS[type(found)],
        [(written, getattr(found, name)) for name, written in ATTRIBUTES[type(found)]],
    )
    children = element.children
    if isinstance(found, Line):
        element.attributes += [
            (f"{prefix()}:{name}", value) for name, value in extension_of(found) if value
        ]
    if isinstance(found, Page | Word) and found.traits:
        element.attributes.append((f"{prefix()}:traits", found.traits))
    if isinstance(found, Page):
        children += [new_region(region, prefix()) for region in found.regions]
    if isinstance(found, Line | Word) and found.polygon:
        children.append(new_polygon(found.polygon))
    if isinstance(found, Segment):
        children += [New("zone_ref", text=text) for text in found.zone_refs]
    children += [new_object(child, known, prefix) for child in children_of(found)]
    for name, written in TEXTS.get(type(found), ()):
        text = getattr(found, name)
        if text is not None:
            children.append(New(written, text=text))
    return element


def extension_of(line: Line) -> list[tuple[str, str | None]]:
    """What a line has beyond MADCAT, as attributes of the extension."""
    return [
        ("baseline", _points(line.baseline) or None),
        ("region", line.region),
        ("custom", line.custom),
        ("traits", line.traits),
    ]


def extended(page: Page) -> bool:
    """Whether a page has anything beyond MADCAT."""
    return (
        page.traits is not None
        or bool(page.regions)
        or any(value is not None for line in page.lines for _, value in extension_of(line))
        or any(word.traits is not None for word in page.words())
    )


def new_region(region: Region, prefix: str = PREFIX) -> New:
    """A ``region`` element of the extension."""
    return New(f"{prefix}:region", list(region_attributes(region)), region.text)


def region_attributes(region: Region) -> list[tuple[str, str | int | None]]:
    """What a region says of itself, as attributes."""
    return [
        ("id", region.id),
        ("kind", region.kind),
        ("type", region.type),
        ("parent", region.parent),
        ("points", _points(region.polygon)),
        ("custom", region.custom),
        ("traits", region.traits),
    ]


def _points(polygon: Polygon) -> str:
    return " ".join(f"{x},{y}" for x, y in polygon)


def new_document(document: Document) -> New:
    """The ``doc`` element of a document that was never a file."""

    def nothing(_found: MadcatObject) -> None:
        return None

    doc = New("doc", [(written, getattr(document, name)) for name, written in ATTRIBUTES[Document]])
    if document.scribe is not None:
        doc.children.append(New("writer", [("id", document.scribe)]))
    if document.pages:
        pages = [new_object(page, nothing) for page in document.pages]
        doc.children.append(New("image", children=pages))
    if document.sections:
        sections = [new_object(section, nothing) for section in document.sections]
        doc.children.append(New("content", children=sections))
    return doc


def new_polygon(polygon: Polygon) -> New:
    """A ``polygon`` element."""
    return New("polygon", children=[new_point(point) for point in polygon])


def new_point(point: Point) -> New:
    """A ``point`` element."""
    return New("point", [("x", whole(point[0])), ("y", whole(point[1]))])


def children_of(found: MadcatObject) -> Sequence[MadcatObject]:
    """The objects that an object of the model holds, in order."""
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
class Style:
    """How the file is laid out: its line end, one step of indentation, whether it is indented."""

    line_end: str
    unit: str
    pretty: bool
    prefix: str = ""

    def render(self, element: New, indent: str) -> bytes:
        """``element`` as text; its first line is not indented."""
        name = element.name if ":" in element.name else self.prefix + element.name
        attributes = "".join(
            f' {key}="{attribute_text(str(value), chr(34))}"'
            for key, value in element.attributes
            if value is not None
        )
        if not element.children:
            if element.text is None:
                return f"<{name}{attributes}/>".encode()
            text = element_text(element.text, self.line_end)
            return f"<{name}{attributes}>{text}</{name}>".encode()
        inner_indent = indent + self.unit
        gap = (self.line_end + inner_indent).encode() if self.pretty else b""
        inner = b"".join(
            gap + (self.render(child, inner_indent) if isinstance(child, New) else child())
            for child in element.children
        )
        closing = (self.line_end + indent).encode() if self.pretty else b""
        return f"<{name}{attributes}>".encode() + inner + closing + f"</{name}>".encode()


def _checked(text: str) -> str:
    found = FORBIDDEN.search(text)
    if found:
        raise InputError(
            "madcat.forbidden-character",
            f"the text “{FORBIDDEN.sub('▯', text)[:40]}” has the character "
            f"U+{ord(found.group()):04X}, which XML cannot hold",
            remedy="Remove the character",
        )
    return text


def element_text(text: str, line_end: str) -> str:
    """Text as it stands in an element.

    Raises:
        InputError: ``madcat.forbidden-character``.
    """
    text = _checked(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\r", "&#13;").replace("\n", line_end)


def attribute_text(text: str, quote: str) -> str:
    """Text as it stands in an attribute between quotes of this kind; raises the same."""
    text = _checked(text).replace("&", "&amp;").replace("<", "&lt;")
    text = text.replace("\r", "&#13;").replace("\n", "&#10;").replace("\t", "&#9;")
    return text.replace(quote, "&quot;" if quote == '"' else "&apos;")
