"""The benchmark's filter (prompt A): which samples may serve as evaluation data."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from madcat_studio.errors import InputError, WorldError
from madcat_studio.formats.files import write_atomically
from madcat_studio.operations.scorecards.asking import JudgeOptions, Prompt, ask_model, prompt_of
from madcat_studio.operations.scorecards.files import values_in
from madcat_studio.operations.scorecards.sample_images import png_of
from madcat_studio.progress import SILENT, Progress
from madcat_studio.scoring.scorecards import fields
from madcat_studio.scoring.scorecards.filter_reply import FilterReply, read_filter_reply
from madcat_studio.scoring.scorecards.imtbench_read import SampleFiles, read_samples
from madcat_studio.scoring.scorecards.judge import Answer, Question

__all__ = ["FilterResult", "filter_samples", "read_decisions", "write_decisions"]


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


def write_decisions(decisions: Sequence[FilterResult], path: Path) -> None:
    """Write the filter's decisions, one JSON value a line.

    Raises:
        WorldError: ``file.cannot-write``.
    """
    lines = (json.dumps(one.as_json(), ensure_ascii=False) + "\n" for one in decisions)
    write_atomically(path, "".join(lines).encode("utf-8", errors="backslashreplace"))


def read_decisions(path: Path) -> dict[str, bool | None]:
    """What :func:`write_decisions` wrote: sample -> whether it is valid; None without a decision.

    Raises:
        StudioError: the file cannot be read, or is not what it should be.
        InputError: ``scorecards.field``, ``scorecards.sample-twice``.
    """
    found: dict[str, bool | None] = {}
    for where, value in values_in(path):
        row = fields.mapping(value, where)
        name = fields.text(row, "sample_id", where)
        valid = row.get("valid")
        if valid is not None and not isinstance(valid, bool):
            raise InputError(
                "scorecards.field",
                f"“valid” of {name} is neither true, false nor null",
                where=where,
                remedy="Give the file that `scorecard imtbench-filter` wrote",
            )
        if name in found:
            raise InputError("scorecards.sample-twice", f"a second sample “{name}”", where=where)
        found[name] = valid
    return found


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
    prompt = prompt_of(Prompt.FILTER)
    samples = read_samples(values_in(path))
    questions: list[Question] = []
    failures: dict[str, str] = {}
    for one in samples:
        if not one.source_image or not one.reference_image:
            failures[one.sample.id] = "image_missing"
            continue
        try:
            images = (
                png_of(path.parent / one.source_image),
                png_of(path.parent / one.reference_image),
            )
        except (InputError, WorldError):
            failures[one.sample.id] = "image_unreadable"
            continue
        questions.append(Question(one.sample.id, prompt, images, _payload(one)))
    answers, warnings = ask_model(questions, options, progress)
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
