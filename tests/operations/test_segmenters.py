"""Segmenters: named, used, run in a process of their own, and what becomes of bad ones."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.made_hands import MadePage
from madcat_studio.cli.app import main
from madcat_studio.errors import StudioError
from madcat_studio.formats.segmenter import request_bytes
from madcat_studio.operations.pages.convert import open_document
from madcat_studio.operations.pages.inklines import lines_from_ink
from madcat_studio.operations.pages.programs import Ended
from madcat_studio.operations.pages.segmenter_install import KNOWN, Recipe, install_segmenter
from madcat_studio.operations.pages.segmenters import (
    Segmenter,
    add_segmenter,
    find_segmenter,
    list_segmenters,
    segmenters_folder,
    use_segmenter,
)
from madcat_studio.operations.pages.segmenting import segment_page
from madcat_studio.progress import Cancelled
from tests.handwriting import make
from tests.operations.test_inklines import MADCAT, PAGE, put

STUB = Path(__file__).parent.parent / "data" / "segmenters" / "stub.py"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture(scope="module")
def made() -> MadePage:
    return make("clean", dpi=150, lines=4)


@pytest.fixture
def scan(tmp_path: Path, made: MadePage) -> Path:
    made.image.save(tmp_path / "scan.png")
    return tmp_path / "scan.png"


def stub(*how: str, **more: Any) -> Segmenter:
    return Segmenter("mine", (sys.executable, "-S", str(STUB), *how), **more)


class Waiting:
    """Hears how far the work is; stops it once it was told so often."""

    def __init__(self, until: int | None = None) -> None:
        self.heard: list[tuple[int, int | None]] = []
        self._until = until

    def advance(self, done: int, total: int | None, text: str = "") -> None:
        self.heard.append((done, total))

    def cancelled(self) -> bool:
        return self._until is not None and len(self.heard) >= self._until


def tagged(segmenter: Segmenter, folder: Path) -> Segmenter:
    """Whose processes can be told from any others: they have the folder among their words."""
    return replace(segmenter, command=(*segmenter.command, str(folder)))


def still_running(folder: Path) -> bool:
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    return str(folder) in listed.stdout


# Running one


@pytest.mark.long
def test_a_page_goes_in_and_lines_come_out(scan: Path) -> None:
    progress = Waiting()
    mine = Segmenter("mine", (sys.executable, str(STUB), "rows"))
    lines = segment_page(mine, scan, progress=progress)
    assert len(lines) == 4
    assert all(len(line.polygon) == 4 and len(line.baseline) == 2 for line in lines)
    tops = [line.polygon[0][1] for line in lines]
    assert tops == sorted(tops)
    assert progress.heard == [(1, 2)]


def test_it_is_told_what_the_page_is_and_no_secret_of_ours(
    scan: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MADCAT_STUDIO_PASSPHRASE", "four right words")
    program = tmp_path / "tells.py"
    program.write_text(
        "import json, os, sys\nasked = json.load(sys.stdin)\n"
        "asked['secret'] = [n for n in os.environ if n.startswith('MADCAT')]\n"
        "asked['there'] = os.path.dirname(asked['image']) == os.getcwd()\n"
        "sys.exit(json.dumps(asked))",
        "utf-8",
    )
    mine = Segmenter("mine", (sys.executable, "-S", str(program)), model="/models/a b.mlmodel")
    with pytest.raises(StudioError) as caught:
        segment_page(mine, scan, dpi=150, right_to_left=False)
    told = caught.value.reason.partition("status 1: ")[2]
    said = json.loads(told)
    assert said.pop("image").endswith("page.png")
    assert said == {
        "protocol": "madcat-segmenter",
        "version": 1,
        "width": 1275,
        "height": 612,
        "dpi": 150,
        "right_to_left": False,
        "model": "/models/a b.mlmodel",
        "secret": [],
        "there": True,
    }


@pytest.mark.parametrize(
    ("segmenter", "code", "reason"),
    [
        (stub("dies"), "died", "mine ended with status 3: MemoryError: no room for the model"),
        (stub("says", "hello"), "not-json", "it begins with 'hello'"),
        (stub("says", '{"version": 9}'), "version", "version 9 instead"),
        (stub("floods"), "too-much", "printed more than 1 MiB"),
        (stub("hangs", seconds=0.5), "too-long", "was not done after 0.5 seconds"),
        (Segmenter("mine", ("/nowhere/at-all",)), "cannot-start", "No such file"),
        (Segmenter("mine", (str(STUB),)), "cannot-start", "cannot be started (Permission denied)"),
    ],
)
def test_a_bad_one_is_one_clear_error_and_nothing_of_it_stays(
    scan: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    segmenter: Segmenter,
    code: str,
    reason: str,
) -> None:
    monkeypatch.setattr("madcat_studio.operations.pages.segmenting.MOST_BYTES", 2**20)
    with pytest.raises(StudioError) as caught:
        segment_page(tagged(segmenter, tmp_path), scan)
    assert caught.value.code == f"segmenter.{code}"
    assert reason in caught.value.reason
    assert not still_running(tmp_path)


def test_what_it_tells_besides_and_what_it_leaves_running_do_no_harm(
    scan: Path, tmp_path: Path
) -> None:
    assert segment_page(stub("chatters"), scan) == []
    assert segment_page(tagged(stub("leaves"), tmp_path), scan) == []
    assert not still_running(tmp_path)


@pytest.mark.long
def test_what_went_out_of_its_reach_keeps_nobody_waiting(scan: Path, tmp_path: Path) -> None:
    told = tmp_path / "pid"
    try:
        assert segment_page(stub("escapes", str(told)), scan) == []
    finally:
        os.kill(int(told.read_text("ascii")), signal.SIGKILL)


def test_nobody_has_to_wait_for_it(scan: Path, tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        segment_page(tagged(stub("hangs"), tmp_path), scan, progress=Waiting(until=1))
    assert not still_running(tmp_path)


def test_the_documents_segmenter_works_and_its_table_names_every_field(
    scan: Path, tmp_path: Path
) -> None:
    told = (Path(__file__).parents[2] / "docs" / "segmenters.md").read_text("utf-8")
    program = tmp_path / "whole.py"
    program.write_text(told.partition("```python\n")[2].partition("```")[0], "utf-8")
    [line] = segment_page(Segmenter("whole", (sys.executable, "-S", str(program))), scan)
    assert line.polygon == ((1275, 0), (0, 0), (0, 612), (1275, 612))
    asked = json.loads(request_bytes(scan, (1, 1), dpi=1, right_to_left=True, model=""))
    assert [field for field in asked if f"`{field}`" not in told] == []


# The list


def test_segmenters_are_named_used_and_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*words: str, status: int = 0) -> str:
        assert main(["segmenter", *words]) == status
        said = capsys.readouterr()
        return said.err if status else said.out

    assert "no segmenter is named" in run("list")
    (tmp_path / "m.mlmodel").write_bytes(b"")
    monkeypatch.chdir(STUB.parent)
    model = str(tmp_path / "m.mlmodel")
    run("add", "mine", "--model", model, "--", sys.executable, "stub.py", "rows")
    monkeypatch.chdir(tmp_path)  # its files are found from wherever it is run
    run("use", "mine", "--always")
    assert json.loads(run("list", "--format", "json")) == [
        {
            "name": "mine",
            "in_use": True,
            "always": True,
            "command": [sys.executable, str(STUB), "rows"],
            "model": model,
            "seconds": 600,
        }
    ]
    assert "always" in run("list")
    assert "[segmenter.exists]" in run("add", "mine", "--", sys.executable, status=2)
    assert "there is mine" in run("use", "other", status=2)
    assert "[segmenter.no-program]" in run("add", "x", "--", "no-such-program", status=2)
    assert "[segmenter.no-model]" in run("add", "x", "--model", "no", "--", "ls", status=2)
    assert "[segmenter.name]" in run("add", "ink", "--", "ls", status=2)
    run("use", "ink")
    assert list_segmenters().use == ""
    run("use", "mine")
    assert not list_segmenters().always
    assert find_segmenter("mine").model == model
    assert "[segmenter.no-model]" in run("use", "mine", "--model", "gone", status=2)
    run("use", "mine", "--model", "")
    assert find_segmenter("mine").model == ""
    run("remove", "mine")
    assert list_segmenters().all == ()
    assert list_segmenters().use == ""


def test_a_damaged_list_is_told_and_not_written_over(tmp_path: Path) -> None:
    add_segmenter(Segmenter("mine", (sys.executable,)))
    path = segmenters_folder() / "segmenters.json"
    for bad in ("{", "[]", '{"version": 7}', path.read_text("utf-8").replace("model", "modell")):
        path.write_text(bad, "utf-8")
        with pytest.raises(StudioError) as caught:
            add_segmenter(Segmenter("other", (sys.executable,)))
        assert caught.value.code == "segmenter.list"
        assert path.read_text("utf-8") == bad


# Its lines, or those of the ink


@pytest.mark.long
def test_lines_of_a_segmenter_are_taken_where_they_are_better(
    tmp_path: Path, made: MadePage, capsys: pytest.CaptureFixture[str]
) -> None:
    add_segmenter(Segmenter("mine", (sys.executable, str(STUB), "rows", "bare")))
    mine = find_segmenter("mine")
    path = put(tmp_path, "D.madcat.xml", MADCAT, made)
    # As good as the ink's: those stay.
    assert [row.by for row in lines_from_ink(path, dry_run=True, segmenter=mine)] == ["ink"]
    [row] = lines_from_ink(path, dry_run=True, segmenter=mine, always=True)
    assert (row.by, row.lines) == ("mine", 4)
    assert row.words > 20
    # Without a transcript nothing tells which are better: whoever names one wants its lines.
    bare = put(tmp_path, "D.page.xml", PAGE, made)
    use_segmenter("mine")
    assert main(["lines", str(bare), "--from-ink"]) == 0
    assert "mine" in capsys.readouterr().out
    lines = open_document(bare).document.pages[0].lines
    assert len(lines) == 4
    assert all(line.baseline and line.words for line in lines)
    assert all(len(line.polygon) == 4 for line in lines)
    # For once without it.
    again = put(tmp_path, "D.page.xml", PAGE, made)
    assert main(["lines", str(again), "--from-ink", "--segmenter", "ink"]) == 0
    assert "mine" not in capsys.readouterr().out


def test_a_segmenter_that_fails_leaves_the_file_as_it_was(tmp_path: Path, made: MadePage) -> None:
    path = put(tmp_path, "D.page.xml", PAGE, made)
    before = path.read_bytes()
    add_segmenter(Segmenter("mine", (sys.executable, str(STUB), "dies")))
    assert main(["lines", str(path), "--from-ink", "--segmenter", "mine"]) == 2
    assert path.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["D.page.xml", "D.png", "data"]


# Installing one


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts a small kraken where pip looks, and nowhere else."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    monkeypatch.setitem(KNOWN, "kraken", Recipe(("kraken>=7,<8",), 0.001))

    def put_wheel(tasks: str = TASKS) -> None:
        with zipfile.ZipFile(wheels / "kraken-7.9-py3-none-any.whl", "w") as wheel:
            info = "kraken-7.9.dist-info"
            wheel.writestr("kraken/__init__.py", "print('a library that prints')")
            wheel.writestr("kraken/configs.py", "SegmentationInferenceConfig = dict\n")
            wheel.writestr("kraken/tasks.py", tasks)
            wheel.writestr("PIL/__init__.py", "")
            wheel.writestr("PIL/Image.py", PILLOW)
            wheel.writestr(
                f"{info}/METADATA", "Metadata-Version: 2.1\nName: kraken\nVersion: 7.9\n"
            )
            wheel.writestr(
                f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            wheel.writestr(f"{info}/RECORD", "")

    return put_wheel


PILLOW = """
class open:
    def __init__(self, path): pass
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def convert(self, mode): return mode
"""
TASKS = """
from types import SimpleNamespace as Any
class SegmentationTaskModel:
    @classmethod
    def load_model(cls, path):
        if path is not None:
            raise ValueError(f"{path} is no model")
        return cls()
    def predict(self, image, config):
        assert image == "RGB"
        right = config["text_direction"] == "horizontal-rl"
        line = Any(boundary=[(-3, 40), (9_000, 40), (9_000, 80)], baseline=[(10, 70), (500, 70)])
        empty = Any(boundary=None, baseline=[(1, 1), (2, 2)])
        return Any(lines=[line, empty] if right else [])
"""


@pytest.mark.long
def test_kraken_is_installed_tried_and_used(
    index: Callable[..., None], scan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index()
    assert main(["segmenter", "install", "kraken"]) == 0
    assert "and in use" in capsys.readouterr().out
    listed = list_segmenters()
    assert (listed.use, [one.name for one in listed.all]) == ("kraken", ["kraken"])
    [line] = segment_page(listed.all[0], scan)
    assert line.polygon == ((0, 40), (1275, 40), (1275, 80))
    assert line.baseline == ((500, 70), (10, 70))
    assert segment_page(listed.all[0], scan, right_to_left=False) == []
    # Again, and what was there goes.
    first = segmenters_folder() / listed.all[0].environment
    install_segmenter("kraken")
    second = segmenters_folder() / find_segmenter("kraken").environment
    assert second.is_dir()
    assert not first.exists()
    assert main(["segmenter", "remove", "kraken"]) == 0
    assert not second.exists()


@pytest.mark.long
def test_one_that_is_there_and_does_not_work_does_not_stay(index: Callable[..., None]) -> None:
    index("raise ImportError('no libfoo')")
    with pytest.raises(StudioError) as caught:
        install_segmenter("kraken")
    assert caught.value.code == "segmenter.cannot-install"
    assert "does not work: the segmenter kraken ended with status 1: " in caught.value.reason
    assert "ImportError: no libfoo" in caught.value.reason
    assert list(segmenters_folder().iterdir()) == []


PIP = "  Collecting torch\n"


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
         "the disk is full"),
        ("ERROR: Package 'kraken' requires a different Python: 3.9.1 not in '>=3.10'",
         "it is not to be had for this version of Python"),
        ("ERROR: Ignored the following versions that require a different python version: 7.1\n"
         "ERROR: Could not find a version that satisfies the requirement kraken\n"
         "ERROR: No matching distribution found for kraken",
         "it is not to be had for this version of Python"),
        ("ERROR: No matching distribution found for kraken",
         "the package index does not have it for this machine"),
        ("ERROR: HTTP error 403 while getting https://x\n", "the package index cannot be reached"),
        ("ERROR: something of tomorrow", "ERROR: something of tomorrow"),
    ],
)  # fmt: skip
def test_what_pip_tells_becomes_a_reason_and_what_to_do(
    index: Callable[..., None], monkeypatch: pytest.MonkeyPatch, told: str, reason: str
) -> None:
    def ends(command: list[str], **_: object) -> Ended:
        return Ended(int("pip" in command), b"", PIP + told)

    monkeypatch.setattr("madcat_studio.operations.pages.segmenter_install.run_program", ends)
    with pytest.raises(StudioError) as caught:
        install_segmenter("kraken")
    assert caught.value.code == "segmenter.cannot-install"
    assert caught.value.reason.startswith(f"the segmenter kraken cannot be installed: {reason}")
    assert caught.value.remedy
    assert list(segmenters_folder().iterdir()) == []


@pytest.mark.long
def test_without_a_network_or_room_that_is_said(
    index: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(StudioError, match="the package index cannot be reached"):
        install_segmenter("kraken")
    monkeypatch.setitem(KNOWN, "kraken", Recipe((), 1e9))
    with pytest.raises(StudioError, match=r"the disk is full: .* are free and .* GB are needed"):
        install_segmenter("kraken")
    with pytest.raises(StudioError, match="there is no interpreter python99"):
        install_segmenter("kraken", python="python99")
    with pytest.raises(StudioError, match="doctr cannot be installed; these can: kraken"):
        install_segmenter("doctr")


def test_an_installation_can_be_given_up(index: Callable[..., None]) -> None:
    index()
    with pytest.raises(Cancelled):
        install_segmenter("kraken", progress=Waiting(until=1))
    assert list(segmenters_folder().iterdir()) == []
    assert list_segmenters().all == ()
