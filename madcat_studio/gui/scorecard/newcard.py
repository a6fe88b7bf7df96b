"""The dialog that asks what a new evaluation or scorecard is made of."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QMessageBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.pathfields import PathList, PathRow, add_row, make_form
from madcat_studio.gui.scorecard.cardorder import CardKind, CardOrder
from madcat_studio.gui.settings import window_state
from madcat_studio.gui.translation import mark, tr

__all__ = ["NewCardDialog"]

_TITLES = {
    CardKind.TASKS: mark("Outputs in every task of the plan: TER, WER, HTER"),
    CardKind.PAGES: mark("Pages: LTB-100 (text, layout, reading order)"),
    CardKind.RUNS: mark("Runs of text translation: Rosetta run card"),
    CardKind.IMAGES: mark("Translated images: IMTBench"),
}


class _DescribingRows:
    """Tables of what is known of documents, by which the report groups segments."""

    def __init__(self) -> None:
        hint = tr("the campaign's, or taken from file names")
        self.corpus = PathRow(tr("Corpus table"), hint=hint)
        self.conditions = PathRow(tr("Writing conditions"), hint=hint)
        self.standoff = PathRow(tr("Scribe errors"), hint=hint)

    def add_to(self, form: QFormLayout) -> None:
        """Put the rows into a form."""
        add_row(form, tr("C&orpus table"), self.corpus, self.corpus.field)
        add_row(form, tr("Writing con&ditions"), self.conditions, self.conditions.field)
        add_row(form, tr("Scribe &errors"), self.standoff, self.standoff.field)

    def fill(self, order: CardOrder) -> None:
        """Show what an order has."""
        self.corpus.show_path(order.corpus)
        self.conditions.show_path(order.conditions)
        self.standoff.show_path(order.standoff)


class NewCardDialog(QDialog):
    """Asks for kind, inputs and folder; :meth:`order` is what was asked for."""

    manual = "scorecards"

    def __init__(self, before: CardOrder | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("New evaluation or scorecard"))
        self.setMinimumWidth(720)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 18)
        layout.setSpacing(10)
        self.kind = QComboBox()
        for kind, title in _TITLES.items():
            self.kind.addItem(tr(title), str(kind))
        self.kind.currentIndexChanged.connect(lambda _: self._on_kind())
        head = make_form()
        add_row(head, tr("&What is scored"), self.kind)
        layout.addLayout(head)
        self._forms = QStackedWidget()
        self._inputs: dict[CardKind, PathList] = {}
        self._truths: dict[CardKind, PathRow] = {}
        self._campaigns: dict[CardKind, PathRow] = {}
        builders = (self._build_tasks, self._build_pages, self._build_runs, self._build_images)
        for build in builders:
            page = QWidget()
            form = make_form()
            form.setContentsMargins(0, 0, 0, 0)
            page.setLayout(form)
            build(form)
            self._forms.addWidget(page)
        layout.addWidget(self._forms, 1)
        self.folder = PathRow(tr("Write into the folder"), file=False, folder=True)
        foot = make_form()
        add_row(foot, tr("Write &into"), self.folder, self.folder.field)
        layout.addLayout(foot)
        note = QLabel(tr("HTML, XLSX, CSV and JSON; the result is then opened here."))
        note.setObjectName("quiet")
        layout.addWidget(note)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.start = buttons.addButton(tr("Score"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.start.setDefault(True)
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        for row in (self.folder, *self._truths.values(), *self._campaigns.values()):
            row.changed.connect(self._refresh)
        for inputs in self._inputs.values():
            inputs.changed.connect(self._refresh)
        if before is None:
            saved = str(window_state().value("scorecard/folder", ""))
            self.folder.field.setText(saved)
        else:
            self._fill(before)
        self._on_kind()

    # -- building -----------------------------------------------------------------------------

    def _build_tasks(self, form: QFormLayout) -> None:
        references = PathRow(
            tr("References"), file=False, folder=True, hint=tr("a folder of BASE.madcat.xml files")
        )
        self._truths[CardKind.TASKS] = references
        add_row(form, tr("&References"), references, references.field)
        systems = PathList(tr("Systems' outputs, one folder each"), folders=True, files=False)
        self._inputs[CardKind.TASKS] = systems
        add_row(form, tr("&Systems"), systems, systems.list)
        campaign = PathRow(
            tr("Campaign"), file=False, folder=True, hint=tr("with post-edits, for HTER")
        )
        self._campaigns[CardKind.TASKS] = campaign
        add_row(form, tr("&Campaign"), campaign, campaign.field)
        self.describing = _DescribingRows()
        self.describing.add_to(form)
        note = QLabel(
            tr(
                "File names show the task: .linesys, .wordsys and .transys.madcat.xml, with a "
                "translation, a transcription or both."
            )
        )
        note.setObjectName("quiet")
        note.setWordWrap(True)
        form.addRow("", note)

    def _build_pages(self, form: QFormLayout) -> None:
        truth = PathRow(tr("Ground truth"), folder=True, hint=tr("JSON lines, JSON, or MADCAT XML"))
        self._truths[CardKind.PAGES] = truth
        add_row(form, tr("&Ground truth"), truth, truth.field)
        submissions = PathList(tr("Submissions, one per system"), folders=True)
        self._inputs[CardKind.PAGES] = submissions
        add_row(form, tr("&Submissions"), submissions, submissions.list)
        self.profile = QComboBox()
        self.profile.addItem(tr("the document's rules"), "doc")
        self.profile.addItem(tr("with sacrebleu's chrF2"), "sacrebleu")
        self.profile.addItem(tr("like the published code"), "ltbench")
        add_row(form, tr("&Profile"), self.profile)
        self.pair = QLineEdit()
        self.pair.setPlaceholderText(tr("for MADCAT XML: ar-en"))
        add_row(form, tr("&Language pair"), self.pair)
        self.files = QComboBox()
        self.files.addItem(tr("all"), "")
        for kind in ("linesys", "wordsys", "transys"):
            self.files.addItem(kind, kind)
        add_row(form, tr("MADCAT &files of a system"), self.files)
        self.polygons = QCheckBox(tr("Compare lines' pol&ygons instead of boxes"))
        form.addRow("", self.polygons)

    def _build_runs(self, form: QFormLayout) -> None:
        runs = PathList(tr("Runs, one per file"), folders=False)
        self._inputs[CardKind.RUNS] = runs
        add_row(form, tr("&Runs"), runs, runs.list)
        campaign = PathRow(
            tr("Campaign"), file=False, folder=True, hint=tr("its systems are runs too")
        )
        self._campaigns[CardKind.RUNS] = campaign
        add_row(form, tr("&Campaign"), campaign, campaign.field)
        self.source, self.target = QLineEdit(), QLineEdit()
        self.source.setPlaceholderText(tr("such as ar"))
        self.target.setPlaceholderText(tr("such as en; also for the compliance index"))
        add_row(form, tr("S&ource language"), self.source)
        add_row(form, tr("&Target language"), self.target)
        self.glossary = PathRow(
            tr("Glossary"), hint=tr("a table with the columns source and target")
        )
        add_row(form, tr("&Glossary"), self.glossary, self.glossary.field)
        self.code_switching = QCheckBox(tr("Count words in the source's &script"))
        form.addRow("", self.code_switching)

    def _build_images(self, form: QFormLayout) -> None:
        samples = PathList(tr("Samples, one file per system"), folders=False)
        self._inputs[CardKind.IMAGES] = samples
        add_row(form, tr("&Samples"), samples, samples.list)
        hint = tr("nothing: the values are in the samples")
        self.comet = PathRow(tr("COMET checkpoint"), hint=hint)
        self.backbone = PathRow(tr("AlexNet's weights, for Mask-LPIPS"), hint=hint)
        add_row(form, tr("&COMET checkpoint"), self.comet, self.comet.field)
        add_row(form, tr("&LPIPS backbone"), self.backbone, self.backbone.field)
        note = QLabel(
            tr("To ask a judge, use the command madcat-studio scorecard imtbench --judge.")
        )
        note.setObjectName("quiet")
        note.setWordWrap(True)
        form.addRow("", note)

    def _fill(self, order: CardOrder) -> None:
        self.kind.setCurrentIndex(self.kind.findData(str(order.kind)))
        self._inputs[order.kind].add([str(path) for path in order.inputs])
        self.folder.show_path(order.folder)
        if order.kind in self._truths:
            self._truths[order.kind].show_path(order.truth)
        if order.kind in self._campaigns:
            self._campaigns[order.kind].field.setText(order.campaign)
        self.profile.setCurrentIndex(self.profile.findData(order.profile))
        self.pair.setText(order.pair)
        self.files.setCurrentIndex(self.files.findData(order.files))
        self.polygons.setChecked(order.polygons)
        self.glossary.show_path(order.glossary)
        self.code_switching.setChecked(order.code_switching)
        self.describing.fill(order)
        self.source.setText(order.source)
        self.target.setText(order.target)
        self.comet.show_path(order.comet)
        self.backbone.show_path(order.backbone)

    # -- asking -------------------------------------------------------------------------------

    def chosen_kind(self) -> CardKind:
        """What is to be scored."""
        return CardKind(self.kind.currentData())

    def inputs(self, kind: CardKind) -> PathList:
        """The list of inputs of a kind."""
        return self._inputs[kind]

    def truth(self, kind: CardKind) -> PathRow:
        """The references or the ground truth of a kind that has one."""
        return self._truths[kind]

    def campaign(self, kind: CardKind) -> PathRow:
        """The campaign of a kind that may have one."""
        return self._campaigns[kind]

    def order(self) -> CardOrder | None:
        """What was asked for; None while something is missing."""
        kind = self.chosen_kind()
        inputs, folder = self._inputs[kind].paths(), self.folder.path()
        truth = self._truths[kind].path() if kind in self._truths else None
        campaign = self._campaigns[kind].field.text().strip() if kind in self._campaigns else ""
        if folder is None or not (inputs or (campaign and kind is CardKind.RUNS)):
            return None
        if kind in self._truths and truth is None:
            return None
        return CardOrder(
            kind,
            inputs,
            folder,
            truth=truth,
            profile=str(self.profile.currentData()),
            pair=self.pair.text().strip(),
            files=str(self.files.currentData()),
            polygons=self.polygons.isChecked(),
            campaign=campaign,
            corpus=self.describing.corpus.path(),
            conditions=self.describing.conditions.path(),
            standoff=self.describing.standoff.path(),
            source=self.source.text().strip(),
            target=self.target.text().strip(),
            glossary=self.glossary.path(),
            code_switching=self.code_switching.isChecked(),
            comet=self.comet.path(),
            backbone=self.backbone.path(),
        )

    def _on_kind(self) -> None:
        self._forms.setCurrentIndex(self.kind.currentIndex())
        self._refresh()

    def _refresh(self) -> None:
        self.start.setEnabled(self.order() is not None)

    def _accept(self) -> None:
        order = self.order()
        if order is None:
            return
        if order.result.exists() and not self._may_replace(order.result):
            return
        window_state().setValue("scorecard/folder", str(order.folder))
        self.accept()

    def _may_replace(self, path: Path) -> bool:
        answer = QMessageBox.question(
            self,
            tr("Replace the result?"),
            tr("There is already a file {file}. Replace it and the files beside it?", file=path),
        )
        return answer == QMessageBox.StandardButton.Yes
