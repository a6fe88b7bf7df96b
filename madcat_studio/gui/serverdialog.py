"""Coming in to a campaign on a server: its address, and the password that goes with it."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.errors import UsageError
from madcat_studio.gui.settings import window_state
from madcat_studio.gui.translation import tr
from madcat_studio.store import is_url, keep_password, without_password

__all__ = ["ServerDialog"]

_LAST = "server"


class ServerDialog(QDialog):
    """Asks for address and password, once. The address is remembered, the password is not."""

    manual = "server"

    def __init__(self, parent: QWidget, *, address: str = "", why: str = "") -> None:
        """Build the dialog.

        Args:
            parent: above which it is shown.
            address: to come in to; by default the last one.
            why: what went wrong before, "" at the first time.
        """
        super().__init__(parent)
        self.setWindowTitle(tr("Open a campaign on a server"))
        self.setMinimumWidth(520)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        given = tr("Your coordinator gave you an address and a password. They are for you alone.")
        again = tr("Type the password exactly as it was given to you, and check the address too.")
        said = QLabel(f"{why} {again}" if why else given)
        said.setWordWrap(True)
        layout.addWidget(said)
        form = QFormLayout()
        form.setHorizontalSpacing(14)
        self.address = QLineEdit(address or str(window_state().value(_LAST, "")))
        self.address.setPlaceholderText(tr("postgresql://login@server/campaign"))
        self.password = QLineEdit()
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.password.setToolTip(
            tr("Kept while the program runs. If empty, it is read from your password file")
        )
        form.addRow(tr("&Address"), self.address)
        form.addRow(tr("&Password"), self.password)
        layout.addLayout(form)
        self._problem = QLabel()
        self._problem.setObjectName("quiet")
        self._problem.setWordWrap(True)
        layout.addWidget(self._problem)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel
        )
        self.open_button = buttons.button(QDialogButtonBox.StandardButton.Open)
        buttons.accepted.connect(self._try)
        buttons.rejected.connect(self.reject)
        self.finished.connect(lambda _: self.deleteLater())
        layout.addWidget(buttons)
        self.address.textChanged.connect(lambda _: self._look())
        self._look()
        (self.password if self.address.text() else self.address).setFocus()

    def location(self) -> str:
        """The address as it was typed, without a password in it."""
        return without_password(self.address.text().strip())

    def _look(self) -> None:
        try:
            good = is_url(self.address.text().strip())
        except UsageError:
            good = False
        self.open_button.setEnabled(good)
        said = "" if good or not self.address.text() else tr("It begins with postgresql://")
        self._problem.setText(said)

    def _try(self) -> None:
        location = self.location()
        if self.password.text():
            keep_password(location, self.password.text())
        window_state().setValue(_LAST, location)
        self.accept()
