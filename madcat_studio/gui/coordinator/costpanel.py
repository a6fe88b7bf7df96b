"""What it will cost to tell systems apart, reckoned from an earlier phase while one sets up."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDoubleSpinBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from madcat_studio.errors import StudioError
from madcat_studio.gui.errorwords import tr_error
from madcat_studio.gui.readinglabel import ReadingLabel
from madcat_studio.gui.translation import tr, tr_report
from madcat_studio.gui.workers import Follower
from madcat_studio.operations.scores.power import Cost, cost_by_earlier

__all__ = ["CostPanel"]

_WAIT_MS = 400
"""So long the number is left alone before it is reckoned with."""


class CostPanel(QWidget):
    """A number of points, and the documents, kits and teams that tell so much apart."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._earlier: Path | None = None
        self._systems = 2
        self._worker = Follower(self)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_WAIT_MS)
        self._soon.timeout.connect(self._begin)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        row = QHBoxLayout()
        label = QLabel(tr("&Tell systems apart that differ by"))
        self.points = QDoubleSpinBox()
        self.points.setRange(0.2, 50.0)
        self.points.setSingleStep(0.5)
        self.points.setDecimals(1)
        self.points.setValue(2.0)
        self.points.setSuffix(tr(" points of HTER"))
        self.points.valueChanged.connect(lambda _: self._soon.start())
        label.setBuddy(self.points)
        row.addWidget(label)
        row.addWidget(self.points)
        row.addStretch(1)
        layout.addLayout(row)
        self.answer = ReadingLabel()
        font = self.answer.font()
        font.setBold(True)
        self.answer.setFont(font)
        self.told = ReadingLabel()
        self.told.setObjectName("quiet")
        # Room for what will be said, so that nothing moves when it comes.
        for label, lines in ((self.answer, 2), (self.told, 4)):
            label.setAlignment(Qt.AlignmentFlag.AlignTop)
            label.setMinimumHeight(lines * label.fontMetrics().lineSpacing())
            layout.addWidget(label)
        self.hide()

    def reckon(self, earlier: Path | None, systems: int) -> None:
        """Reckon for so many systems, from an earlier phase; without one nothing is said."""
        self._earlier, self._systems = earlier, max(systems, 2)
        self.setVisible(earlier is not None)
        if earlier is not None:
            self._begin()

    def close_worker(self) -> None:
        """Stop reckoning, and wait until no thread works for it."""
        self._soon.stop()
        self._worker.cancel()
        self._worker.close()

    def _begin(self) -> None:
        earlier, points, systems = self._earlier, self.points.value(), self._systems
        if earlier is None:
            return
        self.answer.setText(tr("Calculating …"))
        self.told.setText("")
        self._worker.cancel()
        self._worker.submit(
            lambda ticket: cost_by_earlier(earlier, points, systems=systems, progress=ticket),
            self._show,
            failed=self._failed,
        )

    def _show(self, cost: Cost) -> None:
        self.answer.setText(f"{tr_report(cost.answer)}.")
        told = (one for one in cost.sentences() if one != cost.answer)
        self.told.setText("".join(f"{tr_report(one)}. " for one in told))

    def _failed(self, error: BaseException) -> None:
        if isinstance(error, StudioError):
            self.answer.setText(tr_error(error).sentences)
