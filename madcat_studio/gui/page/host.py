"""What the page view is to its features: the parts that they work on, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance
    from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

    from madcat_studio.edits import Edit
    from madcat_studio.gui.page.canvas import PageCanvas
    from madcat_studio.gui.page.choice import Choice
    from madcat_studio.gui.page.documents import Documents
    from madcat_studio.gui.page.filelist import FileList
    from madcat_studio.gui.page.pagescan import PageScan
    from madcat_studio.gui.page.side import SidePanel
    from madcat_studio.gui.views import Shell
    from madcat_studio.model.change import Change
    from madcat_studio.workspace.page import PageWorkspace

__all__ = ["PageHost"]


class PageHost(Protocol):
    """The view, as features see it.

    Attributes:
        column: above and below the page, for strips.
        beside: left and right of the page.
    """

    shell: Shell
    canvas: PageCanvas
    side: SidePanel
    choice: Choice
    documents: Documents
    scan: PageScan
    files: FileList
    column: QVBoxLayout
    beside: QHBoxLayout

    @property
    def widget(self) -> QWidget:
        """The parent of dialogs and timers."""

    @property
    def workspace(self) -> PageWorkspace | None:
        """The document that is shown."""

    @property
    def page_number(self) -> int:
        """Which page of it is shown, from 0."""

    @property
    def state_changed(self) -> SignalInstance:
        """Titles, enablement or marks of actions may be different now."""

    @property
    def hint(self) -> SignalInstance:
        """Something for the status bar."""

    @property
    def advice(self) -> SignalInstance:
        """What can be done now, for the status bar's other end."""

    def execute(self, edit: Edit) -> Change | None:
        """Make an edit and say what changed; an error is shown, and None says so."""

    def put_tool_away(self) -> None:
        """Take the tool that chooses into the hand."""
