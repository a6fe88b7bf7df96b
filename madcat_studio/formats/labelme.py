"""labelme: a JSON file beside each image, with shapes. Read and written.

A text stands in ``description``; words and baselines have the ``group_id`` of their line. What
labelme has no field for stands in ``id``, ``parent`` and ``custom``, which it keeps.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from madcat_studio.errors import FormatError
from madcat_studio.formats.json_pages import (
    list_of,
    number_in,
    parse_json,
    points_in,
    text_in,
)
from madcat_studio.formats.layouts import Notes, ReadLayout
from madcat_studio.formats.shapes import BASELINE, LINE, WORD, Shape, fill, role, shapes_of
from madcat_studio.formats.source import Source
from madcat_studio.formats.written import Written
from madcat_studio.model.document import Polygon
from madcat_studio.model.geometry import bounding_box, corners
from madcat_studio.model.layout import Layout, LayoutPage

__all__ = ["count_labelme", "read_labelme", "write_labelme"]

_VERSION = "5.5.0"
_OUTLINES = {"polygon", "rectangle", "linestrip", "line", ""}


def read_labelme(source: Source) -> ReadLayout:
    """Read a labelme file.

    Raises:
        FormatError: ``labelme.no-shapes``, ``json.not-json`` and kin.
    """
    value, notes = _parsed(source), Notes(source)
    name = text_in(value.get("imagePath"))
    page = LayoutPage(
        None,
        name.replace("\\", "/").rpartition("/")[2] if name else None,
        _whole(value.get("imageWidth")),
        _whole(value.get("imageHeight")),
        ordered=False,
    )
    shapes = []
    lines: dict[object, str] = {}
    for number, given in enumerate(list_of(value["shapes"])):
        shape = _shape(given, number, notes)
        group = given.get("group_id")
        if shape is None:
            continue
        if role(shape.label) == LINE and isinstance(group, int | str):
            shape.id = shape.id or f"shape{number}"
            lines.setdefault(group, shape.id)
        shapes.append((shape, group))
    for shape, group in shapes:
        if shape.parent is None and isinstance(group, int | str) and role(shape.label) != LINE:
            shape.parent = lines.get(group)
    fill(page, (shape for shape, _ in shapes), notes)
    return ReadLayout(Layout([page]), tuple(notes.problems), source)


def _parsed(source: Source) -> dict[str, Any]:
    value = parse_json(source)
    if not isinstance(value.get("shapes"), list):
        raise FormatError(
            "labelme.no-shapes",
            "this is not a labelme file: it has no list of shapes",
            where=source.name,
            remedy="Check that it is the file you meant",
        )
    return value


def _shape(given: dict[str, Any], number: int, notes: Notes) -> Shape | None:
    label = text_in(given.get("label")) or "unknown"
    kind = text_in(given.get("shape_type")) or "polygon"
    points = _outline(kind, points_in(given.get("points")))
    place = f"shape {number + 1}, “{label}”"
    if kind not in _OUTLINES:
        notes.tell(
            "convert-not-taken-over",
            f"a shape of type “{kind}” is not an outline",
            place=place,
            done="its box is used instead" if points else "left out",
        )
    elif not points:
        notes.tell("polygon-missing", "the shape has no outline", place=place, done="left out")
    if not points:
        return None
    return Shape(
        label,
        points,
        text_in(given.get("id")),
        text_in(given.get("parent")),
        text_in(given.get("description")) or text_in(given.get("text")),
        text_in(given.get("custom")),
    )


def _outline(kind: str, points: Polygon) -> Polygon:
    """The outline of a shape; of a circle, which has its centre and a point on it, the box."""
    if kind == "circle" and len(points) == 2:
        (x, y), (px, py) = points
        radius = round(((px - x) ** 2 + (py - y) ** 2) ** 0.5)
        return corners((x - radius, y - radius, x + radius, y + radius))
    if kind in ("rectangle", "mask") or kind not in _OUTLINES:
        box = bounding_box(points)
        return corners(box) if box is not None and len(points) > 1 else ()
    return points


def _whole(value: object) -> int | None:
    found = number_in(value)
    return round(found) if found is not None and found > 0 else None


def count_labelme(source: Source, found: Counter[str]) -> Iterator[str]:
    """Count what a labelme file holds."""
    shapes = list_of(_parsed(source)["shapes"])
    texts: list[str] = []
    words: list[str] = []
    is_told = False
    for shape in shapes:
        what = role(text_in(shape.get("label")) or "unknown")
        if not shape.get("points"):
            continue
        found[f"{what}s"] += 1
        text = text_in(shape.get("description")) or text_in(shape.get("text")) or ""
        if what == WORD:
            words.append(text)
        elif what != BASELINE:
            texts.append(text)
            is_told |= what == LINE and bool(text)
    yield from texts if is_told or not any(words) else [*texts, " ".join(words)]


def write_labelme(layout: Layout, name: str, version: str = "") -> Written:
    """A labelme file for each page, and what it cannot hold."""
    notes = Notes(Source(b"", name))
    return Written([_file(page, notes) for page in layout.pages], notes.problems)


def _file(page: LayoutPage, notes: Notes) -> bytes:
    if page.dpi:
        notes.tell_aside("labelme cannot hold the resolution")
    groups: dict[str | None, int] = {}
    shapes = []
    for shape in shapes_of(page, notes):
        if shape.label == LINE:
            groups[shape.id] = len(groups)
        within = shape.id if shape.label == LINE else shape.parent
        made: dict[str, Any] = {
            "label": shape.label,
            "points": [list(point) for point in shape.polygon],
            "group_id": groups.get(within) if shape.label in (LINE, WORD, BASELINE) else None,
            "description": shape.text or "",
            "shape_type": "linestrip" if shape.label == BASELINE else "polygon",
            "flags": {},
        }
        more = {"id": shape.id, "parent": shape.parent, "custom": shape.custom}
        shapes.append(made | {key: value for key, value in more.items() if value})
    whole: dict[str, Any] = {
        "version": _VERSION,
        "flags": {},
        "shapes": shapes,
        "imagePath": page.image,
        "imageData": None,
        "imageHeight": page.height,
        "imageWidth": page.width,
    }
    return json.dumps(whole, ensure_ascii=False, indent=2).encode("utf-8") + b"\n"
