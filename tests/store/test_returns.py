"""Returning segments to the first pass: off by default, and nothing but the words is told."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from madcat_studio.errors import ConflictError, InputError, UsageError
from madcat_studio.model.campaign import (
    Claim,
    Flag,
    Pass,
    PassState,
    Revision,
    SegmentName,
    SegmentState,
    new_id,
)
from madcat_studio.store import Campaign, open_campaign

if TYPE_CHECKING:
    from tests.store.conftest import Guarded

SEGMENT = SegmentName("A.x_1_S1", "s1")


def save(campaign: Campaign, claim: Claim, text: str, **more: object) -> None:
    """One text, confirmed, for every segment of the kit; ``more`` for the first one only."""
    segments = campaign.revisions.kit_segments(claim.kit, claim.team, claim.pass_)
    campaign.revisions.append(
        [
            Revision(
                id=new_id(),
                kit=claim.kit,
                team=claim.team,
                pass_=claim.pass_,
                segment=one.name,
                editor=claim.editor,
                machine="here",
                at=datetime.now(UTC),
                state=SegmentState.CONFIRMED,
                text=text,
                turn=claim.turn,
                **(more if one.name == segments[0].name else {}),  # type: ignore[arg-type]
            )
            for one in segments
        ]
    )


def returned(campaign: Campaign, pass_: Pass) -> dict[SegmentName, str]:
    found = campaign.revisions.kit_segments("K1", "red", pass_)
    return {one.name: one.returned for one in found if one.returned is not None}


def reviewing(campaign: Campaign) -> Claim:
    first = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    save(campaign, first, "first text")
    campaign.claims.hand_over("K1", "red", Pass.FIRST, editor="red1")
    return campaign.claims.claim("K1", "red", Pass.REVIEW, "red2", "here")


def test_it_is_off_by_default(campaign: Campaign) -> None:
    review = reviewing(campaign)
    save(campaign, review, "reviewed", flags={Flag.RETURNED: "why?"})
    assert not campaign.returns.allowed()
    with pytest.raises(UsageError) as refused:
        campaign.returns.send_back("K1", "red", editor="red2")
    assert refused.value.code == "store.returns-off"
    assert campaign.claims.current("K1", "red", Pass.REVIEW) is not None


@pytest.mark.long
def test_a_segment_goes_back_and_comes_again(campaign: Campaign) -> None:
    campaign.set_options({"editing.allow_return": True})
    review = reviewing(campaign)
    assert campaign.returns.allowed()
    with pytest.raises(InputError) as refused:
        campaign.returns.send_back("K1", "red", editor="red2")
    assert refused.value.code == "store.nothing-returned"
    save(campaign, review, "reviewed", flags={Flag.RETURNED: "why?"})
    with pytest.raises(ConflictError):
        campaign.returns.send_back("K1", "red", editor="red1")
    campaign.returns.send_back("K1", "red", editor="red2")

    states = {row.pass_: row.state for row in campaign.progress() if row.kit == "K1"
              and row.team == "red"}  # fmt: skip
    assert states == {Pass.FIRST: PassState.CLAIMED, Pass.REVIEW: PassState.WAITING}
    assert returned(campaign, Pass.FIRST) == {SEGMENT: "why?"}
    assert returned(campaign, Pass.REVIEW) == {}
    first = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    save(campaign, first, "first text, better")
    assert returned(campaign, Pass.FIRST) == {}
    campaign.claims.hand_over("K1", "red", Pass.FIRST, editor="red1")
    again = campaign.claims.claim("K1", "red", Pass.REVIEW, "red2", "here")
    assert again.turn == review.turn + 1
    assert returned(campaign, Pass.REVIEW) == {SEGMENT: "why?"}
    save(campaign, again, "reviewed again")
    assert returned(campaign, Pass.REVIEW) == {}
    campaign.claims.hand_over("K1", "red", Pass.REVIEW, editor="red2")
    texts = {one.teams[0].first for one in campaign.segment_records() if one.kit == "K1"}
    assert "first text, better" in texts


@pytest.mark.long
@pytest.mark.postgresql
def test_it_goes_back_under_logins(own_guarded: Guarded) -> None:
    with open_campaign(own_guarded.url) as owner:
        owner.set_options({"editing.allow_return": True})
    with own_guarded.open("red1") as first, own_guarded.open("red2") as second:
        claim = first.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        save(first, claim, "by the first")
        first.claims.hand_over("K1", "red", Pass.FIRST, editor="red1")
        review = second.claims.claim("K1", "red", Pass.REVIEW, "red2", "desk")
        save(second, review, "by the reviewer", flags={Flag.RETURNED: "why?"})
        with pytest.raises(ConflictError):
            first.returns.send_back("K1", "red", editor="red1")
        second.returns.send_back("K1", "red", editor="red2")
        shown = SegmentName("K1.01", "1")
        assert returned(first, Pass.FIRST) == {shown: "why?"}
        assert first.revisions.history("K1", "red", Pass.REVIEW) == ()
        save(first, claim, "by the first again")
        assert returned(first, Pass.FIRST) == {}
        first.claims.hand_over("K1", "red", Pass.FIRST, editor="red1")
        second.claims.claim("K1", "red", Pass.REVIEW, "red2", "desk")
        assert returned(second, Pass.REVIEW) == {shown: "why?"}
