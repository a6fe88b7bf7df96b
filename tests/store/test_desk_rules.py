"""What the desk forbids, the database forbids: tried with SQL, under an editor's login."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest
from psycopg import errors

from madcat_studio.errors import InputError
from madcat_studio.model.campaign import KitSegment, Pass, SegmentName, SegmentState
from madcat_studio.store import open_campaign
from madcat_studio.workspace.kit_values import problems_of
from madcat_studio.workspace.typing import Snapshot
from tests.store.test_red_team import LONG_AGO, Claimed, Row

if TYPE_CHECKING:
    from tests.store.conftest import Guarded

pytestmark = pytest.mark.postgresql

CONFIRMED = SegmentState.CONFIRMED


def reviewed(own_guarded: Guarded, *, returns: bool = True) -> tuple[Claimed, Claimed]:
    """A first pass that is handed over, and its review, which is confirmed."""
    with open_campaign(own_guarded.url) as owner:
        owner.set_options({"editing.allow_return": returns})
    first = Claimed(own_guarded, "red1", "K1", "red", Pass.FIRST)
    first.confirm_all()
    first.append(first.end("handovers"))
    review = Claimed(own_guarded, "red2", "K1", "red", Pass.REVIEW)
    review.confirm_all()
    return first, review


def sent_back(review: Claimed, first: Claimed) -> tuple[str, Row]:
    table, row = review.end("takebacks")
    return table, {**row, "pass_": "first", "turn": first.key["turn"]}


def flagged(review: Claimed, words: str | None = "why?") -> tuple[str, Row]:
    table, row = review.text("B.x_1_S1")
    return table, {**row, "flags": {} if words is None else {"to the first pass": words}}


@pytest.mark.long
def test_a_review_that_is_handed_over_is_final(own_guarded: Guarded) -> None:
    _, review = reviewed(own_guarded)
    review.append(review.end("handovers"))
    before = states_of(own_guarded)
    review.is_refused(review.end("takebacks"))
    review.is_refused(review.end("releases", None))
    review.is_refused(review.next_claim())
    assert states_of(own_guarded) == before


def states_of(guarded: Guarded) -> list[tuple[str, str]]:
    with open_campaign(guarded.url) as campaign:
        rows = [one for one in campaign.progress() if (one.kit, one.team) == ("K1", "red")]
    return [(one.pass_.value, one.state.value) for one in rows]


@pytest.mark.long
@pytest.mark.parametrize("returns", [True, False])
def test_a_first_pass_is_sent_back_where_a_segment_is_flagged_and_it_is_allowed(
    own_guarded: Guarded, returns: bool
) -> None:
    first, review = reviewed(own_guarded, returns=returns)
    first.is_refused((flagged(review)[0], {**flagged(review)[1], **first.key}))
    review.is_refused(sent_back(review, first))  # nothing is flagged
    review.append(flagged(review))
    review.append(flagged(review, None))
    review.is_refused(sent_back(review, first))  # nor is it any longer
    review.append(flagged(review))
    with own_guarded.connect("red1") as connection:
        told = connection.execute(
            "SELECT words FROM studio_returned(%s, %s)",
            [first.key["kit_id"], first.key["team_id"]],
        ).fetchall()
    assert told == ([("why?",)] if returns else [])
    if not returns:
        review.is_refused(sent_back(review, first))
        return
    review.is_refused(review.end("releases", None))  # with its first pass only
    review.append(sent_back(review, first))
    # Held all the same: it cannot be finished over an open first pass, or over a flag.
    for broken in ("rule_handovers_follows", "rule_handovers_complete"):
        with pytest.raises(errors.CheckViolation) as caught:
            review.append(review.end("handovers"))
        assert caught.value.diag.constraint_name == broken
        first.append(first.end("handovers", 2)) if broken.endswith("follows") else None
    review.append(flagged(review, None))
    review.append(review.end("handovers"))
    assert states_of(own_guarded) == [("first", "handed over"), ("review", "handed over")]


@pytest.mark.long
def test_a_review_is_released_with_the_first_pass_that_it_sends_back(own_guarded: Guarded) -> None:
    first, review = reviewed(own_guarded)
    review.append(flagged(review))
    review.append(sent_back(review, first))
    table, row = review.end("releases", None)
    review.append((table, {**row, "at": LONG_AGO}))
    assert states_of(own_guarded) == [("first", "claimed"), ("review", "waiting")]
    with psycopg.connect(own_guarded.url) as owner:
        late = owner.execute("SELECT clock_timestamp() - max(at) < '1 min' FROM releases")
        assert late.fetchone() == (True,), "at the server's time"


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("the market", True),
        ("the سوق today", False),
        ("today سوق,", False),
        ("it cost ٣٠ dollars", False),
        ("in \u00a0البيت\u00a0 and", True),
        ("البيت\u3000السوق", False),
        ("\ufeffthe market", True),
    ],
)
def test_nothing_is_handed_over_with_arabic_that_the_reference_does_not_have(
    own_guarded: Guarded, text: str, taken: bool
) -> None:
    """As the window judges it, whose rule this is."""
    reference = "the house البيت\u3000of trade"
    segment = KitSegment(SegmentName("a", "1"), reference, "o", None, None, text, CONFIRMED)
    found = {one.code for one in problems_of(0, segment, Snapshot(text, 0, 0, CONFIRMED))}
    assert found == (set() if taken else {"kit.source-script"})
    with psycopg.connect(own_guarded.url) as owner:
        owner.execute("UPDATE segments SET reference = %s", [reference])
    first = Claimed(own_guarded, "red1", "K1", "red", Pass.FIRST)
    first.confirm_all()
    table, row = first.text("B.x_1_S1")
    first.append((table, {**row, "text": text}))
    if taken:
        first.append(first.end("handovers"))
        return
    with own_guarded.open("red1") as campaign, pytest.raises(InputError) as caught:
        campaign.claims.hand_over("K1", "red", Pass.FIRST, editor="red1")
    assert "Arabic left" in caught.value.reason
    with open_campaign(own_guarded.url) as campaign:  # the coordinator may bring it in
        campaign.claims.hand_over("K1", "red", Pass.FIRST, editor="red1")
