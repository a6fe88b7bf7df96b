"""``madcat-studio campaign hands``: scribes compared on the same passages."""

from __future__ import annotations

from typing import Annotated

import typer

from madcat_studio.cli.forms import Form, FormOption, put, table_rows

__all__ = ["hands"]


def hands(
    where: Annotated[
        str,
        typer.Argument(
            metavar="CAMPAIGN", help="The campaign's folder, or postgresql://user@host/database."
        ),
    ],
    track: Annotated[
        str | None, typer.Option(help="Which track; needed if there are several.")
    ] = None,
    form: FormOption = Form.TEXT,
) -> None:
    """Compare scribes on the passages they share: the effect of the hand on HTER."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.scores.hands import hands_table
    from madcat_studio.reports.terminal import print_table

    with bar() as progress:
        table = hands_table(where, track=track, progress=progress)
    if form is Form.JSON:
        put(table_rows(table))
        return
    if not table.count():
        print("No two scribes have copied one passage that is scored.")
        return
    print_table(table)
    print(table.note)
