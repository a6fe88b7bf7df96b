"""Take typed fields out of JSON values; whatever is not as it should be is told with its place."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from madcat_studio.errors import InputError

__all__ = [
    "LARGEST",
    "box",
    "listed",
    "mapping",
    "number",
    "optional_number",
    "scaled",
    "text",
    "whole",
]

LARGEST = 1e12
"""The largest size of a number: products of several of them stay finite."""


def _wrong(where: str, name: str, value: object, wanted: str) -> InputError:
    shown = repr(value)
    return InputError(
        "scorecards.field",
        f"“{name}” is {shown if len(shown) <= 60 else shown[:57] + '…'}, not {wanted}",
        where=where,
        remedy="docs/scorecards.md describes these files",
    )


def mapping(value: object, where: str, name: str = "the line") -> Mapping[str, Any]:
    """A JSON object."""
    if not isinstance(value, dict):
        raise _wrong(where, name, value, "an object")
    return value


def listed(fields: Mapping[str, Any], name: str, where: str) -> Sequence[Any]:
    """A list; absent or null is an empty one."""
    value = fields.get(name)
    if value is None:
        return ()
    if not isinstance(value, list):
        raise _wrong(where, name, value, "a list")
    return value


def text(fields: Mapping[str, Any], name: str, where: str, default: str | None = None) -> str:
    """A text; null is an absent one. Numbers serve as identifiers and become texts."""
    value = fields.get(name)
    if value is None:
        if default is None:
            raise InputError("scorecards.field", f"“{name}” is missing", where=where)
        return default
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise _wrong(where, name, value, "a text")
    return str(value)


def whole(fields: Mapping[str, Any], name: str, where: str, default: int | None = None) -> int:
    """A whole number, also as 3.0."""
    value = fields.get(name)
    if value is None and default is not None:
        return default
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not math.isfinite(value)
        or abs(value) > LARGEST
        or value != int(value)
    ):
        raise _wrong(where, name, value, "a whole number")
    return int(value)


def number(value: object, name: str, where: str) -> float:
    """A finite number of at most :data:`LARGEST`."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not math.isfinite(value)
        or abs(value) > LARGEST
    ):
        raise _wrong(where, name, value, f"a finite number of at most {LARGEST:.0e}")
    return float(value)


def optional_number(fields: Mapping[str, Any], name: str, where: str) -> float | None:
    """A number; None where it is absent, null, NaN or infinite."""
    value = fields.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _wrong(where, name, value, "a number")
    return number(value, name, where) if math.isfinite(value) else None


def scaled(
    fields: Mapping[str, Any],
    name: str,
    where: str,
    least: float = 0.0,
    most: float | None = None,
) -> float | None:
    """A number on its documented scale, ends included; None as :func:`optional_number` has it."""
    value = optional_number(fields, name, where)
    if value is None or (least <= value and (most is None or value <= most)):
        return value
    wanted = f"of at least {least:g}" if most is None else f"from {least:g} to {most:g}"
    raise _wrong(where, name, fields[name], f"a number {wanted}")


def box(value: object, name: str, where: str) -> tuple[float, float, float, float]:
    """A box as ``[x, y, width, height]``."""
    if not isinstance(value, list) or len(value) != 4:
        raise _wrong(where, name, value, "a box [x, y, width, height]")
    x, y, width, height = (number(part, name, where) for part in value)
    return x, y, width, height
