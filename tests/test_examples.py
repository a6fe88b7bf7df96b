"""The examples that documentation and docstrings give are true."""

from __future__ import annotations

import doctest
import importlib
import re
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
WITH_EXAMPLES = [
    ".".join(path.relative_to(top).with_suffix("").parts)
    for top, package in ((ROOT, "madcat_studio"), (ROOT / "engine", "madcat_ter"))
    for path in sorted((top / package).rglob("*.py"))
    if ">>> " in path.read_text("utf-8")
]


@pytest.mark.long
def test_library_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    made = tempfile.mkdtemp
    # The report that comes with the demo is that which the page writes itself.
    monkeypatch.setattr(
        "madcat_studio.operations.demo.write_campaign_report", lambda *_, **__: ([], ())
    )
    # The page's own folder; what the program makes for itself is its own affair.
    monkeypatch.setattr("tempfile.mkdtemp", lambda *given: made(*given) if given else str(tmp_path))
    blocks = re.findall(
        r"^```python\n(.*?)^```", (ROOT / "docs" / "library.md").read_text("utf-8"), re.M | re.S
    )
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)
    assert len(blocks) == 5
    said = capsys.readouterr().out
    assert "1 edit in 8 words: 0.125" in said
    assert "carry-over" in said
    assert str(tmp_path / "report" / "hter.html") in said


@pytest.mark.long
@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_docstrings(module: str) -> None:
    if module.startswith("madcat_studio.gui"):
        pytest.importorskip("PySide6.QtWidgets", exc_type=ImportError)
    assert doctest.testmod(importlib.import_module(module)).failed == 0
