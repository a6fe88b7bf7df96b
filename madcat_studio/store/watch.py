"""Has anybody written to the campaign? Asked every second, so it must cost next to nothing."""

from __future__ import annotations

from pathlib import Path

from madcat_studio.closing import Closing
from madcat_studio.store.database import Database

__all__ = ["Watch"]


class Watch(Closing):
    """Sees whether anybody wrote to a campaign. Keeps a connection; use it in one thread.

    Raises:
        StudioError: the campaign cannot be opened.
    """

    def __init__(self, where: str | Path) -> None:
        self._database = Database(where, read_only=True)
        try:
            self._seen = self._database.change_count()
        except BaseException:
            self._database.close()
            raise

    def changed(self) -> bool:
        """Whether anything was committed since the last time this was asked, or since the start.

        On a server it may say so where another database was written to: never the other way.

        Raises:
            WorldError: the server is away; asked again later, it goes on.
        """
        found = self._database.change_count()
        changed, self._seen = found != self._seen, found
        return changed

    def close(self) -> None:
        """Let go of the connection."""
        self._database.close()
