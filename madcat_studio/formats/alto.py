"""ALTO, versions 2 to 4: blocks, lines, baselines, strings, reading order.

Revisions that differ here: ``BASELINE`` is one number up to 4.1, a list of points from then on;
version 2 gives lines and words no ``Shape``; ``ReadingOrder`` exists from 4.3 on. ``POINTS`` come
as ``x,y x,y`` and as ``x y x y``. The unit that a file claims is sometimes wrong, so the size of
the image decides where it is known.

ALTO has no place for a line's text but its strings. A lone string that holds blanks, or that has
nothing of its own besides, is the line's text; others are words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Set

from madcat_studio.errors import FormatError
from madcat_studio.formats.alto_styles import STYLES, TRAITS
from madcat_studio.formats.layouts import ImageSize, ReadLayout
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
from madcat_studio.model.traits import traits_of, traits_text

__all__ = ["COMPOSED", "KIND", "LINE", "TYPE", "is_type", "page_scales", "read_alto"]

COMPOSED = "ComposedBlock"
TYPE = "region"
KIND = "region kind"
LINE = "line"
"""What a tag says of a region: its type, as other programs write it; its kind in PAGE XML; and of
a line: its type."""
_TYPES = frozenset({"", "type", TYPE, LINE})

_BLOCKS = {
    COMPOSED: "UnknownRegion",
    "TextBlock": TEXT_REGION,
    "Illustration": "ImageRegion",
    "GraphicalElement": "GraphicRegion",
}
_PLACE = ("HPOS", "VPOS", "WIDTH", "HEIGHT")
_BOX = {"ID", *_PLACE}
_BESIDE = {*TRAITS, "STYLEREFS"}
_HELD = {
    "alto": {"SCHEMAVERSION"},
    "OtherTag": {"ID", "TYPE", "LABEL", "DESCRIPTION"},
    "Page": {"ID", "WIDTH", "HEIGHT", "PHYSICAL_IMG_NR", *_BESIDE},
    "TextBlock": {*_BOX, "TAGREFS", *_BESIDE},
    "ComposedBlock": {*_BOX, "TAGREFS", *_BESIDE},
    "Illustration": {*_BOX, "TAGREFS", *_BESIDE},
    "GraphicalElement": {*_BOX, "TAGREFS", *_BESIDE},
    "TextLine": {*_BOX, "BASELINE", "TAGREFS", *_BESIDE},
    "String": {*_BOX, "CONTENT", *_BESIDE},
    "SP": _BOX,
    "HYP": {*_BOX, "CONTENT"},
    "Polygon": {"POINTS"},
    "ElementRef": {"ID", "REF"},
    "OrderedGroup": {"ID"},
}
_PASSED = frozenset(
    (
        "Description", "MeasurementUnit", "sourceImageInformation", "fileName", "Layout",
        "PrintSpace", "TopMargin", "BottomMargin", "LeftMargin", "RightMargin", "Shape",
        "ReadingOrder", "UnorderedGroup", "Tags", "Styles", *STYLES,
    )
)  # fmt: skip

_ODD_TYPE = re.compile(r"[{};]")

_ASIDE = frozenset(
    ("OCRProcessing", "Processing", "fileIdentifier", "documentIdentifier", "ProcessingRef")
)
"""What tells how the file came about."""


def read_alto(source: Source, image_size: ImageSize) -> ReadLayout:
    """Read an ALTO file; coordinates become pixels of the image.

    Raises:
        FormatError: ``alto.wrong-root``, ``alto.no-page``, or as ``parse_plain``.
    """
    root = parse_plain(source)
    survey = Survey(root)
    if survey.names[root.tag] != "alto":
        raise FormatError(
            "alto.wrong-root",
            "this is not ALTO: its root is not “alto”",
            where=source.name,
            remedy="Check that it is the file you meant",
        )
    reader = _Reader(source, image_size, survey)
    try:
        reader.read(root)
    except RecursionError:
        raise too_deep(source.name) from None
    if not reader.pages:
        raise FormatError(
            "alto.no-page",
            "the file has no page",
            where=source.name,
            remedy="Get a new copy of the file",
        )
    if reader.odd:
        reader.notes.tell_unreadable(survey, _NUMBERS, _POINTS)
    reader.notes.tell_unheld(survey, _HELD, _PASSED, reader.left(), aside=_ASIDE)
    return ReadLayout(Layout(reader.pages), tuple(reader.notes.problems), source)


def is_type(tag: str, type_: str | None) -> bool:
    """Whether a tag says the type of what refers to it: others tell a language, a name, a use."""
    return tag != "NamedEntityTag" and (tag != "OtherTag" or (type_ or "") in _TYPES)


def page_scales(source: Source, image_size: ImageSize) -> list[tuple[float, float]]:
    """How many pixels a unit is on each page, across and down."""
    root = parse_plain(source)
    reader = _Reader(source, image_size, Survey(root))
    reader.read(root)
    return reader.scales


_WITHOUT_PAGES = frozenset(("Description", "Styles", "Tags", "ReadingOrder"))
_NUMBERS = frozenset(("HPOS", "VPOS", "WIDTH", "HEIGHT", "BASELINE"))
_POINTS = frozenset(("POINTS", "BASELINE"))
"""A baseline was one level before version 4."""
_OWN = frozenset(("Page", *_BLOCKS, "TextLine", "String"))


class _Reader(Walk):
    def __init__(self, source: Source, image_size: ImageSize, survey: Survey) -> None:
        super().__init__(source, survey, _NUMBERS, _POINTS, _OWN)
        self.image_size = image_size
        self.across = self.down = 1.0
        self.is_scaled = False
        self.pages: list[LayoutPage] = []
        self.scales: list[tuple[float, float]] = []
        tags = {name for tag in survey.tagged if (name := self.names[tag]).endswith("Tag")}
        self.tags = {
            tag.get("ID") or "": (tag.get("TYPE") or "", tag.get("LABEL") or "")
            for name in tags
            for tag in survey.every(name)
            if tag.get("TYPE") == KIND or is_type(name, tag.get("TYPE"))
        }
        self.refers = any("TAGREFS" in keys for keys in survey.keys.values())
        self.styles: dict[str, tuple[str, dict[str, str]]] = {
            style.get("ID"): (kind, {f"{kind}.{k}": v for k, v in style.items() if k[0] != "{"})
            for kind in STYLES
            for style in survey.every(kind)
            if style.get("ID") is not None
        }
        self.referred: set[str] = set()
        self.unresolved: Counter[str] = Counter()
        self.telling: dict[str, Set[Element]] = {}
        self.told: dict[tuple[str | None, ...], tuple[str | None, int]] = {}
        names, units = survey.every("fileName"), survey.every("MeasurementUnit")
        self.image = ((names[0].text or "").strip() if names else "") or None
        self.unit = (units[0].text or "").strip() if units else "pixel"
        self.order = self.reading_order(survey.every("OrderedGroup"))

    def reading_order(self, groups: list[Element]) -> dict[str, int]:
        """The place of what is referred to."""
        inner = {child for group in groups for child in group}
        outer = [group for group in groups if group not in inner]
        order: dict[str, int] = {}
        for reference in outer[0].iter("*") if outer else ():
            if self.names[reference.tag] == "ElementRef":
                order.setdefault(reference.get("REF") or "", len(order))
        if len(outer) > 1:
            self.notes.tell(
                "reading-orders",
                f"the file gives {len(outer)} reading orders",
                done="the first one is used",
                severity=Severity.NOTE,
            )
        return order

    def read(self, element: Element) -> None:
        """Collect the pages in an element."""
        self.step(element)
        for child in element:
            name = self.names[child.tag]
            if name == "Page":
                self.pages.append(self.page(child))
            elif name in _WITHOUT_PAGES:
                self.skip(child)
            else:
                self.read(child)

    def page(self, element: Element) -> LayoutPage:
        self.ordinal += 1
        origin = self.ordinal
        width, height = number(element.get("WIDTH")), number(element.get("HEIGHT"))
        self.look_at(element.get("WIDTH"))
        self.look_at(element.get("HEIGHT"))
        size = self.image_size(self.image, len(self.pages)) if self.image else None
        self.scale(origin, width, height, size)
        self.scales.append((self.across, self.down))
        self.is_scaled = not self.across == self.down == 1.0
        page = LayoutPage(
            element.get("ID"),
            self.image,
            size[0] if size else whole(element.get("WIDTH")),
            size[1] if size else whole(element.get("HEIGHT")),
            origin=origin,
            traits=self.traits(element, "Page"),
        )
        blocks: list[LayoutRegion] = []
        self.blocks(element, None, blocks)
        if self.order:
            last = len(self.order)
            keys: dict[int, tuple[int, ...]] = {}
            for number_, block in enumerate(blocks):
                own = [block.id or "", *(line.id or "" for line in block.lines)]
                listed = [self.order[name] for name in own if name in self.order]
                above = keys[id(block.parent)] if block.parent is not None else (last,)
                keys[id(block)] = (min(listed),) if listed else (*above, number_)
            blocks.sort(key=lambda block: keys[id(block)])
        page.regions = blocks
        page.ordered = bool(self.order) or len(blocks) < 2
        return page

    def blocks(
        self, parent: Element, inside: LayoutRegion | None, found: list[LayoutRegion]
    ) -> None:
        """Collect the blocks below an element, each before those that lie in it."""
        for child in parent:
            name = self.names[child.tag]
            if name in _BLOCKS:
                self.block(child, name, inside, found)
            elif name == "PrintSpace" or name.endswith("Margin"):
                self.step(child)
                self.blocks(child, inside, found)
            else:
                self.skip(child)

    def scale(
        self,
        page: int,
        width: float | None,
        height: float | None,
        size: tuple[int, int] | None,
    ) -> None:
        """Decide how many pixels a unit is, across and down."""
        unit = self.unit
        self.across = self.down = 1.0
        if not width or not height:
            self.notes.tell(
                "page-size-missing",
                "the page has no size",
                origin=page,
                done="the image's is used" if size else "left open",
            )
        elif size is not None:
            self.across, self.down = size[0] / width, size[1] / height
            if abs(self.across / self.down - 1) > 0.01:
                self.notes.tell(
                    "page-shape-differs",
                    f"the page is {width:g} x {height:g}, the image {size[0]} x {size[1]}: "
                    "their shapes differ",
                    origin=page,
                    done="scaled by different factors",
                    remedy="Check that it is the right image",
                )
            elif unit == "pixel" and abs(self.across - 1) > 0.001:
                self.notes.tell(
                    "unit-wrong",
                    f"the file claims pixels, but the page is {width:g} x {height:g} and the "
                    f"image {size[0]} x {size[1]}",
                    origin=page,
                    done=f"scaled by {self.across:.4g}",
                )
        elif unit != "pixel":
            self.notes.tell(
                "unit-unknown",
                f"the file measures in “{unit}” and its image cannot be found",
                origin=page,
                done="numbers are read as pixels",
                remedy="Put the image beside the file",
            )
        if unit not in ("pixel", "mm10", "inch1200"):
            self.notes.tell("unit-illegal", f"“{unit}” is not a unit of ALTO", origin=page)

    def block(
        self,
        element: Element,
        name: str,
        inside: LayoutRegion | None,
        found: list[LayoutRegion],
    ) -> None:
        """Collect a block, and what lies in one that is composed."""
        self.ordinal += 1
        tags = self.tags_of(element)
        region = LayoutRegion(
            element.get("ID"),
            next((label for type_, label in tags if type_ == KIND), None) or _BLOCKS[name],
            type=next((label for type_, label in tags if type_ != KIND), None),
            parent=inside,
            origin=self.ordinal,
            traits=self.traits(element, name),
        )
        found.append(region)
        outline: Polygon | None = None
        for child in element:
            inner = self.names[child.tag]
            if inner == "TextLine":
                region.lines.append(self.line(child))
            elif inner == "Shape" and outline is None:
                outline = self.shape(child)
            elif name == COMPOSED and inner in _BLOCKS:
                self.block(child, inner, region, found)
            elif name == COMPOSED and (inner == "PrintSpace" or inner.endswith("Margin")):
                self.step(child)
                self.blocks(child, region, found)
            else:
                self.skip(child)
        box = self.box(element)
        region.polygon = box if outline is None else outline
        if self.order and any(line.id in self.order for line in region.lines):
            region.lines.sort(key=lambda line: self.order.get(line.id or "", len(self.order)))

    def tags_of(self, element: Element) -> list[tuple[str, str]]:
        """The kind and the type that tags give to an element; what else they say is left."""
        found: dict[bool, tuple[str, str]] = {}
        names = (element.get("TAGREFS") or "").split() if self.refers else []
        for name in names:
            type_, label = self.tags.get(name, ("", ""))
            if label:
                found.setdefault(type_ == KIND, (type_, label))
        if left := len(names) - len(found):
            self.unresolved[f"{self.names[element.tag]}/@TAGREFS"] += left
        return list(found.values())

    def line(self, element: Element) -> LayoutLine:
        self.ordinal += 1
        get = element.get
        line = LayoutLine(get("ID"), origin=self.ordinal, traits=self.traits(element, "TextLine"))
        if self.refers:
            type_ = next((label for type_, label in self.tags_of(element) if type_ != KIND), "")
            if type_ and not _ODD_TYPE.search(type_):
                line.custom = f"structure {{type:{type_};}}"  # where PAGE XML has it
        box = self.box(element)
        baseline = (get("BASELINE") or "").strip()
        if baseline:
            line.baseline = self.baseline(baseline, element)
        names, words = self.names, line.words
        outline: Polygon | None = None
        first: Element | None = None
        said: list[str] = []
        between = " "  # strings, unless the file says where blanks are
        for child in element:  # this is most of a file
            name = names[child.tag]
            if name == "String":
                word = self.word(child)
                words.append(word)
                said.append(word.text or "")
                first = child if first is None else first
            elif name == "SP":
                self.skip(child)
                said.append(" ")
                between = ""
            elif name == "HYP":
                self.skip(child)
                content = child.get("CONTENT") or ""
                if not said:
                    said.append(content)
                elif not said[-1].endswith(content):  # some say it in both
                    said[-1] += content
            elif name == "Shape" and outline is None:
                outline = self.shape(child)
            else:
                self.skip(child)
        line.polygon = box if outline is None else outline
        if len(words) == 1 and self.is_whole_line(first, element):
            self.make_text(line)
            return line
        text = between.join(said)
        line.text = text if text.strip() else None
        return line

    def make_text(self, line: LayoutLine) -> None:
        """Make the only word of a line its text."""
        word = line.words.pop()
        line.text = (word.text or "").strip() or None
        if word.traits is None:
            return
        said = traits_of(word.traits)
        kept = {name: value for name, value in said.items() if name == "LANG" or "." in name}
        self.unresolved.update(f"String/@{name}" for name in said.keys() - kept.keys())
        line.traits = traits_text(kept | traits_of(line.traits))

    def word(self, element: Element) -> LayoutWord:
        self.ordinal += 1
        origin = self.ordinal
        outline = self.box(element)
        if len(element):
            drawn: Polygon | None = None
            for child in element:
                name = self.names[child.tag]
                if name == "Shape" and drawn is None:
                    drawn = self.shape(child)
                else:
                    self.skip(child)
            outline = outline if drawn is None else drawn
        get = element.get
        return LayoutWord(
            get("ID"), outline, get("CONTENT") or None, origin, self.traits(element, "String")
        )

    def traits(self, element: Element, name: str) -> str | None:
        """What else an element says of itself, and the styles that it refers to."""
        telling = self.telling.get(name)
        if telling is None:
            telling = self.telling[name] = self.survey.having(name, _BESIDE)
        if element not in telling:
            return None  # as most
        said = tuple([element.get(key) for key in _BESIDE])
        if said not in self.told:
            self.told[said] = self.told_of(element)
        text, unresolved = self.told[said]
        if unresolved:
            self.unresolved[f"{name}/@STYLEREFS"] += unresolved
        return text

    def told_of(self, element: Element) -> tuple[str | None, int]:
        """What an element says as a text, and how many styles are not there."""
        found = {key: value for key in _BESIDE if (value := element.get(key)) is not None}
        unresolved = 0
        for style in found.pop("STYLEREFS", "").split():
            kind, values = self.styles.get(style, ("", {}))
            if not kind or f"{kind}.ID" in found:
                unresolved += 1
                continue
            self.referred.add(style)
            found.update(values)
        return traits_text(found), unresolved

    def left(self) -> Iterator[str]:
        """Styles that nothing refers to, and references to none; a name each time."""
        yield from self.unresolved.elements()
        for name, (kind, _) in self.styles.items():
            if name not in self.referred:
                yield kind

    def is_whole_line(self, string: Element, line: Element) -> bool:
        """Whether a lone string is the text of its line and no word."""
        if len((string.get("CONTENT") or "").split()) > 1:
            return True
        if len(string) or not set(string.attrib) <= {"CONTENT", *_PLACE}:
            return False
        place = [string.get(name) for name in _PLACE]
        return not any(place) or place == [line.get(name) for name in _PLACE]

    def baseline(self, text: str, line: Element) -> Polygon:
        level = None if "," in text or " " in text else number(text)
        if level is None:
            return self.scaled(self.points[text])
        left, width = number(line.get("HPOS")), number(line.get("WIDTH"))
        if left is None or width is None:
            return ()
        return self.scaled(((left, level), (left + width, level)))

    def shape(self, element: Element) -> Polygon | None:
        """The outline that a shape gives, None where it is no polygon."""
        self.ordinal += 1
        found: Polygon | None = None
        for child in element:
            name = self.names[child.tag]
            if name == "Polygon" and found is None:
                found = self.scaled(self.points[child.get("POINTS") or ""])
                self.ordinal += 1
                self.skip_children(child)
            else:
                self.skip(child)
        return found

    def box(self, element: Element) -> Polygon:
        get = element.get
        left, top = number(get("HPOS")), number(get("VPOS"))
        width, height = number(get("WIDTH")), number(get("HEIGHT"))
        if left is None or top is None or width is None or height is None:
            for side in _PLACE:
                self.look_at(get(side))
            return ()
        right, bottom = left + width, top + height
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        return self.scaled(corners) if self.is_scaled else corners

    def scaled(self, polygon: Polygon) -> Polygon:
        if not self.is_scaled:
            return polygon
        return tuple((x * self.across, y * self.down) for x, y in polygon)
