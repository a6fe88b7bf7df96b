"""Where each element of an XML text begins and ends, by expat; the ground of lossless saving."""

from __future__ import annotations

import re
import xml.parsers.expat
from dataclasses import dataclass, field

__all__ = ["Attribute", "Span", "attributes_of", "spans_of"]

_START_TAG = re.compile(rb"""<[^\s/>]+(?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/?>""")
_ATTRIBUTE = re.compile(rb"""\s+([^\s=/>]+)\s*=\s*("[^"]*"|'[^']*')""")
_NAME = re.compile(rb"<([^\s/>]+)")


@dataclass(slots=True)
class Span:
    """One element in the text; offsets are bytes of its UTF-8 form.

    Attributes:
        name: as written, with a prefix.
        values: its attributes by name as written, references resolved.
        parent: ordinal of the parent, -1 for the root.
        start, tag_end: of its start tag.
        inner_end, end: of its end tag; both equal ``tag_end`` for ``<empty/>``.
        children: ordinals of its child elements.
    """

    name: str
    values: dict[str, str]
    parent: int
    start: int
    tag_end: int = 0
    inner_end: int = 0
    end: int = 0
    children: list[int] = field(default_factory=list)

    @property
    def local(self) -> str:
        """The name without a prefix."""
        return self.name.rpartition(":")[2]

    @property
    def prefix(self) -> str:
        """The prefix with its colon, or ""."""
        return self.name[: -len(self.local)]

    @property
    def is_empty_tag(self) -> bool:
        """Whether it is written ``<empty/>``."""
        return self.end == self.tag_end


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute in a start tag: where it stands, and where its value stands in quotes."""

    start: int
    end: int
    value_start: int
    value_end: int
    quote: str


def spans_of(data: bytes) -> list[Span]:
    """The spans of all elements by ordinal. ``data`` is well-formed XML in UTF-8 without a BOM."""
    spans: list[Span] = []
    opened: list[int] = []
    parser = xml.parsers.expat.ParserCreate("utf-8")

    def start(name: str, values: dict[str, str]) -> None:
        parent = opened[-1] if opened else -1
        if opened:
            spans[parent].children.append(len(spans))
        opened.append(len(spans))
        span = Span(name, values, parent, parser.CurrentByteIndex)
        tag = _START_TAG.match(data, span.start)
        assert tag is not None, "expat and the pattern of a start tag disagree"
        span.tag_end = tag.end()
        spans.append(span)

    def end(_name: str) -> None:
        span = spans[opened.pop()]
        at = parser.CurrentByteIndex
        if data[span.tag_end - 2 : span.tag_end] == b"/>":
            span.inner_end = span.end = span.tag_end
        else:
            span.inner_end = at
            span.end = data.index(b">", at) + 1

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.Parse(data, True)
    return spans


def attributes_of(data: bytes, span: Span) -> dict[str, Attribute]:
    """The attributes of a start tag by name as written, in their order."""
    name = _NAME.match(data, span.start)
    assert name is not None
    found: dict[str, Attribute] = {}
    at = name.end()
    while match := _ATTRIBUTE.match(data, at, span.tag_end):
        found[match.group(1).decode()] = Attribute(
            match.start(),
            match.end(),
            match.start(2) + 1,
            match.end(2) - 1,
            match.group(2)[:1].decode(),
        )
        at = match.end()
    return found
