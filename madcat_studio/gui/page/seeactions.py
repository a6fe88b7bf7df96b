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
    Action("page.loupe", mark("Lou&pe"), "picture", ("Alt+8",), "loupe", True, section=2),
    Action("page.minimap", mark("&Map of the page"), "picture", ("Alt+9",), "map", True, section=2),
    Action(
        "page.picture",
        mark("&Sliders and colours…"),
        "picture",
        ("Alt+0",),
        "picture",
        True,
        section=2,
        hint=mark("Brightness, contrast and gamma of the scan, colours and opacity of outlines"),
    ),
    Action(
        "page.thumbnails",
        mark("Small pi&ctures in the list"),
        "picture",
        ("Ctrl+Shift+T",),
        "",
        True,
        section=2,
    ),
    Action("page.brighter", mark("&Brighter"), "picture", ("F3",), "", section=1),
    Action("page.darker", mark("&Darker"), "picture", ("Shift+F3",), "", section=1),
    Action("page.more-contrast", mark("&More contrast"), "picture", ("F4",), "", section=1),
    Action("page.less-contrast", mark("&Less contrast"), "picture", ("Shift+F4",), "", section=1),
    Action("page.more-gamma", mark("Lighter middle (gamma)"), "picture", ("F5",), "", section=1),
    Action(
        "page.less-gamma", mark("Darker middle (gamma)"), "picture", ("Shift+F5",), "", section=1
    ),
    Action("page.stronger", mark("Outlines stronger"), "picture", ("F6",), "", section=1),
    Action("page.fainter", mark("Outlines fainter"), "picture", ("Shift+F6",), "", section=1),
    Action("page.plain", mark("Picture as it is"), "picture", ("Ctrl+F3",), "", section=1),
)
