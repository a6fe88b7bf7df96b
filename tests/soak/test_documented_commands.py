"""What README.md and the way from files to a report say to type, typed in order."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from tests.documented import ROOT, Shown, commands_of

pytestmark = pytest.mark.soak


def _follow(shown: list[Shown], capsys: pytest.CaptureFixture[str]) -> list[str]:
    ran = []
    for one in shown:
        words = [*one.words[1:]]
        if one.words[0] == "cp":
            shutil.copytree(words[1], words[2])
        if not one.is_ours or not words or words[0] == "open":
            continue  # an installation and a window have tests of their own
        status = main(words)
        said = capsys.readouterr()
        assert status == 0, f"{one}\n{said.err}"
        ran.append(" ".join(words))
    return ran


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "resources").symlink_to(ROOT / "resources")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_readme(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    ran = _follow(commands_of(ROOT / "README.md"), capsys)
    assert len(ran) >= 5
    assert (checkout / "report" / "go-no-go" / "hter.html").is_file()


def test_from_files_to_a_report(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = commands_of(ROOT / "docs" / "campaigns.md")
    begin = shown[: next(n for n, one in enumerate(shown) if "report" in one.words) + 1]
    assert begin[0].words[:3] == ("cp", "-r", "resources/demo")
    _follow(begin[:1], capsys)
    monkeypatch.chdir(checkout / "work")
    assert len(_follow(begin[1:], capsys)) == 9
    assert list((checkout / "work" / "report").rglob("hter.html"))
