"""Where a question stands: beside what it asks about, not over it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QDialog, QWidget

__all__ = ["beside", "put_beside"]

_GAP = 14


def beside(what: QRect, size: QSize, room: QRect) -> QPoint:
    """The left top of a box of a size that leaves ``what`` to be seen; a pure function.

    Below it, else above, to the left or to the right; where no side has room, where it covers the
    least of it.
    """
    clear = what.adjusted(-_GAP, -_GAP, _GAP, _GAP)
    middle = what.center() - QPoint(size.width() // 2, size.height() // 2)
    sides = [
        QPoint(middle.x(), clear.bottom() + 1),
        QPoint(middle.x(), clear.top() - size.height()),
        QPoint(clear.left() - size.width(), middle.y()),
        QPoint(clear.right() + 1, middle.y()),
    ]
    right, bottom = room.right() + 1 - size.width(), room.bottom() + 1 - size.height()
    inside = [
        QPoint(min(max(p.x(), room.left()), right), min(max(p.y(), room.top()), bottom))
        for p in sides
    ]

    def covered(place: QPoint) -> int:
        both = QRect(place, size) & what
        return both.width() * both.height() if both.isValid() else 0

    return min(inside, key=covered)


def put_beside(dialog: QDialog, what: QRect | None, window: QWidget) -> None:
    """Let a dialog open beside a part of a window (None: wherever it opens by itself)."""
    if what is None:
        return
    dialog.ensurePolished()
    dialog.adjustSize()
    dialog.move(beside(what, dialog.size(), window.window().geometry()))
