"""What the page scorecard takes and gives: pages, predictions, options, scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from madcat_studio.errors import InputError, UsageError
from madcat_studio.scoring.scorecards.gate import MIN_LETTERS, GateRules, Verdict
from madcat_studio.scoring.scorecards.intervals import Interval
from madcat_studio.scoring.scorecards.layout import Box

__all__ = [
    "CORE_PAIRS",
    "DEFAULTS",
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
        every_profile: whether the gate checks targets that the document does not list.
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
    every_profile: bool = True
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
            every_profile=False,
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
    """A region of the ground truth.

    Attributes:
        references: pair -> translation.
        further: pair -> other translations that are as good; version 0.1 does not look at them.
    """

    references: Mapping[str, str] = field(default_factory=dict)
    further: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TruthDocument:
    """One page of the ground truth.

    Attributes:
        category: matters for the held-out split alone.
        grade: where its references come from, such as ``certified-translator``; no score depends
            on it.
    """

    id: str
    regions: tuple[TruthRegion, ...]
    page_size: tuple[float, float] | None = None
    category: str = ""
    grade: str = ""

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for region in self.regions:
            if not (region.box.width > 0 and region.box.height > 0):
                raise InputError(
                    "scorecards.box-without-size",
                    f"the box of region “{region.id}” has no area "
                    f"({region.box.width:g} × {region.box.height:g})",
                    where=self.id,
                    remedy="Give the region the box of its text, or remove it",
                )
            if region.id in seen:
                raise InputError(
                    "scorecards.region-twice",
                    f"two regions are named “{region.id}”",
                    where=self.id,
                    remedy="Region ids must be unique within a document",
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
    """What a system gave for one document; ``output_file``: its rendered page, if it names one."""

    id: str
    regions: tuple[Region, ...]
    output_file: str = ""

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
            self.profile.blanks_count,
            self.profile.unsupported_pass,
            self.profile.every_profile,
            self.min_letters_latin,
        )


DEFAULTS = Options()
"""The document's rules."""


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
        ungated: pairs whose target nothing can tell from other languages: all text passed.
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
    ungated: tuple[str, ...]
    options: Options

    @property
    def gate_rejected(self) -> int:
        """Regions whose text the language gate set to 0."""
        return sum(
            region.gate is not None and not region.gate.accepted
            for document in self.documents
            for region in document.regions
        )
