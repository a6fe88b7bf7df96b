"""How pages are shown: the actions, as data."""

from __future__ import annotations

from typing import Any

from madcat_studio.gui.actions import by_host
from madcat_studio.gui.declarations import Action
from madcat_studio.gui.translation import mark

__all__ = ["ACTIONS"]

ACTIONS: tuple[Action[Any], ...] = (
    by_host(
        "page.fit-choice",
        mark("&Fit what is chosen"),
        "view",
        ("Ctrl+7",),
        "fit-choice",
        hint=mark("Show what is chosen as large as it fits"),
    ),
    by_host("page.turn-right", mark("&Turn right"), "view", ("Ctrl+]",), "turn-right", section=0),
    by_host(
        "page.turn-left",
        mark("Turn le&ft"),
        "view",
        ("Ctrl+[",),
        "turn-left",
        section=0,
        hint=mark("Turn what is shown; the file and its pixels stay as they are"),
    ),
    by_host("page.fill", mark("Fill outlines"), "view", ("Alt+5",), "fill", True, section=1),
    by_host(
        "page.order",
        mark("Show the &reading order"),
        "view",
        ("Alt+6",),
        "order",
        True,
        section=1,
        hint=mark("Arrows from word to word, and the number of each line where reading begins"),
    ),
    by_host(
        "page.colours",
        mark("Ne&xt colours"),
        "view",
        ("Alt+7",),
        "",
        section=1,
        hint=mark("Colour outlines by layer, line, status or problem"),
    ),
    by_host("page.loupe", mark("Lou&pe"), "picture", ("Alt+8",), "loupe", True, section=2),
    by_host(
        "page.minimap", mark("&Map of the page"), "picture", ("Alt+9",), "map", True, section=2
    ),
    by_host(
        "page.picture",
        mark("&Sliders and colours…"),
        "picture",
        ("Alt+0",),
        "picture",
        True,
        section=2,
        hint=mark("Brightness, contrast and gamma of the scan, colours and opacity of outlines"),
    ),
    by_host(
        "page.thumbnails",
        mark("Small pi&ctures in the list"),
        "picture",
        ("Ctrl+Shift+T",),
        "",
        True,
        section=2,
    ),
    by_host("page.brighter", mark("&Brighter"), "picture", ("F3",), "", section=1),
    by_host("page.darker", mark("&Darker"), "picture", ("Shift+F3",), "", section=1),
    by_host("page.more-contrast", mark("&More contrast"), "picture", ("F4",), "", section=1),
    by_host("page.less-contrast", mark("&Less contrast"), "picture", ("Shift+F4",), "", section=1),
    by_host("page.more-gamma", mark("Lighter middle (gamma)"), "picture", ("F5",), "", section=1),
    by_host(
        "page.less-gamma", mark("Darker middle (gamma)"), "picture", ("Shift+F5",), "", section=1
    ),
    by_host("page.stronger", mark("Outlines stronger"), "picture", ("F6",), "", section=1),
    by_host("page.fainter", mark("Outlines fainter"), "picture", ("Shift+F6",), "", section=1),
    by_host("page.plain", mark("Picture as it is"), "picture", ("Ctrl+F3",), "", section=1),
)
