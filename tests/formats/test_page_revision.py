"""From one revision of PAGE XML to another only what must change changes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.formats.ledger import count
from madcat_studio.formats.page_revision import revised
from madcat_studio.formats.page_xml import read_page_xml
from madcat_studio.formats.page_xml_writer import VERSIONS, write_page_xml
from madcat_studio.formats.schema import violations
from madcat_studio.formats.source import Source
from madcat_studio.model.layout import Layout
from madcat_studio.operations.pages.convert import convert_file
from tests.formats.documents import examples
from tests.formats.test_schemas import any_layouts
from tests.workspace.layout_walks import FORMS

DATA = Path(__file__).parent.parent / "data"
FILES = [
    path
    for folder in ("real", "documents")
    for path in sorted((DATA / folder).glob("*.xml"))
    if b"<PcGts" in path.read_bytes()
]


def sample(name: str) -> bytes:
    folder = "documents" if (DATA / "documents" / name).exists() else "real"
    return (DATA / folder / name).read_bytes()


def made(data: bytes, version: str) -> tuple[bytes, list[str]]:
    found = revised(Source(data, "x.page.xml"), version)
    assert found is not None
    assert violations(Source(found[0], "x")) == []
    return found[0], [problem.what for problem in found[1]]


def test_a_file_that_fits_changes_its_namespace_alone() -> None:
    data = sample("line-transcribed.page.xml")
    assert made(data, "2019") == (data.replace(b"2013-07-15", b"2019-07-15"), [])
    real = sample("kraken_170025120000003,0074.xml")
    after, told = made(real, "2018")
    assert (after, told) == (real.replace(b"/2013-07-15", b"/2018-07-15"), [])


@pytest.mark.parametrize("form", FORMS)
def test_in_every_form(form: str) -> None:
    text = (DATA / "documents" / "line-transcribed.page.xml").read_text(encoding="utf-8")
    expected = FORMS[form](text.replace("2013-07-15", "2017-07-15"))
    assert made(FORMS[form](text), "2017") == (expected, [])


def test_what_an_older_revision_does_not_know_is_taken_out_and_told() -> None:
    data = sample("line-transcribed.page.xml").replace(b"2013-07-15", b"2019-07-15")
    newer = data.replace(b'<TextLine id="l1">', b'<TextLine id="l1" index="3">')
    newer = newer.replace(b"</LastChange>", b'</LastChange><MetadataItem value="a"/>')
    at = newer.rindex(b"</TextEquiv>") + len(b"</TextEquiv>")
    other = b'<TextEquiv index="1"><Unicode>b</Unicode></TextEquiv>'
    newer = newer[:at] + other + newer[at:]
    after, told = made(newer, "2013")
    assert after == data.replace(b"2019-07-15", b"2013-07-15")
    assert sorted(told) == [
        "PAGE 2013 cannot hold MetadataItem",
        "PAGE 2013 cannot hold TextEquiv",
        "PAGE 2013 cannot hold TextLine/@index “3”",
    ]


def test_a_regions_type_goes_where_programs_look_for_it_otherwise() -> None:
    data = sample("table.page.xml").replace(b"2013-07-15", b"2019-07-15")
    typed = data.replace(b'<TextRegion id="r2">', b'<TextRegion id="r2" type="list-label">')
    after, told = made(typed, "2016")
    assert b'<TextRegion id="r2" custom="structure {type:list-label;}">' in after
    assert not any("list-label" in what for what in told)


def test_cells_of_a_table_become_regions_with_their_lines() -> None:
    data = sample("table.page.xml")
    after, told = made(data, "2019")
    assert after.count(b"<TextRegion ") == data.count(b"<TableCell ") + 1
    assert count(Source(after, "x")) == count(Source(data, "x"))
    assert sum("CornerPts" in what for what in told) == 4


@pytest.mark.parametrize("version", ["2010", "2013", "2016", "2017", "2018", "2019"])
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_every_file_is_valid_in_every_revision_and_keeps_its_texts(
    path: Path, version: str, tmp_path: Path
) -> None:
    out = tmp_path / "b.page.xml"
    result = convert_file(path, out, version=version)
    assert violations(Source(out.read_bytes(), "x")) == []
    left = {row.kind: row.left for row in result.ledger}
    if version == "2010":
        del left["baselines"]
    assert set(left.values()) == {0}


OLDEST = sample("prima_RegionTypes_2010-03-19.xml")


def test_to_2010_outlines_become_points_and_what_it_has_no_room_for_is_told() -> None:
    data = sample("line-transcribed.page.xml")
    after, told = made(data, "2010")
    expected = re.sub(rb"<Baseline[^>]*/>| custom=\"[^\"]*\"", b"", data)
    expected = expected.replace(b"2013-07-15", b"2010-03-19")
    expected = expected.replace(b"<TextEquiv>", b"<TextEquiv><PlainText/>")

    def points(match: re.Match[bytes]) -> bytes:
        pairs = (pair.split(b",") for pair in match.group(1).split())
        inner = b"".join(b'<Point x="%b" y="%b"/>' % (x, y) for x, y in pairs)
        return b"<Coords>" + inner + b"</Coords>"

    expected = re.sub(rb'<Coords points="([^"]*)"/>', points, expected)
    assert re.sub(rb">\s+<", b"><", after) == re.sub(rb">\s+<", b"><", expected)
    assert sum(what == "PAGE 2010 cannot hold Baseline" for what in told) == 4
    assert b"<Creator>" in after


def test_from_2010_and_back_all_but_the_spelling_of_outlines_stays() -> None:
    newer, told = made(OLDEST, "2019")
    prefixed, told_of_prefixed = made(FORMS["prefixes"](OLDEST.decode()), "2019")
    assert (prefixed, told_of_prefixed) == (FORMS["prefixes"](newer.decode()), told)
    assert (
        newer[newer.index(b"<Metadata>") : newer.index(b"</Metadata>")]
        == (OLDEST[OLDEST.index(b"<Metadata>") : OLDEST.index(b"</Metadata>")])
    )
    assert b"<Point" not in newer
    assert newer.count(b"<PlainText") == OLDEST.count(b"<PlainText")
    again, _ = made(newer, "2010")
    once_more, _ = made(again, "2019")
    assert once_more.count(b"<Coords") == OLDEST.count(b"<Coords")
    points = rb'points="([^"]*)"'
    assert re.findall(points, once_more) == re.findall(points, newer)


def test_regions_within_others_stand_behind_them_in_2010() -> None:
    after, told = made(sample("table.page.xml"), "2010")
    assert told.count("PAGE 2010 cannot hold regions inside others") == 4
    regions = read_page_xml(Source(after, "x")).layout.pages[0].regions
    assert [region.id for region in regions] == ["t1", "c11", "c12", "c21", "c22", "r2"]
    assert [line.text for region in regions for line in region.lines] == [
        "Name", "Year", "of entry", "A. Writer", "1871", "below the table",
    ]  # fmt: skip


def test_a_kind_of_region_that_the_revision_does_not_know_is_unknown_and_told() -> None:
    newer = sample("table.page.xml").replace(b"2013-07-15", b"2019-07-15")
    newer = newer.replace(
        b"</Page>", b'<MapRegion id="m"><Coords points="1,1 2,2"/></MapRegion></Page>'
    )
    after, told = made(newer, "2016")
    assert b'<UnknownRegion id="m"><Coords points="1,1 2,2"/></UnknownRegion></Page>' in after
    assert "PAGE 2016 cannot hold regions of the kind MapRegion" in told


def test_where_the_order_would_change_the_page_is_written_anew() -> None:
    data = sample("line-transcribed.page.xml")
    first, second = b"readingOrder {index:0;}", b"readingOrder {index:1;}"
    at = data.index(b'<TextLine id="l2"')
    swapped = data[at:].replace(first, b"*", 1).replace(second, first, 1).replace(b"*", second, 1)
    assert revised(Source(data[:at] + swapped, "x"), "2010") is None
    assert revised(Source(data, "x"), "2010") is not None


@pytest.mark.long
@examples(40)
@given(
    any_layouts(),
    st.sampled_from(sorted(VERSIONS)),
    st.sampled_from(sorted(VERSIONS)),
    st.sampled_from(sorted(FORMS)),
)
def test_any_page_in_any_form_is_valid_in_another_revision_and_says_the_same(
    layout: Layout, before: str, after: str, form: str
) -> None:
    (data, *_), _ = write_page_xml(layout, "x", before)
    source = Source(FORMS[form](data.decode()), "x.page.xml")
    found = revised(source, after)
    if found is not None:
        written = Source(found[0], "x")
        assert violations(written) == []
        assert count(written)["characters"] == count(source)["characters"]
        assert revised(written, after) == (written.data, [])
