"""Which actions the page view and its panels show as buttons, and which keys its canvas takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from madcat_studio.gui.declarations import Action, Bar

if TYPE_CHECKING:
    from madcat_studio.gui.page.toolhost import ToolHost

__all__ = ["PageBars"]


class PageBars(NamedTuple):
    """They are handed to the view: it does not know what is declared.

    Attributes:
        tools: the tool bar above the page.
        number: behind whose button of it the number of the page stands.
        scale: behind whose button of it the zoom stands.
        palette: the buttons beside the page, from the top.
        queue: below the state of the page in the queue.
        comparing: above the list of differences.
        flow: under the tokens of a line.
        settling: above the list of places.
        keys: what keys do on the page itself.
    """

    tools: Bar
    number: Action[Any]
    scale: Action[Any]
    palette: Bar
    queue: tuple[Action[Any], ...]
    comparing: tuple[Action[Any], ...]
    flow: tuple[Action[Any], ...]
    settling: tuple[Action[Any], ...]
    keys: tuple[Action[ToolHost], ...]
