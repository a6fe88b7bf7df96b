"""Where a point comes to rest: on a vertex or an edge of another outline that is near."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from madcat_studio.gui.page.shapes import OutlineKind, PageShapes, ShapeKey

__all__ = ["snapped"]


def snapped(
    shapes: PageShapes,
    x: float,
    y: float,
    *,
    reach: float,
    shown: Mapping[OutlineKind, bool],
    leaving: ShapeKey | None = None,
) -> tuple[float, float] | None:
    """The nearest vertex within ``reach`` stored pixels, else the nearest place on an edge.

    Args:
        shapes: the page's outlines.
        x, y: the point.
        reach: how near counts.
        shown: which layers can be seen.
        leaving: an outline that is no goal: the one that the point belongs to.
    """
    best: tuple[int, float, float, float] | None = None
    for kind in OutlineKind:
        if not shown[kind]:
            continue
        near = shapes.sets[kind].meeting(x - reach, y - reach, x + reach, y + reach)
        for index in near.tolist():
            if leaving is not None and shapes.key(kind, index) == leaving:
                continue
            points = shapes.sets[kind].points(index)
            for rank, (apart, px, py) in enumerate((_vertex(points, x, y), _edge(points, x, y))):
                if apart <= reach and (best is None or (rank, apart) < best[:2]):
                    best = rank, apart, px, py
    return None if best is None else best[2:]


def _vertex(points: npt.NDArray[np.float64], x: float, y: float) -> tuple[float, float, float]:
    apart = np.hypot(points[:, 0] - x, points[:, 1] - y)
    nearest = int(apart.argmin())
    return float(apart[nearest]), float(points[nearest, 0]), float(points[nearest, 1])


def _edge(points: npt.NDArray[np.float64], x: float, y: float) -> tuple[float, float, float]:
    way = np.roll(points, -1, axis=0) - points
    length = (way * way).sum(axis=1)
    along = ((np.array([x, y]) - points) * way).sum(axis=1)
    share = np.clip(np.divide(along, length, out=np.zeros_like(along), where=length > 0), 0, 1)
    places = points + share[:, None] * way
    return _vertex(places, x, y)
