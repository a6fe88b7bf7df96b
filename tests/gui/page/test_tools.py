"""Every gesture by real mouse and key events: given up, made, undone and made again."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from madcat_studio.formats.madcat_writer import write
from madcat_studio.gui.page.asklink import LinkDialog
from madcat_studio.gui.page.shapes import OutlineKind, ShapeKey
from tests.gui.helpers import NORMAL, PageUser, copy_sample, send_move

LEFT = Qt.MouseButton.LeftButton
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
K = Qt.Key
WORD, LINE = ShapeKey(2, 2), ShapeKey(2)


class Artist:
    """Somebody who draws on the sample page, in stored pixels."""

    def __init__(self, someone: PageUser) -> None:
        self.someone = someone
        self.canvas = someone.view.canvas
        self.workspace = someone.view.workspace
        assert self.workspace is not None
        self.answers: list[int | None] = []

    def bytes(self) -> bytes:
        return write(self.workspace.document, self.workspace.source)

    def view(self, x: float, y: float) -> QPoint:
        return self.canvas.camera.to_view(QPointF(x, y)).toPoint()

    def press(self, x: float, y: float, modifier: Qt.KeyboardModifier = NONE) -> None:
        QTest.mousePress(self.canvas.viewport(), LEFT, modifier, self.view(x, y))

    def move(self, x: float, y: float) -> None:
        send_move(self.canvas, self.view(x, y))

    def release(self, x: float, y: float) -> None:
        QTest.mouseRelease(self.canvas.viewport(), LEFT, NONE, self.view(x, y))

    def stroke(self, *places: tuple[float, float], modifier: Qt.KeyboardModifier = NONE) -> None:
        """Press at the first place and move through the others, without letting go."""
        self.press(*places[0], modifier)
        for (x0, y0), (x1, y1) in itertools.pairwise(places):
            for step in range(1, 5):
                self.move(x0 + (x1 - x0) * step / 4, y0 + (y1 - y0) * step / 4)

    def click(self, x: float, y: float, modifier: Qt.KeyboardModifier = NONE) -> None:
        QTest.mouseClick(self.canvas.viewport(), LEFT, modifier, self.view(x, y))

    def key(self, *arguments: object) -> None:
        QTest.keyClick(self.canvas, *arguments)

    def keys(self, *keys: Qt.Key) -> None:
        for key in keys:
            self.key(key)

    def cross_to(self, x: float, y: float) -> None:
        """Bring the mouse to a place and nudge the cross, so that the keys begin there."""
        send_move(self.canvas, self.view(x, y), Qt.MouseButton.NoButton)
        self.keys(K.Key_Right, K.Key_Left)

    def use(self, tool: str, *chosen: ShapeKey, layer: OutlineKind = OutlineKind.WORD) -> None:
        if (self.canvas.tools.layer is OutlineKind.LINE) != (layer is OutlineKind.LINE):
            self.someone.window.commands.named("page.work-on-lines").trigger()
        self.canvas.selection.select(chosen)
        self.key({"select": "s", "edit": "e", "polygon": "p", "rectangle": "r"}.get(tool, tool[0]))
        assert self.canvas.tools.tool.name == tool

    def box(self, key: ShapeKey) -> tuple[float, float, float, float]:
        assert self.canvas.shapes is not None
        return self.canvas.shapes.box(key)

    def middle(self, key: ShapeKey) -> tuple[float, float]:
        left, top, right, bottom = self.box(key)
        return (left + right) / 2, (top + bottom) / 2

    def corner(self, key: ShapeKey, vertex: int) -> tuple[float, float]:
        x, y = self.canvas.shapes.points(key)[vertex].tolist()
        return x, y


@pytest.fixture
def artist(user, tmp_path: Path, monkeypatch) -> Artist:
    made = Artist(user(copy_sample(NORMAL, tmp_path, image=False)))
    made.canvas.camera.zoom_to(0.4)
    made.canvas.outlines.reveal([WORD])
    made.canvas.setFocus()

    def run(dialog: LinkDialog) -> QDialog.DialogCode:
        answer = made.answers.pop(0)
        if answer is None:
            return QDialog.DialogCode.Rejected
        dialog.buttons[answer].setChecked(True)
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(LinkDialog, "exec", run)
    return made


class Case(NamedTuple):
    """A gesture: what is in the hand, how it begins, how it ends, and its name in the history."""

    name: str
    ready: Callable[[Artist], None]
    begin: Callable[[Artist], None]
    end: Callable[[Artist], None]
    label: str


def _cut_places(a: Artist, key: ShapeKey) -> list[tuple[float, float]]:
    left, top, right, bottom = a.box(key)
    x = left + 0.37 * (right - left)
    return [(x, top - 30), (x + 5, bottom + 30)]


def _let_go(a: Artist) -> None:
    QTest.mouseRelease(a.canvas.viewport(), LEFT, NONE, a.at)  # type: ignore[attr-defined]


def _stroke(*places: tuple[float, float]) -> Callable[[Artist], None]:
    def begin(a: Artist) -> None:
        a.stroke(*places)
        a.at = a.view(*places[-1])

    return begin


def _stroke_by(find: Callable[[Artist], list[tuple[float, float]]]) -> Callable[[Artist], None]:
    return lambda a: _stroke(*find(a))(a)


def _moved(key: ShapeKey, vertex: int | None, by: tuple[float, float]) -> Callable[[Artist], None]:
    def find(a: Artist) -> list[tuple[float, float]]:
        x, y = a.middle(key) if vertex is None else a.corner(key, vertex)
        return [(x, y), (x + by[0], y + by[1])]

    return _stroke_by(find)


def _edge(a: Artist) -> list[tuple[float, float]]:
    (x0, y0), (x1, y1) = a.corner(WORD, 0), a.corner(WORD, 1)
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    return [(x, y), (x, y - 60)]


def _mark_two(a: Artist) -> None:
    a.use("edit", WORD)
    left, top, right, _ = a.box(WORD)
    a.stroke((left - 20, top - 20), (right + 20, top + 20), modifier=SHIFT)
    a.release(right + 20, top + 20)
    assert len(a.canvas.selection.marked) == 2


def _three_clicks(a: Artist) -> None:
    for x, y in ((4300, 250), (3900, 250), (3900, 420)):
        a.click(x, y)


def _keyed_corners(a: Artist) -> None:
    a.cross_to(4300, 250)
    for key in (K.Key_Space, K.Key_Left, K.Key_Space, K.Key_Down):
        for _ in range(1 if key == K.Key_Space else 9):
            a.key(key)
    a.key(K.Key_Space)


def _keyed_drag(a: Artist) -> None:
    a.cross_to(4300, 250)
    a.key(K.Key_Space)
    for key in (K.Key_Left, K.Key_Down):
        a.key(key, SHIFT)
        a.keys(key, key)


def _keyed_ring(a: Artist) -> None:
    a.cross_to(4300, 250)
    a.key(K.Key_Space)
    for key in (K.Key_Left, K.Key_Down, K.Key_Right):
        for _ in range(6):
            a.key(key)


def _keyed_cut(a: Artist) -> None:
    (x, y), _ = _cut_places(a, WORD)
    a.cross_to(x, y)
    a.key(K.Key_Space)
    for _ in range(18):
        a.key(K.Key_Down)


def _answer(*answers: int | None) -> Callable[[Artist], None]:
    def end(a: Artist) -> None:
        a.answers = list(answers)
        _let_go(a)
        assert not a.answers

    return end


def _nothing(_: Artist) -> None:
    return None


def _press(*keys: object) -> Callable[[Artist], None]:
    return lambda a: a.key(*keys)


def _simplify(a: Artist) -> None:
    """Each time by more, until a vertex can go."""
    for _ in range(8):
        if not a.workspace.can_undo:
            a.key(K.Key_Y)


def _use(
    tool: str, *chosen: ShapeKey, layer: OutlineKind = OutlineKind.WORD
) -> Callable[[Artist], None]:
    return lambda a: a.use(tool, *chosen, layer=layer)


def _through(*keys: ShapeKey) -> Callable[[Artist], None]:
    return _stroke_by(lambda a: [a.middle(key) for key in keys])


MOUSE = [
    Case(
        "vertex", _use("edit", WORD), _moved(WORD, 0, (40, -30)), _let_go, "Move a vertex of a word"
    ),
    Case("edge", _use("edit", WORD), _stroke_by(_edge), _let_go, "Move an edge of a word"),
    Case("whole", _use("edit", WORD), _moved(WORD, None, (60, 40)), _let_go, "Move a word"),
    Case(
        "several",
        _use("edit", ShapeKey(2, 1), WORD),
        _moved(WORD, None, (25, 25)),
        _let_go,
        "Move 2 words",
    ),
    Case("vertices", _mark_two, _moved(WORD, 0, (30, 30)), _let_go, "Move 2 vertices of a word"),
    Case(
        "new vertex",
        _use("edit", WORD),
        lambda a: a.press(*_edge(a)[0]),
        lambda a: a.release(*_edge(a)[0]),
        "Add a vertex to a word",
    ),
    Case("polygon", _use("polygon"), _three_clicks, _press(K.Key_Return), "Draw a word"),
    Case("rectangle", _use("rectangle"), _stroke((4300, 250), (3900, 420)), _let_go, "Draw a word"),
    Case(
        "freehand",
        _use("freehand", layer=OutlineKind.LINE),
        _stroke((4300, 250), (3900, 260), (3900, 420), (4290, 400)),
        _let_go,
        "Draw a line",
    ),
    Case(
        "cut",
        _use("cut", WORD),
        _stroke_by(lambda a: _cut_places(a, WORD)),
        _answer(1),
        "Split a word",
    ),
    Case(
        "cut a line",
        _use("cut", LINE, layer=OutlineKind.LINE),
        _stroke_by(lambda a: _cut_places(a, LINE)),
        _let_go,
        "Split a line",
    ),
    Case(
        "give",
        _use("give", WORD),
        _through(WORD, ShapeKey(3, 2)),
        _let_go,
        "Move a word to another line",
    ),
    Case(
        "order words",
        _use("order"),
        _through(ShapeKey(2, 3), ShapeKey(2, 2), ShapeKey(2, 1)),
        _let_go,
        "Change the order of words",
    ),
    Case(
        "order lines",
        _use("order", layer=OutlineKind.LINE),
        _through(ShapeKey(2), ShapeKey(1)),
        _let_go,
        "Change the order of lines",
    ),
    Case(
        "vertex with the choosing tool",
        _use("select", WORD),
        _moved(WORD, 2, (-30, 30)),
        _let_go,
        "Move a vertex of a word",
    ),
]
KEYS = [
    Case("polygon", _use("polygon"), _keyed_corners, _press(K.Key_Return), "Draw a word"),
    Case("rectangle", _use("rectangle"), _keyed_drag, _press(K.Key_Space), "Draw a word"),
    Case(
        "freehand",
        _use("freehand", layer=OutlineKind.LINE),
        _keyed_ring,
        _press(K.Key_Space),
        "Draw a line",
    ),
    Case(
        "cut",
        lambda a: (a.use("cut", WORD), setattr(a, "answers", [0])),
        _keyed_cut,
        _press(K.Key_Space),
        "Split a word",
    ),
    Case("nudge", _use("edit", WORD), _nothing, _press(K.Key_Right, CTRL), "Move a word"),
    Case(
        "far nudge", _use("select", LINE), _nothing, _press(K.Key_Up, CTRL | SHIFT), "Move a line"
    ),
    Case(
        "nudge vertices", _mark_two, _nothing, _press(K.Key_Up, CTRL), "Move 2 vertices of a word"
    ),
    Case(
        "new vertex",
        lambda a: (a.use("edit", WORD), a.key(K.Key_V)),
        _nothing,
        _press(K.Key_Insert),
        "Add a vertex to a word",
    ),
    Case(
        "delete vertices",
        lambda a: (
            a.use("edit", LINE, layer=OutlineKind.LINE),
            a.canvas.selection.mark_vertices([1, 3]),
        ),
        _nothing,
        _press(K.Key_Delete),
        "Delete 2 vertices of a line",
    ),
    Case(
        "remove",
        lambda a: (a.use("select", WORD), setattr(a, "answers", [0])),
        _nothing,
        _press(K.Key_Delete),
        "Remove a word",
    ),
    Case(
        "merge, keep one link",
        lambda a: (a.use("select", WORD, ShapeKey(2, 1)), setattr(a, "answers", [1])),
        _nothing,
        _press(K.Key_J),
        "Merge 2 words",
    ),
    Case(
        "merge, join the tokens",
        lambda a: (a.use("select", WORD, ShapeKey(2, 1)), setattr(a, "answers", [2])),
        _nothing,
        _press(K.Key_J),
        "Merge 2 words",
    ),
    Case(
        "merge lines",
        _use("select", LINE, ShapeKey(3)),
        _nothing,
        _press(K.Key_J),
        "Merge 2 lines",
    ),
    Case(
        "to the next line",
        _use("give", WORD),
        _nothing,
        _press(K.Key_Down, ALT),
        "Move a word to another line",
    ),
    Case(
        "later",
        _use("select", WORD),
        _nothing,
        _press(K.Key_Left, ALT),
        "Change the order of words",
    ),
    Case(
        "earlier",
        _use("select", LINE),
        _nothing,
        _press(K.Key_Right, ALT),
        "Change the order of lines",
    ),
    Case("simplify", _use("select", LINE), _nothing, _simplify, "Simplify a line"),
]


def _make_and_take_back(a: Artist, case: Case) -> None:
    before, steps = a.bytes(), a.workspace.position
    case.ready(a)
    case.begin(a)
    case.end(a)
    assert a.workspace.undo_label == case.label, case.name
    assert a.workspace.position == steps + 1, case.name
    after = a.bytes()
    assert after != before, case.name
    texts = [(s.transcription, s.translation) for s in a.workspace.document.segments()]
    a.key("z", CTRL)
    assert a.bytes() == before, case.name
    assert [(s.transcription, s.translation) for s in a.workspace.document.segments()] == texts
    a.key("z", CTRL | SHIFT)
    assert a.bytes() == after, case.name
    a.key("z", CTRL)
    assert a.bytes() == before, case.name
    assert a.canvas.shapes.points(WORD).tolist() == [
        list(point) for point in a.workspace.document.pages[0].lines[2].words[2].polygon
    ]


@pytest.mark.long
def test_every_gesture_with_the_mouse(artist: Artist) -> None:
    """Esc in the middle leaves the file's bytes; made, undone and made again it is one step."""
    original = artist.bytes()
    for case in MOUSE:
        case.ready(artist)
        chosen = artist.canvas.selection.keys
        case.begin(artist)
        artist.key(K.Key_Escape)
        assert artist.bytes() == original, case.name
        assert not artist.workspace.can_undo, case.name
        assert artist.canvas.selection.keys == chosen, case.name
        _let = getattr(artist, "at", None)
        if _let is not None:  # the hand lets go after all: nothing may come of it
            QTest.mouseRelease(artist.canvas.viewport(), LEFT, NONE, _let)
        assert artist.bytes() == original, case.name
    for case in MOUSE:
        _make_and_take_back(artist, case)
    assert artist.bytes() == original


@pytest.mark.long
def test_every_gesture_with_keys(artist: Artist) -> None:
    original = artist.bytes()
    for case in KEYS:
        if case.begin is _nothing:
            continue
        case.ready(artist)
        case.begin(artist)
        artist.key(K.Key_Escape)
        assert artist.bytes() == original, case.name
        assert not artist.workspace.can_undo, case.name
        artist.canvas.tools.cancel()
    artist.answers.clear()
    for case in KEYS:
        _make_and_take_back(artist, case)
        assert not artist.answers, case.name
