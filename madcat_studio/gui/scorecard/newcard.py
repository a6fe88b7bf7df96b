"""The dialog that asks what a new scorecard is made of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QMessageBox,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.scorecard.scoring import CardKind, CardOrder
from madcat_studio.gui.settings import window_state
from madcat_studio.gui.translation import mark, tr

__all__ = ["NewCardDialog", "PathList", "PathRow"]

_TITLES = {
    CardKind.PAGES: mark("Pages: LTB-100 (text, layout, reading order)"),
    CardKind.RUNS: mark("Runs of text translation: Rosetta run card"),
    CardKind.IMAGES: mark("Translated images: IMTBench"),
}


def _folder() -> str:
    return str(window_state().value("scorecard/inputs", ""))


def _remember(path: str) -> None:
    window_state().setValue("scorecard/inputs", str(Path(path).parent))


class PathRow(QWidget):
    """A path: typed, or chosen as a file or a folder."""

    changed = Signal()

    def __init__(
        self, name: str, *, file: bool = True, folder: bool = False, hint: str = ""
    ) -> None:
        super().__init__()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self._name = name
        self.field = QLineEdit()
        self.field.setAccessibleName(name)
        self.field.setPlaceholderText(hint)
        self.field.textChanged.connect(lambda _: self.changed.emit())
        layout.addWidget(self.field, 1)
        if file:
            layout.addWidget(_button(tr("File…"), self._choose_file))
        if folder:
            layout.addWidget(_button(tr("Folder…"), self._choose_folder))

    def path(self) -> Path | None:
        """What was chosen; None if nothing was."""
        text = self.field.text().strip()
        return Path(text).expanduser() if text else None

    def show_path(self, path: Path | None) -> None:
        """Fill the field."""
        self.field.setText("" if path is None else str(path))

    def _choose_file(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, self._name, self.field.text() or _folder())
        self._take(chosen)

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self._name, self.field.text() or _folder())
        self._take(chosen)

    def _take(self, chosen: str) -> None:
        if chosen:
            _remember(chosen)
            self.field.setText(chosen)


class PathList(QWidget):
    """Several paths: added as files or folders, or dropped here."""

    changed = Signal()

    def __init__(self, name: str, *, folders: bool) -> None:
        super().__init__()
        self._name = name
        self.setAcceptDrops(True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.list = QListWidget()
        self.list.setAccessibleName(name)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setFixedHeight(112)
        layout.addWidget(self.list, 1)
        column = QVBoxLayout()
        column.addWidget(_button(tr("Add files…"), self._add_files))
        if folders:
            column.addWidget(_button(tr("Add a folder…"), self._add_folder))
        column.addWidget(_button(tr("Remove"), self._remove))
        column.addStretch(1)
        layout.addLayout(column)

    def paths(self) -> tuple[Path, ...]:
        """What was added, in order."""
        return tuple(Path(self.list.item(row).text()) for row in range(self.list.count()))

    def add(self, paths: list[str]) -> None:
        """Add paths that are not there yet."""
        there = {str(path) for path in self.paths()}
        self.list.addItems([path for path in dict.fromkeys(paths) if path not in there])
        if paths:
            _remember(paths[-1])
        self.changed.emit()

    def _add_files(self) -> None:
        chosen, _ = QFileDialog.getOpenFileNames(self, self._name, _folder())
        self.add(chosen)

    def _add_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self._name, _folder())
        self.add([chosen] if chosen else [])

    def _remove(self) -> None:
        for item in self.list.selectedItems():
            self.list.takeItem(self.list.row(item))
        self.changed.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.add([url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()])


class NewCardDialog(QDialog):
    """Asks for kind, inputs and folder; :meth:`order` is what was asked for."""

    def __init__(self, before: CardOrder | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("New scorecard"))
        self.setMinimumWidth(720)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 18)
        layout.setSpacing(10)
        self.kind = QComboBox()
        for kind, title in _TITLES.items():
            self.kind.addItem(tr(title), str(kind))
        self.kind.currentIndexChanged.connect(lambda _: self._on_kind())
        head = _form()
        _row(head, tr("&What is scored"), self.kind)
        layout.addLayout(head)
        self._forms = QStackedWidget()
        for build in (self._build_pages, self._build_runs, self._build_images):
            page = QWidget()
            form = _form()
            form.setContentsMargins(0, 0, 0, 0)
            page.setLayout(form)
            build(form)
            self._forms.addWidget(page)
        layout.addWidget(self._forms, 1)
        self.folder = PathRow(tr("Write into the folder"), file=False, folder=True)
        foot = _form()
        _row(foot, tr("Write &into"), self.folder, self.folder.field)
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
        for row in (self.folder, self.truth, self.campaign):
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

    def _build_pages(self, form: QFormLayout) -> None:
        self.truth = PathRow(
            tr("Ground truth"), folder=True, hint=tr("JSON lines, JSON, or MADCAT XML")
        )
        _row(form, tr("&Ground truth"), self.truth, self.truth.field)
        submissions = PathList(tr("Submissions, a system each"), folders=True)
        self._inputs = {CardKind.PAGES: submissions}
        _row(form, tr("&Submissions"), submissions, submissions.list)
        self.profile = QComboBox()
        self.profile.addItem(tr("the document's rules"), "doc")
        self.profile.addItem(tr("with sacrebleu's chrF2"), "sacrebleu")
        self.profile.addItem(tr("as the published code"), "ltbench")
        _row(form, tr("&Profile"), self.profile)
        self.pair = QLineEdit()
        self.pair.setPlaceholderText(tr("of MADCAT XML: ar-en"))
        _row(form, tr("&Language pair"), self.pair)
        self.files = QComboBox()
        self.files.addItem(tr("all"), "")
        for kind in ("linesys", "wordsys", "transys"):
            self.files.addItem(kind, kind)
        _row(form, tr("MADCAT &files of a system"), self.files)
        self.polygons = QCheckBox(tr("Compare lines' pol&ygons instead of boxes"))
        form.addRow("", self.polygons)

    def _build_runs(self, form: QFormLayout) -> None:
        runs = PathList(tr("Runs, a file each"), folders=False)
        self._inputs[CardKind.RUNS] = runs
        _row(form, tr("&Runs"), runs, runs.list)
        self.campaign = PathRow(
            tr("Campaign"), file=False, folder=True, hint=tr("its systems are runs too")
        )
        _row(form, tr("&Campaign"), self.campaign, self.campaign.field)
        self.source, self.target = QLineEdit(), QLineEdit()
        self.source.setPlaceholderText(tr("such as ar"))
        self.target.setPlaceholderText(tr("such as en; also for the compliance index"))
        _row(form, tr("S&ource language"), self.source)
        _row(form, tr("&Target language"), self.target)
        self.glossary = PathRow(
            tr("Glossary"), hint=tr("a table with the columns source and target")
        )
        _row(form, tr("&Glossary"), self.glossary, self.glossary.field)
        self.code_switching = QCheckBox(tr("Count words in the source's &script"))
        form.addRow("", self.code_switching)

    def _build_images(self, form: QFormLayout) -> None:
        samples = PathList(tr("Samples, a system's file each"), folders=False)
        self._inputs[CardKind.IMAGES] = samples
        _row(form, tr("&Samples"), samples, samples.list)
        hint = tr("nothing: the values are in the samples")
        self.comet = PathRow(tr("COMET checkpoint"), hint=hint)
        self.backbone = PathRow(tr("AlexNet's weights, for Mask-LPIPS"), hint=hint)
        _row(form, tr("&COMET checkpoint"), self.comet, self.comet.field)
        _row(form, tr("&LPIPS backbone"), self.backbone, self.backbone.field)
        note = QLabel(
            tr("A judge is asked by the command madcat-studio scorecard imtbench --judge.")
        )
        note.setObjectName("quiet")
        note.setWordWrap(True)
        form.addRow("", note)

    def _fill(self, order: CardOrder) -> None:
        self.kind.setCurrentIndex(self.kind.findData(str(order.kind)))
        self._inputs[order.kind].add([str(path) for path in order.inputs])
        self.folder.show_path(order.folder)
        self.truth.show_path(order.truth)
        self.profile.setCurrentIndex(self.profile.findData(order.profile))
        self.pair.setText(order.pair)
        self.files.setCurrentIndex(self.files.findData(order.files))
        self.polygons.setChecked(order.polygons)
        self.campaign.field.setText(order.campaign)
        self.glossary.show_path(order.glossary)
        self.code_switching.setChecked(order.code_switching)
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

    def order(self) -> CardOrder | None:
        """What was asked for; None while something is missing."""
        kind = self.chosen_kind()
        inputs, folder = self._inputs[kind].paths(), self.folder.path()
        truth = self.truth.path() if kind is CardKind.PAGES else None
        campaign = self.campaign.field.text().strip() if kind is CardKind.RUNS else ""
        if folder is None or not (inputs or campaign):
            return None
        if kind is CardKind.PAGES and truth is None:
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
            tr("{file} is there already. Replace it and the files beside it?", file=path),
        )
        return answer == QMessageBox.StandardButton.Yes


def _form() -> QFormLayout:
    form = QFormLayout()
    form.setHorizontalSpacing(18)
    form.setVerticalSpacing(8)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    return form


def _row(form: QFormLayout, title: str, widget: QWidget, field: QWidget | None = None) -> None:
    label = QLabel(title)
    label.setMinimumWidth(170)
    label.setBuddy(field or widget)
    if not (field or widget).accessibleName():
        (field or widget).setAccessibleName(title.replace("&", ""))
    form.addRow(label, widget)


def _button(title: str, pressed: Callable[[], None]) -> QPushButton:
    button = QPushButton(title)
    button.setAutoDefault(False)
    button.clicked.connect(lambda _=False: pressed())
    return button
