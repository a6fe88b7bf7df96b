"""Ask a model at an endpoint about samples: the prompts, the key, and what a run has to tell."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from madcat_studio.errors import InputError
from madcat_studio.formats.files import read_file
from madcat_studio.operations.scorecards.judging import open_log
from madcat_studio.paths import resources
from madcat_studio.progress import Cancelled, Progress
from madcat_studio.scoring.scorecards.judge import Answer, Endpoint, Judge, Limits, Question

__all__ = ["KEY_VARIABLE", "JudgeOptions", "Prompt", "ask_model", "judge_key", "prompt_of"]

_UNLIMITED = Limits()


class Prompt(StrEnum):
    """IMTBench's prompts, by the letters of its appendix A."""

    FILTER = "A"
    """May a pair of images serve as evaluation data?"""
    INFERENCE = "B"
    """Translate what is in an image."""
    JUDGE = "C"
    """How natural is an image, and does it say what the system says?"""


_FILES = {
    Prompt.FILTER: "imtbench_filter.txt",
    Prompt.INFERENCE: "imtbench_inference.txt",
    Prompt.JUDGE: "imtbench_judge.txt",
}


def prompt_of(prompt: Prompt) -> str:
    """The benchmark's words, as they are sent."""
    return read_file(resources() / "prompts" / _FILES[prompt]).decode("utf-8")


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
            "the file has no key",
            where=file,
            remedy="It should contain the key and nothing else",
        )
    return key


def ask_model(
    questions: Sequence[Question], options: JudgeOptions, progress: Progress
) -> tuple[dict[str, Answer], list[str]]:
    """The model's answers by sample, and what has to be told.

    Raises:
        FormatError, WorldError: the log is no log, or cannot be written.
        Cancelled: the user stopped it. What was answered is kept.
    """
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
