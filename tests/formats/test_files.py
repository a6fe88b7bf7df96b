from __future__ import annotations

import errno
import os
import shutil
import threading
from pathlib import Path

import pytest

from madcat_studio.errors import InputError, WorldError
from madcat_studio.formats.files import MOST_BYTES, filled_folder, read_file, write_atomically


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


# ---- what is no file


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe.madcat.xml"
    os.mkfifo(path)
    return path


def test_a_pipe_without_a_writer_is_refused_at_once(pipe: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_file(pipe)
    assert caught.value.code == "file.not-a-file"
    assert str(pipe) in str(caught.value)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux lists what is open")
def test_nothing_stays_open_that_was_refused(tmp_path: Path, pipe: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for path in (tmp_path, pipe, Path("/dev/zero"), tmp_path / "gone"):
        with pytest.raises(InputError):
            read_file(path)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_device_that_never_ends_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "zero.madcat.xml"
    link.symlink_to("/dev/zero")
    for path in (link, Path("/dev/zero")):
        with pytest.raises(InputError, match=r"file\.not-a-file"):
            read_file(path)


def test_a_pipe_that_the_shell_gives_is_read_to_its_end() -> None:
    read, write = os.pipe()
    text = b"one\ntwo\n" * 40_000  # more than a pipe holds at once
    writer = threading.Thread(target=lambda: (os.write(write, text[:9]), _rest(write, text[9:])))
    writer.start()
    try:
        assert read_file(Path(f"/dev/fd/{read}")) == text
    finally:
        writer.join()
        os.close(read)


def _rest(write: int, text: bytes) -> None:
    with open(write, "wb") as stream:
        stream.write(text)


def test_a_file_that_is_too_large_is_refused_without_reading_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large"
    with path.open("wb") as stream:
        stream.truncate(MOST_BYTES + 1)  # no byte of it is on the disk
    with pytest.raises(InputError, match="more than 1024 MiB"):
        read_file(path)
    monkeypatch.setattr("madcat_studio.formats.files.MOST_BYTES", 4)
    path.write_bytes(b"four")
    assert read_file(path) == b"four"
    path.write_bytes(b"fives")
    with pytest.raises(InputError) as caught:
        read_file(path)
    assert caught.value.code == "file.too-large"


@pytest.mark.parametrize("name", ["x" * 400, "a\0b"])
def test_a_name_that_no_disk_can_have_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(WorldError) as caught:
        read_file(tmp_path / name)
    assert caught.value.code == "file.cannot-read"
