"""Tracks are planned, edited, shown and scored apart, and nothing is summed over two."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.errors import InputError, StudioError, UsageError
from madcat_studio.model.campaign import Kit, KitItem
from madcat_studio.operations.campaign.board import read_board
from madcat_studio.operations.campaign.edits_table import import_edits
from madcat_studio.operations.campaign.filling import add_system, create
from madcat_studio.operations.campaign.follow import read_agreement
from madcat_studio.operations.checked import Refused
from madcat_studio.operations.corpus.from_names import CORPUS_COLUMNS
from madcat_studio.operations.planning.draft import read_draft, write_draft
from madcat_studio.operations.planning.proposal import propose_draft
from madcat_studio.operations.planning.tables import import_plan
from madcat_studio.operations.scores.evaluation import evaluate
from madcat_studio.operations.scores.evidence import write_campaign_evidence
from madcat_studio.operations.scores.power import cost_by_pilot
from madcat_studio.operations.scores.report import (
    Format,
    open_report,
    read_tracks,
    write_campaign_report,
)
from madcat_studio.planning.units import KitRules, UnitKey
from madcat_studio.store import open_campaign

TRACKS = {"go-no-go": 3, "challenge": 2}  # passages of each
RULES = KitRules(target=8, tolerance=0.6)


def document(base: str, translation: str) -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<madcat version="2009.1"><doc id="{base}" '
        f'src="{base}.tif" type="newswire" nbpages="1"><writer id="S1"/><image/><content>'
        '<section id="sec1"><segment id="s1"><transcription>بيت</transcription>'
        f"<translation>{translation}</translation></segment></section></content></doc></madcat>\n"
    )


def corpus(folder: Path, rows: list[tuple[str, ...]]) -> Path:
    table = folder / "corpus.tsv"
    lines = ["\t".join(row) for row in (CORPUS_COLUMNS, *rows)]
    table.write_text("\n".join(lines) + "\n", "utf-8")
    return table


@pytest.fixture(scope="module")
def _planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five passages of four words in two tracks, two systems and four teams, planned.

    The output of alpha needs one edit in each passage, that of beta one in a challenge passage and
    two in the others.
    """
    folder = tmp_path_factory.mktemp("planned")
    for name in ("refs", "alpha", "beta"):
        (folder / name).mkdir()
    rows = []
    for track, count in TRACKS.items():
        for number in range(count):
            base = f"{track}.{number}_1_S1"
            passage = f"{track}.{number}"
            rows.append((base, passage, passage, base, "1", "S1", "exposed", "evaluation", track))
            right = "the house is old"
            worse = "my hut is old" if track == "go-no-go" else "a house is old"
            for place, suffix, text in (
                ("refs", "", right),
                ("alpha", ".linesys", "the hut is old"),
                ("beta", ".linesys", worse),
            ):
                path = folder / place / f"{base}{suffix}.madcat.xml"
                path.write_text(document(base, text), "utf-8")
    where = str(folder / "campaign")
    create(where, corpus=corpus(folder, rows), documents=folder / "refs")
    for name in ("alpha", "beta"):
        add_system(where, name=name, outputs=folder / name)
    teams = folder / "teams.tsv"
    people = "".join(f"T{team}\te{team}{one}\t\n" for team in range(1, 5) for one in "ab")
    teams.write_text(f"team\teditor\tname\n{people}", "utf-8")
    import_plan(where, teams=teams)
    write_draft(where, propose_draft(where, rules=RULES, steps=2000))
    return folder


@pytest.fixture
def planned(_planned: Path, tmp_path: Path) -> str:
    shutil.copytree(_planned, tmp_path, dirs_exist_ok=True)
    return str(tmp_path / "campaign")


@pytest.fixture(scope="module")
def _edited(_planned: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, and every text is edited."""
    folder = tmp_path_factory.mktemp("edited")
    shutil.copytree(_planned, folder, dirs_exist_ok=True)
    where = str(folder / "campaign")
    edits = folder / "edits.tsv"
    lines = ["kit\tteam\tpass\teditor\tsegment\tstate\ttext"]
    with open_campaign(where) as opened:
        parts = opened.plans.assignments()
        bases = {kit.name: [item.base for item in kit.items] for kit in opened.plans.kits()}
    for part in parts:
        for pass_, editor in (("first", part.first), ("review", part.reviewer)):
            lines += [
                f"{part.kit}\t{part.team}\t{pass_}\t{editor}\t{base}/s1\tconfirmed\t"
                "the house is old"
                for base in bases[part.kit]
            ]
    edits.write_text("\n".join(lines) + "\n", "utf-8")
    import_edits(where, edits)
    return folder


@pytest.fixture
def campaign(_edited: Path, tmp_path: Path) -> str:
    shutil.copytree(_edited, tmp_path, dirs_exist_ok=True)
    return str(tmp_path / "campaign")


def rates(where: str, track: str) -> dict[str, tuple[object, object, object]]:
    with open_report(where, track=track) as (report, _):
        assert report.track == track
        return {
            str(row["system"]): (row["edits"], row["words"], row["clusters"])
            for row in report.table("systems").records()
        }


def test_a_proposal_keeps_tracks_apart(campaign: str) -> None:
    kits = read_draft(campaign).kits
    assert {kit.track for kit in kits} == set(TRACKS)
    for kit in kits:
        assert {unit.track for unit in kit.units} == {kit.track}
    assert sum(len(kit.units) for kit in kits) == 10


def test_each_track_has_figures_of_its_own(campaign: str) -> None:
    assert read_tracks(campaign) == ("challenge", "go-no-go")
    assert rates(campaign, "go-no-go") == {"alpha": (3, 12, 3), "beta": (6, 12, 3)}
    assert rates(campaign, "challenge") == {"alpha": (2, 8, 2), "beta": (2, 8, 2)}


def test_nothing_is_reported_over_two_tracks(campaign: str) -> None:
    with pytest.raises(UsageError) as several, open_report(campaign):
        pass
    assert several.value.code == "report.several-tracks"
    assert "challenge, go-no-go" in str(several.value)
    with pytest.raises(UsageError) as none, open_report(campaign, track="third"):
        pass
    assert none.value.code == "report.no-track"


@pytest.mark.long
def test_each_track_is_written_into_a_folder_of_its_own(campaign: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    files, _ = write_campaign_report(campaign, out, formats=[Format.JSON])
    assert files == [out / "challenge" / "hter.json", out / "go-no-go" / "hter.json"]
    titles = [json.loads(path.read_text("utf-8"))["title"] for path in files]
    assert titles == ["campaign, challenge", "campaign, go-no-go"]
    evidence = write_campaign_evidence(campaign, tmp_path / "evidence")
    assert {path.parent.name for path in evidence.files} == set(TRACKS)
    (one,), _ = write_campaign_report(
        campaign, tmp_path / "one", formats=[Format.JSON], track="challenge"
    )
    assert one == tmp_path / "one" / "hter.json"


@pytest.mark.long
def test_the_commands_show_each_track(campaign: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["campaign", "score", campaign, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)["tracks"]
    found = {
        track: {row["system"]: row["edits"] for row in one["tables"]["systems"]}
        for track, one in told.items()
    }
    assert found == {
        "challenge": {"alpha": 2, "beta": 2},
        "go-no-go": {"alpha": 3, "beta": 6},
    }
    assert main(["campaign", "score", campaign, "--track", "go-no-go"]) == 0
    shown = capsys.readouterr().out
    assert "campaign, go-no-go: HTER" in shown
    assert "challenge" not in shown
    for command in ("kits", "status"):
        assert main(["campaign", command, campaign]) == 0
        assert "· challenge" in capsys.readouterr().out
    assert main(["campaign", "score", campaign, "--track", "third"]) == 2
    assert "report.no-track" in capsys.readouterr().err


def test_the_board_and_agreement_know_tracks(campaign: str) -> None:
    board = read_board(campaign)
    assert board.tracks == ("challenge", "go-no-go")
    of_kits = {kit.name: kit.track for kit in read_draft(campaign).kits}
    assert {row.kit: row.track for row in board.rows} == of_kits
    found = read_agreement(campaign)
    assert found.summary.columns[0].key == "track"
    assert {row[0] for row in found.summary.rows} == set(TRACKS)
    assert found.compared == 10


def test_an_evaluation_has_hter_of_each_track(campaign: str) -> None:
    folder = Path(campaign).parent
    report = evaluate(folder / "refs", [folder / "alpha", folder / "beta"], campaign=campaign)
    found = {
        (row["metric"], row["track"], row["system"]): (row["edits"], row["words"])
        for row in report.table("tasks").records()
        if row["metric"] != "WER"
    }
    assert found == {
        (metric, track, system): (edits, words)
        for metric in ("HTER", "TER")
        for track, system, edits, words in (
            ("challenge", "alpha", 2, 8),
            ("challenge", "beta", 2, 8),
            ("go-no-go", "alpha", 3, 12),
            ("go-no-go", "beta", 6, 12),
        )
    }
    compared = {row["track"] for row in report.table("comparisons").records()}
    assert compared == set(TRACKS)


def test_the_power_is_reckoned_from_one_track(campaign: str) -> None:
    with pytest.raises(StudioError) as caught:
        cost_by_pilot(campaign, 2.0, track="challenge")  # two passages are no pilot
    assert caught.value.code == "power.pilot"


def test_a_kit_never_holds_two_tracks(planned: str) -> None:
    draft = read_draft(planned)
    here = next(kit for kit in draft.kits if kit.track == "challenge" and len(kit.units) > 1)
    there = next(kit for kit in draft.kits if kit.track == "go-no-go")
    unit = here.units[0]
    with pytest.raises(InputError) as refused:
        draft.with_unit_moved(UnitKey(unit.system, unit.manuscript), there.name)
    assert refused.value.code == "planning.tracks-in-kit"
    items = tuple(KitItem("alpha", f"{track}.0_1_S1") for track in TRACKS)
    with open_campaign(planned) as opened:
        for kit in draft.kits:
            opened.plans.remove_kit(kit.name)
        for practice in (True, False):
            with pytest.raises(InputError) as caught:
                opened.plans.plan_kit(Kit("MIXED", items, practice=practice))
            assert caught.value.code == "store.tracks-mixed"
        assert opened.plans.kits() == ()


def test_what_a_corpus_table_says_of_tracks_is_checked(tmp_path: Path) -> None:
    (tmp_path / "refs").mkdir()
    rows = []
    for base, passage, track in (
        ("a_1_S1", "a", "Go/No-Go"),
        ("b_1_S1", "b", "go-no-go"),
        ("b_1_S2", "b", " challenge "),
    ):
        path = tmp_path / "refs" / f"{base}.madcat.xml"
        path.write_text(document(base, "the house"), "utf-8")
        scribe = base[-2:]
        rows.append((base, passage, passage, base, "1", scribe, "exposed", "evaluation", track))
    with pytest.raises(Refused) as caught:
        create(
            str(tmp_path / "campaign"), corpus=corpus(tmp_path, rows), documents=tmp_path / "refs"
        )
    errors = [one.code for one in caught.value.problems if one.severity.name == "ERROR"]
    assert errors == ["corpus.track-alike", "corpus.passage-tracks"]
