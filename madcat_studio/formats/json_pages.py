"""What readers of pages in JSON share: parsing what strangers wrote, and values that may be odd."""

from __future__ import annotations

import json
from typing import Any

from madcat_studio.errors import FormatError
from madcat_studio.formats.numbers import MOST
from madcat_studio.formats.source import Source
from madcat_studio.model.characters import remove_forbidden
from madcat_studio.model.document import Polygon

__all__ = ["list_of", "number_in", "parse_json", "points_in", "text_in"]


def parse_json(source: Source) -> dict[str, Any]:
    """The object that a file holds, in UTF-8, -16 or -32.

    Raises:
        FormatError: ``json.not-json``, ``json.too-deep``, ``json.no-object``.
    """
    try:
        value = json.loads(source.data)
    except RecursionError:
        raise FormatError(
            "json.too-deep",
            "values are nested too deeply",
            where=source.name,
            remedy="Check that it is the file you meant",
        ) from None
    except ValueError as error:  # a wrong letter of the encoding, too
        line = getattr(error, "lineno", None)
        raise FormatError(
            "json.not-json",
            f"the file is not JSON ({getattr(error, 'msg', None) or error})",
            where=source.name if line is None else f"{source.name}:{line}",
            remedy="Mend that place, or get a new copy of the file",
        ) from None
    if not isinstance(value, dict):
        raise FormatError(
            "json.no-object",
            "the file has no object",
            where=source.name,
            remedy="Check that it is the file you meant",
        )
    return value


def number_in(value: object) -> float | None:
    """A number that a page could have, an int where it is whole; else None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not -MOST < value < MOST:  # neither does a NaN lie there
        return None
    return int(value) if value == int(value) else value


def text_in(value: object) -> str | None:
    """A text without what XML cannot hold; None for anything but a text, and for an empty one."""
    if not isinstance(value, str):
        return None
    # Half a pair of UTF-16, which JSON can spell, is no character.
    return remove_forbidden(value)[0] or None


def list_of(value: object) -> list[dict[str, Any]]:
    """The objects of a list; none where it is no list."""
    if not isinstance(value, list):
        return []
    return [each for each in value if isinstance(each, dict)]


def points_in(value: object) -> Polygon:
    """Points of ``[[x, y], …]`` or of the flat ``[x, y, …]``; those that are none are left out."""
    if not isinstance(value, list):
        return ()
    if value and not isinstance(value[0], list):
        value = [list(pair) for pair in zip(value[::2], value[1::2], strict=False)]
    found = []
    for pair in value:
        if isinstance(pair, list) and len(pair) >= 2:
            x, y = number_in(pair[0]), number_in(pair[1])
            if x is not None and y is not None:
                found.append((x, y))
    return tuple(found)
