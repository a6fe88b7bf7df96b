from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.errors import InputError
from madcat_studio.formats.madcat import read
from madcat_studio.operations.gather import gather
from madcat_studio.operations.pages.checking import (
    CheckOptions,
    check_file,
    check_files,
)
from madcat_studio.operations.pages.content import show_page
from madcat_studio.operations.pages.folder import page_files
from madcat_studio.progress import Cancelled

DATA = Path(__file__).parent.parent / "data" / "madcat"
NORMAL = DATA / "ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"
DEFECTIVE = DATA / "ZZN_ARB_20991231.0002_1_SCR0004.madcat.xml"


def copies(folder: Path, number: int) -> list[Path]:
    text = NORMAL.read_text(encoding="utf-8")
    paths = []
    for n in range(number):
        path = folder / f"B{n:03}_1_S.madcat.xml"
        path.write_text(text.replace(NORMAL.name[:-11], path.name[:-11]), encoding="utf-8")
        paths.append(path)
    return paths


def test_files_are_gathered_from_folders_and_patterns(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("b.madcat.xml", "sub/a.MADCAT.XML", "x.xml"):
        (tmp_path / name).touch()
    inside = [tmp_path / "b.madcat.xml", tmp_path / "sub" / "a.MADCAT.XML"]
    assert gather([tmp_path]) == inside
    assert gather([tmp_path / "x.xml", str(tmp_path / "*.xml")]) == [
        tmp_path / "x.xml",
        tmp_path / "b.madcat.xml",
    ]
    assert gather([tmp_path / "gone.xml"]) == [tmp_path / "gone.xml"]
    for nothing in (tmp_path / "no*.xml", tmp_path / "empty"):
        (tmp_path / "empty").mkdir(exist_ok=True)
        with pytest.raises(InputError) as caught:
            gather([nothing])
        assert caught.value.code == "file.nothing-matches"


def test_a_folder_stands_for_pages_in_every_format_and_nothing_else(tmp_path: Path) -> None:
    """Also in UTF-16, with a prefix, or with an ending of its own; a workbook's XML is no page."""
    pages = {
        "a.madcat.xml": b"not even XML",
        "page/b.xml": b'<?xml version="1.0"?><PcGts xmlns="x"/>',
        "page/c.xml": '<?xml version="1.0" encoding="UTF-16"?><p:PcGts xmlns:p="x"/>'.encode(
            "utf-16"
        ),
        "d.alto.xml": b"<alto/>",
        "e.GEDI.XML": b"<GEDI/>",
        "f.hocr": b"<div class='ocr_page'/>",
        "g.html": b"<html><body><div class='ocr_page'/></body></html>",
        "h.json": b'\xef\xbb\xbf{"version": "5", "shapes": []}',
        "i.json": b'{"info": {}, "images": [{"id": 1}]}',
        "j.txt": b"0 0.5 0.5 1e-1 .25\n",
        "k.xml": b"<?xml version='1.0'?><document xmlns='http://www.abbyy.com/FineReader_xml/x'/>",
    }
    others = {
        "mets.xml": b"<mets:mets/>",
        "index.html": b"<html/>",
        "x.txt": b"<alto/>",
        "numbers.txt": b"12 men\n",
        "package.json": b'{"name": "x", "images": "none"}',
        "y.xml": b"",
    }
    for name, data in (pages | others).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    assert page_files([tmp_path]) == sorted(tmp_path / name for name in pages)
    assert page_files([tmp_path / "y.xml"]) == [tmp_path / "y.xml"], "named, it is told what it is"
    for name in pages:
        (tmp_path / name).unlink()
    with pytest.raises(InputError) as caught:
        page_files([tmp_path])
    assert caught.value.code == "file.nothing-matches"
    assert "6 files are something else" in caught.value.reason


def test_safe_mends_are_made_with_a_backup(tmp_path: Path) -> None:
    path = tmp_path / DEFECTIVE.name
    shutil.copyfile(DEFECTIVE, path)
    result = check_file(path, CheckOptions(fix=True))
    assert [p.code for p in result.mended] == ["count-differs", "polygon-self-crossing"]
    assert read(path).document.nbpages == 1
    assert path.with_name(path.name + ".bak").read_bytes() == DEFECTIVE.read_bytes()
    again = check_file(path, CheckOptions(fix=True))
    assert (again.mended, again.problems) == ((), result.problems)


@pytest.mark.long
def test_several_processes_give_what_one_gives_in_order(tmp_path: Path) -> None:
    paths = copies(tmp_path, 70)
    paths[50].write_text("<madcat>")
    alone = list(check_files(paths, workers=1))
    together = list(check_files(paths, workers=2))
    assert [r.path for r in together] == paths
    assert [(r.problems, str(r.error)) for r in together] == [
        (r.problems, str(r.error)) for r in alone
    ]
    assert [r.path for r in together if r.error] == [paths[50]]


def test_checking_can_be_stopped(tmp_path: Path) -> None:
    class Stop:
        done = 0

        def advance(self, done: int, total: int | None, text: str = "") -> None:
            self.done = done

        def cancelled(self) -> bool:
            return self.done == 3

    with pytest.raises(Cancelled):
        list(check_files(copies(tmp_path, 5), progress=Stop()))


def test_show_gives_each_line_its_text() -> None:
    content = show_page(DATA / "ZZN_ARB_20991231.0003_2_SCR0005.madcat.xml")
    assert [line.text for line in content.lines][1] == "العاصمة مساء مساء الأربعاء"
    assert content.segments[0].lines == ("z0", "z1", "z2")
    assert content.image == DATA / "ZZN_ARB_20991231.0003_2_SCR0005.tif"
    two = show_page(next(DATA.glob("groups*.madcat.xml")))
    assert [line.page for line in two.lines] == ["page p1"] * 2 + ["page p2"] * 2
    assert all("▯" not in line.text for line in two.lines)


def test_show_prints_for_people_and_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(NORMAL)]) == 0
    shown = capsys.readouterr().out
    assert "6 lines, 43 words" in shown
    assert "افتتح وزير الثقافة" in shown
    assert main(["show", str(DEFECTIVE), "--format", "json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert len(plain["problems"]) == 19
    assert plain["document"]["pages"][0]["dpi"] == 300


def test_check_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(NORMAL)]) == 0
    assert capsys.readouterr().out == (
        "1 file: 0 errors, 0 warnings, 0 notes, 0 mended, 0 unreadable\n"
    )
    assert main(["check", str(DEFECTIVE), "--severity", "error"]) == 1
    out = capsys.readouterr().out
    assert out.count("\n") == 5
    assert f"{DEFECTIVE}:26:11: segment s1 token s1-2" in out
    bad = tmp_path / "bad.madcat.xml"
    bad.write_text("<madcat2/>")
    assert main(["check", str(bad), str(NORMAL), "--format", "json"]) == 2
    plain = json.loads(capsys.readouterr().out)
    assert plain["files"][0]["error"]["code"] == "convert.unknown-format"
    assert plain["summary"]["files"] == 2
    assert main(["check", str(NORMAL), "--severity", "loud"]) == 2
    assert "note, warning or error" in capsys.readouterr().err


@pytest.mark.parametrize("output", ["table", "json", "sarif"])
@pytest.mark.parametrize(
    ("name", "fail_on", "status"),
    [
        ("normal", "error", 0),
        ("normal", "warning", 0),
        ("noted", "warning", 0),
        ("warned", "error", 0),
        ("warned", "warning", 1),
        ("warned", "never", 0),
        ("defective", "error", 1),
        ("defective", "warning", 1),
        ("defective", "never", 0),
        ("unreadable", "never", 2),
    ],
)
def test_the_exit_status_tells_what_was_found(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    output: str,
    name: str,
    fail_on: str,
    status: int,
) -> None:
    text = NORMAL.read_text("utf-8")
    texts = {
        "normal": text,
        "noted": text.replace('nbpages="1"', 'nbpages="1" colour="red"'),
        "warned": text.replace('nbpages="1"', 'nbpages="3"'),
        "defective": DEFECTIVE.read_text("utf-8").replace(DEFECTIVE.name[:-11], NORMAL.name[:-11]),
        "unreadable": "<madcat2/>",
    }
    path = tmp_path / NORMAL.name
    path.write_text(texts[name], encoding="utf-8")
    arguments = ["check", str(path), "--no-images", "--format", output, "--fail-on", fail_on]
    # What is left out of the table counts all the same.
    assert main([*arguments, "--severity", "error"]) == status


def test_errors_fail_without_being_asked_and_mended_ones_do_not(tmp_path: Path) -> None:
    path = tmp_path / NORMAL.name
    text = NORMAL.read_text("utf-8").replace('nbpages="1"', 'nbpages="3"')
    path.write_text(text, encoding="utf-8")
    assert main(["check", str(DEFECTIVE)]) == 1
    assert main(["check", str(path), "--no-images", "--fail-on", "warning", "--fix"]) == 0
    assert main(["check", str(path), "--fail-on", "often"]) == 2


def test_sarif_names_file_line_rule_and_level(tmp_path: Path) -> None:
    target = tmp_path / "out.sarif"
    bad = tmp_path / "نص bad.madcat.xml"
    bad.write_text("<madcat2/>")
    assert main(["check", str(DEFECTIVE), str(bad), "--format", "sarif", "-o", str(target)]) == 2
    run = json.loads(target.read_text(encoding="utf-8"))["runs"][0]
    assert run["tool"]["driver"]["name"] == "madcat-studio"
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert {result["ruleId"] for result in run["results"]} == rules
    dangling = next(r for r in run["results"] if r["ruleId"] == "reference-dangling")
    place = dangling["locations"][0]["physicalLocation"]
    assert (dangling["level"], place["region"]) == ("error", {"startLine": 26, "startColumn": 11})
    assert run["results"][-1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == (
        bad.as_uri()
    )
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_pages_of_neighbours_are_checked_in_their_own_terms(tmp_path: Path) -> None:
    data = Path(__file__).parent.parent / "data"
    table = tmp_path / "table.page.xml"
    table.write_bytes((data / "documents" / "table.page.xml").read_bytes())
    found = [(p.code, p.where.element) for p in check_file(table, CheckOptions()).problems]
    # No translation is asked of it, and nothing is said to be left out: it stays in the file.
    assert {code for code, _ in found} == {
        "baseline-outside-line",
        "image-missing",
        "reading-order-missing",
        "schema",  # a TableCell is in none
    }
    assert ("baseline-outside-line", "page p1 line r2l1") in found
    hocr = check_file(data / "documents" / "hocr_order.html", CheckOptions())
    assert {problem.code for problem in hocr.problems} == {"image-missing"}


def test_mending_a_neighbours_page_changes_what_is_mended_alone(tmp_path: Path) -> None:
    data = Path(__file__).parent.parent / "data"
    table = tmp_path / "table.page.xml"
    original = (data / "documents" / "table.page.xml").read_bytes()
    crossing = original.replace(b"20,20 480,20 480,80 20,80", b"20,20 480,80 480,20 20,80", 1)
    table.write_bytes(crossing)
    result = check_file(table, CheckOptions(fix=True))
    assert [problem.code for problem in result.mended] == ["polygon-self-crossing"]
    mended = table.read_bytes()
    assert len(mended) == len(crossing)
    assert (
        mended.replace(b"\n", b"").split(b"points=")[:2]
        == (crossing.replace(b"\n", b"").split(b"points=")[:2])
    )
    differing = [n for n, (a, b) in enumerate(zip(mended, crossing, strict=True)) if a != b]
    start = crossing.index(b"20,20 480,80")
    assert all(start <= n < start + 26 for n in differing)


def test_one_bad_file_is_one_problem_and_the_others_are_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pipe, an endless device, a name that no disk can hold, a link to itself, a folder."""
    good = copies(tmp_path, 2)
    text = good[0].read_text("utf-8")
    named = tmp_path / "A_named.madcat.xml"
    source = 'src="' + "x" * 400 + '.tif"'
    named.write_text(re.sub(r'\bsrc="[^"]*"', source, text), encoding="utf-8")
    os.mkfifo(tmp_path / "B_pipe.madcat.xml")
    (tmp_path / "C_zero.madcat.xml").symlink_to("/dev/zero")
    (tmp_path / "D_loop.madcat.xml").symlink_to("D_loop.madcat.xml")
    (tmp_path / "E_folder.madcat.xml").mkdir()
    status = main(["check", str(tmp_path), "--format", "json"])
    found = {Path(one["path"]).name: one for one in json.loads(capsys.readouterr().out)["files"]}
    assert status == 2
    assert sorted(found) == sorted(path.name for path in tmp_path.iterdir())
    errors = {name: one["error"]["code"] for name, one in found.items() if one.get("error")}
    assert errors == {
        "B_pipe.madcat.xml": "file.not-a-file",
        "C_zero.madcat.xml": "file.not-a-file",
        "D_loop.madcat.xml": "file.cannot-read",
        "E_folder.madcat.xml": "file.is-folder",
    }
    missing = [one["code"] for one in found[named.name]["problems"]]
    assert "image-missing" in missing


def test_an_image_that_is_a_pipe_or_a_device_is_one_problem(tmp_path: Path) -> None:
    (path,) = copies(tmp_path, 1)
    image = re.search(r'\bsrc="([^"]*)"', path.read_text("utf-8"))
    assert image is not None
    place = tmp_path / image[1]
    for make in (os.mkfifo, lambda where: where.symlink_to("/dev/zero")):
        make(place)
        codes = [problem.code for problem in check_file(path).problems]
        assert any(code.startswith("image") for code in codes), codes
        place.unlink()
