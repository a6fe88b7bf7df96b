"""What the first page needs besides the window, loaded while its user still looks at the start.

Only what knows no Qt, in a thread: numbers, formats, an open document. Whoever opens something
sooner waits for nothing more than without it.
"""

from __future__ import annotations

import importlib

from PySide6.QtCore import QObject, QTimer

from madcat_studio.gui.workers import Dispatcher

__all__ = ["Warming"]

_WAIT_MS = 800
_WANTED = ("numpy", "madcat_studio.workspace.page", "madcat_studio.workspace.marking")


class Warming(QObject):
    """Loads it once, a while after the window is there."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._work = Dispatcher(self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._begin)
        self._timer.start(_WAIT_MS)

    def close(self) -> None:
        """Begin nothing any more; wait for what runs."""
        self._timer.stop()
        self._work.close()

    def _begin(self) -> None:
        def work(_: object) -> None:
            for name in _WANTED:
                importlib.import_module(name)

        self._work.submit(work, lambda _: None)
