"""What tools ask for. The page view turns it into edits; a tool changes nothing itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from PySide6.QtCore import QPointF

from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.model.document import Point, Polygon
from madcat_studio.pages.painting import Painted

__all__ = ["Editing", "Parts"]


class Parts(NamedTuple):
    """An outline that a stroke cuts, and both its parts, the one that is read first before."""

    key: ShapeKey
    first: Polygon
    second: Polygon


class Editing(Protocol):
    """One method a gesture. Places are whole stored pixels.

    ``held``: the hand is only there by now; what letting go would do is kept against a crash.
    """

    def move_outlines(
        self, keys: Sequence[ShapeKey], dx: int, dy: int, *, held: bool = False
    ) -> None:
        """Move whole outlines."""

    def move_vertices(
        self, key: ShapeKey, places: Mapping[int, Point], *, edge: bool, held: bool = False
    ) -> None:
        """Put vertices elsewhere; ``edge``: they are the two ends of one."""

    def put_back(self) -> None:
        """What was held is where it was before."""

    def add_vertex(self, key: ShapeKey, before: int, place: Point) -> None:
        """Add a vertex after the one with the number ``before``."""

    def delete_vertices(self, key: ShapeKey, indices: Sequence[int]) -> None:
        """Delete vertices."""

    def draw(self, polygon: Polygon) -> None:
        """Add a word, or a line, with this outline."""

    def cut(self, path: Polygon) -> None:
        """Split what the path crosses."""

    def crossed(self, path: Polygon) -> Sequence[Parts]:
        """What the path would split, with the parts."""
        ...

    def outline_at(self, place: QPointF) -> Polygon | None:
        """The outline that a brush paints which begins here; None for none."""
        ...

    def painted(self, outline: Polygon, path: Polygon, width: int, *, away: bool) -> Painted:
        """What a brush would make of an outline.

        Raises:
            InputError: nothing would be left.
        """
        ...

    def paint(self, outline: Polygon, path: Polygon, width: int, *, away: bool) -> None:
        """Add what a brush of a width paints to an outline, or take it away."""

    def give(self, words: Sequence[ShapeKey], line: int) -> None:
        """Move words to a line."""

    def order(self, keys: Sequence[ShapeKey]) -> None:
        """Read these, all words or all lines, in this order."""
