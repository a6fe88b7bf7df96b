"""That the contract of our own between rooms bites."""

from __future__ import annotations

from pathlib import Path

import grimp
import pytest

from scripts.contracts import ValuesOnly

PARTS = {
    "__init__.py": "",
    "window/__init__.py": "",
    "reports/__init__.py": "from sample.reports.tables import Table, draw\n",
    "reports/tables.py": "KINDS = 3\nCell = str | None\nclass Table: ...\ndef draw(): ...\n",
}


def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> list[str]:
    for name, content in {**PARTS, "window/view.py": text}.items():
        file = tmp_path / "sample" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    contract = ValuesOnly(
        name="values",
        session_options={},
        contract_options={"importers": ["sample.window"], "imported": ["sample.reports"]},
    )
    graph = grimp.build_graph("sample", cache_dir=None)
    check = contract.check(graph, verbose=False)
    assert check.kept is not bool(check.metadata["wrong"])
    return check.metadata["wrong"]


@pytest.mark.parametrize(
    "text",
    [
        "from sample.reports.tables import KINDS, Cell, Table\n",
        "from sample.reports import Table\n",
        "def later():\n    from sample.reports.tables import Table\n",
    ],
)
def test_values_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    assert broken(tmp_path, monkeypatch, text) == []


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("from sample.reports.tables import Table, draw\n", "draw from sample.reports.tables"),
        ("from sample.reports import draw as paint\n", "draw from sample.reports"),
        ("def later():\n    from sample.reports.tables import draw\n", "draw from"),
        ("from sample.reports import tables\n", "tables from sample.reports"),
        ("import sample.reports.tables\n", "all of it from sample.reports.tables"),
    ],
)
def test_functions_and_modules_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, what: str
) -> None:
    (found,) = broken(tmp_path, monkeypatch, text)
    assert found.startswith("sample.window.view:")
    assert what in found
