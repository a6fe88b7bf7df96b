"""What is begun and not finished belongs to undo, and waits over tools, layers and pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from madcat_studio.gui.page.asklink import LinkDialog
from madcat_studio.gui.page.shapes import ShapeKey
from tests.gui.helpers import NORMAL, SMALL, can, copy_sample, label, run
from tests.gui.page.test_marking_view import Marker, write_page

CORNERS = [QPoint(200 + 40 * n, 200 + 30 * (n % 2)) for n in range(5)]


def _words(someone) -> int:
    return sum(len(line.words) for line in someone.view.workspace.document.pages[0].lines)


def _begin(someone) -> None:
    """A rectangle, which is finished, then five points of a polygon."""
    run(someone.view, "page.tool-rectangle")
    someone.drag(QPoint(220, 120), QPoint(300, 160))
    run(someone.view, "page.tool-polygon")
    for corner in CORNERS:
        someone.click(corner)


def _points(someone) -> int:
    return len(someone.view.features.toolbox._tools["polygon"]._points)


@pytest.mark.long
def test_undo_takes_point_after_point_and_only_then_what_was_finished(user, tmp_path: Path) -> None:
    someone = user(copy_sample(NORMAL, tmp_path))
    before = _words(someone)
    _begin(someone)
    for left in (4, 3, 2, 1, 0):
        assert can(someone.view, "page.undo")
        assert "the last point" in label(someone.view, "page.undo")
        run(someone.view, "page.undo")
        assert (_points(someone), _words(someone)) == (left, before + 1)
    run(someone.view, "page.undo")
    assert _words(someone) == before


@pytest.mark.long
def test_a_polygon_that_was_begun_waits_over_tools_and_layers(user, tmp_path: Path) -> None:
    someone = user(copy_sample(NORMAL, tmp_path))
    before = _words(someone)
    _begin(someone)
    for tool in ("select", "edit", "polygon"):
        run(someone.view, f"page.tool-{tool}")
        assert _points(someone) == 5
    for _ in range(2):
        run(someone.view, "page.work-on-lines")
    assert _points(someone) == 5
    someone.view.canvas.tools.tool.enter()
    assert (_points(someone), _words(someone)) == (0, before + 2)


@pytest.mark.long
def test_it_waits_on_its_own_page(user, tmp_path: Path) -> None:
    first, second = copy_sample(NORMAL, tmp_path), copy_sample(SMALL, tmp_path)
    someone = user(first)
    _begin(someone)
    someone.window.open(str(second))
    someone.opened(second)
    assert _points(someone) == 0
    someone.window.open(str(first))
    someone.opened(first)
    assert _points(someone) == 5
    someone.view.canvas.tools.cancel()  # Esc gives it up
    assert _points(someone) == 0


@pytest.mark.long
def test_redo_makes_what_undo_took_again_in_the_order_in_which_it_came(
    user, tmp_path: Path
) -> None:
    someone = user(copy_sample(NORMAL, tmp_path))
    before = _words(someone)
    _begin(someone)
    for _ in range(6):
        run(someone.view, "page.undo")
    assert (_points(someone), _words(someone)) == (0, before)
    seen = []
    for _ in range(6):
        assert can(someone.view, "page.redo")
        run(someone.view, "page.redo")
        seen.append((_words(someone) - before, _points(someone)))
    assert seen == [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5)]


@pytest.mark.long
def test_esc_gives_a_polygon_up_and_redo_brings_all_of_it_back(user, tmp_path: Path) -> None:
    someone = user(copy_sample(NORMAL, tmp_path))
    _begin(someone)
    someone.press(Qt.Key.Key_Escape)
    assert _points(someone) == 0
    run(someone.view, "page.redo")
    assert _points(someone) == 5


STROKES = ("rectangle", "freehand", "cut", "give", "order")


def _stroke(someone, tool: str) -> str:
    """Begin a stroke along a line, from its first word on, and do not end it."""
    run(someone.view, f"page.tool-{tool}")
    start, end = someone.at(ShapeKey(2, 0)), someone.at(ShapeKey(2, 1))
    if tool == "cut":
        top, bottom = someone.at(ShapeKey(2, 1), 0), someone.at(ShapeKey(2, 1), 2)
        middle = (top + bottom) / 2
        start, end = QPoint(middle.x(), top.y() - 9), QPoint(middle.x(), bottom.y() + 9)
    elif tool == "give":
        start, end = someone.at(ShapeKey(2, 0)), someone.at(ShapeKey(0, 1))
    elif tool == "order":
        start, end = end, start
    someone.drag(start, end, release=False)
    return tool


def _text(someone) -> str:
    return repr(someone.view.workspace.document.pages[0].lines)


@pytest.fixture
def _first_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which part keeps a link is of no matter here."""

    def run(dialog: LinkDialog) -> QDialog.DialogCode:
        dialog.accept()
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(LinkDialog, "exec", run)


@pytest.mark.long
@pytest.mark.usefixtures("_first_answer")
@pytest.mark.parametrize("tool", STROKES)
def test_a_stroke_that_something_came_between_waits_and_is_ended_by_enter(
    user, tmp_path: Path, tool: str
) -> None:
    first, second = copy_sample(NORMAL, tmp_path), copy_sample(SMALL, tmp_path)
    someone = user(first)
    before, begun = _text(someone), someone.view.canvas.tools.begun
    _stroke(someone, tool)
    points = begun.points(tool)
    assert len(points) > 3
    for other in ("edit", "select"):
        run(someone.view, f"page.tool-{other}")
        assert begun.points(tool) == points
    someone.window.open(str(second))
    someone.opened(second)
    assert begun.points(tool) == []
    someone.window.open(str(first))
    someone.opened(first)
    run(someone.view, f"page.tool-{tool}")
    assert begun.points(tool) == points
    strokes = someone.view.canvas.tools.sketch.strokes
    assert not strokes[0].path.isEmpty()
    assert _text(someone) == before
    someone.press(Qt.Key.Key_Return)
    assert (begun.points(tool), _text(someone) == before) == ([], False)
    run(someone.view, "page.undo")
    assert _text(someone) == before


@pytest.mark.long
@pytest.mark.parametrize("tool", STROKES)
def test_undo_takes_a_stroke_and_redo_brings_it_back(user, tmp_path: Path, tool: str) -> None:
    someone = user(copy_sample(NORMAL, tmp_path))
    begun = someone.view.canvas.tools.begun
    _stroke(someone, tool)
    points = begun.points(tool)
    assert "the stroke" in label(someone.view, "page.undo")
    run(someone.view, "page.undo")
    assert (begun.points(tool), someone.view.workspace.can_undo) == ([], False)
    run(someone.view, "page.redo")
    assert begun.points(tool) == points
    # The next press goes on with it, and the release ends it.
    someone.press(Qt.Key.Key_Escape)
    assert begun.points(tool) == []


@pytest.mark.long
def test_a_click_with_a_stroke_tool_leaves_nothing_behind(user, tmp_path: Path) -> None:
    someone = user(copy_sample(NORMAL, tmp_path))
    run(someone.view, "page.tool-freehand")
    someone.click(CORNERS[0])
    assert not can(someone.view, "page.redo")


@pytest.mark.long
def test_what_is_begun_waits_over_an_orderly_end_and_its_tool_is_taken_again(
    user, tmp_path: Path
) -> None:
    page = copy_sample(NORMAL, tmp_path)
    someone = user(page)
    run(someone.view, "page.tool-polygon")
    for corner in CORNERS:
        someone.click(corner)
    points = someone.view.canvas.tools.begun.points("polygon")
    someone.window.close()
    again = user(page)
    assert again.view.canvas.tools.tool.name == "polygon"
    assert again.view.canvas.tools.begun.points("polygon") == points
    assert " is back." in again.window.message_bar.message.text


# While marking


def test_corners_while_marking_wait_and_are_taken_back_one_by_one(user, tmp_path: Path) -> None:
    someone = user(write_page(tmp_path, scan=False))
    marker = Marker(someone)
    marker.key(Qt.Key.Key_N)  # not the first word that is open
    for corner in ((500, 100), (400, 100), (400, 200)):
        marker.click(*corner)
    begun, word = someone.view.canvas.tools.begun, marker.marking.current
    assert len(begun.points("mark")) == 3
    run(someone.view, "page.undo")
    run(someone.view, "page.redo")
    run(someone.view, "page.tool-edit")  # which leaves marking
    assert marker.feature.marking is None
    run(someone.view, "page.mark")
    assert (len(begun.points("mark")), marker.marking.current) == (3, word)
    marker.key(Qt.Key.Key_Return)
    assert begun.points("mark") == []
    assert marker.marking.links.word_of[word] == (0, 0, 0)


@pytest.mark.long
def test_what_is_said_of_an_extra_word_waits(user, tmp_path: Path) -> None:
    someone = user(write_page(tmp_path, scan=False))
    marker = Marker(someone)
    marker.key(Qt.Key.Key_E)
    QTest.keyClicks(marker.feature.bar.box, "abc")
    for corner in ((500, 100), (400, 100), (400, 200)):
        marker.click(*corner)
    marker.key(Qt.Key.Key_Return)
    outline = ((500, 100), (400, 100), (400, 200))
    run(someone.view, "page.tool-edit")
    run(someone.view, "page.mark")
    assert marker.feature.bar.box.text() == "abc"
    assert marker.feature.outlines()[0] == outline
    marker.feature.bar.box.setFocus()
    QTest.keyClick(marker.feature.bar.box, Qt.Key.Key_Return)
    segment = someone.view.workspace.document.sections[0].segments[0]
    assert "abc" in [token.source for token in segment.tokens]
    assert someone.view.canvas.tools.begun.waiting() == []


# Half of a link


@pytest.mark.long
def test_half_of_a_link_waits_and_belongs_to_undo(user, tmp_path: Path) -> None:
    someone = user(copy_sample(NORMAL, tmp_path))
    view = someone.view
    someone.click(someone.at(ShapeKey(2, 1)))
    token = view.features.tokens._token
    assert token is not None
    run(view, "page.unlink")
    view.canvas.selection.clear()
    view.features.tokens.begin_linking()
    assert (view.canvas.tools.tool.name, view.features.tokens._waiting_token) == ("link", token)
    run(view, "page.undo")
    assert (view.canvas.tools.tool.name, view.features.tokens._waiting_token) == ("select", None)
    run(view, "page.redo")
    assert (view.canvas.tools.tool.name, view.features.tokens._waiting_token) == ("link", token)
    run(view, "page.tool-edit")
    assert view.features.tokens._waiting_token == token
    assert "link" in label(view, "page.undo")
    view.features.tokens.begin_linking()
    someone.click(someone.at(ShapeKey(2, 1)))
    assert view.choice.links.word_of[token] == (0, 2, 1)
    assert view.features.tokens._waiting_token is None
    run(view, "page.undo")
    assert token not in view.choice.links.word_of


@pytest.mark.long
def test_a_region_that_was_begun_waits(user, tmp_path: Path) -> None:
    someone = user(copy_sample(NORMAL, tmp_path))
    view, begun = someone.view, someone.view.canvas.tools.begun
    view.features.regions.take()
    size = view.canvas.viewport().size()
    start = QPoint(size.width() // 2, int(size.height() * 0.7))
    someone.drag(start, start + QPoint(60, 40), release=False)
    run(view, "page.tool-edit")
    assert begun.has("region")
    view.features.regions.take()
    before = len(view.workspace.document.pages[0].regions)
    someone.press(Qt.Key.Key_Return)
    assert len(view.workspace.document.pages[0].regions) == before + 1
    assert not begun.has("region")
    run(view, "page.undo")
    assert len(view.workspace.document.pages[0].regions) == before
