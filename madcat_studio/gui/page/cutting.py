"""What one stroke cuts: one outline or several, and what becomes of their texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from madcat_studio.edits import Edit
from madcat_studio.edits.splitting import (
    Part,
    WordCut,
    segments_in_doubt,
    split_lines,
    split_parts,
)
from madcat_studio.errors import InputError
from madcat_studio.gui.page.asklink import LinkQuestions
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.page.tools.editing import Parts
from madcat_studio.model.document import Page, Polygon
from madcat_studio.model.geometry import bounding_box, contains_point, ring_area
from madcat_studio.operations.pages.cutting import cut_words

if TYPE_CHECKING:
    from madcat_studio.gui.page.host import PageHost

__all__ = ["Cutting"]

_SLIVER = 0.04
"""A part with less of its outline's area is no cut, where the stroke cuts something else."""


class Cutting:
    """Cuts for a page view.

    Where chosen outlines are crossed, only they are cut; else all that the stroke goes through from
    side to side; else, where it ends within outlines, the one that it crosses farthest.
    """

    def __init__(self, view: PageHost, links: LinkQuestions) -> None:
        self._view = view
        self._links = links
        self._known: dict[ShapeKey, tuple[tuple[int, bool, Polygon], Parts | None]] = {}

    def crossed(self, path: Polygon) -> list[Parts]:
        """What a stroke would cut, in the order of the page."""
        canvas, page = self._view.canvas, self._page()
        shapes = canvas.shapes
        if shapes is None or page is None or len(path) < 2:
            return []
        layer, points = canvas.tools.layer, np.array(path)
        (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
        near = shapes.sets[layer].meeting(left, top, right, bottom)
        keys = [shapes.key(layer, index) for index in near.tolist()]
        before, self._known = self._known, {}
        found: list[Parts] = []
        for key in keys:
            parts = self._parts(key, path, points, page, before)
            if parts is not None:
                found.append(parts)
        chosen = [each for each in found if each.key in canvas.selection.keys]
        if chosen:
            return chosen
        whole = [each for each in found if self._goes_through(each, path, page)]
        if whole:
            return whole
        return [max(found, key=lambda each: _share_inside(each, path))] if found else []

    def _parts(
        self,
        key: ShapeKey,
        path: Polygon,
        points: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
        page: Page,
        before: dict[ShapeKey, tuple[tuple[int, bool, Polygon], Parts | None]],
    ) -> Parts | None:
        """What a stroke makes of an outline; while it is drawn elsewhere, what it made before."""
        outline = _outline(page, key)
        left, top, right, bottom = bounding_box(outline) or (0, 0, 0, 0)
        x, y = points[:, 0], points[:, 1]
        inside = (x >= left) & (x <= right) & (y >= top) & (y <= bottom)
        state = (int(inside.sum()), bool(inside[-1]), outline)
        if key in before and before[key][0] == state and not state[1]:
            self._known[key] = before[key]
            return before[key][1]
        try:
            made: Parts | None = Parts(key, *split_parts(outline, path))
        except InputError:
            made = None
        self._known[key] = state, made
        return made

    def _goes_through(self, parts: Parts, path: Polygon, page: Page) -> bool:
        outline = _outline(page, parts.key)
        if page.lines[parts.key.line].locked:
            return False
        areas = ring_area(parts.first), ring_area(parts.second)
        if min(areas) < _SLIVER * sum(areas):
            return False
        return not contains_point(outline, path[0]) and not contains_point(outline, path[-1])

    def _page(self) -> Page | None:
        workspace, number = self._view.workspace, self._view.page_number
        if workspace is None or number >= len(workspace.document.pages):
            return None
        return workspace.document.pages[number]

    def cut(self, path: Polygon) -> None:
        """Split what the stroke crosses, as one step; texts as the user says."""
        self._known = {}
        found = self.crossed(path)
        if not found:
            self._view.shell.show_error(
                InputError(
                    "edit.cut-misses",
                    "the cut does not cross the outline",
                    remedy="Draw it from one side of the outline to the other",
                )
            )
            return
        words = found[0].key.word is not None
        edit = self._words(found, path) if words else self._lines(found, path)
        if edit is not None and self._view.execute(edit):
            self._view.canvas.selection.select(_after([each.key for each in found]))

    def _lines(self, found: Sequence[Parts], path: Polygon) -> Edit | None:
        workspace, page = self._view.workspace, self._view.page_number
        assert workspace is not None
        document, index = workspace.document, workspace.index
        named: dict[int, Part] = {}
        for each in found:
            doubtful = segments_in_doubt(document, page, each.key.line, index=index)
            answer = self._links.named(each.key.line, doubtful)
            if answer is None:
                return None
            named[each.key.line] = answer
        return split_lines(document, page, named, path, index=index)

    def _words(self, found: Sequence[Parts], path: Polygon) -> Edit | None:
        workspace, page = self._view.workspace, self._view.page_number
        assert workspace is not None
        cuts = []
        for each in found:
            line, word = each.key.line, each.key.word
            assert word is not None
            answer = self._links.parts((page, line, word), _first_share(each))
            if answer is None:
                return None
            cuts.append(WordCut(line, word, answer.links, answer.texts))
        return cut_words(workspace.document, page, cuts, path, index=workspace.index)


def _outline(page: Page, key: ShapeKey) -> Polygon:
    line = page.lines[key.line]
    return line.polygon if key.word is None else line.words[key.word].polygon


def _share_inside(parts: Parts, path: Polygon) -> float:
    """How much of a stroke lies in the box of an outline."""
    left, top, right, bottom = bounding_box((*parts.first, *parts.second)) or (0, 0, 0, 0)
    return sum(left <= x <= right and top <= y <= bottom for x, y in path) / len(path)


def _first_share(parts: Parts) -> float:
    """How much of a word's width the part has that is read first."""
    widths = []
    for part in (parts.first, parts.second):
        left, _, right, _ = bounding_box(part) or (0, 0, 0, 0)
        widths.append(right - left)
    return widths[0] / sum(widths) if sum(widths) else 0.5


def _after(keys: Sequence[ShapeKey]) -> list[ShapeKey]:
    """Where the parts of outlines are once these are cut."""
    chosen: list[ShapeKey] = []
    seen: dict[int | None, int] = {}
    for key in sorted(keys, key=lambda each: (each.line, each.word or 0)):
        group = None if key.word is None else key.line
        shift = seen.get(group, 0)
        seen[group] = shift + 1
        if key.word is None:
            chosen += [ShapeKey(key.line + shift), ShapeKey(key.line + shift + 1)]
        else:
            chosen += [ShapeKey(key.line, key.word + shift + n) for n in range(2)]
    return chosen
