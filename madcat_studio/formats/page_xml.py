"""PAGE XML, 2010 to 2019: pages, regions, lines, baselines, words, reading order.

Revisions that differ here: 2010 writes outlines as ``Point`` children of ``Coords``, knows no
``Baseline`` and no region within another; from 2013 on outlines are attributes ``points``. Local
names decide: wrong namespaces occur. What a revision allows is asked of its published schema.
"""

from __future__ import annotations

import re

from madcat_studio.errors import FormatError
from madcat_studio.formats.layouts import (
    Notes,
    ReadLayout,
    Survey,
    number,
    points_of,
    whole,
)
from madcat_studio.formats.source import Source
from madcat_studio.formats.xml import Element, parse_xml
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
        FormatError: ``page.wrong-root``, ``page.no-page``, or as ``parse_xml``.
    """
    root = parse_xml(source)
    survey = Survey(root)
    reader = _Reader(source, survey)
    if reader.names[root.tag] != "PcGts":
        raise FormatError(
            "page.wrong-root",
            "this is not PAGE XML: its root is not “PcGts”",
            where=source.name,
            remedy="Check that it is the file you meant",
        )
    pages = [reader.page(found) for found in reader.children(root, "Page")]
    if not pages:
        raise FormatError(
            "page.no-page", "the file has no page", where=source.name, remedy="Fetch the file again"
        )
    reader.notes.tell_unreadable(survey, {"imageWidth", "imageHeight", "x", "y"}, {"points"})
    reader.notes.tell_unheld(survey, _HELD | reader.taken, {"Roles"}, aside={"Metadata"})
    return ReadLayout(Layout(pages), tuple(reader.notes.problems))


class _Reader:
    def __init__(self, source: Source, survey: Survey) -> None:
        self.names = survey.names
        self.notes = Notes(source)
        text = source.decoded.text
        self.styles, self.roles = "TextStyle" in text, "TableCellRole" in text
        self.taken: dict[str, set[str]] = {}
        self.ordinals = survey.ordinals

    def children(self, element: Element, name: str) -> list[Element]:
        return [child for child in element if self.names[child.tag] == name]

    def child(self, element: Element, name: str) -> Element | None:
        for child in element:
            if self.names[child.tag] == name:
                return child
        return None

    def page(self, element: Element) -> LayoutPage:
        page = LayoutPage(
            element.get("id") or element.getroottree().getroot().get("pcGtsId"),
            element.get("imageFilename"),
            whole(element.get("imageWidth")),
            whole(element.get("imageHeight")),
            self.dpi(element),
            origin=self.ordinals[element],
            traits=self.traits(element, _PAGE_FACTS),
        )
        found: list[tuple[Element, LayoutRegion]] = []
        self.regions(element, None, found)
        keys = self.keys(element, page, found)
        ranked = sorted(range(len(found)), key=lambda i: keys[i])
        page.regions = [found[i][1] for i in ranked]
        return page

    def regions(
        self,
        parent: Element,
        inside: LayoutRegion | None,
        found: list[tuple[Element, LayoutRegion]],
    ) -> None:
        """Collect the regions below an element, each before those that lie in it."""
        for child in parent:
            name = self.names[child.tag]
            if name.endswith("Region") or name == _CELL:
                region = self.region(child)
                region.parent = inside
                found.append((child, region))
                self.regions(child, region, found)

    def keys(
        self, element: Element, page: LayoutPage, found: list[tuple[Element, LayoutRegion]]
    ) -> list[tuple[int, ...]]:
        """What the regions are sorted by; one without a place of its own stands by its parent."""
        order: dict[str, int] = {}
        for identifier in self.reading_order(element):
            order.setdefault(identifier, len(order))
        indices = [self.custom_index(child) for child, region in found if region.parent is None]
        by_index = not order and bool(indices) and None not in indices
        if not order and not by_index:
            page.ordered = len(found) < 2
            if not page.ordered:
                self.notes.tell(
                    "reading-order-missing",
                    "the file gives no reading order",
                    element=element,
                    done="the order of the document is kept",
                )
        keys: dict[int, tuple[int, ...]] = {}
        for number_, (child, region) in enumerate(found):
            above = keys[id(region.parent)] if region.parent is not None else None
            index = (self.custom_index(child) or 0) if by_index else 0
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

    def reading_order(self, page: Element) -> list[str]:
        order = self.child(page, "ReadingOrder")
        found: list[str] = []

        def walk(group: Element) -> None:
            reference = group.get("regionRef")
            if reference:
                found.append(reference)
            members = [child for child in group if self.names[child.tag]]
            for member in sorted(members, key=lambda m: number(m.get("index")) or 0):
                walk(member)

        if order is not None:
            for group in order:
                if self.names[group.tag]:
                    walk(group)
        return found

    def custom_index(self, element: Element) -> int | None:
        custom = element.get("custom")
        match = _INDEX.search(custom) if custom else None
        return int(match.group(1)) if match else None

    def custom_type(self, element: Element) -> str | None:
        """What a region is for where the schema has no word for it."""
        match = _TYPE.search(element.get("custom") or "")
        return match.group(1).strip() or None if match else None

    def custom_rest(self, element: Element) -> str | None:
        """What ``custom`` says besides order and type, which are taken over as what they are."""
        custom = element.get("custom")
        if not custom:
            return None
        rest = _CELL_ALONE.sub("", _ORDER.sub("", custom))
        if self.names[element.tag] != "TextLine" and not element.get("type"):
            rest = _TYPE_ALONE.sub("", rest, count=1)
        return rest.strip() or None

    def region(self, element: Element) -> LayoutRegion:
        kind = self.names[element.tag]
        region = LayoutRegion(
            element.get("id"),
            TEXT_REGION if kind == _CELL else kind,
            self.outline(element),
            type=element.get("type") or self.custom_type(element),
            origin=self.ordinals[element],
            custom=self.custom_rest(element),
            traits=self.traits(element, _REGION_FACTS),
        )
        lines = self.children(element, "TextLine")
        indices = [self.custom_index(line) for line in lines]
        if lines and all(index is not None for index in indices):
            ranked = sorted(range(len(lines)), key=lambda i: indices[i] or 0)
            lines = [lines[i] for i in ranked]
        region.lines = [self.line(line) for line in lines]
        text = self.text(element)
        said = [word for line in region.lines for word in (line.text or "").split()]
        if text is not None and text.split() != said:
            region.text = text
        return region

    def line(self, element: Element) -> LayoutLine:
        names = self.names
        outline: Polygon | None = None
        baseline: Polygon | None = None
        texts: list[Element] = []
        words: list[LayoutWord] = []
        for child in element:  # once: this is most of a file
            name = names[child.tag]
            if name == "Word":
                words.append(self.word(child))
            elif name == "TextEquiv":
                texts.append(child)
            elif name == "Coords" and outline is None:
                outline = self.points(child)
            elif name == "Baseline" and baseline is None:
                baseline = self.points(child)
        line = LayoutLine(
            element.get("id"),
            outline or (),
            baseline or (),
            self.first_text(element, texts) if texts else None,
            words,
            self.ordinals[element],
            self.custom_rest(element),
            self.traits(element, _LINE_FACTS),
        )
        spelt = " ".join([word.text for word in words if word.text]) if words else ""
        if line.text is None and spelt:
            line.text = spelt
        elif spelt and line.text is not None and line.text.split() != spelt.split():
            self.notes.tell(
                "text-levels-differ",
                f"the line says “{_short(line.text)}”, its words “{_short(spelt)}”",
                element=element,
                place=f"line {line.id}",
                done="both are kept",
            )
        return line

    def word(self, element: Element) -> LayoutWord:
        names = self.names
        outline: Polygon | None = None
        texts: list[Element] = []
        for child in element:
            name = names[child.tag]
            if name == "Coords" and outline is None:
                outline = self.points(child)
            elif name == "TextEquiv":
                texts.append(child)
        return LayoutWord(
            element.get("id"),
            outline or (),
            self.first_text(element, texts) if texts else None,
            self.ordinals[element],
            self.traits(element, _WORD_FACTS),
        )

    def traits(self, element: Element, facts: frozenset[str]) -> str | None:
        """What else an element says of itself; ``facts``: the attributes that have a place."""
        kind = self.names[element.tag]
        keys = element.keys()
        taken = self.taken.get(kind)
        if taken is None:
            taken = self.taken[kind] = set(facts)
        if not (self.styles or self.roles) and facts.issuperset(keys) and "custom" not in keys:
            return None  # as most are
        found = {key: element.get(key) or "" for key in keys if key not in facts and key[0] != "{"}
        taken.update(found)
        if kind == _CELL:
            found = {CELL + _OF_CELL[k] if k in _OF_CELL else k: v for k, v in found.items()}
        style = self.child(element, "TextStyle") if self.styles else None
        if style is not None:
            found.update({STYLE + name: value for name, value in self.said(style)})
        roles = self.child(element, "Roles") if self.roles else None
        role = self.child(roles, "TableCellRole") if roles is not None else None
        if role is not None:
            found.update({CELL + name: value for name, value in self.said(role)})
        elsewhere = _CELL_ALONE.search(element.get("custom") or "")
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
        coords = self.child(element, "Coords")
        return self.points(coords) if coords is not None else ()

    def points(self, element: Element) -> Polygon:
        points = element.get("points")
        if points is not None:
            return points_of(points)
        found = [
            (number(point.get("x")), number(point.get("y")))
            for point in self.children(element, "Point")
        ]
        return tuple((x, y) for x, y in found if x is not None and y is not None)

    def text(self, element: Element) -> str | None:
        return self.first_text(element, self.children(element, "TextEquiv"))

    def first_text(self, element: Element, texts: list[Element]) -> str | None:
        """What an element says in its texts."""
        if len(texts) > 1:
            texts = sorted(texts, key=lambda t: number(t.get("index")) or 0)
            self.notes.tell(
                "text-alternatives",
                f"{element.get('id')} has {len(texts)} texts",
                element=element,
                done="the first one is taken over",
                severity=Severity.NOTE,
            )
        for text in texts:
            for child in text:
                if self.names[child.tag] == "Unicode":
                    said = str(child.xpath("string()")) if len(child) else child.text
                    return said or None
        return None


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
