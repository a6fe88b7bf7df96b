"""What an editor does to words without typing them: moving, taking back, inserting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from madcat_studio.errors import InputError
from madcat_studio.gui.editor.moving import moved, moved_to
from madcat_studio.gui.editor.pairs import Pair
from madcat_studio.gui.editor.segmentpane import SegmentPane
from madcat_studio.gui.translation import tr
from madcat_studio.model.visits import Source
from madcat_studio.operations.scores.alignments import align, carried, counterpart, scored_words
from madcat_studio.scoring.changes import Alignment, Splice
from madcat_studio.workspace.kit import KitWorkspace
from madcat_ter.options import TerOptions

__all__ = ["WordCommands"]


class _Page(Protocol):
    @property
    def workspace(self) -> KitWorkspace | None: ...

    def select(self, start: int, end: int) -> None: ...

    def put(self, text: str, caret: int, anchor: int, label: str, source: Source) -> None: ...


class WordCommands:
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
        words_of = partial(scored_words, options=self.options)
        result = moved(own.text, own.caret, own.anchor, direction, words_of)
        if result is not None:
            self._page.put(*result, tr("Move words"), Source.MOVED)

    def drag(self, start: int, end: int, place: int) -> None:
        """Move words that were dragged: one shift."""
        result = moved_to(self._text(), start, end, place)
        if result is not None:
            self._page.put(*result, tr("Move words"), Source.MOVED)

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
        self._page.put(changed, caret, caret, tr("Insert words"), Source.PICKED)
        self._pane.select_nothing()
        self._pane.box.setFocus()

    def take_back_at_caret(self) -> None:
        """Take back the one change that the caret stands in: the own one, else the first pass's."""
        place = self._pane.box.caret()[0]
        alignment = self._own_alignment()
        number = None if alignment is None else alignment.change_at(place)
        if number is not None:
            self.take_back(number)
            return
        first = self._first_alignment()
        there = None if first is None else counterpart(self._text(), first.text, place)
        number = None if first is None or there is None else first.change_at(there)
        if number is None:
            self._tell(tr("There is no change at the caret."))
        else:
            self.reject(number)

    def go_to_change(self, direction: int) -> None:
        """Select the next change or the one before: the own ones, and the first pass's."""
        own, first, text = self._own_alignment(), self._first_alignment(), self._text()
        places = set() if own is None else set(own.change_places())
        if first is not None:
            for start, end in first.change_places():
                low, high = (counterpart(first.text, text, one) for one in (start, end))
                if low is not None and high is not None and low <= high:
                    places.add((low, high))
        if not places:
            self._tell(tr("Nothing is changed in this segment."))
            return
        caret, anchor = self._pane.box.caret()
        here = (min(caret, anchor), max(caret, anchor))
        if direction > 0:
            found = min((one for one in places if one > here), default=min(places))
        else:
            found = max((one for one in places if one < here), default=max(places))
        self._page.select(*found)

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

    def _first_alignment(self) -> Alignment | None:
        """The first pass against the output; None where there is none, or nobody looks at it."""
        kit = self._kit()
        first = kit.segments[kit.current].first
        looked_at = first is not None and self._pane.pairs.pair is not Pair.OUTPUT
        return self._pane.first.alignment if looked_at else None

    def _own_alignment(self) -> Alignment | None:
        """The alignment of exactly the text on the screen, made here where the worker is behind.

        It is that of the two texts that are compared; None where the own one is not among them.
        """
        kit, pair = self._kit(), self._pane.pairs.pair
        if pair is Pair.PASS:
            return None
        segment, text = kit.segments[kit.current], self._text()
        alignment = self._pane.changes.alignment
        first = segment.first
        before = segment.output if first is None or pair is Pair.OUTPUT else first
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
        # What is taken back becomes the words of the output again.
        self._page.put(text, caret, caret, label, Source.OUTPUT)
