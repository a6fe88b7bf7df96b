"""One open kit: the segments at the left, the current one in the middle. A mirror of the workspace.

The widget passes on what the editor does and shows what the workspace answers; it has no text of
its own. The alignment is made in a worker, and the newest text wins.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.errors import InputError
from madcat_studio.gui.editor.alignment import AlignmentView
from madcat_studio.gui.editor.moving import moved
from madcat_studio.gui.editor.segmentlist import KitSegmentDelegate, KitSegmentModel, state_text
from madcat_studio.gui.editor.textbox import EditBox
from madcat_studio.gui.fonts import arabic, english
from madcat_studio.gui.settings import Settings
from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import tr
from madcat_studio.gui.workers import Dispatcher, Queue, Ticket
from madcat_studio.model.campaign import Pass
from madcat_studio.scoring.columns import Column, columns
from madcat_studio.scoring.ter import TerOptions, ter
from madcat_studio.workspace.kit import KitChange, KitWorkspace

__all__ = ["KitPage", "pass_text"]


def pass_text(pass_: Pass) -> str:
    """The pass in words."""
    return tr("first pass") if pass_ is Pass.FIRST else tr("review")


class KitPage(QWidget):
    """An open kit.

    Signals:
        changed: enablement and titles of actions may be different.
        notice: something the editor should be told, with the level ("info" or "warning").
        wanted: the id of an action that a button stands for.
    """

    changed = Signal()
    notice = Signal(str, str)
    wanted = Signal(str)

    def __init__(
        self, theme: Theme, settings: Settings, store: Queue, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._settings, self._store = theme, settings, store
        self._scorer = Dispatcher(self)
        self._workspace: KitWorkspace | None = None
        self._options = TerOptions()
        self._told = ""
        self._told_spool = ""
        self.paused = False
        self._build()
        self._minute = QTimer(self)
        self._minute.setInterval(20_000)
        self._minute.timeout.connect(self.try_again)

    # -- building -----------------------------------------------------------------------------

    def _build(self) -> None:
        outer = QHBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        outer.addWidget(split)

        left = QWidget()
        left.setObjectName("side")
        left.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._kit = QLabel()
        self._kit.setObjectName("kitname")
        self._kit.setContentsMargins(12, 12, 12, 0)
        column.addWidget(self._kit)
        self._left = QLabel()
        self._left.setObjectName("quiet")
        self._left.setContentsMargins(12, 2, 12, 6)
        column.addWidget(self._left)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(6)
        self._bar.setAccessibleName(tr("Words done"))
        bar = QHBoxLayout()
        bar.setContentsMargins(12, 0, 12, 10)
        bar.addWidget(self._bar)
        column.addLayout(bar)
        self.model = KitSegmentModel(self)
        self._delegate = KitSegmentDelegate(self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(self._delegate)
        self.list.setMouseTracking(True)
        self.list.setAccessibleName(tr("Segments of the kit"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.activated.connect(self._on_row)
        self.list.clicked.connect(self._on_row)
        column.addWidget(self.list, 1)
        split.addWidget(left)

        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        page = QWidget()
        page.setObjectName("page")
        centre = QVBoxLayout(page)
        centre.setContentsMargins(28, 18, 28, 18)
        centre.setSpacing(6)
        head = QHBoxLayout()
        self._segment = QLabel()
        self._segment.setObjectName("kitname")
        head.addWidget(self._segment)
        head.addStretch(1)
        self._state = QLabel()
        self._state.setObjectName("quiet")
        head.addWidget(self._state)
        centre.addLayout(head)
        centre.addSpacing(6)
        self._source_head, self._source = self._text_block(centre, tr("Source"))
        self._reference_head, self._reference = self._text_block(centre, tr("Reference"))
        self._output_head, self._output = self._text_block(centre, tr("Output"))
        self._first_head, self._first = self._text_block(centre, tr("First pass"))
        own_head = QLabel(tr("Your &text"))
        own_head.setObjectName("section")
        centre.addWidget(own_head)
        self.box = EditBox()
        own_head.setBuddy(self.box)
        self.box.edited.connect(self._on_edited)
        self.box.caret_moved.connect(self._on_caret)
        self.box.left_out.connect(lambda text: self.notice.emit(text, "warning"))
        self.box.activity.connect(self._on_activity)
        centre.addWidget(self.box, 2)
        centre.addLayout(self._build_buttons())
        centre.addSpacing(10)
        self._changes_head = QLabel()
        self._changes_head.setObjectName("section")
        centre.addWidget(self._changes_head)
        self.alignment = AlignmentView(self._theme)
        centre.addWidget(self.alignment)
        centre.addStretch(3)
        self._scroll.setWidget(page)
        split.addWidget(self._scroll)
        split.setStretchFactor(1, 1)
        split.setSizes([300, 1000])
        self.setTabOrder(self.box, self.list)

    def _build_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(0, 4, 0, 0)
        self._confirm = QPushButton(tr("Confirm and next"))
        self._confirm.setObjectName("primary")
        self._confirm.setToolTip(tr("Ctrl+Enter"))
        self._confirm.clicked.connect(lambda: self.wanted.emit("kit.confirm-next"))
        self._revert = QPushButton()
        self._revert.setToolTip(tr("Ctrl+R; undo brings your text back"))
        self._revert.clicked.connect(lambda: self.wanted.emit("kit.revert"))
        for button in (self._confirm, self._revert):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            row.addWidget(button)
        row.addStretch(1)
        self._saved = QLabel()
        self._saved.setObjectName("quiet")
        row.addWidget(self._saved)
        return row

    def _text_block(self, layout: QVBoxLayout, title: str) -> tuple[QLabel, QLabel]:
        head = QLabel(title)
        head.setObjectName("section")
        layout.addWidget(head)
        text = QLabel()
        text.setObjectName("reading")
        text.setWordWrap(True)
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        text.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        text.setAccessibleName(title)
        layout.addWidget(text)
        layout.addSpacing(6)
        return head, text

    def dress(self) -> None:
        """Follow theme and fonts."""
        font = english(self._settings)
        for text in (self._reference, self._output, self._first):
            text.setFont(font)
        self._source.setFont(arabic(self._settings))
        self.box.set_font(english(self._settings, scale=1.12))
        self.alignment.set_font(font)
        self._delegate.dress(font, self._theme.colours)
        self.list.doItemsLayout()

    # -- the kit ------------------------------------------------------------------------------

    @property
    def workspace(self) -> KitWorkspace | None:
        """The kit that is open."""
        return self._workspace

    def show_kit(self, workspace: KitWorkspace, options: TerOptions) -> None:
        """Show a kit that was opened."""
        self._workspace, self._options = workspace, options
        self._told = self._told_spool = ""
        self.paused = False
        review = workspace.claim.pass_ is Pass.REVIEW
        self._revert.setText(tr("Back to the first pass") if review else tr("Back to the output"))
        self.model.show_kit(workspace)
        claim = workspace.claim
        self._kit.setText(tr("Kit {kit} – {which}", kit=claim.kit, which=pass_text(claim.pass_)))
        source = any(segment.transcription is not None for segment in workspace.segments)
        for widget, shown in (
            (self._source_head, source),
            (self._source, source),
            (self._first_head, review),
            (self._first, review),
        ):
            widget.setVisible(shown)
        self.dress()
        self._show_segment()
        self._show_words()
        self._tell_recovery()
        self._minute.start()
        self.deliver()
        self.box.setFocus()

    def _tell_recovery(self) -> None:
        assert self._workspace is not None
        recovery = self._workspace.recovery
        if recovery.texts:
            names = ", ".join(str(index + 1) for index in recovery.texts)
            self.notice.emit(
                tr("Unsaved text of an earlier session is back, in segment {names}.", names=names),
                "info",
            )
        if recovery.aside:
            self.notice.emit(
                tr(
                    "{count} older texts of this machine were kept aside; the campaign has newer.",
                    count=recovery.aside,
                ),
                "warning",
            )

    def _require(self) -> KitWorkspace:
        assert self._workspace is not None
        return self._workspace

    def close_kit(self) -> None:
        """Save what is typed and let go."""
        workspace, self._workspace = self._workspace, None
        self._minute.stop()
        self._scorer.cancel()
        self.model.show_kit(None)
        if workspace is not None:
            workspace.close()

    def shut_down(self) -> None:
        """End threads and timers."""
        self.close_kit()
        self._scorer.close()

    # -- from the editor ----------------------------------------------------------------------

    def _on_edited(self, text: str, caret: int, anchor: int) -> None:
        if self._workspace is None:
            return
        try:
            change = self._workspace.set_text(text, caret, anchor)
        except Exception:
            # The pass is over: the box must not go on showing what nobody keeps.
            self._show_text()
            raise
        self.apply(change, typed=True)

    def _on_caret(self, caret: int, anchor: int) -> None:
        if self._workspace is not None:
            self._workspace.move_caret(caret, anchor)

    def _on_activity(self, activity: object) -> None:
        if self._workspace is not None:
            self.paused = False
            self._workspace.note(activity)  # type: ignore[arg-type]

    def _on_row(self, index: QModelIndex) -> None:
        if self._workspace is not None and index.isValid():
            self.apply(self._workspace.go_to(index.row()))
            self.box.setFocus()

    def do(self, act: Callable[[KitWorkspace], KitChange]) -> None:
        """Do something with the workspace and show what came of it."""
        if self._workspace is not None:
            self.apply(act(self._workspace))

    def move_words(self, direction: int) -> None:
        """Move the selected words, or the word at the caret, by one word: one shift."""
        workspace = self._require()
        own = workspace.own(workspace.current)
        result = moved(own.text, own.caret, own.anchor, direction)
        if result is None:
            return
        text, caret, anchor = result
        self.apply(workspace.replace_all({workspace.current: text}, tr("Move words")))
        workspace.move_caret(caret, anchor)
        self._show_text()

    def pause(self, paused: bool) -> None:
        """Stop the clock, or let it run again."""
        self.paused = paused
        self._require().pause(paused)
        self._show_words()

    # -- from the workspace -------------------------------------------------------------------

    def apply(self, change: KitChange, *, typed: bool = False) -> None:
        """Show what an action touched, and nothing else."""
        workspace = self._require()
        self.model.changed(change.texts | change.states | {workspace.current})
        if change.current is not None:
            self._show_segment()
        elif workspace.current in change.texts:
            self._show_text(scroll=not typed)
        self._show_state()
        if typed or change.texts or change.states or change.current is not None:
            self._show_words()
            self._score()
        if change.notice:
            self.notice.emit(change.notice, "warning")
        if workspace.spool_trouble != self._told_spool:
            self._told_spool = workspace.spool_trouble
            if self._told_spool:
                self.notice.emit(self._told_spool, "warning")
        if workspace.pending:
            self.deliver()
        self.changed.emit()

    def _show_segment(self) -> None:
        workspace = self._require()
        row = workspace.current
        segment = workspace.segments[row]
        self._segment.setText(
            tr("Segment {number} of {all}", number=row + 1, all=len(workspace.segments))
        )
        self._segment.setToolTip(str(segment.name))
        self._source.setText(segment.transcription or "")
        self._source.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
        self._source.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self._reference.setText(segment.reference)
        self._output_head.setText(tr("Output of system {code}", code=segment.code))
        self._output.setText(segment.output or tr("The system gave nothing here."))
        self._first.setText(segment.first or "")
        self.box.setReadOnly(not segment.output)
        self.box.setPlaceholderText(
            "" if segment.output else tr("There is nothing to edit: the reference counts.")
        )
        index = self.model.index(row)
        self.list.setCurrentIndex(index)
        self.list.scrollTo(index)
        self._show_text(scroll=True)
        self._show_state()
        self._score()

    def _show_text(self, *, scroll: bool = False) -> None:
        workspace = self._require()
        own = workspace.own(workspace.current)
        self.box.show_text(own.text, own.caret, own.anchor, scroll=scroll)

    def _show_state(self) -> None:
        workspace = self._require()
        own = workspace.own(workspace.current)
        output = workspace.segments[workspace.current].output
        self._state.setText(state_text(own.state) if output else tr("no output"))
        self._show_saved()

    def _show_saved(self) -> None:
        """Where what is typed lies now: the one thing that an editor must never have to wonder."""
        workspace = self._require()
        if workspace.spool_trouble:
            text = tr("Not on the disk yet")
        elif workspace.pending:
            text = tr("Kept on this machine")
        elif workspace.unsaved:
            text = tr("Kept on this machine as you type")
        else:
            text = tr("Saved in the campaign")
        self._saved.setText(text)

    def _show_words(self) -> None:
        done, total = self._require().words()
        text = tr(
            "{done} of {total} words done, {left} left", done=done, total=total, left=total - done
        )
        self._left.setText(text + (" – " + tr("clock paused") if self.paused else ""))
        self._bar.setMaximum(max(total, 1))
        self._bar.setValue(done)

    # -- workers ------------------------------------------------------------------------------

    def _score(self) -> None:
        workspace = self._require()
        segment = workspace.segments[workspace.current]
        text, options = workspace.own(workspace.current).text, self._options
        before = segment.output if segment.first is None else segment.first
        self._changes_head.setText(
            tr("What you changed in the output")
            if segment.first is None
            else tr("What you changed in the first pass")
        )

        def work(ticket: Ticket) -> tuple[Column, ...]:
            return columns(ter(before, [text], options))

        self._scorer.submit(work, self.alignment.show_columns, failed=self._unscored)

    def _unscored(self, error: BaseException) -> None:
        if not isinstance(error, InputError):
            raise error
        self.alignment.show_columns(())

    def deliver(self) -> None:
        """Send finished revisions to the campaign, in the store's thread."""
        workspace = self._require()
        if workspace.pending:
            self._store.submit(lambda _: workspace.deliver(), lambda _: self._delivered(workspace))

    def _delivered(self, workspace: KitWorkspace) -> None:
        if workspace is not self._workspace:
            return
        if workspace.trouble and not self._told:
            self.notice.emit(
                tr(
                    "The campaign cannot be reached. Your texts wait on this machine and are sent "
                    "as soon as it is back."
                ),
                "warning",
            )
        elif self._told and not workspace.trouble:
            self.notice.emit(tr("The campaign is back; everything is saved."), "info")
        self._told = workspace.trouble
        self._show_saved()
        if workspace.side:
            self.notice.emit(
                tr(
                    "This pass was given to somebody else meanwhile. Your texts are kept, but "
                    "aside; ask the coordinator."
                ),
                "warning",
            )
        self.changed.emit()

    def try_again(self) -> None:
        """Send and write what could not be sent or written before."""
        workspace = self._workspace
        if workspace is not None and (workspace.pending or workspace.spool_trouble):
            self._store.submit(lambda _: workspace.flush(), lambda _: self._delivered(workspace))
