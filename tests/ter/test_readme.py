"""Every example in the README of the engine's own distribution runs, and prints what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "engine" / "README.md"


def test_the_examples_print_what_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text("utf-8"), re.M | re.S)
    assert len(blocks) == 8
    for block in blocks:
        exec(block, {})
        said = capsys.readouterr().out.splitlines()
        promised = [line.partition("  # ")[2] for line in block.splitlines() if "print(" in line]
        assert len(said) == len(promised)
        wrong = [(a, b) for a, b in zip(said, promised, strict=True) if b and a != b]
        assert wrong == []
