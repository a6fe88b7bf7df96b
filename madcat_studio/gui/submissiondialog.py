"""Handing a submission in, and who declared what: the evaluation plan's sections 4 and 9."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.errors import StudioError
from madcat_studio.gui.errorwords import tr_failure
from madcat_studio.gui.pathfields import PathRow, add_row, make_button, make_form
from madcat_studio.gui.translation import mark, tr, tr_moment
from madcat_studio.gui.workers import Dispatcher
from madcat_studio.model.declarations import Declaration, Manifest, missing
from madcat_studio.operations.submission import (
    HandedIn,
    Received,
    counting,
    hand_in,
    pack_submission,
    received,
)

__all__ = ["HandInPane", "ReceivedPane", "SubmissionDialog"]

_SENTENCES = {
    Declaration.NO_ADAPTATION: mark("No language model was adapted across pages"),
    Declaration.NO_INTERACTION: mark(
        "Neither people nor programs looked at the evaluation data before the results were handed "
        "in"
    ),
    Declaration.NO_SEQUESTERED: mark(
        "Sequestered passages were used neither in training nor in development"
    ),
}
"""What a site declares, as the model says it."""


def _told(error: BaseException) -> str:
    """What is wrong with the files; anything else is a fault of the program."""
    if not isinstance(error, StudioError):
        raise error
    return tr_failure(error)


def _quiet(text: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName("quiet")
    label.setWordWrap(True)
    return label


class SubmissionDialog(QDialog):
    """Both sides of a submission: one hands it in, the other looks at what came."""

    manual = "campaigns"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Submissions"))
        self.setMinimumSize(760, 620)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 18)
        self.hand_in, self.received = HandInPane(), ReceivedPane()
        self._tabs = QTabWidget()
        self._tabs.addTab(self.hand_in, tr("Hand in"))
        self._tabs.addTab(self.received, tr("Received"))
        layout.addWidget(self._tabs)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        # Enter in a field would press it, and what was filled in would be gone.
        close = buttons.button(QDialogButtonBox.StandardButton.Close)
        close.setAutoDefault(False)
        close.setDefault(False)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)

    def show_received(self) -> None:
        """Turn to what came."""
        self._tabs.setCurrentWidget(self.received)

    def done(self, result: int) -> None:
        self.hand_in.worker.close()
        self.received.worker.close()
        super().done(result)


class HandInPane(QWidget):
    """A folder of outputs is checked, packed with what the site declares, and handed in.

    Attributes:
        message: what the evaluator is to be told; empty before something was handed in.
    """

    def __init__(self) -> None:
        super().__init__()
        self.worker = Dispatcher(self)
        layout = QVBoxLayout(self)
        form = make_form()
        self.outputs = PathRow(
            tr("Outputs"), folder=True, hint=tr("a folder such as plato_1, or plato_1.tgz")
        )
        self.inputs = PathRow(
            tr("Inputs"), file=False, folder=True, hint=tr("the folder you were given")
        )
        self.site = QLineEdit()
        self.drop = PathRow(
            tr("Drop folder"), file=False, folder=True, hint=tr("the evaluator's, such as a share")
        )
        add_row(form, tr("&Outputs"), self.outputs, self.outputs.field)
        add_row(form, tr("&Inputs"), self.inputs, self.inputs.field)
        add_row(form, tr("&Site"), self.site)
        layout.addLayout(form)
        self.rules: dict[Declaration, QCheckBox] = {}
        layout.addWidget(QLabel(tr("The site declares:")))
        for one, sentence in _SENTENCES.items():
            self.rules[one] = QCheckBox(tr(sentence))
            layout.addWidget(self.rules[one])
        below = make_form()
        add_row(below, tr("&Drop folder"), self.drop, self.drop.field)
        layout.addLayout(below)
        self.start = make_button(tr("Check and hand in"), self.go)
        layout.addWidget(self.start)
        self.said = QLabel()
        self.said.setWordWrap(True)
        layout.addWidget(self.said)
        self.message = QPlainTextEdit()
        self.message.setReadOnly(True)
        # The message is English, whatever the site's name begins with.
        option = self.message.document().defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        self.message.document().setDefaultTextOption(option)
        self.message.setAccessibleName(tr("Message to send"))
        layout.addWidget(self.message, 1)
        self.copy = make_button(tr("Copy the message"), self._copy)
        layout.addWidget(self.copy)
        for row in (self.outputs, self.inputs, self.drop):
            row.changed.connect(self._refresh)
        self._busy = False
        self._refresh()

    def _refresh(self) -> None:
        outputs = self.outputs.path()
        # What is packed says itself what the site declared.
        packed = outputs is not None and outputs.suffix == ".tgz"
        for widget in (self.inputs, self.site, *self.rules.values()):
            widget.setEnabled(not packed)
        given = outputs and self.drop.path() and (packed or self.inputs.path())
        self.start.setEnabled(bool(given) and not self._busy)
        self.copy.setEnabled(bool(self.message.toPlainText()))

    def go(self) -> None:
        """Hand it in, unless something is missing."""
        outputs, inputs, drop = self.outputs.path(), self.inputs.path(), self.drop.path()
        if outputs is None or drop is None or self._busy:
            return
        declared = tuple(one for one, box in self.rules.items() if box.isChecked())
        manifest = Manifest(" ".join(self.site.text().split()), declared)
        self._busy = True
        self.message.clear()
        self._say(tr("Checking, packing and copying…"))
        self.worker.submit(
            lambda _: _handed_in(outputs, inputs, drop, manifest),
            self._show,
            failed=lambda error: self._end(_told(error), wrong=True),
        )

    def _show(self, handed: HandedIn) -> None:
        self.message.setPlainText(handed.message)
        self._end(
            tr(
                "Handed in and read back: {file}. Send the evaluator this message.",
                file=str(handed.target),
            )
        )

    def _end(self, text: str, *, wrong: bool = False) -> None:
        self._busy = False
        self._say(text, wrong=wrong)

    def _say(self, text: str, *, wrong: bool = False) -> None:
        self.said.setText(text)
        self.said.setObjectName("caution" if wrong else "quiet")
        self.said.style().polish(self.said)
        self._refresh()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.message.toPlainText())


def _handed_in(outputs: Path, inputs: Path | None, drop: Path, manifest: Manifest) -> HandedIn:
    """Hand an archive in, or a folder, which is packed for it."""
    if inputs is None or outputs.suffix == ".tgz":
        return hand_in(outputs, drop)
    # Packed aside: nothing is left beside the outputs that another try would stumble over.
    with TemporaryDirectory(prefix="madcat-submission-") as aside:
        archive = Path(aside) / f"{outputs.name}.tgz"
        pack_submission(outputs, inputs, archive, manifest=manifest)
        return hand_in(archive, drop)


class ReceivedPane(QWidget):
    """What was received, which submission counts, and who has not declared what."""

    def __init__(self) -> None:
        super().__init__()
        self.worker = Dispatcher(self)
        layout = QVBoxLayout(self)
        form = make_form()
        self.folder = PathRow(
            tr("Submissions"),
            file=False,
            folder=True,
            hint=tr("where received submissions are kept"),
        )
        add_row(form, tr("&Submissions"), self.folder, self.folder.field)
        layout.addLayout(form)
        self.rows = QTreeWidget()
        self.rows.setRootIsDecorated(False)
        self.rows.setAccessibleName(tr("Received submissions"))
        self.rows.setHeaderLabels(
            [tr("Submission"), tr("Received"), tr("State"), tr("Counts"), tr("Not declared")]
        )
        layout.addWidget(self.rows, 1)
        self.said = _quiet("")
        layout.addWidget(self.said)
        self.folder.changed.connect(self.look)

    def look(self) -> None:
        """Read the record of the folder."""
        folder = self.folder.path()
        self.rows.clear()
        self.said.clear()
        if folder is not None and folder.is_dir():
            self.worker.submit(
                lambda _: received(folder),
                self._show,
                failed=lambda error: self.said.setText(_told(error)),
            )

    def _show(self, rows: Sequence[Received]) -> None:
        counts = counting(list(rows))
        self.rows.clear()
        for row in rows:
            state = tr("late") if row.late else tr("in time")
            if not row.valid:
                state = tr("invalid")
            lacking = missing(row.declared)
            item = QTreeWidgetItem(
                [
                    f"{row.name}_{row.number}",
                    tr_moment(row.received),
                    state,
                    tr("yes") if counts[row.name] is row else "",
                    ", ".join(lacking),
                ]
            )
            item.setToolTip(4, "\n".join(tr(_SENTENCES[one]) for one in lacking))
            self.rows.addTopLevelItem(item)
        for column in range(self.rows.columnCount()):
            self.rows.resizeColumnToContents(column)
        lacks = sorted(
            name for name, one in counts.items() if one is not None and missing(one.declared)
        )
        if lacks:
            text = tr("Not every rule declared: {names}", names=", ".join(lacks))
        else:
            text = (
                tr("Nothing has been received here.")
                if not rows
                else tr("All have declared every rule.")
            )
        self.said.setText(text)
