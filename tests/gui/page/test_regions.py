"""Regions and baselines in the window: drawn, moved, split, named, undone, saved in place."""

from __future__ import annotations

import math
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog

from madcat_studio.formats.documents import read_document, write
from madcat_studio.formats.schema import violations
from madcat_studio.formats.source import Source
from madcat_studio.gui.page.regions.parts import Grip, Part, grip_at, moved, part_at
from madcat_studio.gui.page.shapes import OutlineKind, ShapeKey
from madcat_studio.gui.page.tokens.texts import TextsDialog
from madcat_studio.model.document import Line, Page, Point, Region
from tests.gui.helpers import run
from tests.gui.page.test_tools import ALT, CTRL, NONE, SHIFT, Artist

DOCUMENTS = Path(__file__).parent.parent.parent / "data" / "documents"
K = Qt.Key


def near(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether points lie where a hand on a small picture meant them."""
    return len(one) == len(other) and all(
        math.dist(a, b) <= 3 for a, b in zip(one, other, strict=True)
    )


def _dense(data: bytes) -> bytes:
    """A file without the blanks between its elements."""
    return re.sub(rb">\s+<", b"><", data)


class Layouter(Artist):
    """Somebody who works on the layout of a page in PAGE XML."""

    def __init__(self, someone: Any, path: Path) -> None:
        super().__init__(someone)
        self.path = path
        self.regions = someone.view.features.regions
        self.canvas.camera.zoom_to(0.5)

    @property
    def page(self) -> Page:
        return self.workspace.document.pages[0]

    def bytes(self) -> bytes:
        return write(self.workspace.document, self.workspace.source)

    def drag(self, *places: tuple[float, float], modifier: Qt.KeyboardModifier = NONE) -> None:
        self.stroke(*places, modifier=modifier)
        self.release(*places[-1])

    def saved(self) -> bytes:
        """The file after a save, valid as it was, and undone to the same bytes."""
        original = self.workspace.source.data
        self.workspace.save()
        data = self.path.read_bytes()
        before = {found.what for found in violations(Source(original, "x"))}
        assert {found.what for found in violations(Source(data, "x"))} <= before
        position = self.workspace.position
        while self.workspace.can_undo:
            self.workspace.undo()
        assert self.bytes() == original
        self.workspace.go_to(position)
        assert self.bytes() == data
        return data


@pytest.fixture
def table(user: Any, tmp_path: Path) -> Layouter:
    path = Path(shutil.copy(DOCUMENTS / "table.page.xml", tmp_path))
    made = Layouter(user(path), path)
    made.canvas.camera.fit()
    made.key("u")
    return made


@pytest.mark.long
def test_regions_and_baselines_are_shown_with_what_they_are(table: Layouter) -> None:
    layer = table.regions.layer
    assert [tag.text for tag in layer.tags] == ["Table", "Text", "Text", "Text", "Text", "Text"]
    assert len(layer.strokes) == 6 + 6
    rows = [table.regions.panel.list.item(n).text() for n in range(6)]
    assert rows[:2] == ["Table t1: 0 lines", "Text c11: 1 line"]
    run(table.someone.view, "page.show-regions")
    assert layer.strokes  # the tool shows what it works on
    table.key("u")
    assert not layer.strokes
    run(table.someone.view, "page.show-regions")
    assert layer.strokes


@pytest.mark.long
def test_a_region_is_drawn_named_moved_and_saved_in_place(table: Layouter) -> None:
    original = table.path.read_bytes()
    table.drag((600, 700), (900, 780))
    assert near(table.page.regions[-1].polygon, ((600, 700), (900, 700), (900, 780), (600, 780)))
    assert table.regions.chosen == Part(6)
    panel = table.regions.panel
    panel.type.setCurrentText("marginalia")
    panel.named.emit("TextRegion", "marginalia")
    region = table.page.regions[-1]
    assert (region.id, region.kind, region.type) == ("r7", "TextRegion", "marginalia")
    (left, top), *_ = region.polygon
    table.drag((700, 740), (720, 730))
    assert near([table.page.regions[-1].polygon[0]], [(left + 20, top - 10)])
    data = table.saved()
    points = " ".join(f"{x},{y}" for x, y in table.page.regions[-1].polygon)
    new = f'<TextRegion id="r7" type="marginalia"><Coords points="{points}"/></TextRegion>'
    assert _dense(data).replace(new.encode(), b"") == _dense(original)
    again = read_document(Source(data, "x")).document.pages[0].regions[-1]
    assert (again.id, again.type, again.polygon) == (
        "r7",
        "marginalia",
        table.page.regions[-1].polygon,
    )


@pytest.mark.long
def test_a_vertex_of_a_region_and_one_of_a_baseline_are_dragged(table: Layouter) -> None:
    table.click(100, 550)
    number = table.regions.chosen.number
    x, y = table.page.regions[number].polygon[2]
    table.drag((x, y), (x - 30, y - 20))
    assert near([table.page.regions[number].polygon[2]], [(x - 30, y - 20)])
    line = next(n for n, each in enumerate(table.page.lines) if each.region == "c11")
    (ax, ay), (bx, by) = table.page.lines[line].baseline
    table.click((ax + bx) / 2, (ay + by) / 2)
    assert table.regions.chosen == Part(line, of_line=True)
    table.drag((bx, by), (bx - 25, by - 6))
    assert near([table.page.lines[line].baseline[1]], [(bx - 25, by - 6)])
    end = table.page.lines[line].baseline[1]
    data = table.saved()
    assert f"{ax},{ay} {end[0]},{end[1]}".encode() in data


@pytest.mark.long
def test_a_baseline_is_drawn_anew_gets_a_point_loses_it_and_goes(table: Layouter) -> None:
    line = next(n for n, each in enumerate(table.page.lines) if each.region == "r2")
    table.canvas.selection.select([ShapeKey(line)])
    left, top = table.page.lines[line].polygon[0]
    table.drag((left + 20, top + 40), (left + 200, top + 40), modifier=CTRL)
    drawn = ((left + 20, top + 40), (left + 200, top + 40))
    assert near(table.page.lines[line].baseline, drawn)
    table.click(left + 110, top + 40, ALT)
    assert len(table.page.lines[line].baseline) == 3
    x, y = table.page.lines[line].baseline[1]
    table.click(x, y, ALT)
    assert len(table.page.lines[line].baseline) == 2
    data = table.saved()
    assert data.count(b"<Baseline") == table.workspace.source.data.count(b"<Baseline")
    table.key(K.Key_Delete)
    assert table.page.lines[line].baseline == ()
    assert table.saved().count(b"<Baseline") == data.count(b"<Baseline") - 1


@pytest.mark.long
def test_a_region_is_split_with_its_lines_and_the_order_of_reading(
    user: Any, tmp_path: Path
) -> None:
    path = Path(shutil.copy(DOCUMENTS / "line-transcribed.page.xml", tmp_path))
    made = Layouter(user(path), path)
    made.canvas.camera.fit()
    made.key("u")
    region = next(n for n, each in enumerate(made.page.regions) if each.id == "r_main")
    xs = [x for x, _ in made.page.regions[region].polygon]
    lines = {line.id: line.polygon for line in made.page.lines if line.region == "r_main"}
    between = (max(y for _, y in lines["l2"]) + min(y for _, y in lines["l3"])) / 2
    made.drag((min(xs) - 20, between), (max(xs) + 20, between), modifier=ALT)
    assert [each.id for each in made.page.regions] == [
        "r_heading",
        "r_main",
        "r5",
        "r_margin",
        "g1",
    ]
    assert [line.region for line in made.page.lines] == ["r_heading", "r_main", "r5", "r_margin"]
    assert made.page.regions[2].type == made.page.regions[1].type
    data = made.saved()
    again = read_document(Source(data, "x")).document
    assert [each.id for each in again.pages[0].regions] == [each.id for each in made.page.regions]
    assert [line.region for line in again.pages[0].lines] == [
        line.region for line in made.page.lines
    ]
    assert [s.transcription for s in again.segments()] == [
        s.transcription for s in made.workspace.document.segments()
    ]


@pytest.mark.long
def test_a_region_with_lines_is_not_removed_and_an_empty_one_is(table: Layouter) -> None:
    table.click(100, 550)
    table.key(K.Key_Delete)
    assert len(table.page.regions) == 6
    said = table.someone.window.message_bar.text.text()
    assert "The region r2 contains lines or other regions" in said
    table.drag((600, 700), (900, 780), modifier=SHIFT)
    assert len(table.page.regions) == 7
    table.key(K.Key_Delete)
    assert len(table.page.regions) == 6


@pytest.mark.long
def test_a_line_that_is_drawn_is_a_segment_at_once_and_its_text_is_saved(
    table: Layouter, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = table.someone.view
    table.use("rectangle", layer=OutlineKind.LINE)
    rows = view.side.segment_model.rowCount()
    table.drag((560, 690), (900, 760))
    assert view.side.segment_model.rowCount() == rows + 1
    new = table.canvas.selection.key
    assert new is not None
    line = table.page.lines[new.line]
    segment = list(table.workspace.document.segments())[-1]
    assert segment.zone_refs == [line.id]
    assert view.side.segment_list.currentIndex().row() == rows

    def typed(dialog: TextsDialog) -> QDialog.DialogCode:
        dialog.transcription.selectAll()
        dialog.transcription.insertPlainText("a new line")
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(TextsDialog, "exec", typed)
    run(view, "page.edit-texts")
    data = table.saved()
    assert data.count(b"<TextLine") == table.workspace.source.data.count(b"<TextLine") + 1
    assert b"<TextEquiv><Unicode>a new line</Unicode></TextEquiv>" in data
    table.canvas.selection.select([ShapeKey(new.line)])
    table.use("select", ShapeKey(new.line))
    table.key(K.Key_Delete)
    assert view.side.segment_model.rowCount() == rows
    view.undo()
    assert view.side.segment_model.rowCount() == rows + 1
    view.undo()
    view.undo()
    assert view.side.segment_model.rowCount() == rows


def test_what_lies_where() -> None:
    outer = Region("a", "TextRegion", None, ((0, 0), (90, 0), (90, 90), (0, 90)))
    inner = Region("b", "TextRegion", None, ((10, 10), (50, 10), (50, 50), (10, 50)))
    page = Page(
        "p", 100, 100, regions=[outer, inner], lines=[Line("l", baseline=((5, 70), (80, 70)))]
    )
    assert part_at(page, (20, 20), 5) == Part(1)
    assert part_at(page, (70, 20), 5) == Part(0)
    assert part_at(page, (40, 67), 5) == Part(0, of_line=True)
    assert part_at(page, (95, 95), 5) is None
    assert grip_at(inner.polygon, (49, 12), 5, closed=True) == Grip(1)
    assert grip_at(inner.polygon, (10, 30), 5, closed=True) == Grip(4, between=True)
    assert grip_at(inner.polygon, (10, 30), 5, closed=False) is None
    assert moved(inner.polygon, -40, 80, 100, 100) == ((0, 60), (40, 60), (40, 100), (0, 100))
