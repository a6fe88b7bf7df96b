"""One bridge for messages: callable from anywhere in the window, shown once a window is there.

A message is also logged, by its level and code only: what a document says never gets into a log.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

__all__ = ["Level", "Message", "Messages"]

_logger = logging.getLogger("madcat_studio.gui")


class Level(StrEnum):
    """How much a message matters."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Message(NamedTuple):
    """One message.

    Attributes:
        text: what happened and what to do, plain text.
        code: the stable code, "" where there is none.
        detail: more for those who ask.
        action: what a button offers, and what it does.
    """

    level: Level
    text: str
    code: str = ""
    detail: str = ""
    action: tuple[str, Callable[[], None]] | None = None


class Messages(QObject):
    """Takes messages and hands them to whoever shows them; keeps them until somebody does."""

    posted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: list[Message] = []
        self._shown = False

    def show_with(self, show: Callable[[Message], None]) -> None:
        """From now on ``show`` shows messages, first those that came before."""
        self.posted.connect(show)
        self._shown = True
        waiting, self._waiting = self._waiting, []
        for message in waiting:
            self.posted.emit(message)

    def post(self, message: Message) -> None:
        """Show and log a message."""
        _logger.info("message: %s %s", message.level, message.code or "-")
        if self._shown:
            self.posted.emit(message)
        else:
            self._waiting.append(message)

    def info(self, text: str, *, detail: str = "") -> None:
        """Tell what was done."""
        self.post(Message(Level.INFO, text, detail=detail))

    def warning(self, text: str, *, detail: str = "") -> None:
        """Tell what the user should know before going on."""
        self.post(Message(Level.WARNING, text, detail=detail))

    def error(self, text: str, *, detail: str = "") -> None:
        """Tell what could not be done."""
        self.post(Message(Level.ERROR, text, detail=detail))
