"""The strip over the views that shows messages, the newest.

It never takes the focus, and moves nothing: it lies over the view, below its tool bar.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
)

from madcat_studio.gui.icons import icon, pixmap
from madcat_studio.gui.manualpages import explained
from madcat_studio.gui.messages import Level, Message
from madcat_studio.gui.theme import Theme
from madcat_studio.gui.toolbar import Toolbar
from madcat_studio.gui.translation import tr

__all__ = ["MessageBar"]

_INFO_MS = 7000
_ASIDE, _WIDEST = 12, 1000
"""Pixels left free beside it, and how wide it becomes."""
_ICONS = {Level.INFO: "note", Level.WARNING: "warning", Level.ERROR: "error"}


class MessageBar(QFrame):
    """Shows one message; what is only information goes away by itself.

    ``explain``: its user asks what the code of a message means.
    """

    explain = Signal(str)

    def __init__(self, theme: Theme, views: QStackedWidget) -> None:
        super().__init__(views)
        self._views = views
        views.installEventFilter(self)
        views.currentChanged.connect(lambda _: self._lay())
        self.setObjectName("message")
        self._theme = theme
        self._message: Message | None = None
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 7, 8, 7)
        layout.setSpacing(10)
        self._icon = QLabel()
        layout.addWidget(self._icon)
        self.text = QLabel()
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        layout.addWidget(self.text, 1)
        self._action = QPushButton()
        self._action.setObjectName("link")
        self._action.clicked.connect(self._run)
        layout.addWidget(self._action)
        self._more = QPushButton(tr("Where"))
        self._more.setObjectName("link")
        self._more.clicked.connect(self._show_detail)
        layout.addWidget(self._more)
        self.meaning = QPushButton(tr("Meaning"))
        self.meaning.setObjectName("link")
        self.meaning.setToolTip(tr("What the manual says about it"))
        self.meaning.clicked.connect(self._explain)
        layout.addWidget(self.meaning)
        self.close_button = QToolButton()
        self.close_button.setAccessibleName(tr("Close the message"))
        self.close_button.setToolTip(tr("Close"))
        self.close_button.setIconSize(QSize(16, 16))
        self.close_button.clicked.connect(self.dismiss)
        layout.addWidget(self.close_button)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_INFO_MS)
        self._timer.timeout.connect(self.dismiss)
        self.hide()
        theme.changed.connect(self._apply_theme)

    @property
    def message(self) -> Message | None:
        """What is shown."""
        return self._message

    def show_message(self, message: Message) -> None:
        """Show a message instead of the one before."""
        self._message = message
        self.text.setText(message.text)
        self.setAccessibleName(message.text)
        self._more.setVisible(bool(message.detail))
        self._more.setToolTip(message.detail)
        self.meaning.setVisible(bool(explained(message.code)))
        self._action.setVisible(message.action is not None)
        if message.action is not None:
            self._action.setText(message.action[0])
        self.setProperty("level", str(message.level))
        self.style().unpolish(self)
        self.style().polish(self)
        self._apply_theme()
        self.show()
        self._lay()
        if message.level is Level.INFO and message.action is None:
            self._timer.start()
        else:
            self._timer.stop()

    def dismiss(self) -> None:
        """Take the message away."""
        self._timer.stop()
        self._message = None
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the views."""
        if watched is self._views and event.type() == QEvent.Type.Resize:
            self._lay()
        return super().eventFilter(watched, event)

    def _lay(self) -> None:
        """Over the view in front, as high as the text needs."""
        if self.isHidden():
            return
        view = self._views.currentWidget()
        bar = view.findChild(Toolbar) if view is not None else None
        top = bar.geometry().bottom() + 1 if bar is not None and not bar.isHidden() else 0
        width = min(self._views.width() - 2 * _ASIDE, _WIDEST)
        left = (self._views.width() - width) // 2
        self.setGeometry(left, top, width, max(self.heightForWidth(width), self.minimumHeight()))
        self.raise_()

    def _apply_theme(self) -> None:
        if self._message is None:
            return
        colours = self._theme.colours
        colour = {
            Level.INFO: colours.accent,
            Level.WARNING: colours.warning,
            Level.ERROR: colours.error,
        }[self._message.level]
        ratio = self.devicePixelRatioF()
        self._icon.setPixmap(pixmap(_ICONS[self._message.level], colour, 20, ratio))
        self.close_button.setIcon(icon("close", colours, size=16, ratio=ratio))

    def _run(self) -> None:
        action: tuple[str, Callable[[], None]] | None = (
            self._message.action if self._message is not None else None
        )
        self.dismiss()
        if action is not None:
            action[1]()

    def _explain(self) -> None:
        if self._message is not None:
            self._timer.stop()
            self.explain.emit(self._message.code)

    def _show_detail(self) -> None:
        if self._message is None:
            return
        # The detail is shown in place: no dialog for a path and a code.
        self.text.setText(f"{self._message.text}\n{self._message.detail}")
        self._more.hide()
        self._lay()
        self._timer.stop()
