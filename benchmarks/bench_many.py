"""``ter --on local:2`` beside one process with two threads, and how far many machines carry.

    python benchmarks/bench_many.py [PAIRS]

PAIRS made pairs (1,000,000) of 4 to 10 words are scored from files, in turn by one process with two
jobs and on two workers, which are there already. Judged:

* on workers it is at least 0.9 times as fast (the best of each);
* the driver's memory at its peak grows by at most a tenth from a quarter of the pairs to all, where
  the quarter has a million;
* a worker killed in the middle, with parts in work, is told as gone and changes no number;
* Ctrl+C ends it within 0.5 s, on a machine that is not busy;
* a model of measured costs (many_model.py) predicts how long 1, 2 and 4 workers take, whose parts
  wait as they would for another machine, within 15 %. So it does for scoring, on a machine that is
  not busy: there they share its processors.

Then the model tells of 1 to 1,000 machines, for texts of 7, 26 and 230 words. The exit status is 1
where a bound is broken.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from many_model import Costs, memory, seconds

from madcat_studio.operations.many import Many, in_order, workers
from madcat_studio.operations.scores.on_many import score_ter
from madcat_studio.operations.scores.paired_parts import PairedParts, Part
from madcat_ter.options import TerOptions
from madcat_ter.parts import Pairs, ter_part

FEWEST_TIMES = 0.9
MOST_GROWTH = 1.1
ENOUGH = 1_000_000  # pairs from which on all parts that can be on their way are
MOST_SECONDS = 0.5
MOST_OFF = 0.15
WAITING = 0.12
TER = TerOptions()

HERE = """
import sys, time
from pathlib import Path
from madcat_studio.operations.scores.ter_wer import long_ones, read_pairs, score_ter
from madcat_ter.options import TerOptions
start = time.perf_counter()
paired = read_pairs(Path(sys.argv[1]), [Path(sys.argv[2])])
for note in long_ones(paired, TerOptions()):
    print(note)
scores = score_ter(paired, TerOptions(), jobs=2)
print(scores.total.rows)
print(time.perf_counter() - start)
"""

ON_WORKERS = """
import sys, time
from pathlib import Path
from madcat_studio.operations.many import workers
from madcat_studio.operations.scores.on_many import score_ter
from madcat_ter.options import TerOptions
with workers("local:2") as many:
    start = time.perf_counter()
    with score_ter(Path(sys.argv[1]), [Path(sys.argv[2])], TerOptions(), many) as found:
        print(found.scores.total.rows)
        print(time.perf_counter() - start)
    with open("/proc/self/status") as lines:
        print(next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")))
"""


def make(folder: Path, pairs: int, words: int = 7) -> tuple[Path, Path]:
    """Files of outputs and references."""
    rng = random.Random(3)
    vocabulary = [f"w{number}" for number in range(3000)]
    pool = []
    for _ in range(min(20_000, pairs)):
        reference = rng.choices(vocabulary, k=rng.randrange(words // 2 + 1, words * 3 // 2 + 1))
        output = list(reference)
        for _ in range(1 + words // 8):
            output[rng.randrange(len(output))] = rng.choice(vocabulary)
        if rng.random() < 0.2:
            at = rng.randrange(len(output))
            output = output[at:] + output[:at]
        pool.append((" ".join(output) + "\n", " ".join(reference) + "\n"))
    paths = folder / f"output-{pairs}-{words}", folder / f"reference-{pairs}-{words}"
    with paths[0].open("w") as outputs, paths[1].open("w") as references:
        for _ in range(pairs):
            output_line, reference_line = rng.choice(pool)
            outputs.write(output_line)
            references.write(reference_line)
    return paths


def run(program: str, files: tuple[Path, Path]) -> tuple[str, list[float]]:
    """What a program of its own prints: the totals, then numbers."""
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, files)],
        capture_output=True,
        text=True,
        check=True,
    )
    total, *numbers = done.stdout.splitlines()
    return total, [float(number) for number in numbers]


def busy() -> bool:
    return os.getloadavg()[0] > (os.cpu_count() or 1) - 1


class Judge:
    def __init__(self) -> None:
        self.broken = False

    def __call__(self, holds: bool, told: str, *, judged: bool = True) -> None:
        mark = "ok" if holds else "BROKEN" if judged else "not judged here"
        print(f"{told} [{mark}]", flush=True)
        self.broken |= judged and not holds


class Killer:
    """Kills a worker that has parts, once half of the pairs are done; ``had`` says how many."""

    def __init__(self, many: Many) -> None:
        self._many = many
        self._pids: dict[str, int] = many.client.run(os.getpid)
        self.had = 0

    def advance(self, done: int, total: int | None, text: str = "") -> None:
        if self.had or not total or done <= total / 2:
            return
        for victim, pid in self._pids.items():
            # Who stands still keeps what it has: so it is sure that parts go down with it.
            os.kill(pid, signal.SIGSTOP)
            self.had = len(self._many.client.processing().get(victim, ()))
            if self.had:
                os.kill(pid, signal.SIGKILL)
                return
            os.kill(pid, signal.SIGCONT)

    def cancelled(self) -> bool:
        return False


def killed(files: tuple[Path, Path]) -> tuple[str, int, int]:
    """The totals where a worker is killed in the middle, how many went away, and its parts."""
    with workers("local:2") as many:
        killer = Killer(many)
        with score_ter(files[0], [files[1]], TER, many, progress=killer) as found:
            return str(found.scores.total.rows), len(many.gone), killer.had


def stopped(files: tuple[Path, Path]) -> float:
    """Seconds from Ctrl+C to the end of the command."""
    command = [sys.executable, "-m", "madcat_studio", "ter", *map(str, files), "--on", "local:2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(6)
        start = time.perf_counter()
        process.send_signal(signal.SIGINT)
        process.communicate()
        if process.returncode != 130:
            sys.exit("the command ended before it was stopped: use more pairs")
        return time.perf_counter() - start


def waiting(pairs: Pairs, seconds_: float) -> Any:
    """What a worker on another machine does, as far as this one sees it."""
    time.sleep(seconds_)
    return np.zeros((len(pairs), 5), np.int32), np.zeros((len(pairs), 2))


def processor_times(many: Many) -> tuple[float, float, float]:
    """Of the driver, the scheduler and all workers together."""
    of_workers = sum(many.client.run(time.process_time).values())
    return time.process_time(), float(many.client.run_on_scheduler(time.process_time)), of_workers


def measured(many: Many, parts: list[Part], work: Any) -> tuple[float, Costs]:
    """How long parts take, and what each cost."""
    before, start = processor_times(many), time.perf_counter()
    for _ in in_order(many, parts, work, Part.place):
        pass
    took = time.perf_counter() - start
    driver, scheduler, worker = (
        (after - one) / len(parts) for one, after in zip(before, processor_times(many), strict=True)
    )
    texts = (text for side in (parts[0].pairs.outputs, *parts[0].pairs.columns) for text in side)
    return took, Costs(driver, scheduler, worker, size=sum(map(len, texts)))


def small(part: Part, rows: int) -> Iterator[Part]:
    for at in range(0, len(part.ids), rows):
        rows_ = slice(at, at + rows)
        columns = [column[rows_] for column in part.pairs.columns]
        yield Part(part.ids[rows_], Pairs(part.pairs.outputs[rows_], columns))


def predictions(files: tuple[Path, Path], judge: Judge) -> None:
    """What the model says of 1, 2 and 4 workers of this machine, and what they do."""
    first = next(iter(PairedParts(files[0], [files[1]])))
    parts = list(small(first, 512)) * 2
    costs: dict[str, Costs] = {}
    for count in (1, 2, 4):
        with workers(f"local:{count}", near=False) as many:
            list(in_order(many, parts[:8], lambda p: (waiting, p.pairs, 0.01), Part.place))
            took, found = measured(many, parts, lambda p: (waiting, p.pairs, WAITING))
            costs.setdefault("waiting", replace(found, waiting=WAITING))
            said = seconds(costs["waiting"], count, len(parts))
            judge(
                abs(said / took - 1) <= MOST_OFF,
                f"{count} workers that wait: {took:.2f} s, predicted {said:.2f} s "
                f"({said / took - 1:+.0%})",
            )
        with workers(f"local:{count}") as many:
            many_parts = [first] * 12
            took, found = measured(many, many_parts, lambda p: (ter_part, p.pairs, TER))
            costs.setdefault("scoring", found)
            said = seconds(costs["scoring"], count, len(many_parts), os.cpu_count())
            judge(
                abs(said / took - 1) <= MOST_OFF,
                f"{count} workers that score here: {took:.2f} s, predicted {said:.2f} s "
                f"({said / took - 1:+.0%})",
                judged=not busy(),
            )


def carries(folder: Path, base: int) -> None:
    """How far it carries, by the model."""
    print("words  pairs a part  driver  scheduler  worker (ms)  machines: times as fast as one")
    for words, pairs in ((7, 200_000), (26, 60_000), (230, 5_000)):
        files = make(folder, pairs, words)
        with workers("local:1", near=False) as many:
            before = processor_times(many)
            parts = 0
            for _ in in_order(
                many,
                PairedParts(files[0], [files[1]]),
                lambda part: (ter_part, part.pairs, TER),
                Part.place,
            ):
                parts += 1
            driver, scheduler, worker = (
                (after - one) / parts
                for one, after in zip(before, processor_times(many), strict=True)
            )
        size = sum(path.stat().st_size for path in files) // parts
        costs = Costs(driver, scheduler, worker, size=size)
        told = []
        for machines in (2, 4, 10, 30, 100, 300, 1000):
            number = 400 + 4 * machines
            alone = seconds(costs, 1, 50) / 50
            times = alone / (seconds(costs, machines, number) / number)
            told.append(f"{machines}: {times:.1f} ({memory(costs, machines, base) >> 20} MiB)")
        print(
            f"{words:>5}  {pairs // parts:>12,}  {driver * 1e3:6.1f}  {scheduler * 1e3:9.1f}  "
            f"{worker * 1e3:11.1f}  {', '.join(told)}",
            flush=True,
        )


def main() -> int:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    judge = Judge()
    with tempfile.TemporaryDirectory(prefix="madcat-bench-") as scratch:
        folder = Path(scratch)
        whole, quarter = make(folder, pairs), make(folder, pairs // 4)
        here, there = [], []
        totals = set()
        for _ in range(2):
            total, (took,) = run(HERE, whole)
            totals.add(total)
            here.append(took)
            total, (took, peak) = run(ON_WORKERS, whole)
            totals.add(total)
            there.append(took)
        judge(
            min(here) / min(there) >= FEWEST_TIMES,
            f"{pairs:,} pairs: two jobs {min(here):.2f} s, local:2 {min(there):.2f} s, "
            f"{min(here) / min(there):.2f} times as fast",
        )
        _, (_, less) = run(ON_WORKERS, quarter)
        judge(
            peak / less <= MOST_GROWTH,
            f"driver at its peak: {peak / 1024:.0f} MiB, {peak / less:.2f} times that of a quarter",
            judged=pairs // 4 >= ENOUGH,
        )
        total, gone, had = killed(whole)
        totals.add(total)
        judge(
            len(totals) == 1 and gone == 1 and had > 0,
            f"a worker killed in the middle: {gone} gone with {had} parts, "
            f"{len(totals)} kind of result",
        )
        took = stopped(whole)
        judge(took <= MOST_SECONDS, f"Ctrl+C: {took:.2f} s", judged=not busy())
        predictions(quarter, judge)
        carries(folder, int(less) << 10)
    return int(judge.broken)


if __name__ == "__main__":
    sys.exit(main())
