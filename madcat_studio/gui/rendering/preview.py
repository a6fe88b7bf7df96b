"""The window of one page with its translations: made in a thread, looked at, and exported."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.errors import StudioError
from madcat_studio.gui.failures import as_message
from madcat_studio.gui.pathfields import make_button
from madcat_studio.gui.rendering.twopages import Sheet, TwoPages, picture_of, sheet_of
from madcat_studio.gui.rendering.typesetting import fit
from madcat_studio.gui.translation import tr, tr_number
from madcat_studio.gui.views import Shell
from madcat_studio.gui.workers import Dispatcher, Ticket
from madcat_studio.images.reading import open_image
from madcat_studio.model.document import Document
from madcat_studio.operations.pages.rendering import (
    RenderedPage,
    RenderOptions,
    render_page,
    save_picture,
)

__all__ = ["PagePreview"]

_MOST_NOTES = 4
"""Rows of the list of what is not there as a whole."""


@dataclass(frozen=True, slots=True)
class _Made:
    """A page that was rendered, and what is shown of it."""

    page: RenderedPage
    original: Sheet
    translated: Sheet


class PagePreview(QDialog):
    """One page with its translations, beside its original or under a lens that shows it."""

    manual = "rendering"

    def __init__(self, shell: Shell, window: QWidget) -> None:
        super().__init__(window)
        self.setWindowTitle(tr("The page with its translations"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(1080, 680)
        self._shell = shell
        self._made: _Made | None = None
        self._name = ""
        self._jobs = Dispatcher(self)
        self.pages = TwoPages()
        self.notes = QListWidget()
        self.notes.setAccessibleName(tr("What is incomplete"))
        self.notes.setWordWrap(True)
        self.notes.hide()
        self._said = QLabel(tr("Removing the writing and setting the translations …"))
        self._said.setObjectName("quiet")
        self.side_by_side = QRadioButton(tr("&Side by side"))
        self.through_lens = QRadioButton(tr("Original under a &lens"))
        self.side_by_side.setChecked(True)
        group = QButtonGroup(self)
        for button in (self.side_by_side, self.through_lens):
            group.addButton(button)
            button.toggled.connect(self._on_mode)
        self.export: QPushButton = make_button(tr("&Export…"), self._export)
        self.export.setEnabled(False)
        top = QHBoxLayout()
        top.addWidget(self.side_by_side)
        top.addWidget(self.through_lens)
        top.addStretch(1)
        top.addWidget(self._said)
        top.addWidget(self.export)
        layout = QVBoxLayout(self)
        layout.addLayout(top)
        layout.addWidget(self.pages, 1)
        layout.addWidget(self.notes)
        self.pages.setFocus()

    def show_page(self, document: Document, page: int, image: tuple[Path, int], name: str) -> None:
        """Render a page of a document that nobody edits meanwhile.

        Args:
            document: a copy.
            page: its number, from 0.
            image: the scan's file and frame.
            name: of the document, for files that are exported.
        """
        self._name = name if page == 0 else f"{name}.p{page + 1}"
        self._jobs.submit(
            lambda ticket: _render(document, page, image, ticket), self._show, failed=self._fail
        )

    def _show(self, made: _Made | None) -> None:
        if made is None:
            return
        self._made = made
        texts = [
            f"{passage.id}: {' '.join(text.rows)}"
            for passage, text in zip(made.page.passages, made.page.texts, strict=True)
        ]
        self.pages.show_pages(made.original, made.translated, texts)
        self.pages.zoomed.connect(self._on_zoom)
        self.export.setEnabled(True)
        self.notes.addItems(list(made.page.notes))
        self.notes.setVisible(bool(made.page.notes))
        rows = min(_MOST_NOTES, max(1, len(made.page.notes)))
        self.notes.setFixedHeight(rows * (self.fontMetrics().height() + 8) + 8)
        self._said.setText("")

    def _fail(self, error: BaseException) -> None:
        if not isinstance(error, StudioError):
            raise error
        self._said.setText("")
        self.notes.addItem(as_message(error).text)
        self.notes.show()

    def _on_mode(self) -> None:
        self.pages.show_lens(self.through_lens.isChecked())

    def _on_zoom(self, percent: int) -> None:
        self._said.setText(tr("{percent} %", percent=tr_number(percent)))

    def _export(self) -> None:
        name, _ = QFileDialog.getSaveFileName(
            self,
            tr("Export the page"),
            f"{self._name}.png",
            tr("Pictures (*.png);;PDF (*.pdf)"),
        )
        if not name or self._made is None:
            return
        # A page at 600 dpi takes seconds to pack.
        page, path = self._made.page, Path(name)
        self.export.setEnabled(False)
        self._said.setText(tr("Writing {name} …", name=path.name))
        self._jobs.submit(
            lambda ticket: save_picture(page, path),
            lambda _: self._exported(tr("Written: {name}", name=path.name)),
            failed=self._not_exported,
        )

    def _exported(self, said: str) -> None:
        self.export.setEnabled(True)
        self._said.setText(said)

    def _not_exported(self, error: BaseException) -> None:
        self._exported("")
        if not isinstance(error, StudioError):
            raise error
        self._shell.show_error(error)

    def done(self, result: int) -> None:
        """Nobody waits for the page any more."""
        self._jobs.close()
        super().done(result)


def _render(document: Document, page: int, image: tuple[Path, int], ticket: Ticket) -> _Made | None:
    with open_image(*image) as scan:
        made = render_page(document, page, scan, fit, RenderOptions(), where=image[0])
        if ticket.cancelled():
            return None
        plain = scan.convert("RGB" if made.pixels.ndim == 3 else "L")
        original = picture_of(np.asarray(plain))
    return _Made(made, sheet_of(original), sheet_of(picture_of(made.pixels)))
