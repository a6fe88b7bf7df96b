"""A plan changed by hand: what is refused, and what every change does to the figures."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madcat_studio.errors import InputError
from madcat_studio.model.campaign import Assignment, Editor, Team
from madcat_studio.planning.draft import Draft, DraftKit, broken_rules, draft_figures, effect
from madcat_studio.planning.roles import choose_roles
from madcat_studio.planning.units import KitRules, Unit, UnitKey

RULES = KitRules(200, 0.2)
TEAMS = tuple(Team(f"T{n}", (Editor(f"t{n}a"), Editor(f"t{n}b"))) for n in range(1, 5))


def unit(passage: str, scribe: int = 1, system: str = "A", words: int = 100) -> Unit:
    genre = "web" if passage < "m" else "newswire"
    name = f"{passage}-{scribe}"
    return Unit(name, passage, genre, system, (f"{name}-{system}",), words)


def part(kit: str, team: int, turn: int = 0) -> Assignment:
    pair = (f"t{team}a", f"t{team}b")
    return Assignment(kit, f"T{team}", pair[turn], pair[1 - turn])


def plan(**more: object) -> Draft:
    kits = (
        DraftKit("K1", (unit("a"), unit("n")), (part("K1", 1), part("K1", 2))),
        DraftKit("K2", (unit("b"), unit("a", 2), unit("o")), (part("K2", 3), part("K2", 4))),
        DraftKit("K3", (unit("c"), unit("p")), (part("K3", 1, 1), part("K3", 3)), frozen=True),
    )
    return Draft(kits, TEAMS, rules=RULES, **more)  # type: ignore[arg-type]


def refused(code: str, make) -> None:
    with pytest.raises(InputError) as caught:
        make()
    assert caught.value.code == code
    assert caught.value.reason


def test_a_unit_is_moved_and_every_figure_that_moves_is_told() -> None:
    before = plan()
    after = before.with_unit_moved(UnitKey("A", "o-1"), "K1")
    assert [len(kit.units) for kit in after.kits] == [3, 2, 2]
    assert before == plan(), "a draft is a value"
    assert broken_rules(after) == ()
    changes = {one.name: one for one in effect(draft_figures(before), draft_figures(after))}
    assert (changes["words of team T1"].before, changes["words of team T1"].after) == (400, 500)
    assert changes["words of team T3"].after == 400
    assert changes["genre mixture missed by"].better is False
    assert "teams compared with every other" not in changes


@pytest.mark.parametrize(
    ("code", "make"),
    [
        ("planning.passage-in-kit", lambda d: d.with_unit_moved(UnitKey("A", "a-2"), "K1")),
        ("planning.frozen", lambda d: d.with_unit_moved(UnitKey("A", "b-1"), "K3")),
        ("planning.frozen", lambda d: d.with_unit_moved(UnitKey("A", "c-1"), "K1")),
        ("planning.frozen", lambda d: d.with_team("K3", "T1", "T2")),
        ("planning.no-kit", lambda d: d.with_unit_moved(UnitKey("A", "b-1"), "K9")),
        ("planning.no-unit", lambda d: d.with_unit_moved(UnitKey("A", "z-1"), "K1")),
        ("planning.no-team", lambda d: d.with_team("K1", "T1", "T9")),
        ("planning.not-in-kit", lambda d: d.with_team("K1", "T3", "T4")),
        ("planning.two-teams-of-kit", lambda d: d.with_team("K1", "T1", "T2")),
        ("planning.absent-team", lambda d: d.with_team("K1", "T1", "T4")),
        ("planning.forbidden-team", lambda d: d.with_team("K2", "T3", "T1")),
        ("planning.forbidden-team", lambda d: d.with_unit_moved(UnitKey("A", "b-1"), "K1")),
        (
            "planning.passage-in-kit",
            lambda d: d.with_units_swapped(UnitKey("A", "n-1"), UnitKey("A", "a-2")),
        ),
    ],
)
def test_a_hard_rule_refuses_a_change_with_its_reason(code: str, make) -> None:
    draft = plan(absent=frozenset({"T4"}), forbidden={UnitKey("A", "b-1"): frozenset({"T1"})})
    refused(code, lambda: make(draft))


def test_a_kit_is_never_emptied_but_its_last_unit_can_be_exchanged() -> None:
    draft = plan().with_unit_moved(UnitKey("A", "n-1"), "K2")
    refused("planning.empty-kit", lambda: draft.with_unit_moved(UnitKey("A", "a-1"), "K2"))
    swapped = draft.with_units_swapped(UnitKey("A", "a-1"), UnitKey("A", "a-2"))
    assert [one.key.manuscript for one in swapped.kit("K1").units] == ["a-2"]


def test_teams_and_roles_change_and_nobody_gets_two_parts() -> None:
    draft = plan().with_team("K1", "T2", "T3")
    parts = draft.kit("K1").parts
    assert [one.team for one in parts] == ["T1", "T3"]
    assert parts[0] == part("K1", 1), "a team that stays keeps its roles"
    assert {parts[1].first, parts[1].reviewer} == {"t3a", "t3b"}
    turned = draft.with_roles_turned("K1", "T1")
    assert turned.kit("K1").parts[0] == part("K1", 1, 1)
    swapped = plan().with_teams_swapped("K1", "K2")
    assert swapped.kit("K1").teams == ("T3", "T4")
    assert swapped.kit("K2").teams == ("T1", "T2")


def test_an_editor_of_two_teams_is_never_on_both_sides() -> None:
    shared = Team("T5", (Editor("t1a"), Editor("t5b"), Editor("t5c")))
    draft = Draft(plan().kits, (*TEAMS, shared), rules=RULES).with_team("K1", "T2", "T5")
    assert {draft.kit("K1").parts[1].first, draft.kit("K1").parts[1].reviewer} == {"t5b", "t5c"}
    pair = Team("T6", (Editor("t1a"), Editor("t6b")))
    refused(
        "planning.small-team",
        lambda: Draft(plan().kits, (*TEAMS, pair), rules=RULES).with_team("K1", "T2", "T6"),
    )


@given(st.integers(2, 5), st.integers(1, 12))
@settings(max_examples=25)
def test_editors_take_turns_in_both_roles(size: int, kits: int) -> None:
    team = Team("T", tuple(Editor(f"e{n}") for n in range(size)))
    parts: list[Assignment] = []
    for number in range(kits):
        parts.append(choose_roles(f"K{number}", team, parts))
    firsts, reviews = Counter(p.first for p in parts), Counter(p.reviewer for p in parts)
    loads = [firsts[e.id] + reviews[e.id] for e in team.editors]
    assert all(p.first != p.reviewer for p in parts)
    assert max(loads) - min(loads) <= 1
    assert all(abs(firsts[e.id] - reviews[e.id]) <= 2 for e in team.editors)


_CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["move", "swap", "team", "teams", "roles"]), *[st.integers(0, 99)] * 3
    ),
    max_size=12,
)


@given(_CHANGES)
@settings(max_examples=60, deadline=None)
def test_no_change_breaks_a_hard_rule_and_figures_are_recounts(changes) -> None:
    draft = plan(forbidden={UnitKey("A", "b-1"): frozenset({"T1"})})
    units = [one.key for kit in draft.kits for one in kit.units]
    for kind, one, other, third in changes:
        kit, kit2 = (draft.kits[n % 3].name for n in (one, other))
        team = f"T{1 + other % 4}"
        with suppress(InputError):
            if kind == "move":
                draft = draft.with_unit_moved(units[other % len(units)], kit)
            elif kind == "swap":
                draft = draft.with_units_swapped(units[one % len(units)], units[other % len(units)])
            elif kind == "team":
                draft = draft.with_team(kit, draft.kit(kit).teams[third % 2], team)
            elif kind == "teams":
                draft = draft.with_teams_swapped(kit, kit2)
            else:
                draft = draft.with_roles_turned(kit, draft.kit(kit).teams[third % 2])
    assert broken_rules(draft) == ()
    assert sorted(one.key for kit in draft.kits for one in kit.units) == sorted(units)
    assert "T1" not in draft.kit_of(UnitKey("A", "b-1")).teams
    assert draft.kit("K3") == plan().kit("K3"), "a claimed kit stays"
    found = draft_figures(draft)
    for team in TEAMS:
        own = [kit for kit in draft.kits if team.name in kit.teams]
        assert found.teams.loads[team.name] == len(own)
        assert found.teams.words[team.name] == sum(kit.words for kit in own)
    carried = sum(
        count - 1
        for team in TEAMS
        for count in Counter(
            one.passage for kit in draft.kits if team.name in kit.teams for one in kit.units
        ).values()
    )
    assert found.teams.carry_over == carried
    assert found.kits.words == tuple(kit.words for kit in draft.kits)


def test_a_draft_that_breaks_rules_says_all_of_them() -> None:
    bad = Draft(
        (
            DraftKit("K1", (unit("a"), unit("a", 2)), (part("K1", 1), part("K1", 1))),
            DraftKit("K2", (unit("a"),), (part("K2", 1),)),
        ),
        TEAMS,
    )
    assert {error.code for error in broken_rules(bad)} == {
        "planning.passage-in-kit",
        "planning.two-teams-of-kit",
        "planning.both-sides",
        "planning.unit-twice",
    }
