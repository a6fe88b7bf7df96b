"""The passphrase of the coordinator's rooms, asked for and chosen."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.passphrase import NewPassphrase
from madcat_studio.gui.translation import tr

__all__ = ["ChangePassphraseDialog", "RoomDialog", "lock_widget"]


def lock_widget() -> NewPassphrase:
    """Whether the rooms of a campaign are locked, and with what."""
    return NewPassphrase(
        tr("&Lock the coordinator's rooms with a passphrase"),
        tr(
            "Plan, board and report, and their commands, then open only to people who know it. "
            "Anyone who can write to the folder can set another one."
        ),
    )


class RoomDialog(QDialog):
    """Asks for the passphrase until it fits.

    Signals:
        given: a passphrase to try; :meth:`refuse` or ``accept`` is the answer.
    """

    manual = "campaigns"

    given = Signal(str)

    def __init__(self, name: str, parent: QWidget) -> None:
        """Build the dialog; ``name`` is the campaign's."""
        super().__init__(parent)
        self.setWindowTitle(tr("The coordinator's rooms"))
        self.setMinimumWidth(460)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        said = QLabel(
            tr(
                "Plan, board and report of {name} show every team's side. They open with the "
                "coordinator's passphrase.",
                name=name,
            )
        )
        said.setWordWrap(True)
        layout.addWidget(said)
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(tr("Coordinator's passphrase"))
        self.field.textEdited.connect(lambda _: self._look())
        layout.addWidget(self.field)
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        layout.addWidget(self.problem)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel
        )
        self.open_button = buttons.button(QDialogButtonBox.StandardButton.Open)
        self.open_button.setDefault(True)
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)
        buttons.accepted.connect(self._try)
        buttons.rejected.connect(self.reject)
        self.finished.connect(lambda _: self.deleteLater())
        layout.addWidget(buttons)
        self._look()
        self.field.setFocus()

    def _look(self) -> None:
        self.open_button.setEnabled(bool(self.field.text()))

    def _try(self) -> None:
        self.field.setEnabled(False)
        self.open_button.setEnabled(False)
        self.problem.setText(tr("One moment …"))
        self.given.emit(self.field.text())

    def refuse(self, why: str) -> None:
        """It did not fit: say so, and ask again."""
        self.problem.setText(why)
        self.field.setEnabled(True)
        self.field.clear()
        self.field.setFocus()
        self._look()


class ChangePassphraseDialog(QDialog):
    """Chooses another passphrase, or none."""

    manual = "campaigns"

    def __init__(self, name: str, parent: QWidget) -> None:
        """Build the dialog; ``name`` is the campaign's."""
        super().__init__(parent)
        self.setWindowTitle(tr("The coordinator's passphrase"))
        self.setMinimumWidth(520)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        said = QLabel(
            tr(
                "With a passphrase, this program, which editors have too, does not show them "
                "the plan, board and report of {name}. It does not stop anybody from reading "
                "the campaign's file by other means, or from setting another passphrase if they "
                "can write to the folder. If that must be impossible, give kits out as files, "
                "or use a server.",
                name=name,
            )
        )
        said.setWordWrap(True)
        layout.addWidget(said)
        self.lock = lock_widget()
        self.lock.wanted.setChecked(True)
        self.lock.changed.connect(self._look)
        layout.addWidget(self.lock)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        self.save = buttons.button(QDialogButtonBox.StandardButton.Save)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.finished.connect(lambda _: self.deleteLater())
        layout.addWidget(buttons)
        self._look()

    def _look(self) -> None:
        self.save.setEnabled(not self.lock.problem())
