"""What each edit makes of a document, says of itself and refuses, by value."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

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
    LockLines,
    MoveLine,
    MovePolygon,
    MoveToken,
    MoveVertex,
    MoveWord,
    Outline,
    RemoveLine,
    RemoveToken,
    RemoveWord,
    SetPageCount,
    SetPageFacts,
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
from madcat_studio.edits.arranging import (
    add_word,
    move_words,
    order_words,
    place_words,
    remove_lines,
    remove_words,
)
from madcat_studio.edits.codec import edit_from_json, edit_to_json
from madcat_studio.errors import InputError
from madcat_studio.model.change import EVERYTHING, Change, Position, Shift
from madcat_studio.model.document import (
    Document,
    Line,
    Page,
    Section,
    Segment,
    Token,
    TokenError,
    Word,
)

FOUR = ((0, 0), (9, 0), (9, 9), (0, 9))
THREE = FOUR[:3]


@pytest.fixture
def document() -> Document:
    """Two pages of two lines; a0 a1 a2 and b0 on the first; two segments of three tokens."""
    first = [
        Line("a", "line", FOUR, [Word(f"a{n}", FOUR) for n in range(3)]),
        Line("b", "line", FOUR, [Word("b0", FOUR)]),
    ]
    second = [Line("c", "line", THREE), Line(None, "line", THREE, [Word(None, THREE)])]
    segments = [
        Segment(f"s{n}", ["a", "b"], [Token(f"s{n}-{k}", f"a{k}", "", "w") for k in range(3)])
        for n in range(2)
    ]
    return Document(
        "B_1_S",
        nbpages=2,
        pages=[Page("p1", 100, 200, 300, 8, first), Page("p2", 10, 20, 30, 8, second)],
        sections=[Section("c1", None, [segments[0]]), Section("c2", None, [segments[1]])],
    )


def words(document: Document, line: int = 0, page: int = 0) -> list[str | None]:
    return [word.id for word in document.pages[page].lines[line].words]


def tokens(document: Document) -> list[str | None]:
    return [token.id for token in document.sections[1].segments[0].tokens]


def segment(document: Document) -> Segment:
    return document.sections[1].segments[0]


def lines_of(page: int, *lines: int) -> Change:
    return Change(lines=frozenset((page, line) for line in lines))


def moved(page: int, lines: set[int], *shifts: Shift) -> Change:
    return Change(lines=frozenset((page, line) for line in lines), structure=True, shifts=shifts)


OF_SEGMENT = Change(segments=frozenset({(1, 0)}))
OF_TOKENS = Change(segments=frozenset({(1, 0)}), structure=True)
WORD, LINE = Outline(0, 0, 1), Outline(1, 0)
NEW = WordValue("n", THREE)

EDITS: list[tuple[Edit, str, Change, Callable[[Document], Any], Any]] = [
    (
        SetPolygon(WORD, THREE),
        "Change the outline of a word",
        Change(words=frozenset({(0, 0, 1)})),
        lambda d: d.pages[0].lines[0].words[1].polygon,
        THREE,
    ),
    (
        SetPolygon(LINE, FOUR),
        "Change the outline of a line",
        lines_of(1, 0),
        lambda d: d.pages[1].lines[0].polygon,
        FOUR,
    ),
    (
        MovePolygon(LINE, 2, -0.5),
        "Move a line",
        lines_of(1, 0),
        lambda d: d.pages[1].lines[0].polygon,
        ((2, -0.5), (11, -0.5), (11, 8.5)),
    ),
    (
        MoveVertex(WORD, 0, (5, 6)),
        "Move a vertex of a word",
        Change(words=frozenset({(0, 0, 1)})),
        lambda d: d.pages[0].lines[0].words[1].polygon,
        ((5, 6), *FOUR[1:]),
    ),
    (
        MoveVertex(WORD, 3, (5, 6)),
        "Move a vertex of a word",
        Change(words=frozenset({(0, 0, 1)})),
        lambda d: d.pages[0].lines[0].words[1].polygon,
        (*FOUR[:3], (5, 6)),
    ),
    *(
        (
            AddVertex(LINE, index, (5, 6)),
            "Add a vertex to a line",
            lines_of(1, 0),
            lambda d: d.pages[1].lines[0].polygon,
            (*THREE[:index], (5, 6), *THREE[index:]),
        )
        for index in (0, 1, 3)
    ),
    (
        DeleteVertices(WORD, (3,)),
        "Delete a vertex of a word",
        Change(words=frozenset({(0, 0, 1)})),
        lambda d: d.pages[0].lines[0].words[1].polygon,
        THREE,
    ),
    (
        AddWord(0, 0, 0, NEW),
        "Add a word",
        moved(0, {0}, Shift(0, None, Position(0, 0))),
        words,
        ["n", "a0", "a1", "a2"],
    ),
    (
        AddWord(0, 0, 3, NEW),
        "Add a word",
        moved(0, {0}, Shift(0, None, Position(0, 3))),
        words,
        ["a0", "a1", "a2", "n"],
    ),
    (
        RemoveWord(0, 0, 2),
        "Remove a word",
        moved(0, {0}, Shift(0, Position(0, 2), None)),
        words,
        ["a0", "a1"],
    ),
    (
        MoveWord(0, 0, 0, 0, 2),
        "Change the order of words",
        moved(0, {0}, Shift(0, Position(0, 0), Position(0, 2))),
        words,
        ["a1", "a2", "a0"],
    ),
    (
        MoveWord(0, 0, 1, 1, 1),
        "Move a word to another line",
        moved(0, {0, 1}, Shift(0, Position(0, 1), Position(1, 1))),
        lambda d: (words(d), words(d, 1)),
        (["a0", "a2"], ["b0", "a1"]),
    ),
    (
        AddLine(0, 2, LineValue("z", "line", THREE, (NEW, NEW))),
        "Add a line",
        moved(0, {2}, Shift(0, None, Position(2), 2)),
        lambda d: [line.id for line in d.pages[0].lines],
        ["a", "b", "z"],
    ),
    (
        AddLine(0, 0, LineValue("z")),
        "Add a line",
        moved(0, {0}, Shift(0, None, Position(0))),
        lambda d: [line.id for line in d.pages[0].lines],
        ["z", "a", "b"],
    ),
    (
        RemoveLine(0, 1),
        "Remove a line",
        moved(0, set(), Shift(0, Position(1), None)),
        lambda d: [line.id for line in d.pages[0].lines],
        ["a"],
    ),
    (
        MoveLine(0, 0, 1),
        "Change the order of lines",
        moved(0, {1}, Shift(0, Position(0), Position(1))),
        lambda d: [line.id for line in d.pages[0].lines],
        ["b", "a"],
    ),
    (
        LockLines(0, (0, 1), True),
        "Lock 2 lines",
        lines_of(0, 0, 1),
        lambda d: [line.locked for page in d.pages for line in page.lines],
        [True, True, False, False],
    ),
    (
        LockLines(1, (1,), True),
        "Lock a line",
        lines_of(1, 1),
        lambda d: [line.locked for page in d.pages for line in page.lines],
        [False, False, False, True],
    ),
    (
        SetTokenText(1, 0, 2, None),
        "Change the text of a token",
        OF_SEGMENT,
        lambda d: [token.source for token in segment(d).tokens],
        ["w", "w", None],
    ),
    (
        SetTokenStatus(1, 0, 0, "typo"),
        "Change the status of a token",
        OF_SEGMENT,
        lambda d: [token.status for token in segment(d).tokens],
        ["typo", "", ""],
    ),
    (
        LinkToken(1, 0, 1, "b0"),
        "Link a token to a word",
        OF_SEGMENT,
        lambda d: [token.ref_id for token in segment(d).tokens],
        ["a0", "b0", "a2"],
    ),
    (
        LinkToken(1, 0, 1, ""),
        "Unlink a token",
        OF_SEGMENT,
        lambda d: [token.ref_id for token in segment(d).tokens],
        ["a0", "", "a2"],
    ),
    (
        SetTranscription(1, 0, "x"),
        "Change a transcription",
        OF_SEGMENT,
        lambda d: (segment(d).transcription, segment(d).translation),
        ("x", None),
    ),
    (
        SetTranslation(1, 0, "x"),
        "Change a translation",
        OF_SEGMENT,
        lambda d: (segment(d).transcription, segment(d).translation),
        (None, "x"),
    ),
    (
        SetZoneRefs(1, 0, ("b",)),
        "Change the lines of a segment",
        OF_SEGMENT,
        lambda d: segment(d).zone_refs,
        ["b"],
    ),
    (
        AddToken(1, 0, 3, TokenValue("n")),
        "Add a token",
        OF_TOKENS,
        tokens,
        ["s1-0", "s1-1", "s1-2", "n"],
    ),
    (RemoveToken(1, 0, 0), "Remove a token", OF_TOKENS, tokens, ["s1-1", "s1-2"]),
    (
        MoveToken(1, 0, 0, 2),
        "Change the order of tokens",
        OF_TOKENS,
        tokens,
        ["s1-1", "s1-2", "s1-0"],
    ),
    (
        SetScribeError(1, 0, 2, "typo", "x", "y"),
        "Note a scribe error",
        OF_SEGMENT,
        lambda d: d.scribe_errors,
        {("s1", "s1-2"): TokenError("typo", "x", "y")},
    ),
    (
        SetPageCount(9),
        "Change the number of pages",
        Change(structure=True),
        lambda d: d.nbpages,
        9,
    ),
    (
        SetPageFacts(1, 1, 2, 3),
        "Change the size of a page",
        EVERYTHING,
        lambda d: [(page.width, page.height, page.dpi) for page in d.pages],
        [(100, 200, 300), (1, 2, 3)],
    ),
]


@pytest.mark.parametrize(
    ("edit", "label", "change", "look", "wanted"), EDITS, ids=lambda each: type(each).__name__
)
def test_an_edit_makes_this_and_says_so(
    edit: Edit,
    label: str,
    change: Change,
    look: Callable[[Document], Any],
    wanted: Any,
    document: Document,
) -> None:
    before = copy.deepcopy(document)
    locks = [line.locked for page in before.pages for line in page.lines]
    assert edit.label == label
    told, back = edit.apply(document)
    assert told == change
    assert look(document) == wanted
    assert edit_from_json(edit_to_json(edit)) == edit
    back.apply(document)
    assert document == before
    assert [line.locked for page in document.pages for line in page.lines] == locks


def test_an_error_of_a_scribe_is_taken_back(document: Document) -> None:
    SetScribeError(1, 0, 2, "typo", "x", "y").apply(document)
    edit = SetScribeError(1, 0, 2, "")
    assert edit.label == "Remove a scribe error"
    _, back = edit.apply(document)
    assert document.scribe_errors == {}
    assert back == SetScribeError(1, 0, 2, "typo", "x", "y")
    SetScribeError(1, 0, 1, "").apply(document)
    assert document.scribe_errors == {}


def test_locks_come_back_as_they_were(document: Document) -> None:
    LockLines(0, (1,), True).apply(document)
    _, back = LockLines(0, (0, 1), False).apply(document)
    assert [line.locked for line in document.pages[0].lines] == [False, False]
    back.apply(document)
    assert [line.locked for line in document.pages[0].lines] == [False, True]
    assert LockLines(0, (0,), False).label == "Unlock a line"


MISSING = "edit.no-such-object"


@pytest.mark.parametrize(
    ("edit", "code", "reason"),
    [
        (SetPolygon(Outline(2, 0), THREE), MISSING, "there is no page 3; there are 2"),
        (SetPolygon(Outline(0, 2), THREE), MISSING, "there is no line 3; there are 2"),
        (SetPolygon(Outline(0, -1), THREE), MISSING, "there is no line 0; there are 2"),
        (RemoveWord(0, 0, 3), MISSING, "there is no word 4; there are 3"),
        (SetTranslation(2, 0, ""), MISSING, "there is no section 3; there are 2"),
        (SetTranslation(0, 1, ""), MISSING, "there is no segment 2; there are 1"),
        (RemoveToken(0, 0, 3), MISSING, "there is no token 4; there are 3"),
        (MoveVertex(WORD, 4, (1, 1)), MISSING, "there is no vertex 5; the outline has 4"),
        (AddVertex(WORD, 5, (1, 1)), MISSING, "there is no vertex 6; the outline has 4"),
        (AddVertex(WORD, -1, (1, 1)), MISSING, "there is no vertex 0; the outline has 4"),
        (DeleteVertices(WORD, (4,)), MISSING, "there is no vertex 5; the outline has 4"),
        (
            DeleteVertices(WORD, (0, 1, 1)),
            "edit.three-points",
            "an outline must keep at least three vertices",
        ),
        (AddWord(0, 0, 4, NEW), "edit.no-such-place", "there is no place 5 among 3 words"),
        (AddWord(0, 0, -1, NEW), "edit.no-such-place", "there is no place 0 among 3 words"),
        (MoveWord(0, 0, 0, 0, 3), "edit.no-such-place", "there is no place 4 among 2 words"),
        (AddLine(0, 3, LineValue("z")), "edit.no-such-place", "there is no place 4 among 2 lines"),
        (MoveLine(0, 0, 2), "edit.no-such-place", "there is no place 3 among 1 lines"),
        (MoveToken(1, 0, 0, 3), "edit.no-such-place", "there is no place 4 among 2 tokens"),
        (
            SetZoneRefs(0, 0, ("a", "\x01")),
            "edit.forbidden-character",
            "the text has the character U+0001, which XML cannot hold",
        ),
        *(
            (
                AddToken(0, 0, 0, TokenValue(*texts)),
                "edit.forbidden-character",
                "the text has the character U+FFFE, which XML cannot hold",
            )
            for texts in (
                ("\ufffe",),
                ("x", "\ufffe"),
                ("x", "x", "\ufffe"),
                ("x", "x", "x", "\ufffe"),
            )
        ),
        *(
            (
                SetScribeError(0, 0, 0, *texts),
                "edit.forbidden-character",
                "the text has the character U+000B, which XML cannot hold",
            )
            for texts in (("\x0b",), ("x", "\x0b"), ("x", "x", "\x0b"))
        ),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(
    edit: Edit, code: str, reason: str, document: Document
) -> None:
    before = copy.deepcopy(document)
    for each in (edit, CompositeEdit((RemoveLine(1, 0), RemoveWord(0, 0, 0), edit), "Three")):
        if each is not edit and not isinstance(edit, SetTranslation | SetScribeError):
            continue  # what comes before it would move what it names
        with pytest.raises(InputError) as caught:
            each.apply(document)
        assert (caught.value.code, caught.value.reason) == (code, reason)
        assert document == before


@pytest.mark.parametrize(("part", "missing"), [("segment", "segment"), ("token", "token")])
def test_a_scribe_error_needs_ids(part: str, missing: str, document: Document) -> None:
    found = segment(document)
    (found if part == "segment" else found.tokens[2]).id = None
    with pytest.raises(InputError) as caught:
        SetScribeError(1, 0, 2, "typo").apply(document)
    assert caught.value.code == "edit.no-id"
    assert caught.value.reason.startswith(f"the {missing} has no id")


def test_a_locked_line_is_named(document: Document) -> None:
    for page, line, name in ((0, 1, "b"), (1, 1, "#2")):
        LockLines(page, (line,), True).apply(document)
        for edit in (RemoveWord(page, line, 0), RemoveLine(page, line)):
            with pytest.raises(InputError) as caught:
                edit.apply(document)
            assert caught.value.code == "edit.locked-line"
            assert caught.value.reason == f"the line {name} is locked"


def test_words_go_to_another_line_with_those_that_are_there_left(document: Document) -> None:
    with pytest.raises(InputError) as caught:
        move_words(document, 0, [(0, 0), (0, 1)], 0)
    assert caught.value.code == "edit.nothing-to-move"
    assert move_words(document, 0, [(0, 0), (1, 0)], 0).edits == (MoveWord(0, 1, 0, 0, 0),)
    one = move_words(document, 0, [(0, 1), (1, 0)], 1)
    assert one.label == "Move a word to another line"
    assert len(one.edits) == 1
    two = move_words(document, 0, [(0, 2), (0, 0), (0, 0)], 1)
    assert two.label == "Move 2 words to another line"
    two.apply(document)
    assert words(document) == ["a1"]
    assert set(words(document, 1)) == {"a0", "a2", "b0"}


def test_words_are_put_in_the_order_in_which_they_are_named(document: Document) -> None:
    one = place_words(document, 0, [(1, 0)], 0, 1)
    assert one.label == "Move a word to another line"
    one.apply(document)
    assert words(document) == ["a0", "b0", "a1", "a2"]
    assert words(document, 1) == []
    inside = place_words(document, 0, [(0, 3), (0, 0), (0, 3)], 0, 2)
    assert inside.label == "Change the order of words"
    inside.apply(document)
    assert words(document) == ["b0", "a2", "a0", "a1"]
    away = place_words(document, 0, [(0, 2), (0, 0)], 1, 0)
    assert away.label == "Move 2 words to another line"
    away.apply(document)
    assert words(document, 1) == ["a0", "b0"]


@pytest.mark.parametrize(
    ("order", "moves"),
    [
        ([0, 1, 2], []),
        ([2, 0, 1], [MoveWord(0, 0, 2, 0, 0)]),
        ([1, 2, 0], [MoveWord(0, 0, 0, 0, 2)]),
        ([0, 2, 1], [MoveWord(0, 0, 2, 0, 1)]),
        ([2, 1, 0], [MoveWord(0, 0, 1, 0, 0), MoveWord(0, 0, 2, 0, 0)]),
    ],
)
def test_an_order_is_reached_by_the_fewest_moves(
    order: list[int], moves: list[MoveWord], document: Document
) -> None:
    edit = order_words(document, 0, 0, order)
    assert len(edit.edits) == len(moves)
    edit.apply(document)
    assert words(document) == [f"a{n}" for n in order]


@pytest.mark.parametrize(
    ("chosen", "label"), [([0], "Remove a line"), ([0, 1, 1], "Remove 2 lines")]
)
def test_removing_lines_unlinks_the_tokens_of_all_their_words(
    chosen: list[int], label: str, document: Document
) -> None:
    document.sections[1].segments[0].tokens[0].ref_id = "b0"
    before = copy.deepcopy(document)
    kept = remove_lines(document, 0, chosen, unlink=False)
    assert kept.label == label
    assert {type(edit) for edit in kept.edits} == {RemoveLine}
    edit = remove_lines(document, 0, chosen, unlink=True)
    _, back = edit.apply(document)
    assert [line.id for line in document.pages[0].lines] == ["a", "b"][len(set(chosen)) :]
    links = [[token.ref_id for token in each.tokens] for each in document.segments()]
    assert links == [["", "", ""], ["" if 1 in chosen else "b0", "", ""]]
    back.apply(document)
    assert document == before


def test_removing_words_says_how_many(document: Document) -> None:
    assert remove_words(document, 0, [(0, 0), (0, 0)], unlink=False).label == "Remove a word"
    edit = remove_words(document, 0, [(0, 0), (1, 0), (0, 2)], unlink=False)
    assert edit.label == "Remove 3 words"
    edit.apply(document)
    assert (words(document), words(document, 1)) == (["a1"], [])


def test_an_outline_of_less_than_a_pixel_is_not_drawn(document: Document) -> None:
    with pytest.raises(InputError):
        add_word(document, 0, ((0, 0), (1, 0), (1, 1)))
    assert add_word(document, 0, ((0, 0), (2, 0), (2, 1))).label == "Draw a word"
