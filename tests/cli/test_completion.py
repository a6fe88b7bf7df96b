"""What a shell is given to complete commands by Tab, and what the program answers it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from madcat_studio.cli.app import main
from madcat_studio.cli.completion import SHELLS, VARIABLE, Shell, completion_script


@pytest.mark.parametrize(
    ("line", "word", "wanted"),
    [
        ("madcat-studio camp", 1, ["campaign"]),
        ("madcat-studio campaign sta", 2, ["status"]),
        ("madcat-studio campaign change sw", 3, ["swap", "swap-teams"]),
        ("madcat-studio check --fo", 2, ["--format"]),
        ("madcat-studio check --format ", 3, ["table", "json", "sarif"]),
        ("madcat-studio nothing x", 2, []),
    ],
)
def test_bash_is_answered(
    line: str,
    word: int,
    wanted: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(VARIABLE, "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(word))
    assert main([]) == 0
    assert capsys.readouterr().out.split() == wanted


@pytest.mark.parametrize("shell", [Shell.ZSH, Shell.FISH])
def test_other_shells_are_answered(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, f"complete_{shell}")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "madcat-studio campaign sta")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    assert main([]) == 0
    assert "status" in capsys.readouterr().out


def test_a_shell_that_asks_gets_an_answer_and_no_window() -> None:
    # As it asks: without arguments, which would open the window where there is a display.
    environment = {
        "PATH": "/usr/bin:/bin", "DISPLAY": ":1", VARIABLE: "complete_bash",
        "COMP_WORDS": "madcat-studio doc", "COMP_CWORD": "1",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "madcat_studio"], env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["doctor"], "")


def test_bash_takes_the_script(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    assert script == completion_script(Shell.BASH)
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)
    loaded = f"{script}\ncomplete -p madcat-studio"
    done = subprocess.run(["bash", "-c", loaded], capture_output=True, text=True, check=True)
    assert "-F _madcat_studio_completion madcat-studio" in done.stdout


def test_each_shell_asks_by_the_variable_that_is_heeded() -> None:
    for shell in SHELLS:
        assert f"{VARIABLE}=complete_{shell}" in completion_script(shell)
    zsh = completion_script(Shell.ZSH)
    assert zsh.startswith("#compdef madcat-studio\n")
    assert zsh.rstrip().endswith('&& _madcat_studio_completion "$@"')
