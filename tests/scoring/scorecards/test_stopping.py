"""Ctrl+C, and the end of a program, while the scorecards' kernel works."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from madcat_studio.scoring.scorecards import chrf, compiled

ROOT = Path(__file__).resolve().parents[3]
NAME = "python_lock.hpp"

PROMPTLY = 2.0
"""Seconds; an answer takes a few hundredths. The bound is for machines with much else to do."""


def test_python_s_lock_is_kept_by_the_engines_own_means() -> None:
    """Each distribution builds from its own sources: a copy, which may not go its own way."""
    ours = ROOT / "madcat_studio" / "scoring" / "scorecards" / "kernel" / NAME
    engine = ROOT / "engine" / "madcat_ter" / "kernel" / NAME
    assert ours.read_bytes() == engine.read_bytes()


def _cards() -> None:
    if compiled.cards("chrf2") is None:
        pytest.skip("the scorecards' kernel is not compiled")


@pytest.mark.kernel
def test_control_c_ends_a_call() -> None:
    _cards()
    text = "a few words of a text " * 200
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    pressed = []

    def press() -> None:
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.2, press)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            chrf.chrf2_all([text] * 20_000, [text + "b"] * 20_000)
        assert time.monotonic() - pressed[0] < PROMPTLY
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)


ENDING = """
import threading
from madcat_studio.scoring.scorecards.chrf import chrf2_all

def work():
    while True:
        chrf2_all(["a few words"] * 20, ["a few other words"] * 20)

for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
chrf2_all(["a"], ["b"])
"""


@pytest.mark.kernel
def test_a_program_ends_while_its_threads_are_at_work() -> None:
    """They ask for Python's lock after its end, and may not abort the program by that."""
    _cards()
    for _ in range(3):
        ended = subprocess.run([sys.executable, "-c", ENDING], capture_output=True, text=True)
        assert (ended.returncode, ended.stderr) == (0, "")
