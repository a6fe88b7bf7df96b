"""Due dates, absences, selections, references, watching: on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from madcat_studio.errors import ConflictError, InputError
from madcat_studio.model.campaign import DataSet, Kit, Pass
from madcat_studio.store import Campaign, open_campaign
from madcat_studio.store.watch import Watch

MARCH = datetime(2048, 3, 1, 17, tzinfo=UTC)
APRIL = datetime(2048, 4, 1, tzinfo=UTC)


def test_the_latest_date_counts_and_none_takes_it_away(campaign: Campaign) -> None:
    schedule = campaign.schedule
    assert schedule.due() == {}
    assert schedule.set_due(["K1", "K2"], [Pass.FIRST], MARCH) == 2
    assert schedule.set_due(["K1"], [Pass.FIRST], APRIL) == 1
    assert schedule.set_due(["K1"], [Pass.FIRST], APRIL) == 0
    assert schedule.due() == {("K1", Pass.FIRST): APRIL, ("K2", Pass.FIRST): MARCH}
    assert schedule.set_due(["K1"], [Pass.FIRST], None, by="me") == 1
    assert schedule.due() == {("K2", Pass.FIRST): MARCH}
    assert campaign.audit_trail(who="me")[0].action == "set due date"
    with pytest.raises(InputError):
        schedule.set_due(["K1", "K9"], [Pass.REVIEW], MARCH)
    assert ("K1", Pass.REVIEW) not in schedule.due(), "all of it, or nothing"


def test_a_team_is_away_and_back(campaign: Campaign) -> None:
    assert campaign.schedule.set_absent("red", True, reason="leave")
    assert not campaign.schedule.set_absent("red", True)
    assert campaign.schedule.absent() == {"red"}
    assert campaign.schedule.set_absent("red", False)
    assert campaign.schedule.absent() == frozenset()


def test_the_latest_choice_for_a_set_counts(campaign: Campaign) -> None:
    chosen = campaign.selections
    assert chosen.add(DataSet.CONTROL, ["p1", "p2"], {"seed": 1})
    assert not chosen.add(DataSet.CONTROL, ["p2", "p1"], {"seed": 2})
    assert chosen.add(DataSet.CONTROL, ["p3"], {"seed": 3}, by="me")
    assert chosen.chosen() == {DataSet.CONTROL: frozenset({"p3"})}
    (record,) = chosen.latest()
    assert (record.passages, record.details, record.by) == (("p3",), {"seed": 3}, "me")
    assert chosen.forget(DataSet.CONTROL)
    assert not chosen.forget(DataSet.CONTROL)
    assert chosen.chosen() == {}


def test_a_kit_is_taken_out_with_all_that_belongs_to_it(campaign: Campaign) -> None:
    campaign.schedule.set_due(["K1", "K2"], [Pass.FIRST], MARCH)
    campaign.plans.remove_kit("K1")
    assert [kit.name for kit in campaign.plans.kits()] == ["K2"]
    assert campaign.schedule.due() == {("K2", Pass.FIRST): MARCH}
    campaign.claims.claim("K2", "blue", Pass.FIRST, "blue2", "m")
    assert campaign.plans.claimed() == {"K2"}
    with pytest.raises(ConflictError):
        campaign.plans.remove_kit("K2")
    with pytest.raises(InputError):
        campaign.plans.remove_kit("K1")


def test_outputs_go_from_one_kit_to_another(campaign: Campaign) -> None:
    first, second = campaign.plans.kits()[:2]
    new = [Kit(first.name, second.items), Kit(second.name, first.items)]
    with campaign.transaction():
        campaign.plans.empty_kits(new)
        assert [campaign.plans.plan_kit(kit) for kit in new] == [True, True]
    assert list(campaign.plans.kits()[:2]) == new
    campaign.plans.empty_kits(new)
    assert list(campaign.plans.kits()[:2]) == new, "what is so already stays"


def test_a_reference_is_replaced_and_kits_are_counted_anew(campaign: Campaign) -> None:
    base = "A.x_1_S1"
    document = campaign.contents.document(base)
    assert document is not None
    segments = campaign.contents.segments(base)
    longer = [replace(one, reference="x " * 9, reference_words=9) for one in segments]
    before = {one.kit: one.words for one in campaign.progress()}["K1"]
    campaign.references.replace(
        base, b"<new/>", longer, genre="web", image_name="n.tif", before=document.sha256
    )
    now = campaign.contents.document(base)
    assert now is not None
    assert (now.genre, now.image_name) == ("web", "n.tif")
    assert campaign.contents.blob(now.sha256) == b"<new/>"
    gained = 9 * len(segments) - sum(one.reference_words for one in segments)
    assert {one.kit: one.words for one in campaign.progress()}["K1"] == before + gained
    assert campaign.contents.reference_words()[base] == 9 * len(segments)
    with pytest.raises(ConflictError):
        campaign.references.replace(
            base, b"<x/>", longer, genre="", image_name="", before=document.sha256
        )
    with pytest.raises(InputError):
        campaign.references.replace(
            base, b"<x/>", longer[:1], genre="", image_name="", before=now.sha256
        )


def test_a_watch_sees_every_commit_of_others(where: str) -> None:
    with Watch(where) as watch, open_campaign(where) as campaign:
        assert not watch.changed()
        campaign.plans.kits()
        campaign.schedule.set_absent("red", True)
        assert watch.changed()
        with pytest.raises(InputError):
            campaign.schedule.set_absent("purple", True)
        campaign.claims.claim("K1", "blue", Pass.FIRST, "blue1", "m")
        assert watch.changed()
