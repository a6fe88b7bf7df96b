"""The coach for fewer edits: its sums, what it finds, what its advice costs, and how long it takes.

    python benchmarks/bench_coach.py [SEGMENTS] [--wall]

SEGMENTS made segments (10,000) are judged; each sum that the coach tells is counted again by the
engine, one text at a time. In a quarter as many of each kind one edit that could be spared is
planted. Times are those of the processor, all threads together, which other programs do not
disturb;
with ``--wall`` those of the clock, for a quiet machine. The exit status is 1 where a sum is wrong,
fewer than 90 % of a kind are found, more than one piece of advice in twenty costs edits when it is
followed together with the rest, or the median takes more than 50 ms at 60 words or 300 ms at 300.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "coach"))

from made import careless, judged, share_found

from madcat_studio.coach.advise import coach
from madcat_studio.coach.values import AdviceKind
from madcat_ter import kernel
from madcat_ter.options import TerOptions

FEWEST_FOUND = 0.9
MOST_COSTLY = 1 / 20
TARGETS = {60: 50.0, 300: 300.0}
TIMES = 40
SEED = 20261128
USUAL = 0.1
"""Of the words, that are changed besides what had to be: where times are measured."""

clock = time.perf_counter if "--wall" in sys.argv else time.process_time


def main() -> int:
    numbers = [int(one) for one in sys.argv[1:] if one.isdecimal()]
    segments = numbers[0] if numbers else 10_000
    missed = _sums(segments)
    for kind in AdviceKind:
        share = share_found(kind, segments // 4, SEED)
        print(f"planted, {kind.value}: {100 * share:.1f} % found (at least {100 * FEWEST_FOUND:g})")
        missed |= share < FEWEST_FOUND
    return int(missed | _times())


def _sums(segments: int) -> bool:
    choice = random.Random(SEED)
    all_of = [
        judged(*careless(choice, choice.randint(1, 60)), TerOptions()) for _ in range(segments)
    ]
    said, wrong = sum(one.said for one in all_of), sum(one.wrong for one in all_of)
    costly, idle = sum(one.costly for one in all_of), sum(one.idle for one in all_of)
    print(
        f"{segments} segments, {said} pieces of advice: {wrong} wrong sums; followed together "
        f"{costly} cost edits, {idle} save none"
    )
    return wrong > 0 or costly > MOST_COSTLY * said or not said


def _times() -> bool:
    missed = False
    for words, most in TARGETS.items():
        choice = random.Random(words)
        taken = []
        for _ in range(TIMES):
            texts = careless(choice, words, USUAL)
            start = clock()
            coach(*texts, TerOptions())
            taken.append(1000 * (clock() - start))
        median = statistics.median(taken)
        print(
            f"{words} words, kernel {kernel.NAME}: {median:.1f} ms, at most {max(taken):.1f} "
            f"(the median at most {most:g})"
        )
        missed |= median > most
    return missed


if __name__ == "__main__":
    sys.exit(main())
