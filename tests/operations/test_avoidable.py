"""What the teams could have spared, in the report: from their texts, and from the log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.model.campaign import (
    Assignment,
    CampaignDocument,
    CampaignSegment,
    DataSet,
    Editor,
    Kit,
    KitItem,
    Pass,
    System,
    Team,
)
from madcat_studio.operations.scores.avoidable import avoidable_of
from madcat_studio.operations.scores.coaching import coach_text
from madcat_studio.progress import Cancelled
from madcat_studio.reports.csv_tables import read_csv
from madcat_studio.store import create_campaign, open_campaign
from madcat_studio.workspace.kit import KitWorkspace
from madcat_ter.options import TerOptions

BASE = "A.x_1_S1"
OUTPUT = {"s1": 'the minister said again "that" it failed', "s2": "all well", "s3": None}
REFERENCE = {"s1": "the minister said again that all had failed", "s2": "all is well", "s3": "gone"}
CHANGED = "the minister stated again “that” it failed"
BETTER = 'the minister stated again "that" it failed'


def made(folder: Path, *, coach: bool) -> Path:
    with create_campaign(folder, "Small") as campaign:
        if coach:
            campaign.set_options({"editing.coach": True})
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
                CampaignSegment(name, "1", "جملة", text, 1, len(text.split()))
                for name, text in REFERENCE.items()
            ],
        )
        campaign.contents.add_system(System("Alpha", "T1"))
        campaign.contents.add_output("Alpha", BASE, b"<madcat/>", OUTPUT)
        for team in ("red", "blue"):
            campaign.plans.add_team(Team(team, (Editor(f"{team}1"), Editor(f"{team}2"))))
        campaign.plans.plan_kit(Kit("K1", (KitItem("Alpha", BASE),)))
        campaign.plans.assign(
            "K1", [Assignment("K1", team, f"{team}1", f"{team}2") for team in ("red", "blue")]
        )
        for pass_, text in ((Pass.FIRST, CHANGED), (Pass.REVIEW, BETTER)):
            claim = campaign.claims.claim(
                "K1", "red", pass_, f"red{1 + (pass_ is Pass.REVIEW)}", "x"
            )
            kit = KitWorkspace(campaign, claim, folder=folder / "spool")
            kit.set_text(CHANGED, 0)
            if pass_ is Pass.REVIEW:
                said = coach_text(OUTPUT["s1"] or "", CHANGED, REFERENCE["s1"], TerOptions())
                quotes, _ = kit.coaching.show(0, said.advice)
                kit.coaching.take(quotes)
                kit.set_text(quotes.apply(CHANGED), 0)
            assert kit.own(0).text == text
            while kit.check():
                kit.confirm_and_next()
            kit.hand_over()
    return folder


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("avoidable") / "campaign", coach=True)


def test_what_was_avoidable_stands_by_team_and_pass(where: Path) -> None:
    with open_campaign(where, read_only=True) as campaign:
        first, review = avoidable_of(campaign, TerOptions())
    # “that” is one word in curly quotes and three in straight ones: 3 edits; “stated” is one.
    assert (first.team, first.pass_, first.segments, first.some) == ("red", "first", 2, 1)
    assert (first.edits, first.words, first.avoidable) == (4, 9, 4)
    assert first.kinds == {"character": 1, "agreed": 1}
    assert first.log == {}
    assert (review.team, review.pass_, review.segments, review.some) == ("red", "review", 2, 1)
    assert (review.edits, review.words, review.avoidable) == (1, 11, 1)
    assert review.kinds == {"agreed": 1}
    assert review.log == {"coach.shown": 2, "coach.taken": 1, "coach.left": 1}


@pytest.mark.long
def test_the_report_has_it_as_a_table(where: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert (
        main(["campaign", "report", str(where), "--out", str(out), "--formats", "csv,json,html"])
        == 0
    )
    first, review = read_csv(out / "avoidable.csv")
    assert [first[one] for one in ("team", "pass", "segments", "edits", "avoidable", "some")] == [
        *("red", "first", "2", "4", "4", "1"),
    ]
    assert (float(first["share"]), float(first["hter"])) == (1.0, 4 / 9)
    assert (first["shown"], first["taken"]) == ("", ""), "nothing was recorded there"
    assert (float(review["share"]), float(review["hter"])) == (1.0, 1 / 11)
    assert [review[one] for one in ("shown", "taken", "dismissed", "left", "gone")] == [
        *("2", "1", "0", "1", "0"),
    ]
    tables = json.loads((out / "hter.json").read_text("utf-8"))["tables"]
    assert "avoidable" in {one["name"] for one in tables}
    assert "Avoidable edits" in (out / "hter.html").read_text("utf-8")


@pytest.mark.long
def test_where_there_is_no_coach_nothing_is_said(tmp_path: Path) -> None:
    where = made(tmp_path / "campaign", coach=False)
    out = tmp_path / "out"
    assert main(["campaign", "report", str(where), "--out", str(out), "--formats", "csv"]) == 0
    assert not (out / "avoidable.csv").exists()
    assert (out / "effort.csv").exists()


def test_it_can_be_stopped(where: Path) -> None:
    class Stop:
        def advance(self, done: int, total: int | None, text: str = "") -> None: ...

        def cancelled(self) -> bool:
            return True

    with open_campaign(where, read_only=True) as campaign, pytest.raises(Cancelled):
        avoidable_of(campaign, TerOptions(), progress=Stop())
