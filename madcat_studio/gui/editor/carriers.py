"""How the edit box holds the few characters that Qt's documents cannot.

A document takes each of these five for the end of a paragraph or the border of a frame, and forgets
which it was. The box holds a stand-in of the same length in their place: a control character
that no XML, and so no text of a campaign, can have.
"""

from __future__ import annotations

__all__ = ["CARRIED", "carried", "restored"]

CARRIED = {
    "\n": "\x0e",
    "\r": "\x0f",
    "\u2029": "\x10",  # paragraph separator
    "\ufdd0": "\x11",  # Qt's begin of a frame
    "\ufdd1": "\x12",  # Qt's end of a frame
}
"""Character -> its stand-in; both are one UTF-16 unit, so that no place moves."""

_TO_QT = str.maketrans(CARRIED)
_FROM_QT = str.maketrans({carrier: own for own, carrier in CARRIED.items()})


def carried(text: str) -> str:
    """``text`` as a document of Qt can hold it."""
    return text.translate(_TO_QT)


def restored(text: str) -> str:
    """What :func:`carried` was given. A paragraph's end that was typed stays one (U+2029)."""
    return text.translate(_FROM_QT)
