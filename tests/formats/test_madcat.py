from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from madcat_studio.errors import FormatError, InputError
from madcat_studio.formats.madcat import base_of, read, read_bytes
from madcat_studio.formats.madcat_writer import new_bytes
from madcat_studio.model.document import Document
from tests.formats.documents import documents, examples, files

DATA = Path(__file__).parent.parent / "data" / "madcat"
NORMAL = DATA / "ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"
DEFECTIVE = DATA / "ZZN_ARB_20991231.0002_1_SCR0004.madcat.xml"
TWO_PAGES = next(DATA.glob("groups*.madcat.xml"))


def counts(document: Document) -> tuple[list[int], list[int], int]:
    return (
        [len(page.lines) for page in document.pages],
        [len(list(page.words())) for page in document.pages],
        len(list(document.segments())),
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (".madcat.xml", ([6], [43], 3)),
        (".lineseg.madcat.xml", ([6], [0], 3)),
        (".wordseg.madcat.xml", ([6], [43], 3)),
        (".textseg.madcat.xml", ([6], [0], 3)),
        (".linesys.madcat.xml", ([6], [0], 3)),
        (".wordsys.madcat.xml", ([6], [43], 2)),
        (".transys.madcat.xml", ([], [], 4)),
    ],
)
def test_the_first_sample_and_its_kin(name: str, expected: object) -> None:
    found = read(DATA / f"ZZN_ARB_20991231.0001_1_SCR0001{name}")
    assert counts(found.document) == expected
    assert found.problems == ()


def test_a_page_is_read_whole() -> None:
    document = read(NORMAL).document
    page = document.pages[0]
    assert (document.id, document.src, document.genre, document.nbpages, document.scribe) == (
        "ZZN_ARB_20991231.0001_1_SCR0001",
        "ZZN_ARB_20991231.0001_1_SCR0001.tif",
        "newswire",
        1,
        "SCR0001",
    )
    assert (page.id, page.width, page.height, page.dpi, page.colordepth) == (
        "p1",
        5100,
        6600,
        600,
        8,
    )
    assert page.lines[0].words[0].polygon == ((4743, 686), (4386, 686), (4386, 917), (4743, 917))
    assert [line.id for line in page.lines] == ["z0", "z1", "z2", "z3", "z4", "z5"]
    segment = document.sections[0].segments[0]
    assert [token.ref_id for token in segment.tokens[:3]] == ["t0", "t1", "t2"]
    assert segment.tokens[0].source == "افتتح"


def test_ids_that_restart_on_page_two_stay_on_their_page() -> None:
    document = read(TWO_PAGES).document
    assert [[line.id for line in page.lines] for page in document.pages] == [
        ["z0", "z1"],
        ["z0", "z1"],
    ]
    assert counts(document) == ([2, 2], [16, 14], 2)


def test_text_is_raw() -> None:
    found = read(DATA / "ZZN_ARB_20991231.0001_1_SCR0001.linesys.madcat.xml").document
    s2, s1, s3 = found.segments()
    assert (s2.id, s1.id, s3.id) == ("s2", "s1", "s3")
    assert s2.translation is not None
    assert s2.translation.startswith("  The minister")
    assert s2.translation.endswith(".\n            ")
    assert "in\n the  old city" in (s1.translation or "")
    assert s3.translation == ""
    assert "ﻟﻸطفال" in (s3.transcription or "")
    wordsys = read(DATA / "ZZN_ARB_20991231.0001_1_SCR0001.wordsys.madcat.xml").document
    assert any("R&amp;D" in (s.translation or "") for s in wordsys.segments())


def test_every_defect_has_its_message_and_its_line() -> None:
    found = read(DEFECTIVE)
    assert [(p.code, p.where.line) for p in found.problems] == [
        ("attribute-missing", 2),  # version
        ("attribute-missing", 4),  # writer id
        ("attribute-unknown", 6),  # widht
        ("attribute-missing", 6),  # width
        ("number-unreadable", 6),  # dpi
        ("number-empty", 6),  # colordepth
        ("point-fractional", 13),
        ("attribute-missing", 15),  # id of a word
        ("point-unreadable", 15),
        ("polygon-missing", 17),
        ("attribute-unknown", 18),  # typ
        ("attribute-missing", 18),  # type
        ("polygon-missing", 18),
        ("attribute-unknown", 27),  # refid
        ("attribute-unknown", 27),  # statsu
        ("element-unknown", 31),  # translaton
        ("reference-blanks", 34),
        ("element-unknown", 38),  # note
        ("attribute-missing", 40),  # id of a segment
    ]
    assert all(
        p.what and p.where.element and p.where.file == str(DEFECTIVE) for p in found.problems
    )
    by_code = {p.code: p for p in found.problems if p.code != "attribute-missing"}
    assert by_code["number-unreadable"].done == "read as 300"
    assert "translation" in next(p.remedy for p in found.problems if p.code == "element-unknown")
    page = found.document.pages[0]
    assert (page.width, page.height, page.dpi, page.colordepth) == (None, 3300, 300, None)
    assert [len(w.polygon) for w in page.lines[0].words] == [4, 4, 0, 3]
    assert page.lines[0].words[1].polygon[0] == (2050.0, 310.5)
    assert page.lines[3].polygon[0] == (2600, -5)
    assert found.document.sections[0].segments[1].zone_refs == ["z1", "z7"]
    texts = [token.source for token in found.document.sections[0].segments[0].tokens]
    assert texts == ["كتب", "الطالب", "الدرس", None, ""]


def test_points_of_one_line_never_reach_the_next() -> None:
    found = read_bytes(
        b"<madcat version='1'><doc id='a' src='a'><image><page id='p' width='9' height='9' dpi='9'>"
        b"<zone id='z0' type='line'><polygon><point x='1' y='2'/></polygon></zone>"
        b"<zone id='z1' type='line'><polygon/></zone>"
        b"</page></image></doc></madcat>",
        "a",
    )
    lines = found.document.pages[0].lines
    assert (lines[0].polygon, lines[1].polygon) == (((1, 2),), ())
    assert found.problems == ()  # a missing colordepth is no problem


@pytest.mark.parametrize("value", ["1e999", "nan", "9" * 400, "9" * 5000, "4000000000", "one", ""])
def test_numbers_that_no_page_can_have(value: str) -> None:
    found = read_bytes(
        (
            f"<madcat version='1'><doc id='a' src='a'><image><page id='p' width='{value}' "
            f"height='9' dpi='9'><zone id='z0' type='line'><polygon><point x='{value}' y='2'/>"
            "<point x='1' y='2'/></polygon></zone></page></image></doc></madcat>"
        ).encode(),
        "a",
    )
    assert found.document.pages[0].width in (None, 1)
    assert found.document.pages[0].lines[0].polygon == ((1, 2),)
    assert "point-unreadable" in [p.code for p in found.problems]


def test_local_names_decide() -> None:
    found = read_bytes(
        b"<m:madcat xmlns:m='urn:x' version='1'><m:doc id='a' src='b'><m:content><m:section "
        b"id='c'><m:segment id='s1'><m:translation>x</m:translation></m:segment></m:section>"
        b"</m:content></m:doc></m:madcat>",
        "a",
    )
    assert [s.translation for s in found.document.segments()] == ["x"]
    assert found.problems == ()


def test_what_stands_in_odd_places_is_told() -> None:
    found = read_bytes(
        b"<madcat version='1'><doc id='a' src='b'><page id='p' width='x1' height='9' dpi='9'>"
        b"<line/>loose<zone id='z' type='line'><polygon/><polygon><point x='1' y='1'/></polygon>"
        b"</zone></page><content><segment id='s1'>"
        b"<translation>one <b>two</b><!-- no --> three</translation><translation>again"
        b"</translation><token id='k'>word</token></segment></content><content/></doc><doc/>"
        b"</madcat>",
        "a",
    )
    assert {p.code for p in found.problems} == {
        "number-unreadable",
        "element-unknown",
        "text-stray",
        "element-repeated",
        "section-missing",
        "text-markup",
    }
    segment = next(found.document.segments())
    assert segment.translation == "one two three"
    assert segment.tokens[0].source is None
    assert found.document.pages[0].width is None
    strays = [p.what for p in found.problems if p.code == "text-stray"]
    assert strays == ["page has text of its own: “loose”", "token has text of its own: “word”"]


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"", "xml.empty", None),
        (b"  \n", "xml.empty", None),
        (b"hello", "xml.not-xml", None),
        (b"<madcat>\n<doc>\n</madcat>", "xml.not-xml", 3),
        (b"<madcat>\n<doc>\n<page", "xml.truncated", 3),
        (b"<madcat>\n<doc>\n", "xml.truncated", 3),
        (b"<alto>\n</alto>", "madcat.wrong-root", 1),
        (b"<doc/>", "madcat.wrong-root", 1),
        (b'<!DOCTYPE m [<!ENTITY a "b">]><madcat>&a;</madcat>', "xml.entities", None),
        (
            b'<!DOCTYPE m [<!ENTITY a SYSTEM "file:///etc/passwd">]><madcat>&a;</madcat>',
            "xml.entities",
            None,
        ),
        (
            b'<!DOCTYPE m [<!ENTITY % a SYSTEM "file:///etc/passwd">%a;]><madcat/>',
            "xml.entities",
            None,
        ),
        (b"<madcat>\n&nbsp;</madcat>", "xml.entities", 2),
        ("<madcat>\n<!-- سلام --></madcat>".encode("cp1256"), "xml.wrong-encoding", 2),
        (b'<?xml version="1.0" encoding="klingon"?><madcat/>', "xml.unknown-encoding", 1),
        (b'<?xml version="1.0" encoding="rot13"?><madcat/>', "xml.unknown-encoding", 1),
        (b"\xff\xfe<\x00m", "xml.wrong-encoding", None),
        ("<madcat".encode("utf-16"), "xml.truncated", None),
    ],
)
def test_what_cannot_be_read(data: bytes, code: str, line: int | None) -> None:
    with pytest.raises(FormatError) as caught:
        read_bytes(data, "f.xml")
    assert caught.value.code == code
    assert caught.value.where.startswith("f.xml")
    if line is not None:
        assert caught.value.where == f"f.xml:{line}"


def test_the_byte_that_does_not_belong_is_named() -> None:
    data = b"<madcat>" + "س".encode("cp1256") + b"</madcat>"
    with pytest.raises(FormatError, match=r"byte 8 \(0xD3\)"):
        read_bytes(data, "f.xml")


def test_a_billion_laughs_cost_nothing() -> None:
    entities = b"".join(
        b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10 if n else b"ha") for n in range(12)
    )
    with pytest.raises(FormatError) as caught:
        read_bytes(b"<!DOCTYPE m [" + entities + b"]><madcat>&a11;</madcat>", "f.xml")
    assert caught.value.code == "xml.entities"


def test_a_document_type_that_is_only_named_is_accepted() -> None:
    found = read_bytes(
        b'<!DOCTYPE madcat SYSTEM "madcat.dtd"><madcat version="1"><doc id="a" src="b"/></madcat>',
        "f.xml",
    )
    assert [p.code for p in found.problems] == ["doctype-unread"]


def test_lines_beyond_what_libxml_counts() -> None:
    data = b"<madcat version='1'>" + b"\n" * 70_000 + b"<doc src='a'/></madcat>"
    assert [p.where.line for p in read_bytes(data, "f").problems] == [70_001]


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(InputError) as caught:
        read(DATA / "nothing.madcat.xml")
    assert caught.value.code == "file.not-found"


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("a.b.0096_8_LDC0108.madcat.xml", "a.b.0096_8_LDC0108"),
        ("/x/a.b_1_S.linesys.madcat.xml", "a.b_1_S"),
        ("a.WORDSEG.MADCAT.XML", "a"),
        ("a.b.xml", "a.b"),
        ("a.b", "a.b"),
    ],
)
def test_base_keeps_its_dots(name: str, base: str) -> None:
    assert base_of(name) == base


@pytest.mark.long
@examples(50)
@given(files())
def test_whatever_is_in_the_file_is_read_and_counted(data: bytes) -> None:
    found = read_bytes(data, "f")
    for page in found.document.pages:
        for line in page.lines:
            assert line.origin is not None
            assert (found.source.line_of(line.origin) or 0) > 0


@pytest.mark.long
@examples(50)
@given(documents)
def test_a_new_file_reads_back_as_its_document(document: Document) -> None:
    found = read_bytes(new_bytes(document), "f").document
    assert counts(found) == counts(document)
    assert new_bytes(found) == new_bytes(document)
