"""What files of other programs do that no sample of ours did, in small files made alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from madcat_studio.checks import check
from madcat_studio.errors import FormatError
from madcat_studio.formats.any_document import read_any
from madcat_studio.formats.kinds import TRAITS, WRITTEN, FileFormat, recognise
from madcat_studio.formats.ledger import count
from madcat_studio.formats.registry import read_layout
from madcat_studio.formats.source import Source
from madcat_studio.operations.pages.convert import convert_file


def test_a_page_of_hocr_may_hold_its_text_itself() -> None:
    data = (
        b"<html><body><div class='ocr_page' id='p' title='bbox 0 0 90 50'>Page <b>1</b></div>"
        b"<div class='ocr_page' title='bbox 0 0 90 50'><span class='ocrx_word' "
        b"title='bbox 1 2 30 9'>one</span> <span class='ocrx_word'>two</span></div></body></html>"
    )
    first, second = read_layout(Source(data, "f.hocr")).layout.pages
    (region,) = first.regions
    assert region.id is None
    assert region.text == "Page 1"
    assert not region.lines
    assert list(region.polygon) == [(0, 0), (90, 0), (90, 50), (0, 50)]
    (line,) = second.regions[0].lines
    assert (line.text, [word.text for word in line.words]) == ("one two", ["one", "two"])


HYPHENS = """<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout>
<Page ID="p" WIDTH="900" HEIGHT="900" PHYSICAL_IMG_NR="1"><PrintSpace><TextBlock ID="b">
<TextLine ID="l"><String ID="s" CONTENT="la" HPOS="1" VPOS="1" WIDTH="9" HEIGHT="9"/><SP/>
<String ID="t" CONTENT="{}" HPOS="20" VPOS="1" WIDTH="9" HEIGHT="9"/><HYP CONTENT="{}"/>
</TextLine></TextBlock></PrintSpace></Page></Layout></alto>"""


@pytest.mark.parametrize(
    ("word", "hyphen", "text"),
    [
        ("mai-", "-", "la mai-"),
        ("mai", "-", "la mai-"),
        ("mai", "\u00ad", "la mai\u00ad"),
        ("mai\u2e17", "\u2e17", "la mai\u2e17"),
        ("mai-", "\u00ad", "la mai-\u00ad"),
    ],
)
def test_a_hyphen_of_alto_is_said_once(word: str, hyphen: str, text: str) -> None:
    source = Source(HYPHENS.format(word, hyphen).encode(), "f.alto.xml")
    (line,) = read_layout(source).layout.pages[0].regions[0].lines
    assert line.text == text
    assert count(source)["characters"] == len(text) - 1
    if text != "la mai-\u00ad":  # two hyphens are none of ALTO's
        told = [finding.problem.code for finding in check(read_any(source))]
        assert "transcription-differs" not in told


def test_a_text_that_differs_is_told_at_its_line() -> None:
    data = (
        b'<PcGts><Page imageWidth="900" imageHeight="900">\n<TextRegion id="r">'
        b'<TextLine id="l"><Word id="w"><TextEquiv><Unicode>one</Unicode></TextEquiv></Word>'
        b"<TextEquiv><Unicode>two</Unicode></TextEquiv></TextLine></TextRegion></Page></PcGts>"
    )
    found = [f.problem for f in check(read_any(Source(data, "f.page.xml")))]
    (told,) = [problem for problem in found if problem.code == "transcription-differs"]
    assert (told.where.line, told.where.column) == (2, 20)


def test_what_was_page_xml_before_2010_is_refused_by_its_name() -> None:
    data = b'<pcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2009-03-16"/>'
    with pytest.raises(FormatError, match="PAGE XML of 2009") as caught:
        read_layout(Source(data, "old.xml"))
    assert caught.value.code == "page.too-old"


@pytest.mark.parametrize("coding", ["utf-8", "utf-16"])
def test_a_document_of_anybody_is_not_taken_for_one_of_finereader(coding: str) -> None:
    text = '<document xmlns="http://www.abbyy.com/FineReader_xml/FineReader10-schema-v1.xml"/>'
    assert recognise(Source(text.encode(coding), "x")) is FileFormat.ABBYY
    for other in ("<document/>", "<DOCUMENT><PAGE number='1'/></DOCUMENT>"):
        with pytest.raises(FormatError) as caught:
            recognise(Source(other.encode(coding), "x"))
        assert caught.value.code == "convert.unknown-format"


def test_what_has_no_id_is_told_without_one(tmp_path: Path) -> None:
    page = (
        "<PcGts><Page imageFilename='a' imageWidth='9' imageHeight='9'><TextRegion><TextLine>"
        "<TextEquiv><Unicode>one</Unicode></TextEquiv></TextLine></TextRegion></Page></PcGts>"
    )
    (tmp_path / "a.xml").write_text(page)
    for kind in WRITTEN:
        made = convert_file(tmp_path / "a.xml", tmp_path / f"out{TRAITS[kind].written}")
        assert not any("None" in f"{p.where.element} {p.what}" for p in made.problems), kind
