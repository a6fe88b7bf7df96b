"""Folders and patterns converted: what is bad is told, and the rest goes on."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.errors import InputError, UsageError
from madcat_studio.formats.kinds import TRAITS, WRITTEN, FileFormat
from madcat_studio.formats.ledger import count
from madcat_studio.formats.registry import RULES
from madcat_studio.formats.source import Source
from madcat_studio.operations.pages.convert_many import ConvertOptions, convert_files, jobs
from madcat_studio.operations.pages.folder import page_base

DATA = Path(__file__).parent.parent / "data"
TABLE = DATA / "documents" / "table.page.xml"
LINES = DATA / "documents" / "line-transcribed.page.xml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three good files, two of them below, and some that are none."""
    (tmp_path / "in" / "below").mkdir(parents=True)
    shutil.copy(TABLE, tmp_path / "in" / "a.page.xml")
    shutil.copy(LINES, tmp_path / "in" / "below" / "b.xml")
    shutil.copy(DATA / "documents" / "hocr_order.html", tmp_path / "in" / "below" / "c.hocr.html")
    (tmp_path / "in" / "broken.xml").write_bytes(TABLE.read_bytes()[:-30])
    (tmp_path / "in" / "notes.txt").write_text("no page")
    return tmp_path / "in"


def test_every_format_that_is_written_has_a_writer_and_every_one_a_reader_and_a_count() -> None:
    assert RULES.keys() == TRAITS.keys() == set(FileFormat)
    written = {kind for kind, rules in RULES.items() if rules.write is not None}
    assert written | {FileFormat.MADCAT} == set(WRITTEN)
    endings = [TRAITS[kind].written for kind in WRITTEN]
    assert len(set(endings)) == len(endings)


def test_a_folder_keeps_its_shape_and_one_bad_file_is_one_problem(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new" / "out"
    assert main(["convert", str(folder), str(out), "--to", "alto"]) == 2
    told = capsys.readouterr()
    files = [p.relative_to(out).as_posix() for p in sorted(out.rglob("*")) if p.is_file()]
    assert files == ["a.alto.xml", "below/b.alto.xml", "below/c.alto.xml"]
    assert told.err.count("[xml.") == 1
    assert "broken.xml" in told.err
    assert "3 of 4 files converted into" in told.out
    assert "; 1 failed" in told.out
    sums = [line.split() for line in told.out.splitlines() if line.startswith(" lines")]
    lines = sum(count(Source(p.read_bytes(), str(p)))["lines"] for p in out.rglob("*.xml"))
    assert sums == [["lines", "13", str(lines), "0"]]


def test_json_has_each_file_and_the_sums(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["convert", str(folder / "*" / "*"), str(folder / "*.xml"), f"{tmp_path}/out/"]
    assert main([*arguments, "--to", "page", "--format", "json"]) == 2
    told = json.loads(capsys.readouterr().out)
    found = {Path(each["path"]).name: each for each in told["files"]}
    assert {name for name, each in found.items() if each["error"]} == {"broken.xml"}
    assert found["broken.xml"]["error"]["code"].startswith("xml.")
    assert found["b.xml"]["outputs"] == [str(tmp_path / "out" / "b.page.xml")]
    assert (told["summary"]["files"], told["summary"]["converted"]) == (4, 3)
    assert told["summary"]["stopped"] is False
    assert told["summary"]["ledger"]["lines"] == {"in": 13, "out": 13, "left": 0}


@pytest.mark.long
def test_several_processes_write_what_one_writes(folder: Path, tmp_path: Path) -> None:
    for number in range(66):
        shutil.copy(TABLE, folder / f"p{number:02}.page.xml")
    (folder / "broken.xml").rename(folder / "p40b.xml")
    work = jobs([folder], tmp_path / "out", FileFormat.GEDI)
    results = list(convert_files(work, ConvertOptions(FileFormat.GEDI), workers=2))
    assert [result.path for result in results] == [job.path for job in work]
    assert [r.path.name for r in results if r.error is not None] == ["p40b.xml"]
    alone = next(tmp_path.glob("out/p00.gedi.xml")).read_bytes()
    assert len(list((tmp_path / "out").rglob("*.gedi.xml"))) == 69
    assert all(p.read_bytes() == alone for p in (tmp_path / "out").glob("p*.gedi.xml"))


def test_two_files_of_one_name_are_told_and_none_is_lost(tmp_path: Path) -> None:
    for name in ("one/a.page.xml", "two/a.xml"):
        (tmp_path / name).parent.mkdir()
        shutil.copy(TABLE, tmp_path / name)
    paths = [tmp_path / "one" / "a.page.xml", tmp_path / "two" / "a.xml"]
    work = jobs(paths, tmp_path / "out", FileFormat.MADCAT)
    first, second = convert_files(work, ConvertOptions(FileFormat.MADCAT, overwrite=True))
    assert first.converted is not None
    assert second.error is not None
    assert second.error.code == "convert.same-output"
    again = list(convert_files(work[:1], ConvertOptions(FileFormat.MADCAT)))
    assert again[0].error is not None
    assert again[0].error.code == "convert.file-exists"


def test_what_is_no_regular_file_and_names_of_several_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in").mkdir()
    os.mkfifo(tmp_path / "in" / "pipe.page.xml")
    (tmp_path / "in" / "zero.page.xml").symlink_to("/dev/zero")
    long = TABLE.read_text("utf-8").replace('imageFilename="', f'imageFilename="{"x" * 400}')
    (tmp_path / "in" / "long.page.xml").write_text(long, encoding="utf-8")
    (tmp_path / "in" / "two\nlines\x1b[1m.page.xml").write_bytes(b"<PcGts><")
    shutil.copy(TABLE, tmp_path / "in" / "good\nname.page.xml")
    files = sorted(map(str, (tmp_path / "in").iterdir()))
    assert main(["convert", *files, f"{tmp_path}/out", "--to", "hocr"]) == 2
    told = capsys.readouterr()
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["good\nname.hocr", "long.hocr"]
    errors = told.err.splitlines()
    assert len(errors) == 3
    assert sum("[file.not-a-file]" in line for line in errors) == 2
    assert sum("two␊lines␛[1m.page.xml:1: " in line for line in errors) == 1
    assert "2 of 5 files converted" in told.out
    assert "\x1b" not in told.out + told.err


def test_what_makes_no_sense(folder: Path, tmp_path: Path) -> None:
    assert main(["convert", str(folder), str(tmp_path / "out.page.xml")]) == 2
    assert main(["convert", str(TABLE), f"{tmp_path}/out/"]) == 2
    assert main(["convert", str(TABLE), str(tmp_path / "b.xml"), "--to", "docx"]) == 2
    with pytest.raises(UsageError, match="this is a file"):
        jobs([folder], folder / "notes.txt", FileFormat.PAGE)
    with pytest.raises(InputError, match="no file matches"):
        jobs([folder / "*.tif"], tmp_path / "out", FileFormat.PAGE)
    work = jobs([folder], tmp_path / "out", FileFormat.PAGE)
    with pytest.raises(UsageError, match="no version 5"):
        convert_files(work, ConvertOptions(FileFormat.PAGE, "5"))
    assert not (tmp_path / "out").exists()
    assert page_base("a.b.hocr.html") == "a.b"


@pytest.mark.long
def test_control_c_leaves_whole_files_and_says_how_far_it_came(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number in range(3000):
        (tmp_path / "in" / f"p{number:04}.page.xml").symlink_to(TABLE)
    command = ["convert", "in", "out", "--to", "madcat", "--jobs", "2", "--format", "json"]
    with subprocess.Popen(
        [sys.executable, "-m", "madcat_studio", *command],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            end = time.monotonic() + 60
            while not list((tmp_path / "out").glob("p*")) and time.monotonic() < end:
                time.sleep(0.05)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does it
            out, err = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode == 130
    assert err == ""
    told = json.loads(out)
    assert told["summary"]["stopped"] is True
    assert told["summary"]["files"] == 3000
    assert len(told["files"]) == told["summary"]["converted"]
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert {Path(name).name for each in told["files"] for name in each["outputs"]} <= written
    assert all(name.endswith(".madcat.xml") for name in written)
    assert len({(tmp_path / "out" / name).stat().st_size for name in written}) == 1
