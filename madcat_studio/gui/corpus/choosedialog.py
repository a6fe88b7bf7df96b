"""Choosing a corpus's passages out of many: by length, by TER, and none of earlier sets."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.coordinator.distributions import Distributions
from madcat_studio.gui.errorwords import tr_failure
from madcat_studio.gui.jobbar import JobBar
from madcat_studio.gui.pathfields import PathList, PathRow, add_row, make_button, make_form
from madcat_studio.gui.translation import tr
from madcat_studio.gui.views import Shell
from madcat_studio.operations.planning.choosing import TOKENS, Chosen, choose_passages
from madcat_studio.planning.quotas import TOKENS_WITHIN

__all__ = ["ChooseDialog"]


class ChooseDialog(QDialog):
    """Asks what is chosen from; shows what would be, and takes it if told to.

    Attributes:
        chosen: what was chosen last; None: nothing yet.
    """

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chosen: Chosen | None = None
        self.setWindowTitle(tr("Choose passages"))
        self.resize(860, 640)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 18)
        layout.setSpacing(10)
        form = make_form()
        self.candidates = PathRow(
            tr("Candidates"),
            hint=tr("a table: passage, source_document, genre, tokens, text, edits, words"),
        )
        add_row(form, tr("C&andidates"), self.candidates, self.candidates.field)
        self.scores = PathRow(
            tr("Earlier scores"),
            hint=tr("a table: passage, genre, edits, words; if empty, by length alone"),
        )
        add_row(form, tr("&Distributed like"), self.scores, self.scores.field)
        self.earlier = PathList(tr("Earlier sets, from which nothing is chosen"), folders=False)
        self.earlier.list.setFixedHeight(64)
        add_row(form, tr("&Not in"), self.earlier, self.earlier.list)
        self.count, self.per_genre = QSpinBox(), QCheckBox(tr("of &each genre"))
        self.count.setRange(1, 1_000_000)
        self.count.setValue(80)
        self.per_genre.setChecked(True)
        add_row(form, tr("&Passages"), _row(self.count, self.per_genre), self.count)
        self.tokens, self.within = QSpinBox(), QSpinBox()
        self.tokens.setRange(1, 100_000)
        self.tokens.setValue(TOKENS)
        self.within.setRange(0, 99)
        self.within.setValue(round(100 * TOKENS_WITHIN))
        self.within.setPrefix("± ")
        self.within.setSuffix(" %")
        self.within.setAccessibleName(tr("Percent by which a passage may be longer or shorter"))
        add_row(form, tr("&Tokens a passage"), _row(self.tokens, self.within), self.tokens)
        self.seed = QSpinBox()
        self.seed.setRange(0, 1_000_000)
        self.seed.setValue(1)
        self.seed.setToolTip(tr("The same number gives the same choice"))
        self.choose = make_button(tr("&Choose"), self.start)
        self.choose.setDefault(True)
        add_row(form, tr("&Seed"), _row(self.seed, self.choose), self.seed)
        layout.addLayout(form)
        self.said = QLabel()
        self.said.setWordWrap(True)
        layout.addWidget(self.said)
        self.plot = Distributions(shell.theme)
        self.plot.hide()
        layout.addWidget(self.plot, 1)
        layout.addStretch(0)
        self.job = JobBar()
        layout.addWidget(self.job)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.take = buttons.addButton(
            tr("Take these passages"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.take.setEnabled(False)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        self.candidates.changed.connect(self._refresh)
        self.job.busy_changed.connect(lambda _: self._refresh())
        self._refresh()

    def done(self, result: int) -> None:
        self.job.close_worker()
        super().done(result)

    def _refresh(self) -> None:
        self.choose.setEnabled(self.candidates.path() is not None and not self.job.busy)
        self.take.setEnabled(self.chosen is not None and not self.job.busy)

    def start(self) -> None:
        """Choose as is asked for now; it is shown, not taken."""
        candidates = self.candidates.path()
        if candidates is None:
            return
        count, per_genre = self.count.value(), self.per_genre.isChecked()
        tokens, within = self.tokens.value(), self.within.value() / 100
        scores, earlier, seed = self.scores.path(), self.earlier.paths(), self.seed.value()
        self.chosen = None

        def work(_: object) -> Chosen:
            return choose_passages(
                Path(candidates),
                count=count,
                per_genre=per_genre,
                tokens=tokens,
                within=within,
                earlier_scores=scores,
                not_in=earlier,
                seed=seed,
            )

        self.job.start(tr("Choosing"), work, self._show, self._failed)

    def _show(self, chosen: Chosen) -> None:
        self.chosen = chosen
        self.said.setObjectName("")
        self.said.setText("\n".join(f"{one}." for one in chosen.sentences()))
        self._restyle()
        self.plot.setVisible(chosen.selected is not None)
        if chosen.selected is not None:
            selection = chosen.selected.selection
            self.plot.show_rates(
                [one.rate for one in selection.target],
                [one.rate for one in selection.chosen],
                chosen.selected.measure,
            )
        self._refresh()
        self.take.setFocus()

    def _failed(self, error: BaseException) -> None:
        self.said.setObjectName("caution")
        self.said.setText(tr_failure(error))
        self._restyle()
        self.plot.hide()
        self._refresh()

    def _restyle(self) -> None:
        self.said.style().unpolish(self.said)
        self.said.style().polish(self.said)


def _row(*widgets: QWidget) -> QWidget:
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        row.addWidget(widget)
    row.addStretch(1)
    return box
