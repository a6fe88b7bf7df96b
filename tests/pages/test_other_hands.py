"""Proposals on pages that somebody else made, with other faces and other ways to spoil paper."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.ink_truth import RIGHT, TruePage, shares
from madcat_studio.model.document import Page
from madcat_studio.operations.pages.marking import read_writing
from madcat_studio.pages.proposals import propose

DATA = Path(__file__).parent.parent / "data" / "ink"


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "least"), [("cols", 0.95), ("latin_dancing", 0.95), ("stain", 0.9), ("touch", 0.85)]
)
def test_the_first_shot_is_right(name: str, least: float) -> None:
    page = TruePage.handed(DATA / f"{name}.png")
    writing = read_writing(page.scan, 0, Page("p1"), page.texts)
    proposals = propose(writing, page.texts)
    right = [share >= RIGHT for share in shares(page, [one.polygon for one in proposals])]
    assert np.mean(right) >= least
    sure = [good for one, good in zip(proposals, right, strict=True) if one.sure]
    assert len(sure) >= 0.6 * len(right)
    assert np.mean(sure) >= 0.95
