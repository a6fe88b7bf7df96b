"""COCO: one JSON file for many images, with annotations of categories. Read and written.

Texts, ids, baselines and the rest stand in the ``attributes`` of an annotation, as CVAT writes its
own. A text may also be ``text``, ``utf8_string`` or ``transcription`` of the annotation.
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
from madcat_studio.model.geometry import bounding_box, corners, ring_area
from madcat_studio.model.layout import Layout, LayoutPage

__all__ = ["count_coco", "read_coco", "write_coco"]

_TEXTS = ("text", "utf8_string", "transcription")


def read_coco(source: Source) -> ReadLayout:
    """Read a COCO file: a page for each image.

    Raises:
        FormatError: ``coco.no-images``, ``json.not-json`` and kin.
    """
    value, notes = _parsed(source), Notes(source)
    labels = _labels(value)
    shapes: dict[object, list[Shape]] = {}
    for given in list_of(value.get("annotations")):
        shapes.setdefault(_key(given.get("image_id")), []).extend(_shapes(given, labels, notes))
    pages = []
    for image in list_of(value["images"]):
        name = text_in(image.get("file_name"))
        sizes = [number_in(image.get(side)) for side in ("width", "height")]
        width, height = (round(side) if side is not None and side > 0 else None for side in sizes)
        page = LayoutPage(None, None, width, height, ordered=False)
        page.image = name.replace("\\", "/").rpartition("/")[2] if name else None
        fill(page, shapes.pop(_key(image.get("id")), []), notes)
        pages.append(page)
    for rest in shapes.values():
        notes.tell(
            "coco-image-missing",
            f"{len(rest)} shapes belong to an image that the file does not list",
            done="left out",
        )
    return ReadLayout(Layout(pages), tuple(notes.problems), source)


def _parsed(source: Source) -> dict[str, Any]:
    value = parse_json(source)
    if not list_of(value.get("images")):
        raise FormatError(
            "coco.no-images",
            "this is not a COCO file: it lists no images",
            where=source.name,
            remedy="Check that it is the file you meant",
        )
    return value


def _key(value: object) -> object:
    return value if isinstance(value, int | str) else None


def _labels(value: dict[str, Any]) -> dict[object, str]:
    return {
        _key(each.get("id")): text_in(each.get("name")) or "unknown"
        for each in list_of(value.get("categories"))
    }


def _said(given: dict[str, Any], attributes: dict[str, Any]) -> str | None:
    found = (text_in(where.get(key)) for where in (attributes, given) for key in _TEXTS)
    return next((text for text in found if text), None)


def _shapes(given: dict[str, Any], labels: dict[object, str], notes: Notes) -> list[Shape]:
    """The shape of an annotation, and its baseline."""
    attributes = given.get("attributes")
    if not isinstance(attributes, dict):
        attributes = {}
    label = labels.get(_key(given.get("category_id")), "unknown")
    place = f"annotation {given.get('id')}, “{label}”"
    outline = _outline(given, place, notes)
    if not outline:
        notes.tell("polygon-missing", "the annotation has no outline", place=place, done="left out")
        return []
    name = text_in(attributes.get("id")) or str(given.get("id"))
    made = Shape(
        label,
        outline,
        name,
        text_in(attributes.get("parent")),
        _said(given, attributes),
        text_in(attributes.get("custom")),
    )
    baseline = points_in(attributes.get("baseline"))
    return [made, Shape(BASELINE, baseline, None, name)] if len(baseline) > 1 else [made]


def _outline(given: dict[str, Any], place: str, notes: Notes) -> Polygon:
    """The largest polygon of an annotation, else its box."""
    parts = given.get("segmentation")
    if isinstance(parts, list) and parts:
        flat = parts if not isinstance(parts[0], list) else None
        polygons = [points_in(flat)] if flat is not None else [points_in(part) for part in parts]
        if len(polygons) > 1:
            notes.tell(
                "convert-not-taken-over",
                "an outline in several parts becomes one here",
                place=place,
                done="the largest part is used",
            )
        best = max(polygons, key=lambda each: ring_area(each) if len(each) > 2 else 0)
        if len(best) > 2:
            return best
    elif parts:
        notes.tell(
            "convert-not-taken-over",
            "a mask is not an outline",
            place=place,
            done="its box is used instead",
        )
    box = given.get("bbox")
    sides = [number_in(side) for side in box] if isinstance(box, list) else []
    if len(sides) != 4:
        return ()
    left, top, width, height = sides
    if left is None or top is None or width is None or height is None:
        return ()
    return corners((left, top, left + width, top + height))


def count_coco(source: Source, found: Counter[str]) -> Iterator[str]:
    """Count what a COCO file holds."""
    value = _parsed(source)
    labels = _labels(value)
    texts: list[str] = []
    words: list[str] = []
    is_told = False
    for given in list_of(value.get("annotations")):
        attributes = given.get("attributes")
        attributes = attributes if isinstance(attributes, dict) else {}
        what = role(labels.get(_key(given.get("category_id")), "unknown"))
        found[f"{what}s"] += 1
        found["baselines"] += bool(attributes.get("baseline"))
        text = _said(given, attributes) or ""
        if what == WORD:
            words.append(text)
        else:
            texts.append(text)
            is_told |= what == LINE and bool(text)
    yield from texts if is_told or not any(words) else [*texts, " ".join(words)]


def write_coco(layout: Layout, name: str, version: str = "") -> Written:
    """A COCO file with all pages, and what it cannot hold."""
    notes = Notes(Source(b"", name))
    categories: dict[str, int] = {}
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for number, page in enumerate(layout.pages, 1):
        if page.dpi:
            notes.tell_aside("COCO cannot hold the resolution")
        images.append(
            {"id": number, "file_name": page.image, "width": page.width, "height": page.height}
        )
        last: dict[str, Any] = {}
        for shape in shapes_of(page, notes):
            if shape.label == BASELINE:
                last["attributes"]["baseline"] = _flat(shape.polygon)
                continue
            category = categories.setdefault(shape.label, len(categories) + 1)
            last = _annotation(shape, category, number)
            last["id"] = len(annotations) + 1
            annotations.append(last)
    whole = {
        "info": {"description": "Pages", "contributor": "MADCAT Studio"},
        "licenses": [],
        "images": images,
        "categories": [
            {"id": number, "name": label, "supercategory": role(label)}
            for label, number in categories.items()
        ],
        "annotations": annotations,
    }
    data = json.dumps(whole, ensure_ascii=False, indent=1).encode("utf-8") + b"\n"
    return Written([data], notes.problems)


def _annotation(shape: Shape, category: int, image: int) -> dict[str, Any]:
    left, top, right, bottom = bounding_box(shape.polygon) or (0, 0, 0, 0)
    said = {"id": shape.id, "parent": shape.parent, "text": shape.text, "custom": shape.custom}
    return {
        "id": 0,
        "image_id": image,
        "category_id": category,
        "segmentation": [_flat(shape.polygon)] if len(shape.polygon) > 2 else [],
        "bbox": [left, top, right - left, bottom - top],
        "area": ring_area(shape.polygon),
        "iscrowd": 0,
        "attributes": {key: value for key, value in said.items() if value},
    }


def _flat(polygon: Polygon) -> list[float]:
    return [side for point in polygon for side in point]
