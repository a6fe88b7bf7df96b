"""The command ``tercom`` as Typer knows it; what it does is in :mod:`.tercom`."""

from __future__ import annotations

import typer

from madcat_studio.cli.tercom import run

__all__ = ["SETTINGS", "tercom"]

# The original's -h names a file, and its command line is not the usual one.
SETTINGS = {
    "help_option_names": ["--help"],
    "allow_extra_args": True,
    "ignore_unknown_options": True,
}


def tercom(context: typer.Context) -> None:
    """Score as tercom 0.7.25 does: its options, its input, its files, byte for byte.

    -r REF -h HYP [-N] [-s] [-P] [-b BEAM] [-d DISTANCE] [-a LENGTHS] [-S SPANS]
    [-o sum,pra,pra_more,xml,ter,sum_nbest -n PREFIX] [-M -T -I -D -B COST].
    Two things differ: its search counters (two lines of its output) are left out, and the
    XML has today's date.
    What the original drops silently is reported on the error stream; with --strict it is an
    error. --jobs N computes in N threads. --moving-spans lets a word keep its span of -S when it
    is shifted again; the original puts the spans back where they were.
    """
    raise typer.Exit(run(context.args))
