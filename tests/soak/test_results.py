"""What is kept of long runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.soak import results


def _report(outcome: str, when: str = "call", **figures: object) -> pytest.TestReport:
    return pytest.TestReport(
        nodeid="tests/a.py::test_a[x]",
        location=("tests/a.py", 1, "test_a"),
        keywords={},
        outcome=outcome,  # type: ignore[arg-type]
        longrepr=None,
        when=when,  # type: ignore[arg-type]
        duration=61.6,
        user_properties=list(figures.items()),
    )


def test_a_run_replaces_its_own_entry_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "soak.json"
    monkeypatch.setattr(results, "FILE", file)
    file.write_text('{"tests/z.py::test_z": {"outcome": "passed"}}')
    results.pytest_runtest_logreport(_report("passed", edits=3))
    results.pytest_runtest_logreport(_report("passed", "teardown"))
    results.pytest_runtest_logreport(_report("skipped", "setup"))
    kept = json.loads(file.read_text("utf-8"))
    assert list(kept) == ["tests/a.py::test_a[x]", "tests/z.py::test_z"]
    assert kept["tests/z.py::test_z"] == {"outcome": "passed"}
    told = kept["tests/a.py::test_a[x]"]
    assert (told["outcome"], told["seconds"], told["figures"]) == ("passed", 62, {"edits": 3})
    assert "Python 3." in told["machine"]


def test_the_load_is_that_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.getloadavg", lambda: (3.4, 0, 0))
    results.pytest_runtest_logstart()
    monkeypatch.setattr("os.getloadavg", lambda: (23.4, 0, 0))
    assert results.entry(_report("passed"))["machine"].endswith("load 3 before it")


def test_a_run_that_could_not_begin_is_kept_as_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "FILE", tmp_path / "soak.json")
    results.pytest_runtest_logreport(_report("failed", "setup"))
    (told,) = json.loads((tmp_path / "soak.json").read_text("utf-8")).values()
    assert told["outcome"] == "failed"
