"""``madcat-studio demo``: the demo campaign and its report."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["demo"]


def demo(
    folder: Annotated[
        Path, typer.Argument(help="Where to make it; what is already there is kept.")
    ] = Path("demo-campaign"),
) -> None:
    """Make the demo campaign, score it, and say where its report is."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.operations.demo import make_demo

    with bar() as progress:
        made = make_demo(folder, progress=progress)
    if made.made:
        print(f"The demo campaign was made in {made.campaign}")
        for line in made.done:
            print(f"  {line}")
    else:
        print(f"The demo campaign in {made.campaign} already exists and is kept as it is")
    for problem in made.problems:
        print(f"{problem.severity}: {problem.where}: {problem.what}; {problem.done}")
    for line in made.preliminary:
        print(f"The report is preliminary: {line}")
    start, *files = made.files
    print("Reports:")
    for file in files:
        if file.suffix == ".html":
            print(f"  {file}")
    print("\nHTER, the share of words that editors had to change:")
    for track, system, rate in made.scores:
        told = "not scored yet" if rate is None else f"{rate * 100:.2f} %"
        print(f"  {f'{track}, ' if track else ''}{system}: {told}")
    print(f"\nOpen first: {start}\n\nThree things to try:")
    program = _program()
    for what, arguments in (
        ("Mark a page", f"open {made.campaign / 'pages'}"),
        ("Correct a kit", f"open {made.campaign}"),
        ("Run a campaign", f"campaign status {made.campaign}"),
    ):
        print(f"  {what + ':':<16} {program} {arguments}")


def _program() -> str:
    """How the program is called from here."""
    beside = Path(sys.executable).with_name("madcat-studio")
    if not beside.is_file() or shutil.which("madcat-studio") == str(beside):
        return "madcat-studio"
    return os.path.relpath(beside) if beside.is_relative_to(Path.cwd()) else str(beside)
