"""Reading, writing and saving in place grow as the page does: eight times the words and the work.

Work is counted in lines of Python that are run: seconds depend on the memory of the machine and
on who else uses it, and are the matter of ``benchmarks/bench_formats.py``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from madcat_studio.formats.alto import read_alto
from madcat_studio.formats.alto_writer import write_alto
from madcat_studio.formats.documents import read_document, write
from madcat_studio.formats.gedi import read_gedi
from madcat_studio.formats.hocr import read_hocr
from madcat_studio.formats.labelme import read_labelme
from madcat_studio.formats.madcat_writer import new_bytes
from madcat_studio.formats.page_xml import read_page_xml
from madcat_studio.formats.page_xml_writer import write_page_xml
from madcat_studio.formats.source import Source
from madcat_studio.model.conversion import document_of
from madcat_studio.model.document import Document, Polygon
from madcat_studio.model.layout import Layout, LayoutLine, LayoutPage, LayoutRegion, LayoutWord

SIZES = (100, 800)
MOST = 8.2


def box(left: int, top: int, width: int, height: int) -> Polygon:
    return ((left, top), (left + width, top), (left + width, top + height), (left, top + height))


def page(words: int) -> Layout:
    """A page without ids, which all have to be made; five lines a region, each with its traits."""
    regions = []
    for n in range(words // 50):
        lines = [
            LayoutLine(
                None, box(0, 300 * n + 30 * k, 1000, 28), ((0, 300 * n + 30 * k + 20), (9, 9)),
                " ".join(f"w{n}-{k}-{m}" for m in range(10)),
                [
                    LayoutWord(None, box(100 * m, 300 * n + 30 * k, 90, 28), f"w{n}-{k}-{m}")
                    for m in range(10)
                ],
                traits="LANG:de",
            )
            for k in range(5)
        ]  # fmt: skip
        regions.append(LayoutRegion(None, polygon=box(0, 300 * n, 1000, 150), lines=lines))
    return Layout([LayoutPage("p", "a.tif", 1000, 30 * words, 300, regions)])


def nowhere(_image: str, _frame: int) -> None:
    """The size of an image that is not there."""


def document(words: int) -> Document:
    return document_of(page(words), "B", "x")[0]


def saving(data: bytes) -> Callable[[], object]:
    """Saving in place after an edit in each line."""
    read = read_document(Source(data, "x"))
    read.source.keep_reading(read_document(Source(data, "x")).document)
    for segment in read.document.segments():
        segment.tokens[0].source = "edited"
        segment.transcription = " ".join(token.source or "" for token in segment.tokens)
    return lambda: write(read.document, read.source)


def hocr(words: int, *, lines: bool = True) -> bytes:
    """A paragraph a word, perhaps with a line in it."""
    of = "<span class='ocr_line' title='bbox 0 {0} 9 {0}'>w</span>" if lines else "word {0}"
    paragraph = f"<p class='ocr_par' title='bbox 0 {{0}} 9 {{0}}'>{of}</p>"
    made = "".join(paragraph.format(n) for n in range(words))
    return f"<div class='ocr_page' title='bbox 0 0 9 {words}'>{made}</div>".encode()


def gedi(words: int) -> bytes:
    """Lines of ten words, which do not say what line they are in."""
    zone = '<DL_ZONE gedi_type="{}" col="{}" row="{}" width="{}" height="28" contents="w"/>'
    zones = [zone.format("Line", 0, 30 * n, 1000) for n in range(words // 10)]
    zones += [zone.format("Word", 100 * (n % 10), 30 * (n // 10), 90) for n in range(words)]
    page_ = f'<DL_PAGE src="a.png" width="1000" height="{30 * words}">{"".join(zones)}</DL_PAGE>'
    return f"<GEDI><DL_DOCUMENT>{page_}</DL_DOCUMENT></GEDI>".encode()


def labelme(words: int) -> bytes:
    """The same as shapes."""

    def shape(label: str, left: int, top: int, width: int) -> dict[str, object]:
        points = [[left, top], [left + width, top + 28]]
        return {"label": label, "points": points, "shape_type": "rectangle"}

    shapes = [shape("line", 0, 30 * n, 1000) for n in range(words // 10)]
    shapes += [shape("word", 100 * (n % 10), 30 * (n // 10), 90) for n in range(words)]
    values = {"imagePath": "a.png", "imageWidth": 1000, "imageHeight": 30 * words}
    return json.dumps(values | {"version": "5", "shapes": shapes}).encode()


WORKS: dict[str, Callable[[int], Callable[[], object]]] = {
    "PAGE XML": lambda n: lambda: write_page_xml(page(n), "x"),
    "ALTO": lambda n: lambda: write_alto(page(n), "x"),
    "MADCAT": lambda n: lambda: new_bytes(document(n)),
    "PAGE XML, read": lambda n: _reading(write_page_xml(page(n), "x")[0][0], page_xml=True),
    "ALTO, read": lambda n: _reading(write_alto(page(n), "x")[0], page_xml=False),
    "PAGE XML, in place": lambda n: saving(write_page_xml(page(n), "x")[0][0]),
    "ALTO, in place": lambda n: saving(write_alto(page(n), "x")[0]),
    "MADCAT, in place": lambda n: saving(new_bytes(document(n))),
    "hOCR, read": lambda n: lambda: read_hocr(Source(hocr(n), "x")),
    "hOCR without lines, read": lambda n: lambda: read_hocr(Source(hocr(n, lines=False), "x")),
    "GEDI, read": lambda n: lambda: read_gedi(Source(gedi(n), "x")),
    "labelme, read": lambda n: lambda: read_labelme(Source(labelme(n), "x.json")),
}


def _reading(data: bytes, *, page_xml: bool) -> Callable[[], object]:
    if page_xml:
        return lambda: read_page_xml(Source(data, "x"))
    return lambda: read_alto(Source(data, "x"), nowhere)


def steps(work: Callable[[], object]) -> int:
    """How many lines of Python a piece of work runs, each turn of a loop anew."""
    count = 0

    def look(_frame: Any, event: str, _argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return look

    work()  # schemas are read once
    before = sys.gettrace()
    sys.settrace(look)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("name", WORKS)
def test_eight_times_the_words_are_eight_times_the_work(name: str) -> None:
    few, many = (steps(WORKS[name](size)) for size in SIZES)
    assert many / few <= MOST
