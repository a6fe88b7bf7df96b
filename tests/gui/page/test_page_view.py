from __future__ import annotations

import gc
import shutil
import sys
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from madcat_studio.edits import MoveVertex, Outline
from madcat_studio.formats.madcat import read
from madcat_studio.gui.page.shapes import OutlineKind, ShapeKey
from madcat_studio.gui.settings import AUTOSAVE
from tests.gui.helpers import BROKEN, NORMAL, SMALL, TWO_PAGES, copy_sample, run, send_move

ALT = Qt.KeyboardModifier.AltModifier
LEFT = Qt.MouseButton.LeftButton
LINE = ShapeKey(1)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return copy_sample(NORMAL, tmp_path)


def wheel(canvas, point: QPoint, steps: int, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
    viewport = canvas.viewport()
    event = QWheelEvent(
        QPointF(point),
        QPointF(viewport.mapToGlobal(point)),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(viewport, event)


# Opening


@pytest.mark.long
def test_a_page_opens_fitted_with_its_texts(user, page: Path) -> None:
    someone = user(page)
    someone.scan_is_there()
    view = someone.view
    assert view.canvas.camera.scale() == pytest.approx(view.canvas.camera.fitting_scale())
    assert view.side.segment_model.rowCount() == 3
    assert view.page_label.text() == "1 / 1"
    assert someone.window.windowTitle() == f"{NORMAL}[*] – MADCAT Studio"
    assert not someone.window.isWindowModified()
    assert view.notice.isHidden()


@pytest.mark.long
def test_a_missing_image_can_be_located(user, tmp_path: Path, monkeypatch) -> None:
    path = copy_sample(NORMAL, tmp_path / "pages", image=False)
    someone = user(path)
    view = someone.view
    assert view.notice.isVisible()
    assert f"{NORMAL}.tif" in view.notice.text.text()
    assert view.canvas.base.page_rect().width() == 5100
    other = tmp_path / "elsewhere.tif"
    shutil.copy(Path("tests/data/madcat") / f"{NORMAL}.tif", other)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(other), ""))
    view.notice.button.click()
    someone.scan_is_there()
    assert view.notice.isHidden()


@pytest.mark.long
def test_another_size_and_a_damaged_image_are_said(user, tmp_path: Path) -> None:
    path = copy_sample(SMALL, tmp_path, image=False)
    Image.new("L", (800, 500), 255).save(tmp_path / f"{SMALL}.tif")
    someone = user(path)
    someone.scan_is_there()
    assert "800 × 500" in someone.view.notice.text.text()
    assert "2,550 × 3,300" in someone.view.notice.text.text()
    (tmp_path / f"{SMALL}.tif").write_bytes(b"not much of an image")
    someone.view.scan.show_page(path, someone.view.workspace.document, 0)
    someone.wait(lambda: "cannot be" in someone.view.notice.text.text())


@pytest.mark.long
def test_the_page_before_stays_where_the_next_cannot_be_read(user, page: Path) -> None:
    someone = user(page)
    wrong = page.with_name("wrong.madcat.xml")
    wrong.write_text("<html/>")
    someone.window.open(str(wrong))
    someone.wait(lambda: someone.window.message_bar.message is not None)
    assert "Check that it is the file you meant" in someone.window.message_bar.text.text()
    assert someone.view.workspace.path == page
    assert len(someone.view.canvas.shapes.sets[OutlineKind.LINE]) == 6


@pytest.mark.long
def test_pages_and_frames_go_together(user, tmp_path: Path) -> None:
    path = copy_sample(TWO_PAGES, tmp_path)
    someone = user(path)
    view = someone.view
    assert view.page_label.text() == "1 / 2"
    assert not someone.window.commands.named("page.previous").isEnabled()
    someone.window.commands.named("page.next").trigger()
    assert (view.page_number, view.page_label.text()) == (1, "2 / 2")
    assert view.notice.isHidden()
    assert not someone.window.commands.named("page.next").isEnabled()
    # The second segment crosses the page break: on either page its words are lit.
    view.choice.segment((0, 1))
    assert view.page_number == 1
    assert view.canvas.selection._linked
    view.choice.segment((0, 0))
    assert view.page_number == 0


@pytest.mark.long
def test_a_folder_opens_with_its_list(user, tmp_path: Path) -> None:
    paths = [copy_sample(name, tmp_path, image=False) for name in (NORMAL, SMALL)]
    someone = user(tmp_path)
    someone.opened(paths[0])
    assert someone.view.files.count() == 2
    someone.window.commands.named("page.next").trigger()
    someone.opened(paths[1])
    assert someone.view.files.currentRow() == 1
    someone.view.files.setCurrentRow(0)
    someone.opened(paths[0])


@pytest.mark.long
def test_thousands_of_problems_are_listed_and_jump(user, tmp_path: Path) -> None:
    tokens = "".join(f'<token id="k{n}" ref_id="nowhere{n}"/>' for n in range(3000))
    text = (
        '<madcat><doc id="many" src="many.tif"><image><page id="p1" width="900" height="900">'
        '<zone id="z0"><token-image id="t0"><polygon><point x="5" y="5"/><point x="700" y="5"/>'
        '<point x="-27" y="70"/></polygon></token-image></zone></page></image>'
        f'<content><section><segment id="s1">{tokens}</segment></section></content></doc></madcat>'
    )
    path = tmp_path / "many.madcat.xml"
    path.write_text(text)
    someone = user(path)
    view = someone.view
    someone.wait(lambda: view.side.problems.model.rowCount() > 3000)
    row = next(
        n
        for n in range(view.side.problems.model.rowCount())
        if "word t0" in view.side.problems.model.finding(n).problem.where.element
    )
    view.side.problems.table.selectRow(row)
    assert view.canvas.selection.key == ShapeKey(0, 0)
    someone.window.commands.named("page.problems").trigger()
    assert view.side.problems.table.currentIndex().row() == row + 1


@pytest.mark.long
def test_the_broken_sample_is_shown_and_all_its_places_can_be_visited(user, tmp_path: Path) -> None:
    path = copy_sample(BROKEN, tmp_path)
    before = path.read_bytes()
    someone = user(path)
    view = someone.view
    someone.wait(lambda: view.side.problems.model.rowCount() > 25)
    for _ in range(view.side.problems.model.rowCount()):
        someone.window.commands.named("page.problems").trigger()
    assert path.read_bytes() == before


# Choosing


@pytest.mark.long
def test_one_choice_is_lit_everywhere(user, page: Path) -> None:
    someone = user(page)
    view = someone.view
    word = ShapeKey(2, 1)
    someone.click(someone.at(word))
    assert view.canvas.selection.key == word
    segment, token = view.side.segment_list.currentIndex(), view.side.token_list.currentIndex()
    assert segment.isValid()
    assert token.isValid()
    linked = view.choice.links.word_of[view.side.token_model.place(token.row())]
    assert linked == (0, word.line, word.word)
    assert word in view.canvas.selection._linked
    # From the other end: the token after it.
    view.side.token_list.setCurrentIndex(view.side.token_model.index(token.row() + 1))
    assert view.canvas.selection.key == ShapeKey(2, 2)
    # A segment lights its words and chooses none.
    view.side.segment_list.setCurrentIndex(view.side.segment_model.index(2))
    assert view.canvas.selection.key is None
    assert {key.line for key in view.canvas.selection._linked} == {4, 5}


@pytest.mark.long
def test_walking_with_keys_goes_in_reading_order(user, page: Path) -> None:
    someone = user(page)
    canvas = someone.view.canvas
    seen = []
    for _ in range(8):
        someone.press(Qt.Key.Key_Period)
        seen.append(canvas.selection.key)
    assert seen == [*(ShapeKey(0, n) for n in range(7)), ShapeKey(1, 0)]
    someone.press(Qt.Key.Key_Comma)
    assert canvas.selection.key == ShapeKey(0, 6)
    someone.press(Qt.Key.Key_Escape)
    assert canvas.selection.key is None


def test_hidden_words_leave_their_line_to_the_click(user, page: Path) -> None:
    someone = user(page)
    someone.window.commands.named("page.show-words").trigger()
    assert not someone.window.commands.named("page.show-words").isChecked()
    someone.click(someone.at(ShapeKey(2, 1)))
    assert someone.view.canvas.selection.key == ShapeKey(2)


@pytest.mark.long
def test_alt_and_click_choose_what_lies_beneath(user, page: Path) -> None:
    someone = user(page)
    point = someone.at(ShapeKey(2, 1))
    someone.click(point)
    someone.click(point, ALT)
    assert someone.view.canvas.selection.key == ShapeKey(2)


# Moving about


@pytest.mark.long
def test_the_wheel_zooms_to_the_pointer(user, page: Path) -> None:
    someone = user(page)
    canvas = someone.view.canvas
    point = QPoint(300, 200)
    place = canvas.camera.to_page(QPointF(point))
    for _ in range(6):
        wheel(canvas, point, 1)
    after = canvas.camera.to_page(QPointF(point))
    assert canvas.camera.scale() > 3 * canvas.camera.fitting_scale()
    assert abs(after.x() - place.x()) < 12
    assert abs(after.y() - place.y()) < 12
    for _ in range(30):
        wheel(canvas, point, 1)
        if canvas.camera.scale() == 1.0:
            break
    assert canvas.camera.scale() == 1.0, "the way in stops where pixels are exact"


def test_drag_keys_and_middle_button_move_the_page(user, page: Path) -> None:
    someone = user(page)
    canvas = someone.view.canvas
    canvas.camera.zoom_to(0.5)
    place = canvas.camera.to_page(QPointF(400, 300))
    someone.drag(QPoint(400, 300), QPoint(340, 260))
    moved = canvas.camera.to_page(QPointF(340, 260))
    assert (moved - place).manhattanLength() < 4
    someone.press(Qt.Key.Key_Left)
    assert canvas.camera.to_page(QPointF(400, 260)).x() == pytest.approx(moved.x(), abs=2)
    assert canvas.selection.key is None


@pytest.mark.long
def test_the_page_never_leaves_the_view(user, page: Path) -> None:
    canvas = user(page).view.canvas
    canvas.camera.scroll_by(100_000, -100_000)
    on_view = canvas.viewportTransform().mapRect(canvas.base.page_rect())
    assert on_view.intersects(canvas.viewport().rect().toRectF())


@pytest.mark.long
def test_fit_follows_the_window_until_the_user_zooms(user, page: Path) -> None:
    someone = user(page)
    canvas = someone.view.canvas
    someone.window.resize(1000, 700)
    someone.wait(lambda: canvas.camera.scale() == pytest.approx(canvas.camera.fitting_scale()))
    canvas.camera.zoom_by(1.5)
    scale = canvas.camera.scale()
    someone.window.resize(1300, 800)
    someone.wait(lambda: someone.window.width() == 1300)
    assert canvas.camera.scale() == scale


# Editing


@pytest.mark.long
def test_deleting_a_vertex_touches_only_it(user, page: Path) -> None:
    """The modifier and the pointer stay, and the mouse moves on by two pixels."""
    someone = user(page)
    canvas = someone.view.canvas
    before = someone.polygon(LINE)
    assert len(before) > 6
    canvas.selection.choose([LINE])
    canvas.outlines.reveal([LINE], zoom=True)
    point = someone.at(LINE, 3)
    someone.click(point, ALT)
    send_move(canvas, point + QPoint(2, 0), Qt.MouseButton.NoButton, ALT)
    assert someone.polygon(LINE) == before[:3] + before[4:]
    assert canvas.shapes.points(LINE).tolist() == [list(p) for p in before[:3] + before[4:]]
    someone.window.commands.named("page.undo").trigger()
    assert someone.polygon(LINE) == before
    assert not someone.window.isWindowModified()


@pytest.mark.long
def test_a_triangle_keeps_its_vertices(user, page: Path) -> None:
    someone = user(page)
    word = ShapeKey(0, 0)
    someone.view.canvas.selection.choose([word])
    someone.view.canvas.outlines.reveal([word], zoom=True)
    someone.click(someone.at(word, 0), ALT)
    three = someone.polygon(word)
    assert len(three) == 3
    someone.click(someone.at(word, 1), ALT)
    assert someone.polygon(word) == three
    assert "three vertices" in someone.window.message_bar.text.text()


@pytest.mark.long
def test_dragging_a_vertex_saves_and_undoes(user, page: Path) -> None:
    someone = user(page)
    canvas, word = someone.view.canvas, ShapeKey(2, 1)
    original = page.read_bytes()
    before = someone.polygon(word)
    someone.click(someone.at(word))
    canvas.outlines.reveal([word], zoom=True)
    start = someone.at(word, 0)
    someone.drag(start, start + QPoint(20, 10))
    after = someone.polygon(word)
    assert after[0] != before[0]
    assert after[1:] == before[1:]
    assert all(isinstance(value, int) for value in after[0])
    moved = (after[0][0] - before[0][0], after[0][1] - before[0][1])
    scale = canvas.camera.scale()
    assert moved == pytest.approx((20 / scale, 10 / scale), abs=2)
    assert someone.window.isWindowModified()
    someone.window.commands.named("page.save").trigger()
    assert not someone.window.isWindowModified()
    assert read(page).document.pages[0].lines[2].words[1].polygon == after
    someone.window.commands.named("page.undo").trigger()
    assert someone.window.isWindowModified()
    someone.window.commands.named("page.save").trigger()
    assert page.read_bytes() == original


@pytest.mark.long
def test_esc_puts_a_dragged_vertex_back(user, page: Path) -> None:
    someone = user(page)
    canvas, word = someone.view.canvas, ShapeKey(2, 1)
    someone.click(someone.at(word))
    canvas.outlines.reveal([word], zoom=True)
    before = someone.polygon(word)
    start = someone.at(word, 2)
    someone.drag(start, start + QPoint(40, 40), release=False)
    assert canvas.selection._live_points is not None
    someone.press(Qt.Key.Key_Escape)
    assert someone.polygon(word) == before
    assert canvas.selection._live_points is None
    assert canvas.base.outlines[OutlineKind.WORD].hidden is None
    assert not someone.view.workspace.can_undo


@pytest.mark.long
def test_keys_nudge_add_and_delete_vertices(user, page: Path) -> None:
    someone = user(page)
    canvas, word = someone.view.canvas, ShapeKey(0, 1)
    someone.click(someone.at(word))
    before = someone.polygon(word)
    someone.press(Qt.Key.Key_V)
    someone.press(Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    someone.press(
        Qt.Key.Key_Down,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    x, y = before[0]
    assert someone.polygon(word) == ((x + 1, y + 10), *before[1:])
    canvas.outlines.reveal([word], zoom=True)
    middle = (someone.at(word, 1) + someone.at(word, 2)) / 2
    someone.click(middle, ALT)
    assert len(someone.polygon(word)) == len(before) + 1
    assert canvas.selection.vertex == 2
    someone.press(Qt.Key.Key_Delete)
    assert len(someone.polygon(word)) == len(before)
    while someone.view.workspace.can_undo:
        someone.window.commands.named("page.undo").trigger()
    assert someone.polygon(word) == before
    assert canvas.shapes.points(word).tolist() == [list(point) for point in before]


@pytest.mark.long
def test_a_drag_beyond_the_page_ends_at_its_edge(user, page: Path) -> None:
    someone = user(page)
    word = ShapeKey(0, 0)
    someone.click(someone.at(word))
    start = someone.at(word, 0)
    someone.drag(start, start + QPoint(600, -300))
    assert someone.polygon(word)[0] == (5100, 0)


@pytest.mark.long
def test_undo_after_autosave_is_an_edit_and_is_saved(user, page: Path) -> None:
    someone = user()
    someone.window.settings.set(AUTOSAVE, 1)
    original = page.read_bytes()
    someone.window.open(str(page))
    someone.opened(page)
    word = ShapeKey(2, 1)
    someone.click(someone.at(word))
    start = someone.at(word, 0)
    someone.drag(start, start + QPoint(9, 9))
    someone.wait(lambda: not someone.view.workspace.dirty)
    assert page.read_bytes() != original
    someone.window.commands.named("page.undo").trigger()
    assert someone.view.workspace.dirty
    # To another page and back: the undo was saved on the way, its history is still there.
    other = copy_sample(SMALL, page.parent)
    someone.window.open(str(other))
    someone.opened(other)
    assert page.read_bytes() == original
    someone.window.open(str(page))
    someone.opened(page)
    assert someone.view.workspace.can_redo
    assert page.read_bytes() == original


@pytest.mark.long
def test_unsaved_pages_wait_and_are_asked_about(user, tmp_path: Path, monkeypatch) -> None:
    paths = [copy_sample(name, tmp_path, image=False) for name in (NORMAL, SMALL)]
    someone = user(tmp_path)
    someone.opened(paths[0])
    before = paths[0].read_bytes()
    word = ShapeKey(2, 1)
    someone.click(someone.at(word))
    start = someone.at(word, 0)
    someone.drag(start, start + QPoint(9, 9))
    someone.window.commands.named("page.next").trigger()
    someone.opened(paths[1])
    assert someone.view.files.item(0).text() == f"• {NORMAL}"
    asked = []

    def answer(which: QMessageBox.StandardButton):
        def run(box: QMessageBox) -> QMessageBox.StandardButton:
            asked.append(box.text())
            return which

        return run

    monkeypatch.setattr(QMessageBox, "exec", answer(QMessageBox.StandardButton.Cancel))
    assert not someone.window.close()
    assert paths[0].name in asked[0]
    monkeypatch.setattr(QMessageBox, "exec", answer(QMessageBox.StandardButton.Save))
    assert someone.window.close()
    assert paths[0].read_bytes() != before


@pytest.mark.long
def test_a_crash_loses_nothing(user, page: Path) -> None:
    someone = user(page)
    word = ShapeKey(2, 1)
    someone.click(someone.at(word))
    start = someone.at(word, 0)
    someone.drag(start, start + QPoint(9, 9))
    edited = someone.polygon(word)
    someone.window.leave()
    again = user()
    again.opened(page)
    assert again.polygon(word) == edited
    assert again.window.isWindowModified()
    assert "brought back" in again.window.message_bar.text.text()
    again.window.commands.named("page.undo").trigger()
    assert not again.window.isWindowModified()


@pytest.mark.long
def test_somebody_elses_change_is_not_overwritten(user, page: Path, monkeypatch) -> None:
    someone = user(page)
    word = ShapeKey(2, 1)
    someone.click(someone.at(word))
    start = someone.at(word, 0)
    someone.drag(start, start + QPoint(9, 9))
    theirs = page.read_bytes() + b"<!-- theirs -->"
    page.write_bytes(theirs)
    monkeypatch.setattr(QMessageBox, "exec", lambda _: 0)
    monkeypatch.setattr(QMessageBox, "clickedButton", lambda _: None)
    someone.window.commands.named("page.save").trigger()
    assert page.read_bytes() == theirs
    assert someone.window.isWindowModified()


@pytest.mark.long
@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal from Python 3.12 on")
def test_using_a_page_gives_no_references_to_none_away(user, page: Path) -> None:
    someone = user(page)
    someone.scan_is_there()
    canvas = someone.view.canvas

    def use() -> None:
        for number in range(40):
            wheel(canvas, QPoint(300 + number, 300), 1 if number % 2 else -1)
            send_move(canvas, QPoint(200 + 10 * number, 300), Qt.MouseButton.NoButton)
            someone.press(Qt.Key.Key_Period)
            QApplication.processEvents()

    use()
    gc.collect()  # what other tests left behind holds references, too
    before = sys.getrefcount(None)
    use()
    assert sys.getrefcount(None) > before - 200


@pytest.mark.long
def test_a_scan_that_is_opened_stands_for_its_document(user, page: Path) -> None:
    someone = user()
    someone.window.open(str(page.parent / f"{NORMAL}.tif"))
    someone.opened(page)


# Other formats


@pytest.mark.long
def test_a_page_of_another_format_opens_as_a_new_document(user, page: Path, tmp_path: Path) -> None:
    someone = user(page)
    other = tmp_path / "k.hocr"
    shutil.copy(Path("tests/data/real/hocrtools_tess.hocr"), other)
    someone.view.open_location(str(other), {})
    someone.wait(lambda: someone.view.workspace.imported_from == other)
    assert someone.view.workspace.path == tmp_path / "k.madcat.xml"
    assert someone.window.isWindowModified()
    assert someone.view.side.segment_model.rowCount() == 37


@pytest.mark.long
def test_a_page_of_a_neighbour_is_opened_corrected_and_saved_in_place(
    user, page: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    other = folder / "k.page.xml"
    original = Path("tests/data/real/kraken_170025120000003,0074.xml").read_bytes()
    other.write_bytes(original)
    someone = user(page)
    someone.view.open_location(str(folder), {})
    someone.wait(lambda: someone.view.workspace.path == other)
    assert someone.view.workspace.imported_from is None
    assert not someone.window.isWindowModified()
    assert someone.view.side.segment_model.rowCount() == 44
    line = someone.view.workspace.document.pages[0].lines[0]
    before = " ".join(f"{x},{y}" for x, y in line.polygon)
    someone.view.workspace.execute(MoveVertex(Outline(0, 0), 0, (7, 9)))
    someone.window.commands.named("page.save").trigger()
    after = " ".join(f"{x},{y}" for x, y in line.polygon)
    assert other.read_bytes() == original.replace(before.encode(), after.encode(), 1)
    assert list(folder.glob("*.madcat.xml")) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("typed", "written"), [("out.alto.xml", "out.alto.xml"), ("out", "out.page.xml")]
)
def test_export_writes_another_format_and_says_what_is_lost(
    user, page: Path, monkeypatch, typed: str, written: str
) -> None:
    someone = user(page)
    target = page.parent / typed
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    said = []
    monkeypatch.setattr(someone.window.messages, "post", said.append)
    run(someone.view, "page.export")
    assert (page.parent / written).exists()
    assert not someone.window.isWindowModified()
    (message,) = said
    assert written in message.text
    assert "a translation (3 times)" in message.detail
