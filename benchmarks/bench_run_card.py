"""A run card of 50,000 entries with its intervals, beside sacrebleu's chrF++ of the same texts.

    python benchmarks/bench_run_card.py [--entries N] [--rounds N]

The peer is ``sacrebleu.CHRF(word_order=2).corpus_score`` alone: no interval, no BLEU.
Both run by turns in this process, in processor time; the figure is the median ratio. The exit
status is 1 where it is above 1.2, or where the scores differ.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sacrebleu.metrics.chrf import CHRF

from madcat_studio.scoring.scorecards import rosetta

TARGET = 1.2
TEXT = (
    "the ministry of transport opened yesterday a new railway line that links coastal city with "
    "capital after four years work and at cost million dinars farmers whose land tracks cross"
)


def run_of(count: int) -> rosetta.Run:
    """Entries of 5 to 30 words; a fifth of the words of each output are other ones."""
    draw, words = random.Random(3), TEXT.split()
    entries = []
    for number in range(count):
        reference = [draw.choice(words) for _ in range(draw.randrange(5, 31))]
        output = [draw.choice(words) if draw.random() < 0.2 else word for word in reference]
        text = " ".join(reference) + "."
        entries.append(rosetta.Entry(str(number), "", text, " ".join(output) + "."))
    return rosetta.Run("run", tuple(entries))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    run = run_of(arguments.entries)
    ratios, ours, planned = [], [], []
    for _ in range(arguments.rounds):
        begun = time.process_time()
        card = rosetta.card(run)
        ours.append(time.process_time() - begun)
        begun = time.process_time()
        score = CHRF(word_order=2).corpus_score(
            [one.predicted for one in run.entries], [[one.expected for one in run.entries]]
        )
        ratios.append(ours[-1] / (time.process_time() - begun))
        if abs(score.score - (card.scores["chrf_plus_plus"] or 0)) > 1e-9:
            print("the scores differ")
            return 1
        begun = time.process_time()
        rosetta.card(run, rosetta.Tools(ter=True, length_ratio=True, consistency=True))
        planned.append(time.process_time() - begun)
    ratio = statistics.median(ratios)
    seconds = statistics.median(ours), statistics.median(planned)
    print(
        f"{arguments.entries} entries: {seconds[0]:.1f} s, {ratio:.2f} times sacrebleu's chrF++ "
        f"alone (target {TARGET:g}); {seconds[1]:.1f} s with TER, length ratio and consistency"
    )
    return int(ratio > TARGET)


if __name__ == "__main__":
    sys.exit(main())
