"""The scorecard of translation inside images: IMTBench's four scores and their means.

S_text from COMET, S_bg from Mask-LPIPS, S_align and S_vis from a judge model. What is absent is
None and counted, never 0. docs/scorecards.md has the formulas and every choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from madcat_studio.scoring.scorecards.intervals import Interval, mean_interval
from madcat_studio.scoring.scorecards.judge_reply import read_reply

__all__ = [
    "PARTS",
    "SCENARIOS",
    "Result",
    "Sample",
    "SampleScore",
    "Summary",
    "aggregate",
    "background_mask",
    "background_score",
    "masked_distance",
    "score_sample",
]

SCENARIOS = ("document", "web", "scene", "ppt")
"""The benchmark's scenarios; a file that names another is refused."""

PARTS = ("s_text", "s_bg", "s_align", "s_vis")
"""Text, background, alignment of image and text, visual quality; each 0..1."""

SEED = 42


@dataclass(frozen=True, slots=True)
class Sample:
    """One translated image as it came: what is not there is None.

    Attributes:
        comet: as COMET gave it.
        mask_lpips: the mean LPIPS distance over the background.
        judge_raw: the content of the judge's reply.
        judge_error: why there is no reply, such as ``http_500``.
        naturalness, alignment: 0..10, where they are at hand already; a raw reply goes first.
    """

    id: str
    scenario: str
    source_language: str
    target_language: str
    comet: float | None = None
    mask_lpips: float | None = None
    judge_raw: str | None = None
    judge_error: str | None = None
    naturalness: float | None = None
    alignment: float | None = None


@dataclass(frozen=True, slots=True)
class SampleScore:
    """The scores of one sample, 0..1; ``s`` is their mean, None if any is None."""

    sample: Sample
    s_text: float | None
    s_bg: float | None
    s_align: float | None
    s_vis: float | None
    judge_error: str | None
    warnings: tuple[str, ...]
    reasoning: str = ""

    @property
    def s(self) -> float | None:
        """The mean of all four."""
        parts = self.parts
        known = [part for part in parts if part is not None]
        return sum(known) / len(parts) if len(known) == len(parts) else None

    @property
    def parts(self) -> tuple[float | None, ...]:
        """In the order of :data:`PARTS`."""
        return (self.s_text, self.s_bg, self.s_align, self.s_vis)


@dataclass(frozen=True, slots=True)
class Summary:
    """Means over a group of samples.

    Attributes:
        means: part -> mean over the samples that have it; None over none.
        counts: part -> how many have it.
        s: the mean of the four means; None if any is None.
        samples: how many there are.
        complete: how many have all four parts.
    """

    means: Mapping[str, float | None]
    counts: Mapping[str, int]
    s: float | None
    samples: int
    complete: int


@dataclass(frozen=True, slots=True)
class Result:
    """Everything that is told of a system.

    Attributes:
        overall: the unweighted mean of the ``s`` of the scenarios that have one.
        unscored_scenarios: those that have none, and so are not in ``overall``.
        all: the summary of all samples together; its ``s`` weighs every sample the same.
        complete: the mean of ``s`` over the complete samples, with its interval.
        judge_errors: kind -> how often.
    """

    samples: tuple[SampleScore, ...]
    by_scenario: Mapping[str, Summary]
    by_target: Mapping[str, Summary]
    by_source: Mapping[str, Summary]
    overall: float | None
    unscored_scenarios: tuple[str, ...]
    all: Summary
    complete: Interval
    judge_errors: Mapping[str, int]

    @property
    def absent(self) -> tuple[str, ...]:
        """Parts that no sample has."""
        return tuple(
            part
            for position, part in enumerate(PARTS)
            if all(sample.parts[position] is None for sample in self.samples)
        )


def _unit(value: float) -> float:
    return min(1.0, max(0.0, value))


def score_sample(sample: Sample) -> SampleScore:
    """The four scores of one sample."""
    align = vis = None
    error = sample.judge_error
    warnings: tuple[str, ...] = ()
    reasoning = ""
    if sample.judge_raw is not None:
        reply = read_reply(sample.judge_raw)
        error, warnings, reasoning = reply.error, reply.warnings, reply.reasoning
        if reply.alignment is not None and reply.harmonisation is not None:
            align, vis = reply.alignment / 10, reply.harmonisation / 10
    elif error is None:
        align = _of_ten(sample.alignment)
        vis = _of_ten(sample.naturalness)
    return SampleScore(
        sample,
        None if sample.comet is None else _unit(sample.comet),
        None if sample.mask_lpips is None else _unit(1 - sample.mask_lpips),
        align,
        vis,
        error,
        warnings,
        reasoning,
    )


def _of_ten(value: float | None) -> float | None:
    return value / 10 if value is not None and 0 <= value <= 10 else None


def aggregate(samples: Iterable[Sample], seed: int = SEED) -> Result:
    """Score all samples and average them by scenario and by language."""
    scored = tuple(map(score_sample, samples))

    def grouped(names: Sequence[str]) -> dict[str, Summary]:
        groups: dict[str, list[SampleScore]] = {}
        for name, sample in zip(names, scored, strict=True):
            groups.setdefault(name, []).append(sample)
        return {name: _summary(groups[name]) for name in sorted(groups)}

    by_scenario = grouped([one.sample.scenario for one in scored])
    known = [summary.s for summary in by_scenario.values() if summary.s is not None]
    complete = [value for one in scored if (value := one.s) is not None]
    return Result(
        samples=scored,
        by_scenario=by_scenario,
        by_target=grouped([one.sample.target_language for one in scored]),
        by_source=grouped([one.sample.source_language for one in scored]),
        overall=sum(known) / len(known) if known else None,
        unscored_scenarios=tuple(
            name for name, summary in by_scenario.items() if summary.s is None
        ),
        all=_summary(scored),
        complete=mean_interval(complete, seed),
        judge_errors=dict(
            Counter(one.judge_error for one in scored if one.judge_error is not None)
        ),
    )


def _summary(samples: Sequence[SampleScore]) -> Summary:
    means: dict[str, float | None] = {}
    counts: dict[str, int] = {}
    for position, part in enumerate(PARTS):
        values = [value for one in samples if (value := one.parts[position]) is not None]
        counts[part] = len(values)
        means[part] = sum(values) / len(values) if values else None
    known = [mean for mean in means.values() if mean is not None]
    return Summary(
        means,
        counts,
        sum(known) / len(PARTS) if len(known) == len(PARTS) else None,
        len(samples),
        sum(one.s is not None for one in samples),
    )


def background_mask(
    height: int,
    width: int,
    boxes: Iterable[tuple[float, float, float, float]],
    margin: int = 0,
) -> NDArray[np.bool_]:
    """True outside the union of text boxes (x, y, width, height), each grown by ``margin`` pixels.

    A box counts with every pixel that it touches; parts beyond the image are cut off.
    """
    mask = np.ones((height, width), dtype=np.bool_)
    for x, y, box_width, box_height in boxes:
        left = max(0, int(np.floor(x)) - margin)
        top = max(0, int(np.floor(y)) - margin)
        right = max(0, int(np.ceil(x + box_width)) + margin)
        bottom = max(0, int(np.ceil(y + box_height)) + margin)
        mask[top:bottom, left:right] = False
    return mask


def background_score(distances: ArrayLike, mask: ArrayLike) -> float | None:
    """S_bg = 1 - sum(M D) / sum(M), cut to 0..1; None where there is no background.

    Args:
        distances: the LPIPS map, summed over layers, one value a pixel.
        mask: 1 on background pixels.
    """
    weights = np.asarray(mask, dtype=np.float64)
    total = float(weights.sum())
    if not total:
        return None
    return _unit(1 - float((weights * np.asarray(distances, dtype=np.float64)).sum()) / total)


def masked_distance(
    layers: Iterable[tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike]],
) -> float | None:
    """The benchmark's equation 3 without upsampling: the sum over layers of the masked mean of
    the weighted squared difference of channel-normalised features.

    Args:
        layers: (features of the reference, of the output: channels × height × width; weights:
            channels; mask: height × width).

    Returns:
        The distance; None where some layer has no background.
    """
    total = 0.0
    for reference, output, weights, mask in layers:
        kept = np.asarray(mask, dtype=np.float64)
        if not kept.sum():
            return None
        difference = (_normalised(reference) - _normalised(output)) ** 2
        weighted = (np.asarray(weights, dtype=np.float64)[:, None, None] * difference).sum(axis=0)
        total += float((kept * weighted).sum() / kept.sum())
    return total


def _normalised(features: ArrayLike) -> NDArray[np.float64]:
    values = np.asarray(features, dtype=np.float64)
    length: NDArray[np.float64] = np.sqrt((values**2).sum(axis=0, keepdims=True))
    result: NDArray[np.float64] = values / (length + 1e-10)
    return result
