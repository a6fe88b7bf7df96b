"""Ctrl+C, and the end of a program, while the scorecards' kernel works."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from madcat_studio.scoring.scorecards import compiled

ROOT = Path(__file__).resolve().parents[3]
NAME = "python_lock.hpp"

PROMPTLY = 2.0
"""Seconds; an answer takes a few hundredths. The bound is for machines with much else to do."""


def test_python_s_lock_is_kept_by_the_engines_own_means() -> None:
    """Each distribution builds from its own sources: a copy, which may not go its own way."""
    ours = ROOT / "madcat_studio" / "scoring" / "scorecards" / "kernel" / NAME
    engine = ROOT / "engine" / "madcat_ter" / "kernel" / NAME
    assert ours.read_bytes() == engine.read_bytes()


CALLS = ("chrf2", "chrf_counts")
"""What works through texts without Python's lock."""


def _call(function: str) -> Callable[[list[str], list[str]], object]:
    module = compiled.cards(function)
    if module is None:
        pytest.skip("the scorecards' kernel is not compiled")
    call: Callable[[list[str], list[str]], object] = getattr(module, function)
    return call


@pytest.mark.long
@pytest.mark.kernel
@pytest.mark.parametrize("function", CALLS)
def test_control_c_ends_a_call(function: str) -> None:
    call = _call(function)
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
            call([text] * 20_000, [text + "b"] * 20_000)
        assert time.monotonic() - pressed[0] < PROMPTLY
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)


ENDING = """
import threading
from madcat_studio.scoring.scorecards.compiled import cards

call = cards("FUNCTION").FUNCTION

def work():
    while True:
        call(["a few words"] * 20, ["a few other words"] * 20)

for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
call(["a"], ["b"])
"""


@pytest.mark.long
@pytest.mark.kernel
@pytest.mark.parametrize("function", CALLS)
def test_a_program_ends_while_its_threads_are_at_work(function: str) -> None:
    """They ask for Python's lock after its end, and may not abort the program by that."""
    _call(function)
    program = ENDING.replace("FUNCTION", function)
    for _ in range(3):
        ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert (ended.returncode, ended.stderr) == (0, "")
