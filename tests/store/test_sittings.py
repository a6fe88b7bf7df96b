"""Where passes are open: one place at a time, on each database and under editors' logins."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from madcat_studio.errors import StudioError
from madcat_studio.model.campaign import Pass, Revision, SegmentState, new_id
from madcat_studio.model.sittings import AS_FILE
from madcat_studio.store import Campaign, give_out, open_campaign
from madcat_studio.workspace.desk import Desk
from tests.store.conftest import Guarded


def made(campaign: Campaign, text: str, *, place: str | None, base: str | None) -> Revision:
    """A text of the first segment of red's kit."""
    segment = campaign.revisions.kit_segments("K1", "red", Pass.FIRST)[0].name
    return Revision(
        id=new_id(),
        kit="K1",
        team="red",
        pass_=Pass.FIRST,
        segment=segment,
        editor="red1",
        machine="here",
        at=datetime.now(UTC),
        state=SegmentState.DRAFT,
        text=text,
        base=base,
        place=place,
    )


def test_the_latest_place_counts(campaign: Campaign) -> None:
    claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    assert campaign.sittings.current(claim) is None
    campaign.sittings.sit(claim, "a/1", "office")
    campaign.sittings.sit(claim, "b/1", "laptop")
    campaign.sittings.leave(claim, "a/1", "office")  # it is open elsewhere: nothing to leave
    now = campaign.sittings.current(claim)
    assert now is not None
    assert (now.place, now.machine, now.home, now.as_file) == ("b/1", "laptop", "b", False)
    assert campaign.sittings.all() == {("K1", "red", Pass.FIRST): now}
    assert campaign.sittings.all(files=True) == {}
    campaign.sittings.leave(claim, "b/1", "laptop")
    assert campaign.sittings.current(claim) is None
    campaign.sittings.sit(claim, AS_FILE, "bundle")
    assert set(campaign.sittings.all(files=True)) == {("K1", "red", Pass.FIRST)}
    assert campaign.sittings.call_back("K1", "red", Pass.FIRST, by="boss") == "red1"
    assert campaign.sittings.all() == {}
    assert campaign.audit_trail(1)[0].action == "call bundle back"


def test_a_text_from_elsewhere_and_one_after_an_older_text_are_kept_aside(
    campaign: Campaign,
) -> None:
    claim = campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    campaign.sittings.sit(claim, "b/1", "laptop")
    one = made(campaign, "one", place="b/1", base="")
    told = campaign.revisions.append([one])
    assert (told.side, told.beside) == (0, 0)
    late = [made(campaign, "late", place="a/1", base=one.id)]
    told = campaign.revisions.append(late)
    assert (told.stored, told.side, told.beside) == (1, 1, 1)
    again = made(campaign, "other window", place="b/2", base=one.id)
    assert campaign.revisions.append([again]).side == 0, "it has the spool of the one before"
    stale = made(campaign, "stale", place="b/2", base=one.id)
    assert campaign.revisions.append([stale]).beside == 1
    [latest] = campaign.revisions.latest("K1", "red", Pass.FIRST).values()
    assert latest.text == "other window"


@pytest.mark.long
def test_a_login_sits_at_its_own_passes_only(own_guarded: Guarded) -> None:
    with own_guarded.open("red1") as first, own_guarded.open("red2") as second:
        claim = first.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        first.sittings.sit(claim, "a/1", "office")
        first.sittings.sit(claim, "b/1", "laptop")
        now = first.sittings.current(claim)
        assert now is not None
        assert now.machine == "laptop"
        assert second.sittings.all() == {}, "where somebody else sits is nobody's business"
        with pytest.raises(StudioError):
            second.sittings.sit(claim, "c/1", "elsewhere")
        with pytest.raises(StudioError):
            first.sittings.sit(claim, AS_FILE, "bundle")
        one = made(first, "one", place="b/1", base="")
        assert first.revisions.append([one]).side == 0
        told = first.revisions.append([made(first, "late", place="a/1", base=one.id)])
        assert (told.side, told.beside) == (1, 1)
        told = first.revisions.append([made(first, "stale", place="b/1", base="")])
        assert (told.side, told.beside) == (1, 1)
        first.sittings.leave(claim, "b/1", "laptop")
        assert first.sittings.current(claim) is None


def test_a_login_writes_no_row_that_is_not_its_own(own_guarded: Guarded) -> None:
    with own_guarded.open("red1") as first:
        claim = first.claims.claim("K1", "red", Pass.FIRST, "red1", "desk")
        first.sittings.sit(claim, "a/1", "office")
    columns = "kit_id, team_id, pass_, turn, number, editor_id, place, machine, at, ended"
    taken = f"INSERT INTO sittings ({columns}) SELECT kit_id, team_id, pass_, turn, {{number}},"
    taken += " editor_id, {place}, 'm', {at}, false FROM studio_read_sittings() LIMIT 1"
    with own_guarded.connect("red1") as connection:
        for change in (
            {"number": "7"},
            {"number": "1"},
            {"place": "'file'"},
            {"place": "repeat('x', 501)"},
        ):
            given = {"number": "2", "place": "'b/1'", "at": "now()", **change}
            with pytest.raises(psycopg.Error) as refused:
                connection.execute(taken.format(**given))  # type: ignore[call-overload]
            assert refused.value.sqlstate in ("42501", "23514", "23505")
        given = {"number": "2", "place": "'b/1'", "at": "'2000-01-01'"}
        connection.execute(taken.format(**given))  # type: ignore[call-overload]
        [(year,)] = connection.execute(
            "SELECT extract(year FROM at)::int FROM studio_read_sittings() WHERE number = 2"
        ).fetchall()
        assert year >= 2026, "the time is the server's"


@pytest.mark.long
def test_at_the_desk_of_a_server_a_second_machine_is_asked(
    own_guarded: Guarded, tmp_path: Path
) -> None:
    with own_guarded.open("red1") as office, own_guarded.open("red1") as laptop:
        desk = Desk(office, tmp_path / "office" / "spools")
        kit = desk.open(desk.kits("red1")[0], "red1")
        kit.set_text("At the office.", 0)
        kit.confirm()
        other = Desk(laptop, tmp_path / "laptop" / "spools")
        with pytest.raises(StudioError) as asked:
            other.open(other.kits("red1")[0], "red1")
        assert asked.value.code == "kit.open-elsewhere"
        there = other.open(other.kits("red1")[0], "red1", take_over=True)
        assert there.own(0).text == "At the office."
        kit.go_to(1)
        kit.set_text("Too late.", 0)
        kit.confirm()
        found = kit.texts.seat.elsewhere()
        assert found is not None
        kit.be_taken_over(found)
        assert [one.text for one in there.texts.asides()] == ["Too late."]
        there.close()


def test_a_kit_given_out_while_it_is_open_does_not_expire(where: str, tmp_path: Path) -> None:
    with open_campaign(where) as campaign:
        campaign.set_options({"claims.expire_hours": 1})
        campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
        give_out(campaign, "K1", "red", Pass.FIRST, "red1", tmp_path / "k.madcat-kit")
        from madcat_studio.store import expiry
        from madcat_studio.store.holds import holds

        with campaign._database.reading() as connection:
            [(key, hold)] = holds(connection).items()
            later = datetime(2100, 1, 1, tzinfo=UTC)
            assert not expiry.has_expired(campaign._database, connection, key, hold, later)
