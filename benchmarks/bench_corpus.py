"""How well and how fast scribes are assigned, and how far the overlap is from its bound.

    python benchmarks/bench_corpus.py [SEEDS]

The cases of the evaluation plan: its evaluation set (160 passages by three of 24 scribes), its
training set (4,000 by five of 100), and the training set with 60 exposed and 40 unexposed hands, of
which each then has other work. For each: overlap, bound, gap, how many passages pairs share, and
the processor time. Small cases are held against all assignments in tests/planning/test_scribes.py.

It fails where the evaluation set is not proven best, or pairs of it share more than two passages;
where the gap of the others is above 1 %; and above 60 s of processor time for any of them. A gap
against a bound of zero is none.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

import numpy as np

from madcat_studio.planning.scribes import Scribe, assign_scribes, shared_passages

MOST_SECONDS, MOST_GAP = 60.0, 0.01

CASES = (
    ("evaluation", 160, 3, 12, 12, 0.0),
    ("training", 4000, 5, 50, 50, MOST_GAP),
    ("training, 60 and 40", 4000, 5, 60, 40, MOST_GAP),
)


def main() -> int:
    """Print a line for each case and seed; 1 where a bound is broken."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    broken = []
    for name, passages, copies, exposed, unexposed, most in CASES:
        scribes = [Scribe(f"E{number}", True) for number in range(exposed)]
        scribes += [Scribe(f"U{number}", False) for number in range(unexposed)]
        for seed in range(1, seeds + 1):
            begun = time.process_time()
            found = assign_scribes(passages, scribes, copies=copies, seed=seed)
            seconds = time.process_time() - begun
            shared = shared_passages(found.scribes, len(scribes))
            pairs = Counter(shared[np.triu_indices(len(scribes), 1)].tolist())
            told = ", ".join(f"{number}: {pairs[number]}" for number in sorted(pairs))
            gap = found.gap
            print(
                f"{name}, seed {seed}: {found.overlap:,} of {found.bound:,}, gap "
                f"{'none' if gap is None else f'{gap:.2%}'}; passages shared by pairs {told}; "
                f"{seconds:.1f} s"
            )
            if gap is None or gap > most or seconds > MOST_SECONDS:
                broken.append(f"{name}, seed {seed}")
            if most == 0 and set(pairs) != {1, 2}:
                broken.append(f"{name}, seed {seed}: pairs are uneven")
    for one in broken:
        print(f"broken: {one}", file=sys.stderr)
    return bool(broken)


if __name__ == "__main__":
    raise SystemExit(main())
