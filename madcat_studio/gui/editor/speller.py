"""Marks misspelled words a moment after typing stopped; the dictionary lives in a worker."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from madcat_studio.errors import StudioError
from madcat_studio.gui.editor.textbox import EditBox
from madcat_studio.gui.settings import SPELLING, Settings
from madcat_studio.gui.translation import tr
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.workspace.spelling import Speller

__all__ = ["BoxSpeller"]

_REST_MS = 500


class BoxSpeller(QObject):
    """Looks after one box."""

    def __init__(self, box: EditBox, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._box, self._settings = box, settings
        self._speller = Speller()
        self._worker = Dispatcher(self)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._look)
        self._advisor = Dispatcher(self)
        box.menu_wanted.connect(self._on_menu)
        self._text = ""
        self._allowed: tuple[str, ...] = ()
        self._broken = False

    def look_at(self, text: str, *allowed: str) -> None:
        """The box has another text; ``allowed`` texts have right words only."""
        self._text, self._allowed = text, allowed
        if self._settings.get(SPELLING) and not self._broken:
            self._rest.start()
        else:
            self._box.mark_misspelled(text, ())

    def _look(self) -> None:
        text, allowed = self._text, self._allowed
        self._worker.submit(
            lambda _: self._speller.misspelled(text, allowed),
            lambda places: self._box.mark_misspelled(text, places),
            failed=self._failed,
        )

    def _on_menu(self, menu: QMenu, start: int, end: int, word: str) -> None:
        """Put suggestions at the top of a menu as soon as there are any."""
        text = self._text
        waiting = QAction(tr("Looking for “{word}” …", word=word), menu)
        waiting.setEnabled(False)
        first = menu.actions()[0]
        menu.insertAction(first, waiting)
        menu.insertSeparator(first)

        def done(words: tuple[str, ...]) -> None:
            if not shiboken6.isValid(menu) or not shiboken6.isValid(waiting):
                return
            for one in words:
                action = QAction(one, menu)
                action.triggered.connect(lambda _=False, new=one: choose(new))
                menu.insertAction(waiting, action)
            waiting.setText(tr("No suggestion for “{word}”", word=word))
            waiting.setVisible(not words)

        def choose(new: str) -> None:
            if self._text == text:
                self._box.replace(start, end, new)

        self._advisor.submit(lambda _: self._speller.suggestions(word), done, failed=self._failed)

    def _failed(self, error: BaseException) -> None:
        if not isinstance(error, StudioError):
            raise error
        self._broken = True  # without a dictionary nothing is marked, and typing goes on

    def stop(self) -> None:
        """Nothing more is looked at until there is another text."""
        self._rest.stop()
        self._worker.cancel()

    def shut_down(self) -> None:
        """End timer and worker."""
        self._rest.stop()
        self._worker.close()
        self._advisor.close()
