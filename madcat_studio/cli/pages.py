"""``madcat-studio show``, ``check`` and the other commands for documents."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.cli.streams import READ, Stream
from madcat_studio.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from madcat_studio.operations.pages.checking import CheckedFile
    from madcat_studio.operations.pages.content import PageContent

__all__ = ["check", "compare", "derive", "images", "lines", "show"]

FOUND = 1
UNUSABLE = 2


class CheckFormat(StrEnum):
    """How ``check`` prints."""

    TABLE = "table"
    JSON = "json"
    SARIF = "sarif"


class FailOn(StrEnum):
    """What ``check`` must find for an exit status of 1."""

    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"


class DeriveTask(StrEnum):
    """Which input ``derive`` writes."""

    LINE = "lineseg"
    WORD = "wordseg"
    TEXT = "textseg"


class CropUnit(StrEnum):
    """What ``images`` cuts out."""

    LINES = "lines"
    WORDS = "words"


class Purpose(StrEnum):
    """The set that derived files are for."""

    TRAINING = "training"
    DEVELOPMENT = "development"
    EVALUATION = "evaluation"
    PROGRESS = "progress"


class ShowFormat(StrEnum):
    """How ``show`` prints."""

    TABLE = "table"
    JSON = "json"


Severities = Annotated[
    str, typer.Option("--severity", help="The least severity to show: note, warning or error.")
]


def show(
    page: Annotated[
        Path,
        typer.Argument(
            metavar="PAGE",
            help="A MADCAT file, or PAGE XML, ALTO, hOCR, GEDI; - too.",
        ),
        READ,
    ],
    output: Annotated[
        ShowFormat, typer.Option("--format", help="A table to read, or JSON.")
    ] = ShowFormat.TABLE,
) -> None:
    """Show what a page file contains: pages, lines, words, segments, problems."""
    from madcat_studio.operations.pages.content import show_page

    content = show_page(page)
    if output is ShowFormat.JSON:
        _print_json(content)
    else:
        _print_content(content)


def check(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH…", help="Files, folders or patterns such as *.xml; - too."),
        READ,
    ],
    output: Annotated[
        CheckFormat, typer.Option("--format", help="A table to read, JSON, or SARIF 2.1.0.")
    ] = CheckFormat.TABLE,
    to: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Write to this file, not the screen; - for the screen."),
        Stream(written=True),
    ] = None,
    severity: Severities = "note",
    folders: Annotated[
        list[Path] | None, typer.Option("--images", help="Look for page images in this folder too.")
    ] = None,
    skip_images: Annotated[
        bool, typer.Option("--no-images", help="Do not look for page images.")
    ] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Make the safe mends; a backup NAME.bak is kept.")
    ] = False,
    copies: Annotated[
        Path | None,
        typer.Option("--repaired", help="Write whole copies of broken files into this folder."),
    ] = None,
    fail_on: Annotated[
        FailOn,
        typer.Option("--fail-on", help="Exit with 1 if a problem of this severity is left."),
    ] = FailOn.ERROR,
    workers: Annotated[
        int | None,
        typer.Option("--jobs", min=1, help="Number of processes; by default one per core."),
    ] = None,
) -> None:
    """Check documents against the schema's rules.

    Exit status 1 if errors are left (see --fail-on), 2 if a document cannot be read.
    """
    from madcat_studio.cli.bar import bar
    from madcat_studio.cli.checked import printer
    from madcat_studio.model.problem import Severity
    from madcat_studio.operations.pages.checking import CheckOptions, check_files
    from madcat_studio.operations.pages.folder import page_files

    try:
        least = Severity(severity)
    except ValueError:
        raise UsageError(
            "check.severity",
            f"“{severity}” is not a severity",
            remedy="Write note, warning or error",
        ) from None
    files = page_files(paths)
    options = CheckOptions(not skip_images, tuple(folders or ()), fix, copies)
    with bar() as progress, printer(output.value, to, least) as tell:
        results: Iterable[CheckedFile] = check_files(
            files, options, progress=progress, workers=workers
        )
        for result in results:
            tell.file(result)
    if tell.unreadable:
        raise typer.Exit(UNUSABLE)
    if fail_on is not FailOn.NEVER and tell.found(Severity(fail_on.value)):
        raise typer.Exit(FOUND)


def lines(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A page with words, in any format; - too."),
        Stream(back="to"),
    ],
    to: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Save here, or -; by default to FILE, keeping FILE.bak."),
        Stream(".xml", written=True),
    ] = None,
    margin: Annotated[
        float,
        typer.Option(min=0, max=2, help="Margin around words, in heights of the median word."),
    ] = 0.055,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Measure and save nothing.")] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an existing output file.")
    ] = False,
    from_ink: Annotated[
        bool,
        typer.Option(
            "--from-ink",
            help="For pages without lines: find them in the ink of the scan, with "
            "baselines, and with words where gaps show them.",
        ),
    ] = False,
    segmenter: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="With --from-ink: the segmenter whose lines are taken where they are "
            "better; ink for none. By default the one in use (see segmenter use).",
        ),
    ] = "",
    always: Annotated[
        bool, typer.Option("--always", help="Take the segmenter's lines without comparing.")
    ] = False,
) -> None:
    """Derive line polygons from word polygons with the least bleed, or find lines in the ink."""
    from rich.table import Table

    if from_ink:
        _lines_from_ink(file, to, segmenter, always, dry_run=dry_run, overwrite=overwrite)
        return
    if segmenter or always:
        raise UsageError(
            "lines.not-from-ink",
            "a segmenter finds lines where there are none, and these are derived from words",
            remedy="Add --from-ink",
        )
    from madcat_studio.operations.pages.lines import derive_lines_of_file

    rows = derive_lines_of_file(file, to, margin=margin, dry_run=dry_run, overwrite=overwrite)
    table = Table("line", box=None, title="Bleed in square pixels", title_justify="left")
    for column in ("before", "after", "words overlap", "points"):
        table.add_column(column, justify="right")
    for row in rows:
        points = str(row.points) if row.points else "no words"
        table.add_row(row.name, f"{row.before:.0f}", f"{row.after:.1f}", f"{row.least:.1f}", points)
    table.add_row(
        "all",
        f"{sum(r.before for r in rows):.0f}",
        f"{sum(r.after for r in rows):.1f}",
        f"{sum(r.least for r in rows):.1f}",
        "",
        style="bold",
    )
    _wide_console().print(table)


def _lines_from_ink(
    file: Path, to: Path | None, segmenter: str, always: bool, *, dry_run: bool, overwrite: bool
) -> None:
    from rich.table import Table

    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.pages.inklines import lines_from_ink
    from madcat_studio.operations.pages.segmenters import OWN, find_segmenter, list_segmenters

    listed = list_segmenters()
    name = segmenter or listed.use or OWN
    with bar() as progress:
        rows = lines_from_ink(
            file,
            to,
            segmenter=None if name == OWN else find_segmenter(name),
            always=always or (not segmenter and listed.always),
            dry_run=dry_run,
            overwrite=overwrite,
            progress=progress,
        )
    table = Table("page", box=None, title="Lines from the ink", title_justify="left")
    for column in ("lines", "words", "found by"):
        table.add_column(column, justify="right")
    for row in rows:
        if row.lines is None:
            table.add_row(str(row.page + 1), "has lines already", "0", "")
        else:
            table.add_row(str(row.page + 1), str(row.lines), str(row.words), row.by)
    _wide_console().print(table)


def derive(
    references: Annotated[
        list[str], typer.Argument(metavar="REF…", help="Reference files, folders or patterns.")
    ],
    task: Annotated[DeriveTask, typer.Option(help="Which input to write (plan, Table 6).")],
    output: Annotated[Path, typer.Option("--out", "-o", help="The folder to write to.")],
    purpose: Annotated[
        Purpose, typer.Option("--set", help="The set the files are for.")
    ] = Purpose.EVALUATION,
    corpus: Annotated[
        Path | None, typer.Option(help="corpus.tsv: which passage each document is.")
    ] = None,
    sequestered: Annotated[
        Path | None,
        typer.Option(help="A list of passages, one per line, for the progress set only."),
    ] = None,
    campaign: Annotated[
        str,
        typer.Option(
            help="The campaign whose calendar and sequestered passages apply: its folder or URL."
        ),
    ] = "",
    image_tasks_closed: Annotated[
        bool,
        typer.Option(
            "--image-tasks-closed",
            help="The image tasks have been submitted, so transcriptions may be released.",
        ),
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace existing files.")] = False,
) -> None:
    """Derive the inputs of a task from references, without anything that must be withheld."""
    import sys

    from madcat_studio.cli.bar import bar
    from madcat_studio.model.campaign import DataSet
    from madcat_studio.operations.gather import gather
    from madcat_studio.operations.pages.derive import Release, derive_files
    from madcat_studio.pages.derive import Task

    given_for = DataSet(purpose.value)
    if campaign:
        from madcat_studio.operations.campaign.calendar import release_of

        if corpus is not None or sequestered is not None:
            raise UsageError(
                "derive.two-lists",
                "the campaign already says which passages are sequestered",
                remedy="Leave --corpus and --sequestered out",
            )
        release = release_of(campaign, given_for, image_tasks_closed=image_tasks_closed)
    else:
        release = Release.obeying(image_tasks_closed, given_for, corpus, sequestered)
    files = gather(references)
    written = left_out = failed = 0
    with bar() as progress:
        for result in derive_files(
            files, output, Task(task.value), release, overwrite=overwrite, progress=progress
        ):
            if result.error is not None:
                failed += 1
                print(f"madcat-studio: {result.error}", file=sys.stderr)
            elif result.left_out:
                left_out += 1
                print(f"left out: {result.reference}: {result.left_out}")
            else:
                written += 1
    print(f"{_count(written, 'file')} written to {output}, {left_out} left out, {failed} failed")
    if failed:
        raise typer.Exit(UNUSABLE)


def compare(
    first: Annotated[
        Path,
        typer.Argument(metavar="A", help="A page or a folder: the truth; - too."),
        READ,
    ],
    second: Annotated[
        Path,
        typer.Argument(metavar="B", help="The other page or folder; - too."),
        READ,
    ],
    threshold: Annotated[
        float, typer.Option(min=0.01, max=1, help="The least overlap (IoU) of a match.")
    ] = 0.5,
    output: Annotated[
        ShowFormat, typer.Option("--format", help="A table to read, or JSON.")
    ] = ShowFormat.TABLE,
) -> None:
    """Compare two segmentations, matched by overlap: lines, words and reading order."""
    import dataclasses
    import json
    import sys

    from rich.table import Table

    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.pages.compare import compare_paths, totals

    with bar() as progress:
        results = compare_paths(first, second, threshold=threshold, progress=progress)
    for result in results:
        if result.error is not None:
            print(f"madcat-studio: {result.error}", file=sys.stderr)
    compared = [result for result in results if result.error is None]
    rows = [(result.base, result.pages) for result in compared]
    if len(rows) > 1:
        rows.append(("all", tuple(page for result in compared for page in result.pages)))
    found = [
        (base, name, totals(pages, unit))
        for base, pages in rows
        for name, unit in (("lines", lambda p: p.lines), ("words", lambda p: p.words))
    ]
    if output is ShowFormat.JSON:
        plain = [{"base": b, "unit": n, **dataclasses.asdict(t)} for b, n, t in found]
        print(json.dumps({"threshold": threshold, "results": plain}, ensure_ascii=False, indent=2))
    else:
        table = Table("document", "unit", box=None)
        for column in (
            "A", "B", "matched", "missed", "extra", "split", "merged", "IoU", "IoU matched",
            "order",
        ):  # fmt: skip
            table.add_column(column, justify="right")
        for base, name, sums in found:
            rates = (sums.iou, sums.matched_iou, sums.order)
            whole = (
                sums.first, sums.second, sums.matched, sums.missed, sums.extra, sums.split,
                sums.merged,
            )  # fmt: skip
            table.add_row(
                base,
                name,
                *map(str, whole),
                *("n/a" if rate is None else f"{rate:.3f}" for rate in rates),
            )
        _wide_console().print(table)
    if len(compared) < len(results):
        raise typer.Exit(UNUSABLE)


def images(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH…", help="Documents, folders or patterns.")
    ],
    output: Annotated[Path, typer.Option("--out", "-o", help="The folder to write to.")],
    unit: Annotated[
        CropUnit, typer.Option("--unit", help="Cut out lines or words.")
    ] = CropUnit.LINES,
    margin: Annotated[
        int, typer.Option(min=0, max=1000, help="Pixels around the outline; white off the page.")
    ] = 10,
    straighten: Annotated[
        bool, typer.Option("--straighten", help="Turn each crop so that it is level.")
    ] = False,
    mask: Annotated[
        bool, typer.Option("--mask", help="Whiten everything farther from it than the margin.")
    ] = False,
    folders: Annotated[
        list[Path] | None, typer.Option("--images", help="Look for page images in this folder too.")
    ] = None,
) -> None:
    """Cut lines or words out of page images, in any format, with a table of what they show."""
    import sys

    from madcat_studio.cli.bar import bar
    from madcat_studio.images.crops import CropStyle
    from madcat_studio.operations.pages.crops import Unit, crop_files
    from madcat_studio.operations.pages.folder import page_files

    style = CropStyle(margin, straighten, mask)
    written = empty = failed = 0
    with bar() as progress:
        for result in crop_files(
            page_files(paths),
            output,
            Unit(unit.value),
            style,
            image_folders=folders or (),
            progress=progress,
        ):
            written += result.written
            empty += result.empty
            if result.error is not None:
                failed += 1
                print(f"madcat-studio: {result.error}", file=sys.stderr)
    skipped = f", {_count(empty, 'outline')} without points" if empty else ""
    print(f"{_count(written, 'crop')} written to {output}{skipped}")
    if failed:
        raise typer.Exit(UNUSABLE)


def _print_content(content: PageContent) -> None:
    from rich.markup import escape

    from madcat_studio.reports import terminal

    console = terminal.console(highlight=False, soft_wrap=True)
    document = content.document
    console.print(f"[bold]{escape(content.base)}[/bold]")
    facts = [
        ("document", document.id),
        ("genre", document.genre),
        ("scribe", document.scribe),
        ("encoding", content.encoding),
        ("image", document.src and (str(content.image or f"{document.src} (not found)"))),
    ]
    for name, value in facts:
        console.print(f"  {name:<10}{escape(value or '–')}")
    for page in document.pages:
        size = f"{page.width or '?'} x {page.height or '?'}"
        words = sum(1 for _ in page.words())
        console.print(
            f"  {'page':<10}{escape(page.id or '–')}: {size} pixels, {page.dpi or '?'} dpi, "
            f"{_count(len(page.lines), 'line')}, {_count(words, 'word')}"
        )
    last = ""
    for line in content.lines:
        if line.page != last:
            console.print(f"\n[bold]{escape(line.page)}[/bold]")
            last = line.page
        console.print(
            f"  {escape(line.line):<12}{_count(line.words, 'word'):>9}  {escape(line.text)}"
        )
    for segment in content.segments:
        where = ", ".join(segment.lines) or "no line"
        console.print(
            f"\n[bold]{escape(segment.name)}[/bold]  ({escape(where)}; "
            f"{_count(segment.tokens, 'token')})"
        )
        for kind, text in (
            ("transcription", segment.transcription),
            ("translation", segment.translation),
        ):
            shown = "–" if text is None else "(empty)" if not text.strip() else text.strip()
            console.print(f"  {kind:<15}{escape(shown)}")
    if content.problems:
        console.print(f"\n[bold]{_count(len(content.problems), 'problem')}[/bold] in reading:")
        for problem in content.problems:
            console.print(
                f"  line {problem.where.line or '?'}: {escape(problem.where.element)}: "
                f"{escape(problem.what)}; {escape(problem.done)}"
            )


def _print_json(content: PageContent) -> None:
    import dataclasses
    import json

    plain = {
        "base": content.base,
        "path": str(content.path),
        "encoding": content.encoding,
        "image": None if content.image is None else str(content.image),
        "document": dataclasses.asdict(content.document),
        "lines": [dataclasses.asdict(line) for line in content.lines],
        "segments": [dataclasses.asdict(segment) for segment in content.segments],
        "problems": [dataclasses.asdict(problem) for problem in content.problems],
    }
    print(json.dumps(plain, ensure_ascii=False, indent=2))


def _wide_console() -> Console:
    """The terminal, or a width at which tables in files do not wrap."""
    from madcat_studio.reports import terminal

    console = terminal.console()
    return console if console.is_terminal else terminal.console(width=200)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
