"""What editors' work took, as reports read it: on both databases."""

from __future__ import annotations

from datetime import UTC, datetime

from madcat_studio.model.campaign import Pass, Revision, SegmentName, SegmentState, new_id
from madcat_studio.store import Campaign


def test_efforts_come_segment_by_segment_without_those_that_have_none(campaign: Campaign) -> None:
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
    rows = list(campaign.revisions.efforts())
    assert {row[:3] for row in rows} == {("red", "red1", Pass.FIRST)}
    assert {row[4] for row in rows} == {4}  # words of "the first sentence ."
    order = [row[3].base for row in rows]
    assert sorted(order) == ["A.x_1_S1", "A.x_1_S1", "B.x_1_S1"]
    assert order in (sorted(order), sorted(order, reverse=True))
    of_a = [row[5] for row in rows if row[3].base == "A.x_1_S1"]
    assert of_a == [{"ms": 1000, "keys": 3}, {"ms": 2000, "pastes": 1}]
