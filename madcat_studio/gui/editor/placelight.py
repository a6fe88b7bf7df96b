"""Lights, side by side, the words of reference and output for which one is typing words.

The counterparts are those of the alignment that was made last, so nothing is lit anew until a text
that was typed is aligned; a caret that only moves is followed at once.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QColor

from madcat_studio.gui.editor.positions import to_qt
from madcat_studio.gui.editor.segmentpane import Reading, SegmentPane
from madcat_studio.gui.theme import Theme
from madcat_studio.gui.translation import tr
from madcat_studio.operations.scores.alignments import Aligned
from madcat_studio.operations.scores.beside import Beside, Output, Pairs, Reference, words_at
from madcat_studio.scoring.changes import Alignment
from madcat_ter.options import TerOptions

__all__ = ["PlaceLight"]

_SPEAK_MS = 250
"""A screen reader hears of the words when the caret rests, not at every key."""


class PlaceLight(QObject):
    """Follows the caret of one pane."""

    def __init__(self, pane: SegmentPane, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pane, self._theme = pane, theme
        self._options = TerOptions()
        self._reference: Reference | None = None
        self._output = Output()
        self._alignment: Alignment | None = None
        self._pairs: tuple[Pairs, Pairs] | None = None
        self._words = {False: "", True: ""}
        self._at: int | None = None
        pane.box.cursorPositionChanged.connect(self.follow)
        pane.arranged.connect(self.follow)
        self._speak = self._timer(_SPEAK_MS, self._describe)
        # What the alignment's rows move is moved by then.
        self._after = self._timer(0, self._reveal)
        for window in (pane.reference.opening, pane.output.opening, pane.changes_window):
            window.resized.connect(self._after.start)

    def _timer(self, interval: int, act: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(interval)
        timer.timeout.connect(act)
        return timer

    def begin(self, options: TerOptions) -> None:
        """Another kit is shown, whose texts are aligned like this."""
        self._options = options

    def show_segment(self, reference: str) -> None:
        """Another segment is shown; nothing is lit until its text is aligned."""
        self._reference, self._output = Reference(reference, self._options), Output()
        self.forget()

    def forget(self) -> None:
        """No text is shown."""
        self._alignment = self._pairs = None
        self._speak.stop()
        self._after.stop()
        for block in (self._pane.output, self._pane.reference):
            block.body.light((), QColor())
            block.body.setAccessibleDescription("")

    def show(self, aligned: Aligned) -> None:
        """Follow from now on the alignment of the text with the output."""
        self._alignment, self._pairs = aligned.output.alignment, None
        self.follow()

    def follow(self) -> None:
        """Light the counterparts of the words at the caret, where they are known and looked at."""
        alignment, pane = self._alignment, self._pane
        if not pane.arrangement.side_by_side:
            if self._pairs is not None:
                self._pairs = None
                for block in (pane.output, pane.reference):
                    block.body.light((), QColor())
            return
        if alignment is None or self._reference is None or pane.box.text() != alignment.text:
            return
        if self._pairs is None:
            self._pairs = self._output.beside(alignment), self._reference.beside(alignment)
        low, high = sorted(pane.box.caret())
        for pairs, block in zip(self._pairs, (pane.output, pane.reference), strict=True):
            self._light(block, pairs.at(low, high))
        words = words_at(alignment.text_places, low, high)
        self._at = words[-1] if words else None
        self._after.start()
        self._speak.start()

    def _reveal(self) -> None:
        """Bring into sight what is lit, and the place in the alignment."""
        pane = self._pane
        for block in (pane.output, pane.reference):
            for box in block.body.lit[:1]:
                block.opening.show_part(box)
        if self._at is not None:
            pane.changes_window.show_part(pane.changes.box_of(self._at))

    def _light(self, block: Reading, beside: Beside) -> None:
        body = block.body
        text = body.text()
        parts = [(to_qt(text, start), to_qt(text, end)) for start, end in beside.places]
        colours = self._theme.colours
        ground = QColor(colours.lit if beside.exact else colours.accent)
        body.light(parts, ground, exact=beside.exact)
        self._words[block is self._pane.reference] = " … ".join(
            text[start:end] for start, end in beside.places
        )

    def _describe(self) -> None:
        for block in (self._pane.output, self._pane.reference):
            words = self._words[block is self._pane.reference]
            said = tr("At your caret: {words}", words=words) if words else ""
            if said != block.body.accessibleDescription():
                block.body.setAccessibleDescription(said)
