"""Where an editor sits, a window in a home, and whether a pass was opened elsewhere since."""

from __future__ import annotations

import re
from pathlib import Path

from madcat_studio.errors import StudioError
from madcat_studio.model.campaign import Claim, new_id
from madcat_studio.model.sittings import Sitting
from madcat_studio.operations.campaign.filling import machine_name
from madcat_studio.workspace.kit_source import KitSource
from madcat_studio.workspace.spool import spool_folder

__all__ = ["Seat", "home_name"]

_FILE = "place"
_NAME = re.compile("[0-9a-f-]{36}")
_here = new_id()
"""The name of a home in which none can be kept: of this run of the program only."""


def home_name(folder: Path | None = None) -> str:
    """What tells this home from every other: kept beside the spools' folder, made at first use."""
    path = (folder or spool_folder()).parent / _FILE
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.write_text(new_id(), "ascii")
        found = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return _here
    return found if _NAME.fullmatch(found) else _here


class Seat:
    """One window's seat at one pass.

    Attributes:
        place: what the campaign calls it: the home, and the window in it.
    """

    def __init__(self, campaign: KitSource, claim: Claim, folder: Path | None = None) -> None:
        self._campaign, self._claim = campaign, claim
        self._machine = machine_name()
        self.place = f"{home_name(folder)}/{new_id()}"

    def take(self) -> None:
        """The pass is open here from now on; where that cannot be written, nobody is told."""
        try:
            self._campaign.sittings.sit(self._claim, self.place, self._machine)
        except StudioError:
            return  # a campaign that may only be read, or a claim that has just ended

    def leave(self) -> None:
        """The pass is open here no more."""
        try:
            self._campaign.sittings.leave(self._claim, self.place, self._machine)
        except StudioError:
            return  # the next who opens it is asked, as after a crash

    def elsewhere(self) -> Sitting | None:
        """Where the pass was opened since; None: nowhere.

        Raises:
            StudioError: the campaign cannot be reached.
        """
        now = self._campaign.sittings.current(self._claim)
        return None if now is None or now.place == self.place else now
