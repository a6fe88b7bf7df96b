"""Where segments stand on their scans."""

from __future__ import annotations

import pytest

from madcat_studio.model.document import (
    Document,
    Line,
    Page,
    Polygon,
    Section,
    Segment,
    Token,
    Word,
)
from madcat_studio.model.outlines import (
    SegmentLines,
    parse_lines,
    segment_lines,
    segment_names,
    spell_lines,
)


def box(x: float, y: float, width: float = 50) -> Polygon:
    return ((x, y), (x + width, y), (x + width, y + 20), (x, y + 20))


def page(number: int, lines: int = 3) -> Page:
    """Lines of two words: t0 t1, t2 t3 …; on page 2 they are named u0 u1, …."""
    letter = "tu"[number - 1]
    return Page(
        f"p{number}",
        lines=[
            Line(
                f"{letter}z{n}",
                "line",
                box(0, 40 * n, 200),
                [Word(f"{letter}{2 * n + k}", box(100 - 90 * k, 40 * n)) for k in range(2)],
            )
            for n in range(lines)
        ],
    )


def document(*segments: Segment, pages: int = 1) -> Document:
    made = [page(number + 1) for number in range(pages)]
    return Document("B_1_S", pages=made, sections=[Section("c", None, list(segments))])


def saying(name: str | None, *words: str) -> Segment:
    return Segment(name, tokens=[Token(None, word) for word in words])


def test_names_are_ids_and_unique() -> None:
    ids = ["s1", "s1", None, "", "s1", "s1#2", "#3"]
    assert segment_names([Segment(each) for each in ids]) == [
        "s1",
        "s1#2",
        "#3",
        "#4",
        "s1#3",
        "s1#2#2",
        "#3#2",
    ]


def test_a_line_of_ones_own_is_whole_and_a_shared_one_by_its_words() -> None:
    found = segment_lines(document(saying("s1", "t0", "t1", "t2"), saying("s2", "t3", "t4", "t5")))
    assert found == {
        "s1": SegmentLines(0, (box(0, 0, 200), box(100, 40))),
        "s2": SegmentLines(0, (box(10, 40), box(0, 80, 200))),
    }


def test_lines_that_are_named_are_whole_where_no_word_is_linked() -> None:
    named = Segment("s1", zone_refs=["tz2", "tz0"])
    assert segment_lines(document(named)) == {
        "s1": SegmentLines(0, (box(0, 0, 200), box(0, 80, 200)))
    }


def test_a_segment_that_stands_nowhere_is_left_out_but_keeps_its_number() -> None:
    found = segment_lines(document(Segment(None), saying(None, "t0", "t1"), saying("s3", "gone")))
    assert found == {"#2": SegmentLines(0, (box(0, 0, 200),))}


def test_a_segment_stands_on_the_page_where_it_begins() -> None:
    over = saying("s1", "t4", "t5", "u0", "u1")
    later = saying("s2", "u2", "u3")
    assert segment_lines(document(over, later, pages=2)) == {
        "s1": SegmentLines(0, (box(0, 80, 200),)),
        "s2": SegmentLines(1, (box(0, 40, 200),)),
    }


def test_an_outline_that_encloses_nothing_is_left_out() -> None:
    flat = document(saying("s1", "t0", "t1", "t2", "t3"), saying("s2", "t4", "t5"))
    lines = flat.pages[0].lines
    lines[0].polygon = ((0, 0), (9, 9))
    lines[2].polygon = ()
    assert segment_lines(flat) == {"s1": SegmentLines(0, (box(0, 40, 200),))}
    lines[0].polygon = ((0, 0), (9, 9), (9, 0))
    assert segment_lines(flat)["s1"].outlines[0] == ((0, 0), (9, 9), (9, 0))


@pytest.mark.parametrize(
    ("lines", "spelt"),
    [
        (None, ""),
        (SegmentLines(0, ()), "[0,[]]"),
        (SegmentLines(2, (((0, 1.0), (2.5, -3)),)), "[2,[[[0,1],[2.5,-3]]]]"),
        (
            SegmentLines(0, (((1, 2), (3, 4)), ((5, 6), (7, 8)))),
            "[0,[[[1,2],[3,4]],[[5,6],[7,8]]]]",
        ),
    ],
)
def test_lines_are_spelt_without_blanks_and_read_again(
    lines: SegmentLines | None, spelt: str
) -> None:
    assert spell_lines(lines) == spelt
    assert parse_lines(spelt) == lines
