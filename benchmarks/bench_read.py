"""Reading MADCAT XML beside a bare lxml parse, and a corpus of 2,000 pages on all cores.

    python benchmarks/bench_read.py [--quick]

Both readings alternate in one run, in processor time, so that other work on the machine does not
count; the median of the pairs' ratios is the figure and may be 5 at most for a file of a page
(over 4 KiB; below, what every file costs alike weighs more, and is only printed). Ratios of PAGE
XML and ALTO are printed and not judged. Checking a
corpus streams: its peak memory must not grow by more than a tenth from 200 pages to 2,000. The
exit status is 1 where a target is missed; pages a second are printed, not judged, and so is the
processor time a page, which other work on the machine touches less.
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

sys.path.insert(0, str(Path(__file__).parent.parent))

from lxml import etree

from madcat_studio.formats import layouts
from madcat_studio.formats.madcat import read_bytes
from madcat_studio.formats.registry import read_layout
from madcat_studio.formats.source import Source

SAMPLES = Path(__file__).parent.parent / "tests" / "data" / "madcat"
REAL = SAMPLES.parent / "real"
MOST = 5.0
SMALL = 4
GROWTH = 1.10

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


def ratio(data: bytes, pairs: int) -> float:
    """The median ratio of our reading to lxml's parse of the same bytes."""
    ratios = []
    for _ in range(pairs + 3):
        start = time.thread_time()
        etree.fromstring(data)
        middle = time.thread_time()
        read_bytes(data, "page")
        ratios.append((time.thread_time() - middle) / (middle - start))
    return statistics.median(ratios[3:])


def layout_ratio(data: bytes, pairs: int) -> float:
    """The same for PAGE XML and ALTO; what was kept of the file is forgotten each time."""
    ratios = []
    for _ in range(pairs + 3):
        layouts.number.cache_clear()
        layouts._points.cache_clear()
        start = time.thread_time()
        etree.fromstring(data)
        middle = time.thread_time()
        read_layout(Source(data, "page.xml"))
        ratios.append((time.thread_time() - middle) / (middle - start))
    return statistics.median(ratios[3:])


def corpus(folder: Path, number: int) -> None:
    """Copies of a real-sized page, each with an id of its own."""
    sample = SAMPLES / "ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"
    text = sample.read_text(encoding="utf-8")
    base = sample.name.removesuffix(".madcat.xml")
    for index in range(number):
        name = f"BENCH_ARB_20991231.{index:04}_1_SCR0001"
        (folder / f"{name}.madcat.xml").write_text(text.replace(base, name), encoding="utf-8")


def check(script: Path, folder: Path, number: int) -> dict:
    """Check so many pages in a process of its own."""
    root = str(Path(__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, str(script), str(folder), str(number)],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": root},
    )
    return json.loads(done.stdout)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="fewer repetitions and pages")
    quick = parser.parse_args().quick
    missed = 0
    for path in sorted(SAMPLES.glob("*.madcat.xml")):
        found = ratio(path.read_bytes(), 20 if quick else 100)
        size = path.stat().st_size / 1024
        missed += found > MOST and size > SMALL
        print(f"{found:5.2f} x bare parse  {size:6.1f} KiB  {path.name}")
    for path in sorted(REAL.glob("*.xml")):
        found = layout_ratio(path.read_bytes(), 20 if quick else 100)
        print(f"{found:5.2f} x bare parse  {path.stat().st_size / 1024:6.1f} KiB  {path.name}")
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
