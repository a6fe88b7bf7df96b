"""The commands `campaign score` and `campaign report` on a small campaign in a folder."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from madcat_studio.cli.app import main
from madcat_studio.errors import UsageError
from madcat_studio.model.campaign import (
    Assignment,
    CampaignDocument,
    CampaignSegment,
    DataSet,
    Editor,
    Kit,
    KitItem,
    Pass,
    SegmentName,
    System,
    Team,
    new_id,
)
from madcat_studio.model.visits import Event, EventKind, Visit
from madcat_studio.operations.campaign.edits_table import import_edits
from madcat_studio.operations.scores.hands import hands_table
from madcat_studio.operations.scores.options import scoring_options
from madcat_studio.reports.csv_tables import read_csv
from madcat_studio.store import Campaign, create_campaign, open_campaign
from madcat_ter.options import TerOptions

BASE = "A.x_1_S1"
# segment: output, final of red, final of blue. red: 1/5 + 0/2; blue: 1/4 + 1/3.
#   s1 The cat sat .  red The cat sat down .: 1/5   blue A cat sat .: 1/4     red, 1/5
#   s2 all well       red unchanged: 0/2             blue all is well: 1/3     red, 0/2
TEXTS = {
    "s1": ("The cat sat .", "The cat sat down .", "A cat sat ."),
    "s2": ("all well", "all well", "all is well"),
}


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reported") / "حملة"
    with create_campaign(folder, "Small") as campaign:
        campaign.contents.add_document(
            CampaignDocument(
                base=BASE,
                source_document="docA",
                passage="A",
                manuscript="A1",
                page="1",
                scribe="S1",
                exposure="exposed",
                data_set=DataSet.EVALUATION,
                track="",
                genre="newswire",
                sha256="",
            ),
            b"<madcat/>",
            [
                CampaignSegment("s1", "1", "جملة", "The cat sat down .", 1, 5),
                CampaignSegment("s2", "1", "كلمة", "all is well", 1, 3),
            ],
        )
        campaign.contents.add_document(
            CampaignDocument(
                base="B.x_1_S1",
                source_document="docB",
                passage="B",
                manuscript="B1",
                page="1",
                scribe="S1",
                exposure="exposed",
                data_set=DataSet.EVALUATION,
                track="",
                genre="web",
                sha256="",
            ),
            b"<madcat>B</madcat>",
            [CampaignSegment("s1", "1", "بيت", "a house", 1, 2)],
        )
        campaign.contents.add_system(System("Alpha", "T1"))
        campaign.contents.add_output("Alpha", "B.x_1_S1", b"<madcat>b</madcat>", {"s1": "house"})
        campaign.contents.add_output(
            "Alpha", BASE, b"<madcat/>", {name: text[0] for name, text in TEXTS.items()}
        )
        for team in ("red", "blue"):
            editors = (Editor(f"{team}1", "Ann"), Editor(f"{team}2", "Bob"))
            campaign.plans.add_team(Team(team, editors))
        campaign.plans.plan_kit(Kit("K1", (KitItem("Alpha", BASE),)))
        teams = [Assignment("K1", team, f"{team}1", f"{team}2") for team in ("red", "blue")]
        campaign.plans.assign("K1", teams)
    lines = ["kit\tteam\tpass\teditor\tsegment\tstate\ttext"]
    for index, team in enumerate(("red", "blue"), start=1):
        for pass_, number in (("first", 1), ("review", 2)):
            lines += [
                f"K1\t{team}\t{pass_}\t{team}{number}\t{BASE}/{name}\tconfirmed\t{texts[index]}"
                for name, texts in TEXTS.items()
            ]
    table = folder.parent / "edits.tsv"
    table.write_text("\n".join(lines) + "\n", "utf-8")
    import_edits(str(folder), table)
    return folder


def test_score_shows_the_systems(where: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["campaign", "score", str(where), "--by", "team"]) == 0
    shown = capsys.readouterr()
    assert "Small: HTER, final" in shown.out
    rows = [line.split() for line in shown.out.splitlines() if line.startswith("  Alpha ")]
    assert [row[:6] for row in rows] == [["Alpha", "2", "1", "7", "14.29", "%"]]
    # The verdict stands before every table.
    verdict = shown.out.partition("Systems")[0]
    assert "1. Alpha: HTER 14.3 %, over 1 source document." in verdict
    assert "Worst lines:" in verdict
    assert "HTER|version:" in shown.out
    assert shown.err == ""


@pytest.mark.long
def test_report_prints_where_its_files_are(
    where: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "reports" / "تقرير"
    arguments = ["--out", str(out), "--denominator", "reference", "--formats", "csv,json,html,xlsx"]
    assert main(["campaign", "report", str(where), *arguments]) == 0
    files = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert sorted(files) == sorted(out.iterdir())
    data = json.loads((out / "hter.json").read_text("utf-8"))
    systems = next(table for table in data["tables"] if table["name"] == "systems")
    # r = 5 + 3 words; s1: 1/5 both, a tie; s2: 0/3.
    (row,) = systems["rows"]
    assert (row["edits"], row["words"], row["hter"], row["hter_chosen"]) == (1, 8, 1 / 8, 1 / 7)
    assert row["ties"] == 1
    rows = list(read_csv(out / "segments.csv"))
    assert [row["team_1_reviewer"] for row in rows] == ["red2", "red2"]


def test_twice_gives_the_same_tables(where: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        arguments = ["--out", str(tmp_path / name), "--formats", "csv"]
        assert main(["campaign", "report", str(where), *arguments]) == 0
    for path in (tmp_path / "one").iterdir():
        if path.name != "about.csv":
            assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["report", "{}", "--out", "{}/x", "--formats", "docx"], "report.format"),
        (["report", "{}", "--out", "{}/x", "--formats", ","], "report.format"),
        (["report", "{}", "--out", "{}/x", "--denominator", "both"], "report.denominator"),
        (["report", "{}", "--out", "{}/campaign.sqlite"], "report.folder-not-writable"),
        (["report", "{}/nowhere", "--out", "{}/x"], "store.no-campaign"),
        (["score", "{}", "--by", "moon"], "report.breakdown"),
    ],
)
def test_bad_input_is_one_message(
    where: Path, arguments: list[str], code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    filled = [argument.replace("{}", str(where)) for argument in arguments]
    assert main(["campaign", *filled]) == 2
    error = capsys.readouterr().err
    assert f"[{code}]" in error
    assert len(error.strip().splitlines()) == 1
    assert not (where / "x").exists() or not list((where / "x").iterdir())


def test_options_of_a_campaign_decide_how_it_is_scored() -> None:
    found = scoring_options(
        {"scoring.case_sensitive": False, "scoring.beam": None, "show_scores": True}
    )
    assert found == TerOptions(case_sensitive=False, beam=None)
    assert scoring_options({"scoring.denominator": "reference"}) == TerOptions()


@pytest.mark.parametrize(
    "options",
    [{"scoring.cases": True}, {"scoring.normalise": "maybe"}, {"scoring.beam": "wide"}],
)
def test_an_option_that_makes_no_sense_is_named(options: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=next(iter(options))):
        scoring_options(options)


def test_effort_is_in_the_report_where_it_was_recorded(where: Path, tmp_path: Path) -> None:
    copy = tmp_path / "campaign"
    shutil.copytree(where, copy)
    with open_campaign(copy) as campaign:
        campaign.plans.plan_kit(Kit("K2", (KitItem("Alpha", "B.x_1_S1"),)))
        campaign.plans.assign(
            "K2", [Assignment("K2", team, f"{team}1", f"{team}2") for team in ("red", "blue")]
        )
        claim = campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "here")
        campaign.visits.append(
            [
                Visit(
                    id=new_id(),
                    kit="K2",
                    team="red",
                    pass_=Pass.FIRST,
                    segment=SegmentName("B.x_1_S1", "s1"),
                    editor="red1",
                    machine="here",
                    at=datetime(2026, 3, day, tzinfo=UTC),
                    ms=60_000,
                    turn=claim.turn,
                    events=(
                        Event(0, EventKind.FROM, ("a house",)),
                        *(Event(20_000, EventKind.KEY, ("delete",)) for _ in range(7)),
                    ),
                )
                for day in (1, 2)
            ]
        )
    arguments = ["--out", str(tmp_path / "out"), "--formats", "csv"]
    assert main(["campaign", "report", str(copy), *arguments]) == 0
    (row,) = read_csv(tmp_path / "out" / "effort.csv")
    assert (row["editor"], row["pass"], row["segments"]) == ("red1", "first", "1")
    assert (float(row["minutes"]), float(row["keys_per_word"])) == (2.0, 7.0)  # 14 keys, 2 words
    assert (row["visits"], row["deletes"], row["characters"]) == ("2", "14", "0")


@pytest.mark.parametrize("command", ["report", "evidence"])
def test_a_report_that_cannot_be_made_leaves_no_folder(tmp_path: Path, command: str) -> None:
    out = tmp_path / "new" / "report"
    arguments = ["campaign", command, str(tmp_path / "gone"), "--out", str(out)]
    assert main(arguments) == 2
    assert not (tmp_path / "new").exists()
    out.mkdir(parents=True)
    assert main(arguments) == 2
    assert out.is_dir()  # it was the user's


def test_evidence_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    create_campaign(tmp_path / "empty", "Empty").close()
    out = str(tmp_path / "out")
    assert main(["campaign", "evidence", str(tmp_path / "empty"), "--out", out]) == 0
    assert "preliminary: no kit has a system's output" in capsys.readouterr().err


def test_scribes_are_compared_with_the_campaign_opened_once(
    where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Campaign] = []
    begin = Campaign.__init__

    def counted(campaign: Campaign, *given: Any, **named: Any) -> None:
        opened.append(campaign)
        begin(campaign, *given, **named)

    monkeypatch.setattr(Campaign, "__init__", counted)
    table = hands_table(str(where))
    assert len(opened) == 1
    # Nobody else copied the only passage.
    assert list(table.rows) == []
    assert "over 1 passage." in table.note
