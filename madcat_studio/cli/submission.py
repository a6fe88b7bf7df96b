"""``madcat-studio submission …``: pack, check and receive system output."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.cli.forms import Form, FormOption, put
from madcat_studio.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from madcat_studio.model.calendar import Calendar
    from madcat_studio.model.declarations import Declaration
    from madcat_studio.operations.submission import Submission

__all__ = ["app"]

UNUSABLE = 2

app = typer.Typer(
    name="submission",
    help="Pack, check and receive system output.",
    no_args_is_help=True,
)

Inputs = Annotated[Path, typer.Option("--inputs", help="The folder of inputs that you were given.")]


@app.command()
def pack(
    folder: Annotated[Path, typer.Argument(help="The folder of outputs, named such as plato_1.")],
    inputs: Inputs,
    output: Annotated[
        Path | None, typer.Option("--out", "-o", help="The archive; by default FOLDER.tgz.")
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an existing archive.")
    ] = False,
    site: Annotated[str, typer.Option(help="Who hands it in, for the manifest.")] = "",
    declare: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="A rule that you kept: no-adaptation, no-interaction, no-sequestered, or all.",
        ),
    ] = None,
) -> None:
    """Check a folder of outputs and pack it to NAME_N.tgz."""
    from madcat_studio.model.declarations import Manifest
    from madcat_studio.operations.submission import pack_submission

    declared = _declared(declare or ())
    manifest = Manifest(" ".join(site.split()), declared) if site.strip() or declared else None
    target, found = pack_submission(folder, inputs, output, manifest=manifest, overwrite=overwrite)
    _print(found)
    print(f"packed to {target}")


@app.command()
def check(
    submission: Annotated[Path, typer.Argument(help="NAME_N.tgz, or the folder NAME_N.")],
    inputs: Inputs,
    form: FormOption = Form.TEXT,
) -> None:
    """Check a submission against the inputs. Exit status 2 if it is invalid."""
    from madcat_studio.operations.submission import check_submission

    found = check_submission(submission, inputs)
    if form is Form.JSON:
        put(found)
    else:
        _print(found)
    if not found.valid:
        raise typer.Exit(UNUSABLE)


@app.command("hand-in")
def hand_in(
    submission: Annotated[Path, typer.Argument(help="NAME_N.tgz, as pack makes it.")],
    to: Annotated[Path, typer.Option("--into", metavar="DIR", help="The evaluator's drop folder.")],
) -> None:
    """Copy a submission to a drop folder, read it back, and give the message to send."""
    import sys

    from madcat_studio.model.characters import marked
    from madcat_studio.operations.submission import hand_in as hand

    handed = hand(submission, to)
    print(f"handed in and read back: {handed.target}", file=sys.stderr)
    print(marked(handed.message))


@app.command()
def receive(
    submission: Annotated[Path, typer.Argument(help="NAME_N.tgz.")],
    inputs: Inputs,
    into: Annotated[Path, typer.Option("--into", help="The folder where submissions are kept.")],
    deadline: Annotated[
        str | None,
        typer.Option(help="With a time zone, such as 2048-10-28T15:00:00-04:00."),
    ] = None,
    campaign: Annotated[
        str,
        typer.Option(help="The campaign whose calendar decides what is late: its folder or URL."),
    ] = "",
    track: Annotated[
        str, typer.Option(help="Which track's calendar; needed if their due dates differ.")
    ] = "",
) -> None:
    """Keep a submission with its time and digest; say which one counts."""
    from madcat_studio.model.declarations import missing
    from madcat_studio.operations.submission import counting, receive_submission, received

    try:
        limit = None if deadline is None else datetime.fromisoformat(deadline)
    except ValueError:
        raise UsageError(
            "submission.deadline",
            f"“{deadline}” is not a date and time",
            remedy="Write it like 2048-10-28T15:00:00-04:00",
        ) from None
    row, found = receive_submission(
        submission, inputs, into, deadline=limit, calendar=_calendar(campaign, track)
    )
    _print(found)
    print(f"received {row.received.isoformat()}{', late' if row.late else ''}: {into / row.file}")
    print(f"SHA-256 {row.sha256}")
    for name, counts in counting(received(into)).items():
        which = (
            f"{counts.name}_{counts.number}, received {counts.received.isoformat()}, counts"
            if counts is not None
            else "no submission counts: none was both valid and in time"
        )
        print(f"{name}: {which}")
        if counts is not None and (lacking := missing(counts.declared)):
            print(f"{name}: has not declared {', '.join(lacking)}")


def _calendar(campaign: str, track: str) -> Calendar:
    from madcat_studio.model.calendar import NO_CALENDAR

    if not campaign:
        if track:
            raise UsageError(
                "submission.track-alone",
                f"the track {track!r} has dates in a campaign's calendar, and none is named",
                remedy="Give --campaign too, or leave --track out",
            )
        return NO_CALENDAR
    from madcat_studio.operations.campaign.calendar import due_calendar

    return due_calendar(campaign, track)


def _declared(names: Sequence[str]) -> tuple[Declaration, ...]:
    from madcat_studio.model.declarations import Declaration

    if "all" in names:
        return tuple(Declaration)
    try:
        given = frozenset(map(Declaration, names))
    except ValueError as error:
        raise UsageError(
            "submission.declaration",
            f"there is no such rule to declare ({error})",
            remedy=f"There are: {', '.join(Declaration)}, or all",
        ) from None
    return tuple(one for one in Declaration if one in given)


def _print(found: Submission) -> None:
    from madcat_studio.model.declarations import missing

    for problem in found.problems:
        remedy = f". {problem.remedy}" if problem.remedy else ""
        print(f"{problem.severity.value:<8} {problem.where}: {problem.what}{remedy}")
    verdict = "valid" if found.valid else "invalid"
    files = f"{found.files} output{'s' * (found.files != 1)}"
    print(f"{found.name}: {files}, {verdict}")
    for one in missing(found.manifest.declared):
        print(f"not declared: {one.value} ({one.sentence})")
