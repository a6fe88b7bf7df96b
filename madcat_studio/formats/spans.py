"""Where each element of an XML text begins and ends, by expat; the ground of lossless saving."""

from __future__ import annotations

import re
import xml.parsers.expat
from array import array
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Attribute", "Span", "Spans", "attributes_of"]

_START_TAG = re.compile(rb"""<[^\s/>]+(?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/?>""")
_ATTRIBUTE = re.compile(rb"""\s+([^\s=/>]+)\s*=\s*("[^"]*"|'[^']*')""")
_NAME = re.compile(rb"<([^\s/>]+)")


@dataclass(frozen=True, slots=True)
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
    tag_end: int
    inner_end: int
    end: int
    children: tuple[int, ...]

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


class Spans:
    """The spans of all elements by ordinal; each is made once somebody asks for it.

    A page has tens of thousands of elements, and saving it asks for those that changed. ``data``
    is well-formed XML in UTF-8 without a BOM.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._names: list[str] = []
        self._values: list[dict[str, str]] = []
        self._parents = array("q")
        self._starts = array("q")
        # Where the end tag stands, and the ordinal of what follows the whole element.
        self._ends = array("q")
        self._after = array("q")
        self._made: dict[int, Span] = {}
        self._read()

    def _read(self) -> None:
        opened = [-1]
        parser = xml.parsers.expat.ParserCreate("utf-8")
        names, values, parents = self._names, self._values, self._parents
        starts, ends, after = self._starts, self._ends, self._after

        def start(name: str, attributes: dict[str, str]) -> None:
            parents.append(opened[-1])
            opened.append(len(names))
            names.append(name)
            values.append(attributes)
            starts.append(parser.CurrentByteIndex)
            ends.append(0)
            after.append(0)

        def end(_name: str) -> None:
            ordinal = opened.pop()
            ends[ordinal] = parser.CurrentByteIndex
            after[ordinal] = len(names)

        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.Parse(self._data, True)

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[Span]:
        return (self[ordinal] for ordinal in range(len(self)))

    def __getitem__(self, ordinal: int) -> Span:
        span = self._made.get(ordinal)
        if span is None:
            span = self._made[ordinal] = self._make(ordinal)
        return span

    def local(self, ordinal: int) -> str:
        """The name of an element without a prefix."""
        return self._names[ordinal].rpartition(":")[2]

    def _make(self, ordinal: int) -> Span:
        data, start = self._data, self._starts[ordinal]
        tag = _START_TAG.match(data, start)
        assert tag is not None, "expat and the pattern of a start tag disagree"
        tag_end = inner_end = end = tag.end()
        if data[tag_end - 2 : tag_end] != b"/>":
            inner_end = self._ends[ordinal]
            end = data.index(b">", inner_end) + 1
        return Span(
            self._names[ordinal],
            self._values[ordinal],
            self._parents[ordinal],
            start,
            tag_end,
            inner_end,
            end,
            tuple(self._children(ordinal)),
        )

    def _children(self, ordinal: int) -> Iterator[int]:
        child, stop = ordinal + 1, self._after[ordinal]
        while child < stop:
            yield child
            child = self._after[child]


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
