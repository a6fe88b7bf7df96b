"""``madcat-studio scorecard imtbench…``: the scorecard of translated images, and its prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.cli.forms import Form, FormOption
from madcat_studio.cli.scorecard_shown import (
    ALL_FORMATS,
    Formats,
    Out,
    Title,
    finish,
    formats_of,
)
from madcat_studio.errors import UsageError

if TYPE_CHECKING:
    from madcat_studio.operations.scorecards.asking import JudgeOptions

__all__ = ["imtbench", "imtbench_filter", "imtbench_prompt", "imtbench_translate"]

_IMAGE_BYTES = 64 << 20
"""Of a reply that holds an image."""

Judge = Annotated[
    str, typer.Option("--judge", metavar="URL", help="The judge's address, such as https://…/v1.")
]
Model = Annotated[str, typer.Option("--judge-model", help="The judge's name there.")]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        metavar="FILE",
        help="The file with the judge's key; by default the variable MADCAT_STUDIO_JUDGE_KEY.",
    ),
]
Log = Annotated[
    Path | None,
    typer.Option(
        "--judge-log",
        metavar="FILE",
        help="A log of every reply, from which a stopped run continues. By default "
        "SAMPLES.judge.jsonl beside the first samples.",
    ),
]
PerMinute = Annotated[float | None, typer.Option(help="Maximum requests per minute.")]
CostLimit = Annotated[
    float | None, typer.Option(help="Maximum cost in dollars, including what the log has.")
]
PromptPrice = Annotated[float, typer.Option(help="Dollars for 1,000 prompt tokens.")]
CompletionPrice = Annotated[float, typer.Option(help="Dollars for 1,000 completion tokens.")]
Parallel = Annotated[int, typer.Option(help="Number of requests at the same time.")]
Seconds = Annotated[float, typer.Option("--timeout", help="Seconds for one request.")]
Doubtful = Annotated[
    bool,
    typer.Option(
        "--ask-doubtful", help="Ask again about requests during which an earlier run was killed."
    ),
]


def imtbench(
    samples: Annotated[
        list[Path],
        typer.Argument(metavar="SAMPLES...", help="One file per system: JSON lines or JSON."),
    ],
    comet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A COMET checkpoint on this disk.")
    ] = None,
    backbone: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="AlexNet's weights on this disk, for Mask-LPIPS."),
    ] = None,
    margin: Annotated[
        int, typer.Option(help="Grow text boxes by this many pixels before comparing backgrounds.")
    ] = 0,
    decisions: Annotated[
        Path | None,
        typer.Option(
            "--filter",
            metavar="FILE",
            help="Decisions of `imtbench-filter`: also show the scores of the samples that passed.",
        ),
    ] = None,
    judge: Judge = "",
    judge_model: Model = "",
    key_file: KeyFile = None,
    judge_log: Log = None,
    reference_too: Annotated[
        bool, typer.Option("--reference-too", help="Also show the judge the reference image.")
    ] = False,
    per_minute: PerMinute = None,
    cost_limit: CostLimit = None,
    prompt_price: PromptPrice = 0.0,
    completion_price: CompletionPrice = 0.0,
    parallel: Parallel = 1,
    timeout: Seconds = 120.0,
    ask_doubtful: Doubtful = False,
    title: Title = "",
    out: Out = None,
    formats: Formats = ALL_FORMATS,
    form: FormOption = Form.TEXT,
) -> None:
    """Score translated images: text, background, alignment, visual quality."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.scorecards.imtbench import ImageOptions, score_images

    wanted = formats_of(formats)
    asked = None
    if judge:
        asked = _judge(
            samples[0], judge, judge_model, key_file, judge_log, timeout, ask_doubtful,
            reference_too, per_minute, cost_limit, prompt_price, completion_price, parallel,
        )  # fmt: skip
    options = ImageOptions(
        comet=comet, backbone=backbone, margin=margin, judge=asked, decisions=decisions
    )
    with bar() as progress:
        report = score_images(samples, options=options, title=title, progress=progress)
    finish(
        report,
        ("systems", "filtered", "by-scenario", "by-target", "by-source", "judge-errors"),
        form,
        out,
        wanted,
    )


def imtbench_filter(
    samples: Annotated[
        Path, typer.Argument(metavar="SAMPLES", help="Samples with source and reference images.")
    ],
    result: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="FILE", help="The decisions, one JSON value per line."),
    ],
    judge: Judge,
    judge_model: Model,
    key_file: KeyFile = None,
    judge_log: Log = None,
    per_minute: PerMinute = None,
    cost_limit: CostLimit = None,
    prompt_price: PromptPrice = 0.0,
    completion_price: CompletionPrice = 0.0,
    parallel: Parallel = 1,
    timeout: Seconds = 120.0,
    ask_doubtful: Doubtful = False,
) -> None:
    """Ask a judge which samples may serve as evaluation data (prompt A)."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.scorecards.imtbench_filter import filter_samples, write_decisions

    asked = _judge(
        samples, judge, judge_model, key_file, judge_log, timeout, ask_doubtful, False,
        per_minute, cost_limit, prompt_price, completion_price, parallel,
    )  # fmt: skip
    with bar() as progress:
        decisions, warnings = filter_samples(samples, asked, progress=progress)
    write_decisions(decisions, result)
    counts = {"valid": 0, "invalid": 0}
    for one in decisions:
        if one.reply is None or one.error is not None:
            counts[f"no decision, {one.error}"] = counts.get(f"no decision, {one.error}", 0) + 1
        else:
            counts["valid" if one.reply.valid else "invalid"] += 1
    _tell(counts, warnings, result)


def imtbench_translate(
    samples: Annotated[Path, typer.Argument(metavar="SAMPLES", help="Samples with source images.")],
    result: Annotated[
        Path,
        typer.Option(
            "--out", "-o", metavar="FILE", help="The samples with the images, one per line."
        ),
    ],
    judge: Annotated[
        str,
        typer.Option("--model-url", metavar="URL", help="The model's address: https://…/v1."),
    ],
    judge_model: Annotated[str, typer.Option("--model", help="The model's name there.")],
    key_file: KeyFile = None,
    log: Annotated[
        Path | None,
        typer.Option(
            "--log",
            metavar="FILE",
            help="A log of every reply; by default FILE.replies.jsonl beside the result.",
        ),
    ] = None,
    most_tokens: Annotated[
        int, typer.Option(min=1, help="Maximum tokens of a reply, including those of the image.")
    ] = (262_144),
    per_minute: PerMinute = None,
    cost_limit: CostLimit = None,
    prompt_price: PromptPrice = 0.0,
    completion_price: CompletionPrice = 0.0,
    parallel: Parallel = 1,
    timeout: Seconds = 600.0,
    ask_doubtful: Doubtful = False,
) -> None:
    """Let a model translate the images of samples (prompt B), to be scored as its output."""
    from dataclasses import replace

    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.scorecards.imtbench_translate import counted, translate_samples

    asked = _judge(
        samples, judge, judge_model, key_file,
        log or result.with_name(f"{result.name.removesuffix(result.suffix)}.replies.jsonl"),
        timeout, ask_doubtful, False,
        per_minute, cost_limit, prompt_price, completion_price, parallel,
    )  # fmt: skip
    endpoint = replace(asked.endpoint, most_tokens=most_tokens, most_bytes=_IMAGE_BYTES)
    with bar() as progress:
        found, warnings = translate_samples(
            samples, replace(asked, endpoint=endpoint), result, progress=progress
        )
    _tell(counted(found), warnings, result)


def imtbench_prompt(
    letter: Annotated[
        str,
        typer.Argument(metavar="A|B|C", help="A: the filter. B: the translation. C: the judge."),
    ],
) -> None:
    """Print one of the benchmark's prompts as it is sent."""
    from madcat_studio.operations.scorecards.asking import Prompt, prompt_of

    if letter.upper() not in set(Prompt):
        raise UsageError(
            "scorecards.prompt",
            f"there is no prompt {letter!r}",
            remedy="Choose A (filter), B (translation) or C (judge)",
        )
    print(prompt_of(Prompt(letter.upper())))


def _tell(counts: Mapping[str, int], warnings: Sequence[str], result: Path) -> None:
    import json
    import sys

    print(json.dumps(counts, ensure_ascii=False))
    for sentence in warnings:
        print(f"warning: {sentence}", file=sys.stderr)
    print(result)


def _judge(
    samples: Path,
    base: str,
    model: str,
    key_file: Path | None,
    log: Path | None,
    timeout: float,
    ask_doubtful: bool,
    reference_too: bool,
    per_minute: float | None,
    cost_limit: float | None,
    prompt_price: float,
    completion_price: float,
    parallel: int,
) -> JudgeOptions:
    from madcat_studio.operations.scorecards.asking import JudgeOptions, judge_key
    from madcat_studio.scoring.scorecards.judge import Endpoint, Limits

    if not model:
        raise UsageError(
            "scorecards.judge",
            "a judge needs its model's name",
            remedy="Give --judge-model",
        )
    return JudgeOptions(
        Endpoint(base, model, judge_key(key_file), timeout),
        # Replies are paid for: they are kept in any case.
        log or samples.with_name(f"{samples.name.removesuffix(samples.suffix)}.judge.jsonl"),
        Limits(per_minute, cost_limit, prompt_price, completion_price, parallel),
        ask_doubtful,
        reference_too,
    )
