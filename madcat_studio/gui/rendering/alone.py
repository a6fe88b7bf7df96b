"""Texts laid out without a window: a command needs Qt's fonts, and no display."""

from __future__ import annotations

import os

from PySide6.QtGui import QGuiApplication

from madcat_studio.gui.rendering.typesetting import fit
from madcat_studio.pages.lettering import Fit

__all__ = ["fit_alone"]

_kept: list[QGuiApplication] = []


def fit_alone() -> Fit:
    """What lays texts out; Qt is started for it where no window has done so."""
    if QGuiApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        _kept.append(QGuiApplication(["madcat-studio"]))
    return fit
