"""A window that is never larger than its screen: of small screens, and of large letters."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QRect, QSize
from PySide6.QtWidgets import QWidget

__all__ = ["fit_to_screen", "fitted"]


def fitted(window: QRect, room: QRect) -> QRect:
    """Where a window goes, so that all of it is in ``room``."""
    size = window.size().boundedTo(room.size())
    x = min(max(window.x(), room.x()), room.x() + room.width() - size.width())
    y = min(max(window.y(), room.y()), room.y() + room.height() - size.height())
    return QRect(x, y, size.width(), size.height())


def fit_to_screen(window: QWidget, least: QSize) -> None:
    """Keep a window within its screen; ``least`` is how small it may be where there is room."""
    inside, outside = window.geometry(), window.frameGeometry()
    frame = QMargins(
        inside.left() - outside.left(),
        inside.top() - outside.top(),
        outside.right() - inside.right(),
        outside.bottom() - inside.bottom(),
    )
    room = window.screen().availableGeometry().marginsRemoved(frame)
    window.setMinimumSize(least.boundedTo(room.size()))
    if inside.width() > room.width() or inside.height() > room.height():
        window.setGeometry(fitted(inside, room))
