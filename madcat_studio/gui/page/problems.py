"""The list of a document's problems; thousands are no more work than ten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QPixmap

from madcat_studio.gui.icons import pixmap
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import mark, tr
from madcat_studio.model.document import Document
from madcat_studio.model.links import SegmentIndex, TokenIndex
from madcat_studio.model.problem import Problem, Severity

__all__ = ["ProblemModel", "places_by_origin"]

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_COLUMNS = (mark("What is wrong"), mark("Where"))
_ICONS = {Severity.NOTE: "note", Severity.WARNING: "warning", Severity.ERROR: "error"}

Place = tuple[str, tuple[int, ...]]
"""``page``, ``line``, ``word``, ``segment`` or ``token``, and its indices."""


def places_by_origin(document: Document) -> dict[int, Place]:
    """Where each element of the file is in the document: origin → kind and indices."""
    places: dict[int, Place] = {}

    def add(origin: int | None, kind: str, *indices: int) -> None:
        if origin is not None:
            places[origin] = (kind, indices)

    for p, page in enumerate(document.pages):
        add(page.origin, "page", p)
        for n, line in enumerate(page.lines):
            add(line.origin, "line", p, n)
            for k, word in enumerate(line.words):
                add(word.origin, "word", p, n, k)
    for s, section in enumerate(document.sections):
        for g, segment in enumerate(section.segments):
            segment_place: SegmentIndex = (s, g)
            add(segment.origin, "segment", *segment_place)
            for t, token in enumerate(segment.tokens):
                token_place: TokenIndex = (s, g, t)
                add(token.origin, "token", *token_place)
    return places


class ProblemModel(QAbstractTableModel):
    """One problem a row: what is wrong, and where."""

    PROBLEM = Qt.ItemDataRole.UserRole + 1

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._problems: Sequence[Problem] = ()
        self._pictures: dict[Severity, QPixmap] = {}

    def set_problems(self, problems: Sequence[Problem]) -> None:
        """Show other problems."""
        self.beginResetModel()
        self._problems = problems
        self.endResetModel()

    def dress(self, colours: Colours, ratio: float) -> None:
        """Take on the theme's colours."""
        shades = {
            Severity.NOTE: colours.note,
            Severity.WARNING: colours.warning,
            Severity.ERROR: colours.error,
        }
        self._pictures = {
            severity: pixmap(name, shades[severity], 16, ratio) for severity, name in _ICONS.items()
        }
        if self._problems:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._problems) - 1, 0))

    def problem(self, row: int) -> Problem:
        """The problem of a row."""
        return self._problems[row]

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._problems)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(_COLUMNS)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return tr(_COLUMNS[section])
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        problem = self._problems[index.row()]
        first = index.column() == 0
        if role == Qt.ItemDataRole.DisplayRole:
            if first:
                return problem.what
            line = f":{problem.where.line}" if problem.where.line is not None else ""
            return problem.where.element or tr("line {line}", line=line)
        if role == Qt.ItemDataRole.DecorationRole and first:
            return self._pictures.get(problem.severity)
        if role == Qt.ItemDataRole.ToolTipRole:
            lines = [problem.what, str(problem.where), problem.done, problem.remedy]
            return "\n".join(line for line in lines if line)
        if role == Qt.ItemDataRole.AccessibleTextRole and first:
            return f"{problem.severity}: {problem.what}"
        if role == self.PROBLEM:
            return problem
        return None
