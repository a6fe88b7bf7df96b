"""Nothing that is evaluated is claimed before editing begins: in a folder, on a server, by SQL."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from madcat_studio.errors import ConflictError, InputError, UsageError
from madcat_studio.model.calendar import Date, option_of
from madcat_studio.model.campaign import (
    Assignment,
    CampaignDocument,
    CampaignSegment,
    DataSet,
    Kit,
    KitItem,
    Pass,
)
from madcat_studio.store import Campaign, copy_campaign, open_campaign
from madcat_studio.store.database import DATABASE_NAME

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


# -- tracks -----------------------------------------------------------------------------------

TRACKS = ("go-no-go", "challenge")


def of_track(track: str) -> str:
    return option_of(Date.EDITING_BEGINS, track)


def add_tracks(campaign: Campaign) -> None:
    """A page of each track, in a kit of its own with the track's name, for red's editors."""
    with campaign.transaction():
        for number, track in enumerate(TRACKS):
            base = f"T.x_1_S{number}"
            campaign.contents.add_document(
                CampaignDocument(
                    base=base,
                    source_document=f"doc{track}",
                    passage=track,
                    manuscript=track,
                    page="1",
                    scribe="S1",
                    exposure="exposed",
                    data_set=DataSet.EVALUATION,
                    track=track,
                    genre="web",
                    sha256="",
                ),
                base.encode(),
                [CampaignSegment("s1", "1", "جملة", "a sentence", 1, 2)],
            )
            campaign.contents.add_output("Alpha", base, b"<out/>", {"s1": "sentence"})
            campaign.plans.plan_kit(Kit(track, (KitItem("Alpha", base),)))
            campaign.plans.assign(track, [Assignment(track, "red", "red1", "red2")])


def refused(campaign: Campaign, kit: str) -> bool:
    try:
        campaign.claims.claim(kit, "red", Pass.FIRST, "red1", "desk")
    except ConflictError as error:
        return error.code == "store.editing-not-begun"
    return False


@pytest.mark.parametrize(
    ("dates", "waiting"),
    [
        ({}, ()),
        ({BEGINS: 1}, TRACKS),
        ({BEGINS: -1}, ()),
        ({of_track("challenge"): 1}, ("challenge",)),
        ({BEGINS: -1, of_track("challenge"): 1}, ("challenge",)),
        ({BEGINS: 1, of_track("go-no-go"): -1}, ("challenge",)),
        ({BEGINS: 1, of_track("challenge"): -1, of_track("go-no-go"): -1}, ()),
        # A date that was taken away is none: the campaign's holds again.
        ({BEGINS: 1, of_track("challenge"): None}, TRACKS),
    ],
)
def test_a_kit_is_claimed_by_the_date_of_its_track_else_by_the_campaigns(
    campaign: Campaign, dates: dict[str, float | None], waiting: tuple[str, ...]
) -> None:
    add_tracks(campaign)
    campaign.set_options(
        {name: None if day is None else moment(day) for name, day in dates.items()}
    )
    assert tuple(kit for kit in TRACKS if refused(campaign, kit)) == waiting
    # What there is to do by now is offered, whatever waits for its time.
    if len(waiting) == 1:
        claim = campaign.claims.claim_next("red1", "desk")
        assert claim is not None
        assert claim.kit not in waiting


def test_a_date_is_kept_in_utc_whatever_its_zone(campaign: Campaign) -> None:
    add_tracks(campaign)
    # An hour ago there, though its letters say a time that is to come here, and the other way.
    east, west = (timezone(timedelta(hours=hours)) for hours in (14, -12))
    for track, zone, days in (("go-no-go", east, -1 / 24), ("challenge", west, 1 / 24)):
        there = (datetime.now(UTC) + timedelta(days=days)).astimezone(zone)
        campaign.set_options({of_track(track): there.isoformat()})
    assert [refused(campaign, kit) for kit in TRACKS] == [False, True]
    kept = campaign.options()
    assert all(str(kept[of_track(track)]).endswith("+00:00") for track in TRACKS)


@pytest.mark.parametrize("track", ["chalenge", "Challenge", "challenge@2", "go-no-go,challenge"])
def test_a_date_of_no_track_is_refused_and_nothing_is_set(campaign: Campaign, track: str) -> None:
    add_tracks(campaign)
    with pytest.raises(UsageError) as wrong:
        campaign.set_options({BEGINS: moment(1), of_track(track): moment(1)})
    assert wrong.value.code == "calendar.no-track"
    assert "challenge, go-no-go" in wrong.value.remedy
    with pytest.raises(InputError) as wrong_moment:
        campaign.set_options({BEGINS: moment(1), of_track("challenge"): "soon"})
    assert wrong_moment.value.code == "calendar.moment"
    assert campaign.options() == {}


ROW = (
    "INSERT INTO claims (kit_id, team_id, pass_, turn, editor_id, machine, at) "
    "SELECT k.id, a.team_id, 'first', 1, {me}, 'desk', {now} "
    "FROM {kits} k JOIN {assignments} a ON a.kit_id = k.id WHERE k.name = '{kit}'"
)


@pytest.mark.long
def test_no_row_gets_into_a_file_before_its_time(prepared: Path, tmp_path: Path) -> None:
    copy_campaign(prepared, tmp_path / "own")
    with open_campaign(tmp_path / "own") as campaign:
        add_tracks(campaign)
        campaign.set_options({of_track("challenge"): moment(1)})
    own = {
        "me": "(SELECT id FROM editors WHERE name = 'red1')",
        "now": "strftime('%Y-%m-%d %H:%M:%f000', 'now')",
        "kits": "kits",
        "assignments": "assignments",
    }
    with closing(sqlite3.connect(tmp_path / "own" / DATABASE_NAME)) as connection:
        with pytest.raises(sqlite3.IntegrityError, match=r"rule claims\.begun"):
            connection.execute(ROW.format(kit="challenge", **own))
        assert connection.execute(ROW.format(kit="go-no-go", **own)).rowcount == 1
    # What was claimed before the calendar was changed is copied as it was.
    with open_campaign(tmp_path / "own") as campaign:
        assert not refused(campaign, "go-no-go")
        campaign.set_options({BEGINS: moment(1)})
    copy_campaign(tmp_path / "own", tmp_path / "copy")
    with open_campaign(tmp_path / "copy") as copy:
        assert not refused(copy, "go-no-go")  # goes on with it
        assert refused(copy, "K2")


def test_a_login_passes_by_no_track_and_is_told_of_none(own_guarded: Guarded) -> None:
    with open_campaign(own_guarded.url) as campaign:
        add_tracks(campaign)
        campaign.set_options({BEGINS: moment(-1), of_track("challenge"): moment(1)})
    own = {
        "me": "studio_editor()",
        "now": "now()",
        "kits": "studio_read_kits()",
        "assignments": "studio_read_assignments()",
    }
    with own_guarded.open("red1") as mine:
        assert refused(mine, "challenge")
        # Of the calendar only from when on the campaign's kits are edited, not by which track.
        assert [*mine.options()] == [BEGINS]
    with own_guarded.connect("red1") as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(ROW.format(kit="challenge", **own))
        assert connection.execute(ROW.format(kit="go-no-go", **own)).rowcount == 1
    with psycopg.connect(own_guarded.url) as owner:
        [[key, begins]] = owner.execute(
            "SELECT id, studio_begins(id) FROM kits WHERE name = 'challenge'"
        ).fetchall()
    assert begins is not None
    with own_guarded.connect("blue1") as connection:  # of another team: nothing is told of the kit
        assert connection.execute("SELECT studio_begins(%s)", [key]).fetchone() == (None,)
