"""``madcat-studio scorecard …``: three ways to score the translation of document images."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from madcat_studio.operations.scorecards.imtbench import JudgeOptions
    from madcat_studio.operations.scores.report import Format
    from madcat_studio.reports.cards import CardReport

__all__ = ["app"]

app = typer.Typer(
    help="Score the translation of document images: LayoutTranslateBench, Rosetta, IMTBench.",
    no_args_is_help=True,
)

Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="Write the report into this folder."),
]
Formats = Annotated[str, typer.Option("--format", metavar="LIST", help="Of html, xlsx, csv, json.")]
Title = Annotated[str, typer.Option(help="The report's title.")]

_ALL = "html,xlsx,csv,json"


@app.command("ltb")
def ltb(
    truth: Annotated[
        Path,
        typer.Argument(
            metavar="GROUND_TRUTH",
            help="Documents as JSON lines or JSON, a folder of them, or MADCAT XML.",
        ),
    ],
    submissions: Annotated[
        list[Path],
        typer.Argument(
            metavar="SUBMISSION...",
            help="For each system a folder with en-es.jsonl … and manifest.json, or MADCAT XML.",
        ),
    ],
    profile: Annotated[
        str,
        typer.Option(
            metavar="doc|sacrebleu|ltbench",
            help="The document's rules; the same with sacrebleu's chrF2; the published code's.",
        ),
    ] = "doc",
    pair: Annotated[
        str, typer.Option(help="Language pair of MADCAT XML, or of files not named by theirs.")
    ] = "",
    kind: Annotated[
        str,
        typer.Option(
            metavar="linesys|wordsys|transys",
            help="Which MADCAT documents of a system's folder to take.",
        ),
    ] = "",
    polygons: Annotated[
        bool, typer.Option("--polygons", help="Overlap of lines' polygons instead of boxes.")
    ] = False,
    exclude_parser_failures: Annotated[
        bool, typer.Option(help="Leave out documents with one blank region only.")
    ] = False,
    min_letters: Annotated[
        int,
        typer.Option(
            "--min-letters", help="Fewest letters that the language detector is asked about."
        ),
    ] = 4,
    check_scripts: Annotated[
        bool, typer.Option(help="Drop references in the wrong script first.")
    ] = True,
    split: Annotated[
        str, typer.Option(metavar="all|public|held-out", help="Which documents count.")
    ] = "all",
    secret: Annotated[
        str,
        typer.Option(
            envvar="MADCAT_STUDIO_SPLIT_SECRET",
            show_envvar=True,
            help="What the held-out fifth is drawn with; give it through the environment.",
        ),
    ] = "",
    preview: Annotated[
        bool,
        typer.Option(
            "--preview",
            help="Also v0.2 as it is announced: OCR of rendered pages, visual fidelity.",
        ),
    ] = False,
    backbone: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="AlexNet's weights on this disk, for the preview's LPIPS."
        ),
    ] = None,
    title: Title = "",
    out: Out = None,
    formats: Formats = _ALL,
) -> None:
    """Score translated pages: LTB-100 of chrF, layout and reading order."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.scorecards.ltb import Split, score_pages
    from madcat_studio.scoring.scorecards.ltb import PROFILES, Options

    wanted = _formats(formats)
    if profile not in PROFILES:
        raise UsageError(
            "scorecards.profile",
            f"there is no profile {profile!r}",
            remedy=f"Choose of {', '.join(PROFILES)}",
        )
    if split not in set(Split):
        raise UsageError(
            "scorecards.split",
            f"there is no split {split!r}",
            remedy=f"Choose of {', '.join(Split)}",
        )
    options = Options(
        PROFILES[profile],
        exclude_parser_failures=exclude_parser_failures,
        min_letters_latin=min_letters,
    )
    with bar() as progress:
        report = score_pages(
            truth,
            submissions,
            options=options,
            pair=pair or None,
            kind=kind,
            polygons=polygons,
            check_scripts=check_scripts,
            split=Split(split),
            secret=secret,
            preview=preview,
            backbone=backbone,
            title=title,
            progress=progress,
        )
    _finish(
        report, ("board-end-to-end", "board-oracle-layout", "pairs", "weights", "v02"), out, wanted,
        (truth,),
    )  # fmt: skip


@app.command("rosetta")
def rosetta(
    runs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="RUN...", help="A run each: JSON, JSON lines or a table (.tsv)."),
    ] = None,
    campaign: Annotated[
        str, typer.Option(metavar="CAMPAIGN", help="Take a campaign's systems as runs.")
    ] = "",
    source: Annotated[str, typer.Option(help="Source language, such as ar.")] = "",
    target: Annotated[
        str, typer.Option(help="Target language, such as en; also for the compliance index.")
    ] = "",
    code_switching: Annotated[
        bool, typer.Option("--code-switching", help="Compute it by script and word list.")
    ] = False,
    hallucination: Annotated[
        bool,
        typer.Option("--hallucination", help="Compute it by length, repetition, names and echo."),
    ] = False,
    source_words: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Words of the source language, one a line."),
    ] = None,
    glossary: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Prescribed terms: a table with source and target."),
    ] = None,
    analyser: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The language's .hfstol analyser.")
    ] = None,
    semantic: Annotated[
        bool, typer.Option("--semantic", help="Compare meanings; English targets only.")
    ] = False,
    semantic_model: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Another sentence model, for another target."),
    ] = None,
    comet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A COMET checkpoint on this disk.")
    ] = None,
    planned: Annotated[
        bool, typer.Option(help="Compute TER, length ratio and consistency.")
    ] = True,
    compare: Annotated[bool, typer.Option(help="Test all pairs of runs.")] = True,
    title: Title = "",
    out: Out = None,
    formats: Formats = _ALL,
) -> None:
    """Make run cards: metrics, composite, tiers, cost, speed, paired tests."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.scorecards.rosetta import CardOptions, score_runs

    wanted = _formats(formats)
    options = CardOptions(
        source=source,
        target=target,
        code_switching=code_switching or source_words is not None,
        source_words=source_words,
        glossary=glossary,
        analyser=analyser,
        semantic=semantic,
        semantic_model=semantic_model,
        comet=comet,
        planned=planned,
        compare=compare,
        hallucination=hallucination,
    )
    with bar() as progress:
        report = score_runs(
            runs or [], campaign=campaign, options=options, title=title, progress=progress
        )
    names = [table.name for table in report.tables if table.name.startswith("inventory")]
    boards = [table.name for table in report.tables if table.name.split("-")[0] == "runs"]
    _finish(report, (*boards, *names[:3], "comparisons"), out, wanted)


Judge = Annotated[
    str, typer.Option("--judge", metavar="URL", help="The judge's address, such as https://…/v1.")
]
Model = Annotated[str, typer.Option("--judge-model", help="The judge's name there.")]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        metavar="FILE",
        help="The file with the judge's key; else the variable MADCAT_STUDIO_JUDGE_KEY.",
    ),
]
Log = Annotated[
    Path | None,
    typer.Option(
        "--judge-log",
        metavar="FILE",
        help="Keeps every reply; a run that was stopped goes on from it. By default "
        "SAMPLES.judge.jsonl beside the first samples.",
    ),
]
PerMinute = Annotated[float | None, typer.Option(help="Most requests in a minute.")]
CostLimit = Annotated[float | None, typer.Option(help="Most dollars, with those in the log.")]
PromptPrice = Annotated[float, typer.Option(help="Dollars for 1,000 prompt tokens.")]
CompletionPrice = Annotated[float, typer.Option(help="Dollars for 1,000 completion tokens.")]
Parallel = Annotated[int, typer.Option(help="Requests at the same time.")]
Seconds = Annotated[float, typer.Option("--timeout", help="Seconds for one request.")]
Doubtful = Annotated[
    bool,
    typer.Option("--ask-doubtful", help="Ask again where an earlier run was killed while waiting."),
]


@app.command("imtbench")
def imtbench(
    samples: Annotated[
        list[Path],
        typer.Argument(metavar="SAMPLES...", help="A system's samples each: JSON lines or JSON."),
    ],
    comet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A COMET checkpoint on this disk.")
    ] = None,
    backbone: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="AlexNet's weights on this disk, for Mask-LPIPS."),
    ] = None,
    margin: Annotated[
        int, typer.Option(help="Pixels by which text boxes grow before backgrounds are compared.")
    ] = 0,
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
    formats: Formats = _ALL,
) -> None:
    """Score translated images: text, background, alignment, visual quality."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.scorecards.imtbench import ImageOptions, score_images

    wanted = _formats(formats)
    asked = None
    if judge:
        asked = _judge(
            samples[0], judge, judge_model, key_file, judge_log, timeout, ask_doubtful,
            reference_too, per_minute, cost_limit, prompt_price, completion_price, parallel,
        )  # fmt: skip
    options = ImageOptions(comet=comet, backbone=backbone, margin=margin, judge=asked)
    with bar() as progress:
        report = score_images(samples, options=options, title=title, progress=progress)
    _finish(
        report, ("systems", "by-scenario", "by-target", "by-source", "judge-errors"), out, wanted
    )


@app.command("imtbench-filter")
def imtbench_filter(
    samples: Annotated[
        Path, typer.Argument(metavar="SAMPLES", help="Samples with source and reference images.")
    ],
    result: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="The decisions, one JSON value a line.")
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
    """Ask a judge which samples may serve as evaluation data (the benchmark's appendix A)."""
    import json
    import sys

    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.scorecards.imtbench import filter_samples, write_decisions

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
    from madcat_studio.operations.scorecards.imtbench import JudgeOptions, judge_key
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


@app.command("ltb-board")
def ltb_board(
    results: Annotated[
        list[Path],
        typer.Argument(
            metavar="RESULT...",
            help="What `scorecard ltb` or the public scorer wrote as JSON, or folders of it.",
        ),
    ],
    title: Title = "",
    out: Out = None,
    formats: Formats = _ALL,
) -> None:
    """Rank saved LTB results, one board a data set, and hold each two against each other."""
    from madcat_studio.operations.scorecards.ltb_boards import board_of

    wanted = _formats(formats)
    report = board_of(results, title)
    _finish(report, [table.name for table in report.tables], out, wanted)


@app.command("show")
def show(
    result: Annotated[
        Path, typer.Argument(metavar="RESULT", help="The .json that a scorecard wrote.")
    ],
    pages: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where scored pages lie: HTML shows their boxes."),
    ] = None,
    out: Out = None,
    formats: Formats = _ALL,
) -> None:
    """Show a saved result again, or write its report in other forms."""
    from madcat_studio.operations.scorecards.files import read_card

    wanted = _formats(formats)
    report = read_card(result)
    names = [table.name for table in report.tables if not table.long]
    _finish(report, names, out, wanted, (result,) if pages is None else (pages, result))


def _formats(names: str) -> list[Format]:
    from madcat_studio.cli.report import read_formats
    from madcat_studio.operations.scorecards.files import CARD_FORMATS

    return read_formats(names, CARD_FORMATS)


def _finish(
    report: CardReport,
    names: Sequence[str],
    out: Path | None,
    formats: Sequence[Format],
    pages: Sequence[Path] = (),
) -> None:
    """Print the tables ``names`` and what goes with them; write the report if wanted.

    ``pages``: where scored pages may lie, which the report shows with their boxes.
    """
    import sys

    from rich import box
    from rich.table import Table as Shown
    from rich.text import Text

    from madcat_studio.operations.scorecards.showing import shown_cell
    from madcat_studio.reports import terminal
    from madcat_studio.reports.tables import CellKind

    console = terminal.console() if sys.stdout.isatty() else terminal.console(width=180)
    print(f"{report.title}: {report.kind}")
    for table in report.tables:
        if table.name not in names:
            continue
        rows = list(table.rows)
        grid = Shown(title=table.title, title_justify="left", box=box.SIMPLE_HEAD)
        kept = [
            index
            for index in range(len(table.columns))
            if any(row[index] not in (None, "") for row in rows)
        ]
        for index in kept:
            column = table.columns[index]
            left = column.kind in (CellKind.TEXT, CellKind.FLAG)
            grid.add_column(column.title, justify="left" if left else "right")
        for row in rows:
            cells = (shown_cell(row, index, table.columns) or "—" for index in kept)
            grid.add_row(*(Text(cell) for cell in cells))
        console.print(grid)
    for name, line in report.signatures.items():
        print(f"{name}: {line}")
    for sentence in report.warnings:
        print(f"warning: {sentence}", file=sys.stderr)
    if out is not None:
        from madcat_studio.operations.scorecards.boxed import Places
        from madcat_studio.operations.scorecards.files import write_card

        for path in write_card(report, out, formats, pages=Places.of(*pages)):
            print(path)
