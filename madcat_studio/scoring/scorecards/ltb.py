"""The page scorecard: LayoutTranslateBench's LTB-100.

A system gives, for a page and a language pair, regions with a box, the translated text and a
place in the reading order. LTB-100 = 100 (0.50 chrF/100 + 0.30 IoU + 0.20 tau), per document,
then the mean per pair, then the mean of the pairs. docs/scorecards.md has the formulas, every
choice and the three profiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from madcat_studio.errors import InputError, UsageError
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.scoring.scorecards.gate import MIN_LETTERS, GateRules, Verdict, target_of
from madcat_studio.scoring.scorecards.intervals import Interval, mean_interval
from madcat_studio.scoring.scorecards.layout import (
    Box,
    Match,
    box_overlap,
    match_regions,
    normalised_tau,
)
from madcat_studio.scoring.scorecards.texts import TextQuery, TextScore, measure

__all__ = [
    "CORE_PAIRS",
    "DOCUMENT_PROFILE",
    "EXTENSION_PAIRS",
    "PROFILES",
    "SEED",
    "WEIGHTS",
    "DocumentScore",
    "Means",
    "Options",
    "PairScore",
    "Prediction",
    "Profile",
    "Region",
    "RegionScore",
    "Submission",
    "SubmissionScore",
    "TruthDocument",
    "TruthRegion",
    "composite",
    "score",
]

CORE_PAIRS = ("en-es", "en-de", "en-zh", "en-ar", "en-ja", "en-fr", "en-th", "en-ms")
"""The pairs of the headline figure."""

EXTENSION_PAIRS = (
    "en-ru", "en-ko", "en-vi", "en-id", "en-ur", "en-uz", "en-kk", "en-zh-tw",
)  # fmt: skip
"""Pairs that prove coverage; their samples are too small for a ranking."""

SEED = 42
"""The seed of the intervals."""

WEIGHTS = (0.50, 0.30, 0.20)
"""Of chrF, IoU and tau in LTB-100 (v0.1.1)."""


@dataclass(frozen=True, slots=True)
class Profile:
    """How the document's gaps are filled.

    Attributes:
        name: as the command line has it.
        formula: chrF2 by the document's formula; else sacrebleu's default chrF2.
        blanks_count: whether blanks count as letters in the gate's "too short".
        unsupported_pass: whether the gate lets a target without a detector profile pass.
        id_needs_overlap: whether a common id needs an overlap of 0.10.
        score_missing_reference: whether a region without a reference is scored against "".
        constant_is_one: whether any constant order gives 1, and not only a constant truth.
        blank_is_reference: whether a blank reference counts as one.
        first_id_wins: which of repeated predicted ids is meant.
    """

    name: str
    formula: bool = True
    blanks_count: bool = False
    unsupported_pass: bool = True
    id_needs_overlap: bool = False
    score_missing_reference: bool = False
    constant_is_one: bool = False
    blank_is_reference: bool = False
    first_id_wins: bool = True


DOCUMENT_PROFILE = Profile("doc")

PROFILES: Mapping[str, Profile] = {
    profile.name: profile
    for profile in (
        DOCUMENT_PROFILE,
        Profile("sacrebleu", formula=False),
        Profile(
            "ltbench",
            blanks_count=True,
            unsupported_pass=False,
            id_needs_overlap=True,
            score_missing_reference=True,
            constant_is_one=True,
            blank_is_reference=True,
            first_id_wins=False,
        ),
    )
}
"""``doc``: the document, gaps filled as docs/scorecards.md says. ``sacrebleu``: the same with the
chrF2 of WMT. ``ltbench``: the behaviour of the published code."""


@dataclass(frozen=True, slots=True)
class Region:
    """A region as the ground truth or a system has it.

    Attributes:
        id: may be empty in a prediction.
        box: in pixels of the page.
        text: source text in the ground truth, translated text in a prediction.
        order: its place in the reading order.
        shape: what a finer measure of overlap than the box needs; opaque here.
    """

    id: str
    box: Box
    text: str
    order: int
    shape: object = None


@dataclass(frozen=True, slots=True)
class TruthRegion(Region):
    """A region of the ground truth. ``references``: pair -> translation."""

    references: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TruthDocument:
    """One page of the ground truth. ``category`` only matters for the held-out split."""

    id: str
    regions: tuple[TruthRegion, ...]
    page_size: tuple[float, float] | None = None
    category: str = ""

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for region in self.regions:
            if not (region.box.width > 0 and region.box.height > 0):
                raise InputError(
                    "scorecards.box-without-size",
                    f"the box of region “{region.id}” has no area "
                    f"({region.box.width:g} × {region.box.height:g})",
                    where=self.id,
                    remedy="Give the region the box of its text, or take it out",
                )
            if region.id in seen:
                raise InputError(
                    "scorecards.region-twice",
                    f"two regions are named “{region.id}”",
                    where=self.id,
                    remedy="Region ids are unique within a document",
                )
            seen.add(region.id)

    def has_reference(self, pair: str, profile: Profile) -> bool:
        """Whether any region can be scored for ``pair``."""
        return any(
            pair in region.references
            and (profile.blank_is_reference or region.references[pair].strip())
            for region in self.regions
        )


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a system gave for one document."""

    id: str
    regions: tuple[Region, ...]

    @property
    def parser_failure(self) -> bool:
        """Exactly one region, with blank text: what runners write when they could not parse."""
        return len(self.regions) == 1 and not self.regions[0].text.strip()


@dataclass(frozen=True, slots=True)
class Submission:
    """A system's predictions: pair -> document -> prediction. A pair that is there is attempted."""

    pairs: Mapping[str, Mapping[str, Prediction]]


@dataclass(frozen=True, slots=True)
class Options:
    """What a score depends on besides the texts.

    Attributes:
        profile: how gaps of the document are filled.
        exclude_parser_failures: leave those documents out of means and intervals.
        min_letters_latin: the fewest letters that the language gate asks the detector about.
        seed: of the intervals.
        replicates: of the intervals.
        workers: processes for the texts; None: as many as pay.
    """

    profile: Profile = DOCUMENT_PROFILE
    exclude_parser_failures: bool = False
    min_letters_latin: int = MIN_LETTERS
    seed: int = SEED
    replicates: int = 1000
    workers: int | None = None

    def __post_init__(self) -> None:
        if self.min_letters_latin < 1 or self.replicates < 1:
            raise UsageError(
                "scorecards.option",
                "letters and replicates are counted from 1",
                remedy="Give a positive number",
            )

    def rules(self) -> GateRules:
        """What of it concerns the language gate."""
        return GateRules(
            self.profile.blanks_count, self.profile.unsupported_pass, self.min_letters_latin
        )


@dataclass(frozen=True, slots=True)
class RegionScore:
    """One region of the ground truth.

    Attributes:
        id: the region's.
        prediction: the position of the matched predicted region; None without one.
        by: ``id`` or ``overlap``; None without a match.
        chrf: 0..100; None where there is no reference for the pair.
        iou: 0..1.
        gate: the language gate's verdict; None where it was not asked.
        area: the region's weight, in square pixels.
    """

    id: str
    prediction: int | None
    by: str | None
    chrf: float | None
    iou: float
    gate: Verdict | None
    area: float


@dataclass(frozen=True, slots=True)
class DocumentScore:
    """One document in one pair.

    Attributes:
        chrf: 0..100, the area-weighted mean of regions with a reference.
        iou: 0..1, the area-weighted mean of all regions.
        tau_b: of the matched regions; None where undefined.
        tau: 0..1, normalised and scaled by ``coverage``.
        ltb: 0..100.
        parser_failure: one region with blank text.
        missing: the system gave nothing for it; its zeros count.
    """

    id: str
    pair: str
    regions: tuple[RegionScore, ...]
    chrf: float
    iou: float
    tau_b: float | None
    tau_norm: float
    coverage: float
    tau: float
    ltb: float
    parser_failure: bool = False
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Means:
    """Means over documents or pairs; None over none. ``interval`` is that of LTB-100."""

    chrf: float | None
    iou: float | None
    tau: float | None
    ltb: float | None
    interval: Interval


@dataclass(frozen=True, slots=True)
class PairScore:
    """The plain means over a pair's documents."""

    pair: str
    documents: int
    means: Means

    @property
    def group(self) -> str:
        """``CORE``, ``EXTENSION`` or ``other``."""
        if self.pair in CORE_PAIRS:
            return "CORE"
        return "EXTENSION" if self.pair in EXTENSION_PAIRS else "other"


@dataclass(frozen=True, slots=True)
class SubmissionScore:
    """All scores of one submission.

    Attributes:
        documents: every scored document, pair by pair.
        pairs: with at least one document.
        overall: the plain mean of all ``pairs``; its interval pools the documents.
        core: the same of the CORE pairs: the headline figure.
        extension: the same of the EXTENSION pairs.
        excluded: (pair, document) without any reference for the pair.
        missing: (pair, document) that the system gave nothing for.
        unknown: (pair, document) that the ground truth does not have; skipped.
        parser_failures: (pair, document).
        gate_not_run: the detector is not installed, so Latin targets passed unchecked.
        options: what it was scored with.
    """

    documents: tuple[DocumentScore, ...]
    pairs: tuple[PairScore, ...]
    overall: Means
    core: Means
    extension: Means
    excluded: tuple[tuple[str, str], ...]
    missing: tuple[tuple[str, str], ...]
    unknown: tuple[tuple[str, str], ...]
    parser_failures: tuple[tuple[str, str], ...]
    gate_not_run: bool
    options: Options

    @property
    def gate_rejected(self) -> int:
        """Regions whose text the language gate set to 0."""
        return sum(
            region.gate is not None and not region.gate.accepted
            for document in self.documents
            for region in document.regions
        )


def composite(
    chrf: float, iou: float, tau: float, weights: tuple[float, float, float] = WEIGHTS
) -> float:
    """LTB-100 of its three parts (chrF 0..100, the others 0..1)."""
    return 100 * (weights[0] * chrf / 100 + weights[1] * iou + weights[2] * tau)


Overlap = Callable[[Region, Region], float]
"""Of a region of the ground truth and a predicted one, 0..1."""


def _of_boxes(truth: Region, predicted: Region) -> float:
    return box_overlap(truth.box, predicted.box)


def score(
    truth: Sequence[TruthDocument],
    submission: Submission,
    options: Options = Options(),
    *,
    overlap: Overlap = _of_boxes,
    progress: Progress = SILENT,
) -> SubmissionScore:
    """Score a submission against the ground truth.

    Args:
        truth: all documents; those without a reference for a pair are left out of that pair.
        submission: what the system gave.
        options: profile and choices.
        overlap: of two regions; the default is IoU of their boxes.
        progress: told pair by pair.

    Raises:
        InputError: ``scorecards.document-twice``, ``scorecards.other-documents``: the
            submission has none of the documents of the ground truth.
        Cancelled: the user stopped it.
    """
    by_id: dict[str, TruthDocument] = {}
    for document in truth:
        if document.id in by_id:
            raise InputError(
                "scorecards.document-twice",
                f"two documents of the ground truth are named “{document.id}”",
                remedy="Document ids are unique",
            )
        by_id[document.id] = document
    unknown = [
        (pair, name)
        for pair, predictions in submission.pairs.items()
        for name in predictions
        if name not in by_id
    ]
    given = sum(map(len, submission.pairs.values()))
    if given and len(unknown) == given:
        raise InputError(
            "scorecards.other-documents",
            "the submission has none of the documents of the ground truth",
            remedy=f"It names “{unknown[0][1]}”; check that both are of the same data set",
        )

    profile = options.profile
    excluded: list[tuple[str, str]] = []
    drafts: list[_Draft] = []
    for done, (pair, predictions) in enumerate(submission.pairs.items()):
        if progress.cancelled():
            raise Cancelled
        progress.advance(done, len(submission.pairs), f"matching {pair}")
        for document in truth:
            prediction = predictions.get(document.id)
            if not document.has_reference(pair, profile):
                # Counted where the system tried; a page that was never meant for this pair
                # and was not submitted is nobody's business.
                if prediction is not None:
                    excluded.append((pair, document.id))
                continue
            drafts.append(_Draft(document, pair, prediction, profile, overlap))
    queries = [query for draft in drafts for query in draft.queries()]
    progress.advance(len(submission.pairs), None, "comparing texts")
    scores = iter(
        measure(queries, options.rules(), profile.formula, options.workers, progress=progress)
    )
    documents = tuple(draft.finish(scores) for draft in drafts)
    return _aggregate(documents, excluded, unknown, options)


class _Draft:
    """One document that is matched; its texts are compared later, all at once."""

    def __init__(
        self,
        document: TruthDocument,
        pair: str,
        prediction: Prediction | None,
        profile: Profile,
        overlap: Overlap,
    ) -> None:
        self.document = document
        self.pair = pair
        self.prediction = prediction
        self.profile = profile
        regions = document.regions
        predicted = prediction.regions if prediction else ()
        known: dict[tuple[int, int], float] = {}

        def common(first: int, second: int) -> float:
            found = known.get((first, second))
            if found is None:
                found = known[first, second] = overlap(regions[first], predicted[second])
            return found

        matches = match_regions(
            [region.id for region in regions],
            [region.id for region in predicted],
            common,
            first_id_wins=profile.first_id_wins,
            id_needs_overlap=profile.id_needs_overlap,
        )
        self.matches: dict[int, Match] = {match.truth: match for match in matches}
        self.overlaps = {match.truth: common(match.truth, match.prediction) for match in matches}

    def _reference(self, position: int) -> str | None:
        """The text to compare with; None where the region is not scored for text."""
        references = self.document.regions[position].references
        text = references.get(self.pair)
        if self.profile.score_missing_reference:
            return text or ""
        return text if text is not None and text.strip() else None

    def queries(self) -> Iterator[TextQuery]:
        """The texts to compare, in the order of the regions."""
        if self.prediction is None:
            return
        target = target_of(self.pair)
        for position in range(len(self.document.regions)):
            match = self.matches.get(position)
            reference = self._reference(position)
            if match is not None and reference is not None:
                output = self.prediction.regions[match.prediction].text
                yield TextQuery(output, reference, target)

    def finish(self, scores: Iterator[TextScore]) -> DocumentScore:
        """The document's score; takes as many of ``scores`` as it had queries."""
        regions: list[RegionScore] = []
        text_sum = text_area = overlap_sum = all_area = 0.0
        for position, region in enumerate(self.document.regions):
            area = region.box.area
            match = self.matches.get(position)
            reference = self._reference(position)
            chrf = None if reference is None else 0.0
            verdict = None
            if match is not None and reference is not None:
                text = next(scores)
                chrf, verdict = text.chrf, text.verdict
            iou = self.overlaps.get(position, 0.0)
            if chrf is not None:
                text_sum += area * chrf
                text_area += area
            overlap_sum += area * iou
            all_area += area
            regions.append(
                RegionScore(
                    region.id,
                    match.prediction if match else None,
                    match.by if match else None,
                    chrf,
                    iou,
                    verdict,
                    area,
                )
            )
        truth_orders: list[int] = []
        orders: list[int] = []
        if self.prediction is not None:
            for position, match in self.matches.items():
                truth_orders.append(self.document.regions[position].order)
                orders.append(self.prediction.regions[match.prediction].order)
        tau_b, tau_norm = normalised_tau(
            truth_orders, orders, constant_is_one=self.profile.constant_is_one
        )
        count = len(self.document.regions)
        coverage = min(1.0, len(self.matches) / count) if count else 0.0
        chrf_mean = text_sum / text_area if text_area else 0.0
        iou_mean = overlap_sum / all_area if all_area else 0.0
        tau = tau_norm * coverage
        return DocumentScore(
            self.document.id,
            self.pair,
            tuple(regions),
            chrf_mean,
            iou_mean,
            tau_b,
            tau_norm,
            coverage,
            tau,
            composite(chrf_mean, iou_mean, tau),
            parser_failure=self.prediction is not None and self.prediction.parser_failure,
            missing=self.prediction is None,
        )


def _aggregate(
    documents: tuple[DocumentScore, ...],
    excluded: Sequence[tuple[str, str]],
    unknown: Sequence[tuple[str, str]],
    options: Options,
) -> SubmissionScore:
    by_pair: dict[str, list[DocumentScore]] = {}
    for document in documents:
        if not (options.exclude_parser_failures and document.parser_failure):
            by_pair.setdefault(document.pair, []).append(document)
    pairs = tuple(
        PairScore(pair, len(scored), _means_of_documents(scored, options))
        for pair, scored in by_pair.items()
    )

    def over(chosen: Sequence[PairScore]) -> Means:
        pooled = [document.ltb for pair in chosen for document in by_pair[pair.pair]]
        return _means_of_pairs(chosen, pooled, options)

    return SubmissionScore(
        documents=documents,
        pairs=pairs,
        overall=over(pairs),
        core=over([pair for pair in pairs if pair.group == "CORE"]),
        extension=over([pair for pair in pairs if pair.group == "EXTENSION"]),
        excluded=tuple(excluded),
        missing=tuple((one.pair, one.id) for one in documents if one.missing),
        unknown=tuple(unknown),
        parser_failures=tuple((one.pair, one.id) for one in documents if one.parser_failure),
        gate_not_run=any(
            region.gate is not None and region.gate.reason == "not-run"
            for document in documents
            for region in document.regions
        ),
        options=options,
    )


def _means_of_documents(documents: Sequence[DocumentScore], options: Options) -> Means:
    count = len(documents)
    return Means(
        sum(document.chrf for document in documents) / count,
        sum(document.iou for document in documents) / count,
        sum(document.tau for document in documents) / count,
        sum(document.ltb for document in documents) / count,
        mean_interval([one.ltb for one in documents], options.seed, options.replicates),
    )


def _means_of_pairs(pairs: Sequence[PairScore], pooled: Sequence[float], options: Options) -> Means:
    interval = mean_interval(pooled, options.seed, options.replicates)
    if not pairs:
        return Means(None, None, None, None, interval)

    def mean(values: Iterator[float | None]) -> float:
        return sum(value for value in values if value is not None) / len(pairs)

    return Means(
        mean(pair.means.chrf for pair in pairs),
        mean(pair.means.iou for pair in pairs),
        mean(pair.means.tau for pair in pairs),
        mean(pair.means.ltb for pair in pairs),
        interval,
    )
