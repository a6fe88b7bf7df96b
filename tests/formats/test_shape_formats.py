"""Pages of tools for annotating pictures, of OCR-D's workspaces, and of FineReader."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

from madcat_studio.errors import ConflictError, FormatError
from madcat_studio.formats.kinds import FileFormat, recognise
from madcat_studio.formats.ledger import count
from madcat_studio.formats.registry import RULES, read_layout
from madcat_studio.formats.source import Source
from madcat_studio.model.document import Polygon
from madcat_studio.model.layout import TEXT_REGION, Layout, LayoutPage
from madcat_studio.model.problem import Problem, Severity
from madcat_studio.operations.pages.convert import convert_file

DATA = Path(__file__).parent.parent / "data"
DOCUMENTS = DATA / "documents"
TABLE = DOCUMENTS / "table.page.xml"


def box(left: float, top: float, right: float, bottom: float) -> Polygon:
    return (left, top), (right, top), (right, bottom), (left, bottom)


def read(path: Path) -> tuple[list[LayoutPage], tuple[Problem, ...]]:
    found = read_layout(Source(path.read_bytes(), str(path), path))
    return found.layout.pages, found.problems


def test_shapes_of_labelme_become_regions_lines_words_and_baselines() -> None:
    (page,), problems = read(DOCUMENTS / "zones.labelme.json")
    assert (page.image, page.width, page.height) == ("a.png", 500, 300)
    zone, stamp = page.regions
    assert (zone.kind, zone.type, zone.polygon) == (TEXT_REGION, "MainZone", box(20, 20, 380, 280))
    assert (stamp.kind, stamp.type) == ("UnknownRegion", "stamp")
    assert stamp.polygon == box(430, 30, 470, 70)
    first, second = zone.lines
    assert (first.text, first.baseline) == ("سطر أول", ((30, 62.5), (360, 58)))
    assert first.polygon[1] == (360, 36.5)
    assert [word.text for word in first.words] == ["سطر", "أول"], "the second by its place"
    assert (second.words, second.text) == ([], None)
    assert [(problem.where.element, problem.done) for problem in problems] == [
        ("shape 7, “stamp”", "its box is used instead"),
        ("shape 8, “hole”", "left out"),
    ]


def test_annotations_of_coco_become_a_page_an_image() -> None:
    path = DOCUMENTS / "words.coco.json"
    lost = b'"annotations": [{"id": 7, "image_id": 5, "category_id": 2, "bbox": [1, 1, 4, 2]},'
    data = path.read_bytes().replace(b'"annotations": [', lost)
    found = read_layout(Source(data, str(path)))
    (first, second), problems = found.layout.pages, found.problems
    assert [page.image for page in (first, second)] == ["a.png", "b.png"]
    figure, loose = first.regions
    assert (figure.type, figure.polygon) == ("figure", box(300, 100, 400, 200))
    (line,) = loose.lines
    assert [word.text for word in line.words] == ["one", "two"]
    assert (line.text, line.polygon) == ("one two", box(10, 10, 200, 40))
    assert second.regions[0].polygon == box(20, 20, 90, 90)
    assert second.regions[1].lines[0].words[0].text == "alone"
    told = Counter(problem.code for problem in problems)
    assert told == {
        "convert-not-taken-over": 2,
        "coco-image-missing": 1,
        "word-without-line": 1,
    }


def test_blocks_of_finereader_have_lines_and_words_by_their_letters() -> None:
    (page,), problems = read(DOCUMENTS / "lines.abbyy.xml")
    assert (page.width, page.height, page.dpi) == (600, 400, 300)
    text, picture, table, cell, rule = page.regions
    assert [region.kind for region in page.regions] == [
        TEXT_REGION, "ImageRegion", "TableRegion", TEXT_REGION, "SeparatorRegion",
    ]  # fmt: skip
    first, second = text.lines
    assert [(word.text, word.polygon) for word in first.words] == [
        ("A", box(50, 50, 60, 70)),
        ("bc", box(66, 50, 96, 75)),
    ]
    assert (first.text, first.baseline) == ("A bc", ((50, 70), (200, 70)))
    assert [word.text for word in second.words] == ["كل"]
    assert (cell.parent, cell.lines[0].text) == (table, "7")
    assert (rule.id, rule.polygon, picture.lines) == ("rule", box(10, 390, 590, 394), [])
    told = {problem.what for problem in problems}
    assert {
        "par/@align (1 time) is not copied",
        "cell/@width (2 times) is not copied",
    } <= told
    assert "charParams/@charConfidence (1 time) is not copied" in told


def test_yolo_keeps_outlines_and_needs_the_image(tmp_path: Path) -> None:
    path = tmp_path / "labels" / "page.txt"
    result = convert_file(TABLE, path)
    assert [output.name for output in result.outputs] == ["page.txt", "classes.txt", "data.yaml"]
    assert path.with_name("classes.txt").read_text() == "region\nline\nword\n"
    assert path.with_name("data.yaml").read_text() == (
        "path: .\ntrain: .\nval: .\nnames:\n  0: region\n  1: line\n  2: word\n"
    )
    left = {row.kind: row.left for row in result.ledger}
    assert left == {
        "regions": 0, "lines": 0, "words": 0, "baselines": 6, "texts": 6, "characters": 40,
    }  # fmt: skip
    assert {problem.code for problem in result.problems} >= {"convert-lost"}
    with pytest.raises(FormatError, match="shares of its size"):
        convert_file(path, tmp_path / "b.page.xml")
    before = read(TABLE)[0][0]
    Image.new("L", (before.width or 1, before.height or 1)).save(path.with_name("page.png"))
    convert_file(path, tmp_path / "b.page.xml")
    (after,), _ = read(tmp_path / "b.page.xml")
    assert after.image == "page.png"
    outlines = {line.polygon for region in before.regions for line in region.lines}
    assert {line.polygon for region in after.regions for line in region.lines} == outlines
    assert {region.polygon for region in after.regions} == {r.polygon for r in before.regions}


def test_a_list_of_other_classes_is_not_replaced_unasked(tmp_path: Path) -> None:
    (tmp_path / "classes.txt").write_text("MainZone\nDefaultLine\n")
    with pytest.raises(ConflictError):
        convert_file(TABLE, tmp_path / "page.txt")
    assert not (tmp_path / "page.txt").exists()
    (tmp_path / "page.txt").write_text("1 0.5 0.5 0.5 0.25\n\n0 0 0 1 0 1 1\n7 0 0 .1 0 .1 .1\n")
    Image.new("1", (200, 100)).save(tmp_path / "page.tif")
    convert_file(tmp_path / "page.txt", tmp_path / "b.page.xml")
    (page,), _ = read(tmp_path / "b.page.xml")
    assert [region.type for region in page.regions] == ["MainZone", "class 7"]
    assert page.regions[0].lines[0].polygon == box(50, 38, 150, 62)


@pytest.mark.parametrize("text", ["0 0.1 0.1 0.2 0.2\nhello\n", "0 .1 .1 .1 .1\n0 1 2 3 4 x\n"])
def test_what_is_no_line_of_yolo_is_told_with_its_place(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.txt").write_text(text)
    Image.new("1", (20, 10)).save(tmp_path / "a.tif")
    with pytest.raises(FormatError) as caught:
        convert_file(tmp_path / "a.txt", tmp_path / "b.page.xml")
    assert caught.value.code == "yolo.not-a-line"
    assert caught.value.where.endswith("a.txt:2")


def workspace(folder: Path) -> Path:
    """A workspace of three pages and four groups; the third page is broken."""
    files = {
        "OLD/a.xml": DOCUMENTS / "line-transcribed.page.xml",
        "NEW/b.xml": DOCUMENTS / "nested-table-order.page.xml",
        "NEW/a.xml": TABLE,
    }
    for name, path in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(path, folder / name)
    (folder / "NEW" / "c.xml").write_bytes(TABLE.read_bytes()[:-30])
    page = "application/vnd.prima.page+xml"

    def group(use: str, *names: str, kind: str = page) -> str:
        listed = "".join(
            f'<m:file ID="{use}_{n}" MIMETYPE="{kind}">'
            f'<m:FLocat LOCTYPE="URL" x:href="https://example.org/{n}"/>'
            f'<m:FLocat LOCTYPE="OTHER" x:href="{use}/{n}.xml"/></m:file>'
            for n in names
        )
        return f'<m:fileGrp USE="{use}">{listed}</m:fileGrp>'

    order = "".join(f'<m:div><m:fptr FILEID="NEW_{n}"/></m:div>' for n in "bacd")
    (folder / "mets.xml").write_text(
        '<m:mets xmlns:m="http://www.loc.gov/METS/" xmlns:x="http://www.w3.org/1999/xlink">'
        f"<m:fileSec>{group('IMG', 'a', kind='image/tiff')}{group('OLD', 'a')}"
        f"{group('NEW', 'a', 'b', 'c', 'd')}"
        f"{group('TXT', 'a', kind='application/alto+xml')}</m:fileSec>"
        f'<m:structMap TYPE="PHYSICAL">{order}</m:structMap></m:mets>',
        encoding="utf-8",
    )
    return folder / "mets.xml"


def test_a_workspace_gives_its_latest_pages_in_their_order_and_tells_of_the_others(
    tmp_path: Path,
) -> None:
    path = workspace(tmp_path)
    pages, problems = read(path)
    assert [len(page.regions) for page in pages] == [
        len(read(tmp_path / "NEW" / name)[0][0].regions) for name in ("b.xml", "a.xml")
    ]
    errors = [problem for problem in problems if problem.severity is Severity.ERROR]
    assert [error.code for error in errors] == ["mets-page-unread"] * 2
    assert "d.xml" in errors[0].what
    assert "c.xml" in errors[1].what
    (chosen,) = (problem for problem in problems if problem.code == "mets-group-chosen")
    assert chosen.done == "those of NEW are used"
    assert "OLD, TXT, NEW" in chosen.what
    result = convert_file(path, tmp_path / "out" / "x.page.xml")
    assert len(result.outputs) == 2
    assert [(row.kind, row.left) for row in result.ledger if row.left] == []
    lines = sum(count(Source(p.read_bytes(), str(p)))["lines"] for p in result.outputs)
    assert lines == next(row.came for row in result.ledger if row.kind == "lines") > 6


def test_a_workspace_reads_nothing_outside_itself(tmp_path: Path) -> None:
    (tmp_path / "secret.xml").write_bytes(TABLE.read_bytes())
    (tmp_path / "in").mkdir()
    path = workspace(tmp_path / "in")
    path.write_text(path.read_text("utf-8").replace("NEW/a.xml", "../secret.xml"), "utf-8")
    pages, problems = read(path)
    assert len(pages) == 1
    assert any("is not in the workspace (“../secret.xml”)" in p.what for p in problems)


def test_pages_of_several_images_become_a_document_each(tmp_path: Path) -> None:
    result = convert_file(DOCUMENTS / "words.coco.json", tmp_path / "b.madcat.xml")
    assert [path.name for path in result.outputs] == ["b.p1.madcat.xml", "b.p2.madcat.xml"]
    assert not any("a later page" in problem.what for problem in result.problems)
    back = convert_file(DOCUMENTS / "words.coco.json", tmp_path / "labels" / "x.json")
    assert [path.name for path in back.outputs] == ["a.json", "b.json"]
    assert {recognise(Source(p.read_bytes(), "x")) for p in back.outputs} == {FileFormat.LABELME}


def test_coco_is_as_its_own_tools_ask_for(tmp_path: Path) -> None:
    path = tmp_path / "b.coco.json"
    convert_file(TABLE, path)
    told = json.loads(path.read_text("utf-8"))
    assert told.keys() == {"info", "licenses", "images", "categories", "annotations"}
    categories = {each["id"] for each in told["categories"]}
    numbers = [each["id"] for each in told["annotations"]]
    assert numbers == list(range(1, len(numbers) + 1))
    for each in told["annotations"]:
        assert each["category_id"] in categories
        assert each["image_id"] == told["images"][0]["id"]
        (flat,) = each["segmentation"]
        left, top, width, height = each["bbox"]
        assert len(flat) >= 6
        assert (min(flat[::2]), max(flat[::2])) == (left, left + width)
        assert (min(flat[1::2]), max(flat[1::2])) == (top, top + height)
        assert 0 < each["area"] <= width * height
        assert each["iscrowd"] == 0


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b'{"shapes": [', "json.not-json"),
        (b'{"shapes": [' + b"[" * 100_000, "json.too-deep"),
        (b'{"shapes": []}\xff', "json.not-json"),
        (b'{"images": [], "annotations": []}', "coco.no-images"),
        (b'{"images": [1], "annotations": 7}', "coco.no-images"),
        (b'{"x": {"shapes": []}}', "labelme.no-shapes"),
        (b"[1]", "convert.unknown-format"),
        (b"<mets/>", "mets.no-page"),
        (b"<document xmlns='http://www.abbyy.com/FineReader_xml/x'/>", "abbyy.no-page"),
    ],
)
def test_what_cannot_be_read_is_one_clear_message(data: bytes, code: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_layout(Source(data, "x"))
    assert caught.value.code == code


def test_odd_values_are_left_out_and_never_a_fault() -> None:
    odd = [None, True, "x", -1, 1e308, [], {}, [[1e400, 2]], [["1", 2], [3]], "\ud800"]
    for value in odd:
        for key in ("label", "points", "group_id", "description", "shape_type", "id", "parent"):
            shape = {"label": "line", "points": [[1, 2], [3, 2], [3, 4]]} | {key: value}
            data = json.dumps({"shapes": [shape, shape, 5], "imagePath": value}).encode()
            read_layout(Source(data, "x"))
            count(Source(data, "x"))
        for key in ("image_id", "category_id", "segmentation", "bbox", "attributes", "text"):
            note = {"image_id": 1, "bbox": [1, 2, 3, 4]} | {key: value}
            whole = {"images": [{"id": 1, "width": value}], "annotations": [note, 5]}
            data = json.dumps(whole | {"categories": value}).encode()
            read_layout(Source(data, "x"))
            count(Source(data, "x"))


def test_a_page_without_anything_is_written_and_read_again() -> None:
    for kind in (FileFormat.LABELME, FileFormat.COCO, FileFormat.HOCR, FileFormat.GEDI):
        write = RULES[kind].write
        assert write is not None
        (data,) = write(Layout([LayoutPage("p1", "a.tif", 10, 20)]), "x", "").files
        (page,) = read_layout(Source(data, "x")).layout.pages
        assert (page.image, page.width, page.height, page.regions) == ("a.tif", 10, 20, [])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("labels/classes.txt", "MainZone\nDefaultLine\n"),
        ("data.yaml", "names: [MainZone, DefaultLine]\n"),
        ("data.yaml", "nc: 2\ntrain: images/train\nnames:\n  1: DefaultLine\n  0: MainZone\n"),
        ("labels/data.yaml", "\ufeffnames: {0: MainZone, 1: DefaultLine, x: [1]}\n"),
    ],
)
def test_names_of_classes_are_found_where_data_sets_keep_them(
    tmp_path: Path, name: str, text: str
) -> None:
    path = tmp_path / "labels" / "train" / "page.txt"
    path.parent.mkdir(parents=True)
    path.write_text("1 0.5 0.5 0.5 0.25 0.875\n0 0 0 1 0 1 1 0 1\n0 0 0 1 0 1 1 0.25\n")
    Image.new("1", (200, 100)).save(path.with_name("page.png"))
    (tmp_path / "data.yaml").write_text("names: [outer, outer]\n")
    (tmp_path / name).write_text(text, encoding="utf-8")
    convert_file(path, tmp_path / "b.page.xml")
    (page,), _ = read(tmp_path / "b.page.xml")
    assert [region.type for region in page.regions] == ["MainZone", "MainZone"]
    # A number too many is no coordinate.
    assert list(page.regions[1].polygon) == [(0, 0), (200, 0), (200, 100)]
    assert [line.polygon for region in page.regions for line in region.lines] == [
        box(50, 38, 150, 62)
    ]


@pytest.mark.long
@pytest.mark.parametrize(
    "text", ["names: [", "names: 7", "- a\n- b\n", "names: []", "a: !!python/none", "[" * 9000]
)
def test_a_set_that_names_no_classes_is_passed_by(tmp_path: Path, text: str) -> None:
    path = tmp_path / "page.txt"
    path.write_text("1 0.5 0.5 0.5 0.25\n")
    (tmp_path / "data.yaml").write_text(text)
    Image.new("1", (200, 100)).save(path.with_name("page.png"))
    result = convert_file(path, tmp_path / "b.page.xml")
    assert "yolo-classes-missing" in {problem.code for problem in result.problems}
