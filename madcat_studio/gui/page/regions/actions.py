"""Regions and baselines: the actions and keys, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.declarations import Action, Key
from madcat_studio.gui.page.declaring import page_actions
from madcat_studio.gui.translation import mark

if TYPE_CHECKING:
    from madcat_studio.gui.page.view import PageView

__all__ = ["ACTIONS", "KEYS", "TOOL"]

regions = page_actions()

TOOL = regions(
    "tool-region",
    mark("Regions and &baselines"),
    "outlines",
    ("U",),
    "tool-region",
    hint=mark("Draw, move, split and name regions; draw and move baselines"),
    run=lambda view: view.features.regions.take(),
    checked=lambda view: view.features.regions.is_on,
)

regions(
    "show-regions",
    mark("Show re&gions and baselines"),
    "view",
    ("Shift+U",),
    run=lambda view: view.features.regions.toggle(),
    checked=lambda view: view.features.regions.shows,
)

ACTIONS: tuple[Action[PageView], ...] = tuple(regions)

KEYS: tuple[Key, ...] = (
    Key(mark("Drag over empty paper, or Shift and drag"), mark("regions: draw a new one")),
    Key(mark("Ctrl and drag"), mark("regions: draw the baseline of the line")),
    Key(mark("Alt and drag"), mark("regions: split the region by a stroke across it")),
    Key(mark("Alt and click"), mark("regions: remove a point, or add one on an edge")),
)
