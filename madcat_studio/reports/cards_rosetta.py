"""Run cards as a report; ``schemas/rosetta.schema.json`` describes each card's JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from madcat_studio.reports.cards import CardReport, Figure, PlotRow
from madcat_studio.reports.table import Cell, CellKind, Column, Table, some_of
from madcat_studio.scoring.scorecards.intervals import REPLICATES
from madcat_studio.scoring.scorecards.rosetta import (
    PROFILE_A,
    PROFILE_B,
    SEED,
    STATUSES,
    Breakdown,
    Comparison,
    RunCard,
)
from madcat_studio.scoring.scorecards.rosetta_run import data_set_of
from madcat_ter.signature import signature

__all__ = ["card_json", "rosetta_report", "rosetta_signature"]


def rosetta_signature(extra: Mapping[str, object]) -> str:
    """The line that tells all settings of a run card.

    Args:
        extra: what the planned metrics and models were computed with.
    """
    import sacrebleu

    return signature(
        "Rosetta-run-card",
        [
            ("like", "spec-2026-05-26"),
            ("chrf++", f"sacrebleu-{sacrebleu.__version__},nc:6,nw:2,beta:2,space:no"),
            ("bleu", "13a"),
            ("exact", "code-points"),
            ("denominator", "evaluated"),
            ("latency", "linear"),
            ("boot", f"{REPLICATES},seed{SEED},percentile"),
            *extra.items(),
        ],
    )


def card_json(card: RunCard) -> dict[str, Any]:
    """One run card as JSON values, in the document's structure, full precision."""

    def breakdown(groups: Mapping[str, Breakdown]) -> dict[str, Any]:
        return {
            name: {
                "total": group.total,
                "evaluated": group.evaluated,
                "errors": group.errors,
                "exact_matches": group.exact_matches,
                "exact_match_rate": group.exact_match_rate,
                "chrf_plus_plus": group.chrf,
            }
            for name, group in groups.items()
        }

    gate = card.compliance
    return {
        "run": card.run.name,
        "about": {str(key): _finite(value) for key, value in card.run.about.items()},
        "profile": card.profile,
        "scores": {
            **card.scores,
            "comet_model": card.comet_model,
            "composite": card.composite,
            "quality_tier": card.quality_tier,
            "cost_adjusted": card.cost_adjusted,
            "confidence_intervals": {
                name: {"ci_lower": low, "ci_upper": high}
                for name, (low, high) in card.intervals.items()
            },
            "by_difficulty": breakdown(card.by_difficulty),
            "by_provenance": breakdown(card.by_provenance),
            "total": card.total,
            "evaluated": card.evaluated,
            "errors": card.errors,
        },
        "cost": dict(card.cost),
        "speed": dict(card.speed),
        "tokens": dict(card.tokens),
        "compliance": None
        if gate is None
        else {
            "compliance_index": gate.raw,
            "compliance_index_repaired": gate.repaired,
            "violations": gate.violations,
            "violations_after_repair": gate.left,
            "repair_effectiveness": gate.effectiveness,
        },
        "computed_beyond_document": list(card.computed_beyond_document),
        "available_metrics": sorted(card.available),
        "marks": list(card.marks),
        "notes": list(card.notes),
    }


def _finite(value: Any) -> Any:
    """A JSON value without NaN and infinity, which JSON has no words for."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list):
        return [_finite(one) for one in value]
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    return value


def rosetta_report(
    *,
    title: str,
    made: str,
    cards: Sequence[RunCard],
    comparisons: Sequence[tuple[str, str, Sequence[Comparison], Sequence[str]]],
    settings: Mapping[str, object],
    hashes: Mapping[str, str],
    warnings: Iterable[str] = (),
) -> CardReport:
    """The report of some runs.

    Args:
        title: of the report.
        made: when.
        cards: one for each run.
        comparisons: (name of A, name of B, tests, warnings).
        settings: what the planned metrics and models were computed with.
        hashes: of the input.
        warnings: what reading noticed.
    """
    ranked = sorted(
        cards, key=lambda card: (card.composite is None, -(card.composite or 0.0), card.run.name)
    )
    boards = _data_sets(ranked)
    tables = [
        _runs_table(board, number if len(boards) > 1 else None)
        for number, board in enumerate(boards, 1)
    ]
    tables += [_inventory_table(card, len(cards) > 1) for card in cards]
    if comparisons:
        tables.append(_comparison_table(comparisons))
    tables += [
        *_languages_tables(ranked),
        _breakdown_table("difficulty", "Difficulty", "By difficulty", cards),
        _breakdown_table("provenance", "Provenance", "By provenance", cards),
        _cost_table(cards),
        Table("entries", "Entries", _ENTRY_COLUMNS, _EntryRows(cards), long=True),
    ]
    return CardReport(
        title=title,
        kind="Rosetta",
        schema="rosetta",
        made=made,
        signatures={"run card": rosetta_signature(settings)},
        hashes=hashes,
        warnings=(*warnings, *_warnings(cards, comparisons)),
        notes=_RULES,
        figures=tuple(
            Figure(
                card.run.name,
                "—" if card.composite is None else f"{card.composite:.4f}",
                (
                    f"composite {card.profile}, {card.quality_tier}"
                    + "".join(f" ({mark})" for mark in card.marks),
                    f"chrF++ {_shown(card.scores['chrf_plus_plus'])}, exact match "
                    f"{_shown(card.scores['exact_match_rate'], 4)}",
                    f"{card.evaluated} of {card.total} entries evaluated, {card.errors} errors",
                ),
            )
            for card in ranked[:6]
        ),
        plot=tuple(
            PlotRow(card.run.name, value, *card.intervals.get("chrf_plus_plus", (None, None)))
            for card in ranked
            if (value := card.scores["chrf_plus_plus"]) is not None
        ),
        plot_title="chrF++ with its 95 % interval",
        tables=tuple(tables),
        result={
            "cards": [card_json(card) for card in cards],
            "comparisons": [
                {
                    "a": first,
                    "b": second,
                    "metric": test.metric,
                    "common_entries": test.common,
                    **dict(zip(_TEST_KEYS, _tested(test), strict=True)),
                    "significant": test.significant,
                    "winner": {"A": first, "B": second}.get(test.winner or ""),
                    "warnings": list(told),
                }
                for first, second, tests, told in comparisons
                for test in tests
            ],
        },
    )


_RULES = (
    "Quality is measured on evaluated entries: no error, and a reference. Cost and tokens count "
    "all entries.",
    "The composite is the weighted mean of the available metrics of profile A (languages with an "
    "analyser) or B; weights of absent metrics are spread over the others.",
    "A metric that is not computed is absent (null), never 0.",
    "The tier is that of the composite rounded to 4 decimals. Tiers are heuristic labels: no run "
    "is deployable or fluent before people who speak the language have confirmed it.",
    "BLEU, TER, length ratio, COMET, consistency and compliance never enter the composite.",
    "Cost-adjusted = composite / log2(1 + 1000 · cost per entry); absent at no cost.",
    f"Intervals: 95 %, percentile, {REPLICATES} resamples, seed {SEED}; chrF++ from summed counts.",
    "Two runs differ significantly where p < 0.05 and the interval of the difference excludes 0.",
)


def _shown(value: float | None, digits: int = 2) -> str:
    return "—" if value is None else f"{value:.{digits}f}"


def _warnings(
    cards: Sequence[RunCard],
    comparisons: Sequence[tuple[str, str, Sequence[Comparison], Sequence[str]]],
) -> Iterator[str]:
    yield from _together((card.run.name, note) for card in cards for note in card.notes)
    boards = _data_sets(cards)
    if len(boards) > 1:
        sets = "; ".join(some_of([card.run.name for card in board]) for board in boards)
        yield (
            f"The runs are of {len(boards)} data sets ({sets}): each has a ranking of its own, and "
            "figures of one say nothing of another."
        )
    others: dict[str, list[str]] = {}
    for first, second in combinations(cards, 2):
        if first.profile != second.profile or first.available != second.available:
            differing = ", ".join(sorted(first.available ^ second.available)) or "other weights"
            others.setdefault(differing, []).append(f"{first.run.name} and {second.run.name}")
    for differing, pairs in others.items():
        several = f"{len(pairs)} pairs of runs, such as " if len(pairs) > 1 else ""
        yield (
            f"The composites of {several}{pairs[0]} are not comparable: they rest on different "
            f"metrics ({differing})."
        )
    yield from _together(
        (f"{first_name} against {second_name}", sentence)
        for first_name, second_name, _, told in comparisons
        for sentence in told
    )


def _together(told: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Sentences with whom they are of: one that holds for many comes once."""
    whose: dict[str, list[str]] = {}
    for name, sentence in told:
        whose.setdefault(sentence, []).append(name)
    for sentence, names in whose.items():
        yield f"{some_of(names)}: {sentence}"


def _data_sets(ranked: Sequence[RunCard]) -> list[list[RunCard]]:
    """The runs of each data set, in the order of ``ranked``: others cannot be in one ranking."""
    boards: dict[frozenset[tuple[str, str, str]], list[RunCard]] = {}
    for card in ranked:
        boards.setdefault(data_set_of(card.run.entries), []).append(card)
    return list(boards.values())


def _runs_table(ranked: Sequence[RunCard], data_set: int | None) -> Table:
    """The ranking of one data set; ``data_set`` is its number where there are several."""
    columns = (
        Column("rank", "Rank", CellKind.COUNT),
        Column("run", "Run"),
        Column("composite", "Composite", CellKind.NUMBER),
        Column("tier", "Tier"),
        Column("mark", "Mark"),
        Column("profile", "Profile", note="A: with an analyser; B: without"),
        Column("chrf_plus_plus", "chrF++", CellKind.NUMBER, "0..100"),
        Column("exact_match_rate", "Exact match", CellKind.NUMBER),
        Column("cost_adjusted", "Cost-adjusted", CellKind.NUMBER, "secondary ranking"),
        Column("cost_adjusted_rank", "Rank by it", CellKind.COUNT),
        Column("evaluated", "Evaluated", CellKind.COUNT),
        Column("errors", "Errors", CellKind.COUNT),
    )
    by_cost = sorted(
        (card.cost_adjusted for card in ranked if card.cost_adjusted is not None), reverse=True
    )
    composites = [card.composite for card in ranked]
    rows = [
        (
            None if card.composite is None else composites.index(card.composite) + 1,
            card.run.name,
            card.composite,
            card.quality_tier,
            ", ".join(card.marks),
            card.profile,
            card.scores["chrf_plus_plus"],
            card.scores["exact_match_rate"],
            card.cost_adjusted,
            None if card.cost_adjusted is None else by_cost.index(card.cost_adjusted) + 1,
            card.evaluated,
            card.errors,
        )
        for card in ranked
    ]
    if data_set is None:
        return Table("runs", "Runs", columns, rows)
    return Table(f"runs-{data_set}", f"Runs on data set {data_set}", columns, rows)


def _inventory_table(card: RunCard, several: bool) -> Table:
    weights = PROFILE_A if card.profile == "A" else PROFILE_B
    columns = (
        Column("metric", "Metric"),
        Column("value", "Value", CellKind.NUMBER, "empty: not computed"),
        Column("ci_lower", "from", CellKind.NUMBER, "95 % interval"),
        Column("ci_upper", "to", CellKind.NUMBER, "95 % interval"),
        Column("weight", "Weight", CellKind.NUMBER, f"in composite {card.profile}"),
        Column("status", "Status", note="in the document"),
        Column("note", "Note"),
    )
    rows: list[tuple[Cell, ...]] = []
    for name, status in STATUSES.items():
        low, high = card.intervals.get(name, (None, None))
        note = ""
        if name in card.computed_beyond_document:
            note = "computed by this program; the document only plans it"
        elif card.scores[name] is None:
            note = "not computed"
        rows.append((name, card.scores[name], low, high, weights.get(name), status, note))
    rows.append(("composite", card.composite, None, None, None, "", card.quality_tier))
    if card.compliance is not None:
        for name, value in (
            ("compliance_index", card.compliance.raw),
            ("compliance_index, repaired", card.compliance.repaired),
            ("repair_effectiveness", card.compliance.effectiveness),
        ):
            rows.append((name, value, None, None, None, "implemented", "a gate, not a score"))
    name = f"inventory-{_slug(card.run.name)}" if several else "inventory"
    title = f"Metrics, {card.run.name}" if several else "Metrics"
    return Table(name, title, columns, rows)


def _slug(text: str) -> str:
    kept = "".join(letter if letter.isalnum() else "-" for letter in text.lower())
    return "-".join(filter(None, kept.split("-"))) or "run"


_TEST_KEYS = ("score_a", "score_b", "delta", "ci_lower", "ci_upper", "p_value")


def _tested(test: Comparison) -> tuple[float | None, ...]:
    """A test's values in the order of the keys; all absent where nothing could be tested."""
    if not test.common:
        return (None,) * len(_TEST_KEYS)
    return (test.a, test.b, test.delta, test.low, test.high, test.p_value)


def _comparison_table(
    comparisons: Sequence[tuple[str, str, Sequence[Comparison], Sequence[str]]],
) -> Table:
    columns = (
        Column("a", "A"),
        Column("b", "B"),
        Column("metric", "Metric"),
        Column("common", "Common", CellKind.COUNT, "entries that both evaluated"),
        Column("score_a", "Score A", CellKind.NUMBER),
        Column("score_b", "Score B", CellKind.NUMBER),
        Column("delta", "A - B", CellKind.NUMBER),
        Column("ci_lower", "from", CellKind.NUMBER, "95 % interval of the difference"),
        Column("ci_upper", "to", CellKind.NUMBER, "95 % interval of the difference"),
        Column("p_value", "p", CellKind.NUMBER),
        Column("winner", "Significantly better"),
    )
    rows = [
        (
            first,
            second,
            test.metric,
            test.common,
            *_tested(test),
            {"A": first, "B": second}.get(test.winner or "", "—"),
        )
        for first, second, tests, _ in comparisons
        for test in tests
    ]
    return Table("comparisons", "Paired bootstrap tests", columns, rows)


def _breakdown_table(what: str, heading: str, title: str, cards: Sequence[RunCard]) -> Table:
    columns = (
        Column("run", "Run"),
        Column(what, heading),
        Column("total", "Entries", CellKind.COUNT),
        Column("evaluated", "Evaluated", CellKind.COUNT),
        Column("errors", "Errors", CellKind.COUNT),
        Column("exact_matches", "Exact matches", CellKind.COUNT),
        Column("exact_match_rate", "Exact match", CellKind.NUMBER),
        Column("chrf_plus_plus", "chrF++", CellKind.NUMBER),
    )
    rows = [
        (
            card.run.name,
            name,
            group.total,
            group.evaluated,
            group.errors,
            group.exact_matches,
            group.exact_match_rate,
            group.chrf,
        )
        for card in cards
        for name, group in (
            card.by_difficulty if what == "difficulty" else card.by_provenance
        ).items()
    ]
    return Table(f"by-{what}", title, columns, rows)


def _languages_tables(ranked: Sequence[RunCard]) -> list[Table]:
    """The runs by the language that they translate into, where their files tell it."""
    told = [card for card in ranked if card.run.language]
    if not told:
        return []
    columns = (
        Column("language", "Target language"),
        Column("run", "Run"),
        Column("composite", "Composite", CellKind.NUMBER),
        Column("chrf_plus_plus", "chrF++", CellKind.NUMBER, "0..100"),
        Column("ci_lower", "from", CellKind.NUMBER, "95 % interval of chrF++"),
        Column("ci_upper", "to", CellKind.NUMBER, "95 % interval of chrF++"),
        Column("evaluated", "Evaluated", CellKind.COUNT),
    )
    rows = [
        (
            *(card.run.language, card.run.name, card.composite, card.scores["chrf_plus_plus"]),
            *card.intervals.get("chrf_plus_plus", (None, None)),
            card.evaluated,
        )
        for card in sorted(told, key=lambda card: card.run.language)
    ]
    note = "Figures of one language say nothing about another: its texts and references differ."
    return [Table("languages", "By target language", columns, rows, note)]


def _cost_table(cards: Sequence[RunCard]) -> Table:
    columns = (
        Column("run", "Run"),
        Column("quantity", "Quantity"),
        Column("value", "Value", CellKind.TEXT),
    )
    digits = {
        "cost_per_entry_usd": 6,
        "cost_per_1k_tokens": 6,
        "cost_per_source_char": 9,
        "tokens_per_entry": 0,
    }
    rows = [
        (card.run.name, name, _amount(value, digits.get(name, 3)))
        for card in cards
        for block in (card.cost, card.speed, card.tokens)
        for name, value in block.items()
    ]
    return Table(
        "cost-speed-tokens",
        "Cost, speed, tokens",
        columns,
        rows,
        "Separate from quality: none of it is in the composite. The JSON has all digits.",
    )


def _amount(value: float | None, digits: int) -> str:
    if value is None:
        return "—"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"


_ENTRY_COLUMNS = (
    Column("run", "Run"),
    Column("entry", "Entry"),
    Column("exact", "Exact", CellKind.FLAG),
    Column("chrf_plus_plus", "chrF++", CellKind.NUMBER),
    Column("ter_tercom", "TER (tercom)", CellKind.NUMBER, "edits / words, in percent"),
    Column("length_ratio", "Length ratio", CellKind.NUMBER),
    Column("code_switching_rate", "Code-switching", CellKind.NUMBER),
    Column("terminology_adherence", "Terminology", CellKind.NUMBER),
    Column("semantic_score", "Semantic", CellKind.NUMBER),
    Column("source", "Source"),
    Column("predicted", "Output"),
    Column("expected", "Reference"),
)


class _EntryRows:
    """One row an evaluated entry, made when it is wanted."""

    def __init__(self, cards: Sequence[RunCard]) -> None:
        self._cards = cards

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        for card in self._cards:
            entries = {entry.id: entry for entry in card.run.entries}
            for one in card.entries:
                entry = entries[one.id]
                ter: Cell = None
                if one.ter_edits is not None and one.ter_words:
                    ter = 100 * one.ter_edits / one.ter_words
                yield (
                    card.run.name,
                    one.id,
                    one.exact,
                    one.chrf,
                    ter,
                    one.length_ratio,
                    one.metrics.get("code_switching_rate"),
                    one.metrics.get("terminology_adherence"),
                    one.metrics.get("semantic_score"),
                    entry.source,
                    entry.predicted,
                    entry.expected,
                )
