"""Beside a page scorecard's table: the page of the row that is chosen, with its boxes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from madcat_studio.errors import StudioError
from madcat_studio.gui.failures import as_message
from madcat_studio.gui.pathfields import make_button
from madcat_studio.gui.rendering.twopages import Sheet, picture_of, sheet_of
from madcat_studio.gui.scorecard.boxedpage import BoxedPage, Legend
from madcat_studio.gui.scorecard.pages import known_pages, remember_pages
from madcat_studio.gui.settings import window_state
from madcat_studio.gui.translation import tr
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.operations.scorecards.boxed import Places, find_picture, read_picture
from madcat_studio.reports.cards import CardReport
from madcat_studio.reports.cards_ltb_boxes import PageBoxes, page_boxes

__all__ = ["ROW", "BoxPanel"]

ROW = ("system", "pair", "document")
"""Columns that a row must have whose page has boxes."""

_KEY = "scorecard/boxes"
_SIDE = 2400
"""Pixels of a page's longer side at most: it is looked at, not measured."""


class BoxPanel(QWidget):
    """The page, what its boxes mean, and a way to say where pages are."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._worker = Dispatcher(self)
        self._report: CardReport | None = None
        self._beside = Path()
        self._fits = False
        self._wanted = str(window_state().value(_KEY, "true")) != "false"
        self._head, self._said = QLabel(), QLabel()
        self._head.setObjectName("section")
        self._said.setObjectName("quiet")
        for label in (self._head, self._said):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.page, self.legend = BoxedPage(), Legend()
        self.ask = make_button(tr("Where are the pages?"), self._ask)
        self.ask.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 0, 0, 0)
        layout.addWidget(self._head)
        layout.addWidget(self.page, 1)
        below = QHBoxLayout()
        below.addWidget(self._said, 1)
        below.addWidget(self.ask)
        layout.addLayout(below)
        layout.addWidget(self.legend)
        self.hide()

    def close_worker(self) -> None:
        """End the worker."""
        self._worker.close()

    @property
    def possible(self) -> bool:
        """Whether the table that is shown has pages with boxes."""
        return self._fits

    @property
    def wanted(self) -> bool:
        """Whether the user wants to see them."""
        return self._wanted

    def want(self, wanted: bool) -> None:
        """Show the boxes from now on, or hide them."""
        self._wanted = wanted
        window_state().setValue(_KEY, "true" if wanted else "false")
        self.setVisible(self._fits and wanted)

    def show_table(self, report: CardReport, columns: set[str], beside: Path) -> None:
        """Another table of a result is shown, which lies in the folder ``beside``."""
        if report is not self._report:
            self.page.forget()
        self._report, self._beside = report, beside
        self._fits = "pages" in report.result and columns.issuperset(ROW)
        self.setVisible(self._fits and self._wanted)
        self.show_row(None)

    def show_row(self, row: Mapping[str, str] | None) -> None:
        """Show the page of a row, None for no row."""
        self._worker.cancel()
        self.ask.hide()
        page = None
        if row is not None and self._report is not None:
            page = page_boxes(self._report.result, *(row.get(name, "") for name in ROW))
        self._head.setText("" if row is None else f"\u200e{row.get('document', '')}")
        self._head.setVisible(row is not None)
        self.page.show_boxes(page, "" if row is None else row.get("region", ""))
        self.legend.show_page(page)
        if page is None:
            self._say(
                tr("A click on a row shows its page and the boxes on it.")
                if row is None
                else tr("The result has no boxes for this page.")
            )
        elif self.page.has_picture:
            self._say("")
        elif page.picture:
            self._look(page)
        else:
            self._say(tr("The ground truth names no picture of this page."))

    def _look(self, page: PageBoxes) -> None:
        self._say(tr("Looking for the page's picture …"))
        places = Places(tuple(known_pages()), (self._beside,))

        def look() -> Sheet | None:
            found = find_picture(page, places)
            if found is None:
                return None
            return sheet_of(picture_of(np.asarray(read_picture(found, _SIDE))))

        def done(sheet: Sheet | None) -> None:
            if sheet is not None:
                self._say("")
                self.page.show_picture(sheet)
                return
            self._say(tr("The picture {name} was not found.", name=page.picture))
            self.ask.show()

        self._worker.submit(lambda _: look(), done, failed=self._fail)

    def _say(self, text: str) -> None:
        self._said.setText(text)
        self._said.setVisible(bool(text))

    def _fail(self, error: BaseException) -> None:
        if not isinstance(error, StudioError):
            raise error
        self._say(as_message(error).text)

    def _ask(self) -> None:
        folder = QFileDialog.getExistingDirectory(
            self, tr("Where are the pages?"), str(window_state().value("folder", ""))
        )
        page = self.page.page
        if folder and page is not None:
            remember_pages(Path(folder))
            self.ask.hide()
            self._look(page)
