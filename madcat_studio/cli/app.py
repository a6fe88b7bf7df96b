"""The command line's root: it joins the commands of each topic and turns errors into messages.

Modules of this room import only Typer and the errors at the top, and everything else inside the
command that needs it: ``--help`` must not pay for databases, statistics or XML.
"""

from __future__ import annotations

import sys

import typer

from madcat_studio.errors import StudioError

__all__ = ["app", "main"]

app = typer.Typer(
    name="madcat-studio",
    help="Evaluate the translation of document images: pages, kits, HTER, TER and WER.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main(arguments: list[str] | None = None) -> int:
    """Run one command. Returns the exit status: 0 done, 2 input that cannot be used."""
    try:
        app(arguments, standalone_mode=True)
    except StudioError as error:
        print(f"madcat-studio: {error}", file=sys.stderr)
        return 2
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    return 0
