"""What it costs to tell systems apart, from a pilot and from an earlier phase."""

from __future__ import annotations

import shutil
from math import ceil
from pathlib import Path

import numpy as np
import pytest

from madcat_studio.cli.app import main
from madcat_studio.errors import StudioError, UsageError
from madcat_studio.operations.scores.power import cost_by_earlier
from madcat_studio.paths import resources

DEMO = resources() / "demo"


def write(folder: Path, systems: dict[str, float], documents: int = 25) -> Path:
    """An earlier phase's table: documents of 300 words, two pages for each passage."""
    generator = np.random.default_rng(7)
    hard = generator.gamma(12, 1 / 12, documents)
    lines = ["system\tbase\tpassage\tedits\twords"]
    for system, rate in systems.items():
        for number in range(documents):
            for page in (1, 2):
                edits = generator.poisson(150 * rate * hard[number])
                lines.append(f"{system}\tP{number}_{page}_S1\tp{number}\t{edits}\t150")
    folder.mkdir(exist_ok=True)
    (folder / "hter.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.mark.long
def test_kits_and_teams_follow_from_documents(tmp_path: Path) -> None:
    folder = write(tmp_path / "earlier", {"larch": 0.25, "oak": 0.27})
    cost = cost_by_earlier(folder, 3, systems=3, kit_words=500, kits_a_team=6)
    assert cost.pilot.documents == 25, "pages of a passage are one document"
    assert cost.words == 300
    assert cost.power is not None
    assert cost.kits == ceil(cost.power.documents * 300 * 3 / 500)
    assert cost.teams == ceil(2 * cost.kits / 6)
    told = " ".join(cost.sentences())
    assert "From larch and oak of the earlier phase: 25 source documents" in told
    assert f"{cost.power.documents:,} source documents, {cost.kits:,} kits of 500 words" in told
    assert f"for 3 systems, {cost.teams:,} teams at 6 kits each" in told
    assert f"[{cost.power.low:.0%}, {cost.power.high:.0%}]" in told
    assert "only one system" not in told
    assert "uncertain" not in told
    easier = cost_by_earlier(folder, 6, systems=3)
    assert easier.power is not None
    assert easier.power.documents < cost.power.documents


@pytest.mark.long
def test_what_a_small_pilot_cannot_say_is_said(tmp_path: Path) -> None:
    cost = cost_by_earlier(write(tmp_path / "e", {"larch": 0.25}, documents=8), 4)
    told = " ".join(cost.sentences())
    assert "has only 8 source documents" in told
    assert "only one system" in told


@pytest.mark.parametrize(
    "wrong", [{"wanted": 1.0}, {"wanted": 0.0}, {"kit_words": 0}, {"kits_a_team": 0}]
)
def test_numbers_that_make_no_sense(tmp_path: Path, wrong: dict[str, float]) -> None:
    folder = write(tmp_path / "e", {"larch": 0.25})
    with pytest.raises(UsageError) as caught:
        cost_by_earlier(folder, 2, **wrong)  # type: ignore[arg-type]
    assert caught.value.code == "power.option"


def test_a_table_that_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "hter.tsv").write_text("system\tbase\tpassage\tedits\twords\n")
    with pytest.raises(StudioError) as caught:
        cost_by_earlier(tmp_path, 2)
    assert caught.value.code == "power.pilot"


@pytest.mark.long
def test_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = str(tmp_path / "campaign")
    earlier = Path(shutil.copytree(DEMO / "earlier", tmp_path / "earlier"))
    command = ["campaign", "create", where, "--documents", str(DEMO / "reference")]
    command += ["--corpus", str(DEMO / "corpus.tsv"), "--earlier", str(earlier)]
    assert main([*command, "--system", f"juniper={DEMO / 'systems/juniper_1'}"]) == 0
    capsys.readouterr()
    asked = ["campaign", "power", where, "--points", "8", "--systems", "2"]
    assert main(asked) == 0
    said = capsys.readouterr().out
    assert "From larch of the earlier phase" in said
    assert "teams at 8 kits each" in said
    assert "documents  power" in said
    assert main(asked) == 0
    assert capsys.readouterr().out == said, "the seed decides"
    assert main([*asked[:3], "--points", "0"]) == 2
    assert "[power.difference]" in capsys.readouterr().err
