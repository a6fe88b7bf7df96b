"""``madcat-studio kit …``: kits as files, for editors without the network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from madcat_studio.cli.campaign import Where
from madcat_studio.cli.forms import Form, FormOption
from madcat_studio.cli.passphrase import PassphraseFile
from madcat_studio.cli.window import open_window

__all__ = ["app"]

app = typer.Typer(
    name="kit",
    help="Give kits out as files (bundles), work in them, and import them again.",
    no_args_is_help=True,
)

_UNUSABLE = 2

File = Annotated[Path, typer.Argument(help="A bundle.")]


@app.command()
def export(
    where: Where,
    editor: Annotated[str, typer.Argument(help="The editor it is for.")],
    target: Annotated[str, typer.Argument(help="The file to write, or a folder for it.")],
    kit: Annotated[str, typer.Option(help="The kit; by default the editor's next one.")] = "",
    team: Annotated[str, typer.Option(help="With --kit: the team.")] = "",
    pass_: Annotated[str, typer.Option("--pass", help="With --kit: first or review.")] = "first",
    lock: Annotated[bool, typer.Option("--lock", help="Lock it with a passphrase.")] = False,
    passphrase_file: PassphraseFile = None,
) -> None:
    """Claim a pass for an editor and write it as a file with only what the editor may see."""
    from madcat_studio.cli.passphrase import new_passphrase
    from madcat_studio.cli.places import written_to
    from madcat_studio.cli.tell import tell
    from madcat_studio.cli.words import read_pass
    from madcat_studio.operations.campaign import kit_files

    passphrase = new_passphrase(passphrase_file, wanted=lock)
    with written_to(target) as place:
        if kit:
            which = (kit, team, read_pass(pass_), editor)
            outcome = kit_files.export_kit(where, *which, place, passphrase=passphrase)
        else:
            outcome = kit_files.export_next(where, editor, place, passphrase=passphrase)
    tell(outcome)


@app.command("call-back")
def call_back(
    where: Where,
    kit: Annotated[str, typer.Argument(help="The kit.")],
    team: Annotated[str, typer.Argument(help="The team.")],
    pass_: Annotated[str, typer.Argument(metavar="PASS", help="first or review.")],
) -> None:
    """Call back a kit that is out as a file; whatever still comes from the file is kept aside."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.cli.words import read_pass
    from madcat_studio.operations.campaign import kit_files

    tell(kit_files.call_back(where, kit, team, read_pass(pass_)))


@app.command("open")
def open_(context: typer.Context, file: File) -> None:
    """Open a kit's file in the window, to work in it."""
    open_window(context, str(file))


@app.command()
def show(file: File, passphrase_file: PassphraseFile = None, form: FormOption = Form.TEXT) -> None:
    """Show what a bundle contains and how far it is."""
    from madcat_studio.cli.passphrase import asking
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.campaign import kit_files

    tell(kit_files.describe_bundle(file, ask=asking(passphrase_file)), form)


@app.command("return")
def return_(
    file: File,
    target: Annotated[str, typer.Argument(help="The file to send, or a folder for it.")],
    finish: Annotated[
        bool, typer.Option("--finish", help="Hand the pass over; every segment must be confirmed.")
    ] = False,
    passphrase_file: PassphraseFile = None,
) -> None:
    """Write the file to send back: everything that was typed, without the scans."""
    from madcat_studio.cli.passphrase import asking
    from madcat_studio.cli.places import written_to
    from madcat_studio.operations.checked import counted
    from madcat_studio.workspace.bundle import return_bundle

    with written_to(target) as place:
        sent = return_bundle(file, place, finish=finish, ask=asking(passphrase_file))
    finished = "finished" if sent.finished else "not finished"
    log = counted(sent.visits, "visit")
    print(f"{sent.path}: {counted(sent.texts, 'text')}, {log} of the log, {finished}")


@app.command("import")
def import_(
    where: Where,
    files: Annotated[list[Path], typer.Argument(help="Bundles that came back.")],
    passphrase_file: PassphraseFile = None,
) -> None:
    """Import bundles that came back; twice adds nothing. Late work is kept aside, never refused."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.cli.passphrase import asking
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.campaign import kit_files

    with bar() as progress:
        outcome = kit_files.import_bundles(
            where, files, ask=asking(passphrase_file), progress=progress
        )
    if not tell(outcome):
        raise typer.Exit(_UNUSABLE)
