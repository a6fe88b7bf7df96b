"""What the script of a report's page makes of the alignments that lie packed in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtQml import QJSEngine
from PySide6.QtWidgets import QApplication

from madcat_studio.reports import html
from madcat_studio.scoring.columns import columns, packed_columns
from madcat_ter.ter import TerResult, ter

Unpack = Callable[[TerResult], Any]
texts = st.lists(st.sampled_from(["a", "b", "c.", "\u0643"]), max_size=9).map(" ".join)


@pytest.fixture(scope="module")
def unpack(qapp: QApplication) -> Unpack:
    """The script's own function."""
    script = Path(html.__file__).with_name("templates") / "report.js"
    found = re.search(r"^  function unpacked\(.*?^  }$", script.read_text("utf-8"), re.M | re.S)
    assert found
    engine = QJSEngine()
    made = engine.evaluate(f"{found[0]}; (packed) => JSON.stringify(unpacked(JSON.parse(packed)))")

    def unpacked(result: TerResult) -> Any:
        shifts = [(one.start, one.end, one.moveto, one.newloc) for one in result.shifts]
        packed = packed_columns(
            result.output_words, result.reference_words, result.alignment, shifts
        )
        told = made.call([engine.toScriptValue(json.dumps(packed))])
        assert told.isString(), told.toString()
        return json.loads(told.toString())

    return unpacked


def test_a_block_that_moved_has_the_number_of_its_shift(unpack: Unpack) -> None:
    assert unpack(ter("b c a d", ["a b c e"])) == [
        [" ", "a", "a", 1], [" ", "b", "b", 0], [" ", "c", "c", 0], ["S", "d", "e", 0],
    ]  # fmt: skip


@pytest.mark.long
@given(texts, texts)
def test_the_page_draws_the_columns_that_the_window_draws(
    unpack: Unpack, output: str, text: str
) -> None:
    result = ter(output, [text])
    letters = {"match": " ", "substitution": "S", "insertion": "I", "deletion": "D"}
    assert unpack(result) == [
        [letters[one.kind], one.output, one.text, one.shift]
        for one in columns(result)
        if one.kind in letters
    ]
