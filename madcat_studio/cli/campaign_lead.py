"""``madcat-studio campaign next``, ``doctor`` and ``power``: what comes next, is odd, is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from madcat_studio.cli.forms import Form, FormOption, put

__all__ = ["COMMANDS", "doctor", "next_", "power"]

Where = Annotated[
    str,
    typer.Argument(
        metavar="CAMPAIGN", help="The campaign's folder, or postgresql://user@host/database."
    ),
]


_SIGNS = {"done": "done", "now": "NOW", "waiting": "waits"}


def next_(
    where: Where,
    files: Annotated[
        Path, typer.Option(help="The folder with the references, tables and outputs.")
    ] = Path(),
    form: FormOption = Form.TEXT,
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
        put({"campaign": found.name, "next": chosen, "steps": steps})
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


def doctor(where: Where, form: FormOption = Form.TEXT) -> None:
    """Check a campaign for anything odd; exit status 1 if something is."""
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
        put(rows)
    else:
        for one in found:
            remedy = f". {one.remedy}" if one.remedy else ""
            print(marked(f"{one.where}: {one.what}{remedy}. [{one.code}]"))
        if not found:
            print("Nothing is odd.")
    if found:
        raise typer.Exit(1)


def power(
    where: Where,
    points: Annotated[
        float, typer.Option(help="The difference between two systems, in points of HTER.")
    ] = 2.0,
    track: Annotated[
        str | None, typer.Option(metavar="NAME", help="The track whose final texts are the pilot.")
    ] = None,
    systems: Annotated[
        int, typer.Option(help="How many systems; by default as many as the campaign has.", min=0)
    ] = 0,
    wanted: Annotated[
        float, typer.Option("--power", help="The share of evaluations that should tell them apart.")
    ] = 0.8,
    kit_words: Annotated[int, typer.Option(help="Reference words of a kit.")] = 600,
    kits_a_team: Annotated[int, typer.Option(help="How many kits a team edits.")] = 8,
    seed: Annotated[int, typer.Option(help="The same seed gives the same figures.", min=0)] = 1,
    form: FormOption = Form.TEXT,
) -> None:
    """Calculate how many documents, kits and teams it takes to tell systems apart, from a pilot."""
    from madcat_studio.cli.bar import bar
    from madcat_studio.model.characters import marked
    from madcat_studio.operations.scores.power import cost_by_pilot

    with bar() as progress:
        cost = cost_by_pilot(
            where,
            points,
            track=track,
            systems=systems,
            wanted=wanted,
            kit_words=kit_words,
            kits_a_team=kits_a_team,
            seed=seed,
            progress=progress,
        )
    if form is Form.JSON:
        put(
            {
                "sentences": cost.sentences(),
                "enough": cost.power,
                "kits": cost.kits if cost.power is not None else None,
                "tried": cost.tried,
            }
        )
        return
    for sentence in cost.sentences():
        print(marked(f"{sentence}."))
    print("documents  power")
    for one in cost.tried:
        print(f"{one.documents:>9,}  {one.power:.0%} [{one.low:.0%}, {one.high:.0%}]")


COMMANDS = (("next", next_), ("doctor", doctor), ("power", power))
"""Name and command, in the order of the help page."""
