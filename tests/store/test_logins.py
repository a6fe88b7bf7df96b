"""Editors work under logins of their own, on a server that shows them only what is theirs."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import psycopg
import pytest

from madcat_studio.cli.app import main
from madcat_studio.errors import ConflictError, WorldError
from madcat_studio.model.campaign import (
    Assignment,
    Kit,
    KitItem,
    Pass,
    PassState,
    Revision,
    SegmentState,
    new_id,
)
from madcat_studio.store import Campaign, open_campaign

if TYPE_CHECKING:
    from tests.store.conftest import Guarded

pytestmark = pytest.mark.postgresql


def confirm_all(campaign: Campaign, kit: str, team: str, pass_: Pass, text: str) -> None:
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
                at=datetime.now(UTC),
                state=SegmentState.CONFIRMED,
                text=text,
                turn=claim.turn,
            )
            for segment in campaign.revisions.kit_segments(kit, team, pass_)
            if segment.output
        ]
    )


@pytest.mark.long
def test_a_kit_lives_under_logins(own_guarded: Guarded) -> None:
    with own_guarded.open("red1") as first, own_guarded.open("red2") as second:
        assert (first.editor, second.editor) == ("red1", "red2")
        claim = first.claims.claim_next("red1", "desk")
        assert claim is not None
        assert (claim.kit, claim.pass_) == ("K1", Pass.FIRST)
        shown = first.revisions.kit_segments("K1", "red", Pass.FIRST)
        assert [str(one.name) for one in shown] == ["K1.01/1", "K1.01/2", "K1.02/1", "K1.02/2"]
        assert all(one.reference and one.transcription is None for one in shown)
        assert second.revisions.kit_segments("K1", "red", Pass.FIRST) == ()
        confirm_all(first, "K1", "red", Pass.FIRST, "by the first")
        first.claims.hand_over("K1", "red", Pass.FIRST, editor="red1")
        first.claims.take_back("K1", "red", Pass.FIRST, editor="red1")
        first.claims.hand_over("K1", "red", Pass.FIRST, editor="red1")
        second.claims.claim("K1", "red", Pass.REVIEW, "red2", "desk")
        review = second.revisions.kit_segments("K1", "red", Pass.REVIEW)
        assert {one.first for one in review if one.output} == {"by the first"}
        confirm_all(second, "K1", "red", Pass.REVIEW, "by the reviewer")
        second.claims.hand_over("K1", "red", Pass.REVIEW, editor="red2")
        assert len(second.revisions.history("K1", "red", Pass.REVIEW)) == 4
        # The first editor does not see what became of it.
        assert first.revisions.history("K1", "red", Pass.REVIEW) == ()
        states = {(one.team, one.pass_): one.state for one in first.progress() if one.kit == "K1"}
        assert states == dict.fromkeys(
            [("red", Pass.FIRST), ("red", Pass.REVIEW)], PassState.HANDED_OVER
        )
    with open_campaign(own_guarded.url) as campaign:
        done = [team for one in campaign.segment_records() for team in one.teams if team.final]
        assert {team.final for team in done} == {"by the reviewer"}


def test_a_login_acts_for_its_own_editor_only(own_guarded: Guarded) -> None:
    with own_guarded.open("red2") as campaign:
        # K2 is any red editor's by plan, and red2 says to be red1.
        with pytest.raises(WorldError) as refused:
            campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "desk")
        assert refused.value.code == "store.not-allowed"
        claim = campaign.claims.claim("K2", "red", Pass.FIRST, "red2", "desk")
        assert claim.turn == 1


def test_the_transcription_is_shown_where_the_option_says_so(own_guarded: Guarded) -> None:
    with open_campaign(own_guarded.url) as campaign:
        campaign.set_options({"editing.show_source": True})
    with own_guarded.open("red1") as campaign:
        campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        shown = campaign.revisions.kit_segments("K1", "red", Pass.FIRST)
        assert {one.transcription for one in shown} == {"جملة أولى", "جملة"}


def test_what_a_coordinator_does_an_editor_cannot(guarded: Guarded) -> None:
    with guarded.open("red1") as campaign:
        for attempt in (
            campaign.bundle_key,
            campaign.plans.kits,
            campaign.audit_trail,
            lambda: campaign.set_options({"editing.show_source": True}),
            lambda: list(campaign.segment_records()),
            lambda: campaign.claims.replace_editor("K2", "red", Pass.FIRST, "red2", by="me"),
        ):
            with pytest.raises(WorldError) as refused:
                attempt()
            assert refused.value.code == "store.not-allowed"


@pytest.mark.long
def test_one_who_comes_back_after_a_release_keeps_the_text_aside(own_guarded: Guarded) -> None:
    with own_guarded.open("red1") as away, own_guarded.open("red2") as other:
        claim = away.claims.claim("K2", "red", Pass.FIRST, "red1", "desk")
        [segment, *_] = away.revisions.kit_segments("K2", "red", Pass.FIRST)
        with open_campaign(own_guarded.url) as campaign:
            campaign.claims.release("K2", "red", Pass.FIRST, by="coordinator", reason="ill")
        other.claims.claim("K2", "red", Pass.FIRST, "red2", "desk")
        confirm_all(other, "K2", "red", Pass.FIRST, "by the other")
        late = Revision(
            id=new_id(),
            kit="K2",
            team="red",
            pass_=Pass.FIRST,
            segment=segment.name,
            editor="red1",
            machine="desk",
            at=claim.at,
            state=SegmentState.CONFIRMED,
            text="too late",
            turn=claim.turn,
        )
        delivery = away.revisions.append([late])
        assert (delivery.stored, delivery.side) == (1, 1)
        assert away.revisions.append([late]).known == 1
        # Nor does one who is out of it see what the other makes of it.
        assert [one.text for one in away.revisions.history("K2", "red", Pass.FIRST)] == ["too late"]
        with pytest.raises(ConflictError) as refused:
            away.claims.claim("K2", "red", Pass.FIRST, "red1", "desk")
        assert refused.value.code == "store.kit-claimed"
    with open_campaign(own_guarded.url) as campaign:
        texts = campaign.revisions.latest("K2", "red", Pass.FIRST)
        assert {one.text for one in texts.values()} == {"by the other"}
        assert len(campaign.revisions.history("K2", "red", Pass.FIRST)) == len(texts) + 1


@pytest.mark.long
def test_two_who_ask_for_the_next_kit_never_get_the_same(own_guarded: Guarded) -> None:
    kits = [f"P{number}" for number in range(4)]
    with open_campaign(own_guarded.url) as campaign, campaign.transaction():
        for kit in kits:
            campaign.plans.plan_kit(Kit(kit, (KitItem("Alpha", "A.x_1_S2"),), practice=True))
            campaign.plans.assign(kit, [Assignment(kit, "red", None, None)])
    got: dict[str, list[str]] = {"red1": [], "red2": []}
    start = threading.Barrier(2)

    def ask(editor: str) -> None:
        with own_guarded.open(editor) as campaign:
            start.wait()
            while free := [one for one in campaign.claims.available(editor) if not one.held]:
                offer = free[0]
                try:
                    campaign.claims.claim(offer.kit, offer.team, offer.pass_, editor, "desk")
                except ConflictError:
                    continue
                got[editor].append(offer.kit)

    threads = [threading.Thread(target=ask, args=(editor,)) for editor in got]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    both = got["red1"] + got["red2"]
    assert len(set(both)) == len(both)
    assert set(both) >= {"K1", "K2", *kits}
    assert got["red1"]
    assert got["red2"]


def test_rights_of_another_version_are_one_message(own_guarded: Guarded) -> None:
    with open_campaign(own_guarded.url) as campaign:
        campaign.set_options({"editing.allow_return": True})
    with psycopg.connect(own_guarded.url) as owner:
        owner.execute("DROP FUNCTION studio_returned")
    with open_campaign(own_guarded.url) as campaign:
        with pytest.raises(WorldError) as told:
            campaign.revisions.kit_segments("K1", "red", Pass.FIRST)
        assert told.value.code == "store.other-rights"


def test_an_editor_sees_how_the_own_teams_kits_stand(
    own_guarded: Guarded, capsys: pytest.CaptureFixture[str]
) -> None:
    with own_guarded.open("red1") as campaign:
        campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
    assert main(["campaign", "status", own_guarded.url_of("red1")]) == 0
    told = capsys.readouterr()
    assert "For red1 of team red: 2 kits" in told.out
    assert "blue" not in told.out
    assert told.err == ""


def test_the_coordinator_alone_ends_a_claim(
    own_guarded: Guarded, capsys: pytest.CaptureFixture[str]
) -> None:
    with own_guarded.open("red1") as campaign:
        campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "desk")
    addresses = *map(own_guarded.url_of, ("red2", "red1")), own_guarded.url
    for url, status in zip(addresses, (2, 2, 0), strict=True):
        assert main(["campaign", "release", url, "K2", "red", "first"]) == status
        assert ("[store.not-allowed]" in capsys.readouterr().err) is bool(status)
    with own_guarded.open("red2") as campaign:
        assert campaign.claims.claim("K2", "red", Pass.FIRST, "red2", "desk").turn == 2
