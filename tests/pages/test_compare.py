from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.cli.app import main
from madcat_studio.errors import InputError
from madcat_studio.formats.madcat import read
from madcat_studio.model.document import Line, Page, Polygon, Word
from madcat_studio.operations.pages.compare import compare_paths, totals
from madcat_studio.pages.compare import compare_pages
from madcat_studio.scoring.scorecards.layout import normalised_tau

DATA = Path(__file__).parent.parent / "data" / "madcat"
NORMAL = DATA / "ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"


def box(x: float, width: float, y: float = 0, height: float = 10) -> Polygon:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def words(*polygons: Polygon) -> Page:
    return Page("p", 1000, 1000, lines=[Line("z", words=[Word(None, p) for p in polygons])])


def test_a_page_agrees_with_itself() -> None:
    page = read(NORMAL).document.pages[0]
    found = compare_pages(page, page)
    assert (found.lines.iou, found.lines.covered_order) == (1, 1)
    assert [(i, j) for i, j, _ in found.words.matches] == [(n, n) for n in range(43)]
    assert (found.words.missed, found.words.extra, found.words.split, found.words.merged) == (
        (),
        (),
        (),
        (),
    )


def test_overlap_decides_not_the_index() -> None:
    first = words(box(0, 10), box(100, 10), box(200, 10))
    second = words(box(200, 10), box(0, 5), box(300, 10))
    found = compare_pages(first, second).words
    assert found.matches == ((0, 1, 0.5), (2, 0, 1.0))
    assert (found.missed, found.extra) == ((1,), (2,))
    assert found.iou == pytest.approx(0.5)
    assert found.matched_iou == 0.75
    # 0 before 2 became 1 before 0: turned round, and only two of three are matched.
    assert (found.order, found.covered_order) == (0, 0)


def test_splits_and_mergers() -> None:
    whole, halves = words(box(0, 100)), words(box(0, 49), box(50, 50))
    split = compare_pages(whole, halves).words
    assert (split.split, split.missed, split.extra, split.merged) == ((0,), (), (), ())
    assert split.matches == ((0, 1, 0.5),)
    merged = compare_pages(halves, whole).words
    assert (merged.split, merged.missed, merged.extra, merged.merged) == ((), (), (), (0,))
    crumbs = compare_pages(whole, words(box(0, 10), box(20, 10))).words
    assert (crumbs.split, crumbs.missed, crumbs.extra) == ((), (0,), (0, 1))  # a fifth is not most


def test_nothing_against_something() -> None:
    empty, one = words(), words(box(0, 10))
    assert compare_pages(empty, empty).words.iou is None
    assert compare_pages(empty, one).words.extra == (0,)
    found = compare_pages(one, empty).words
    assert (found.missed, found.iou, found.matched_iou, found.covered_order) == ((0,), 0, None, 0)
    assert compare_pages(words(()), words(())).words.missed == (0,)


def test_reading_order_of_matched_units() -> None:
    page = read(NORMAL).document.pages[0]
    other = copy.deepcopy(page)
    other.lines.reverse()
    found = compare_pages(page, other).lines
    assert (found.iou, found.order) == (1, 0)
    other.lines = [other.lines[n] for n in (5, 4, 3, 2, 0, 1)]
    assert compare_pages(page, other).lines.order == pytest.approx((13 / 15 + 1) / 2)


@given(st.permutations(range(12)), st.integers(0, 12))
def test_order_is_the_scorecards_tau(places: list[int], number: int) -> None:
    first = words(*[box(n * 20, 10) for n in range(number)])
    kept = [place for place in places if place < number]
    second = words(*[box(place * 20, 10) for place in kept])
    found = compare_pages(first, second).words
    _, expected = normalised_tau(
        list(range(number)), [kept.index(place) for place in range(number)]
    )
    assert found.order == pytest.approx(expected)


def test_totals_are_over_units_not_pages() -> None:
    one = compare_pages(words(box(0, 10)), words(box(0, 5)))
    three = compare_pages(
        words(*[box(n * 50, 10) for n in range(3)]), words(*[box(n * 50, 10) for n in range(3)])
    )
    sums = totals([one, three], lambda p: p.words)
    assert (sums.first, sums.matched, sums.iou) == (4, 4, pytest.approx(3.5 / 4))
    assert sums.order == 1


def test_folders_are_compared_file_by_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    for folder in (a, b):
        folder.mkdir()
        shutil.copy(NORMAL, folder)
    shutil.copy(next(DATA.glob("*0003_2*.madcat.xml")), a)
    (a / "bad.madcat.xml").write_text("<madcat>")
    (b / "bad.madcat.xml").write_text("<madcat>")
    assert main(["compare", str(a), str(b), "--format", "json"]) == 2
    shown = capsys.readouterr()
    assert "compare.missing" in shown.err
    assert "xml.truncated" in shown.err
    plain = json.loads(shown.out)
    assert [(r["unit"], r["first"], r["iou"]) for r in plain["results"]] == [
        ("lines", 6, 1.0),
        ("words", 43, 1.0),
    ]
    assert main(["compare", str(NORMAL), str(b / NORMAL.name)]) == 0
    for kind in ("lineseg", "wordseg"):
        shutil.copy(NORMAL.with_name(NORMAL.name.replace(".madcat", f".{kind}.madcat")), a)
    with pytest.raises(InputError) as caught:
        compare_paths(a, b)
    assert caught.value.code == "compare.ambiguous"
    (b / "sub").mkdir()
    shutil.copy(NORMAL, b / "sub")
    with pytest.raises(InputError) as caught:
        compare_paths(tmp_path, b)
    assert caught.value.code == "file.nothing-matches"
    with pytest.raises(InputError, match=r"compare\.folder-and-file"):
        compare_paths(a, NORMAL)
    for pair in ((a, tmp_path / "none"), (tmp_path / "none", a)):
        with pytest.raises(InputError, match=r"none: there is no such file or folder"):
            compare_paths(*pair)


def test_formats_can_be_mixed(tmp_path: Path) -> None:
    page = tmp_path / "x.page.xml"
    assert main(["convert", str(NORMAL), str(page)]) == 0
    (found,) = compare_paths(NORMAL, page)
    assert (found.pages[0].words.iou, found.pages[0].words.covered_order) == (1, 1)


def test_folders_are_paired_across_formats(tmp_path: Path) -> None:
    """Two annotators of one queue, one of whom works in another program."""
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.mkdir()
    theirs.mkdir()
    base = NORMAL.name.removesuffix(".madcat.xml")
    shutil.copy(NORMAL, ours)
    assert main(["convert", str(NORMAL), str(theirs / f"{base}.page.xml")]) == 0
    real = Path(__file__).parent.parent / "data" / "real"
    shutil.copy(real / "prima_SimplePage.xml", ours / "0001.xml")
    shutil.copy(real / "kraken_alto_bsb00084914_00007.xml", ours / "0002.alto.xml")
    assert main(["convert", str(ours / "0001.xml"), str(theirs / "0001.madcat.xml")]) == 0
    shutil.copy(ours / "0002.alto.xml", theirs / "0002.xml")
    for folder in (ours, theirs):
        (folder / "mets.xml").write_text("<mets/>")
    found = compare_paths(ours, theirs)
    assert [(file.base, file.error) for file in found] == [
        ("0001", None),
        ("0002", None),
        (base, None),
    ]
    agreed = [(page.lines.first, page.lines.iou) for file in found for page in file.pages]
    assert [count for count, _ in agreed] == [1, 31, 6], "lines"
    assert all(iou == pytest.approx(1) for _, iou in agreed)
