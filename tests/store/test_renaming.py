"""Other names: rows stay, the log tells, and nobody's machine is left with a name of before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

from madcat_studio.errors import ConflictError, InputError
from madcat_studio.model.campaign import Editor, Pass, Team
from madcat_studio.store import Campaign, open_campaign
from tests.store.test_claims import confirm_all

if TYPE_CHECKING:
    from tests.store.conftest import Guarded


def test_a_person_gets_another_name_and_all_that_was_done_goes_along(campaign: Campaign) -> None:
    campaign.claims.claim("K1", "red", Pass.FIRST, "red1", "here")
    with pytest.raises(ConflictError) as told:
        campaign.renaming.person("red1", "ann", by="boss")
    assert told.value.code == "store.name-in-use"
    confirm_all(campaign, "K1", "red", Pass.FIRST)
    campaign.claims.hand_over("K1", "red", Pass.FIRST, editor="red1")
    campaign.claims.take_back("K1", "red", Pass.FIRST, editor="red1")
    campaign.claims.hand_over("K1", "red", Pass.FIRST, editor="red1")
    before = campaign.revisions.latest("K1", "red", Pass.FIRST)
    campaign.renaming.person("red1", "ann", by="boss")
    after = campaign.revisions.latest("K1", "red", Pass.FIRST)
    assert {one.editor for one in after.values()} == {"ann"}
    assert [one.text for one in after.values()] == [one.text for one in before.values()]
    assert campaign.plans.assignments("K1")[0].first == "ann"
    log = [(one.who, one.action, one.subject, one.detail) for one in campaign.audit_trail(20)]
    assert log[0] == ("boss", "rename", "editor red1", "now ann")
    # What was taken back by the same person is not a return by another.
    done = [(who, action) for who, action, *_ in log[1:]]
    assert done[:4] == [
        ("ann", "hand over"), ("ann", "take back"), ("ann", "hand over"), ("ann", "claim"),
    ]  # fmt: skip
    with pytest.raises(InputError, match="no editor 'red1'"):
        campaign.claims.available("red1")


def test_names_that_are_there_or_look_so_are_refused(campaign: Campaign) -> None:
    acts = campaign.renaming
    for act, old, new, code in (
        (acts.person, "red1", "blue1", "store.name-taken"),
        (acts.person, "red1", " blue1", "store.name-taken"),
        (acts.person, "red1", "blue\u200b1", "store.look-alike"),
        (acts.person, "red1", " ", "store.name-taken"),
        (acts.team, "red", "blue", "store.name-taken"),
        (acts.team, "red", "gre\u200ben", "store.look-alike"),
        (acts.system, "Alpha", "Beta", "store.name-taken"),
        (acts.system, "Alpha", "t2", "store.look-alike"),
        (acts.person, "nobody", "x", "store.unknown-editor"),
        (acts.system, "nothing", "x", "store.unknown-system"),
    ):
        with pytest.raises((ConflictError, InputError)) as told:
            act(old, new)
        assert told.value.code == code, new
    assert [one.action for one in campaign.audit_trail(10)].count("rename") == 0
    acts.system("Alpha", "T1")  # its own code is its own
    assert [one.name for one in campaign.contents.systems()] == ["Beta", "T1"]


def test_teams_and_systems_and_full_names(campaign: Campaign) -> None:
    campaign.renaming.team("red", "crimson", by="boss")
    campaign.renaming.system("Alpha", "maple", by="boss")
    campaign.renaming.full_name("blue1", "Ann Okafor", by="boss")
    assert [team.name for team in campaign.plans.teams()] == ["crimson", "blue", "green"]
    assert campaign.plans.teams()[1].editors[0] == Editor("blue1", "Ann Okafor")
    assert {one.system for one in campaign.segment_records()} == {"maple", "Beta"}
    assert [one.detail for one in campaign.audit_trail(3)] == [
        "now Ann Okafor; before: Ann", "now maple", "now crimson",
    ]  # fmt: skip
    assert campaign.plans.add_team(Team("crimson", (Editor("red3"),))) == 1
    campaign.claims.claim("K1", "crimson", Pass.FIRST, "red1", "here")
    with pytest.raises(ConflictError, match=r"store\.name-in-use"):
        campaign.renaming.team("crimson", "red")
    campaign.renaming.system("maple", "Alpha")
    campaign.renaming.full_name("red1", "Anna")


@pytest.mark.postgresql
def test_a_login_follows_its_editor_and_renames_nobody(own_guarded: Guarded) -> None:
    with own_guarded.open("red1") as editor, pytest.raises(Exception, match=r"not-allowed"):
        editor.renaming.full_name("red2", "Somebody else")
    with own_guarded.connect("red1") as login, pytest.raises(psycopg.Error, match="denied"):
        login.execute("UPDATE editors SET name = 'boss'")
    with open_campaign(own_guarded.url) as campaign:
        campaign.renaming.person("red1", "ann")
    with own_guarded.open("red1") as campaign:
        assert campaign.editor == "ann"
        assert campaign.claims.claim("K1", "red", Pass.FIRST, "ann", "desk").editor == "ann"
