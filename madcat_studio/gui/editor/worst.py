"""Which segments of a kit were changed most: the quarter with the highest HTER."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, inf

from PySide6.QtCore import QObject, Signal

from madcat_studio.errors import InputError
from madcat_studio.gui.workers import Dispatcher, Ticket
from madcat_studio.operations.scores.alignments import compare
from madcat_studio.workspace.kit import KitWorkspace
from madcat_ter.options import TerOptions

__all__ = ["WorstRows", "worst_quarter"]


def worst_quarter(rates: Mapping[int, float]) -> frozenset[int]:
    """The quarter of the rows with the highest rates, rounded up; never one without an edit.

    Of two with the same rate the earlier one is worse.
    """
    changed = sorted((-rate, row) for row, rate in rates.items() if rate > 0)
    return frozenset(row for _, row in changed[: ceil(len(rates) / 4)])


class WorstRows(QObject):
    """Counts the texts of a kit in a worker, each text once.

    Signals:
        found: ``rows`` is another answer than before.

    Attributes:
        rows: the worst ones, as far as they were counted.
    """

    found = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = Dispatcher(self)
        self._options = TerOptions()
        self._counted: dict[int, tuple[str, float]] = {}
        self.rows: frozenset[int] = frozenset()

    def begin(self, options: TerOptions) -> None:
        """Another kit is shown, or none."""
        self._worker.cancel()
        self._options, self._counted, self.rows = options, {}, frozenset()

    @property
    def busy(self) -> bool:
        """Whether texts are being counted."""
        return self._worker.busy

    def look(self, kit: KitWorkspace) -> None:
        """Count what was edited since the last look."""
        texts = {row: kit.own(row).text for row, one in enumerate(kit.segments) if one.output}
        known = {
            row: counted
            for row, counted in self._counted.items()
            if row in texts and counted[0] == texts[row]
        }
        left = [
            (row, kit.segments[row].output, text) for row, text in texts.items() if row not in known
        ]
        if not left:
            return
        options = self._options

        def work(ticket: Ticket) -> dict[int, tuple[str, float]]:
            rates = dict(known)
            for row, output, text in left:
                if ticket.cancelled():
                    break
                rates[row] = text, _rate(output, text, options)
            return rates

        def done(rates: dict[int, tuple[str, float]]) -> None:
            self._counted = rates
            rows = worst_quarter({row: rate for row, (_, rate) in rates.items()})
            if rows != self.rows:
                self.rows = rows
                self.found.emit()

        self._worker.submit(work, done)

    def shut_down(self) -> None:
        """End the worker."""
        self._worker.close()


def _rate(output: str, text: str, options: TerOptions) -> float:
    try:
        found = compare(output, text, options)
    except InputError:
        return 0.0  # too long to be scored
    if not found.words:
        return inf if found.edits else 0.0
    return found.edits / found.words
