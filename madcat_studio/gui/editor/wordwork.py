"""What an editor does to words without typing them: moving, taking back, inserting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from madcat_studio.errors import InputError
from madcat_studio.gui.editor.moving import moved, moved_to
from madcat_studio.gui.editor.scoring import align
from madcat_studio.gui.editor.segmentpane import SegmentPane
from madcat_studio.gui.translation import tr
from madcat_studio.scoring.changes import Alignment, Splice, carried
from madcat_studio.scoring.ter import TerOptions
from madcat_studio.workspace.kit import KitWorkspace

__all__ = ["WordWork"]


class _Page(Protocol):
    @property
    def workspace(self) -> KitWorkspace | None: ...

    def put(self, text: str, caret: int, anchor: int, label: str) -> None: ...


class WordWork:
    """Acts on the current segment of a page; each act is one step of the history."""

    def __init__(self, page: _Page, pane: SegmentPane, tell: Callable[[str], None]) -> None:
        """Act for a page; ``tell`` says why nothing was done."""
        self._page, self._pane, self._tell = page, pane, tell
        self.options = TerOptions()

    def _kit(self) -> KitWorkspace:
        assert self._page.workspace is not None
        return self._page.workspace

    def _text(self) -> str:
        kit = self._kit()
        return kit.own(kit.current).text

    def move(self, direction: int) -> None:
        """Move the selected words, or the word at the caret, by one word: one shift."""
        kit = self._kit()
        own = kit.own(kit.current)
        result = moved(own.text, own.caret, own.anchor, direction)
        if result is not None:
            self._page.put(*result, tr("Move words"))

    def drag(self, start: int, end: int, place: int) -> None:
        """Move words that were dragged: one shift."""
        result = moved_to(self._text(), start, end, place)
        if result is not None:
            self._page.put(*result, tr("Move words"))

    def insert(self, words: str) -> None:
        """Put words at the caret, in place of the selection, with the blanks that they need."""
        words = words.strip()
        if not words:
            return
        text = self._text()
        low, high = sorted(self._pane.box.caret())
        before = " " if low and not text[low - 1].isspace() and text[low - 1] not in "(“\"'" else ""
        behind = text[high : high + 1]
        after = " " if behind and behind.isalnum() else ""
        changed = text[:low] + before + words + after + text[high:]
        caret = low + len(before) + len(words) + len(after)
        self._page.put(changed, caret, caret, tr("Insert words"))
        self._pane.box.setFocus()

    def take_back_at_caret(self) -> None:
        """Take back the one change that the caret stands in."""
        alignment = self._own_alignment()
        number = None if alignment is None else alignment.change_at(self._pane.box.caret()[0])
        if number is None:
            self._tell(tr("There is no change at the caret."))
        else:
            self.take_back(number)

    def take_back(self, number: int) -> None:
        """Take back the change of a column of the own alignment."""
        alignment = self._own_alignment()
        if alignment is not None and number < len(alignment.columns):
            self._splice(alignment.reverted(number), tr("Take back a change"))
        self._pane.box.setFocus()

    def reject(self, number: int) -> None:
        """A reviewer takes one change of the first pass back, in the own text."""
        first = self._pane.first.alignment
        found = [carried(one, first.text, self._text()) for one in first.reverted(number)]
        splices = [one for one in found if one is not None]
        if not found or len(splices) < len(found):
            self._tell(tr("You have changed this place yourself; change it in your text."))
        else:
            self._splice(splices, tr("Reject a change"))
        self._pane.box.setFocus()

    def _own_alignment(self) -> Alignment | None:
        """The alignment of exactly the text on the screen, made here where the worker is behind."""
        kit = self._kit()
        segment, text = kit.segments[kit.current], self._text()
        alignment = self._pane.changes.alignment
        before = segment.output if segment.first is None else segment.first
        if (alignment.output, alignment.text) == (before, text):
            return alignment
        try:
            return align(before, text, self.options)
        except InputError:
            return None

    def _splice(self, splices: Sequence[Splice], label: str) -> None:
        """Change the own text at some places, from the right to the left, as one step."""
        text = self._text()
        caret = len(text)
        for splice in splices:
            text = splice.apply(text)
            caret = splice.start + len(splice.words)
        self._page.put(text, caret, caret, label)
