"""``madcat-studio queue …``: who works on which page, kept in a folder beside the pages."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.cli.forms import Form, FormOption, put

if TYPE_CHECKING:
    from madcat_studio.model.pagework import PageWork

__all__ = ["app"]

app = typer.Typer(
    name="queue",
    help="Share pages among annotators: claim, finish, check, release. Kept beside the XML.",
    no_args_is_help=True,
)


class State(StrEnum):
    """How far a page is."""

    OPEN = "open"
    IN_WORK = "in work"
    DONE = "done"
    IN_CHECK = "in check"
    CHECKED = "checked"
    RELEASED = "released"


class Format(StrEnum):
    """How ``list`` prints."""

    TABLE = "table"
    JSON = "json"


Folder = Annotated[Path, typer.Argument(help="The folder that holds the pages.")]
Page = Annotated[Path, typer.Argument(help="A page: a file in MADCAT, PAGE XML or ALTO.")]
As = Annotated[str, typer.Option("--as", help="Who you are; by default your login.")]


@app.command("list")
def list_(
    folder: Folder,
    state: Annotated[State | None, typer.Option(help="Only pages in this state.")] = None,
    person: Annotated[str, typer.Option(help="Only pages that this person has or had.")] = "",
    output: Annotated[Format, typer.Option("--format", help="A table, or JSON.")] = Format.TABLE,
) -> None:
    """Show every page with its state and who has it."""
    from madcat_studio.operations.checked import counted
    from madcat_studio.operations.pages.page_queue import list_work

    found = [
        work
        for work in list_work(folder)
        if (state is None or work.state == state.value)
        and (not person or person in (work.holder, work.worker, work.checker))
    ]
    if output is Format.JSON:
        import json

        print(json.dumps([_plain(work) for work in found], ensure_ascii=False, indent=1))
        return
    from rich.table import Table

    from madcat_studio.reports import terminal

    table = Table(box=None)
    for column in ("page", "state", "has it", "did it", "checked it", "since (UTC)", "note"):
        table.add_column(column, overflow="fold")
    for work in found:
        since = f"{work.since:%Y-%m-%d %H:%M}" if work.since is not None else ""
        row = (work.page, work.state, work.holder, work.worker, work.checker, since, work.note)
        table.add_row(*row)
    console = terminal.console()
    console.print(table)
    counts = {each: sum(work.state == each.value for work in found) for each in State}
    told = ", ".join(f"{count} {each.value}" for each, count in counts.items() if count)
    print(counted(len(found), "page") + (f": {told}" if told else ""))


@app.command("next")
def next_(
    folder: Folder,
    who: As = "",
    check: Annotated[bool, typer.Option("--check", help="A page for its second check.")] = False,
) -> None:
    """Claim the next available page, and print its file name."""
    from madcat_studio.operations.pages.folder import page_file
    from madcat_studio.operations.pages.page_queue import claim_next, me

    work = claim_next(folder, who or me(), check=check)
    print(page_file(folder, work.page))


@app.command()
def claim(
    page: Page,
    who: As = "",
    take_over: Annotated[
        bool, typer.Option("--take-over", help="Take it even from somebody who has it.")
    ] = False,
) -> None:
    """Take a page to work on, or a finished one for its second check."""
    from madcat_studio.operations.pages import page_queue

    _tell(page_queue.claim(page, who or page_queue.me(), take_over=take_over))


@app.command()
def finish(page: Page, who: As = "") -> None:
    """Mark the work on a page, or its second check, as done."""
    from madcat_studio.operations.pages import page_queue

    _tell(page_queue.finish(page, who or page_queue.me()))


@app.command("give-back")
def give_back(
    page: Page,
    who: As = "",
    force: Annotated[bool, typer.Option("--force", help="Even somebody else's.")] = False,
) -> None:
    """Give a page back unfinished."""
    from madcat_studio.operations.pages import page_queue

    _tell(page_queue.give_back(page, who or page_queue.me(), force=force))


@app.command()
def reopen(page: Page, who: As = "") -> None:
    """Take a finished or released page back into work."""
    from madcat_studio.operations.pages import page_queue

    _tell(page_queue.reopen(page, who or page_queue.me()))


@app.command()
def release(
    pages: Annotated[list[Path], typer.Argument(help="Pages: files in MADCAT, PAGE XML or ALTO.")],
    who: As = "",
    unchecked: Annotated[
        bool, typer.Option("--unchecked", help="Even without a second check.")
    ] = False,
) -> None:
    """Freeze pages that are given out, so that nobody can edit them any more."""
    from madcat_studio.operations.pages import page_queue

    for page in pages:
        _tell(page_queue.release(page, who or page_queue.me(), unchecked=unchecked))


@app.command()
def note(
    page: Page,
    text: Annotated[str, typer.Argument(help="The note; empty to remove it.")],
    who: As = "",
) -> None:
    """Write a note on a page."""
    from madcat_studio.operations.pages import page_queue

    _tell(page_queue.set_note(page, who or page_queue.me(), text))


@app.command()
def history(page: Page, form: FormOption = Form.TEXT) -> None:
    """Show every step of a page."""
    from madcat_studio.operations.pages import page_queue

    steps = page_queue.history(page)
    if form is Form.JSON:
        put(steps)
        return
    for work in steps:
        when = f"{work.at:%Y-%m-%d %H:%M:%S}" if work.at is not None else ""
        said = f": {work.note}" if work.step == "note" else ""
        print(f"{when}  {work.by}@{work.machine}  {work.step} -> {work.state}{said}")


@app.command()
def pace(
    folder: Folder,
    longest: Annotated[
        float, typer.Option(min=0.1, help="In hours; pages held for longer are left out.")
    ] = 4.0,
    output: Annotated[Format, typer.Option("--format", help="Tables, or JSON.")] = Format.TABLE,
) -> None:
    """Show pages an hour, by person and by kind of page, from claiming to finishing."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.pages.pace import folder_pace

    with bar() as progress:
        found = folder_pace(folder, longest=longest, progress=progress)
    if output is Format.JSON:
        from madcat_studio.cli.forms import put

        put(
            {
                "longest_hours": found.longest,
                "by_person": found.by_person,
                "by_kind": found.by_kind,
                "pages": found.done,
            }
        )
        return
    from rich.table import Table

    from madcat_studio.operations.checked import counted
    from madcat_studio.reports import terminal

    console = terminal.console()
    for title, rows in (("person", found.by_person), ("kind of page", found.by_kind)):
        table = Table(box=None)
        table.add_column(title, overflow="fold")
        table.add_column("task")
        for column in ("pages", "hours", "pages an hour", "minutes a page", "left out"):
            table.add_column(column, justify="right")
        for row in rows:
            rate = "" if row.per_hour is None else f"{row.per_hour:.1f}"
            minutes = "" if row.median_minutes is None else f"{row.median_minutes:.0f}"
            left = str(row.left_out or "")
            table.add_row(
                row.name, row.task, str(row.pages), f"{row.hours:.1f}", rate, minutes, left
            )
        console.print(table)
    left_out = sum(row.left_out for row in found.by_person)
    said = f"{counted(len(found.done), 'page')} finished"
    print(
        said + (f", {left_out} left out: held for more than {longest:g} hours" if left_out else "")
    )


def _tell(work: PageWork) -> None:
    has = f", {work.holder} has it" if work.holder else ""
    print(f"{work.page}: {work.state}{has}")


def _plain(work: PageWork) -> dict[str, object]:
    from dataclasses import asdict

    times = {
        name: time.isoformat() if time is not None else None
        for name, time in (("since", work.since), ("at", work.at))
    }
    return {**asdict(work), "state": work.state.value, **times}
