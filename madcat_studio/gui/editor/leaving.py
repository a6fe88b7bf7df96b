"""Leaving a kit whose text lies nowhere but in this program's memory: never without asking."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from madcat_studio.errors import StudioError
from madcat_studio.gui.errorwords import tr_failure
from madcat_studio.gui.translation import tr, tr_count
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
                "Your text can be saved neither on the disk nor in the campaign ({why}). If you "
                "leave now, what you typed since then is lost.",
                why=workspace.texts.spool_trouble,
            )
        )
        asked.setInformativeText(tr("Make room on the disk, or check the network, and try again."))
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
    return workspace is None or _may_strand(workspace, parent)


def _may_strand(workspace: KitWorkspace, parent: QWidget) -> bool:
    """Whether texts may stay on this machine alone, since the campaign's folder is gone.

    They would be sent if it came back; where it does not, a table takes them to another.
    """
    if not (workspace.texts.unsaved or workspace.texts.pending):
        return True
    _safe(workspace)
    while workspace.texts.stranded:
        asked = QMessageBox(parent)
        asked.setIcon(QMessageBox.Icon.Warning)
        asked.setWindowTitle(tr("The campaign's folder is gone"))
        asked.setText(
            tr_count(
                "{count} of your texts is on this machine only: the campaign's folder was "
                "moved, deleted or replaced while the kit was open.",
                "{count} of your texts are on this machine only: the campaign's folder was "
                "moved, deleted or replaced while the kit was open.",
                len(workspace.texts.own_texts()),
            )
        )
        asked.setInformativeText(
            tr(
                "Put the folder back and try again, or save your texts as a table, which the "
                "coordinator imports with “campaign import-edits”. If you leave, they stay on "
                "this machine and are sent when the folder is back and the kit is opened again."
            )
        )
        save = asked.addButton(tr("&Save as a table…"), QMessageBox.ButtonRole.AcceptRole)
        again = asked.addButton(tr("&Try again"), QMessageBox.ButtonRole.ActionRole)
        leave = asked.addButton(tr("&Leave"), QMessageBox.ButtonRole.DestructiveRole)
        stay = asked.addButton(tr("Sta&y"), QMessageBox.ButtonRole.RejectRole)
        asked.setDefaultButton(save)
        asked.setEscapeButton(stay)
        asked.exec()
        chosen = asked.clickedButton()
        asked.deleteLater()
        if chosen is leave or (chosen is save and _save_table(workspace, parent)):
            return True
        if chosen is stay:
            return False
        if chosen is again:
            _safe(workspace)
    return True


def _save_table(workspace: KitWorkspace, parent: QWidget) -> bool:
    """Ask for a file and write the texts there; whether they are in it now."""
    claim = workspace.claim
    name = f"{claim.kit}-{claim.team}-{claim.pass_}-{claim.editor}.tsv"
    chosen, _ = QFileDialog.getSaveFileName(
        parent, tr("Save your texts"), str(Path.home() / name), tr("Tables (*.tsv)")
    )
    if not chosen:
        return False
    try:
        workspace.write_table(Path(chosen))
    except StudioError as error:
        QMessageBox.warning(parent, tr("The table could not be written"), tr_failure(error))
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
