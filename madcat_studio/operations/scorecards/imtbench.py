"""Score samples of translated images: from values at hand, models on this disk, and a judge."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image

from madcat_studio.errors import StudioError, UsageError
from madcat_studio.operations.scorecards.asking import JudgeOptions, Prompt, ask_model, prompt_of
from madcat_studio.operations.scorecards.files import hash_of, new_name, now, values_in
from madcat_studio.operations.scorecards.imtbench_filter import read_decisions
from madcat_studio.operations.scorecards.sample_images import png_of, read_image, side_by_side
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.reports.cards import CardReport, Exhibit
from madcat_studio.reports.cards_imtbench import ImageSystem, imtbench_report
from madcat_studio.reports.table import some_of
from madcat_studio.scoring.scorecards.imtbench import SampleScore, aggregate, background_mask
from madcat_studio.scoring.scorecards.imtbench_read import SampleFiles, read_samples
from madcat_studio.scoring.scorecards.judge import Question
from madcat_studio.scoring.scorecards.lpips import Distance
from madcat_studio.scoring.scorecards.models import comet_scorer

__all__ = ["ImageOptions", "score_images"]

MOST_SAMPLES = 24
"""Samples that a report shows with their images: the worst. Three images take some 100 kB of it."""


@dataclass(frozen=True)
class ImageOptions:
    """What is to be computed where a sample has no value.

    Attributes:
        comet: a COMET checkpoint.
        backbone: AlexNet's weights, for Mask-LPIPS.
        margin: pixels by which text boxes grow before the background is compared.
        judge: how the judge is asked; None: not at all.
        decisions: the filter's, to show beside all samples those that it lets pass.
    """

    comet: Path | None = None
    backbone: Path | None = None
    margin: int = 0
    judge: JudgeOptions | None = None
    decisions: Path | None = None


def score_images(
    paths: Sequence[Path],
    *,
    options: ImageOptions | None = None,
    title: str = "",
    progress: Progress = SILENT,
) -> CardReport:
    """Score each file's samples as one system's and make the report.

    Args:
        paths: JSON lines or JSON, one file a system; names of images are relative to the file.
        options: what to compute.
        title: of the report.
        progress: may cancel.

    Raises:
        StudioError: a file cannot be read, or is not what it should be; an extra is missing.
        Cancelled: the user stopped it. What the judge answered is kept.
    """
    options = options or ImageOptions()
    if options.margin < 0:
        raise UsageError("scorecards.option", "the margin is below 0", remedy="Give 0 or more")
    settings: dict[str, object] = dict.fromkeys(("comet", "lpips", "judge"), "as-supplied")
    hashes: dict[str, str] = {}
    distance, warnings = _prepared(options, settings, hashes)
    decisions = _decisions(options.decisions, hashes)
    systems: list[ImageSystem] = []
    shown: list[_Shown] = []
    taken: set[str] = set()
    for path in paths:
        samples = read_samples(values_in(path))
        name = new_name(path.name.removesuffix(path.suffix), taken)
        taken.add(name)
        hashes[name] = hash_of([path])
        if options.comet is not None:
            samples = _with_comet(samples, options.comet, progress)
        if distance is not None:
            samples, noticed = _with_distances(
                samples, path.parent, distance, options.margin, progress
            )
            warnings += noticed
        if options.judge is not None:
            samples, noticed = _with_judge(samples, path.parent, options.judge, progress)
            warnings += noticed
        result = aggregate(one.sample for one in samples)
        passed = None
        if decisions is not None:
            passed = aggregate(one.sample for one in samples if decisions.get(one.sample.id))
            warnings += _undecided(name, samples, decisions)
        systems.append(ImageSystem(name, result, passed))
        shown += (
            _Shown(name, path.parent, one, scored)
            for one, scored in zip(samples, result.samples, strict=True)
        )
    return imtbench_report(
        title=title or some_of([one.name for one in systems]),
        made=now(),
        systems=systems,
        settings=settings,
        hashes=hashes,
        warnings=warnings,
        exhibits=_exhibits(shown),
    )


def _prepared(
    options: ImageOptions, settings: dict[str, object], hashes: dict[str, str]
) -> tuple[Distance | None, list[str]]:
    """LPIPS, if it is wanted, and what has to be told; notes in ``settings`` what is computed."""
    distance = None
    warnings: list[str] = []
    if options.backbone is not None:
        distance = Distance(options.backbone)
        settings["lpips"] = f"alex,{distance.backbone},sha256:{distance.sha256[:16]}"
        settings["margin"] = options.margin
        hashes[f"LPIPS backbone {distance.backbone}"] = distance.sha256
        warnings.append(
            f"Mask-LPIPS was computed with the backbone file {distance.backbone} (SHA-256 "
            f"{distance.sha256[:16]}…); from other weights than AlexNet's own it is not LPIPS."
        )
    if options.comet is not None:
        settings["comet"] = options.comet.name
        hashes["COMET checkpoint"] = hash_of([options.comet])
    if options.judge is not None:
        settings["judge"] = options.judge.endpoint.model
        settings["judge-images"] = "output+reference" if options.judge.reference_too else "output"
    return distance, warnings


def _decisions(path: Path | None, hashes: dict[str, str]) -> dict[str, bool | None] | None:
    if path is None:
        return None
    hashes["decisions of the filter"] = hash_of([path])
    return read_decisions(path)


def _undecided(
    name: str, samples: Sequence[SampleFiles], decisions: Mapping[str, bool | None]
) -> list[str]:
    left = sum(decisions.get(one.sample.id) is None for one in samples)
    if not left:
        return []
    return [f"{name}: the filter decided nothing on {left} samples; they are not among the passed."]


@dataclass(frozen=True, slots=True)
class _Shown:
    """A sample that may be shown with its images."""

    system: str
    folder: Path
    files: SampleFiles
    scored: SampleScore


def _exhibits(samples: Sequence[_Shown]) -> tuple[Exhibit, ...]:
    """The worst samples with their images side by side, as far as those can be read."""
    ordered = sorted(
        (one for one in samples if one.files.output_image),
        key=lambda one: (one.scored.s is None, one.scored.s or 0.0),
    )
    found: list[Exhibit] = []
    for one in ordered:
        images, names = _images(one)
        if not images:
            continue
        s = one.scored.s
        told = (f"{name} {100 * value:.0f}" for name, value in _parts(one.scored))
        found.append(
            Exhibit(
                f"sample-{len(found) + 1}",
                one.files.sample.id,
                f"{one.system} · {', '.join(names)} · "
                + (" · ".join(told) if s is None else f"S {100 * s:.1f} %: {', '.join(told)}"),
                tuple(
                    (name, text)
                    for name, text in (
                        ("Source", one.files.source_text),
                        ("Reference", one.files.reference_text),
                        ("Output", one.files.output_text),
                        ("Judge", one.scored.reasoning),
                    )
                    if text
                ),
                side_by_side(images),
                alt=f"{one.files.sample.id}: {', '.join(names)}",
                place={"system": one.system, "sample": one.files.sample.id},
            )
        )
        if len(found) == MOST_SAMPLES:
            break
    return tuple(found)


def _parts(scored: SampleScore) -> list[tuple[str, float]]:
    names = ("text", "background", "alignment", "visual")
    return [
        (name, value) for name, value in zip(names, scored.parts, strict=True) if value is not None
    ]


def _images(one: _Shown) -> tuple[list[Image.Image], list[str]]:
    """Source, reference and output, those that are there, and what they are."""
    images: list[Image.Image] = []
    names: list[str] = []
    for name, file in (
        ("source", one.files.source_image),
        ("reference", one.files.reference_image),
        ("output", one.files.output_image),
    ):
        if not file:
            continue
        try:
            images.append(read_image(one.folder / file))
        except StudioError:
            continue  # a warning of the part that needed it tells of it
        names.append(name)
    return (images, names) if "output" in names else ([], [])


def _with_comet(
    samples: Sequence[SampleFiles], checkpoint: Path, progress: Progress
) -> list[SampleFiles]:
    wanted = [
        position
        for position, one in enumerate(samples)
        if one.sample.comet is None and one.source_text and one.reference_text
    ]
    result = list(samples)
    if not wanted:
        return result
    progress.advance(0, None, "running COMET")
    found = comet_scorer(checkpoint)(
        [samples[position].source_text for position in wanted],
        [samples[position].reference_text for position in wanted],
        [samples[position].output_text for position in wanted],
    )
    for position, value in zip(wanted, found, strict=True):
        result[position] = replace(
            samples[position], sample=replace(samples[position].sample, comet=value)
        )
    return result


def _with_distances(
    samples: Sequence[SampleFiles],
    folder: Path,
    distance: Distance,
    margin: int,
    progress: Progress,
) -> tuple[list[SampleFiles], list[str]]:
    result: list[SampleFiles] = []
    resized = covered = 0
    failed: list[str] = []
    for done, one in enumerate(samples):
        if progress.cancelled():
            raise Cancelled
        progress.advance(done, len(samples), "comparing backgrounds")
        result.append(one)
        if one.sample.mask_lpips is not None or not one.reference_image or not one.output_image:
            continue
        try:
            reference = read_image(folder / one.reference_image)
            output = read_image(folder / one.output_image)
            if output.size != reference.size:
                output = output.resize(reference.size, Image.Resampling.BICUBIC)
                resized += 1
            first, second = np.asarray(reference), np.asarray(output)
            mask = background_mask(first.shape[0], first.shape[1], one.boxes, margin)
            if not mask.any():
                covered += 1
                continue
            value = float(distance.map(first, second)[mask].mean())
        except StudioError as error:
            failed.append(f"{one.sample.id}: {error}")
            continue
        assert np.isfinite(value)
        result[-1] = replace(one, sample=replace(one.sample, mask_lpips=value))
    warnings = []
    if resized:
        warnings.append(
            f"{resized} output images had another size and were brought to the reference's."
        )
    if covered:
        warnings.append(
            f"On {covered} samples text covers the whole image: there is no background."
        )
    if failed:
        warnings.append(
            f"The background of {len(failed)} samples could not be compared, such as {failed[0]}"
        )
    return result, warnings


def _with_judge(
    samples: Sequence[SampleFiles], folder: Path, options: JudgeOptions, progress: Progress
) -> tuple[list[SampleFiles], list[str]]:
    prompt = prompt_of(Prompt.JUDGE)
    questions: list[Question] = []
    unreadable: dict[str, str] = {}
    for one in samples:
        own = one.sample
        known = own.judge_raw is not None or (
            own.naturalness is not None and own.alignment is not None
        )
        if known or not one.output_image:
            continue
        try:
            images = [png_of(folder / one.output_image)]
            if options.reference_too and one.reference_image:
                images.append(png_of(folder / one.reference_image))
        except StudioError as error:
            unreadable[own.id] = str(error)
            continue
        closing = f"Model Translation Result:\n{json.dumps(one.output_text, ensure_ascii=False)}"
        questions.append(Question(own.id, prompt, tuple(images), closing))
    answers, warnings = ask_model(questions, options, progress)
    result: list[SampleFiles] = []
    for one in samples:
        answer = answers.get(one.sample.id)
        if one.sample.id in unreadable:
            one = replace(one, sample=replace(one.sample, judge_error="image_unreadable"))
        elif answer is not None and answer.error is None:
            one = replace(one, sample=replace(one.sample, judge_raw=answer.content))
        elif answer is not None:
            one = replace(one, sample=replace(one.sample, judge_error=answer.error))
        result.append(one)
    if unreadable:
        warnings.append(
            f"{len(unreadable)} images could not be read for the judge, such as "
            f"{next(iter(unreadable.values()))}"
        )
    return result, warnings
