"""Selecting passages for a set: a proposal, how well it matches, then it is kept or not."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.errors import StudioError
from madcat_studio.gui.coordinator.distributions import Distributions
from madcat_studio.gui.coordinator.rowtable import RowTable
from madcat_studio.gui.errorwords import tr_error
from madcat_studio.gui.jobbar import JobBar
from madcat_studio.gui.pathfields import (
    add_row,
    input_folder,
    make_button,
    make_form,
    remember_input,
)
from madcat_studio.gui.translation import mark, tr, tr_count
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Ticket
from madcat_studio.model.campaign import DataSet
from madcat_studio.operations.planning.selection import (
    CONTROL_SHARE,
    Selected,
    forget_selection,
    keep_selection,
    select_set,
    write_selection,
)
from madcat_studio.planning.selection import Match
from madcat_studio.reports.tables import Cell, CellKind, Column

__all__ = ["SelectDialog"]

_SETS = (
    (DataSet.CONTROL, mark("Control: old output edited again")),
    (DataSet.PROGRESS, mark("Progress: sequestered passages, new output")),
    (DataSet.EVALUATION, mark("Evaluation: new passages")),
)
_MATCH = (
    Column("genre", mark("Genre")),
    Column("chosen", mark("Chosen"), CellKind.COUNT),
    Column("target", mark("To match"), CellKind.COUNT),
    Column("chosen_mean", mark("Mean"), CellKind.RATE),
    Column("target_mean", mark("Mean to match"), CellKind.RATE),
    Column(
        "distance", mark("K–S D"), CellKind.NUMBER, mark("largest distance between the two lines")
    ),
    Column("distance_p", mark("p of D"), CellKind.NUMBER, mark("small: the distributions differ")),
    Column("rank_sum", mark("Rank sum U"), CellKind.NUMBER),
    Column("rank_sum_p", mark("p of U"), CellKind.NUMBER, mark("small: the distributions differ")),
)
_PASSAGES = (
    Column("passage", mark("Passage")),
    Column("genre", mark("Genre")),
    Column("rate", mark("Rate"), CellKind.RATE),
    Column("edits", mark("Edits"), CellKind.COUNT),
    Column("words", mark("Words"), CellKind.COUNT),
)


class SelectDialog(QDialog):
    """Asks for set, number and seed; draws both distributions; keeps the choice if told to."""

    def __init__(self, shell: Shell, location: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._location = location
        self.selected: Selected | None = None
        self.setWindowTitle(tr("Select passages"))
        self.resize(1100, 720)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 18)
        layout.setSpacing(10)
        top = QHBoxLayout()
        top.setSpacing(24)
        form = make_form()
        self.kind = QComboBox()
        for data_set, title in _SETS:
            self.kind.addItem(tr(title), data_set.value)
        self.kind.currentIndexChanged.connect(lambda _: self._on_kind())
        add_row(form, tr("&Set"), self.kind)
        self.count = QSpinBox()
        self.count.setRange(1, 100_000)
        self.per_genre = QCheckBox(tr("of &each genre"))
        self.tenth = QCheckBox(tr("a &tenth of the earlier phase's"))
        self.tenth.toggled.connect(self._on_kind)
        number = QHBoxLayout()
        number.addWidget(self.count)
        number.addWidget(self.per_genre)
        number.addWidget(self.tenth)
        number.addStretch(1)
        box = QWidget()
        box.setLayout(number)
        number.setContentsMargins(0, 0, 0, 0)
        add_row(form, tr("&Passages"), box, self.count)
        self.track = QLineEdit()
        self.track.setPlaceholderText(tr("only if the set has several"))
        add_row(form, tr("T&rack"), self.track)
        self.seed = QSpinBox()
        self.seed.setRange(0, 1_000_000)
        self.seed.setValue(1)
        self.seed.setToolTip(tr("The same number gives the same choice"))
        add_row(form, tr("See&d"), self.seed)
        top.addLayout(form, 1)
        self.choose = make_button(tr("&Choose"), self.start)
        self.choose.setDefault(True)
        self.choose.setObjectName("primary")
        top.addWidget(self.choose, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(top)
        self.said = QLabel()
        self.said.setWordWrap(True)
        layout.addWidget(self.said)
        self.job = JobBar()
        self.job.busy_changed.connect(lambda _: self._refresh())
        layout.addWidget(self.job)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        self.drawing = Distributions(shell.theme)
        self.passages = RowTable(tr("Chosen passages"))
        split.addWidget(self.drawing)
        split.addWidget(self.passages)
        split.setSizes([560, 420])
        layout.addWidget(split, 1)
        self.match = RowTable(tr("How well it matches"))
        self.match.setFixedHeight(160)
        layout.addWidget(self.match)
        row = QHBoxLayout()
        self.all = make_button(tr("Plan &all passages again"), self._forget)
        self.all.setToolTip(tr("Discard the choice that was kept for this set"))
        self.save = make_button(tr("&Save as files…"), self._save)
        self.close_button = make_button(tr("Close"), self.reject)
        self.keep = make_button(tr("&Keep the choice"), self._keep)
        self.keep.setToolTip(tr("From now on only these passages of the set are planned"))
        row.addWidget(self.all)
        row.addWidget(self.save)
        row.addStretch(1)
        row.addWidget(self.close_button)
        row.addWidget(self.keep)
        layout.addLayout(row)
        self._on_kind()
        self._show_nothing()

    def data_set(self) -> DataSet:
        """What passages are selected for."""
        return DataSet(self.kind.currentData())

    def start(self) -> None:
        """Make a choice; nothing is written."""
        location, data_set, seed = self._location, self.data_set(), self.seed.value()
        share = CONTROL_SHARE if self.tenth.isChecked() else None
        count = None if share is not None else self.count.value()
        per_genre = self.per_genre.isChecked() and share is None
        track = self.track.text().strip()
        self._show_nothing()

        def work(ticket: Ticket) -> Selected:
            return select_set(
                location,
                data_set,
                count=count,
                share=share,
                per_genre=per_genre,
                track=track,
                seed=seed,
                progress=ticket,
            )

        self.job.start(tr("Choosing"), work, self._show, self._failed)

    def _on_kind(self) -> None:
        control = self.data_set() is DataSet.CONTROL
        self.tenth.setVisible(control)
        if not control:
            self.tenth.setChecked(False)
        self.count.setEnabled(not self.tenth.isChecked())
        self.per_genre.setEnabled(not self.tenth.isChecked())
        self._show_nothing()

    def _show_nothing(self) -> None:
        self.selected = None
        self.said.setObjectName("quiet")
        self.said.style().polish(self.said)
        self.said.setText(
            tr(
                "Passages are drawn by rank, so that their scores are distributed like the earlier "
                "phase's. The two lines should lie close together, and p should not be small."
            )
        )
        self.drawing.show_rates((), (), "")
        self.passages.show_rows(_PASSAGES, ())
        self.match.show_rows(_MATCH, ())
        self._refresh()

    def _show(self, selected: Selected) -> None:
        self.selected = selected
        selection = selected.selection
        self.said.setText(f"{selected.sentences()[0]}.")
        self.drawing.show_rates(
            [one.rate for one in selection.target],
            [one.rate for one in selection.chosen],
            selected.measure,
        )
        self.passages.show_rows(
            _PASSAGES,
            [
                (one.passage, one.genre, one.rate, round(one.edits), round(one.words))
                for one in selection.chosen
            ],
        )
        self.match.show_rows(
            _MATCH,
            [
                (genre, *_numbers(match))
                for genre, match in ((tr("all"), selection.match), *selection.by_genre.items())
            ],
        )
        self._refresh()
        self.keep.setFocus()

    def _failed(self, error: BaseException) -> None:
        if not isinstance(error, StudioError):
            self._shell.show_error(error)
            return
        self.said.setText(tr_error(error).sentences)
        self.said.setObjectName("caution")
        self.said.style().polish(self.said)

    def _refresh(self) -> None:
        busy, there = self.job.busy, self.selected is not None
        self.choose.setEnabled(not busy)
        self.keep.setEnabled(there and not busy)
        self.save.setEnabled(there and not busy)
        self.all.setEnabled(not busy)

    def _keep(self) -> None:
        location, selected = self._location, self.selected
        if selected is not None:
            self.job.start(
                tr("Keeping"),
                lambda _: keep_selection(location, selected),
                self._kept,
                self._failed,
            )

    def _kept(self, done: tuple[str, ...]) -> None:
        self._shell.messages.info(". ".join(done) + ".")
        self.accept()

    def _forget(self) -> None:
        location, data_set = self._location, self.data_set()
        self.job.start(
            tr("Discarding"),
            lambda _: forget_selection(location, data_set),
            lambda new: self._kept(
                (
                    tr("All passages of the set are planned again")
                    if new
                    else tr("All passages of the set were planned already"),
                )
            ),
            self._failed,
        )

    def _save(self) -> None:
        selected = self.selected
        folder = QFileDialog.getExistingDirectory(self, tr("Save the choice"), input_folder())
        if folder and selected is not None:
            remember_input(folder)
            self.job.start(
                tr("Saving"),
                lambda _: write_selection(selected, Path(folder)),
                lambda files: self.said.setText(
                    tr_count(
                        "{count} file is in {folder}.",
                        "{count} files are in {folder}.",
                        len(files),
                        folder=folder,
                    )
                ),
                self._failed,
            )

    def done(self, result: int) -> None:
        self.job.close_worker()
        super().done(result)


def _numbers(match: Match) -> tuple[Cell, ...]:
    return (
        match.chosen,
        match.target,
        match.chosen_mean,
        match.target_mean,
        match.distance,
        match.distance_p,
        match.rank_sum,
        match.rank_sum_p,
    )
