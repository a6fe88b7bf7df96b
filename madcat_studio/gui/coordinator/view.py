"""The campaign's report: HTER by whatever the report breaks it down by, sorted and filtered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.errors import WorldError
from madcat_studio.gui.coordinator.printing import print_report
from madcat_studio.gui.coordinator.reportparts import ReportParts
from madcat_studio.gui.coordinator.scored import ScoredCampaign, score_campaign
from madcat_studio.gui.coordinator.segment import SegmentDialog
from madcat_studio.gui.coordinator.tablemodel import ReportTableModel
from madcat_studio.gui.coordinator.tablesview import TablesView
from madcat_studio.gui.coreactions import OPEN_CAMPAIGN, OPEN_DEMO
from madcat_studio.gui.empty import EmptyScreen
from madcat_studio.gui.fonts import english
from madcat_studio.gui.settings import window_state
from madcat_studio.gui.translation import tr, tr_clauses, tr_count, tr_report
from madcat_studio.gui.views import Shell
from madcat_studio.operations.scores.evidence import write_campaign_evidence
from madcat_studio.operations.scores.report import (
    Format,
    write_campaign_report,
)
from madcat_studio.reports.tercom_output import Evidence
from madcat_ter.hter import Denominator

__all__ = ["ReportView"]


_FIRST = (
    "set",
    "system",
    "kit",
    "document",
    "segment",
    "hter",
    "edits",
    "words",
    "outcome",
    "chosen",
    "reason",
    "team_1_hter",
    "team_2_hter",
    "output",
    "reference",
)
"""Columns of the long table that are looked at first; the others follow in their own order."""


class ReportView(TablesView):
    """The report of one campaign."""

    PART = "report"

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        empty = EmptyScreen(
            tr("No campaign is open"),
            tr("Open a campaign to see its report, or try the demo."),
            (
                (tr("Open a campaign"), lambda: shell.run(OPEN_CAMPAIGN)),
                (tr("Open the demo"), lambda: shell.run(OPEN_DEMO)),
            ),
        )
        super().__init__(shell, empty, ReportTableModel(), parent)
        self._location = ""
        self._scored: ScoredCampaign | None = None
        label = QLabel(tr("&Divide by"))
        self.denominator = QComboBox()
        self.denominator.addItem(tr("words of the chosen text"), Denominator.CHOSEN)
        self.denominator.addItem(tr("words of the reference"), Denominator.REFERENCE)
        self.denominator.activated.connect(lambda _: self._score(self._denominator()))
        label.setBuddy(self.denominator)
        self.warnings = QLabel()
        self.warnings.setObjectName("quiet")
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(16, 12, 16, 8)
        column.setSpacing(6)
        for words in (self.caution, self.warnings, self.note):
            words.setWordWrap(True)
            column.addWidget(words)
        self.parts = ReportParts(shell, self.table, self._open_segment)
        self.parts.tracks.chosen.connect(self.score_again)
        self.pictures = self.parts.pictures
        column.addWidget(self.parts, 1)
        column.addWidget(self.signature)
        end = (self.parts.tracks, label, self.denominator, self.filter)
        self.build(tr("Tables of the report"), right, end=end)

    # -- the shell ----------------------------------------------------------------------------

    def title(self) -> str:
        """The campaign's name."""
        return "" if self._scored is None else tr("{name} – report", name=self._scored.title)

    def open_location(self, location: str, target: Mapping[str, str]) -> None:
        """Score a campaign and show its report."""
        self._location = location
        self.shell.opened(location, self)
        self._score(None)

    def apply_theme(self) -> None:
        """Follow the theme."""
        self.parts.apply_theme(self.shell.theme.colours)

    def shown(self, campaign: str) -> None:
        """The view came to the front: show the report of the campaign that is open."""
        if campaign and campaign != self._location:
            self._location = campaign
            self._score(None)

    @property
    def location(self) -> str:
        """The campaign whose report is shown, or ""."""
        return self._location

    def show_table(self, name: str) -> None:
        """Show a table of the report, by the name that it has in files."""
        for row, table in enumerate(self._scored.tables if self._scored is not None else ()):
            if table.name == name:
                self.tables.setCurrentRow(row)

    # -- actions ------------------------------------------------------------------------------

    @property
    def has_campaign(self) -> bool:
        """Whether there is a campaign to score."""
        return bool(self._location)

    @property
    def can_find(self) -> bool:
        """Whether a table is shown, whose rows can be filtered."""
        return self.ready and self.parts.tabular

    @property
    def can_open_row(self) -> bool:
        """Whether the row that is chosen has a segment."""
        return self.can_find and self._segment_of(self.table.currentIndex()) is not None

    def score_again(self) -> None:
        """Score the campaign as it is now."""
        self._score(self._denominator())

    def show_pictures(self) -> None:
        """Show the pictures of the report, which come last."""
        self.tables.setCurrentRow(self.tables.count() - 1)
        self.pictures.setFocus()

    def ask_export(self) -> None:
        """Ask for a folder, and write the report into it in all formats."""
        self._write_into(tr("Export the report into a folder"), self.export)

    def ask_evidence(self) -> None:
        """Ask for a folder, and write the evidence for tercom into it."""
        self._write_into(tr("Write the evidence into a folder"), self.write_evidence)

    def ask_print(self) -> None:
        """Ask for a file, and write the tables into it as a PDF."""
        folder = str(window_state().value("report/folder", ""))
        path, _ = QFileDialog.getSaveFileName(
            self, tr("Print as PDF"), str(Path(folder) / "hter.pdf"), tr("PDF (*.pdf)")
        )
        if path:
            self.print_pdf(Path(path))

    # -- scoring ------------------------------------------------------------------------------

    def _score(self, denominator: Denominator | None) -> None:
        location, track = self._location, self.parts.tracks.track()
        if not location:
            return
        self.wait(tr("Scoring …"))
        self.submit(
            lambda ticket: score_campaign(location, denominator, track, ticket, ticket.part),
            self.parts.show_drawn,
            self._show,
        )

    def _denominator(self) -> Denominator:
        return Denominator(self.denominator.currentData())  # Qt hands it back as a text

    def has_result(self) -> bool:
        """Whether a campaign is scored."""
        return self._scored is not None

    def show_result(self) -> None:
        """Show the report that there is; without one, no campaign is open here."""
        if self._scored is None:
            self._location = ""
        super().show_result()

    def _show(self, scored: ScoredCampaign) -> None:
        # The same table stays in sight: others may have come before it, or gone.
        before, place = self._scored.tables if self._scored else (), self.tables.currentRow()
        wanted = before[place].name if 0 <= place < len(before) else ""
        row = next((at for at, table in enumerate(scored.tables) if table.name == wanted), 0)
        if before and place == len(before):
            row = len(scored.tables)  # the pictures
        self._scored = scored
        self.bar.title.setText(scored.title)
        self.denominator.setCurrentIndex(self.denominator.findData(scored.denominator))
        self.parts.show_scored(scored)
        self.name_tables([*(tr_report(table.title) for table in scored.tables), tr("Pictures")])
        self.caution.setText(tr("Preliminary: {why}", why=tr_clauses(scored.preliminary)))
        self.caution.setVisible(bool(scored.preliminary))
        self.warnings.setText(tr_clauses(scored.warnings))
        self.warnings.setVisible(bool(scored.warnings))
        self.signature.setText(scored.signatures.get(str(scored.denominator), ""))
        self.screens.setCurrentWidget(self.page)
        self.tables.setCurrentRow(row)
        self.on_table(self.tables.currentRow())
        if not self.filter.hasFocus() and self.isVisible():
            self.tables.setFocus()
        self.title_changed.emit()
        self.state_changed.emit()

    def on_table(self, row: int) -> None:
        """Show the verdict, a table of the report, or its pictures, which come last."""
        if self._scored is None or row < 0:
            return
        drawn = row == len(self._scored.tables)
        self.parts.choose("" if drawn else self._scored.tables[row].name)
        self.filter.setEnabled(self.parts.tabular)
        if drawn:
            self.note.hide()
            self.state_changed.emit()
            return
        table = self._scored.tables[row]
        note = tr_report(table.note) if table.note else ""
        if table.left_out:
            note += " " + tr_count(
                "Only the first row is shown.",
                "Only the first {count} rows are shown.",
                len(table.rows),
            )
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.fill_table(table.columns, table.rows)
        self._order_columns([column.key for column in table.columns], table.long)
        self.fit_columns()
        self.state_changed.emit()

    def _order_columns(self, keys: list[str], long: bool) -> None:
        header = self.table.horizontalHeader()
        wanted = [keys.index(key) for key in _FIRST if key in keys] if long else []
        wanted += [column for column in range(len(keys)) if column not in wanted]
        for place, column in enumerate(wanted):
            header.moveSection(header.visualIndex(column), place)

    # -- segments -----------------------------------------------------------------------------

    def _segment_of(self, index: QModelIndex) -> dict[str, str] | None:
        if not index.isValid():
            return None
        row = self.proxy.mapToSource(index).row()
        found = {
            key: str(value)
            for key in ("system", "kit", "document", "segment")
            if (value := self.model.value(row, key)) is not None
        }
        return found if {"system", "document", "segment"} <= found.keys() else None

    def open_row(self, index: QModelIndex) -> None:
        """Show the segment of a row, edit by edit."""
        target = self._segment_of(index)
        if target is not None:
            self._open_segment(target)

    def _open_segment(self, target: dict[str, str]) -> None:
        dialog = SegmentDialog(self.shell, self._location, target, self)
        dialog.exec()
        dialog.deleteLater()

    # -- exporting ----------------------------------------------------------------------------

    def _write_into(self, title: str, write: Callable[[Path], None]) -> None:
        folder = self.choose_folder(title)
        if folder is not None:
            write(folder)

    def print_pdf(self, path: Path) -> None:
        """Write the tables of the report as a PDF."""
        if self._scored is None:
            return
        try:
            print_report(self._scored, path, english(self.shell.settings).families())
        except WorldError as error:
            self.shell.show_error(error)
            return
        self.tell_written(tr("The report is printed to {path}.", path=path), path)

    def export(self, folder: Path) -> None:
        """Write all formats into a folder."""
        location, denominator = self._location, self._denominator()

        def done(result: tuple[list[Path], tuple[str, ...]]) -> None:
            files, _ = result
            first = next((file for file in files if file.suffix == ".html"), files[0])
            self.tell_written(
                tr_count(
                    "The report is in {folder}: {count} file.",
                    "The report is in {folder}: {count} files.",
                    len(files),
                    folder=folder,
                ),
                first,
            )

        self.job.start(
            tr("Exporting the report"),
            lambda ticket: write_campaign_report(
                location, folder, formats=tuple(Format), denominator=denominator, progress=ticket
            ),
            done,
            self.shell.show_error,
        )

    def write_evidence(self, folder: Path) -> None:
        """Write the campaign as tercom's own files, with the numbers that it must give."""
        location = self._location

        def done(evidence: Evidence) -> None:
            told = tr_count(
                "The evidence is in {folder}: {count} file for tercom, and what it must print.",
                "The evidence is in {folder}: {count} files for tercom, and what it must print.",
                len(evidence.files),
                folder=folder,
            )
            if evidence.preliminary:
                told += " " + tr("Preliminary: {why}", why=tr_clauses(evidence.preliminary))
            self.tell_written(told, folder)

        self.job.start(
            tr("Writing the evidence"),
            lambda ticket: write_campaign_evidence(location, folder, progress=ticket),
            done,
            self.shell.show_error,
        )
