"""The boxes of one scored page, right and wrong: out of a page scorecard's saved result.

A result may come from anywhere: one that is not as it should be has no boxes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from typing import Any

__all__ = [
    "GOOD_OVERLAP",
    "BoxState",
    "MarkedBox",
    "PageBoxes",
    "boxes_svg",
    "page_boxes",
]

GOOD_OVERLAP = 0.5
"""From this overlap on a box is drawn as right: for the eye alone, no score depends on it."""

_BoxOf = tuple[float, float, float, float]


class BoxState(StrEnum):
    """What a box is."""

    TRUTH = "truth"
    """Of the ground truth, and a system's box was matched to it."""
    MISSED = "missed"
    """Of the ground truth, and nothing was matched to it."""
    RIGHT = "right"
    """Of the system, and it lies where it should."""
    OFF = "off"
    """Of the system, matched to a box that it lies beside or half beside, or that says nothing."""
    EXTRA = "extra"
    """Of the system, matched to nothing; it has no effect on the score."""


@dataclass(frozen=True, slots=True)
class MarkedBox:
    """A box of the page: left, top, width and height in its pixels.

    Attributes:
        region: of the ground truth, or "" of an extra one.
        facts: the names and values of what was scored of it.
    """

    state: BoxState
    box: _BoxOf
    region: str = ""
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class PageBoxes:
    """What is drawn over one page.

    Attributes:
        document: its id.
        size: width and height that the boxes are given in.
        picture: the page's picture as the ground truth names it, or "".
        frame: of the picture's file.
        boxes: in the order of drawing.
    """

    document: str
    size: tuple[float, float]
    picture: str
    frame: int
    boxes: tuple[MarkedBox, ...]

    def count(self, state: BoxState) -> int:
        """How many boxes are of this kind."""
        return sum(box.state is state for box in self.boxes)


def page_boxes(
    result: Mapping[str, Any], system: str, pair: str, document: str
) -> PageBoxes | None:
    """The boxes of a system's page; None where the result does not have them."""
    try:
        page = next(one for one in result["pages"] if one["document"] == document)
        own = next(one for one in result["systems"] if one["system"] == system)
        scored = next(
            one for one in own["documents"] if one["document"] == document and one["pair"] == pair
        )
        boxes = tuple(_boxes(page, scored))
        return PageBoxes(
            document, _size(page, boxes), str(page["picture"] or ""), int(page["frame"]), boxes
        )
    except (LookupError, TypeError, ValueError, StopIteration):
        return None


def _boxes(page: Mapping[str, Any], scored: Mapping[str, Any]) -> Iterator[MarkedBox]:
    truth = {str(one["region"]): _box(one["box"]) for one in page["regions"]}
    for region in scored["regions"]:
        name = str(region["region"])
        given = region["box"]
        yield MarkedBox(
            BoxState.MISSED if given is None else BoxState.TRUTH, truth[name], name, _facts(region)
        )
    for region in scored["regions"]:
        if region["box"] is not None:
            box = _box(region["box"])
            right = region["iou"] >= GOOD_OVERLAP
            state = BoxState.RIGHT if right else BoxState.OFF
            # A segment without a line is matched by its id and lies nowhere.
            if box[2] > 0 and box[3] > 0:
                yield MarkedBox(state, box, str(region["region"]), _facts(region))
    for box in scored["unmatched"]:
        yield MarkedBox(BoxState.EXTRA, _box(box))


def _facts(region: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    facts = [("IoU", f"{float(region['iou']):.2f}")]
    if region["chrf"] is not None:
        facts.append(("chrF", f"{float(region['chrf']):.1f}"))
    return tuple(facts)


def _box(value: object) -> _BoxOf:
    if not isinstance(value, list) or len(value) != 4:
        raise TypeError("not a box")
    left, top, width, height = (float(one) for one in value)
    if not all(map(math.isfinite, (left, top, width, height))):
        raise ValueError("not a box")
    return left, top, width, height


def _size(page: Mapping[str, Any], boxes: tuple[MarkedBox, ...]) -> tuple[float, float]:
    """The page's size; without one that of its boxes, with a margin."""
    if page["size"] is not None:
        width, height = (float(one) for one in page["size"])
        if width > 0 and height > 0 and math.isfinite(width * height):
            return width, height
    right = max((left + width for left, _, width, _ in (one.box for one in boxes)), default=1.0)
    bottom = max((top + height for _, top, _, height in (one.box for one in boxes)), default=1.0)
    return max(1.0, 1.04 * right), max(1.0, 1.04 * bottom)


def boxes_svg(page: PageBoxes, title: str) -> str:
    """The boxes as SVG over the page's picture; classes tell what each box is."""
    width, height = page.size
    parts = [
        f'<svg class="boxes" viewBox="0 0 {width:g} {height:g}" preserveAspectRatio="none" '
        f'role="img" aria-label="{escape(title)}">'
    ]
    for one in page.boxes:
        left, top, wide, high = one.box
        told = " ".join((one.region, *(f"{name} {value}" for name, value in one.facts)))
        parts.append(
            f'<rect class="{one.state}" x="{left:g}" y="{top:g}" width="{wide:g}" '
            f'height="{high:g}"><title>{escape(f"{one.state}: {told}".strip(" :"))}</title></rect>'
        )
    parts.append("</svg>")
    return "".join(parts)
