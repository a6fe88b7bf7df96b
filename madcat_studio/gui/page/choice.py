"""One choice, lit everywhere: an outline, a token, a segment or a problem, wherever it was chosen.

It knows the links between them and drives canvas and side panel; the page is turned where the
choice lies on another one.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from madcat_studio.gui.page.canvas import PageCanvas
from madcat_studio.gui.page.problems import places
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.page.side import SidePanel
from madcat_studio.model.document import Document
from madcat_studio.model.index import DocumentIndex
from madcat_studio.model.links import SegmentIndex, TokenIndex
from madcat_studio.model.problem import Problem
from madcat_studio.workspace.page import PageWorkspace

__all__ = ["Choice"]

_NO_LINKS = DocumentIndex(Document(None))


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
        self._workspace: PageWorkspace | None = None
        self._page = 0
        canvas.selection.chosen.connect(self.outline)
        side.segment_chosen.connect(self.segment)
        side.token_chosen.connect(self.token)
        side.problems.chosen.connect(self.problem)

    @property
    def links(self) -> DocumentIndex:
        """The links of the document as it is now."""
        return self._workspace.index if self._workspace is not None else _NO_LINKS

    @property
    def _document(self) -> Document | None:
        return self._workspace.document if self._workspace is not None else None

    def show_page(self, workspace: PageWorkspace, page: int) -> None:
        """Another page is shown."""
        self._workspace, self._page = workspace, page

    def text_of(self, key: ShapeKey) -> str:
        """The written text of a word of the page: that of its tokens, "" for none."""
        document = self._document
        if document is None or key.word is None:
            return ""
        tokens = self.links.tokens_of.get((self._page, key.line, key.word), [])
        found = [document.sections[s].segments[g].tokens[t].source for s, g, t in tokens]
        return " ".join(filter(None, found))

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
            self._canvas.selection.link(self._keys_of(segments[0]))
        else:
            self._canvas.selection.link([])
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
        self._canvas.selection.choose([])
        self._canvas.selection.link(keys)
        self._canvas.outlines.reveal(keys)
        self.changed.emit()

    def token(self, place: TokenIndex) -> None:
        """A token was chosen in the list."""
        word = self.links.word_of.get(place)
        if word is None:
            self._canvas.selection.choose([])
        else:
            if word[0] != self._page:
                self._turn_to(word[0])
            key = ShapeKey(word[1], word[2])
            self._canvas.selection.link(self._keys_of(place[:2]))
            self._canvas.selection.choose([key])
            self._canvas.outlines.reveal([key])
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
            self._canvas.selection.choose([key])
            self.outline(key)
            self._canvas.outlines.reveal([key], zoom=True)

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
