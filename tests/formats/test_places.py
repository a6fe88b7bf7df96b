"""Lines and columns of elements, held against expat, which counts them while it parses."""

from __future__ import annotations

import re
import xml.parsers.expat
from pathlib import Path

import pytest
from hypothesis import given

from madcat_studio.checks import check
from madcat_studio.formats.any_document import read_any
from madcat_studio.formats.registry import read_layout
from madcat_studio.formats.source import Source
from tests.formats.documents import examples, files

DATA = Path(__file__).parent.parent / "data"
FILES = [
    path
    for folder in ("madcat", "real", "documents")
    for path in sorted((DATA / folder).iterdir())
    if path.suffix == ".xml"
]
ODD = {
    "comments": "<a>\n <!-- <b> -->\n <c/><!--<d/>--><e/>\n</a>",
    "sections": "<a><![CDATA[<b>]]\n>]]><c>\n<![CDATA[]]></c><d/></a>",
    "instructions": "<?xml version='1.0'?>\n<?x <b> ?><a>\n<?y?><c/></a>",
    "document type": '<!DOCTYPE a SYSTEM "x>y<z" [\n<!ELEMENT a ANY>\n<!-- <q> " -->]>\n<a/>',
    "wide letters": "<a t='كتاب 𝒳'><b/>كتاب 𝒳 <c/>\n𝒳<d/></a>",
    "long tags": "<a\n  x='1'\n  y='>'><b\n/></a>",
    "line ends": "<a>\r\n<b/>\r\n  <c/>\r\n</a>",
    "old line ends": "<a>\r<b/>\r\n\r  <c/>\n</a>",
    "end of a comment in a value": "<a x='-->' y='?>'><b/><!-- ' --><c/></a>",
}


def expected(text: str) -> list[tuple[int, int]]:
    """Where expat sees start tags."""
    found: list[tuple[int, int]] = []
    parser = xml.parsers.expat.ParserCreate("utf-8")

    def start(_name: str, _attributes: object) -> None:
        found.append((parser.CurrentLineNumber, parser.CurrentColumnNumber + 1))

    parser.StartElementHandler = start
    parser.Parse(text.encode(), True)
    return found


def hold(source: Source) -> None:
    places = expected(source.decoded.text)
    assert [source.place_of(ordinal) for ordinal in range(len(places))] == places
    with pytest.raises(IndexError):
        source.place_of(len(places))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_places_in_files(path: Path) -> None:
    hold(Source(path.read_bytes(), path.name))


@pytest.mark.parametrize("name", ODD)
def test_places_beside_what_looks_like_elements(name: str) -> None:
    hold(Source(ODD[name].encode(), name))


@pytest.mark.long
@examples(50)
@given(files())
def test_places_in_any_encoding(data: bytes) -> None:
    hold(Source(data, "f"))


def test_what_is_in_no_file_has_no_place() -> None:
    assert Source(b"<a/>", "f").place_of(None) == (None, None)


@pytest.mark.parametrize("part", ["<Odd/>", '<TextRegion id="r" odd="1"/>', "<!-- -->\n<Odd/>"])
def test_what_a_schema_refuses_has_line_and_column(part: str) -> None:
    name = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"
    head = "<Creator/><Created>2020-01-01T00:00:00</Created>"
    page = f'<Page imageFilename="a" imageWidth="9" imageHeight="9">\n  {part}</Page>'
    for prefix in ("", "p:"):
        names = f"xmlns:{prefix[:-1]}" if prefix else "xmlns"
        head_now = f"<Metadata>{head}<LastChange>2020-01-01T00:00:00</LastChange></Metadata>"
        data = f'<PcGts {names}="{name}">{head_now}{page}</PcGts>'
        if prefix:
            data = re.sub(r"<(/?)(?=[A-Z])", rf"<\1{prefix}", data)
        source = Source(data.encode(), "f.page.xml")
        (told,) = [f.problem for f in check(read_any(source)) if f.problem.code == "schema"]
        place = (3, 1) if "--" in part else (2, 3)
        assert (told.where.line, told.where.column) == place


@pytest.mark.parametrize(
    ("data", "code", "place"),
    [
        (
            b'<PcGts><Page>\n <TextRegion id="r"><TextLine id="l"><Coords points="0,0 x,9"/>'
            b"</TextLine></TextRegion></Page></PcGts>",
            "number-unreadable",
            (2, 38),
        ),
        (
            b'<alto><Layout>\n  <Page ID="p"/></Layout></alto>',
            "page-size-missing",
            (2, 3),
        ),
        (
            b'<GEDI><DL_DOCUMENT><DL_PAGE width="9" height="9">\n<DL_ZONE id="a" nextZoneID="b"/>'
            b"</DL_PAGE></DL_DOCUMENT></GEDI>",
            "zone-order-unclear",
            (2, 1),
        ),
    ],
)
def test_what_is_told_of_a_file_has_line_and_column(
    data: bytes, code: str, place: tuple[int, int]
) -> None:
    told = [p for p in read_layout(Source(data, "f.xml")).problems if p.code == code]
    assert [(p.where.line, p.where.column) for p in told] == [place]
    assert str(told[0].where).startswith(f"f.xml:{place[0]}:{place[1]}")
