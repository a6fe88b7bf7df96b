"""Replacing spans of an XML text: attributes, texts, elements that come, go or move."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from madcat_studio.errors import FormatError
from madcat_studio.formats.attributes import Attributes
from madcat_studio.formats.madcat_elements import (
    New,
    Render,
    Style,
    element_text,
)
from madcat_studio.formats.source import Source
from madcat_studio.formats.spans import Span, Spans

__all__ = ["TextPatch", "longest_rising", "patched"]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class _Replacement:
    """Bytes from ``start`` to ``end`` become what ``render`` gives, once all is collected."""

    start: int
    end: int
    number: int
    render: Render


def patched(source: Source, patch: Callable[[bytes], bytes]) -> bytes:
    """The bytes of a file after a patch of its UTF-8 form.

    Characters that the file's encoding cannot hold become character references.

    Raises:
        FormatError: ``madcat.encoding-unstable``: the file's encoding has several byte forms for
            one text, so that unchanged parts could not be kept.
    """
    decoded = source.decoded
    if decoded.text.encode(decoded.encoding) != source.data[len(decoded.bom) :]:
        raise FormatError(
            "madcat.encoding-unstable",
            f"a file in {decoded.encoding} cannot be changed without touching its other bytes",
            where=source.name,
            remedy="Convert the file to UTF-8 first",
        )
    data = patch(decoded.text.encode("utf-8"))
    return decoded.bom + data.decode("utf-8").encode(decoded.encoding, "xmlcharrefreplace")


class TextPatch:
    """Collects replacements in the UTF-8 form of the file, then makes them.

    Args:
        data: the file.
        before: the kinds of elements after which one of each kind is put where there is none yet.
    """

    def __init__(self, data: bytes, before: Mapping[str, Sequence[str]]) -> None:
        self.data = data
        self.before = before
        self.spans = Spans(data)
        self.replacements: list[_Replacement] = []
        self.starts: list[int] = []
        self.filled: dict[int, list[Render]] = {}
        self.written = Attributes(self.spans)
        root = self.spans[0]
        self.style = Style("\r\n" if b"\r\n" in data else "\n", self.find_unit(), True, root.prefix)

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

    def replace(self, start: int, end: int, render: Render) -> None:
        """Put what ``render`` will give in the place of a range."""
        self.replacements.append(_Replacement(start, end, len(self.replacements), render))

    def text(self, start: int, end: int, text: str) -> None:
        """Put text in the place of a range."""
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
        for start, end, text in self.written.replacements(self.data):
            self.text(start, end, text)
        self.replacements.sort(key=lambda r: (r.start, r.end > r.start, -r.end, r.number))
        self.starts = [replacement.start for replacement in self.replacements]
        return self.render(-1, len(self.data) + 1)

    def set_attribute(self, origin: int, name: str, value: str | int | None) -> None:
        """Change, add or (None) remove one attribute of an element; the last word holds."""
        self.written.set(origin, name, None if value is None else str(value))

    def rename(self, origin: int, local: str) -> None:
        """Give an element another name; its prefix stays."""
        span = self.spans[origin]
        start = span.start + 1
        self.text(start, start + len(span.name.encode()), span.prefix + local)
        if not span.is_empty_tag:
            self.text(span.inner_end, span.end, f"</{span.prefix}{local}>")

    def append_child(self, parent: int, element: New | Render) -> None:
        """Put an element behind the children of a parent."""
        span = self.spans[parent]
        if not span.children:
            self.add_children(parent, [element], "")
            return
        last = self.spans[span.children[-1]]
        self.insert(last.end, self.gap(last), element)

    def set_text(self, origin: int, text: str) -> None:
        """Replace all that an element holds by text."""
        span = self.spans[origin]
        escaped = element_text(text, self.style.line_end)
        if span.is_empty_tag:
            if text:
                self.filled.setdefault(origin, []).append(escaped.encode)
        else:
            self.text(span.tag_end, span.inner_end, escaped)

    def remove(self, origin: int) -> None:
        """Cut an element out, with the blanks before it."""
        span = self.spans[origin]
        self.text(self.gap_start(span), span.end, "")

    def insert(self, at: int, gap: str, element: New | Render) -> None:
        """Put an element at an offset, after ``gap``."""
        self.replace(at, at, self.after_gap(gap, element))

    def after_gap(self, gap: str, element: New | Render) -> Render:
        """How to render an element with the blanks before it."""
        if isinstance(element, New):
            made = element
            return lambda: gap.encode() + self.render_new(made, gap)
        carried = element
        return lambda: gap.encode() + carried()

    def render_new(self, element: New, gap: str) -> bytes:
        """A new element that stands after ``gap``, laid out as the gap suggests."""
        style = replace(self.style, pretty="\n" in gap)
        return style.render(element, gap.rpartition("\n")[2])

    def staying(self, now: Sequence[int | None], then: Sequence[int]) -> set[int]:
        """The elements of a list that need not move when it becomes another one."""
        place = {origin: index for index, origin in enumerate(then)}
        kept = longest_rising([place[o] for o in now if o is not None and o in place])
        return {then[index] for index in kept}

    def arrange(
        self,
        now: Sequence[int | None],
        then: Sequence[int],
        make: Callable[[int], New | Render],
    ) -> None:
        """Write the members and the order of a list of elements that the file has some of.

        Args:
            now: for each member its element in the file, None for a new one.
            then: the elements that the file has, in the list's order; at least one.
            make: the member at an index, as an element that is put in.
        """
        staying = self.staying(now, then)
        for origin in then:
            if origin not in staying:
                self.remove(origin)
        spans = [self.spans[origin] for origin in then]
        gap = next((g for g in map(self.gap, spans) if g), "")
        at = self.gap_start(next((self.spans[o] for o in now if o in staying), spans[0]))
        for index, element in enumerate(now):
            if element is not None and element in staying:
                at = self.spans[element].end
            else:
                self.insert(at, gap, make(index))

    def plain_list(
        self,
        parent: int,
        name: str,
        nodes: list[int],
        old: list[_T],
        new: list[_T],
        change: Callable[[int, _T, _T], None],
        make: Callable[[_T], New],
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

    def add_children(self, parent: int, elements: Sequence[New | Render], name: str) -> None:
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
        earlier = [c for c in span.children if self.spans[c].local in self.before.get(name, ())]
        at = self.spans[earlier[-1]].end if earlier else span.tag_end
        for element in elements:
            self.insert(at, inner, element)
        if not span.children and "\n" in inner and not self.data[at : span.inner_end].strip():
            # <parent></parent> on one line: its end tag moves to a line of its own.
            self.text(at, span.inner_end, own)

    def close_filled(self) -> None:
        """Give elements that were written ``<empty/>`` and hold something now an end tag."""
        for origin, renders in self.filled.items():
            span = self.spans[origin]
            name, own = span.name, self.gap(span)

            def content(renders: list[Render] = renders, name: str = name, own: str = own) -> bytes:
                inner = b"".join(render() for render in renders)
                closing = own if inner[:1].isspace() and b"<" in inner else ""
                return b">" + inner + f"{closing}</{name}>".encode()

            self.replace(_slash(self.data, span), span.tag_end, content)


def _slash(data: bytes, span: Span) -> int:
    """Where the end of an empty tag begins, with the blanks before its slash."""
    at = span.tag_end - 2
    while data[at - 1 : at].isspace():
        at -= 1
    return at


def longest_rising(values: list[int]) -> list[int]:
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
