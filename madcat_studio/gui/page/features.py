"""What the page view can do besides showing a page: each in a module of its own.

A feature does what actions say, follows what is shown and what is edited, and knows the view only
through its public parts (canvas, side panel, choice, documents). The view makes all of them once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from madcat_studio.model.change import Change

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["Feature"]


class Feature(QObject):
    """One such thing. Every method may stay as it is."""

    def __init__(self, view: PageHost) -> None:
        super().__init__(view.widget)
        self.view = view

    def document_shown(self) -> None:
        """Another document is shown; its page follows with :meth:`page_shown`."""

    def page_shown(self) -> None:
        """Another page is shown: outlines and links are those of it."""

    def changed(self, change: Change) -> None:
        """An edit, an undo, a redo or (an empty change) a save; the canvas shows it already."""

    def apply_theme(self) -> None:
        """Follow theme and fonts."""

    def shut_down(self) -> None:
        """Stop timers and threads."""
