"""Sums, intervals and tests of groups against a plain recount, whatever the metric."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from madcat_studio.model.campaign import DataSet
from madcat_studio.reports.factors import Factors, within_groups
from madcat_studio.reports.grouping import (
    FACTORS,
    UNKNOWN,
    WAYS,
    Breakdown,
    PageSums,
    Place,
    written,
)
from madcat_studio.scoring.resampling import Resampling, compare, holm, interval

FEW = Resampling(resamples=60)
NUMBERS = ("edits", "words", "segments", "open")
EVALUATION = ("ter", "go", DataSet.EVALUATION)


def place(**given: str) -> Place:
    names = dict.fromkeys(Place._fields, "") | {
        "series": "ter",
        "track": "go",
        "data_set": "evaluation",
        "scribe_errors": "without",
    }
    return Place(**(names | given))


def names(*values: str) -> st.SearchStrategy[str]:
    return st.sampled_from(values)


runs = st.lists(
    st.tuples(
        names("beta", "alpha", "gamma"),  # system
        names("S2", "S10", "S1", "S3"),  # source document
        names("n1", "n2"),  # page of it: a document
        names("newswire", "web"),
        names("with", "without"),
        st.integers(0, 9),
        st.integers(0, 9),
        st.booleans(),  # still open: nothing of it is in the sums
    ),
    max_size=30,
)


@pytest.mark.long
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(runs)
def test_every_group_is_a_recount(rows: list[tuple]) -> None:
    sums = PageSums(NUMBERS)
    sums.set_ranks({"beta": 0, "alpha": 1, "gamma": 2})
    ranked = ("beta", "alpha", "gamma")
    cells: dict = defaultdict(lambda: [0, 0, 0, 0])
    clean: dict = defaultdict(lambda: [0, 0])
    for system, source, page, genre, errors, edits, words, still in rows:
        base = f"{source}_{page}_{genre}"
        numbers = (0, 0, 0, 1) if still else (edits, words, 1, 0)
        sums.add(
            place(
                system=system, source_document=source, base=base, genre=genre, scribe_errors=errors
            ),
            numbers,
        )
        for group in ("", genre):
            for at, number in enumerate(numbers):
                cells[group, system, source, base][at] += number
            if errors == "without" and not still:
                clean[group, system, source][0] += edits
                clean[group, system, source][1] += words
    factors = Factors(sums, NUMBERS, FEW)
    groups = {
        **factors.of(EVALUATION, Breakdown.SYSTEM),
        **factors.of(EVALUATION, Breakdown.GENRE),
    }
    assert groups.keys() == {name for row in rows for name in ("", row[3])}
    for name, group in groups.items():
        for system in ranked:
            by_source: dict = defaultdict(lambda: [0, 0])
            for (own, of, source, _), (edits, words, segments, _open) in cells.items():
                if own == name and of == system and segments:
                    by_source[source][0] += edits
                    by_source[source][1] += words
            order = [s for s in ("S1", "S2", "S3", "S10") if s in by_source]
            worth = factors.system(
                EVALUATION, Breakdown.GENRE if name else Breakdown.SYSTEM, name, system
            )
            assert worth.clusters == len(order)
            assert worth.interval == interval(
                [by_source[s][0] for s in order], [by_source[s][1] for s in order], FEW
            )
            flawless = [
                clean[name, system, s]
                for s in ("S1", "S2", "S3", "S10")
                if (name, system, s) in clean
            ]
            assert worth.clean == interval(
                [one[0] for one in flawless], [one[1] for one in flawless], FEW
            )
        wanted = [s for s in ranked if s in group.systems and group.systems[s].clusters]
        pairs = [(one.first, one.second) for one in group.pairings]
        assert pairs == list(combinations(wanted, 2))
        for pairing, made in zip(group.pairings, group.comparisons, strict=True):
            both = [
                {
                    base: numbers
                    for (own, of, _, base), numbers in cells.items()
                    if own == name and of == system and numbers[2] and not numbers[3]
                }
                for system in (pairing.first, pairing.second)
            ]
            common = both[0].keys() & both[1].keys()
            assert pairing.documents == len(common)
            sides: list = [defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0])]
            for side, own in zip(sides, both, strict=True):
                for base in common:
                    side[base.partition("_")[0]][0] += own[base][0]
                    side[base.partition("_")[0]][1] += own[base][1]
            order = [s for s in ("S1", "S2", "S3", "S10") if s in sides[0]]
            columns = [([side[s][0] for s in order], [side[s][1] for s in order]) for side in sides]
            assert made == compare(*columns, FEW)


@pytest.mark.long
def test_many_names_and_large_numbers_are_kept_exactly() -> None:
    """More documents than two bytes count, more scribes than one; numbers beyond single floats."""
    many, scribes, odd = 65_537, 257, 2**24 + 1
    sums = PageSums(NUMBERS)
    at = {n: {"source_document": f"S{n % scribes}", "base": f"D{n}"} for n in range(many)}
    sums.extend(
        (place(system="a", scribe=f"W{n % scribes}", **own), (n % 7, 10, 1, 0))
        for n, own in at.items()
    )
    # The first document and the last are others, for all that their numbers end alike.
    for n in (0, many - 1):
        sums.add(place(system="b", scribe=f"W{n % scribes}", **at[n]), (odd, 2 * odd, 1, 0))
    factors = Factors(sums, NUMBERS, Resampling(resamples=10))
    whole = factors.of(EVALUATION, Breakdown.SYSTEM)[""]
    ((first, second),) = [(one.first, one.second) for one in whole.pairings]
    assert (first, second) == ("a", "b")
    assert whole.pairings[0].documents == 2
    assert whole.systems["a"].clusters == scribes
    groups = factors.of(EVALUATION, Breakdown.SCRIBE)
    assert [*groups] == sorted((f"W{n}" for n in range(scribes)), key=lambda one: int(one[1:]))
    edits = sum(n % 7 for n in range(many))
    assert whole.systems["a"].interval is not None
    assert whole.systems["a"].interval.point == edits / (10 * many)
    assert factors.system(EVALUATION, Breakdown.SCRIBE, "W0", "b").clusters == 1
    assert whole.systems["b"].interval is not None
    assert whole.systems["b"].interval.point == 0.5


def test_what_is_apart_is_never_summed() -> None:
    sums = PageSums(NUMBERS)
    for series in ("ter", "wer"):
        for track in ("go", "challenge"):
            for data_set in ("evaluation", "progress"):
                where = place(
                    series=series, track=track, data_set=data_set, system="a", genre="web"
                )
                sums.add(where, (1, 2, 1, 0))
    for breakdown in Breakdown:
        groups = list(sums.of(breakdown))
        assert len(groups) == sums.count(breakdown) == 8
        assert {group.all for group in groups} == {(1, 2, 1, 0)}
    assert len(sums.apart()) == 8
    assert sums.apart()[0] == ("ter", "challenge", DataSet.EVALUATION)


def test_within_groups_is_corrected_over_the_groups_of_a_factor() -> None:
    sums = PageSums(NUMBERS)
    for number in range(12):
        for genre in ("newswire", "web"):
            for system, worse in (("a", 0), ("b", number % 3)):
                where = place(
                    system=system,
                    source_document=f"S{number}",
                    base=f"S{number}{genre}",
                    genre=genre,
                    scribe=UNKNOWN,
                )
                sums.add(where, (worse + (genre == "web"), 10, 1, 0))
    factors = Factors(sums, NUMBERS, Resampling(resamples=200))
    table = within_groups(factors, [(("TER",), EVALUATION)], (), "Rate", "rate")
    assert table is not None
    rows = list(table.rows)
    assert [row[:3] for row in rows] == [("TER", "genre", "newswire"), ("TER", "genre", "web")]
    keys = [column.key for column in table.columns]
    raw = [row[1 + keys.index("p_randomisation")] for row in rows]
    corrected = [row[1 + keys.index("p_randomisation_holm")] for row in rows]
    assert corrected == holm(raw)
    assert corrected != raw


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("IUN", ("ink", "unlined paper", "normal")),
        ("PLF", ("pencil", "lined paper", "fast")),
        ("PLC", ("pencil", "lined paper", "careful")),
        ("", (UNKNOWN, UNKNOWN, UNKNOWN)),
        ("X", ("X", UNKNOWN, UNKNOWN)),
    ],
)
def test_a_code_tells_how_a_page_was_written(code: str, told: tuple[str, ...]) -> None:
    assert written(code) == told


def test_each_breakdown_has_a_table_of_its_own() -> None:
    assert set(WAYS) == set(Breakdown)
    assert len({way.name for way in WAYS.values()}) == len(Breakdown)
    for way in WAYS.values():
        assert len(way.keys) == len(way.columns)
        assert set(way.keys) <= set(Place._fields)
    assert all(len(WAYS[factor].keys) == 1 for factor in FACTORS)
