"""Help pages, and a look at a campaign, beside a bare Typer program with one command.

    python benchmarks/bench_help.py

Ours and the bare program start in turn, in processes of their own; the figure is the ratio of
their processor times. Of help pages all are shown: the whole tree, each page beside a bare one.
Their median and the worst may be 1.5. A page above that is measured again before it counts, since
other work on the machine makes single pairs unsteady. ``campaign status`` may take 3 times as long,
also where teams drift from the earlier phase and numpy draws what is beyond chance: the median of
several pairs. The exit status is 1 where one takes more.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from made_drifted import make_drifted

from madcat_studio.cli.app import commands

PAIRS = 7
MOST, MOST_STATUS = 1.5, 3.0
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


def ratios(words: list[str], bare: str, pairs: int) -> list[float]:
    """How many times as long as the bare program a command takes, pair by pair."""
    return [
        seconds("-m", "madcat_studio", *words) / seconds("-c", BARE, bare) for _ in range(pairs)
    ]


def pages() -> list[list[str]]:
    """The words of every help page, groups and commands."""
    found: list[list[str]] = []

    def walk(command: Any, way: list[str]) -> None:
        found.append(way)
        for name, one in getattr(command, "commands", {}).items():
            walk(one, [*way, name])

    walk(commands(), [])
    return found


def help_keeps() -> bool:
    """Whether all help pages keep to their measure; told."""
    every = {" ".join(way): ratios([*way, "--help"], "--help", 1)[0] for way in pages()}
    for way, ratio in every.items():
        if ratio > MOST:
            every[way] = statistics.median(ratios([*way.split(), "--help"], "--help", PAIRS))
    worst = max(every, key=every.__getitem__)
    middle = statistics.median(every.values())
    print(
        f"{len(every)} help pages: median {middle:.2f}, worst {every[worst]:.2f} "
        f"({worst or 'the first page'}), at most {MOST}",
        flush=True,
    )
    return every[worst] <= MOST


def status_keeps(name: str, where: str) -> bool:
    """Whether a look at a campaign keeps to its measure; told."""
    ratio = statistics.median(ratios(["campaign", "status", where], "hello", PAIRS))
    print(f"campaign status, {name}: {ratio:.2f}, at most {MOST_STATUS}", flush=True)
    return ratio <= MOST_STATUS


def main() -> int:
    seconds("-m", "madcat_studio", "--help")  # warms the disk
    seconds("-c", BARE, "hello")
    kept = [help_keeps()]
    with tempfile.TemporaryDirectory() as made:
        where = str(Path(made) / "campaign")
        create = ["campaign", "create", where, "--corpus", str(DEMO / "corpus.tsv")]
        seconds("-m", "madcat_studio", *create, "--documents", str(DEMO / "reference"))
        kept.append(status_keeps("just made", where))
        drifted = str(Path(made) / "drifted")
        make_drifted(drifted)
        kept.append(status_keeps("12 control pages that drift", drifted))
    return int(not all(kept))


if __name__ == "__main__":
    sys.exit(main())
