from __future__ import annotations

from pathlib import Path

import pytest

from madcat_studio.errors import WorldError
from madcat_studio.formats.files import filled_folder


def test_folders_that_stay_empty_are_gone_again(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no"), filled_folder(tmp_path / "a" / "b"):
        raise ValueError("no")
    assert not (tmp_path / "a").exists()


def test_folders_with_a_file_stay_and_so_does_one_that_was_there(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with filled_folder(tmp_path / "there"):
        pass
    with filled_folder(tmp_path / "a" / "b"):
        (tmp_path / "a" / "x").touch()
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "there", "x"]


def test_a_file_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(WorldError) as caught, filled_folder(tmp_path / "a" / "b"):
        pass
    assert caught.value.code == "file.no-folder"
    assert (tmp_path / "a").exists()
