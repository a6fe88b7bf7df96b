from __future__ import annotations

import shutil
import statistics
from pathlib import Path

import pytest

from madcat_studio.cli.app import commands, main
from madcat_studio.formats.madcat import read
from madcat_studio.model.document import Line, Page, Word
from madcat_studio.model.geometry import (
    crosses_itself,
    intersection_area,
    iou,
    join,
    shape_of,
    shapes_of,
)
from madcat_studio.operations.pages.lines import derive_lines_of_file
from madcat_studio.pages.lines_from_words import MARGIN, bleed, derive_lines, word_overlap
from madcat_studio.paths import resources
from tests.pages.made import hard_page, quad

DATA = Path(__file__).parent.parent / "data" / "madcat"


def derive(page: Page) -> None:
    for line, polygon in zip(page.lines, derive_lines(page), strict=True):
        if polygon is not None:
            line.polygon = polygon


def missed(page: Page) -> float:
    """The area of words that their own line does not cover."""
    return sum(
        word.area - intersection_area(word, shape_of(line.polygon))
        for line in page.lines
        for word in shapes_of([w.polygon for w in line.words])
    )


def test_bleed_is_the_area_of_other_lines_words() -> None:
    page = Page(
        "p",
        100,
        100,
        lines=[
            Line(
                "z0",
                polygon=((0, 0), (100, 0), (100, 30), (0, 30)),
                words=[Word("t0", ((0, 0), (10, 0), (10, 10), (0, 10)))],
            ),
            Line(
                "z1",
                polygon=((0, 40), (100, 40), (100, 60), (0, 60)),
                words=[
                    Word("t1", ((0, 25), (20, 25), (20, 55), (0, 55))),
                    Word("t2", ((5, 5), (15, 5), (15, 15), (5, 15))),
                ],
            ),
        ],
    )
    assert bleed(page) == [20 * 5 + 10 * 10, 0]
    assert word_overlap(page) == [25, 25]


@pytest.mark.parametrize("name", ["0001_1_SCR0001", "0003_2_SCR0005", "2_SCR0002"])
def test_no_bleed_on_the_samples(name: str) -> None:
    for page in read(next(DATA.glob(f"*{name}.madcat.xml"))).document.pages:
        derive(page)
        assert bleed(page) == [0] * len(page.lines)
        assert missed(page) == 0


@pytest.mark.parametrize("name", ["20480102.0002_1_SCR0003", "20480103.0003_1_SCR0003"])
def test_lines_are_as_those_who_draw_them_do(name: str) -> None:
    """The demo's pages on which they were least alike; theirs are drawn around words and gaps."""
    folder = resources() / "demo" / "reference"
    [page] = read(next(folder.glob(f"*{name}.madcat.xml"))).document.pages[:1]
    found = derive_lines(page)
    alike = [
        iou(shape_of(line.polygon), shape_of(polygon))
        for line, polygon in zip(page.lines, found, strict=True)
        if polygon is not None
    ]
    assert len(alike) == len(page.lines)
    assert min(alike) >= 0.87
    assert statistics.mean(alike) >= 0.9


def test_a_low_word_beside_a_tall_one_keeps_the_room_above_it() -> None:
    tall, low = quad(800, 200, 100, 200, 0), quad(400, 270, 500, 60, 0)
    page = Page("p", 1000, 400, lines=[Line("z0", words=[Word("a", tall), Word("b", low)])])
    [polygon] = derive_lines(page, 0.0)
    assert polygon is not None
    drawn = shape_of(polygon)
    assert (
        missed(Page("p", 1000, 400, lines=[Line("z0", "line", polygon, page.lines[0].words)])) == 0
    )
    own = sum(shape.area for shape in shapes_of([tall, low]))
    assert drawn.area <= own + 100 * 200 + 500 * 30


def test_the_command_takes_the_same_margin() -> None:
    parameters = commands().commands["lines"].params
    assert [one.default for one in parameters if one.name == "margin"] == [MARGIN]


@pytest.mark.parametrize("seed", range(24))
def test_slanted_curved_and_interleaved_lines(seed: int) -> None:
    page = hard_page(seed)
    derive(page)
    assert sum(bleed(page)) == 0
    assert missed(page) < 1
    for line in page.lines:
        assert not crosses_itself(line.polygon)
        assert all(isinstance(value, int) for point in line.polygon for value in point)
        assert all(0 <= x <= 2000 and 0 <= y <= 1600 for x, y in line.polygon)


def test_where_words_overlap_no_more_than_that_is_left() -> None:
    page = Page(
        "p",
        1000,
        400,
        lines=[
            Line(
                "z0",
                words=[
                    Word("a", quad(500, 100, 200, 80, 0)),
                    Word("b", quad(200, 100, 200, 80, 0)),
                ],
            ),
            Line(
                "z1",
                words=[
                    Word("c", quad(500, 160, 200, 80, 0)),
                    Word("d", quad(200, 220, 200, 80, 0)),
                ],
            ),
        ],
    )
    derive(page)
    assert bleed(page) == word_overlap(page) == [200 * 20, 200 * 20]
    assert missed(page) == 0


def test_a_word_in_the_midst_of_another_line_is_left_out_of_it() -> None:
    # The single word of z1 stands in a gap of z0 that the band of z0 would cover.
    page = Page(
        "p",
        1000,
        400,
        lines=[
            Line(
                "z0",
                words=[
                    Word("a", quad(800, 200, 200, 200, 0)),
                    Word("b", quad(200, 200, 200, 200, 0)),
                ],
            ),
            Line("z1", words=[Word("c", quad(500, 200, 60, 60, 0))]),
        ],
    )
    derive(page)
    assert bleed(page) == [0, 0]
    assert missed(page) == 0
    assert join([shape_of(page.lines[0].polygon)]).geom_type == "Polygon"


def test_a_line_without_words_keeps_its_polygon() -> None:
    page = Page(
        "p",
        100,
        100,
        lines=[
            Line("z0", polygon=((0, 0), (9, 0), (9, 9))),
            Line("z1", words=[Word("t0", ()), Word("t1", ((1, 1), (2, 2)))]),
            Line("z2", words=[Word("t2", ((20, 20), (60, 20), (60, 40), (20, 40)))]),
        ],
    )
    first, second, third = derive_lines(page)
    assert (first, second) == (None, None)
    assert set(third or ()) == {(19, 19), (61, 19), (61, 41), (19, 41)}


def test_the_command_saves_with_a_backup(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = next(DATA.glob("*0003_2*.madcat.xml"))
    path = tmp_path / sample.name
    shutil.copyfile(sample, path)
    derive_lines_of_file(path, dry_run=True)
    assert path.read_bytes() == sample.read_bytes()
    assert main(["lines", str(path)]) == 0
    assert "words overlap" in capsys.readouterr().out
    before, after = read(sample).document, read(path).document
    assert [w.polygon for w in after.pages[0].words()] == [
        w.polygon for w in before.pages[0].words()
    ]
    assert path.with_name(path.name + ".bak").read_bytes() == sample.read_bytes()
    other = tmp_path / "other.madcat.xml"
    assert main(["lines", str(path), "-o", str(other)]) == 0
    assert main(["lines", str(path), "-o", str(other)]) == 2
    assert "madcat.file-exists" in capsys.readouterr().err
    assert main(["lines", str(path), "-o", str(other), "--overwrite"]) == 0
