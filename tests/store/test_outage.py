"""The server is restarted, the connection is cut: nothing is lost, nothing is doubled."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from madcat_studio.errors import WorldError
from madcat_studio.model.campaign import Pass, SegmentState
from madcat_studio.store import open_campaign
from madcat_studio.workspace.kit import KitWorkspace

if TYPE_CHECKING:
    from tests.store.conftest import Guarded

pytestmark = pytest.mark.postgresql


def cut(guarded: Guarded, editor: str) -> None:
    """As if somebody pulled the cable: the server lets go of all of an editor's connections."""
    with psycopg.connect(guarded.url) as owner:
        owner.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = %s",
            [guarded.logins[editor]],
        )


def texts(guarded: Guarded) -> list[str]:
    with open_campaign(guarded.url) as campaign:
        return [one.text for one in campaign.revisions.history("K1", "red", Pass.FIRST)]


def test_a_server_that_is_restarted_in_the_middle_of_a_kit(
    own_guarded: Guarded, tmp_path: Path
) -> None:
    with own_guarded.open("red1") as campaign:
        claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        kit = KitWorkspace(campaign, claim, folder=tmp_path)
        kit.set_text("before", 0)
        kit.confirm_and_next()
        assert (kit.pending, kit.trouble) == (0, "")
        own_guarded.server.stop()
        try:
            for text in ("meanwhile", "still away"):
                kit.set_text(text, 0)
                kit.confirm_and_next()
                assert "store.server-away" in kit.trouble
            assert kit.pending == 2
            with pytest.raises(WorldError) as told:
                campaign.claims.offers("red1")
            assert told.value.code == "store.server-away"
        finally:
            own_guarded.server.start()
        assert kit.flush()
        assert (kit.pending, kit.trouble, kit.side) == (0, "", False)
        kit.set_text("after", 0)
        kit.confirm()
        kit.hand_over()
    assert texts(own_guarded) == ["before", "meanwhile", "still away", "after"]


def test_a_program_that_ends_while_the_server_is_away(own_guarded: Guarded, tmp_path: Path) -> None:
    with own_guarded.open("red1") as campaign:
        claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        kit = KitWorkspace(campaign, claim, folder=tmp_path)
        own_guarded.server.stop()
        try:
            kit.set_text("typed without a server", 0)
            kit.close()
        finally:
            own_guarded.server.start()
    assert texts(own_guarded) == []
    with own_guarded.open("red1") as campaign:
        claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        again = KitWorkspace(campaign, claim, folder=tmp_path)
        assert again.recovery.revisions == 1
        assert again.own(0).text == "typed without a server"
        assert again.pending == 0
        again.close()
    assert texts(own_guarded) == ["typed without a server"]


def test_a_connection_that_is_cut_between_two_things(own_guarded: Guarded, tmp_path: Path) -> None:
    with own_guarded.open("red1") as campaign:
        claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        kit = KitWorkspace(campaign, claim, folder=tmp_path)
        cut(own_guarded, "red1")
        kit.set_text("over a new connection", 0)
        kit.confirm()
        assert (kit.pending, kit.trouble) == (0, "")
        kit.close()
    assert texts(own_guarded) == ["over a new connection"]


def test_a_connection_that_is_cut_in_the_middle_of_a_transaction(
    own_guarded: Guarded, tmp_path: Path
) -> None:
    with own_guarded.open("red1") as campaign:
        claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        kit = KitWorkspace(campaign, claim, folder=tmp_path, deliver_at_once=False)
        kit.set_text("all of it or nothing", 0)
        kit.confirm()

        def write() -> None:
            with campaign.transaction():
                campaign.revisions.append(kit._outbox.waiting())
                cut(own_guarded, "red1")
                campaign.options()

        with pytest.raises(WorldError) as told:
            write()
        assert told.value.code == "store.server-away"
        assert texts(own_guarded) == []
        kit.deliver()
        kit.deliver()
        assert kit.pending == 0
        kit.close()
    assert texts(own_guarded) == ["all of it or nothing"]


def test_an_editor_whose_clock_is_a_day_behind(own_guarded: Guarded, tmp_path: Path) -> None:
    """Texts count in the order in which they came; the server's time stands beside the editor's."""
    behind = datetime.now(UTC) - timedelta(days=1)
    with own_guarded.open("red1") as campaign:
        claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        kit = KitWorkspace(campaign, claim, folder=tmp_path)
        kit.set_text("by the right clock", 0)
        kit.confirm()
        kit.close()
        kit = KitWorkspace(campaign, claim, folder=tmp_path, now=lambda: behind)
        kit.set_text("by the wrong clock", 0)
        kit.confirm()
        kit.close()
        again = KitWorkspace(campaign, claim, folder=tmp_path)
        assert again.own(0).text == "by the wrong clock"
        assert again.own(0).state is SegmentState.CONFIRMED
        again.close()
    with psycopg.connect(own_guarded.url) as owner:
        rows = owner.execute(
            "SELECT number, at < now() - interval '12 hours', now() - stored_at < interval '1 hour'"
            " FROM revisions ORDER BY number"
        ).fetchall()
    assert rows == [(1, False, True), (2, True, True)]


def test_one_who_keeps_the_lock_does_not_keep_others_for_ever(
    own_guarded: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("madcat_studio.store.engines.BUSY_SECONDS", 1)
    with (
        own_guarded.connect("blue1") as greedy,
        greedy.transaction(),
        own_guarded.open("red1") as campaign,
    ):
        greedy.execute("SELECT pg_advisory_xact_lock(hashtext(current_schema()))")
        with pytest.raises(WorldError) as told:
            campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        assert told.value.code == "store.busy"
