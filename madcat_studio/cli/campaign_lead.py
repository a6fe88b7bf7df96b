"""``madcat-studio campaign next`` and ``doctor``: what comes next, and what is odd."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["COMMANDS", "doctor", "next_"]

Where = Annotated[
    str,
    typer.Argument(
        metavar="CAMPAIGN", help="The campaign's folder, or postgresql://user@host/database."
    ),
]


class Form(StrEnum):
    """How it is written."""

    TEXT = "text"
    JSON = "json"


Format = Annotated[Form, typer.Option("--format", help="Lines to read, or JSON.")]

_SIGNS = {"done": "done", "now": "NOW", "waiting": "waits"}


def next_(
    where: Where,
    files: Annotated[
        Path, typer.Option(help="The folder in which references, tables and outputs lie.")
    ] = Path(),
    form: Format = Form.TEXT,
) -> None:
    """Show which steps are done, possible now or waiting, and the command to run next."""
    from madcat_studio.model.characters import marked
    from madcat_studio.operations.campaign.steps import read_steps

    found = read_steps(where, files)
    following = found.next
    if form is Form.JSON:
        steps = [
            {
                "step": step.key,
                "title": step.title,
                "state": step.state.value,
                "told": step.told,
                "command": list(step.command),
                "optional": step.optional,
            }
            for step in found.steps
        ]
        chosen = None if following is None else following.key
        print(json.dumps({"campaign": found.name, "next": chosen, "steps": steps}, indent=1))
        return
    for step in found.steps:
        left_out = " (may be left out)" if step.optional and step.state.value == "now" else ""
        line = f"{_SIGNS[step.state.value]:5}  {step.title:22}  {step.told}{left_out}"
        print(marked(line))
        if step.line and step.state.value == "now":
            print(marked(f"       {step.line}"))
    if following is None:
        print("All is done.")
    elif following.line:
        print(marked(f"Next: {following.line}"))
    else:
        print(marked(f"Next: {following.title}, {following.told}"))


def doctor(where: Where, form: Format = Form.TEXT) -> None:
    """Look for what is odd in a campaign; exit status 1 where something is."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.model.characters import marked
    from madcat_studio.operations.campaign.doctor import examine

    with bar() as progress:
        found = examine(where, progress=progress)
    if form is Form.JSON:
        rows = [
            {"code": one.code, "where": str(one.where), "what": one.what, "remedy": one.remedy}
            for one in found
        ]
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    else:
        for one in found:
            remedy = f". {one.remedy}" if one.remedy else ""
            print(marked(f"{one.where}: {one.what}{remedy}. [{one.code}]"))
        if not found:
            print("Nothing is odd.")
    if found:
        raise typer.Exit(1)


COMMANDS = (("next", next_), ("doctor", doctor))
"""Name and command, in the order of the help page."""
