"""The way to a new campaign. Light: the dialog is imported when it is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from madcat_studio.gui.mainwindow import MainWindow

__all__ = ["set_up_campaign"]


def set_up_campaign(window: MainWindow) -> None:
    """Ask what a new campaign is made from, make it, and open its plan."""
    from madcat_studio.gui.coordinator.setupdialog import set_up

    set_up(window, window)
