"""What is left of a system that did not become whole, and what is said where it cannot be had."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import debian
from scripts.debian import Unavailable, _discard


def test_nothing_is_removed_through_what_is_mounted(tmp_path: Path) -> None:
    root, table = tmp_path / "trixie.new", tmp_path / "mounts"
    kept = root / "proc" / "1"
    kept.parent.mkdir(parents=True)
    kept.write_text("of the machine")
    # Not really mounted, so it cannot be let go.
    table.write_text(f"proc / proc rw 0 0\nproc {root}/proc proc rw 0 0\n")
    with pytest.raises(Unavailable, match="proc is mounted and cannot be let go"):
        _discard(root, table)
    assert kept.read_text() == "of the machine"
    table.write_text(f"proc / proc rw 0 0\nproc {root}2/proc proc rw 0 0\n")
    _discard(root, table)
    assert not root.exists()


def test_no_system_is_taken_from_ubuntu_without_its_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(debian, "CACHE", tmp_path)
    monkeypatch.setattr(debian, "_UBUNTUS_KEYS", tmp_path / "none.gpg")
    with pytest.raises(Unavailable, match=r"cannot be verified without .*ubuntu-keyring"):
        debian.ubuntu("bare", "noble", [])
    assert list(tmp_path.iterdir()) == []


def test_what_could_not_be_fetched_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = tmp_path / "said"
    program = tmp_path / "debootstrap"
    program.write_text(f'#!/bin/sh\necho "$@" > {said}\nmkdir -p {tmp_path}/bare.new\nexit 1\n')
    program.chmod(0o755)
    keys = tmp_path / "keys.gpg"
    keys.touch()
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(debian, "CACHE", tmp_path)
    monkeypatch.setattr(debian, "_UBUNTUS_KEYS", keys)
    monkeypatch.setattr(debian, "_SCRIPTS", tmp_path)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    with pytest.raises(Unavailable, match="noble could not be fetched"):
        debian.ubuntu("bare", "noble", ["python3", "python3-venv"])
    wanted = f"--keyring={keys} --components=main,universe noble {tmp_path}/bare.new "
    assert wanted + f"http://archive.ubuntu.com/ubuntu {tmp_path}/gutsy" in said.read_text()
    with pytest.raises(Unavailable, match="trixie could not be fetched"):
        debian.system("bare", "trixie", ["python3"])
    assert "--keyring" not in said.read_text()
    assert not (tmp_path / "bare.new").exists()
