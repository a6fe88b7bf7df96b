"""Two versions of one document: what collides with nothing is taken, the rest is named."""

from __future__ import annotations

import pytest

from madcat_studio.edits import CompositeEdit
from madcat_studio.model.copies import copy_document
from madcat_studio.model.document import Document, Line, Page, Section, Segment, Token, Word
from madcat_studio.pages.merging import merge

SQUARE = ((0, 0), (9, 0), (9, 9), (0, 9))
OTHER = ((1, 1), (9, 0), (9, 9), (0, 9))
THIRD = ((2, 2), (9, 0), (9, 9), (0, 9))


def document() -> Document:
    words = [Word(f"w{n}", SQUARE) for n in range(3)]
    tokens = [Token(f"k{n}", f"w{n}", "", f"text {n}") for n in range(3)]
    return Document(
        "D",
        pages=[Page("p", 100, 100, lines=[Line("z", polygon=SQUARE, words=words)])],
        sections=[Section("c", segments=[Segment("s", tokens=tokens, translation="one")])],
    )


def versions() -> tuple[Document, Document, Document]:
    base = document()
    return base, copy_document(base), copy_document(base)


def words(made: Document) -> list[Word]:
    return made.pages[0].lines[0].words


def tokens(made: Document) -> list[Token]:
    return made.sections[0].segments[0].tokens


def test_what_only_the_other_changed_is_taken_wherever_it_is_by_now() -> None:
    base, mine, theirs = versions()
    words(mine).reverse()  # mine may be of another order
    words(mine)[1].polygon = THIRD
    words(theirs)[0].polygon = OTHER
    theirs.pages[0].lines[0].polygon = OTHER
    theirs.sections[0].segments[0].translation = "two"
    tokens(theirs)[2].source, tokens(theirs)[1].status = "other", "typo"
    tokens(theirs)[0].ref_id = "w1"
    found = merge(base, mine, theirs)
    assert found is not None
    assert found.collisions == ()
    CompositeEdit(found.edits, "").apply(mine)
    assert [(word.id, word.polygon) for word in words(mine)] == [
        ("w2", SQUARE),
        ("w1", THIRD),
        ("w0", OTHER),
    ]
    assert mine.pages[0].lines[0].polygon == OTHER
    assert mine.sections[0].segments[0].translation == "two"
    assert [(t.source, t.status, t.ref_id) for t in tokens(mine)] == [
        ("text 0", "", "w1"),
        ("text 1", "typo", "w1"),
        ("other", "", "w2"),
    ]


def test_what_both_changed_is_named_unless_both_made_the_same_of_it() -> None:
    base, mine, theirs = versions()
    words(mine)[0].polygon, words(theirs)[0].polygon = OTHER, OTHER
    words(mine)[1].polygon, words(theirs)[1].polygon = OTHER, THIRD
    words(mine).pop(2)
    words(theirs)[2].polygon = THIRD
    found = merge(base, mine, theirs)
    assert found is not None
    assert (found.edits, found.collisions) == (
        (),
        ("page p line z word w1", "page p line z word w2"),
    )


def test_a_locked_line_is_left_alone() -> None:
    base, mine, theirs = versions()
    mine.pages[0].lines[0].locked = True
    words(theirs)[0].polygon = OTHER
    found = merge(base, mine, theirs)
    assert found is not None
    assert (found.edits, found.collisions) == ((), ("page p line z word w0",))


@pytest.mark.parametrize(
    "change",
    [
        lambda made: words(made).pop(),
        lambda made: words(made).reverse(),
        lambda made: tokens(made).append(Token("k9")),
        lambda made: setattr(made.pages[0], "width", 7),
        lambda made: setattr(words(made)[0], "id", "w1"),
    ],
)
def test_where_elements_came_went_or_moved_nothing_is_taken(change) -> None:
    base, mine, theirs = versions()
    change(theirs)
    assert merge(base, mine, theirs) is None


def test_where_ids_are_doubled_nothing_is_taken() -> None:
    base = document()
    words(base)[1].id = "w0"
    theirs = copy_document(base)
    words(theirs)[0].polygon = OTHER
    assert merge(base, copy_document(base), theirs) is None
