"""The page scorecard on 1,000 documents beside a straightforward implementation of the same rules.

    python benchmarks/bench_scorecards.py [--documents N] [--rounds N]

The peer asks langdetect text by text, counts n-grams in Counters and draws its resamples one by
one, as the scorecard's document is written. Both run in processes of their own, by turns, on the
same documents, and must give the same numbers. The figure is the median ratio of their times; the
exit status is 1 where it is below 10, or where all intervals take a second or more.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from madcat_studio.scoring.scorecards import ltb
from madcat_studio.scoring.scorecards.gate import Verdict
from madcat_studio.scoring.scorecards.intervals import mean_interval
from madcat_studio.scoring.scorecards.layout import Box

TARGET = 10.0
MOST_SECONDS = 1.0
DATA = ROOT / "tests" / "data" / "scorecards" / "ltb.json"


def noisy(text: str, rng: random.Random) -> str:
    """The text with some letters changed, doubled or lost."""
    letters = list(text)
    for _ in range(max(1, len(letters) // 12)):
        place = rng.randrange(len(letters))
        letters[place] = rng.choice((letters[place] * 2, "", rng.choice(text)))
    return "".join(letters)


def material(count: int) -> tuple[list[ltb.TruthDocument], ltb.Submission]:
    """Documents of about five regions over ten pairs; half of the outputs have errors."""
    rng = random.Random(11)
    texts: dict[str, list[str]] = {}
    for case in json.loads(DATA.read_text(encoding="utf-8"))["documents"]:
        pool = texts.setdefault(case["lang_pair"], [])
        for region in case["doc"]["regions"]:
            reference = region["references"].get(case["lang_pair"], "").strip()
            if reference and reference not in pool:
                pool.append(reference)
    pairs = [pair for pair in ltb.CORE_PAIRS if pair in texts] + ["en-ru", "en-uz"]
    truth: list[ltb.TruthDocument] = []
    given: dict[str, dict[str, ltb.Prediction]] = {}
    for number in range(count):
        pair = pairs[number % len(pairs)]
        regions, predicted = [], []
        for place in range(rng.randrange(3, 9)):
            # Pages do not repeat each other: a number sets every text apart.
            reference = f"{rng.choice(texts[pair])} {number}.{place}"
            box = Box(40.0, 40.0 + 120 * place, 300.0 + rng.random() * 400, 60.0)
            regions.append(
                ltb.TruthRegion(f"r{place}", box, "", place, references={pair: reference})
            )
            output = noisy(reference, rng) if rng.random() < 0.5 else reference
            moved = Box(box.x + rng.random() * 20, box.y, box.width, box.height)
            predicted.append(ltb.Region(f"r{place}", moved, output, place))
        name = f"d{number}"
        truth.append(ltb.TruthDocument(name, tuple(regions)))
        given.setdefault(pair, {})[name] = ltb.Prediction(name, tuple(predicted))
    return truth, ltb.Submission(given)


def plain_chrf(output: str, reference: str) -> float:
    """The formula, order by order, with Counters."""
    if output == reference:
        return 100.0
    total, orders = 0.0, 0
    for order in range(1, 7):
        left = Counter(output[i : i + order] for i in range(len(output) - order + 1))
        right = Counter(reference[i : i + order] for i in range(len(reference) - order + 1))
        if not left and not right:
            continue
        orders += 1
        matches = sum((left & right).values())
        if matches:
            precision, recall = matches / left.total(), matches / right.total()
            total += 5 * precision * recall / (4 * precision + recall)
    return 100.0 * total / orders if orders else 0.0


def plain_measure(queries, rules, formula, workers=None, *, progress=None):  # type: ignore[no-untyped-def]
    """What ``texts.measure`` does, one text after the other."""
    import langdetect

    from madcat_studio.scoring.scorecards import gate
    from madcat_studio.scoring.scorecards.texts import TextScore

    langdetect.DetectorFactory.seed = 42
    answers = []
    for query in queries:
        verdict = gate._without_detector(query.output, query.target, rules)
        if verdict is None:
            code = langdetect.detect_langs(query.output)[0].lang
            verdict = Verdict(code in gate.LATIN_TARGETS[query.target], f"langdetect:{code}")
        chrf = plain_chrf(query.output, query.reference) if verdict.accepted else 0.0
        answers.append(TextScore(chrf, verdict))
    return answers


def plain_interval(values, seed, replicates=1000):  # type: ignore[no-untyped-def]
    """What ``intervals.mean_interval`` does, one draw after the other."""
    from madcat_studio.scoring.scorecards.intervals import Interval

    if not values:
        return Interval(None, None, None)
    rng = random.Random(seed)
    count = len(values)
    means = sorted(
        sum(values[rng.randrange(count)] for _ in range(count)) / count for _ in range(replicates)
    )
    return Interval(sum(values) / count, means[25], means[974])


def one(side: str, count: int) -> None:
    """Score in this process and print the time and the numbers."""
    truth, submission = material(count)
    if side == "plain":
        ltb.measure = plain_measure
        ltb.mean_interval = plain_interval
    start = time.perf_counter()
    found = ltb.score(truth, submission)
    took = time.perf_counter() - start
    start = time.perf_counter()
    if side == "ours":
        for pair in found.pairs:
            mean_interval([one.ltb for one in found.documents if one.pair == pair.pair], 42)
        mean_interval([one.ltb for one in found.documents], 42)
    intervals = time.perf_counter() - start
    numbers = [found.overall.ltb, found.overall.interval.low, found.overall.interval.high]
    numbers += [document.ltb for document in found.documents]
    print(json.dumps({"seconds": took, "intervals": intervals, "numbers": numbers}))


def started(side: str, count: int) -> dict[str, object]:
    """The same in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--one", side, "--documents", str(count)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one", choices=["ours", "plain"], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        one(arguments.one, arguments.documents)
        return 0
    ratios, seconds, intervals = [], [], []
    for _ in range(arguments.rounds):
        ours, plain = (started(side, arguments.documents) for side in ("ours", "plain"))
        different = sum(
            abs(a - b) > 1e-9 for a, b in zip(ours["numbers"], plain["numbers"], strict=True)
        )
        if different:
            print(f"{different} numbers differ")
            return 1
        ratios.append(plain["seconds"] / ours["seconds"])
        seconds.append(ours["seconds"])
        intervals.append(ours["intervals"])
    ratio = statistics.median(ratios)
    print(
        f"{arguments.documents} documents: {statistics.median(seconds):.2f} s, "
        f"{ratio:.1f} times as fast as text by text (target {TARGET:g}); "
        f"all intervals {statistics.median(intervals):.3f} s (target below {MOST_SECONDS:g})"
    )
    return int(ratio < TARGET or statistics.median(intervals) >= MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
