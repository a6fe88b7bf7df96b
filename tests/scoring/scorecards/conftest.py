"""Values of an independent implementation of the three scorecards, and how to compare them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[2] / "data" / "scorecards"


@cache
def _load(name: str) -> Any:
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def golden() -> Callable[[str], Any]:
    """The golden file of one scorecard."""
    return _load


def _differences(found: Any, expected: Any, where: str, tolerance: float) -> list[str]:
    if isinstance(expected, dict):
        if not isinstance(found, dict) or set(found) != set(expected):
            return [f"{where}: {found} is not {expected}"]
        return [
            line
            for key, value in expected.items()
            for line in _differences(found[key], value, f"{where}.{key}", tolerance)
        ]
    if isinstance(expected, list):
        if not isinstance(found, list | tuple) or len(found) != len(expected):
            return [f"{where}: {found} is not {expected}"]
        return [
            line
            for position, value in enumerate(expected)
            for line in _differences(found[position], value, f"{where}[{position}]", tolerance)
        ]
    if isinstance(expected, bool) or not isinstance(expected, int | float):
        return [] if found == expected else [f"{where}: {found!r} is not {expected!r}"]
    if isinstance(found, int | float) and not isinstance(found, bool):
        if abs(found - expected) <= tolerance * max(1.0, abs(expected)):
            return []
        assert math.isfinite(found)
    return [f"{where}: {found!r} is not {expected!r}"]


@pytest.fixture(scope="session")
def differences() -> Callable[..., list[str]]:
    """Every place where a found value is not the expected one, at a relative tolerance."""

    def compare(found: Any, expected: Any, where: str = "", tolerance: float = 1e-6) -> list[str]:
        return _differences(found, expected, where, tolerance)

    return compare
