"""Control, progress and evaluation passages, chosen and kept for the planner."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.errors import InputError, UsageError
from madcat_studio.model.campaign import (
    CampaignDocument,
    CampaignSegment,
    DataSet,
    EarlierScore,
    Editor,
    System,
    Team,
)
from madcat_studio.operations.planning.proposal import propose_draft
from madcat_studio.operations.planning.selection import (
    keep_selection,
    select_from_tables,
    select_set,
    write_selection,
)
from madcat_studio.operations.planning.units import campaign_units
from madcat_studio.planning.units import KitRules
from madcat_studio.store import create_campaign, open_campaign

WORDS = " ".join(f"w{n}" for n in range(20))


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("prepared") / "campaign")


def make(folder: Path, *, tracks: tuple[str, ...] = ("",)) -> Path:
    """40 old passages (10 of them sequestered), 12 new ones; one old and one new system."""
    draw = random.Random(5)
    with create_campaign(folder, "Selecting") as campaign, campaign.transaction():
        campaign.contents.add_system(System("New", "X1"))
        campaign.contents.add_system(System("Old", "X2", earlier=True))
        for number in range(52):
            data_set = (
                DataSet.PROGRESS if number < 10
                else DataSet.CONTROL if number < 40
                else DataSet.EVALUATION
            )  # fmt: skip
            base = f"d{number}_1_S1"
            campaign.contents.add_document(
                CampaignDocument(
                    base=base,
                    source_document=f"d{number}",
                    passage=f"p{number}",
                    manuscript=f"m{number}",
                    page="1",
                    scribe="S1",
                    exposure="exposed",
                    data_set=data_set,
                    track=tracks[number // 2 % len(tracks)],
                    genre="web" if number % 2 else "newswire",
                    sha256="",
                ),
                b"<madcat/>",
                [CampaignSegment("s1", "1", "نص", WORDS, 1, 20)],
            )
            wrong = draw.randrange(12)
            output = " ".join([*(["x"] * wrong), *WORDS.split()[wrong:]])
            if data_set is not DataSet.CONTROL:
                campaign.contents.add_output("New", base, b"<out/>", {"s1": output})
            if data_set is not DataSet.EVALUATION:
                campaign.contents.add_output("Old", base, b"<out/>", {"s1": output})
                campaign.earlier.add_scores([EarlierScore("Old", base, f"p{number}", wrong, 20)])
        for team in ("red", "blue", "green"):
            campaign.plans.add_team(Team(team, (Editor(f"{team}1"), Editor(f"{team}2"))))
    return folder


@pytest.fixture
def where(prepared: Path, tmp_path: Path) -> str:
    """A copy of it."""
    return str(shutil.copytree(prepared, tmp_path / "campaign"))


def chosen_in(where: str) -> dict[DataSet, tuple[str, ...]]:
    with open_campaign(where, read_only=True) as campaign:
        return {one.data_set: one.passages for one in campaign.selections.latest()}


def test_a_tenth_is_the_control_set_and_only_that_is_planned(where: str) -> None:
    selected = select_set(where, DataSet.CONTROL)
    assert len(selected.selection.chosen) == 4
    assert selected.candidates == 30
    assert selected.selection.match.target == 40
    assert "HTER" in selected.sentences()[1]
    with open_campaign(where, read_only=True) as campaign:
        assert not campaign.selections.chosen(), "nothing is kept before it is said"
        # Without a choice nothing of the earlier phase is planned.
        assert not any(one.data_set == "control" for one in campaign_units(campaign))
    keep_selection(where, selected)
    chosen = {one.passage for one in selected.selection.chosen}
    draft = propose_draft(where, rules=KitRules(60, 0.5), steps=2_000)
    units = [one for kit in draft.kits for one in kit.units]
    control = [one for one in units if one.data_set == "control"]
    assert {one.passage for one in control} == chosen
    assert {one.system for one in control} == {"Old"}
    assert {one.system for one in units if one.data_set == "progress"} == {"New"}
    assert sum(one.data_set == "progress" for one in units) == 10, "without a choice, all"
    assert set(chosen_in(where)[DataSet.CONTROL]) == chosen


def test_progress_and_evaluation_passages_match_too(where: str) -> None:
    progress = select_set(where, DataSet.PROGRESS, count=5, seed=2)
    assert {int(one.passage[1:]) for one in progress.selection.chosen} <= set(range(10))
    evaluation = select_set(where, DataSet.EVALUATION, count=3, per_genre=True)
    assert evaluation.measure == "TER"
    assert [one.genre for one in evaluation.selection.chosen] == ["newswire"] * 3 + ["web"] * 3
    # The outputs differ from the references by words alone: TER is what was made.
    assert all(one.edits == int(one.edits) and one.words == 20 for one in
               evaluation.selection.target)  # fmt: skip
    assert evaluation.selection.match.target == 40


@pytest.mark.long
def test_a_choice_is_written_and_told_and_forgotten(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    command = ["campaign", "select", where, "control", "--count", "6"]
    assert main([*command, "--out", str(out), "--dry-run"]) == 0
    assert "Nothing was kept" in capsys.readouterr().out
    page = (out / "selection.html").read_text(encoding="utf-8")
    assert "Kolmogorov-Smirnov D" in page
    assert "<svg" in page
    details = json.loads((out / "selection.json").read_text(encoding="utf-8"))
    assert len(details["chosen"]) == 6
    names = (out / "passages.txt").read_text(encoding="utf-8").split()
    assert names == [one["passage"] for one in details["chosen"]]
    assert main(command) == 0
    assert "are planned from now on" in capsys.readouterr().out
    assert main(command) == 0
    assert "were chosen already" in capsys.readouterr().out
    assert main(["campaign", "select", where, "control", "--all"]) == 0
    assert chosen_in(where) == {}
    for wrong in (["training"], ["nothing"], ["progress"], ["control", "--share", "3"],
                  ["evaluation", "--count", "2", "--system", "no"]):  # fmt: skip
        assert main(["campaign", "select", where, *wrong]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_kits_that_hold_other_passages_are_named(where: str) -> None:
    from madcat_studio.operations.planning.draft import write_draft

    keep_selection(where, select_set(where, DataSet.CONTROL, count=20, seed=3))
    write_draft(where, propose_draft(where, rules=KitRules(60, 0.5), steps=2_000))
    done = keep_selection(where, select_set(where, DataSet.CONTROL))
    assert "Plan the unclaimed ones again" in done[1]


def table(path: Path, rows: list[tuple[str, str, object, object]]) -> Path:
    lines = ["passage\tgenre\tedits\twords", *("\t".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_tables_serve_before_there_is_a_campaign(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    earlier = table(tmp_path / "e.tsv", [(f"e{n}", "web", n, 50) for n in range(20)])
    rows = [(f"c{n}", "web", n % 25, 50) for n in range(60)] + [("e3", "web", 3, 50)]
    candidates = table(tmp_path / "c.tsv", rows)
    selected = select_from_tables(candidates, earlier, count=10)
    assert all(one.passage.startswith("c") for one in selected.selection.chosen), "used before"
    assert selected.selection.match.distance <= 0.15
    with pytest.raises(UsageError):
        keep_selection(str(tmp_path), selected)
    assert len(write_selection(selected, tmp_path / "out")) == 6
    twice = table(tmp_path / "t.tsv", [("c1", "web", 1, 50), ("c1", "web", 3, 50)])
    (one,) = select_from_tables(twice, earlier, count=1).selection.chosen
    assert (one.edits, one.words) == (4, 100)
    for bad in ([("c1", "web", "many", 50)], [("c1", "web", "nan", 50)], [("c1", "web", -1, 50)]):
        assert main(["campaign", "select-passages", str(table(tmp_path / "b.tsv", bad)),
                     str(earlier), "--out", str(tmp_path / "o"), "--count", "1"]) == 2  # fmt: skip
    with pytest.raises(InputError):
        select_from_tables(candidates, earlier, count=100)
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.long
def test_tracks_are_chosen_each_for_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A choice of one track leaves what is planned of the other as it was."""
    where = str(make(tmp_path / "campaign", tracks=("challenge", "go-no-go")))
    tracks = {f"p{n}": ("challenge", "go-no-go")[n // 2 % 2] for n in range(52)}
    with pytest.raises(UsageError) as caught:
        select_set(where, DataSet.CONTROL)
    assert caught.value.code == "select.track"
    assert caught.value.remedy == "Name one by --track: challenge, go-no-go"
    with pytest.raises(UsageError) as caught:
        select_set(where, DataSet.CONTROL, track="third")
    assert caught.value.code == "select.track"
    first = select_set(where, DataSet.CONTROL, track="challenge")
    # A tenth of the twenty passages of then that are of this track.
    assert len(first.selection.chosen) == 2
    assert {tracks[one.passage] for one in first.selection.chosen} == {"challenge"}
    assert {tracks[one.passage] for one in first.selection.target} == {"challenge"}
    assert "track challenge, seed 1" in first.sentences()[0]
    assert keep_selection(where, first) == (
        "2 passages of track challenge of the control set are planned from now on",
    )
    own = {one.passage for one in first.selection.chosen}
    assert set(chosen_in(where)[DataSet.CONTROL]) == own
    second = select_set(where, DataSet.CONTROL, count=3, track="go-no-go")
    keep_selection(where, second)
    other = {one.passage for one in second.selection.chosen}
    assert set(chosen_in(where)[DataSet.CONTROL]) == own | other
    # Without a choice all evaluation passages are planned: those of the other track still are.
    command = ["campaign", "select", where, "evaluation", "--count", "2", "--track", "challenge"]
    assert main(command) == 0
    assert "2 passages of track challenge of the evaluation set are" in capsys.readouterr().out
    kept = chosen_in(where)[DataSet.EVALUATION]
    assert {one for one in kept if tracks[one] == "go-no-go"} == {
        f"p{n}" for n in range(40, 52) if tracks[f"p{n}"] == "go-no-go"
    }
    assert sum(tracks[one] == "challenge" for one in kept) == 2
