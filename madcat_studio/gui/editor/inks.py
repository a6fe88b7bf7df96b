"""The colours of changes, made once for each theme: an alignment is painted at every keystroke."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from madcat_studio.gui.theme import Colours
from madcat_studio.scoring.columns import ColumnKind

__all__ = ["KINDS", "Inks", "inks", "shown"]

# Okabe and Ito's vermilion, blue, orange and reddish purple: darker on paper, lighter in the dark.
_COLOURS = {
    ColumnKind.INSERTION: ("#b34700", "#ff9a5c"),
    ColumnKind.DELETION: ("#005a94", "#6fb7e9"),
    ColumnKind.SUBSTITUTION: ("#7a5b00", "#e8c04a"),
    ColumnKind.ORIGIN: ("#8f3f6d", "#e59ac4"),
}
_TINTS = {
    ColumnKind.INSERTION: "#d55e00",
    ColumnKind.DELETION: "#56b4e9",
    ColumnKind.SUBSTITUTION: "#e69f00",
    ColumnKind.ORIGIN: "#cc79a7",
}
_TINT = 56
"""How much of its colour lies behind a changed word, of 255; twice as much where it is lit."""
_THICK = 1.5

KINDS = tuple(_COLOURS)
"""The kinds that have a colour."""


def shown(kind: ColumnKind) -> ColumnKind:
    """The kind whose colours are used: a word that only moved has those of its old place."""
    return ColumnKind.ORIGIN if kind is ColumnKind.MATCH else kind


class Inks:
    """What changes are painted with, by :func:`shown` kind.

    Attributes:
        ground, text, muted: of the theme.
        fine: pens for letters.
        thick: pens for lines and carets.
        dotted: the line below words that moved.
        tints, lit: what lies behind a changed word, and under the mouse.
    """

    def __init__(self, colours: Colours) -> None:
        self.ground, self.muted = QColor(colours.ground), QColor(colours.muted)
        self.text = QColor(colours.text)
        own = {kind: QColor(both[colours.dark]) for kind, both in _COLOURS.items()}
        self.fine = {kind: QPen(colour) for kind, colour in own.items()}
        self.thick = {kind: QPen(colour, _THICK) for kind, colour in own.items()}
        self.dotted = QPen(own[ColumnKind.ORIGIN], _THICK, Qt.PenStyle.DotLine)
        self.tints = {kind: _tint(name, _TINT) for kind, name in _TINTS.items()}
        self.lit = {kind: _tint(name, 2 * _TINT) for kind, name in _TINTS.items()}


def _tint(name: str, alpha: int) -> QColor:
    colour = QColor(name)
    colour.setAlpha(alpha)
    return colour


@cache
def inks(colours: Colours) -> Inks:
    """The inks of a theme."""
    return Inks(colours)
