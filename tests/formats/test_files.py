from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from madcat_studio.errors import WorldError
from madcat_studio.formats.files import filled_folder, write_atomically


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


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("backup", [True, False])
def test_rights_and_waiting_for_the_disk_are_best_effort(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool, backup: bool
) -> None:
    path = tmp_path / "page.xml"
    if there:
        path.write_bytes(b"old")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, "no rights on this disk")

    def no_sync(_: int) -> None:
        raise OSError(errno.EINVAL, "this disk cannot say")

    for owner, name in ((os, "chmod"), (shutil, "copymode"), (shutil, "copystat")):
        monkeypatch.setattr(owner, name, refuse)
    monkeypatch.setattr(Path, "chmod", refuse)
    monkeypatch.setattr(os, "fsync", no_sync)
    write_atomically(path, b"new", backup=backup)
    assert path.read_bytes() == b"new"
    kept = tmp_path / "page.xml.bak"
    assert kept.exists() == (there and backup)
    if kept.exists():
        assert kept.read_bytes() == b"old"
    assert {each.name for each in tmp_path.iterdir()} <= {path.name, kept.name}


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_disk_that_is_full_or_broken_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    path = tmp_path / "page.xml"
    path.write_bytes(b"old")

    def fail(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(WorldError) as caught:
        write_atomically(path, b"new")
    assert caught.value.code == "file.cannot-write"
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(("refusals", "saved"), [(1, True), (40, True), (100, False)])
def test_a_file_that_somebody_holds_is_waited_for_three_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusals: int, saved: bool
) -> None:
    path = tmp_path / "page.xml"
    path.write_bytes(b"old")
    clock, left, replace = [0.0], [refusals], Path.replace

    def held(self: Path, target: Path) -> Path:
        left[0] -= 1
        if left[0] >= 0:
            raise PermissionError(errno.EACCES, "held by somebody")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", held)
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    monkeypatch.setattr("time.sleep", lambda seconds: clock.__setitem__(0, clock[0] + seconds))
    if saved:
        write_atomically(path, b"new")
        assert path.read_bytes() == b"new"
    else:
        with pytest.raises(WorldError, match="held"):
            write_atomically(path, b"new")
        assert path.read_bytes() == b"old"
        assert 3.0 <= clock[0] < 3.2
    assert list(tmp_path.iterdir()) == [path]
