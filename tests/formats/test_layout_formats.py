"""PAGE XML, ALTO, hOCR and GEDI: what each real file gives, and writing them back."""

from __future__ import annotations

import gc
import re
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from madcat_studio.errors import FormatError
from madcat_studio.formats import madcat
from madcat_studio.formats.alto import read_alto
from madcat_studio.formats.alto_writer import write_alto
from madcat_studio.formats.gedi import read_gedi
from madcat_studio.formats.hocr import read_hocr
from madcat_studio.formats.layouts import ReadLayout
from madcat_studio.formats.madcat_writer import new_bytes
from madcat_studio.formats.numbers import MOST, Points, _points, holds_points, number, points_of
from madcat_studio.formats.page_xml import read_page_xml
from madcat_studio.formats.page_xml_writer import VERSIONS, write_page_xml
from madcat_studio.formats.registry import read_layout
from madcat_studio.formats.schema import violations
from madcat_studio.formats.source import Source
from madcat_studio.garbage import uncollected
from madcat_studio.model.conversion import document_of, layout_of
from madcat_studio.model.layout import Layout, LayoutLine, LayoutPage, LayoutRegion, LayoutWord
from madcat_studio.model.problem import Problem
from tests.formats.documents import examples

TABLE = Path(__file__).parent.parent / "data/documents/table.page.xml"

REAL = Path(__file__).parent.parent / "data" / "real"
MOMENT = datetime(2048, 1, 1, tzinfo=UTC)


def source(name: str) -> Source:
    return Source((REAL / name).read_bytes(), name)


def page(name: str) -> ReadLayout:
    return read_page_xml(source(name))


def alto(name: str, size: tuple[int, int] | None = None) -> ReadLayout:
    return read_alto(source(name), lambda _image, _frame: size)


def codes(read: ReadLayout) -> set[str]:
    return {problem.code for problem in read.problems}


def counts(read: ReadLayout) -> tuple[int, int, int]:
    regions = [region for found in read.layout.pages for region in found.regions]
    lines = [line for region in regions for line in region.lines]
    return len(regions), len(lines), sum(len(line.words) for line in lines)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rasam_BULAC_MS_ARA_417_0010.xml", (1, 12, 0)),
        ("rasam_BULAC_MS_ARA_1926_0179.xml", (2, 6, 0)),
        ("kraken_170025120000003,0074.xml", (4, 44, 0)),
        ("kraken_page_cPAS-2000.xml", (4, 97, 0)),
        ("kraken_page_missing_coords_transkribus.xml", (3, 4, 0)),
        ("dinglehopper_levels-are-different.page.xml", (1, 2, 16)),
    ],
)
def test_page_files(name: str, expected: tuple[int, int, int]) -> None:
    assert counts(page(name)) == expected


def test_empty_coords_and_baselines_from_right_to_left_stay() -> None:
    lines = page("rasam_BULAC_MS_ARA_417_0010.xml").layout.pages[0].regions[0].lines
    assert all(line.polygon == () for line in lines)
    assert lines[0].baseline == ((3415, 788), (1419, 792))
    assert lines[0].text == "الجيلاني الخروب القلعى وكان قد تخذ"


def test_reading_order_decides_and_its_absence_is_told() -> None:
    found = page("kraken_170025120000003,0074.xml")
    assert [region.id for region in found.layout.pages[0].regions] == [
        "region_1469098609000_462",
        "region_1469098557906_461",
        "TextRegion_1520586482298_194",
        "TextRegion_1520586482298_193",
    ]
    assert "reading-order-missing" not in codes(found)
    assert "reading-order-missing" in codes(page("rasam_BULAC_MS_ARA_1926_0179.xml"))
    transkribus = page("kraken_page_missing_coords_transkribus.xml").layout.pages[0]
    assert [region.id for region in transkribus.regions] == ["r1", "r_nocoords", "r2"]
    assert transkribus.regions[1].polygon == ()
    shuffled = (REAL / "kraken_page_missing_coords_transkribus.xml").read_bytes()
    shuffled = shuffled.replace(b"{index:0;}", b"{index:9;}", 1)
    again = read_page_xml(Source(shuffled, "x")).layout.pages[0]
    assert [region.id for region in again.regions] == ["r_nocoords", "r2", "r1"]


def test_levels_that_differ_are_told_and_both_kept() -> None:
    found = page("dinglehopper_levels-are-different.page.xml")
    assert "text-levels-differ" in codes(found)
    line = found.layout.pages[0].regions[0].lines[1]
    words = [word.text for word in line.words]
    assert line.text is not None
    assert sorted(line.text.split()) == sorted(words)  # type: ignore[type-var]
    assert line.text.split() != words
    assert "Glyph (73 times) is not copied" in [p.what for p in found.problems]
    assert found.layout.pages[0].dpi == 300


@pytest.mark.parametrize(
    ("element", "custom", "left", "kind"),
    [
        ("TextLine", "readingOrder {index:1;}", None, None),
        (
            "TextLine",
            "readingOrder {index:1;} structure {type:heading;}",
            "structure {type:heading;}",
            None,
        ),
        (
            "TextLine",
            "textStyle {offset:0;} textStyle {offset:3;} x",
            "textStyle {offset:0;} textStyle {offset:3;} x",
            None,
        ),
        ("TextRegion", "readingOrder {index:1;} structure {type:stamp;}", None, "stamp"),
        (
            "TextRegion",
            "structure {type:stamp; score:0.9;}",
            "structure {type:stamp; score:0.9;}",
            "stamp",
        ),
        (
            'TextRegion type="heading"',
            "structure {type:stamp;}",
            "structure {type:stamp;}",
            "heading",
        ),
        ("TextRegion", "", None, None),
    ],
)
@pytest.mark.parametrize("between", ["page", "madcat"])
def test_what_custom_says_besides_order_and_type_goes_along(
    element: str, custom: str, left: str | None, kind: str | None, between: str
) -> None:
    bare = """<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">
<Page imageFilename="a" imageWidth="9" imageHeight="9"><TextRegion id="r"><Coords points="1,1 8,8"/>
<TextLine id="l"><Coords points="1,1 8,8"/></TextLine></TextRegion></Page></PcGts>"""
    name = element.split()[0]
    data = bare.replace(f"<{name} ", f'<{element} custom="{custom}" ', 1)
    read = read_page_xml(Source(data.encode(), "x"))
    assert not any("custom" in problem.what for problem in read.problems)
    layout = read.layout
    if between == "madcat":
        document = document_of(layout, "B", "x")[0]
        again = madcat.read_bytes(new_bytes(document), "x").document
        layout = layout_of(again, "x")[0]
    (written,), _ = write_page_xml(layout, "x", created=MOMENT)
    for found in (read.layout, read_page_xml(Source(written, "x")).layout):
        region = found.pages[0].regions[0]
        assert (region if name == "TextRegion" else region.lines[0]).custom == left
        assert region.type == kind
    alto, lost = write_alto(layout, "x")
    parts = re.findall(r"(\w+) \{", left or "")
    if name == "TextLine" and left == "structure {type:heading;}":
        # The type of a line is a tag there, and the same again in PAGE XML.
        parts.remove("structure")
        assert b'TYPE="line" LABEL="heading"' in alto
        again = read_alto(Source(alto, "x"), lambda _i, _f: None).layout.pages[0]
        assert again.regions[0].lines[0].custom == left
    assert [what.what for what in lost if "custom" in what.what] == [
        f"ALTO 4 cannot hold “{part}” of a custom attribute" for part in dict.fromkeys(parts)
    ]


def test_the_same_page_in_two_revisions_gives_one_layout() -> None:
    old = page("prima_RegionTypes_2010-03-19.xml").layout.pages[0]
    new = page("prima_regiontypes_2013-07-15.xml").layout.pages[0]
    assert (old.image, old.width, old.height) == (new.image, new.width, new.height)
    by_id = {region.id: region for region in new.regions}
    text = [region for region in old.regions if region.kind == "TextRegion"]
    assert text
    for region in text:
        other = by_id[region.id]
        assert (region.polygon, region.text, region.lines) == (
            other.polygon,
            other.text,
            other.lines,
        )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("dinglehopper_test.alto2.xml", (10, 30, 244)),
        ("kraken_alto_bsb00084914_00007.xml", (5, 31, 59)),
        ("kraken_alto_zero_dims.xml", (0, 0, 0)),
    ],
)
def test_alto_files(name: str, expected: tuple[int, int, int]) -> None:
    assert counts(alto(name)) == expected


def test_alto_quirks() -> None:
    mark = alto("dinglehopper_test.alto2.xml")
    assert mark.layout.pages[0].regions[0].lines[0].text == "142"
    assert mark.layout.pages[0].regions[0].lines[0].polygon == (
        (942, 180),
        (1002, 180),
        (1002, 211),
        (942, 211),
    )
    flat = alto("kraken_alto_bsb00084914_00007.xml")
    assert flat.layout.pages[0].regions[0].polygon[0] == (812, 606)
    assert "reading-orders" in codes(flat)
    unit = alto("kraken_alto_invalid_mu.xml")
    assert {"unit-illegal", "unit-unknown"} <= codes(unit)
    nothing = alto("kraken_alto_zero_dims.xml", (123, 45))
    assert (nothing.layout.pages[0].width, nothing.layout.pages[0].height) == (123, 45)
    assert "page-size-missing" in codes(nothing)


def test_alto_that_claims_pixels_is_scaled_to_its_image() -> None:
    data = b"""<alto><Description><MeasurementUnit>pixel</MeasurementUnit><sourceImageInformation>
    <fileName>a.tif</fileName></sourceImageInformation></Description><Layout>
    <Page WIDTH="612" HEIGHT="792"><PrintSpace><TextBlock ID="b"><TextLine HPOS="100" VPOS="200"
    WIDTH="12" HEIGHT="24" BASELINE="220"/></TextBlock></PrintSpace></Page></Layout></alto>"""
    found = read_alto(Source(data, "a"), lambda _i, _f: (2550, 3300))
    line = found.layout.pages[0].regions[0].lines[0]
    scale = 2550 / 612
    assert line.polygon[2] == pytest.approx((112 * scale, 224 * scale))
    assert line.baseline[1] == pytest.approx((112 * scale, 220 * scale))
    assert "unit-wrong" in codes(found)
    stretched = read_alto(Source(data, "a"), lambda _i, _f: (2550, 3000))
    assert "page-shape-differs" in codes(stretched)
    assert codes(read_alto(Source(data, "a"), lambda _i, _f: (612, 792))) == set()
    millimetres = data.replace(b">pixel<", b">mm10<")
    assert codes(read_alto(Source(millimetres, "a"), lambda _i, _f: (2550, 3300))) == set()


def test_hocr() -> None:
    found = read_hocr(source("hocrtools_tess.hocr"))
    assert counts(found)[1:] == (37, 503)
    first = found.layout.pages[0].regions[0].lines[0]
    assert first.text == "1 Down the Rabbit-Hole"
    assert first.words[1].polygon == ((588, 528), (787, 528), (787, 581), (588, 581))
    assert first.baseline[0] == (470, 580)
    assert first.baseline[1] == pytest.approx((1383, 580 + 0.005 * 913))
    assert found.layout.pages[0].image == "alice_1.png"
    bare = read_hocr(source("ocrsamples_433934212_0017.hocr.html"))
    assert bare.layout.pages[0].image == "433934212_0017.bin.png"
    assert "page-size-missing" in codes(bare)
    broken = (
        b"<div class=ocr_page title='bbox 0 0 9 9'><p><span class=ocr_line title='bbox 1 1 2 2'>x"
    )
    assert counts(read_hocr(Source(broken, "x"))) == (1, 1, 0)
    with pytest.raises(FormatError):
        read_hocr(Source(b"<html><body>no</body></html>", "x"))
    odd = (
        b"<div class=ocr_page title='image a&#1;b.tif; bbox 0 0 9 9'>"
        b"<span class=ocr_line id='&#2;l'>a&#11;b</span></div>"
    )
    layout = read_hocr(Source(odd, "x")).layout
    line = layout.pages[0].regions[0].lines[0]
    assert (layout.pages[0].image, line.id, line.text) == ("ab.tif", "l", "ab")
    assert write_alto(layout, "x")[0]


def test_gedi() -> None:
    path = REAL.parent / "madcat" / "synthetic_gedi.xml"
    found = read_gedi(Source(path.read_bytes(), "gedi"))
    assert counts(found) == (1, 3, 11)
    lines = found.layout.pages[0].regions[0].lines
    assert [len(line.words) for line in lines] == [3, 4, 4]
    assert lines[0].text == "وصل الوفد إلى"
    assert lines[0].words[0].polygon[0] == (2264, 343)


@pytest.mark.parametrize(
    ("name", "before", "after", "told"),
    [
        (
            "line-in-one-string.alto.xml",
            ' HEIGHT="[^"]*"',
            ' HEIGHT="1.6478e"',
            "HEIGHT is “1.6478e”",
        ),
        ("line-in-one-string.alto.xml", ' HPOS="[^"]*"', ' HPOS="ten"', "HPOS is “ten”"),
        ("line-transcribed.page.xml", ' points="[^"]*"', ' points="1,2 3"', "points is “1,2 3”"),
        (
            "line-transcribed.page.xml",
            ' points="[^"]*"',
            ' points="1,2 3,x"',
            "points is “1,2 3,x”",
        ),
        ("line-transcribed.page.xml", 'imageWidth="', 'imageWidth="w', "imageWidth is “w"),
        ("rotated.gedi.xml", 'col="', 'col="c', "col is “c"),
    ],
)
def test_a_number_that_cannot_be_read_is_told_once_a_kind_with_its_place(
    name: str, before: str, after: str, told: str
) -> None:
    text = (REAL.parent / "documents" / name).read_text("utf-8")
    read = {"alto": read_alto_plain, "page": read_page_xml, "gedi": read_gedi}[name.split(".")[1]]
    assert not [one for one in read(Source(text.encode(), name)).problems if unreadable(one)]
    broken, count = re.subn(before, after, text)
    assert count
    found = [one for one in read(Source(broken.encode(), name)).problems if unreadable(one)]
    assert any(told in one.what for one in found), found
    assert all(one.where.line for one in found)
    assert len({one.what.split(" is ")[0] for one in found}) == len(found)


def unreadable(problem: Problem) -> bool:
    return problem.code == "number-unreadable"


def read_alto_plain(given: Source) -> ReadLayout:
    return read_alto(given, lambda _image, _frame: None)


@examples(200)
@given(st.text("0123456789,,  .-+e_\n\u0661x", max_size=40))
def test_points_are_the_same_however_quickly_they_are_read(text: str) -> None:
    """Whole numbers are read by a shorter way; against the general one, told by its words."""
    found = [number(one) for one in NUMBER.findall(text)]
    pairs = zip(found[::2], found[1::2], strict=False)
    wanted = tuple((x, y) for x, y in pairs if x is not None and y is not None)
    assert points_of(text) == wanted
    for one in NUMBER.findall(text):
        value = float(one)
        assert number(one) == (value if abs(value) < MOST else None)
    clean = not NUMBER.sub("", text).strip(" ,\n") and len(found) % 2 == 0
    assert _points(text)[1] == clean


ODD_POINTS = st.text("0123456789,  .-x\u0661", max_size=12)
PLAIN_POINTS = st.lists(st.tuples(st.integers(0, 10**10), st.integers(0, 9)), min_size=1).map(
    lambda pairs: " ".join(f"{x},{y}" for x, y in pairs)
)


@pytest.mark.long
@examples(200)
@given(st.lists(PLAIN_POINTS | PLAIN_POINTS | PLAIN_POINTS | ODD_POINTS))
@example(["1,2 3,4", "5 6", "7", "", " ", "1,2"])
@example(["1,,2 3", "1,2", "1234567890,1"])
@example(["9" * 400 + ",1", "1,2"])
def test_points_of_a_file_are_read_at_once_as_they_are_alone(texts: list[str]) -> None:
    together = Points(texts)
    # As texts, since a number of another kind may be equal.
    assert [str(together[text]) for text in texts] == [str(points_of(text)) for text in texts]
    assert together.odd == (not all(map(holds_points, texts)))


NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def gedi(*zones: str) -> ReadLayout:
    made = "".join(f'<DL_ZONE gedi_type="DL_TEXTLINE" {zone}/>' for zone in zones)
    page = f'<DL_PAGE width="900" height="900">{made}</DL_PAGE>'
    text = f"<GEDI><DL_DOCUMENT>{page}</DL_DOCUMENT></GEDI>"
    return read_gedi(Source(text.encode(), "gedi"))


def test_gedi_boxes_that_are_turned_and_an_order_of_their_own() -> None:
    path = REAL.parent / "documents" / "rotated.gedi.xml"
    found = read_gedi(Source(path.read_bytes(), "gedi"))
    first, region = found.layout.pages[0].regions
    assert [line.id for line in first.lines] == ["2", "1"], "each names the next one"
    turned, straight = first.lines
    assert straight.polygon == ((100, 100), (300, 100), (300, 130), (100, 130))
    # Around (200, 215), by 45 degrees: half the width and half the height along the diagonals.
    along, across = 100 / 2**0.5, 15 / 2**0.5
    assert turned.polygon[0] == pytest.approx((200 - along + across, 215 - along - across))
    assert turned.polygon[1] == pytest.approx((200 + along + across, 215 + along - across))
    assert region.text == "hello words"
    assert [problem.code for problem in found.problems].count("zone-turned") == 1
    assert not [one for one in found.problems if "orientationD" in one.what.split(" ")[0]]


@pytest.mark.parametrize(
    ("zones", "order", "unclear"),
    [
        (['id="1" nextZoneID="3"', 'id="2"', 'id="3" nextZoneID="2"'], "132", 0),
        (['id="1"', 'id="2" nextZoneID="-1"', 'id="3" nextZoneID="0"'], "123", 0),
        (['id="1" nextZoneID="2"', 'id="2" nextZoneID="1"', 'id="3"'], "312", 0),  # goes round
        (['id="1" nextZoneID="9"', 'id="2" nextZoneID="2"'], "12", 1),
        (['id="1" nextZoneID="3"', 'id="2" nextZoneID="3"', 'id="3"'], "132", 1),
    ],
)
def test_gedi_zones_are_read_once_each_whatever_they_name(
    zones: list[str], order: str, unclear: int
) -> None:
    found = gedi(*zones)
    [region] = found.layout.pages[0].regions
    assert "".join(line.id or "" for line in region.lines) == order
    assert sum(one.code == "zone-order-unclear" for one in found.problems) == unclear


def test_a_region_without_an_outline_gets_the_box_of_its_lines_in_page_xml() -> None:
    path = REAL.parent / "madcat" / "synthetic_gedi.xml"
    layout = read_gedi(Source(path.read_bytes(), "gedi")).layout
    assert layout.pages[0].regions[0].polygon == ()
    points = [point for line in layout.pages[0].regions[0].lines for point in line.polygon]
    (data,), _ = write_page_xml(layout, "x", "2019", MOMENT)
    box = read_page_xml(Source(data, "x")).layout.pages[0].regions[0].polygon
    assert box[0] == (min(x for x, _ in points), min(y for _, y in points))
    assert box[2] == (max(x for x, _ in points), max(y for _, y in points))


def test_points() -> None:
    assert points_of("1,2 3.5,-4") == points_of("1 2 3.5 -4") == ((1, 2), (3.5, -4))
    assert points_of("") == points_of(None) == ()
    assert points_of("1,2 3") == ((1, 2),)


# Writing

_ids = st.integers(0, 10**6).map(lambda n: f"x{n}")
_coordinates = st.integers(0, 5000)
_polygons = st.lists(st.tuples(_coordinates, _coordinates), min_size=3, max_size=6).map(tuple)
_texts = st.none() | st.text("سلام abc&<é\"'", min_size=1, max_size=8).filter(str.strip)


@st.composite
def layouts(draw: st.DrawFn, *, alto: bool) -> Layout:
    """Layouts that the format can hold whole."""
    number = iter(range(10_000))

    def words() -> list[LayoutWord]:
        return [
            LayoutWord(f"w{next(number)}", draw(_polygons), draw(_texts))
            for _ in range(draw(st.integers(1 if alto else 0, 3)))
        ]

    def line() -> LayoutLine:
        found = LayoutLine(f"l{next(number)}", draw(_polygons), draw(_polygons), None, words())
        if alto and len(found.words) == 1:  # with blanks it would be the line's text
            found.words[0].text = "_".join((found.words[0].text or "").split()) or None
        spelt = " ".join(w.text or "" for w in found.words) if alto else None
        found.text = (spelt or None) if alto else draw(_texts)
        if found.text is None and not alto:
            found.text = " ".join(w.text for w in found.words if w.text) or None
        return found

    regions = [
        LayoutRegion(
            f"r{next(number)}",
            "TextRegion",
            draw(_polygons),
            None,
            [line() for _ in range(draw(st.integers(0, 3)))],
        )
        for _ in range(draw(st.integers(0, 3)))
    ]
    return Layout([LayoutPage("p0" if alto else None, "a.tif", 5000, 6000, None, regions)])


@pytest.mark.long
@examples(30)
@given(layouts(alto=False), st.sampled_from([v for v in VERSIONS if v != "2010"]))
def test_page_xml_written_and_read_is_the_same(layout: Layout, version: str) -> None:
    (data,), lost = write_page_xml(layout, "x", version, MOMENT)
    assert lost == []
    assert read_page_xml(Source(data, "x")).layout == layout


@pytest.mark.long
@examples(30)
@given(layouts(alto=True))
def test_alto_written_and_read_is_the_same(layout: Layout) -> None:
    data, lost = write_alto(layout, "x")
    assert lost == []
    again = read_alto(Source(data, "x"), lambda _i, _f: None).layout
    for region in again.pages[0].regions:
        for line in region.lines:
            line.text = " ".join((line.text or "").split()) or None
    for region in layout.pages[0].regions:
        for line in region.lines:
            line.text = " ".join((line.text or "").split()) or None
    assert again == layout


def test_what_an_old_revision_cannot_hold_is_listed() -> None:
    line = LayoutLine("z0", ((1, 1), (9, 1), (9, 9)), ((1, 8), (9, 7)), "x")
    layout = Layout([LayoutPage("p", "a.tif", 10, 10, 600, [LayoutRegion("r", lines=[line])])])
    (data,), lost = write_page_xml(layout, "x", "2010", MOMENT)
    assert [p.what for p in lost] == [
        "PAGE 2010 cannot hold the resolution",
        "PAGE 2010 cannot hold baselines",
    ]
    assert [p.code for p in lost] == ["convert-aside", "convert-lost"]
    assert read_page_xml(Source(data, "x")).layout.pages[0].id == "p"
    assert read_page_xml(Source(data, "x")).layout.pages[0].regions[0].lines[0].polygon == (
        (1, 1),
        (9, 1),
        (9, 9),
    )
    _, lost = write_alto(layout, "x", "3")
    assert [p.what for p in lost] == [
        "ALTO 3 cannot hold the resolution",
        "ALTO 3 cannot hold a baseline that is not level",
    ]


def test_ids_that_the_target_forbids_are_changed_and_listed() -> None:
    box = ((0, 0), (9, 0), (9, 9))
    names = ("z0", "z0", "1 x", None)
    lines = [LayoutLine(name, box, ((0, 8), (9, 8))) for name in names]
    layout = Layout([LayoutPage("p", "a", 1, 1, None, [LayoutRegion("z0", lines=lines)])])
    (data,), lost = write_page_xml(layout, "x", created=MOMENT)
    found = read_page_xml(Source(data, "x")).layout.pages[0].regions[0]
    ids = [found.id, *(line.id for line in found.lines)]
    assert len(set(ids)) == 5
    assert [p.code for p in lost] == ["convert-id-changed"] * 3
    layout.pages[0].id = "1"
    _, lost = write_page_xml(layout, "x", created=MOMENT)
    assert [p.code for p in lost] == ["convert-aside"] + ["convert-id-changed"] * 3


def test_nothing_that_a_target_has_no_room_for_goes_unsaid() -> None:
    pages = [
        LayoutPage(None, name, 9, 9, None, [LayoutRegion("r", "ImageRegion", (), "words")])
        for name in ("a.tif", "b.tif")
    ]
    _, lost = write_page_xml(Layout(pages), "x", created=MOMENT)
    assert [p.what for p in lost] == [
        "PAGE 2019 cannot hold regions of kind ImageRegion with what this one has"
    ] * 2
    _, lost = write_alto(Layout(pages), "x")
    said = " ".join(p.what for p in lost)
    assert "a second image, “b.tif”" in said
    assert said.count("no lines, and ALTO keeps texts only in lines") == 2
    document, lost = document_of(Layout(pages), "B", "x")
    assert "the image of a later page (1 time)" in " ".join(p.what for p in lost)
    assert [region.text for page in document.pages for region in page.regions] == ["words"] * 2


@pytest.mark.parametrize(
    ("revision", "placed"),
    [("2013", "tableCell"), ("2016", "tableCell"), ("2019", "TableCellRole")],
)
def test_the_place_of_a_cell_is_written_where_the_revision_has_one(
    revision: str, placed: str
) -> None:
    layout = read_page_xml(Source(TABLE.read_bytes(), "x")).layout
    cells = [region.traits for region in layout.pages[0].regions if region.traits]
    assert cells[1] == "cell.colSpan:1; cell.columnIndex:1; cell.rowIndex:0; cell.rowSpan:1"
    (written,), lost = write_page_xml(layout, "x", revision, MOMENT)
    assert violations(Source(written, "x")) == []
    assert written.count(placed.encode()) == len(cells) == 4
    assert not any("cell" in problem.what for problem in lost)
    again = read_page_xml(Source(written, "x")).layout
    assert [region.traits for region in again.pages[0].regions if region.traits] == cells
    assert not any(region.custom for region in again.pages[0].regions)
    _, lost = write_page_xml(layout, "x", "2010", MOMENT)
    assert any("tableCell" in problem.what for problem in lost)


def test_a_direction_is_the_same_in_page_xml_and_alto() -> None:
    data = """<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">
<Page imageFilename="a" imageWidth="9" imageHeight="9">
<TextRegion id="r" readingDirection="right-to-left"><Coords points="1,1 8,8"/>
<TextLine id="l" readingDirection="top-to-bottom"><Coords points="1,1 8,8"/></TextLine>
</TextRegion></Page></PcGts>"""
    layout = read_page_xml(Source(data.encode(), "x")).layout
    alto, lost = write_alto(layout, "x")
    assert re.findall(rb'BASEDIRECTION="(\w+)"', alto) == [b"rtl", b"ttb"]
    again = read_alto(Source(alto, "x"), lambda _i, _f: None).layout
    (written,), more = write_page_xml(again, "x", created=MOMENT)
    assert re.findall(rb'readingDirection="([\w-]+)"', written) == [
        b"right-to-left",
        b"top-to-bottom",
    ]
    assert not any("irection" in p.what or "DIRECTION" in p.what for p in [*lost, *more])
    _, lost = write_alto(layout, "x", "3")
    assert [p.what for p in lost if "readingDirection" in p.what] == [
        "ALTO 3 cannot hold readingDirection of a TextBlock",
        "ALTO 3 cannot hold readingDirection of a TextLine",
    ]


def test_styles_that_are_referred_to_are_written_once_and_others_are_listed() -> None:
    styles = """<Styles><TextStyle ID="F" FONTSIZE="9"/><TextStyle ID="G" FONTSIZE="8"/>
<TextStyle ID="H" FONTSIZE="7"/><ParagraphStyle ID="P" ALIGN="Left"/></Styles>"""
    line = """<TextLine ID="l{n}" STYLEREFS="{refs}" HPOS="1" VPOS="1" WIDTH="5" HEIGHT="5">
<String CONTENT="one two" LANG="de" HPOS="1" VPOS="1" WIDTH="5" HEIGHT="5"/></TextLine>"""
    lines = "".join(line.format(n=n, refs=refs) for n, refs in enumerate(["P F", "F", "G F", "x"]))
    data = f"""<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Description>
<MeasurementUnit>pixel</MeasurementUnit></Description>{styles}<Layout>
<Page ID="p" WIDTH="9" HEIGHT="9"
PHYSICAL_IMG_NR="1"><PrintSpace><TextBlock ID="b" HPOS="1" VPOS="1" WIDTH="5" HEIGHT="5">{lines}
</TextBlock></PrintSpace></Page></Layout></alto>"""
    read = read_alto(Source(data.encode(), "x"), lambda _i, _f: None)
    assert sorted(p.what for p in read.problems if p.code == "convert-not-taken-over") == [
        "TextLine/@STYLEREFS (2 times) is not copied",  # a second one, and one to nothing
        "TextStyle (1 time) is not copied",
    ]
    assert [line.traits for line in read.layout.pages[0].regions[0].lines] == [
        "LANG:de; ParagraphStyle.ALIGN:Left; ParagraphStyle.ID:P; TextStyle.FONTSIZE:9; "
        "TextStyle.ID:F",
        "LANG:de; TextStyle.FONTSIZE:9; TextStyle.ID:F",
        "LANG:de; TextStyle.FONTSIZE:8; TextStyle.ID:G",
        "LANG:de",
    ]
    written, lost = write_alto(read.layout, "x")
    assert violations(Source(written, "x")) == []
    assert not any("Style" in problem.what or "LANG" in problem.what for problem in lost)
    assert re.findall(rb'Style ID="(\w)"', written) == [b"F", b"G", b"P"]
    assert re.findall(rb'STYLEREFS="([\w ]+)"', written) == [b"F P", b"F", b"G"]
    assert written.count(b'LANG="de"') == 4


def test_traits_of_things_without_an_id_are_read() -> None:
    data = b"""<PcGts><Page imageFilename="a" imageWidth="9" imageHeight="9">
<TextRegion primaryLanguage="Arabic"><Coords points="1,1 8,8"/>
<TextLine production="printed"><Coords points="1,1 8,8"/><Word language="Arabic"/></TextLine>
</TextRegion></Page></PcGts>"""
    read = read_page_xml(Source(data, "x"))
    (region,) = read.layout.pages[0].regions
    (line,) = region.lines
    found = [region.traits, line.traits, line.words[0].traits]
    assert found == ["primaryLanguage:Arabic", "production:printed", "language:Arabic"]
    assert not any(problem.code == "convert-not-taken-over" for problem in read.problems)


def test_what_only_a_string_can_say_is_listed_where_it_is_the_text_of_its_line() -> None:
    word = LayoutWord("w", ((1, 1), (8, 1), (8, 8)), "a b", traits="LANG:de; SUBS_TYPE:HypPart1")
    line = LayoutLine("l", ((1, 1), (8, 1), (8, 8)), ((1, 8), (8, 8)), None, [word])
    region = LayoutRegion("r", polygon=((1, 1), (8, 1), (8, 8)), lines=[line])
    data, _ = write_alto(Layout([LayoutPage("p", "a", 9, 9, 300, [region])]), "x")
    read = read_alto(Source(data, "x"), lambda _i, _f: None)
    (found,) = read.layout.pages[0].regions[0].lines
    assert (found.text, found.words, found.traits) == ("a b", [], "LANG:de")
    told = [p.what for p in read.problems if p.code == "convert-not-taken-over"]
    assert told == ["String/@SUBS_TYPE (1 time) is not copied"]
    again, lost = write_alto(read.layout, "x")
    assert b'LANG="de"' in again
    assert not any("SUBS_TYPE" in problem.what for problem in lost)


@pytest.mark.parametrize(
    ("before", "opened", "after"),
    [
        (b"<PcGts><Page>", b"<TextRegion>", b"</Page></PcGts>"),
        (b"<alto><Layout><Page>", b"<ComposedBlock>", b"</Page></Layout></alto>"),
        (b"<alto><Layout><Page>", b"<PrintSpace>", b"</Page></Layout></alto>"),
        (b"<madcat>", b"<doc>", b"</madcat>"),
        (b"<GEDI>", b"<DL_PAGE>", b"</GEDI>"),
    ],
)
def test_what_stands_too_deep_is_refused_in_words(
    before: bytes, opened: bytes, after: bytes
) -> None:
    closed = opened.replace(b"<", b"</")
    data = before + opened * 5000 + closed * 5000 + after
    with pytest.raises(FormatError) as caught:
        read_layout(Source(data, "deep.xml"))
    assert (caught.value.code, caught.value.where[:8]) == ("xml.too-deep", "deep.xml")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<PcGts><Page></PcGts>", "xml.not-xml"),
        ("<PcGts><Page>", "xml.truncated"),
        ("<PcGts><Page>&x;</Page></PcGts>", "xml.entities"),
        ("<!DOCTYPE PcGts [<!ENTITY x 'y'>]><PcGts><Page>&x;</Page></PcGts>", "xml.entities"),
        ("<PcGts><p:Page/></PcGts>", "xml.not-xml"),
        ("<PcGts><Page><\u0f0a/></Page></PcGts>", "xml.not-xml"),
    ],
)
def test_plain_elements_are_refused_as_those_of_lxml_are(text: str, code: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_layout(Source(text.encode(), "odd.xml"))
    assert (caught.value.code, caught.value.where.partition(":")[0]) == (code, "odd.xml")


@pytest.mark.parametrize("name", ["madcat", "page", "alto"])
def test_the_tree_of_a_file_is_gone_when_it_is_read(name: str) -> None:
    """Without a search for garbage: a ring would keep the whole of it for a long time."""
    files = {
        "madcat": REAL.parent / "documents" / "odd-ids.madcat.xml",
        "page": TABLE,
        "alto": REAL / "kraken_alto_bsb00084914_00007.xml",
    }
    data = files[name].read_bytes()
    gc.collect()
    with uncollected():
        read = read_layout(Source(data, name))
        left = [one for one in gc.get_objects() if isinstance(one, ElementTree.Element)]
    assert read.layout.pages
    assert left == []


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("<S a/><S b/>", "a b"),
        ("<S a/><SP/><S b/>", "a b"),
        ("<S a/><S b/><SP/><SP/><S c/>", "ab  c"),
        ("<S a/><HYP CONTENT='-'/><S b/>", "a- b"),
        ("<S a/><SP/><HYP CONTENT='-'/><S b/>", "a -b"),
        ("<S a/><HYP CONTENT='-'/><HYP CONTENT='-'/><S b/>", "a- b"),
        ("<HYP CONTENT='-'/><S a/><S b/>", "- a b"),
        ("<HYP/><S a/><S b/>", " a b"),
        ("<S a/><String/><S b/>", "a  b"),
        ("<SP/><S a/><S b/>", " ab"),
    ],
)
def test_blanks_of_an_alto_line_are_those_of_the_file_or_stand_between_strings(
    inner: str, text: str
) -> None:
    strings = re.sub(r"<S (\w)/>", r"<String ID='\1' CONTENT='\1'/>", inner)
    data = f"<alto><Layout><Page><PrintSpace><TextBlock><TextLine>{strings}"
    data += "</TextLine></TextBlock></PrintSpace></Page></Layout></alto>"
    (line,) = read_layout(Source(data.encode(), "x")).layout.pages[0].regions[0].lines
    assert line.text == text


def test_a_document_type_without_entities_is_passed_by() -> None:
    data = b'<!DOCTYPE PcGts SYSTEM "p.dtd"><PcGts><Page imageWidth="9"/></PcGts>'
    assert read_layout(Source(data, "f.xml")).layout.pages[0].width == 9
