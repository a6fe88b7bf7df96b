"""What is said to a segmenter and what it answers: the protocol of docs/segmenters.md.

A segmenter is a program of others'. So nothing that it says is believed: what does not keep to the
protocol is one clear error, and never half a page of lines.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from madcat_studio.errors import FormatError
from madcat_studio.model.document import Polygon

__all__ = ["MOST_BYTES", "PROTOCOL", "VERSION", "FoundLine", "answer_lines", "request_bytes"]

PROTOCOL = "madcat-segmenter"
VERSION = 1
MOST_BYTES = 32 * 2**20
"""A page of handwriting with a point at every pixel of every line is smaller."""
_MOST_LINES = 5_000
_MOST_POINTS = 20_000
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A line that a segmenter found, in stored pixels.

    Attributes:
        polygon: around it.
        baseline: where it was said, from where the line begins, as it is read; else empty.
    """

    polygon: Polygon
    baseline: Polygon = ()


def request_bytes(
    image: Path, size: tuple[int, int], *, dpi: float | None, right_to_left: bool, model: str
) -> bytes:
    """What a segmenter is asked, as it reads it.

    Args:
        image: a PNG.
        size: its width and height.
        dpi: where it is known.
        right_to_left: in which direction lines are read.
        model: a file that the user named, else "".
    """
    said = {
        "protocol": PROTOCOL,
        "version": VERSION,
        "image": str(image),
        "width": size[0],
        "height": size[1],
        "dpi": dpi,
        "right_to_left": right_to_left,
        "model": model or None,
    }
    return json.dumps(said).encode("ascii") + b"\n"


def answer_lines(data: bytes, size: tuple[int, int], name: str) -> list[FoundLine]:
    """The lines in a segmenter's answer, in its order.

    Args:
        data: all of its standard output.
        size: width and height of the image that it was given.
        name: of the segmenter, for messages.

    Raises:
        FormatError: ``segmenter.not-json``, ``segmenter.version``, ``segmenter.bad-line``.
    """
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        start = data[:_SHOWN].decode("utf-8", "replace").strip()
        said, what = None, f"it begins with {start!r}" if start else "it is empty"
    else:
        what = "it is not a JSON object"
    if not isinstance(said, dict):
        raise FormatError(
            "segmenter.not-json",
            f"the answer of the segmenter {name} does not follow the protocol: {what}",
            remedy="It must print one JSON object and nothing else on its standard output; "
            "anything else goes to standard error",
        )
    found = said.get("protocol"), said.get("version")
    if found != (PROTOCOL, VERSION) or isinstance(said.get("version"), bool):
        raise FormatError(
            "segmenter.version",
            f"the segmenter {name} answers in {_short(found[0])}, version {_short(found[1])} "
            f"instead of {PROTOCOL}, version {VERSION}",
            remedy="Use a version of it that was made for this program",
        )
    lines = said.get("lines")
    if not isinstance(lines, list):
        raise _bad(name, "there is no list of lines")
    if len(lines) > _MOST_LINES:
        raise _bad(name, f"{len(lines)} lines are more than a page has (at most {_MOST_LINES})")
    return [_line(line, number, size, name) for number, line in enumerate(lines, 1)]


def _line(line: Any, number: int, size: tuple[int, int], name: str) -> FoundLine:
    if not isinstance(line, dict):
        raise _bad(name, f"line {number} is not a JSON object")
    polygon = _points(line.get("polygon"), 3, f"the polygon of line {number}", size, name)
    base = line.get("baseline")
    if base is None:
        return FoundLine(polygon)
    return FoundLine(polygon, _points(base, 2, f"the baseline of line {number}", size, name))


def _points(said: Any, fewest: int, what: str, size: tuple[int, int], name: str) -> Polygon:
    if not isinstance(said, list):
        raise _bad(name, f"{what} is no list of points")
    if not fewest <= len(said) <= _MOST_POINTS:
        many = f"{fewest} to {_MOST_POINTS}"
        raise _bad(name, f"{what} has {len(said)} points, it should have {many}")
    points: list[tuple[int, int]] = []
    for point in said:
        if not isinstance(point, list) or len(point) != 2 or not all(map(_is_number, point)):
            raise _bad(name, f"{what} has a point that is not two numbers: {_short(point)}")
        x, y = point
        if not (0 <= x <= size[0] and 0 <= y <= size[1]):
            where = f"{_short(x)}, {_short(y)} (the page is {size[0]} x {size[1]})"
            raise _bad(name, f"{what} lies outside the page: {where}")
        whole = round(x), round(y)
        if not points or whole != points[-1]:
            points.append(whole)
    if len(set(points)) < fewest:
        raise _bad(name, f"{what} has fewer than {fewest} different points")
    return tuple(points)


def _is_number(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)  # JSON as Python reads it knows NaN and Infinity
    return isinstance(value, int) and not isinstance(value, bool)


def _short(value: Any) -> str:
    text = "nothing" if value is None else json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _bad(name: str, what: str) -> FormatError:
    return FormatError(
        "segmenter.bad-line",
        f"the answer of the segmenter {name} cannot be used: {what}",
        remedy=(
            "Nothing was used from it; check the image in an editor, or tell the segmenter's makers"
        ),
    )
