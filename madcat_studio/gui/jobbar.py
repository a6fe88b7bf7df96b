"""One long piece of work in a thread, with how far it is and a way to stop it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QWidget

from madcat_studio.gui.pathfields import make_button
from madcat_studio.gui.translation import tr
from madcat_studio.gui.workers import Dispatcher, Ticket
from madcat_studio.progress import Cancelled

__all__ = ["JobBar"]


class JobBar(QWidget):
    """Seen only while it works.

    Signals:
        busy_changed: work begins, or has ended in any way.
    """

    busy_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        self._text = QLabel()
        self._text.setObjectName("quiet")
        self._bar = QProgressBar()
        self._bar.setFixedWidth(220)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(tr("Progress"))
        self.stop = make_button(tr("Stop"), self.cancel)
        self.stop.setToolTip(tr("Stop; nothing is left half done"))
        layout.addWidget(self._text, 1)
        layout.addWidget(self._bar)
        layout.addWidget(self.stop)
        self._worker = Dispatcher(self)
        self._what = ""
        self._busy = False
        self.hide()

    @property
    def busy(self) -> bool:
        """Whether work is going on."""
        return self._busy

    def start(
        self,
        what: str,
        work: Callable[[Ticket], Any],
        done: Callable[[Any], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        """Begin; ``done`` or ``failed`` is called at the end, neither after a stop."""
        self._what = what
        self._text.setText(what)
        self._bar.setRange(0, 0)
        self._busy = True
        self.show()
        self.busy_changed.emit(True)

        def on_done(result: Any) -> None:
            self._rest()
            done(result)

        def on_failed(error: BaseException) -> None:
            self._rest()
            if not isinstance(error, Cancelled):
                failed(error)

        self._worker.submit(work, on_done, failed=on_failed, progress=self._on_progress)

    def cancel(self) -> None:
        """Stop, and forget what the work would have given."""
        if self.busy:
            self._worker.cancel()
            self._rest()

    def close_worker(self) -> None:
        """Stop, and wait until the thread is free."""
        self._worker.close()

    def _rest(self) -> None:
        self._busy = False
        self.hide()
        self.busy_changed.emit(False)

    def _on_progress(self, done: int, total: int, text: str) -> None:
        self._bar.setRange(0, max(total, 0))
        self._bar.setValue(done if total > 0 else 0)
        self._text.setText(f"{self._what}  {text}" if text else self._what)
