"""Starts the window."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMessageLogContext, Qt, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from madcat_studio import __version__
from madcat_studio.errors import WorldError
from madcat_studio.gui import accessible
from madcat_studio.gui.mainwindow import MainWindow
from madcat_studio.gui.messages import Messages
from madcat_studio.gui.settings import LANGUAGE, Settings
from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import speak

__all__ = ["make_application", "make_window", "run"]

_logger = logging.getLogger("madcat_studio.qt")


def make_window(
    application: QApplication, *, location: str | None = None, demo: bool = False
) -> MainWindow:
    """Make the window and show it; what is to be opened is opened once it is on the screen.

    Args:
        application: the one there is.
        location: what to open; None for the first page.
        demo: ask what to try in the demo campaign there; without a location, in this user's own.
    """
    messages = Messages()
    settings = Settings(complain=messages.warning)
    theme = Theme(application, settings)
    window = MainWindow(settings, theme, messages)
    messages.setParent(window)
    settings.setParent(window)
    theme.setParent(window)
    window.failures.install(window)
    window.show()

    def begin() -> None:
        window.bring_back()
        if demo and location is not None:
            window.verbs.offer_demo(lambda _: Path(location))
        elif demo:
            window.verbs.open_demo()
        elif location is not None:
            window.open(location)

    QTimer.singleShot(0, window, begin)
    return window


def run(location: str | None = None, arguments: Sequence[str] = (), *, demo: bool = False) -> int:
    """Open the window, return the exit status when it is closed.

    Args:
        location: what to open: a page, a folder, a campaign; None for the first page.
        arguments: further arguments for Qt, such as ``-style``.
        demo: ask what to try, as :func:`make_window`.
    """
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = make_application(arguments)
    # Ctrl+C in the terminal ends the program at once, and so does the end of a session; what is
    # unsaved is in the journals. A handler in Python would wait for Qt, and be lost in it.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    window = make_window(application, location=location, demo=demo)
    status = application.exec()
    del window
    return status


def make_application(arguments: Sequence[str] = ()) -> QApplication:
    """The one QApplication, themed and named."""
    qInstallMessageHandler(_TryDisplay())
    QApplication.setHighDpiScaleFactorRoundingPolicy(
        Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
    )
    # Named here, not by setStyle: that would give the style back, and Python would have to make
    # the hundreds of names of its class at every start.
    application = QApplication(["madcat-studio", "-style", "Fusion", *arguments])
    qInstallMessageHandler(_log_qt)
    application.setApplicationName("madcat-studio")
    application.setApplicationDisplayName("MADCAT Studio")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("madcat-studio")
    speak(application, Settings().get(LANGUAGE))
    accessible.install()
    return application


_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def _log_qt(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    """Qt's own warnings go to the log; what makes it give up goes to the terminal as well."""
    _logger.log(_LEVELS.get(kind, logging.WARNING), "%s", text)
    if kind == QtMsgType.QtFatalMsg:
        # Qt ends the program when this returns.
        print(f"madcat-studio: {text}", file=sys.stderr, flush=True)


class _TryDisplay:
    """Qt's messages while it connects to a display: where it cannot, it ends the program."""

    def __init__(self) -> None:
        self._said: list[str] = []

    def __call__(self, kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        """Keep what it says; where it gives up, say in one message why."""
        if kind != QtMsgType.QtFatalMsg:
            self._said.append(text)
            _log_qt(kind, context, text)
            return
        # The first is the reason (which display, which library), the rest follow from it.
        error = WorldError(
            "window.cannot-show",
            f"the window cannot be shown ({' '.join((self._said or [text])[0].split())})",
            remedy="Start it in a desktop session, look at DISPLAY, WAYLAND_DISPLAY and "
            "QT_QPA_PLATFORM, or use the commands; see madcat-studio --help",
        )
        print(f"madcat-studio: {error}", file=sys.stderr, flush=True)
        os._exit(2)  # at once: Qt would abort, with a dump of its memory
