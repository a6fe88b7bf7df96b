"""What saving ALTO in place needs to know of its elements; see :mod:`formats.layout_patch`.

ALTO has no text of a line but its strings: a line without words has one string with the whole text,
and the strings of a line have ``SP`` between them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from madcat_studio.formats.cannot_hold import cannot_hold
from madcat_studio.formats.layout_patch import LayoutPatch
from madcat_studio.formats.madcat_elements import New, Render, whole
from madcat_studio.formats.patching import TextPatch
from madcat_studio.formats.spans import Spans
from madcat_studio.model.document import Line, Page, Polygon, Word
from madcat_studio.model.geometry import bounding_box, corners
from madcat_studio.model.links import LineIndex, WordIndex

__all__ = ["AltoPatch", "references"]

_BEFORE: dict[str, tuple[str, ...]] = {
    "Shape": (),
    "Polygon": (),
    "String": ("Shape",),
    "TextLine": ("Shape",),
    "TextBlock": ("Shape", "TextBlock", "Illustration", "GraphicalElement", "ComposedBlock"),
    "Tags": ("Description", "Styles"),
    "PrintSpace": ("TopMargin", "LeftMargin", "RightMargin", "BottomMargin"),
}
"""The elements after which one of this kind is put where there is none yet."""

_PLACE = ("HPOS", "VPOS", "WIDTH", "HEIGHT")
_VERSION = re.compile(r"alto/ns-v(\d)#")


class AltoPatch(LayoutPatch):
    """Differences of an ALTO file.

    Args:
        data: the file.
        scales: how many pixels a unit is on each page, across and down.
    """

    format_name = "ALTO"
    line_name, word_name, id_name = "TextLine", "String", "ID"

    def __init__(self, data: bytes, scales: Sequence[tuple[float, float]]) -> None:
        super().__init__(data, _BEFORE)
        self.scales = scales
        root = self.spans[0].values
        found = _VERSION.search(" ".join(root.values()))
        self.version = root.get("SCHEMAVERSION") or (found.group(1) if found else "4")
        if self.version == "3":  # a file that names no revision is held to the last
            self.version = "3.1"
        self.reserved: dict[int, str] = {}

    def page_facts(self, new: Page, old: Page) -> None:
        """Write the size of a page where it changed."""
        if new.dpi != old.dpi:
            raise cannot_hold(self.format_name, "a resolution")
        if new.origin is None:
            return
        across, down = self.scales[self.page]
        if new.width != old.width:
            self.set_attribute(new.origin, "WIDTH", whole((new.width or 0) / across))
        if new.height != old.height:
            self.set_attribute(new.origin, "HEIGHT", whole((new.height or 0) / down))

    # Outlines

    def units(self, polygon: Polygon) -> list[tuple[str, str]]:
        """Points as they are written, in the units of the file."""
        across, down = self.scales[self.page]
        return [(whole(x / across), whole(y / down)) for x, y in polygon]

    def box(self, polygon: Polygon) -> list[tuple[str, str | int | None]]:
        """The attributes that say where something is."""
        points = self.units(polygon)
        box = bounding_box(tuple((int(x), int(y)) for x, y in points)) or (0, 0, 0, 0)
        left, top, right, bottom = map(int, box)
        return [
            ("HPOS", left), ("VPOS", top), ("WIDTH", right - left), ("HEIGHT", bottom - top),
        ]  # fmt: skip

    def is_box(self, polygon: Polygon) -> bool:
        """Whether the box of an outline, as it is written, says all of it."""
        points = [(int(x), int(y)) for x, y in self.units(polygon)]
        box = bounding_box(tuple(points))
        if box is None or len(points) != 4 or set(points) != set(corners(box)):
            return False
        ring = pairwise([*points, points[0]])
        return all(one[0] == other[0] or one[1] == other[1] for one, other in ring)

    def shape(self, found: Line | Word) -> list[New | Render]:
        """An element with an outline, where a box does not say it.

        Raises:
            InputError: ``layout.cannot-hold``: the revision of the file has boxes only.
        """
        if self.is_box(found.polygon):
            return []
        if self.version < "3.1":
            what = "line" if isinstance(found, Line) else "word"
            raise cannot_hold(
                f"{self.format_name} {self.version}",
                f"an outline that is not an upright box ({what} {found.id})",
            )
        return [self.new_shape(found.polygon)]

    def new_shape(self, polygon: Polygon) -> New:
        """An element with an outline."""
        points = " ".join(f"{x},{y}" for x, y in self.units(polygon))
        return New("Shape", children=[New("Polygon", [("POINTS", points)])])

    def set_outline(self, origin: int, found: Line | Word) -> None:
        """Write the box of a line or a word, and its outline."""
        if self.child(origin, "Shape") is None:
            self.shape(found)  # which may refuse it
        self.set_place(origin, found.polygon)

    def set_place(self, origin: int, polygon: Polygon) -> None:
        """Write a box, and an outline where the box does not say it."""
        for name, value in self.box(polygon):
            self.set_attribute(origin, name, value)
        shape = self.child(origin, "Shape")
        if shape is None:
            if not self.is_box(polygon):
                self.add_children(origin, [self.new_shape(polygon)], "Shape")
            return
        written = self.child(shape, "Polygon")
        if written is None:  # an ellipse or a circle
            span = self.spans[shape]
            made_anew = self.new_shape(polygon)
            self.replace(span.start, span.end, lambda: self.render_new(made_anew, ""))
            return
        between = "," if "," in self.spans[written].values.get("POINTS", ",") else " "
        points = " ".join(f"{x}{between}{y}" for x, y in self.units(polygon))
        self.set_attribute(written, "POINTS", points)

    # Texts

    def set_word_text(self, origin: int, text: str | None) -> None:
        """Write the text of a word."""
        self.set_attribute(origin, "CONTENT", text or "")

    def line_text(
        self, origin: int, new: Line, old: Line, place: LineIndex, was: LineIndex
    ) -> None:
        """Write the text of a line without words; that of others is what their words say."""
        self.need_words(new, place)
        if place not in self.said.lines:
            return
        text = self.said.lines[place] or ""
        unchanged = text == (self.old_said.lines.get(was) or "")
        if new.words:
            if not unchanged or not old.words:
                self.need_said(origin, new, text, place)
        elif not unchanged and not old.words:
            strings = _strings(self.spans, origin)
            if strings:
                self.set_attribute(strings[0], "CONTENT", text)
            else:
                self.add_children(origin, [self.whole_line(new, text)], "String")

    def need_words(self, line: Line, place: LineIndex) -> None:
        """Refuse a lone word with blanks, which would be the text of its line.

        Raises:
            InputError: ``layout.cannot-hold``.
        """
        if len(line.words) == 1 and len(self.said.words.get((*place, 0), "").split()) > 1:
            what = f"a word with blanks that is alone in its line (line {line.id})"
            raise cannot_hold(self.format_name, what)

    def need_said(self, origin: int, line: Line, text: str, place: LineIndex) -> None:
        """Refuse a text of a line that its words do not say.

        Raises:
            InputError: ``layout.cannot-hold``.
        """
        hyphen = self.child(origin, "HYP")
        end = self.spans[hyphen].values.get("CONTENT", "") if hyphen is not None else ""
        spelt = self.said.spelt(line, place)
        if text.split() not in (spelt.split(), (spelt + end).split()):
            what = f"a text of a line beside that of its words (line {line.id})"
            raise cannot_hold(self.format_name, what)

    def whole_line(self, line: Line, text: str) -> New:
        """The string of a line without words."""
        return New("String", [("CONTENT", text), *self.box(line.polygon)])

    # What is new, and what goes

    def new_line(self, line: Line, place: LineIndex, index: int | None) -> New:
        """A line that the file has not."""
        self.need_outline(line)
        self.need_words(line, place)
        self.page = place[0]
        name = self.reserved.get(id(line)) or self.name(line.id, "l")
        made = New("TextLine", [("ID", name), *self.box(line.polygon)])
        made.children += self.shape(line)
        text = self.said.lines.get(place) or ""
        if not line.words:
            made.children.append(self.whole_line(line, text))
            return made
        if text.split() != self.said.spelt(line, place).split():
            what = f"a text of a line beside that of its words (line {line.id})"
            raise cannot_hold(self.format_name, what)
        for k, word in enumerate(line.words):
            if k:
                made.children.append(New("SP"))
            made.children.append(self.word(word, (*place, k)))
        return made

    def new_word(self, word: Word, place: WordIndex) -> New:
        """A word that the file has not."""
        self.need_outline(word)
        self.page = place[0]
        return New(
            "String",
            [
                ("ID", self.name(word.id, "s")),
                ("CONTENT", self.said.words.get(place, "")),
                *self.box(word.polygon),
            ],
            children=self.shape(word),
        )

    def add_region(self, page: int, outline: Polygon, lines: Sequence[New]) -> None:
        """Put a block with lines into a page that has none."""
        block = New(
            "TextBlock", [("ID", self.names.fresh("b")), *self.box(outline)], children=[*lines]
        )
        self.put_block(page, block)

    def put_block(self, page: int, block: New) -> None:
        """Put a block onto a page."""
        space = self.child(page, "PrintSpace")
        if space is not None:
            self.add_children(space, [block], "TextBlock")
            return
        box = [(key, value) for key, value in block.attributes if key in _PLACE]
        self.add_children(page, [New("PrintSpace", box, children=[block])], "PrintSpace")

    def arrange_words(
        self, line: int, new: Line, now: list[int | None], then: list[int], place: LineIndex
    ) -> None:
        """Write the strings of a line with the blanks between them, which are elements too."""
        parts = [c for c in self.spans[line].children if self.spans[c].local in ("String", "SP")]
        stay = set(self.known.values())
        blanks = {
            one: following
            for one, following in pairwise(parts)
            if self.spans[following].local == "SP"
        }
        for part in parts:
            if part not in stay:
                self.forget(part)
            self.remove(part)
        members: list[New | Render] = []
        for k, word in enumerate(new.words):
            before = now[k - 1] if k else None
            if k:
                blank = blanks.get(before) if before is not None else None
                members.append(New("SP") if blank is None else self.carried(blank))
            members.append(self.word(word, (*place, k)))
        if not members:
            members.append(self.whole_line(new, self.said.lines.get(place) or ""))
        if not parts:
            self.add_children(line, members, "String")
            return
        first = self.spans[parts[0]]
        gap = self.gap(first)
        for member in members:
            self.insert(self.gap_start(first), gap, member)

    def carried(self, origin: int) -> Render:
        """An element of the file as it is, put elsewhere."""
        span = self.spans[origin]
        return lambda: self.render(span.start, span.end)

    # The order of reading, which stands apart

    def forget(self, origin: int) -> None:
        """Take out the references to an element that goes, and to what is in it."""
        gone = {self.spans[origin].values.get("ID")}
        gone |= {self.spans[child].values.get("ID") for child in self.spans[origin].children}
        gone.discard(None)
        for ordinal, names in references(self):
            left = [name for name in names if name not in gone]
            if names and not left:
                self.regions.unlisted.drop(ordinal, "REF")
            elif left != names:
                self.set_attribute(ordinal, "REF", " ".join(left))

    def order_lines(
        self, new: Page, now: list[int | None], then: list[int], homes: list[int]
    ) -> None:
        """Write the order of lines where the file gives it in a place of its own."""
        ids = {self.spans[origin].values.get("ID"): origin for origin in then}
        slots = [
            (ordinal, names[0])
            for ordinal, names in references(self)
            if len(names) == 1 and names[0] in ids and _is_in_order(self.spans, ordinal)
        ]
        if not slots:
            return
        stay = {origin for origin in now if origin is not None}
        places = [(ordinal, name) for ordinal, name in slots if ids[name] in stay]
        listed = {name for _, name in places}
        names = [self.spans[origin].values.get("ID") for origin in now if origin is not None]
        wanted = [name for name in names if name in listed]
        if len(wanted) == len(places):  # each is listed once
            for (ordinal, name), other in zip(places, wanted, strict=True):
                if name != other:
                    self.set_attribute(ordinal, "REF", other)
        at = {name: ordinal for (ordinal, _), name in zip(places, wanted, strict=False)}
        last = places[0][0] if places else slots[0][0]
        for line, origin in zip(new.lines, now, strict=True):
            if origin is not None:
                last = at.get(self.spans[origin].values.get("ID") or "", last)
                continue
            self.reserved[id(line)] = name = self.name(line.id, "l")
            span = self.spans[last]
            reference = New("ElementRef", [("ID", self.names.fresh("ref")), ("REF", name)])
            first = line is new.lines[0]
            self.insert(self.gap_start(span) if first else span.end, self.gap(span), reference)


def references(patch: TextPatch) -> list[tuple[int, list[str]]]:
    """The elements that refer to others by their ids, in the file's order."""
    return [
        (ordinal, (patch.written.get(ordinal, "REF") or "").split())
        for ordinal, span in enumerate(patch.spans)
        if "REF" in span.values
    ]


def _is_in_order(spans: Spans, reference: int) -> bool:
    """Whether a reference stands in the first ordered group, which is the one that is read."""
    first = next((n for n, span in enumerate(spans) if span.local == "OrderedGroup"), None)
    above = spans[reference].parent
    while above >= 0 and above != first:
        above = spans[above].parent
    return above == first


def _strings(spans: Spans, line: int) -> list[int]:
    """The strings of a line."""
    return [child for child in spans[line].children if spans[child].local == "String"]
