"""The one protocol by which long work tells how far it is and learns that it should stop."""

from __future__ import annotations

from typing import Protocol

__all__ = ["SILENT", "Cancelled", "Progress"]


class Cancelled(Exception):
    """Raised by long work after :meth:`Progress.cancelled` said yes. Nothing was written."""


class Progress(Protocol):
    """What long work calls now and then; bars, dialogs and tests implement it."""

    def advance(self, done: int, total: int | None, text: str = "") -> None:
        """Tell that ``done`` of ``total`` units are finished (``None``: total unknown)."""

    def cancelled(self) -> bool:
        """Whether the user wants the work to stop."""
        ...


class _Silent:
    def advance(self, done: int, total: int | None, text: str = "") -> None:
        pass

    def cancelled(self) -> bool:
        return False


SILENT: Progress = _Silent()
"""For callers who do not care how far the work is."""
