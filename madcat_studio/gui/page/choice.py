"""One choice, lit everywhere: an outline, a token, a segment or a problem, wherever it was chosen.

It knows the links between them and drives canvas and side panel; the page is turned where the
choice lies on another one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from PySide6.QtCore import QObject, Signal

from madcat_studio.gui.page.canvas import PageCanvas
from madcat_studio.gui.page.problems import places
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.page.side import SidePanel
from madcat_studio.model.document import Document, Segment
from madcat_studio.model.links import Links, SegmentIndex, TokenIndex, link
from madcat_studio.model.problem import Problem

__all__ = ["Choice"]


class Choice(QObject):
    """Keeps canvas and side panel of one document in step. ``changed``: something was chosen."""

    changed = Signal()

    def __init__(
        self,
        canvas: PageCanvas,
        side: SidePanel,
        turn_to: Callable[[int], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._side = side
        self._turn_to = turn_to
        self._document: Document | None = None
        self._page = 0
        self.links = Links()
        self._named: dict[SegmentIndex, tuple[object, ...]] = {}
        canvas.chosen.connect(self.outline)
        side.segment_chosen.connect(self.segment)
        side.token_chosen.connect(self.token)
        side.problems.chosen.connect(self.problem)

    def show_page(self, document: Document, page: int) -> None:
        """Another page is shown, or the same after its links changed."""
        self._document, self._page = document, page
        self.links = link(document)
        self._named = {
            (s, g): _references(segment)
            for s, section in enumerate(document.sections)
            for g, segment in enumerate(section.segments)
        }

    def segments_changed(self, places: Collection[SegmentIndex]) -> None:
        """Segments say something else now; their links are worked out anew if those changed."""
        document = self._document
        if document is None:
            return
        for s, g in places:
            if self._named.get((s, g)) != _references(document.sections[s].segments[g]):
                self.show_page(document, self._page)
                return

    def words_of_tokens(self) -> dict[ShapeKey, str]:
        """The text of each linked word of the page."""
        if self._document is None:
            return {}
        sections, texts = self._document.sections, {}
        for (page, line, word), tokens in self.links.tokens_of.items():
            if page == self._page:
                found = [sections[s].segments[g].tokens[t].source or "" for s, g, t in tokens]
                texts[ShapeKey(line, word)] = " ".join(filter(None, found))
        return texts

    def outline(self, key: ShapeKey | None) -> None:
        """An outline was chosen on the page."""
        tokens: list[TokenIndex] = []
        segments: list[SegmentIndex] = []
        if key is not None:
            segments = self.links.segments_of.get((self._page, key.line), [])
            if key.word is not None:
                tokens = self.links.tokens_of.get((self._page, key.line, key.word), [])
                segments = [tokens[0][:2]] if tokens else []
        if segments:
            self._side.mark_segment(segments[0])
            self.show_tokens(segments[0])
            self._canvas.link(self._keys_of(segments[0]))
        else:
            self._canvas.link([])
        self._side.mark_token(tokens[0][2] if tokens else None)
        self.changed.emit()

    def segment(self, place: SegmentIndex) -> None:
        """A segment was chosen in the list."""
        self.show_tokens(place)
        self._side.mark_token(None)
        lines = self.links.lines_of.get(place, [])
        if lines and all(page != self._page for page, _ in lines):
            self._turn_to(lines[0][0])
        keys = self._keys_of(place)
        self._canvas.choose(None)
        self._canvas.link(keys)
        self._canvas.reveal(keys)
        self.changed.emit()

    def token(self, place: TokenIndex) -> None:
        """A token was chosen in the list."""
        word = self.links.word_of.get(place)
        if word is None:
            self._canvas.choose(None)
        else:
            if word[0] != self._page:
                self._turn_to(word[0])
            key = ShapeKey(word[1], word[2])
            self._canvas.link(self._keys_of(place[:2]))
            self._canvas.choose(key)
            self._canvas.reveal([key])
        self.changed.emit()

    def problem(self, problem: Problem) -> None:
        """A problem was chosen: go where it is."""
        if self._document is None:
            return
        place = places(self._document).of(problem.where)
        if place is None:
            return
        kind, indices = place
        if kind in ("segment", "token"):
            segment = (indices[0], indices[1])
            self._side.mark_segment(segment)
            self.segment(segment)
            if kind == "token":
                self._side.mark_token(indices[2])
                self.token((*segment, indices[2]))
            return
        if indices[0] != self._page:
            self._turn_to(indices[0])
        if kind != "page":
            key = ShapeKey(*indices[1:])
            self._canvas.choose(key)
            self.outline(key)
            self._canvas.reveal([key], zoom=True)

    def named_segment(self, name: str) -> None:
        """Choose the segment with an id, if there is one."""
        model = self._side.segment_model
        for row in range(model.rowCount()):
            if model.index(row).data() == name:
                self._side.mark_segment(model.place(row))
                self.segment(model.place(row))
                return

    def show_tokens(self, place: SegmentIndex) -> None:
        """Show a segment's tokens."""
        if self._document is not None:
            segment = self._document.sections[place[0]].segments[place[1]]
            count = range(len(segment.tokens))
            linked = frozenset(t for t in count if (*place, t) in self.links.word_of)
            self._side.show_tokens(segment, place, linked)

    def _keys_of(self, place: SegmentIndex) -> list[ShapeKey]:
        """The outlines of a segment on the page that is shown: its words, else its lines."""
        words = self.links.words_of.get(place, [])
        keys = [ShapeKey(line, word) for page, line, word in words if page == self._page]
        if keys:
            return keys
        lines = self.links.lines_of.get(place, [])
        return [ShapeKey(line) for page, line in lines if page == self._page]


def _references(segment: Segment) -> tuple[object, ...]:
    """All that links of a segment depend on."""
    return (*segment.zone_refs, None, *(token.ref_id for token in segment.tokens))
