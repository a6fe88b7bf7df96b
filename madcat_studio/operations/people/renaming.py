"""Other names for editors, teams and systems, and what a table of teams says otherwise."""

from __future__ import annotations

from collections.abc import Iterable

from madcat_studio.errors import UsageError
from madcat_studio.model.campaign import Team
from madcat_studio.operations.checked import Checking, Outcome
from madcat_studio.operations.user import who
from madcat_studio.store import open_campaign

__all__ = ["KINDS", "rename", "tell_other_names"]

KINDS = ("editor", "team", "system")


def rename(
    where: str, kind: str, old: str, new: str = "", *, full_name: str | None = None
) -> Outcome:
    """Give an editor, a team or a system another name; the log keeps it.

    Args:
        where: the campaign.
        kind: one of :data:`KINDS`.
        old, new: the name of before and of now; "": an editor keeps the short name.
        full_name: what an editor is called in reports; None: as before.

    Raises:
        UsageError: ``rename.what``: nothing to rename, or something that has no such name.
        ConflictError: the name is another's or looks like it, or is in use on editors' machines.
        StudioError: there is none of that name, or the campaign cannot be written.
    """
    if kind not in KINDS or not (new or full_name is not None):
        raise UsageError(
            "rename.what",
            f"Nothing to rename was named: {kind} {old}",
            remedy=f"Name one of {', '.join(KINDS)}, its name, and the new name (or --full-name)",
        )
    if full_name is not None and kind != "editor":
        raise UsageError(
            "rename.what", f"A {kind} has no full name", remedy="Leave --full-name out"
        )
    done = []
    with open_campaign(where) as campaign, campaign.transaction():
        if full_name is not None:
            campaign.renaming.full_name(old, full_name, by=who())
            done.append(f"Editor {old} is {full_name or 'without a full name'} in reports")
        if new:
            act = {
                "editor": campaign.renaming.person,
                "team": campaign.renaming.team,
                "system": campaign.renaming.system,
            }[kind]
            act(old, new, by=who())
            done.append(f"{kind.capitalize()} {old} is now called {new}")
    return Outcome(tuple(done))


def tell_other_names(table: Iterable[Team], there: Iterable[Team], checking: Checking) -> None:
    """Tell of people whom a table calls otherwise than the campaign, which stays as it is."""
    known = {editor.id: editor.name for team in there for editor in team.editors}
    told: set[str] = set()
    for team in table:
        for editor in team.editors:
            before = known.get(editor.id, editor.name)
            if editor.name and editor.name != before and editor.id not in told:
                told.add(editor.id)
                checking.warn(
                    "teams.other-name",
                    f"editor {editor.id}",
                    f"the table calls this editor {editor.name!r}, the campaign {before!r}",
                    "left as it is",
                    "To change it: campaign rename CAMPAIGN editor "
                    f"{editor.id} --full-name {editor.name!r}",
                )
