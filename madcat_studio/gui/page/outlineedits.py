"""Turns what tools ask for into edits of the page that is shown.

Geometry never changes text. Where a split, a merger or a removal touches words that tokens are
linked to, the user is asked which link stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from madcat_studio.edits import (
    AddVertex,
    CompositeEdit,
    DeleteVertices,
    Edit,
    LockLines,
    MovePolygon,
    MoveVertex,
    Outline,
    SetPolygon,
    merge_lines,
    merge_words,
)
from madcat_studio.edits.arranging import (
    add_line,
    add_word,
    move_words,
    order_words,
    remove_lines,
    remove_words,
)
from madcat_studio.errors import InputError, StudioError
from madcat_studio.gui.page.asklink import LinkQuestions
from madcat_studio.gui.page.askregion import put_in_order
from madcat_studio.gui.page.cutting import Cutting
from madcat_studio.gui.page.painting import Painting
from madcat_studio.gui.page.shapes import OutlineKind, ShapeKey, all_followed
from madcat_studio.gui.page.tools.editing import Parts
from madcat_studio.gui.translation import tr, tr_count, tr_number
from madcat_studio.model.change import Change
from madcat_studio.model.document import Document, Line, Page, Point, Polygon, Word
from madcat_studio.model.geometry import fewer_vertices
from madcat_studio.model.index import DocumentIndex
from madcat_studio.operations.pages.cutting import join_words
from madcat_studio.pages.painting import Painted

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["OutlineEdits"]

_STRAY = 0.012
"""A simplified outline strays from the old one by this share of its height at first."""


class OutlineEdits:
    """The :class:`Editing` of a page view, and what its actions do to what is chosen."""

    def __init__(self, view: PageHost) -> None:
        self._view = view
        self._links = LinkQuestions(view)
        self._cutting = Cutting(view, self._links)
        self._painting = Painting(view, self._links)
        self._simplified: tuple[list[ShapeKey], float] = ([], 0.0)

    # What there is

    def _page(self) -> tuple[Document, int, Page] | None:
        workspace, number = self._view.workspace, self._view.page_number
        if workspace is None or number >= len(workspace.document.pages):
            return None
        return workspace.document, number, workspace.document.pages[number]

    def _object(self, key: ShapeKey) -> Line | Word:
        found = self._page()
        assert found is not None
        line = found[2].lines[key.line]
        return line if key.word is None else line.words[key.word]

    def _outline(self, key: ShapeKey) -> Outline:
        return Outline(self._view.page_number, key.line, key.word)

    @property
    def _index(self) -> DocumentIndex | None:
        workspace = self._view.workspace
        return None if workspace is None else workspace.index

    def _do(self, make: Callable[[Document, int], Edit]) -> Change | None:
        """Make an edit and execute it; why it cannot be is shown, and None says so."""
        found = self._page()
        if found is None:
            return None
        try:
            edit = make(found[0], found[1])
        except StudioError as error:
            self._view.shell.show_error(error)
            return None
        return self._view.execute(edit)

    def _named(self, edits: Sequence[Edit], label: str) -> bool:
        return bool(edits) and self._do(lambda *_: CompositeEdit(tuple(edits), label)) is not None

    @staticmethod
    def _what(keys: Sequence[ShapeKey], one: str = "") -> str:
        if len(keys) == 1:
            return one or f"a {keys[0].kind}"
        kinds = {key.kind for key in keys}
        return f"{len(keys)} {kinds.pop()}s" if len(kinds) == 1 else f"{len(keys)} outlines"

    # As tools ask for it

    def move_outlines(
        self, keys: Sequence[ShapeKey], dx: int, dy: int, *, held: bool = False
    ) -> None:
        """Move whole outlines, as far as they stay on the page."""
        dx, dy = self._view.canvas.outlines.kept_on_page(keys, dx, dy)
        edits = [MovePolygon(self._outline(key), dx, dy) for key in keys] if dx or dy else []
        self._move(edits, f"Move {self._what(keys)}", held=held)

    def move_vertices(
        self, key: ShapeKey, places: Mapping[int, Point], *, edge: bool, held: bool = False
    ) -> None:
        """Put vertices elsewhere."""
        old = self._object(key).polygon
        outline = self._outline(key)
        edits = [MoveVertex(outline, n, place) for n, place in places.items() if old[n] != place]
        what = "an edge" if edge else f"{len(places)} vertices"
        label = "" if len(places) == 1 else f"Move {what} of a {key.kind}"
        self._move(edits, label, held=held)

    def put_back(self) -> None:
        """What was held is where it was before."""
        if self._view.workspace is not None:
            self._view.workspace.held.hold(None)

    def _move(
        self, edits: Sequence[MovePolygon] | Sequence[MoveVertex], label: str, *, held: bool
    ) -> None:
        """Make these edits, as one step that has a name of its own unless it is a single one."""
        workspace = self._view.workspace
        if workspace is None or not edits:
            self.put_back()
            return
        edit: Edit = CompositeEdit(tuple(edits), label) if label else edits[0]
        if not held:
            self._view.execute(edit)
            return
        with suppress(StudioError):  # it will be refused, and that is said when it is let go
            for each in edits:
                each.outline.find_open(workspace.document)
            workspace.held.hold(edit)

    def add_vertex(self, key: ShapeKey, before: int, place: Point) -> None:
        """Add a vertex."""
        if self._view.execute(AddVertex(self._outline(key), before + 1, place)):
            self._view.canvas.selection.mark_vertices([before + 1])

    def delete_vertices(self, key: ShapeKey, indices: Sequence[int]) -> None:
        """Delete vertices."""
        if self._view.execute(DeleteVertices(self._outline(key), tuple(sorted(indices)))):
            self._view.canvas.selection.mark_vertices([])

    def draw(self, polygon: Polygon) -> None:
        """Add a word or a line and choose it."""
        chosen = self._view.canvas.selection.key
        line = None if chosen is None else chosen.line

        def make(document: Document, page: int) -> Edit:
            by_lines = self._view.workspace is not None and self._view.workspace.by_lines
            if self._view.canvas.tools.layer is OutlineKind.LINE:
                return add_line(document, page, polygon, index=self._index, by_lines=by_lines)
            return add_word(document, page, polygon, line, index=self._index, by_lines=by_lines)

        found = self._page()
        before = {id(each) for each in found[2].lines} if found is not None else set()
        change = self._do(make)
        if change is not None and change.shifts is None and found is not None:  # with a segment
            new = next(n for n, each in enumerate(found[2].lines) if id(each) not in before)
            word = 0 if found[2].lines[new].words else None
            self._view.canvas.selection.select([ShapeKey(new, word)])
        elif change is not None and change.shifts:
            # Of a new line with a word the word.
            came = change.shifts[0].target
            assert came is not None
            word = 0 if came.word is None and change.shifts[0].words else came.word
            self._view.canvas.selection.select([ShapeKey(came.line, word)])

    def cut(self, path: Polygon) -> None:
        """Split what the path crosses."""
        self._cutting.cut(path)

    def crossed(self, path: Polygon) -> list[Parts]:
        """What the path would split."""
        return self._cutting.crossed(path)

    def outline_at(self, place: QPointF) -> Polygon | None:
        """The outline that a brush paints which begins here."""
        return self._painting.outline_at(place)

    def painted(self, outline: Polygon, path: Polygon, width: int, *, away: bool) -> Painted:
        """What a brush would make of an outline."""
        return self._painting.painted(outline, path, width, away=away)

    def paint(self, outline: Polygon, path: Polygon, width: int, *, away: bool) -> None:
        """Make an outline larger or smaller."""
        self._painting.paint(outline, path, width, away=away)

    def give(self, words: Sequence[ShapeKey], line: int) -> None:
        """Move words to a line, and keep them chosen."""
        places = [(key.line, key.word) for key in words if key.word is not None]
        objects = [self._object(key) for key in words]
        self._choose_again(self._do(lambda d, p: move_words(d, p, places, line)), words, objects)

    def order(self, keys: Sequence[ShapeKey]) -> None:
        """Read these in this order; the places that they hold among all others stay."""
        if {key.kind for key in keys} == {OutlineKind.LINE}:
            found = self._page()
            count = len(found[2].lines) if found else 0
            order = _shared_out([key.line for key in keys], count)
            if order != list(range(count)):
                put_in_order(self._view, order)
            return
        by_line: dict[int, list[int]] = {}
        for key in keys:
            if key.word is not None:
                by_line.setdefault(key.line, []).append(key.word)
        edits: list[Edit] = []
        for line, words in by_line.items():
            found = self._page()
            count = len(found[2].lines[line].words) if found else 0
            order = _shared_out(words, count)
            if found is not None and order != list(range(count)):
                edits.append(order_words(found[0], found[1], line, order))
        self._named(edits, "Change the order of words")

    # As actions ask for it, with what is chosen

    def merge(self) -> None:
        """One out of the chosen words, or of the chosen lines."""
        keys = self._view.canvas.selection.keys
        lines = sorted({key.line for key in keys})
        if {key.kind for key in keys} == {OutlineKind.LINE}:
            if self._do(lambda d, p: merge_lines(d, p, lines, index=self._index)):
                self._view.canvas.selection.select([ShapeKey(lines[0])])
            return
        words = sorted({key.word for key in keys if key.word is not None})
        if len(lines) != 1 or len(words) != len(keys):
            self._view.shell.show_error(
                InputError(
                    "edit.merge-apart",
                    "you can only merge words of one line, or lines",
                    remedy="Move the words into one line first",
                )
            )
            return
        line = lines[0]
        places = [(self._view.page_number, line, word) for word in words]
        answer = self._links.merged(self._links.tokens(places))
        if answer is None:
            return

        def make(document: Document, page: int) -> Edit:
            if answer.without_blank:
                return join_words(document, page, line, words, index=self._index)
            return merge_words(document, page, line, words, keep=answer.keep, index=self._index)

        if self._do(make):
            self._view.canvas.selection.select([ShapeKey(line, words[0])])

    def remove(self) -> None:
        """Delete the marked vertices; without any, remove what is chosen."""
        canvas = self._view.canvas
        key, keys = canvas.selection.key, canvas.selection.keys
        if key is not None and canvas.selection.marked:
            self.delete_vertices(key, canvas.selection.marked)
            return
        lines = [each.line for each in keys if each.word is None]
        words = [
            (each.line, each.word)
            for each in keys
            if each.word is not None and each.line not in lines
        ]
        page = self._view.page_number
        places = [(page, *word) for word in words]
        found = self._page()
        if not keys or found is None:
            return
        places += [(page, n, k) for n in lines for k in range(len(found[2].lines[n].words))]
        unlink = self._links.removed(self._links.tokens(places))
        if unlink is None:
            return

        index = self._index
        by_lines = self._view.workspace is not None and self._view.workspace.by_lines

        def make(document: Document, number: int) -> Edit:
            edits = []
            if words:
                edits.append(remove_words(document, number, words, unlink=unlink, index=index))
            if lines:
                edits.append(
                    remove_lines(
                        document, number, lines, unlink=unlink, index=index, by_lines=by_lines
                    )
                )
            return (
                edits[0]
                if len(edits) == 1
                else CompositeEdit(tuple(edits), f"Remove {self._what(keys)}")
            )

        if self._do(make):
            canvas.selection.select([])

    def nudge(self, dx: int, dy: int) -> None:
        """Move the marked vertices, else what is chosen, and stay on the page with vertices."""
        canvas = self._view.canvas
        key, marked = canvas.selection.key, canvas.selection.marked
        if key is None:
            return
        if marked:
            polygon = self._object(key).polygon
            right, bottom = canvas.base.page_rect().right(), canvas.base.page_rect().bottom()
            places: dict[int, Point] = {
                n: (
                    round(min(max(polygon[n][0] + dx, 0), right)),
                    round(min(max(polygon[n][1] + dy, 0), bottom)),
                )
                for n in marked
                if n < len(polygon)
            }
            self.move_vertices(key, places, edge=False)
            canvas.selection.mark_vertices(marked)
        else:
            self.move_outlines(canvas.selection.keys, dx, dy)

    def simplify(self) -> None:
        """Fewer vertices; asked for again at once, fewer still."""
        keys = self._view.canvas.selection.keys
        before, stray = self._simplified
        stray = stray * 2 if keys == before else _STRAY
        edits: list[Edit] = []
        had = left = 0
        for key in keys:
            polygon = self._object(key).polygon
            ys = [y for _, y in polygon] or [0]
            fewer = fewer_vertices(polygon, max(1.0, stray * (max(ys) - min(ys))))
            had, left = had + len(polygon), left + len(fewer)
            if fewer != polygon:
                edits.append(SetPolygon(self._outline(key), fewer))
        self._simplified = (keys, stray)
        one = len(keys) == 1
        label = f"Simplify a {keys[0].kind}" if one else f"Simplify {self._what(keys)}"
        if self._named(edits, label):
            text = tr_count(
                "{count} vertex became {left}. Repeat for fewer still.",
                "{count} vertices became {left}. Repeat for fewer still.",
                had,
                left=tr_number(left),
            )
            self._view.shell.messages.info(text)
        elif keys:
            self._view.shell.messages.info(tr("Every vertex is needed at this accuracy."))

    def lock(self) -> None:
        """Lock the lines of what is chosen; where all of them are locked, unlock them."""
        found = self._page()
        lines = sorted({key.line for key in self._view.canvas.selection.keys})
        if found is not None and lines:
            all_locked = all(found[2].lines[line].locked for line in lines)
            self._do(lambda _, p: LockLines(p, tuple(lines), not all_locked))

    def to_neighbour(self, step: int) -> None:
        """Give the chosen words to the line before theirs, or after."""
        found = self._page()
        words = [key for key in self._view.canvas.selection.keys if key.word is not None]
        if found is None or not words:
            return
        line = (min if step < 0 else max)(key.line for key in words) + step
        if 0 <= line < len(found[2].lines):
            self.give(words, line)

    def along(self, step: int) -> None:
        """The chosen word, or line, one place earlier or later."""
        found, key = self._page(), self._view.canvas.selection.key
        if found is None or key is None:
            return
        line = found[2].lines[key.line]
        count = len(found[2].lines) if key.word is None else len(line.words)
        at = key.line if key.word is None else key.word
        if not 0 <= at + step < count:
            return
        order = list(range(count))
        order.insert(at + step, order.pop(at))
        moved = [self._object(key)]
        if key.word is None:
            change = put_in_order(self._view, order, [key.line])
        else:
            change = self._do(lambda d, p: order_words(d, p, key.line, order))
        self._choose_again(change, [key], moved)

    # What is chosen afterwards

    def _choose_again(
        self, change: Change | None, keys: Sequence[ShapeKey], objects: Sequence[Line | Word]
    ) -> None:
        """Choose outlines wherever they are after a change; None: there was none."""
        if change is None:
            return
        shifts = change.shifts_of(self._view.page_number)
        now = self.keys_of(objects) if shifts is None else all_followed(keys, shifts)
        self._view.canvas.selection.select(now)

    def keys_of(self, objects: Sequence[Line | Word]) -> list[ShapeKey]:
        """Where objects are on the page now; those that are gone are left out."""
        found = self._page()
        wanted = {id(each): number for number, each in enumerate(objects)}
        places: dict[int, ShapeKey] = {}
        for n, line in enumerate(found[2].lines if found else []):
            if id(line) in wanted:
                places[wanted[id(line)]] = ShapeKey(n)
            for k, word in enumerate(line.words):
                if id(word) in wanted:
                    places[wanted[id(word)]] = ShapeKey(n, k)
        return [places[number] for number in sorted(places)]

    def objects_of(self, keys: Sequence[ShapeKey]) -> list[Line | Word]:
        """The objects behind some outlines."""
        return [self._object(key) for key in keys] if self._page() else []


def _shared_out(wanted: Sequence[int], count: int) -> list[int]:
    """All of 0 … count-1 with some of them in an order, on the places that those hold."""
    places = iter(wanted)
    chosen = set(wanted)
    return [next(places) if number in chosen else number for number in range(count)]
