"""Transcripts of recognisers against sclite itself, with new random ones each time.

``python3 run.py soak -k sclite`` (``apt-get install sctk``). What sclite counted once in 2,000
pairs is among the everyday tests (``tests/ter/test_alternatives.py``).
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from madcat_ter.options import WerOptions
from madcat_ter.transcripts import by_segment, read_ctm, read_stm, read_trn
from madcat_ter.wer import WerResult, wer, wer_corpus
from tests.soak.needs import need

WORDS = ["a", "b", "c", "d", "don't", "xy", "كتاب", "مدينة", "Abc"]
CASES = 2_000
SCORES = re.compile(
    r"^id: \((.+)\)\n(?:.+\n)*?Scores: \(#C #S #D #I\) (\d+) (\d+) (\d+) (\d+)$", re.M
)


def a_text(rng: random.Random, longest: int, depth: int = 2) -> str:
    """Words, words that may be left out, and alternations, which hold such texts in turn."""
    pieces = []
    for _ in range(rng.randrange(longest)):
        word, kind = rng.choice(WORDS), rng.random()
        if depth and kind < 0.2:
            ways = [a_text(rng, 4, depth - 1) or "@" for _ in range(rng.randrange(2, 5))]
            gap = rng.choice(["", " "])
            pieces.append(f"{{{gap}{f' /{gap}'.join(ways)} }}")
        elif kind < 0.3:
            pieces.append(f"({word})")
        else:
            pieces.append(word)
    return " ".join(pieces)


def sclite(folder: Path, optional: bool, form: str, *more: str) -> dict[str, list[int]]:
    """What it counts in each segment: correct, substituted, left out, put in."""
    program = need("sctk")
    leave_out = ["-D"] if optional else []
    reference, output = ("trn", "trn") if form == "trn" else ("stm", "ctm")
    done = subprocess.run(
        [
            *(program, "sclite", "-s", *leave_out, *more, "-o", "pra", "stdout"),
            *("-r", str(folder / "reference"), reference, "-h", str(folder / "output"), output),
        ],
        check=True,
        capture_output=True,
    )
    told = SCORES.findall(done.stdout.decode("utf-8"))
    return {name: [int(count) for count in counts] for name, *counts in told}


def counts(result: WerResult) -> list[int]:
    return [result.matches, result.substitutions, result.deletions, result.insertions]


@pytest.mark.soak
@pytest.mark.parametrize("optional", [False, True], ids=["as they are", "-D"])
def test_soak_a_thousand_pairs_are_counted_as_sclite_does(
    optional: bool, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    seed = random.SystemRandom().randrange(10**9)
    rng = random.Random(seed)
    record_property("seed", seed)
    sides: dict[str, list[str]] = {"output": [], "reference": []}
    for _ in range(CASES // 2):
        for side in sides.values():
            side.append(a_text(rng, 12, rng.randrange(3)))
    for name, texts in sides.items():
        lines = [f"{text} (s_{number})\n" for number, text in enumerate(texts)]
        (tmp_path / name).write_text("".join(lines), "utf-8")
    wanted = sclite(tmp_path, optional, "trn", "-i", "rm")
    options = WerOptions(nist=True, alternatives="optional" if optional else "read")
    read = {name: read_trn((tmp_path / name).read_text("utf-8")) for name in sides}
    outputs = [text for _, text in read["output"]]
    found = wer_corpus(outputs, [text for _, text in read["reference"]], options)
    names = [name for name, _ in read["reference"]]
    got = dict(zip(names, map(counts, found.segments), strict=True))
    record_property("pairs", len(got))
    record_property("words", int(found.words))
    assert len(wanted) == CASES // 2
    assert {n: (wanted[n], got[n]) for n in wanted if wanted[n] != got[n]} == {}


@pytest.mark.soak
@pytest.mark.parametrize("optional", [False, True], ids=["as they are", "-D"])
def test_soak_timed_words_go_where_sclite_has_them(
    optional: bool, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    seed = random.SystemRandom().randrange(10**9)
    rng = random.Random(seed)
    record_property("seed", seed)
    segments, words, at = [], [], 0.0
    for number in range(CASES // 4):
        end = at + rng.randrange(100, 500) / 100
        text = a_text(rng, 10, rng.randrange(3))
        segments.append(f"talk A spk{number % 3} {at:.2f} {end:.2f} <o> {text}\n")
        moment = at
        while (moment := moment + rng.randrange(10, 120) / 100) < end:
            words.append(f"talk A {moment:.2f} 0.10 {rng.choice(WORDS)}\n")
        at = end
    (tmp_path / "reference").write_text("".join(segments), "utf-8")
    (tmp_path / "output").write_text("".join(words), "utf-8")
    wanted = sclite(tmp_path, optional, "stm")
    options = WerOptions(nist=True, alternatives="optional" if optional else "read")
    joined = by_segment(read_stm("".join(segments)), read_ctm("".join(words)))
    got = {name: counts(wer(output, reference, options)) for name, output, reference in joined}
    record_property("segments", len(got))
    assert len(wanted) == CASES // 4
    assert {n: (wanted[n], got.get(n)) for n in wanted if wanted[n] != got.get(n)} == {}
