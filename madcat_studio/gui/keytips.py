"""Tips that name the key of an action, whichever key it has now."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from madcat_studio.gui.keymap import Keymap

__all__ = ["KeyTip", "native"]


def native(keys: tuple[str, ...]) -> str:
    """One of an action's keys as people read it, "" without any.

    Of Return and Enter, that which most keyboards have on the key.
    """
    if not keys:
        return ""
    told = next((key for key in keys if key.endswith("Enter")), keys[0])
    return QKeySequence(told).toString(QKeySequence.SequenceFormat.NativeText)


class KeyTip(QObject):
    """Puts a key behind whatever a widget says in its tip; belongs to the widget.

    The widget's owner sets tips as it likes, and need not know of keys.
    """

    def __init__(self, widget: QWidget, key: Callable[[], str], keymap: Keymap) -> None:
        """
        Args:
            widget: whose tip it is.
            key: asked for the key as people read it, "" where the action has none.
            keymap: says when keys change.
        """
        super().__init__(widget)
        self._widget, self._key = widget, key
        self._plain, self._writes = widget.toolTip(), False
        widget.installEventFilter(self)
        keymap.changed.connect(self._write)
        self._write()

    def eventFilter(self, _widget: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTipChange and not self._writes:
            self._plain = self._widget.toolTip()
            self._write()
        return False

    def _write(self, _identifier: str = "") -> None:
        said = self._key()
        self._writes = True
        self._widget.setToolTip(
            f"{self._plain} ({said})" if self._plain and said else self._plain or said
        )
        self._writes = False
