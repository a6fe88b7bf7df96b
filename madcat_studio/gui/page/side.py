"""The panel beside the page: segments with their tokens, and the problems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QListView,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.page.historylist import HistoryList
from madcat_studio.gui.page.problempanel import ProblemPanel
from madcat_studio.gui.page.segments import (
    SegmentDelegate,
    SegmentModel,
    TokenDelegate,
    TokenModel,
)
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import tr, tr_count, tr_number
from madcat_studio.model.characters import runs_right_to_left
from madcat_studio.model.document import Document, Segment
from madcat_studio.model.links import SegmentIndex
from madcat_studio.model.problem import Severity

if TYPE_CHECKING:
    from madcat_studio.checks import Finding

__all__ = ["SidePanel"]


class SidePanel(QWidget):
    """Shows texts and problems; what the user chooses in it is told, not acted on.

    Signals:
        segment_chosen: SegmentIndex.
        token_chosen: TokenIndex.
        wanted: something in it is asked for, folded away or not.
    """

    segment_chosen = Signal(object)
    token_chosen = Signal(object)
    wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumWidth(208)
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
        self._texts = texts
        self.tabs.addTab(texts, tr("Segments"))
        self.problems = ProblemPanel()
        self.tabs.addTab(self.problems, tr("Problems"))
        self.history = HistoryList()
        self.tabs.addTab(self.history, tr("History"))

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

    # What is shown

    def apply_theme(self, arabic: QFont, english: QFont, colours: Colours, ratio: float) -> None:
        """Follow fonts and theme."""
        self.segment_delegate.apply_theme(arabic, english, colours)
        self.token_delegate.apply_theme(arabic, english, colours)
        self.problems.model.apply_theme(colours, ratio)
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
        said = segment.transcription or " ".join(token.source or "" for token in segment.tokens)
        ways = Qt.LayoutDirection
        right = runs_right_to_left(said, default=True)
        self.token_list.setLayoutDirection(ways.RightToLeft if right else ways.LeftToRight)
        self.token_model.set_segment(segment, place, linked)

    def show_findings(self, findings: Sequence[Finding], texts: Sequence[str] = ()) -> None:
        """Show problems, by what stands on the page there; the marked one stays."""
        self.problems.show_findings(findings, texts)
        count = len(findings)
        matter = sum(1 for f in findings if f.problem.severity is not Severity.NOTE)
        place = self.tabs.indexOf(self.problems)
        title = tr("Problems ({count})", count=tr_number(count)) if count else tr("Problems")
        self.tabs.setTabText(place, title)
        self.tabs.setTabToolTip(
            place,
            tr_count("{count} of them matters", "{count} of them matter", matter) if count else "",
        )

    def bring(self, tab: QWidget | None = None) -> None:
        """Show one of its tabs, that of the texts by default."""
        self.tabs.setCurrentWidget(self._texts if tab is None else tab)
        self.wanted.emit()

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


class _List(QListView):
    """Rows as high as their texts are at the width that they have."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Qt lays rows anew where the height changes, and forgets a bar that takes some width.
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()


def _list(model: SegmentModel | TokenModel, name: str) -> QListView:
    view = _List()
    view.setAccessibleName(name)
    view.setModel(model)
    view.setMouseTracking(True)
    view.setResizeMode(QListView.ResizeMode.Adjust)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return view
