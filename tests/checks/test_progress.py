"""What is only not marked yet is told as progress, and is no problem."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from madcat_studio.checks.progress import Marked, last_linked, marked
from madcat_studio.cli.app import main
from madcat_studio.edits import SetTokenStatus
from madcat_studio.edits.arranging import remove_words
from madcat_studio.formats.madcat import read
from madcat_studio.formats.madcat_writer import write
from madcat_studio.model.document import Document

SAMPLE = Path(__file__).parent.parent / "data/madcat/ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"


def half(*skipped: tuple[int, int]) -> Document:
    """The sample without words from the fourth line on, and without some others."""
    document = read(SAMPLE).document
    lines = document.pages[0].lines
    words = [(n, k) for n in (3, 4, 5) for k in range(len(lines[n].words))]
    remove_words(document, 0, [*skipped, *words], unlink=True).apply(document)
    return document


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / SAMPLE.name
    path.write_bytes(write(half((1, 2)), read(SAMPLE).source))
    return path


def test_how_far_a_document_is() -> None:
    assert marked(read(SAMPLE).document) is None, "all of it is marked"
    document = half()
    assert marked(document) == Marked(21, 43)
    assert last_linked(document) == (0, 1, 3)
    SetTokenStatus(0, 2, 0, "missing").apply(document)
    assert marked(document) == Marked(22, 43)
    document.pages.clear()
    assert marked(document) is None


def test_nothing_linked_is_nothing_last() -> None:
    document = read(SAMPLE).document
    for segment in document.segments():
        for token in segment.tokens:
            token.ref_id = ""
    assert last_linked(document) is None
    assert marked(document) == Marked(0, 43)


def test_the_command_tells_progress_and_only_what_was_skipped(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--no-images", "--fail-on", "warning", str(page)]) == 0
    said = capsys.readouterr().out
    assert f"progress    {page}: 20 of 43 words marked" in said
    assert said.count("[token-unlinked]") == 1
    assert "token s1-10" in said
    assert "1 note" in said
    assert main(["check", "--no-images", "--format", "json", str(page)]) == 0
    plain = json.loads(capsys.readouterr().out)["files"][0]
    assert plain["marked"] == {"done": 20, "of": 43}
    assert [problem["code"] for problem in plain["problems"]] == ["token-unlinked"]
    assert main(["check", "--no-images", "--format", "json", str(SAMPLE)]) == 0
    assert json.loads(capsys.readouterr().out)["files"][0]["marked"] is None
