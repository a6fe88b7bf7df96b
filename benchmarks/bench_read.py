"""Reading pages beside a bare lxml parse and beside peers, and a corpus of pages on all cores.

    python benchmarks/bench_read.py [--quick] [--peers PYTHON]

Both readings begin with the file on the disk, as peers do, and alternate in one run, in processor
time, so that other work on the machine does not count; the median of the pairs' ratios is that of a
file. What each leaves to the C library to tidy is tidied between them, untimed: the next large
block that anybody asks for has to wait for it, which was always the other's. Over all files of a
format, weighed by what their parse takes, it may be 3 at most for MADCAT, and 6 for PAGE XML and
for ALTO; the same in memory, without opening a file, is printed. Files of 4 KiB and less are left
out of that, because what every file costs alike weighs more there: one of MADCAT of 1 KiB may take
5.

Peers are read by PYTHON, one that has kraken and ocrd (``bench_peers.py`` says how), beside a bare
parse as well; over the files of which a peer reads all lines, ours must be ahead. Checking a corpus
streams: its peak memory must not grow by more than a tenth from 200 pages to 2,000. The exit status
is 1 where a target is missed; pages a second are printed, not judged, and so is the processor time
a page, which other work on the machine touches less.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from lxml import etree

from madcat_studio.formats.files import read_file
from madcat_studio.formats.kinds import FileFormat, recognise
from madcat_studio.formats.ledger import count
from madcat_studio.formats.madcat import read_source
from madcat_studio.formats.registry import read_layout
from madcat_studio.formats.source import Source

SAMPLES = Path(__file__).parent.parent / "tests" / "data" / "madcat"
REAL = SAMPLES.parent / "real"
MOST = {FileFormat.MADCAT: 3.0, FileFormat.PAGE: 6.0, FileFormat.ALTO: 6.0}
SMALL, SMALLEST = 4, 1
MOST_SMALLEST = 5.0
GROWTH = 1.10
_LARGE = 1 << 16
"""A block of so many bytes makes glibc join the small ones that were freed before it."""

INDEX = """
import json, resource, sys, time
from pathlib import Path
from madcat_studio.operations.pages.checking import CheckOptions, check_files
if __name__ == "__main__":
    paths = sorted(Path(sys.argv[1]).iterdir())[: int(sys.argv[2])]
    start = time.perf_counter()
    found = sum(len(r.problems) for r in check_files(paths, CheckOptions(images=False)))
    took = time.perf_counter() - start
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps({
        "seconds": took,
        "processor": sum(u.ru_utime + u.ru_stime for u in used),
        "peak": [u.ru_maxrss for u in used],
        "found": found,
    }))
"""


def layout_ratio(path: Path, pairs: int, memory: bool = False) -> tuple[float, float]:
    """The median ratio of our reading to lxml's parse, and what the parse takes, in seconds."""
    ratios, parses = [], []
    data = path.read_bytes()
    read = read_source if path.name.endswith(".madcat.xml") else read_layout
    for _ in range(pairs + 3):
        bytearray(_LARGE)
        start = time.thread_time()
        if memory:
            etree.fromstring(data)
        else:
            etree.parse(path)
        parse = time.thread_time() - start
        bytearray(_LARGE)
        start = time.thread_time()
        read(Source(data if memory else read_file(path), path.name, path))
        ratios.append((time.thread_time() - start) / parse)
        parses.append(parse)
    return statistics.median(ratios[3:]), statistics.median(parses[3:])


def layouts(pairs: int) -> int:
    """Print the ratios of all files; how many targets are missed."""
    missed = 0
    files = [*sorted(SAMPLES.glob("*.madcat.xml")), *sorted(REAL.glob("*.xml"))]
    kinds = {path: recognise(Source(path.read_bytes(), path.name)) for path in files}
    for memory in (True, False):
        sums: dict[FileFormat, list[tuple[float, float]]] = {}
        for path in files:
            found, parse = layout_ratio(path, pairs, memory)
            size = path.stat().st_size / 1024
            if not memory:
                print(f"{found:5.2f} x bare parse  {size:6.1f} KiB  {path.name}")
            smallest = kinds[path] is FileFormat.MADCAT and round(size) == SMALLEST
            missed += smallest and found > MOST_SMALLEST and not memory
            if size > SMALL:
                sums.setdefault(kinds[path], []).append((found * parse, parse))
        for kind, times in sums.items():
            over = sum(ours for ours, _ in times) / sum(bare for _, bare in times)
            missed += over > MOST[kind] and not memory
            where = "in memory" if memory else "on disk"
            print(f"{over:5.2f} x bare parse  {len(times)} files of {kind.value} {where}")
    return missed


def peers(python: str, pairs: int) -> int:
    """Print how fast peers read the same files; how many of them are ahead of us."""
    missed = 0
    with tempfile.TemporaryDirectory() as name:
        for path in REAL.glob("*.xml"):
            kind = recognise(Source(path.read_bytes(), path.name))
            (Path(name) / f"{path.name}.{kind.value}.xml").write_bytes(path.read_bytes())
        driver = Path(__file__).parent / "peers_driver.py"
        done = subprocess.run(
            [python, str(driver), name, str(pairs)], check=True, capture_output=True, text=True
        )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    for peer in dict.fromkeys(each["peer"] for each in told):
        mine = [each for each in told if each["peer"] == peer]
        if "missing" in mine[0]:
            print(f"{peer}: not installed ({mine[0]['missing']})")
            continue
        whole: dict[str, float] = {}
        for each in mine:
            path = REAL / each["file"].rpartition(".xml")[0].rpartition(".")[0]
            lines = count(Source(path.read_bytes(), path.name))["lines"]
            if lines and each.get("lines") == lines:
                whole[path.name] = each["ratio"]
        theirs = statistics.geometric_mean(whole.values())
        own = statistics.geometric_mean(layout_ratio(REAL / name, pairs)[0] for name in whole)
        missed += own > theirs
        print(
            f"{peer} {mine[0]['version']}: {theirs:.1f} x bare parse, ours {own:.1f}, over "
            f"{len(whole)} files of which it reads all lines"
        )
    return missed


def corpus(folder: Path, number: int) -> None:
    """Copies of a real-sized page, each with an id of its own."""
    sample = SAMPLES / "ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"
    text = sample.read_text(encoding="utf-8")
    base = sample.name.removesuffix(".madcat.xml")
    for index in range(number):
        name = f"BENCH_ARB_20991231.{index:04}_1_SCR0001"
        (folder / f"{name}.madcat.xml").write_text(text.replace(base, name), encoding="utf-8")


def check(script: Path, folder: Path, number: int) -> dict[str, Any]:
    """Check so many pages in a process of its own."""
    root = str(Path(__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, str(script), str(folder), str(number)],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": root},
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="fewer repetitions and pages")
    parser.add_argument("--peers", metavar="PYTHON", help="a Python that has kraken and ocrd")
    options = parser.parse_args()
    quick = options.quick
    missed = 0
    missed += layouts(20 if quick else 100)
    if options.peers:
        missed += peers(options.peers, 10 if quick else 30)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "pages"
        folder.mkdir()
        script = Path(name) / "check_pages.py"
        script.write_text(INDEX)
        whole = 1000 if quick else 2000
        corpus(folder, whole)
        tenth = check(script, folder, whole // 10)
        full = check(script, folder, whole)
    each = full["processor"] / whole
    print(
        f"check: {whole / full['seconds']:.0f} pages/s on {os.cpu_count()} cores; "
        f"{each * 1000:.1f} ms of processor time a page, start of the workers included"
    )
    for which, small, large in zip(("main", "worker"), tenth["peak"], full["peak"], strict=True):
        growth = large / small
        missed += growth > GROWTH
        print(f"peak of the {which} process: {small} KiB for a tenth, {large} KiB: x {growth:.3f}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
