"""Whether numbers are written as the window's language writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QWidget

__all__ = ["item_texts", "latin_numbers"]

_MOST_ROWS = 100
_NAMED = re.compile(
    r"<[^>]*>"
    r"|\u2068[^\u2068\u2069]*[A-Za-z][^\u2068\u2069]*\u2069"
    r"|\u2068\d{4}-\d\d-\d\d[ :\d]*\u2069"
)
"""Tags, a name that is held apart from its sentence, and how a date is to be typed."""
_ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)


def latin_numbers(text: str) -> list[str]:
    """What stands in an Arabic text in Latin digits and is no part of a name, a key or a format."""
    words = re.split(r"[\s()\u2066-\u2069]+", _NAMED.sub(" ", text.replace("&nbsp;", " ")))
    return [one for one in words if re.search("[0-9]", one) and not re.search(r"[A-Za-z_/\\]", one)]


def item_texts(window: QWidget) -> Iterator[str]:
    """What stands in the lists, tables and trees of a window."""
    for view in window.findChildren(QAbstractItemView):
        model = view.model()
        if not view.isVisible() or model is None:
            continue
        flat = isinstance(model, QAbstractListModel)
        left = [QModelIndex()]
        while left:
            parent = left.pop()
            for row in range(min(model.rowCount(parent), _MOST_ROWS)):
                for column in range(1 if flat else model.columnCount(parent)):
                    index = model.index(row, column, parent)
                    for role in _ROLES:
                        yield str(model.data(index, role) or "")
                if not flat:
                    left.append(model.index(row, 0, parent))
