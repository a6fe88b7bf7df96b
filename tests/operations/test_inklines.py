"""Lines, baselines and words from the ink of a scan, into every format that is saved in place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchmarks.made_hands import MadePage, polygons
from madcat_studio.errors import InputError
from madcat_studio.model.geometry import iou, shape_of
from madcat_studio.operations.pages.convert import open_document
from madcat_studio.operations.pages.inklines import lines_from_ink
from tests.handwriting import make

PAGE = """<?xml version="1.0" encoding="UTF-8"?>
<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">
<Metadata><Creator>t</Creator><Created>2048-01-01T00:00:00</Created>
<LastChange>2048-01-01T00:00:00</LastChange></Metadata>
<Page imageFilename="D.png" imageWidth="{w}" imageHeight="{h}">
<TextRegion id="r1"><Coords points="0,0 {w},0 {w},{h} 0,{h}"/></TextRegion></Page></PcGts>"""
ALTO = """<?xml version="1.0" encoding="UTF-8"?>
<alto xmlns="http://www.loc.gov/standards/alto/ns-v{v}#">
<Description><MeasurementUnit>pixel</MeasurementUnit><sourceImageInformation>
<fileName>D.png</fileName></sourceImageInformation></Description>
<Layout><Page ID="p1" PHYSICAL_IMG_NR="1" WIDTH="{w}" HEIGHT="{h}">
<PrintSpace HPOS="0" VPOS="0" WIDTH="{w}" HEIGHT="{h}">
<TextBlock ID="b1" HPOS="0" VPOS="0" WIDTH="{w}" HEIGHT="{h}"/>
</PrintSpace></Page></Layout></alto>"""
MADCAT = (
    '<madcat><doc id="D" src="D.png"><image><page id="p1" width="{w}" height="{h}"/></image>'
    '<content><section id="c"><segment id="s1"><transcription>{text}</transcription></segment>'
    "</section></content></doc></madcat>"
)


@pytest.fixture(scope="module")
def made() -> MadePage:
    return make("fanned", dpi=150, lines=5)


def put(folder: Path, name: str, text: str, page: MadePage) -> Path:
    page.image.save(folder / "D.png", dpi=(150, 150))
    width, height = page.image.size
    path = folder / name
    path.write_text(text.format(w=width, h=height, v=4, text=" ".join(page.texts)), "utf-8")
    return path


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("D.madcat.xml", MADCAT),
        ("D.page.xml", PAGE),
        ("D.alto.xml", ALTO),
        ("D.alto.xml", ALTO.replace("ns-v{v}", "ns-v2")),
    ],
    ids=["madcat", "page", "alto4", "alto2"],
)
def test_a_page_gets_its_lines_with_words_in_reading_order(
    tmp_path: Path, made: MadePage, name: str, text: str
) -> None:
    path = put(tmp_path, name, text, made)
    boxes = "ns-v2" in text
    rows = lines_from_ink(path)
    assert [(row.page, row.lines) for row in rows] == [(0, 5)]
    page = open_document(path).document.pages[0]
    assert len(page.lines) == 5
    truth = polygons(made)
    by_line = [[truth[w.label] for w in made.words if w.line == n] for n in range(5)]
    assert rows[0].words == len(made.words)
    for line, words in zip(page.lines, by_line, strict=True):
        assert len(line.words) == len(words)
        ious = [
            iou(shape_of(found.polygon), shape_of(tuple(own)))
            for found, own in zip(line.words, words, strict=True)
        ]
        assert np.median(ious) > 0.6
        # A band holds the ink of its words; a box of a line that leans holds more besides.
        tops = [min(y for _, y in own) for own in words]
        assert min(y for _, y in line.polygon) <= min(tops) + 4
        right = max(x for own in words for x, _ in own)
        assert max(x for x, _ in line.polygon) == pytest.approx(right, abs=8)
        assert (len(line.polygon) == 4) == boxes
    if name == "D.page.xml":
        assert {line.region for line in page.lines} == {"r1"}
        for line in page.lines:
            assert len(line.baseline) >= 2
            assert line.baseline[0][0] > line.baseline[-1][0]  # from where reading begins
    # Once more changes nothing: it has lines.
    assert lines_from_ink(path)[0].lines is None
    assert [line.polygon for line in open_document(path).document.pages[0].lines] == [
        line.polygon for line in page.lines
    ]


def test_a_baseline_lies_under_the_letters_and_over_what_hangs_below(tmp_path: Path) -> None:
    page = make("latin", dpi=150, lines=3)
    path = put(tmp_path, "D.page.xml", PAGE, page)
    lines_from_ink(path, words=False)
    found = open_document(path).document.pages[0].lines
    assert len(found) == 3
    assert not any(line.words for line in found)
    for number, line in enumerate(found):
        written = (1.1 + number * 0.52) * 150
        assert np.median([y for _, y in line.baseline]) == pytest.approx(written, abs=9)


@pytest.mark.long
def test_nothing_is_written_where_there_is_no_scan_or_nothing_on_it(
    tmp_path: Path, made: MadePage
) -> None:
    path = put(tmp_path, "D.page.xml", PAGE, made)
    before = path.read_bytes()
    assert lines_from_ink(path, dry_run=True)[0].lines == 5
    assert path.read_bytes() == before
    (tmp_path / "D.png").unlink()
    with pytest.raises(InputError) as caught:
        lines_from_ink(path)
    assert caught.value.code == "lines.no-scan"
    assert path.read_bytes() == before
    Image.new("L", made.image.size, 255).save(tmp_path / "D.png")
    assert lines_from_ink(path)[0].lines == 0
