"""``madcat-studio demo``: the demo campaign and its report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["demo"]


def demo(
    folder: Annotated[
        Path, typer.Argument(help="Where to make it; what is there already is kept.")
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
        print(f"The demo campaign in {made.campaign} was there already and is kept as it is")
    for problem in made.problems:
        print(f"{problem.severity}: {problem.where}: {problem.what}; {problem.done}")
    for line in made.preliminary:
        print(f"The report is preliminary: {line}")
    print(f"Pages to mark and correct: {made.campaign / 'pages'}")
    print("Reports:")
    for file in made.files:
        print(f"  {file}")
