"""``madcat-studio campaign status|overlap|agreement|log|flags``: how a campaign stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from madcat_studio.cli.forms import Form, FormOption, plain, put, table_rows
from madcat_studio.operations.checked import counted

if TYPE_CHECKING:
    from rich.table import Table

    from madcat_studio.operations.campaign.board import Board
    from madcat_studio.reports.table import Table as ReportTable

__all__ = ["COMMANDS", "agreement", "flags", "log", "overlap", "status"]

Where = Annotated[
    str,
    typer.Argument(
        metavar="CAMPAIGN", help="The campaign's folder, or postgresql://user@host/database."
    ),
]


def status(where: Where, form: FormOption = Form.TEXT) -> None:
    """Show what a campaign contains, how far its kits are, and how long the rest will take."""
    if form is Form.JSON:
        put(_status(where))
        return
    from datetime import UTC, datetime

    from madcat_studio.model.campaign import PassState
    from madcat_studio.operations.campaign.calendar import countdowns
    from madcat_studio.operations.campaign.rooms import NO_PASSPHRASE, Rooms
    from madcat_studio.operations.campaign.standing import read_glance
    from madcat_studio.operations.scores.drift import told
    from madcat_studio.reports.terminal import print_table

    glance = read_glance(where)
    found, board = glance.status, glance.board
    print(f"Campaign {found.name} ({found.where})")
    if found.documents is not None:
        there = ((found.documents, "document"), (found.kits, "kit"), (len(found.teams), "team"))
        print(", ".join(counted(number, noun) for number, noun in there))
    else:
        teams = ", ".join(team.name for team in found.teams)
        print(f"For {found.editor} of team {teams}: {counted(found.kits, 'kit')}")
    for said in countdowns(board.calendars, datetime.now(UTC)):
        print(f"Calendar: {said}")
    for system in found.systems or ():
        print(f"System {system.name}, code {system.code}" + (", earlier" * system.earlier))
    for name, value in found.options.items():
        print(f"Option {name} = {value}")
    if found.rooms is Rooms.OPEN:
        print(NO_PASSPHRASE + ".")
    for sentence in found.left_out:
        print(f"{sentence}.")
    if found.frozen:
        print("Editing has begun; options are frozen.")
    else:
        who = "" if found.frozen is False else " of your teams' passes"
        print(f"Nothing{who} is claimed yet.")
    if found.absent:
        print(f"Away: {', '.join(found.absent)}")
    if found.unassigned:
        print(f"Kits without teams: {', '.join(found.unassigned)}")
    if not found.progress:
        return
    for state in PassState:
        passes = [one for one in found.progress if one.state is state]
        if passes:
            left = sum(one.words - one.words_confirmed for one in passes)
            to_do = f", {counted(left, 'word')} left" if left else ""
            print(f"{counted(len(passes), 'pass', 'passes')} {state.value}{to_do}")
    hours = glance.hours
    pace = "" if hours is None else f": about {hours:.1f} hours of editing at the pace so far"
    print(f"{counted(board.words_left, 'word')} to edit or review in kits that are scored{pace}")
    for alarm in glance.alarms or ():
        print(f"{told(alarm)}.")
    for kind, stuck in (
        ("Stalled", [one for one in board.passes if one.stalled]),
        ("Late", list(board.late)),
    ):
        for one in stuck:
            since = f", last text {one.last:%m-%d %H:%M}" if one.last else ""
            due = f", due {one.due:%m-%d %H:%M}" if one.due else ""
            own = one.progress
            print(f"{kind}: kit {own.kit}, team {own.team}, {own.pass_} pass, "
                  f"{own.editor or 'nobody yet'}{since}{due} UTC")  # fmt: skip
    print()
    print_table(_passes(board))


def _passes(board: Board) -> ReportTable:
    """The table of all passes."""
    from madcat_studio.reports.table import Column
    from madcat_studio.reports.table import Table as ReportTable

    titles = ("kit", "team", "pass", "editor", "state", "segments", "words", "since (UTC)",
              "due (UTC)")  # fmt: skip
    rows = [
        (
            one.progress.kit
            + (" (practice)" if row.practice else "")
            + (f" · {row.track or 'no track'}" if len(board.tracks) > 1 else ""),
            one.progress.team,
            one.progress.pass_.value,
            one.progress.editor or "any",
            one.progress.state.value,
            f"{one.progress.confirmed}/{one.progress.segments}"
            + (f" +{one.progress.drafts} drafts" * bool(one.progress.drafts)),
            f"{one.progress.words_confirmed}/{one.progress.words}",
            "" if one.progress.since is None else f"{one.progress.since:%m-%d %H:%M}",
            "" if one.due is None else f"{one.due:%m-%d %H:%M}",
        )
        for row in board.rows
        for one in (row.first, row.review)
    ]
    return ReportTable("passes", "Passes", tuple(Column(one, one) for one in titles), rows)


def _status(where: str) -> dict[str, Any]:
    """The same for a script: every pass with its counts, and what is late, stalled or drifts."""
    from madcat_studio.operations.campaign.standing import read_glance

    glance = read_glance(where)
    found, board = plain(glance.status), glance.board
    del found["progress"]
    return {
        **found,
        "at": board.at.isoformat(),
        "words_left": board.words_left,
        "hours_left": glance.hours,
        "alarms": None
        if glance.alarms is None
        else [
            {"team": one.team, "difference": one.difference, **plain(one.interval)}
            for one in glance.alarms
        ],
        "passes": [
            {**plain(one.progress), "last": plain(one.last), "due": plain(one.due),
             "late": one.late, "stalled": one.stalled}
            for one in board.passes
        ],
    }  # fmt: skip


def overlap(where: Where, form: FormOption = Form.TEXT) -> None:
    """Show how many kits each pair of teams shares, and how many of them both have finished."""
    from rich.table import Table

    from madcat_studio.operations.campaign.follow import read_overlap

    found = read_overlap(where)
    if form is Form.JSON:
        put(found)
        return
    table = Table("kits (both final)", *found.teams)
    for row, team in enumerate(found.teams):
        table.add_row(
            team,
            *(
                f"{found.kits[row][column]} ({found.finished[row][column]})"
                for column in range(len(found.teams))
            ),
        )
    _print(table)
    if not found.connected:
        print("Not every team is compared with every other.")


def agreement(
    where: Where,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="A folder for both tables as CSV, with the raw one segment by segment.",
        ),
    ] = None,
    form: FormOption = Form.TEXT,
) -> None:
    """Show how far teams agree on the kits that both have finished."""
    from rich.table import Table

    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.campaign.follow import read_agreement, write_agreement

    with bar() as progress:
        found = read_agreement(where, progress=progress)
    if form is Form.JSON:
        put(
            {
                "segments": found.segments,
                "compared": found.compared,
                "teams": table_rows(found.summary),
                "files": () if out is None else write_agreement(found, out),
            }
        )
        return
    print(f"{found.compared} of {found.segments} segments have two final texts")
    columns = found.summary.columns
    table = Table(*(column.title for column in columns))
    for row in found.summary.rows:
        table.add_row(*(column.kind.shown(cell) for cell, column in zip(row, columns, strict=True)))
    if table.row_count:
        _print(table)
    if out is not None:
        for path in write_agreement(found, out):
            print(path)


def log(
    where: Where,
    count: Annotated[int, typer.Option(help="How many entries.", min=1)] = 50,
    person: Annotated[str, typer.Option(help="Only what this person did.")] = "",
    about: Annotated[
        str, typer.Option(help="Only entries with these words, such as 'kit K3'.")
    ] = "",
    form: FormOption = Form.TEXT,
) -> None:
    """Show who did what to the campaign, newest first."""
    from madcat_studio.operations.campaign import trail

    if form is Form.JSON:
        put(trail.audit_trail(where, count, by=person, about=about))
        return
    for entry in trail.audit_trail(where, count, by=person, about=about):
        person = entry.who + (f" on {entry.machine}" if entry.machine else "")
        print(
            f"{entry.at:%Y-%m-%d %H:%M:%S} UTC  {entry.action}  {entry.subject}"
            + (f"  ({entry.detail})" if entry.detail else "")
            + (f"  by {person}" if person else "")
        )


def flags(where: Where, form: FormOption = Form.TEXT) -> None:
    """Show how editors flagged segments: proposed scribe errors, unreadable ones, notes."""
    from madcat_studio.operations.campaign import trail

    found = trail.flags(where)
    if form is Form.JSON:
        put(found)
        return
    for one in found:
        print(
            f"kit {one.kit}, team {one.team}, {one.pass_} pass, {one.segment}: {one.flag}"
            + (f" ({one.words})" if one.words else "")
            + f", by {one.editor}"
        )


def _print(table: Table) -> None:
    from madcat_studio.reports import terminal

    console = terminal.console()
    # A file or a pipe has no width of its own; nothing may be cut off there.
    (console if console.is_terminal else terminal.console(width=200)).print(table)


COMMANDS = (
    ("status", status),
    ("overlap", overlap),
    ("agreement", agreement),
    ("log", log),
    ("flags", flags),
)
"""Name and command, in the order of the help page."""
