"""``madcat-studio scorecard …``: three ways to score the translation of document images."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from madcat_studio.cli.forms import Form, FormOption
from madcat_studio.cli.scorecard_images import (
    imtbench,
    imtbench_filter,
    imtbench_prompt,
    imtbench_translate,
)
from madcat_studio.cli.scorecard_shown import (
    ALL_FORMATS,
    Formats,
    Out,
    Title,
    finish,
    formats_of,
)
from madcat_studio.cli.streams import Stream
from madcat_studio.errors import UsageError

__all__ = ["app"]

app = typer.Typer(
    help="Score the translation of document images: LayoutTranslateBench, Rosetta, IMTBench.",
    no_args_is_help=True,
)


_SHOWN = (
    *("board-end-to-end", "board-oracle-layout", "pairs", "grades", "weights"),
    *("v02", "models", "judgements"),
)
"""Tables of the page scorecard that the terminal shows."""


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
            help="A folder for each system, with en-es.jsonl … and manifest.json, or MADCAT XML.",
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
        str,
        typer.Option(
            help="Language pair of MADCAT XML, or of files whose names do not give theirs."
        ),
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
        bool,
        typer.Option(
            "--exclude-parser-failures", help="Leave out documents that have only one blank region."
        ),
    ] = False,
    min_letters: Annotated[
        int,
        typer.Option(
            "--min-letters",
            help="The language detector checks only texts with at least this many letters.",
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
            help="The secret that draws the held-out fifth; give it through the environment.",
        ),
    ] = "",
    preview: Annotated[
        bool,
        typer.Option(
            "--preview",
            help="Also show v0.2 as announced: OCR of rendered pages, visual fidelity.",
        ),
    ] = False,
    backbone: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="AlexNet's weights on this disk, for the preview's LPIPS."
        ),
    ] = None,
    ocr: Annotated[
        str,
        typer.Option(metavar="tesseract|rapidocr", help="What reads the preview's rendered pages."),
    ] = "tesseract",
    comet: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A COMET checkpoint on this disk: shown beside chrF."),
    ] = None,
    comet_kiwi: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A COMET-Kiwi checkpoint, which takes no reference."),
    ] = None,
    judgements: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="TABLE",
            help=(
                "A table of what people said: system, document, pair, and a column for "
                "each judgement."
            ),
        ),
    ] = None,
    lower: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="A column of the judgements in which lower is better."),
    ] = None,
    title: Title = "",
    out: Out = None,
    formats: Formats = ALL_FORMATS,
    form: FormOption = Form.TEXT,
) -> None:
    """Score translated pages: LTB-100 of chrF, layout and reading order."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.scorecards.ltb import Beside, Split, score_pages
    from madcat_studio.operations.scorecards.ltb_comet import CometOptions
    from madcat_studio.operations.scorecards.ltb_next import PreviewOptions
    from madcat_studio.operations.scorecards.recognising import Engine
    from madcat_studio.scoring.scorecards.ltb import PROFILES, Options

    wanted = formats_of(formats)
    if profile not in PROFILES:
        raise UsageError(
            "scorecards.profile",
            f"there is no profile {profile!r}",
            remedy=f"Choose from {', '.join(PROFILES)}",
        )
    if split not in set(Split):
        raise UsageError(
            "scorecards.split",
            f"there is no split {split!r}",
            remedy=f"Choose from {', '.join(Split)}",
        )
    if ocr not in set(Engine):
        raise UsageError(
            "scorecards.ocr",
            f"{ocr!r} cannot read pages here",
            remedy=f"Choose from {', '.join(Engine)}",
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
            beside=Beside(
                PreviewOptions(backbone, Engine(ocr)) if preview else None,
                CometOptions(comet, comet_kiwi),
                judgements or (),
                lower or (),
            ),
            title=title,
            progress=progress,
        )
    finish(report, _SHOWN, form, out, wanted, (truth,))


@app.command("rosetta")
def rosetta(
    runs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="RUN...", help="One file per run: JSON, JSON lines or a table (.tsv)."
        ),
    ] = None,
    campaign: Annotated[
        str, typer.Option(metavar="CAMPAIGN", help="Use a campaign's systems as runs.")
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
        typer.Option(metavar="FILE", help="Words of the source language, one per line."),
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
    formats: Formats = ALL_FORMATS,
    form: FormOption = Form.TEXT,
) -> None:
    """Make run cards: metrics, composite, tiers, cost, speed, paired tests."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.scorecards.rosetta import CardOptions, score_runs

    wanted = formats_of(formats)
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
    finish(report, (*boards, *names[:3], "comparisons"), form, out, wanted)


app.command("imtbench")(imtbench)
app.command("imtbench-filter")(imtbench_filter)
app.command("imtbench-translate")(imtbench_translate)
app.command("imtbench-prompt")(imtbench_prompt)


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
    formats: Formats = ALL_FORMATS,
    form: FormOption = Form.TEXT,
) -> None:
    """Rank saved LTB results, one board per data set, and compare each pair of systems."""
    from madcat_studio.operations.scorecards.ltb_boards import board_of

    wanted = formats_of(formats)
    report = board_of(results, title)
    finish(report, [table.name for table in report.tables], form, out, wanted)


@app.command("show")
def show(
    result: Annotated[
        Path,
        typer.Argument(metavar="RESULT", help="The .json that a scorecard wrote; - too."),
        Stream(".json"),
    ],
    pages: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The folder of the scored pages, whose boxes the HTML shows."
        ),
    ] = None,
    out: Out = None,
    formats: Formats = ALL_FORMATS,
    form: FormOption = Form.TEXT,
) -> None:
    """Show a saved result again, or write its report in other forms."""
    from madcat_studio.operations.scorecards.files import read_card

    wanted = formats_of(formats)
    report = read_card(result)
    names = [table.name for table in report.tables if not table.long]
    finish(report, names, form, out, wanted, (result,) if pages is None else (pages, result))
