"""``madcat-studio kit …``: kits as files, for editors without the network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from madcat_studio.cli.campaign import Where

__all__ = ["app"]

app = typer.Typer(
    name="kit",
    help="Give kits out as files (bundles), and take them back.",
    no_args_is_help=True,
)

_UNUSABLE = 2


@app.command()
def export(
    where: Where,
    editor: Annotated[str, typer.Argument(help="For whom.")],
    target: Annotated[Path, typer.Argument(help="The file to write, or a folder for it.")],
    kit: Annotated[str, typer.Option(help="The kit; by default the editor's next one.")] = "",
    team: Annotated[str, typer.Option(help="With --kit: the team.")] = "",
    pass_: Annotated[str, typer.Option("--pass", help="With --kit: first or review.")] = "first",
) -> None:
    """Claim a pass for an editor and write it as a file; it holds only what the editor may see."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations import kits

    if kit:
        tell(kits.export_kit(where, kit, team, pass_, editor, target))
    else:
        tell(kits.export_next(where, editor, target))


@app.command()
def show(file: Annotated[Path, typer.Argument(help="A bundle.")]) -> None:
    """Show what a bundle holds and how far it is."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations import kits

    tell(kits.describe_bundle(file))


@app.command("import")
def import_(
    where: Where, files: Annotated[list[Path], typer.Argument(help="Bundles that came back.")]
) -> None:
    """Take in what came of bundles; again adds nothing. Late work is kept aside, never refused."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations import kits

    with bar() as progress:
        outcome = kits.import_bundles(where, files, progress=progress)
    if not tell(outcome):
        raise typer.Exit(_UNUSABLE)
