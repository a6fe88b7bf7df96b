"""The list of a document's problems; thousands are no more work than ten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QPixmap

from madcat_studio.gui.icons import pixmap
from madcat_studio.gui.rows import ROOT, Index, RowModel
from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import mark, tr, tr_report
from madcat_studio.model.document import Document
from madcat_studio.model.links import SegmentIndex, TokenIndex, link
from madcat_studio.model.names import line_name, word_name
from madcat_studio.model.problem import Severity, Where
from madcat_studio.operations.pages.mending import LABELS

if TYPE_CHECKING:
    from madcat_studio.checks import Finding

__all__ = ["Places", "ProblemModel", "can_mend", "places", "texts_of"]

_ICONS = {Severity.NOTE: "note", Severity.WARNING: "warning", Severity.ERROR: "error"}

_MOST_WORDS = 4
"""Of a line or a segment, to tell which it is."""

Place = tuple[str, tuple[int, ...]]
"""``page``, ``line``, ``word``, ``segment`` or ``token``, and its indices."""


class Places:
    """Where each thing that a problem can name is in the document, as it is now."""

    def __init__(self) -> None:
        self.by_origin: dict[int, Place] = {}
        self.by_name: dict[str, Place] = {}

    def of(self, where: Where) -> Place | None:
        """The place of a problem, None where it is the document as a whole."""
        if where.origin is not None and where.origin in self.by_origin:
            return self.by_origin[where.origin]
        # What is told of a part of it, as of its polygon, has that part's origin.
        return self.by_name.get(where.element)


def places(document: Document) -> Places:
    """Elements of the file by their origin, and by what they are called."""
    found = Places()

    def add(origin: int | None, kind: str, *indices: int) -> None:
        if origin is not None:
            found.by_origin[origin] = (kind, indices)

    for p, page in enumerate(document.pages):
        add(page.origin, "page", p)
        for n, line in enumerate(page.lines):
            found.by_name[line_name(document, p, n)] = ("line", (p, n))
            add(line.origin, "line", p, n)
            for k, word in enumerate(line.words):
                found.by_name[word_name(document, p, n, k)] = ("word", (p, n, k))
                add(word.origin, "word", p, n, k)
    for s, section in enumerate(document.sections):
        for g, segment in enumerate(section.segments):
            segment_place: SegmentIndex = (s, g)
            add(segment.origin, "segment", *segment_place)
            for t, token in enumerate(segment.tokens):
                token_place: TokenIndex = (s, g, t)
                add(token.origin, "token", *token_place)
    return found


def can_mend(finding: Finding) -> bool:
    """Whether something can be done about it here: what is safe, or what is offered."""
    return bool(finding.mend) or finding.problem.code in LABELS


def texts_of(document: Document, where: Places, findings: Sequence[Finding]) -> list[str]:
    """What stands on the page where each problem is, as its reader would call it; "" for nothing.

    For a worker: all links are looked at.
    """
    if not findings:
        return []
    links = link(document)

    def word(place: tuple[int, ...]) -> str:
        page, line, number = place
        tokens = links.tokens_of.get((page, line, number), ())
        sections = document.sections
        return " ".join(sections[s].segments[g].tokens[t].source or "" for s, g, t in tokens)

    def text(finding: Finding) -> str:
        kind, place = where.of(finding.problem.where) or ("", ())
        if kind == "word":
            return word(place)
        if kind == "line":
            page, line = place
            words = document.pages[page].lines[line].words
            return _some([word((page, line, number)) for number in range(len(words))])
        if kind == "token":
            section, segment, number = place
            return document.sections[section].segments[segment].tokens[number].source or ""
        if kind == "segment":
            section, segment = place
            told = document.sections[section].segments[segment].transcription
            return _some((told or "").split())
        return ""

    return [f"\u2068{found}\u2069" if (found := text(each).strip()) else "" for each in findings]


def _some(words: Sequence[str]) -> str:
    told = [word for word in words if word]
    return " ".join(told[:_MOST_WORDS]) + (" …" if len(told) > _MOST_WORDS else "")


class ProblemModel(RowModel):
    """One problem a row: what is wrong, and where; a wrench where there is a safe mend."""

    COLUMNS = (mark("What is wrong"), mark("Where"))

    PROBLEM = Qt.ItemDataRole.UserRole + 1

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._findings: list[Finding] = []
        self._texts: list[str] = []
        self._pictures: dict[Severity, QPixmap] = {}
        self._wrench = QPixmap()

    def set_findings(self, findings: Sequence[Finding], texts: Sequence[str] = ()) -> None:
        """Show other problems, called by what stands on the page there where that is known."""
        self.beginResetModel()
        self._findings = list(findings)
        self._texts = list(texts) or [""] * len(findings)
        self.endResetModel()

    def take_out(self, row: int) -> None:
        """Take one problem off the list."""
        self.beginRemoveRows(ROOT, row, row)
        del self._findings[row], self._texts[row]
        self.endRemoveRows()

    def apply_theme(self, colours: Colours, ratio: float) -> None:
        """Take on the theme's colours."""
        shades = {
            Severity.NOTE: colours.note,
            Severity.WARNING: colours.warning,
            Severity.ERROR: colours.error,
        }
        self._pictures = {
            severity: pixmap(name, shades[severity], 16, ratio) for severity, name in _ICONS.items()
        }
        self._wrench = pixmap("mend", colours.accent, 16, ratio)
        if self._findings:
            self.dataChanged.emit(
                self.index(0, 0), self.index(len(self._findings) - 1, len(self.COLUMNS) - 1)
            )

    def finding(self, row: int) -> Finding:
        """The problem of a row, and its mend."""
        return self._findings[row]

    def findings(self) -> Sequence[Finding]:
        """All of them."""
        return self._findings

    def count(self) -> int:
        return len(self._findings)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        finding = self._findings[index.row()]
        problem = finding.problem
        first = index.column() == 0
        if role == Qt.ItemDataRole.DisplayRole:
            if first:
                return tr_report(problem.what)
            if self._texts[index.row()]:
                return self._texts[index.row()]
            line = f":{problem.where.line}" if problem.where.line is not None else ""
            return problem.where.element or tr("line {line}", line=line)
        if role == Qt.ItemDataRole.DecorationRole:
            if first:
                return self._pictures.get(problem.severity)
            return self._wrench if can_mend(finding) else None
        if role == Qt.ItemDataRole.ToolTipRole:
            lines = [
                tr_report(problem.what),
                str(problem.where),
                tr_report(problem.done),
                tr_report(problem.remedy),
            ]
            return "\n".join(line for line in lines if line)
        if role == Qt.ItemDataRole.AccessibleTextRole and first:
            return f"{problem.severity}: {tr_report(problem.what)}"
        if role == self.PROBLEM:
            return problem
        return None
