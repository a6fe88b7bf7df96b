"""How pages are shown: the actions, as data."""

from __future__ import annotations

from madcat_studio.gui.actions import Action
from madcat_studio.gui.translation import mark

__all__ = ["ACTIONS"]

ACTIONS: tuple[Action, ...] = (
    Action(
        "page.fit-choice",
        mark("&Fit what is chosen"),
        "view",
        ("Ctrl+7",),
        "fit-choice",
        hint=mark("Show what is chosen as large as it fits"),
    ),
    Action("page.turn-right", mark("&Turn right"), "view", ("Ctrl+]",), "turn-right", section=0),
    Action(
        "page.turn-left",
        mark("Turn le&ft"),
        "view",
        ("Ctrl+[",),
        "turn-left",
        section=0,
        hint=mark("Turn what is shown; the file and its pixels stay as they are"),
    ),
    Action("page.fill", mark("Fill outlines"), "view", ("Alt+5",), "fill", True, section=1),
    Action(
        "page.order",
        mark("Show the &reading order"),
        "view",
        ("Alt+6",),
        "order",
        True,
        section=1,
        hint=mark("Arrows from word to word, and the number of each line where reading begins"),
    ),
    Action(
        "page.colours",
        mark("Ne&xt colours"),
        "view",
        ("Alt+7",),
        "",
        section=1,
        hint=mark("Colour outlines by layer, line, status or problem"),
    ),
    Action("page.loupe", mark("Lou&pe"), "view", ("Alt+8",), "zoom-in", True, section=2),
    Action("page.minimap", mark("&Map of the page"), "view", ("Alt+9",), "page", True, section=2),
    Action(
        "page.picture",
        mark("Pi&cture and colours"),
        "view",
        ("Alt+0",),
        "picture",
        True,
        section=2,
        hint=mark("Brightness, contrast and gamma of the scan, colours and opacity of outlines"),
    ),
    Action(
        "page.thumbnails",
        mark("Sma&ll pictures in the list"),
        "view",
        ("Ctrl+Shift+T",),
        "",
        True,
        section=2,
    ),
    Action("page.brighter", mark("Brighter"), "view", ("F2",), "", section=3),
    Action("page.darker", mark("Darker"), "view", ("Shift+F2",), "", section=3),
    Action("page.more-contrast", mark("More contrast"), "view", ("F3",), "", section=3),
    Action("page.less-contrast", mark("Less contrast"), "view", ("Shift+F3",), "", section=3),
    Action("page.more-gamma", mark("Lighter middle (gamma)"), "view", ("F4",), "", section=3),
    Action("page.less-gamma", mark("Darker middle (gamma)"), "view", ("Shift+F4",), "", section=3),
    Action("page.stronger", mark("Outlines stronger"), "view", ("F6",), "", section=3),
    Action("page.fainter", mark("Outlines fainter"), "view", ("Shift+F6",), "", section=3),
    Action("page.plain", mark("Picture as it is"), "view", ("Ctrl+F2",), "", section=3),
)
