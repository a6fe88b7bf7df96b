"""Which files an evaluation reads."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.operations.corpus.intake import tidy
from madcat_studio.operations.scores.evaluated_files import EvaluatedFiles


def put(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_each_document_has_one_file_of_a_kind(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold", tmp_path / "juniper_1"
    put(gold / "b.madcat.xml", gold / "b.lineseg.madcat.xml", gold / "deep" / "a.1.madcat.xml")
    # Of two with one name that in the folder that comes first.
    put(system / "two" / "a.1.linesys.madcat.xml", system / "one" / "a.1.linesys.madcat.xml")
    put(system / "c.linesys.madcat.xml", system / "c.transys.madcat.xml", system / "c.txt")
    (system / "d.linesys.madcat.xml").mkdir()
    files = EvaluatedFiles()
    kinds = [
        files.add(gold, ".madcat.xml"),
        files.add(system, ".linesys.madcat.xml"),
        files.add(system, ".wordsys.madcat.xml"),
        files.add(system, ".transys.madcat.xml"),
    ]
    assert files.bases() == ["a.1", "b", "c"]
    assert files.counts == [2, 2, 0, 1]
    assert len(files) == 5
    found = {base: [files.path(base, kind) for kind in kinds] for base in files.bases()}
    one = system / "one" / "a.1.linesys.madcat.xml"
    assert found == {
        "a.1": [gold / "deep" / "a.1.madcat.xml", one, None, None],
        "b": [gold / "b.madcat.xml", None, None, None],
        "c": [None, system / "c.linesys.madcat.xml", None, system / "c.transys.madcat.xml"],
    }


@given(st.text(st.sampled_from("ab \t\r\n\u00a0\u0628")))
def test_layout_of_the_file_is_no_text(text: str) -> None:
    assert tidy(text) == re.sub("[ \t\r\n]+", " ", text).strip(" ")
