"""What the declarations of the page view begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.declarations import Declarations

if TYPE_CHECKING:
    from madcat_studio.gui.page.view import PageView

__all__ = ["page_actions"]


def page_actions() -> Declarations[PageView]:
    """For actions of the page view: each of them needs a document."""
    return Declarations("page", lambda view: view.workspace is not None)
