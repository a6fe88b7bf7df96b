"""Help pages: an example on each, the same text whichever part of the tree was made."""

from __future__ import annotations

import logging
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest

from madcat_studio.cli import bar
from madcat_studio.cli.app import app, commands, main
from madcat_studio.cli.ending import STATUSES
from madcat_studio.cli.examples import EXAMPLES
from madcat_studio.cli.tree import asked_for, tree
from tests.documented import Shown
from tests.test_documented import wrong_with

PAGES = Path(__file__).parent.parent / "data" / "madcat"


def _every(group: Any, way: tuple[str, ...] = ()) -> dict[str, Any]:
    found = {}
    for name, command in group.commands.items():
        inside = getattr(command, "commands", None)
        found |= _every(command, (*way, name)) if inside else {" ".join((*way, name)): command}
    return found


def test_each_help_page_has_an_example_that_can_be_typed() -> None:
    every = _every(commands())
    assert set(EXAMPLES) == set(every)
    for name, command in every.items():
        example = EXAMPLES[name]
        assert example.startswith(name)
        assert command.epilog == f"Example: madcat-studio {example}"
        assert wrong_with(Shown("help", ("madcat-studio", *shlex.split(example)))) == ""


@pytest.mark.parametrize(
    ("line", "way"),
    [
        ("", ()),
        ("--help", ()),
        ("campaign", ("campaign",)),
        ("campaign --help", ("campaign",)),
        ("campaign status pilot --format json", ("campaign", "status")),
        ("campaign change move x", ("campaign", "change", "move")),
        ("campaign stauts", ("campaign",)),
        ("shw page", ()),
        ("--version", ()),
        ("show campaign", ("show",)),
    ],
)
def test_what_arguments_ask_for(line: str, way: tuple[str, ...]) -> None:
    assert asked_for(app, line.split()) == way


def test_every_command_is_what_its_own_words_ask_for() -> None:
    """Whatever group it is in, and however that was named."""
    assert len(EXAMPLES) > 90
    wrong = [one for one in EXAMPLES if asked_for(app, [*one.split(), "x"]) != (*one.split(),)]
    assert wrong == []


@pytest.mark.parametrize(
    "line", ["--help", "campaign --help", "server user --help", "show -h", "campaign status --help"]
)
def test_a_part_of_the_tree_shows_what_the_whole_shows(
    line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line.split()) == 0
    part = capsys.readouterr().out
    with pytest.raises(SystemExit) as ended:
        tree(app)(line.split(), prog_name="madcat-studio")
    assert ended.value.code == 0
    assert part == capsys.readouterr().out
    # Without their options, all others cost nothing; those on the way have theirs.
    alone = tree(app, ("campaign", "status")).commands
    assert list(alone) == ["campaign"]
    assert list(alone["campaign"].commands) == ["status"]
    assert len(alone["campaign"].commands["status"].params) >= 3


def test_a_wrong_word_is_told_with_the_like(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["campaign", "stauts", "x"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "stauts" in said
    assert "status" in said


def test_exit_statuses_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert STATUSES.split(";", maxsplit=1)[0] in said
    for number in ("0", "1", "2", "70", "130", "143"):
        assert f" {number} " in f" {STATUSES} "


@pytest.mark.long
def test_no_color_leaves_colours_out() -> None:
    for no_colour, coloured in (("", True), ("1", False)):
        environment = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "NO_COLOR": no_colour}
        said = subprocess.run(
            [sys.executable, "-m", "madcat_studio", "--help"],
            env={name: text for name, text in environment.items() if text},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert bool(re.search(r"\x1b\[[\d;]*3[0-9]", said)) is coloured


def test_verbose_writes_the_log_too(capsys: pytest.CaptureFixture[str]) -> None:
    page = next(PAGES.glob("*.madcat.xml"))
    assert main(["-v", "show", str(page)]) == 0
    loud = capsys.readouterr()
    assert "INFO madcat_studio.cli.app: show of version" in loud.err
    assert main(["show", str(page)]) == 0
    plain = capsys.readouterr()
    assert (plain.out, plain.err) == (loud.out, "")


def test_quiet_shows_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def open_(shown: Any) -> None:
        opened.append("bar")
        shown._bars = MagicMock()

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(bar._Bar, "_open", open_)
    for quiet in (True, False):
        end = bar.without() if quiet else (lambda: None)
        with bar.bar() as progress:
            progress.advance(1, 3, "half")
        end()
    assert opened == ["bar"]


def test_quiet_tells_no_warnings(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)

    def warn() -> None:
        logging.getLogger("madcat_studio.store.odd").warning("a row is odd")

    for arguments, told in ((["-q", "doctor"], False), (["doctor"], True)):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("madcat_studio.workspace.machine.examine", lambda: iter(warn() or ()))
            assert main(arguments) == 0
        assert ("warning: a row is odd" in capsys.readouterr().err) is told
