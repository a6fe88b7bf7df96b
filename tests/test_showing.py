"""What the installation says while it works, from pip's and apt's own lines."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from scripts.showing import Line, Told, reason, watch


def test_pip_in_a_few_words(tmp_path: Path) -> None:
    (tmp_path / "pip-26.3.dist-info").mkdir()
    told = Told(tmp_path)
    said: list[str] = []
    for line in (
        "Collecting numpy<3,>=2.1 (from madcat-studio==0.1.0)",
        "  Downloading numpy-2.4.0-cp311-cp311-manylinux_2_28_x86_64.whl (16.6 MB)",
        "Collecting PySide6-Essentials[x]>=6.8",
        "  Downloading https://index/PySide6_Essentials-6.11.3-cp310-abi3.whl (95.4 MB)",
        "  Preparing metadata (pyproject.toml): started",
        "Obtaining file:///somewhere/studio/engine",
        "  Preparing editable metadata (pyproject.toml): still running...",
        "  Building editable for madcat-ter (pyproject.toml): started",
        "Installing collected packages: numpy, shiboken6, madcat-ter",
    ):
        told.hear(line)
        said.append(str(told))
    assert said == [
        "1 packages found",
        "downloading numpy, 17 MB so far",
        "2 packages found",
        "downloading PySide6_Essentials, 112 MB so far",
        "building a package",
        "building a package",
        "building engine/",
        "building madcat-ter",
        "unpacking, 0 of 3 packages",
    ]
    (tmp_path / "numpy-2.4.0.dist-info").mkdir()
    assert str(told) == "unpacking, 1 of 3 packages"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("WARNING: Retrying (Retry(total=4, connect=None)) after\nERROR: no such package", None),
        ("WARNING: Retrying (Retry(total=0, connect=None)) after\nERROR: conflict", "The network"),
        ("Err:1 http://deb.debian.org\n  Temporary failure resolving 'x'\n", "The network"),
        ("OSError: [Errno 28] No space left on device: '/tmp/x'", "The disk is full"),
        (
            "ERROR: No matching distribution found for numpy==2.4.0\n",
            "The package index offers no numpy==2.4.0 for Python 3.",
        ),
        (
            "Additionally, some packages have no matching distributions available"
            " for your environment:\n    soupsieve\n\nTo fix this",
            "The package index offers no soupsieve for Python 3.",
        ),
        ("error: command 'c++' failed", None),
    ],
)
def test_what_stopped_it_is_said_where_pip_does_not(said: str, told: str | None) -> None:
    found = reason(said)
    assert found is None if told is None else found and found.startswith(told)


def test_apt_in_a_few_words() -> None:
    told = Told()
    said: list[str] = []
    for line in (
        "0 upgraded, 24 newly installed, 0 to remove and 0 not upgraded.",
        "Get:3 http://deb.debian.org/debian bookworm/main amd64 libgl1 amd64 1.6.0-1 [89.5 kB]",
        "Setting up libgl1:amd64 (1.6.0-1) ...",
        "Setting up libegl1:amd64 (1.6.0-1) ...",
    ):
        told.hear(line)
        said.append(str(told))
    assert said[1:] == ["downloading, 3 of 24", "setting up 1 of 24", "setting up 2 of 24"]


def test_a_command_is_shown_and_its_words_are_kept(tmp_path: Path) -> None:
    shown: list[str] = []
    program = "print('Collecting numpy', flush=True); print('oh', flush=True); raise SystemExit(3)"
    command = [sys.executable, "-c", program]
    ended = watch([command], shown.append, cwd=tmp_path, environment=os.environ)
    assert ended == [(3, "Collecting numpy\noh\n")]
    assert shown[0] in {"", "1 packages found"}


_WAITS = """
import sys, time
from pathlib import Path
print(sys.argv[1], flush=True)
end = time.monotonic() + 120
while not Path(sys.argv[2]).exists() and time.monotonic() < end:
    time.sleep(0.01)
raise SystemExit(time.monotonic() >= end)
"""


@pytest.mark.long
def test_commands_run_side_by_side_and_are_shown_together(tmp_path: Path) -> None:
    seen, building = tmp_path / "seen", "Building editable for madcat-ter (pyproject.toml): started"

    def show(doing: str) -> None:
        if doing == "1 packages found; building madcat-ter":
            seen.touch()

    ended = watch(
        [
            [sys.executable, "-c", _WAITS, said, str(seen)]
            for said in ("Collecting numpy", building)
        ],
        show,
        cwd=tmp_path,
        environment=os.environ,
    )
    assert ended == [(0, "Collecting numpy\n"), (0, f"{building}\n")]


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_has_one_line_and_a_file_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    screen, file = _Terminal(), io.StringIO()
    lines = Line("Installing: pip", screen), Line("Installing: pip", file)
    for second in (1, 16, 20):
        now[0] = second
        for line in lines:
            line.show(f"{second} packages found")
    for line in lines:
        line.end("done")
    assert screen.getvalue().count("\n") == 1
    assert screen.getvalue().split("\r\x1b[K")[-1] == "Installing: pip: done (20 s)\n"
    assert file.getvalue().splitlines() == [
        "Installing: pip ...",
        "  16 s: 16 packages found",
        "  done (20 s)",
    ]
