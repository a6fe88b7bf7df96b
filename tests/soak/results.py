"""Keeps what each long run gave, in docs/results/soak.json: for ``pytest --keep-results``.

A run of some of them replaces their entries alone. The file is written after each, so that a night
that is broken off keeps what it had found.
"""

from __future__ import annotations

import json
import os
import platform
import time
from pathlib import Path
from typing import Any

import pytest

FILE = Path(__file__).resolve().parents[2] / "docs" / "results" / "soak.json"

_load = 0.0


def pytest_runtest_logstart() -> None:
    """Remember what else the machine does: a run of twenty programs is a load of twenty itself."""
    global _load
    _load = os.getloadavg()[0]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep the outcome of a test, and what it told by ``record_property``."""
    if report.when == "call" or report.failed:
        keep(FILE, report.nodeid, entry(report))


def entry(report: pytest.TestReport) -> dict[str, Any]:
    """What is kept of one run."""
    return {
        "outcome": report.outcome,
        "seconds": round(report.duration),
        "figures": dict(report.user_properties),
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "machine": f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, "
        f"{os.cpu_count()} processors, load {_load:.0f} before it",
    }


def keep(file: Path, name: str, told: dict[str, Any]) -> None:
    """Put one entry into the file, in order, and leave the others as they are."""
    results = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    results[name] = told
    text = json.dumps(dict(sorted(results.items())), ensure_ascii=False, indent=1)
    new = file.with_suffix(".new")
    new.write_text(text + "\n", encoding="utf-8")
    new.replace(file)
