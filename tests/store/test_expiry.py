"""Claims that nobody works under any more."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from madcat_studio.errors import ConflictError
from madcat_studio.model.campaign import AvailablePass, Pass, Revision, SegmentState, new_id
from madcat_studio.operations.campaign.options import check_options
from madcat_studio.store import Campaign, give_out, open_campaign, schema

if TYPE_CHECKING:
    from tests.store.conftest import Guarded


def age(campaign: Campaign, hours: float) -> None:
    """Let everything that is there have happened earlier, as the server's clock would have it."""
    ago = timedelta(hours=hours)
    with campaign._database.writing() as connection:
        for table, columns in (
            (schema.claims, ("at",)),
            (schema.takebacks, ("at",)),
            (schema.revisions, ("at", "stored_at")),
        ):
            keys = [column.name for column in table.primary_key]
            for row in connection.execute(sa.select(table)).all():
                values = row._mapping
                connection.execute(
                    table.update()
                    .where(*(table.c[key] == values[key] for key in keys))
                    .values({one: values[one] - ago for one in columns if values[one] is not None})
                )


def text(campaign: Campaign, editor: str, turn: int, *, at: datetime | None = None) -> Revision:
    segment = campaign.revisions.kit_segments("K2", "red", Pass.FIRST)[0]
    return Revision(
        id=new_id(),
        kit="K2",
        team="red",
        pass_=Pass.FIRST,
        segment=segment.name,
        editor=editor,
        machine="desk",
        at=at or datetime.now(UTC),
        state=SegmentState.DRAFT,
        text=f"by {editor}",
        turn=turn,
    )


def test_an_expired_claim_goes_to_whoever_asks_next(campaign: Campaign) -> None:
    claim = campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "desk")
    age(campaign, 167)
    assert AvailablePass("K2", "red", Pass.FIRST) not in campaign.claims.available("red2")
    with pytest.raises(ConflictError):
        campaign.claims.claim("K2", "red", Pass.FIRST, "red2", "desk")
    age(campaign, 2)
    assert AvailablePass("K2", "red", Pass.FIRST) in campaign.claims.available("red2")
    # Until then it is still its editor's, with all rights.
    assert campaign.revisions.append([text(campaign, "red1", claim.turn)]).side == 0
    age(campaign, 169)
    again = campaign.claims.claim("K2", "red", Pass.FIRST, "red2", "laptop")
    assert (again.turn, again.editor) == (2, "red2")
    entry = next(one for one in campaign.audit_trail() if one.action == "release")
    assert (entry.who, entry.detail) == ("red2", "expired")
    # Who comes back is told, and the text kept aside.
    assert campaign.revisions.append([text(campaign, "red1", claim.turn)]).side == 1


def test_a_text_keeps_a_claim_by_the_databases_clock(campaign: Campaign) -> None:
    claim = campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "desk")
    age(campaign, 100)
    # The editor's own clock is a year behind.
    long_ago = datetime.now(UTC) - timedelta(days=365)
    campaign.revisions.append([text(campaign, "red1", claim.turn, at=long_ago)])
    age(campaign, 100)
    with pytest.raises(ConflictError):
        campaign.claims.claim("K2", "red", Pass.FIRST, "red2", "desk")
    age(campaign, 100)
    assert campaign.claims.claim("K2", "red", Pass.FIRST, "red2", "desk").turn == 2


def test_its_own_editor_goes_on_freely_and_is_safe_again(campaign: Campaign) -> None:
    first = campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "desk")
    age(campaign, 500)
    assert campaign.claims.available("red1")[0].held
    again = campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "desk")
    assert (again.turn, again.editor) == (first.turn + 1, "red1")
    with pytest.raises(ConflictError):
        campaign.claims.claim("K2", "red", Pass.FIRST, "red2", "desk")


def test_a_kit_that_is_out_as_a_file_does_not_expire(campaign: Campaign, tmp_path: Path) -> None:
    give_out(campaign, "K2", "red", Pass.FIRST, "red1", tmp_path / "kit")
    age(campaign, 1000)
    assert AvailablePass("K2", "red", Pass.FIRST) not in campaign.claims.available("red2")
    with pytest.raises(ConflictError):
        campaign.claims.claim("K2", "red", Pass.FIRST, "red2", "desk")
    if campaign.login:
        columns = schema.claims.c
        asked = sa.func.studio_expired(
            *(columns[name] for name in ("kit_id", "team_id", "pass_", "turn"))
        )
        with campaign._database.reading() as connection:
            # Neither does the server itself let an editor end it by hand.
            assert connection.scalars(sa.select(asked)).all() == [False]


def test_a_planned_pass_expires_for_nobody(campaign: Campaign) -> None:
    campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
    age(campaign, 500)
    assert all(one.kit != "K1" for one in campaign.claims.available("red2"))


@pytest.mark.parametrize(
    ("limit", "hours", "free"),
    [(2, 1, False), (2, 3, True), (0, 10_000, False), (None, 9999, False)],
)
def test_the_limit_is_the_campaigns(
    campaign: Campaign, limit: int | None, hours: float, free: bool
) -> None:
    campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "desk")
    # Also after editing has begun.
    campaign.set_options({"claims.expire_hours": limit})
    age(campaign, hours)
    assert (AvailablePass("K2", "red", Pass.FIRST) in campaign.claims.available("red2")) is free


def test_the_limit_is_a_number_of_hours() -> None:
    check_options({"claims.expire_hours": 24})
    for wrong in (-1, "soon", True, 1.5, None):
        with pytest.raises(Exception, match="whole number"):
            check_options({"claims.expire_hours": wrong})


def test_a_clock_that_is_set_back_loses_nothing(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The latest is what came last, whatever its time says."""
    claim = campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "desk")
    campaign.revisions.append([text(campaign, "red1", claim.turn)])
    real: Callable[..., datetime] = campaign._database.now
    monkeypatch.setattr(
        campaign._database, "now", lambda connection: real(connection) - timedelta(days=1)
    )
    yesterday = text(campaign, "red1", claim.turn, at=datetime.now(UTC) - timedelta(days=1))
    campaign.revisions.append([yesterday])
    latest = campaign.revisions.latest("K2", "red", Pass.FIRST)
    assert [one.id for one in latest.values()] == [yesterday.id]
    assert campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "desk") == claim
    campaign.claims.release("K2", "red", Pass.FIRST, by="coordinator")
    assert campaign.claims.claim("K2", "red", Pass.FIRST, "red2", "desk").turn == 2
    assert len(campaign.revisions.history("K2", "red", Pass.FIRST)) == 2


@pytest.mark.long
@pytest.mark.postgresql
def test_editors_see_that_a_colleagues_claim_has_expired_and_nothing_else(
    own_guarded: Guarded,
) -> None:
    with own_guarded.open("red1") as first, own_guarded.open("red2") as second:
        claim = first.claims.claim("K2", "red", Pass.FIRST, "red1", "desk")
        first.revisions.append([text(first, "red1", claim.turn)])
        with open_campaign(own_guarded.url) as campaign:
            age(campaign, 200)
        # A text that red2 may not read keeps the claim.
        first.revisions.append([text(first, "red1", claim.turn)])
        assert AvailablePass("K2", "red", Pass.FIRST) not in second.claims.available("red2")
        with open_campaign(own_guarded.url) as campaign:
            age(campaign, 200)
        assert AvailablePass("K2", "red", Pass.FIRST) in second.claims.available("red2")
        assert second.claims.claim("K2", "red", Pass.FIRST, "red2", "desk").turn == 2
