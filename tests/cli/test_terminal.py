"""What others wrote never steers the terminal; a command that is ended leaves nothing."""

from __future__ import annotations

import ast
import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import madcat_studio
from madcat_studio.cli.app import main
from madcat_studio.model.characters import marked
from madcat_studio.reports import terminal
from madcat_studio.store import create_campaign

EVIL = "\x1b[2J\x1b]0;title\x07\x9b31m\rbad\x08\x7f"


@given(st.text())
def test_nothing_steers_after_marking(text: str) -> None:
    shown = marked(text)
    assert not any(ord(one) < 32 and one not in "\t\n" for one in shown)
    assert not any(0x7F <= ord(one) < 0xA0 for one in shown)
    assert len(shown) == len(text), "a mark for each"
    assert marked("نص – text\n\tok") == "نص – text\n\tok"
    assert marked("\x1b[2J\x7f\x9b") == "␛[2J␡\ufffd"


class Screen(io.StringIO):
    """What Rich takes for a terminal."""

    def isatty(self) -> bool:
        return True


@contextmanager
def screens() -> Iterator[tuple[Screen, Screen]]:
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = made = Screen(), Screen()
    try:
        yield made
    finally:
        sys.stdout, sys.stderr = before


@pytest.mark.parametrize("command", ["log", "status", "kits", "flags"])
def test_names_and_notes_of_others_are_shown_with_marks(tmp_path: Path, command: str) -> None:
    with create_campaign(tmp_path / "c", f"Name{EVIL}") as campaign:
        campaign.note(f"act{EVIL}", f"subject{EVIL}", who=f"who{EVIL}", detail=f"detail{EVIL}")
    with screens() as (out, err):
        assert main(["campaign", command, str(tmp_path / "c")]) == 0
    shown = out.getvalue() + err.getvalue()
    for one in ("\x1b[2J", "\x1b]", "\x07", "\x9b", "\x08", "\x7f", "\r"):
        assert one not in shown
    if command == "log":
        assert shown.count("␛[2J") == 4


def test_messages_are_marked_too(tmp_path: Path) -> None:
    with screens() as (_, err):
        assert main(["campaign", "status", str(tmp_path / "no\x1b[2Jwhere")]) == 2
    assert "no␛[2Jwhere" in err.getvalue()
    assert sys.stdout is not None
    assert type(sys.stderr).__name__ != "_Marking", "the streams are given back"


def test_richs_own_colours_stay_and_others_characters_do_not() -> None:
    screen = Screen()
    console = terminal.console(
        file=screen, force_terminal=True, color_system="standard", highlight=False
    )
    console.print(f"[red]red[/red] {EVIL}")
    assert "\x1b[31mred\x1b[0m" in screen.getvalue()
    assert "\x1b[2J" not in screen.getvalue()
    assert "␛[2J" in screen.getvalue()


@pytest.mark.long
def test_no_command_makes_a_console_of_its_own() -> None:
    """It would print what others wrote as it is."""
    package = Path(madcat_studio.__file__).parent
    for path in package.rglob("*.py"):
        calls = [
            node
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "Console"
        ]
        assert len(calls) == (path == package / "reports" / "terminal.py"), path


WAITS = """
import sys, time
from pathlib import Path
from madcat_studio.cli.app import main
from madcat_studio.reports import files

def replace(self, target):
    print("written", self, flush=True)
    time.sleep(60)
Path.replace = replace
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.long
def test_a_report_that_is_ended_leaves_nothing(tmp_path: Path) -> None:
    create_campaign(tmp_path / "c", "x").close()
    out = tmp_path / "report"
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            WAITS,
            "campaign",
            "report",
            str(tmp_path / "c"),
            "--out",
            str(out),
            "--formats",
            "json",
        ],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(madcat_studio.__file__).parents[1])},
    )
    assert process.stdout is not None
    with process.stdout as told:
        for line in told:
            if line.startswith("written"):
                break
        assert [one.name for one in out.iterdir() if ".part" in one.name], "it is being written"
        process.terminate()
        assert process.wait(timeout=60) == 128 + signal.SIGTERM
    assert not out.exists() or list(out.iterdir()) == []
