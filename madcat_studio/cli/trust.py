"""``madcat-studio campaign trust`` and ``hands``: what scores say of metrics and of scribes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from madcat_studio.cli.address import ask_password
from madcat_studio.cli.forms import Form, FormOption, put_card
from madcat_studio.cli.hands import hands
from madcat_studio.errors import UsageError

__all__ = ["hands", "trust"]

_NARROW = {"metric", "tau_b", "low", "high", "rho", "r", "right", "right_systems"}
_WIDE = {*_NARROW, "better", "tau_b_systems", "tau_b_documents", "threshold", "note"}


def trust(
    where: Annotated[
        str,
        typer.Argument(
            metavar="CAMPAIGN",
            help="The campaign's folder, or postgresql://user@host/database.",
            callback=ask_password,
        ),
    ],
    scores: Annotated[
        list[Path] | None,
        typer.Option(help="A table with system, base, segment, and a column for each metric."),
    ] = None,
    lower: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="A column of the tables in which lower is better."),
    ] = None,
    against: Annotated[
        str,
        typer.Option(metavar="COLUMN", help="Compare with people's judgements instead of HTER."),
    ] = "",
    recognition: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SYSTEM=FOLDER",
            help="A system's outputs with transcriptions, to include their WER.",
        ),
    ] = None,
    track: Annotated[str, typer.Option(help="The track whose outputs are compared.")] = "",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Also write the report there.")
    ] = None,
    formats: Annotated[
        str,
        typer.Option(
            "--formats", metavar="LIST", help="Report files to write: html, xlsx, csv, json."
        ),
    ] = "html,xlsx,csv,json",
    form: FormOption = Form.TEXT,
    resamples: Annotated[
        int, typer.Option(help="Resamples for the intervals and tests.", min=100)
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the resampling.", min=0)] = 20090813,
) -> None:
    """Compare TER, BLEU, chrF++ and scores from tables with HTER."""
    import os
    import sys
    from contextlib import ExitStack

    # Before numpy is there: the products of matrices here are many and short, and a second thread
    # waits for the next one longer than it works.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    from madcat_studio.cli.bar import bar
    from madcat_studio.cli.report import read_formats
    from madcat_studio.model.characters import marked
    from madcat_studio.operations.scorecards.files import CARD_FORMATS, write_card
    from madcat_studio.operations.scores.trust import trust as hold
    from madcat_studio.reports.files import prepared_folder
    from madcat_studio.reports.terminal import print_table
    from madcat_studio.scoring.resampling import Resampling

    wanted = read_formats(formats, CARD_FORMATS)
    folders = dict(map(_folder, recognition or ()))
    with bar() as progress, ExitStack() as stack:
        if out is not None:
            stack.enter_context(prepared_folder(out))
        report = hold(
            where,
            scores=scores or (),
            lower=lower or (),
            against=against,
            recognition=folders,
            track=track,
            resampling=Resampling(resamples=resamples, seed=seed),
            pictures=out is not None,
            progress=progress,
        ).report
        files = write_card(report, out, wanted, progress=progress) if out is not None else []
    if form is Form.JSON:
        put_card(report)
        return
    print_table(report.table("metrics"), _NARROW, _WIDE)
    otherwise = report.table("otherwise")
    if otherwise.count():
        print_table(otherwise)
    else:
        print(otherwise.note)
    for name, line in report.signatures.items():
        print(f"{name}: {line}")
    for sentence in report.warnings:
        print(marked(f"warning: {sentence}"), file=sys.stderr)
    for path in files:
        print(path)


def _folder(spelt: str) -> tuple[str, Path]:
    system, sign, folder = spelt.partition("=")
    if not (system and sign and folder):
        raise UsageError(
            "trust.recognition",
            f"{spelt!r} does not name a system and a folder",
            remedy="Write it like maple=outputs/maple",
        )
    return system, Path(folder)
