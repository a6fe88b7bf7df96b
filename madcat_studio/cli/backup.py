"""``backup`` and ``restore``, of ``campaign`` and of ``server``: a campaign as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from madcat_studio.cli.campaign import Where

__all__ = ["backup", "restore"]


def backup(
    where: Where,
    target: Annotated[str, typer.Argument(help="The file to write, or a folder for it.")],
) -> None:
    """Write the whole campaign into one file, and verify it; nobody has to stop working."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.cli.places import written_to
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.campaign import backup as operations

    with written_to(target) as place, bar() as progress:
        outcome = operations.back_up(where, place, progress=progress)
    tell(outcome)


def restore(
    file: Annotated[Path, typer.Argument(help="A backup.")],
    target: Annotated[
        str,
        typer.Argument(
            metavar="CAMPAIGN", help="A folder without a campaign, or the URL of an empty database."
        ),
    ],
) -> None:
    """Restore a campaign from a backup, with every text and identifier; never over another one."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations.campaign import backup as operations

    with bar() as progress:
        outcome = operations.restore(file, target, progress=progress)
    tell(outcome)
