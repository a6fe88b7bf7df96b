"""A campaign whose teams edit otherwise than those of the earlier phase, in the middle of it.

It is made by commands, from the demo's files: all pages of the earlier phase are its control set.
"""

from __future__ import annotations

import contextlib
import io
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from madcat_studio.paths import resources

if TYPE_CHECKING:
    from scripts.screenshots.studio import Studio

__all__ = ["alarm"]

_TEAMS = "team\teditor\tname\n" + "".join(
    f"{team}\t{editor}\t{name}\n"
    for team, editor, name in (
        ("Ash", "ada.lund", "Ada Lund"),
        ("Ash", "omar.said", "Omar Said"),
        ("Elm", "ines.costa", "Ines Costa"),
        ("Elm", "yuki.mori", "Yuki Mori"),
    )
)
_OTHERWISE = "Elm"
"""It changes every fourth word."""


def _run(*words: str | Path) -> None:
    from madcat_studio.cli.app import main

    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        status = main([str(word) for word in words])
    if status:
        raise SystemExit(said.getvalue())


def _campaign(studio: Studio) -> str:
    """Made at the first call."""
    where = studio.home / "drifting"
    if where.is_dir():
        return str(where)
    demo, earlier = resources() / "demo", studio.home / "earlier"
    shutil.copytree(demo / "earlier", earlier)
    (earlier / "sequestered.txt").unlink()
    table = earlier / "corpus.tsv"
    table.write_text(table.read_text("utf-8").replace("\tprogress\t", "\tcontrol\t"), "utf-8")
    teams = studio.home / "teams.tsv"
    teams.write_text(_TEAMS, "utf-8")
    command: list[str | Path] = ["campaign", "create", where, "--earlier", earlier]
    command += ["--documents", demo / "reference", "--corpus", demo / "corpus.tsv"]
    for name in ("juniper", "tamarisk"):
        command += ["--system", f"{name}={demo / 'systems' / f'{name}_1'}"]
    _run(*command, "--teams", teams)
    _run("campaign", "select", where, "control", "--count", "12")
    _run("campaign", "propose-plan", where, "--write", "--kit-words", "360", "--tolerance", "0.5")
    _edit(str(where), studio.home / "edits.tsv")
    _run("campaign", "import-edits", where, studio.home / "edits.tsv")
    return str(where)


def _edit(where: str, edits: Path) -> None:
    """Write what both teams make of each kit that has a control page."""
    from madcat_studio.model.campaign import Pass
    from madcat_studio.store import open_campaign

    rows = ["kit\tteam\tpass\teditor\tsegment\tstate\ttext"]
    with open_campaign(where, read_only=True) as campaign:
        then = {one.segment: one.final_text for one in campaign.earlier.texts()}
        control = {segment.base for segment in then}
        kits = {one.name: {base for _, base in one.items} for one in campaign.plans.kits()}
        editors = {team.name: [one.id for one in team.editors] for team in campaign.plans.teams()}
        for part in campaign.plans.assignments():
            if not kits[part.kit] & control:
                continue
            first = part.first or editors[part.team][0]
            second = next(one for one in editors[part.team] if one != first)
            segments = campaign.revisions.kit_segments(part.kit, part.team, Pass.FIRST)
            for pass_, editor in ((Pass.FIRST, first), (Pass.REVIEW, second)):
                for one in segments:
                    if one.output:
                        text = _text(then.get(one.name, one.reference), part.team)
                        where_it_is = f"{one.name.base}/{one.name.segment}"
                        row = (part.kit, part.team, pass_, editor, where_it_is, "confirmed", text)
                        rows.append("\t".join(row))
    edits.write_text("\n".join(rows) + "\n", "utf-8")


def _text(text: str, team: str) -> str:
    words = text.split(" ")
    if team == _OTHERWISE:
        words[::4] = ["rather" for _ in words[::4]]
    return " ".join(words)


def alarm(studio: Studio) -> None:
    """The board while teams edit: one of them drifts."""
    from madcat_studio.gui.coordinator.board import BoardView

    studio.window.open(_campaign(studio), view="board")
    view = studio.window.view("board")
    assert isinstance(view, BoardView)
    studio.wait(view.alarm.isVisible, 60)
