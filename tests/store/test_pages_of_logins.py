"""Scans on an editor's machine, backups and copies: under the rights of the login."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from madcat_studio.errors import InputError, WorldError
from madcat_studio.model.campaign import Pass
from madcat_studio.operations.pages.campaign_pages import fetch_scan, sweep_pages
from madcat_studio.store import copy_campaign, open_campaign
from madcat_studio.store.backup import back_up, restore
from madcat_studio.store.server import Server as AdminServer

if TYPE_CHECKING:
    from tests.store.conftest import Guarded

pytestmark = pytest.mark.postgresql

OURS, THEIRS = "A.x_1_S1", "B.x_1_S2"
SHOWN = "K1.01"
"""What an editor calls the first of them."""


def add_scans(guarded: Guarded) -> None:
    with open_campaign(guarded.url) as campaign, campaign.transaction():
        campaign.set_options({"editing.show_page": True})
        for base in (OURS, THEIRS):
            document = campaign.contents.document(base)
            assert document is not None
            campaign.contents.add_document(
                document,
                campaign.contents.blob(document.sha256),
                campaign.contents.segments(base),
                f"scan of {base}".encode(),
            )


def names(folder: Path) -> list[bytes]:
    return sorted(file.read_bytes() for file in folder.rglob("*") if file.is_file())


@pytest.mark.long
def test_scans_are_fetched_and_go_with_the_right_to_see_them(
    own_guarded: Guarded, tmp_path: Path
) -> None:
    add_scans(own_guarded)
    with own_guarded.open("red1") as campaign:
        with pytest.raises(InputError, match=r"campaign\.no-document"):
            fetch_scan(campaign, SHOWN, tmp_path)
        campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        scan = fetch_scan(campaign, SHOWN, tmp_path)
        assert scan is not None
        for base in (OURS, THEIRS):
            with pytest.raises(InputError, match=r"campaign\.no-document"):
                fetch_scan(campaign, base, tmp_path)
        assert sweep_pages(campaign, tmp_path) == 0
    # A coordinator looks at the other page on the same machine: another login, another place.
    with open_campaign(own_guarded.url) as coordinator:
        fetch_scan(coordinator, THEIRS, tmp_path)
        assert sweep_pages(coordinator, tmp_path) == 0
    assert len(names(tmp_path)) == 2
    with own_guarded.open("red1") as campaign:
        # The option cannot be taken back by command once editing has begun; the owner can.
        with psycopg.connect(own_guarded.url) as owner:
            owner.execute("UPDATE options SET value = 'false' WHERE name = 'editing.show_page'")
        assert sweep_pages(campaign, tmp_path) == 1
        assert names(tmp_path) == [f"scan of {THEIRS}".encode()]
        with pytest.raises(InputError, match=r"campaign\.not-shown"):
            fetch_scan(campaign, SHOWN, tmp_path)


def test_an_editor_cannot_carry_a_part_of_the_campaign_away(
    guarded: Guarded, tmp_path: Path
) -> None:
    url = guarded.url_of("red1")
    with pytest.raises(WorldError, match=r"store\.not-allowed"):
        back_up(url, tmp_path / "kept")
    with pytest.raises(WorldError, match=r"store\.not-allowed"):
        copy_campaign(url, tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_a_lost_server_is_made_again_with_its_logins(own_guarded: Guarded, tmp_path: Path) -> None:
    with own_guarded.open("red1") as campaign:
        campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
    # The coordinator is no superuser: owning the tables is enough to see every row.
    boss = own_guarded.url.replace("postgres@", "boss@")
    back_up(boss, tmp_path / "kept")
    again = type(own_guarded)(own_guarded.server, "again" + own_guarded.database[:20])
    with AdminServer(again.url) as admin:
        admin.prepare("boss", lambda: "secret")
    try:
        there = again.url.replace("postgres@", "boss@")
        restore(tmp_path / "kept", there)
        again.logins = own_guarded.logins
        with pytest.raises(WorldError):
            again.open("red1")
        with AdminServer(there) as admin:
            # Roles belong to the whole server: other tests go on with this one.
            made = admin.add_login("red1", "of red1")
        assert made.login == own_guarded.logins["red1"], "an editor keeps the name of the login"
        with again.open("red1") as campaign:
            assert campaign.claims.current("K1", "red", Pass.FIRST) is not None
            with pytest.raises(InputError, match="no team 'blue'"):
                campaign.revisions.kit_segments("K1", "blue", Pass.FIRST)
    finally:
        again.drop()
