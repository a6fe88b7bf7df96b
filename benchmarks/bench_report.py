"""The whole report of a campaign beside reading the same texts, and the memory that it takes.

    python benchmarks/bench_report.py [SEGMENTS [SYSTEMS]]

A campaign of SEGMENTS segments (2,000) by SYSTEMS systems (5), edited by two teams each, is made
in a temporary folder, and another of a tenth of it. For each, in processes of their own: reading
all segments from the campaign, and scoring, resampling and reporting it as XLSX, CSV and JSON.
What a workbook and a page hold of the segments is capped (here the workbook at 100 rows, the page
is left out), so that in a large campaign these two cost next to nothing a segment.

What the whole takes longer than the tenth, in processor time, is what segments cost: of the report
it may be at most 10 times that of reading. Its peak memory may differ by at most 10 % between a
tenth and the whole; it is held to that from 20,000 outputs on, for below, what is loaded once
decides. The exit status is 1 where a bound is broken.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MOST_TIMES = 10.0
MOST_GROWTH = 1.10
FEWEST_FOR_MEMORY = 20_000
PER_DOCUMENT = 10
PER_KIT = 10  # documents: fewer claims to make, and the texts are the same
WORDS = [f"word{n}" for n in range(4000)]

READ = """
import resource, sys, time
from madcat_studio.store import open_campaign
with open_campaign(sys.argv[1], read_only=True) as campaign:
    start = time.process_time()
    for record in campaign.segment_records():
        pass
    print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""

REPORT = """
import resource, sys, time
from pathlib import Path
from madcat_studio.operations.report import Format, write_campaign_report
start = time.process_time()
forms = (Format.XLSX, Format.CSV, Format.JSON)
write_campaign_report(sys.argv[1], Path(sys.argv[2]), formats=forms, most_rows=100)
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def edited(words: list[str], share: float, draw: random.Random) -> list[str]:
    """``words`` with about ``share`` of them left out or replaced."""
    made = []
    for word in words:
        chance = draw.random()
        if chance < share * 0.3:
            continue
        made.append(draw.choice(WORDS) if chance < share else word)
    return made


def make(folder: Path, segments: int, systems: int) -> None:
    """A campaign, all of it final, with texts drawn from a fixed seed."""
    from madcat_studio.model.campaign import (
        Assignment,
        CampaignDocument,
        CampaignSegment,
        DataSet,
        Editor,
        Kit,
        KitItem,
        System,
        Team,
    )
    from madcat_studio.operations.edits import import_edits
    from madcat_studio.store import create_campaign

    draw = random.Random(1)
    lines = ["kit\tteam\tpass\teditor\tsegment\tstate\ttext"]
    with create_campaign(folder, "Benchmark") as campaign, campaign.transaction():
        names = [f"T{n}" for n in range(10)]
        for name in names:
            editors = (Editor(f"{name}a", "A"), Editor(f"{name}b", "B"))
            campaign.plans.add_team(Team(name, editors))
        references: dict[str, list[list[str]]] = {}
        for number in range(segments // PER_DOCUMENT):
            base = f"SYN.{number // 3:05d}_1_S{number % 24:02d}"
            texts = [draw.choices(WORDS, k=draw.randint(10, 30)) for _ in range(PER_DOCUMENT)]
            references[base] = texts
            campaign.contents.add_document(
                CampaignDocument(
                    base=base,
                    source_document=f"SYN.{number // 3:05d}",
                    passage=f"P{number // 3}",
                    manuscript=base,
                    page="1",
                    scribe=f"S{number % 24:02d}",
                    exposure="exposed" if number % 2 else "unexposed",
                    data_set=DataSet.EVALUATION,
                    track="",
                    genre="newswire" if number % 2 else "web",
                    sha256="",
                ),
                base.encode(),
                [
                    CampaignSegment(f"s{n}", "1", "نص", " ".join(text), 1, len(text))
                    for n, text in enumerate(texts)
                ],
            )
        for s in range(systems):
            system = f"system-{s}"
            campaign.contents.add_system(System(system, f"X{s}"))
            bases = list(references)
            kits = max(3, len(bases) // PER_KIT)  # strides keep a passage's copies apart
            for place in range(kits):
                kit, own = f"K{s}-{place}", bases[place::kits]
                teams = (names[place % 10], names[(place + 1 + s) % 10])
                finals: dict[str, list[list[str]]] = {}
                for base in own:
                    outputs = [edited(text, 0.3, draw) for text in references[base]]
                    campaign.contents.add_output(
                        system,
                        base,
                        f"{system}{base}".encode(),
                        {f"s{n}": " ".join(text) for n, text in enumerate(outputs)},
                    )
                    finals[base] = outputs
                campaign.plans.plan_kit(Kit(kit, tuple(KitItem(system, base) for base in own)))
                campaign.plans.assign(
                    kit, [Assignment(kit, team, f"{team}a", f"{team}b") for team in teams]
                )
                for team in teams:
                    texts = {
                        base: [edited(text, 0.2, draw) or ["x"] for text in outputs]
                        for base, outputs in finals.items()
                    }
                    for pass_, editor in (("first", "a"), ("review", "b")):
                        for base, firsts in texts.items():
                            for n, text in enumerate(firsts):
                                final = text
                                if pass_ == "review" and draw.random() < 0.4:
                                    final = edited(text, 0.05, draw) or ["x"]
                                lines.append(
                                    f"{kit}\t{team}\t{pass_}\t{team}{editor}\t{base}/s{n}\t"
                                    "confirmed\t" + " ".join(final)
                                )
    table = folder / "edits.tsv"
    table.write_text("\n".join(lines) + "\n", "utf-8")
    import_edits(str(folder), table)


def measure(script: str, *arguments: str) -> tuple[float, float]:
    """CPU seconds and peak MiB of a script in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], check=True, stdout=subprocess.PIPE, text=True
    )
    seconds, peak = done.stdout.split()
    return float(seconds), float(peak) / 1024


def main() -> int:
    segments = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    systems = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    times, peaks = [], []
    with tempfile.TemporaryDirectory(prefix="madcat-bench-") as scratch:
        for size in (segments // 10, segments):
            folder = Path(scratch) / str(size)
            start = time.perf_counter()
            make(folder, size, systems)
            made = time.perf_counter() - start
            read = min(measure(READ, str(folder)) for _ in range(3))[0]
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
    held = segments * systems >= FEWEST_FOR_MEMORY
    print(f"peak memory grew {growth:.2f} times{'' if held else ' (too small to judge)'}")
    return 1 if ratio > MOST_TIMES or (held and growth > MOST_GROWTH) else 0


if __name__ == "__main__":
    sys.exit(main())
