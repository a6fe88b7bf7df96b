"""Nothing that is evaluated is claimed before editing begins: in a folder, on a server, by SQL."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import psycopg
import pytest

from madcat_studio.errors import ConflictError
from madcat_studio.model.calendar import Date, option_of
from madcat_studio.model.campaign import Pass
from madcat_studio.store import Campaign, open_campaign

if TYPE_CHECKING:
    from tests.store.conftest import Guarded

BEGINS = option_of(Date.EDITING_BEGINS)


def moment(days: float) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).isoformat()


def test_a_claim_before_its_time_is_refused_and_one_that_stands_goes_on(campaign: Campaign) -> None:
    campaign.set_options({BEGINS: moment(1)})
    for ask in (
        lambda: campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "desk"),
        lambda: campaign.claims.claim_next("red1", "desk"),
    ):
        with pytest.raises(ConflictError) as refused:
            ask()
        assert refused.value.code == "store.editing-not-begun"
    assert not campaign.claims.any()
    campaign.set_options({BEGINS: moment(-1)})
    claim = campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "desk")
    # The calendar is no option that is frozen then.
    campaign.set_options({BEGINS: moment(1)})
    assert campaign.claims.claim("K2", "red", Pass.FIRST, "red1", "desk") == claim
    campaign.set_options({BEGINS: None})
    assert campaign.claims.claim("K1", "blue", Pass.FIRST, "blue1", "desk").turn == 1


def test_a_login_cannot_pass_it_by_with_a_program_of_its_own(own_guarded: Guarded) -> None:
    with open_campaign(own_guarded.url) as campaign:
        campaign.set_options({BEGINS: moment(1)})
    with own_guarded.open("red1") as mine, pytest.raises(ConflictError) as refused:
        mine.claims.claim("K2", "red", Pass.FIRST, "red1", "desk")
    assert refused.value.code == "store.editing-not-begun"
    asked = (
        "INSERT INTO claims (kit_id, team_id, pass_, turn, editor_id, machine, at) "
        "SELECT k.id, a.team_id, 'first', 1, studio_editor(), 'desk', now() "
        "FROM studio_read_kits() k JOIN studio_read_assignments() a ON a.kit_id = k.id "
        "WHERE k.name = 'K2' LIMIT 1"
    )
    with own_guarded.connect("red1") as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(asked)
        with open_campaign(own_guarded.url) as campaign:
            campaign.set_options({BEGINS: moment(-1)})
        assert connection.execute(asked).rowcount == 1
