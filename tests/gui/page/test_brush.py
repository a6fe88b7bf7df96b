"""Outlines made larger and smaller by brush and by area, with the mouse and by keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from madcat_studio.gui.page.asklink import LinkDialog
from madcat_studio.gui.page.shapes import OutlineKind, ShapeKey
from madcat_studio.gui.settings import BRUSH
from madcat_studio.model.geometry import bounding_box, ring_area
from tests.gui.helpers import NORMAL, can, copy_sample, run
from tests.gui.page.test_cutting import Cutter
from tests.gui.page.test_tools import ALT, NONE, SHIFT

K = Qt.Key
WORD = ShapeKey(0, 1)
"""In a box from 4039, 634 to 4325, 865."""


class Painter(Cutter):
    """Somebody with a brush."""

    def use_brush(self, tool: str, *chosen: ShapeKey) -> None:
        self.canvas.selection.select(chosen)
        run(self.someone.view, f"page.tool-{tool}")
        assert self.canvas.tools.tool.name == tool

    def paint(self, *places: tuple[float, float], modifier: Qt.KeyboardModifier = NONE) -> None:
        self.stroke(*places, modifier=modifier)
        self.release(*places[-1])

    @property
    def box(self) -> Any:  # type: ignore[override]
        return tuple(round(edge) for edge in bounding_box(self.someone.polygon(WORD)) or ())

    @property
    def area(self) -> float:
        return ring_area(self.someone.polygon(WORD))

    def width(self, width: int) -> None:
        self.someone.view.shell.settings.set(BRUSH, width)


@pytest.fixture
def painter(user: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Painter:
    made = Painter(user(copy_sample(NORMAL, tmp_path, image=False)))
    made.canvas.camera.zoom_to(0.5)
    made.canvas.outlines.reveal([WORD])
    made.canvas.setFocus()
    made.width(32)
    monkeypatch.setattr(LinkDialog, "exec", lambda dialog: made.answer(dialog))
    return made


@pytest.mark.long
def test_the_brush_adds_and_alt_takes_away(painter: Painter) -> None:
    before, area = painter.bytes(), painter.area
    painter.use_brush("brush", WORD)
    painter.stroke((4180, 640), (4180, 600))
    fills = [stroke for stroke in painter.canvas.tools.sketch.strokes if stroke.fill == 60]
    assert round(fills[0].path.boundingRect().top()) == 584, "it is shown as it will be"
    assert painter.bytes() == before
    painter.release(4180, 600)
    assert painter.box == (4039, 584, 4325, 865)
    assert painter.canvas.selection.keys == [WORD]
    assert painter.workspace.undo_label == "Change the outline of a word"
    painter.paint((4180, 600), (4180, 560), modifier=ALT)
    assert painter.box[1] > 584
    run(painter.someone.view, "page.undo")
    run(painter.someone.view, "page.undo")
    assert (painter.bytes(), painter.area) == (before, area)


@pytest.mark.long
def test_the_eraser_takes_away_and_alt_adds(painter: Painter) -> None:
    area = painter.area
    painter.use_brush("erase", WORD)
    painter.paint((4180, 600), (4180, 740))
    assert painter.area == pytest.approx(area - 32 * (740 - 634) - 402, abs=60)
    painter.paint((4180, 850), (4180, 900), modifier=ALT)
    assert painter.box == (4039, 634, 4325, 916)


@pytest.mark.long
def test_an_area_by_shift_or_by_the_narrowest_brush(painter: Painter) -> None:
    painter.use_brush("erase", WORD)
    corner = [(4245.0, 600.0), (4400.0, 600.0), (4400.0, 900.0), (4245.0, 900.0)]
    painter.paint(*corner, modifier=SHIFT)
    assert painter.box[2] == pytest.approx(4245, abs=2)
    for _ in range(7):
        painter.key("[")
    assert painter.someone.view.shell.settings.get(BRUSH) == 0
    painter.use_brush("brush", WORD)
    painter.paint((4240, 640), (4300, 640), (4300, 800), (4240, 800))
    assert painter.box[2] == pytest.approx(4300, abs=2)
    for width in (4, 8):
        painter.key("]")
        assert painter.someone.view.shell.settings.get(BRUSH) == width


@pytest.mark.long
def test_only_a_brush_has_a_width(painter: Painter) -> None:
    run(painter.someone.view, "page.tool-select")
    assert not can(painter.someone.view, "page.brush-wider")
    painter.use_brush("brush", WORD)
    assert can(painter.someone.view, "page.brush-wider")


@pytest.mark.long
def test_without_a_choice_it_paints_where_it_begins(painter: Painter) -> None:
    painter.use_brush("brush")
    before = painter.bytes()
    painter.paint((4180, 400), (4180, 450))
    message = painter.someone.window.message_bar.message
    assert message is not None
    assert message.text == "Choose an outline first, or begin on one"
    assert painter.bytes() == before
    painter.paint((4180, 640), (4180, 600))
    assert painter.box[1] == 584
    run(painter.someone.view, "page.undo")
    painter.canvas.selection.select([])
    run(painter.someone.view, "page.work-on-lines")
    assert painter.canvas.tools.layer is OutlineKind.LINE
    painter.paint((4180, 640), (4180, 560))
    assert painter.box[1] == 634
    assert bounding_box(painter.someone.polygon(ShapeKey(0)))[1] == 544  # type: ignore[index]


@pytest.mark.long
def test_pieces_and_holes_are_asked_about(painter: Painter) -> None:
    before = painter.bytes()
    painter.use_brush("erase", WORD)
    painter.answers = [None, 0, 1, 0, 1]
    through = [(4250.0, 600.0), (4250.0, 900.0)]
    painter.paint(*through)
    assert painter.bytes() == before, "given up"
    painter.paint(*through)
    assert painter.box == (4039, 634, 4234, 865), "the largest piece"
    run(painter.someone.view, "page.undo")
    painter.paint(*through)
    assert painter.box == (4039, 634, 4325, 865), "all of it, over a bridge"
    assert painter.area < 290 * 232 - 32 * 200
    run(painter.someone.view, "page.undo")
    painter.paint((4180, 750), (4190, 750))
    assert painter.bytes() == before, "the hole is left filled, which changes nothing"
    painter.paint((4180, 750), (4190, 750))
    assert painter.area == pytest.approx(286 * 231 - 32 * 10 - 777 - 4 * 99, abs=60)
    assert [dialog.windowTitle() for dialog in painter.asked] == ["One outline"] * 5


@pytest.mark.long
def test_a_stroke_waits_and_ends_on_its_own_outline(painter: Painter) -> None:
    before = painter.bytes()
    painter.use_brush("erase", WORD)
    painter.stroke((4180, 600), (4180, 700))
    run(painter.someone.view, "page.tool-select")  # the button is still down
    painter.canvas.selection.select([ShapeKey(1, 0)])
    run(painter.someone.view, "page.tool-erase")
    assert painter.canvas.tools.begun.has("erase")
    painter.key(K.Key_Return)
    assert painter.bytes() != before
    assert painter.workspace.document.pages[0].lines[1].words[0].polygon == (
        painter.someone.polygon(ShapeKey(1, 0))
    )
    assert painter.area < 286 * 231
    run(painter.someone.view, "page.undo")
    painter.stroke((4180, 600), (4180, 700))
    run(painter.someone.view, "page.undo")
    assert not painter.canvas.tools.begun.has("erase")
    assert painter.bytes() == before


@pytest.mark.long
def test_a_stroke_on_what_is_another_outline_by_now_says_so(painter: Painter) -> None:
    painter.use_brush("erase", WORD)
    painter.stroke((4180, 600), (4180, 700))
    run(painter.someone.view, "page.tool-select")
    painter.canvas.selection.select([WORD])
    painter.key(K.Key_Right, Qt.KeyboardModifier.ControlModifier)
    after = painter.bytes()
    run(painter.someone.view, "page.tool-erase")
    painter.key(K.Key_Return)
    message = painter.someone.window.message_bar.message
    assert message is not None
    assert message.code == "paint.gone"
    assert painter.bytes() == after


@pytest.mark.long
def test_it_is_painted_by_keys(painter: Painter) -> None:
    painter.use_brush("erase", WORD)
    painter.cross_to(4180, 600)
    painter.key(K.Key_Space)
    for _ in range(2):
        painter.key(K.Key_Down, SHIFT)
    painter.key(K.Key_Space)
    assert painter.area == pytest.approx(286 * 231 - 32 * 126 - 402, abs=500)
    assert painter.workspace.position == 1
