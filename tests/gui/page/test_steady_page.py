"""What must not move under the hand: the page, its size and its zoom."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from madcat_studio.gui.messages import Level, Message
from tests.gui.helpers import NORMAL, SMALL, copy_sample, run


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
