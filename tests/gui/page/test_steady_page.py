"""What must not move under the hand: the page, its size and its zoom."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt

from madcat_studio.gui.messages import Level, Message
from madcat_studio.gui.page.camera import _shift
from tests.gui.helpers import NORMAL, SMALL, copy_sample, run


@pytest.mark.long
@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("text", ["Saved.", "A long text. " * 60])
def test_a_message_moves_nothing(user, qtbot, tmp_path: Path, level: Level, text: str) -> None:
    someone = user(copy_sample(NORMAL, tmp_path))
    canvas, bar = someone.view.canvas, someone.window.message_bar
    bar.dismiss()
    qtbot.wait(20)
    before = (canvas.geometry(), canvas.viewport().size(), canvas.camera.scale(),
              canvas.camera.centre())  # fmt: skip
    bar.show_message(Message(level, text))
    qtbot.wait(20)
    assert bar.isVisible()
    assert (canvas.geometry(), canvas.viewport().size(), canvas.camera.scale(),
            canvas.camera.centre()) == before  # fmt: skip
    assert bar.text.height() >= bar.text.heightForWidth(bar.text.width())  # whole
    assert bar.geometry().bottom() < someone.window.stack.height()


@pytest.mark.long
def test_saving_moves_nothing(user, qtbot, tmp_path: Path) -> None:
    someone = user(copy_sample(NORMAL, tmp_path))
    canvas = someone.view.canvas
    run(someone.view, "page.actual-size")
    qtbot.wait(20)
    before = (canvas.viewport().size(), canvas.camera.scale(), canvas.camera.centre())
    run(someone.view, "page.save")
    qtbot.wait(20)
    assert someone.window.message_bar.isVisible()
    assert (canvas.viewport().size(), canvas.camera.scale(), canvas.camera.centre()) == before


@pytest.mark.long
@pytest.mark.parametrize("turn", [0, 90])
def test_the_zoom_is_kept_over_pages(user, tmp_path: Path, turn: int) -> None:
    first = copy_sample(NORMAL, tmp_path)
    second = copy_sample(SMALL, tmp_path)
    someone = user(first)
    camera = someone.view.canvas.camera
    camera.set_turn(turn)
    run(someone.view, "page.actual-size")
    assert camera.scale() == 1.0 != camera.fitting_scale()
    someone.window.open(str(second))
    someone.opened(second)
    assert camera.scale() == 1.0
    # From its top, as it is seen.
    top = camera.turned_page().top()
    assert camera.turning().mapRect(camera.in_view()).top() <= top
    run(someone.view, "page.fit")
    someone.window.open(str(first))
    someone.opened(first)
    assert camera.scale() == camera.fitting_scale()


@pytest.mark.long
@pytest.mark.parametrize("width", [1600, 1100])
def test_segments_are_as_high_as_their_texts_whatever_takes_width(
    user, qtbot, tmp_path: Path, width: int
) -> None:
    someone = user(copy_sample(NORMAL, tmp_path))
    side = someone.view.side
    rows = side.segment_list
    someone.window.resize(width, 1000)
    side.resize(side.width(), 700)
    rows.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    for taken in (0, 150):
        rows.setViewportMargins(0, 0, taken, 0)  # only the width changes, as where a bar comes
        qtbot.wait(30)
        for row in range(side.segment_model.rowCount()):
            index = side.segment_model.index(row)
            painted = rows.visualRect(index)
            segment = index.data(side.segment_model.SEGMENT)
            arabic, english = side.segment_delegate._blocks(segment, painted.width())
            assert painted.width() == rows.viewport().width()
            assert painted.height() >= arabic.height + english.height + 18
            following = rows.visualRect(side.segment_model.index(row + 1))
            assert not following.isValid() or following.top() > painted.bottom()


@pytest.mark.parametrize(
    ("box", "page", "by"),
    [
        ((20, 40), (-50, 300), 0),  # in view
        ((150, 170), (-50, 300), -110),  # to the middle
        ((-40, -30), (-50, 300), 50),  # no farther than the page goes: its beginning
        ((280, 290), (-50, 300), -200),  # and its end
        ((120, 130), (30, 130), -30),  # a page that has room stays whole
        ((10, 140), (0, 150), -25),  # a box without room: its middle
    ],
)
def test_what_is_brought_into_view_moves_no_farther_than_it_must(box, page, by: float) -> None:
    assert _shift(box, (0, 100), *page) == by


@pytest.mark.long
def test_a_walk_down_a_page_as_wide_as_the_view_moves_nothing_sideways(user, tmp_path) -> None:
    someone = user(copy_sample(NORMAL, tmp_path, image=False))
    camera, view = someone.view.canvas.camera, someone.view
    someone.window.resize(1200, 560)
    someone.wait(lambda: camera.rect().height() < 500)
    camera.fit_width()
    left, tops = camera.to_view(QPointF(0, 0)).x(), set()
    words = sum(len(line.words) for line in view.workspace.document.pages[0].lines)
    for _ in range(words):
        someone.press(Qt.Key.Key_Period)
        box = QRectF(camera.rect())
        assert box.contains(QPointF(someone.at(view.canvas.selection.key)))
        place = camera.to_view(QPointF(0, 0))
        assert abs(place.x() - left) <= 1
        tops.add(round(place.y()))
    assert len(tops) > 1, "and it did move down"
