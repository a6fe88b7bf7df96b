"""What an examination found: each finding with its place, its remedy, the grave ones first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from madcat_studio.errors import StudioError
from madcat_studio.gui.coordinator.rowtable import RowTable
from madcat_studio.gui.pathfields import make_button
from madcat_studio.gui.translation import mark, tr, tr_number, tr_report
from madcat_studio.model.problem import Problem, Severity, Where
from madcat_studio.operations.checked import Refused
from madcat_studio.reports.tables import Column

__all__ = ["Findings", "as_problems", "errors_of"]

_COLUMNS = (
    Column("severity", mark("Weight")),
    Column("what", mark("Finding")),
    Column("done", mark("What happens, what to do")),
    Column("where", mark("Where")),
    Column("code", mark("Code")),
)
_SAID = {
    Severity.ERROR: mark("must be mended"),
    Severity.WARNING: mark("look at it"),
    Severity.NOTE: mark("note"),
}


def errors_of(problems: Sequence[Problem]) -> int:
    """How many of the findings must be mended first."""
    return sum(one.severity is Severity.ERROR for one in problems)


def as_problems(error: BaseException) -> tuple[Problem, ...] | None:
    """An error as findings; None where it is our own fault."""
    if isinstance(error, Refused):
        return error.problems
    if isinstance(error, StudioError):
        place = Where(error.where)
        return (Problem(error.code, Severity.ERROR, place, error.reason, "", error.remedy),)
    return None


class Findings(QWidget):
    """A list of problems with a sentence above it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        head = QHBoxLayout()
        self.sentence = QLabel()
        self.sentence.setWordWrap(True)
        head.addWidget(self.sentence, 1)
        self._copy = make_button(tr("&Copy the list"), self._copy_all)
        self._copy.setToolTip(
            tr("All findings as a table, to paste into a message or a spreadsheet")
        )
        head.addWidget(self._copy)
        layout.addLayout(head)
        self.table = RowTable(tr("Findings"))
        layout.addWidget(self.table, 1)
        self.detail = QLabel()
        self.detail.setWordWrap(True)
        self.detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(self.detail)
        self.table.selectionModel().currentChanged.connect(lambda *_: self._on_choice())
        self._problems: tuple[Problem, ...] = ()

    def show_problems(self, problems: Sequence[Problem], sentence: str = "") -> None:
        """List them, what must be mended first."""
        order = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
        self._problems = tuple(sorted(problems, key=lambda one: order.index(one.severity)))
        self.table.show_rows(_COLUMNS, [_cells(one) for one in self._problems])
        self.table.setVisible(bool(self._problems))
        self._copy.setVisible(bool(self._problems))
        self.sentence.setText(sentence or _sentence(self._problems))
        if self._problems:
            self.table.choose(0)
        self._on_choice()

    def _on_choice(self) -> None:
        """The chosen finding in full: cells are short."""
        row = self.table.current_row()
        self.detail.setVisible(row is not None and bool(self._problems))
        if row is not None and row < len(self._problems):
            _, what, then, where, _ = _cells(self._problems[row])
            self.detail.setText(". ".join(part for part in (f"{where}: {what}", then) if part))

    def _copy_all(self) -> None:
        lines = ["\t".join(tr(column.title) for column in _COLUMNS)]
        lines += ["\t".join(_cells(one)) for one in self._problems]
        QGuiApplication.clipboard().setText("\n".join(lines) + "\n")


def _cells(one: Problem) -> tuple[str, ...]:
    done, remedy, what = (
        text[:1].upper() + text[1:]
        for text in (tr_report(part, one.code) for part in (one.done, one.remedy, one.what))
    )
    then = ". ".join(part for part in (done, remedy) if part)
    return (tr(_SAID[one.severity]), what, then, str(one.where), one.code)


def _sentence(problems: Sequence[Problem]) -> str:
    errors = errors_of(problems)
    others = len(problems) - errors
    if not problems:
        return tr("No findings: every file is as it should be.")
    if not errors:
        return tr("{count} to look at; none of them stops you.", count=tr_number(others))
    return tr(
        "{errors} must be mended first; {others} more to look at.",
        errors=tr_number(errors),
        others=tr_number(others),
    )
