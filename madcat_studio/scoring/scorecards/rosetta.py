"""The run card: metric inventory, composite, tiers, cost, speed, tokens, intervals.

After the Rosetta scoring specification; docs/scorecards.md has the formulas and every choice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from madcat_studio.errors import InputError
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.scoring.scorecards import compliance
from madcat_studio.scoring.scorecards.draws import resamples
from madcat_studio.scoring.scorecards.intervals import REPLICATES, percentile_interval
from madcat_studio.scoring.scorecards.rosetta_text import (
    Glossary,
    SourceLanguage,
    code_switching,
    consistency,
    words_of,
)
from madcat_studio.scoring.ter import TerOptions, ter

if TYPE_CHECKING:
    from sacrebleu.metrics.chrf import CHRF

__all__ = [
    "COMMUNITY_MARK",
    "COMPOSITE_METRICS",
    "PROFILE_A",
    "PROFILE_B",
    "SEED",
    "STATUSES",
    "TIERS",
    "Breakdown",
    "Comparison",
    "Entry",
    "EntryScore",
    "FstCount",
    "Run",
    "RunCard",
    "Tools",
    "Usage",
    "available_metrics",
    "card",
    "compare",
    "composite",
    "cost_adjusted",
    "number",
    "tier",
]

SEED = 12345
"""Of intervals and tests: the document gives none; sacrebleu's default."""

PROFILE_A: Mapping[str, float] = {
    "fst_acceptance_rate": 0.25,
    "morphological_accuracy": 0.15,
    "chrf_plus_plus": 0.15,
    "semantic_score": 0.15,
    "equivalent_match_rate": 0.10,
    "code_switching_rate": 0.05,
    "terminology_adherence": 0.05,
    "hallucination_rate": 0.05,
    "exact_match_rate": 0.05,
}
"""Weights for languages with a morphological analyser."""

PROFILE_B: Mapping[str, float] = {
    "semantic_score": 0.25,
    "chrf_plus_plus": 0.25,
    "equivalent_match_rate": 0.15,
    "exact_match_rate": 0.10,
    "code_switching_rate": 0.10,
    "terminology_adherence": 0.05,
    "hallucination_rate": 0.05,
    "orthographic_accuracy": 0.05,
}
"""Weights for languages without one."""

COMPOSITE_METRICS = tuple(dict.fromkeys((*PROFILE_A, *PROFILE_B)))
"""Every metric that may enter a composite."""

_INVERTED = frozenset({"code_switching_rate", "hallucination_rate"})

TIERS = (
    (0.85, "fluent"),
    (0.70, "deployable"),
    (0.50, "functional"),
    (0.30, "emerging"),
    (0.00, "baseline"),
)
"""Lowest composite and label, from the top."""

COMMUNITY_MARK = "not community-reviewed"
"""Goes with every tier from deployable on: only people who speak the language can confirm it."""

STATUSES: Mapping[str, str] = {
    "exact_match_rate": "implemented",
    "exact_matches": "implemented",
    "equivalent_match_rate": "partial",
    "equivalent_matches": "partial",
    "chrf_plus_plus": "implemented",
    "bleu": "implemented",
    "ter": "planned",
    "length_ratio": "planned",
    "fst_acceptance_rate": "implemented",
    "fst_accepted": "implemented",
    "morphological_accuracy": "planned",
    "orthographic_accuracy": "planned",
    "semantic_score": "partial",
    "comet_score": "implemented",
    "code_switching_rate": "planned",
    "hallucination_rate": "planned",
    "terminology_adherence": "planned",
    "consistency_score": "planned",
}
"""What the document says of each metric. Of the planned ones this program computes those that
need no model; a card names them under ``computed_beyond_document``."""

_SUPPLIED = (
    "semantic_score",
    "morphological_accuracy",
    "orthographic_accuracy",
    "code_switching_rate",
    "hallucination_rate",
    "terminology_adherence",
)

FEW_COMMON = 10
FEW_ENTRIES = 30
"""Below so many entries in common, or entries at all, a comparison carries a warning."""

CHEAP = 0.001
"""Cost per entry, in dollars, below which the cost-adjusted score grows without bound."""


def number(value: object) -> float | None:
    """``value`` if it is a finite number (a bool is none), else None."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value


@dataclass(frozen=True, slots=True)
class FstCount:
    """Words of an output, and how many the analyser accepted."""

    words: int
    accepted: int


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one entry. Reasoning tokens are part of the completion."""

    prompt: int = 0
    completion: int = 0
    reasoning: int = 0
    cached: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """One translated text.

    Attributes:
        variants: other accepted translations; None if the corpus has no such field.
        metrics: supplied values; what is no finite number counts as not supplied.
        difficulty, provenance: for the breakdowns; None is "unknown".
        latency: in seconds; None if not measured.
        error: what went wrong; empty if nothing did.
    """

    id: str
    source: str
    expected: str
    predicted: str
    variants: tuple[str, ...] | None = None
    fst: FstCount | None = None
    metrics: Mapping[str, float | None] = field(default_factory=dict)
    difficulty: str | None = None
    provenance: str | None = None
    latency: float | None = None
    usage: Usage = Usage()
    error: str = ""

    @property
    def evaluated(self) -> bool:
        """Whether quality is measured on it: no error, and a reference."""
        return not self.error and bool(self.expected.strip())


@dataclass(frozen=True, slots=True)
class Run:
    """One run of one method over a corpus, entries in the order of the run.

    Attributes:
        has_fst: whether the language has an analyser; None: it has one if there are counts.
        about: anything else that the run's file says, passed on to the card.
    """

    name: str
    entries: tuple[Entry, ...]
    total_cost_usd: float | None = None
    elapsed_seconds: float | None = None
    has_fst: bool | None = None
    about: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Tools:
    """What is to be computed beyond the supplied values. The default computes nothing more.

    Attributes:
        ter: the settings of TER; None: not computed. From summed edits and words, as a fraction.
        length_ratio: whether to compute it, from summed characters.
        consistency: whether to compute it.
        language: for the code-switching rate; None: not computed.
        glossary: for terminology adherence and consistency; None: not computed.
        accepts: whether the analyser knows a word; None: no analyser.
        semantic: (outputs, references) -> similarities; None: not computed.
        comet: (sources, references, outputs) -> scores; None: not computed.
        comet_model: the name of the model behind ``comet``.
        target: the target language, for the compliance index; None: not computed.
    """

    ter: TerOptions | None = None
    length_ratio: bool = False
    consistency: bool = False
    language: SourceLanguage | None = None
    glossary: Glossary | None = None
    accepts: Callable[[str], bool] | None = None
    semantic: Callable[[Sequence[str], Sequence[str]], Sequence[float]] | None = None
    comet: Callable[[Sequence[str], Sequence[str], Sequence[str]], Sequence[float]] | None = None
    comet_model: str = ""
    target: str | None = None


@dataclass(frozen=True, slots=True)
class EntryScore:
    """One evaluated entry. ``ter`` and ``length_ratio`` are None where not computed."""

    id: str
    exact: bool
    chrf: float
    ter_edits: float | None = None
    ter_words: float | None = None
    length_ratio: float | None = None
    metrics: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The entries of one difficulty or provenance."""

    total: int
    evaluated: int
    errors: int
    exact_matches: int
    exact_match_rate: float | None
    chrf: float | None


@dataclass(frozen=True)
class RunCard:
    """A run card.

    Attributes:
        run: what was scored.
        profile: ``A`` or ``B``.
        scores: the metric inventory, key -> value, None for what is not computed.
        composite: rounded to 4 decimals; ``composite_unrounded`` is not.
        quality_tier: of the rounded composite.
        cost_adjusted: the secondary ranking.
        intervals: metric -> (low, high).
        cost, speed, tokens: key -> value.
        computed_beyond_document: metrics that the document only plans.
        marks: what goes with the card wherever it is shown.
        notes: what a reader has to know.
    """

    run: Run
    profile: str
    scores: Mapping[str, float | None]
    comet_model: str
    composite: float | None
    composite_unrounded: float | None
    quality_tier: str
    cost_adjusted: float | None
    intervals: Mapping[str, tuple[float, float]]
    by_difficulty: Mapping[str, Breakdown]
    by_provenance: Mapping[str, Breakdown]
    total: int
    evaluated: int
    errors: int
    cost: Mapping[str, float | None]
    speed: Mapping[str, float | None]
    tokens: Mapping[str, float | None]
    compliance: compliance.ComplianceSummary | None
    entries: tuple[EntryScore, ...]
    computed_beyond_document: tuple[str, ...]
    marks: tuple[str, ...]
    notes: tuple[str, ...]

    @cached_property
    def available(self) -> frozenset[str]:
        """The metrics of its profile that are numbers."""
        return available_metrics(self.scores, self.profile)


def composite(scores: Mapping[str, float | None], profile: str) -> float | None:
    """The weighted mean of the available metrics of profile ``A`` or ``B``; None without any."""
    weights = PROFILE_A if profile == "A" else PROFILE_B
    total = weight_sum = 0.0
    for name, weight in weights.items():
        value = number(scores.get(name))
        if value is None:
            continue
        if name == "chrf_plus_plus":
            value = value / 100
        elif name in _INVERTED:
            value = 1 - value
        total += weight * value
        weight_sum += weight
    return total / weight_sum if weight_sum else None


def available_metrics(scores: Mapping[str, float | None], profile: str) -> frozenset[str]:
    """The metrics that enter the composite."""
    weights = PROFILE_A if profile == "A" else PROFILE_B
    return frozenset(name for name in weights if number(scores.get(name)) is not None)


def tier(value: float | None) -> str:
    """The label of a composite; ``unscored`` for None."""
    if value is None:
        return "unscored"
    return next((label for least, label in TIERS if value >= least), "baseline")


def cost_adjusted(value: float | None, cost_per_entry: float | None) -> float | None:
    """composite / log2(1 + 1000 cost per entry); None where either is missing or the cost is 0."""
    if value is None or cost_per_entry is None or cost_per_entry <= 0:
        return None
    return value / math.log2(1 + 1000 * cost_per_entry)


def _ratio(value: float | None, by: float | None) -> float | None:
    return value / by if value is not None and by else None


def card(run: Run, tools: Tools = Tools(), *, progress: Progress = SILENT) -> RunCard:
    """Score a run.

    Args:
        run: the entries; may be empty.
        tools: what to compute beyond the supplied values.
        progress: told entry by entry.

    Raises:
        InputError: a text that TER cannot be computed of; the message names its entry.
        Cancelled: the user stopped it.
    """
    evaluated = [entry for entry in run.entries if entry.evaluated]
    errors = sum(bool(entry.error) for entry in run.entries)
    statistics = _chrf_statistics(evaluated, progress)
    exact = np.array([entry.predicted == entry.expected for entry in evaluated], dtype=np.float64)
    segment_chrf = _chrf(statistics)
    values = _entry_metrics(evaluated, tools, progress)

    scores: dict[str, float | None] = dict.fromkeys(STATUSES)
    beyond: list[str] = []
    if evaluated:
        scores["exact_matches"] = int(exact.sum())
        scores["exact_match_rate"] = float(exact.mean())
        scores["chrf_plus_plus"] = float(_chrf(statistics.sum(axis=0)[None, :])[0])
        scores["bleu"] = _bleu(evaluated)
        if any(entry.variants is not None for entry in evaluated):
            equivalent = sum(
                entry.predicted == entry.expected or entry.predicted in (entry.variants or ())
                for entry in evaluated
            )
            scores["equivalent_matches"] = equivalent
            scores["equivalent_match_rate"] = equivalent / len(evaluated)
        fst = _fst_counts(evaluated, tools)
        if fst is not None:
            scores["fst_accepted"] = fst.accepted
            scores["fst_acceptance_rate"] = _ratio(fst.accepted, fst.words)
    for name, own in values.items():
        known = [value for value in own if value is not None]
        if known:
            scores[name] = sum(known) / len(known)
    edits: list[tuple[float, float] | None] = [None] * len(evaluated)
    ratios: list[float | None] = [None] * len(evaluated)
    if tools.ter is not None:
        for position, entry in enumerate(evaluated):
            try:
                found = ter(entry.predicted, [entry.expected], tools.ter)
            except InputError as error:
                raise InputError(
                    error.code,
                    error.reason,
                    where=f"{run.name}, {entry.id}",
                    remedy=error.remedy,
                ) from error
            edits[position] = (found.edits, found.words)
        scores["ter"] = _ratio(
            sum(one[0] for one in edits if one), sum(one[1] for one in edits if one)
        )
    if tools.length_ratio:
        ratios = [len(entry.predicted) / len(entry.expected) for entry in evaluated]
        scores["length_ratio"] = _ratio(
            sum(len(entry.predicted) for entry in evaluated),
            sum(len(entry.expected) for entry in evaluated),
        )
    if tools.consistency:
        scores["consistency_score"] = consistency(
            ((entry.source, entry.predicted) for entry in evaluated), tools.glossary
        )
    supplied = {name for entry in evaluated for name in entry.metrics}
    beyond = [
        name
        for name, status in STATUSES.items()
        if status == "planned" and scores[name] is not None and name not in supplied
    ]

    profile = _profile(run, scores)
    unrounded = composite(scores, profile)
    rounded = None if unrounded is None else round(unrounded, 4)
    cost, speed, tokens = _cost(run), _speed(run), _tokens(run)
    cost["cost_per_1k_tokens"] = _per_thousand(run.total_cost_usd, tokens["total_tokens"])
    speed["tokens_per_second"] = _per_second(tokens["total_tokens"], run.elapsed_seconds)
    label = tier(rounded)
    result = RunCard(
        run=run,
        profile=profile,
        scores=scores,
        comet_model=tools.comet_model if scores["comet_score"] is not None else "",
        composite=rounded,
        composite_unrounded=unrounded,
        quality_tier=label,
        cost_adjusted=cost_adjusted(rounded, cost["cost_per_entry_usd"]),
        intervals=_intervals(statistics, exact),
        by_difficulty=_breakdown(run.entries, lambda entry: entry.difficulty, statistics),
        by_provenance=_breakdown(run.entries, lambda entry: entry.provenance, statistics),
        total=len(run.entries),
        evaluated=len(evaluated),
        errors=errors,
        cost=cost,
        speed=speed,
        tokens=tokens,
        compliance=None
        if tools.target is None
        else compliance.summarise(
            ((entry.source, entry.predicted) for entry in evaluated), tools.target
        ),
        entries=tuple(
            EntryScore(
                entry.id,
                bool(exact[position]),
                float(segment_chrf[position]),
                edit[0] if (edit := edits[position]) else None,
                edit[1] if edit else None,
                ratios[position],
                {name: column[position] for name, column in values.items()},
            )
            for position, entry in enumerate(evaluated)
        ),
        computed_beyond_document=tuple(beyond),
        marks=(COMMUNITY_MARK,) if label in ("fluent", "deployable") else (),
        notes=(),
    )
    return replace(result, notes=tuple(_notes(result, tools)))


def _notes(made: RunCard, tools: Tools) -> Iterable[str]:
    if not made.total:
        yield "The run has no entries: nothing is scored."
    elif not made.evaluated:
        yield "No entry has both a reference and no error: quality is not scored."
    blank = made.total - made.errors - made.evaluated
    if blank:
        yield f"{blank} entries without a reference are not evaluated."
    unmeasured = sum(entry.latency is None and not entry.error for entry in made.run.entries)
    if unmeasured and unmeasured < made.total - made.errors:
        yield f"{unmeasured} entries have no usable latency and are left out of the speed."
    per_entry = made.cost["cost_per_entry_usd"]
    if made.cost_adjusted is not None and per_entry is not None and per_entry < CHEAP:
        yield (
            "Below $0.001 per entry the divisor of the cost-adjusted score is smaller than 1 "
            "and the score grows without bound: do not rank by it."
        )
    if made.scores["comet_score"] is not None:
        yield "COMET is not calibrated for languages with few resources; no composite has it."
    if tools.semantic is not None and made.scores["semantic_score"] is not None:
        yield (
            "The semantic score compares output and reference by a sentence model that has to know "
            "their language; the document's own form compares them together with the source."
        )


def _profile(run: Run, scores: Mapping[str, float | None]) -> str:
    has_fst = run.has_fst
    if has_fst is None:
        has_fst = scores["fst_acceptance_rate"] is not None
    return "A" if has_fst else "B"


def _library() -> CHRF:
    from sacrebleu.metrics.chrf import CHRF

    return CHRF(char_order=6, word_order=2, beta=2)


def _chrf_statistics(entries: Sequence[Entry], progress: Progress) -> NDArray[np.float64]:
    """For each entry sacrebleu's (output, reference, match) counts of 6 + 2 orders."""
    metric = _library()
    rows: list[list[int]] = []
    for done, entry in enumerate(entries):
        if progress.cancelled():
            raise Cancelled
        if done % 100 == 0:
            progress.advance(done, len(entries), "counting n-grams")
        rows += metric._extract_corpus_statistics([entry.predicted], [[entry.expected]])
    return np.array(rows, dtype=np.float64).reshape(len(rows), 24)


def _chrf(statistics: NDArray[np.float64]) -> NDArray[np.float64]:
    """sacrebleu's chrF++ of each row of statistics: P and R averaged over the orders that both
    sides have, then F with beta 2."""
    output, reference, match = (statistics[:, part::3] for part in range(3))
    both = (output > 0) & (reference > 0)
    orders = both.sum(axis=1)
    safe = np.maximum(orders, 1)
    precision = np.divide(match, output, out=np.zeros_like(match), where=both).sum(axis=1) / safe
    recall = np.divide(match, reference, out=np.zeros_like(match), where=both).sum(axis=1) / safe
    divisor = 4 * precision + recall
    score: NDArray[np.float64] = np.divide(
        100 * 5 * precision * recall, divisor, out=np.zeros_like(divisor), where=divisor > 0
    )
    return score


def _bleu(entries: Sequence[Entry]) -> float:
    from sacrebleu.metrics.bleu import BLEU

    return float(
        BLEU()
        .corpus_score(
            [entry.predicted for entry in entries], [[entry.expected for entry in entries]]
        )
        .score
    )


def _fst_counts(entries: Sequence[Entry], tools: Tools) -> FstCount | None:
    counts = [entry.fst for entry in entries if entry.fst is not None]
    if not counts and tools.accepts is not None:
        accepts = tools.accepts
        known: dict[str, bool] = {}
        for entry in entries:
            found = words_of(entry.predicted)
            for word in found:
                if word not in known:
                    known[word] = accepts(word)
            counts.append(FstCount(len(found), sum(known[word] for word in found)))
    if not counts:
        return None
    return FstCount(sum(one.words for one in counts), sum(one.accepted for one in counts))


def _entry_metrics(
    entries: Sequence[Entry], tools: Tools, progress: Progress
) -> dict[str, list[float | None]]:
    """The per-entry metrics: supplied values, else computed ones."""
    values: dict[str, list[float | None]] = {
        name: [number(entry.metrics.get(name)) for entry in entries] for name in _SUPPLIED
    }
    values["comet_score"] = [number(entry.metrics.get("comet_score")) for entry in entries]

    def missing(name: str) -> bool:
        return all(value is None for value in values[name])

    if tools.language is not None and missing("code_switching_rate") and tools.language.usable:
        values["code_switching_rate"] = [
            code_switching(entry.predicted, entry.expected, tools.language) for entry in entries
        ]
    if tools.glossary is not None and missing("terminology_adherence"):
        values["terminology_adherence"] = [
            tools.glossary.adherence(entry.source, entry.predicted) for entry in entries
        ]
    if entries and tools.semantic is not None and missing("semantic_score"):
        progress.advance(0, None, "comparing meanings")
        values["semantic_score"] = list(
            tools.semantic(
                [entry.predicted for entry in entries], [entry.expected for entry in entries]
            )
        )
    if entries and tools.comet is not None and missing("comet_score"):
        progress.advance(0, None, "running COMET")
        values["comet_score"] = list(
            tools.comet(
                [entry.source for entry in entries],
                [entry.expected for entry in entries],
                [entry.predicted for entry in entries],
            )
        )
    return values


def _intervals(
    statistics: NDArray[np.float64], exact: NDArray[np.float64]
) -> dict[str, tuple[float, float]]:
    """The same replicates serve both; chrF++ of a replicate comes from summed statistics."""
    count = len(exact)
    if not count:
        return {}
    if count == 1:
        chrf = float(_chrf(statistics)[0])
        hit = float(exact[0])
        return {"chrf_plus_plus": (chrf, chrf), "exact_match_rate": (hit, hit)}
    times = _times_drawn(count)
    return {
        "chrf_plus_plus": percentile_interval(_chrf(times @ statistics)),
        "exact_match_rate": percentile_interval(times @ exact / count),
    }


def _times_drawn(count: int) -> NDArray[np.float64]:
    """How often each entry is in each replicate: (replicates, entries)."""
    drawn = resamples(SEED, count, REPLICATES)
    flat = drawn + np.arange(REPLICATES)[:, None] * count
    return (
        np.bincount(flat.ravel(), minlength=REPLICATES * count)
        .reshape(REPLICATES, count)
        .astype(np.float64)
    )


def _breakdown(
    entries: Sequence[Entry],
    key: Callable[[Entry], str | None],
    statistics: NDArray[np.float64],
) -> dict[str, Breakdown]:
    groups: dict[str, list[tuple[Entry, int | None]]] = {}
    row = 0
    for entry in entries:
        own = row if entry.evaluated else None
        row += entry.evaluated
        value = key(entry)
        groups.setdefault("unknown" if value is None else value, []).append((entry, own))
    result: dict[str, Breakdown] = {}
    for name in sorted(groups):
        members = groups[name]
        rows = [own for _, own in members if own is not None]
        hits = sum(entry.predicted == entry.expected for entry, own in members if own is not None)
        result[name] = Breakdown(
            total=len(members),
            evaluated=len(rows),
            errors=sum(bool(entry.error) for entry, _ in members),
            exact_matches=hits,
            exact_match_rate=_ratio(hits, len(rows)),
            chrf=float(_chrf(statistics[rows].sum(axis=0)[None, :])[0]) if rows else None,
        )
    return result


def _cost(run: Run) -> dict[str, float | None]:
    cost = run.total_cost_usd
    return {
        "total_cost_usd": cost,
        "cost_per_entry_usd": _ratio(cost, len(run.entries)),
        "cost_per_1k_tokens": None,
        "cost_per_source_char": _ratio(cost, sum(len(entry.source) for entry in run.entries)),
    }


def _per_thousand(cost: float | None, tokens: float | None) -> float | None:
    each = _ratio(cost, tokens)
    return None if each is None else each * 1000


def _per_second(amount: float | None, seconds: float | None) -> float | None:
    if amount is None or not seconds or seconds <= 0 or not amount:
        return None
    return amount / seconds


def _speed(run: Run) -> dict[str, float | None]:
    latencies = [
        entry.latency for entry in run.entries if entry.latency is not None and not entry.error
    ]
    per_second = _per_second(len(run.entries), run.elapsed_seconds)
    return {
        "elapsed_seconds": run.elapsed_seconds,
        "avg_latency_seconds": sum(latencies) / len(latencies) if latencies else None,
        "median_latency_seconds": float(np.percentile(latencies, 50)) if latencies else None,
        "p95_latency_seconds": float(np.percentile(latencies, 95)) if latencies else None,
        "tokens_per_second": None,
        "entries_per_minute": None if per_second is None else per_second * 60,
    }


def _tokens(run: Run) -> dict[str, float | None]:
    usages = [entry.usage for entry in run.entries]
    prompt = sum(usage.prompt for usage in usages)
    completion = sum(usage.completion for usage in usages)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "reasoning_tokens": sum(usage.reasoning for usage in usages),
        "cached_tokens": sum(usage.cached for usage in usages),
        "total_tokens": prompt + completion,
        "tokens_per_entry": _ratio(prompt + completion, len(usages)),
    }


@dataclass(frozen=True, slots=True)
class Comparison:
    """A paired bootstrap test of two runs on their common entries.

    Attributes:
        metric: ``chrf_plus_plus`` or ``exact_match_rate``.
        common: entries that both evaluated.
        a, b: the scores on those; None without any.
        delta: a - b.
        p_value: the share of replicates whose difference has the other sign or is 0.
        low, high: the interval of the difference.
    """

    metric: str
    common: int
    a: float | None
    b: float | None
    delta: float
    p_value: float
    low: float
    high: float

    @property
    def significant(self) -> bool:
        """p below 0.05, and the interval of the difference excludes 0."""
        return self.p_value < 0.05 and not self.low <= 0 <= self.high

    @property
    def winner(self) -> str | None:
        """``A`` or ``B`` where the difference is significant."""
        if not self.significant:
            return None
        return "A" if self.delta > 0 else "B"


def compare(first: Run, second: Run) -> tuple[tuple[Comparison, ...], tuple[str, ...]]:
    """Test two runs against each other; also the warnings that go with it."""
    left = {entry.id: entry for entry in first.entries if entry.evaluated}
    right = {entry.id: entry for entry in second.entries if entry.evaluated}
    common = sorted(left.keys() & right.keys())
    warnings: list[str] = []
    if not common:
        warnings.append("The runs have no evaluated entry in common: nothing can be tested.")
    elif len(common) < FEW_COMMON:
        warnings.append(f"Only {len(common)} entries are in common: the test says little.")
    if min(len(left), len(right)) < FEW_ENTRIES:
        warnings.append(f"A run has fewer than {FEW_ENTRIES} evaluated entries.")
    if any(left[name].expected != right[name].expected for name in common):
        warnings.append("Some common entries have different references in the two runs.")
    if not common:
        none = [
            Comparison(metric, 0, None, None, 0.0, 1.0, 0.0, 0.0)
            for metric in ("chrf_plus_plus", "exact_match_rate")
        ]
        return tuple(none), tuple(warnings)

    times = _times_drawn(len(common))
    sides: list[tuple[float, NDArray[np.float64], float, NDArray[np.float64]]] = []
    for own in (left, right):
        entries = [own[name] for name in common]
        statistics = _chrf_statistics(entries, SILENT)
        exact = np.array([one.predicted == one.expected for one in entries], dtype=np.float64)
        sides.append(
            (
                float(_chrf(statistics.sum(axis=0)[None, :])[0]),
                _chrf(times @ statistics),
                float(exact.mean()),
                times @ exact / len(common),
            )
        )
    (a_chrf, a_chrfs, a_exact, a_exacts), (b_chrf, b_chrfs, b_exact, b_exacts) = sides
    return (
        _test("chrf_plus_plus", len(common), a_chrf, b_chrf, a_chrfs - b_chrfs),
        _test("exact_match_rate", len(common), a_exact, b_exact, a_exacts - b_exacts),
    ), tuple(warnings)


def _test(
    metric: str, common: int, a: float, b: float, differences: NDArray[np.float64]
) -> Comparison:
    delta = a - b
    if delta == 0:
        p_value = 1.0
    else:
        against = differences <= 0 if delta > 0 else differences >= 0
        p_value = float(against.mean())
    low, high = percentile_interval(differences)
    return Comparison(metric, common, a, b, delta, p_value, low, high)
