"""The one place that turns an exception into what a user sees.

What the world or the input did becomes a message; what is our own fault becomes a crash dialog
with a report to copy, after which the program can be left in good order: every edit is in its
journal, and the next start brings it back.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType

from PySide6.QtWidgets import QWidget

from madcat_studio import log
from madcat_studio.errors import StudioError, WorldError
from madcat_studio.gui.errorwords import tr_error
from madcat_studio.gui.messages import Level, Message, Messages
from madcat_studio.progress import Cancelled

__all__ = ["Failures", "as_message"]


def as_message(error: StudioError) -> Message:
    """The message for an error: what is wrong and what to do; where in the detail."""
    detail = f"{error.where}\n{error.code}" if error.where else error.code
    return Message(Level.ERROR, tr_error(error).sentences, error.code, detail)


class Failures:
    """Shows errors; installed as ``sys.excepthook`` while the window is open."""

    def __init__(self, messages: Messages, leave: Callable[[], None]) -> None:
        self._messages = messages
        self._leave = leave
        self._parent: QWidget | None = None
        self._open = False
        self._before = sys.excepthook

    def install(self, parent: QWidget) -> None:
        """Take over uncaught exceptions."""
        self._parent = parent
        sys.excepthook = self._hook

    def uninstall(self) -> None:
        """Give them back."""
        sys.excepthook = self._before
        self._parent = None

    def show(self, error: BaseException) -> None:
        """Show any exception."""
        if isinstance(error, Cancelled):
            return
        if isinstance(error, OSError) and error.strerror:
            error = WorldError(
                "system.refused",
                error.strerror[:1].lower() + error.strerror[1:],
                where="" if error.filename is None else str(error.filename),
            )
        if isinstance(error, StudioError):
            log.record_message(error)
            self._messages.post(as_message(error))
            return
        self._crash(error)

    def _hook(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._leave()
            return
        self.show(error)

    def _crash(self, error: BaseException) -> None:
        path = log.report_crash(error)
        if self._open:
            return  # one dialog is enough; the report of this one is written as well
        self._open = True
        from madcat_studio.gui.crashdialog import CrashDialog

        try:
            report = path.read_text(encoding="utf-8")
        except OSError:
            report = repr(error)
        dialog = CrashDialog(type(error).__name__, report, self._parent)
        leave = dialog.exec() == CrashDialog.DialogCode.Accepted
        dialog.deleteLater()
        self._open = False
        if leave:
            self._leave()
