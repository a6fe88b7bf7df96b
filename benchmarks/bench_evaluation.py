"""An evaluation of all tasks with every breakdown, beside reading the same files.

    python benchmarks/bench_evaluation.py [SEGMENTS [SYSTEMS]] [--parse-once]

A folder of references with SEGMENTS segments (4,000) and SYSTEMS systems' (5) line outputs, with
translations and transcriptions, is made of the demo's documents under other names, a hundred
scribes among them; and another of a quarter of it. For each, in processes of their own: reading
every file as an evaluation does; and the whole of `evaluate`, after which every table is gone
through, the segments' too.

What the whole takes longer than the quarter, in processor time, is what segments cost: it may be at
most twice that of reading. Memory at its peak may grow by at most 1.2 times from the quarter to the
whole, and be 300 MiB. The exit status is 1 where a bound is broken.

With ``--parse-once`` a million segments are over in minutes instead of hours: the evaluation finds
every file, asks for each, hashes it and takes its texts, but what is in it is parsed once for all
files that are the same. Reading is timed on 5,000 of the files, and counted for all; nothing in it
depends on how many there are. The bounds are on the whole alone then, and memory may be 1 KiB a
document more, since what is known of each is kept.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from itertools import cycle
from pathlib import Path

from madcat_studio.formats import madcat
from madcat_studio.operations.corpus.from_names import CORPUS_COLUMNS
from madcat_studio.paths import resources

MOST_TIMES = 2.0
MOST_MIB = 300
MOST_GROWTH = 1.2
MOST_KIB_A_DOCUMENT = 1.0
PEAK = """
import sys, time
from pathlib import Path
def peak():
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
folder = Path(sys.argv[1])
systems = sorted((folder / "systems").iterdir())
"""
READ = """
from madcat_studio.formats import madcat
start = time.process_time()
for path in sorted(folder.rglob("*.madcat.xml")):
    list(madcat.read(path).document.segments())
print(time.process_time() - start, peak())
"""
SAMPLE = """
from itertools import islice
from madcat_studio.formats import madcat
start, count = time.process_time(), 0
for count, path in enumerate(islice(folder.rglob("*.madcat.xml"), 5000), 1):
    list(madcat.read(path).document.segments())
print((time.process_time() - start) / count, peak())
"""
ONCE = """
from madcat_studio.formats import madcat
parsed, read = {}, madcat.read
def read_once(path):
    same = path.stat().st_ino
    if same not in parsed:
        parsed[same] = read(path)
    return parsed[same]
madcat.read = read_once
"""
EVALUATE = """
from madcat_studio.operations.scores.evaluation import CorpusFiles, evaluate
tables = CorpusFiles(folder / "corpus.tsv", folder / "conditions.tab", folder / "errors.tsv")
start = time.process_time()
report = evaluate(folder / "references", systems, corpus=tables)
rows = sum(1 for table in report.tables for _ in table.rows)
print(time.process_time() - start, peak())
print(rows, len(report.tables), file=sys.stderr)
"""


def make(folder: Path, segments: int, systems: int) -> int:
    """Documents with at least so many segments; returns how many there are.

    A document is the same file under another name: what a file says is read anew each time.
    """
    demo = resources() / "demo"
    documents = sorted((demo / "reference").glob("*.madcat.xml"))
    sizes = {path: len(list(madcat.read(path).document.segments())) for path in documents}
    outputs = cycle(sorted((demo / "systems").iterdir()))
    folders = [(f"system{number}_1", next(outputs)) for number in range(systems)]
    (folder / "references").mkdir(parents=True)
    for name, _ in folders:
        (folder / "systems" / name).mkdir(parents=True)
    rows, conditions, errors, made = [], [], [], 0
    for number, path in enumerate(cycle(documents)):
        if made >= segments:
            break
        source, scribe = f"S{number // 3:06}", f"SCR{number % 100:04}"
        base = f"{source}_1_{scribe}"
        (folder / "references" / f"{base}.madcat.xml").hardlink_to(_near(path, folder))
        for name, output in folders:
            old = output / f"{madcat.base_of(path)}.linesys.madcat.xml"
            target = folder / "systems" / name / f"{base}.linesys.madcat.xml"
            target.hardlink_to(_near(old, folder))
        made += sizes[path]
        exposure = "exposed" if number % 2 else "unexposed"
        rows.append((base, source, source, base, "1", scribe, exposure, "evaluation", ""))
        conditions.append((base, scribe, "1", f"{'IP'[number % 10 == 0]}{'UL'[number % 4 == 0]}N"))
        if number % 10 == 0:
            errors.append((base, "s2", "t1", "typo", "", ""))
    for name, table in (
        ("corpus.tsv", [CORPUS_COLUMNS, *rows]),
        ("conditions.tab", conditions),
        ("errors.tsv", errors),
    ):
        lines = "".join("\t".join(row) + "\n" for row in table)
        (folder / name).write_text(lines, encoding="utf-8")
    return made


def _near(path: Path, folder: Path) -> Path:
    """A copy of a file that a name can be given to on this disk."""
    copy = folder / "copies" / f"{path.parent.name}-{path.name}.copy"
    if not copy.exists():
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(path.read_bytes())
    return copy


def measure(script: str, folder: Path) -> tuple[float, float]:
    """CPU seconds and peak MiB of a script in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK + script, str(folder)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    seconds, peak = done.stdout.split()
    return float(seconds), float(peak) / 1024


def parse_once(segments: int, systems: int) -> int:
    """A million segments without parsing a million files."""
    with tempfile.TemporaryDirectory(prefix="madcat-bench-") as scratch:
        folder = Path(scratch)
        made = make(folder, segments, systems)
        files = sum(1 for _ in folder.rglob("*.madcat.xml"))
        each, _ = measure(SAMPLE, folder)
        rest, peak = measure(ONCE + EVALUATE, folder)
    ratio = 1 + rest / (each * files)
    most = MOST_MIB + MOST_KIB_A_DOCUMENT * files / (1 + systems) / 1024
    print(f"{made:,} segments x {systems} systems: reading {files:,} files is {each * files:.0f} s")
    print(f"({each * 1000:.2f} ms each), all the rest {rest:.0f} s; peak {peak:.0f} MiB")
    print(f"evaluating is {ratio:.2f} times reading (at most {MOST_TIMES:g})")
    print(f"memory: at most {most:.0f} MiB")
    return int(ratio > MOST_TIMES or peak > most)


def main() -> int:
    asked = argparse.ArgumentParser()
    asked.add_argument("segments", nargs="?", type=int, default=4_000)
    asked.add_argument("systems", nargs="?", type=int, default=5)
    asked.add_argument("--parse-once", action="store_true")
    given = asked.parse_args()
    segments, systems = given.segments, given.systems
    if given.parse_once:
        return parse_once(segments, systems)
    times: list[tuple[float, float]] = []
    peaks: list[float] = []
    with tempfile.TemporaryDirectory(prefix="madcat-bench-") as scratch:
        for size in (segments // 4, segments):
            folder = Path(scratch) / str(size)
            made = make(folder, size, systems)
            read, _ = measure(READ, folder)
            whole, peak = measure(EVALUATE, folder)
            times.append((read, whole))
            peaks.append(peak)
            print(
                f"{made:>9,} segments x {systems} systems: read in {read:.1f} s, evaluated in "
                f"{whole:.1f} s, peak {peak:.0f} MiB",
                flush=True,
            )
    read, whole = (large - small for small, large in zip(*times, strict=True))
    ratio, growth = whole / read, peaks[1] / peaks[0]
    print(f"evaluating is {ratio:.2f} times reading (at most {MOST_TIMES:g})")
    print(f"peak {growth:.2f} times that of a quarter (at most {MOST_GROWTH:g})")
    return int(ratio > MOST_TIMES or growth > MOST_GROWTH or peaks[1] > MOST_MIB)


if __name__ == "__main__":
    sys.exit(main())
