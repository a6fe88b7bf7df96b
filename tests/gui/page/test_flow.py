"""A page gone through line by line: each as wide as the view, its tokens under their words."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from madcat_studio.edits import CompositeEdit, LinkToken, RemoveToken
from madcat_studio.gui.page.flow.entries import State, places
from madcat_studio.gui.page.shapes import OutlineKind, ShapeKey
from madcat_studio.model.geometry import bounding_box
from tests.gui.helpers import NORMAL, TWO_PAGES, can, copy_sample, is_checked, run
from tests.gui.page.test_regions import DOCUMENTS
from tests.gui.page.test_tools import CTRL, NONE, SHIFT, Artist

K = Qt.Key


class Reader(Artist):
    """Somebody who goes through a page."""

    def __init__(self, someone: Any) -> None:
        super().__init__(someone)
        self.flow = someone.view.features.flow

    def begin(self) -> None:
        self.canvas.setFocus()
        self.key("q")
        assert self.flow.is_on

    @property
    def texts(self) -> list[str]:
        return [entry.text for entry in self.flow.entries]

    @property
    def chosen(self) -> ShapeKey | None:
        return self.canvas.selection.key

    @property
    def progress(self) -> str:
        return self.flow.bar.progress.text()

    def width_of_line(self) -> float:
        """How much of the view the line takes, as it is shown."""
        line = self.workspace.document.pages[self.someone.view.page_number].lines[self.flow.line]
        left, _, right, _ = bounding_box(line.polygon) or (0, 0, 0, 0)
        seen = self.canvas.camera.to_view(QPointF(right, 0)).x() - (
            self.canvas.camera.to_view(QPointF(left, 0)).x()
        )
        return seen / self.canvas.viewport().width()


@pytest.fixture
def reader(user: Any, tmp_path: Path) -> Reader:
    return Reader(user(copy_sample(NORMAL, tmp_path, image=False)))


@pytest.mark.long
def test_a_line_fills_the_width_and_its_tokens_stand_under_their_words(reader: Reader) -> None:
    reader.begin()
    assert is_checked(reader.someone.view, "page.flow")
    assert (reader.flow.line, reader.chosen) == (0, ShapeKey(0, 0))
    assert 0.84 <= reader.width_of_line() <= 0.96
    assert reader.texts == ["افتتح", "وزير", "الثقافة", "أمس", "معرضا", "جديدا", "للكتاب"]
    assert {entry.state for entry in reader.flow.entries} == {State.MARKED}
    strip = reader.flow.bar.strip
    for number, box in enumerate(strip.boxes):
        word = reader.canvas.viewport().mapToGlobal(reader.someone.at(ShapeKey(0, number)))
        assert abs(strip.mapToGlobal(box.center().toPoint()).x() - word.x()) <= 6
    assert reader.progress == "Line 1 of 6  ·  7 of 7 words marked"


@pytest.mark.long
def test_keys_go_from_line_to_line_and_from_word_to_word(reader: Reader) -> None:
    reader.begin()
    reader.key(K.Key_Down)
    assert (reader.flow.line, reader.chosen) == (1, ShapeKey(1, 0))
    reader.key(K.Key_Left)  # Arabic goes on to the left
    assert reader.chosen == ShapeKey(1, 1)
    reader.key(K.Key_Right)
    reader.key(K.Key_Right)
    assert reader.chosen == ShapeKey(0, 6), "over the beginning, to the end of the line before"
    reader.key(K.Key_Left)
    assert reader.chosen == ShapeKey(1, 0)
    reader.key(K.Key_PageDown, CTRL)
    reader.key(K.Key_PageDown, CTRL)
    assert reader.flow.line == 3
    reader.key(K.Key_PageUp, CTRL)
    reader.key(K.Key_Up)
    assert (reader.flow.line, reader.chosen) == (1, ShapeKey(1, 0))
    reader.key(".")
    assert reader.chosen == ShapeKey(1, 1)
    for _ in range(9):
        reader.key(K.Key_Down)
    assert reader.flow.line == 5, "the last line is the last"
    reader.key(K.Key_Left, SHIFT)
    assert reader.flow.line == 5, "with Shift they move the page, as ever"


@pytest.mark.long
def test_short_lines_are_as_large_as_the_others_and_begin_on_the_right(reader: Reader) -> None:
    reader.begin()
    scale = reader.canvas.camera.scale()
    for _ in range(3):
        reader.key(K.Key_Down)  # 1,848 pixels wide, where the median is about 2,900
    assert reader.canvas.camera.scale() == pytest.approx(scale, rel=0.15)
    right = bounding_box(reader.someone.polygon(ShapeKey(3)))[2]  # type: ignore[index]
    place = reader.canvas.camera.to_view(QPointF(right, 0)).x()
    assert 0.9 <= place / reader.canvas.viewport().width() <= 0.98


@pytest.mark.long
def test_what_is_not_marked_stands_between_and_is_gone_to(reader: Reader) -> None:
    """A token without a word, another at the very beginning, and a word without a token."""
    edits = (LinkToken(0, 0, 2, ""), LinkToken(0, 0, 0, ""), RemoveToken(0, 1, 1))
    reader.workspace.execute(CompositeEdit(edits, "Undo some of it"))
    reader.begin()
    states = [entry.state for entry in reader.flow.entries]
    assert reader.texts[:5] == ["افتتح", "", "وزير", "الثقافة", ""]
    assert states[:5] == [
        State.OPEN, State.WITHOUT_TEXT, State.MARKED, State.OPEN, State.WITHOUT_TEXT,
    ]  # fmt: skip
    assert reader.progress == "Line 1 of 6  ·  5 of 9 words marked"
    said = reader.flow.bar.strip.spoken
    assert [part.name for part in said.parts()][:4] == [
        "افتتح, not marked yet", "a word without text", "وزير, marked",
        "الثقافة, not marked yet",
    ]  # fmt: skip
    gone = []
    for _ in range(6):
        reader.key(K.Key_Return)
        current = reader.flow._current
        gone.append((reader.flow.line, current, reader.texts[current]))
    assert gone == [
        (0, 1, ""), (0, 3, "الثقافة"), (0, 4, ""), (2, 4, ""), (0, 0, "افتتح"), (0, 1, ""),
    ]  # fmt: skip
    reader.key("q", SHIFT)
    assert reader.flow._current == 3
    assert reader.someone.view.features.tokens._token == (0, 0, 2), "and can be linked at once"


def test_with_all_marked_there_is_nothing_to_go_to(reader: Reader) -> None:
    reader.begin()
    reader.key(K.Key_Return)
    message = reader.someone.window.message_bar.message
    assert message is not None
    assert message.text == "The whole page is marked."
    assert reader.chosen == ShapeKey(0, 0)


@pytest.mark.long
def test_a_click_on_a_token_chooses_its_word_and_a_click_on_a_word_its_line(
    reader: Reader,
) -> None:
    reader.begin()
    strip = reader.flow.bar.strip
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, NONE, strip.boxes[3].center().toPoint())
    assert reader.chosen == ShapeKey(0, 3)
    assert reader.flow.bar.strip.accessibleName() == "Line 1 of 6: أمس, marked"
    reader.someone.click(reader.someone.at(ShapeKey(1, 2)))
    assert (reader.flow.line, reader.flow._current) == (1, 2)
    strip.spoken.parts()[1].act()  # type: ignore[misc]
    assert reader.chosen == ShapeKey(1, 1)


@pytest.mark.long
def test_other_tools_are_used_in_between_and_esc_ends_it(reader: Reader) -> None:
    reader.begin()
    run(reader.someone.view, "page.tool-cut")
    assert reader.flow.is_on
    assert reader.canvas.tools.tool.name == "cut"
    reader.key(K.Key_PageDown, CTRL)
    assert reader.flow.line == 1
    reader.canvas.selection.select([])
    reader.key(K.Key_Escape)
    assert (reader.flow.is_on, reader.canvas.tools.tool.name) == (True, "flow")
    reader.key(K.Key_Escape)
    assert (reader.flow.is_on, reader.canvas.tools.tool.name) == (False, "select")
    assert reader.flow.bar.isHidden()
    assert not can(reader.someone.view, "page.next-line")
    reader.begin()
    reader.key("s")
    assert not reader.flow.is_on
    reader.begin()
    run(reader.someone.view, "page.mark")
    assert not reader.flow.is_on, "marking has a way of its own"
    assert reader.someone.view.features.marking.is_on


@pytest.mark.long
def test_it_follows_edits_undo_and_another_page(user: Any, tmp_path: Path) -> None:
    reader = Reader(user(copy_sample(TWO_PAGES, tmp_path, image=False)))
    reader.begin()
    reader.key(K.Key_Down)
    run(reader.someone.view, "page.tool-select")
    reader.begin()
    assert reader.flow.line == 1, "it begins where something is chosen"
    count = len(reader.workspace.document.pages[0].lines)
    reader.canvas.selection.select([ShapeKey(0)])
    reader.canvas.selection.select([ShapeKey(1)])
    line = reader.workspace.document.pages[0].lines[1]
    left, top, right, bottom = bounding_box(line.polygon) or (0, 0, 0, 0)
    scale, seen = reader.canvas.camera.scale(), reader.canvas.camera.in_view()
    reader.use("cut", ShapeKey(1), layer=OutlineKind.LINE)
    middle = (left + right) / 2
    reader.stroke((middle, top - 40), (middle, bottom + 40))
    reader.release(middle, bottom + 40)
    assert len(reader.workspace.document.pages[0].lines) == count + 1
    assert reader.flow.line in (1, 2)
    run(reader.someone.view, "page.undo")
    assert reader.flow.line == 1
    assert f"Line 2 of {count}" in reader.progress
    assert (scale, seen.isEmpty()) != (0, True)
    run(reader.someone.view, "page.next")
    assert reader.someone.view.page_number == 1
    assert (reader.flow.is_on, reader.flow.line) == (True, 0)


@pytest.mark.long
def test_lines_of_page_xml_show_their_text_and_their_baseline(user: Any, tmp_path: Path) -> None:
    path = Path(shutil.copy(DOCUMENTS / "line-transcribed.page.xml", tmp_path))
    reader = Reader(user(path))
    reader.begin()
    reader.key(K.Key_Down)
    assert reader.texts == ["السطر", "الأول", "من", "النص"]
    assert {entry.state for entry in reader.flow.entries} == {State.PLAIN}
    assert reader.progress == "Line 2 of 4"
    boxes = reader.flow.bar.strip.boxes
    assert boxes[0].left() > boxes[-1].right(), "from the right"
    baselines = [stroke for stroke in reader.flow._layer.strokes if stroke.dashed]
    assert len(baselines) == 1
    assert baselines[0].path.boundingRect().getRect()[:3] == (110, 490, 1380)
    run(reader.someone.view, "page.tool-region")
    assert reader.flow.is_on
    reader.stroke((120, 510), (1400, 512), modifier=CTRL)
    reader.release(1400, 512)
    drawn = reader.workspace.document.pages[0].lines[1].baseline
    assert abs(drawn[0][0] - 120) <= 4
    assert abs(drawn[0][1] - 510) <= 4
    shown = next(stroke for stroke in reader.flow._layer.strokes if stroke.dashed)
    assert abs(shown.path.boundingRect().left() - 120) <= 4, "and it is shown where it is now"


@pytest.mark.long
def test_a_line_of_alto_runs_from_left_to_right(user: Any, tmp_path: Path) -> None:
    path = Path(shutil.copy(DOCUMENTS / "line-in-one-string.alto.xml", tmp_path))
    reader = Reader(user(path))
    reader.begin()
    assert reader.texts == ["the", "whole", "line", "of", "text"]
    boxes = reader.flow.bar.strip.boxes
    assert [box.left() for box in boxes] == sorted(box.left() for box in boxes)
    reader.key(K.Key_Right)
    assert reader.flow._current == 1
    reader.key(K.Key_Left)
    assert reader.flow._current == 0


@pytest.mark.long
def test_a_page_without_lines_says_so(user: Any, tmp_path: Path) -> None:
    from tests.gui.page.test_marking_view import write_page

    reader = Reader(user(write_page(tmp_path)))
    reader.canvas.setFocus()
    reader.key("q")
    assert not reader.flow.is_on
    message = reader.someone.window.message_bar.message
    assert message is not None
    assert message.text == "This page has no lines yet."


@pytest.mark.long
def test_the_view_that_gets_another_size_shows_the_line_again(reader: Reader) -> None:
    reader.begin()
    window = reader.someone.window
    window.resize(window.width() - 240, window.height())
    reader.someone.wait(lambda: not reader.flow._fitting.isActive())
    assert 0.84 <= reader.width_of_line() <= 0.96


@pytest.mark.long
def test_in_a_window_from_right_to_left_the_page_is_as_ever(reader: Reader, qapp: Any) -> None:
    """Qt scrolls the other way round in such a window; a page has its left on the left."""
    reader.begin()
    line = bounding_box(reader.someone.polygon(ShapeKey(0))) or (0, 0, 0, 0)
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        reader.key(K.Key_Down)
        reader.key(K.Key_Up)
        view = reader.canvas.viewport().width()
        left, right = (reader.canvas.camera.to_view(QPointF(x, 0)).x() for x in (line[0], line[2]))
        assert left == pytest.approx(view - right, abs=3), "as much paper on either side"
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_places_are_near_the_middles_and_never_over_one_another() -> None:
    assert places([20, 20], [50, 150], 200) == [(40, 20), (140, 20)]
    assert places([40, 40], [50, 60], 200) == [(30, 40), (78, 40)]
    assert places([20, 20, 20], [50, None, 150], 200) == [(40, 20), (68, 20), (140, 20)]
    assert places([40, 40], [180, 190], 200) == [(104, 40), (152, 40)]
    narrow = places([100, 100], [50, 150], 124)
    assert [width for _, width in narrow] == [50, 50]
    assert narrow[0][0] + 50 <= narrow[1][0]
    assert places([], [], 100) == []
