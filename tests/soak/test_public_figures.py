"""What public runs say of themselves, counted again from their own texts.

MADCAT_STUDIO_PUBLIC names a folder that holds a clone of the public harness; without it the harness
is cloned, which takes git and the network.
"""

from __future__ import annotations

import json
import os
import subprocess
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from madcat_studio.operations.scorecards.rosetta import CardOptions, score_runs
from madcat_studio.scoring.scorecards.rosetta_harness import REPORTED
from tests.soak.needs import need

HARNESS = "gds-mt-eval-harness"
ADDRESS = f"https://github.com/gamedaysuits/{HARNESS}"

ROUNDED = 5e-5
"""The harness writes four digits behind the point, and percents with two."""


def public(tmp_path: Path) -> Path:
    there = os.environ.get("MADCAT_STUDIO_PUBLIC")
    if there:
        return Path(there)
    need("git")
    clone = ["git", "clone", "--quiet", "--depth=1", ADDRESS, str(tmp_path / HARNESS)]
    done = subprocess.run(clone, check=False, capture_output=True, text=True, timeout=600)
    if done.returncode:
        pytest.fail(f"the harness cannot be had: {done.stderr.strip()}")
    return tmp_path


def normalised(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).lower().split())


def same_when_normalised(report: dict[str, Any]) -> float:
    """The share of exact matches as the harness means them; the card compares code points."""
    entries = [one for one in report["entries"] if not one.get("error")]
    same = sum(normalised(one["predicted"]) == normalised(one["expected"]) for one in entries)
    return same / len(entries)


@pytest.mark.soak
def test_public_runs_of_the_harness(tmp_path: Path, record_property) -> None:
    files = sorted(public(tmp_path).rglob("run_*_report.json"))
    assert len(files) >= 4
    counts: Counter[str] = Counter()
    apart: list[str] = []
    for file in files:
        report = json.loads(file.read_text("utf-8"))
        card = score_runs([file], options=CardOptions(compare=False)).result["cards"][0]
        for theirs, ours in REPORTED.items():
            said = report["overall"].get(theirs)
            if said is None:
                continue
            counts["all"] += 1
            found = card["scores"][ours]
            if ours == "exact_match_rate" and found != pytest.approx(said, abs=ROUNDED):
                counts["by their equality alone"] += 1
                found = same_when_normalised(report)
            # Percents have two digits less.
            room = ROUNDED * (100 if ours in ("chrf_plus_plus", "bleu", "ter") else 1)
            if found == pytest.approx(said, abs=room):
                counts["the same"] += 1
            else:
                apart.append(f"{file.name}: {ours} {found}, said {said}")
    record_property("runs", len(files))
    record_property("figures", f"{counts['the same']:,} of {counts['all']:,}")
    record_property("of these only by case and blanks", counts["by their equality alone"])
    assert apart == []
