"""``madcat-studio campaign score`` and ``campaign report``: HTER on the terminal and in files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.cli.address import ask_password
from madcat_studio.cli.forms import Form, FormOption, put, table_rows
from madcat_studio.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection

    from madcat_studio.operations.scores.report import Format
    from madcat_studio.reports.cards import CardReport
    from madcat_studio.reports.tables import Report, Table
    from madcat_ter.hter import Denominator

__all__ = ["breakdown_of", "evidence", "read_formats", "report", "score"]

Where = Annotated[
    str,
    typer.Argument(
        metavar="CAMPAIGN",
        help="The campaign's folder, or postgresql://user@host/database.",
        callback=ask_password,
    ),
]
Words = Annotated[
    str,
    typer.Option(
        "--denominator",
        metavar="chosen|reference",
        help="Whose words HTER divides by; by default as the campaign is set.",
    ),
]

OfTrack = Annotated[
    str | None,
    typer.Option(
        "--track", metavar="NAME", help="One track only; by default each track separately."
    ),
]

On = Annotated[
    str,
    typer.Option(
        metavar="SCHEDULER",
        help="Score and resample on the workers of a Dask scheduler, or in N processes: local:N.",
    ),
]

_NARROW = {
    *("system", "genre", "kit", "document", "scribe", "exposure", "team", "implement", "surface"),
    *("speed", "passage", "page", "manuscript", "source_document"),
    *("segments", "edits", "words", "hter", "low", "high", "hter_first", "chosen"),
    "scribe_errors",
}
_WIDE = {
    *_NARROW,
    "preliminary",
    "open",
    "hter_chosen",
    "hter_reference",
    "clean_hter",
    "ties",
    "no_output",
}


def score(
    where: Where,
    denominator: Words = "",
    track: OfTrack = None,
    by: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Also show a breakdown, such as genre, kit, document, team."
        ),
    ] = "",
    form: FormOption = Form.TEXT,
    on: On = "",
) -> None:
    """Show the HTER of a campaign's systems."""
    from contextlib import ExitStack

    from madcat_studio.cli.on_many import hter_here_or_on, tell
    from madcat_studio.operations.scores.report import open_report, read_tracks

    chosen = _denominator(denominator)
    tracks = read_tracks(where) if track is None else (track,)
    put_together: dict[str, object] = {}
    for one in tracks:
        with ExitStack() as stack:
            with hter_here_or_on(on) as (many, progress):
                found, _options = stack.enter_context(
                    open_report(
                        where,
                        track=one,
                        denominator=chosen,
                        full=False,
                        many=many,
                        tell=tell,
                        progress=progress,
                    )
                )
            tables = [found.table("systems")]
            tables += [table for table in found.tables if table.name.endswith("-set")]
            if by:
                tables.append(breakdown_of(found, by))
            if form is Form.JSON:
                put_together[one] = _told(found, tables)
            else:
                _print(found, tables)
    if form is Form.JSON:
        put(put_together[tracks[0]] if len(tracks) == 1 else {"tracks": put_together})


def report(
    where: Where,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write to.")
    ],
    formats: Annotated[
        str,
        typer.Option(
            "--formats",
            metavar="LIST",
            help="Report files to write: html, xlsx, csv, json, svg, pdf.",
        ),
    ] = "html,xlsx,csv,json",
    denominator: Words = "",
    track: OfTrack = None,
    earlier: Annotated[
        Path | None,
        typer.Option(
            "--earlier-results",
            help="A table of what an earlier phase measured, for drift and progress.",
        ),
    ] = None,
    resamples: Annotated[int, typer.Option(help="Resamples for the intervals.", min=100)] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the resampling.", min=0)] = 20090813,
    idle: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            help="For effort: rests longer than this do not count as active time.",
            min=0,
        ),
    ] = 60.0,
    bom: Annotated[
        bool, typer.Option(help="Begin CSV files with a byte-order mark, as Excel expects.")
    ] = True,
    semicolons: Annotated[
        bool,
        typer.Option("--semicolons", help="CSV with semicolons and decimal commas."),
    ] = False,
    on: On = "",
) -> None:
    """Write the HTER report of a campaign."""
    import sys

    from madcat_studio.cli.on_many import hter_here_or_on, tell
    from madcat_studio.operations.scores.report import Format, write_campaign_report
    from madcat_studio.scoring.resampling import Resampling

    wanted = read_formats(formats, tuple(Format))
    with hter_here_or_on(on) as (many, progress):
        files, preliminary = write_campaign_report(
            where,
            out,
            formats=wanted,
            track=track,
            denominator=_denominator(denominator),
            earlier=earlier,
            resampling=Resampling(resamples=resamples, seed=seed),
            idle_seconds=idle,
            bom=bom,
            semicolons=semicolons,
            many=many,
            tell=tell,
            progress=progress,
        )
    for sentence in preliminary:
        print(f"preliminary: {sentence}", file=sys.stderr)
    for path in files:
        print(path)


def evidence(
    where: Where,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write to.")
    ],
    track: OfTrack = None,
) -> None:
    """Write files from which tercom itself computes the campaign's numbers."""
    import sys

    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.scores.evidence import write_campaign_evidence

    with bar() as progress:
        written = write_campaign_evidence(where, out, track=track, progress=progress)
    if written.events:
        print(f"{written.events} events of the log of visits", file=sys.stderr)
    for sentence in written.preliminary:
        print(f"preliminary: {sentence}", file=sys.stderr)
    for path in written.files:
        print(path)


def read_formats(names: str, known: Collection[Format]) -> list[Format]:
    """The formats that a list names, separated by commas.

    Args:
        names: the list.
        known: those that the report can be written in.

    Raises:
        UsageError: ``report.format``: one that does not exist, or none.
    """
    choice = f"Choose from {', '.join(known)}"
    by_name = {str(one): one for one in known}
    wanted: list[Format] = []
    for name in filter(None, (part.strip().lower() for part in names.split(","))):
        if name not in by_name:
            raise UsageError("report.format", f"there is no report format {name!r}", remedy=choice)
        wanted.append(by_name[name])
    if not wanted:
        raise UsageError("report.format", "no format is named", remedy=choice)
    return wanted


def _denominator(name: str) -> Denominator | None:
    from madcat_ter.hter import Denominator

    if not name:
        return None
    if name not in set(Denominator):
        raise UsageError(
            "report.denominator",
            f"there is no denominator {name!r}",
            remedy=f"Choose {' or '.join(Denominator)}",
        )
    return Denominator(name)


def breakdown_of(found: Report | CardReport, name: str) -> Table:
    """The table of a breakdown that somebody names, such as ``genre``.

    Raises:
        UsageError: ``report.breakdown``: there is none of that name.
    """
    wanted = f"by-{name.strip().lower().replace(' ', '-')}"
    names = [table.name for table in found.tables if table.name.startswith("by-")]
    if wanted not in names:
        raise UsageError(
            "report.breakdown",
            f"there is no breakdown {name!r}",
            remedy=f"Choose from {', '.join(known.removeprefix('by-') for known in names)}",
        )
    return found.table(wanted)


_MOST_WIDE = 110
"""Characters of a line of sentences: longer ones are hard to read."""


def _line_width() -> int:
    import shutil

    return max(40, min(_MOST_WIDE, shutil.get_terminal_size((_MOST_WIDE, 0)).columns))


def _told(found: Report, tables: list[Table]) -> dict[str, object]:
    return {
        "campaign": found.title,
        "preliminary": list(found.preliminary),
        "denominator": found.denominator,
        "signature": found.signatures[str(found.denominator)],
        "verdict": None if found.verdict is None else found.verdict.text(_SCRIPT_WIDTH),
        "warnings": list(found.warnings),
        "tables": {table.name: table_rows(table) for table in tables},
    }


_SCRIPT_WIDTH = 10_000
"""No line of the verdict is broken for a script."""


def _print(found: Report, tables: list[Table]) -> None:
    import sys

    from madcat_studio.model.characters import marked
    from madcat_studio.reports.terminal import print_table

    print(f"{found.title}: HTER, {'preliminary' if found.preliminary else 'final'}")
    if found.verdict is not None and (said := found.verdict.text(_line_width())):
        print(f"\n{marked(said)}\n")
    for table in tables:
        print_table(table, _NARROW, _WIDE)
    print(found.signatures[str(found.denominator)])
    for sentence in found.preliminary:
        print(f"preliminary: {sentence}", file=sys.stderr)
    for sentence in found.warnings:
        print(f"warning: {sentence}", file=sys.stderr)
