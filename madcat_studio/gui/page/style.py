"""How outlines look. Plain values; the painting code asks no theme."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtGui import QColor

__all__ = ["DARK", "LIGHT", "PageColours", "page_colours"]


@dataclass(frozen=True, slots=True)
class PageColours:
    """The colours of a page and of what lies on it; told apart by the colour-blind.

    The scan is paper in either theme; only its surroundings change with it.
    """

    surround: QColor
    paper: QColor
    edge: QColor
    line: QColor
    word: QColor
    hover: QColor
    chosen: QColor
    linked: QColor
    doubtful: QColor
    handle: QColor
    label: QColor
    label_ground: QColor
    order: QColor
    locked: QColor


def _colours(surround: str, edge: str) -> PageColours:
    return PageColours(
        surround=QColor(surround),
        paper=QColor("#ffffff"),
        edge=QColor(edge),
        line=QColor("#2f7fc4"),
        word=QColor("#d98a1f"),
        hover=QColor("#0b57a4"),
        chosen=QColor("#b3124f"),
        linked=QColor("#00796b"),
        doubtful=QColor("#7c1fd6"),
        handle=QColor("#ffffff"),
        label=QColor("#123a5c"),
        label_ground=QColor(255, 255, 255, 215),
        order=QColor("#7b3fa0"),
        locked=QColor("#5d6b78"),
    )


LIGHT = _colours("#e4e2dc", "#c9c6bd")
DARK = _colours("#17191b", "#2e3236")

_SETS: dict[str, dict[str, str]] = {
    "standard": {},
    # Okabe and Ito's colours, in pairs that stay apart.
    "red-green": {
        "line": "#0072b2",
        "word": "#e69f00",
        "hover": "#003d66",
        "chosen": "#000000",
        "linked": "#56b4e9",
        "doubtful": "#cc79a7",
    },
    "blue-yellow": {
        "line": "#009e73",
        "word": "#d55e00",
        "hover": "#005c43",
        "chosen": "#7a0033",
        "linked": "#cc79a7",
        "doubtful": "#000000",
    },
    "strong": {
        "line": "#0000d0",
        "word": "#d00000",
        "hover": "#000060",
        "chosen": "#a000a0",
        "linked": "#006000",
        "doubtful": "#a05000",
    },
}


def page_colours(theme: PageColours, outlines: str) -> PageColours:
    """The colours of a theme with those of outlines from a set; a pure function."""
    return replace(theme, **{name: QColor(value) for name, value in _SETS[outlines].items()})
