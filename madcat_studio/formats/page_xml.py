"""PAGE XML, 2010 to 2019: pages, regions, lines, baselines, words, reading order.

Revisions that differ here: 2010 writes outlines as ``Point`` children of ``Coords``, knows no
``Baseline`` and no region within another; from 2013 on outlines are attributes ``points``. Local
names decide: wrong namespaces occur. What a revision allows is asked of its published schema.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from madcat_studio.errors import FormatError
from madcat_studio.formats.layouts import ReadLayout, named
from madcat_studio.formats.numbers import number, whole
from madcat_studio.formats.source import Source
from madcat_studio.formats.survey import Survey
from madcat_studio.formats.walk import Walk
from madcat_studio.formats.xml import Element, parse_plain, too_deep
from madcat_studio.model.document import Polygon
from madcat_studio.model.layout import (
    TEXT_REGION,
    Layout,
    LayoutLine,
    LayoutPage,
    LayoutRegion,
    LayoutWord,
)
from madcat_studio.model.problem import Severity
from madcat_studio.model.traits import CELL, STYLE, traits_text

__all__ = ["read_page_xml"]

_INDEX = re.compile(r"readingOrder\s*\{[^}]*?index\s*:\s*([0-9]{1,9})")
_TYPE = re.compile(r"structure\s*\{[^}]*?type\s*:\s*([^;}]+)")
_ORDER = re.compile(r"readingOrder\s*\{[^{}]*\}\s*")
_TYPE_ALONE = re.compile(r"structure\s*\{\s*type\s*:[^;{}]+;?\s*\}\s*")
_CELL = "TableCell"
"""What some programs write into a table, beside every schema; a text region serves as well."""
_PAGE_FACTS = frozenset(
    (
        "id", "imageFilename", "imageWidth", "imageHeight", "imageXResolution",
        "imageYResolution", "imageResolutionUnit",
    )
)  # fmt: skip
_REGION_FACTS = frozenset(("id", "type", "custom"))
_LINE_FACTS = frozenset(("id", "custom"))
_WORD_FACTS = frozenset(("id",))
_OF_CELL = {"row": "rowIndex", "col": "columnIndex", "rowSpan": "rowSpan", "colSpan": "colSpan"}
"""What programs with cells of their own call what the schema has words for."""
_CELL_ALONE = re.compile(r"tableCell\s*\{([^{}]*)\}\s*")
_NUMBERS = frozenset(("imageWidth", "imageHeight", "x", "y"))
_POINTS = frozenset(("points",))
_OWN = frozenset(("Page", "Point"))
_HELD = {
    "PcGts": {"pcGtsId"},
    "Coords": {"points"},
    "Baseline": {"points"},
    "Point": {"x", "y"},
    "TextEquiv": {"index"},
    "Unicode": set[str](),
    "ReadingOrder": set[str](),
    "OrderedGroup": {"id"},
    "OrderedGroupIndexed": {"id", "index", "regionRef"},
    "UnorderedGroup": {"id"},
    "UnorderedGroupIndexed": {"id", "index", "regionRef"},
    "RegionRef": {"regionRef"},
    "RegionRefIndexed": {"regionRef", "index"},
}


def read_page_xml(source: Source) -> ReadLayout:
    """Read a PAGE XML file.

    The reading order is that of ``ReadingOrder``, else of ``custom="readingOrder {index:n;}"``,
    else the document's. Of several texts of one element that with the lowest ``index`` counts.

    Raises:
        FormatError: ``page.wrong-root``, ``page.too-old``, ``page.no-page``, or as ``parse_plain``.
    """
    root = parse_plain(source)
    survey = Survey(root)
    reader = _Reader(source, survey)
    if survey.names[root.tag] == "pcGts":
        raise FormatError(
            "page.too-old",
            "this is PAGE XML of 2009, whose elements have other names; 2010 to 2019 are read",
            where=source.name,
            remedy="Bring it to a later revision with the PAGE converter of PRImA Research",
        )
    if survey.names[root.tag] != "PcGts":
        raise FormatError(
            "page.wrong-root",
            "this is not PAGE XML: its root is not “PcGts”",
            where=source.name,
            remedy="Check that it is the file you meant",
        )
    try:
        pages = reader.pages(root)
    except RecursionError:
        raise too_deep(source.name) from None
    if not pages:
        raise FormatError(
            "page.no-page",
            "the file has no page",
            where=source.name,
            remedy="Get a new copy of the file",
        )
    if reader.odd:
        reader.notes.tell_unreadable(survey, _NUMBERS, _POINTS)
    reader.notes.tell_unheld(survey, _HELD | reader.taken, {"Roles"}, aside={"Metadata"})
    return ReadLayout(Layout(pages), tuple(reader.notes.problems), source)


class _Text(NamedTuple):
    """A text of an element, and its place among them; ``said`` is None where it says nothing."""

    place: str | None
    said: str | None


class _Custom(NamedTuple):
    """What ``custom`` says: a place in the order, what a region is for, and the rest."""

    place: int | None = None
    type: str | None = None
    rest: str | None = None


_NOTHING = _Custom()


@lru_cache(maxsize=1024)
def _custom(text: str, with_type: bool) -> _Custom:
    """What ``custom`` says; its type is part of the rest unless it is taken over ``with_type``."""
    index, type_ = _INDEX.search(text), _TYPE.search(text)
    rest = _CELL_ALONE.sub("", _ORDER.sub("", text))
    if with_type:
        rest = _TYPE_ALONE.sub("", rest, count=1)
    return _Custom(
        int(index.group(1)) if index else None,
        type_.group(1).strip() or None if type_ else None,
        rest.strip() or None,
    )


class _Reader(Walk):
    def __init__(self, source: Source, survey: Survey) -> None:
        super().__init__(source, survey, _NUMBERS, _POINTS, _OWN)
        text = source.decoded.text
        self.styles, self.roles = "TextStyle" in text, "TableCellRole" in text
        self.cells = "tableCell" in text
        self.taken: dict[str, set[str]] = {}
        self.bare: dict[str, bool] = {}

    def child(self, element: Element, name: str) -> Element | None:
        for child in element:
            if self.names[child.tag] == name:
                return child
        return None

    def pages(self, root: Element) -> list[LayoutPage]:
        self.ordinal += 1
        pages = []
        for child in root:
            name = self.names[child.tag]
            if name == "Page":
                pages.append(self.page(child, root.get("pcGtsId")))
            else:
                self.skip(child)
        return pages

    def page(self, element: Element, identifier: str | None) -> LayoutPage:
        self.ordinal += 1
        page = LayoutPage(
            element.get("id") or identifier,
            element.get("imageFilename"),
            whole(element.get("imageWidth")),
            whole(element.get("imageHeight")),
            self.dpi(element),
            origin=self.ordinal,
            traits=self.traits(element, "Page", _PAGE_FACTS),
        )
        for size in ("imageWidth", "imageHeight"):
            self.look_at(element.get(size))
        order: list[str] | None = None
        found: list[tuple[int | None, LayoutRegion]] = []
        for child in element:
            name = self.names[child.tag]
            if name.endswith("Region") or name == _CELL:
                self.region(child, name, None, found)
            else:
                if name == "ReadingOrder" and order is None:
                    order = self.reading_order(child)
                self.skip(child)
        keys = self.keys(page, order or [], found)
        ranked = sorted(range(len(found)), key=lambda i: keys[i])
        page.regions = [found[i][1] for i in ranked]
        return page

    def keys(
        self, page: LayoutPage, listed: list[str], found: list[tuple[int | None, LayoutRegion]]
    ) -> list[tuple[int, ...]]:
        """What the regions are sorted by; one without a place of its own stands by its parent."""
        order: dict[str | None, int] = {}
        for identifier in listed:
            order.setdefault(identifier, len(order))
        indices = [index for index, region in found if region.parent is None]
        by_index = not order and bool(indices) and None not in indices
        if not order and not by_index:
            page.ordered = len(found) < 2
            if not page.ordered:
                self.notes.tell(
                    "reading-order-missing",
                    "the file gives no reading order",
                    origin=page.origin,
                    done="the document's order is kept",
                )
        keys: dict[int, tuple[int, ...]] = {}
        for number_, (given, region) in enumerate(found):
            above = keys[id(region.parent)] if region.parent is not None else None
            index = (given or 0) if by_index else 0
            if region.id in order:
                keys[id(region)] = (order[region.id],)
            elif above is not None:
                keys[id(region)] = (*above, index, number_)
            else:
                keys[id(region)] = (index if by_index else len(order), number_)
        return [keys[id(region)] for _, region in found]

    def dpi(self, element: Element) -> int | None:
        value = number(element.get("imageXResolution"))
        if not value:
            return None
        per_cm = "cm" in (element.get("imageResolutionUnit") or "").lower()
        return round(value * 2.54 if per_cm else value)

    def reading_order(self, order: Element) -> list[str]:
        found: list[str] = []

        def walk(group: Element) -> None:
            reference = group.get("regionRef")
            if reference:
                found.append(reference)
            for member in sorted(group, key=lambda m: number(m.get("index")) or 0):
                walk(member)

        for group in order:
            walk(group)
        return found

    def region(
        self,
        element: Element,
        kind: str,
        inside: LayoutRegion | None,
        found: list[tuple[int | None, LayoutRegion]],
    ) -> None:
        """Collect a region and those within it, each before those that lie in it."""
        self.ordinal += 1
        origin = self.ordinal
        type_, custom = element.get("type"), element.get("custom")
        said = _custom(custom, not type_) if custom else _NOTHING
        region = LayoutRegion(
            element.get("id"),
            TEXT_REGION if kind == _CELL else kind,
            type=type_ or said.type,
            parent=inside,
            origin=origin,
            custom=said.rest,
            traits=self.traits(element, kind, _REGION_FACTS),
        )
        found.append((said.place, region))
        outline: Polygon | None = None
        texts: list[_Text] = []
        indices: list[int | None] = []
        for child in element:
            name = self.names[child.tag]
            if name == "TextLine":
                index, line = self.line(child)
                region.lines.append(line)
                indices.append(index)
            elif name == "TextEquiv":
                texts.append(self.text(child))
            elif name == "Coords" and outline is None:
                outline = self.outline(child)
            elif name.endswith("Region") or name == _CELL:
                self.region(child, name, region, found)
            else:
                self.skip(child)
        region.polygon = outline or ()
        lines = region.lines
        if len(lines) > 1 and None not in indices:
            ranked = sorted(range(len(lines)), key=lambda i: indices[i] or 0)
            region.lines = [lines[i] for i in ranked]
        text = self.first_text(region.id, texts, origin) if texts else None
        if text is not None:
            words = [word for line in region.lines for word in (line.text or "").split()]
            if text.split() != words:
                region.text = text

    def line(self, element: Element) -> tuple[int | None, LayoutLine]:
        """A line, and the place in its region that it claims."""
        self.ordinal += 1
        origin = self.ordinal
        names = self.names
        outline: Polygon | None = None
        baseline: Polygon | None = None
        texts: list[_Text] = []
        words: list[LayoutWord] = []
        for child in element:  # this is most of a file
            name = names[child.tag]
            if name == "Word":
                words.append(self.word(child))
            elif name == "TextEquiv":
                texts.append(self.text(child))
            elif name == "Coords" and outline is None:
                outline = self.outline(child)
            elif name == "Baseline" and baseline is None:
                baseline = self.outline(child)
            else:
                self.skip(child)
        identifier, custom = element.get("id"), element.get("custom")
        said = _custom(custom, False) if custom else _NOTHING
        text = self.first_text(identifier, texts, origin) if texts else None
        spelt = " ".join([word.text for word in words if word.text]) if words else ""
        if text is None:
            text = spelt or None
        elif spelt and text != spelt and text.split() != spelt.split():
            self.notes.tell(
                "text-levels-differ",
                f"the line says “{_short(text)}”, its words “{_short(spelt)}”",
                origin=origin,
                place=named("line", identifier),
                done="both are kept",
            )
        return said.place, LayoutLine(
            identifier,
            outline or (),
            baseline or (),
            text,
            words,
            origin,
            said.rest,
            self.traits(element, "TextLine", _LINE_FACTS),
        )

    def word(self, element: Element) -> LayoutWord:
        self.ordinal += 1
        origin = self.ordinal
        names = self.names
        outline: Polygon | None = None
        texts: list[_Text] = []
        for child in element:
            name = names[child.tag]
            if name == "Coords" and outline is None:
                outline = self.outline(child)
            elif name == "TextEquiv":
                texts.append(self.text(child))
            else:
                self.skip(child)
        identifier = element.get("id")
        text = self.first_text(identifier, texts, origin) if texts else None
        traits = self.traits(element, "Word", _WORD_FACTS)
        return LayoutWord(identifier, outline or (), text, origin, traits)

    def traits(self, element: Element, kind: str, facts: frozenset[str]) -> str | None:
        """What else an element says of itself; ``facts``: the attributes that have a place."""
        if kind not in self.bare:
            self.taken[kind] = set(facts)
            more = self.styles or self.roles or self.cells
            self.bare[kind] = not more and facts >= self.survey.keys_of(kind)
        return None if self.bare[kind] else self.told(element, kind, facts)  # most are

    def told(self, element: Element, kind: str, facts: frozenset[str]) -> str | None:
        keys = element.keys()
        found = {key: element.get(key) or "" for key in keys if key not in facts and key[0] != "{"}
        self.taken[kind].update(found)
        if kind == _CELL:
            found = {CELL + _OF_CELL[k] if k in _OF_CELL else k: v for k, v in found.items()}
        style = self.child(element, "TextStyle") if self.styles else None
        if style is not None:
            found.update({STYLE + name: value for name, value in self.said(style)})
        roles = self.child(element, "Roles") if self.roles else None
        role = self.child(roles, "TableCellRole") if roles is not None else None
        if role is not None:
            found.update({CELL + name: value for name, value in self.said(role)})
        elsewhere = _CELL_ALONE.search(element.get("custom") or "") if self.cells else None
        if elsewhere is not None:
            pairs = (part.partition(":") for part in elsewhere.group(1).split(";"))
            found.update({CELL + n.strip(): v.strip() for n, _, v in pairs if n.strip()})
        return traits_text(found) if found else None

    def said(self, element: Element) -> list[tuple[str, str]]:
        """The plain attributes of an element that is taken over."""
        pairs = [(key, value) for key, value in element.items() if key[0] != "{"]
        self.taken.setdefault(self.names[element.tag], set()).update(key for key, _ in pairs)
        return pairs

    def outline(self, element: Element) -> Polygon:
        self.ordinal += 1
        points = element.get("points")
        if points is not None:
            if len(element):
                self.skip_children(element)
            return self.points[points]
        found: list[tuple[float | None, float | None]] = []
        for child in element:
            name = self.names[child.tag]
            if name == "Point":
                self.ordinal += 1
                x, y = number(child.get("x")), number(child.get("y"))
                found.append((x, y))
                if x is None or y is None:
                    self.look_at(child.get("x"))
                    self.look_at(child.get("y"))
                self.skip_children(child)
            else:
                self.skip(child)
        return tuple((x, y) for x, y in found if x is not None and y is not None)

    def text(self, element: Element) -> _Text:
        self.ordinal += 1
        said: str | None = None
        for child in element:
            if said is not None or self.names[child.tag] != "Unicode":
                self.skip(child)
            elif len(child):
                said = "".join(child.itertext())
                self.skip(child)
            else:
                said = child.text or ""
                self.ordinal += 1
        return _Text(element.get("index"), said)

    def first_text(self, identifier: str | None, texts: list[_Text], origin: int) -> str | None:
        """What an element says in its texts; that with the lowest index counts."""
        if len(texts) > 1:
            texts = sorted(texts, key=lambda text: number(text.place) or 0)
            self.notes.tell(
                "text-alternatives",
                f"{identifier} has {len(texts)} texts",
                origin=origin,
                done="the first one is used",
                severity=Severity.NOTE,
            )
        return next((text.said for text in texts if text.said is not None), None) or None


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
