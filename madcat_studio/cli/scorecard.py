"""``madcat-studio scorecard …``: three ways to score the translation of document images."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from madcat_studio.operations.report import Format
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
    title: Title = "",
    out: Out = None,
    formats: Formats = _ALL,
) -> None:
    """Score translated pages: LTB-100 of chrF, layout and reading order."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.scorecard_ltb import Split, score_pages
    from madcat_studio.scoring.scorecards.ltb import PROFILES, Options

    wanted = _formats(formats)
    if profile not in PROFILES:
        raise _unknown("profile", profile, PROFILES)
    if split not in set(Split):
        raise _unknown("split", split, list(Split))
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
            title=title,
            progress=progress,
        )
    _finish(report, ("board-end-to-end", "board-oracle-layout", "pairs", "weights"), out, wanted)


def _unknown(what: str, name: str, known: object) -> UsageError:
    names = ", ".join(str(one) for one in known)  # type: ignore[attr-defined]
    return UsageError(
        f"scorecards.{what}", f"there is no {what} {name!r}", remedy=f"Choose of {names}"
    )


def _formats(names: str) -> list[Format]:
    from madcat_studio.operations.report import Format

    wanted: list[Format] = []
    for name in filter(None, (part.strip().lower() for part in names.split(","))):
        if name not in set(Format):
            raise UsageError(
                "report.format",
                f"there is no report format {name!r}",
                remedy=f"Choose of {', '.join(Format)}",
            )
        wanted.append(Format(name))
    return wanted


def _finish(
    report: CardReport, names: Sequence[str], out: Path | None, formats: Sequence[Format]
) -> None:
    """Print the tables ``names`` and what goes with them; write the report if wanted."""
    import sys

    from rich import box
    from rich.console import Console
    from rich.table import Table as Shown
    from rich.text import Text

    from madcat_studio.reports.html import shown
    from madcat_studio.reports.tables import Kind

    console = Console() if sys.stdout.isatty() else Console(width=180)
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
            left = column.kind in (Kind.TEXT, Kind.FLAG)
            grid.add_column(column.title, justify="left" if left else "right")
        for row in rows:
            cells = (shown(row[index], table.columns[index].kind) or "—" for index in kept)
            grid.add_row(*(Text(cell) for cell in cells))
        console.print(grid)
    for name, line in report.signatures.items():
        print(f"{name}: {line}")
    for sentence in report.warnings:
        print(f"warning: {sentence}", file=sys.stderr)
    if out is not None:
        from madcat_studio.operations.scorecard_files import write_card

        for path in write_card(report, out, formats):
            print(path)
