"""A campaign in which a team edits twelve control pages otherwise than the earlier phase did."""

from __future__ import annotations

from datetime import UTC, datetime

from madcat_studio.model.campaign import (
    Assignment,
    CampaignDocument,
    CampaignSegment,
    DataSet,
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
from madcat_studio.store import Campaign, create_campaign

__all__ = ["make_drifted"]

PAGES = 12
WORDS = "one two three four five six seven eight nine ten"
THEN, NOW = WORDS.replace("ten", "zehn"), WORDS.replace("three four five six seven", "x x x x x")


def make_drifted(where: str) -> None:
    """Make it in a folder that is not there yet."""
    with create_campaign(where, "Drifted") as campaign, campaign.transaction():
        campaign.contents.add_system(System("larch", "T1", earlier=True))
        campaign.plans.add_team(Team("red", (Editor("red1"), Editor("red2"))))
        for number in range(PAGES):
            _page(campaign, f"page{number}", f"K{number}")


def _page(campaign: Campaign, base: str, kit: str) -> None:
    page = CampaignDocument(
        *(base, base, base, base, "1", "S1", "exposed", DataSet.CONTROL, "", "web", "")
    )
    campaign.contents.add_document(
        page, base.encode(), [CampaignSegment("s1", "1", "x", WORDS, 1, 10)]
    )
    campaign.contents.add_output("larch", base, base.encode(), {"s1": WORDS})
    name = SegmentName(base, "s1")
    campaign.earlier.add_texts([EarlierText("larch", name, "then", "a", "b", THEN, THEN)])
    campaign.plans.plan_kit(Kit(kit, (KitItem("larch", base),)))
    campaign.plans.assign(kit, [Assignment(kit, "red", "red1", "red2")])
    for pass_, editor in ((Pass.FIRST, "red1"), (Pass.REVIEW, "red2")):
        claim = campaign.claims.claim(kit, "red", pass_, editor, "here")
        now = datetime.now(UTC)
        text = (SegmentState.CONFIRMED, NOW, claim.turn)
        campaign.revisions.append(
            [Revision(new_id(), kit, "red", pass_, name, editor, "here", now, *text)]
        )
        campaign.claims.hand_over(kit, "red", pass_, editor=editor)
