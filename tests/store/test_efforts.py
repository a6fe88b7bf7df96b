"""What editors' work took, as reports read it: on both databases."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from madcat_studio.model.campaign import Pass, Revision, SegmentName, SegmentState, new_id
from madcat_studio.store import Campaign
from madcat_studio.workspace.desk import DaySheet, Desk


def test_efforts_come_segment_by_segment_without_revisions_that_have_none(
    campaign: Campaign,
) -> None:
    claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    names = {base: SegmentName(base, "s1") for base in ("A.x_1_S1", "B.x_1_S1")}

    def revision(base: str, effort: dict[str, int]) -> Revision:
        return Revision(
            id=new_id(),
            kit="K1",
            team="red",
            pass_=Pass.FIRST,
            segment=names[base],
            editor="red1",
            machine="here",
            at=datetime(2026, 3, 1, tzinfo=UTC),
            state=SegmentState.DRAFT,
            text="a text",
            turn=claim.turn,
            effort=effort,
        )

    campaign.revisions.append(
        [
            revision("A.x_1_S1", {"ms": 1000, "keys": 3}),
            revision("B.x_1_S1", {"ms": 500}),
            revision("A.x_1_S1", {"ms": 2000, "pastes": 1}),
            revision("B.x_1_S1", {}),
        ]
    )
    # Sums over a segment's revisions; 4 are the words of "the first sentence .".
    assert sorted(campaign.revisions.efforts()) == [
        ("red", "red1", "first", 4, 500, 0, 0),
        ("red", "red1", "first", 4, 3000, 3, 1),
    ]


def test_a_day_sheet_counts_each_segment_once_and_all_of_its_time(campaign: Campaign) -> None:
    day = date(2026, 3, 1)
    noon = datetime(2026, 3, 1, 12).astimezone()
    claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")

    def revision(at: datetime, effort: dict[str, int], segment: str = "s1") -> Revision:
        return Revision(
            id=new_id(),
            kit="K1",
            team="red",
            pass_=Pass.FIRST,
            segment=SegmentName("A.x_1_S1", segment),
            editor="red1",
            machine="here",
            at=at,
            state=SegmentState.CONFIRMED,
            text="a text",
            turn=claim.turn,
            effort=effort,
        )

    first = datetime(2026, 3, 1).astimezone()
    campaign.revisions.append(
        [
            revision(noon, {"ms": 1000}),
            revision(noon, {"ms": 2000}),
            revision(first, {"ms": 4000}, "s2"),
            revision(noon, {}, "s2"),  # imported
            revision(first - timedelta(seconds=1), {"ms": 50_000}),
            revision(first + timedelta(days=1), {"ms": 90_000}),
        ]
    )
    # By the clock of this machine: 4 and 3 words of reference.
    assert Desk(campaign).day("red1", day) == DaySheet(day, 2, 7, 7.0)
    assert Desk(campaign).day("red2", day) == DaySheet(day, 0, 0, 0.0)
