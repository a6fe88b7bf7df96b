"""Names are compared composed and trimmed; what only looks the same is refused, and why."""

from __future__ import annotations

import pytest

from madcat_studio.errors import ConflictError, InputError
from madcat_studio.model.campaign import Editor, Pass, System, Team
from madcat_studio.store import Campaign

COMPOSED, APART = "Caf\u00e9", "Cafe\u0301"


def test_a_name_is_found_however_it_is_composed_and_with_blanks(campaign: Campaign) -> None:
    assert campaign.plans.add_team(Team(APART, (Editor(f" {APART}", "x"), Editor("s2 ")))) == 2
    assert campaign.plans.add_team(Team(f"{COMPOSED} ", (Editor(COMPOSED), Editor("s2")))) == 0
    team = campaign.plans.teams()[-1]
    assert (team.name, [one.id for one in team.editors]) == (COMPOSED, [COMPOSED, "s2"])
    claim = campaign.claims.claim("K1 ", "red", Pass.FIRST, " red1", "desk")
    assert campaign.claims.current("K1", "red", Pass.FIRST) is not None
    assert claim.turn == 1
    assert campaign.schedule.set_absent(APART, True)
    assert COMPOSED in campaign.schedule.absent()


@pytest.mark.parametrize(
    ("name", "words"),
    [("juni\u200bper", "U+200B (ZERO WIDTH SPACE)"), ("\u200ejuniper", "U+200E")],
)
def test_what_looks_like_another_is_refused_with_what_differs(
    campaign: Campaign, name: str, words: str
) -> None:
    campaign.plans.add_team(Team("juniper", (Editor("juniper"),)))
    campaign.contents.add_system(System("juniper", "T9"))
    for act in (
        lambda: campaign.plans.add_team(Team(name, ())),
        lambda: campaign.plans.add_team(Team("juniper", (Editor(name),))),
        lambda: campaign.contents.add_system(System(name, "T10")),
    ):
        with pytest.raises(ConflictError) as caught:
            act()
        assert caught.value.code == "store.look-alike"
        assert words in caught.value.reason
    with pytest.raises(InputError) as missing:
        campaign.schedule.set_absent(name, True)
    assert missing.value.code == "store.unknown-team"
    assert words in missing.value.remedy


def test_a_system_is_not_called_as_anothers_code(campaign: Campaign) -> None:
    with pytest.raises(ConflictError) as caught:
        campaign.contents.add_system(System("t1", "T9"))
    assert caught.value.code == "store.look-alike"
    assert campaign.contents.add_system(System("T9", "T9")), "its own code is its own"
