"""The demo's pages: what the polygons say must agree with the ink of the scans."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageDraw

from madcat_studio import paths
from madcat_studio.formats import madcat
from madcat_studio.model import geometry
from madcat_studio.model.document import Document, Page, Polygon

DEMO = paths.resources() / "demo"
REFERENCES = sorted((DEMO / "reference").glob("*.madcat.xml"))
PAGES = sorted((DEMO / "pages").rglob("*.madcat.xml"))
UNMARKED, BLEEDING, TWICE = sorted((DEMO / "pages").glob("*.madcat.xml"))
LARGEST = 8_000_000

Ink = npt.NDArray[np.bool_]


@cache
def document_of(path: Path) -> Document:
    found = madcat.read(path)
    assert not found.problems
    return found.document


def scans(path: Path, document: Document) -> list[Ink]:
    with Image.open(path.with_name(document.src or "")) as scan:
        assert scan.info["compression"] == "group4"
        assert scan.info["dpi"] == (600, 600)
        pages = []
        for number in range(getattr(scan, "n_frames", 1)):
            scan.seek(number)
            assert scan.mode == "1"
            pages.append(~np.asarray(scan))
        return pages


def inside(page: Page, lines: bool = False) -> Ink:
    mask = Image.new("1", (page.width or 0, page.height or 0))
    pen = ImageDraw.Draw(mask)
    for line in page.lines:
        for polygon in [line.polygon] if lines else [word.polygon for word in line.words]:
            pen.polygon([(x, y) for x, y in polygon], fill=1)
    return np.asarray(mask)


def shared(one: Polygon, other: Polygon) -> float:
    return geometry.intersection_area(geometry.shape_of(one), geometry.shape_of(other))


def bleed(page: Page) -> float:
    """Area of words inside the polygons of other lines."""
    return sum(
        shared(line.polygon, word.polygon)
        for place, line in enumerate(page.lines)
        for other in [*page.lines[max(0, place - 2) : place], *page.lines[place + 1 : place + 3]]
        for word in other.words
    )


def test_there_are_twelve_manuscripts_and_three_pages() -> None:
    assert len(REFERENCES) == 12
    assert len(PAGES) == 4


def test_the_demo_stays_small() -> None:
    assert sum(path.stat().st_size for path in DEMO.rglob("*") if path.is_file()) < LARGEST


@pytest.mark.parametrize("path", [*REFERENCES, *PAGES], ids=lambda path: path.name[:32])
def test_word_polygons_hold_the_ink(path: Path) -> None:
    document = document_of(path)
    pages = scans(path, document)
    assert len(pages) == len(document.pages) == document.nbpages
    for page, ink in zip(document.pages, pages, strict=True):
        assert ink.shape == (page.height, page.width)
        total = np.count_nonzero(ink)
        outside = np.count_nonzero(ink & ~inside(page)) / total
        if path == UNMARKED:
            assert outside > 0.05
        elif path.parent.name == "second":
            assert outside < 0.05
        else:
            assert outside < 0.002
        for word in page.words():
            left, top, right, bottom = map(int, geometry.bounding_box(word.polygon) or ())
            assert 0 <= left < right <= ink.shape[1]
            assert 0 <= top < bottom <= ink.shape[0]
            assert np.count_nonzero(ink[top:bottom, left:right]) > 20


@pytest.mark.parametrize("path", REFERENCES, ids=lambda path: path.name[:32])
def test_line_polygons_hold_their_words_and_no_others(path: Path) -> None:
    for page in document_of(path).pages:
        assert bleed(page) == 0
        for line in page.lines:
            assert not geometry.crosses_itself(line.polygon)
            for word in line.words:
                area = geometry.ring_area(word.polygon)
                assert shared(line.polygon, word.polygon) > 0.995 * area


def test_most_outlines_are_not_upright_boxes() -> None:
    words = [
        word.polygon
        for path in REFERENCES
        for page in document_of(path).pages
        for word in page.words()
    ]
    upright = [polygon for polygon in words if len({x for x, _ in polygon}) == 2]
    assert len(words) > 1400
    assert len(upright) < 0.1 * len(words)


def test_the_text_is_linked_to_the_words_in_reading_order() -> None:
    for path in REFERENCES:
        document = document_of(path)
        order = [word.id for page in document.pages for word in page.words()]
        assert order == [t.ref_id for s in document.segments() for t in s.tokens if t.ref_id]
        assert len(set(order)) == len(order)
        for segment in document.segments():
            kept = [token.source or "" for token in segment.tokens if token.status != "extra"]
            assert segment.transcription == " ".join(kept)
            assert segment.translation


def test_one_segment_crosses_the_page_break() -> None:
    crossing = []
    for path in REFERENCES:
        document = document_of(path)
        if len(document.pages) == 1:
            continue
        first = {word.id for word in document.pages[0].words()}
        for segment in document.segments():
            here = {token.ref_id in first for token in segment.tokens}
            crossing += [(document.id, segment.id)] if len(here) == 2 else []
    assert crossing == [("DEMO_ARB_20480102.0002_1_SCR0003", "s2")]


def test_ten_words_are_unmarked() -> None:
    document = document_of(UNMARKED)
    tokens = [token for segment in document.segments() for token in segment.tokens]
    assert sum(not token.ref_id for token in tokens) == 10
    assert len(list(document.pages[0].words())) == len(tokens) - 10


def test_lines_bleed_on_one_page() -> None:
    page = document_of(BLEEDING).pages[0]
    words = sum(geometry.ring_area(word.polygon) for word in page.words())
    assert 0.02 * words < bleed(page) < 0.5 * words


def test_two_annotators_differ_on_one_page() -> None:
    first = document_of(TWICE).pages[0]
    second_path = TWICE.parent / "second" / TWICE.name
    second = document_of(second_path).pages[0]
    assert len(second.lines) == len(first.lines) + 1
    assert len(list(second.words())) == len(list(first.words()))
    moved = {w.id: w.polygon for w in first.words()}.items() - {
        w.id: w.polygon for w in second.words()
    }.items()
    assert len(moved) > 0.9 * len(list(first.words()))
    scan, other = (path.with_suffix("").with_suffix(".tif") for path in (TWICE, second_path))
    assert scan.read_bytes() == other.read_bytes()
