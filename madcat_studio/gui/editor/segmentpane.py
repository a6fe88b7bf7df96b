"""The current segment of a kit: what is given above, the own text in the middle, changes below."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from madcat_studio.gui.editor.alignment import AlignmentView
from madcat_studio.gui.editor.arrangement import Arrangement, TextWindow
from madcat_studio.gui.editor.flags import flag_text
from madcat_studio.gui.editor.pairs import ChangesPanel
from madcat_studio.gui.editor.positions import to_qt
from madcat_studio.gui.editor.segmentlist import state_text
from madcat_studio.gui.editor.strip import MOST_HIGH, LineStrip
from madcat_studio.gui.editor.textbox import EditBox
from madcat_studio.gui.fonts import arabic, english
from madcat_studio.gui.litlabel import LitLabel
from madcat_studio.gui.settings import Settings
from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import tr, tr_number
from madcat_studio.model.campaign import Flag, KitSegment, SegmentState
from madcat_studio.operations.scores.alignments import Compared, plain
from madcat_studio.workspace.advice import invisible_name

__all__ = ["Reading", "SegmentPane"]

_LEAST = 540
"""The list at the side becomes narrower before the text has to be scrolled sideways."""
_LOW = 800
"""In a window lower than this the page is, so that the buttons below the text are in sight."""


class _Words(LitLabel):
    """A text to read; a double click on a word picks it."""

    picked = Signal(str)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        if self.hasSelectedText():
            self.picked.emit(self.selectedText())


class Reading(QWidget):
    """A heading and a text to read, which can be selected and copied.

    Attributes:
        head, body: the heading and the text, in ``column``.
        opening: a window on the text, where it stands beside the editor's own.
    """

    opening: TextWindow

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 6)
        layout.setSpacing(2)
        self.head = QLabel(title)
        self.head.setObjectName("section")
        layout.addWidget(self.head)
        self.body = _Words()
        self.body.setObjectName("reading")
        self.body.setIndent(0)
        self.body.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.body.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.body.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.body.setAccessibleName(title)
        layout.addWidget(self.body)
        self.column = layout

    def right_to_left(self) -> None:
        """The text is Arabic, whatever it begins with."""
        self.body.right_to_left()


class SegmentPane(QScrollArea):
    """One segment. It shows what it is given and has no text of its own.

    Signals:
        confirm_wanted: the segment is to be confirmed.
        revert_wanted: the text is to be what it was at the start.
        taken_back: a change of the own text was clicked, by the column's number.
        rejected: a change of the first pass was clicked.
        picked: words of the reference or the output, to put into the own text.
        arranged: the parts stand side by side now, or no longer.
    """

    confirm_wanted = Signal()
    revert_wanted = Signal()
    taken_back = Signal(int)
    rejected = Signal(int)
    picked = Signal(str)
    arranged = Signal()

    def __init__(self, theme: Theme, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._settings = theme, settings
        self._settling = False
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(_LEAST)
        self._page = page = QWidget()
        page.setObjectName("page")
        self.setWidget(page)
        across = QHBoxLayout(page)
        across.setContentsMargins(28, 16, 28, 18)
        column = QWidget()
        across.addWidget(column, 100)
        across.addStretch(1)
        self._review = False
        self._build(QVBoxLayout(column))

    def _build(self, layout: QVBoxLayout) -> None:
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        head = QHBoxLayout()
        self.number = QLabel()
        self.number.setObjectName("kitname")
        self.state = QLabel()
        self.state.setObjectName("quiet")
        head.addWidget(self.number)
        head.addStretch(1)
        head.addWidget(self.state)
        layout.addLayout(head)
        layout.addSpacing(6)
        self.returned = QLabel()
        self.returned.setObjectName("caution")
        self.returned.setTextFormat(Qt.TextFormat.PlainText)
        self.returned.setWordWrap(True)
        layout.addWidget(self.returned)
        self.strip = LineStrip(self._theme)
        layout.addWidget(self.strip)
        layout.addSpacing(6)
        self.arrangement = Arrangement(layout, self._settings, self._on_arranged)
        self._build_given(self.arrangement.given)
        self._build_own(self.arrangement.own)

    def _build_given(self, layout: QVBoxLayout) -> None:
        self.source = Reading(tr("Source"))
        self.source.right_to_left()
        self.reference = Reading(tr("Reference"))
        self.output = Reading(tr("Output"))
        for block in (self.source, self.reference, self.output):
            layout.addWidget(block)
            block.opening = self.arrangement.window(block.column, block.body)
            self.arrangement.share(layout, block)
        for block in (self.reference, self.output):
            block.body.setToolTip(tr("Double click on a word puts it into your text"))
            block.body.picked.connect(self.picked)
        self.first_head = QLabel()
        self.first_head.setObjectName("section")
        layout.addWidget(self.first_head)
        self.first = AlignmentView(self._theme, legend=False)
        self.first.setAccessibleName(tr("First pass"))
        self.first.answer_clicks(tr("Click to put the output's words into your text."))
        self.first.clicked.connect(self.rejected)
        layout.addWidget(self.first)

    def _build_own(self, layout: QVBoxLayout) -> None:
        own = QLabel(tr("Your &text"))
        own.setObjectName("section")
        layout.addWidget(own)
        self.box = EditBox()
        own.setBuddy(self.box)
        self.box.cursorPositionChanged.connect(self.follow_caret)
        self.box.activity.connect(self._settled)
        self.verticalScrollBar().rangeChanged.connect(self._on_range)
        self.verticalScrollBar().actionTriggered.connect(self._settled)
        layout.addWidget(self.box)
        self.arrangement.share(layout, self.box)
        self.odd = QLabel()
        self.odd.setObjectName("caution")
        self.odd.setTextFormat(Qt.TextFormat.PlainText)
        self.odd.setWordWrap(True)
        self.odd.hide()
        layout.addWidget(self.odd)
        layout.addLayout(self._build_buttons())
        layout.addSpacing(12)
        self.pairs = ChangesPanel(self._theme, self._settings, layout)
        self.pairs.taken_back.connect(self.taken_back)
        self.pairs.rejected.connect(self.rejected)
        self.changes, self.figures = self.pairs.view, self.pairs.figures
        self.changes_window = self.arrangement.window(layout, self.changes)

    def _build_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(0, 4, 0, 0)
        self.confirm = QPushButton(tr("Confirm and next"))
        self.confirm.setObjectName("primary")
        self.confirm.clicked.connect(self.confirm_wanted)
        self.revert = QPushButton()
        self.revert.setToolTip(tr("Undo brings your text back"))
        self.revert.clicked.connect(self.revert_wanted)
        for button in (self.confirm, self.revert):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            row.addWidget(button)
        self.saved = QLabel()
        self.saved.setObjectName("quiet")
        self.saved.setWordWrap(True)
        self.saved.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.saved, 1)
        return row

    def _on_arranged(self, side_by_side: bool) -> None:
        self.box.fill(side_by_side)
        self._show_shares()
        self.reveal_box()
        self.arranged.emit()

    def _show_shares(self) -> None:
        """Side by side there is less room: the page is lower, and the first pass is a pair's."""
        beside, review = self.arrangement.side_by_side, self._review
        self.first_head.setVisible(review and not beside)
        self.first.setVisible(review and not beside)
        low = review or self.window().height() < _LOW
        self.strip.be_at_most(
            MOST_HIGH // 2 if beside else MOST_HIGH * 2 // 3 if low else MOST_HIGH
        )

    def _on_range(self) -> None:
        if self._settling:
            self.reveal_box()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrangement.fit(event.size().width())
        self._show_shares()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._settled()
        super().wheelEvent(event)

    def _settled(self) -> None:
        self._settling = False

    def follow_caret(self) -> None:
        """In a low window: keep the caret in sight. Where it is in sight nothing moves."""
        page, box = self._page, self.box
        top = self.verticalScrollBar().value()
        bottom = top + self.viewport().height()
        start = box.mapTo(page, QPoint()).y()
        if start >= top and start + box.height() <= bottom:
            return  # all of the box is: where the caret is takes long to find out
        line = box.cursorRect()
        seen = QRect(
            box.viewport().mapTo(page, line.topLeft()),
            box.viewport().mapTo(page, line.bottomRight()),
        )
        if seen.top() < top or seen.bottom() > bottom:
            self.ensureVisible(seen.left(), seen.center().y(), 0, line.height() * 2)

    def reveal_box(self) -> None:
        """Another segment is shown: bring the box into sight, and as much above it as fits.

        Page and alignment come a moment later and move the box; it is followed until the editor
        does something.
        """
        self._settling = True
        layout = self._page.layout()
        if layout is not None:
            layout.activate()
        self.verticalScrollBar().setValue(0)
        self.ensureWidgetVisible(self.box, 0, 56)

    def apply_theme(self) -> None:
        """Follow theme and fonts."""
        font = english(self._settings)
        for block in (self.reference, self.output):
            block.body.setFont(font)
        self.source.body.setFont(arabic(self._settings))
        self.box.set_font(english(self._settings, scale=1.12))
        self.first.set_font(font)
        self.changes.set_font(font)

    def begin(self, *, review: bool, source: bool, page: bool, figures: bool) -> None:
        """Show what every segment of a kit has: a pass and, where allowed, source and page."""
        self.strip.setVisible(page)
        self._review = review
        self._show_shares()
        self.revert.setText(tr("Back to the first pass") if review else tr("Back to the output"))
        self.source.setVisible(source)
        self.pairs.begin(review=review, figures=figures)
        self.show_first_advice("", "")

    def show_segment(
        self, row: int, count: int, segment: KitSegment, first: Compared | None
    ) -> None:
        """Show another segment, with the first pass's alignment where it is known already.

        The own text comes separately.
        """
        self.arrangement.suit(segment)
        self.number.setText(
            tr("Segment {number} of {all}", number=tr_number(row + 1), all=tr_number(count))
        )
        self.number.setToolTip(str(segment.name))
        self._show_returned(segment)
        self.source.body.setText(segment.transcription or "")
        self.reference.body.setText(segment.reference)
        self.output.body.setText(segment.output or tr("The system gave no output here."))
        if segment.first is not None:
            self.first.show_alignment(plain(segment.first) if first is None else first.alignment)
        self.pairs.forget(first)
        self.box.setReadOnly(not segment.output)
        self.box.setPlaceholderText(
            "" if segment.output else tr("There is nothing to edit: the reference counts.")
        )

    def show_first_advice(self, avoidable: str, listed: str) -> None:
        """Tell what the coach says of the first pass; "" for nothing."""
        head = tr("First pass, and what it changed in the output")
        told = tr("{head} · coach: {saves}", head=head, saves=avoidable) if avoidable else head
        self.first_head.setText(told)
        self.first_head.setToolTip(listed)
        self.pairs.tell_first(f"{told}\n{listed}" if avoidable else "")

    def _show_returned(self, segment: KitSegment) -> None:
        said = segment.returned
        self.returned.setVisible(said is not None)
        words = f": {said}" if said else "."
        self.returned.setText(
            tr("The reviewer returned this segment{words}", words=words)
            if segment.first is None
            else tr("You returned this segment, and it was done again{words}", words=words)
        )

    def show_state(self, state: SegmentState | None, flags: Mapping[Flag, str]) -> None:
        """The segment's state (None where there is nothing to do) and its flags."""
        said = [f"⚑ {flag_text(flag)}" for flag in flags]
        said.append(state_text(state) if state is not None else tr("no output"))
        self.state.setText(" · ".join(said))
        self.state.setToolTip("\n".join(words for words in flags.values() if words))

    def show_odd(self, text: str, places: tuple[int, ...]) -> None:
        """Mark characters that neither the output nor the reference has, and name them."""
        self.box.mark_odd(text, places)
        self.odd.setVisible(bool(places))
        if not places:
            return
        found = dict.fromkeys(text[place] for place in places)
        named = ", ".join(f"{one} ({invisible_name(one) or f'U+{ord(one):04X}'})" for one in found)
        self.odd.setText(tr("Neither the output nor the reference has: {what}", what=named))

    def select_read(self, output: bool, start: int, end: int) -> None:
        """Select a part of the reference, or of the output, and bring it into sight."""
        self.select_nothing()
        block = self.output if output else self.reference
        body = block.body
        text = body.text()
        first = to_qt(text, start)
        last = to_qt(text, end)
        body.setSelection(first, last - first)
        self.ensureWidgetVisible(block if self.arrangement.side_by_side else body)
        for box in body.boxes(first, last)[:1]:
            block.opening.show_part(box)

    def selected_words(self) -> str:
        """What is selected in the reference or the output."""
        for block in (self.reference, self.output):
            if block.body.hasSelectedText():
                return block.body.selectedText()
        return ""

    def select_nothing(self) -> None:
        """Forget what is selected in the texts to read."""
        for block in (self.reference, self.output, self.source):
            block.body.setSelection(0, 0)

    def read_next(self) -> None:
        """Move the keyboard on: own text, reference, output, source, own text."""
        stops = [
            self.box,
            *(one.body for one in (self.reference, self.output, self.source) if one.isVisible()),
        ]
        here = next((at for at, one in enumerate(stops) if one.hasFocus()), 0)
        after = stops[(here + 1) % len(stops)]
        after.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if isinstance(after, _Words) and not after.hasSelectedText():
            after.setSelection(0, 0)  # the caret is seen at the start
        if not self.arrangement.side_by_side:
            self.ensureWidgetVisible(after)

    def show_first(self, first: Compared) -> None:
        """Show what the worker found of the first pass."""
        self.first.show_alignment(first.alignment)
        self.pairs.show_first(first)
