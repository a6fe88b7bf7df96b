from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from madcat_studio.errors import ConflictError, InputError, StudioError
from madcat_studio.model.campaign import (
    Assignment,
    AvailablePass,
    Editor,
    Kit,
    KitItem,
    Pass,
    PassState,
    Revision,
    SegmentName,
    SegmentState,
    Team,
    new_id,
)
from madcat_studio.store import Campaign
from madcat_studio.store.claims import _planned_elsewhere, _some
from madcat_studio.store.holds import PassKey

ROUNDS = 50


def refused(code: str, kind: type[StudioError]) -> pytest.RaisesExc[StudioError]:
    return pytest.RaisesExc(kind, check=lambda error: error.code == code)


def confirm_all(campaign: Campaign, kit: str, team: str, pass_: Pass, text: str = "text") -> None:
    claim = campaign.claims.current(kit, team, pass_)
    assert claim is not None
    campaign.revisions.append(
        [
            Revision(
                id=new_id(),
                kit=kit,
                team=team,
                pass_=pass_,
                segment=segment.name,
                editor=claim.editor,
                machine="here",
                at=claim.at,
                state=SegmentState.CONFIRMED,
                text=f"{text} {segment.name.segment}",
                turn=claim.turn,
            )
            for segment in campaign.revisions.kit_segments(kit, team, pass_)
            if segment.output
        ]
    )


def finish(campaign: Campaign, kit: str, team: str, pass_: Pass, editor: str) -> None:
    campaign.claims.claim(kit, team, pass_, editor, "here")
    confirm_all(campaign, kit, team, pass_, f"{team} {pass_}")
    campaign.claims.hand_over(kit, team, pass_, editor=editor)


def states(campaign: Campaign, kit: str, team: str) -> list[PassState]:
    return [one.state for one in campaign.progress() if (one.kit, one.team) == (kit, team)]


def test_a_kit_goes_through_its_passes(campaign: Campaign) -> None:
    assert states(campaign, "K1", "red") == [PassState.OPEN, PassState.WAITING]
    with refused("store.first-pass-open", ConflictError):
        campaign.claims.claim("K1", "red", Pass.REVIEW, "red2", "here")
    campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    assert states(campaign, "K1", "red") == [PassState.CLAIMED, PassState.WAITING]
    confirm_all(campaign, "K1", "red", Pass.FIRST)
    campaign.claims.hand_over("K1", "red", Pass.FIRST, editor="red1")
    assert states(campaign, "K1", "red") == [PassState.HANDED_OVER, PassState.OPEN]
    with refused("store.handed-over", ConflictError):
        campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    finish(campaign, "K1", "red", Pass.REVIEW, "red2")
    assert states(campaign, "K1", "red") == [PassState.HANDED_OVER] * 2
    assert states(campaign, "K1", "blue") == [PassState.OPEN, PassState.WAITING]


def test_a_claim_names_its_holder_and_is_resumed_freely(campaign: Campaign) -> None:
    claim = campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "desk")
    assert campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "laptop") == claim
    with pytest.raises(ConflictError) as caught:
        campaign.claims.claim("K2", "red", Pass.FIRST, "red2", "laptop")
    assert caught.value.code == "store.kit-claimed"
    assert "red1" in caught.value.reason
    assert "desk" in caught.value.reason
    campaign.claims.release("K2", "red", Pass.FIRST, by="coordinator", reason="ill")
    again = campaign.claims.claim("K2", "red", Pass.FIRST, "red2", "laptop")
    assert (again.turn, again.editor) == (2, "red2")
    with refused("store.not-claimed", ConflictError):
        campaign.claims.release("K2", "red", Pass.REVIEW, by="coordinator")


def test_nobody_takes_two_parts_in_a_kit(campaign: Campaign) -> None:
    campaign.plans.add_team(Team("blue", (Editor("red1"), Editor("red2"))))
    finish(campaign, "K2", "red", Pass.FIRST, "red1")
    # The same person as reviewer of an open role, and in the other team.
    with refused("store.both-sides", InputError):
        campaign.claims.claim("K2", "red", Pass.REVIEW, "red1", "here")
    with refused("store.both-sides", InputError):
        campaign.claims.replace_editor("K2", "blue", Pass.FIRST, "red1", by="coordinator")
    with refused("store.not-yours", InputError):
        campaign.claims.claim("K2", "blue", Pass.FIRST, "red2", "here")
    with refused("store.not-in-team", InputError):
        campaign.claims.claim("K2", "red", Pass.REVIEW, "green1", "here")
    with refused("store.not-assigned", InputError):
        campaign.claims.claim("K1", "green", Pass.FIRST, "green1", "here")
    assert campaign.claims.available("red1") == (AvailablePass("K1", "red", Pass.FIRST),)
    assert campaign.claims.claim_next("red2", "here") == campaign.claims.current(
        "K2", "red", Pass.REVIEW
    )


def test_whoever_holds_a_pass_is_named_with_the_time(campaign: Campaign) -> None:
    claim = campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "desk")
    with pytest.raises(ConflictError) as caught:
        campaign.claims.claim("K2", "red", Pass.FIRST, "red2", "laptop")
    since = f"since {claim.at:%Y-%m-%d %H:%M} UTC on desk"
    assert caught.value.reason == f"red1 holds this pass {since}"


def test_a_reviewer_is_offered_the_review_of_a_pass_that_is_anothers(campaign: Campaign) -> None:
    finish(campaign, "K1", "red", Pass.FIRST, "red1")
    offered = AvailablePass("K1", "red", Pass.REVIEW)
    assert campaign.claims.available("red2")[0] == offered


def test_a_colleagues_part_of_a_kit_is_not_ones_own(campaign: Campaign) -> None:
    """Each of the two begins a kit, whichever of their keys sorts first, and reviews the other."""
    campaign.plans.plan_kit(Kit("K3", (KitItem("Alpha", "A.x_1_S2"),)))
    campaign.plans.assign("K3", [Assignment("K3", "red", None, None)])
    for kit, first, second in (("K2", "red1", "red2"), ("K3", "red2", "red1")):
        finish(campaign, kit, "red", Pass.FIRST, first)
        assert AvailablePass(kit, "red", Pass.REVIEW) in campaign.claims.available(second)
        assert AvailablePass(kit, "red", Pass.REVIEW) not in campaign.claims.available(first)


def test_whoever_was_quicker_leaves_the_next_offer(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program claimed the first offer between the question and the claim."""
    offers = [AvailablePass(kit, "red", Pass.FIRST) for kit in ("K2", "K1")]
    monkeypatch.setattr(campaign.claims, "available", lambda editor: offers)
    campaign.claims.claim("K2", "red", Pass.FIRST, "red2", "there")
    claim = campaign.claims.claim_next("red1", "here")
    assert claim is not None
    assert (claim.kit, claim.editor) == ("K1", "red1")


def test_offers_are_what_one_may_claim(campaign: Campaign) -> None:
    assert campaign.claims.available("blue2") == (AvailablePass("K2", "blue", Pass.FIRST),)
    assert campaign.claims.available("green1") == ()
    assert campaign.claims.claim_next("green1", "here") is None
    assert campaign.claims.available("red2") == (AvailablePass("K2", "red", Pass.FIRST),)
    assert campaign.claims.claim_next("red1", "here") == campaign.claims.current(
        "K1", "red", Pass.FIRST
    )
    assert campaign.claims.available("red1") == (
        AvailablePass("K1", "red", Pass.FIRST, held=True),
        AvailablePass("K2", "red", Pass.FIRST),
    )
    with refused("store.unknown-editor", InputError):
        campaign.claims.available("nobody")


def test_handing_over_needs_every_segment(campaign: Campaign) -> None:
    claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    with pytest.raises(InputError) as caught:
        campaign.claims.hand_over("K1", "red", Pass.FIRST, editor="red1")
    assert caught.value.code == "store.unconfirmed"
    assert "4 segments" in caught.value.reason
    assert caught.value.reason.endswith(": K1.01/1, K1.01/2, K1.02/1, K1.02/2")
    confirm_all(campaign, "K1", "red", Pass.FIRST)
    empty = Revision(
        id=new_id(),
        kit="K1",
        team="red",
        pass_=Pass.FIRST,
        segment=SegmentName("B.x_1_S1", "s1"),
        editor="red1",
        machine="here",
        at=claim.at,
        state=SegmentState.CONFIRMED,
        text="  ",
    )
    with refused("store.empty-text", InputError) as broken:
        campaign.revisions.append([empty])
    assert "empty, without a reason" in broken.value.reason
    with refused("store.not-holder", ConflictError):
        campaign.claims.hand_over("K1", "red", Pass.FIRST, editor="red2")


def test_an_empty_text_needs_a_reason(campaign: Campaign) -> None:
    claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    confirm_all(campaign, "K1", "red", Pass.FIRST)
    campaign.revisions.append(
        [
            Revision(
                id=new_id(),
                kit="K1",
                team="red",
                pass_=Pass.FIRST,
                segment=SegmentName("B.x_1_S1", "s1"),
                editor="red1",
                machine="here",
                at=claim.at,
                state=SegmentState.CONFIRMED,
                text="",
                reason="nothing of it can be understood",
            )
        ]
    )
    campaign.claims.hand_over("K1", "red", Pass.FIRST, editor="red1")
    assert campaign.claims.handed_over("K1", "red", Pass.FIRST)


def test_a_pass_is_taken_back_until_the_next_person_begins(campaign: Campaign) -> None:
    with refused("store.not-handed-over", ConflictError):
        campaign.claims.take_back("K1", "red", Pass.FIRST, editor="red1")
    finish(campaign, "K1", "red", Pass.FIRST, "red1")
    claim = campaign.claims.take_back("K1", "red", Pass.FIRST, editor="red1")
    assert campaign.claims.current("K1", "red", Pass.FIRST) == claim
    assert states(campaign, "K1", "red") == [PassState.CLAIMED, PassState.WAITING]
    assert all(text.first is None for one in campaign.segment_records() for text in one.teams)
    campaign.claims.hand_over("K1", "red", Pass.FIRST, editor="red1")
    campaign.claims.claim("K1", "red", Pass.REVIEW, "red2", "here")
    with refused("store.review-begun", ConflictError):
        campaign.claims.take_back("K1", "red", Pass.FIRST, editor="red1")
    with refused("store.not-handed-over", ConflictError):
        campaign.claims.take_back("K1", "blue", Pass.FIRST, editor="blue1")


def test_a_pass_is_taken_back_as_often_as_it_is_handed_over(campaign: Campaign) -> None:
    """Whoever holds it then holds it by the claim that was handed over, not by the first one."""
    claims = campaign.claims
    assert claims.last_turn("K2", "red", Pass.FIRST, "red1") == 0
    claims.claim("K2", "red", Pass.FIRST, "red1", "here")
    claims.release("K2", "red", Pass.FIRST, by="coordinator")
    finish(campaign, "K2", "red", Pass.FIRST, "red2")
    for _ in range(3):
        claim = claims.take_back("K2", "red", Pass.FIRST, editor="red2")
        assert (claim.turn, claim.editor, claim.machine) == (2, "red2", "here")
        assert claims.current("K2", "red", Pass.FIRST) == claim
        assert not claims.handed_over("K2", "red", Pass.FIRST)
        claims.hand_over("K2", "red", Pass.FIRST, editor="red2")
        assert claims.current("K2", "red", Pass.FIRST) is None
        assert claims.handed_over("K2", "red", Pass.FIRST)
    assert claims.last_turn("K2", "red", Pass.FIRST, "red1") == 1
    assert claims.last_turn("K2", "red", Pass.FIRST, "red2") == 2


def test_a_review_that_was_begun_and_given_back_still_keeps_the_first_pass(
    campaign: Campaign,
) -> None:
    finish(campaign, "K1", "red", Pass.FIRST, "red1")
    campaign.claims.claim("K1", "red", Pass.REVIEW, "red2", "here")
    campaign.claims.release("K1", "red", Pass.REVIEW, by="red2")
    with refused("store.review-begun", ConflictError):
        campaign.claims.take_back("K1", "red", Pass.FIRST, editor="red1")
    finish(campaign, "K1", "red", Pass.REVIEW, "red2")
    with refused("store.review-begun", ConflictError):
        campaign.claims.take_back("K1", "red", Pass.FIRST, editor="red1")
    for editor in ("red1", "red2"):
        with refused("store.final", ConflictError):
            campaign.claims.take_back("K1", "red", Pass.REVIEW, editor=editor)
    assert states(campaign, "K1", "red") == [PassState.HANDED_OVER, PassState.HANDED_OVER]


def test_an_editor_is_replaced_and_the_share_kept(campaign: Campaign) -> None:
    campaign.plans.add_team(Team("red", (Editor("red3"),)))
    claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    confirm_all(campaign, "K1", "red", Pass.FIRST, "by red1")
    campaign.claims.replace_editor("K1", "red", Pass.FIRST, "red3", by="coordinator", reason="ill")
    assert campaign.claims.current("K1", "red", Pass.FIRST) is None
    with refused("store.not-yours", InputError):
        campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    late = Revision(
        id=new_id(),
        kit="K1",
        team="red",
        pass_=Pass.FIRST,
        segment=SegmentName("A.x_1_S1", "s1"),
        editor="red1",
        machine="here",
        at=claim.at,
        state=SegmentState.CONFIRMED,
        text="too late",
    )
    assert campaign.revisions.append([late]).side == 1
    # Once more by another, and by the first again: each has the role from then on.
    campaign.plans.add_team(Team("red", (Editor("red4"),)))
    for editor, gone in (("red4", "red3"), ("red3", "red4")):
        campaign.claims.replace_editor("K1", "red", Pass.FIRST, editor, by="coordinator")
        with refused("store.not-yours", InputError):
            campaign.claims.claim("K1", "red", Pass.FIRST, gone, "here")
    again = campaign.claims.claim("K1", "red", Pass.FIRST, "red3", "here")
    assert again.turn == 2
    latest = campaign.revisions.latest("K1", "red", Pass.FIRST)
    assert {one.text.rsplit(" ", 1)[0] for one in latest.values()} == {"by red1"}
    assert {one.editor for one in latest.values()} == {"red1"}
    campaign.claims.hand_over("K1", "red", Pass.FIRST, editor="red3")
    with refused("store.handed-over", ConflictError):
        campaign.claims.replace_editor("K1", "red", Pass.FIRST, "red1", by="coordinator")
    [history] = [
        one.text for one in campaign.revisions.history("K1", "red", Pass.FIRST) if one.side
    ]
    assert history == "too late"


@pytest.mark.parametrize(
    ("count", "more"), [(1, ""), (10, ""), (11, " and 1 more"), (25, " and 15 more")]
)
def test_ten_segments_are_named_and_the_rest_counted(count: int, more: str) -> None:
    names = [f"s{n}" for n in range(count)]
    assert _some(names) == ", ".join(names[:10]) + more


@pytest.mark.parametrize("other", [("K", "a", "first"), ("K", "c", "first"), ("K", "b", "review")])
def test_whoever_is_planned_for_another_part_of_the_kit_is_found(other: PassKey) -> None:
    """Whichever way the keys of the parts sort: they are made by chance."""
    key = ("K", "b", "first")
    assert _planned_elsewhere({key: "me", other: "me"}, key, "me")
    assert not _planned_elsewhere({key: "me", other: "you"}, key, "me")
    assert not _planned_elsewhere({key: "me", ("L", *other[1:]): "me"}, key, "me")


@pytest.mark.long
def test_two_processes_ask_at_once_and_one_gets_it(campaign: Campaign, where: str) -> None:
    with campaign.transaction():
        for number in range(ROUNDS):
            name = f"R{number}"
            campaign.plans.plan_kit(Kit(name, (KitItem("Alpha", "A.x_1_S2"),), practice=True))
            campaign.plans.assign(name, [Assignment(name, "red", None, None)])
    askers = [
        subprocess.Popen(
            [sys.executable, Path(__file__).with_name("asking.py"), where, str(ROUNDS), editor],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for editor in ("red1", "red2")
    ]
    winners = []
    try:
        for asker in askers:
            assert asker.stdout is not None
            assert asker.stdout.readline() == "ready\n"
        for _ in range(ROUNDS):
            for asker in askers:
                assert asker.stdin is not None
                asker.stdin.write("go\n")
                asker.stdin.flush()
            answers = [asker.stdout.readline().split() for asker in askers if asker.stdout]
            got = [answer for answer in answers if answer[0] == "got"]
            assert len(got) == 1, answers
            assert ["store.kit-claimed"] in answers
            winners.append(got[0][1])
    finally:
        for asker in askers:
            for stream in (asker.stdin, asker.stdout):
                if stream is not None:
                    stream.close()
            asker.wait(30)
    found = {one.kit: one.editor for one in campaign.progress() if one.machine}
    assert found == {f"R{number}": winner for number, winner in enumerate(winners)}
