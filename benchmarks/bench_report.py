"""The whole report of a campaign beside reading the same texts, and the memory that it takes.

    python benchmarks/bench_report.py [SEGMENTS [SYSTEMS]]

A campaign of SEGMENTS segments (10,000) by SYSTEMS systems (5), edited by two teams each, is made
in a temporary folder, and another of a tenth of it. For each, in processes of their own: reading
what a report reads, all segments of the campaign and its log of visits; and scoring, resampling
and reporting it as XLSX, CSV and JSON. What a workbook and a page hold of the segments is capped
(here the workbook at 100 rows, the page is left out), so that in a large campaign these two cost
next to nothing a segment.

What the whole takes longer than the tenth, in processor time, is what segments cost: of the report
it may be at most 5 times that of reading. Memory may be 240 MiB at its peak, a tenth more than
1,000,000 segments by 5 systems take; in a campaign of that size it may differ by at most 10 % from
a tenth of it. In smaller ones it grows until samples and sorting have all their room. The exit
status is 1 where a bound is broken.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from made_campaign import make

MOST_TIMES = 5.0
MOST_MIB = 240
MOST_GROWTH = 1.10
FEWEST_FOR_GROWTH = 1_000_000  # segments
LARGE = 20_000  # segments whose reading takes long enough to be measured once
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
    for visit in campaign.visits.all():
        pass
    print(time.process_time() - start, peak())
"""

REPORT = """
import sys, time
from pathlib import Path
from madcat_studio.operations.scores.report import Format, write_campaign_report
start = time.process_time()
forms = (Format.XLSX, Format.CSV, Format.JSON)
write_campaign_report(sys.argv[1], Path(sys.argv[2]), formats=forms, most_rows=100)
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
    times, peaks = [], []
    with tempfile.TemporaryDirectory(prefix="madcat-bench-") as scratch:
        for size in (segments // 10, segments):
            folder = Path(scratch) / str(size)
            start = time.perf_counter()
            make(folder, size, systems)
            made = time.perf_counter() - start
            rounds = 3 if size < LARGE else 1
            read = min(measure(READ, str(folder)) for _ in range(rounds))[0]
            report, peak = measure(REPORT, str(folder), str(folder / "report"))
            times.append((read, report))
            peaks.append(peak)
            print(
                f"{size:>9,} segments x {systems} systems: made in {made:.1f} s, "
                f"read {read:.2f} s, reported {report:.2f} s, peak {peak:.0f} MiB",
                flush=True,
            )
    read, report = (whole - tenth for tenth, whole in zip(*times, strict=True))
    ratio, growth = report / read, peaks[1] / peaks[0]
    outputs = (segments - segments // 10) * systems
    print(
        f"an output costs {read / outputs * 1e6:.0f} us to read, "
        f"{report / outputs * 1e6:.0f} us to report: {ratio:.1f} times"
    )
    held = segments >= FEWEST_FOR_GROWTH
    print(f"peak memory grew {growth:.2f} times{'' if held else ' (too small to judge)'}")
    broken = ratio > MOST_TIMES or peaks[1] > MOST_MIB or (held and growth > MOST_GROWTH)
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
