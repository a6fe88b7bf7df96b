from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madcat_studio.errors import InputError
from madcat_ter.hter import (
    Choice,
    Counts,
    Denominator,
    Outcome,
    SegmentScore,
    Stage,
    Tally,
    TeamScore,
    TeamTotals,
    Totals,
    is_empty,
    score_segment,
    score_segments,
)
from madcat_ter.options import TerOptions
from madcat_ter.ter import ter


@dataclass(frozen=True)
class Texts:
    team: str
    first: str | None
    final: str | None


def both(team: str, text: str | None) -> Texts:
    return Texts(team, text, text)


def scored(*fractions: tuple[int, int] | None, reference: int = 10) -> SegmentScore:
    """Teams A, B, … with these edits and words (None: no text; no words: an empty text)."""
    return SegmentScore(
        tuple(
            TeamScore(
                name,
                *([None if f is None else Counts(edits=f[0], words=f[1])] * 2),
                first_empty=f is not None and f[1] == 0,
                final_empty=f is not None and f[1] == 0,
            )
            for name, f in zip("ABCD", fractions, strict=False)
        ),
        float(reference),
    )


@pytest.mark.parametrize(
    ("fractions", "outcome", "team"),
    [
        (((3, 17), (5, 18)), Outcome.LOWER, 0),
        (((5, 18), (3, 17)), Outcome.LOWER, 1),
        (((2, 6), (1, 3)), Outcome.TIE, 1),
        (((1, 3), (2, 6)), Outcome.TIE, 0),
        (((1, 3), (1, 3)), Outcome.TIE, 0),
        (((0, 4), (0, 9)), Outcome.TIE, 0),
        (((9, 3), (7, 2)), Outcome.LOWER, 0),
        (((0, 0), (9, 3)), Outcome.LOWER, 1),
        (((4, 0), (9, 3)), Outcome.LOWER, 1),
        (((4, 0), (4, 0)), Outcome.TIE, 0),
        (((1, 3), None), Outcome.PRELIMINARY, 0),
        ((None, (1, 3)), Outcome.PRELIMINARY, 1),
        ((None, (4, 0)), Outcome.PRELIMINARY, 1),
        (((1, 3),), Outcome.PRELIMINARY, 0),
        ((None, None), Outcome.OPEN, None),
        ((), Outcome.OPEN, None),
        (((2, 4), (1, 2), (1, 3)), Outcome.LOWER, 2),
        (((2, 4), (1, 2), (3, 6)), Outcome.TIE, 1),
        (((2, 4), (3, 6), (0, 0)), Outcome.TIE, 0),
    ],
)
def test_choice(
    fractions: tuple[tuple[int, int] | None, ...], outcome: Outcome, team: int | None
) -> None:
    choice = scored(*fractions).choice()
    assert (choice.outcome, choice.team) == (outcome, team)
    assert choice.credited == (team if outcome is Outcome.LOWER else None)


def test_rates_are_compared_unrounded() -> None:
    # 333333/1000000 < 1/3, though both print as 33.33 %.
    assert scored((1, 3), (333_333, 1_000_000)).choice().team == 1
    # As floating-point numbers these two quotients are the same; as rates they are not.
    big = 3 * 10**7
    a, b = (big, 3 * big + 1), (big - 1, 3 * big - 2)
    assert a[0] / a[1] == pytest.approx(b[0] / b[1], rel=1e-15)
    exact = Fraction(*a) < Fraction(*b)
    assert scored(a, b).choice().team == (0 if exact else 1)


def test_under_the_reference_the_choice_is_made_anew() -> None:
    score = scored((5, 8), (3, 4), reference=4)
    assert score.choice(Denominator.CHOSEN).team == 0
    choice = score.choice(Denominator.REFERENCE)
    assert (choice.team, choice.edits, choice.words, choice.rate) == (1, 3, 4, 0.75)
    assert score.reason(Denominator.REFERENCE) == "B: 3/4 against 5/4"


def test_an_empty_reference_gives_no_rate_but_its_edits_count() -> None:
    choice = scored((2, 4), (1, 4), reference=0).choice(Denominator.REFERENCE)
    assert (choice.team, choice.edits, choice.words, choice.rate) == (1, 1, 0, None)
    tally = Tally.over([scored((2, 4), (1, 4), reference=0), scored((1, 5), (1, 5), reference=4)])
    totals = tally.of(Denominator.REFERENCE)
    assert (totals.edits, totals.words, totals.rate) == (2, 4, 0.5)


@pytest.mark.parametrize(
    ("fractions", "outcome", "team", "reason"),
    [
        (((2, 4), (1, 4)), Outcome.LOWER, 1, "B: 1/0 against 2/0"),
        (((1, 4), (2, 4)), Outcome.LOWER, 0, "A: 1/0 against 2/0"),
        (((2, 4), (2, 8)), Outcome.TIE, 0, "tie at 2/0, A listed first"),
        (((0, 4), (0, 8)), Outcome.TIE, 0, "tie at 0/0, A listed first"),
        (((3, 4), (2, 4), (2, 8)), Outcome.TIE, 1, "tie at 2/0, B listed first"),
    ],
)
def test_under_an_empty_reference_the_edits_decide(
    fractions: tuple[tuple[int, int], ...], outcome: Outcome, team: int, reason: str
) -> None:
    score = scored(*fractions, reference=0)
    choice = score.choice(Denominator.REFERENCE)
    assert (choice.outcome, choice.team) == (outcome, team)
    assert choice.credited == (team if outcome is Outcome.LOWER else None)
    assert choice.reason == reason


def test_an_empty_first_pass_is_not_chosen_though_the_final_text_is_full() -> None:
    teams = [Texts("A", "", "a b c"), Texts("B", "x y z", "")]
    for score in (
        score_segment("a b c", "a b c", teams),
        *score_segments([("a b c", "a b c", teams)]),
    ):
        first = score.choice(stage=Stage.FIRST)
        assert (first.outcome, first.team, first.edits) == (Outcome.LOWER, 1, 3)
        assert first.reason == "B: 3/3; the text of A is empty and is not chosen over a text"
        final = score.choice(stage=Stage.FINAL)
        assert (final.outcome, final.team, final.edits) == (Outcome.LOWER, 0, 0)
        assert final.reason == "A: 0/3; the text of B is empty and is not chosen over a text"
        for stage, empty in ((Stage.FIRST, [True, False]), (Stage.FINAL, [False, True])):
            assert [team.empty(stage) for team in score.teams] == empty


def test_nothing_against_nothing() -> None:
    choice = score_segment("", "", [both("A", ""), both("B", "")]).choice()
    assert (choice.outcome, choice.edits, choice.words, choice.rate) == (Outcome.NO_OUTPUT, 0, 0, 0)


def test_no_output_takes_the_reference_whatever_the_teams_have() -> None:
    for teams in ([], [both("A", None), both("B", "x")]):
        choice = score_segment(" \t", "one two, three", teams).choice()
        assert (choice.outcome, choice.team) == (Outcome.NO_OUTPUT, None)
        assert (choice.counts.deletions, choice.edits, choice.words) == (4, 4, 4)


@pytest.mark.parametrize(("text", "empty"), [("", True), (" \x0b\n", True), ("\u00a0", False)])
def test_empty_means_what_it_means_to_tercom(text: str, empty: bool) -> None:
    assert is_empty(text) is empty


def test_first_pass_and_final_are_both_scored() -> None:
    teams = [Texts("A", "a b c d", "a b c x"), Texts("B", "a b x y", None)]
    score = score_segment("a b c d", "a b", teams)
    assert score.choice(stage=Stage.FIRST).outcome is Outcome.LOWER
    assert score.choice(stage=Stage.FIRST).edits == 0
    assert score.choice(stage=Stage.FINAL).outcome is Outcome.PRELIMINARY
    assert score.choice(stage=Stage.FINAL).edits == 1


def test_case_and_punctuation_follow_the_options() -> None:
    teams = [both("A", "the army, visited."), both("B", "Nothing like it")]
    assert score_segment("The army, visited.", "", teams).choice().edits == 1
    options = TerOptions(case_sensitive=False)
    choice = score_segment("The army, visited.", "", teams, options).choice()
    assert (choice.edits, choice.words) == (0, 5)


def test_a_text_that_cannot_be_scored_is_refused() -> None:
    with pytest.raises(InputError, match="NUL"):
        score_segment("a\0b", "a", [both("A", "a")])


def test_zero_means_no_segment_or_no_rate() -> None:
    assert Tally().of().rate is None
    assert Tally.over([scored(None, None)]).of().rate is None
    assert Tally.over([scored(None, None)]).preliminary
    assert Tally.over([scored((0, 0), (0, 0))]).of().rate == 0


counts = st.one_of(st.none(), st.tuples(st.integers(0, 9), st.integers(0, 9)))
scores = st.builds(lambda a, b, r: scored(a, b, reference=r), counts, counts, st.integers(0, 9))


@pytest.mark.long
@given(st.lists(scores, max_size=12))
def test_totals_equal_a_recount(segments: list[SegmentScore]) -> None:
    tally = Tally.over(segments)
    for stage in Stage:
        for denominator in Denominator:
            choices = [segment.choice(denominator, stage) for segment in segments]
            there = [choice for choice in choices if choice.outcome is not Outcome.OPEN]
            totals = tally.of(denominator, stage)
            assert totals.segments == len(there)
            assert totals.open == len(choices) - len(there)
            assert totals.edits == sum(choice.edits for choice in there)
            assert totals.words == sum(choice.words for choice in there)
            assert totals.ties == sum(choice.outcome is Outcome.TIE for choice in there)
            decided = sum(totals.credited.values())
            assert totals.segments == decided + totals.ties + totals.preliminary
    assert tally.segments == len(segments)


@pytest.mark.long
@given(st.lists(scores, max_size=8), st.integers(0, 8))
def test_sums_of_parts_are_the_sum(segments: list[SegmentScore], cut: int) -> None:
    whole, first = Tally.over(segments), Tally.over(segments[:cut])
    first.merge(Tally.over(segments[cut:]))
    assert first == whole


@given(scores, st.sampled_from(Denominator))
def test_the_order_of_teams_matters_only_at_a_full_tie(
    score: SegmentScore, denominator: Denominator
) -> None:
    turned = SegmentScore(score.teams[::-1], score.reference_words, score.no_output)
    one, other = score.choice(denominator), turned.choice(denominator)
    assert (one.outcome, one.edits) == (other.outcome, other.edits)
    assert one.rate == other.rate
    if one.team is not None and other.team is not None and one.outcome is not Outcome.TIE:
        assert score.teams[one.team].team == turned.teams[other.team].team


@given(scores, st.sampled_from(Denominator))
def test_no_other_text_has_a_lower_rate(score: SegmentScore, denominator: Denominator) -> None:
    choice = score.choice(denominator)
    if choice.rate is None:
        return
    for team in score.teams:
        if team.final is None or team.final_empty:
            continue
        words = score.reference_words if denominator is Denominator.REFERENCE else team.final.words
        if words:
            assert Fraction(choice.edits) / Fraction(choice.words) <= Fraction(
                team.final.edits
            ) / Fraction(words)


words = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), min_size=1, max_size=6).map(" ".join)


@pytest.mark.long
@given(words, words, words, words)
def test_counts_are_those_of_ter(output: str, reference: str, one: str, two: str) -> None:
    score = score_segment(output, reference, [both("A", one), Texts("B", one, two)])
    for text, own in (
        (one, score.teams[0].final),
        (one, score.teams[1].first),
        (two, score.teams[1].final),
    ):
        result = ter(output, [text])
        assert own is not None
        assert (own.edits, own.words, own.shifts) == (
            result.edits,
            result.words,
            result.shift_count,
        )
        assert own.edits == own.insertions + own.deletions + own.substitutions + own.shifts
    assert score.reference_words == ter("", [reference]).words


maybe = st.one_of(st.none(), st.just(""), words)


@pytest.mark.long
@given(st.lists(st.tuples(st.one_of(st.just(" "), words), words, maybe, maybe, maybe), max_size=5))
def test_many_at_once_are_the_same_as_one_by_one(
    segments: list[tuple[str, str, str | None, str | None, str | None]],
) -> None:
    rows = [(o, r, [Texts("A", a, b), both("B", c)]) for o, r, a, b, c in segments]
    assert score_segments(rows) == [score_segment(*row) for row in rows]


@pytest.mark.parametrize(
    ("fractions", "reason"),
    [
        (((5, 18), (3, 17)), "B: 3/17 against 5/18"),
        (((3, 17), (5, 18), (9, 9)), "A: 3/17 against 5/18, 9/9"),
        (((0.5, 4), (3, 4)), "A: 0.5/4 against 3/4"),
        (((1, 3), (1, 3)), "tie at 1/3, A listed first"),
        (((2, 6), (1, 3)), "tie at the same rate, B with fewer edits: 1/3 against 2/6"),
        (
            ((2, 4), (1, 2), (3, 6)),
            "tie at the same rate, B with fewer edits: 1/2 against 2/4, 3/6",
        ),
        (((1, 2), (1, 2), (9, 9)), "tie at 1/2, A listed first"),
        (((1, 3), None), "preliminary: A 1/3, nothing yet from B"),
        ((None, (1, 3), None), "preliminary: B 1/3, nothing yet from A, C"),
        (((1, 3),), "preliminary: A 1/3, one team only"),
        (((4, 0), (9, 3)), "B: 9/3; the text of A is empty and is not chosen over a text"),
        (((4, 0), (5, 0)), "A: 4/0 against 5/0"),
        ((None, None), "open: no final text yet"),
    ],
)
def test_reasons(fractions: tuple[tuple[float, float] | None, ...], reason: str) -> None:
    score = scored(*fractions)  # type: ignore[arg-type]
    assert score.reason() == score.choice().reason == reason


def test_reasons_of_the_first_pass_and_of_nothing() -> None:
    assert scored(None, None).reason(stage=Stage.FIRST) == "open: no first pass yet"
    nothing = score_segment("", "a b", [both("A", "x")]).choice()
    assert nothing.reason == "no output: the reference counts as the final text of every team"
    assert Choice(Outcome.OPEN, None, Counts(), 0.0).reason == ""


def test_costs_that_are_no_whole_numbers_are_compared_exactly() -> None:
    # Multiplied out as floating-point numbers the two are the same: 0.30000000000000004.
    a, b = 0.1 + 0.2, 0.1
    assert a * 1 == b * 3
    choice = scored((a, 3), (b, 1)).choice()  # type: ignore[arg-type]
    assert (choice.outcome, choice.team) == (Outcome.LOWER, 1)
    assert scored((0.5, 2), (0.25, 1)).choice().outcome is Outcome.TIE  # type: ignore[arg-type]


def test_a_text_is_not_empty_unless_it_is_said_to_be() -> None:
    team = TeamScore("A")
    assert (team.first, team.final) == (None, None)
    assert not team.empty(Stage.FIRST)
    assert not team.empty(Stage.FINAL)


def test_an_open_segment_has_no_rate_and_no_words() -> None:
    choice = scored(None, None).choice()
    assert (choice.edits, choice.words, choice.rate) == (0, 0, None)
    assert Counts(edits=1, words=4).rate == 0.25


def test_every_sum_of_a_tally() -> None:
    one, two = Counts(1, 2, 3, 4, 5, 10.0, 20.0), Counts(2, 4, 6, 8, 10, 20.0, 22.0)
    nothing = Counts(deletions=7, edits=7.0, words=7.0)
    teams = (TeamScore("A", one, one), TeamScore("B", two, two))
    scores = [
        SegmentScore(teams, 40.0),
        SegmentScore(teams[::-1], 40.0),
        SegmentScore((TeamScore("A", one, one), TeamScore("B", one, one)), 40.0),
        SegmentScore((TeamScore("A", two, None), TeamScore("B", two, two)), 40.0),
        SegmentScore((TeamScore("A", two, None), TeamScore("B")), 40.0),
        SegmentScore((TeamScore("A", nothing, nothing),), 7.0, nothing),
    ]
    tally = Tally.over(scores)
    assert tally.of() == Totals(
        segments=5,
        insertions=3 * 1 + 2,
        deletions=3 * 2 + 4 + 7,
        substitutions=3 * 3 + 6,
        shifts=3 * 4 + 8,
        shifted_words=3 * 5 + 10,
        edits=3 * 10 + 20 + 7,
        words=3 * 20 + 22 + 7,
        ties=1,
        no_output=1,
        preliminary=1,
        open=1,
        credited={"A": 2},
    )
    assert tally.of(Denominator.REFERENCE).words == 4 * 40 + 7
    first = tally.of(stage=Stage.FIRST)
    assert (first.segments, first.open, first.ties, first.preliminary) == (6, 0, 2, 1)
    assert first.credited == {"A": 2}
    # Of its own texts, whoever was chosen; nothing of segments without output.
    assert tally.teams == {
        ("A", Stage.FINAL): TeamTotals(3, 30, 60),
        ("B", Stage.FINAL): TeamTotals(4, 20 + 20 + 10 + 20, 22 + 22 + 20 + 22),
        ("A", Stage.FIRST): TeamTotals(5, 30 + 40, 60 + 44),
        ("B", Stage.FIRST): TeamTotals(4, 70, 86),
    }
    assert tally.teams["A", Stage.FINAL].rate == 0.5
    assert TeamTotals().rate is None
    assert (tally.segments, tally.preliminary) == (6, True)
    twice = Tally.over(scores)
    twice.merge(tally)
    assert twice == Tally.over(scores * 2)


@pytest.mark.parametrize(
    ("fractions", "preliminary"),
    [([(1, 2), (1, 2)], False), ([(1, 2), None], True), ([None, None], True)],
)
def test_a_group_is_preliminary_while_a_final_text_is_to_come(
    fractions: list[tuple[int, int] | None], preliminary: bool
) -> None:
    assert Tally.over([scored((1, 2), (3, 4)), scored(*fractions)]).preliminary is preliminary
