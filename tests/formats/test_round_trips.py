"""PAGE XML and ALTO become MADCAT and come back: nothing goes, a second pass changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madcat_studio.formats.alto_writer import VERSIONS as ALTO_VERSIONS
from madcat_studio.formats.alto_writer import write_alto
from madcat_studio.formats.kinds import FileFormat, recognise
from madcat_studio.formats.madcat_writer import new_bytes
from madcat_studio.formats.page_xml_writer import VERSIONS, write_page_xml
from madcat_studio.formats.schema import violations
from madcat_studio.formats.source import Source
from madcat_studio.model.completing import RESOLUTION, PageImage, completed, completed_layout
from madcat_studio.model.conversion import document_of
from madcat_studio.model.document import Polygon
from madcat_studio.model.layout import Layout, LayoutPage
from madcat_studio.operations.pages.convert import read_layout
from tests.formats.documents import examples
from tests.formats.test_schemas import any_layouts
from tests.workspace.layout_walks import FORMS

DATA = Path(__file__).parent.parent / "data"
FILES = [
    path
    for folder in ("real", "documents")
    for path in sorted((DATA / folder).glob("*.xml"))
    if b"<PcGts" in path.read_bytes() or b"<alto" in path.read_bytes()
]
WITH_TRAITS = {
    "dinglehopper_levels-are-different.page.xml": 2,
    "dinglehopper_test.alto2.xml": 8,
    "kraken_alto_bsb00084914_00007.xml": 5,
    "kraken_page_cPAS-2000.xml": 6,
    "prima_RegionTypes_2010-03-19.xml": 2,
    "prima_SimplePage.xml": 1,
    "prima_regiontypes_2013-07-15.xml": 2,
    "table.page.xml": 4,
}
"""How many things of a file have languages, directions, styles or a place in a table."""
MOMENT = datetime(2048, 1, 1, tzinfo=UTC)
Write = Callable[[Layout], bytes]


def layout_in(data: bytes) -> Layout:
    return read_layout(Source(data, "x")).layout


def to_madcat(data: bytes) -> bytes:
    document, _ = document_of(layout_in(data), "B", "x")
    made = new_bytes(completed(document, "x", lambda _name, _frame: None)[0])
    assert violations(Source(made, "x")) == []
    return made


def by(version: str) -> Write:
    if version in VERSIONS:
        return lambda layout: write_page_xml(layout, "x", version, MOMENT)[0][0]
    return lambda layout: write_alto(layout, "x", version)[0]


def outline(polygon: Polygon) -> list[tuple[int, int]]:
    """An outline on the pixels of its page; a point that is given twice in a row counts once."""
    return [point for point, _ in groupby((max(round(x), 0), max(round(y), 0)) for x, y in polygon)]


def page_facts(page: LayoutPage) -> list[Any]:
    """All that a page says."""
    numbers = {id(region): n for n, region in enumerate(page.regions)}
    return [
        page.traits,
        [
            [
                region.kind, region.type, region.custom, region.traits, (region.text or "").split(),
                outline(region.polygon), numbers.get(id(region.parent)),
                [
                    [
                        line.custom,
                        line.traits,
                        (line.text or "").split(),
                        [(word.text or None, word.traits) for word in line.words],
                    ]
                    for line in region.lines
                ],
            ]
            for region in page.regions
        ],
    ]  # fmt: skip


def facts(data: bytes) -> list[Any]:
    return [page_facts(page) for page in layout_in(data).pages]


def optional(data: bytes) -> list[Any]:
    """What a file need not say: its image, sizes of pages, outlines and baselines."""
    pages = layout_in(data).pages
    lines = [line for page in pages for region in page.regions for line in region.lines]
    said: list[Any] = [
        value or None for page in pages for value in (page.image, page.width, page.height)
    ]
    for line in lines:
        drawn = [line.polygon, line.baseline, *(word.polygon for word in line.words)]
        said += [outline(polygon) if len(polygon) > 1 else None for polygon in drawn]
    return said


def ids(data: bytes) -> list[str | None]:
    return [
        line.id
        for page in layout_in(data).pages
        for region in page.regions
        for line in region.lines
    ]


def there_and_back(data: bytes, write: Write) -> bytes:
    return write(layout_in(to_madcat(data)))


def assert_kept(data: bytes, write: Write) -> None:
    first = there_and_back(data, write)
    assert facts(first) == facts(data)
    assert ids(first) == ids(data)
    for before, after in zip(optional(data), optional(first), strict=True):
        assert before in (after, None)  # what is not said is made where it is asked for
    assert there_and_back(first, write) == first


def unordered(data: bytes) -> bytes:
    """A file that gives no order of reading."""
    return re.sub(rb"<ReadingOrder>.*?</ReadingOrder>", b"", data, flags=re.DOTALL)


@pytest.mark.long
@examples(60)
@given(
    any_layouts(),
    st.sampled_from([*VERSIONS, *ALTO_VERSIONS]),
    st.sampled_from(sorted(FORMS)),
    st.booleans(),
)
def test_any_page_in_any_form_comes_back_from_madcat(
    layout: Layout, version: str, form: str, ordered: bool
) -> None:
    comes_back(layout, version, form, ordered=ordered)


@pytest.mark.soak
@settings(max_examples=2000)
@given(
    any_layouts(),
    st.sampled_from([*VERSIONS, *ALTO_VERSIONS]),
    st.sampled_from(sorted(FORMS)),
    st.booleans(),
)
def test_soak_two_thousand_pages_come_back_from_madcat(
    layout: Layout, version: str, form: str, ordered: bool
) -> None:
    comes_back(layout, version, form, ordered=ordered)


def comes_back(layout: Layout, version: str, form: str, *, ordered: bool) -> None:
    layout.pages[1:] = []
    layout.pages[0].width = 9000
    write = by(version)
    data = write(layout)
    assert_kept(FORMS[form]((data if ordered else unordered(data)).decode()), write)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_every_real_file_comes_back_from_madcat(path: Path) -> None:
    data = path.read_bytes()
    write = by("2019" if recognise(Source(data, "x")) is FileFormat.PAGE else "4")
    first = write(layout_in(data))  # which lacks what no file of this revision can have
    assert_kept(first, write)
    again = there_and_back(data, write)
    assert facts(again) == facts(first)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_languages_styles_and_cells_of_every_real_file_come_back(path: Path) -> None:
    """In the revision of the file itself, where it follows that."""
    data = path.read_bytes()
    revision = re.search(rb"pagecontent/(\d{4})|ns-v(\d)#", data)
    named = next(filter(None, revision.groups())).decode() if revision else "2013"
    write = by("2019" if path.name == "kraken_page_cPAS-2000.xml" else named)
    before = traits_in(data)
    assert traits_in(there_and_back(data, write)) == before
    assert len(before) == WITH_TRAITS.get(path.name, 0)


def traits_in(data: bytes) -> list[str]:
    """All traits of a file, in its order."""
    found = [
        thing.traits
        for page in layout_in(data).pages
        for region in page.regions
        for thing in (region, *region.lines, *(w for line in region.lines for w in line.words))
    ]
    return [traits for traits in [*(p.traits for p in layout_in(data).pages), *found] if traits]


def test_what_madcat_asks_for_is_taken_from_the_image_or_made_and_told() -> None:
    data = b"""<PcGts><Page imageFilename="a.tif">
    <TextRegion id="r"><Coords points="1,1 80,1 80,9"/>
    <TextLine id="l"><Coords points=""/><Baseline points="2,8 70,8"/></TextLine>
    <TextLine id="l"><Coords points="2,2 3,3"/><Word id="w"/></TextLine>
    </TextRegion></Page></PcGts>"""
    document, told = document_of(layout_in(data), "B", "x")
    assert [problem.what for problem in told] == ["the id “l” occurs twice in the file"]
    made, told = completed(document, "x", lambda _name, _frame: None)
    page = made.pages[0]
    assert (page.width, page.height, page.dpi) == (80, 9, RESOLUTION)
    assert [line.polygon for line in page.lines] == [
        ((2, 8), (70, 8), (70, 8)),
        ((2, 2), (3, 3), (3, 3)),
    ]
    assert page.lines[1].words[0].polygon == page.lines[1].polygon
    assert [problem.code for problem in told] == [
        "page-size-assumed",
        "page-resolution-assumed",
        "convert-outline-made",
        "convert-outline-made",
    ]
    assert document.pages[0].lines[0].polygon == ()
    made, told = completed(document, "x", lambda _name, _frame: PageImage(90, 70, 600))
    page = made.pages[0]
    assert (page.width, page.height, page.dpi) == (90, 70, 600)
    assert [problem.code for problem in told] == ["convert-outline-made"] * 2
    layout = layout_in(data.replace(b"a.tif", b""))
    told = completed_layout(layout, "C", "x")
    assert [problem.code for problem in told] == ["page-image-assumed", "page-size-assumed"]
    made_page = layout.pages[0]
    assert (made_page.image, made_page.width, made_page.height) == ("C.tif", 80, 9)
    assert completed_layout(layout, "C", "x") == []
    document.src = None
    assert completed(document, "x", lambda _name, _frame: None)[0].src == "B.tif"
