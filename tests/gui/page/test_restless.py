"""Somebody who presses keys and buttons at random: nothing falls, and undo brings the file back."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from madcat_studio.gui.page.asklink import LinkDialog
from madcat_studio.gui.page.shapes import OutlineKind
from tests.gui.helpers import BROKEN, NORMAL, copy_sample, send_move
from tests.gui.page.test_tools import CTRL, LEFT, NONE, SHIFT, Artist, K

KEYS = (
    *"seprfcgownabljyvd",
    *(K.Key_Escape, K.Key_Return, K.Key_Backspace, K.Key_Space, K.Key_Insert, K.Key_Delete),
    *(K.Key_Left, K.Key_Right, K.Key_Up, K.Key_Down, K.Key_Period, K.Key_Comma),
)
HELD = (NONE, NONE, NONE, CTRL, SHIFT, CTRL | SHIFT, Qt.KeyboardModifier.AltModifier)


def restless(artist: Artist, seed: int, events: int) -> None:
    dice = random.Random(seed)
    canvas = artist.canvas
    original = artist.bytes()
    held = False
    for _ in range(events):
        modifier = dice.choice(HELD)
        shapes = canvas.shapes
        kind = dice.choice(list(OutlineKind))
        key = shapes.key(kind, dice.randrange(len(shapes.sets[kind])))
        left, top, right, bottom = shapes.box(key)
        x, y = dice.uniform(left - 40, right + 40), dice.uniform(top - 20, bottom + 20)
        point = artist.view(x, y) if left <= right else artist.view(0, 0)
        what = dice.random()
        if what < 0.3:
            send_move(canvas, point, LEFT if held else Qt.MouseButton.NoButton, modifier)
        elif what < 0.5:
            send = QTest.mouseRelease if held else QTest.mousePress
            held = not held
            send(canvas.viewport(), LEFT, modifier, point)
        elif what < 0.55:
            QTest.mouseDClick(canvas.viewport(), LEFT, NONE, point)
            held = False
        elif what < 0.58:
            artist.workspace.undo()
        elif what < 0.6:
            canvas.camera.zoom_to(dice.choice((0.2, 0.4, 1.0)))
        else:
            pressed = dice.choice(KEYS)
            # With Ctrl some open dialogs, with Alt menus, and nobody is there to answer.
            if isinstance(pressed, str) or pressed in (K.Key_Period, K.Key_Comma):
                artist.key(pressed, SHIFT if what < 0.65 else NONE)
            else:
                artist.key(pressed, modifier if what < 0.75 else NONE)
        if dice.random() < 0.02:
            QApplication.processEvents()
    canvas.tools.cancel()
    QTest.mouseRelease(canvas.viewport(), LEFT, NONE, artist.view(0, 0))
    made = artist.workspace.position
    end = artist.bytes()
    while artist.workspace.can_undo:
        artist.workspace.undo()
    assert artist.bytes() == original
    for _ in range(made):
        artist.workspace.redo()
    assert artist.bytes() == end
    page = artist.workspace.document.pages[0]
    shown = canvas.shapes
    assert len(shown.sets[OutlineKind.LINE]) == len(page.lines)
    for index, word in enumerate(page.words()):
        assert shown.sets[OutlineKind.WORD].points(index).tolist() == [
            list(p) for p in word.polygon
        ]


@pytest.fixture
def answers(monkeypatch) -> None:
    dice = random.Random(5)

    def run(dialog: LinkDialog) -> QDialog.DialogCode:
        dice.choice(dialog.buttons).setChecked(True)
        codes = QDialog.DialogCode
        return codes.Accepted if dice.random() < 0.8 else codes.Rejected

    monkeypatch.setattr(LinkDialog, "exec", run)


@pytest.mark.long
@pytest.mark.parametrize("name", [NORMAL, BROKEN])
def test_a_restless_user(user, tmp_path: Path, answers: None, name: str) -> None:
    artist = Artist(user(copy_sample(name, tmp_path, image=False)))
    artist.canvas.setFocus()
    restless(artist, 7, 200)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20, 24))
def test_a_restless_user_for_long(user, tmp_path: Path, answers: None, seed: int) -> None:
    artist = Artist(user(copy_sample(NORMAL if seed % 3 else BROKEN, tmp_path, image=False)))
    artist.canvas.setFocus()
    restless(artist, seed, 1500)
