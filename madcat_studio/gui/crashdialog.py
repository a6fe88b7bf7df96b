"""What is shown where the program itself has a fault."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.translation import tr

__all__ = ["CrashDialog"]


class CrashDialog(QDialog):
    """Says that the program has a fault, with a report that can be copied."""

    def __init__(self, name: str, report: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Error in the program"))
        self.resize(640, 460)
        self.setWindowModality(Qt.WindowModality.ApplicationModal)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 18)
        layout.setSpacing(12)
        head = QLabel(
            tr(
                "An unexpected error occurred ({name}). Your edits are kept: if you quit now, "
                "they come back at the next start.",
                name=name,
            )
        )
        head.setWordWrap(True)
        layout.addWidget(head)
        self.report = QPlainTextEdit(report)
        self.report.setReadOnly(True)
        self.report.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.report.setAccessibleName(tr("Report"))
        layout.addWidget(self.report, 1)
        note = QLabel(tr("Read the report before you send it to anyone."))
        note.setObjectName("quiet")
        layout.addWidget(note)
        buttons = QDialogButtonBox()
        copy = buttons.addButton(tr("Copy the report"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._copy)
        buttons.addButton(tr("Continue"), QDialogButtonBox.ButtonRole.RejectRole)
        leave = buttons.addButton(tr("Quit the program"), QDialogButtonBox.ButtonRole.AcceptRole)
        leave.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report.toPlainText())
