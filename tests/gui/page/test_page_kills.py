"""The window is killed while a page is edited: the next start has all of it, and says so.

All of it: every edit, and whatever was begun and not finished.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.gui.helpers import NORMAL, copy_sample

ROOT = Path(__file__).parents[3]
KILLS = 3 if os.environ.get("CI") else 2


def edit_and_kill(home: Path, seed: int, page: Path | None, *, early: bool) -> list[list[Any]]:
    """Edit for a while in a window of its own; what it said until it was killed."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("XDG_")},
        "HOME": str(home),
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": str(ROOT),
    }
    script = Path(__file__).with_name("window_annotator.py")
    command = [sys.executable, str(script), str(seed), *([str(page)] if page is not None else [])]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        chance, lines = random.Random(seed), []
        if early:
            time.sleep(chance.uniform(0.3, 1.5))
        else:
            # By what it said, not by the clock: a busy machine would be killed before it began.
            for _ in range(2 * chance.randint(2, 30)):
                lines.append(process.stdout.readline())
                assert lines[-1], process.stderr.read()
            time.sleep(chance.uniform(0.0, 0.03))
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.read().splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]


class Course:
    """What the killed windows said, and what the next one must show."""

    def __init__(self) -> None:
        self.known: str | None = None
        self.begun: list[Any] = []
        self.pending: str | None = None
        self.last = ""
        self.edits = 0
        self.checked = 0
        self.drafts = 0
        self.held = 0
        self.told = 0

    def follow(self, said: list[list[Any]]) -> None:
        """Check what a window showed first, and remember what it did until it was killed."""
        for kind, *words in said:
            if kind == "shows":
                self.check(*words)
                self.known, self.begun, self.pending = words[0], words[-1], None
            elif kind == "will":
                self.pending = self.last = words[0]
            else:
                (self.known, self.begun), self.pending = words, None
                self.edits += 1

    def check(
        self, state: str, before: str, after: str, dirty: bool, told: str, begun: list[Any]
    ) -> None:
        if self.known is None:
            return
        # The gesture that was under way may be there or not: both are right, but nothing else.
        right = {None: [state], "save": [state], "undo": [state, after]}
        if self.pending != "history":
            assert self.known in right.get(self.pending, [state, before])
        if self.pending in ("draft", "link"):
            assert self.known == state
            # At most the one that was under way is another one: by a point, or by all of it.
            assert len([one for one in begun if one not in self.begun]) <= 1
            assert len([one for one in self.begun if one not in begun]) <= 1
        elif self.pending == "finish":
            assert [one for one in begun if one not in self.begun] == []
            assert self.known == state or len(begun) == len(self.begun) - 1
        else:
            assert begun == self.begun
        self.checked += 1
        self.held += self.last == "hold"
        self.drafts += bool(begun)
        if dirty:
            assert told == "gui.recovered"
            self.told += 1


def kill_again_and_again(folder: Path, times: int) -> Course:
    page, home = copy_sample(NORMAL, folder), folder / "home"
    home.mkdir()
    course = Course()
    for seed in range(times):
        # One in eight is killed before it is there: what it was about to bring back stays.
        early = seed % 8 == 7
        course.follow(edit_and_kill(home, seed, page if seed == 0 else None, early=early))
    course.follow(edit_and_kill(home, times, None, early=False)[:1])
    assert course.edits > times
    assert course.told > 0
    assert course.drafts > 0
    return course


@pytest.mark.long
def test_nothing_is_lost_when_the_window_is_killed(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path, KILLS)


@pytest.mark.soak
def test_nothing_is_lost_by_a_hundred_kills_of_the_window(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    course = kill_again_and_again(tmp_path, 100)
    record_property("edits told as done", course.edits)
    record_property("reopened pages compared", course.checked)
    record_property("of them with something begun", course.drafts)
    record_property("of them with a drag under way", course.held)
    record_property("said that edits came back", course.told)
    assert course.checked >= 85
    assert course.held > 0
