"""Leaving a kit whose text lies nowhere but in this program's memory: never without asking."""

from __future__ import annotations

from PySide6.QtWidgets import QMessageBox, QWidget

from madcat_studio.errors import StudioError
from madcat_studio.gui.translation import tr
from madcat_studio.workspace.kit import KitWorkspace

__all__ = ["may_leave"]


def may_leave(workspace: KitWorkspace | None, parent: QWidget) -> bool:
    """Whether a kit can be closed without losing text; where it cannot, its editor decides."""
    while workspace is not None and workspace.texts.in_danger and not _safe(workspace):
        asked = QMessageBox(parent)
        asked.setIcon(QMessageBox.Icon.Warning)
        asked.setWindowTitle(tr("Your text is not safe yet"))
        asked.setText(
            tr(
                "Neither the disk nor the campaign takes your text ({why}). If you leave now, what "
                "you typed since then is lost.",
                why=workspace.texts.spool_trouble,
            )
        )
        asked.setInformativeText(tr("Make room on the disk, or see to the network, and try again."))
        again = asked.addButton(tr("&Try again"), QMessageBox.ButtonRole.AcceptRole)
        lose = asked.addButton(tr("&Leave and lose it"), QMessageBox.ButtonRole.DestructiveRole)
        stay = asked.addButton(tr("&Stay"), QMessageBox.ButtonRole.RejectRole)
        asked.setDefaultButton(again)
        asked.setEscapeButton(stay)
        asked.exec()
        chosen = asked.clickedButton()
        asked.deleteLater()
        if chosen is lose:
            return True
        if chosen is not again:
            return False
    return True


def _safe(workspace: KitWorkspace) -> bool:
    """Try once more to get the text to a safe place."""
    try:
        workspace.texts.flush()
        workspace.save()
    except StudioError:
        return False  # the kit goes on saying that its text is in danger
    return not workspace.texts.in_danger
