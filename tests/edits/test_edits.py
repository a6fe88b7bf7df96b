from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.edits import (
    AddLine,
    AddToken,
    AddVertex,
    AddWord,
    CompositeEdit,
    DeleteVertices,
    Edit,
    LineValue,
    LinkToken,
    MoveLine,
    MovePolygon,
    MoveToken,
    MoveVertex,
    MoveWord,
    Outline,
    RemoveLine,
    RemoveToken,
    RemoveWord,
    SetPolygon,
    SetScribeError,
    SetTokenStatus,
    SetTokenText,
    SetTranscription,
    SetTranslation,
    SetZoneRefs,
    TokenValue,
    WordValue,
)
from madcat_studio.edits.codec import edit_from_json, edit_to_json
from madcat_studio.errors import FormatError, InputError
from madcat_studio.formats.madcat import read
from madcat_studio.model.change import Change, Position, Shift
from madcat_studio.model.document import Document
from tests.formats.documents import examples

SAMPLE = Path(__file__).parent.parent / "data/madcat/ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"
WORD, LINE = Outline(0, 0, 2), Outline(0, 1)
ONE_OF_EACH: list[Edit] = [
    SetPolygon(WORD, ((1, 2), (3.5, 4), (5, 6))),
    MovePolygon(LINE, 3, -0.1),
    MoveVertex(WORD, 1, (7, 8)),
    AddVertex(WORD, 4, (7, 8)),
    DeleteVertices(LINE, (0, 3, 3)),
    AddWord(0, 2, 1, WordValue("new", ((1, 2),))),
    RemoveWord(0, 0, 3),
    MoveWord(0, 0, 3, 0, 0),
    MoveWord(0, 0, 0, 5, 2),
    AddLine(0, 6, LineValue("z9", "line", ((1, 1),), (WordValue("w"),))),
    RemoveLine(0, 2),
    MoveLine(0, 0, 5),
    SetTokenText(0, 1, 2, "سلام\n"),
    SetTokenText(0, 1, 2, None),
    SetTokenStatus(0, 0, 0, "typo"),
    LinkToken(0, 0, 1, None),
    SetTranscription(0, 0, "a"),
    SetTranslation(0, 2, None),
    SetZoneRefs(0, 0, ("z1", "z2")),
    SetScribeError(0, 1, 2, "typo", "كتب", "كتاب"),
    AddToken(0, 0, 0, TokenValue("k", "t1", "", "x")),
    RemoveToken(0, 1, 4),
    MoveToken(0, 0, 4, 0),
    CompositeEdit(
        (RemoveWord(0, 0, 0), RemoveWord(0, 0, 0), SetTranslation(0, 0, "b")), "Do three"
    ),
]


@pytest.fixture(scope="module")
def original() -> Document:
    return read(SAMPLE).document


@pytest.mark.parametrize("edit", ONE_OF_EACH, ids=lambda e: type(e).__name__)
def test_an_edit_changes_and_its_inverse_takes_it_back(edit: Edit, original: Document) -> None:
    document = copy.deepcopy(original)
    change, back = edit.apply(document)
    assert document != original
    assert change != Change()
    undone, again = back.apply(document)
    assert undone != Change()
    assert document == original
    again.apply(document)
    changed = copy.deepcopy(original)
    edit.apply(changed)
    assert document == changed


@pytest.mark.parametrize("edit", ONE_OF_EACH, ids=lambda e: type(e).__name__)
def test_an_edit_goes_through_json(edit: Edit) -> None:
    text = edit_to_json(edit)
    assert "\n" not in text
    assert edit_from_json(text) == edit
    assert edit.label[0].isupper()


def test_an_edit_of_several_is_read_by_its_former_name() -> None:
    """Journals that a session of before left behind can still be brought back."""
    text = (
        '{"edit":"Several","edits":[{"edit":"RemoveWord","page":0,"line":1,"index":2},'
        '{"edit":"MoveVertex","outline":{"value":"Outline","page":0,"line":1,"word":null},'
        '"index":3,"point":[4,5.5]}],"label":"Do two"}'
    )
    assert edit_from_json(text) == CompositeEdit(
        (RemoveWord(0, 1, 2), MoveVertex(Outline(0, 1), 3, (4, 5.5))), "Do two"
    )


@pytest.mark.long
@examples(40)
@given(st.lists(st.sampled_from(ONE_OF_EACH), max_size=8))
def test_any_run_of_edits_is_undone_exactly(edits: list[Edit]) -> None:
    original = read(SAMPLE).document
    document = copy.deepcopy(original)
    undo = []
    for edit in edits:
        before = copy.deepcopy(document)
        try:
            _, back = edit.apply(document)
        except InputError:
            assert document == before  # refused means untouched
        else:
            undo.append(back)
    for back in reversed(undo):
        back.apply(document)
    assert document == original


def test_deleting_one_vertex_leaves_every_other_coordinate(original: Document) -> None:
    document = copy.deepcopy(original)
    before = document.pages[0].lines[1].polygon
    edit = DeleteVertices(LINE, (3,))
    change, back = edit.apply(document)
    assert change == Change(lines=frozenset({(0, 1)}))
    assert document.pages[0].lines[1].polygon == before[:3] + before[4:]
    back.apply(document)
    assert document.pages[0].lines[1].polygon == before


def test_a_change_tells_what_to_paint(original: Document) -> None:
    document = copy.deepcopy(original)
    assert MoveVertex(WORD, 0, (1, 1)).apply(document)[0] == Change(words=frozenset({(0, 0, 2)}))
    assert MoveWord(0, 0, 0, 5, 2).apply(document)[0] == Change(
        lines=frozenset({(0, 0), (0, 5)}),
        structure=True,
        shifts=(Shift(0, Position(0, 0), Position(5, 2)),),
    )
    assert SetTranslation(0, 1, "x").apply(document)[0] == Change(segments=frozenset({(0, 1)}))


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (MoveVertex(WORD, 4, (1, 1)), "edit.no-such-object"),
        (MoveVertex(WORD, -1, (1, 1)), "edit.no-such-object"),
        (MoveVertex(Outline(0, 0, 99), 0, (1, 1)), "edit.no-such-object"),
        (MoveVertex(Outline(1, 0), 0, (1, 1)), "edit.no-such-object"),
        (AddVertex(WORD, 5, (1, 1)), "edit.no-such-object"),
        (DeleteVertices(WORD, (0, 1)), "edit.three-points"),
        (AddWord(0, 0, 99, WordValue("w")), "edit.no-such-place"),
        (MoveWord(0, 0, 0, 1, 99), "edit.no-such-place"),
        (MoveLine(0, 0, 6), "edit.no-such-place"),
        (SetTokenText(0, 0, 0, "one\x0btwo"), "edit.forbidden-character"),
        (SetTranslation(0, 0, "\ud800"), "edit.forbidden-character"),
        (MoveToken(0, 0, 0, 99), "edit.no-such-place"),
        (CompositeEdit((RemoveWord(0, 0, 0), RemoveWord(0, 0, 99)), "x"), "edit.no-such-object"),
    ],
)
def test_what_makes_no_sense_changes_nothing(edit: Edit, code: str, original: Document) -> None:
    document = copy.deepcopy(original)
    with pytest.raises(InputError) as caught:
        edit.apply(document)
    assert caught.value.code == code
    assert document == original


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        '{"edit":"Fly"}',
        '{"edit":"MoveVertex"}',
        '{"value":"Outline"}',
        '{"edit":"RemoveWord","page":0,"line":0,"index":0,"more":1}',
        json.dumps({"value": "Outline", "page": 0, "line": 0, "word": 1}),
    ],
)
def test_json_that_is_no_edit(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        edit_from_json(text)
    assert caught.value.code == "edit.unreadable"
