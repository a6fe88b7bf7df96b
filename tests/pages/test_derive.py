"""What each task's input holds of a reference, as values (plan, Table 6)."""

from __future__ import annotations

import copy

import pytest

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
from madcat_studio.pages.derive import Task, derive, withheld

OUTLINE = ((0, 0), (9, 0), (9, 9))
OTHER = ((20, 0), (29, 0), (29, 9))


def reference() -> Document:
    """A page of two lines; one segment names lines, one links words, one has neither."""
    lines = [
        Line("z0", "line", OUTLINE, [Word("t0", OUTLINE, 7), Word("t1", OTHER, 8)], 6, locked=True),
        Line(None, "paragraph", OTHER, [Word("t2", OTHER, 10)], 9),
    ]
    named = Segment("s1", ["z9", "z0"], [], " أ ب ", "A b", 11)
    linked = Segment(
        "s2",
        [],
        [
            Token("k1", "t1", "typo", "ت", 13),
            Token("k2", "", "missing", "ث", 14),
            Token("k3", None, None, "", 15),
            Token("k4", "t2", None, None, 16),
            Token("k5", "t0", "", "ج", 17),
        ],
        "ت ث",
        "T  th",
        12,
    )
    bare = Segment("s3", [], [], None, "", 18)
    return Document(
        "B_1_S",
        "B_1_S.tif",
        "newswire",
        1,
        "S",
        "2008.1",
        [Page("p1", 200, 100, 300, 8, lines, 5)],
        [Section("c1", "kind", [named, linked], 4), Section("c2", None, [bare], 3)],
        2,
        {("s2", "k1"): TokenError("typo", "ت", "ط")},
    )


def page(*, words: bool) -> Page:
    """The reference's page as every input has it: without ties to the reference's file."""
    first = [Word("t0", OUTLINE), Word("t1", OTHER)]
    lines = [
        Line("z0", "line", OUTLINE, first if words else []),
        Line(None, "paragraph", OTHER, [Word("t2", OTHER)] if words else []),
    ]
    return Page("p1", 200, 100, 300, 8, lines)


EXPECTED = {
    Task.LINE: [
        Segment("s1", ["z9", "z0"]),
        # The lines of its words, in the page's order; one without an id is named by none.
        Segment("s2", ["z0", ""]),
        Segment("s3"),
    ],
    Task.WORD: [
        Segment("s1", ["z9", "z0"]),
        Segment("s2", [], [Token("k1", "t1", ""), Token("k4", "t2", ""), Token("k5", "t0", "")]),
        Segment("s3"),
    ],
    Task.TEXT: [
        Segment("s1", ["z9", "z0"], [], " أ ب "),
        Segment(
            "s2",
            [],
            [
                Token("k1", "t1", "typo", "ت"),
                Token("k2", "", "missing", "ث"),
                Token("k3", None, None, ""),
                Token("k4", "t2", None, None),
                Token("k5", "t0", "", "ج"),
            ],
            "ت ث",
        ),
        Segment("s3"),
    ],
}


@pytest.mark.parametrize("task", Task)
def test_an_input_holds_what_its_task_gives_and_nothing_else(task: Task) -> None:
    given = reference()
    before = copy.deepcopy(given)
    first, second, third = EXPECTED[task]
    made = derive(given, task)
    assert made == Document(
        "B_1_S",
        "B_1_S.tif",
        "newswire",
        1,
        "S",
        "2008.1",
        [page(words=task is not Task.LINE)],
        [Section("c1", "kind", [first, second]), Section("c2", None, [third])],
    )
    assert not any(line.locked for line in made.pages[0].lines)
    assert given == before


def test_an_input_shares_nothing_with_its_reference() -> None:
    given = reference()
    made = derive(given, Task.TEXT)
    made.pages[0].lines[0].words.clear()
    made.sections[0].segments[0].zone_refs.append("z1")
    made.sections[0].segments[1].tokens[0].source = "?"
    assert given == reference()


def test_texts_that_must_not_come_along() -> None:
    given = reference()
    assert withheld(given, Task.TEXT) == {"A b", "T  th"}
    assert withheld(given, Task.WORD) == {"A b", "T  th", "أ ب", "ت ث", "ت", "ث", "ج"}
    assert withheld(given, Task.LINE) == withheld(given, Task.WORD)


def test_the_value_of_a_task_is_its_files_suffix() -> None:
    assert [task.value for task in Task] == ["lineseg", "wordseg", "textseg"]
