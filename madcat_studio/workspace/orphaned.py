"""Texts that were left on this machine when their claim was released and somebody else went on.

Their editor cannot open the kit any more, and so nobody would ever send them. They go into the
campaign as side revisions: kept, and never the text of the pass.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from madcat_studio.errors import ConflictError, InputError
from madcat_studio.model.campaign import Pass, Revision, new_id
from madcat_studio.operations.campaign.filling import machine_name
from madcat_studio.store import Campaign
from madcat_studio.workspace.spool import Spool, Spooled, SpoolKey, spool_folder

__all__ = ["BroughtBack", "bring_back"]

_HEAD_BYTES = 4096


@dataclass(frozen=True, slots=True)
class BroughtBack:
    """Texts of a pass that is somebody else's now: how many were kept aside."""

    kit: str
    team: str
    pass_: Pass
    texts: int


def bring_back(
    campaign: Campaign, editor: str, folder: Path | None = None
) -> tuple[BroughtBack, ...]:
    """Send what an editor's lost claims left on this machine, as side revisions.

    Args:
        campaign: to send it to.
        editor: whose texts.
        folder: of spools; by default the user's.

    Raises:
        WorldError: the campaign cannot be reached; the texts stay on this machine.
    """
    found = []
    for key in _keys(folder or spool_folder(), campaign.id, editor):
        try:
            claim = campaign.claims.current(key.kit, key.team, key.pass_)
            if claim is not None and claim.editor == editor:
                continue
            turn = campaign.claims.last_turn(key.kit, key.team, key.pass_, editor)
            spool = Spool(key, folder)
        except (InputError, ConflictError):
            # No such kit any more; or a window has it open, and sends the texts itself.
            continue
        if spool.trouble:
            # What is sent from here could not be marked as sent, and would be sent again.
            spool.close()
            continue
        try:
            revisions = _revisions(key, spool.left, turn)
            if turn and revisions:
                campaign.for_editors().revisions.append(revisions)
                spool.arrived(revisions)
                found.append(BroughtBack(key.kit, key.team, key.pass_, len(revisions)))
            if turn and spool.left.visits:
                campaign.for_editors().visits.append(spool.left.visits)
                spool.arrived(spool.left.visits)
        except InputError:
            # A segment that the kit has no more: better on this machine than nowhere.
            spool.close()
            continue
        except BaseException:
            spool.close()
            raise
        spool.remove()
    return tuple(found)


def _keys(folder: Path, campaign: str, editor: str) -> Iterator[SpoolKey]:
    for path in sorted(folder.glob("*.spool")):
        try:
            with path.open("rb") as file:
                head = json.loads(file.readline(_HEAD_BYTES))
            key = SpoolKey(
                head["campaign"], head["kit"], head["team"], Pass(head["pass"]), head["editor"]
            )
        except (OSError, ValueError, KeyError, TypeError):
            continue
        # A file of another name would not be the one that is opened by this key.
        if (key.campaign, key.editor, key.file_name()) == (campaign, editor, path.name):
            yield key


def _revisions(key: SpoolKey, left: Spooled, turn: int) -> list[Revision]:
    made = [replace(one, side=True) for one in left.pending]
    typed = [
        Revision(
            id=new_id(),
            kit=key.kit,
            team=key.team,
            pass_=key.pass_,
            segment=one.segment,
            editor=key.editor,
            machine=machine_name(),
            at=datetime.now(UTC),
            state=one.state,
            text=one.text,
            turn=turn,
            reason=one.reason,
            side=True,
            flags=one.flags,
        )
        for one in left.typed
        if one.state.value != "untouched"
    ]
    return made + typed
