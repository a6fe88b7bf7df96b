"""The campaign's guidelines: written here, seen by its editors, every version kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPlainTextEdit,
    QSplitter,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.pathfields import input_folder, make_button, remember_input
from madcat_studio.gui.translation import tr, tr_clauses, tr_moment, tr_number
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.operations.campaign.guidelines import (
    Guidelines,
    read_guidelines,
    read_text,
    set_guidelines,
)
from madcat_studio.operations.checked import Outcome

__all__ = ["GuidelinesTab"]


class GuidelinesTab(QWidget):
    """Versions at the left, the text in the middle, what editors see of it at the right.

    Signals:
        changed: the text is another one than the latest version, or is so no more.
    """

    changed = Signal()

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._location = ""
        self._frozen = False
        self._versions: Sequence[Guidelines] = ()
        self._reader = Dispatcher(self)
        self._writer = Dispatcher(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 10, 16, 10)
        layout.setSpacing(8)
        row = QHBoxLayout()
        self.said = QLabel()
        self.said.setObjectName("quiet")
        self.said.setWordWrap(True)
        row.addWidget(self.said, 1)
        self.load = make_button(tr("From a &file…"), self._choose_file)
        self.load.setToolTip(tr("Load the text of a file; you can check it before you save it"))
        self.save = make_button(tr("Save as a new &version"), self.write)
        self.save.setObjectName("primary")
        row.addWidget(self.load)
        row.addWidget(self.save)
        layout.addLayout(row)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Versions of the guidelines"))
        self.list.currentRowChanged.connect(self._on_version)
        self.text = QPlainTextEdit()
        self.text.setAccessibleName(tr("Text of the guidelines"))
        self.text.setPlaceholderText(
            tr(
                "What editors should change, and what they should leave alone. Markdown is "
                "formatted."
            )
        )
        self.text.setTabChangesFocus(True)
        self.text.textChanged.connect(self._on_text)
        self.page = QTextBrowser()
        self.page.setAccessibleName(tr("As editors see it"))
        self.page.document().setDocumentMargin(12)
        for widget in (self.list, self.text, self.page):
            split.addWidget(widget)
        split.setSizes([200, 560, 560])
        layout.addWidget(split, 1)
        self._rest()

    @property
    def modified(self) -> bool:
        """Whether the text is not that of the latest version."""
        latest = self._versions[0].text if self._versions else ""
        newest = self.list.currentRow() <= 0
        return bool(self._location) and newest and self.text.toPlainText() != latest

    def show_campaign(self, location: str, *, frozen: bool) -> None:
        """Read the versions of a campaign, unless something that is not saved stands here."""
        if self.modified and location == self._location:
            return
        self._location = location
        self._frozen = frozen
        self._reader.submit(
            lambda _: read_guidelines(location), self._show, failed=self._shell.show_error
        )

    def close_worker(self) -> None:
        """Wait until no thread works for it."""
        self._reader.close()
        self._writer.close()

    def write(self) -> None:
        """Keep the text as a new version."""
        location, text = self._location, self.text.toPlainText()
        self._writer.submit(
            lambda _: set_guidelines(location, text),
            self._written,
            failed=self._shell.show_error,
        )

    def _written(self, outcome: Outcome) -> None:
        location = self._location
        self._shell.messages.info(tr_clauses(outcome.done) + ".")
        self._reader.submit(
            lambda _: read_guidelines(location), self._show, failed=self._shell.show_error
        )

    def _show(self, versions: Sequence[Guidelines]) -> None:
        self._versions = sorted(versions, key=lambda one: -one.version)
        self.list.blockSignals(True)
        self.list.clear()
        for one in self._versions:
            when = tr_moment(one.at)
            self.list.addItem(
                tr("Version {number}\n{when}", number=tr_number(one.version), when=when)
            )
        self.list.setCurrentRow(0)
        self.list.blockSignals(False)
        self._on_version(0)

    def _on_version(self, row: int) -> None:
        text = self._versions[row].text if 0 <= row < len(self._versions) else ""
        self.text.setPlainText(text)
        self._on_text()

    def _on_text(self) -> None:
        self.page.setMarkdown(self.text.toPlainText())
        self._rest()
        self.changed.emit()

    def _rest(self) -> None:
        frozen = self._frozen
        older = self.list.currentRow() > 0
        self.text.setReadOnly(frozen)
        self.load.setEnabled(not frozen)
        text = self.text.toPlainText()
        latest = self._versions[0].text if self._versions else ""
        self.save.setEnabled(bool(self._location) and not frozen and text != latest)
        if frozen and not self._versions:
            self.said.setText(tr("Editing has begun without guidelines; none can be added now."))
        elif frozen:
            self.said.setText(
                tr(
                    "Editing has begun, so the guidelines stay as they are: all editors see the "
                    "same ones."
                )
            )
        elif older:
            self.said.setText(tr("An older version. Saved again, it becomes the newest."))
        else:
            self.said.setText(
                tr("Editors see the newest version. It can be changed until a kit is claimed.")
            )

    def _choose_file(self) -> None:
        path, _ = QFileDialog.getOpenFileName(
            self,
            tr("Guidelines"),
            input_folder(),
            tr("Texts (*.txt *.md);;All files (*)"),
        )
        if path:
            remember_input(path)
            self._reader.submit(
                lambda _: read_text(Path(path)),
                self.text.setPlainText,
                failed=self._shell.show_error,
            )
