"""The whole report of a campaign beside reading the same texts, and the memory that it takes.

    python benchmarks/bench_report.py [SEGMENTS [SYSTEMS]]

A campaign of SEGMENTS segments (10,000) by SYSTEMS systems (5), edited by two teams each, is made
in a temporary folder, and another of a tenth of it. For each, in processes of their own: reading
the texts, all segments of the campaign; scoring, resampling and reporting it as CSV, JSON and a
workbook whose sheets are capped (at 100 rows); and the same in all forms, each segment drawn on
the page and in the workbook, as far as these hold them.

What the whole takes longer than the tenth, in processor time, is what segments cost: of the tables
it may be at most 9 times that of reading the texts, and in all forms at most 13 times (what is
meant to be reached is 5). Memory may be 150 MiB at its peak for the tables and 230 MiB for all
forms, whose libraries alone (matplotlib, fpdf2, SciPy) take 80; in a campaign of 1,000,000 segments
that of the tables may differ by at most 10 % from a tenth of it. In smaller ones it grows until
samples and sorting have all their room. The exit status is 1 where a bound is broken.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from made_campaign import make

WANTED_TIMES = 5.0
MOST_TIMES = {"tables": 9.0, "all forms": 13.0}
MOST_MIB = {"tables": 150, "all forms": 230}
MOST_GROWTH = 1.10
FEWEST_FOR_GROWTH = 1_000_000  # segments
# The high-water mark of the process itself: getrusage's is also that of whoever started it.
PEAK = """
def peak():
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
"""
READ = """
import sys, time
from madcat_studio.store import open_campaign
with open_campaign(sys.argv[1], read_only=True) as campaign:
    start = time.process_time()
    for record in campaign.segment_records():
        pass
    print(time.process_time() - start, peak())
"""

REPORT = """
import sys, time
from pathlib import Path
from madcat_studio.operations.scores.report import Format, write_campaign_report
start = time.process_time()
if sys.argv[3] == "tables":
    forms, more = (Format.XLSX, Format.CSV, Format.JSON), {"most_rows": 100}
else:
    forms, more = tuple(Format), {}
write_campaign_report(sys.argv[1], Path(sys.argv[2]), formats=forms, **more)
print(time.process_time() - start, peak())
"""


def measure(script: str, *arguments: str) -> tuple[float, float]:
    """CPU seconds and peak MiB of a script in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK + script, *arguments],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    seconds, peak = done.stdout.split()
    return float(seconds), float(peak) / 1024


def main() -> int:
    segments = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    systems = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    times, peaks = [], {kind: list[float]() for kind in MOST_TIMES}
    with tempfile.TemporaryDirectory(prefix="madcat-bench-") as scratch:
        for size in (segments // 10, segments):
            folder = Path(scratch) / str(size)
            start = time.perf_counter()
            make(folder, size, systems)
            made = time.perf_counter() - start
            # Reading is measured between the reports: what else the machine does slows both.
            read, reported = [measure(READ, str(folder))[0]], []
            for kind, found in peaks.items():
                seconds, peak = measure(REPORT, str(folder), str(folder / "report"), kind)
                reported.append(seconds)
                found.append(peak)
                read.append(measure(READ, str(folder))[0])
            own = [statistics.median(read), *reported]
            times.append(own)
            print(
                f"{size:>9,} segments x {systems} systems: made in {made:.1f} s, "
                f"read {own[0]:.2f} s, reported {own[1]:.2f} s, in all forms {own[2]:.2f} s",
                flush=True,
            )
    reading, *reports = (whole - tenth for tenth, whole in zip(*times, strict=True))
    outputs = (segments - segments // 10) * systems
    print(f"an output costs {reading / outputs * 1e6:.0f} us to read")
    held = segments >= FEWEST_FOR_GROWTH
    broken = False
    for report, (kind, found) in zip(reports, peaks.items(), strict=True):
        ratio, growth = report / reading, found[1] / found[0]
        told = "" if ratio <= WANTED_TIMES else f" (wanted: {WANTED_TIMES:g})"
        print(
            f"{kind}: {report / outputs * 1e6:.0f} us, {ratio:.1f} times{told}; peak "
            f"{found[1]:.0f} MiB, {growth:.2f} times that of a tenth"
        )
        broken |= ratio > MOST_TIMES[kind] or found[1] > MOST_MIB[kind]
        broken |= held and kind == "tables" and growth > MOST_GROWTH
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
