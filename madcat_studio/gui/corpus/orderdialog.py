"""What a new corpus is made from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.pathfields import PathRow, add_row, make_form
from madcat_studio.gui.translation import mark, tr
from madcat_studio.model.campaign import DataSet
from madcat_studio.operations.planning.corpus import read_order
from madcat_studio.planning.corpus import CorpusOrder

__all__ = ["OrderDialog", "OrderWish"]

_SETS = (
    (DataSet.EVALUATION, mark("Evaluation: 80 passages of each genre, three copies, 24 scribes")),
    (DataSet.DEVELOPMENT, mark("Development: 100 passages of each genre, three copies")),
    (DataSet.TRAINING, mark("Training: 4,000 passages, five copies")),
)


@dataclass(frozen=True, slots=True)
class OrderWish:
    """What was asked for."""

    passages: Path
    scribes: Path
    training_scribes: Path | None
    quotas: Path | None
    data_set: str
    track: str
    copies: int | None
    seed: int

    def read(self) -> CorpusOrder:
        """The tables, read.

        Raises:
            StudioError: one cannot be read, or a row makes no sense.
        """
        return read_order(
            self.passages,
            self.scribes,
            training_scribes=self.training_scribes,
            quotas=self.quotas,
            data_set=self.data_set,
            track=self.track,
            copies=self.copies,
            seed=self.seed,
        )


class OrderDialog(QDialog):
    """Asks for the tables and the numbers; :meth:`wish` is what was asked for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("New corpus"))
        self.setMinimumWidth(720)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 18)
        layout.setSpacing(10)
        form = make_form()
        self.passages = PathRow(
            tr("Passages"), hint=tr("a table: passage, source_document, genre, tokens, text")
        )
        self.scribes = PathRow(tr("Scribes"), hint=tr("a table: scribe, exposure"))
        self.training = PathRow(
            tr("Training scribes"), hint=tr("a list that decides who is exposed; optional")
        )
        self.quotas = PathRow(
            tr("Quotas"), hint=tr("a table: set, factor, level, target; if empty, the plan's own")
        )
        for title, row in (
            (tr("&Passages"), self.passages),
            (tr("&Scribes"), self.scribes),
            (tr("&Training scribes"), self.training),
            (tr("&Quotas"), self.quotas),
        ):
            add_row(form, title, row, row.field)
            row.changed.connect(self._refresh)
        self.data_set = QComboBox()
        for one, title in _SETS:
            self.data_set.addItem(tr(title), one.value)
        add_row(form, tr("S&et"), self.data_set)
        self.track = QLineEdit()
        self.track.setPlaceholderText(tr("such as go-no-go; optional"))
        add_row(form, tr("T&rack"), self.track)
        self.copies = QSpinBox()
        self.copies.setRange(0, 1000)
        self.copies.setSpecialValueText(tr("as the quota says"))
        add_row(form, tr("&Copies of a passage"), self.copies)
        self.seed = QSpinBox()
        self.seed.setRange(0, 1_000_000)
        self.seed.setValue(1)
        self.seed.setToolTip(tr("The same number gives the same assignment"))
        add_row(form, tr("See&d"), self.seed)
        layout.addLayout(form)
        note = QLabel(
            tr(
                "Tables are tab-separated, CSV or XLSX; their first row names the columns. The "
                "texts are needed only for the scribes' sheets."
            )
        )
        note.setObjectName("quiet")
        note.setWordWrap(True)
        layout.addWidget(note)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.start = buttons.addButton(
            tr("Read the tables"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.start.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        self._refresh()

    def _refresh(self) -> None:
        self.start.setEnabled(self.wish() is not None)

    def wish(self) -> OrderWish | None:
        """What was asked for; None while a table is missing."""
        passages, scribes = self.passages.path(), self.scribes.path()
        if passages is None or scribes is None:
            return None
        return OrderWish(
            passages,
            scribes,
            self.training.path(),
            self.quotas.path(),
            str(self.data_set.currentData()),
            self.track.text().strip(),
            self.copies.value() or None,
            self.seed.value(),
        )
