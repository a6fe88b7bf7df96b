"""The ledger of conversions: what went in and came out, recounted from the files."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

from madcat_studio.cli.app import main
from madcat_studio.formats.hocr import read_hocr
from madcat_studio.formats.kinds import TRAITS, WRITTEN, FileFormat
from madcat_studio.formats.ledger import count
from madcat_studio.formats.madcat import read
from madcat_studio.formats.source import Source
from madcat_studio.model.baselines import derived_baseline
from madcat_studio.operations.pages.convert import convert_file

DATA = Path(__file__).parent.parent / "data"
FILES = [
    path
    for folder in ("real", "documents", "madcat")
    for path in sorted((DATA / folder).iterdir())
    if path.suffix in (".xml", ".hocr", ".html", ".json") and "transys" not in path.name
]
TARGETS = tuple(f"b{TRAITS[kind].written}" for kind in WRITTEN if kind is not FileFormat.YOLO)
"""Of each format that holds lines, words, baselines and texts."""


def of(path: Path) -> Counter[str]:
    return count(Source(path.read_bytes(), str(path)))


@pytest.mark.parametrize(
    ("name", "regions", "lines", "words", "baselines", "texts", "characters"),
    [
        ("documents/line-transcribed.page.xml", 4, 4, 0, 4, 4, 44),
        ("documents/table.page.xml", 6, 6, 0, 6, 6, 40),
        ("documents/line-in-one-string.alto.xml", 1, 1, 0, 1, 1, 18),
        ("documents/hocr_order.html", 1, 3, 0, 0, 3, 16),
        ("real/rasam_BULAC_MS_ARA_417_0010.xml", 1, 12, 0, 12, 12, 296),
        ("real/kraken_alto_bsb00084914_00007.xml", 5, 31, 59, 30, 31, 1390),
        ("real/dinglehopper_levels-are-different.page.xml", 1, 2, 16, 0, 3, 100),
        ("real/prima_RegionTypes_2010-03-19.xml", 12, 4, 12, 0, 2, 61),
    ],
)
def test_what_a_file_holds(
    name: str, regions: int, lines: int, words: int, baselines: int, texts: int, characters: int
) -> None:
    found = of(DATA / name)
    assert [found[kind] for kind in ("regions", "lines", "words", "baselines", "texts")] == [
        regions, lines, words, baselines, texts,
    ]  # fmt: skip
    assert found["characters"] == characters


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name[-40:])
def test_lines_words_and_baselines_all_arrive(path: Path, target: str, tmp_path: Path) -> None:
    result = convert_file(path, tmp_path / target)
    left = {row.kind: row.left for row in result.ledger}
    kinds = ("lines", "words", "baselines") if "hocr" not in path.name else ("lines", "words")
    assert {kind: left[kind] for kind in kinds} == dict.fromkeys(kinds, 0)
    if path.parent.name != "madcat":  # whose segments have texts beside the lines
        said = " ".join(problem.what for problem in result.problems)
        beside = "beside that of its words" in said or "beside that of its lines" in said
        assert beside or left["characters"] == 0


@pytest.mark.parametrize("between", [name for name in TARGETS if "page" not in name])
@pytest.mark.parametrize(
    "path", [p for p in FILES if b"<PcGts" in p.read_bytes()], ids=lambda p: p.name
)
def test_there_and_back_keeps_what_was_counted_and_a_second_pass_changes_nothing(
    path: Path, between: str, tmp_path: Path
) -> None:
    first = convert_file(path, tmp_path / between)
    convert_file(tmp_path / between, tmp_path / "c.page.xml")
    before, after = of(path), of(tmp_path / "c.page.xml")
    lost = " ".join(problem.what for problem in first.problems)
    kinds = {"regions", "lines", "words", "texts", "characters"}
    if "beside that of its lines" in lost or "beside that of its words" in lost:
        kinds -= {"texts", "characters"}
    if "texts only in lines" in lost:
        kinds -= {"lines", "texts"}
        assert after["lines"] > before["lines"]
    assert {kind: after[kind] for kind in kinds} == {kind: before[kind] for kind in kinds}
    assert after["baselines"] >= before["baselines"]
    convert_file(tmp_path / "c.page.xml", tmp_path / f"d{between}")
    convert_file(tmp_path / f"d{between}", tmp_path / "e.page.xml")
    assert _timeless(tmp_path / "e.page.xml") == _timeless(tmp_path / "c.page.xml")


def _timeless(path: Path) -> list[bytes]:
    return [
        line
        for line in path.read_bytes().split(b"\n")
        if b"Change" not in line and b"Created" not in line
    ]


def test_a_loss_is_an_exit_status_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = str(DATA / "documents" / "table.page.xml")
    alto = tmp_path / "b.alto.xml"
    assert main(["convert", table, str(alto), "--fail-on-loss"]) == 1
    out = capsys.readouterr().out
    assert "ALTO 4 cannot hold cell.rowIndex of a TextBlock" in out
    assert "Metadata (1 time) is about the old file, and is left out" in out
    assert [line.split() for line in out.splitlines() if line.startswith(" lines")] == [
        ["lines", "6", "6", "0"]
    ]
    copy = tmp_path / "c.page.xml"
    shutil.copy(table, copy)
    assert main(["convert", str(copy), str(tmp_path / "d.page.xml"), "--fail-on-loss"]) == 0
    capsys.readouterr()
    assert main(["convert", str(alto), str(tmp_path / "e.page.xml"), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ledger"]["characters"] == {"in": 40, "out": 40, "left": 0}
    assert told["outputs"] == [str(tmp_path / "e.page.xml")]


@pytest.mark.parametrize("target", ["b.page.xml", "b.alto.xml"])
@pytest.mark.parametrize(
    "name", ["documents/nested-table-order.page.xml", "documents/line-in-one-string.alto.xml"]
)
def test_what_was_made_for_madcat_alone_is_no_loss_on_the_way_back(
    name: str, target: str, tmp_path: Path
) -> None:
    between, back = str(tmp_path / "a.madcat.xml"), str(tmp_path / target)
    assert main(["convert", str(DATA / name), between, "--fail-on-loss"]) == 0
    assert main(["convert", between, back, "--fail-on-loss"]) == 0
    assert of(Path(back)) - of(DATA / name) in ({}, {"baselines": 2})


def test_a_resolution_comes_from_the_image(tmp_path: Path) -> None:
    page = tmp_path / "a.page.xml"
    page.write_bytes((DATA / "documents" / "table.page.xml").read_bytes())
    image = re.search(rb'imageFilename="([^"]*)"', page.read_bytes())
    assert image
    Image.new("L", (1000, 800)).save(tmp_path / image.group(1).decode(), dpi=(400, 400))
    told = convert_file(page, tmp_path / "a.madcat.xml").problems
    assert read(tmp_path / "a.madcat.xml").document.pages[0].dpi == 400
    assert "page-resolution-assumed" not in [problem.code for problem in told]
    (tmp_path / image.group(1).decode()).unlink()
    told = convert_file(page, tmp_path / "b.madcat.xml").problems
    assert [p.done for p in told if p.code == "page-resolution-assumed"] == ["300 dpi is used"]


# hOCR: the text in document order, once


@pytest.mark.parametrize(
    ("name", "texts", "image"),
    [
        ("hocr_order", [["first"], ["second"], ["third"]], "a.png"),
        ("hocr_float", [["one", "two"]], "a;b.png"),
        ("hocr_wordsonly", [["one two"]], "a.png"),
    ],
)
def test_hocr_texts_stand_in_document_order_once(
    name: str, texts: list[list[str]], image: str
) -> None:
    data = (DATA / "documents" / f"{name}.html").read_bytes()
    page = read_hocr(Source(data, name)).layout.pages[0]
    assert [[line.text for line in region.lines] for region in page.regions] == texts
    assert page.image == image


def test_a_paragraph_without_lines_is_the_text_of_its_region() -> None:
    data = (DATA / "documents" / "hocr_partext.html").read_bytes()
    (region,) = read_hocr(Source(data, "x")).layout.pages[0].regions
    assert (region.text, region.lines) == ("a paragraph without lines", [])


def test_deeply_nested_lines_are_read() -> None:
    data = (
        b"<div class='ocr_page' title='bbox 0 0 9 9'>"
        + b"<div>" * 5000
        + b"<span class='ocr_line' title='bbox 0 0 9 9'>deep</span>"
        + b"</div>" * 5001
    )
    page = read_hocr(Source(data, "x")).layout.pages[0]
    assert [line.text for region in page.regions for line in region.lines] == ["deep"]
    assert count(Source(data, "x"))["characters"] == 4


@pytest.mark.parametrize("target", ["b.page.xml", "b.alto.xml"])
def test_each_line_gets_the_baseline_that_other_programs_ask_for(
    target: str, tmp_path: Path
) -> None:
    path = DATA / "madcat" / "ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"
    result = convert_file(path, tmp_path / target)
    found = of(tmp_path / target)
    assert found["baselines"] == found["lines"] > 0
    derived = [p for p in result.problems if p.code == "convert-baseline-derived"]
    assert len(derived) == found["lines"]


def test_a_derived_baseline_follows_the_slant_of_its_line() -> None:
    assert derived_baseline(((0, 0), (100, 0), (100, 50), (0, 50))) == ((0, 40), (100, 40))
    assert derived_baseline(((0, 100), (100, 0), (100, 50), (0, 150))) == ((0, 140), (100, 40))
    assert derived_baseline(((5, 0), (5, 9))) == derived_baseline(()) == ()
