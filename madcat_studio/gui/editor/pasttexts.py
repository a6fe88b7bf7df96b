"""The texts that a segment had, each with what changed since the one before; any can come back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.errors import InputError, StudioError
from madcat_studio.gui.editor.alignment import AlignmentView
from madcat_studio.gui.editor.segmentlist import state_text
from madcat_studio.gui.editor.textbox import EditBox
from madcat_studio.gui.errorwords import tr_error
from madcat_studio.gui.fonts import english
from madcat_studio.gui.settings import Settings
from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import mark, tr, tr_count, tr_moment, tr_number
from madcat_studio.gui.workers import Queue
from madcat_studio.model.campaign import Pass
from madcat_studio.model.visits import Source
from madcat_studio.operations.scores.alignments import align, plain
from madcat_studio.scoring.changes import Alignment
from madcat_studio.workspace.kit import KitChange, KitWorkspace
from madcat_studio.workspace.past import Past
from madcat_ter.options import TerOptions

__all__ = ["PastDialog", "PastTexts"]


class _Page(Protocol):
    box: EditBox

    @property
    def workspace(self) -> KitWorkspace | None: ...

    def do(self, act: Callable[[KitWorkspace], KitChange]) -> None: ...


def _title(one: Past) -> str:
    """Who, when, and in which state."""
    if one.pass_ is None:
        return tr("the system's output")
    if one.mine:
        who = tr("you")
    else:
        who = tr("first editor") if one.pass_ is Pass.FIRST else tr("another editor")
    said = [who]
    if one.at is not None:
        said.append(tr_moment(one.at))
    said.append(tr("first pass") if one.pass_ is Pass.FIRST else tr("review"))
    if one.aside:
        said.append(tr("kept aside"))
    elif one.state is not None:
        said.append(state_text(one.state))
    return ", ".join(said)


class PastDialog(QDialog):
    """The texts from the oldest to what is on the screen.

    Signals:
        wanted: one of them is to be the text of the segment.
    """

    wanted = Signal(object)

    def __init__(
        self,
        number: int,
        texts: Sequence[Past],
        now: str,
        options: TerOptions,
        theme: Theme,
        settings: Settings,
        parent: QWidget | None = None,
        *,
        can_change: bool = True,
    ) -> None:
        """Show them.

        Args:
            number: of the segment, from 1.
            texts: the oldest first.
            now: what is on the screen.
            options: how two texts are aligned.
            theme, settings: for colours and faces.
            parent: as for any dialog.
            can_change: whether the segment can get another text.
        """
        super().__init__(parent)
        self.setWindowTitle(tr("Texts of segment {number}", number=tr_number(number)))
        self.resize(900, 480)
        self._texts, self._now, self._options = tuple(texts), now, options
        self._can_change = can_change
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Texts of the segment, the oldest first"))
        self.list.setUniformItemSizes(True)
        self.list.addItems([_title(one) for one in self._texts])
        if now != self._texts[-1].text:
            self.list.addItem(tr("on the screen, not saved yet"))
        self.head = QLabel()
        self.head.setObjectName("section")
        self.view = AlignmentView(theme)
        self.view.set_font(english(settings))
        window = QScrollArea()
        window.setWidgetResizable(True)
        window.setFrameShape(QScrollArea.Shape.NoFrame)
        window.setWidget(self.view)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(8, 0, 0, 0)
        column.addWidget(self.head)
        column.addWidget(window, 1)
        split = QSplitter()
        split.setChildrenCollapsible(False)
        split.addWidget(self.list)
        split.addWidget(right)
        split.setStretchFactor(1, 1)
        split.setSizes([320, 580])
        buttons = QDialogButtonBox()
        self.use = buttons.addButton(tr("&Put it back"), QDialogButtonBox.ButtonRole.ActionRole)
        self.use.setToolTip(tr("You can undo this; the segment becomes a draft"))
        self.use.setAutoDefault(False)
        self.use.clicked.connect(self._use)
        close = buttons.addButton(QDialogButtonBox.StandardButton.Close)
        close.setDefault(True)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(split, 1)
        foot = QHBoxLayout()
        foot.addWidget(buttons)
        layout.addLayout(foot)
        self.finished.connect(lambda _: self.deleteLater())
        self.list.currentRowChanged.connect(self._show)
        self.list.setCurrentRow(self.list.count() - 1)
        self.list.setFocus()

    def _text(self, row: int) -> str:
        return self._texts[row].text if row < len(self._texts) else self._now

    def _show(self, row: int) -> None:
        """Show a text, with what changed since the one before it."""
        if row < 0:
            return
        alignment = self._alignment(row)
        self.view.show_alignment(alignment)
        self.use.setEnabled(self._can_change and self._text(row) != self._now)
        if not row:
            self.head.setText(tr("The text that everything began with"))
            return
        changes = len(alignment.change_places())
        self.head.setText(
            tr_count(
                "{count} change since the text before it",
                "{count} changes since the text before it",
                changes,
            )
        )

    def _alignment(self, row: int) -> Alignment:
        text = self._text(row)
        if not row:
            return plain(text)
        try:
            return align(self._text(row - 1), text, self._options)
        except InputError:
            return plain(text)  # too long to be aligned

    def _use(self) -> None:
        row = self.list.currentRow()
        if 0 <= row < len(self._texts):
            self.wanted.emit(self._texts[row])
            self.accept()


class PastTexts:
    """Shows the texts of the segment on the screen of a page."""

    def __init__(
        self,
        page: _Page,
        store: Queue,
        theme: Theme,
        settings: Settings,
        tell: Callable[[str, str], None],
    ) -> None:
        """Serve a page; ``store`` reads the campaign, ``tell`` says why that failed."""
        self._page, self._store, self._tell = page, store, tell
        self._theme, self._settings = theme, settings
        self.options = TerOptions()

    def show(self, parent: QWidget) -> None:
        """Look up the texts of the current segment, and show them."""
        kit = self._page.workspace
        if kit is None:
            return
        index = kit.current

        def done(texts: tuple[Past, ...]) -> None:
            if self._page.workspace is not kit:
                return
            dialog = PastDialog(
                index + 1,
                texts,
                kit.own(index).text,
                self.options,
                self._theme,
                self._settings,
                parent,
                can_change=kit.taken is None and bool(kit.segments[index].output),
            )
            dialog.wanted.connect(lambda one: self._put_back(index, one))
            dialog.finished.connect(lambda _: back())
            dialog.open()

        def back() -> None:
            parent.activateWindow()
            self._page.box.setFocus()

        def failed(error: BaseException) -> None:
            if not isinstance(error, StudioError):
                raise error
            why = tr_error(error).reason
            self._tell(tr("The texts cannot be read: {why}", why=why), "warning")

        self._store.submit(lambda _: kit.texts.past(index), done, failed=failed)

    def _put_back(self, index: int, one: Past) -> None:
        sources = {None: Source.OUTPUT, Pass.FIRST: Source.FIRST, Pass.REVIEW: Source.OTHER}
        source = Source.OTHER if one.mine else sources[one.pass_]
        label = mark("Put back an earlier text")
        self._page.do(lambda kit: kit.replace_all({index: one.text}, label, source))
