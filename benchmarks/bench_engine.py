"""The engine beside its peers, as ratios in one run.

    python benchmarks/bench_engine.py [--peers N] [--markdown]

Data are made: 2,000 segments of about 26 words (TER about 40 %) and 50 of about 230 (TER about
20 %), words drawn with Zipf's frequencies. Times are the processor's, the best of several rounds,
so that other work on the machine counts little; sacrebleu is timed on the first segments, once, and
scaled, for a long one takes it seconds. Two threads are timed by the clock, for that is their
point; that figure is only judged where the machine has processors to spare.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import jiwer
from rapidfuzz.distance import Levenshtein
from sacrebleu.metrics.lib_ter import translation_edit_rate

from madcat_studio.cli.tercom import parse_arguments
from madcat_studio.operations.scores.tercom import run_tercom
from madcat_ter import kernel
from madcat_ter.options import TerOptions, WerOptions
from madcat_ter.ter import ter_corpus, ter_counts, ter_word_counts
from madcat_ter.wer import wer_corpus

Pair = tuple[list[str], list[str]]

# How far both sides are apart: the share of words that something happens to, and how many times as
# long as rapidfuzz's without shifts the search may take; of short segments and of long ones.
APART = (("few edits", (0.05, 0.05), (2.0, 2.5)), ("distant", (0.4, 0.8), (4.4, 44.0)))


def make(segments: int, words: int, errors: float, seed: int) -> list[Pair]:
    """Pairs of output and reference; ``errors`` is the share of words that something happens to."""
    rng = random.Random(seed)
    vocabulary = [f"w{number}" for number in range(4000)]
    weights = [1 / (rank + 2) for rank in range(len(vocabulary))]
    pairs = []
    for _ in range(segments):
        length = max(5, int(rng.gauss(words, words * 0.35)))
        reference = rng.choices(vocabulary, weights, k=length)
        output = list(reference)
        at = 0
        while at < len(output):
            kind = rng.random() / errors
            if kind < 0.45:
                output[at] = rng.choices(vocabulary, weights)[0]
            elif kind < 0.65:
                del output[at]
                continue
            elif kind < 0.85:
                output.insert(at, rng.choices(vocabulary, weights)[0])
            elif kind < 1:
                block = output[at : at + 1 + rng.randrange(5)]
                del output[at : at + len(block)]
                to = max(0, min(len(output), at + rng.randrange(-12, 13)))
                output[to:to] = block
            at += 1
        pairs.append((output, reference))
    return pairs


def best(work: Callable[[], object], rounds: int, clock: Callable[[], float]) -> float:
    """Seconds of the fastest round."""
    found = []
    for _ in range(rounds):
        start = clock()
        work()
        found.append(clock() - start)
    return min(found)


def core(pairs: Sequence[Pair], rounds: int) -> float:
    outputs = [output for output, _ in pairs]
    references = [reference for _, reference in pairs]
    return best(lambda: ter_word_counts(outputs, references), rounds, time.process_time)


def results(pairs: Sequence[Pair], rounds: int) -> tuple[float, float]:
    """Alignments and shifts of all over counts, texts in; and each read as an object of its own."""
    outputs = [" ".join(output) for output, _ in pairs]
    references = [[" ".join(reference)] for _, reference in pairs]
    clock = time.process_time
    counts = best(lambda: ter_counts(outputs, references), rounds, clock)
    full = best(lambda: ter_corpus(outputs, references), rounds, clock)
    read = best(lambda: list(ter_corpus(outputs, references).segments), rounds, clock)
    return full / counts, read / counts


def like_sacrebleu(pairs: Sequence[Pair], wanted: Sequence[float], rounds: int) -> float:
    """sacrebleu's own numbers by the kernel; the first are compared with those that it gave."""
    outputs, references = ([pair[side] for pair in pairs] for side in (0, 1))
    ids = kernel.text.intern(outputs[: len(wanted)], references[: len(wanted)])
    assert kernel.like_sacrebleu_batch(*ids, 1, None).tolist() == wanted

    def work() -> None:
        kernel.like_sacrebleu_batch(*kernel.text.intern(outputs, references), 1, None)

    return best(work, rounds, time.process_time)


def sacrebleu(pairs: Sequence[Pair], most: int) -> tuple[float, list[float]]:
    """Seconds for all, by those of one run over the first; and the edits of these."""
    some = pairs[:most]
    start = time.process_time()
    edits = [translation_edit_rate(*pair)[0] for pair in some]
    seconds = time.process_time() - start
    words = sum(len(reference) for _, reference in some)
    return seconds * sum(len(ref) for _, ref in pairs) / words, edits


def over_levenshtein(pairs: Sequence[Pair], rounds: int) -> float:
    """Counts over one rapidfuzz Levenshtein a pair: the median of rounds side by side."""

    def floor() -> None:
        for output, reference in pairs:
            Levenshtein.distance(output, reference)

    return statistics.median(
        core(pairs, 3) / best(floor, 3, time.process_time) for _ in range(rounds)
    )


def files(pairs: Sequence[Pair], rounds: int) -> float:
    """Two Trans files in, ``-N``, a ``.ter`` file out."""
    with tempfile.TemporaryDirectory() as folder:
        for name, side in (("hyp", 0), ("ref", 1)):
            lines = (f"{' '.join(pair[side])} (s{number})\n" for number, pair in enumerate(pairs))
            Path(folder, name).write_text("".join(lines), encoding="utf-8")
        names = iter(range(10**9))

        def work() -> None:
            arguments = f"-s -N -r {folder}/ref -h {folder}/hyp -o ter -n {folder}/{next(names)}"
            said: list[str] = []
            run_tercom(parse_arguments(arguments.split(), said.append), said.append, said.append)

        return best(work, rounds, time.process_time)


def two_threads(pairs: Sequence[Pair], rounds: int) -> float:
    """How much faster two threads are, by the clock: the median of rounds side by side."""
    outputs = [output for output, _ in pairs]
    references = [reference for _, reference in pairs]
    ids = kernel.text.intern(outputs, references)

    def work(jobs: int) -> Callable[[], object]:
        costs = TerOptions().costs.values()
        return lambda: kernel.align_batch(*ids, costs, 20, 50, jobs, False)

    return statistics.median(
        best(work(1), 3, time.perf_counter) / best(work(2), 3, time.perf_counter)
        for _ in range(rounds)
    )


def wer(pairs: Sequence[Pair], rounds: int) -> float:
    """How much faster WER is than jiwer's, both with alignment."""
    outputs = [" ".join(output) for output, _ in pairs]
    references = [" ".join(reference) for _, reference in pairs]
    assert wer_corpus(outputs, references).edits == round(
        jiwer.wer(references, outputs) * sum(len(reference) for _, reference in pairs)
    )
    theirs = best(lambda: jiwer.process_words(references, outputs), rounds, time.process_time)
    ours = best(lambda: wer_corpus(outputs, references, WerOptions()), rounds, time.process_time)
    return theirs / ours


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", type=int, default=60, help="short segments for slow peers")
    parser.add_argument("--markdown", action="store_true", help="the table alone, in Markdown")
    arguments = parser.parse_args()
    rows: list[tuple[str, str, str]] = []
    missed: list[str] = []

    def judge(name: str, values: Sequence[float], targets: Sequence[float], form: str) -> None:
        rows.append((name, *(form.format(value) for value in values)))  # type: ignore[arg-type]
        for value, target in zip(values, targets, strict=True):
            if value < target:
                missed.append(f"{name}: {form.format(value)}, wanted {form.format(target)}")

    short, long = make(2000, 26, 0.4, 7), make(50, 230, 0.2, 8)
    taken = [core(short, 15), core(long, 9)]
    rows.append(
        ("segments a second", f"{len(short) / taken[0]:,.0f}", f"{len(long) / taken[1]:,.0f}")
    )
    asked = [sacrebleu(short, arguments.peers), sacrebleu(long, 2)]
    peers = [seconds for seconds, _ in asked]
    ratios = [peer / own for peer, own in zip(peers, taken, strict=True)]
    judge("times faster than sacrebleu's core", ratios, [2500, 2000], "{:,.0f}")
    own = [like_sacrebleu(short, asked[0][1], 9), like_sacrebleu(long, asked[1][1], 5)]
    judge(
        "times faster than it with its own numbers",
        [peer / one for peer, one in zip(peers, own, strict=True)],
        [100, 100],
        "{:,.0f}",
    )
    for kind, errors, most in APART:
        name = f"over one Levenshtein a pair, {kind}"
        sizes = make(2000, 26, errors[0], 7), make(50, 233, errors[1], 8)
        found = [over_levenshtein(pairs, 5) for pairs in sizes]
        rows.append((name, *(f"{one:.2f}" for one in found)))
        missed += [
            f"{name}: {one:.2f}, wanted {limit} or less"
            for one, limit in zip(found, most, strict=True)
            if one > limit
        ]
    both = [results(short, 9), results(long, 5)]
    name = "alignments and shifts of all over counts"
    rows.append((name, *(f"{one[0]:.2f}" for one in both)))
    missed += [f"{name}: {one[0]:.2f}, wanted 1.5 or less" for one in both if one[0] > 1.5]
    rows.append(("the same, each read as an object", *(f"{one[1]:.1f}" for one in both)))
    whole = [files(short, 9), files(long, 7)]
    judge(
        "rate from file to file over the core's",
        [own / one for own, one in zip(taken, whole, strict=True)],
        [0.5, 0.5],
        "{:.2f}",
    )
    idle = (os.cpu_count() or 1) - os.getloadavg()[0]
    name = "times faster with two threads" + ("" if idle > 0.7 else " (machine busy)")
    twice = [two_threads(short * 5, 5), two_threads(long * 4, 3)]
    judge(name, twice, [1.8, 1.8] if idle > 0.7 else [0, 0], "{:.2f}")
    judge("times faster than jiwer (WER)", [wer(short, 5), wer(long, 5)], [2, 2], "{:.1f}")

    if arguments.markdown:
        print("| | 2,000 short segments | 50 long ones |\n|---|---|---|")
        for row in rows:
            print("| " + " | ".join(row) + " |")
    else:
        print(f"kernel: {kernel.NAME}")
        for name, *values in rows:
            print(f"{name:<52} {values[0]:>10} {values[1]:>10}")
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
