"""How pages are shown: the actions, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from madcat_studio.gui.declarations import Action, MenuName
from madcat_studio.gui.page.declaring import page_actions
from madcat_studio.gui.settings import (
    FOLD_FILES,
    FOLD_SIDE,
    FOLD_TOOLS,
    SEE_BRIGHTNESS,
    SEE_CONTRAST,
    SEE_FILL,
    SEE_GAMMA,
    SEE_LABELS,
    SEE_LINES,
    SEE_LOUPE,
    SEE_MINIMAP,
    SEE_OPACITY,
    SEE_ORDER,
    SEE_SCAN,
    SEE_THUMBNAILS,
    SEE_WORDS,
    Setting,
)
from madcat_studio.gui.translation import mark

if TYPE_CHECKING:
    from madcat_studio.gui.page.view import PageView

__all__ = ["ACTIONS"]

see = page_actions()


def _switch(
    name: str,
    title: str,
    menu: MenuName,
    shortcut: tuple[str, ...],
    icon: str,
    setting: Setting[bool],
    *,
    section: int = 1,
    hint: str = "",
) -> Action[PageView]:
    """Something that is shown or not, which its setting remembers."""
    return see(
        name,
        title,
        menu,
        shortcut,
        icon,
        section=section,
        hint=hint,
        run=lambda view: view.features.seeing.toggle(setting),
        checked=lambda view: view.features.seeing.shows(setting),
    )


def _step(name: str, title: str, shortcut: tuple[str, ...], setting: Setting[int], by: int) -> None:
    """More or less of something."""
    see(
        name,
        title,
        "picture",
        shortcut,
        section=1,
        run=lambda view: view.features.seeing.step(setting, by),
        enabled=lambda view: view.features.seeing.can_step(setting, by),
    )


FOLD_ALL_PANELS = see(
    "fold-panels",
    mark("Hide all &panels"),
    "view",
    ("F10",),
    "panels",
    section=4,
    hint=mark("Show the page alone; again to bring the panels back"),
    run=lambda view: view.features.folding.toggle_all(),
    checked=lambda view: view.features.folding.all_folded,
)


def _fold(name: str, title: str, setting: Setting[str]) -> None:
    see(
        name,
        title,
        "view",
        section=4,
        run=lambda view: view.features.folding.toggle(setting),
        checked=lambda view: view.features.folding.shows(setting),
    )


_fold("panel-documents", mark("Docume&nts panel"), FOLD_FILES)
_fold("panel-tools", mark("T&ools panel"), FOLD_TOOLS)
_fold("panel-side", mark("Te&xts and problems panel"), FOLD_SIDE)

SHOW_SCAN = _switch("show-scan", mark("Show the &scan"), "view", ("Alt+1",), "scan", SEE_SCAN)

SHOW_LINES = _switch("show-lines", mark("Show &lines"), "view", ("Alt+2",), "lines", SEE_LINES)

SHOW_WORDS = _switch("show-words", mark("Show wor&ds"), "view", ("Alt+3",), "words", SEE_WORDS)

SHOW_LABELS = _switch(
    "show-labels", mark("Show the words' &text"), "view", ("Alt+4",), "labels", SEE_LABELS
)

see(
    "fit-choice",
    mark("&Fit the selection"),
    "view",
    ("Ctrl+7",),
    "fit-choice",
    hint=mark("Show the selection as large as it fits"),
    run=lambda view: view.canvas.selection.fit(),
    enabled=lambda view: view.canvas.selection.has_choice,
)

see(
    "turn-right",
    mark("&Turn right"),
    "view",
    ("Ctrl+]",),
    "turn-right",
    run=lambda view: view.features.seeing.turn(90),
)

see(
    "turn-left",
    mark("Turn le&ft"),
    "view",
    ("Ctrl+[",),
    "turn-left",
    hint=mark("Turns the view only; the file and its pixels stay as they are"),
    run=lambda view: view.features.seeing.turn(-90),
)

FILL = _switch(
    "fill",
    mark("Fill outlines"),
    "view",
    ("Alt+5",),
    "fill",
    SEE_FILL,
    section=1,
)

ORDER = _switch(
    "order",
    mark("Show the &reading order"),
    "view",
    ("Alt+6",),
    "order",
    SEE_ORDER,
    section=1,
    hint=mark("Arrows from word to word, and the number of each line where reading begins"),
)

see(
    "colours",
    mark("Ne&xt colours"),
    "view",
    ("Alt+7",),
    section=1,
    hint=mark("Colour outlines by layer, line, status or problem"),
    run=lambda view: view.features.seeing.next_colours(),
)

_switch(
    "loupe",
    mark("Lou&pe"),
    "picture",
    ("Alt+8",),
    "loupe",
    SEE_LOUPE,
    section=2,
)

_switch(
    "minimap",
    mark("M&ap of the page"),
    "picture",
    ("Alt+9",),
    "map",
    SEE_MINIMAP,
    section=2,
)

PICTURE = see(
    "picture",
    mark("&Sliders and colours…"),
    "picture",
    ("Alt+0",),
    "picture",
    section=2,
    hint=mark("Brightness, contrast and gamma of the scan, colours and opacity of outlines"),
    run=lambda view: view.features.seeing.toggle_panel(),
    checked=lambda view: view.features.seeing.panel.isVisible(),
)

_switch(
    "thumbnails",
    mark("Small pi&ctures in the list"),
    "picture",
    ("Ctrl+Shift+T",),
    "",
    SEE_THUMBNAILS,
    section=2,
)

_step("brighter", mark("&Brighter"), ("F3",), SEE_BRIGHTNESS, 10)

_step("darker", mark("&Darker"), ("Shift+F3",), SEE_BRIGHTNESS, -10)

_step("more-contrast", mark("&More contrast"), ("F4",), SEE_CONTRAST, 10)

_step("less-contrast", mark("&Less contrast"), ("Shift+F4",), SEE_CONTRAST, -10)

_step("more-gamma", mark("Lighter middle (gamma)"), ("F5",), SEE_GAMMA, 10)

_step("less-gamma", mark("Darker middle (gamma)"), ("Shift+F5",), SEE_GAMMA, -10)

_step("stronger", mark("Stronger outlines"), ("F6",), SEE_OPACITY, 10)

_step("fainter", mark("Fainter outlines"), ("Shift+F6",), SEE_OPACITY, -10)

see(
    "plain",
    mark("Reset the picture"),
    "picture",
    ("Ctrl+F3",),
    section=1,
    run=lambda view: view.features.seeing.be_plain(),
)

ACTIONS: tuple[Action[PageView], ...] = tuple(see)
