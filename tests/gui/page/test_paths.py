from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

from madcat_studio.gui.page.paths import Outlines, path_of
from madcat_studio.gui.page.shapes import ShapeSet

points = st.tuples(st.integers(-50, 150), st.integers(-50, 150))
# Without points where the pen is already: moveTo and lineTo leave those out.
outline = st.lists(points, min_size=2, max_size=6, unique=True).map(tuple)
polygons = st.lists(outline | st.just(()), max_size=9)


def plain_path(outlines: list) -> QPainterPath:
    """The same, point by point."""
    path = QPainterPath()
    for outline in outlines:
        if outline:
            path.moveTo(QPointF(*outline[0]))
            for point in (*outline[1:], outline[0]):
                path.lineTo(QPointF(*point))
    return path


def elements(path: QPainterPath) -> list:
    return [
        (element.x, element.y, element.type)
        for element in (path.elementAt(n) for n in range(path.elementCount()))
    ]


@settings(max_examples=30)
@given(polygons)
def test_a_streamed_path_is_the_plain_one(outlines: list) -> None:
    streamed = path_of(ShapeSet(outlines), np.arange(len(outlines)))
    assert elements(streamed) == elements(plain_path(outlines))


def test_outlines_of_no_and_of_one_point_are_no_trouble() -> None:
    shapes = ShapeSet([(), ((5, 5),), ()])
    assert path_of(shapes, np.array([0, 2])).isEmpty()
    assert path_of(shapes, np.arange(3)).elementCount() == 2


def many(count: int) -> ShapeSet:
    return ShapeSet(
        [
            ((x, y), (x + 8, y), (x + 8, y + 5), (x, y + 5))
            for x, y in ((n % 40 * 10, n // 40 * 10) for n in range(count))
        ]
    )


@pytest.mark.parametrize("rect", [(0, 0, 400, 250), (0, 0, 200, 250), (95, 95, 118, 117)])
def test_tiles_show_all_that_is_in_view(rect: tuple) -> None:
    shapes = many(1000)
    wanted = {
        (x, y)
        for number in shapes.meeting(*rect).tolist()
        for x, y in shapes.points(number).tolist()
    }
    shown = {(x, y) for _, path in Outlines(shapes).paths(*rect) for x, y, _ in elements(path)}
    assert wanted <= shown


def test_hiding_and_moving_touch_one_tile_only() -> None:
    shapes = many(1000)
    outlines = Outlines(shapes)
    everything = (0, 0, 400, 250)
    count = sum(path.elementCount() for _, path in outlines.paths(*everything))
    outlines.hide(500)
    assert sum(path.elementCount() for _, path in outlines.paths(*everything)) == count - 5
    shapes.replace(500, ((900, 900), (910, 900), (905, 905)))
    outlines.changed(500)
    outlines.hide(None)
    assert sum(path.elementCount() for _, path in outlines.paths(*everything)) == count - 1
    far = outlines.paths(890, 890, 920, 920)
    assert (900, 900) in {(x, y) for _, path in far for x, y, _ in elements(path)}
