"""What `madcat-studio doctor` finds, and what it says to do."""

from __future__ import annotations

import json
import subprocess
from collections import namedtuple
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.workspace import machine
from madcat_studio.workspace.machine import Finding, State, examine, worst

WELL = {"qt": "6.11.3", "platform": "xcb", "screens": ["1280x720"], "arabic": ["Noto"]}


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """Qt answers well, without being started; what it was asked for."""
    asked: list[dict[str, str]] = []

    def probe(**environment: str) -> tuple[dict[str, object], str]:
        asked.append(environment)
        return dict(WELL), ""

    monkeypatch.setattr(machine, "_probe", probe)
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: object())
    return asked


@pytest.fixture
def on_a_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":7")


def _of(name: str) -> Finding:
    return next(one for one in examine() if one.name == name)


def test_a_machine_that_has_all(on_a_desk: None, asked: list[dict[str, str]]) -> None:
    found = {one.name: one for one in examine()}
    for name in ("program", "window", "fonts", "display", "spelling", "database"):
        assert (found[name].state, found[name].remedy) == (State.GOOD, ""), name
    assert found["display"].what == "The window opens on xcb: 1280x720"
    assert "en_US, en_GB" in found["spelling"].what
    assert asked == [{"QT_QPA_PLATFORM": "offscreen"}, {}]


def test_no_display_is_told_with_what_to_do(
    on_a_desk: None, monkeypatch: pytest.MonkeyPatch, asked: list[dict[str, str]]
) -> None:
    monkeypatch.delenv("DISPLAY")
    found = _of("display")
    assert found.state is State.LACKS
    assert "commands work" in found.what
    assert "ssh -X" in found.remedy
    assert len(asked) == 1


def test_a_display_that_does_not_answer_is_named(
    on_a_desk: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def probe(**environment: str) -> tuple[dict[str, object] | None, str]:
        return (dict(WELL), "") if environment else (None, "could not connect to display :7")

    monkeypatch.setattr(machine, "_probe", probe)
    found = _of("display")
    assert found.state is State.BROKEN
    assert found.what == "The display does not answer (DISPLAY=:7): could not connect to display :7"


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_probe", lambda **_: (None, "libEGL.so.1: cannot open"))
    found = _of("window")
    assert (found.state, found.what) == (
        State.BROKEN,
        "Qt does not start: libEGL.so.1: cannot open",
    )


def test_without_qt_only_the_window_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    names = {one.name: one for one in examine()}
    assert names["window"].state is State.LACKS
    assert "madcat-studio[window]" in names["window"].remedy
    assert "fonts" not in names


def test_no_arabic_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_probe", lambda **_: ({**WELL, "arabic": []}, ""))
    assert _of("fonts").state is State.BROKEN


def test_a_folder_that_cannot_be_written_is_named_with_its_variable(home: Path) -> None:
    (home / ".local").mkdir()
    (home / ".local" / "state").write_text("a file where a folder should be")
    found = _of("folder for unsaved kits")
    assert found.state is State.BROKEN
    assert str(home / ".local" / "state") in found.what
    assert "XDG_STATE_HOME" in found.remedy
    assert _of("folder for settings").state is State.GOOD


def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")(10**12, 10**12, 12_000_000)
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda _: usage)
    found = _of("folder for settings")
    assert found.state is State.BROKEN
    assert "has 12 MB left" in found.what


def test_a_disk_without_locks_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_can_lock", lambda _: False)
    assert _of("folder for unsaved pages").state is State.LACKS


def test_the_worst_counts() -> None:
    good, lacks, broken = (Finding("a", state, "b") for state in State)
    assert worst([good]) is State.GOOD
    assert worst([good, lacks]) is State.LACKS
    assert worst([lacks, broken, good]) is State.BROKEN


def test_by_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    found = [Finding("display", State.LACKS, "There is none", "Plug one in")]
    monkeypatch.setattr(machine, "examine", lambda: iter(found))
    assert main(["doctor"]) == 0
    assert capsys.readouterr().out == "lacks   display: There is none. Plug one in.\n"
    assert main(["doctor", "--format", "json"]) == 0
    [told] = json.loads(capsys.readouterr().out)
    assert told == {
        "name": "display",
        "state": "lacks",
        "what": "There is none",
        "remedy": "Plug one in",
    }
    found.append(Finding("fonts", State.BROKEN, "None", ""))
    assert main(["doctor"]) == 1


def test_what_qt_says_where_it_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    answers: list[subprocess.CompletedProcess[str]] = []
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: answers.pop(0))
    done = subprocess.CompletedProcess
    answers += [
        done([], 0, "noise\n" + json.dumps(WELL), ""),
        done([], 2, "", "madcat-studio: the window cannot be shown (no display). Start it in ..."),
        done([], -6, "", ""),
        done([], 0, "", ""),
    ]
    assert machine._probe() == (WELL, "")
    assert machine._probe() == (None, "the window cannot be shown (no display)")
    assert machine._probe() == (None, "it ended with -6")
    assert machine._probe()[0] is None
