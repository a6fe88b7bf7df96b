"""A kit that is open in two places: the second asks, the first is told."""

from __future__ import annotations

from PySide6.QtWidgets import QMessageBox, QWidget

from madcat_studio.errors import ConflictError
from madcat_studio.gui.translation import tr, tr_minute, tr_moment
from madcat_studio.model.sittings import Sitting
from madcat_studio.workspace.desk import DeskKit

__all__ = ["TAKEABLE", "ask_take_over", "place_text", "taken_text"]

TAKEABLE = ("kit.open-elsewhere", "kit.out-as-file", "spool.held")
"""The codes of errors after which a kit can be opened all the same."""


def place_text(sitting: Sitting) -> str:
    """Where a kit is open, and since when."""
    since = tr_moment(sitting.at)
    if sitting.as_file:
        return tr("out as a file since {time}", time=since)
    return tr("open on {machine} since {time}", machine=sitting.machine, time=since)


def taken_text(kit: str, sitting: Sitting) -> str:
    """What the place is told that had the kit open before."""
    since = tr_minute(sitting.at)
    if sitting.as_file:
        return tr(
            "Kit {kit} was given out as a file at {time}. You can only read it here; anything "
            "you had typed but not saved is kept aside.",
            kit=kit,
            time=since,
        )
    return tr(
        "Kit {kit} was opened on {machine} at {time}. You can only read it here; anything you "
        "had typed but not saved is kept there, or aside.",
        kit=kit,
        machine=sitting.machine,
        time=since,
    )


def ask_take_over(kit: DeskKit, error: ConflictError, parent: QWidget) -> bool:
    """Whether the editor wants to open the kit all the same."""
    asked = QMessageBox(parent)
    asked.setIcon(QMessageBox.Icon.Question)
    asked.setWindowTitle(tr("Kit {kit}", kit=kit.kit))
    if error.code == "spool.held" or kit.sitting is None:
        asked.setText(tr("Kit {kit} is open in another window.", kit=kit.kit))
    else:
        asked.setText(tr("Kit {kit} is {place}.", kit=kit.kit, place=place_text(kit.sitting)))
    if error.code == "kit.out-as-file":
        asked.setInformativeText(
            tr(
                "If you continue here, the file is called back: anything that still comes from "
                "it is kept aside, and you can compare it."
            )
        )
        button = asked.addButton(tr("&Call the file back"), QMessageBox.ButtonRole.AcceptRole)
    else:
        asked.setInformativeText(
            tr(
                "If you take it over, the other window is told and becomes read-only. Anything "
                "it still sends is kept aside, and you can compare it."
            )
        )
        button = asked.addButton(tr("&Take it over"), QMessageBox.ButtonRole.AcceptRole)
    stay = asked.addButton(QMessageBox.StandardButton.Cancel)
    asked.setDefaultButton(stay)
    asked.exec()
    wanted = asked.clickedButton() is button
    asked.deleteLater()
    return wanted
