"""Proposing a plan from a campaign, and taking it in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from madcat_studio.cli.app import main
from madcat_studio.errors import InputError
from madcat_studio.model.campaign import (
    CampaignDocument,
    CampaignSegment,
    DataSet,
    EarlierText,
    Editor,
    SegmentName,
    System,
    Team,
)
from madcat_studio.operations.planning.draft import read_draft, write_draft
from madcat_studio.operations.planning.proposal import propose_draft, propose_plan
from madcat_studio.operations.planning.tables import import_plan
from madcat_studio.planning.units import KitRules
from madcat_studio.store import create_campaign, open_campaign

RULES = KitRules(target=40, tolerance=0.3)


@pytest.fixture
def campaign(tmp_path: Path) -> str:
    """Four passages by two scribes, one of them in two pages; two systems, three teams."""
    where = tmp_path / "campaign"
    with create_campaign(where, "Small") as opened, opened.transaction():
        bases = []
        for passage in "abcd":
            for scribe in ("S1", "S2"):
                pages = ("1", "2") if (passage, scribe) == ("a", "S1") else ("1",)
                for page in pages:
                    base = f"{passage}_{page}_{scribe}"
                    bases.append(base)
                    opened.contents.add_document(
                        CampaignDocument(
                            base=base,
                            source_document=passage.upper(),
                            passage=passage,
                            manuscript=f"{passage}-{scribe}",
                            page=page,
                            scribe=scribe,
                            exposure="exposed",
                            data_set=DataSet.EVALUATION,
                            track="",
                            genre="web" if passage in "ab" else "newswire",
                            sha256="",
                        ),
                        b"<madcat/>",
                        [CampaignSegment("s1", page, "نص", "word " * 10, 1, 10 // len(pages))],
                    )
        for name, code in (("Alpha", "X1"), ("Beta", "X2")):
            opened.contents.add_system(System(name, code))
            for base in bases:
                opened.contents.add_output(name, base, b"<out/>", {"s1": "text"})
        for team in ("red", "blue", "green"):
            opened.plans.add_team(Team(team, (Editor(f"{team}1"), Editor(f"{team}2"))))
    return str(where)


@pytest.mark.long
def test_a_proposal_is_taken_in_as_it_is(campaign: str, tmp_path: Path) -> None:
    proposal = propose_plan(campaign, tmp_path / "plan", rules=RULES)
    kits, assignments = proposal.files
    import_plan(campaign, kits=kits, assignments=assignments)
    with open_campaign(campaign) as opened:
        there = opened.plans.kits()
        parts = opened.plans.assignments()
    assert [kit.name for kit in there] == [kit.name for kit in proposal.kits]
    for kit, planned in zip(there, proposal.kits, strict=True):
        assert sorted(item.base for item in kit.items) == sorted(
            base for unit in planned.units for base in unit.documents
        )
    in_two_pages = [kit for kit in there if any(item.base == "a_1_S1" for item in kit.items)]
    for kit in in_two_pages:
        systems = {item.system for item in kit.items if item.base == "a_1_S1"}
        assert systems <= {item.system for item in kit.items if item.base == "a_2_S1"}
    for part in parts:
        assert part.first != part.reviewer
    for team in ("red", "blue", "green"):
        firsts = [part.first for part in parts if part.team == team]
        assert abs(firsts.count(f"{team}1") - firsts.count(f"{team}2")) <= 1
    with pytest.raises(InputError, match="already in a kit"):
        propose_plan(campaign, tmp_path / "plan", rules=RULES)


@pytest.mark.long
def test_a_kit_that_holds_what_it_held_is_left_in_its_order(campaign: str) -> None:
    proposed = propose_draft(campaign, rules=RULES)
    turned = tuple(replace(kit, units=kit.units[::-1]) for kit in proposed.kits)
    write_draft(campaign, replace(proposed, kits=turned))
    with open_campaign(campaign) as opened:
        before = opened.plans.kits()
    name, (one, other) = turned[0].name, turned[0].teams
    draft = read_draft(campaign, rules=RULES)
    third = next(team for team in draft.there if team not in (one, other))
    outcome = write_draft(campaign, draft.with_team(name, one, third))
    assert outcome.done[0].startswith("0 kits planned, 1 kit given to teams")
    with open_campaign(campaign) as opened:
        assert opened.plans.kits() == before
        noted = opened.audit_trail(about="plan kits")[0]
    assert noted.who
    assert noted.detail == "0 kits planned, 1 assigned, 0 taken out"


@pytest.mark.long
def test_control_output_never_goes_to_its_first_editors(campaign: str, tmp_path: Path) -> None:
    with open_campaign(campaign) as opened, opened.transaction():
        control = replace(
            next(one for one in opened.contents.documents() if one.base == "b_1_S1"),
            base="old_1_S9",
            passage="old",
            manuscript="old-S9",
            source_document="OLD",
            data_set=DataSet.CONTROL,
        )
        opened.contents.add_document(
            control, b"<madcat/>", [CampaignSegment("s1", "1", "نص", "word " * 10, 1, 10)]
        )
        opened.contents.add_system(System("Old", "X9", earlier=True))
        opened.contents.add_output("Old", "old_1_S9", b"<out/>", {"s1": "text"})
        name = SegmentName("old_1_S9", "s1")
        opened.earlier.add_texts([EarlierText("Old", name, "then", "red2", "someone", "a", "b")])
    proposal = propose_plan(campaign, tmp_path / "plan", rules=RULES)
    pairs = [kit.teams for kit in proposal.kits if any(unit.system == "Old" for unit in kit.units)]
    assert pairs
    assert all("red" not in pair for pair in pairs)


def test_an_absent_team_and_a_wrong_one(campaign: str, tmp_path: Path) -> None:
    proposal = propose_plan(campaign, tmp_path / "plan", rules=RULES, absent=["green"])
    assert all(set(kit.teams) == {"red", "blue"} for kit in proposal.kits)
    with pytest.raises(InputError) as caught:
        propose_plan(campaign, tmp_path / "no", rules=RULES, absent=["purple"])
    assert caught.value.code == "plan.no-team"
    assert not (tmp_path / "no").exists()


@pytest.mark.long
def test_the_command_tells_what_the_plan_came_to(
    campaign: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "plan"
    arguments = ["campaign", "propose-plan", campaign, "--out", str(out)]
    assert main([*arguments, "--kit-words", "40", "--tolerance", "0.3"]) == 0
    said = capsys.readouterr().out
    assert "Carry-over" in said
    assert str(out / "kits.tsv") in said
    assert main([*arguments, "--overlap", "both"]) == 2
    assert main([*arguments, "--kit-words", "0"]) == 2
    assert "Traceback" not in capsys.readouterr().err
