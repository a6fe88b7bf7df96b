"""Edits of regions, baselines and whole segments, by value."""

from __future__ import annotations

import copy

import pytest

from madcat_studio.edits import (
    AddRegion,
    AddSegment,
    Edit,
    RegionValue,
    RemoveRegion,
    RemoveSegment,
    SegmentValue,
    SetBaseline,
    SetLineRegion,
    SetRegionKind,
    SetRegionOutline,
)
from madcat_studio.edits.arranging import add_line, region_at, remove_lines
from madcat_studio.edits.codec import edit_from_json, edit_to_json
from madcat_studio.edits.layouting import add_region, fresh_region_id, split_region
from madcat_studio.errors import InputError
from madcat_studio.model.change import EVERYTHING, Change
from madcat_studio.model.document import Document, Line, Page, Polygon, Region, Section, Segment


def box(left: int, top: int, right: int, bottom: int) -> Polygon:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def document() -> Document:
    """Two columns side by side, the right one read first, and a table with nothing in it."""
    regions = [
        Region("r1", "TextRegion", "heading", box(50, 0, 100, 100)),
        Region("r2", "TextRegion", None, box(0, 0, 50, 100)),
        Region("t", "TableRegion", None, box(0, 100, 100, 200)),
    ]
    lines = [
        Line(f"l{n}", polygon=box(left, top, left + 40, top + 9), region=region)
        for n, (left, top, region) in enumerate(
            [(55, 10, "r1"), (55, 30, "r1"), (5, 10, "r2"), (5, 30, "r2"), (5, 50, "r2")]
        )
    ]
    section = Section("s", None, [Segment("s1", ["l0"])])
    return Document(
        "d", pages=[Page("p", 100, 200, lines=lines, regions=regions)], sections=[section]
    )


REGIONS = Change(regions=frozenset({0}))
NEW = RegionValue("n", "TextRegion", "caption", box(1, 1, 2, 2), "words", "t", None, "a {b:c;}")


@pytest.mark.parametrize(
    ("edit", "label", "change", "look", "wanted"),
    [
        (
            SetBaseline(0, 1, ((1, 2), (3, 4))),
            "Change the baseline of a line",
            Change(lines=frozenset({(0, 1)})),
            lambda d: d.pages[0].lines[1].baseline,
            ((1, 2), (3, 4)),
        ),
        (
            SetBaseline(0, 1, ()),
            "Remove a baseline",
            Change(lines=frozenset({(0, 1)})),
            lambda d: d.pages[0].lines[1].baseline,
            (),
        ),
        (
            SetLineRegion(0, 0, "r2"),
            "Give a line to a region",
            REGIONS,
            lambda d: d.pages[0].lines[0].region,
            "r2",
        ),
        (
            SetRegionOutline(0, 2, box(1, 2, 3, 4)),
            "Change the outline of a region",
            REGIONS,
            lambda d: d.pages[0].regions[2].polygon,
            box(1, 2, 3, 4),
        ),
        (
            SetRegionKind(0, 2, "ImageRegion", "photo"),
            "Set a region's type",
            REGIONS,
            lambda d: (d.pages[0].regions[2].kind, d.pages[0].regions[2].type),
            ("ImageRegion", "photo"),
        ),
        (
            AddRegion(0, 1, NEW),
            "Add a region",
            REGIONS,
            lambda d: [RegionValue.of(region) for region in d.pages[0].regions][1],
            NEW,
        ),
        (
            RemoveRegion(0, 2),
            "Remove a region",
            REGIONS,
            lambda d: [region.id for region in d.pages[0].regions],
            ["r1", "r2"],
        ),
        (
            AddSegment(0, 0, SegmentValue("n", ("l1",), (), "text")),
            "Add a segment",
            EVERYTHING,
            lambda d: d.sections[0].segments[0],
            Segment("n", ["l1"], [], "text"),
        ),
        (
            RemoveSegment(0, 0),
            "Remove a segment",
            EVERYTHING,
            lambda d: d.sections,
            [Section("s")],
        ),
    ],
    ids=lambda each: type(each).__name__,
)
def test_each_edit_does_this_and_is_taken_back(
    edit: Edit, label: str, change: Change, look: object, wanted: object
) -> None:
    found = document()
    before = copy.deepcopy(found)
    assert edit_from_json(edit_to_json(edit)) == edit
    told, back = edit.apply(found)
    assert (edit.label, told, look(found)) == (label, change, wanted)  # type: ignore[operator]
    back.apply(found)
    assert found == before


def test_the_first_segment_brings_a_section_and_takes_it_along() -> None:
    found = document()
    found.sections.clear()
    _, back = AddSegment(0, 0, SegmentValue("s1")).apply(found)
    assert [len(section.segments) for section in found.sections] == [1]
    _, again = back.apply(found)
    assert found.sections == []
    again.apply(found)
    assert found.sections[0].segments[0].id == "s1"


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (RemoveRegion(0, 0), "edit.region-not-empty"),
        (SetRegionKind(0, 0, "ImageRegion", None), "edit.region-has-lines"),
        (RemoveRegion(0, 9), "edit.no-such-object"),
        (AddRegion(0, 9, NEW), "edit.no-such-place"),
        (SetRegionOutline(0, -1, ()), "edit.no-such-object"),
    ],
)
def test_what_makes_no_sense_is_refused(edit: Edit, code: str) -> None:
    found = document()
    before = copy.deepcopy(found)
    with pytest.raises(InputError) as caught:
        edit.apply(found)
    assert caught.value.code == code
    assert found == before


def test_a_region_that_holds_another_stays() -> None:
    found = document()
    AddRegion(0, 3, NEW).apply(found)
    with pytest.raises(InputError, match="region t"):
        RemoveRegion(0, 2).apply(found)


def test_a_new_region_is_read_last_and_lies_in_a_table_around_it() -> None:
    found = document()
    add_region(found, 0, box(10, 110, 40, 140)).apply(found)
    add_region(found, 0, box(10, 10, 40, 40)).apply(found)
    made = found.pages[0].regions[3:]
    assert [(region.id, region.parent) for region in made] == [("r4", "t"), ("r5", None)]
    assert fresh_region_id(found.pages[0]) == "r6"
    with pytest.raises(InputError, match="encloses nothing"):
        add_region(found, 0, box(10, 10, 10, 40))


def test_a_split_gives_each_line_to_the_part_that_it_lies_in() -> None:
    found = document()
    split_region(found, 0, 1, ((-5, 25), (60, 25))).apply(found)
    page = found.pages[0]
    assert [region.id for region in page.regions] == ["r1", "r2", "r4", "t"]
    assert [line.region for line in page.lines] == ["r1", "r1", "r2", "r4", "r4"]
    assert [max(y for _, y in page.regions[n].polygon) for n in (1, 2)] == [25, 100]


def test_lines_of_a_column_that_is_split_off_come_after_those_of_the_other() -> None:
    found = document()
    for line in found.pages[0].lines:
        line.region = "r1"
    found.pages[0].regions[0].polygon = box(0, 0, 100, 100)
    order = [0, 2, 1, 3, 4]  # as they stand side by side
    found.pages[0].lines[:] = [found.pages[0].lines[n] for n in order]
    split_region(found, 0, 0, ((50, -5), (50, 105))).apply(found)
    assert [line.id for line in found.pages[0].lines] == ["l0", "l1", "l2", "l3", "l4"]
    assert [line.region for line in found.pages[0].lines] == ["r1"] * 2 + ["r4"] * 3


@pytest.mark.parametrize(
    ("polygon", "at", "region"),
    [
        (box(5, 20, 45, 28), 3, "r2"),
        (box(55, 50, 95, 59), 2, "r1"),
        (box(5, 110, 45, 119), 5, None),  # no lines in a table
        (box(5, 0, 45, 5), 2, "r2"),
    ],
)
def test_a_line_is_drawn_in_its_region_and_at_its_place_there(
    polygon: Polygon, at: int, region: str | None
) -> None:
    found = document()
    add_line(found, 0, polygon, by_lines=True).apply(found)
    made = found.pages[0].lines[at]
    assert (made.id, made.region) == ("l5", region)
    assert region_at(found.pages[0], polygon) == region
    assert [segment.zone_refs for segment in found.segments()] == [["l0"], ["l5"]]
    remove_lines(found, 0, [at], unlink=True, by_lines=True).apply(found)
    assert found == document()
    plain = document()
    add_line(plain, 0, polygon).apply(plain)
    assert len(list(plain.segments())) == 1
