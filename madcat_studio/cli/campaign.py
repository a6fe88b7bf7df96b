"""``madcat-studio campaign …``: set a campaign up, fill it, see how it stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from madcat_studio.cli.address import ask_password
from madcat_studio.cli.streams import Stream
from madcat_studio.errors import UsageError

if TYPE_CHECKING:
    from madcat_studio.store import OptionValue

__all__ = ["app"]

app = typer.Typer(
    name="campaign",
    help="Make a campaign, fill it, and follow it.",
    no_args_is_help=True,
)

Where = Annotated[
    str,
    typer.Argument(
        metavar="CAMPAIGN",
        help="The campaign's folder, or postgresql://user@host/database.",
        callback=ask_password,
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", metavar="NAME=VALUE", help="Set an option; may be given several times."
    ),
]


@app.command()
def create(
    where: Where,
    documents: Annotated[Path, typer.Option(help="The folder of BASE.madcat.xml files.")],
    corpus: Annotated[
        Path | None,
        typer.Option(help="The table corpus.tsv; by default made from the file names."),
    ] = None,
    images: Annotated[Path | None, typer.Option(help="The folder of the pages' images.")] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=FOLDER", help="A system and its outputs; may be given several times."
        ),
    ] = None,
    teams: Annotated[Path | None, typer.Option(help="The table teams.tsv.")] = None,
    earlier: Annotated[Path | None, typer.Option(help="The folder of an earlier phase.")] = None,
    earlier_images: Annotated[
        Path | None, typer.Option(help="The folder of its pages' images.")
    ] = None,
    standoff: Annotated[Path | None, typer.Option(help="The file of scribe errors.")] = None,
    conditions: Annotated[Path | None, typer.Option(help="writing_conditions.tab.")] = None,
    sequestered: Annotated[
        Path | None,
        typer.Option(help="A list of passages, one per line, for the progress set only."),
    ] = None,
    training_scribes: Annotated[
        Path | None,
        typer.Option(help="A list of the scribes of training data: whose hand is exposed."),
    ] = None,
    guidelines: Annotated[Path | None, typer.Option(help="A text file for the editors.")] = None,
    name: Annotated[str, typer.Option(help="The campaign's name.")] = "",
    option: Options = None,
    lock: Annotated[
        bool,
        typer.Option(
            "--lock",
            help="Lock the coordinator's rooms with a passphrase: from --coordinator-file, "
            "from the environment, or typed twice.",
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check everything and report it, but write nothing.")
    ] = False,
) -> None:
    """Make a campaign from references and images; when run again, add what is new."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.cli.coordinator import given_passphrase, new_passphrase_of_rooms
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.campaign.setup import SetUp, examine_setup, write_setup
    from madcat_studio.operations.checked import Outcome

    setup = SetUp(
        documents,
        outputs=tuple(_system(text) for text in system or ()),
        images=images,
        corpus=corpus,
        standoff=standoff,
        conditions=conditions,
        sequestered=sequestered,
        training_scribes=training_scribes,
        guidelines=guidelines,
        teams=teams,
        earlier=earlier,
        earlier_images=earlier_images,
        name=name,
        options=_options(option or []),
    )
    passphrase = new_passphrase_of_rooms(None, given_passphrase()) if lock else ""
    with bar() as progress:
        examined = examine_setup(setup, where=where, progress=progress)
        if not dry_run:
            outcome = write_setup(where, examined, passphrase=passphrase, progress=progress)
    if dry_run:
        tell(Outcome((*examined.sentences(), "Nothing was written."), examined.problems))
        if not examined.sound:
            raise typer.Exit(2)
        return
    tell(outcome)


@app.command()
def corpus(
    documents: Annotated[Path, typer.Argument(help="The folder of BASE.madcat.xml files.")],
    out: Annotated[
        Path,
        typer.Argument(help="The table to write; - for standard output."),
        Stream(".tsv", written=True),
    ],
    sequestered: Annotated[
        Path | None, typer.Option(help="A list of passages for the progress set, one per line.")
    ] = None,
    training_scribes: Annotated[
        Path | None, typer.Option(help="A list of the scribes of training data, one per line.")
    ] = None,
) -> None:
    """Write the corpus table that follows from the file names, to check and correct."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.corpus.from_names import write_corpus

    tell(write_corpus(documents, out, training_scribes=training_scribes, sequestered=sequestered))


@app.command("add-system")
def add_system(
    where: Where,
    name: Annotated[str, typer.Argument(help="The system's name; editors never see it.")],
    outputs: Annotated[Path, typer.Argument(help="The folder of its *.linesys.madcat.xml files.")],
    code: Annotated[
        str, typer.Option(help="Its short name in tables; editors do not see it.")
    ] = "",
    earlier: Annotated[
        bool,
        typer.Option("--control", help="The output is from an earlier phase, for the control set."),
    ] = False,
) -> None:
    """Add a system with its outputs."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.campaign import filling as operations

    with bar() as progress:
        outcome = operations.add_system(
            where, name=name, outputs=outputs, code=code, earlier=earlier, progress=progress
        )
    tell(outcome)


@app.command("add-earlier")
def add_earlier(
    where: Where,
    folder: Annotated[
        Path,
        typer.Argument(help="Its folder: corpus.tsv, reference, systems, finals.tsv, hter.tsv."),
    ],
    images: Annotated[Path | None, typer.Option(help="The folder of the pages' images.")] = None,
) -> None:
    """Add an earlier phase, for the control and progress sets."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.campaign import earlier as operations

    with bar() as progress:
        outcome = operations.add_earlier(where, folder, images=images, progress=progress)
    tell(outcome)


@app.command()
def plan(
    where: Where,
    teams: Annotated[Path | None, typer.Option(help="The table teams.tsv.")] = None,
    kits: Annotated[Path | None, typer.Option(help="The table kits.tsv.")] = None,
    assignments: Annotated[Path | None, typer.Option(help="The table assignments.tsv.")] = None,
    practice: Annotated[
        list[str] | None, typer.Option(help="A kit for practice, which is never scored.")
    ] = None,
) -> None:
    """Import teams, kits and who edits what."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.planning import tables as operations

    if teams is None and kits is None and assignments is None:
        raise UsageError(
            "campaign.no-table",
            "No table was named",
            remedy="Name one or more with --teams, --kits, --assignments",
        )
    with bar() as progress:
        outcome = operations.import_plan(
            where,
            teams=teams,
            kits=kits,
            assignments=assignments,
            practice=frozenset(practice or ()),
            progress=progress,
        )
    tell(outcome)


@app.command("import-edits")
def import_edits(
    where: Where,
    table: Annotated[
        Path,
        typer.Argument(help="The table edits.tsv; - for standard input."),
        Stream(".tsv"),
    ],
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace existing texts by those of the table.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what it would change, and write nothing.")
    ] = False,
) -> None:
    """Import the teams' texts; passes with every segment confirmed are handed over."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.campaign import edits_table as operations

    with bar() as progress:
        outcome = operations.import_edits(
            where, table, replace_texts=replace, dry_run=dry_run, progress=progress
        )
    tell(outcome)


@app.command("export-edits")
def export_edits(
    where: Where,
    table: Annotated[
        Path,
        typer.Argument(help="The table to write; - for standard output."),
        Stream(".tsv", written=True),
    ],
    finished: Annotated[
        bool, typer.Option("--finished", help="Only passes that are handed over.")
    ] = False,
) -> None:
    """Write the latest text of every segment in every pass as a table."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.campaign import edits_table as operations

    tell(operations.export_edits(where, table, finished_only=finished))


@app.command("set")
def set_option(
    where: Where,
    options: Annotated[list[str], typer.Argument(metavar="NAME=VALUE", help="Options to set.")],
) -> None:
    """Set options, until the first editor begins."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.campaign import filling as operations

    tell(operations.set_options(where, _options(options)))


@app.command()
def release(
    where: Where,
    kit: Annotated[str, typer.Argument(help="The kit.")],
    team: Annotated[str, typer.Argument(help="The team.")],
    pass_: Annotated[str, typer.Argument(metavar="PASS", help="first or review.")],
    reason: Annotated[str, typer.Option(help="Why, for the audit trail.")] = "",
) -> None:
    """End an editor's claim on a pass; what was written stays."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.cli.words import read_pass
    from madcat_studio.operations.people import passes

    tell(passes.release(where, kit, team, read_pass(pass_), reason=reason))


@app.command("replace-editor")
def replace_editor(
    where: Where,
    kit: Annotated[str, typer.Argument(help="The kit.")],
    team: Annotated[str, typer.Argument(help="The team.")],
    pass_: Annotated[str, typer.Argument(metavar="PASS", help="first or review.")],
    editor: Annotated[str, typer.Argument(help="Who takes the pass over.")],
    reason: Annotated[str, typer.Option(help="Why, for the audit trail.")] = "",
) -> None:
    """Give a pass to another editor of the team; each editor's share keeps its name."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.cli.words import read_pass
    from madcat_studio.operations.people import passes

    tell(passes.replace_editor(where, kit, team, read_pass(pass_), editor, reason=reason))


@app.command()
def passphrase(
    where: Where,
    new_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A file whose first line is the new passphrase; - reads it from the standard "
            "input. Without it you are asked.",
        ),
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Open the rooms to everybody again.")
    ] = False,
    reset: Annotated[
        bool,
        typer.Option(
            "--reset",
            help="Set a new one although the old one is lost. Anybody who can write to the "
            "folder can do this; the audit trail records it.",
        ),
    ] = False,
) -> None:
    """Set or change the passphrase that opens the coordinator's rooms of a campaign in a folder."""
    from madcat_studio.cli.coordinator import new_passphrase_of_rooms
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.campaign import rooms

    rooms.check_folder(where)
    new = "" if remove else new_passphrase_of_rooms(new_file)
    tell(rooms.set_passphrase(where, new, reset=reset))


@app.command()
def migrate(where: Where) -> None:
    """Bring the tables of an older campaign up to date; a folder's database is copied first."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.campaign import copies

    tell(copies.migrate(where))


@app.command()
def copy(
    where: Where,
    target: Annotated[
        str,
        typer.Argument(
            help="An empty folder, or the URL of an empty database.", callback=ask_password
        ),
    ],
) -> None:
    """Copy a campaign to another place, such as from a folder to a server or back."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.campaign import copies

    with bar() as progress:
        outcome = copies.copy(where, target, progress=progress)
    tell(outcome)


def _system(text: str) -> tuple[str, Path]:
    """NAME=FOLDER taken apart.

    Raises:
        UsageError: there is no equals sign.
    """
    name, equals, folder = text.partition("=")
    if not equals or not folder.strip():
        raise UsageError(
            "campaign.system", f"{text!r} does not name a system", remedy="Write NAME=FOLDER"
        )
    return name.strip(), Path(folder)


def _options(texts: list[str]) -> dict[str, OptionValue]:
    """NAME=VALUE with true, false, none and numbers understood.

    Raises:
        UsageError: there is no equals sign.
    """
    words: dict[str, OptionValue] = {"true": True, "false": False, "none": None}
    found: dict[str, OptionValue] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(
                "campaign.option", f"{text!r} does not set an option", remedy="Write NAME=VALUE"
            )
        word = value.strip()
        if word.lower() in words:
            found[name.strip()] = words[word.lower()]
        else:
            try:
                found[name.strip()] = int(word)
            except ValueError:
                found[name.strip()] = word
    return found
