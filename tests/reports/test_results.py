"""Sums that a database makes are those of a plain recount; the spool gives back what it got."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from madcat_studio.model.campaign import DataSet, SegmentRecord, TeamText
from madcat_studio.progress import Cancelled
from madcat_studio.reports.grouping import Breakdown
from madcat_studio.reports.results import (
    CampaignResults,
    ScoredSegment,
    collect,
)
from madcat_ter.hter import Denominator, SegmentScore, Stage, Tally, score_segment

words = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=4).map(" ".join)
maybe = st.one_of(st.none(), words)


@st.composite
def campaigns(draw: st.DrawFn) -> list[tuple[str, str, str, DataSet, bool, bool, str, str, list]]:
    count = draw(st.integers(0, 8))
    return [
        (
            draw(st.sampled_from(["alpha", "beta"])),
            draw(st.sampled_from(["D1", "D2"])),
            draw(st.sampled_from(["1", "2"])),
            draw(st.sampled_from([DataSet.EVALUATION, DataSet.PROGRESS])),
            draw(st.booleans()),
            draw(st.booleans()),
            draw(words),
            draw(words),
            [(team, draw(maybe), draw(maybe)) for team in ("T1", "T2")],
        )
        for _ in range(count)
    ]


def score(block: Sequence[SegmentRecord]) -> list[SegmentScore]:
    return [score_segment(r.output, r.reference, r.teams) for r in block]


def without_credit(tally: Tally) -> list[tuple[object, ...]]:
    """Everything that the database keeps for a group: all but who was credited."""
    return [
        tuple(getattr(totals, name) for name in totals.__slots__ if name != "credited")
        for totals in tally.totals.values()
    ]


@pytest.mark.long
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(campaigns())
def test_sums_are_a_recount(record_of: Callable[..., SegmentRecord], rows: list) -> None:
    records = [
        record_of("k1", system, base, f"s{number}", reference, output, {})._replace(
            page=page,
            data_set=data_set,
            scribe_error=scribe_error,
            missing=missing,
            teams=tuple(TeamText(*team) for team in teams),
        )
        for number, (
            system, base, page, data_set, scribe_error, missing, reference, output, teams,
        ) in enumerate(rows)
    ]  # fmt: skip
    scores = score(records)
    with collect(records, score) as results:
        assert list(results.segments) == [
            ScoredSegment(*pair) for pair in zip(records, scores, strict=True)
        ]
        keys: dict[Breakdown, Callable[[SegmentRecord], tuple[str, ...]]] = {
            Breakdown.SYSTEM: lambda r: (),
            Breakdown.PAGE: lambda r: (r.base, r.page),
            Breakdown.DOCUMENT: lambda r: (r.genre, r.kit, r.base),
        }
        for breakdown, key in keys.items():
            found = {(g.data_set, g.system, g.names): g for g in results.of(breakdown)}
            wanted = {(r.data_set, r.system, key(r)) for r in records}
            assert found.keys() == wanted
            assert results.count(breakdown) == len(wanted)
            for place, group in found.items():
                own = [
                    (r, s)
                    for r, s in zip(records, scores, strict=True)
                    if (r.data_set, r.system, key(r)) == place
                ]
                assert without_credit(group.all) == without_credit(Tally.over(s for _, s in own))
                clean = Tally.over(s for r, s in own if not r.scribe_error)
                assert without_credit(group.clean) == without_credit(clean)
                assert group.missing == sum(r.missing for r, _ in own)
        for sums in results.team_sums():
            tally = Tally.over(
                s for r, s in zip(records, scores, strict=True) if r.data_set is sums.data_set
            )
            for denominator in Denominator:
                credited = tally.of(denominator).credited
                assert sums.credited[denominator] == credited.get(sums.team, 0)
            for stage, own_totals in ((Stage.FIRST, sums.first), (Stage.FINAL, sums.final)):
                if (sums.team, stage) in tally.teams:
                    assert own_totals == tally.teams[sums.team, stage]
                else:
                    assert own_totals.segments == 0


def test_an_earlier_phases_output_is_control_wherever_it_lies(
    record_of: Callable[..., SegmentRecord],
) -> None:
    record = record_of("k1", "gamma", "D1", "s1", "a", "a", {"T1": ("a", "a"), "T2": ("a", "a")})
    assert record.earlier
    assert record.data_set is DataSet.EVALUATION
    with collect([record], score) as results:
        assert [group.data_set for group in results.of(Breakdown.SYSTEM)] == [DataSet.CONTROL]


def test_the_hash_of_the_input_sees_every_text(record_of: Callable[..., SegmentRecord]) -> None:
    def hashes(*changes: dict[str, object]) -> dict[str, str]:
        record = record_of(
            "k1", "alpha", "D1", "s1", "r", "o", {"T1": ("a", "b"), "T2": ("c", "d")}
        )
        for change in changes:
            record = record._replace(**change)  # type: ignore[arg-type]
        with collect([record], score) as results:
            return results.hashes

    plain = hashes()
    assert hashes() == plain
    for change, name in (
        ({"output": "o2"}, "outputs"),
        ({"reference": "r2"}, "references"),
        ({"teams": (TeamText("T1", "a", None), TeamText("T2", "c", "d"))}, "edits"),
        ({"teams": (TeamText("T1", "a", ""), TeamText("T2", "c", "d"))}, "edits"),
        ({"teams": (TeamText("T1", "ab", ""), TeamText("T2", "c", "d"))}, "edits"),
    ):
        changed = hashes(change)
        assert [key for key in plain if plain[key] != changed[key]] == [name]


def test_a_failure_leaves_nothing_open(record_of: Callable[..., SegmentRecord]) -> None:
    def fail(block: Sequence[SegmentRecord]) -> list[SegmentScore]:
        raise Cancelled

    record = record_of("k1", "alpha", "D1", "s1", "r", "o", {})
    with pytest.raises(Cancelled):
        collect([record], fail)


def test_nothing_can_be_read_after_closing() -> None:
    results = CampaignResults()
    results.close()
    with pytest.raises(ValueError, match="closed"):
        list(results.segments)
