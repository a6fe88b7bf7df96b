"""ALTO, versions 2 to 4: blocks, lines, baselines, strings, reading order.

Revisions that differ here: ``BASELINE`` is one number up to 4.1, a list of points from then on;
version 2 gives lines and words no ``Shape``; ``ReadingOrder`` exists from 4.3 on. ``POINTS`` come
as ``x,y x,y`` and as ``x y x y``. The unit that a file claims is sometimes wrong, so the size of
the image decides where it is known.

ALTO has no place for a line's text but its strings. A lone string that holds blanks, or that has
nothing of its own besides, is the line's text; others are words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from madcat_studio.errors import FormatError
from madcat_studio.formats.alto_styles import STYLES, TRAITS
from madcat_studio.formats.layouts import (
    ImageSize,
    Notes,
    ReadLayout,
    Survey,
    box_polygon,
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

_ASIDE = frozenset(
    ("OCRProcessing", "Processing", "fileIdentifier", "documentIdentifier", "ProcessingRef")
)
"""What tells how the file came about."""


def read_alto(source: Source, image_size: ImageSize) -> ReadLayout:
    """Read an ALTO file; coordinates become pixels of the image.

    Raises:
        FormatError: ``alto.wrong-root``, ``alto.no-page``, or as ``parse_xml``.
    """
    root = parse_xml(source)
    survey = Survey(root)
    reader = _Reader(source, image_size, survey)
    if reader.names[root.tag] != "alto":
        raise FormatError(
            "alto.wrong-root",
            "this is not ALTO: its root is not “alto”",
            where=source.name,
            remedy="Check that it is the file you meant",
        )
    pages = reader.pages()
    if not pages:
        raise FormatError(
            "alto.no-page", "the file has no page", where=source.name, remedy="Fetch the file again"
        )
    # A baseline was one level before version 4.
    reader.notes.tell_unreadable(survey, _NUMBERS | {"BASELINE"}, {"POINTS", "BASELINE"})
    reader.notes.tell_unheld(survey, _HELD, _PASSED, reader.left(), aside=_ASIDE)
    return ReadLayout(Layout(pages), tuple(reader.notes.problems))


def is_type(tag: str, type_: str | None) -> bool:
    """Whether a tag says the type of what refers to it: others tell a language, a name, a use."""
    return tag != "NamedEntityTag" and (tag != "OtherTag" or (type_ or "") in _TYPES)


def page_scales(source: Source, image_size: ImageSize) -> list[tuple[float, float]]:
    """How many pixels a unit is on each page, across and down."""
    reader = _Reader(source, image_size, Survey(parse_xml(source)))
    reader.pages()
    return reader.scales


_NUMBERS = {"HPOS", "VPOS", "WIDTH", "HEIGHT"}


class _Reader:
    def __init__(self, source: Source, image_size: ImageSize, survey: Survey) -> None:
        self.survey = survey
        self.names = survey.names
        self.notes = Notes(source)
        self.image_size = image_size
        self.across = self.down = 1.0
        self.scales: list[tuple[float, float]] = []
        self.order: dict[str, int] = {}
        self.tags: dict[str, tuple[str, str]] = {}
        self.ordinals = survey.ordinals
        self.styles: dict[str, tuple[str, dict[str, str]]] = {}
        self.referred: set[str] = set()
        self.unresolved: Counter[str] = Counter()

    def pages(self) -> list[LayoutPage]:
        every = self.survey.every
        tags = {name for tag, *_ in self.survey.kinds if (name := self.names[tag]).endswith("Tag")}
        self.tags = {
            tag.get("ID") or "": (tag.get("TYPE") or "", tag.get("LABEL") or "")
            for tag in every(*tags)
            if tag.get("TYPE") == KIND or is_type(self.names[tag.tag], tag.get("TYPE"))
        }
        self.styles = {
            values["ID"]: (kind, values)
            for kind in STYLES
            for style in every(kind)
            if "ID" in (values := {k: v for k, v in style.items() if k[0] != "{"})
        }
        names = every("fileName")
        image = (names[0].text or "").strip() if names else None
        units = every("MeasurementUnit")
        unit = (units[0].text or "").strip() if units else "pixel"
        groups = every("OrderedGroup")
        outer = [g for g in groups if self.names[g.getparent().tag] != "OrderedGroup"]
        if outer:
            references = [
                ref.get("REF") or ""
                for ref in outer[0].iter("*")
                if self.names[ref.tag] == "ElementRef"
            ]
            for index, reference in enumerate(references):
                self.order.setdefault(reference, index)
        if len(outer) > 1:
            self.notes.tell(
                "reading-orders",
                f"the file gives {len(outer)} reading orders",
                done="the first one is taken over",
                severity=Severity.NOTE,
            )
        return [
            self.page(page, image or None, unit, index) for index, page in enumerate(every("Page"))
        ]

    def page(self, element: Element, image: str | None, unit: str, index: int) -> LayoutPage:
        width, height = number(element.get("WIDTH")), number(element.get("HEIGHT"))
        size = self.image_size(image, index) if image else None
        self.scale(element, width, height, size, unit)
        self.scales.append((self.across, self.down))
        page = LayoutPage(
            element.get("ID"),
            image,
            size[0] if size else whole(element.get("WIDTH")),
            size[1] if size else whole(element.get("HEIGHT")),
            origin=self.ordinals[element],
            traits=self.traits(element),
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
                block = self.block(child)
                block.parent = inside
                found.append(block)
                if name == COMPOSED:
                    self.blocks(child, block, found)
            elif name == "PrintSpace" or name.endswith("Margin"):
                self.blocks(child, inside, found)

    def scale(
        self,
        page: Element,
        width: float | None,
        height: float | None,
        size: tuple[int, int] | None,
        unit: str,
    ) -> None:
        """Decide how many pixels a unit is, across and down."""
        self.across = self.down = 1.0
        if not width or not height:
            self.notes.tell(
                "page-size-missing",
                "the page has no size",
                element=page,
                done="that of the image is taken" if size else "left open",
            )
        elif size is not None:
            self.across, self.down = size[0] / width, size[1] / height
            if abs(self.across / self.down - 1) > 0.01:
                self.notes.tell(
                    "page-shape-differs",
                    f"the page is {width:g} x {height:g}, the image {size[0]} x {size[1]}: not "
                    "of one shape",
                    element=page,
                    done="scaled by different factors",
                    remedy="Check that it is the right image",
                )
            elif unit == "pixel" and abs(self.across - 1) > 0.001:
                self.notes.tell(
                    "unit-wrong",
                    f"the file claims pixels, but the page is {width:g} x {height:g} and the "
                    f"image {size[0]} x {size[1]}",
                    element=page,
                    done=f"scaled by {self.across:.4g}",
                )
        elif unit != "pixel":
            self.notes.tell(
                "unit-unknown",
                f"the file measures in “{unit}” and its image is not to be found",
                element=page,
                done="numbers are taken as pixels",
                remedy="Put the image beside the file",
            )
        if unit not in ("pixel", "mm10", "inch1200"):
            self.notes.tell("unit-illegal", f"“{unit}” is no unit of ALTO", element=page)

    def block(self, element: Element) -> LayoutRegion:
        lines = [c for c in element if self.names[c.tag] == "TextLine"]
        tags = self.tags_of(element)
        region = LayoutRegion(
            element.get("ID"),
            next((label for type_, label in tags if type_ == KIND), None)
            or _BLOCKS[self.names[element.tag]],
            self.outline(element),
            type=next((label for type_, label in tags if type_ != KIND), None),
            origin=self.ordinals[element],
            traits=self.traits(element),
        )
        region.lines = [self.line(line) for line in lines]
        if any(line.id in self.order for line in region.lines):
            region.lines.sort(key=lambda line: self.order.get(line.id or "", len(self.order)))
        return region

    def tags_of(self, element: Element) -> list[tuple[str, str]]:
        """The kind and the type that tags give to an element; what else they say is left."""
        found: dict[bool, tuple[str, str]] = {}
        names = (element.get("TAGREFS") or "").split()
        for name in names:
            type_, label = self.tags.get(name, ("", ""))
            if label:
                found.setdefault(type_ == KIND, (type_, label))
        if left := len(names) - len(found):
            self.unresolved[f"{self.names[element.tag]}/@TAGREFS"] += left
        return list(found.values())

    def line(self, element: Element) -> LayoutLine:
        line = LayoutLine(
            element.get("ID"),
            self.outline(element),
            self.baseline(element),
            origin=self.ordinals[element],
            traits=self.traits(element),
        )
        type_ = next((label for type_, label in self.tags_of(element) if type_ != KIND), "")
        if type_ and not set(type_) & set("{};"):
            line.custom = f"structure {{type:{type_};}}"  # where PAGE XML has it
        names = self.names
        children = [(child, names[child.tag]) for child in element]
        strings = [child for child, name in children if name == "String"]
        if len(strings) == 1 and self.is_whole_line(strings[0], element):
            line.text = (strings[0].get("CONTENT") or "").strip() or None
            said = traits_of(self.traits(strings[0]))
            kept = {name: value for name, value in said.items() if name == "LANG" or "." in name}
            self.unresolved.update(f"String/@{name}" for name in said.keys() - kept.keys())
            line.traits = traits_text(kept | traits_of(line.traits))
            return line
        spaced = any(name == "SP" for _, name in children)
        parts: list[str] = []
        for child, kind in children:
            if kind == "String":
                content = child.get("CONTENT") or ""
                if parts and not spaced:
                    parts.append(" ")
                parts.append(content)
                line.words.append(
                    LayoutWord(
                        child.get("ID"),
                        self.outline(child),
                        content or None,
                        self.ordinals[child],
                        self.traits(child),
                    )
                )
            elif kind == "SP":
                parts.append(" ")
            elif kind == "HYP":
                parts.append(child.get("CONTENT") or "")
        text = "".join(parts)
        line.text = text if text.strip() else None
        return line

    def traits(self, element: Element) -> str | None:
        """What else an element says of itself, and the styles that it refers to."""
        keys = element.keys()
        if TRAITS.isdisjoint(keys) and "STYLEREFS" not in keys:
            return None  # as most
        found = {key: value for key, value in element.items() if key in TRAITS}
        for name in (element.get("STYLEREFS") or "").split():
            kind, values = self.styles.get(name, ("", {}))
            if not kind or f"{kind}.ID" in found:
                self.unresolved[f"{self.names[element.tag]}/@STYLEREFS"] += 1
                continue
            self.referred.add(name)
            found.update({f"{kind}.{key}": value for key, value in values.items()})
        return traits_text(found) if found else None

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

    def baseline(self, element: Element) -> Polygon:
        text = (element.get("BASELINE") or "").strip()
        single = number(text)
        if single is not None:
            left, width = number(element.get("HPOS")), number(element.get("WIDTH"))
            if left is None or width is None:
                return ()
            return self.scaled(((left, single), (left + width, single)))
        return self.scaled(points_of(text))

    def outline(self, element: Element) -> Polygon:
        for shape in element if len(element) else ():
            if self.names[shape.tag] == "Shape":
                for polygon in shape:
                    if self.names[polygon.tag] == "Polygon":
                        return self.scaled(points_of(polygon.get("POINTS")))
        get = element.get
        left, top = number(get("HPOS")), number(get("VPOS"))
        return self.scaled(box_polygon(left, top, number(get("WIDTH")), number(get("HEIGHT"))))

    def scaled(self, polygon: Polygon) -> Polygon:
        if self.across == self.down == 1.0:
            return polygon
        return tuple((x * self.across, y * self.down) for x, y in polygon)
