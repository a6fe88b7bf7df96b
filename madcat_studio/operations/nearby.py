"""Calls for other processes of this machine, left in memory instead of sent.

A scheduler passes on what it is sent, and both ways are encrypted: for texts that takes half as
long as scoring them. Memory in no folder goes with this process, however it ends.
"""

from __future__ import annotations

import os
import pickle
from typing import Any

from madcat_studio.closing import Closing

__all__ = ["Left", "readable"]


class Left(Closing):
    """A call that waits for a process of the same user; forgotten when it is closed.

    Attributes:
        path: where such a process reads it.

    Raises:
        OSError: too many wait already.
    """

    def __init__(self, call: tuple[Any, ...]) -> None:
        self._file = os.fdopen(os.memfd_create("madcat-studio"), "wb")
        try:
            pickle.dump(call, self._file, pickle.HIGHEST_PROTOCOL)
            self._file.flush()
        except BaseException:
            self._file.close()
            raise
        self.path = f"/proc/{os.getpid()}/fd/{self._file.fileno()}"

    def close(self) -> None:
        """Forget it."""
        self._file.close()


def readable(path: str) -> bool:
    """What another process says of such a path."""
    import os

    return os.access(path, os.R_OK)
