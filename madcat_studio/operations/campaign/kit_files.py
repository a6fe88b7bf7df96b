"""Kits as files: given out to editors without the network, and taken back."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from madcat_studio.errors import StudioError, UsageError
from madcat_studio.model.campaign import Editor, Pass, SegmentState
from madcat_studio.operations.checked import Checking, Outcome, counted
from madcat_studio.operations.user import who
from madcat_studio.progress import SILENT, Progress
from madcat_studio.store import (
    BUNDLE_SUFFIX,
    give_out,
    is_locked,
    open_campaign,
    read_bundle,
    take_back,
)

__all__ = [
    "AskPassphrase",
    "call_back",
    "describe_bundle",
    "export_kit",
    "export_next",
    "import_bundles",
    "team_editors",
]

AskPassphrase = Callable[[Path], str]
"""Asked for the passphrase of a locked file."""


def export_kit(
    where: str,
    kit: str,
    team: str,
    pass_: Pass,
    editor: str,
    target: Path,
    *,
    passphrase: str = "",
) -> Outcome:
    """Claim a pass for an editor and write it as a bundle.

    Args:
        where: the campaign.
        kit, team, pass_, editor: whose pass.
        target: the file, or a folder in which it gets a name.
        passphrase: to lock it with; "" for none.

    Raises:
        StudioError: the editor cannot have the pass, or the file cannot be written.
    """
    if not team:
        raise UsageError(
            "bundle.no-team",
            f"It is not clear which team's kit {kit} you want",
            remedy="Name the team with --team, or leave --kit out for the editor's next pass",
        )
    path = target
    if target.is_dir():
        plain = re.sub(r"[^\w.-]+", "_", f"{kit}.{pass_}.{editor}")
        path = target / f"{plain}{BUNDLE_SUFFIX}"
    if path.exists():
        raise UsageError(
            "bundle.exists",
            "A file with this name exists, and may hold somebody's work",
            where=path,
            remedy="Move it away, or choose another name",
        )
    with open_campaign(where) as campaign:
        scans = give_out(
            campaign,
            *(kit, team, pass_, editor, path),
            passphrase=passphrase,
        )
    return Outcome(
        (
            f"{path}: the {pass_} pass of kit {kit} for {editor}"
            + (f", with {counted(scans, 'scan')}" if scans else "")
            + (", locked" if passphrase else ""),
        )
    )


def team_editors(where: str, team: str) -> tuple[Editor, ...]:
    """The editors of a team, to choose from.

    Raises:
        StudioError: the campaign cannot be read.
    """
    with open_campaign(where, read_only=True) as campaign:
        return next((one.editors for one in campaign.plans.teams() if one.name == team), ())


def export_next(where: str, editor: str, target: Path, *, passphrase: str = "") -> Outcome:
    """Write the pass that an editor holds, or else the next one, as a bundle.

    Raises:
        StudioError: there is nothing to do for the editor, or the file cannot be written.
    """
    with open_campaign(where) as campaign:
        offers = campaign.claims.available(editor)
    if not offers:
        raise UsageError(
            "bundle.nothing",
            f"There is no kit for {editor} now",
            remedy="See `campaign status` for what it is waiting for",
        )
    offer = offers[0]
    return export_kit(
        where, offer.kit, offer.team, offer.pass_, editor, target, passphrase=passphrase
    )


def import_bundles(
    where: str,
    files: Sequence[Path],
    *,
    ask: AskPassphrase | None = None,
    progress: Progress = SILENT,
) -> Outcome:
    """Take back what came of bundles. One that cannot be taken hinders no other.

    Args:
        where: the campaign.
        files: the bundles.
        ask: for the passphrase of each locked one; None where nobody can be asked.
        progress: told after each.

    Raises:
        StudioError: the campaign cannot be opened.
        Cancelled: the user stopped it; bundles before are taken in.
    """
    checking = Checking(progress)
    done = []
    with open_campaign(where) as campaign:
        for number, file in enumerate(files):
            checking.step(number, len(files), file.name)
            try:
                returned = take_back(campaign, file, _passphrase(file, ask))
            except StudioError as error:
                checking.failed(error, file)
                continue
            claim, delivery = returned.claim, returned.delivery
            line = (
                f"{file}: kit {claim.kit}, {claim.pass_} pass by {claim.editor}: "
                f"{counted(delivery.stored, 'text')} added"
            )
            if delivery.known:
                line += f", {delivery.known} already there"
            if delivery.side:
                line += f", {delivery.side} of them kept aside"
            if returned.visits:
                line += f", {counted(returned.visits, 'visit')} of the log"
            done.append(line + (", handed over" if returned.finished else ""))
            if returned.called_back:
                checking.warn(
                    "bundle.called-back",
                    file,
                    "The file was called back, or the kit was opened in the window since: what "
                    "came of it is kept aside",
                    remedy=f"{claim.editor} can compare it with what the kit has, and take it over",
                )
            elif returned.hindrance:
                checking.warn("bundle.not-handed-over", file, returned.hindrance)
            elif delivery.side:
                checking.warn(
                    "bundle.kept-aside",
                    file,
                    "The claim of the pass has ended, or segments were edited elsewhere meanwhile",
                    remedy="What was kept aside is in the history, and not the text of the pass",
                )
    return Outcome(tuple(done), tuple(checking.problems))


def call_back(where: str, kit: str, team: str, pass_: Pass) -> Outcome:
    """The file that a pass is out as counts no more: its editor goes on in the window.

    What comes of the file all the same is kept aside.

    Raises:
        ConflictError: the pass is not out as a file.
        StudioError: the campaign cannot be written.
    """
    with open_campaign(where) as campaign:
        editor = campaign.sittings.call_back(kit, team, pass_, by=who())
    return Outcome(
        (
            f"The file with the {pass_} pass of kit {kit} is called back; {editor} "
            "continues in the window, and anything that still comes from the file is kept "
            "aside",
        )
    )


def _passphrase(file: Path, ask: AskPassphrase | None) -> str:
    return ask(file) if ask is not None and is_locked(file) else ""


def describe_bundle(file: Path, *, ask: AskPassphrase | None = None) -> Outcome:
    """What a bundle holds and how far it is.

    Raises:
        StudioError: it is none, or damaged, or locked.
    """
    read = read_bundle(file, _passphrase(file, ask), images=False)
    bundle, claim = read.bundle, read.bundle.claim
    states = {one.name: one.state for one in bundle.segments}
    if read.work is not None:
        states.update((one.segment, one.state) for one in read.work.revisions if not one.side)
    to_do = [one.name for one in bundle.segments if one.output]
    confirmed = sum(states[name] is SegmentState.CONFIRMED for name in to_do)
    finished = read.work is not None and read.work.finished
    return Outcome(
        (
            f"Campaign {bundle.campaign_name}, kit {claim.kit}, {claim.pass_} pass",
            f"For {claim.editor} of team {claim.team}, given out {claim.at:%Y-%m-%d %H:%M} UTC",
            f"{confirmed} of {counted(len(to_do), 'segment')} confirmed, "
            + ("finished" if finished else "not finished")
            + (f", {counted(len(read.work.visits), 'visit')} of the log" if read.work else "")
            + (", locked with a passphrase" if read.lock is not None else ""),
        )
    )
