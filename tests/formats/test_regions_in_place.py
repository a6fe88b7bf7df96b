"""Regions that come, go and change in a saved file, and all that refers to them."""

from __future__ import annotations

import re

import pytest

from madcat_studio.edits import (
    AddLine,
    AddRegion,
    Edit,
    LineValue,
    RegionValue,
    RemoveLine,
    RemoveRegion,
    SetRegionKind,
)
from madcat_studio.formats.documents import read_document, write
from madcat_studio.formats.schema import violations
from madcat_studio.formats.source import Source

PAGE = """<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">
 <Metadata><Creator>c</Creator><Created>2026-01-01T00:00:00</Created>\
<LastChange>2026-01-01T00:00:00</LastChange></Metadata>
 <Page imageFilename="a.jpg" imageWidth="900" imageHeight="900">
  {lists}
  <TextRegion id="a"><Coords points="0,0 800,0 800,99 0,99"/><TextLine id="a1">\
<Coords points="1,1 700,1 700,90 1,90"/></TextLine></TextRegion>
  <TextRegion id="b" custom="readingOrder {{index:1;}} structure {{type:an\\u0020odd\\u0020one;}}">\
<Coords points="0,100 800,100 800,199 0,199"/></TextRegion>
  <ImageRegion id="i"><Coords points="0,300 800,300 800,399 0,399"/></ImageRegion>
 </Page>
</PcGts>
"""
ALTO = """<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#">
 <Description><MeasurementUnit>pixel</MeasurementUnit><sourceImageInformation><fileName>a.jpg\
</fileName></sourceImageInformation></Description>
 {lists}
 <Layout><Page ID="p" PHYSICAL_IMG_NR="1" WIDTH="900" HEIGHT="900">\
<PrintSpace HPOS="0" VPOS="0" WIDTH="900" HEIGHT="900">
  <TextBlock ID="a" HPOS="0" VPOS="0" WIDTH="800" HEIGHT="99"><TextLine ID="a1" HPOS="1" VPOS="1" \
WIDTH="700" HEIGHT="90"><String CONTENT="x" HPOS="1" VPOS="1" WIDTH="700" HEIGHT="90"/></TextLine>\
</TextBlock>
  <TextBlock ID="b" HPOS="0" VPOS="100" WIDTH="800" HEIGHT="99"/>
  <TextBlock ID="c" HPOS="0" VPOS="300" WIDTH="800" HEIGHT="99"/>
 </PrintSpace></Page></Layout>
</alto>
"""
BOX = ((10, 210), (500, 210), (500, 260), (10, 260))


def saved(data: bytes, *edits: Edit) -> bytes:
    """The file after edits: valid, as the document says, and back to its bytes when undone."""
    read = read_document(Source(data, "x"))
    assert not violations(Source(data, "x"))
    inverses = [edit.apply(read.document)[1] for edit in edits]
    result = write(read.document, read.source)
    assert [str(found) for found in violations(Source(result, "x"))] == []
    again = read_document(Source(result, "x")).document.pages[0]
    page = read.document.pages[0]
    assert [(r.kind, r.type) for r in again.regions] == [(r.kind, r.type) for r in page.regions]
    assert [line.polygon for line in again.lines] == [line.polygon for line in page.lines]
    for inverse in reversed(inverses):
        inverse.apply(read.document)
    assert write(read.document, read.source) == data
    return result


_GROUP = '<ReadingOrder><OrderedGroup id="g">{}</OrderedGroup></ReadingOrder>'
_A = '<RegionRefIndexed index="0" regionRef="a"/>'
_B = '<RegionRefIndexed index="1" regionRef="b"/>'


@pytest.mark.parametrize(
    ("lists", "left"),
    [
        (_GROUP.format(_A + _B), _GROUP.format(_B)),
        (_GROUP.format(_A), ""),
        (_GROUP.format("<Labels><Label value='v'/></Labels>" + _A), ""),
        (
            _GROUP.format(f'<OrderedGroupIndexed index="0" id="h">{_A}</OrderedGroupIndexed>' + _B),
            _GROUP.format(_B),
        ),
        (
            _GROUP.format(
                f'<OrderedGroupIndexed index="0" id="h" regionRef="a">{_B}</OrderedGroupIndexed>'
            ),
            _GROUP.format(f'<OrderedGroupIndexed index="0" id="h">{_B}</OrderedGroupIndexed>'),
        ),
        (
            '<Layers><Layer id="y" zIndex="1"><RegionRef regionRef="a"/></Layer></Layers>',
            "",
        ),
        (
            '<Relations><Relation id="y" type="link"><SourceRegionRef regionRef="i"/>'
            '<TargetRegionRef regionRef="a"/></Relation></Relations>',
            "",
        ),
    ],
)
def test_what_referred_to_a_region_goes_with_it(lists: str, left: str) -> None:
    """No list is left empty, which no schema allows, and no reference to nothing."""
    before = PAGE.format(lists=lists)
    region = re.search(r'\n  <TextRegion id="a">.*', before)
    assert region is not None
    after = before.replace(region.group(), "").replace(lists, left)
    if not left:
        after = after.replace("\n  \n", "\n")
    assert saved(before.encode(), RemoveLine(0, 0), RemoveRegion(0, 0)).decode() == after


def test_a_line_drawn_where_all_regions_with_lines_went_gets_one() -> None:
    new = LineValue("l9", "line", BOX, ())
    edits = [RemoveLine(0, 0), RemoveRegion(0, 0), AddLine(0, 0, new)]
    after = saved(PAGE.format(lists="").encode(), *edits)
    assert after.index(b'id="b"') < after.index(b'id="l9"') < after.index(b"<ImageRegion")
    after = saved(ALTO.format(lists="").encode(), *edits)
    assert b'ID="l9"' in after


def test_one_attribute_changed_for_two_reasons_says_both() -> None:
    """A region before it counts it up, and it becomes something else."""
    before = PAGE.format(lists="").replace(
        '<TextRegion id="a">', '<TextRegion id="a" custom="readingOrder {index:0;}">'
    )
    new = AddRegion(0, 1, RegionValue("n", "TextRegion", None, BOX))
    after = saved(before.encode(), new, SetRegionKind(0, 2, "TextRegion", None))
    assert b'<TextRegion id="b" custom="readingOrder {index:2;}">' in after
    assert b'<TextRegion id="n" custom="readingOrder {index:1;}">' in after


def test_a_type_may_have_any_character_that_custom_holds() -> None:
    typed = SetRegionKind(0, 1, "TextRegion", r"an\u0020other \1 \g<0>")
    after = saved(PAGE.format(lists="").encode(), typed)
    assert rb"structure {type:an\u0020other \1 \g&lt;0>;}" in after


def test_types_of_several_regions_share_one_list_of_tags() -> None:
    types = [SetRegionKind(0, n, "TextRegion", f"type{n}") for n in range(3)]
    after = saved(ALTO.format(lists="").encode(), *types)
    assert after.count(b"<Tags>") == 1
    assert after.count(b"<OtherTag ") == 3


_REFS = '<ReadingOrder><OrderedGroup ID="g">{}</OrderedGroup></ReadingOrder>'


@pytest.mark.parametrize(
    ("lists", "left"),
    [
        (
            '<ElementRef ID="r" REF="b c"/><ElementRef ID="s" REF="a"/>',
            '<ElementRef ID="s" REF="a"/>',
        ),
        ('<ElementRef ID="r" REF="a b c"/>', '<ElementRef ID="r" REF="a"/>'),
        ('<ElementRef ID="r" REF="b"/><ElementRef ID="s" REF="c"/>', None),
        (
            '<OrderedGroup ID="h" REF="b"><ElementRef ID="s" REF="a"/></OrderedGroup>',
            '<OrderedGroup ID="h"><ElementRef ID="s" REF="a"/></OrderedGroup>',
        ),
    ],
)
def test_references_to_two_blocks_that_go_are_both_taken_out(lists: str, left: str | None) -> None:
    before = ALTO.format(lists=_REFS.format(lists))
    order = [r.id for r in read_document(Source(before.encode(), "x")).document.pages[0].regions]
    gone = sorted((order.index(name) for name in "bc"), reverse=True)
    after = saved(before.encode(), *(RemoveRegion(0, n) for n in gone)).decode()
    found = re.search(r"<ReadingOrder>.*</ReadingOrder>", after)
    assert (found and found.group()) == (left and _REFS.format(left))
