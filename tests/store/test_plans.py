from __future__ import annotations

import pytest

from madcat_studio.errors import ConflictError, InputError, StudioError
from madcat_studio.model.campaign import Assignment, Editor, Kit, KitItem, Pass, Team
from madcat_studio.store import Campaign


def refused(code: str, kind: type[StudioError]) -> pytest.RaisesExc[StudioError]:
    return pytest.RaisesExc(kind, check=lambda error: error.code == code)


def test_the_plan_reads_back_in_its_order(campaign: Campaign) -> None:
    assert [team.name for team in campaign.plans.teams()] == ["red", "blue", "green"]
    assert campaign.plans.teams()[0].editors == (Editor("red1", "Ann"), Editor("red2", "Bob"))
    assert campaign.plans.kits()[0] == Kit(
        "K1", (KitItem("Alpha", "A.x_1_S1"), KitItem("Beta", "B.x_1_S1"))
    )
    assert campaign.plans.assignments() == (
        Assignment("K1", "red", "red1", "red2"),
        Assignment("K1", "blue", "blue1", "blue2"),
        Assignment("K2", "blue", "blue2", "blue1"),
        Assignment("K2", "red", None, None),
    )
    assert {one.words for one in campaign.progress()} == {14}


def test_adding_again_changes_nothing(campaign: Campaign) -> None:
    plans = campaign.plans
    for team in plans.teams():
        assert plans.add_team(team) == 0
    for kit in plans.kits():
        assert not plans.plan_kit(kit)
        own = [one for one in plans.assignments() if one.kit == kit.name]
        assert not plans.assign(kit.name, own)
    assert plans.add_team(Team("red", (Editor("red3", "Cy"),))) == 1
    assert [one.id for one in plans.teams()[0].editors] == ["red1", "red2", "red3"]


@pytest.mark.parametrize(
    ("items", "code"),
    [
        ([], "store.empty-kit"),
        ([("Alpha", "absent")], "store.unknown-document"),
        ([("Delta", "A.x_1_S2")], "store.unknown-system"),
        # One passage twice: another scribe's copy, another system's output, the same again.
        ([("Alpha", "A.x_1_S2"), ("Alpha", "A.x_1_S1")], "store.output-twice"),
        ([("Beta", "B.x_1_S2"), ("Alpha", "B.x_1_S1")], "store.passage-twice"),
        ([("Beta", "B.x_1_S2"), ("Beta", "B.x_1_S2")], "store.document-twice"),
        ([("Alpha", "A.x_1_S1")], "store.output-twice"),
    ],
)
def test_kits_that_break_a_rule_are_refused(
    campaign: Campaign, items: list[tuple[str, str]], code: str
) -> None:
    before = campaign.plans.kits()
    with refused(code, InputError):
        campaign.plans.plan_kit(Kit("K3", tuple(KitItem(*item) for item in items)))
    assert campaign.plans.kits() == before


def test_a_practice_kit_may_repeat_what_is_scored(campaign: Campaign) -> None:
    kit = Kit("P", (KitItem("Alpha", "A.x_1_S1"),), practice=True)
    assert campaign.plans.plan_kit(kit)
    assert campaign.plans.kits()[-1] == kit
    assert {record.kit for record in campaign.segment_records()} == {"K1", "K2"}
    assert {record.kit for record in campaign.segment_records(practice=True)} == {"K1", "K2", "P"}


def test_a_kit_is_planned_anew_until_it_is_claimed(campaign: Campaign) -> None:
    anew = Kit("K1", (KitItem("Alpha", "A.x_1_S1"), KitItem("Alpha", "B.x_1_S1")))
    turned = [Assignment("K1", "green", "green2", "green1"), Assignment("K1", "red", None, "red1")]
    assert campaign.plans.plan_kit(anew)
    assert campaign.plans.assign("K1", turned)
    assert campaign.plans.kits()[0] == anew
    assert [one for one in campaign.plans.assignments() if one.kit == "K1"] == turned
    campaign.claims.claim("K1", "green", Pass.FIRST, "green2", "here")
    with refused("store.kit-frozen", ConflictError):
        campaign.plans.plan_kit(Kit("K1", (KitItem("Beta", "B.x_1_S1"),)))
    with refused("store.kit-frozen", ConflictError):
        campaign.plans.assign("K1", turned[:1])
    assert campaign.plans.kits()[0] == anew


@pytest.mark.parametrize(
    ("assignments", "code"),
    [
        ([("red", "red1", "red1")], "store.both-sides"),
        ([("red", "both", "red1"), ("blue", "blue1", "both")], "store.both-sides"),
        ([("red", "red1", "blue1")], "store.not-in-team"),
        ([("red", "red1", "nobody")], "store.unknown-editor"),
        ([("absent", "red1", "red2")], "store.unknown-team"),
    ],
)
def test_nobody_is_on_both_sides(
    campaign: Campaign, assignments: list[tuple[str, str, str]], code: str
) -> None:
    for team in ("red", "blue"):
        campaign.plans.add_team(Team(team, (Editor("both"),)))
    before = campaign.plans.assignments()
    with refused(code, InputError):
        campaign.plans.assign("K1", [Assignment("K1", *one) for one in assignments])
    assert campaign.plans.assignments() == before
