"""The window is killed while somebody types: the next start has every text."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Container
from pathlib import Path
from typing import Any

import pytest

from madcat_studio.model.campaign import Pass
from madcat_studio.model.visits import EventKind
from madcat_studio.store import Campaign, open_campaign
from madcat_studio.workspace.kit import KitWorkspace
from tests.gui.campaigns import make_campaign

ROOT = Path(__file__).parents[3]
KILLS = 10 if os.environ.get("CI") else 3


def type_and_kill(campaign: Path, home: Path, seed: int) -> list[list[Any]]:
    """Type for a while in a window of its own; what it told before and after each key."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("XDG_")},
        "HOME": str(home),
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": str(ROOT),
    }
    script = Path(__file__).with_name("window_typist.py")
    with subprocess.Popen(
        [sys.executable, str(script), str(campaign), str(seed)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        assert first, process.stderr.read()
        time.sleep(random.Random(seed).uniform(0.05, 0.6))
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().splitlines(keepends=True)
    return [json.loads(line) for line in (first, *rest) if line.endswith("\n")]


def check_after(campaign: Path, home: Path, told: list[list[Any]], logged: Container[str]) -> None:
    """The texts are those that were told last, or those after the key that was struck last."""
    with contextlib.closing(sqlite3.connect(campaign / "campaign.sqlite")) as database:
        assert database.execute("pragma integrity_check").fetchone() == ("ok",)
    with open_campaign(campaign) as opened:
        claim = opened.claims.current("K1", "red", Pass.FIRST)
        assert claim is not None
        spools = home / ".local" / "state" / "madcat-studio" / "spools"
        assert list(spools.iterdir()), "the window keeps its spools there"
        kit = KitWorkspace(opened.for_editors(), claim, folder=spools)
        found = [kit.own(index).text for index in range(len(kit.segments))]
        kit.close()
        check_log(opened, logged, told)
    before = next((words[1] for words in reversed(told) if words[0] == "did"), None)
    if before is None:
        return
    kind, *doing = told[-1]
    for index, (old, new) in enumerate(zip(before, found, strict=True)):
        if kind == "will" and doing[2]:
            continue  # undoing can change any text
        struck = kind == "will" and doing[0] == index
        assert new == old or (struck and sorted(new) == sorted(old + doing[1]))


def check_log(campaign: Campaign, before: Container[str], told: list[list[Any]]) -> None:
    """Every key that was told as struck is in the log, and the time but for half a second."""
    new = [one for one, _ in campaign.visits.all() if one.id not in before]
    done = [words[2:] for words in told if words[0] == "did"]
    keys, seconds = done[-1] if done else (0, 0.0)
    kinds = [event.kind for one in new for event in one.events]
    assert kinds.count(EventKind.KEY) >= keys
    assert sum(one.ms for one in new) / 1000 >= seconds - 0.5


def visits_of(campaign: Path) -> set[str]:
    with open_campaign(campaign, read_only=True) as opened:
        return {one.id for one, _ in opened.visits.all()}


def kill_again_and_again(folder: Path, times: int) -> int:
    campaign, home = make_campaign(folder / "campaign"), folder / "home"
    home.mkdir()
    keys = 0
    for seed in range(times):
        logged = visits_of(campaign)
        told = type_and_kill(campaign, home, seed)
        keys += len(told)
        check_after(campaign, home, told, logged)
    assert keys > times
    return keys


@pytest.mark.long
def test_nothing_is_lost_when_the_window_is_killed(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path, KILLS)


@pytest.mark.soak
def test_nothing_is_lost_by_two_hundred_kills_of_the_window(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    record_property("keys told as done", kill_again_and_again(tmp_path, 200))
