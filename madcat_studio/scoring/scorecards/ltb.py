"""The page scorecard: LayoutTranslateBench's LTB-100.

A system gives, for a page and a language pair, regions with a box, the translated text and a
place in the reading order. LTB-100 = 100 (0.50 chrF/100 + 0.30 IoU + 0.20 tau), per document,
then the mean per pair, then the mean of the pairs. docs/scorecards.md has the formulas, every
choice and the three profiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from madcat_studio.errors import InputError
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.scoring.scorecards.gate import target_of
from madcat_studio.scoring.scorecards.intervals import mean_interval
from madcat_studio.scoring.scorecards.layout import (
    Match,
    box_overlap,
    match_regions,
    normalised_tau,
)
from madcat_studio.scoring.scorecards.ltb_values import (
    CORE_PAIRS,
    DEFAULTS,
    DOCUMENT_PROFILE,
    EXTENSION_PAIRS,
    PROFILES,
    SEED,
    WEIGHTS,
    DocumentScore,
    Means,
    Options,
    PairScore,
    Prediction,
    Profile,
    Region,
    RegionScore,
    Submission,
    SubmissionScore,
    TruthDocument,
    TruthRegion,
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
    options: Options = DEFAULTS,
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
                remedy="Document ids must be unique",
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
            "the submission has none of the ground truth's documents",
            remedy=f"It names “{unknown[0][1]}”; check that both belong to the same data set",
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
        ungated=tuple(
            pair
            for pair, scored in by_pair.items()
            if any(
                region.gate is not None and region.gate.reason in ("unknown-target", "no-profile")
                for document in scored
                for region in document.regions
            )
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
