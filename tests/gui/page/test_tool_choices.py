"""Choosing, locking, offers, and what cannot be done, by real mouse and key events."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from madcat_studio.edits.arranging import order_words
from madcat_studio.formats.locks import locks_file
from madcat_studio.gui.page import selectionlayer
from madcat_studio.gui.page.asklink import LinkDialog
from madcat_studio.gui.page.shapes import OutlineKind, ShapeKey
from madcat_studio.gui.settings import SNAP
from madcat_studio.workspace.page import PageWorkspace
from tests.gui.helpers import BROKEN, NORMAL, PageUser, copy_sample
from tests.gui.page.test_tools import ALT, CTRL, SHIFT, Artist, K

WORD, LINE = ShapeKey(2, 2), ShapeKey(2)


@pytest.fixture
def artist(user, tmp_path: Path) -> Artist:
    made = Artist(user(copy_sample(NORMAL, tmp_path, image=False)))
    made.canvas.setFocus()
    return made


def said(someone: PageUser) -> str:
    return someone.window.message_bar.text.text()


@pytest.mark.long
def test_clicks_choose_one_several_and_what_lies_beneath(artist: Artist) -> None:
    canvas = artist.canvas
    place = artist.middle(WORD)
    artist.click(*place)
    assert canvas.selection.keys == [WORD]
    artist.click(*place)
    assert canvas.selection.keys == [LINE], "the same place again: what lies beneath"
    artist.click(*place)
    assert canvas.selection.keys == [WORD], "and round again"
    artist.click(*artist.middle(ShapeKey(3, 0)), CTRL)
    artist.click(*artist.middle(ShapeKey(3, 1)), CTRL)
    assert canvas.selection.keys == [WORD, ShapeKey(3, 0), ShapeKey(3, 1)]
    artist.click(*artist.middle(ShapeKey(3, 0)), CTRL)
    assert canvas.selection.keys == [WORD, ShapeKey(3, 1)]
    artist.key(K.Key_B)
    assert canvas.selection.keys == [ShapeKey(3)]
    assert not artist.workspace.can_undo


@pytest.mark.long
def test_a_frame_chooses_adds_and_takes_out(artist: Artist) -> None:
    canvas = artist.canvas

    def frame(first: ShapeKey, last: ShapeKey, modifier: Qt.KeyboardModifier) -> None:
        boxes = [artist.box(key) for key in (first, last)]
        left, top = (min(box[n] for box in boxes) for n in (0, 1))
        right, bottom = (max(box[n] for box in boxes) for n in (2, 3))
        artist.stroke((right + 40, top - 25), (left - 40, bottom + 25), modifier=modifier)
        artist.release(left - 40, bottom + 25)

    frame(ShapeKey(2, 1), ShapeKey(2, 3), SHIFT)
    assert set(canvas.selection.keys) == {ShapeKey(2, n) for n in (1, 2, 3)}
    frame(ShapeKey(3, 0), ShapeKey(3, 1), CTRL)
    assert len(canvas.selection.keys) == 5
    frame(ShapeKey(2, 1), ShapeKey(2, 2), CTRL | SHIFT)
    assert set(canvas.selection.keys) == {ShapeKey(2, 3), ShapeKey(3, 0), ShapeKey(3, 1)}
    before = canvas.selection.keys
    artist.stroke((100, 100), (4000, 4000), modifier=SHIFT)
    artist.key(K.Key_Escape)
    artist.release(4000, 4000)
    assert canvas.selection.keys == before
    artist.someone.window.commands.named("page.work-on-lines").trigger()
    frame(ShapeKey(2), ShapeKey(3), SHIFT)
    assert {key.kind for key in canvas.selection.keys} == {OutlineKind.LINE}


@pytest.mark.long
def test_keys_choose_a_line_a_page_and_walk_on(artist: Artist, monkeypatch) -> None:
    monkeypatch.setattr(selectionlayer, "_MANY", 20)
    canvas = artist.canvas
    canvas.selection.select([WORD])
    artist.key(K.Key_A)
    assert canvas.selection.keys == [ShapeKey(2, n) for n in range(7)]
    artist.key(K.Key_A, CTRL)
    assert len(canvas.selection.keys) == 43
    assert canvas.base.selected, "many lie in the base layer"
    canvas.selection.select([WORD])
    assert not canvas.base.selected
    artist.key(K.Key_Period, SHIFT)
    artist.key(K.Key_Period, SHIFT)
    assert canvas.selection.keys == [WORD, ShapeKey(2, 3), ShapeKey(2, 4)]
    canvas.camera.zoom_to(1.5)
    for _ in range(8):
        artist.key(K.Key_Period)
        key = canvas.selection.key
        assert canvas.viewport().rect().contains(artist.view(*artist.middle(key)))
    assert canvas.selection.keys == [ShapeKey(3, 5)]


@pytest.mark.long
def test_a_tool_says_what_it_does_and_esc_puts_it_away(artist: Artist) -> None:
    window, canvas = artist.someone.window, artist.canvas
    for key, name, word in (("p", "polygon", "Click where"), ("c", "cut", "stroke across")):
        artist.key(key)
        assert canvas.tools.tool.name == name
        assert window.commands.named(f"page.tool-{name}").isChecked()
        assert word in window._advice.text()
    artist.key("p")
    artist.click(1000, 1000)
    assert "Enter to close" in window._advice.text()
    artist.key(K.Key_Backspace)
    artist.key(K.Key_Escape)
    assert canvas.tools.tool.name == "select"
    assert not artist.workspace.can_undo


@pytest.mark.long
def test_a_locked_line_is_finished_and_stays_so(artist: Artist, tmp_path: Path) -> None:
    someone, canvas = artist.someone, artist.canvas
    original = artist.workspace.path.read_bytes()
    canvas.selection.select([WORD])
    artist.key(K.Key_L)
    assert artist.workspace.undo_label == "Lock a line"
    assert canvas.base.locked
    before = artist.bytes()
    for key, modifier in ((K.Key_Right, CTRL), (K.Key_Down, ALT)):
        artist.key(key, modifier)
        assert "locked" in said(someone)
        someone.window.message_bar.dismiss()
    assert artist.bytes() == before == original
    artist.key("s", CTRL)
    assert artist.workspace.path.read_bytes() == original
    table = locks_file(artist.workspace.path)
    assert table.read_text() == "page\tline\tid\n1\t3\tz2\n"
    again = PageWorkspace.open(artist.workspace.path, folder=tmp_path / "journals")
    assert [line.locked for line in again.document.pages[0].lines].index(True) == 2
    again.close()
    artist.key("z", CTRL)
    assert not canvas.base.locked
    artist.key(K.Key_Right, CTRL)
    assert artist.bytes() != before
    artist.key("z", CTRL)
    artist.key("s", CTRL)
    assert not table.exists()


@pytest.mark.long
def test_a_released_page_is_frozen(artist: Artist) -> None:
    artist.workspace.frozen = "the page is released"
    artist.canvas.selection.select([WORD])
    artist.key(K.Key_Right, CTRL)
    assert "released" in said(artist.someone)
    assert not artist.workspace.can_undo


@pytest.mark.long
def test_points_come_to_rest_on_near_outlines(artist: Artist) -> None:
    artist.canvas.camera.zoom_to(0.5)
    artist.canvas.outlines.reveal([WORD])
    goal = artist.corner(ShapeKey(2, 1), 1)
    near = (goal[0] - 6, goal[1] + 6)
    artist.key(K.Key_N)
    assert artist.someone.window.settings.get(SNAP)
    artist.use("edit", WORD)
    start = artist.corner(WORD, 0)
    artist.stroke(start, near)
    assert not artist.canvas.tools.snap._item._path.isEmpty()
    artist.release(*near)
    assert artist.corner(WORD, 0) == goal
    assert artist.canvas.tools.snap._item._path.isEmpty()
    artist.key("z", CTRL)
    artist.key(K.Key_N)
    artist.stroke(start, near)
    artist.release(*near)
    assert artist.corner(WORD, 0) != goal


@pytest.mark.parametrize("key", [K.Key_J, K.Key_Delete])
def test_giving_up_a_question_changes_nothing(artist: Artist, key: Qt.Key, monkeypatch) -> None:
    asked = []

    def no(dialog: LinkDialog) -> QDialog.DialogCode:
        asked.append([button.text() for button in dialog.buttons])
        return QDialog.DialogCode.Rejected

    monkeypatch.setattr(LinkDialog, "exec", no)
    before = artist.bytes()
    artist.canvas.selection.select([WORD, ShapeKey(2, 3)])
    artist.key(key)
    assert len(asked) == 1
    assert artist.bytes() == before
    assert not artist.workspace.can_undo


@pytest.mark.long
def test_the_question_is_answered_by_key(artist: Artist) -> None:
    """The real dialog, opened by the release of the mouse: 2 marks the second answer."""
    artist.use("cut", WORD)
    left, top, right, bottom = artist.box(WORD)
    middle = (left + right) / 2
    name = artist.workspace.document.pages[0].lines[2].words[2].id
    artist.stroke((middle, top - 30), (middle, bottom + 30))
    seen: list[int] = []

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, LinkDialog)
        QTest.keyClick(dialog.buttons[0], K.Key_2)
        seen.append(dialog.answer())
        QTest.keyClick(dialog.buttons[1], K.Key_Return)

    QTimer.singleShot(50, answer)
    artist.release(middle, bottom + 30)
    assert seen == [1]
    assert artist.workspace.undo_label == "Split a word"
    words = artist.workspace.document.pages[0].lines[2].words
    assert words[3].id == name, "the left-hand part keeps the link and with it the id"


@pytest.mark.long
def test_an_offer_is_shown_left_and_taken(artist: Artist) -> None:
    someone, workspace = artist.someone, artist.workspace
    proposals = next(f for f in someone.view.features if type(f).__name__ == "Proposals")
    original = artist.bytes()
    someone.view.execute(order_words(workspace.document, 0, 2, [1, 0, 2, 4, 3, 5, 6]))
    turned = artist.bytes()
    artist.key(K.Key_O, SHIFT)
    assert proposals.strip.isVisible()
    assert "4 words" in proposals.strip.text.text()
    assert {tag.text for tag in proposals.preview.tags} == {"1", "2", "4", "5"}
    artist.key(K.Key_Escape)
    assert not proposals.strip.isVisible()
    assert artist.bytes() == turned
    artist.key(K.Key_O, SHIFT)
    artist.key(K.Key_Return)
    assert workspace.undo_label == "Order by place"
    assert artist.bytes() == original
    artist.key(K.Key_O, SHIFT)
    assert not proposals.strip.isVisible()
    assert "already" in said(someone)


@pytest.mark.long
def test_lines_are_derived_after_a_look(artist: Artist) -> None:
    someone = artist.someone
    proposals = next(f for f in someone.view.features if type(f).__name__ == "Proposals")
    original = artist.bytes()
    artist.canvas.selection.select([WORD])
    artist.key(K.Key_D)
    someone.wait(proposals.strip.isVisible)
    assert "1 line " in proposals.strip.text.text()
    assert proposals.preview.strokes
    assert artist.bytes() == original
    QTest.keyClick(proposals.strip.take_button, K.Key_Escape)
    assert not proposals.preview.strokes
    artist.key(K.Key_D, SHIFT)
    someone.wait(proposals.strip.isVisible)
    assert "6 lines" in proposals.strip.text.text()
    QTest.keyClick(proposals.strip.take_button, K.Key_Return)
    assert artist.workspace.undo_label == "Derive lines from words"
    after = artist.bytes()
    artist.key("z", CTRL)
    assert artist.bytes() == original
    artist.key("z", CTRL | SHIFT)
    assert artist.bytes() == after


@pytest.mark.long
def test_outlines_are_trimmed_to_their_ink(user, tmp_path: Path) -> None:
    artist = Artist(user(copy_sample(NORMAL, tmp_path)))
    artist.someone.scan_is_there()
    original, before = artist.bytes(), artist.box(WORD)
    artist.canvas.selection.select([WORD, ShapeKey(2, 3)])
    artist.key(K.Key_T)
    artist.someone.wait(lambda: artist.workspace.can_undo)
    assert artist.workspace.undo_label == "Trim 2 outlines to the ink"
    left, top, right, bottom = artist.box(WORD)
    assert before[0] <= left < right <= before[2]
    assert before[1] < top < bottom < before[3]
    artist.key("z", CTRL)
    assert artist.bytes() == original


@pytest.mark.long
def test_a_page_without_an_image_is_edited_all_the_same(artist: Artist) -> None:
    artist.canvas.selection.select([WORD])
    artist.key(K.Key_T)
    assert "no scan" in said(artist.someone)
    assert not artist.workspace.can_undo
    artist.key(K.Key_Right, CTRL)
    assert artist.workspace.undo_label == "Move a word"


@pytest.mark.long
def test_degenerate_outlines_can_be_chosen_and_nothing_falls(user, tmp_path: Path) -> None:
    """Bow ties, outlines of one point or none: every key says why, or does what it can."""
    artist = Artist(user(copy_sample(BROKEN, tmp_path)))
    original = artist.bytes()
    shapes = artist.canvas.shapes
    keys = [shapes.key(kind, n) for kind in OutlineKind for n in range(len(shapes.sets[kind]))]
    assert any(len(shapes.points(key)) < 3 for key in keys)
    for key in keys:
        artist.canvas.selection.select([key])
        for pressed in (K.Key_B, K.Key_Y, K.Key_V, K.Key_A):
            artist.canvas.selection.select([key])
            artist.key(pressed)
        artist.canvas.selection.select([key])
        artist.key(K.Key_Right, CTRL)
        artist.key(K.Key_E)
        artist.key(K.Key_Insert)
        artist.key(K.Key_S)
    for key in keys[:6]:
        left, top, right, bottom = shapes.box(key)
        if left <= right:
            artist.use("cut", key, layer=key.kind)
            artist.stroke(((left + right) / 2, top - 40), ((left + right) / 2 + 3, bottom + 40))
            artist.key(K.Key_Escape)
    while artist.workspace.can_undo:
        artist.workspace.undo()
    assert artist.bytes() == original


@pytest.mark.long
def test_a_drawing_of_nothing_says_so(artist: Artist) -> None:
    for places in (((1000, 1000), (1400, 1000)),):
        artist.use("rectangle")
        artist.stroke(*places)
        artist.release(*places[-1])
        assert "encloses nothing" in said(artist.someone)
    artist.use("cut", WORD)
    artist.stroke((200, 200), (300, 300))
    artist.release(300, 300)
    assert "does not cross" in said(artist.someone)
    assert not artist.workspace.can_undo


@pytest.mark.long
def test_what_lies_on_the_page_is_not_pushed_over_its_edge(artist: Artist) -> None:
    artist.use("edit", WORD)
    x, y = artist.middle(WORD)
    artist.canvas.camera.fit()
    artist.stroke((x, y), (6000, -300))
    artist.release(6000, -300)
    left, top, right, bottom = artist.box(WORD)
    assert (top, right) == (0, 5100)
    artist.key(K.Key_Up, CTRL)
    assert artist.box(WORD) == (left, top, right, bottom)
    artist.key("z", CTRL)
    assert not artist.workspace.can_undo


@pytest.mark.long
def test_arrows_mean_directions_of_a_view_that_is_turned(artist: Artist) -> None:
    artist.canvas.selection.select([WORD])
    before = artist.box(WORD)
    artist.someone.window.commands.named("page.turn-right").trigger()
    artist.key(K.Key_Right, CTRL)
    assert artist.box(WORD)[:2] == (before[0], before[1] - 1)
    artist.someone.window.commands.named("page.turn-left").trigger()
    artist.key("z", CTRL)
    assert artist.box(WORD) == before
    for tool in ("rectangle", "polygon"):
        artist.key(K.Key_N)
        artist.use(tool)
        x, y = artist.corner(WORD, 0)
        artist.press(x + 3, y + 3)
        artist.move(x + 4, y - 3)
        artist.key(K.Key_Escape)
        assert artist.canvas.tools.snap._item._path.isEmpty()
        artist.key(K.Key_N)
