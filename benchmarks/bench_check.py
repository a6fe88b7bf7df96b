"""A whole corpus of mixed pages checked in one run: pages a second, and memory as it goes on.

    python benchmarks/bench_check.py [--pages 42000] [--folder FOLDER]

The pages are made from the samples of the tests, of every format that is read: each is a file of
its own, those of MADCAT with an id of their own, in an order that a seed gives. They are checked as
``madcat-studio check FOLDER`` does it, in one run on all cores, and the folder is removed again.
What a process holds is printed after 2,000 and 10,000 pages and at the end.

The exit status is 1 where a page takes more processor time than 300 pages a second on two cores
would, or where any process holds more than a tenth above what it held after 2,000 pages.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from madcat_studio.errors import StudioError
from madcat_studio.formats.kinds import ENDINGS, TRAITS, recognise
from madcat_studio.formats.madcat import KNOWN_SUFFIXES, base_of
from madcat_studio.formats.source import Source

ROOT = Path(__file__).parent.parent
SAMPLES = [ROOT / "tests" / "data" / name for name in ("madcat", "real", "documents")]
AT = (2000, 10_000)
MOST_MS = 2 / 300 * 1000
GROWTH = 1.10

RUN = """
import json, os, resource, sys, time
from multiprocessing import active_children
from pathlib import Path
from madcat_studio.operations.pages.checking import CheckOptions, check_files

def held(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))

def processor():
    both = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, both))

if __name__ == "__main__":
    paths = sorted(Path(sys.argv[1]).iterdir())
    marks = {int(mark) for mark in sys.argv[2:]}
    start, problems, errors = time.perf_counter(), 0, 0
    for done, result in enumerate(check_files(paths, CheckOptions(images=False)), 1):
        problems += len(result.problems)
        errors += result.error is not None
        if done in marks:
            workers = [held(child.pid) for child in active_children()]
            told = {"pages": done, "seconds": time.perf_counter() - start, "main": held("self")}
            print(json.dumps({**told, "workers": workers}), flush=True)
    took = time.perf_counter() - start
    done = {"seconds": took, "processor": processor(), "problems": problems, "errors": errors}
    print(json.dumps(done), flush=True)
"""


def make_pages(folder: Path, number: int, seed: int = 20) -> Counter[str]:
    """Write so many pages of all formats into a folder; how many there are of each."""
    samples: dict[str, list[tuple[str, str, bytes]]] = {}
    for path in sorted(path for place in SAMPLES for path in place.iterdir()):
        if path.name.endswith(ENDINGS) and not path.name.endswith(".mets.xml"):
            data = path.read_bytes()
            try:
                kind = recognise(Source(data, path.name))
            except StudioError:
                continue
            ending = ".madcat.xml" if path.name.endswith(KNOWN_SUFFIXES) else path.suffix
            samples.setdefault(TRAITS[kind].name, []).append((base_of(path), ending, data))
    draw = random.Random(seed)
    made: Counter[str] = Counter()
    for index in range(number):
        chosen = draw.choice(list(samples))
        # The larger ones more often: the smallest are sketches of a rule, and no pages.
        sizes = [len(data) for _, _, data in samples[chosen]]
        [(base, ending, data)] = draw.choices(samples[chosen], sizes)
        name = f"MIXED_ARB_20991231.{index:05}_1_SCR0001"
        new = data.replace(base.encode(), name.encode()) if ending == ".madcat.xml" else data
        (folder / f"{name}{ending}").write_bytes(new)
        made[chosen] += 1
    return made


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=42_000)
    parser.add_argument("--folder", metavar="FOLDER", help="where to make the pages")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder, script = Path(name) / "pages", Path(name) / "check_pages.py"
        folder.mkdir()
        made = make_pages(folder, options.pages)
        size = sum(path.stat().st_size for path in folder.iterdir())
        kinds = ", ".join(f"{times} {kind}" for kind, times in made.most_common())
        print(f"{options.pages} pages, {size / 2**20:.0f} MiB: {kinds}")
        script.write_text(RUN)
        # A run has work in hand for a few batches beyond what it has told.
        marks = [str(mark) for mark in (*AT, options.pages - 200) if mark < options.pages]
        done = subprocess.run(
            [sys.executable, str(script), str(folder), *marks],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
    *seen, whole = [json.loads(line) for line in done.stdout.splitlines()]
    for each in seen:
        workers = ", ".join(f"{kib / 1024:.1f}" for kib in sorted(each["workers"]))
        print(
            f"after {each['pages']} pages, {each['seconds']:.0f} s: the main process holds "
            f"{each['main'] / 1024:.1f} MiB, the workers {workers} MiB"
        )
    page = whole["processor"] / options.pages * 1000
    print(
        f"{options.pages / whole['seconds']:.0f} pages/s on {os.cpu_count()} cores "
        f"({whole['seconds']:.0f} s); {page:.1f} ms of processor time a page, so "
        f"{2000 / page:.0f} pages/s of two quiet cores; {whole['problems']} problems, "
        f"{whole['errors']} files that cannot be read"
    )
    first, last = (
        {"main": each["main"], "worker": max(each["workers"])} for each in (seen[0], seen[-1])
    )
    growth = {who: last[who] / first[who] for who in first}
    for who, times in growth.items():
        print(f"memory of the {who} process: x {times:.3f} since {seen[0]['pages']} pages")
    return 1 if page > MOST_MS or max(growth.values()) > GROWTH else 0


if __name__ == "__main__":
    sys.exit(main())
