from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from madcat_studio.errors import InputError, StudioError
from madcat_studio.model.campaign import (
    Claim,
    Delivery,
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

S1, S2 = SegmentName("A.x_1_S1", "s1"), SegmentName("A.x_1_S1", "s2")


def refused(code: str, kind: type[StudioError]) -> pytest.RaisesExc[StudioError]:
    return pytest.RaisesExc(kind, check=lambda error: error.code == code)


@pytest.fixture
def claim(campaign: Campaign) -> Claim:
    return campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")


def revision(claim: Claim, segment: SegmentName, text: str, **changes: object) -> Revision:
    plain = Revision(
        id=new_id(),
        kit=claim.kit,
        team=claim.team,
        pass_=claim.pass_,
        segment=segment,
        editor=claim.editor,
        machine="here",
        at=claim.at,
        state=SegmentState.DRAFT,
        text=text,
        turn=claim.turn,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def test_revisions_are_appended_and_the_latest_counts(campaign: Campaign, claim: Claim) -> None:
    made = [revision(claim, S1, "one"), revision(claim, S2, "x"), revision(claim, S1, "two")]
    assert campaign.revisions.append(made[:2]) == Delivery(stored=2)
    assert campaign.revisions.append(made) == Delivery(stored=1, known=2)
    assert campaign.revisions.append(made) == Delivery(known=3)
    assert campaign.revisions.history("K1", "red", Pass.FIRST) == (made[0], made[2], made[1])
    assert campaign.revisions.history("K1", "red", Pass.FIRST, S2) == (made[1],)
    assert campaign.revisions.latest("K1", "red", Pass.FIRST) == {S1: made[2], S2: made[1]}
    assert campaign.revisions.latest("K1", "blue", Pass.FIRST) == {}
    # A clock that went back changes nothing.
    late = revision(claim, S1, "three", at=claim.at.replace(year=2001))
    campaign.revisions.append([late])
    assert campaign.revisions.latest("K1", "red", Pass.FIRST)[S1] == late
    # One that is ahead makes no text younger than its arrival.
    campaign.revisions.append([revision(claim, S1, "four", at=claim.at.replace(year=2101))])
    red = next(one for one in campaign.progress() if (one.kit, one.team) == ("K1", "red"))
    assert red.last is not None
    assert timedelta(0) <= red.last - claim.at < timedelta(hours=1)


def test_flags_are_those_of_the_latest_revision(campaign: Campaign, claim: Claim) -> None:
    flags = {Flag.NOTE: "ask", Flag.DISCUSS: ""}
    campaign.revisions.append(
        [revision(claim, S1, "a", flags=flags), revision(claim, S2, "b", flags=flags)]
    )
    campaign.revisions.append([revision(claim, S2, "b")])
    found = campaign.revisions.flagged()
    assert [(one.segment, one.flag, one.words) for one in found] == [
        (S1, Flag.NOTE, "ask"),
        (S1, Flag.DISCUSS, ""),
    ]
    assert campaign.revisions.kit_segments("K1", "red", Pass.FIRST)[0].flags == flags


def test_what_may_not_be_appended(campaign: Campaign, claim: Claim) -> None:
    with refused("store.not-in-kit", InputError):
        campaign.revisions.append(
            [revision(claim, S1, "x"), revision(claim, SegmentName("B.x_1_S2", "s1"), "x")]
        )
    with refused("store.never-claimed", InputError):
        campaign.revisions.append([revision(claim, S1, "x", editor="red2")])
    with refused("store.never-claimed", InputError):
        campaign.revisions.append([revision(claim, S1, "x", turn=2)])
    with refused("store.never-claimed", InputError):
        campaign.revisions.append([revision(claim, S1, "x", team="blue")])
    assert campaign.revisions.history("K1", "red", Pass.FIRST) == ()


def test_work_after_a_release_is_kept_aside(campaign: Campaign, claim: Claim) -> None:
    campaign.revisions.append([revision(claim, S1, "in time")])
    campaign.claims.release("K1", "red", Pass.FIRST, by="coordinator")
    late = revision(claim, S1, "late")
    assert campaign.revisions.append([late]) == Delivery(stored=1, side=1)
    assert campaign.revisions.latest("K1", "red", Pass.FIRST)[S1].text == "in time"
    assert campaign.revisions.history("K1", "red", Pass.FIRST)[-1] == replace(late, side=True)
    again = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    assert campaign.revisions.append([revision(again, S1, "again")]) == Delivery(stored=1)
    assert campaign.revisions.latest("K1", "red", Pass.FIRST)[S1].text == "again"


def test_an_editor_sees_nothing_of_the_other_team(campaign: Campaign, claim: Claim) -> None:
    other = campaign.claims.claim("K1", "blue", Pass.FIRST, "blue1", "there")
    campaign.revisions.append([revision(other, S1, "secret of blue")])
    campaign.revisions.append([revision(claim, S2, "own", state=SegmentState.CONFIRMED)])
    seen = campaign.revisions.kit_segments("K1", "red", Pass.FIRST)
    assert [one.name for one in seen] == [
        S1,
        S2,
        SegmentName("B.x_1_S1", "s1"),
        SegmentName("B.x_1_S1", "s2"),
    ]
    assert not {"T1", "T2"} & set(re.findall(r"\w+", repr(seen)))
    assert [one.text for one in seen] == [None, "own", None, None]
    assert [one.state for one in seen][:2] == [SegmentState.UNTOUCHED, SegmentState.CONFIRMED]
    assert "secret" not in repr(seen)
    assert "'Alpha'" not in repr(seen)
    assert all(one.first is None and one.transcription is None for one in seen)


def test_the_source_is_shown_only_where_the_coordinator_says_so(campaign: Campaign) -> None:
    campaign.set_options({"editing.show_source": True})
    seen = campaign.revisions.kit_segments("K1", "red", Pass.FIRST)
    assert seen[0].transcription == "جملة أولى"


def test_a_reviewer_starts_from_the_first_pass(campaign: Campaign, claim: Claim) -> None:
    segments = campaign.revisions.kit_segments("K1", "red", Pass.FIRST)
    for segment in segments:
        campaign.revisions.append(
            [revision(claim, segment.name, f"first {segment.name}", state=SegmentState.CONFIRMED)]
        )
    campaign.claims.hand_over("K1", "red", Pass.FIRST, editor="red1")
    seen = campaign.revisions.kit_segments("K1", "red", Pass.REVIEW)
    assert [one.first for one in seen] == [f"first {one.name}" for one in seen]
    assert all(one.text is None for one in seen)


def test_records_hold_the_texts_of_finished_passes(campaign: Campaign) -> None:
    for pass_, editor in ((Pass.FIRST, "blue2"), (Pass.REVIEW, "blue1")):
        records = {(one.kit, one.base, one.segment): one for one in campaign.segment_records()}
        assert all(text.final is None for one in records.values() for text in one.teams)
        claim = campaign.claims.claim("K2", "blue", pass_, editor, "here")
        campaign.revisions.append(
            [
                revision(
                    claim, one.name, f"{pass_} {one.name.segment}", state=SegmentState.CONFIRMED
                )
                for one in campaign.revisions.kit_segments("K2", "blue", pass_)
                if one.output
            ]
        )
        campaign.claims.hand_over("K2", "blue", pass_, editor=editor)
    records = {(one.kit, one.base, one.segment): one for one in campaign.segment_records()}
    assert len(records) == 8
    record = records["K2", "A.x_1_S1", "s1"]
    assert (record.system, record.code, record.output) == ("Beta", "T2", "first sentence Beta")
    assert [text.team for text in record.teams] == ["blue", "red"]
    blue, red = record.teams
    assert (blue.first, blue.final) == ("first s1", "review s1")
    assert (blue.first_editor, blue.reviewer) == ("blue2", "blue1")
    assert (red.first, red.final) == (None, None)
    # Where the system gave nothing, the reference counts as both texts.
    nothing = records["K2", "A.x_1_S1", "s2"]
    assert nothing.missing
    assert nothing.output == ""
    assert (nothing.teams[0].first, nothing.teams[0].final) == ("a second one", "a second one")
    assert nothing.teams[1].final is None


def test_progress_counts_words_and_segments(campaign: Campaign) -> None:
    claim = campaign.claims.claim("K2", "blue", Pass.FIRST, "blue2", "desk")
    campaign.revisions.append(
        [
            revision(claim, S1, "done", state=SegmentState.CONFIRMED),
            revision(claim, SegmentName("B.x_1_S2", "s1"), "begun"),
        ]
    )
    found = {(one.kit, one.team, one.pass_): one for one in campaign.progress()}
    first = found["K2", "blue", Pass.FIRST]
    assert (first.state, first.editor, first.machine) == (PassState.CLAIMED, "blue2", "desk")
    # s1 is confirmed (4 words); for s2 of the same page the system gave nothing (3 words).
    assert (first.segments, first.confirmed, first.drafts) == (4, 2, 1)
    assert (first.words, first.words_confirmed) == (14, 7)
    assert found["K2", "blue", Pass.REVIEW].state is PassState.WAITING
    assert found["K2", "red", Pass.FIRST].editor is None


@pytest.mark.long
@pytest.mark.postgresql
def test_on_a_server_only_those_wait_who_change_the_same(
    own_guarded: Guarded,
) -> None:
    with (
        open_campaign(own_guarded.url) as campaign,
        open_campaign(own_guarded.url) as other,
        ThreadPoolExecutor(1) as beside,
    ):
        red = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
        blue = campaign.claims.claim("K1", "blue", Pass.FIRST, "blue1", "here")

        def later(act: Callable[[], object]) -> bool:
            """Whether it is not done while this transaction is open."""
            started = beside.submit(act)
            done, waiting = wait([started], timeout=0.3)
            waits.extend(waiting)
            return not done

        waits: list[Future[object]] = []
        with campaign.transaction():
            campaign.revisions.append([revision(red, S1, "mine")])
            started = beside.submit(other.revisions.append, [revision(blue, S1, "another pass")])
            assert started.result(timeout=60) == Delivery(stored=1)
            assert later(lambda: other.revisions.append([revision(red, S1, "the same pass")]))
        assert waits.pop().result(timeout=60) == Delivery(stored=1)
        with campaign.transaction():
            campaign.revisions.append([revision(red, S1, "mine")])
            assert later(lambda: other.claims.release("K1", "red", Pass.FIRST, by="boss"))
        waits.pop().result(timeout=60)
        texts = [one.text for one in campaign.revisions.history("K1", "red", Pass.FIRST)]
        assert texts == ["mine", "the same pass", "mine"]
