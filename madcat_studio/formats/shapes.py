"""Pages as flat lists of labelled shapes, as tools for annotating pictures know them.

A label is the kind of a region, as PAGE XML names it, perhaps with its type behind a colon
(``TextRegion:heading``), or ``line``, ``word`` or ``baseline``. Labels that others chose are told
by what they contain: ``DefaultLine`` is a line, any that is nothing else a region of that type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from madcat_studio.formats.layouts import Notes, line_outline, named, region_outline
from madcat_studio.model.document import Polygon
from madcat_studio.model.geometry import Box, bounding_box, boxes_around, contains_point
from madcat_studio.model.layout import (
    TEXT_REGION,
    LayoutLine,
    LayoutPage,
    LayoutRegion,
    LayoutWord,
)

__all__ = ["BASELINE", "LINE", "WORD", "Places", "Shape", "fill", "role", "shapes_of"]

LINE, WORD, BASELINE, REGION = "line", "word", "baseline", "region"

_KIND = re.compile(r"[A-Z]\w*Region")
_WORDS = re.compile(r"(?i)word|token|paw\b|^text$")
_LINES = re.compile(r"(?i)line")

Thing = TypeVar("Thing")


@dataclass(slots=True)
class Shape:
    """One shape.

    Attributes:
        label: what it is.
        parent: the id of what it lies in, where the file says so.
    """

    label: str
    polygon: Polygon = ()
    id: str | None = None
    parent: str | None = None
    text: str | None = None
    custom: str | None = None


def role(label: str) -> str:
    """Which of the four a label stands for."""
    if _KIND.match(label):
        return REGION
    if "baseline" in label.lower():
        return BASELINE
    if _LINES.search(label):
        return LINE
    return WORD if _WORDS.search(label) else REGION


def shapes_of(page: LayoutPage, notes: Notes) -> Iterator[Shape]:
    """The shapes of a page in its order of reading: each region, its lines, their words.

    Each has an id that no other has; outlines that nobody drew are the nearest that is known.
    """
    taken: set[str] = set()

    def own(wanted: str | None, prefix: str) -> str:
        made, number = wanted or f"{prefix}0", 0
        while made in taken:
            number += 1
            made = f"{prefix}{number}"
        taken.add(made)
        if wanted and made != wanted:
            notes.tell_id_changed(wanted, made)
        return made

    notes.tell_traits_lost("the format", page)
    ids: dict[int, str] = {}
    for region in page.regions:
        name = ids[id(region)] = own(region.id, "r")
        label = f"{region.kind}:{region.type}" if region.type else region.kind
        outline = region_outline(region, page)
        above = ids.get(id(region.parent))
        yield Shape(label, outline, name, above, region.text or None, region.custom)
        for line in region.lines:
            outline = line_outline(line, region, page)
            if outline is not line.polygon:
                notes.tell_outline_made("line", named("line", line.id))
            within = own(line.id, "l")
            text = line.text
            if text is None:
                text = " ".join(word.text for word in line.words if word.text)
            yield Shape(LINE, outline, within, name, text or None, line.custom)
            if len(line.baseline) > 1:
                yield Shape(BASELINE, line.baseline, None, within)
            for word in line.words:
                known = len(word.polygon) > 1
                if not known:
                    notes.tell_outline_made("word", named("word", word.id))
                place = word.polygon if known else outline
                yield Shape(WORD, place, own(word.id, "w"), within, word.text)


def fill(page: LayoutPage, shapes: Iterable[Shape], notes: Notes) -> None:
    """Put shapes into a page.

    What a shape lies in counts where the file says it; else a word and a baseline belong to the
    line around their middle, and a line to the smallest region around its own.
    """
    regions: dict[str, LayoutRegion] = {}
    lines: dict[str, LayoutLine] = {}
    loose = LayoutRegion(None)
    inner: list[tuple[Shape, str]] = []
    placed: list[tuple[LayoutLine, str | None]] = []
    for shape in shapes:
        what = role(shape.label)
        if what == REGION:
            region = _region(shape)
            region.parent = regions.get(shape.parent or "")
            regions.setdefault(region.id or f"\0{len(regions)}", region)
            page.regions.append(region)
        elif what == LINE:
            line = LayoutLine(shape.id, shape.polygon, text=shape.text, custom=shape.custom)
            lines.setdefault(line.id or f"\0{len(lines)}", line)
            placed.append((line, shape.parent))
        else:
            inner.append((shape, what))
    homes = Places((region, region.polygon) for region in page.regions)
    for line, parent in placed:
        home = regions.get(parent or "") or homes.around(line.polygon) or loose
        home.lines.append(line)
        if home.kind == "UnknownRegion":
            home.kind = TEXT_REGION
    of_lines = Places((line, line.polygon) for line, _ in placed)
    for shape, what in inner:
        holder = lines.get(shape.parent or "") or of_lines.around(shape.polygon)
        if what == WORD:
            if holder is None:
                _tell_alone(shape, "word", "put into a line of its own", notes)
                holder = LayoutLine(None)
                loose.lines.append(holder)
            holder.words.append(LayoutWord(shape.id, shape.polygon, shape.text))
        elif holder is None or holder.baseline:
            _tell_alone(shape, "baseline", "left out", notes)
        else:
            holder.baseline = shape.polygon
    for line in (line for region in (*page.regions, loose) for line in region.lines):
        if line.text is None:
            line.text = " ".join(word.text for word in line.words if word.text) or None
    if loose.lines:
        page.regions.append(loose)


def _tell_alone(shape: Shape, what: str, done: str, notes: Notes) -> None:
    notes.tell(
        f"{what}-without-line",
        f"the {what} {shape.id or 'without an id'} is not in any line that still needs one"
        if what == BASELINE
        else f"the {what} {shape.id or 'without an id'} is not in any line",
        done=done,
    )


def _region(shape: Shape) -> LayoutRegion:
    kind, _, type_ = shape.label.partition(":")
    if not _KIND.fullmatch(kind):
        kind, type_ = TEXT_REGION if shape.text else "UnknownRegion", shape.label
    return LayoutRegion(
        shape.id, kind, shape.polygon, shape.text, type=type_ or None, custom=shape.custom
    )


class Places(Generic[Thing]):
    """Things by where they are; those around a point are found in a tree of their boxes."""

    def __init__(self, things: Iterable[tuple[Thing, Polygon]]) -> None:
        found: list[tuple[float, Box, Thing, Polygon]] = []
        for thing, polygon in things:
            box = bounding_box(polygon)
            if box is not None:
                found.append(((box[2] - box[0]) * (box[3] - box[1]), box, thing, polygon))
        found.sort(key=lambda each: each[0])
        self._things: list[tuple[Thing, Polygon]] = [
            (thing, polygon) for _, _, thing, polygon in found
        ]
        self._around = boxes_around([box for _, box, _, _ in found])

    def around(self, polygon: Polygon) -> Thing | None:
        """The smallest thing around the middle of an outline."""
        box = bounding_box(polygon)
        if box is None:
            return None
        middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        for place in self._around(middle):
            thing, outline = self._things[place]
            if contains_point(outline, middle):
                return thing
        return None
