"""The order of reading as a list beside the page: choose in it, drag in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QLabel, QTreeView, QVBoxLayout, QWidget

from madcat_studio.edits.arranging import place_words
from madcat_studio.errors import StudioError
from madcat_studio.gui import fonts
from madcat_studio.gui.page.askregion import put_in_order
from madcat_studio.gui.page.features import Feature
from madcat_studio.gui.page.ordermodel import OrderModel
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.translation import tr
from madcat_studio.model.change import Change
from madcat_studio.model.document import Page

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["OrderPanel"]


class OrderPanel(Feature):
    """A tab of the side panel. It is read anew only while it can be seen.

    Attributes:
        tree: its rows.
        model: what they show.
    """

    def __init__(self, view: PageHost) -> None:
        super().__init__(view)
        self.model = OrderModel(self)
        self.tree = QTreeView()
        self.tree.setAccessibleName(tr("Reading order"))
        self.tree.setModel(self.model)
        self.tree.setHeaderHidden(True)
        self.tree.setUniformRowHeights(True)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.tree.setDragEnabled(True)
        self.tree.setAcceptDrops(True)
        self.tree.setDropIndicatorShown(True)
        self.tree.setAutoExpandDelay(500)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        hint = QLabel(tr("Drag lines and words, or move them with Alt and the arrow keys"))
        hint.setObjectName("heading")
        hint.setWordWrap(True)
        column.addWidget(hint)
        column.addWidget(self.tree, 1)
        self._tab = page
        view.side.tabs.addTab(page, tr("Order"))
        view.side.tabs.currentChanged.connect(lambda _: self._freshen())
        self._stale = True
        self._quiet = False
        # After the drop is over: the edit makes the rows anew.
        self.model.dropped.connect(self._on_dropped, Qt.ConnectionType.QueuedConnection)
        self.tree.selectionModel().selectionChanged.connect(lambda *_: self._on_selected())
        view.choice.changed.connect(self._mark)

    def show(self) -> None:
        """Bring the tab to the front."""
        self.view.side.bring(self._tab)

    def _page(self) -> Page | None:
        workspace, number = self.view.workspace, self.view.page_number
        if workspace is None or number >= len(workspace.document.pages):
            return None
        return workspace.document.pages[number]

    # Following the page

    def page_shown(self) -> None:
        """Another page."""
        self._stale = True
        self._freshen()

    def changed(self, change: Change) -> None:
        """Rows that are there now."""
        if not (change.structure or change.segments or change.lines):
            return
        workspace, number = self.view.workspace, self.view.page_number
        shifts = change.shifts_of(number)
        touched = None if workspace is None else workspace.index.touched
        if (
            not self._stale
            and shifts is not None
            and touched is not None
            and not any(shift.of_line for shift in shifts)
        ):
            lines = [line for page, line in change.lines if page == number]
            words = [ShapeKey(line, word) for page, line, word in touched if page == number]
            self._quiet = True
            self.model.follow(lines, words)
            self._quiet = False
            self._mark()
            return
        self._stale = True
        self._freshen()

    def apply_theme(self) -> None:
        """Follow fonts."""
        self.model.apply_theme(fonts.arabic(self.view.shell.settings, scale=0.8))

    def _freshen(self) -> None:
        page = self._page()
        if page is None or not self._stale or self.view.side.tabs.currentWidget() is not self._tab:
            return
        self._stale = False
        rows = range(self.model.rowCount())
        shown = [row for row in rows if self.tree.isExpanded(self.model.index(row, 0))]
        self._quiet = True
        self.model.show_page(page, self.view.choice.text_of)
        for row in shown:
            self.tree.expand(self.model.index(row, 0))
        self._quiet = False
        self._mark()

    def _mark(self) -> None:
        """Mark the rows of what is chosen on the page."""
        if self._quiet or self._stale or self.view.side.tabs.currentWidget() is not self._tab:
            return
        self._quiet = True
        selection = self.tree.selectionModel()
        selection.clearSelection()
        for key in self.view.canvas.selection.keys[-200:]:
            index = self.model.index_of(key)
            if index.isValid():
                selection.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.Select)
        self._quiet = False

    # What the user does in it

    def _on_selected(self) -> None:
        if self._quiet:
            return
        indexes = self.tree.selectionModel().selectedIndexes()
        keys = [key for key in map(self.model.key, indexes) if key is not None]
        self._quiet = True
        self.view.canvas.selection.select(keys)
        self.view.canvas.outlines.reveal(keys)
        self._quiet = False

    def _on_dropped(self, keys: list[ShapeKey], line: int, row: int) -> None:
        page, workspace = self._page(), self.view.workspace
        if page is None or workspace is None:
            return
        words = sorted((key.line, key.word) for key in keys if key.word is not None)
        try:
            if words:
                self._drop_words(words, line, row)
                return
            count = len(page.lines)
            moved = sorted({key.line for key in keys})
            # Between lines before the row; onto a line, or past the end, behind what is there.
            before = row if line < 0 and row >= 0 else line + 1 if line >= 0 else count
            rest = [n for n in range(count) if n not in moved]
            at = sum(n < before for n in rest)
            order = [*rest[:at], *moved, *rest[at:]]
            if order != list(range(count)):
                put_in_order(self.view, order, moved)
        except StudioError as error:
            self.view.shell.show_error(error)

    def _drop_words(self, words: list[tuple[int, int]], line: int, row: int) -> None:
        page, workspace = self._page(), self.view.workspace
        assert page is not None
        assert workspace is not None
        if line < 0:  # between two lines: at the end of the upper one
            line = max(row - 1, 0) if row >= 0 else len(page.lines) - 1
            row = -1
        before = row if row >= 0 else len(page.lines[line].words)
        edit = place_words(workspace.document, self.view.page_number, words, line, before)
        self.view.execute(edit)
