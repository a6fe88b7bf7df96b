"""What is begun and not finished belongs to undo, and waits over tools, layers and pages."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint

from tests.gui.helpers import NORMAL, SMALL, can, copy_sample, label, run

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
    return len(someone.view.features.toolbox._polygon._points)


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
