"""The scoring commands: ``tercom``, the original's command line."""

from __future__ import annotations

import sys

import typer

__all__ = ["TERCOM_SETTINGS", "tercom"]

# The original's -h names a file, and its command line is not the usual one.
TERCOM_SETTINGS = {
    "help_option_names": ["--help"],
    "allow_extra_args": True,
    "ignore_unknown_options": True,
}


def tercom(context: typer.Context) -> None:
    """Score as tercom 0.7.25 does: its options, its input, its files, byte for byte.

    -r REF -h HYP [-N] [-s] [-P] [-b BEAM] [-d DISTANCE] [-a LENGTHS] [-S SPANS]
    [-o sum,pra,pra_more,xml,ter,sum_nbest -n PREFIX] [-M -T -I -D -B COST].
    What the original drops without a word is told on the error stream; with --strict it is an
    error. --jobs N computes in N threads.
    """
    from madcat_studio.cli.bar import bar
    from madcat_studio.errors import UsageError
    from madcat_studio.operations.tercom import TercomStop, parse_arguments, run_tercom

    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8")
    arguments = list(context.args)
    strict = "--strict" in arguments
    if strict:
        arguments.remove("--strict")
    jobs = 1
    if "--jobs" in arguments:
        at = arguments.index("--jobs")
        if at + 1 >= len(arguments) or not arguments[at + 1].isdecimal():
            raise UsageError("tercom.jobs", "--jobs needs a number", remedy="Such as --jobs 2")
        jobs = int(arguments[at + 1])
        del arguments[at : at + 2]
    try:
        task = parse_arguments(arguments)
        with bar() as progress:
            run_tercom(
                task,
                print,
                lambda text: print(f"madcat-studio: {text}", file=sys.stderr),
                strict=strict,
                jobs=jobs,
                progress=progress,
            )
    except TercomStop as stop:
        print(f"madcat-studio: {stop}", file=sys.stderr)
        raise typer.Exit(1) from stop
