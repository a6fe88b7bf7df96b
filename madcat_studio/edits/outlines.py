"""Edits of polygons. They never change text, and never a point that they do not name."""

from __future__ import annotations

from dataclasses import dataclass

from madcat_studio.edits.base import Edit, Outline
from madcat_studio.errors import InputError
from madcat_studio.model.change import Change
from madcat_studio.model.document import Document, Point, Polygon

__all__ = ["AddVertex", "DeleteVertices", "MovePolygon", "MoveVertex", "SetPolygon"]


@dataclass(frozen=True, slots=True)
class SetPolygon:
    """Replace a whole polygon."""

    outline: Outline
    polygon: Polygon

    @property
    def label(self) -> str:
        """What the user did."""
        return f"Change the outline of a {self.outline.kind}"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Set the polygon."""
        owner = self.outline.find_open(document)
        back = SetPolygon(self.outline, owner.polygon)
        owner.polygon = self.polygon
        return self.outline.change, back


@dataclass(frozen=True, slots=True)
class MovePolygon:
    """Move all points of a polygon by ``dx``, ``dy`` pixels."""

    outline: Outline
    dx: float
    dy: float

    @property
    def label(self) -> str:
        """What the user did."""
        return f"Move a {self.outline.kind}"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Move the points."""
        owner = self.outline.find_open(document)
        # Moving back could miss the old place by a rounding.
        back = SetPolygon(self.outline, owner.polygon)
        owner.polygon = tuple((x + self.dx, y + self.dy) for x, y in owner.polygon)
        return self.outline.change, back


@dataclass(frozen=True, slots=True)
class MoveVertex:
    """Put one vertex elsewhere."""

    outline: Outline
    index: int
    point: Point

    @property
    def label(self) -> str:
        """What the user did."""
        return f"Move a vertex of a {self.outline.kind}"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Move the vertex."""
        owner = self.outline.find_open(document)
        back = MoveVertex(self.outline, self.index, _vertex(owner.polygon, self.index))
        owner.polygon = (
            *owner.polygon[: self.index],
            self.point,
            *owner.polygon[self.index + 1 :],
        )
        return self.outline.change, back


@dataclass(frozen=True, slots=True)
class AddVertex:
    """Add a vertex before the one at ``index`` (the number of vertices: at the end)."""

    outline: Outline
    index: int
    point: Point

    @property
    def label(self) -> str:
        """What the user did."""
        return f"Add a vertex to a {self.outline.kind}"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Add the vertex."""
        owner = self.outline.find_open(document)
        if not 0 <= self.index <= len(owner.polygon):
            _vertex(owner.polygon, self.index)
        # To delete the vertex would be refused where there were fewer than three.
        back = SetPolygon(self.outline, owner.polygon)
        owner.polygon = (*owner.polygon[: self.index], self.point, *owner.polygon[self.index :])
        return self.outline.change, back


@dataclass(frozen=True, slots=True)
class DeleteVertices:
    """Delete the vertices at ``indices``; three must be left."""

    outline: Outline
    indices: tuple[int, ...]

    @property
    def label(self) -> str:
        """What the user did."""
        number = len(set(self.indices))
        what = "a vertex" if number == 1 else f"{number} vertices"
        return f"Delete {what} of a {self.outline.kind}"

    def apply(self, document: Document) -> tuple[Change, Edit]:
        """Delete the vertices."""
        owner = self.outline.find_open(document)
        for index in self.indices:
            _vertex(owner.polygon, index)
        gone = set(self.indices)
        left = tuple(point for index, point in enumerate(owner.polygon) if index not in gone)
        if len(left) < 3:
            raise InputError(
                "edit.three-points",
                "an outline must keep at least three vertices",
                remedy=f"Delete the {self.outline.kind} itself, or draw it again",
            )
        back = SetPolygon(self.outline, owner.polygon)
        owner.polygon = left
        return self.outline.change, back


def _vertex(polygon: Polygon, index: int) -> Point:
    if not 0 <= index < len(polygon):
        raise InputError(
            "edit.no-such-object",
            f"there is no vertex {index + 1}; the outline has {len(polygon)}",
            remedy="The document has changed in the meantime; look again",
        )
    return polygon[index]
