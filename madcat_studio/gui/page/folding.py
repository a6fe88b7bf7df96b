"""Which panels stand beside the page: each folds away by itself, and one key folds all of them.

What is folded is remembered. Left alone, the list of documents makes way in a narrow window, and
the panel beside the page takes no more than leaves the page its share.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QSplitter

from madcat_studio.gui.page.features import Feature
from madcat_studio.gui.page.palette import TOOLS_WIDTH
from madcat_studio.gui.settings import (
    FOLD_ALL,
    FOLD_FILES,
    FOLD_SIDE,
    FOLD_TOOLS,
    FOLDS,
    Setting,
)

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["Folding", "side_width"]

_ROOMY = 1400
"""From this width of the window on the list of documents stands beside the page by itself."""
_PAGE = 0.7
"""The page's share of the width, next to the open panel."""
_FILES = 210
_LEAST_SIDE, _MOST_SIDE = 208, 400


def side_width(window: int, beside: int) -> int:
    """How wide the panel beside the page is at first; a pure function.

    Args:
        window: the width of the window.
        beside: how much of it others than page and panel take.
    """
    return min(max(int(window * (1 - _PAGE)) - beside, _LEAST_SIDE), _MOST_SIDE)


class Folding(Feature):
    """Shows and hides the panels as the settings say."""

    def __init__(
        self, view: PageHost, splitter: QSplitter, show_tools: Callable[[bool], None]
    ) -> None:
        super().__init__(view)
        self._settings = view.shell.settings
        self._splitter, self._show_tools = splitter, show_tools
        self._by_hand = self._alone = False
        splitter.splitterMoved.connect(self._on_moved)
        splitter.installEventFilter(self)
        view.side.wanted.connect(self._on_wanted)
        self._settings.changed.connect(self._on_setting)
        self._apply()

    # Actions

    def shows(self, panel: Setting[str]) -> bool:
        """Whether a panel is not folded away."""
        if self._settings.get(FOLD_ALL):
            return False
        value = self._settings.get(panel)
        return value == "shown" or (value == "auto" and self._splitter.window().width() >= _ROOMY)

    @property
    def all_folded(self) -> bool:
        """Whether all panels are folded away."""
        return self._settings.get(FOLD_ALL)

    def toggle(self, panel: Setting[str]) -> None:
        """Fold a panel away, or show it again."""
        shown = self.shows(panel)
        self._settings.set(FOLD_ALL, False)
        self._settings.set(panel, "folded" if shown else "shown")

    def toggle_all(self) -> None:
        """Fold all panels away, or show again those that were there."""
        self._settings.set(FOLD_ALL, not self.all_folded)

    # What is shown

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the width of the window."""
        if event.type() == QEvent.Type.Resize:
            self._apply()
        return super().eventFilter(watched, event)

    def document_shown(self) -> None:
        """Of a folder there is a list now."""
        self._apply()

    def _on_setting(self, setting: Setting[str]) -> None:
        if setting in FOLDS:
            self._apply()
            self.view.state_changed.emit()

    def _on_wanted(self) -> None:
        """Something that stands in the panel was asked for."""
        if not self.shows(FOLD_SIDE):
            self.toggle(FOLD_SIDE)

    def _on_moved(self, *_: int) -> None:
        self._by_hand = True

    def _apply(self) -> None:
        view = self.view
        view.files.fold(not self.shows(FOLD_FILES))
        view.side.setVisible(self.shows(FOLD_SIDE))
        self._show_tools(self.shows(FOLD_TOOLS))
        if view.workspace is not None and self._alone != self.all_folded:
            self._alone = self.all_folded
            view.shell.give_room(view.widget, self._alone)
        if self._by_hand:
            return
        width, window = self._splitter.width(), self._splitter.window().width()
        files = _FILES if view.files.isVisible() else 0
        beside = window - width + 2 * self._splitter.handleWidth() + TOOLS_WIDTH
        side = side_width(window, beside)
        self._splitter.setSizes([_FILES, max(width - side - files, 1), side])
