"""The benchmark's inference prompt (B): let a model translate the images of samples."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from madcat_studio.errors import StudioError
from madcat_studio.formats.files import write_atomically
from madcat_studio.operations.scorecards.asking import JudgeOptions, Prompt, ask_model, prompt_of
from madcat_studio.operations.scorecards.files import values_in
from madcat_studio.operations.scorecards.sample_images import png_of
from madcat_studio.progress import SILENT, Progress
from madcat_studio.reports.files import prepare_folder
from madcat_studio.scoring.scorecards.image_reply import read_image_reply
from madcat_studio.scoring.scorecards.imtbench_read import SampleFiles, read_samples
from madcat_studio.scoring.scorecards.judge import Answer, Question

__all__ = ["TranslateResult", "counted", "translate_samples"]

_OF_ANOTHER_OUTPUT = frozenset(
    {
        *("output_text", "output_image", "output_boxes", "output_error"),
        *("comet", "mask_lpips", "judge_raw", "judge_error", "naturalness", "alignment"),
    }
)
"""Fields of a sample that are of the output which it had before."""


@dataclass(frozen=True, slots=True)
class TranslateResult:
    """How one sample ended.

    Attributes:
        sample: its name.
        image: the file with the translated image; None with an error.
        warnings: what the reply has that the prompt forbids.
        error: why there is no image, such as ``http_500`` or ``not_base64``.
    """

    sample: str
    image: Path | None
    warnings: tuple[str, ...]
    error: str | None


def translate_samples(
    path: Path, options: JudgeOptions, out: Path, *, progress: Progress = SILENT
) -> tuple[list[TranslateResult], list[str]]:
    """Ask a model for the translated image of each sample, and write samples that have it.

    Args:
        path: samples with ``source_image``.
        options: how the model is asked.
        out: the file of samples that is made; images come into a folder beside it.
        progress: may cancel.

    Raises:
        StudioError: a file cannot be read or written, or is not what it should be.
        Cancelled: the user stopped it. What was answered is kept in the log.
    """
    values = list(values_in(path))
    samples = read_samples(values)
    prompt = prompt_of(Prompt.INFERENCE)
    questions: list[Question] = []
    failures: dict[str, str] = {}
    for one in samples:
        if not one.source_image:
            failures[one.sample.id] = "image_missing"
            continue
        try:
            picture = png_of(path.parent / one.source_image)
        except StudioError:
            failures[one.sample.id] = "image_unreadable"
            continue
        questions.append(Question(one.sample.id, prompt, (picture,), _languages(one)))
    answers, warnings = ask_model(questions, options, progress)
    folder = out.with_name(f"{out.name.removesuffix(out.suffix)}.images")
    prepare_folder(folder)
    results = [
        _kept(one, answers.get(one.sample.id), failures, folder / f"{number:05}.png")
        for number, one in enumerate(samples, 1)
    ]
    rows = [value for _, value in values if isinstance(value, dict)]
    lines = (
        json.dumps(_row(row, result, path.parent, out.parent), ensure_ascii=False) + "\n"
        for row, result in zip(rows, results, strict=True)
    )
    write_atomically(out, "".join(lines).encode("utf-8", errors="backslashreplace"))
    return results, warnings


def _languages(one: SampleFiles) -> str:
    """The prompt speaks of the languages and does not name them."""
    return (
        f"Source language: {one.sample.source_language}\n"
        f"Target language: {one.sample.target_language}"
    )


def _kept(
    one: SampleFiles, answer: Answer | None, failures: Mapping[str, str], file: Path
) -> TranslateResult:
    name = one.sample.id
    if answer is None:
        return TranslateResult(name, None, (), failures[name])
    if answer.error is not None or answer.content is None:
        return TranslateResult(name, None, (), answer.error)
    reply = read_image_reply(answer.content)
    if reply.image is None:
        return TranslateResult(name, None, reply.warnings, reply.error)
    try:
        with Image.open(io.BytesIO(reply.image)) as image:
            stream = io.BytesIO()
            image.convert("RGB").save(stream, "PNG")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return TranslateResult(name, None, reply.warnings, "not_an_image")
    write_atomically(file, stream.getvalue())
    return TranslateResult(name, file, reply.warnings, None)


def _row(
    row: Mapping[str, Any], result: TranslateResult, before: Path, after: Path
) -> dict[str, Any]:
    """A sample as it goes on: its files named from where the new file of samples is."""
    made = {name: value for name, value in row.items() if name not in _OF_ANOTHER_OUTPUT}
    for name in ("source_image", "reference_image"):
        if isinstance(made.get(name), str) and made[name]:
            made[name] = _named(before / made[name], after)
    if result.image is not None:
        made["output_image"] = _named(result.image, after)
    else:
        made["output_error"] = result.error
    return made


def _named(file: Path, folder: Path) -> str:
    return Path(os.path.relpath(file.resolve(), folder.resolve())).as_posix()


def counted(results: Sequence[TranslateResult]) -> dict[str, int]:
    """How many have an image, and how many each kind of error."""
    counts = {"translated": 0}
    for one in results:
        key = "translated" if one.error is None else f"no image, {one.error}"
        counts[key] = counts.get(key, 0) + 1
    return counts
