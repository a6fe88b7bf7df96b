"""Marks misspelled words a moment after typing stopped; the dictionary lives in a worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import shiboken6
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from madcat_studio.errors import StudioError
from madcat_studio.gui.editor.textbox import EditBox
from madcat_studio.gui.errorwords import tr_error
from madcat_studio.gui.settings import DICTIONARY, SPELLING, Settings
from madcat_studio.gui.translation import mark, tr
from madcat_studio.gui.workers import Dispatcher, Ticket
from madcat_studio.model.campaign import KitSegment
from madcat_studio.operations.campaign.options import SPELLING_OFF
from madcat_studio.workspace.advice import spelling_advice
from madcat_studio.workspace.dictionaries import AMERICAN, BRITISH
from madcat_studio.workspace.kit_values import KitProblem
from madcat_studio.workspace.spelling import Speller

__all__ = ["BoxSpeller", "dictionary_title"]

_REST_MS = 500

_TITLES = {AMERICAN: mark("American English"), BRITISH: mark("British English")}


def dictionary_title(name: str) -> str:
    """What a dictionary is called; that of a language we have no words for, by its name."""
    return tr(_TITLES[name]) if name in _TITLES else name


class BoxSpeller(QObject):
    """Looks after one box.

    Signals:
        unusable: the dictionary cannot be used, and nothing is marked; why, and what may be done
            about it, once for each.
    """

    unusable = Signal(str)

    def __init__(self, box: EditBox, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._box, self._settings = box, settings
        self._campaigns = ""
        self._speller = self._chosen()
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
        settings.changed.connect(self._on_setting)

    def _chosen(self) -> Speller:
        path = self._settings.get(DICTIONARY)
        own = Path(path).expanduser() if path else None
        if self._campaigns:
            return Speller(self._campaigns, own)
        return Speller() if own is None else Speller(own)

    def _title(self) -> str:
        own = Path(self._settings.get(DICTIONARY)).stem
        return dictionary_title(self._campaigns or own or AMERICAN)

    @property
    def on(self) -> bool:
        """Whether words are marked: campaign and editor want it, and there is a dictionary."""
        return self._campaigns != SPELLING_OFF and self._settings.get(SPELLING) and not self._broken

    def begin(self, spelling: str) -> None:
        """A kit is shown of a campaign that has this dictionary, none, or ("") leaves it open."""
        if spelling != self._campaigns or self._broken:  # it may have been installed meanwhile
            self._campaigns = spelling
            self._speller, self._broken = self._chosen(), False

    def _on_setting(self, setting: object) -> None:
        if setting is DICTIONARY:
            self._speller, self._broken = self._chosen(), False
        if setting in (DICTIONARY, SPELLING) and self._text:
            self.look_at(self._text, *self._allowed)

    def look_at(self, text: str, *allowed: str) -> None:
        """The box has another text; ``allowed`` texts have right words only."""
        self._text, self._allowed = text, allowed
        if self.on:
            self._rest.start()
        else:
            self._box.mark_misspelled(text, ())

    def _look(self) -> None:
        text, allowed, speller = self._text, self._allowed, self._speller
        self._worker.submit(
            lambda _: speller.misspelled(text, allowed),
            lambda places: self._box.mark_misspelled(text, places),
            failed=self._failed,
        )

    def look_through(
        self,
        texts: Sequence[tuple[int, KitSegment, str]],
        done: Callable[[tuple[KitProblem, ...]], None],
    ) -> None:
        """Find the words of many texts that the dictionary does not have."""
        speller = self._speller
        if not self.on:
            done(())
            return

        def work(ticket: Ticket) -> tuple[KitProblem, ...]:
            found: list[KitProblem] = []
            references = tuple(segment.reference for _, segment, _ in texts)
            for index, segment, text in texts:
                if not ticket.cancelled():
                    found += spelling_advice(index, segment, text, speller, references)
            return tuple(found)

        def failed(error: BaseException) -> None:
            self._failed(error)
            done(())

        self._advisor.submit(work, done, failed=failed)

    def _on_menu(self, menu: QMenu, start: int, end: int, word: str) -> None:
        """Put suggestions at the top of a menu as soon as there are any."""
        text, speller = self._text, self._speller
        title = QAction(tr("Not in {dictionary}", dictionary=self._title()), menu)
        title.setEnabled(False)
        waiting = QAction(tr("Looking for “{word}” …", word=word), menu)
        waiting.setEnabled(False)
        first = menu.actions()[0]
        menu.insertAction(first, title)
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

        self._advisor.submit(lambda _: speller.suggestions(word), done, failed=self._failed)

    def _failed(self, error: BaseException) -> None:
        if not isinstance(error, StudioError):
            raise error
        if not self._broken:
            where = f" ({error.where})" if error.where else ""
            told = tr_error(error)
            self.unusable.emit(f"{told.reason}{where}. {told.remedy}")
        self._broken = True  # without a dictionary nothing is marked, and typing goes on

    def stop(self) -> None:
        """Nothing more is looked at until there is another text."""
        self._text = ""
        self._rest.stop()
        self._worker.cancel()

    def shut_down(self) -> None:
        """End timer and worker."""
        self._rest.stop()
        self._worker.close()
        self._advisor.close()
