"""What is painted piece by piece must look as if it had been painted at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QTransform

from madcat_studio.gui.page.canvas import PageCanvas
from madcat_studio.gui.page.levels import Level, Pyramid, half, quarter
from madcat_studio.gui.page.outlining import Look, paint_outlines
from madcat_studio.gui.page.shapes import OutlineKind, PageShapes, ShapeKey
from madcat_studio.gui.page.style import DARK, LIGHT
from madcat_studio.model.document import Line, Page, Word


@pytest.fixture
def canvas(qtbot) -> Iterator[PageCanvas]:
    lines = []
    for row in range(24):
        y = 60 + row * 58
        words = [
            Word(f"t{row}-{n}", ((x, y), (x + 70, y + 4), (x + 66, y + 40), (x - 4, y + 36)))
            for n, x in enumerate(range(60, 1100, 90))
        ]
        outline = ((50, y - 6), (1160, y - 6), (1160, y + 46), (50, y + 46))
        lines.append(Line(f"z{row}", polygon=outline, words=words))
    page = Page("p", 1200, 1500, lines=lines)
    scan = QImage(1200, 1500, QImage.Format.Format_Grayscale8)
    memory = np.frombuffer(scan.bits(), np.uint8)
    memory[:] = np.random.default_rng(3).integers(150, 256, memory.size)
    pyramid = Pyramid(1200, 1500)
    for level in (Level(scan, 1), Level(half(scan), 2), Level(quarter(scan), 4)):
        pyramid.add(level)
    made = PageCanvas()
    qtbot.addWidget(made)
    made.resize(620, 480)
    made.show()
    qtbot.waitExposed(made)
    made.set_page(PageShapes(page), pyramid)
    made.settle_now()
    yield made
    made.settle_now()


def pixels(canvas: PageCanvas) -> np.ndarray:
    image = canvas.viewport().grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    memory = np.frombuffer(image.bits(), np.uint8)
    return memory.reshape(image.height(), image.width(), 4)[:, :, :3].astype(int)


def pieces_and_whole(canvas: PageCanvas) -> tuple[np.ndarray, np.ndarray]:
    pieces = pixels(canvas)
    canvas.base.invalidate_scan()
    canvas.viewport().repaint()
    return pieces, pixels(canvas)


@pytest.mark.parametrize("scale", [None, 0.7, 1.0, 2.5])
def test_panning_leaves_no_seams(canvas: PageCanvas, scale: float | None) -> None:
    if scale is not None:
        canvas.camera.zoom_to(scale)
        canvas.settle_now()
    pixels(canvas)
    for dx, dy in [(17, 11), (-40, 3), (0, -65), (9, 0), (-5, -5), (700, 0), (-640, 20)]:
        canvas.camera.scroll_by(dx, dy)
        pixels(canvas)
    pieces, whole = pieces_and_whole(canvas)
    differs = np.abs(pieces - whole).max(axis=2)
    # Antialiased lines that end at a strip's edge may differ by a few levels there.
    assert (differs > 40).mean() < 0.001


def test_an_edit_repaints_old_and_new_place(canvas: PageCanvas) -> None:
    canvas.camera.zoom_to(1.0)
    canvas.settle_now()
    canvas.outlines.reveal([ShapeKey(5, 3)])
    pixels(canvas)
    canvas.outline_changed(ShapeKey(5, 3), ((300, 360), (420, 300), (430, 410)))
    canvas.outline_changed(ShapeKey(5), ((50, 340), (900, 345), (900, 400), (50, 396)))
    pieces, whole = pieces_and_whole(canvas)
    assert (np.abs(pieces - whole).max(axis=2) > 40).mean() < 0.0005


def test_everything_that_is_drawn_can_be_hidden(canvas: PageCanvas) -> None:
    canvas.camera.zoom_to(1.0)
    canvas.settle_now()
    full = pixels(canvas)
    canvas.outlines.set_visible(OutlineKind.WORD, False)
    no_words = pixels(canvas)
    assert (full != no_words).any()
    canvas.outlines.set_visible(OutlineKind.LINE, False)
    bare = pixels(canvas)
    assert (bare != no_words).any()
    assert (bare.max(axis=2) - bare.min(axis=2) == 0).all(), "the scan alone is grey"
    canvas.scan.set_visible(False)
    assert (pixels(canvas)[100:300, 200:400] == 255).all()
    for kind in OutlineKind:
        canvas.outlines.set_visible(kind, True)
    canvas.scan.set_visible(True)
    assert (pixels(canvas) == full).all()


def test_far_away_only_lines_are_drawn_and_then_nothing(canvas: PageCanvas) -> None:
    def coloured() -> dict[str, int]:
        seen = pixels(canvas)
        blue, _, red = seen[:, :, 0], seen[:, :, 1], seen[:, :, 2]
        return {
            "line": int(((blue - red) > 60).sum()),
            "word": int(((red - blue) > 60).sum()),
        }

    counts = {}
    for scale in (0.5, 0.2, 0.05):
        canvas.camera._set_scale(scale, settle=True)
        canvas.settle_now()
        counts[scale] = coloured()
    assert counts[0.5]["word"] > 0
    assert counts[0.5]["line"] > 0
    assert counts[0.2]["word"] == 0
    assert counts[0.2]["line"] > 0
    assert counts[0.05] == {"line": 0, "word": 0}


def test_a_zoom_is_shown_at_once_and_settles(canvas: PageCanvas, qtbot) -> None:
    canvas.camera.zoom_by(1.25, QPointF(300, 200))
    rough = pixels(canvas)
    assert canvas.camera._settle.isActive()
    qtbot.waitUntil(lambda: not canvas.camera._settle.isActive())
    fine = pixels(canvas)
    assert np.abs(rough - fine).mean() < 40, "roughly the same picture"
    pieces, whole = pieces_and_whole(canvas)
    assert (pieces == whole).all()


def test_the_theme_changes_the_surroundings_not_the_paper(canvas: PageCanvas) -> None:
    light = pixels(canvas)
    canvas.scan.set_colours(DARK)
    dark = pixels(canvas)
    assert light[5, 5].mean() > 200 > 60 > dark[5, 5].mean()
    middle = (slice(220, 260), slice(290, 330))
    assert (light[middle] == dark[middle]).all()


def test_hover_and_choice_leave_no_trace(canvas: PageCanvas) -> None:
    before = pixels(canvas)
    for key in (ShapeKey(2), ShapeKey(4, 4), ShapeKey(6, 1)):
        canvas.selection.choose([key])
        canvas.selection.link([key, ShapeKey(7, 2)])
        canvas.selection.light(ShapeKey(key.line + 1))
        assert (pixels(canvas) != before).any()
    canvas.selection.choose([])
    canvas.selection.link([])
    from PySide6.QtWidgets import QApplication

    QApplication.sendEvent(canvas.viewport(), QEvent(QEvent.Type.Leave))
    canvas.selection.light(None)
    assert (pixels(canvas) == before).all()


def test_grips_are_shown_where_there_is_room_for_them(canvas: PageCanvas) -> None:
    many = (*((100 + n * 5, 100 + n % 2) for n in range(60)), (400, 140), (100, 140))
    canvas.outline_changed(ShapeKey(1), many)
    canvas.selection.choose([ShapeKey(1)])
    assert canvas.selection._handles.count() == 0
    canvas.camera.zoom_to(4.0)
    assert canvas.selection._handles.count() == len(many)
    assert canvas.cursor().shape() == Qt.CursorShape.ArrowCursor


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_the_pixels_of_the_screen_decide_what_is_too_small(
    canvas: PageCanvas, ratio: float
) -> None:
    """At 2 a word of 6 view pixels is 12 high, and is drawn as one of 12 is at 1."""
    height = canvas.shapes.sets[OutlineKind.WORD].typical_height()
    for high, drawn in ((7.0, False), (11.0, True)):
        image = QImage(QSize(600, 400) * ratio, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        image.fill(0xFFFFFFFF)
        painter = QPainter(image)
        scale = high / height / ratio
        paint_outlines(
            painter,
            QRect(0, 0, 600, 400),
            QTransform.fromScale(scale, scale),
            canvas.shapes,
            canvas.base.outlines,
            Look(visible={OutlineKind.LINE: False, OutlineKind.WORD: True}),
            LIGHT,
        )
        painter.end()
        bits = np.frombuffer(image.constBits(), np.uint8)
        assert bool((bits != 255).any()) == drawn
