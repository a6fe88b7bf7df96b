"""Makes the view of pages: the one place that knows it and what is declared for it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from madcat_studio.gui.page.actions import BARS
from madcat_studio.gui.page.view import PageView
from madcat_studio.gui.views import Shell

__all__ = ["make_page_view"]


def make_page_view(shell: Shell, parent: QWidget | None = None) -> PageView:
    """The view, with the buttons and keys that are declared."""
    return PageView(shell, BARS, parent)
