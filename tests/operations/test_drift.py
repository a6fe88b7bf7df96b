"""The drift of a campaign: on the board while it is edited, and in its report."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from madcat_studio.cli.app import app
from madcat_studio.model.campaign import (
    Assignment,
    CampaignSegment,
    DataSet,
    EarlierScore,
    EarlierText,
    Editor,
    Kit,
    KitItem,
    Pass,
    Revision,
    SegmentName,
    SegmentState,
    System,
    Team,
    new_id,
)
from madcat_studio.operations.scores.drift import drifts_of, read_alarms, told
from madcat_studio.operations.scores.report import open_report
from madcat_studio.reports.drift import ALL_TEAMS
from madcat_studio.store import Campaign, create_campaign, open_campaign
from tests.store.conftest import fill

WORDS = "one two three four five six seven eight nine ten"
OUTPUT = WORDS.replace("ten", "zehn")
DOCUMENTS = 12


def text(edits: int) -> str:
    """A text at so many edits of ten words from the output."""
    return " ".join("x" if place < edits else word for place, word in enumerate(OUTPUT.split()))


def finish(campaign: Campaign, kit: str, team: str, edits: int) -> None:
    for pass_, editor in ((Pass.FIRST, f"{team}1"), (Pass.REVIEW, f"{team}2")):
        claim = campaign.claims.claim(kit, team, pass_, editor, "here")
        campaign.revisions.append(
            [
                Revision(
                    *(new_id(), kit, team, pass_, one.name, editor, "here", datetime.now(UTC)),
                    *(SegmentState.CONFIRMED, text(edits), claim.turn),
                )
                for one in campaign.revisions.kit_segments(kit, team, pass_)
            ]
        )
        campaign.claims.hand_over(kit, team, pass_, editor=editor)


@pytest.fixture
def drifted(tmp_path: Path) -> str:
    """Twelve control pages that two teams of then edited by 1 and by 3 of ten words."""
    where = tmp_path / "campaign"
    with create_campaign(where, "x") as campaign:
        fill(campaign)
        pattern = campaign.contents.document("A.x_1_S1")
        assert pattern is not None
        campaign.contents.add_system(System("Old", "T7", earlier=True))
        campaign.plans.add_team(Team("white", (Editor("white1"), Editor("white2"))))
        for number in range(DOCUMENTS):
            base = f"O{number}"
            campaign.contents.add_document(
                replace(
                    pattern,
                    base=base,
                    source_document=base,
                    passage=base,
                    manuscript=base,
                    data_set=DataSet.CONTROL,
                ),
                base.encode(),
                [CampaignSegment("s1", "1", "x", WORDS, 1, 10)],
            )
            campaign.contents.add_output("Old", base, base.encode(), {"s1": OUTPUT})
            name = SegmentName(base, "s1")
            campaign.earlier.add_texts(
                [
                    EarlierText("Old", name, team, "a", "b", text(9), text(edits))
                    for team, edits in (("then1", 1), ("then2", 3))
                ]
            )
            # What the earlier phase told of itself: the better of the two.
            campaign.earlier.add_scores([EarlierScore("Old", base, base, 1, 10)])
            kit = f"C{number}"
            campaign.plans.plan_kit(Kit(kit, (KitItem("Old", base),)))
            campaign.plans.assign(
                kit,
                [
                    Assignment(kit, "red", "red1", "red2"),
                    Assignment(kit, "white", "white1", "white2"),
                ],
            )
    return str(where)


def edit(where: str, edits: dict[str, int], documents: range = range(DOCUMENTS)) -> None:
    with open_campaign(where) as campaign:
        for number in documents:
            for team, count in edits.items():
                finish(campaign, f"C{number}", team, count)


@pytest.mark.long
def test_like_is_held_against_like(drifted: str) -> None:
    edit(drifted, {"red": 1, "white": 3})
    with open_campaign(drifted) as campaign:
        found = {one.team: one for one in drifts_of(campaign)}
    assert {team: round(one.difference or 0, 9) for team, one in found.items()} == {
        "red": -0.1,
        "white": 0.1,
        ALL_TEAMS: 0,
    }
    with open_report(drifted, pictures=False) as (report, _):
        table = report.table("drift")
    rows = {row["team"]: row for row in table.records()}
    assert rows[ALL_TEAMS]["difference"] == pytest.approx(0)
    assert (rows["red"]["hter"], rows["red"]["hter_earlier"]) == (0.1, 0.2)
    assert "mixed model" in table.note.lower()


@pytest.mark.long
def test_the_board_is_alarmed_while_teams_edit(drifted: str) -> None:
    edit(drifted, {"red": 6}, range(9))
    assert read_alarms(drifted) == (), "nine documents are too few"
    assert "Drift" not in CliRunner().invoke(app, ["campaign", "status", drifted]).output
    edit(drifted, {"red": 6}, range(9, DOCUMENTS))
    found = read_alarms(drifted)
    assert [one.team for one in found] == ["red", ALL_TEAMS]
    sentence = (
        "Drift: Team red edits 40.0 points of HTER more on the control set than the earlier phase "
        "did [+40.0, +40.0], over 12 documents"
    )
    assert told(found[0]) == sentence
    shown = CliRunner().invoke(app, ["campaign", "status", drifted]).output
    assert f"{sentence}." in shown
