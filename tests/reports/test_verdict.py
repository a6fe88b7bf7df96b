"""The verdict on made campaigns with known truth, its sentences recomputed by independent code."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from madcat_studio.model.campaign import DataSet, SegmentRecord, TeamText
from madcat_studio.operations.scores.report import Format, report_records, write_report
from madcat_studio.reports.tables import Report
from madcat_studio.reports.verdict import Verdict, told_edits
from madcat_studio.scoring.columns import columns
from madcat_studio.scoring.resampling import (
    Comparison,
    Interval,
    Resampling,
    coverage,
    difference_interval,
    interval,
    more_needed,
)
from madcat_ter.options import TerOptions
from madcat_ter.ter import ter

SOURCES, SEGMENTS, WORDS = 40, 2, 20
Sums = dict[str, np.ndarray]


def record_of(
    system: str,
    source: int,
    segment: int,
    edits: int,
    *,
    genre: str = "web",
    length: int = WORDS,
    data_set: DataSet = DataSet.EVALUATION,
    teams: tuple[str, str] = ("T1", "T2"),
    earlier: bool = False,
) -> SegmentRecord:
    """A segment that differs from what both teams made of it by so many substituted words."""
    final = [f"w{source}.{segment}.{place}" for place in range(length)]
    output = [f"x{place}" for place in range(edits)] + final[edits:]
    text = " ".join(final)
    return SegmentRecord(
        kit=f"K{source % 12}",
        system=system,
        code=system[:1],
        base=f"D{source:03}",
        segment=f"s{segment}",
        genre=genre,
        source_document=f"SD{source:03}",
        passage=f"P{source}",
        manuscript=f"M{source}",
        page="1",
        scribe=f"S{source % 3}",
        exposure="unexposed",
        data_set=data_set,
        reference=text,
        output=" ".join(output),
        missing=False,
        scribe_error=False,
        teams=tuple(TeamText(team, text, text) for team in teams),
        earlier=earlier,
    )


def made(
    rates: dict[str, float], seed: int, more: dict[str, float] | None = None
) -> tuple[list[SegmentRecord], Sums]:
    """Records of systems with these true rates, and their edits by source document.

    Half of the source documents are news, on which a system is worse by what ``more`` says.
    """
    generator = np.random.default_rng(seed)
    hard = generator.gamma(10, 0.1, SOURCES)
    records, sums = [], {}
    for system, rate in rates.items():
        edits = np.zeros((SOURCES, SEGMENTS), dtype=int)
        for source in range(SOURCES):
            news = source % 2 == 0
            here = min(0.95, hard[source] * (rate + (more or {}).get(system, 0) * news))
            edits[source] = generator.binomial(WORDS, here, SEGMENTS)
            genre = "news" if news else "web"
            records += [
                record_of(system, source, segment, int(count), genre=genre)
                for segment, count in enumerate(edits[source])
            ]
        sums[system] = edits.sum(axis=1)
    return records, sums


def reported(records: list[SegmentRecord], **more: object) -> AbstractContextManager[Report]:
    return report_records(records, title="Made", full=False, **more)  # type: ignore[arg-type]


def verdict_of(records: list[SegmentRecord]) -> Verdict:
    with reported(records, resampling=Resampling(resamples=4000)) as report:
        assert report.verdict is not None
        return report.verdict


TRUTH = {"willow": 0.24, "maple": 0.20, "alder": 0.225}


@pytest.fixture(scope="module")
def campaign() -> tuple[Verdict, Sums]:
    records, sums = made(TRUTH, 5)
    return verdict_of(records), sums


def expected_p(first: np.ndarray, second: np.ndarray) -> float:
    """SciPy's permutation test that swaps the two systems' results on whole documents."""
    found = stats.permutation_test(
        (first, second),
        lambda a, b, axis: (a.sum(axis) - b.sum(axis)) / (SOURCES * SEGMENTS * WORDS),
        permutation_type="samples",
        n_resamples=20_000,
        vectorized=True,
        rng=3,
    )
    return float(found.pvalue)


def expected_holm(p_values: list[float]) -> list[float]:
    """Holm's correction by statsmodels."""
    from statsmodels.stats.multitest import multipletests

    return list(multipletests(p_values, method="holm")[1])


SENTENCE = re.compile(
    r"(?P<better>\w+) (?:is better than|and) (?P<worse>\w+)(?: by | cannot be told apart: )"
    r"(?P<points>[\d.]+) points of HTER \[(?P<low>−?[\d.]+), (?P<high>−?[\d.]+)\], "
    r"p (?P<p>[=<] [\d.]+) after Holm, over (?P<sources>\d+) source documents"
    r"(?:; (?:about|more than) (?P<more>[\d,]+) more documents would be needed)?\."
)


def read(sentence: str) -> dict[str, str]:
    found = SENTENCE.fullmatch(sentence)
    assert found is not None, sentence
    return found.groupdict()


def number(text: str) -> float:
    return float(text.replace("−", "-"))


@pytest.mark.long
def test_the_sentences_say_what_scipy_says(campaign: tuple[Verdict, Sums]) -> None:
    verdict, sums = campaign
    words = SOURCES * SEGMENTS * WORDS
    order = sorted(TRUTH, key=lambda system: sums[system].sum())
    assert [one.system for one in verdict.standings] == order
    pairs = list(itertools.combinations(order, 2))
    corrected = expected_holm([expected_p(sums[a], sums[b]) for a, b in pairs])
    assert len(verdict.duels) == len(pairs) == 3
    verdicts = set()
    for duel, (better, worse), p in zip(verdict.duels, pairs, corrected, strict=True):
        said = read(duel.sentence)
        assert (said["better"], said["worse"]) == (better, worse)
        differences = sums[worse] - sums[better]
        assert number(said["points"]) == pytest.approx(100 * differences.sum() / words, abs=0.051)
        # With as many words in each document a ratio is a mean. SciPy's bootstrap is asked for
        # the level that plain percentiles of so few documents would need.
        root = np.sqrt(SOURCES / (SOURCES - 1))
        level = 2 * stats.norm.cdf(root * stats.t.ppf(0.975, SOURCES - 1)) - 1
        theirs = stats.bootstrap(
            (differences,), np.mean, confidence_level=level, n_resamples=20_000,
            method="percentile", rng=1,
        ).confidence_interval  # fmt: skip
        ends = 100 * np.array([theirs.low, theirs.high]) / (SEGMENTS * WORDS)
        width = ends[1] - ends[0]
        assert number(said["low"]) == pytest.approx(ends[0], abs=0.03 * width + 0.05)
        assert number(said["high"]) == pytest.approx(ends[1], abs=0.03 * width + 0.05)
        # Both drew at random; Holm takes up to three times what they found.
        error = 3 * np.sqrt(p * (1 / 4000 + 1 / 20_000))
        assert float(said["p"][2:]) == pytest.approx(p, abs=3 * error + 0.0005)
        assert int(said["sources"]) == SOURCES
        apart = p <= 0.05
        assert ("is better than" in duel.sentence) == apart
        verdicts.add(apart)
        if not apart:
            wanted = needed(differences, 0.05 / 3) - SOURCES
            if "more than 1,000" in duel.sentence:
                assert wanted > 950
            else:
                assert int(said["more"]) == pytest.approx(wanted, rel=0.15)
    assert verdicts == {True, False}  # the made campaign shows both


def needed(differences: np.ndarray, level: float) -> int:
    """Documents for 80 % power by the textbook's formula for paired samples."""
    effect = abs(differences.mean()) / differences.std(ddof=1)
    return int(np.ceil(((stats.norm.isf(level / 2) + stats.norm.isf(0.2)) / effect) ** 2))


def test_places_tell_who_can_be_told_apart(campaign: tuple[Verdict, Sums]) -> None:
    verdict, _ = campaign
    beaten = {one.system: 0 for one in verdict.standings}
    beats = dict(beaten)
    for duel in verdict.duels:
        beaten[duel.worse] += duel.apart
        beats[duel.better] += duel.apart
    for one in verdict.standings:
        assert (one.best, one.worst) == (1 + beaten[one.system], 3 - beats[one.system])


def test_as_many_documents_as_are_said_to_be_needed_are_enough() -> None:
    """The estimate's own promise: with so many, 80 of 100 campaigns tell the systems apart."""
    generator = np.random.default_rng(4)
    deviation, difference = 0.08, 0.02
    pilot = Comparison(
        Interval(difference, 0, 0), 1.0, 1.0, 20, deviation / np.sqrt(20) * np.sqrt(19 / 20)
    )
    more = more_needed(pilot)
    assert more is not None
    drawn = generator.normal(difference, deviation, (2000, 20 + more))
    found = stats.ttest_1samp(drawn, 0, axis=1).pvalue <= 0.05
    assert found.mean() == pytest.approx(0.8, abs=0.03)


def test_systems_that_do_not_differ_need_no_number_of_documents() -> None:
    assert more_needed(Comparison(Interval(0, 0, 0), 1.0, 1.0, 20, 0.0)) is None


@pytest.mark.parametrize("documents", [10, 20, 30])
def test_intervals_hold_the_truth_as_often_as_is_told(documents: int) -> None:
    """A small copy of benchmarks/bench_coverage.py."""
    generator, simulations = np.random.default_rng(documents), 250
    hits = np.zeros(2)
    for simulation in range(simulations):
        words = generator.integers(100, 300, documents)
        hard = generator.gamma(8, 1 / 8, documents)
        first, second = (
            (generator.poisson(rate * hard * generator.gamma(16, 1 / 16, documents) * words), words)
            for rate in (0.25, 0.22)
        )
        how = Resampling(resamples=400, seed=simulation)
        for place, (found, truth) in enumerate(
            ((interval(*first, how), 0.25), (difference_interval(first, second, how), 0.03))
        ):
            assert found is not None
            hits[place] += found.low <= truth <= found.high
    told = coverage(documents) or 0.945
    # Three standard deviations of what is counted in so few.
    assert hits / simulations == pytest.approx([told, told], abs=0.045)


def test_a_weak_genre_is_found_and_chance_is_not() -> None:
    records, _ = made({"maple": 0.2, "willow": 0.2}, 11, {"willow": 0.15})
    verdict = verdict_of(records)
    found = {(point.system, point.by): point for point in verdict.weak_points}
    weak = found["willow", "genre"]
    assert weak.name == "news"
    assert weak.stands_out
    assert "willow is worst in genre news" in verdict.weakness("willow")
    assert not found["maple", "genre"].stands_out
    assert not found["willow", "scribe"].stands_out
    assert "nothing stands out by genre or scribe" in verdict.weakness("maple")


def test_a_weak_length_is_found() -> None:
    records = [
        record_of("maple", source, segment, edits, length=length)
        for source in range(12)
        for segment, (length, edits) in enumerate(((9, 1), (15, 2 + source % 2), (45, 18)))
    ]
    (point,) = [one for one in verdict_of(records).weak_points if one.by == "length"]
    assert (point.name, point.hter) == ("40 and more", 18 / 45)
    assert point.rest == sum(1 + 2 + source % 2 for source in range(12)) / (12 * 24)
    assert point.stands_out


def test_the_worst_lines_are_of_the_evaluation_set_only() -> None:
    records = [record_of("maple", source, 0, source) for source in range(5)]
    records += [record_of("maple", 8, 0, 19, data_set=DataSet.PROGRESS)]
    records += [record_of("old", source, 0, 20, earlier=True) for source in range(5)]
    with reported(records) as report:
        verdict = report.verdict
        assert verdict is not None
        assert [(line.system, line.document, line.edits) for line in verdict.lines] == [
            ("maple", "D004", 4), ("maple", "D003", 3), ("maple", "D002", 2),
        ]  # fmt: skip
        assert [one.system for one in verdict.standings] == ["maple"]
    with report_records(records, title="All") as report:
        for name in ("worst-segments", "best-segments"):
            sets = {row["set"] for row in report.table(name).records()}
            assert sets == {"evaluation"}, name


def test_edits_are_told_in_words() -> None:
    def told(output: str, final: str) -> str:
        return told_edits(columns(ter(output, [final])))

    assert told("a b c d", "a x y d") == "“b c” → “x y”"
    assert told("a b c d e", "a c d e f g") == "“b” out, “f g” in"
    assert told("d e f g h a b c", "a b c d e f g h") == "“a b c” moved"
    assert told("a b", "a b") == "nothing was edited"
    many = " ".join(f"a{n} b{n}" for n in range(12))
    assert told(many, many.replace("b", "c")).endswith("“b7” → “c7”, and 4 more")


def test_names_come_in_natural_order() -> None:
    records = [
        record_of("maple", source, 0, 3, teams=(f"T{source + 1}", f"T{source + 2}"))
        for source in range(11)
    ]
    with report_records(records, title="Order") as report:
        teams = [row["team"] for row in report.table("by-team").records()]
        kits = [row["kit"] for row in report.table("by-kit").records()]
        pairs = [
            (row["first"], row["second"])
            for row in report.table("agreement").records()
            if row["second"] and row["stage"] == "final"
        ]
    assert teams == [f"T{n}" for n in range(1, 13)]
    assert kits == [f"K{n}" for n in range(11)]
    assert pairs == [(f"T{n}", f"T{n + 1}") for n in range(1, 12)]


BY_OTHER_ORDER = ("segments", "worst-segments", "best-segments")


def test_every_table_has_the_systems_in_the_order_of_the_ranking() -> None:
    records, _ = made({"alder": 0.4, "maple": 0.3, "willow": 0.2}, 7)
    with report_records(records, title="Order") as report:
        assert report.verdict is not None
        ranked = [one.system for one in report.verdict.standings]
        assert ranked == ["willow", "maple", "alder"]
        for table in report.tables:
            keys = [column.key for column in table.columns]
            if "system" not in keys or table.name in (
                "segments",
                "worst-segments",
                "best-segments",
            ):
                continue
            seen = list(dict.fromkeys(row["system"] for row in table.records()))
            assert seen == ranked, table.name
        firsts = [(row["first"], row["second"]) for row in report.table("comparisons").records()]
        assert firsts == list(itertools.combinations(ranked, 2))


# -- two systems side by side ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def pair() -> Iterator[Report]:
    generator = np.random.default_rng(2)
    lengths = generator.integers(6, 50, 30)
    records = [
        record_of(system, source, 0, int(generator.integers(0, 6)), length=int(lengths[source]))
        for system in ("maple", "willow")
        for source in range(30)
    ]
    with reported(records) as report:
        yield report


def test_buckets_are_a_recount(pair: Report) -> None:
    segments = list(pair.results.segments)
    rows = {(row["by"], row["bucket"]): row for row in pair.table("side-by-side").records()}
    first, second = (str(row) for row in (
        next(iter(rows.values()))["first"], next(iter(rows.values()))["second"],
    ))  # fmt: skip
    for low, high, name in ((0, 9, "0–9"), (10, 19, "10–19"), (40, 999, "40 and more")):
        sums = {first: [0.0, 0.0], second: [0.0, 0.0]}
        for scored in segments:
            if low <= len(scored.record.reference.split()) <= high:
                choice = scored.score.choice()
                sums[scored.record.system][0] += choice.edits
                sums[scored.record.system][1] += choice.words
        row = rows["length of the reference", name]
        assert row["value_first"] == sums[first][0] / sums[first][1]
        assert row["value_second"] == sums[second][0] / sums[second][1]
    whole = sum(one.score.choice().words for one in segments if one.record.system == first)
    edits = sum(one.score.choice().edits for one in segments if one.record.system == first)
    assert rows["kind of edit", "substitutions"]["value_first"] == edits / whole
    assert rows["kind of edit", "shifts"]["value_first"] == 0
    # Every word stands once in the references, and what was substituted is missed.
    assert rows["frequency of the word", "1"]["value_first"] == 1 - edits / whole


def test_frequent_words_are_counted_apart() -> None:
    def text(record: SegmentRecord, output: str, final: str) -> SegmentRecord:
        teams = tuple(TeamText(team.team, final, final) for team in record.teams)
        return record._replace(output=output, reference=final, teams=teams)

    records = [
        text(record_of(system, source, 0, 0), output, f"the house of the rare{source}")
        for system, output in (("maple", "the house of the x"), ("willow", "a house of a y"))
        for source in range(3)
    ]
    with reported(records) as report:
        rows = {
            row["bucket"]: row
            for row in report.table("side-by-side").records()
            if row["by"] == "frequency of the word"
        }
    # "the" stands 6 times, "house" and "of" 3 times, the rare ones once each.
    shown = {name: (row["value_first"], row["value_second"]) for name, row in rows.items()}
    assert shown == {"1": (0, 0), "2–4": (1, 1), "5–9": (1, 0)}
    assert rows["5–9"]["count"] == 12


def test_the_most_different_segments_are_both_systems_on_one_segment(pair: Report) -> None:
    by_name: dict[tuple[str, str], dict[str, float]] = {}
    for scored in pair.results.segments:
        rate = scored.score.choice().rate
        assert rate is not None
        name = (scored.record.base, scored.record.segment)
        by_name.setdefault(name, {})[scored.record.system] = rate
    rows = list(pair.table("most-different").records())
    first, second = str(rows[0]["first"]), str(rows[0]["second"])
    differences = {name: rates[first] - rates[second] for name, rates in by_name.items()}
    ordered = sorted(differences.values())
    assert [row["difference"] for row in rows] == [*ordered[:-6:-1], *ordered[:5]]
    for row in rows:
        found = differences[str(row["document"]), str(row["segment"])]
        assert row["difference"] == found
        assert row["better"] == (second if found > 0 else first)
        assert row["output_first"] != row["output_second"]


def test_the_texts_of_two_systems_stand_together_on_the_page(tmp_path: Path) -> None:
    records, _ = made({"willow": 0.3, "maple": 0.2}, 3)
    with reported(records) as report:
        [path] = write_report(report, tmp_path, [Format.HTML], TerOptions())
        rows = list(report.table("most-different").records())
    section = path.read_text("utf-8").partition('<section id="most-different">')[2]
    section = section.partition("</section>")[0]
    shown = [
        re.findall(r'<span class="label">(.*?)</span> <bdi>(.*?)</bdi>', row)
        for row in section.partition("<tbody>")[2].split("</tr>")[:-1]
    ]
    titles = {
        "output_first": "Output",
        "output_second": "Output, against",
        "reference": "Reference",
    }
    assert shown == [[(title, row[key]) for key, title in titles.items()] for row in rows]
    assert len(shown) == 10
    assert 'data-key="output_first"' not in section, "they stand nowhere else"


def test_a_system_of_which_nothing_is_scored_is_told_as_such() -> None:
    still_open = [
        one._replace(teams=tuple(TeamText(team.team, None, None) for team in one.teams))
        for one in (record_of("maple", source, 0, 2) for source in range(2))
    ]
    with report_records(still_open, title="Open", full=False) as report:
        assert report.verdict is not None
        assert [one.sentence for one in report.verdict.standings] == [
            "maple: nothing is scored yet"
        ]
