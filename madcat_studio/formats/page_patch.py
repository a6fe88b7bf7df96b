"""What saving PAGE XML in place needs to know of its elements; see :mod:`formats.layout_patch`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from madcat_studio.formats.cannot_hold import cannot_hold
from madcat_studio.formats.layout_patch import LayoutPatch
from madcat_studio.formats.madcat_elements import New, whole
from madcat_studio.formats.numbers import number
from madcat_studio.formats.page_xml_writer import VERSIONS, kinds_of
from madcat_studio.model.document import Line, Page, Point, Polygon, Word
from madcat_studio.model.links import LineIndex, WordIndex

__all__ = ["PagePatch"]

_INDEX = re.compile(r"(readingOrder\s*\{[^}]*?index\s*:\s*)(\d+)")
_TEXT = ("AlternativeImage", "Coords", "Baseline", "Word", "Glyph")
_PAGE = (
    "AlternativeImage", "Border", "PrintSpace", "ReadingOrder", "Layers", "Relations", "TextStyle",
    "UserDefined", "Labels",
)  # fmt: skip
_REGION = ("AlternativeImage", "Coords", "UserDefined", "Labels", "Roles")
_NESTED = tuple(sorted(set().union(*map(kinds_of, VERSIONS))))
_BEFORE = {
    "Coords": ("AlternativeImage",),
    "Point": (),
    "Word": ("AlternativeImage", "Coords", "Baseline"),
    "Baseline": ("AlternativeImage", "Coords"),
    "TextLine": (*_REGION, *_NESTED),
    "TextRegion": (*_PAGE, *_REGION),
    "TextEquiv": _TEXT,
    "Unicode": ("PlainText",),
}
"""The elements after which one of this kind is put where there is none yet."""


class PagePatch(LayoutPatch):
    """Differences of a PAGE XML file, of any revision."""

    format_name = "PAGE XML"
    line_name, word_name, id_name = "TextLine", "Word", "id"

    def __init__(self, data: bytes) -> None:
        super().__init__(data, _BEFORE)
        self.oldest = any("pagecontent/2010" in value for value in self.spans[0].values.values())

    def page_facts(self, new: Page, old: Page) -> None:
        """Write size and resolution of a page where they changed."""
        if new.origin is None or new == old:
            return
        for name, now, was in (
            ("imageWidth", new.width, old.width),
            ("imageHeight", new.height, old.height),
        ):
            if now != was:
                self.set_attribute(new.origin, name, now or 0)
        if new.dpi != old.dpi:
            values = self.spans[new.origin].values
            if "imageXResolution" not in values and not self.has_resolution():
                raise cannot_hold(self.format_name + " before 2018", "a resolution")
            for name in ("imageXResolution", "imageYResolution"):
                self.set_attribute(new.origin, name, new.dpi)
            unit = "PPI" if new.dpi else None
            self.set_attribute(new.origin, "imageResolutionUnit", unit)

    def has_resolution(self) -> bool:
        """Whether the revision knows the resolution of an image."""
        found = re.search(r"pagecontent/(\d{4})", " ".join(self.spans[0].values.values()))
        return found is not None and found.group(1) >= "2018"

    # Outlines

    def set_outline(self, origin: int, found: Line | Word) -> None:
        """Write the outline of a line or a word; what leaves the page is clipped to it."""
        self.set_polygon(origin, found.polygon)

    def set_polygon(self, origin: int, polygon: Polygon) -> None:
        """Write an outline."""
        coords = self.child(origin, "Coords")
        if coords is None:
            self.add_children(origin, [self.coords(polygon)], "Coords")
            return
        span = self.spans[coords]
        points = [child for child in span.children if self.spans[child].local == "Point"]
        if "points" in span.values or not (points or self.oldest):
            self.set_attribute(coords, "points", _spelt(polygon))
            return
        nodes, old = [], []
        for child in points:
            values = self.spans[child].values
            x, y = number(values.get("x")), number(values.get("y"))
            if x is not None and y is not None:
                nodes.append(child)
                old.append((x, y))

        def change(node: int, before: Point, after: Point) -> None:
            for axis, name in enumerate("xy"):
                if before[axis] != after[axis]:
                    self.set_attribute(node, name, whole(after[axis]))

        new = [(max(x, 0), max(y, 0)) for x, y in polygon]
        self.plain_list(coords, "Point", nodes, old, new, change, _point)

    def coords(self, polygon: Polygon) -> New:
        """A new element with an outline."""
        if self.oldest:
            return New("Coords", children=[_point((max(x, 0), max(y, 0))) for x, y in polygon])
        return New("Coords", [("points", _spelt(polygon))])

    def baseline(self, points: Polygon) -> New:
        """A new element with a baseline."""
        return New("Baseline", [("points", _spelt(points))])

    # Texts

    def unicode(self, origin: int) -> int | None:
        """The element that holds the text of a line or word: the first of several texts."""
        texts = [c for c in self.spans[origin].children if self.spans[c].local == "TextEquiv"]
        texts.sort(key=lambda text: number(self.spans[text].values.get("index")) or 0)
        found = (self.child(text, "Unicode") for text in texts)
        return next((unicode for unicode in found if unicode is not None), None)

    def line_text(
        self, origin: int, new: Line, old: Line, place: LineIndex, was: LineIndex
    ) -> None:
        """Write the text of a line that the file has, where it changed."""
        if place not in self.said.lines:
            return
        text = self.said.lines[place]
        own = self.unicode(origin) is not None
        unsaid = not own and self.said.loose(place) > self.old_said.loose(was)
        if text == self.old_said.lines.get(was) and not unsaid:
            return
        if own or (text or "") != self.said.spelt(new, place):
            self.set_text_of(origin, text)

    def set_word_text(self, origin: int, text: str | None) -> None:
        """Write the text of a word."""
        self.set_text_of(origin, text)

    def set_text_of(self, origin: int, text: str | None) -> None:
        """Write the first text of a line or word; one that is gone leaves an empty one."""
        unicode = self.unicode(origin)
        if unicode is None:
            if text is not None:
                self.add_children(origin, [self.text_equiv(text)], "TextEquiv")
            return
        self.set_text(unicode, text or "")
        plain = self.child(self.spans[unicode].parent, "PlainText")
        if plain is not None and not self.spans[plain].is_empty_tag:
            self.set_text(plain, text or "")

    def text_equiv(self, text: str) -> New:
        """A new element with a text."""
        plain = [New("PlainText")] if self.oldest else []
        return New("TextEquiv", children=[*plain, New("Unicode", text=text)])

    # What is new

    def new_line(self, line: Line, place: LineIndex, index: int | None) -> New:
        """A line that the file has not."""
        self.need_outline(line)
        made = New("TextLine", [("id", self.name(line.id, "l"))])
        if index is not None:
            made.attributes.append(("custom", f"readingOrder {{index:{index};}}"))
        made.children.append(self.coords(line.polygon))
        if len(line.baseline) > 1 and not self.oldest:
            made.children.append(self.baseline(line.baseline))
        made.children += [self.word(word, (*place, k)) for k, word in enumerate(line.words)]
        text = self.said.lines.get(place)
        if text and text != self.said.spelt(line, place):
            made.children.append(self.text_equiv(text))
        return made

    def new_word(self, word: Word, place: WordIndex) -> New:
        """A word that the file has not."""
        self.need_outline(word)
        made = New("Word", [("id", self.name(word.id, "w"))], children=[self.coords(word.polygon)])
        if text := self.said.words.get(place):
            made.children.append(self.text_equiv(text))
        return made

    def add_region(self, page: int, outline: Polygon, lines: Sequence[New]) -> None:
        """Put a region with lines into a page that has none."""
        region = New(
            "TextRegion",
            [("id", self.names.fresh("r"))],
            children=[self.coords(outline), *lines],
        )
        self.put_region(page, region)

    def put_region(self, parent: int, region: New) -> None:
        """Put a region into a page or a region, before what it has."""
        self.add_children(parent, [region], "TextRegion")

    # The order of lines, which some programs write into an attribute of each

    def ordered_homes(self, homes: Sequence[int]) -> set[int]:
        """The regions in which each line gives its own place."""
        found = set()
        for home in set(homes):
            lines = [c for c in self.spans[home].children if self.spans[c].local == "TextLine"]
            if lines and all(map(self.index_of, lines)):
                found.add(home)
        return found

    def index_of(self, line: int) -> re.Match[str] | None:
        """Where a line gives its place."""
        return _INDEX.search(self.written.get(line, "custom") or "")

    def place_in_order(self, number_: int, homes: list[int]) -> int | None:
        """What a new line says of its own place among those of its region."""
        home = homes[number_]
        return homes[:number_].count(home) if home in self.ordered_homes([home]) else None

    def order_lines(
        self, new: Page, now: list[int | None], then: list[int], homes: list[int]
    ) -> None:
        """Write the places of lines anew where each gives its own, and some have another now."""
        for home in self.ordered_homes(homes):
            members = [origin for origin, at in zip(now, homes, strict=True) if at == home]
            found = [self.index_of(origin) if origin is not None else None for origin in members]
            indices = [int(match.group(2)) for match in found if match]
            if len(indices) == len(members) and indices == sorted(set(indices)):
                continue  # some went, and the order of the others is as it was
            for index, origin in enumerate(members):
                if origin is not None:
                    self.set_index(origin, index)

    def set_index(self, line: int, index: int) -> None:
        """Write the place of a line among those of its region."""
        custom = self.written.get(line, "custom") or ""
        found = self.index_of(line)
        if found is None:
            custom = f"readingOrder {{index:{index};}} {custom}".strip()
        elif int(found.group(2)) != index:
            custom = custom[: found.start(2)] + str(index) + custom[found.end(2) :]
        else:
            return
        self.set_attribute(line, "custom", custom)


def _point(point: Point) -> New:
    return New("Point", [("x", whole(point[0])), ("y", whole(point[1]))])


def _spelt(polygon: Polygon) -> str:
    return " ".join(f"{whole(max(x, 0))},{whole(max(y, 0))}" for x, y in polygon)
