"""The one protocol by which long work tells how far it is and learns that it should stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

__all__ = ["SILENT", "Cancelled", "Progress", "stopper"]


class Cancelled(Exception):
    """Raised by long work after :meth:`Progress.cancelled` said yes. Nothing was written."""


class Progress(Protocol):
    """What long work calls now and then; bars, dialogs and tests implement it."""

    def advance(self, done: int, total: int | None, text: str = "") -> None:
        """Tell that ``done`` of ``total`` units are finished (``None``: total unknown)."""

    def cancelled(self) -> bool:
        """Whether the user wants the work to stop."""
        ...


def stopper(progress: Progress) -> Callable[[], None]:
    """What long work calls now and then; it raises :class:`Cancelled` if the work shall end."""

    def stop_if_cancelled() -> None:
        if progress.cancelled():
            raise Cancelled

    return stop_if_cancelled


class _Silent:
    def advance(self, done: int, total: int | None, text: str = "") -> None:
        pass

    def cancelled(self) -> bool:
        return False


SILENT: Progress = _Silent()
"""For callers who do not care how far the work is."""
