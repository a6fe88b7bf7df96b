"""What the page view can do besides showing a page: each in a module of its own.

A feature hosts actions, follows what is shown and what is edited, and knows the view only through
its public parts (canvas, side panel, choice, documents). The view makes all of them once, in the
order of :func:`make_features`, and asks them before it acts itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QObject

from madcat_studio.model.change import Change

if TYPE_CHECKING:
    from madcat_studio.gui.page.view import PageView

__all__ = ["Feature", "make_features"]


class Feature(QObject):
    """One such thing. Every method may stay as it is.

    Attributes:
        actions: the ids of the actions that it hosts; they are declared in ``actions.py`` or in
            a light module that is joined there.
    """

    actions: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, view: PageView) -> None:
        super().__init__(view)
        self.view = view

    def trigger(self, action: str, checked: bool) -> None:
        """Do what one of its actions says; a document is open."""

    def can(self, action: str) -> bool:
        """Whether one of its actions can be used now; a document is open."""
        return True

    def is_checked(self, action: str) -> bool:
        """Whether one of its actions is switched on."""
        return False

    def title_of(self, action: str) -> str | None:
        """A title that depends on the state, None for the declared one."""
        return None

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


def make_features(view: PageView) -> tuple[Feature, ...]:
    """All features, made for a view whose parts are built."""
    from madcat_studio.gui.page.checking import Checking
    from madcat_studio.gui.page.comparing.feature import CompareFeature
    from madcat_studio.gui.page.diskwatch import DiskWatch
    from madcat_studio.gui.page.historyfeature import History
    from madcat_studio.gui.page.marking.feature import MarkingFeature
    from madcat_studio.gui.page.orderpanel import OrderPanel
    from madcat_studio.gui.page.proposals import Proposals
    from madcat_studio.gui.page.queue.feature import QueueFeature
    from madcat_studio.gui.page.seeing import Seeing
    from madcat_studio.gui.page.statusline import StatusLine
    from madcat_studio.gui.page.tokens.feature import TokenFeature
    from madcat_studio.gui.page.toolbox import Toolbox

    seeing = Seeing(view)
    return (
        seeing,
        Checking(view, seeing),
        History(view),
        DiskWatch(view),
        StatusLine(view),
        Toolbox(view),
        Proposals(view),
        OrderPanel(view),
        TokenFeature(view),
        MarkingFeature(view),
        QueueFeature(view),
        CompareFeature(view),
    )
