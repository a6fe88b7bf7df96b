"""The boxes of scored pages: in the saved result, over the page in the report, and found again."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from madcat_studio.operations.scorecards import boxed
from madcat_studio.operations.scorecards.boxed import Places, find_picture, read_picture
from madcat_studio.operations.scorecards.files import read_card
from madcat_studio.reports.cards_ltb_boxes import BoxState, PageBoxes, boxes_svg, page_boxes
from tests.operations.test_scorecards import checked, run, write_lines

TEXT = "una casa grande con una puerta"


def region(name: str, box: list[float], order: int = 0) -> dict[str, Any]:
    return {"region_id": name, "bbox": box, "text": TEXT, "reading_order": order}


@pytest.fixture
def data_set(tmp_path: Path) -> tuple[Path, Path]:
    """A page in the public layout; a system with a right box, one beside, a missed, an extra."""
    data = tmp_path / "set" / "data"
    boxes = {"good": [10, 10, 100, 20], "off": [10, 50, 100, 20], "gone": [10, 90, 100, 20]}
    regions = [
        {**region(name, box, order), "references": {"en-es": TEXT}}
        for order, (name, box) in enumerate(boxes.items())
    ]
    write_lines(
        data / "annotations" / "a.json",
        [{"doc_id": "a&b", "page_size": [200, 150], "regions": regions}],
    )
    entry = {"doc_id": "a&b", "annotation_file": "annotations/a.json", "source_file": "scans/a.png"}
    write_lines(data / "manifest.json", [{"entries": [entry]}])
    (data / "scans").mkdir()
    Image.new("L", (400, 300), 200).save(data / "scans" / "a.png")
    given = [
        region("good", [12, 10, 100, 20]),
        region("off", [60, 60, 100, 20], 1),
        region("", [150, 120, 30, 20], 2),
    ]
    system = tmp_path / "alpha"
    write_lines(system / "en-es.jsonl", [{"doc_id": "a&b", "regions": given}])
    return tmp_path / "set", system


@pytest.fixture
def out(data_set: tuple[Path, Path], tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    assert run("scorecard", "ltb", *data_set, "--out", folder, "--formats", "html,json") == 0
    return folder


def page_of(out: Path) -> PageBoxes:
    page = page_boxes(read_card(out / "ltb.json").result, "alpha", "en-es", "a&b")
    assert page is not None
    return page


def test_a_result_tells_of_every_box_what_it_is(out: Path) -> None:
    checked(out / "ltb.json", "ltb")
    page = page_of(out)
    assert (page.size, page.picture, page.frame) == ((200, 150), "scans/a.png", 0)
    assert [(box.state, box.region, box.box) for box in page.boxes] == [
        (BoxState.TRUTH, "good", (10, 10, 100, 20)),
        (BoxState.TRUTH, "off", (10, 50, 100, 20)),
        (BoxState.MISSED, "gone", (10, 90, 100, 20)),
        (BoxState.RIGHT, "good", (12, 10, 100, 20)),
        (BoxState.OFF, "off", (60, 60, 100, 20)),
        (BoxState.EXTRA, "", (150, 120, 30, 20)),
    ]
    assert page.boxes[3].facts == (("IoU", "0.96"), ("chrF", "100.0"))
    assert page.count(BoxState.MISSED) == 1


def test_a_click_on_a_score_of_the_report_leads_to_the_page(out: Path) -> None:
    text = (out / "ltb.html").read_text(encoding="utf-8")
    assert text.count('<a href="#page-1">') == 1 + 1 + 3  # the list, the document, its regions
    assert '<article class="exhibit" id="page-1"' in text
    assert "1 right, 1 beside, 1 missed, 1 matched to nothing" in text
    kinds = re.findall(r'<rect class="(\w+)"', text)
    assert sorted(kinds) == ["extra", "missed", "off", "right", "truth", "truth"]
    assert 'viewBox="0 0 200 150"' in text
    assert "data:image/jpeg;base64," in text
    assert "a&b" not in re.sub("&amp;", "", text)


def test_a_saved_result_finds_its_pages_again(
    out: Path, data_set: tuple[Path, Path], tmp_path: Path
) -> None:
    again = tmp_path / "again"
    shown = ("scorecard", "show", out / "ltb.json", "--out", again, "--formats", "html")
    assert run(*shown) == 0
    assert "page-1" not in (again / "ltb.html").read_text(encoding="utf-8")
    assert run(*shown, "--pages", data_set[0]) == 0
    assert 'id="page-1"' in (again / "ltb.html").read_text(encoding="utf-8")


def test_only_the_worst_pages_are_shown(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = read_card(out / "ltb.json")
    [system] = report.result["systems"]
    good = {**system["documents"][0], "ltb_100": 99.0, "pair": "en-de"}
    system["documents"].insert(0, good)
    places = Places((out.parent / "set",))
    monkeypatch.setattr(boxed, "MOST_PAGES", 1)
    [shown] = boxed.with_boxes(report, places).exhibits
    assert shown.place["pair"] == "en-es"
    monkeypatch.setattr(boxed, "MOST_PAGES", 9)
    assert [one.place["pair"] for one in boxed.with_boxes(report, places).exhibits] == [
        "en-es",
        "en-de",
    ]


def test_a_held_out_split_tells_of_no_page(data_set: tuple[Path, Path], tmp_path: Path) -> None:
    truth, system = data_set
    manifest = truth / "data" / "manifest.json"
    value = json.loads(manifest.read_text(encoding="utf-8"))
    value["entries"][0]["split"] = "held-out"
    write_lines(manifest, [value])
    folder = tmp_path / "held"
    assert run("scorecard", "ltb", truth, system, "--split", "held-out", "--out", folder) == 0
    held = checked(folder / "ltb.json", "ltb")
    assert "pages" not in held
    for file in folder.iterdir():
        assert b"a&b" not in file.read_bytes().replace(b"a&amp;b", b"a&b")


def test_a_picture_is_looked_for_within_the_folders_alone(
    out: Path, data_set: tuple[Path, Path], tmp_path: Path
) -> None:
    page = page_of(out)
    scan = data_set[0] / "data" / "scans" / "a.png"
    assert find_picture(page, Places.of(data_set[0])) == (scan, 0)
    assert find_picture(page, Places.of(data_set[0] / "data" / "manifest.json")) == (scan, 0)
    assert find_picture(page, Places((tmp_path,))) == (scan, 0)
    assert find_picture(page, Places((), (tmp_path,))) is None
    for name in ("/etc/passwd", "../set/data/scans/a.png", "..", "", "*.png"):
        hostile = PageBoxes("a&b", page.size, name, 0, ())
        assert find_picture(hostile, Places.of(out, data_set[0])) is None, name


def test_a_picture_is_made_small(data_set: tuple[Path, Path]) -> None:
    scan = data_set[0] / "data" / "scans" / "a.png"
    assert read_picture((scan, 0), 100).size == (100, 75)
    assert read_picture((scan, 0), 1000).size == (400, 300)


def test_a_picture_that_cannot_be_read_is_not_in_the_report(
    data_set: tuple[Path, Path], tmp_path: Path
) -> None:
    (data_set[0] / "data" / "scans" / "a.png").write_bytes(b"no picture")
    folder = tmp_path / "out"
    assert run("scorecard", "ltb", *data_set, "--out", folder, "--formats", "html") == 0
    assert 'id="page-1"' not in (folder / "ltb.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("where", "what"),
    [
        (("pages", 0, "regions", 0, "box"), [1, 2, 3]),
        (("pages", 0, "regions", 0, "box"), [1, 2, "x", 4]),
        (("pages", 0, "regions", 0, "box"), [1, 2, float("inf"), 4]),
        (("pages", 0, "size"), ["a", "b"]),
        (("pages", 0, "frame"), None),
        (("pages", 0, "regions"), {}),
        (("pages",), 7),
        (("systems", 0, "documents", 0, "regions", 0, "iou"), None),
        (("systems", 0, "documents", 0, "unmatched"), [7]),
        (("systems", 0, "documents", 0, "regions", 0, "region"), "unknown"),
    ],
)
def test_a_damaged_result_has_no_boxes(out: Path, where: tuple[Any, ...], what: object) -> None:
    report = read_card(out / "ltb.json")
    value: Any = report.result
    for step in where[:-1]:
        value = value[step]
    value[where[-1]] = what
    assert page_boxes(report.result, "alpha", "en-es", "a&b") is None
    assert boxed.with_boxes(report, Places((out.parent / "set",))) is report


def test_a_page_without_a_size_has_that_of_its_boxes(out: Path) -> None:
    report = read_card(out / "ltb.json")
    report.result["pages"][0]["size"] = None
    page = page_boxes(report.result, "alpha", "en-es", "a&b")
    assert page is not None
    assert page.size == (pytest.approx(1.04 * 180), pytest.approx(1.04 * 140))


def test_names_are_escaped_in_the_drawing(out: Path) -> None:
    page = page_of(out)
    assert 'aria-label="&lt;b&gt;&quot;"' in boxes_svg(page, '<b>"')
