"""The page of what must hold at the boundaries names tests that are there, and every case once."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROW = re.compile(r"^\| ([A-Z]\d+) \|(.*)\|(.*)\|$", re.MULTILINE)
ROWS = ROW.findall((ROOT / "docs" / "boundaries.md").read_text("utf-8"))

LAST = {"K": 11, "T": 5, "X": 5, "D": 14, "E": 12, "P": 11, "C": 9, "W": 4, "N": 8}
"""The last number of each kind of case."""


@cache
def named_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return frozenset(one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef))


def test_every_case_has_a_row() -> None:
    cases = [case for case, *_ in ROWS]
    assert len(cases) == len(set(cases))
    wanted = {f"{letter}{number}" for letter, most in LAST.items() for number in range(1, most + 1)}
    assert set(cases) == wanted - {"D13"}  # that is a speed: benchmarks/bench_read.py


@pytest.mark.parametrize(("case", "holds", "named"), ROWS, ids=[case for case, *_ in ROWS])
def test_the_tests_of_a_case_are_there(case: str, holds: str, named: str) -> None:
    found = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", named)
    assert found, case
    assert len(found) == named.count("`") // 2, "whatever stands there is a test"
    assert holds.strip()
    for path, name in found:
        assert name in named_in(path), f"{case}: {path}::{name}"
