"""``madcat-studio campaign due|away|back|rename|practice|…``: people and texts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from madcat_studio.cli.forms import Form, FormOption, put
from madcat_studio.cli.streams import READ

__all__ = ["COMMANDS", "away", "back", "due", "guidelines", "practice", "references", "rename"]

Where = Annotated[
    str,
    typer.Argument(
        metavar="CAMPAIGN", help="The campaign's folder, or postgresql://user@host/database."
    ),
]
Team = Annotated[str, typer.Argument(help="The team.")]


def due(
    where: Where,
    when: Annotated[
        str, typer.Argument(help="A day (its end), a moment such as 2048-03-01T17:00, or none.")
    ],
    kit: Annotated[
        list[str] | None, typer.Option(help="A kit; may be given several times. By default all.")
    ] = None,
    pass_: Annotated[
        list[str] | None,
        typer.Option("--pass", metavar="PASS", help="first or review. By default both."),
    ] = None,
) -> None:
    """Set when passes are due; `campaign status` and the board show what is late."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.cli.words import read_due, read_pass
    from madcat_studio.operations.people.passes import set_due

    moment = read_due(when)
    passes = [read_pass(name) for name in pass_ or ("first", "review")]
    tell(set_due(where, kit or (), moment, passes=passes))


def away(
    where: Where,
    team: Team,
    reason: Annotated[str, typer.Option(help="Why, for the audit trail.")] = "",
) -> None:
    """Mark a team as away: nothing new is planned for it."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.people import passes

    tell(passes.set_absent(where, team, reason=reason))


def back(where: Where, team: Team) -> None:
    """Mark a team as back."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.people import passes

    tell(passes.set_absent(where, team, absent=False))


def rename(
    where: Where,
    kind: Annotated[str, typer.Argument(help="editor, team or system.")],
    old: Annotated[str, typer.Argument(help="Its current name.")],
    new: Annotated[str, typer.Argument(help="Its new name.")] = "",
    full_name: Annotated[str | None, typer.Option(help="The editor's name in reports.")] = None,
) -> None:
    """Give an editor, a team or a system another name; the log keeps the old one."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.people import renaming

    tell(renaming.rename(where, kind, old, new, full_name=full_name))


def practice(
    where: Where,
    name: Annotated[str, typer.Option(help="The kit's name.")] = "PRACTICE",
    system: Annotated[str, typer.Option(help="The system whose output is edited.")] = "",
    page: Annotated[
        list[str] | None,
        typer.Option(metavar="BASE", help="A document; by default, development pages."),
    ] = None,
    words: Annotated[int, typer.Option(help="The least number of reference words.", min=1)] = 200,
) -> None:
    """Make a practice kit for all teams; it is never scored and is in no report."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.planning.practice import make_practice_kit

    tell(make_practice_kit(where, name, system=system, bases=tuple(page or ()), words=words))


def guidelines(
    where: Where,
    text: Annotated[
        Path | None,
        typer.Option("--new-file", help="A text file: the new version; - for standard input."),
        READ,
    ] = None,
    version: Annotated[int, typer.Option(help="Show this version; by default the last.")] = 0,
    form: FormOption = Form.TEXT,
) -> None:
    """Show the editors' guidelines, or set a new version before the first editor begins."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.errors import InputError
    from madcat_studio.operations.campaign import guidelines as operations

    if text is not None:
        tell(operations.set_guidelines(where, operations.read_text(text)))
        return
    found = operations.read_guidelines(where)
    if form is Form.JSON and (found or not version):
        put([one for one in found if version in {0, one.version}])
        return
    if not found:
        print("The campaign has no guidelines.")
        return
    chosen = [one for one in found if one.version == (version or found[-1].version)]
    if not chosen:
        raise InputError(
            "campaign.no-version",
            f"The guidelines have no version {version}",
            remedy=f"There are versions 1 to {found[-1].version}",
        )
    for one in found:
        print(f"Version {one.version}, {one.at:%Y-%m-%d %H:%M} UTC")
    print()
    print(chosen[0].text)


def references(
    where: Where,
    documents: Annotated[Path, typer.Argument(help="The folder of BASE.madcat.xml files.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Import the changed ones, all or none.")
    ] = False,
    form: FormOption = Form.TEXT,
) -> None:
    """Find references that have changed since they were imported, and show what follows."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.campaign import references as operations
    from madcat_studio.operations.user import who

    with bar() as progress:
        found = operations.changed_references(where, documents, progress=progress)
    if form is Form.JSON:
        done = replace and found
        taken = operations.replace_references(where, found, by=who()) if done else None
        put({"changed": found, "taken_in": taken})
        return
    if not found:
        print("Every reference is as the campaign has it.")
        return
    for one in found:
        print(f"{one.base} changed:")
        for line in one.differences:
            print(f"  different: {line}")
        for line in one.consequences:
            print(f"  then: {line}")
        if one.refusal:
            print(f"  cannot be taken in: {one.refusal}")
    if replace:
        tell(operations.replace_references(where, found, by=who()))
    else:
        print("Nothing was written; --replace takes them in.")


COMMANDS = (
    ("due", due),
    ("away", away),
    ("back", back),
    ("rename", rename),
    ("practice", practice),
    ("guidelines", guidelines),
    ("references", references),
)
"""Name and command, in the order of the help page."""
