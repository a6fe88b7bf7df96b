"""The answers of segmenters: what keeps to the protocol is read, all else is one clear error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.errors import FormatError
from madcat_studio.formats.segmenter import FoundLine, answer_lines, request_bytes
from madcat_studio.paths import schemas

SIZE = (100, 80)
BOX = [[10, 10], [90, 10], [90, 30.4]]
GOOD = {"protocol": "madcat-segmenter", "version": 1, "lines": [{"polygon": BOX}]}
SCHEMA = json.loads((schemas() / "segmenter.schema.json").read_text("utf-8"))


def read(said: Any) -> list[FoundLine]:
    return answer_lines(json.dumps(said).encode(), SIZE, "mine")


def test_lines_are_read_in_their_order_and_in_whole_pixels() -> None:
    base = [[90, 25], [10, 25]]
    said = GOOD | {"lines": [{"polygon": BOX, "baseline": base, "more": 1}, {"polygon": BOX[::-1]}]}
    box = ((10, 10), (90, 10), (90, 30))
    assert read(said) == [FoundLine(box, ((90, 25), (10, 25))), FoundLine(box[::-1])]
    jsonschema.validate(said, SCHEMA)


def test_the_question_says_all_that_the_document_promises() -> None:
    asked = json.loads(
        request_bytes(Path("/a/página.png"), SIZE, dpi=300, right_to_left=True, model="")
    )
    assert asked == {
        "protocol": "madcat-segmenter",
        "version": 1,
        "image": "/a/página.png",
        "width": 100,
        "height": 80,
        "dpi": 300,
        "right_to_left": True,
        "model": None,
    }


LINE = "the answer of the segmenter mine cannot be used: "


@pytest.mark.parametrize(
    ("said", "code", "reason"),
    [
        (
            b"",
            "not-json",
            "the answer of the segmenter mine does not follow the protocol: it is empty",
        ),
        (b"Loading model...\n{}", "not-json", "it begins with 'Loading model...\\n{}'"),
        (b"[" * 100_000, "not-json", "it begins with"),
        (b"\xff\xfe", "not-json", "it begins with"),
        (b"[1]", "not-json", "it is not a JSON object"),
        (b'{"lines": []}', "version", "answers in nothing, version nothing instead of madcat-"),
        (GOOD | {"version": 2}, "version", 'in "madcat-segmenter", version 2 instead of'),
        (GOOD | {"version": True}, "version", "version true instead"),
        (GOOD | {"protocol": "x" * 999}, "version", "x…, version 1 instead"),
        (GOOD | {"lines": {}}, "bad-line", LINE + "there is no list of lines"),
        (GOOD | {"lines": [1]}, "bad-line", LINE + "line 1 is not a JSON object"),
        (GOOD | {"lines": [{}] * 5001}, "bad-line", "5001 lines are more than a page has"),
        (GOOD | {"lines": [{"polygon": BOX}, {}]}, "bad-line", "the polygon of line 2 is no list"),
        (GOOD | {"lines": [{"polygon": BOX[:2]}]}, "bad-line", "has 2 points, it should have 3"),
        (
            GOOD | {"lines": [{"polygon": [[1, 1]] * 5}]},
            "bad-line",
            "fewer than 3 different points",
        ),
        (GOOD | {"lines": [{"polygon": [*BOX, [101, 5]]}]}, "bad-line", "outside the page: 101, 5"),
        (GOOD | {"lines": [{"polygon": [*BOX, [5, -0.1]]}]}, "bad-line", "outside the page: 5, -0"),
        (GOOD | {"lines": [{"polygon": [*BOX, [5, 10**400]]}]}, "bad-line", "outside the page"),
        (GOOD | {"lines": [{"polygon": [*BOX, [5, float("nan")]]}]}, "bad-line", "not two numbers"),
        (GOOD | {"lines": [{"polygon": [*BOX, [True, 5]]}]}, "bad-line", "not two numbers: [true"),
        (GOOD | {"lines": [{"polygon": [*BOX, {"x": 1}]}]}, "bad-line", 'numbers: {"x": 1}'),
        (
            GOOD | {"lines": [{"polygon": BOX, "baseline": [[5, 5]]}]},
            "bad-line",
            "the baseline of line 1 has 1 points, it should have 2",
        ),
    ],
)
def test_what_does_not_keep_to_the_protocol_is_one_error(said: Any, code: str, reason: str) -> None:
    data = said if isinstance(said, bytes) else json.dumps(said).encode()
    with pytest.raises(FormatError) as caught:
        answer_lines(data, SIZE, "mine")
    assert caught.value.code == f"segmenter.{code}"
    assert reason in caught.value.reason
    assert len(caught.value.reason) < 250
    assert caught.value.remedy


POINTS = st.lists(
    st.lists(st.one_of(st.integers(-3, 120), st.floats(), st.booleans()), max_size=3), max_size=6
)
LINES = st.lists(
    st.one_of(
        st.none(),
        st.fixed_dictionaries({"polygon": POINTS}, optional={"baseline": st.none() | POINTS}),
    ),
    max_size=3,
)


@given(lines=LINES)
def test_whatever_is_taken_fits_the_schema_and_lies_on_the_page(lines: list[Any]) -> None:
    said = GOOD | {"lines": lines}
    try:
        found = read(said)
    except FormatError:
        return
    jsonschema.validate(json.loads(json.dumps(said)), SCHEMA)
    for line in found:
        assert len(line.polygon) >= 3
        for x, y in (*line.polygon, *line.baseline):
            assert 0 <= x <= SIZE[0]
            assert 0 <= y <= SIZE[1]
