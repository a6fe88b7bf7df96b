"""Ctrl+C and a user's cancel end a search within a segment, from every thread and job."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from madcat_studio.progress import Cancelled
from madcat_ter import kernel
from madcat_ter.options import TerOptions, WerOptions
from madcat_ter.ter import Costs, ter, ter_corpus, ter_counts
from madcat_ter.wer import wer, wer_corpus

# What is searched here takes minutes or hours; an answer takes a few hundredths of a second. The
# bound is for machines with much else to do.
PROMPTLY = 2.0


def text(words: int, kinds: int, seed: int) -> str:
    rng = random.Random(seed)
    return " ".join(str(rng.randrange(kinds)) for _ in range(words))


HYPOTHESIS, REFERENCE = text(5000, 30, 1), text(5000, 30, 2)


class Stop:
    """Says after a moment that the work shall end, and takes the time from then on."""

    def __init__(self) -> None:
        self._started = time.monotonic()

    def advance(self, done: int, total: int | None, text: str = "") -> None:
        pass

    def cancelled(self) -> bool:
        return time.monotonic() - self._started > 0.15

    def assert_prompt(self) -> None:
        assert time.monotonic() - self._started < 0.15 + PROMPTLY


@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize("work", [ter_counts, ter_corpus])
def test_a_cancel_ends_a_long_segment(work: Callable[..., object], jobs: int) -> None:
    """Also where the caller's own thread has nothing left to do but to wait."""
    stop = Stop()
    with pytest.raises(Cancelled):
        work([HYPOTHESIS, "a", "b"], [[REFERENCE], ["a"], ["b"]], jobs=jobs, progress=stop)
    stop.assert_prompt()


@pytest.mark.parametrize(
    "options",
    [
        TerOptions(beam=None),
        TerOptions(beam=5000),
        TerOptions(costs=Costs(shift=0.5)),
        TerOptions(costs=Costs(shift=0)),
    ],
    ids=["exact", "wide", "half", "free"],
)
def test_a_cancel_ends_every_kind_of_search(options: TerOptions) -> None:
    stop = Stop()
    with pytest.raises(Cancelled):
        ter_counts([HYPOTHESIS], [[REFERENCE]], options, progress=stop)
    stop.assert_prompt()


def test_a_cancel_ends_a_weighed_alignment() -> None:
    stop = Stop()
    with pytest.raises(Cancelled):
        wer_corpus([HYPOTHESIS] * 200, [REFERENCE] * 200, WerOptions(nist=True), progress=stop)
    stop.assert_prompt()


def test_a_cancel_ends_the_splitting_of_long_texts() -> None:
    stop = Stop()

    def poll() -> None:
        if stop.cancelled():
            raise Cancelled

    texts = ["it's a, b. " * 1000] * 20_000
    with pytest.raises(Cancelled):
        kernel.text.prepare(texts, texts, True, True, poll)
    stop.assert_prompt()


def test_the_twin_asks_too() -> None:
    from madcat_ter.kernel import python

    stop = Stop()

    def poll() -> None:
        if stop.cancelled():
            raise Cancelled

    ids = np.array([int(word) for word in HYPOTHESIS.split()], np.int32)
    ends = np.array([len(ids)], np.int64)
    costs = (0.0, 1.0, 1.0, 1.0, 1.0)
    with pytest.raises(Cancelled):
        python.align_batch(ids, ends, ids[::-1], ends, costs, 20, 50, poll=poll)
    with pytest.raises(Cancelled):
        python.wer_batch(ids, ends, ids[::-1], ends, True, poll)
    stop.assert_prompt()


@pytest.mark.parametrize(
    "call",
    [
        lambda: ter(HYPOTHESIS, [REFERENCE]),
        lambda: ter_counts([HYPOTHESIS] * 3, [[REFERENCE]] * 3, jobs=2),
        lambda: wer_corpus([HYPOTHESIS] * 200, [REFERENCE] * 200, WerOptions(nist=True)),
        lambda: [wer(HYPOTHESIS, REFERENCE, WerOptions(nist=True)) for _ in range(200)],
    ],
)
def test_control_c_ends_a_call_of_the_library(call: Callable[[], object]) -> None:
    # A shell lets what it starts in the background ignore Ctrl+C; the tests may be started there.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    pressed = []

    def press() -> None:
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.2, press)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
        assert time.monotonic() - pressed[0] < PROMPTLY
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)


WAITING = """
import signal
import threading
signal.signal(signal.SIGINT, signal.default_int_handler)
from madcat_ter.ter import ter
from tests_text import HYPOTHESIS, REFERENCE
thread = threading.Thread(target=lambda: ter(HYPOTHESIS, [REFERENCE]))
thread.start()
print("working", flush=True)
thread.join()
"""


@pytest.mark.long
def test_control_c_ends_a_program_that_waits_for_a_thread() -> None:
    """The main thread is interrupted as it waits; the other one must not go on for minutes."""
    program = WAITING.replace(
        "from tests_text import HYPOTHESIS, REFERENCE",
        f"HYPOTHESIS, REFERENCE = {HYPOTHESIS!r}, {REFERENCE!r}",
    )
    with subprocess.Popen(
        [sys.executable, "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(program)
        process.stdin.close()
        assert process.stdout.readline() == "working\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        try:
            process.wait(PROMPTLY + 5)
        finally:
            process.kill()
    assert process.returncode in (1, -signal.SIGINT)
