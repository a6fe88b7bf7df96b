"""What an editor says of a segment besides its text: flags, each with words where there are any."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.translation import tr, tr_number
from madcat_studio.model.campaign import Flag

__all__ = ["FlagDialog", "flag_text"]


def flag_text(flag: Flag) -> str:
    """A flag in words."""
    return {
        Flag.SCRIBE_ERROR: tr("scribe error"),
        Flag.UNREADABLE: tr("unreadable"),
        Flag.DISCUSS: tr("for discussion"),
        Flag.NOTE: tr("note"),
        Flag.RETURNED: tr("back to the first pass"),
    }[flag]


class FlagDialog(QDialog):
    """Sets the flags of one segment."""

    def __init__(
        self,
        number: int,
        flags: Mapping[Flag, str],
        parent: QWidget | None = None,
        *,
        returns: bool = False,
    ) -> None:
        """Offer the flags; ``returns``: also the one that gives a segment back."""
        super().__init__(parent)
        self.setWindowTitle(tr("Flag segment {number}", number=tr_number(number)))
        self.setMinimumWidth(520)
        layout = QVBoxLayout(self)
        said = QLabel(
            tr(
                "The coordinator sees these; you edit the text as usual. A scribe error is a "
                "proposal: the annotators decide."
            )
        )
        said.setObjectName("quiet")
        said.setWordWrap(True)
        layout.addWidget(said)
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        self.rows: dict[Flag, tuple[QCheckBox, QLineEdit]] = {}
        offered = [one for one in Flag if returns or one is not Flag.RETURNED]
        for row, flag in enumerate(offered):
            check = QCheckBox(flag_text(flag).capitalize())
            words = QLineEdit(flags.get(flag, ""))
            words.setPlaceholderText(tr("in your own words, if you like"))
            words.setAccessibleName(tr("{flag}: message", flag=flag_text(flag)))
            check.setChecked(flag in flags)
            words.textEdited.connect(lambda text, box=check: box.setChecked(bool(text)))
            grid.addWidget(check, row, 0)
            grid.addWidget(words, row, 1)
            self.rows[flag] = check, words
        layout.addLayout(grid)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)

    def chosen(self) -> dict[Flag, str | None]:
        """Each flag with its words, None where it is not set."""
        return {
            flag: words.text() if check.isChecked() else None
            for flag, (check, words) in self.rows.items()
        }
