"""Texts that make the search for shifts as hard as it gets, and how the start of a command weighs.

    python benchmarks/bench_hard.py [--lengths 100,500,1000] [--markdown]

Random words of few and of many kinds, unrelated text, the reference shuffled, reversed, in blocks,
characters as words, words left out: seconds of the processor, with the usual beam. The exit status
is 1 where a pair of 500 words takes more than 1 s or one of 1,000 more than 10 s, where a pair of
10,000 words, the most there may be, is not told beforehand or goes on for more than 2 s after
Ctrl+C, or where `tercom`, `ter` or `wer` on a line take more than 1.4 times an import of the
scoring module.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from madcat_ter.ter import ter_words

MOST = {500: 1.0, 1000: 10.0}
MOST_OF_AN_IMPORT = 1.4
LONGEST = 10_000
PROMPTLY = 2.0
LETTERS = "eeeeeeetttttaaaaooooiiiinnnssssrrrhhhllddcuumwfgypbvk       "

Words = list[str]


def of_kinds(kinds: int) -> Callable[[random.Random, int], tuple[Words, Words]]:
    def make(rng: random.Random, count: int) -> tuple[Words, Words]:
        words = [[str(rng.randrange(kinds)) for _ in range(count)] for _ in range(2)]
        return words[0], words[1]

    return make


def text(rng: random.Random, count: int) -> Words:
    """Words as frequent as in natural text."""
    return [
        str(word)
        for word in rng.choices(range(8000), [1 / (k + 2.7) for k in range(8000)], k=count)
    ]


def unrelated(rng: random.Random, count: int) -> tuple[Words, Words]:
    return text(rng, count), text(rng, count)


def shuffled(rng: random.Random, count: int) -> tuple[Words, Words]:
    reference = text(rng, count)
    return rng.sample(reference, count), reference


def turned(rng: random.Random, count: int) -> tuple[Words, Words]:
    reference = text(rng, count)
    return reference[::-1], reference


def in_blocks(rng: random.Random, count: int) -> tuple[Words, Words]:
    reference = text(rng, count)
    blocks = [reference[at : at + 7] for at in range(0, count, 7)]
    rng.shuffle(blocks)
    return [word for block in blocks for word in block], reference


def characters(rng: random.Random, count: int) -> tuple[Words, Words]:
    return rng.choices(LETTERS, k=count), rng.choices(LETTERS, k=count)


def left_out(rng: random.Random, count: int) -> tuple[Words, Words]:
    reference = text(rng, count)
    output = list(reference)
    del output[count // 3 : count // 3 + 30]
    for _ in range(count // 10):
        output[rng.randrange(len(output))] = "new"
    return output, reference


KINDS: dict[str, Callable[[random.Random, int], tuple[Words, Words]]] = {
    **{f"random words of {kinds:,} kinds": of_kinds(kinds) for kinds in (2, 20, 200, 1000)},
    "unrelated text": unrelated,
    "shuffled": shuffled,
    "reversed": turned,
    "blocks of 7 shuffled": in_blocks,
    "characters as words": characters,
    "30 words left out, a tenth changed": left_out,
}


def start_ups() -> tuple[float, dict[str, float]]:
    """Seconds of the processor: an import of the scoring module, and each command on a line."""

    def seconds(*arguments: str) -> float:
        found = []
        for _ in range(7):
            before = os.times()
            subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
            after = os.times()
            found.append(
                after.children_user
                + after.children_system
                - before.children_user
                - before.children_system
            )
        return min(found)

    with tempfile.TemporaryDirectory() as folder:
        line, trans = Path(folder, "line"), Path(folder, "trans")
        line.write_text("a b c\n", encoding="utf-8")
        trans.write_text("a b c (1)\n", encoding="utf-8")
        commands = {
            "tercom": ["-s", "-r", str(trans), "-h", str(trans)],
            "ter": [str(line), str(line)],
            "wer": [str(line), str(line)],
        }
        return seconds("-c", "import madcat_ter.ter"), {
            name: seconds("-m", "madcat_studio", name, *arguments)
            for name, arguments in commands.items()
        }


def longest() -> tuple[str, float]:
    """A pair of the longest texts: what is said beforehand, and seconds from Ctrl+C to the end."""
    sides = unrelated(random.Random(LONGEST), LONGEST)
    with tempfile.TemporaryDirectory() as folder:
        names = [str(Path(folder, name)) for name in ("output", "reference")]
        for name, words in zip(names, sides, strict=True):
            Path(name).write_text(" ".join(words) + "\n", encoding="utf-8")
        command = [sys.executable, "-m", "madcat_studio", "ter", *names]
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as running:
            assert running.stderr is not None
            said = running.stderr.readline().strip()
            time.sleep(3)
            assert running.poll() is None, f"it ended by itself: {said}"
            pressed = time.monotonic()
            running.send_signal(signal.SIGINT)
            running.stderr.read()
        return said, time.monotonic() - pressed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lengths", default="100,500,1000")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()
    lengths = [int(one) for one in arguments.lengths.split(",")]
    missed: list[str] = []

    def show(name: str, cells: Sequence[str]) -> None:
        if arguments.markdown:
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
        else:
            print(f"{name:<36}" + "".join(f"{cell:>12}" for cell in cells), flush=True)

    show("seconds", [f"{length:,} words" for length in lengths])
    if arguments.markdown:
        print("|---" * (len(lengths) + 1) + "|")
    for name, make in KINDS.items():
        cells = []
        for length in lengths:
            output, reference = make(random.Random(length), length)
            start = time.process_time()
            ter_words(output, [reference])
            taken = time.process_time() - start
            cells.append(f"{taken:.3f}")
            if taken > MOST.get(length, taken):
                missed.append(f"{name}, {length} words: {taken:.2f} s, wanted {MOST[length]} s")
        show(name, cells)
    said, ending = longest()
    print(f"\n{LONGEST:,} words: {said}\nended {ending:.2f} s after Ctrl+C")
    if "Ctrl+C stops it" not in said:
        missed.append(f"{LONGEST:,} words: not told beforehand, but {said!r}")
    if ending > PROMPTLY:
        missed.append(f"{LONGEST:,} words: ended {ending:.1f} s after Ctrl+C, wanted {PROMPTLY} s")
    own, commands = start_ups()
    print(f"\nan import of the scoring module: {own:.2f} s")
    for name, taken in commands.items():
        print(f"{name} on a line: {taken:.2f} s, {taken / own:.2f} of an import")
        if taken > MOST_OF_AN_IMPORT * own:
            missed.append(f"{name}: {taken / own:.2f} of an import, wanted {MOST_OF_AN_IMPORT}")
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
