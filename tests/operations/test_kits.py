"""Kits as files, as a coordinator asks for them and hears of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.store import create_campaign


def test_what_is_asked_for_must_be_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    create_campaign(tmp_path / "campaign", "Kits").close()
    where = str(tmp_path / "campaign")
    assert main(["kit", "export", where, "red1", str(tmp_path / "k"), "--kit", "K1"]) == 2
    assert "Name the team with --team" in capsys.readouterr().err
    assert main(["kit", "import", where, str(tmp_path / "none"), str(tmp_path)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert all(line.endswith("[bundle.cannot-read]") for line in lines)
