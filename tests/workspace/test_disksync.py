"""What is typed reaches the disk soon: told to take it, by fsync, without the editor waiting."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from madcat_studio.model.campaign import Pass, SegmentName, SegmentState
from madcat_studio.workspace import disksync
from madcat_studio.workspace.disksync import SYNC_SECONDS, DiskSync
from madcat_studio.workspace.spool import Spool, SpoolKey, Typed

KEY = SpoolKey("campaign", "K1", "red", Pass.FIRST, "red1")
PATIENCE = 60.0
"""Seconds until a wait is given up; what is waited for is the event."""


def typed(text: str) -> Typed:
    return Typed(SegmentName("B", "s1"), text, 0, 0, SegmentState.DRAFT, "", "")


class Disk:
    """What the disk was told to take: the size of each file at that moment, and in which thread."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sizes: list[int] = []
        self.threads: set[threading.Thread] = set()
        self.moments: list[float] = []
        self._told = threading.Condition()
        monkeypatch.setattr(os, "fsync", self._fsync)

    def _fsync(self, file: int) -> None:
        with self._told:
            self.sizes.append(os.fstat(file).st_size)
            self.threads.add(threading.current_thread())
            self.moments.append(time.monotonic())
            self._told.notify_all()

    def has(self, size: int) -> bool:
        with self._told:
            return self._told.wait_for(lambda: size in self.sizes, PATIENCE)


@pytest.mark.long
def test_each_typed_line_is_told_to_the_disk_within_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert SYNC_SECONDS <= 0.5
    disk = Disk(monkeypatch)
    spool = Spool(KEY, tmp_path)
    for text in ("a", "ab", "abc"):
        spool.typed(typed(text))
        assert disk.has(spool.path.stat().st_size)
    assert threading.current_thread() not in disk.threads, "the editor does not wait for it"
    waits = [after - before for before, after in zip(disk.moments, disk.moments[1:], strict=False)]
    assert min(waits) >= SYNC_SECONDS * 0.9, "once for all that was typed meanwhile"
    spool.close()


@pytest.mark.long
def test_many_lines_in_a_burst_are_one_sync(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch)
    monkeypatch.setattr(disksync, "SYNC_SECONDS", 1.0)
    spool = Spool(KEY, tmp_path)
    for number in range(50):
        spool.typed(typed(str(number)))
    assert disk.sizes == [], "none while they come"
    assert disk.has(spool.path.stat().st_size)
    assert len(disk.sizes) == 1
    spool.close()


def test_all_syncs_are_made_by_one_thread_which_ends_at_closing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To start one for each is felt by whoever types."""
    monkeypatch.setattr(disksync, "SYNC_SECONDS", 0.001)
    disk = Disk(monkeypatch)
    spool = Spool(KEY, tmp_path)
    for text in ("a", "ab", "abc", "abcd"):
        spool.typed(typed(text))
        assert disk.has(spool.path.stat().st_size)
    [thread] = disk.threads
    assert thread.is_alive()
    spool.close()
    assert not thread.is_alive()


def test_closing_leaves_nothing_unsynced_and_lets_go_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disksync, "SYNC_SECONDS", PATIENCE)
    disk = Disk(monkeypatch)
    spool = Spool(KEY, tmp_path)
    spool.typed(typed("the last words"))
    assert disk.sizes == []
    size = spool.path.stat().st_size
    spool.close()
    assert disk.sizes == [size]
    again = Spool(KEY, tmp_path)
    assert [one.text for one in again.left.typed] == ["the last words"]
    again.close()


def test_a_disk_that_refuses_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = threading.Event()

    def refuse(_: int) -> None:
        told.set()
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", refuse)
    spool = Spool(KEY, tmp_path)
    spool.typed(typed("a"))
    assert told.wait(PATIENCE)
    spool._soon.close()
    assert spool.trouble == f"Input/output error in {tmp_path}"
    spool.close()


@pytest.mark.long
def test_what_is_written_while_the_disk_is_busy_is_synced_once_more() -> None:
    busy, go_on, calls = threading.Event(), threading.Event(), []

    def slow() -> None:
        calls.append(None)
        busy.set()
        assert go_on.wait(PATIENCE)

    soon = DiskSync(slow)
    soon.wrote()
    assert busy.wait(PATIENCE)
    busy.clear()
    soon.wrote()
    go_on.set()
    assert busy.wait(PATIENCE)
    soon.close()
    soon.wrote()
    assert len(calls) == 2
