"""A scan, or a PDF of scans, was opened that has no document yet: make one, from its transcript."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from madcat_studio.gui.page.filelist import SUFFIX
from madcat_studio.gui.page.pdfpages import PdfPages
from madcat_studio.gui.translation import tr
from madcat_studio.operations.pages.new_page import is_pdf, new_page

__all__ = ["offer_page"]


def offer_page(scan: Path, window: QWidget) -> Path | None:
    """The document of a scan or PDF, made now where there is none and the user wants one.

    Raises:
        StudioError: scan or text cannot be used; nothing was written.
    """
    path = scan.with_name(scan.stem + SUFFIX)
    if path.is_file() or not scan.is_file():
        return path
    box = QMessageBox(window)
    box.setWindowTitle(tr("A new page"))
    box.setText(tr("{name} has no page yet. Make one?", name=scan.name))
    box.setInformativeText(
        tr("The transcript is a UTF-8 text with one segment per line; you then mark its words.")
    )
    roles = QMessageBox.ButtonRole
    chosen = box.addButton(tr("With its transcript…"), roles.AcceptRole)
    without = box.addButton(tr("Without text"), roles.AcceptRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(chosen)
    box.exec()
    answer = box.clickedButton()
    box.deleteLater()
    if answer is without:
        return _made(scan, None, window)
    if answer is not chosen:
        return None
    name, _ = QFileDialog.getOpenFileName(
        window, tr("The transcript"), str(scan.parent), tr("Texts (*.txt);;All files (*)")
    )
    return _made(scan, Path(name), window) if name else None


def _made(scan: Path, transcript: Path | None, window: QWidget) -> Path | None:
    """The document, or None where the user stopped while a PDF was drawn."""
    if not is_pdf(scan):
        return new_page(scan, transcript)
    dialog = PdfPages(scan.name, window, lambda told: new_page(scan, transcript, progress=told))
    dialog.exec()
    page, error = dialog.page, dialog.error
    dialog.deleteLater()
    if error is not None:
        raise error
    return page
