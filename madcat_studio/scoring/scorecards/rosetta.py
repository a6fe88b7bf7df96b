"""The run card: metric inventory, composite, tiers, cost, speed, tokens, intervals.

After the Rosetta scoring specification; docs/scorecards.md has the formulas and every choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from madcat_studio.errors import InputError
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.scoring.scorecards import compliance
from madcat_studio.scoring.scorecards.intervals import percentile_interval
from madcat_studio.scoring.scorecards.rosetta_compare import Comparison, compare
from madcat_studio.scoring.scorecards.rosetta_composite import (
    COMPOSITE_METRICS,
    PROFILE_A,
    PROFILE_B,
    TIERS,
    available_metrics,
    composite,
    cost_adjusted,
    tier,
)
from madcat_studio.scoring.scorecards.rosetta_counts import (
    AT_ONCE,
    SEED,
    chrf,
    chrf_statistics,
    replicated,
)
from madcat_studio.scoring.scorecards.rosetta_invented import invented
from madcat_studio.scoring.scorecards.rosetta_resources import (
    cost_of,
    per_second,
    per_thousand,
    ratio,
    speed_of,
    tokens_of,
)
from madcat_studio.scoring.scorecards.rosetta_run import Entry, FstCount, Run, Usage, number
from madcat_studio.scoring.scorecards.rosetta_text import (
    Glossary,
    SourceLanguage,
    code_switching,
    consistency,
    words_of,
)
from madcat_ter.options import TerOptions
from madcat_ter.ter import ter
from madcat_ter.text import check_text

if TYPE_CHECKING:
    pass

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
    "ter_tercom": "planned",
    "length_ratio": "planned",
    "length_ratio_mean": "planned",
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


CHEAP = 0.001
"""Cost per entry, in dollars, below which the cost-adjusted score grows without bound."""


@dataclass(frozen=True)
class Tools:
    """What is to be computed beyond the supplied values. The default computes nothing more.

    Attributes:
        ter: whether to compute sacrebleu's ``corpus_ter``, which the document means.
        ter_tercom: the settings of TER as tercom has it; None: not computed. From summed edits and
            words, in percent as sacrebleu's.
        length_ratio: whether to compute it, from summed characters, and the mean over entries.
        consistency: whether to compute it.
        language: for the code-switching rate; None: not computed.
        glossary: for terminology adherence and consistency; None: not computed.
        accepts: whether the analyser knows a word; None: no analyser.
        semantic: (outputs, references) -> similarities; None: not computed.
        comet: (sources, references, outputs) -> scores; None: not computed.
        comet_model: the name of the model behind ``comet``.
        target: the target language, for the compliance index; None: not computed.
        hallucination: whether to compute its rate from signs that need no model.
    """

    ter: bool = False
    ter_tercom: TerOptions | None = None
    length_ratio: bool = False
    consistency: bool = False
    language: SourceLanguage | None = None
    glossary: Glossary | None = None
    accepts: Callable[[str], bool] | None = None
    semantic: Callable[[Sequence[str], Sequence[str]], Sequence[float]] | None = None
    comet: Callable[[Sequence[str], Sequence[str], Sequence[str]], Sequence[float]] | None = None
    comet_model: str = ""
    target: str | None = None
    hallucination: bool = False


@dataclass(frozen=True, slots=True)
class EntryScore:
    """One evaluated entry. What is not computed is None; the edits and words are tercom's."""

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
    statistics = chrf_statistics(evaluated, progress)
    exact = np.array([entry.predicted == entry.expected for entry in evaluated], dtype=np.float64)
    segment_chrf = chrf(statistics)
    values = _entry_metrics(evaluated, tools, progress)

    scores: dict[str, float | None] = dict.fromkeys(STATUSES)
    beyond: list[str] = []
    if evaluated:
        scores["exact_matches"] = int(exact.sum())
        scores["exact_match_rate"] = float(exact.mean())
        scores["chrf_plus_plus"] = float(chrf(statistics.sum(axis=0)[None, :])[0])
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
            scores["fst_acceptance_rate"] = ratio(fst.accepted, fst.words)
    for name, own in values.items():
        known = [value for value in own if value is not None]
        if known:
            scores[name] = sum(known) / len(known)
    edits: list[tuple[float, float] | None] = [None] * len(evaluated)
    ratios: list[float | None] = [None] * len(evaluated)
    if tools.ter and evaluated:
        scores["ter"] = _corpus_ter(run, evaluated, progress)
    if tools.ter_tercom is not None:
        for position, entry in enumerate(evaluated):
            try:
                found = ter(entry.predicted, [entry.expected], tools.ter_tercom)
            except InputError as error:
                raise _of_entry(error, run, entry) from error
            edits[position] = (found.edits, found.words)
        rate = ratio(sum(one[0] for one in edits if one), sum(one[1] for one in edits if one))
        scores["ter_tercom"] = None if rate is None else 100 * rate
    if tools.length_ratio:
        ratios = [len(entry.predicted) / len(entry.expected) for entry in evaluated]
        scores["length_ratio"] = ratio(
            sum(len(entry.predicted) for entry in evaluated),
            sum(len(entry.expected) for entry in evaluated),
        )
        if ratios:
            scores["length_ratio_mean"] = sum(one for one in ratios if one) / len(ratios)
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
    cost, speed, tokens = cost_of(run), speed_of(run), tokens_of(run)
    cost["cost_per_1k_tokens"] = per_thousand(run.total_cost_usd, tokens["total_tokens"])
    speed["tokens_per_second"] = per_second(tokens["total_tokens"], run.elapsed_seconds)
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
    yield from _as_reported(made)
    if made.scores["comet_score"] is not None:
        yield "COMET is not calibrated for languages with few resources; no composite has it."
    if tools.semantic is not None and made.scores["semantic_score"] is not None:
        yield (
            "The semantic score compares output and reference by a sentence model that has to know "
            "their language; the document's own form compares them together with the source."
        )


def _as_reported(made: RunCard) -> Iterable[str]:
    """What the run's own report says where the card says something else, and that it agrees."""
    same, other = [], []
    for name, theirs in made.run.reported.items():
        own = made.scores[name]
        if own is None:
            continue
        # The harness rounds to two digits, rates to four.
        room = 0.0051 if name in ("chrf_plus_plus", "bleu", "ter") else 5.1e-5
        if abs(own - theirs) <= room:
            same.append(name)
        else:
            other.append(f"The run's own report has {name} {theirs:g}, this card {own:.4f}.")
    if same:
        yield f"As the run's own report has it: {', '.join(same)}."
    yield from other


def _profile(run: Run, scores: Mapping[str, float | None]) -> str:
    has_fst = run.has_fst
    if has_fst is None:
        has_fst = scores["fst_acceptance_rate"] is not None
    return "A" if has_fst else "B"


def _bleu(entries: Sequence[Entry]) -> float:
    from sacrebleu.metrics.bleu import BLEU

    return float(
        BLEU()
        .corpus_score(
            [entry.predicted for entry in entries], [[entry.expected for entry in entries]]
        )
        .score
    )


def _corpus_ter(run: Run, entries: Sequence[Entry], progress: Progress) -> float:
    """sacrebleu's TER with its defaults, in percent: summed edits over summed words.

    By our engine, which gives sacrebleu's own numbers, in parts: sacrebleu's loop over a corpus
    cannot be stopped.
    """
    from madcat_ter.sacrebleu_metric import TER

    metric = TER(compat="sacrebleu")
    edits = words = 0.0
    for start in range(0, len(entries), AT_ONCE):
        if progress.cancelled():
            raise Cancelled
        progress.advance(start, len(entries), "computing TER")
        own = entries[start : start + AT_ONCE]
        for entry in own:
            try:
                check_text(entry.predicted)
                check_text(entry.expected)
            except InputError as error:
                raise _of_entry(error, run, entry) from error
        for row in metric._extract_corpus_statistics(
            [entry.predicted for entry in own], [[entry.expected for entry in own]]
        ):
            edits += row[0]
            words += row[1]
    if words:
        return 100 * edits / words
    return 100.0 if edits else 0.0


def _of_entry(error: InputError, run: Run, entry: Entry) -> InputError:
    where = f"{run.name}, {entry.id}"
    return InputError(error.code, error.reason, where=where, remedy=error.remedy)


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
    if tools.hallucination and missing("hallucination_rate"):
        values["hallucination_rate"] = [
            invented(entry.source, entry.predicted) for entry in entries
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
        only, hit = float(chrf(statistics)[0]), float(exact[0])
        return {"chrf_plus_plus": (only, only), "exact_match_rate": (hit, hit)}
    sums, hits = replicated(statistics, exact)
    return {
        "chrf_plus_plus": percentile_interval(chrf(sums)),
        "exact_match_rate": percentile_interval(hits / count),
    }


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
            exact_match_rate=ratio(hits, len(rows)),
            chrf=float(chrf(statistics[rows].sum(axis=0)[None, :])[0]) if rows else None,
        )
    return result
