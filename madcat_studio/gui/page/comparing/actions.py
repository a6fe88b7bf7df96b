"""Comparing two segmentations: the actions, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.declarations import Action
from madcat_studio.gui.page.declaring import page_actions
from madcat_studio.gui.translation import mark

if TYPE_CHECKING:
    from madcat_studio.gui.page.comparing.feature import CompareFeature
    from madcat_studio.gui.page.settling.feature import SettleFeature
    from madcat_studio.gui.page.view import PageView

__all__ = ["ACTIONS", "BUTTONS"]

comparing = page_actions()


def _deciding(view: PageView) -> CompareFeature | SettleFeature:
    """Where something is decided: between several annotators, else between two."""
    several = view.features.settling
    return several if several.is_on else view.features.comparing


comparing(
    "compare",
    mark("Com&pare with another…"),
    "page",
    ("Ctrl+Shift+K",),
    "compare",
    section=5,
    hint=mark("Overlay another file's outlines of this page, and decide between the two"),
    run=lambda view: view.features.comparing.toggle(),
    checked=lambda view: view.features.comparing.is_on,
)

SIDE_BY_SIDE = comparing(
    "side-by-side",
    mark("Both si&de by side"),
    "page",
    ("F12",),
    "side-by-side",
    section=5,
    hint=mark("The other page beside yours, moved and zoomed together"),
    run=lambda view: view.features.comparing.toggle_pane(),
    enabled=lambda view: view.features.comparing.is_on,
    checked=lambda view: view.features.comparing.shows_pane,
)

comparing(
    "next-difference",
    mark("Next d&ifference"),
    "page",
    ("F7",),
    section=5,
    hint=mark("When settling: the next place where versions differ"),
    run=lambda view: _deciding(view).step(1),
    enabled=lambda view: _deciding(view).has_differences,
)

comparing(
    "previous-difference",
    mark("Previous difference"),
    "page",
    ("Shift+F7",),
    section=5,
    hint=mark("When settling: the place before where versions differ"),
    run=lambda view: _deciding(view).step(-1),
    enabled=lambda view: _deciding(view).has_differences,
)

TAKE_THEIRS = comparing(
    "take-theirs",
    mark("Take t&heirs"),
    "page",
    ("Ctrl+T",),
    section=5,
    hint=mark("Make your page like the other one, or the marked version, at this difference"),
    run=lambda view: _deciding(view).take_theirs(),
    enabled=lambda view: _deciding(view).has_current,
)

KEEP_MINE = comparing(
    "keep-mine",
    mark("Keep mine"),
    "page",
    ("Ctrl+K",),
    section=5,
    hint=mark("Decide for yours; the difference is not shown again"),
    run=lambda view: _deciding(view).keep_mine(),
    enabled=lambda view: _deciding(view).has_current,
)

ACTIONS: tuple[Action[PageView], ...] = tuple(comparing)

BUTTONS: tuple[Action[PageView], ...] = (TAKE_THEIRS, KEEP_MINE, SIDE_BY_SIDE)
"""The answers above the list of differences."""
