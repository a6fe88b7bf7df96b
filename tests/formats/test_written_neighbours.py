"""Pages in hOCR and GEDI, there and back: what a format can hold comes back as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from madcat_studio.formats.gedi_writer import write_gedi
from madcat_studio.formats.hocr_writer import write_hocr
from madcat_studio.formats.registry import read_layout
from madcat_studio.formats.source import Source
from madcat_studio.model.document import Polygon
from madcat_studio.model.layout import (
    TEXT_REGION,
    Layout,
    LayoutLine,
    LayoutPage,
    LayoutRegion,
    LayoutWord,
)

DATA = Path(__file__).parent.parent / "data"
PAGES = [
    *sorted((DATA / "real").glob("*.xml")),
    *sorted((DATA / "documents").glob("*.xml")),
]


def box(left: int, top: int, right: int, bottom: int) -> Polygon:
    return (left, top), (right, top), (right, bottom), (left, bottom)


SLANTED: Polygon = ((10, 40), (90, 30), (90, 60), (50, 66), (10, 60))


def a_page() -> LayoutPage:
    words = [
        LayoutWord("w1", box(10, 40, 30, 60), "„كتب"),
        LayoutWord("w2", ((35, 38), (50, 36), (50, 60), (35, 61)), "كتابا"),
        LayoutWord("w3", box(50, 36, 60, 60), '؟<&"'),
    ]
    first = LayoutLine("l1", SLANTED, ((10, 58), (90, 54)), '„كتب كتابا؟<&" -', words)
    second = LayoutLine("l2", box(10, 70, 90, 90), text="بلا كلمات ؛ 1;2")
    table = LayoutRegion("t", "TableRegion", box(5, 100, 95, 180))
    return LayoutPage(
        "p1", 'a; "b".tif', 200, 300, 300,
        [
            LayoutRegion("r1", TEXT_REGION, box(5, 30, 95, 95), lines=[first, second]),
            table,
            LayoutRegion("r2", TEXT_REGION, box(5, 190, 95, 199), "alone"),
            LayoutRegion("r3", TEXT_REGION, box(5, 200, 95, 219)),
        ],
    )  # fmt: skip


def again(data: bytes) -> LayoutPage:
    (page,) = read_layout(Source(data, "x")).layout.pages
    return page


def test_hocr_brings_back_outlines_words_texts_and_straight_baselines() -> None:
    page = a_page()
    written = write_hocr(Layout([page]), "x")
    read = again(written.files[0])
    assert [problem.code for problem in written.problems] == ["convert-baseline-derived"]
    line, other = read.regions[0].lines
    assert [(round(x), round(y)) for x, y in line.baseline] == [(10, 58), (90, 54)]
    assert other.baseline
    line.baseline = page.regions[0].lines[0].baseline
    assert line.text == '„كتب كتابا؟<&" -'
    other.baseline = ()
    page.image = "a; %22b%22.tif"
    assert read == page


def test_what_hocr_cannot_hold_is_told() -> None:
    page = a_page()
    region = page.regions[0]
    region.text, region.type, region.custom = "more", "heading", "a {b:c;}"
    region.lines[0].baseline = ((10, 58), (50, 30), (90, 54))
    region.lines[0].text = "something else"
    page.regions[2].parent = page.regions[1]
    page.regions[3].kind = "NoiseRegion"
    region.lines[0].traits = "LANG:de; STYLE:bold"
    told = {problem.what for problem in write_hocr(Layout([page]), "x").problems}
    assert told >= {
        "hOCR cannot hold the type “heading”",
        "hOCR cannot hold custom attributes of PAGE XML",
        "hOCR cannot hold text of a region beside that of its lines",
        "hOCR cannot hold a line's text beside that of its words",
        "hOCR cannot hold a baseline that is not straight",
        "hOCR cannot hold regions within others",
        "hOCR cannot hold regions of kind NoiseRegion",
        "hOCR cannot hold LANG",
        "hOCR cannot hold STYLE",
    }


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.name[-30:])
def test_gedi_brings_back_everything_but_the_resolution(path: Path) -> None:
    before = read_layout(Source(path.read_bytes(), path.name, path)).layout
    for page in before.pages:
        page.dpi = None
    written = write_gedi(before, path.name)
    after = read_layout(Source(written.files[0], path.name)).layout
    for one, other in zip(before.pages, after.pages, strict=True):
        regions = {id(r): n for each in (one, other) for n, r in enumerate(each.regions)}
        for region, back in zip(one.regions, other.regions, strict=True):
            assert (back.type, back.custom) == (region.type, region.custom)
            assert back.traits == region.traits
            assert regions.get(id(back.parent)) == regions.get(id(region.parent))
            assert (back.text or None) == (region.text or None)
            for line, came in zip(region.lines, back.lines, strict=True):
                assert (came.custom, came.traits) == (line.custom, line.traits)
                assert [word.traits for word in came.words] == [w.traits for w in line.words]
                assert (came.text or "").split() == (line.text or "").split()
                assert [word.text or "" for word in came.words] == [
                    word.text or "" for word in line.words
                ]
                if len(line.polygon) > 2 and not any(x % 1 or y % 1 for x, y in line.polygon):
                    assert came.polygon == line.polygon
                if not any(x % 1 or y % 1 for x, y in line.baseline):
                    assert came.baseline == (line.baseline if len(line.baseline) > 1 else ())


def test_each_zone_of_gedi_names_the_next_and_an_id_stands_once() -> None:
    page = a_page()
    page.regions[1].id = "l1"
    page.regions[2].id = "-1"
    page.regions[3].kind = "LineDrawingRegion"
    written = write_gedi(Layout([page]), "x")
    read = again(written.files[0])
    assert [line.id for line in read.regions[0].lines] == ["l1", "l2"]
    assert [region.id for region in read.regions] == ["r1", "zone_0", "zone_1", "r3"]
    assert [region.kind for region in read.regions][1:] == [
        "TableRegion", TEXT_REGION, "UnknownRegion",
    ]  # fmt: skip
    assert written.files[0].count(b"nextZoneID") == written.files[0].count(b"<DL_ZONE") - 1
