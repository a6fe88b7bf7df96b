"""The edit box. It holds one paragraph of English; its history is the workspace's, not Qt's.

Nothing here moves caret, selection or scroll by itself: a text that comes from the workspace is
put in by replacing only what differs, and only when the workspace says that it differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import (
    QEvent,
    QLineF,
    QMimeData,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QDropEvent,
    QFont,
    QFontMetricsF,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QSizePolicy, QWidget

from madcat_studio.gui.editor.carriers import carried, restored
from madcat_studio.gui.editor.marks import Mark, TextMarks
from madcat_studio.gui.editor.positions import from_qt, to_qt
from madcat_studio.gui.textpaint import x_of
from madcat_studio.gui.translation import tr
from madcat_studio.model.characters import clean_line
from madcat_studio.model.visits import Source
from madcat_studio.workspace.advice import invisible_name
from madcat_studio.workspace.typing import difference
from madcat_studio.workspace.visits import Activity

__all__ = ["EditBox"]

_LEAST_LINES, _MOST_LINES = 4, 14
_HISTORY_KEYS = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


_DELETING = frozenset({Qt.Key.Key_Backspace, Qt.Key.Key_Delete})
_MOVING = frozenset(
    {
        *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down),
        *(Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown),
    }
)
_HELD = frozenset(
    {
        *(Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr),
        *(Qt.Key.Key_Meta, Qt.Key.Key_CapsLock, Qt.Key.Key_NumLock),
        *(Qt.Key.Key_Super_L, Qt.Key.Key_Super_R),
    }
)


def _activity_of(event: QKeyEvent) -> Activity | None:
    """The class of a key; None for those that are held while another is pressed."""
    key = event.key()
    if key in _HELD:
        return None
    if key in _DELETING:
        return Activity.DELETE
    if key in _MOVING:
        return Activity.NAVIGATION
    return Activity.CHARACTER if event.text().isprintable() and event.text() else Activity.OTHER


def _source_of(event: QKeyEvent, activity: Activity | None) -> Source:
    if event.matches(QKeySequence.StandardKey.Cut):
        return Source.CUT
    return Source.TYPED if activity is Activity.CHARACTER else Source.DELETED


class EditBox(QPlainTextEdit):
    """The editor's own text.

    Signals:
        edited: the text changed by the editor's hand: text, caret, anchor (in characters).
        caret_moved: caret and anchor, without a change of the text.
        pasted: text came from elsewhere; the list of what was left out, as a sentence or "".
        dragged: the selected words were dropped at another place: start, end, place.
        menu_wanted: a menu is about to be shown at a misspelled word: the menu, start and end in
            characters, the word.
        activity: a key or the mouse, for the log of visits.

    Attributes:
        source: where the change of the text comes from that ``edited`` tells of.
        marks: what is marked in the text.
    """

    edited = Signal(str, int, int)
    caret_moved = Signal(int, int)
    left_out = Signal(str)
    dragged = Signal(int, int, int)
    menu_wanted = Signal(object, int, int, str)
    activity = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        self._height, self._fills = 0.0, False
        super().__init__(parent)
        self.marks = TextMarks(self.document())
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setAccessibleName(tr("Your text"))
        option = QTextOption()
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        option.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDefaultTextOption(option)
        self.setInputMethodHints(Qt.InputMethodHint.ImhMultiLine)
        self._known = ""
        self._filling = False
        self.source = Source.TYPED
        self.show_invisible = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        # It paints its own ground, so that nothing below is painted with each keystroke.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.document().documentLayout().documentSizeChanged.connect(self._on_size)
        self.textChanged.connect(self._on_text)
        self.cursorPositionChanged.connect(self._on_caret)
        self.selectionChanged.connect(self._on_caret)

    # -- from the workspace -------------------------------------------------------------------

    def show_text(self, text: str, caret: int, anchor: int, *, scroll: bool = False) -> None:
        """Show a text; only what differs from the one shown is touched.

        Args:
            text: one paragraph.
            caret, anchor: in characters.
            scroll: whether the caret must be seen afterwards (another segment, an undo).
        """
        self._filling = True
        try:
            bar = self.verticalScrollBar().value()
            old = self.text()
            cursor = self.textCursor()
            if text != old:
                place, removed, added = difference(old, text)
                cursor.setPosition(to_qt(old, place))
                end = to_qt(old, place + len(removed))
                cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                cursor.insertText(carried(added))
            cursor.setPosition(to_qt(text, anchor))
            cursor.setPosition(to_qt(text, caret), QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)
            self._known = text
            if scroll:
                self.ensureCursorVisible()
            else:
                self.verticalScrollBar().setValue(bar)
        finally:
            self._filling = False

    def text(self) -> str:
        """The text that the box holds, every character as it came.

        Qt's own ``toPlainText`` makes blanks of no-break spaces and line feeds of all breaks.
        """
        return restored(self.document().toRawText())

    def selected(self) -> str:
        """The selected part of the text."""
        return restored(self.textCursor().selectedText())

    def set_font(self, font: QFont) -> None:
        """The face of the text."""
        self.setFont(font)
        self.document().setDefaultFont(font)
        self.updateGeometry()

    def caret(self) -> tuple[int, int]:
        """Caret and anchor, in characters."""
        cursor, text = self.textCursor(), self._known
        return from_qt(text, cursor.position()), from_qt(text, cursor.anchor())

    def _on_size(self) -> None:
        """The box grows with its text, whose lines are as high as their letters ask for."""
        layout = self.document().firstBlock().layout()
        height = layout.boundingRect().height()
        if height != self._height:
            self._height = height
            self.updateGeometry()

    def fill(self, fills: bool) -> None:
        """Take all the room there is, or as much as the text needs."""
        self._fills = fills
        policy = QSizePolicy.Policy
        self.setSizePolicy(policy.Expanding, policy.Expanding if fills else policy.Fixed)
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._fills:  # it may have become lower
            self.ensureCursorVisible()

    def sizeHint(self) -> QSize:
        line = QFontMetricsF(self.font()).lineSpacing()
        wanted = 0.0 if self._fills else min(self._height + line, _MOST_LINES * line)
        return QSize(400, round(max(wanted, _LEAST_LINES * line) + 24))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def mark_odd(self, text: str, places: tuple[int, ...]) -> None:
        """Underline these characters. Neither caret nor text is touched."""
        runs: list[tuple[int, int]] = []
        for place in places:
            # Neighbours as one: letters that join must not be painted apart.
            if runs and runs[-1][1] == place:
                runs[-1] = runs[-1][0], place + 1
            else:
                runs.append((place, place + 1))
        self._mark(Mark.ODD, text, runs)

    def mark_misspelled(self, text: str, places: tuple[tuple[int, int], ...]) -> None:
        """Underline these words, unless the text is another one by now."""
        if text == self._known:
            self._mark(Mark.MISSPELT, text, places)
            words = ", ".join(dict.fromkeys(text[start:end] for start, end in places))
            said = tr("Not in the dictionary: {words}", words=words) if words else ""
            if said != self.accessibleDescription():
                self.setAccessibleDescription(said)

    def mark_coached(self, text: str, places: tuple[tuple[int, int], ...]) -> None:
        """Underline what the coach speaks of, unless the text is another one by now."""
        if text == self._known:
            self._mark(Mark.COACHED, text, places)

    def _mark(self, kind: Mark, text: str, places: Sequence[tuple[int, int]]) -> None:
        if self.marks.set(kind, [(to_qt(text, start), to_qt(text, end)) for start, end in places]):
            self.viewport().update()

    def set_invisible(self, shown: bool) -> None:
        """Show characters that nobody sees, and each blank, or do not."""
        self.show_invisible = shown
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.viewport().palette()
        dark = palette.base().color().lightness() < 128
        block = self.document().firstBlock()
        corner = self.blockBoundingGeometry(block).translated(self.contentOffset()).topLeft()
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), palette.base())
        exposed = QRectF(event.rect())
        marked = list(self.marks.boxes(block, corner, exposed))
        self.marks.paint_grounds(painter, marked, dark=dark)
        painter.end()
        super().paintEvent(event)
        painter.begin(self.viewport())
        self.marks.paint_lines(painter, marked, dark=dark)
        if self.show_invisible:
            self._paint_invisible(painter, block, corner, exposed, Mark.ODD.colour(dark=dark))
        painter.end()

    def _paint_invisible(
        self, painter: QPainter, block: QTextBlock, corner: QPointF, exposed: QRectF, colour: QColor
    ) -> None:
        """Mark what nobody sees, on the lines that are shown: a long text costs no more."""
        text = self._known
        if to_qt(text, len(text)) != self.document().characterCount() - 1:
            return  # a word is being composed
        small = QFont(self.font())
        small.setPixelSize(9)
        painter.setFont(small)
        painter.setPen(colour)
        layout = block.layout()
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            around = line.rect().translated(corner)
            if not around.intersects(exposed):
                continue
            first = from_qt(text, line.textStart())
            unit = line.textStart()
            for character in text[first : from_qt(text, line.textStart() + line.textLength())]:
                name = "·" if character == " " else invisible_name(character)
                left = corner.x() + x_of(line, unit) if name else 0.0
                unit += 2 if character > "\uffff" else 1
                if name == "·":
                    middle = (left + corner.x() + x_of(line, unit)) / 2
                    painter.drawPoint(QPointF(middle, around.center().y() + 1))
                    painter.drawPoint(QPointF(middle, around.center().y() + 2))
                elif name:
                    painter.drawLine(QLineF(left, around.top(), left, around.bottom()))
                    painter.drawText(QPointF(left + 2, around.top() + 8), name)

    # -- from the editor ----------------------------------------------------------------------

    def _on_text(self) -> None:
        if self._filling:
            return
        text = self.text()
        if text == self._known:
            return
        self._known = text
        self.viewport().repaint()  # a letter is seen before all that follows from it is done
        self.edited.emit(text, *self.caret())

    def _on_caret(self) -> None:
        if not self._filling and self.text() == self._known:
            self.caret_moved.emit(*self.caret())

    def createMimeDataFromSelection(self) -> QMimeData:
        data = QMimeData()
        data.setText(self.selected())
        return data

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste and drop: line breaks become blanks, what no file can hold stays outside."""
        line, removed = clean_line(source.text())
        with self._from(Source.PASTED):
            self.textCursor().insertText(carried(line))
        if removed:
            self.left_out.emit(
                tr("Left out, because a file cannot hold them: {what}", what=", ".join(removed))
            )
        elif line != source.text():
            self.left_out.emit(tr("Line breaks and tabs became spaces"))

    def dropEvent(self, event: QDropEvent) -> None:
        """Words dragged within the text are moved as one step, with the blanks they need."""
        if event.source() not in (self, self.viewport()):
            super().dropEvent(event)
            return
        start, end = sorted(self.caret())
        position = self.cursorForPosition(event.position().toPoint()).position()
        # Nothing is left for the source to take away.
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.dragged.emit(start, end, from_qt(self._known, position))

    def event(self, event: QEvent) -> bool:
        # Qt's box would keep these keys for a history that it does not have.
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and any(event.matches(key) for key in _HISTORY_KEYS)
        ):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()  # a segment is one paragraph; with Ctrl it is an action's
            return
        if (activity := _activity_of(event)) is not None:
            self.activity.emit(activity)
        with self._from(_source_of(event, activity)):
            super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """A word from an input method, and what it does with the keys of others."""
        if event.commitString():
            self.activity.emit(Activity.CHARACTER)
        with self._from(Source.COMPOSED):
            super().inputMethodEvent(event)

    @contextmanager
    def _from(self, source: Source) -> Iterator[None]:
        """What changes the text inside comes from here; what is within that, from there."""
        before, self.source = self.source, source
        try:
            yield
        finally:
            self.source = before

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.menu_at(event.pos())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def menu_at(self, point: QPoint) -> QMenu:
        """The menu for a place; at a misspelled word with what may have been meant."""
        menu = self.createStandardContextMenu()
        for action in menu.actions():
            # The box has no history of its own: the menu bar's undo is the kit's.
            if action.objectName() in ("edit-undo", "edit-redo"):
                menu.removeAction(action)
        if menu.actions()[0].isSeparator():
            menu.removeAction(menu.actions()[0])
        place = self.cursorForPosition(point).position()
        for at, word in self.marks.around(Mark.MISSPELT, place):
            start = from_qt(self._known, at)
            self.menu_wanted.emit(menu, start, start + len(word), word)
        return menu

    def replace(self, start: int, end: int, words: str) -> None:
        """Replace a part by the editor's choice, as if it had been typed."""
        cursor = self.textCursor()
        cursor.setPosition(to_qt(self._known, start))
        cursor.setPosition(to_qt(self._known, end), QTextCursor.MoveMode.KeepAnchor)
        with self._from(Source.SUGGESTION):
            cursor.insertText(carried(words))
        self.setTextCursor(cursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.activity.emit(Activity.MOUSE)
        super().mousePressEvent(event)
