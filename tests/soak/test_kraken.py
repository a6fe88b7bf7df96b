"""The real kraken: fetched into an environment of its own, and asked for the lines of a page.

MADCAT_STUDIO_KRAKEN names a data folder (as XDG_DATA_HOME does) in which it is installed already;
without it 6 GB are fetched.
"""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from benchmarks.made_hands import make
from madcat_studio.model.document import Page
from madcat_studio.operations.pages.marking import compare_writing, read_writing
from madcat_studio.operations.pages.segmenter_install import install_segmenter
from madcat_studio.operations.pages.segmenters import find_segmenter


@pytest.mark.soak
def test_kraken_finds_the_lines_of_a_page_from_right_to_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property
) -> None:
    there = os.environ.get("MADCAT_STUDIO_KRAKEN")
    monkeypatch.setenv("XDG_DATA_HOME", there or str(tmp_path / "data"))
    if not there:
        install_segmenter("kraken")
    made = make("columns", 1)
    scan = tmp_path / "scan.png"
    made.image.save(scan, dpi=(made.dpi, made.dpi))
    page = Page("p", *made.image.size, dpi=made.dpi)
    own = read_writing(scan, 0, page, made.texts)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = compare_writing(own, find_segmenter("kraken"), scan, 0, page, made.texts)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    lines = len({word.line for word in made.words})
    record_property("lines", f"{len(found.lines)} of {lines}")
    record_property("words sure by its lines, by the ink's", [found.other_sure, found.own_sure])
    record_property("seconds of its processor time", round(seconds, 1))
    # Its model may cut a line at a wide gap; it must not lose one.
    assert len(found.lines) >= lines
    assert all(line.baseline[0][0] > line.baseline[-1][0] for line in found.lines)
    assert found.other_sure >= 0.8 * len(made.texts)
