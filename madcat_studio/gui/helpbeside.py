"""The manual beside the work: F1 opens its page for the view in front, and for a dialog over it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QWidget

from madcat_studio.gui.views import VIEWS

if TYPE_CHECKING:
    from madcat_studio.gui.manualwindow import ManualWindow
    from madcat_studio.gui.theme import Theme

__all__ = ["HelpBeside"]

_KEY = "F1"
_HAS_KEY = "has_key_of_manual"


class HelpBeside(QObject):
    """Shows the manual beside a window, and beside each dialog that has the keys.

    While a dialog waits for its answer, the window's own keys do nothing, and of other windows only
    the dialog's own can be used: so each dialog gets the key, and a manual of its own. A dialog
    that belongs to another page than the view below it names that as ``manual``.
    """

    def __init__(self, window: QMainWindow, theme: Theme, front: Callable[[], str]) -> None:
        """Begin for a window; ``front`` is the id of its view in front."""
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._front = front
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._give_key)

    def show(self) -> None:
        """Show the page for the view in front."""
        self._beside(self._window).show_page(self._page_of_view())

    def explain(self, code: str) -> None:
        """Show what the code of a message means."""
        self._beside(self._window).explain(code)

    def _give_key(self, _before: QWidget | None, now: QWidget | None) -> None:
        dialog = now.window() if now is not None else None
        if not isinstance(dialog, QDialog) or dialog.property(_HAS_KEY):
            return
        if self._is_over_window(dialog):
            dialog.setProperty(_HAS_KEY, True)
            QShortcut(QKeySequence(_KEY), dialog).activated.connect(lambda: self._show_for(dialog))

    def _is_over_window(self, dialog: QDialog) -> bool:
        """Whether a dialog belongs to the window, or to another dialog of it."""
        below: QObject | None = dialog
        while below is not None and below is not self._window:
            below = below.parent()
        return below is not None

    def _show_for(self, dialog: QDialog) -> None:
        wanted = getattr(dialog, "manual", "") or self._page_of_view()
        self._beside(dialog).show_page(wanted)

    def _page_of_view(self) -> str:
        return {spec.id: spec.manual for spec in VIEWS}.get(self._front(), "index")

    def _beside(self, owner: QWidget) -> ManualWindow:
        """The manual of a window or dialog, in front."""
        from madcat_studio.gui.manualwindow import ManualWindow

        [found] = [one for one in owner.children() if isinstance(one, ManualWindow)] or [
            ManualWindow(self._theme, owner)
        ]
        found.setProperty(_HAS_KEY, True)  # over itself it needs none
        found.show()
        found.activateWindow()
        return found
