"""A user without a home: one folder, told once, for everything that is kept."""

from __future__ import annotations

import pwd
import tempfile
from pathlib import Path

import pytest

from madcat_studio import __main__, log, paths
from madcat_studio.workspace.journal import journal_folder
from madcat_studio.workspace.spool import spool_folder


@pytest.fixture
def homeless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user id without a name, without HOME, as containers have it; the temporary folder."""

    def nobody(_uid: int) -> None:
        raise KeyError("uid not found")

    for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_who_has_a_home_keeps_it(home: Path) -> None:
    assert paths.ensure_home() is None
    assert Path.home() == home


@pytest.mark.parametrize("told", [None, "", "here"])
def test_without_a_home_everything_is_kept_in_one_temporary_folder(
    homeless: Path, monkeypatch: pytest.MonkeyPatch, told: str | None
) -> None:
    if told is not None:
        monkeypatch.setenv("HOME", told)
    folder = paths.ensure_home()
    assert folder is not None
    assert folder.parent == homeless
    assert folder.stat().st_mode & 0o777 == 0o700
    for kept in (log.folder(), journal_folder(), spool_folder(), Path.home()):
        assert kept.is_relative_to(folder)
    monkeypatch.delenv("HOME")
    assert paths.ensure_home() == folder, "the next start finds what this one kept"


@pytest.mark.parametrize("found", ["open", "link", "file"])
def test_a_folder_that_others_may_read_or_have_put_there_is_not_taken(
    homeless: Path, monkeypatch: pytest.MonkeyPatch, found: str
) -> None:
    first = paths.ensure_home()
    assert first is not None
    first.rmdir()
    if found == "open":
        first.mkdir()
        first.chmod(0o755)
    elif found == "link":
        first.symlink_to(homeless)
    else:
        first.touch()
    monkeypatch.delenv("HOME")
    folder = paths.ensure_home()
    assert folder not in (None, first)
    assert folder.stat().st_mode & 0o777 == 0o700


def test_it_is_told_once_and_the_command_goes_on(
    homeless: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["madcat-studio", "show", str(homeless / "none.xml")])
    with pytest.raises(SystemExit) as stopped:
        __main__.main()
    said = capsys.readouterr().err
    assert stopped.value.code == 2
    assert said.count("\n") == 2
    assert said.startswith("madcat-studio: this user has no home folder; settings, ")
    assert str(homeless) in said


@pytest.mark.usefixtures("caplog")
def test_a_fault_is_reported_also_without_a_home(homeless: Path) -> None:
    log.start()
    report = log.report_crash(ZeroDivisionError("a fault"))
    assert report.parent == homeless
    assert "ZeroDivisionError: a fault" in report.read_text("utf-8")
