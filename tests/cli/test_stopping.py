"""Ctrl+C in a long command: a word beforehand, status 130, nothing left behind, no traceback."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from madcat_studio.cli.bar import bar

# On an idle machine a command ends in some hundredths of a second.
PROMPTLY = 5.0


def text(seed: int) -> str:
    rng = random.Random(seed)
    return " ".join(str(rng.randrange(30)) for _ in range(6000))


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "form"),
    [
        ("tercom -s -r ref -h hyp -o ter -n out", "trans"),
        ("tercom -r ref -h hyp -n out --jobs 2", "trans"),
        ("tercom -s -T 0.5 -r ref -h hyp -n out", "trans"),
        ("ter hyp.tsv ref.tsv --out out.csv", "table"),
        ("ter hyp.tsv ref.tsv --jobs 2 --format json --out out.json", "table"),
        ("ter hyp.tsv ref.tsv --replay long", "table"),
    ],
)
def test_control_c(command: str, form: str, tmp_path: Path) -> None:
    for name, seed in (("hyp", 1), ("ref", 2)):
        if form == "trans":
            lines, suffix = f"a (short)\n{text(seed)} (long)\n", ""
        else:
            lines, suffix = f"segment\ttext\nshort\ta\nlong\t{text(seed)}\n", ".tsv"
        (tmp_path / f"{name}{suffix}").write_text(lines, encoding="utf-8")
    before = sorted(tmp_path.iterdir())
    with subprocess.Popen(
        [sys.executable, "-m", "madcat_studio", *command.split()],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        told = process.stderr.readline()
        assert "segment long has 6,000 words against 6,000, and may take up to" in told
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=PROMPTLY)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "Traceback" not in out + err
    assert sorted(tmp_path.iterdir()) == before


LEAVING = """
import atexit
from madcat_studio.__main__ import _leave
class Loaded:
    def __del__(self):
        print("taken apart")
loaded = Loaded()
atexit.register(print, "tidied up")
print("told", end=" ")
_leave({status})
"""


@pytest.mark.parametrize("status", [0, 2, 130])
def test_at_its_end_a_program_is_tidied_up_and_not_taken_apart(status: int) -> None:
    """That takes up to seconds where much is loaded."""
    program = LEAVING.replace("{status}", str(status))
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (status, "told tidied up\n")
    assert ended.stderr == ""


def test_work_that_does_not_ask_is_interrupted() -> None:
    before = signal.getsignal(signal.SIGALRM)
    start = time.monotonic()

    def work() -> None:
        with bar():
            signal.raise_signal(signal.SIGINT)
            while time.monotonic() - start < PROMPTLY:
                pass

    with pytest.raises(KeyboardInterrupt):
        work()
    assert time.monotonic() - start < PROMPTLY
    assert signal.getsignal(signal.SIGALRM) is before


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_that_python_drops_comes_again() -> None:
    """As in an import, which tidies up behind itself in a callback."""
    start = time.monotonic()
    tidied = []

    class Slow:
        def __del__(self) -> None:
            time.sleep(PROMPTLY)  # the first interrupt ends this, and no more

    def work() -> None:
        with bar():
            signal.raise_signal(signal.SIGINT)
            Slow()
            try:
                while time.monotonic() - start < PROMPTLY:
                    pass
            finally:
                time.sleep(1.5)  # longer than it takes until the next
                tidied.append(True)

    with pytest.raises(KeyboardInterrupt):
        work()
    assert tidied
    assert time.monotonic() - start < PROMPTLY


def test_work_that_asks_may_tidy_up() -> None:
    before = signal.getsignal(signal.SIGINT)
    with bar() as progress:
        assert not progress.cancelled()
        signal.raise_signal(signal.SIGINT)
        assert progress.cancelled()
        time.sleep(0.4)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
