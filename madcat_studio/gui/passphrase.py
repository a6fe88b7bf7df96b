"""Passphrases of bundles: asked for, and chosen."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QInputDialog,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.translation import tr, tr_count
from madcat_studio.store.locking import LEAST_PASSPHRASE

__all__ = ["NewPassphrase", "ask_passphrase"]


def ask_passphrase(parent: QWidget, name: str, *, again: bool = False) -> str | None:
    """Ask for the passphrase of a file; None where the user gives up.

    Args:
        parent: above which it is asked.
        name: of the file.
        again: the last one was wrong.
    """
    asked = tr("The file {name} is locked. Its passphrase:", name=name)
    if again:
        asked = tr("That passphrase does not open it.") + " " + asked
    typed, given = QInputDialog.getText(
        parent, tr("Locked kit"), asked, QLineEdit.EchoMode.Password
    )
    return typed if given and typed else None


class NewPassphrase(QWidget):
    """Whether something is locked, and with what; typed twice, since it is not seen.

    Signals:
        changed: what :meth:`problem` says may be different now.
    """

    changed = Signal()

    def __init__(self, title: str, tip: str, parent: QWidget | None = None) -> None:
        """Make it; ``title`` says what is locked, ``tip`` what follows."""
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.wanted = QCheckBox(title)
        self.wanted.setToolTip(tip)
        layout.addWidget(self.wanted)
        form = QFormLayout()
        form.setHorizontalSpacing(14)
        form.setContentsMargins(24, 0, 0, 0)
        self.first, self.second = QLineEdit(), QLineEdit()
        for title, field in ((tr("&Passphrase"), self.first), (tr("&Again"), self.second)):
            field.setEchoMode(QLineEdit.EchoMode.Password)
            field.setEnabled(False)
            field.textEdited.connect(lambda _: self._tell())
            form.addRow(title, field)
        layout.addLayout(form)
        self._said = QLabel()
        self._said.setObjectName("quiet")
        self._said.setContentsMargins(24, 0, 0, 0)
        layout.addWidget(self._said)
        self.wanted.toggled.connect(self._toggle)

    def _toggle(self, on: bool) -> None:
        for field in (self.first, self.second):
            field.setEnabled(on)
        if on:
            self.first.setFocus()
        self._tell()

    def _tell(self) -> None:
        self._said.setText(self.problem())
        self.changed.emit()

    def problem(self) -> str:
        """Why this cannot be taken yet, or ""."""
        if not self.wanted.isChecked():
            return ""
        if len(self.first.text()) < LEAST_PASSPHRASE:
            return tr_count(
                "At least {count} character", "At least {count} characters", LEAST_PASSPHRASE
            )
        if self.first.text() != self.second.text():
            return tr("The two are not the same yet")
        return ""

    def passphrase(self) -> str:
        """What was chosen; "" for none."""
        return self.first.text() if self.wanted.isChecked() else ""
