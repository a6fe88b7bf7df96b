from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from madcat_studio import __version__, log
from madcat_studio.cli import app as root
from madcat_studio.cli.window import Window
from madcat_studio.errors import ConflictError, FormatError, StudioError, WorldError
from madcat_studio.progress import Cancelled


@pytest.fixture
def raising(monkeypatch: pytest.MonkeyPatch):
    """Let the command line run into a given exception."""

    def run(error: BaseException) -> int:
        def stand_in(*_arguments: object, **_options: object) -> None:
            raise error

        monkeypatch.setattr(root, "commands", lambda _words: stand_in)
        return root.main(["anything"])

    return run


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert root.main(["--version"]) == 0
    assert capsys.readouterr().out == f"madcat-studio {__version__}\n"


@pytest.mark.parametrize("arguments", [["no-such-command"], ["--no-such-option"]])
def test_wrong_words_are_named(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert root.main(arguments) == 2
    assert arguments[0] in capsys.readouterr().err


@pytest.mark.parametrize("kind", [StudioError, FormatError, ConflictError, WorldError])
def test_an_error_is_one_message(raising, kind, capsys: pytest.CaptureFixture[str]) -> None:
    error = kind("room.reason", "the file is cut short", where="a.xml", remedy="Copy it again")
    assert raising(error) == 2
    assert capsys.readouterr().err == (
        "madcat-studio: a.xml: the file is cut short. Copy it again. [room.reason]\n"
    )


def test_the_system_refusing_is_a_message_too(raising, capsys: pytest.CaptureFixture[str]) -> None:
    assert raising(PermissionError(13, "Permission denied", "/campaign")) == 2
    assert capsys.readouterr().err == (
        "madcat-studio: /campaign: permission denied. Check the name, the permissions and "
        "the disk space. [system.refused]\n"
    )


@pytest.mark.usefixtures("caplog")
def test_a_fault_of_ours_leaves_a_report_and_no_traceback(
    raising, capsys: pytest.CaptureFixture[str]
) -> None:
    assert raising(ZeroDivisionError("division by zero")) == 70
    shown = capsys.readouterr().err
    (report,) = log.folder().glob("crash-*.txt")
    assert str(report) in shown
    assert "Traceback" not in shown
    assert "ZeroDivisionError: division by zero" in report.read_text()


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), Cancelled()])
def test_stopping_is_quiet(raising, stop, capsys: pytest.CaptureFixture[str]) -> None:
    assert raising(stop) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.long
def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from madcat_studio.cli.app import main; status = main(['--help']);"
        "heavy = {'lxml', 'numpy', 'sqlalchemy', 'scipy', 'matplotlib', 'shapely', 'PIL',"
        " 'PySide6', 'jinja2', 'logging.handlers'} & set(sys.modules);"
        "print(heavy, file=sys.stderr); sys.exit(status or bool(heavy))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert "Usage: madcat-studio" in result.stdout


@pytest.mark.long
def test_arabic_on_a_terminal_without_arabic(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "madcat_studio", "كلمة"],
        capture_output=True,
        check=False,
        env={"PYTHONIOENCODING": "ascii", "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    assert result.returncode == 2
    assert b"Traceback" not in result.stderr


def test_the_window_is_asked_for_a_demos_doors(tmp_path: Path) -> None:
    asked: list[tuple[str | None, bool]] = []
    window = Window(lambda *where: asked.append(where) or 0, lambda: None)
    assert root.main(["open", "--demo", str(tmp_path)], window=window) == 0
    assert root.main(["open", str(tmp_path)], window=window) == 0
    assert root.main(["open", "--demo"], window=window) == 0
    assert asked == [(str(tmp_path), True), (str(tmp_path), False), (None, True)]


def test_a_command_ends_without_a_search_for_garbage_in_all_that_it_loaded(tmp_path: Path) -> None:
    program = (
        "import atexit, gc, sys\n"
        "atexit.register(lambda: print(len(gc.get_objects()), gc.get_freeze_count()))\n"
        "sys.argv = ['madcat-studio', 'show', '--help']\n"
        "from madcat_studio.__main__ import main\n"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=True,
        text=True,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    searched, left_out = map(int, done.stdout.splitlines()[-1].split())
    assert left_out > 10_000
    assert searched < left_out / 50
