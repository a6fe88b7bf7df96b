"""The panel beside the page: segments with their tokens, and the problems."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QListView,
    QSplitter,
    QTableView,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.page.problems import ProblemModel
from madcat_studio.gui.page.segments import (
    SegmentDelegate,
    SegmentModel,
    TokenDelegate,
    TokenModel,
)
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import tr
from madcat_studio.model.document import Document, Segment
from madcat_studio.model.links import SegmentIndex
from madcat_studio.model.problem import Problem, Severity

__all__ = ["SidePanel"]


class SidePanel(QWidget):
    """Shows texts and problems; what the user chooses in it is told, not acted on.

    Signals:
        segment_chosen: SegmentIndex.
        token_chosen: TokenIndex.
        problem_chosen: Problem.
    """

    segment_chosen = Signal(object)
    token_chosen = Signal(object)
    problem_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumWidth(260)
        self._quiet = False
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 0, 0, 0)
        column.setSpacing(0)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        column.addWidget(self.tabs)
        texts = QSplitter(Qt.Orientation.Vertical)
        texts.setChildrenCollapsible(False)
        texts.addWidget(self._build_segments())
        texts.addWidget(self._build_tokens())
        texts.setStretchFactor(0, 3)
        texts.setStretchFactor(1, 1)
        texts.setSizes([560, 220])
        self.tabs.addTab(texts, tr("Segments"))
        self.tabs.addTab(self._build_problems(), tr("Problems"))

    def _build_segments(self) -> QWidget:
        self.segment_model = SegmentModel(self)
        self.segment_list = _list(self.segment_model, tr("Segments"))
        self.segment_delegate = SegmentDelegate(self.segment_list)
        self.segment_list.setItemDelegate(self.segment_delegate)
        self.segment_list.selectionModel().currentChanged.connect(self._on_segment)
        self.segment_list.clicked.connect(self._on_segment)
        return self.segment_list

    def _build_tokens(self) -> QWidget:
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        heading = QLabel(tr("Tokens of the segment"))
        heading.setObjectName("heading")
        column.addWidget(heading)
        self.token_model = TokenModel(self)
        self.token_list = _list(self.token_model, tr("Tokens of the segment"))
        self.token_list.setObjectName("chips")
        self.token_list.setFlow(QListView.Flow.LeftToRight)
        self.token_list.setWrapping(True)
        self.token_list.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.token_delegate = TokenDelegate(self.token_list)
        self.token_list.setItemDelegate(self.token_delegate)
        self.token_list.selectionModel().currentChanged.connect(self._on_token)
        self.token_list.clicked.connect(self._on_token)
        column.addWidget(self.token_list, 1)
        return box

    def _build_problems(self) -> QWidget:
        self.problem_model = ProblemModel(self)
        table = self.problem_table = QTableView()
        table.setAccessibleName(tr("Problems"))
        table.setModel(self.problem_model)
        table.setShowGrid(False)
        table.setWordWrap(True)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        rows = table.verticalHeader()
        rows.hide()
        # All rows of two lines: thousands of them need not be measured.
        rows.setDefaultSectionSize(46)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(80)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(1, 130)
        table.selectionModel().currentRowChanged.connect(self._on_problem)
        table.clicked.connect(self._on_problem)
        return table

    # What is shown

    def dress(self, arabic: QFont, english: QFont, colours: Colours, ratio: float) -> None:
        """Follow fonts and theme."""
        self.segment_delegate.dress(arabic, english, colours)
        self.token_delegate.dress(arabic, english, colours)
        self.problem_model.dress(colours, ratio)
        self.segment_list.doItemsLayout()
        self.token_list.doItemsLayout()

    def show_document(self, document: Document | None) -> None:
        """Show a document's segments; none is marked."""
        self._quiet = True
        self.segment_model.set_document(document)
        self.token_model.set_segment(None, (0, 0), frozenset())
        self._quiet = False

    def show_tokens(self, segment: Segment, place: SegmentIndex, linked: frozenset[int]) -> None:
        """Show a segment's tokens."""
        self.token_model.set_segment(segment, place, linked)

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Show problems; the marked row stays."""
        row = self.problem_table.currentIndex().row()
        self._quiet = True
        self.problem_model.set_problems(problems)
        if 0 <= row < len(problems):
            self.problem_table.setCurrentIndex(self.problem_model.index(row, 0))
        self._quiet = False
        count = len(problems)
        matter = sum(1 for problem in problems if problem.severity is not Severity.NOTE)
        self.tabs.setTabText(1, tr("Problems ({count})", count=count) if count else tr("Problems"))
        self.tabs.setTabToolTip(1, tr("{count} of them matter", count=matter) if count else "")

    def next_problem(self) -> None:
        """Go to the problem after the marked one."""
        count = self.problem_model.rowCount()
        if count:
            self.tabs.setCurrentWidget(self.problem_table)
            row = (self.problem_table.currentIndex().row() + 1) % count
            self.problem_table.setCurrentIndex(self.problem_model.index(row, 0))

    def mark_segment(self, place: SegmentIndex | None) -> None:
        """Mark a segment without telling that it was chosen."""
        self._mark(self.segment_list, -1 if place is None else self.segment_model.row(place))

    def mark_token(self, number: int | None) -> None:
        """Mark a token of the segment that is shown, without telling."""
        self._mark(self.token_list, -1 if number is None else number)

    def _mark(self, view: QListView, row: int) -> None:
        self._quiet = True
        selection = view.selectionModel()
        if row < 0:
            selection.clear()
        else:
            index = view.model().index(row, 0)
            selection.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            view.scrollTo(index)
        self._quiet = False

    # What the user chooses

    def _on_segment(self, index: QModelIndex) -> None:
        if not self._quiet and index.isValid():
            self.segment_chosen.emit(self.segment_model.place(index.row()))

    def _on_token(self, index: QModelIndex) -> None:
        if not self._quiet and index.isValid():
            self.token_chosen.emit(self.token_model.place(index.row()))

    def _on_problem(self, index: QModelIndex) -> None:
        if not self._quiet and index.isValid():
            self.problem_chosen.emit(self.problem_model.problem(index.row()))


def _list(model: SegmentModel | TokenModel, name: str) -> QListView:
    view = QListView()
    view.setAccessibleName(name)
    view.setModel(model)
    view.setMouseTracking(True)
    view.setResizeMode(QListView.ResizeMode.Adjust)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return view
