"""``madcat-studio --help`` beside a bare Typer program with one command.

    python benchmarks/bench_help.py

Both start in turn, in processes of their own; the median of the pairs' ratios is the figure. It
may be 2 at most; the exit status is 1 where it is more.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

PAIRS = 15
MOST = 2.0

BARE = """
import typer
app = typer.Typer()
@app.callback()
def root() -> None:
    "A bare program."
@app.command()
def hello(name: str = "world") -> None:
    "Greet."
app()
"""


def seconds(*command: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *command, "--help"], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> int:
    pairs = [(seconds("-m", "madcat_studio"), seconds("-c", BARE)) for _ in range(PAIRS + 1)]
    ours, bare = zip(*pairs[1:], strict=True)  # the first pair warms the disk
    ratio = statistics.median(a / b for a, b in pairs[1:])
    print(
        f"madcat-studio --help: {statistics.median(ours):.2f} s, "
        f"bare Typer --help: {statistics.median(bare):.2f} s, "
        f"ratio {ratio:.2f} (at most {MOST})"
    )
    return int(ratio > MOST)


if __name__ == "__main__":
    sys.exit(main())
