"""Texts that were kept aside, beside what the kit has: compared, and taken over one by one."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from html import escape

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.theme import Colours
from madcat_studio.gui.translation import tr, tr_moment, tr_number
from madcat_studio.model.campaign import Revision
from madcat_studio.workspace.kit import KitWorkspace

__all__ = ["AsideDialog", "marked"]


def marked(text: str, other: str, colour: str) -> str:
    """A text as HTML, with the words marked that another text does not have at their place."""
    words, others = text.split(" "), other.split(" ")
    shown = []
    for kind, start, end, _, _ in SequenceMatcher(None, words, others, False).get_opcodes():
        part = escape(" ".join(words[start:end]))
        if part and kind != "equal":
            part = f'<span style="background: {colour}">{part}</span>'
        if part:
            shown.append(part)
    return " ".join(shown)


class AsideDialog(QDialog):
    """The texts, the newest first.

    Signals:
        wanted: one of them is to be the text of its segment.
    """

    wanted = Signal(object)

    def __init__(
        self,
        workspace: KitWorkspace,
        asides: Sequence[Revision],
        colours: Colours,
        parent: QWidget | None = None,
    ) -> None:
        """Show them; ``asides`` in the order of storing."""
        super().__init__(parent)
        self.setWindowTitle(tr("Texts kept aside"))
        self.resize(760, 480)
        self._workspace, self._colours = workspace, colours
        self._asides = list(reversed(asides))
        self._numbers = {one.name: number for number, one in enumerate(workspace.segments)}
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        said = QLabel(
            tr(
                "These texts of yours came from another place, or too late, and are not in the "
                "kit. They stay in the campaign whatever you do."
            )
        )
        said.setWordWrap(True)
        layout.addWidget(said)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Texts kept aside"))
        self.list.addItems([self._title(one) for one in self._asides])
        self.list.currentRowChanged.connect(self._show)
        layout.addWidget(self.list, 1)
        sides = QHBoxLayout()
        self.aside, self.now = QTextEdit(), QTextEdit()
        for title, box in (
            (tr("Kept aside"), self.aside),
            (tr("In the kit now"), self.now),
        ):
            box.setReadOnly(True)
            box.setTabChangesFocus(True)
            box.setAccessibleName(title)
            column = QVBoxLayout()
            head = QLabel(title)
            head.setObjectName("section")
            column.addWidget(head)
            column.addWidget(box)
            sides.addLayout(column)
        layout.addLayout(sides, 2)
        buttons = QDialogButtonBox()
        self.use = buttons.addButton(
            tr("&Put it into the kit"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self.use.setToolTip(tr("You can undo this; the segment becomes a draft"))
        self.use.setAutoDefault(False)
        self.use.clicked.connect(self._use)
        close = buttons.addButton(QDialogButtonBox.StandardButton.Close)
        close.setDefault(True)
        buttons.rejected.connect(self.reject)
        self.finished.connect(lambda _: self.deleteLater())
        layout.addWidget(buttons)
        self.list.setCurrentRow(0)
        self.list.setFocus()

    def _title(self, one: Revision) -> str:
        return tr(
            "Segment {number}, {machine}, {time}",
            number=tr_number(self._numbers[one.segment] + 1),
            machine=tr("file") if one.machine == "bundle" else one.machine,
            time=tr_moment(one.at),
        )

    def _show(self, row: int) -> None:
        found = 0 <= row < len(self._asides)
        self.use.setEnabled(found and self._workspace.taken is None)
        if not found:
            self.aside.clear()
            self.now.clear()
            return
        one = self._asides[row]
        now = self._workspace.own(self._numbers[one.segment]).text
        colour = self._colours.soft
        self.aside.setHtml(marked(one.text, now, colour))
        self.now.setHtml(marked(now, one.text, colour))

    def _use(self) -> None:
        row = self.list.currentRow()
        if 0 <= row < len(self._asides):
            self.wanted.emit(self._asides[row])
            self._show(row)

    def number(self, one: Revision) -> int:
        """The segment that a text belongs to, from 0."""
        return self._numbers[one.segment]
