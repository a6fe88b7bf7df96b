"""Keeps the history panel as the document is, and goes where it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.errors import StudioError
from madcat_studio.gui.page.features import Feature
from madcat_studio.model.change import Change

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["History"]


class History(Feature):
    """Keeps the panel as the workspace is."""

    def __init__(self, view: PageHost) -> None:
        super().__init__(view)
        self._list = view.side.history
        self._list.wanted.connect(self._go)
        view.side.tabs.currentChanged.connect(lambda _: self._show())

    def show_panel(self) -> None:
        """Show the panel, ready for the keyboard; from it, back to the page."""
        if self._list.hasFocus():
            self.view.canvas.setFocus()
            return
        self.view.side.bring(self._list)
        self._list.setFocus()

    def document_shown(self) -> None:
        """Show the document's history."""
        self._list.history.set_workspace(self.view.workspace)
        self._show()

    def changed(self, change: Change) -> None:
        """One step more, or another position."""
        if self._list.isVisible():
            self._show()

    def apply_theme(self) -> None:
        """Follow the theme."""
        self._list.history.apply_theme(self.view.shell.theme.colours)

    def _show(self) -> None:
        workspace = self.view.workspace
        if workspace is not None:
            self._list.follow(workspace.position)

    def _go(self, position: int) -> None:
        workspace = self.view.workspace
        if workspace is None:
            return
        try:
            workspace.go_to(position)
        except StudioError as error:
            self.view.shell.show_error(error)
            self._show()
