"""Where translations belong on a page: frames along its lines."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from madcat_studio.model.document import (
    Document,
    Line,
    Page,
    Polygon,
    Region,
    Section,
    Segment,
    Token,
    Word,
)
from madcat_studio.pages.passages import Frame, passages_of


def box(left: float, top: float, width: float, height: float, turn: float = 0.0) -> Polygon:
    """A rectangle turned around its middle, clockwise."""
    x0, y0, a = left + width / 2, top + height / 2, math.radians(turn)
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return tuple(
        (
            x0 + sx * width / 2 * math.cos(a) - sy * height / 2 * math.sin(a),
            y0 + sx * width / 2 * math.sin(a) + sy * height / 2 * math.cos(a),
        )
        for sx, sy in corners
    )


def document(
    lines: list[Line], segments: list[Segment], regions: Sequence[Region] = ()
) -> Document:
    page = Page("p1", 1000, 1000, 100, lines=lines, regions=list(regions))
    return Document("d", pages=[page], sections=[Section("s", segments=segments)])


def test_a_frame_lies_along_its_line_and_is_as_thick_as_it_is_on_average() -> None:
    # A line with an ascender that makes its box half as tall again.
    level: Polygon = ((0, 20), (60, 20), (60, 0), (80, 0), (80, 20), (200, 20), (200, 60), (0, 60))
    made = document(
        [Line("a", polygon=level), Line("b", polygon=box(100, 300, 400, 50, 4))],
        [Segment("s1", ["a", "b"], translation="one  two\nthree")],
    )
    (passage,) = passages_of(made, 0).set
    assert passage.text == "one two three"
    first, second = passage.frames
    assert first.thickness == pytest.approx(42, abs=0.5)
    assert first.length == pytest.approx(200, abs=3)
    assert second.angle == pytest.approx(4)
    assert second.length == pytest.approx(400)
    assert second.thickness == pytest.approx(50)
    assert second.centre == pytest.approx((300, 325))


@pytest.mark.parametrize(
    ("text", "places"), [("a b", [600, 250]), ("في بيت", [750, 400])], ids=["English", "Arabic"]
)
def test_parts_of_a_shared_line_stand_as_the_texts_are_read(text: str, places: list[int]) -> None:
    """The line is Arabic: its first part, 200 wide, lies on the right, its second on the left."""
    line = Line("z", polygon=box(0, 0, 1000, 40))
    line.words = [Word("w1", box(650, 0, 200, 40)), Word("w2", box(150, 0, 500, 40))]
    segments = [
        Segment("s1", tokens=[Token("t1", "w1")], translation=text),
        Segment("s2", tokens=[Token("t2", "w2")], translation=text),
    ]
    found = passages_of(document([line], segments), 0).set
    middles = [one.frames[0].centre[0] for one in found]
    assert middles == pytest.approx([250, 600] if text == "a b" else places)
    assert [one.frames[0].length for one in found] == pytest.approx([200, 500])
    # What gives way is where it was.
    assert max(x for x, _ in found[0].outlines[0]) == pytest.approx(850)


def test_texts_are_found_by_segment_region_and_line() -> None:
    lines = [Line(name, polygon=box(0, 100 * n, 500, 40)) for n, name in enumerate("abc")]
    lines[1].region = lines[2].region = "inner"
    regions = [
        Region("outer", "TableRegion", polygon=box(0, 100, 500, 200)),
        Region("inner", "TextRegion", parent="outer"),
        Region("note", "TextRegion", polygon=box(700, 0, 200, 60)),
    ]
    made = document(lines, [Segment("s1", ["a"], translation="own")], regions)
    texts = {"s1": "first", "outer": "second", "note": "third", "c": "fourth", "gone": "fifth"}
    found = passages_of(made, 0, texts)
    assert [(one.id, len(one.frames)) for one in found.set] == [
        ("s1", 1),
        ("outer", 2),
        ("note", 1),
    ]
    assert found.unknown == ("gone",)
    by_line = passages_of(made, 0, {"c": "fourth"})
    assert [one.id for one in by_line.set] == ["c"]
    assert by_line.untranslated == ("s1",)
    by_itself = passages_of(made, 0, {"a": "by its line"})
    assert by_itself.untranslated == ()


def test_what_has_no_outline_and_what_has_no_text_is_told() -> None:
    lines = [Line("a", polygon=box(0, 0, 500, 40)), Line("b", polygon=((1, 1), (2, 2)))]
    segments = [
        Segment("s1", ["a"], translation=" "),
        Segment("s2", ["b"], translation="nowhere"),
        Segment(None, translation="nowhere either"),
    ]
    found = passages_of(document(lines, segments), 0)
    assert found.set == ()
    assert found.untranslated == ("s1",)
    assert found.unplaced == ("s2", "#3")


@pytest.mark.parametrize(("from_left", "angle"), [(False, 90), (True, -90)])
def test_lines_of_a_page_on_its_side_are_read_one_below_the_other(from_left, angle) -> None:
    places = [100, 200, 300] if from_left else [300, 200, 100]
    lines = [Line(str(x), polygon=box(x, 0, 40, 800)) for x in places]
    made = document(lines, [Segment("s", [str(x) for x in places], translation="text")])
    (passage,) = passages_of(made, 0).set
    assert [round(one.angle) for one in passage.frames] == [angle] * 3
    assert passage.frames[0] == Frame((places[0] + 20, 400), 800, 40, pytest.approx(angle))


def test_a_text_over_two_pages_is_parted_by_the_lengths_of_its_lines() -> None:
    first = Line("a", polygon=box(0, 0, 600, 40))
    second = Line("b", polygon=box(0, 0, 200, 40))
    made = document([first], [Segment("s", ["a", "b"], translation="one two three four")])
    made.pages.append(Page("p2", 1000, 1000, 100, lines=[second]))
    parts = [passages_of(made, page).set[0].text for page in (0, 1)]
    assert parts == ["one two three", "four"]
