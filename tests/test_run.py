"""run.py: what it finds missing, when it installs again, what it says. It installs nothing here."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from scripts.screenshots.__main__ import SHOTS

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """run.py, in a place of its own, where every command it starts is forbidden."""
    spec = importlib.util.spec_from_file_location("run_under_test", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "engine").mkdir()
    for name in ("pyproject.toml", "constraints.txt", "engine/pyproject.toml"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    monkeypatch.setattr(module, "HERE", tmp_path)
    monkeypatch.setattr(module, "ENGINE", tmp_path / "engine")
    monkeypatch.setattr(module, "LOCK", tmp_path / "constraints.txt")
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "STAMP", tmp_path / ".venv" / "installed.txt")
    monkeypatch.setattr(module.subprocess, "run", _forbidden)
    return module


def _forbidden(command: list[str], **_options: object) -> None:
    raise AssertionError(f"started {command}")


def _dpkg(*lines: str):
    def answer(command: list[str], **_options: object) -> subprocess.CompletedProcess[str]:
        assert Path(command[0]).name == "dpkg-query"
        return subprocess.CompletedProcess(command, 0, stdout="".join(f"{x}\n" for x in lines))

    return answer


def test_missing_packages_are_named_by_what_is_lost(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run.shutil, "which", lambda name: f"/usr/bin/{name}")
    installed = [name for name in run.DEBIAN["the window and pictures of it"] if name != "libgl1"]
    lines = [f"ii \t{name}\t" for name in installed]
    monkeypatch.setattr(run.subprocess, "run", _dpkg(*lines, "rc \tpostgresql\t"))
    absent = run.missing_packages()
    assert absent["the window and pictures of it"] == ["libgl1"]
    assert absent["the tests on PostgreSQL"] == ["postgresql"]
    assert absent["the tests that draw handwriting"] == ["libfribidi0"]


def test_a_package_under_its_newer_name_is_not_missing(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run.shutil, "which", lambda name: f"/usr/bin/{name}")
    provided = "ii \tlibglib2.0-0t64\tlibglib2.0-0 (= 2.80.0-6), libglib2.0-0 (= 2)"
    monkeypatch.setattr(run.subprocess, "run", _dpkg(provided))
    assert "libglib2.0-0" not in run.missing_packages()["the window and pictures of it"]


def test_no_compiler_is_named(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        run.shutil, "which", lambda name: None if name == "c++" else f"/usr/bin/{name}"
    )
    monkeypatch.setattr(run.subprocess, "run", _dpkg())
    (kernel,) = (names for what, names in run.missing_packages().items() if "kernel" in what)
    assert "g++" in kernel


def test_nothing_is_asked_of_another_system(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run.shutil, "which", lambda _name: None)
    assert run.missing_packages() == {}


def test_without_rights_it_says_what_to_run(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = {"the window": ["libgl1", "libegl1"], "the tests on PostgreSQL": ["postgresql"]}
    monkeypatch.setattr(run.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(
        run.shutil, "which", lambda name: None if name == "sudo" else f"/usr/bin/{name}"
    )
    assert not run.apt_install(absent)
    run.name_missing(absent)
    said = capsys.readouterr().out
    assert "Missing for the tests on PostgreSQL: postgresql\n" in said
    assert "sudo apt-get install libegl1 libgl1 postgresql\n" in said


def test_an_installation_up_to_date_is_used_as_it_is(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.VENV.mkdir()
    run.STAMP.write_text(f"{run.stamp({})}\n{' '.join(run.ALL)}\n")
    monkeypatch.setattr(run, "missing_packages", lambda _extras: {})
    monkeypatch.setattr(run, "works", lambda: True)
    for extras in (run.ALL, run.FEW):
        assert run.install(extras) == {}


@pytest.mark.parametrize(
    ("word", "there", "wanted"),
    [
        ("demo", "", ["window"]),
        ("test", "", ["window", "peers", "dev", "docs"]),
        ("test", "window", ["window", "peers", "dev", "docs"]),
    ],
)
def test_each_word_installs_what_it_needs(
    run: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    word: str,
    there: str,
    wanted: list[str],
) -> None:
    run.VENV.mkdir()
    if there:
        run.STAMP.write_text(f"{run.stamp({})}\n{there}\n")
    absent = {"the window and pictures of it": ["libgl1"]}
    monkeypatch.setattr(run, "missing_packages", lambda _extras: absent)
    monkeypatch.setattr(run, "apt_install", lambda _absent: False)
    monkeypatch.setattr(run, "works", lambda: True)
    monkeypatch.setattr(run, "make_venv", lambda: None)
    monkeypatch.setattr(run, "quiet", lambda _command: True)
    steps: list[tuple[list[str], ...]] = []
    monkeypatch.setattr(run, "step", lambda _what, *commands: steps.append(commands))
    monkeypatch.setitem(run.WORDS, word, lambda _arguments: print("the work") or 0)
    monkeypatch.setattr(sys, "argv", ["run.py", word])
    assert run.main() == 0
    [(packages, *ours)] = steps
    needed = run.requirements(wanted)
    assert packages[-len(needed) - 1 :] == [str(run.LOCK), *needed]
    assert [one[-3:] for one in ours] == [
        ["--no-deps", "--editable", str(project)] for project in (run.ENGINE, run.HERE)
    ]
    said = capsys.readouterr().out
    # What was left out is told where it is seen: after a demo, before tests of many minutes.
    places = said.index("Missing for the window"), said.index("the work")
    assert sorted(places, reverse=word == "demo") == list(places)
    steps.clear()
    assert run.main() == 0
    assert not steps


def test_all_that_the_two_packages_need_is_asked_for(run: ModuleType) -> None:
    found = {Requirement(one).name for one in run.requirements(run.ALL)}
    for distribution in ("madcat-studio", "madcat-ter"):
        for text in metadata.requires(distribution) or []:
            wanted = Requirement(text)
            extras = ("", *(run.ALL if distribution == "madcat-studio" else ()))
            if wanted.marker is None or any(wanted.marker.evaluate({"extra": e}) for e in extras):
                assert wanted.name in {*found, "madcat-ter"}
    assert "madcat-ter" not in found
    assert "PySide6-Essentials" not in {Requirement(one).name for one in run.requirements(())}


def test_the_demo_asks_for_no_database(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(run.subprocess, "run", _dpkg())
    assert ["postgresql"] not in run.missing_packages(run.FEW).values()
    assert ["postgresql"] in run.missing_packages(run.ALL).values()


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_a_changed_file_means_to_install_again(run: ModuleType, name: str) -> None:
    before = run.stamp({})
    with (run.HERE / name).open("a") as file:
        file.write("# changed\n")
    assert run.stamp({}) != before


def test_a_compiler_that_came_later_means_to_install_again(run: ModuleType) -> None:
    assert run.stamp({run._COMPILER: ["g++"]}) != run.stamp({})


def _without_pip(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, *, ensurepip: bool
) -> list[list[str]]:
    """A fresh environment, of a Python as it comes or as Debian parts it; what it starts then."""
    started: list[list[str]] = []

    def start(command: list[str], **_options: object) -> subprocess.CompletedProcess[str]:
        started.append(command)
        return subprocess.CompletedProcess(command, 1 if "import pip" in command else 0, stdout="")

    monkeypatch.setattr(run, "works", lambda: True)
    monkeypatch.setattr(run.importlib.util, "find_spec", lambda _name: ensurepip or None)
    monkeypatch.setattr(run.subprocess, "run", start)
    monkeypatch.setattr(
        run, "watch", lambda commands, _show, **_: [(start(one).returncode, "") for one in commands]
    )
    return started


def _without_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:1/simple")
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.mark.parametrize("ensurepip", [True, False])
def test_pip_comes_from_the_index(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, ensurepip: bool
) -> None:
    started = _without_pip(run, monkeypatch, ensurepip=ensurepip)
    monkeypatch.setattr(run, "fetch_pip", lambda folder, _index: folder / "pip.whl")
    run.make_venv()
    program, *arguments = started[-1]
    assert program == str(run.PYTHON)
    assert arguments[0].endswith("/pip.whl/pip")
    assert arguments[1:-1] == ["install", "-q", "--no-index", "--no-deps", "--no-compile"]
    assert arguments[-1].endswith("/pip.whl")


def test_without_network_pip_is_pythons_own(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = _without_pip(run, monkeypatch, ensurepip=True)
    _without_network(monkeypatch)
    run.make_venv()
    assert started[-1] == [str(run.PYTHON), "-m", "ensurepip", "--default-pip"]


def test_without_pip_and_network_it_names_the_package_that_brings_it(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _without_pip(run, monkeypatch, ensurepip=False)
    _without_network(monkeypatch)
    with pytest.raises(SystemExit) as stopped:
        run.make_venv()
    assert stopped.value.code == 1
    said = capsys.readouterr().err
    assert "http://127.0.0.1:1/simple/pip/" in said
    assert f"apt-get install {run._VERSION}-venv" in said
    assert "PIP_INDEX_URL" in said


def _homeless() -> Path:
    raise RuntimeError("Could not determine home directory.")


@pytest.mark.parametrize("home", [True, False])
def test_pip_starts_also_for_somebody_without_a_home(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, home: bool
) -> None:
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    monkeypatch.delenv("PIP_NO_CACHE_DIR", raising=False)
    if not home:
        monkeypatch.setattr(run.Path, "home", _homeless)
    seen = run.surroundings()
    assert "PYTHONPATH" not in seen
    assert (seen.get("HOME") == str(run.VENV)) is not home
    assert ("PIP_NO_CACHE_DIR" in seen) is not home


@pytest.mark.parametrize("there", [False, True])
def test_where_nothing_may_be_written_it_says_so_at_once(
    run: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    there: bool,
) -> None:
    if there:
        run.VENV.mkdir()
    monkeypatch.setattr(run, "missing_packages", lambda _extras: {})
    monkeypatch.setattr(run.os, "access", lambda _path, _mode: False)
    with pytest.raises(SystemExit) as stopped:
        run.install(run.FEW)
    assert stopped.value.code == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert f"into {run.VENV if there else run.HERE}: clone" in said.err


@pytest.mark.parametrize(
    ("said", "told"),
    [("WARNING: Retrying (Retry(total=0, ", "PIP_INDEX_URL"), ("ERROR: oh", "ERROR: oh")],
)
def test_a_step_that_fails_names_the_reason_and_the_log(
    run: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    said: str,
    told: str,
) -> None:
    run.VENV.mkdir()
    monkeypatch.setattr(run, "LOG", run.VENV / "install.log")
    monkeypatch.setattr(run, "watch", lambda *_, **__: [(0, "fine"), (1, said)])
    with pytest.raises(SystemExit):
        run.step("packages", ["one"], ["two"])
    words = capsys.readouterr()
    assert "FAILED" in words.out
    assert told in words.err
    assert f"in {run.LOG}. The same command goes on" in words.err
    assert run.LOG.read_text("utf-8") == f"$ one\nfine\n$ two\n{said}\n"


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("/dev/full", "The disk is full: an installation needs 1 GB"),
        ("/dev/null/x", "This machine does not let it go on: "),
    ],
)
def test_a_log_that_cannot_be_written_ends_with_a_sentence(
    run: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    place: str,
    told: str,
) -> None:
    run.VENV.mkdir(parents=True)
    monkeypatch.setattr(run, "LOG", Path(place))
    monkeypatch.setattr(run, "main", lambda: run.step("a package", ["false"]))
    with pytest.raises(SystemExit) as ended:
        run.guarded()
    assert ended.value.code == 1
    said = capsys.readouterr().err
    assert said.startswith(told)
    assert said.endswith("The same command goes on from there.\n")


def test_a_demo_without_the_windows_libraries_says_so_and_succeeds(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[tuple[str, ...]] = []

    def ours(*command: str, **_environment: str) -> int:
        started.append(command)
        return 0

    monkeypatch.setattr(run, "ours", ours)
    monkeypatch.setattr(run, "has_qt", lambda: False)
    monkeypatch.setenv("DISPLAY", ":0")
    assert run.demo(["folder"]) == 0
    assert started == [("-m", "madcat_studio", "demo", "folder")]
    assert "The window does not open here" in capsys.readouterr().out


def test_a_demo_with_a_display_ends_at_its_doors(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[str, ...]] = []
    monkeypatch.setattr(run, "ours", lambda *command, **_: started.append(command) or 0)
    monkeypatch.setattr(run, "has_qt", lambda: True)
    monkeypatch.setenv("DISPLAY", ":0")
    assert run.demo(["folder"]) == 0
    assert started[-1] == ("-m", "madcat_studio", "open", "--demo", "folder")


def test_a_demo_without_a_display_takes_pictures_of_the_campaign_once(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[tuple[str, ...]] = []
    monkeypatch.setattr(run, "ours", lambda *command, **_: started.append(command) or 0)
    monkeypatch.setattr(run, "has_qt", lambda: True)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    folder = str(tmp_path / "demo")
    for _ in range(2):
        assert run.demo([folder]) == 0
        Path(folder, "pictures").mkdir(parents=True, exist_ok=True)
    [made, pictures, again] = started
    assert made == again == ("-m", "madcat_studio", "demo", folder)
    assert pictures[:4] == ("-m", "scripts.screenshots", "--campaign", folder)
    assert pictures[-len(run.VIEWS) :] == run.VIEWS


@pytest.mark.window
def test_bytecode_is_kept_where_none_may_lie_beside_the_sources(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[tuple[object, ...]] = []
    answer = subprocess.CompletedProcess("", 0)
    monkeypatch.setattr(
        run.subprocess, "run", lambda *what, **how: started.append((*what, how)) or answer
    )
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    run.ours("-c", "import loaded")
    [(_, how)] = started
    monkeypatch.undo()
    (tmp_path / "loaded.py").touch()
    subprocess.run([sys.executable, "-c", "import loaded"], **how | {"check": True})
    assert not (tmp_path / "__pycache__").exists()
    assert len(list((tmp_path / ".venv").rglob("loaded.*.pyc"))) == 1


@pytest.mark.long
def test_a_plain_picture_is_one_and_nothing_else_is_said(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "scripts.screenshots", "--plain", "--to", str(tmp_path)]
    done = subprocess.run(
        [*command, "page"],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert [path.name for path in tmp_path.iterdir()] == ["page-light.png"]
    assert done.stderr == ""


def test_the_pictures_of_the_demo_and_of_the_manual_can_be_taken(run: ModuleType) -> None:
    shots = {shot.name for shot in SHOTS}
    assert set(run.VIEWS) <= shots
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    shown = {
        name
        for page in pages
        for name in re.findall(r"screenshots/([\w-]+)-(?:light|dark)", page.read_text("utf-8"))
    }
    assert len(shown) > 20
    assert shown <= shots


@pytest.mark.parametrize(("words", "status"), [([], 0), (["--help"], 0), (["dmeo"], 2)])
def test_a_wrong_word_shows_the_right_ones(
    run: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    status: int,
) -> None:
    monkeypatch.setattr(sys, "argv", ["run.py", *words])
    assert run.main() == status
    said = capsys.readouterr().out
    assert all(f"  {word} " in said for word in run.WORDS)


def test_an_old_python_is_told_so(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    with pytest.raises(SystemExit):
        run.main()
    assert "needs Python 3.11" in capsys.readouterr().err


def test_mutants_brings_its_tool_by_its_extra(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(run, "quiet", lambda command: False)
    monkeypatch.setattr(run, "step", lambda what, command, **_: asked.append(command))
    monkeypatch.setattr(run, "ours", lambda *command, **_: 0)
    assert run.mutants(["edits"]) == 0
    assert [one for one in asked[0] if one.startswith("cosmic-ray>=")]


def test_what_is_locked_installs_on_the_oldest_python() -> None:
    """The lock is written on a newer one, of which a package may need its last digit."""
    debian_12 = "3.11.2"
    locked = dict(re.findall(r"^(\S+)==(\S+)$", (ROOT / "constraints.txt").read_text(), re.M))
    here = {one.metadata["Name"]: one for one in metadata.distributions()}
    same = {name for name, one in here.items() if locked.get(name) == one.version}
    assert len(same) > 100
    asked = {name: here[name].metadata.get_all("Requires-Python") or [""] for name in same}
    assert [name for name, (needs,) in asked.items() if debian_12 not in SpecifierSet(needs)] == []
