"""PAGE XML and ALTO saved in place: what was edited changes, every other byte stays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from madcat_studio.edits import (
    AddLine,
    AddToken,
    AddWord,
    Edit,
    LineValue,
    LinkToken,
    MoveLine,
    MoveVertex,
    MoveWord,
    Outline,
    RemoveLine,
    RemoveWord,
    SetLineRegion,
    SetPageCount,
    SetPageFacts,
    SetPolygon,
    SetRegionKind,
    SetTokenStatus,
    SetTokenText,
    SetTranscription,
    SetTranslation,
    TokenValue,
    WordValue,
)
from madcat_studio.errors import InputError
from madcat_studio.formats.alto import read_alto
from madcat_studio.formats.documents import read_document, write
from madcat_studio.formats.source import ReadDocument, Source
from madcat_studio.model.completing import PageImage
from madcat_studio.model.document import Polygon
from tests.workspace.layout_walks import FORMS

DATA = Path(__file__).parent.parent / "data"
FILES = [
    path
    for folder in ("real", "documents")
    for path in sorted((DATA / folder).glob("*.xml"))
    if b"<PcGts" in path.read_bytes() or b"<alto" in path.read_bytes()
]
BOX = ((1, 2), (8, 2), (8, 9))


def opened(data: bytes) -> ReadDocument:
    return read_document(Source(data, "x.page.xml"))


def made(data: bytes, *edits: Edit) -> bytes:
    """The file after edits, having proved that taking them back gives the file again."""
    read = opened(data)
    inverses = [edit.apply(read.document)[1] for edit in edits]
    result = write(read.document, read.source)
    for inverse in reversed(inverses):
        inverse.apply(read.document)
    assert write(read.document, read.source) == data
    return result


def sample(name: str) -> bytes:
    folder = "documents" if (DATA / "documents" / name).exists() else "real"
    return (DATA / folder / name).read_bytes()


TRANSCRIBED = sample("line-transcribed.page.xml")
TABLE = sample("table.page.xml")
WORDS = sample("dinglehopper_levels-are-different.page.xml")
OLDEST = sample("prima_RegionTypes_2010-03-19.xml")


def changed(before: bytes, after: bytes) -> tuple[bytes, bytes]:
    """What was taken out and what was put in: all that differs between two files."""
    head = 0
    while before[head : head + 1] == after[head : head + 1]:
        head += 1
    tail = 0
    while before[-1 - tail] == after[-1 - tail] and tail < min(len(before), len(after)) - head:
        tail += 1
    return before[head : len(before) - tail], after[head : len(after) - tail]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_what_is_not_edited_is_the_same_in_every_form(path: Path, form: str) -> None:
    data = FORMS[form](path.read_text(encoding="utf-8-sig"))
    read = opened(data)
    assert write(read.document, read.source) == data
    as_it_is = opened(path.read_bytes()).document
    assert [len(line.words) for page in read.document.pages for line in page.lines] == [
        len(line.words) for page in as_it_is.pages for line in page.lines
    ]


def test_a_vertex_changes_two_numbers() -> None:
    after = made(TRANSCRIBED, MoveVertex(Outline(0, 1), 1, (1502, 413)))
    assert changed(TRANSCRIBED, after) == (b"0,410", b"2,413")
    after = made(OLDEST, AddLine(0, 0, LineValue("new", "line", BOX)))
    assert b'<Point x="8" y="9"/>' in after
    again = made(after, MoveVertex(Outline(0, 0), 2, (8, 10)))
    assert changed(after, again) == (b"9", b"10")


def test_a_lines_text_changes_alone() -> None:
    after = made(TRANSCRIBED, SetTranscription(0, 1, "كلمة <&> أخرى"))
    assert changed(
        TRANSCRIBED.replace("السطر الأول من النص".encode(), b"*"),
        after.replace("كلمة &lt;&amp;&gt; أخرى".encode(), b"+"),
    ) == (b"*", b"+")
    emptied = made(TRANSCRIBED, SetTranscription(0, 1, None))
    assert emptied == TRANSCRIBED.replace("السطر الأول من النص".encode(), b"")


def test_a_words_text_and_its_lines_are_two_things() -> None:
    document = opened(WORDS).document
    word = document.sections[0].segments[0].tokens[0]
    assert word.source is not None
    after = made(WORDS, SetTokenText(0, 0, 0, "Neu"))
    assert after.count(b"<Unicode>Neu</Unicode>") == 1
    assert len(after) == len(WORDS) + len(b"Neu") - len(word.source.encode())
    assert opened(after).document.sections[0].segments[0].transcription == (
        document.sections[0].segments[0].transcription
    )


def test_a_line_without_a_text_of_its_own_gets_none_from_its_words() -> None:
    text = WORDS.decode()
    start = text.index("<TextEquiv", text.rindex("</Word>", 0, text.index("</TextLine>")))
    bare = (text[:start] + text[text.index("</TextLine>") :]).encode()
    after = made(bare, SetTokenText(0, 0, 0, "Neu"))
    assert after.count(b"<TextEquiv") == bare.count(b"<TextEquiv")
    # A token that loses its word would be lost with it: the line says it then.
    unlinked = made(bare, LinkToken(0, 0, 0, ""))
    first = opened(bare).document.sections[0].segments[0].transcription
    assert opened(unlinked).document.sections[0].segments[0].transcription == first


def test_a_line_that_is_drawn_in_a_table_lies_in_the_cell_of_the_line_before_it() -> None:
    after = made(TABLE, AddLine(0, 1, LineValue("z9", "line", BOX)))
    new = b'<TextLine id="z9"><Coords points="1,2 8,2 8,9"/></TextLine>'
    assert after == TABLE.replace(b"</TextLine><Corner", b"</TextLine>" + new + b"<Corner", 1)
    first = made(TABLE, AddLine(0, 0, LineValue("z9", "line", BOX)))
    assert first.index(b'id="c11"') < first.index(b'id="z9"') < first.index(b'id="c11l1"')


def test_removing_and_moving_take_elements_as_they_are() -> None:
    start = TABLE.index(b'<TextLine id="c12l1">')
    line = TABLE[start : TABLE.index(b"</TextLine>", start) + 11]
    assert made(TABLE, RemoveLine(0, 1)) == TABLE.replace(line, b"")
    moved = made(TABLE, SetLineRegion(0, 1, "c11"), MoveLine(0, 1, 0))
    assert moved.count(line) == 1
    assert moved.index(line) < moved.index(b'id="c11l1"')
    assert [x.id for x in opened(moved).document.pages[0].lines][:2] == ["c12l1", "c11l1"]


def test_a_line_lies_in_the_region_that_it_is_given_to() -> None:
    """Also where the order stays: the first line of a region can be the last of the one before."""
    start = TABLE.index(b'<TextLine id="c12l1">')
    line = TABLE[start : TABLE.index(b"</TextLine>", start) + 11]
    given = made(TABLE, SetLineRegion(0, 1, "c11"))
    read = opened(given).document.pages[0]
    assert [(found.id, found.region) for found in read.lines[:2]] == [
        ("c11l1", "c11"),
        ("c12l1", "c11"),
    ]
    assert given.index(b'id="c11l1"') < given.index(line) < given.index(b'id="c12"')
    assert given.replace(line, b"") == TABLE.replace(line, b"")
    with pytest.raises(InputError, match="cannot hold line c12l1 in no region"):
        made(TABLE, SetLineRegion(0, 1, None))


def test_words_come_and_go_in_their_line() -> None:
    added = made(TRANSCRIBED, AddWord(0, 1, 0, WordValue("w0", BOX)))
    assert changed(TRANSCRIBED, added)[0] == b""
    assert b'490 800,495 1490,500"/><Word id="w0"><Coords points="1,2 8,2 8,9"/></Word>' in added
    token = TokenValue("s2-1", "w0", "", "كلمة")
    said = made(TRANSCRIBED, AddWord(0, 1, 0, WordValue("w0", BOX)), AddToken(0, 1, 0, token))
    assert "<TextEquiv><Unicode>كلمة</Unicode></TextEquiv></Word>".encode() in said
    gone = made(WORDS, RemoveWord(0, 0, 0))
    assert gone.count(b"<Word ") == WORDS.count(b"<Word ") - 1
    start = WORDS.index(b"<Word ")
    word = WORDS[start : WORDS.index(b"</Word>") + 7]
    given = made(WORDS, MoveWord(0, 0, 0, 1, 0))
    assert given.count(word) == 1
    assert given.index(word) > given.index(b"</TextLine>")


def test_lines_that_give_their_own_place_are_numbered_anew() -> None:
    def order(data: bytes) -> list[str | None]:
        return [line.id for line in opened(data).document.pages[0].lines]

    assert order(TRANSCRIBED) == ["l1", "l2", "l3", "l4"]
    moved = made(TRANSCRIBED, MoveLine(0, 2, 1))
    assert order(moved) == ["l1", "l3", "l2", "l4"]
    assert b'id="l3" custom="readingOrder {index:0;} textStyle {offset:0; length:5;' in moved
    drawn = made(TRANSCRIBED, AddLine(0, 2, LineValue("n", "line", BOX)))
    assert order(drawn) == ["l1", "l2", "n", "l3", "l4"]
    assert b'<TextLine id="n" custom="readingOrder {index:1;}">' in drawn
    # Between two regions it lies in the one in which it was drawn.
    for box, region in (
        (((700, 110), (800, 110), (800, 190)), b"r_heading"),
        (((200, 410), (300, 410), (300, 490)), b"r_main"),
    ):
        drawn = made(TRANSCRIBED, AddLine(0, 1, LineValue("n", "line", box)))
        assert order(drawn) == ["l1", "n", "l2", "l3", "l4"]
        at = drawn.index(b'<TextLine id="n"')
        assert drawn[:at].rindex(b"<TextRegion") == drawn.index(b'<TextRegion id="' + region)
    assert b'id="l3" custom="readingOrder {index:2;}' in drawn


def test_a_page_without_lines_gets_a_region_for_the_first() -> None:
    bare = b"""<?xml version="1.0"?>
<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">
  <Page imageFilename="a" imageWidth="9" imageHeight="9"/>
</PcGts>"""
    drawn = made(bare, AddLine(0, 0, LineValue("z0", "line", BOX)))
    assert drawn.count(b"<TextRegion ") == 1
    line = opened(drawn).document.pages[0].lines[0]
    assert (line.id, line.polygon) == ("z0", BOX)
    simple = sample("prima_SimplePage.xml")
    drawn = made(simple, AddLine(0, 0, LineValue("z0", "line", BOX)))
    assert drawn.count(b"<TextRegion ") == simple.count(b"<TextRegion ")


def test_an_id_that_the_file_has_already_is_not_given_twice() -> None:
    drawn = made(TABLE, AddLine(0, 0, LineValue("t1", "line", BOX)))
    assert drawn.count(b'id="t1"') == 1
    assert b'<TextLine id="l_0">' in drawn
    odd = made(TABLE, AddLine(0, 0, LineValue("0 a", "line", BOX)))
    assert b'<TextLine id="l_0">' in odd


def test_what_leaves_the_page_is_clipped_to_it() -> None:
    after = made(TABLE, SetPolygon(Outline(0, 0), ((-5, -1.2), (8.5, 2), (8, 9))))
    assert b'<TextLine id="c11l1"><Coords points="0,0 9,2 8,9"/>' in after


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (lambda: SetTranslation(0, 0, "words"), "layout.cannot-hold"),
        (lambda: SetPageCount(7), "layout.cannot-hold"),
        (lambda: SetTokenStatus(0, 0, 0, "typo"), "layout.cannot-hold"),
        (lambda: SetPolygon(Outline(0, 0), ((1, 1),)), "layout.no-outline"),
        (lambda: SetPolygon(Outline(0, 0, 0), ()), "layout.no-outline"),
        (lambda: AddLine(0, 0, LineValue("n")), "layout.no-outline"),
    ],
)
def test_what_the_file_cannot_hold_is_refused(edit: Callable[[], Edit], code: str) -> None:
    read = opened(WORDS)
    _, inverse = edit().apply(read.document)
    with pytest.raises(InputError) as caught:
        write(read.document, read.source)
    assert caught.value.code == code
    inverse.apply(read.document)
    assert write(read.document, read.source) == WORDS


def test_the_size_of_a_page_and_its_resolution() -> None:
    after = made(TABLE, SetPageFacts(0, 1001, 800, None))
    assert changed(TABLE, after) == (b"0", b"1")
    with pytest.raises(InputError, match="cannot hold a resolution"):
        made(TABLE, SetPageFacts(0, 1000, 800, 300))
    newer = TABLE.replace(b"2013-07-15", b"2019-07-15")
    after = made(newer, SetPageFacts(0, 1000, 800, 300))
    assert b'imageXResolution="300"' in after
    assert opened(after).document.pages[0].dpi == 300


def test_of_several_texts_the_first_is_written() -> None:
    two = TABLE.replace(
        b"<TextEquiv><Unicode>Name</Unicode></TextEquiv>",
        b'<TextEquiv index="1"><Unicode>Nome</Unicode></TextEquiv>'
        b'<TextEquiv index="0"><Unicode>Name</Unicode></TextEquiv>',
    )
    after = made(two, SetTranscription(0, 0, "Names"))
    assert after == two.replace(b">Name<", b">Names<")


# ALTO

NEWSPAPER = sample("dinglehopper_test.alto2.xml")
IN_ONE = sample("line-in-one-string.alto.xml")
ORDERED = sample("kraken_alto_bsb00084914_00007.xml")


def line_at(data: bytes, number: int) -> bytes:
    """The element of a line, by its place in the file."""
    at = -1
    for _ in range(number + 1):
        at = data.index(b"<TextLine", at + 1)
    return data[at : data.index(b"</TextLine>", at) + 11]


def test_a_words_text_in_alto() -> None:
    document = opened(NEWSPAPER).document
    segment = document.sections[0].segments[1]
    assert segment.tokens[1].source == "Zugtiere"
    after = made(NEWSPAPER, SetTokenText(0, 1, 1, 'Zug & "Tiere"'))
    assert after == NEWSPAPER.replace(b'"Zugtiere"', b'"Zug &amp; &quot;Tiere&quot;"', 1)


def test_a_lone_word_with_blanks_is_refused_in_alto_where_it_would_be_its_line() -> None:
    assert len(opened(NEWSPAPER).document.pages[0].lines[0].words) == 1
    with pytest.raises(InputError, match="a word with blanks that is alone in its line") as caught:
        made(NEWSPAPER, SetTokenText(0, 0, 0, "1 42"))
    assert caught.value.code == "layout.cannot-hold"
    assert b'CONTENT="Zug tiere"' in made(NEWSPAPER, SetTokenText(0, 1, 1, "Zug tiere"))


def test_a_box_in_alto_2_stays_a_box() -> None:
    word = opened(NEWSPAPER).document.pages[0].lines[1].words[1]
    assert word.polygon == ((427, 270), (569, 270), (569, 314), (427, 314))
    moved = ((420, 270), (569, 270), (569, 314), (420, 314))
    after = made(NEWSPAPER, SetPolygon(Outline(0, 1, 1), moved))
    assert opened(after).document.pages[0].lines[1].words[1].polygon == moved
    assert after == NEWSPAPER.replace(
        b'WIDTH="142" VPOS="270" HPOS="427"', b'WIDTH="149" VPOS="270" HPOS="420"', 1
    )


BOXED = {
    "2": NEWSPAPER,
    "3.0": NEWSPAPER.replace(b"/ns-v2#", b"/ns-v3#").replace(
        b"<alto ", b'<alto SCHEMAVERSION="3.0" '
    ),
}
SKEWED = {
    "inward": ((430, 272), (569, 270), (569, 314), (427, 314)),
    "outward": ((420, 270), (569, 270), (569, 314), (427, 314)),
    "less": ((427, 270), (569, 270), (569, 314)),
    "more": ((427, 270), (500, 280), (569, 270), (569, 314), (427, 314)),
    "crossed": ((427, 270), (569, 314), (569, 270), (427, 314)),
}


@pytest.mark.parametrize("outline", SKEWED.values(), ids=SKEWED)
@pytest.mark.parametrize("at", [Outline(0, 1), Outline(0, 1, 1)], ids=["line", "word"])
@pytest.mark.parametrize("version", BOXED)
def test_an_outline_that_a_box_does_not_say_is_refused(
    version: str, at: Outline, outline: Polygon
) -> None:
    data = BOXED[version]
    what = "word" if at.word is not None else "line"
    message = rf"ALTO {version} cannot hold an outline that is not an upright box \({what} "
    read = opened(data)
    _, inverse = SetPolygon(at, outline).apply(read.document)
    with pytest.raises(InputError, match=message) as caught:
        write(read.document, read.source)
    assert caught.value.code == "layout.cannot-hold"
    inverse.apply(read.document)
    assert write(read.document, read.source) == data
    drawn: Edit = (
        AddLine(0, 1, LineValue("n", "line", outline))
        if what == "line"
        else AddWord(0, 1, 0, WordValue("n", outline))
    )
    with pytest.raises(InputError, match=message):
        made(data, drawn)


@pytest.mark.parametrize("at", [Outline(0, 1), Outline(0, 1, 1)], ids=["line", "word"])
@pytest.mark.parametrize("version", BOXED)
def test_a_rectangle_is_saved_as_its_box_and_read_back(version: str, at: Outline) -> None:
    box = ((431, 272), (570, 272), (570, 310), (431, 310))
    line = opened(made(BOXED[version], SetPolygon(at, box))).document.pages[0].lines[1]
    assert (line if at.word is None else line.words[1]).polygon == box


def test_an_outline_in_alto_4_is_written_as_the_file_writes_it() -> None:
    after = made(IN_ONE, MoveVertex(Outline(0, 0), 2, (801, 111)))
    assert after == IN_ONE.replace(b"800 100 10 100", b"801 111 10 100").replace(
        b'HPOS="10" VPOS="10" WIDTH="790" HEIGHT="90"><Shape',
        b'HPOS="10" VPOS="10" WIDTH="791" HEIGHT="101"><Shape',
    )


def test_the_text_of_a_line_in_one_string() -> None:
    after = made(IN_ONE, SetTranscription(0, 0, "another text"))
    assert after == IN_ONE.replace(b"the whole line of text", b"another text")
    with pytest.raises(InputError, match="beside that of its words"):
        made(IN_ONE, AddWord(0, 0, 0, WordValue("w", BOX)))
    words = ["the", "whole", "line", "of", "text"]
    marked: list[Edit] = [AddWord(0, 0, k, WordValue(f"w{k}", BOX)) for k in range(5)]
    marked += [AddToken(0, 0, k, TokenValue(f"t{k}", f"w{k}", "", words[k])) for k in range(5)]
    after = made(IN_ONE, *marked)
    line = opened(after).document.pages[0].lines[0]
    assert [word.id for word in line.words] == ["w0", "w1", "w2", "w3", "w4"]
    assert next(opened(after).document.segments()).transcription == "the whole line of text"
    assert after.count(b"<SP/>") == 4


def test_strings_come_and_go_with_the_blanks_between_them() -> None:
    line = line_at(NEWSPAPER, 1)
    first = line[line.index(b"<String") : line.index(b"<SP")]
    blank = line[line.index(b"<SP") : line.index(b"<String", line.index(b"<SP"))]
    gone = made(NEWSPAPER, RemoveWord(0, 1, 0))
    assert gone == NEWSPAPER.replace(line, line.replace(first + blank, b""))
    swapped = line_at(made(NEWSPAPER, MoveWord(0, 1, 0, 1, 1)), 1)
    assert sorted(swapped) == sorted(line)
    assert swapped.count(b"<SP") == line.count(b"<SP")
    emptied = made(IN_ONE, RemoveLine(0, 0))
    assert b"<TextLine" not in emptied


def test_the_reading_order_follows_lines_that_come_go_and_move() -> None:
    def order(data: bytes) -> list[str | None]:
        return [line.id for line in opened(data).document.pages[0].lines]

    before = order(ORDERED)
    gone = made(ORDERED, RemoveLine(0, 3))
    assert order(gone) == [*before[:3], *before[4:]]
    assert f'REF="{before[3]}"'.encode() not in gone
    drawn = made(ORDERED, AddLine(0, 8, LineValue("new", "line", BOX)))
    assert order(drawn) == [*before[:8], "new", *before[8:]]
    moved = made(ORDERED, MoveLine(0, 7, 9))
    assert order(moved) == [*before[:7], *before[8:10], before[7], *before[10:]]


@pytest.mark.parametrize(
    ("label", "references"),
    [
        (None, b"lang_0"),
        ("Margin", b"BT103 lang_0"),
        ("deu", b"tag_0 lang_0"),  # a language of the same name is no type
    ],
)
def test_the_type_of_a_region_leaves_the_other_tags_alone(
    label: str | None, references: bytes
) -> None:
    """Tags of a language or of a use stand beside the type, and are none."""
    regions = opened(ORDERED).document.pages[0].regions
    assert [region.type for region in regions] == ["Main", *["Paratext"] * 3, "Margin"]
    (page,) = read_alto(Source(ORDERED, "x"), lambda *_: None).layout.pages
    said = {line.custom for region in page.regions for line in region.lines}
    assert said == {None, "structure {type:heading;}"}
    after = made(ORDERED, SetRegionKind(0, 0, "TextRegion", label))
    assert b'TAGREFS="' + references + b'"' in after
    assert opened(after).document.pages[0].regions[0].type == label


def test_a_region_with_two_types_has_none_when_it_is_taken_away() -> None:
    two = ORDERED.replace(b'"BT2 lang_0"', b'"BT2 BT103 lang_0"')
    assert opened(two).document.pages[0].regions[0].type == "Main"
    after = made(two, SetRegionKind(0, 0, "TextRegion", None))
    assert after == two.replace(b'"BT2 BT103 lang_0"', b'"lang_0"')
    last = two.replace(b'"BT2 BT103 lang_0"', b'"BT2 BT103"')
    after = made(last, SetRegionKind(0, 0, "TextRegion", None))
    assert opened(after).document.pages[0].regions[0].type is None


def test_units_of_the_file_are_kept() -> None:
    data = IN_ONE.replace(b">pixel<", b">mm10<")
    read = read_document(Source(data, "x", image=lambda _name, _frame: PageImage(2000, 2000)))
    assert read.document.pages[0].lines[0].polygon[2] == (1600, 200)
    MoveVertex(Outline(0, 0), 2, (1602, 222)).apply(read.document)
    after = write(read.document, read.source)
    assert b'POINTS="10 10 800 10 801 111 10 100"' in after
    assert b'WIDTH="791" HEIGHT="101"><Shape' in after
