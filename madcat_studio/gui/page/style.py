"""How outlines look. Plain values; the painting code asks no theme."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor

__all__ = ["DARK", "LIGHT", "PageColours"]


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
        handle=QColor("#ffffff"),
        label=QColor("#123a5c"),
        label_ground=QColor(255, 255, 255, 215),
        order=QColor("#7b3fa0"),
        locked=QColor("#5d6b78"),
    )


LIGHT = _colours("#e4e2dc", "#c9c6bd")
DARK = _colours("#17191b", "#2e3236")
