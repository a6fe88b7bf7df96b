"""What holds for the page of every report: wide tables are reached and scrolled by keys."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from madcat_studio import reports

TEMPLATES = Path(reports.__file__).parent / "templates"


@pytest.mark.parametrize("name", ["report", "card", "selection"])
def test_what_scrolls_can_be_reached_by_key(name: str) -> None:
    text = (TEMPLATES / f"{name}.html.j2").read_text("utf-8")
    scrolled = re.findall(r'<div class="scroll"[^>]*>', text)
    assert scrolled
    assert all('tabindex="0"' in one and "aria-label" in one for one in scrolled)


def test_what_a_report_makes_in_the_browser_can_be_reached_too() -> None:
    script = (TEMPLATES / "report.js").read_text("utf-8")
    made = re.findall(r'\{ class: "scroll"[^}]*\}', script)
    assert len(made) == 2
    assert all('tabindex: "0"' in one for one in made)
