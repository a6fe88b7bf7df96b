"""The steps of setting up a campaign: files, lists, findings, summary."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QGridLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.coordinator.costpanel import CostPanel
from madcat_studio.gui.coordinator.systemslist import SystemsList
from madcat_studio.gui.pathfields import PathRow, add_row, make_form
from madcat_studio.gui.roomdialog import lock_widget
from madcat_studio.gui.settings import window_state
from madcat_studio.gui.translation import mark, tr
from madcat_studio.operations.corpus.from_folders import Inputs

__all__ = ["FilesStep", "ListsStep", "SummaryStep"]

_LISTS: tuple[tuple[str, str, str], ...] = (
    (
        "corpus",
        mark("&Corpus table"),
        mark("corpus.tsv; without it, taken from file names and contents"),
    ),
    ("teams", mark("&Teams"), mark("teams.tsv; they can be added later")),
    ("training_scribes", mark("Training &scribes"), mark("one per line: these are exposed")),
    ("sequestered", mark("Se&questered passages"), mark("one per line: for the progress set only")),
    ("standoff", mark("Scribe &errors"), mark("the stand-off file")),
    ("conditions", mark("&Writing conditions"), mark("writing_conditions.tab")),
    ("guidelines", mark("&Guidelines"), mark("a text for the editors")),
)


def _note(text: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName("quiet")
    label.setWordWrap(True)
    return label


class FilesStep(QWidget):
    """What the campaign is called, where it goes, and the folders that it is made from."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        layout.addWidget(
            _note(
                tr(
                    "Drop a folder anywhere in this window: its contents are recognised by "
                    "their file names. Files with the same base name belong together."
                )
            )
        )
        form = make_form()
        self.references = PathRow(
            tr("References"), file=False, folder=True, hint=tr("the folder of *.madcat.xml files")
        )
        self.images = PathRow(
            tr("Images"), file=False, folder=True, hint=tr("the folder of the scans; may be empty")
        )
        self.systems = SystemsList()
        self.name = QLineEdit()
        self.where = PathRow(
            tr("Location"),
            file=False,
            folder=True,
            hint=tr("a new folder, or postgresql://… of an empty database"),
        )
        add_row(form, tr("&References"), self.references, self.references.field)
        add_row(form, tr("&Images"), self.images, self.images.field)
        add_row(form, tr("Systems' &outputs"), self.systems, self.systems.folder.field)
        add_row(form, tr("N&ame of the campaign"), self.name)
        add_row(form, tr("&Location"), self.where, self.where.field)
        layout.addLayout(form, 1)
        self._named = False
        self._placed = False
        self.name.textEdited.connect(self._on_name)
        self.where.field.textEdited.connect(self._on_where)
        self.where.chosen.connect(self._on_where)
        self.references.changed.connect(self._suggest)
        for signal in (
            self.references.changed,
            self.images.changed,
            self.systems.changed,
            self.name.textChanged,
            self.where.changed,
        ):
            signal.connect(lambda *_: self.changed.emit())

    def take(self, found: Inputs) -> None:
        """Fill in what a dropped folder holds."""
        if found.references is not None:
            self.references.show_path(found.references)
        if found.images is not None:
            self.images.show_path(found.images)
        self.systems.add(found.outputs)

    def location(self) -> str:
        """Where the campaign goes: a folder or a URL."""
        text = self.where.field.text().strip()
        return text if "://" in text else str(Path(text).expanduser()) if text else ""

    def missing(self) -> str:
        """What is still to be said; "" where everything is."""
        if self.references.path() is None:
            return tr("Name the folder of the references.")
        if not self.name.text().strip():
            return tr("Give the campaign a name.")
        if not self.location():
            return tr("Choose a location for the campaign.")
        if any(not name for name, _ in self.systems.systems()):
            return tr("Give every system a name.")
        return ""

    def _on_name(self) -> None:
        self._named = True
        self._suggest()

    def _on_where(self) -> None:
        self._placed = True

    def _suggest(self) -> None:
        """A name like the folder's that holds the references, and a place beside other ones."""
        references = self.references.path()
        if references is None:
            return
        if not self._named:
            self.name.setText(references.absolute().parent.name or tr("campaign"))
        if not self._placed:
            parent = str(window_state().value("setup/where", "")) or str(references.parent.parent)
            plain = "".join(c if c.isalnum() or c in "-_. " else "-" for c in self.name.text())
            folder = plain.strip() or tr("campaign")
            where = Path(parent) / folder
            # The folder that the files are in is theirs.
            self.where.show_path(
                where if where != references.absolute().parent else Path(f"{where}-campaign")
            )


class ListsStep(QWidget):
    """Tables and lists besides the pages; all may be left out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        layout.addWidget(
            _note(
                tr("All of these may be left empty. docs/files.md describes the columns of each.")
            )
        )
        form: QFormLayout = make_form()
        self.rows: dict[str, PathRow] = {}
        for key, title, hint in _LISTS:
            row = PathRow(tr(title).replace("&", ""), hint=tr(hint))
            self.rows[key] = row
            add_row(form, tr(title), row, row.field)
        self.earlier = PathRow(
            tr("Earlier phase"),
            file=False,
            folder=True,
            hint=tr("its folder; for the control and progress sets"),
        )
        add_row(form, tr("Earlier &phase"), self.earlier, self.earlier.field)
        layout.addLayout(form)
        layout.addStretch(1)

    def take(self, found: Inputs) -> None:
        """Fill in what a dropped folder holds."""
        for key, row in self.rows.items():
            path: Path | None = getattr(found, key)
            if path is not None:
                row.show_path(path)
        if found.earlier is not None:
            self.earlier.show_path(found.earlier)

    def paths(self) -> Mapping[str, Path | None]:
        """The lists, by their names in the set-up."""
        return {key: row.path() for key, row in self.rows.items()}


class SummaryStep(QScrollArea):
    """What would be made, in figures; nothing has been written yet."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        # What is said of the cost comes later: a bar that came with it would narrow the fields.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        page = QWidget()
        page.setObjectName("page")
        self.setWidget(page)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        self.sentence = QLabel()
        self.sentence.setWordWrap(True)
        layout.addWidget(self.sentence)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(28)
        self._grid.setVerticalSpacing(9)
        self._grid.setColumnStretch(1, 1)
        layout.addLayout(self._grid)
        self.cost = CostPanel()
        layout.addWidget(self.cost)
        layout.addStretch(1)
        self.lock = lock_widget()
        layout.addWidget(self.lock)

    def show_rows(self, sentence: str, rows: list[tuple[str, str]]) -> None:
        """Show a sentence and named figures."""
        self.sentence.setText(sentence)
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for number, (title, text) in enumerate(rows):
            name = QLabel(title)
            name.setObjectName("quiet")
            value = QLabel(text)
            value.setWordWrap(True)
            value.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse
                | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            self._grid.addWidget(name, number, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(value, number, 1)
