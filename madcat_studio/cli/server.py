"""``madcat-studio server …``: a database server for a campaign, and its editors' logins."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from madcat_studio.cli.address import ask_password
from madcat_studio.cli.forms import Form, FormOption, put

__all__ = ["app"]

app = typer.Typer(
    name="server",
    help="Set up a database server for a campaign, give editors logins, and check it.",
    no_args_is_help=True,
)
user = typer.Typer(
    name="user", help="Logins of editors: make, change, withdraw, list.", no_args_is_help=True
)
app.add_typer(user)

_UNUSABLE = 2

Address = Annotated[
    str,
    typer.Argument(
        metavar="ADDRESS", help="postgresql://user@host:port/database", callback=ask_password
    ),
]
Editor = Annotated[str, typer.Argument(help="The editor's id in the campaign.")]
Generate = Annotated[
    bool, typer.Option("--generate", help="Let the program make the password and show it.")
]


def _ask(whom: str) -> str:
    """A password from the keyboard, twice and unseen, or a line of the input; never an argument."""
    import sys

    if sys.stdin.isatty():
        return str(
            typer.prompt(
                f"New password of {whom}", hide_input=True, confirmation_prompt="Once more"
            )
        )
    return sys.stdin.readline().rstrip("\r\n")


@app.command()
def init(
    where: Address,
    coordinator: Annotated[
        str, typer.Option(help="The role that will own the database.")
    ] = "coordinator",
) -> None:
    """Prepare a database: made if missing, owned by the coordinator, closed to others.

    Run it as a superuser the first time. When run again, it sets all rights again.
    """
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations import server

    tell(server.prepare(where, coordinator, _ask))


@app.command()
def check(where: Address, form: FormOption = Form.TEXT) -> None:
    """Check versions, encryption, rights and clock. Exit status 2 if something is wrong."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations import server

    if not tell(server.check(where), form):
        raise typer.Exit(_UNUSABLE)


@user.command()
def add(
    where: Address,
    editors: Annotated[
        list[str] | None, typer.Argument(help="Ids of editors in the campaign.")
    ] = None,
    everybody: Annotated[
        bool, typer.Option("--all", help="All editors that have no login yet.")
    ] = False,
    generate: Generate = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="With --generate: a new file for addresses and passwords."
        ),
    ] = None,
) -> None:
    """Make logins for editors, or reopen withdrawn ones."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations import server

    tell(
        server.add_users(
            where, editors or [], _ask, everybody=everybody, generate=generate, out=out
        )
    )


@user.command()
def password(where: Address, editor: Editor, generate: Generate = False) -> None:
    """Change the password of an editor's login."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations import server

    tell(server.change_password(where, editor, _ask, generate=generate))


@user.command()
def withdraw(where: Address, editor: Editor) -> None:
    """Withdraw an editor's login, also from running programs; what was written stays."""
    from madcat_studio.cli.tell import tell
    from madcat_studio.operations import server

    tell(server.withdraw(where, editor))


@user.command("list")
def list_(where: Address, form: FormOption = Form.TEXT) -> None:
    """List the editors of the campaign with their logins."""
    from rich.table import Table

    from madcat_studio.operations import server
    from madcat_studio.reports import terminal

    found = server.list_users(where)
    if form is Form.JSON:
        put(found)
        return
    table = Table("editor", "login", "state")
    for one in found:
        table.add_row(one.editor, one.login, "no login" if one.state == "none" else one.state)
    console = terminal.console()
    (console if console.is_terminal else terminal.console(width=120)).print(table)
