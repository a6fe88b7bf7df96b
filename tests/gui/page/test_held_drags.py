"""A drag lasts: a kill in the middle loses a moment of it, and what comes between lets it go."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QApplication

from madcat_studio.formats.documents import write
from madcat_studio.gui.page.regions.parts import Part
from madcat_studio.gui.page.shapes import OutlineKind, ShapeKey
from madcat_studio.workspace.journal import journal_folder
from madcat_studio.workspace.page import PageWorkspace
from tests.gui.helpers import NORMAL, SMALL, PageUser, copy_sample, run
from tests.gui.page.test_regions import Layouter, table
from tests.gui.page.test_tools import CTRL, LINE, WORD, Artist, artist

__all__ = ["artist", "table"]
K = Qt.Key
OTHER = ShapeKey(2, 0)


def vertex(a: Artist) -> None:
    a.use("select", WORD)
    x, y = a.corner(WORD, 1)
    a.stroke((x, y), (x + 40, y + 25))


def edge(a: Artist) -> None:
    a.use("edit", WORD)
    (x0, y0), (x1, y1) = a.corner(WORD, 0), a.corner(WORD, 1)
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    a.stroke((x, y), (x, y - 40))


def vertices(a: Artist) -> None:
    a.use("edit", WORD)
    a.canvas.selection.mark_vertices([0, 1])
    x, y = a.corner(WORD, 1)
    a.stroke((x, y), (x + 30, y - 35))


def word(a: Artist) -> None:
    a.use("edit", WORD)
    x, y = a.middle(WORD)
    a.stroke((x, y), (x + 50, y + 30))


def several(a: Artist) -> None:
    a.use("edit", OTHER, WORD)
    x, y = a.middle(WORD)
    a.stroke((x, y), (x - 30, y + 30))


def line(a: Artist) -> None:
    a.use("edit", LINE, layer=OutlineKind.LINE)
    x, y = a.corner(LINE, 0)
    a.stroke((x, y), (x + 30, y + 30))


DRAGS = {one.__name__: one for one in (vertex, edge, vertices, word, several, line)}


def records(kind: str) -> list[dict[str, Any]]:
    """The records of a kind in the journal of the page that is open."""
    found = [
        json.loads(line)
        for path in journal_folder().glob("*.journal")
        for line in path.read_bytes().splitlines()
    ]
    return [each for each in found if each.get("kind") == kind]


def bytes_of(workspace: PageWorkspace) -> bytes:
    return write(workspace.document, workspace.source)


@pytest.fixture
def recovered(tmp_path: Path) -> Iterator[Callable[[Path], PageWorkspace]]:
    """What a start after a kill at this moment would have: the files as they are on the disk."""
    with ExitStack() as stack:

        def recover(page: Path) -> PageWorkspace:
            left = tmp_path / "left"
            shutil.rmtree(left, ignore_errors=True)
            shutil.copytree(journal_folder(), left)
            workspace = PageWorkspace.open(page, folder=left)
            stack.callback(workspace.close, discard=True)
            workspace.recover()
            return workspace

        yield recover


@pytest.mark.long
@pytest.mark.parametrize("drag", DRAGS)
def test_half_a_drag_is_there_after_a_kill(artist: Artist, recovered, drag: str) -> None:
    DRAGS[drag](artist)
    artist.someone.wait(lambda: bool(records("held")))
    left = recovered(artist.workspace.path)
    # The hand lets go there: what would have become of it.
    a = artist
    a.canvas.tools.leave_gesture("the end of the test")
    assert (a.workspace.position, left.position) == (1, 1)
    assert left.undo_label == a.workspace.undo_label
    assert bytes_of(left) == a.bytes() != a.workspace.source.data
    left.undo()
    assert bytes_of(left) == a.workspace.source.data
    # What became an edit is held no more.
    assert recovered(a.workspace.path).position == 1


@pytest.mark.long
@pytest.mark.parametrize("drag", ["vertex", "several"])
@pytest.mark.parametrize("key", [(K.Key_Escape,), (K.Key_Z, CTRL)], ids=["Esc", "undo"])
def test_what_is_put_back_is_not_there_after_a_kill(
    artist: Artist, recovered, drag: str, key: tuple[object, ...]
) -> None:
    DRAGS[drag](artist)
    artist.someone.wait(lambda: bool(records("held")))
    if key[0] == K.Key_Z:
        run(artist.someone.view, "page.undo")
    else:
        artist.key(*key)
    assert artist.workspace.position == 0
    assert bytes_of(recovered(artist.workspace.path)) == artist.workspace.source.data


def _focus(a: Artist) -> None:
    QApplication.sendEvent(a.canvas, QFocusEvent(QEvent.Type.FocusOut))


BETWEEN: dict[str, Callable[[Artist], None]] = {
    "another tool": lambda a: run(a.someone.view, "page.tool-polygon"),
    "another window": _focus,
    "another press": lambda a: a.press(*a.middle(OTHER)),
    "the end": lambda a: a.canvas.settle_now(),
}


@pytest.mark.long
@pytest.mark.parametrize("drag", ["vertex", "several"])
@pytest.mark.parametrize("between", BETWEEN)
def test_what_comes_between_lets_it_go_where_it_is(artist: Artist, drag: str, between: str) -> None:
    before = artist.someone.polygon(WORD)
    DRAGS[drag](artist)
    BETWEEN[between](artist)
    assert artist.workspace.position == 1
    assert artist.someone.polygon(WORD) != before
    run(artist.someone.view, "page.undo")
    assert artist.someone.polygon(WORD) == before


@pytest.mark.long
def test_another_document_lets_it_go_on_the_page_where_it_began(user, tmp_path: Path) -> None:
    first, second = copy_sample(NORMAL, tmp_path), copy_sample(SMALL, tmp_path)
    someone: PageUser = user(tmp_path)
    someone.opened(first)
    made = Artist(someone)
    workspace = someone.view.workspace
    made.canvas.camera.zoom_to(0.4)
    made.canvas.outlines.reveal([WORD])
    vertex(made)
    someone.window.open(str(second))
    someone.opened(second)
    assert someone.view.workspace.position == 0
    assert workspace.position == 1
    assert bytes_of(workspace) != workspace.source.data


@pytest.mark.long
def test_what_is_locked_is_not_held(artist: Artist) -> None:
    """It will be refused when the hand lets go; a kill may not make it either."""
    artist.use("edit", WORD)
    run(artist.someone.view, "page.lock")
    x, y = artist.middle(WORD)
    artist.stroke((x, y), (x + 50, y + 30))
    gesture = artist.canvas.tools._gesture
    artist.someone.wait(lambda: not gesture._soon.isActive())
    assert records("held") == []
    artist.key(K.Key_Escape)


@pytest.mark.long
@pytest.mark.parametrize("grip", ["vertex", "whole"])
def test_half_a_drag_of_a_region_goes_on_after_a_kill(
    table: Layouter, user, home: Path, grip: str
) -> None:
    number = len(table.page.regions) - 1
    table.regions._on_row(number)
    places = table.page.regions[number].polygon
    xs, ys = [x for x, _ in places], [y for _, y in places]
    middle = (sum(xs) / len(xs), sum(ys) / len(ys))
    x, y = places[0] if grip == "vertex" else middle
    table.stroke((x, y), (x - 40, y - 30))
    path = table.path
    journals = home / "left"
    shutil.copytree(journal_folder(), journals)
    table.canvas.tools.cancel()
    table.someone.window.close()
    for file in journals.iterdir():
        shutil.copy(file, journal_folder() / file.name)
    again = user(path)
    assert again.view.features.regions.is_on
    assert again.view.features.regions.chosen == Part(number)
    again.press(K.Key_Return)
    assert again.view.workspace.undo_label == "Change the outline of a region"
    moved = again.view.workspace.document.pages[0].regions[number].polygon
    assert [a != b for a, b in zip(moved, places, strict=True)] == [
        grip == "whole" or n == 0 for n in range(len(places))
    ]
