"""Start-up of the window against a bare PySide6 window of the same size. Offscreen.

    python benchmarks/bench_startup.py [--rounds N]

Each start is a process of its own, ours and the bare one by turns; counted from the start of the
process to the end of the first paint. The exit status is 1 where the ratio is above 1.5.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = 1.5

BARE = """
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow
app = QApplication([])
window = QMainWindow()
label = QLabel("A bare window")
label.setAlignment(Qt.AlignmentFlag.AlignCenter)
window.setCentralWidget(label)
window.resize(1400, 900)
window.show()
app.processEvents()
"""

OURS = """
from madcat_studio.gui.app import make_application, make_window
app = make_application()
window = make_window(app)
window.resize(1400, 900)
app.processEvents()
"""


def seconds(program: str, home: str) -> float:
    """One start, until the window was painted; the time to end the process is not counted."""
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "HOME": home,
        "PYTHONPATH": str(ROOT),
    }
    ending = "\nprint('painted', flush=True)\nimport os\nos._exit(0)\n"
    begin = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", program + ending],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        took = time.perf_counter() - begin
    if line.strip() != b"painted":
        raise SystemExit("the window did not start")
    return took


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    bare, ours = [], []
    with tempfile.TemporaryDirectory() as home:
        for program in (BARE, OURS):
            seconds(program, home)  # once for the disk's cache
        for _ in range(rounds):
            bare.append(seconds(BARE, home))
            ours.append(seconds(OURS, home))
    ratio = statistics.median(b / a for a, b in zip(bare, ours, strict=True))
    print(
        f"bare window {statistics.median(bare):.3f} s, ours {statistics.median(ours):.3f} s, "
        f"ratio {ratio:.2f} (at most {TARGET})"
    )
    return 0 if ratio <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
