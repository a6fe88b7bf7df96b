"""From one revision of PAGE XML to another only what must change changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from madcat_studio.formats.ledger import count
from madcat_studio.formats.page_revision import revised
from madcat_studio.formats.schema import violations
from madcat_studio.formats.source import Source
from madcat_studio.operations.pages.convert import convert_file
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
        "PAGE 2013 has no room for MetadataItem",
        "PAGE 2013 has no room for TextEquiv",
        "PAGE 2013 has no room for TextLine/@index “3”",
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


def test_to_and_from_2010_a_page_is_written_anew() -> None:
    assert revised(Source(sample("line-transcribed.page.xml"), "x"), "2010") is None
    assert revised(Source(sample("prima_RegionTypes_2010-03-19.xml"), "x"), "2019") is None
