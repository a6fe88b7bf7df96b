"""PAGE XML and ALTO are written as the published schemas ask, whatever there is to write."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madcat_studio.formats.alto import read_alto
from madcat_studio.formats.alto_writer import VERSIONS as ALTO_VERSIONS
from madcat_studio.formats.alto_writer import write_alto
from madcat_studio.formats.layouts import FreshNames
from madcat_studio.formats.page_xml import read_page_xml
from madcat_studio.formats.page_xml_writer import VERSIONS, write_page_xml
from madcat_studio.formats.schema import violations
from madcat_studio.formats.source import Source
from madcat_studio.model.document import Polygon
from madcat_studio.model.layout import Layout, LayoutLine, LayoutPage, LayoutRegion, LayoutWord
from madcat_studio.model.traits import traits_text
from tests.formats.documents import examples

DATA = Path(__file__).parent.parent / "data"
MOMENT = datetime(2048, 1, 1, tzinfo=UTC)

_ids = st.none() | st.sampled_from(
    ["a", "b", "c1", "0 a", "7", "é", "سطر", "a:b", "²", "", "x.y-z"]
)
_coordinates = st.integers(-50, 9000) | st.floats(-9, 99).map(lambda x: round(x, 2))
_polygons: st.SearchStrategy[Polygon] = st.lists(
    st.tuples(_coordinates, _coordinates), max_size=4
).map(tuple)
_texts = st.none() | st.text("سلام ab&<\n\t", max_size=8)
_any = st.text("aب;%:{} \n", max_size=5)
_TRAITS = {
    "primaryLanguage": st.sampled_from(["Arabic", "German", "no such"]),
    "readingDirection": st.sampled_from(["right-to-left", "rtl"]),
    "textLineOrder": st.just("top-to-bottom"),
    "align": st.sampled_from(["centre", "middle"]),
    "language": st.sampled_from(["Arabic", "de", ""]),
    "comments": _any,
    "lineSeparators": st.sampled_from(["true", "yes"]),
    "leftBorderVisible": st.just("false"),
    "style.bold": st.sampled_from(["true", "very"]),
    "style.fontFamily": _any,
    "style.fontSize": st.sampled_from(["12", "12.5", "large"]),
    "cell.rowIndex": st.sampled_from(["0", "1", "first"]),
    "cell.columnIndex": st.sampled_from(["0", "12"]),
    "cell.colSpan": st.just("2"),
    "LANG": st.sampled_from(["de", "ar-EG", "no such"]),
    "BASEDIRECTION": st.sampled_from(["rtl", "right"]),
    "STYLE": st.sampled_from(["bold italics", "big"]),
    "SUBS_TYPE": st.sampled_from(["HypPart1", "Part"]),
    "TextStyle.ID": st.sampled_from(["FONT0", "a", "0 a", ""]),
    "TextStyle.FONTSIZE": st.sampled_from(["9", "small"]),
    "TextStyle.FONTFAMILY": _any,
    "ParagraphStyle.ID": st.sampled_from(["PAR1", "b", "-"]),
    "ParagraphStyle.ALIGN": st.sampled_from(["Left", "left"]),
}
"""Traits that some revision or other has, with values that it may refuse."""
_traits = st.fixed_dictionaries({}, optional=_TRAITS).map(traits_text) | st.none()
_customs = st.none() | st.sampled_from(
    ["structure {type:header;}", "textStyle {offset:0; length:5; bold:true;}", "any thing"]
)
_words = st.lists(st.builds(LayoutWord, _ids, _polygons, _texts, traits=_traits), max_size=3)
_lines = st.lists(
    st.builds(
        LayoutLine, _ids, _polygons, _polygons, _texts, _words, custom=_customs, traits=_traits
    ),
    max_size=3,
)
_kinds = st.sampled_from(
    ["TextRegion", "TableRegion", "ImageRegion", "AdvertRegion", "CustomRegion", "OddRegion"]
)
_types = st.none() | st.sampled_from(["heading", "marginalia", "logo", "made up"])


@st.composite
def any_layouts(draw: st.DrawFn) -> Layout:
    """Layouts of all that a reader may bring, and that no format holds as it is."""
    pages = []
    for _ in range(draw(st.integers(1, 2))):
        regions: list[LayoutRegion] = []
        for _ in range(draw(st.integers(0, 4))):
            parent = draw(st.sampled_from([None, *regions]))
            regions.append(
                LayoutRegion(
                    draw(_ids), draw(_kinds), draw(_polygons), draw(_texts), draw(_lines),
                    draw(_types), parent, custom=draw(_customs), traits=draw(_traits),
                )
            )  # fmt: skip
        ordered = draw(st.booleans())
        pages.append(
            LayoutPage(
                draw(_ids),
                "a.tif",
                draw(st.integers(0, 9)),
                9,
                300,
                regions,
                ordered,
                traits=draw(_traits),
            )
        )
    return Layout(pages)


def texts_of(layout: Layout) -> list[str]:
    """The words of all lines, as the line says them, else as its words do; those of regions that
    have no lines.
    """
    return [
        word
        for page in layout.pages
        for region in page.regions
        for text in (
            [line.text or " ".join(w.text or "" for w in line.words) for line in region.lines]
            or [region.text or ""]
        )
        for word in text.split()
    ]


@pytest.mark.long
@examples(60)
@given(any_layouts(), st.sampled_from(list(VERSIONS)))
def test_any_layout_is_valid_page_xml(layout: Layout, version: str) -> None:
    valid_page_xml(layout, version)


@pytest.mark.soak
@settings(max_examples=2000)
@given(any_layouts(), st.sampled_from(list(VERSIONS)))
def test_soak_two_thousand_layouts_are_valid_page_xml(layout: Layout, version: str) -> None:
    valid_page_xml(layout, version)


def valid_page_xml(layout: Layout, version: str) -> None:
    """The fixture of all tests holds what is written against the schema."""
    many, _ = write_page_xml(layout, "x", version, MOMENT)
    again = Layout([read_page_xml(Source(data, "x")).layout.pages[0] for data in many])
    assert sorted(texts_of(again)) == sorted(texts_of(layout))


@pytest.mark.long
@examples(60)
@given(any_layouts(), st.sampled_from(ALTO_VERSIONS))
def test_any_layout_is_valid_alto(layout: Layout, version: str) -> None:
    valid_alto(layout, version)


@pytest.mark.soak
@settings(max_examples=2000)
@given(any_layouts(), st.sampled_from(ALTO_VERSIONS))
def test_soak_two_thousand_layouts_are_valid_alto(layout: Layout, version: str) -> None:
    valid_alto(layout, version)


def valid_alto(layout: Layout, version: str) -> None:
    data, lost = write_alto(layout, "x", version)
    again = read_alto(Source(data, "x"), lambda _image, _frame: None).layout
    if not any("beside that of its words" in problem.what for problem in lost):
        assert sorted(texts_of(again)) == sorted(texts_of(layout))


def test_the_schema_of_the_revision_that_a_file_names_is_asked() -> None:
    layout = Layout([LayoutPage(None, "a.tif", 9, 9, None, [LayoutRegion("r")])])
    (data,), _ = write_page_xml(layout, "x", "2013", MOMENT)
    assert violations(Source(data, "x")) == []
    newer = data.replace(b'id="r"', b'id="r" continuation="true"')
    assert [v.element for v in violations(Source(newer, "x"))] == ["TextRegion"]
    assert violations(Source(newer.replace(b"2013-07-15", b"2019-07-15"), "x")) == []
    assert violations(Source(newer.replace(b"2013-07-15", b"2099-01-01"), "x")) == []
    real = (DATA / "real" / "kraken_alto_invalid_mu.xml").read_bytes()
    assert [v.element for v in violations(Source(real, "x"))] == ["MeasurementUnit"]


def test_naming_what_has_no_id_asks_no_more_than_twice_for_each() -> None:
    class Counting(set[str]):
        asked = 0

        def __contains__(self, name: object) -> bool:
            Counting.asked += 1
            return super().__contains__(name)

    names = FreshNames()
    names._taken = Counting(f"w_{number}" for number in range(0, 8000, 2))
    made = [names.fresh("w") for _ in range(8000)]
    assert len(set(made)) == 8000
    assert not {name for name in made if int(name[2:]) % 2 == 0 and int(name[2:]) < 8000}
    assert Counting.asked <= 2 * 8000 + 4000


def page_regions(name: str) -> list[LayoutRegion]:
    source = Source((DATA / "documents" / name).read_bytes(), name)
    return read_page_xml(source).layout.pages[0].regions


def test_a_region_that_no_order_lists_stands_where_its_parent_does() -> None:
    regions = page_regions("nested-table-order.page.xml")
    assert [line.text for region in regions for line in region.lines] == ["cell", "after table"]
    assert [region.parent and region.parent.id for region in regions] == [None, "t", None]


def test_the_lines_of_a_table_are_read_in_order() -> None:
    regions = page_regions("table.page.xml")
    texts = [line.text for region in regions for line in region.lines]
    assert texts == ["Name", "Year", "of entry", "A. Writer", "1871", "below the table"]
    assert [region.parent and region.parent.id for region in regions][1:5] == ["t1"] * 4
    (data,), _ = write_page_xml(Layout([LayoutPage(None, "a", 9, 9, None, regions)]), "x")
    again = read_page_xml(Source(data, "x")).layout.pages[0].regions
    assert again == regions
    assert [region.parent and region.parent.id for region in again][1:5] == ["t1"] * 4


@pytest.mark.parametrize(
    ("string", "text", "words"),
    [
        ('<String CONTENT="a line" HPOS="1" VPOS="1" WIDTH="8" HEIGHT="8"/>', "a line", []),
        ('<String ID="s" CONTENT="a line"/>', "a line", []),
        ('<String CONTENT="word" HPOS="1" VPOS="1" WIDTH="8" HEIGHT="8"/>', "word", []),
        ('<String CONTENT="word"/>', "word", []),
        ('<String CONTENT=""/>', None, []),
        ('<String ID="s" CONTENT="word"/>', "word", ["word"]),
        ('<String CONTENT="word" HPOS="2" VPOS="1" WIDTH="7" HEIGHT="8"/>', "word", ["word"]),
        ('<String CONTENT="a b"/><SP/><String CONTENT="c"/>', "a b c", ["a b", "c"]),
    ],
)
def test_a_line_in_one_string_is_the_text_of_the_line(
    string: str, text: str | None, words: list[str]
) -> None:
    data = f"""<alto><Layout><Page WIDTH="9" HEIGHT="9"><PrintSpace><TextBlock ID="b">
    <TextLine ID="l" HPOS="1" VPOS="1" WIDTH="8" HEIGHT="8">{string}</TextLine>
    </TextBlock></PrintSpace></Page></Layout></alto>"""
    found = read_alto(Source(data.encode(), "x"), lambda _image, _frame: None).layout
    line = found.pages[0].regions[0].lines[0]
    assert (line.text, [word.text for word in line.words]) == (text, words)


@pytest.mark.parametrize(
    ("text", "words", "elements", "lost"),
    [
        ("a b", ["a", "b"], ["String", "SP", "String"], False),
        ("one two-", ["one", "two"], ["String", "SP", "String", "HYP"], False),
        ("ab c", ["a", "b", "c"], ["String", "String", "SP", "String"], False),
        ("ab", ["a", "b"], ["String", "SP", "String"], True),
        ("a b -", ["a", "b"], ["String", "SP", "String"], True),
        ("a", ["<"], ["String"], True),
        ("a<", ["a "], ["String"], True),
        ("b a", ["a", "b"], ["String", "SP", "String"], True),
        (None, ["a", "b"], ["String", "SP", "String"], False),
    ],
)
def test_blanks_and_a_hyphen_stand_in_alto_where_the_line_says_them(
    text: str | None, words: list[str], elements: list[str], lost: bool
) -> None:
    box = ((1, 1), (9, 1), (9, 9))
    line = LayoutLine("l", box, (), text, [LayoutWord(None, box, word) for word in words])
    layout = Layout([LayoutPage("p", "a", 9, 9, None, [LayoutRegion("r", lines=[line])])])
    data, told = write_alto(layout, "x")
    assert re.findall(r"<(String|SP|HYP)", data.decode()) == elements
    assert any("beside that of its words" in problem.what for problem in told) == lost
    again = read_alto(Source(data, "x"), lambda _image, _frame: None).layout
    assert again.pages[0].regions[0].lines[0].text == (" ".join(words) if lost else text or "a b")


def test_blocks_within_blocks_and_what_they_are_for_pass_through_alto() -> None:
    def line(name: str) -> LayoutLine:
        return LayoutLine(name, ((1, 1), (9, 1), (9, 9)), ((1, 8), (9, 8)), f"text of {name}")

    table = LayoutRegion("t", "TableRegion", ((0, 0), (9, 0), (9, 9)))
    cell = LayoutRegion("c", lines=[line("l1")], polygon=table.polygon, parent=table)
    margin = LayoutRegion("m", lines=[line("l2")], polygon=table.polygon, type="marginalia")
    layout = Layout([LayoutPage("p", "a.tif", 9, 9, None, [table, margin, cell])])
    data, lost = write_alto(layout, "x")
    assert lost == []
    again = read_alto(Source(data, "x"), lambda _image, _frame: None).layout
    assert again == layout
    parents: Any = [region.parent and region.parent.id for region in again.pages[0].regions]
    assert parents == [None, None, "t"]
