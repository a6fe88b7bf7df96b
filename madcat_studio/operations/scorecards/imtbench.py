"""Score samples of translated images: from values at hand, models on this disk, and a judge."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from madcat_studio.errors import InputError, StudioError, UsageError, WorldError
from madcat_studio.formats.files import read_file, write_atomically
from madcat_studio.operations.scorecards.files import hash_of, new_name, now, values_in
from madcat_studio.operations.scorecards.judging import open_log
from madcat_studio.paths import resources
from madcat_studio.progress import SILENT, Cancelled, Progress
from madcat_studio.reports.cards import CardReport
from madcat_studio.reports.cards_imtbench import ImageSystem, imtbench_report
from madcat_studio.scoring.scorecards.filter_reply import FilterReply, read_filter_reply
from madcat_studio.scoring.scorecards.imtbench import aggregate, background_mask
from madcat_studio.scoring.scorecards.imtbench_read import SampleFiles, read_samples
from madcat_studio.scoring.scorecards.judge import Answer, Endpoint, Judge, Limits, Question
from madcat_studio.scoring.scorecards.lpips import Distance
from madcat_studio.scoring.scorecards.models import comet_scorer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

__all__ = [
    "KEY_VARIABLE",
    "FilterResult",
    "ImageOptions",
    "JudgeOptions",
    "filter_samples",
    "judge_key",
    "score_images",
    "write_decisions",
]

_PNG = b"\x89PNG\r\n\x1a\n"
_UNLIMITED = Limits()


@dataclass(frozen=True)
class JudgeOptions:
    """How the judge is asked.

    Attributes:
        endpoint: where it is; holds the key.
        log: the file that keeps every reply; a run that was stopped goes on from it.
        limits: what may be used.
        ask_doubtful: ask again where an earlier run was killed while waiting.
        reference_too: also show the judge the reference image.
    """

    endpoint: Endpoint
    log: Path
    limits: Limits = _UNLIMITED
    ask_doubtful: bool = False
    reference_too: bool = False


@dataclass(frozen=True)
class ImageOptions:
    """What is to be computed where a sample has no value.

    Attributes:
        comet: a COMET checkpoint.
        backbone: AlexNet's weights, for Mask-LPIPS.
        margin: pixels by which text boxes grow before the background is compared.
        judge: how the judge is asked; None: not at all.
    """

    comet: Path | None = None
    backbone: Path | None = None
    margin: int = 0
    judge: JudgeOptions | None = None


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
    settings: dict[str, object] = {"comet": "as-supplied", "lpips": "as-supplied"}
    settings["judge"] = "as-supplied"
    hashes: dict[str, str] = {}
    warnings: list[str] = []
    distance = None
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
    systems: list[ImageSystem] = []
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
        systems.append(ImageSystem(name, aggregate(one.sample for one in samples)))
    return imtbench_report(
        title=title or ", ".join(one.name for one in systems),
        made=now(),
        systems=systems,
        settings=settings,
        hashes=hashes,
        warnings=warnings,
    )


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
    import numpy as np

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
            reference = _opened(folder / one.reference_image)
            output = _opened(folder / one.output_image)
            if output.size != reference.size:
                from PIL.Image import Resampling

                output = output.resize(reference.size, Resampling.BICUBIC)
                resized += 1
            first, second = _pixels(reference), _pixels(output)
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


def _opened(path: Path) -> Image:
    import PIL.Image

    data = read_file(path)
    try:
        with PIL.Image.open(io.BytesIO(data)) as image:
            return image.convert("RGB")
    except (OSError, SyntaxError, ValueError, PIL.Image.DecompressionBombError) as error:
        raise InputError(
            "scorecards.not-an-image",
            f"the image cannot be read ({type(error).__name__})",
            where=path,
            remedy="Give an image such as PNG, JPEG or TIFF",
        ) from error


def _pixels(image: Image) -> NDArray[np.uint8]:
    import numpy as np

    return np.asarray(image, dtype=np.uint8)


def _png(path: Path) -> bytes:
    """The image as PNG: as it is, or written anew."""
    data = read_file(path)
    if data.startswith(_PNG):
        return data
    image = _opened(path)
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def _prompt(name: str) -> str:
    return read_file(resources() / "prompts" / name).decode("utf-8")


def _ask(
    questions: Sequence[Question], options: JudgeOptions, progress: Progress
) -> tuple[dict[str, Answer], list[str]]:
    """The judge's answers by sample, and what has to be told."""
    with open_log(options.log) as log:
        judge = Judge(options.endpoint, log, options.limits, ask_doubtful=options.ask_doubtful)
        answers = {answer.sample: answer for answer in judge.ask_all(questions, progress=progress)}
    warnings = []
    errors = [answer.error for answer in answers.values()]
    if doubtful := errors.count("in_doubt"):
        warnings.append(
            f"{doubtful} samples were being judged when an earlier run was killed: whether that "
            "was paid is not known, and they are not asked again unless you say so "
            "(--ask-doubtful)."
        )
    if left := errors.count("cost_limit"):
        warnings.append(
            f"The cost limit was reached: {left} samples were not judged. Run again with a "
            "higher one; what is there is not asked again."
        )
    if "stopped" in errors:
        raise Cancelled
    if options.limits.prompt_price or options.limits.completion_price:
        warnings.append(
            f"The judge has cost ${judge.spent:.4f} by this log, in {judge.requests} requests of "
            "this run."
        )
    return answers, warnings


def _with_judge(
    samples: Sequence[SampleFiles], folder: Path, options: JudgeOptions, progress: Progress
) -> tuple[list[SampleFiles], list[str]]:
    prompt = _prompt("imtbench_judge.txt")
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
            images = [_png(folder / one.output_image)]
            if options.reference_too and one.reference_image:
                images.append(_png(folder / one.reference_image))
        except StudioError as error:
            unreadable[own.id] = str(error)
            continue
        closing = f"Model Translation Result:\n{json.dumps(one.output_text, ensure_ascii=False)}"
        questions.append(Question(own.id, prompt, tuple(images), closing))
    answers, warnings = _ask(questions, options, progress)
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


@dataclass(frozen=True, slots=True)
class FilterResult:
    """The filter's decision on one sample; ``error`` tells why there is none."""

    sample: str
    reply: FilterReply | None
    error: str | None

    def as_json(self) -> dict[str, Any]:
        """One line of the filter's result."""
        reply = self.reply
        return {
            "sample_id": self.sample,
            "valid": None if reply is None else reply.valid,
            "reason": "" if reply is None else reply.reason,
            "failed": [] if reply is None else list(reply.failed),
            "details": {} if reply is None else {k: list(v) for k, v in reply.details.items()},
            "warnings": [] if reply is None else list(reply.warnings),
            "error": self.error,
        }


KEY_VARIABLE = "MADCAT_STUDIO_JUDGE_KEY"
"""Where the judge's key is looked for: never on the command line, which others can read."""


def judge_key(file: Path | None) -> str | None:
    """The judge's key from ``file``, else from the environment; None without either.

    Raises:
        StudioError: the file cannot be read, or holds no key.
    """
    if file is None:
        return os.environ.get(KEY_VARIABLE, "").strip() or None
    try:
        key = read_file(file).decode("ascii").strip()
    except UnicodeDecodeError:
        key = ""
    if not key or any(letter.isspace() for letter in key):
        raise InputError(
            "scorecards.key-file",
            "the file holds no key",
            where=file,
            remedy="It should hold the key and nothing else",
        )
    return key


def write_decisions(decisions: Sequence[FilterResult], path: Path) -> None:
    """Write the filter's decisions, one JSON value a line.

    Raises:
        WorldError: ``file.cannot-write``.
    """
    lines = (json.dumps(one.as_json(), ensure_ascii=False) + "\n" for one in decisions)
    write_atomically(path, "".join(lines).encode("utf-8", errors="backslashreplace"))


def filter_samples(
    path: Path, options: JudgeOptions, *, progress: Progress = SILENT
) -> tuple[list[FilterResult], list[str]]:
    """Ask the judge which samples may serve as evaluation data (the benchmark's appendix A).

    Args:
        path: samples with ``source_image``, ``reference_image`` and their texts.
        options: how the judge is asked.
        progress: may cancel.

    Raises:
        StudioError: the file cannot be read, or is not what it should be.
        Cancelled: the user stopped it. What was answered is kept.
    """
    prompt = _prompt("imtbench_filter.txt")
    samples = read_samples(values_in(path))
    questions: list[Question] = []
    failures: dict[str, str] = {}
    for one in samples:
        if not one.source_image or not one.reference_image:
            failures[one.sample.id] = "image_missing"
            continue
        try:
            images = (
                _png(path.parent / one.source_image),
                _png(path.parent / one.reference_image),
            )
        except (InputError, WorldError):
            failures[one.sample.id] = "image_unreadable"
            continue
        questions.append(Question(one.sample.id, prompt, images, _payload(one)))
    answers, warnings = _ask(questions, options, progress)
    return list(_decisions(samples, answers, failures)), warnings


def _payload(one: SampleFiles) -> str:
    return json.dumps(
        {
            "source_texts": list(one.source_texts),
            "target_texts": list(one.target_texts),
            "source_lang": one.sample.source_language,
            "target_lang": one.sample.target_language,
        },
        ensure_ascii=False,
    )


def _decisions(
    samples: Sequence[SampleFiles], answers: Mapping[str, Answer], failures: Mapping[str, str]
) -> Iterator[FilterResult]:
    for one in samples:
        name = one.sample.id
        answer = answers.get(name)
        if answer is None:
            yield FilterResult(name, None, failures[name])
        elif answer.error is not None or answer.content is None:
            yield FilterResult(name, None, answer.error)
        else:
            reply = read_filter_reply(answer.content)
            yield FilterResult(name, reply, reply.error)
