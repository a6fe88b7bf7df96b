"""Help pages, and a look at a campaign, beside a bare Typer program with one command.

    python benchmarks/bench_help.py

Both start in turn, in processes of their own; the median of the pairs' ratios of processor time is
the figure. A help page may take 1.5 times as long, ``campaign status`` 4 times (it is to become 3:
half of it is SQLAlchemy's import); the exit status is 1 where one takes more.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PAIRS = 7
MOST, MOST_STATUS = 1.5, 4.0
PAGES = ("", "campaign", "ter", "campaign status", "server user add", "scorecard ltb")
DEMO = Path(__file__).resolve().parent.parent / "resources" / "demo"

BARE = """
import typer
app = typer.Typer()
@app.callback()
def root() -> None:
    "A bare program."
@app.command()
def hello(name: str = "world") -> None:
    "Greet."
    print(name)
app()
"""


def seconds(*command: str) -> float:
    """Processor time of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(name: str, words: list[str], bare: str, most: float) -> bool:
    """Whether a command keeps to its measure; told."""
    pairs = [
        (seconds("-m", "madcat_studio", *words), seconds("-c", BARE, bare))
        for _ in range(PAIRS + 1)
    ][1:]  # the first pair warms the disk
    ratio = statistics.median(own / other for own, other in pairs)
    own, other = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(
        f"{name}: {own:.2f} s, bare {other:.2f} s, ratio {ratio:.2f} (at most {most})", flush=True
    )
    return ratio <= most


def main() -> int:
    kept = [
        measure(f"{page} --help".strip(), [*page.split(), "--help"], "--help", MOST)
        for page in PAGES
    ]
    with tempfile.TemporaryDirectory() as made:
        where = str(Path(made) / "campaign")
        create = ["campaign", "create", where, "--corpus", str(DEMO / "corpus.tsv")]
        seconds("-m", "madcat_studio", *create, "--documents", str(DEMO / "reference"))
        kept.append(measure("campaign status", ["campaign", "status", where], "hello", MOST_STATUS))
    return int(not all(kept))


if __name__ == "__main__":
    sys.exit(main())
