"""The page on small screens: its share of the width, panels that fold, tools that overflow."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QMessageBox, QTableView, QWidget

from madcat_studio.gui.beside import beside
from madcat_studio.gui.page.asklink import LinkDialog
from madcat_studio.gui.page.columns import FittedColumns
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.gui.toolbar import NameLabel, Toolbar
from madcat_studio.gui.wrapping import WrappingRow
from tests.gui.helpers import NORMAL, SMALL, copy_sample, is_checked, run

SCREENS = {(1024, 768): 0.7, (1280, 720): 0.7}
"""How much of the width the page has there, with the panel open; before it was 31 % and 42 %."""


@pytest.fixture
def someone(user, tmp_path: Path):
    page = copy_sample(NORMAL, tmp_path)
    copy_sample(SMALL, tmp_path)
    made = user(tmp_path)
    made.opened(page)
    return made


def size(someone, width: int, height: int) -> None:
    someone.window.resize(width, height)
    QTest.qWait(0)
    assert (someone.window.width(), someone.window.height()) == (width, height)


def share(someone) -> float:
    return someone.view.canvas.width() / someone.window.width()


@pytest.mark.long
@pytest.mark.parametrize("screen", SCREENS)
def test_the_page_has_its_share_of_the_width_and_alone_all_of_it(
    someone, screen: tuple[int, int]
) -> None:
    size(someone, *screen)
    assert someone.view.side.isVisible()
    # The panels are fitted once the window has its size.
    someone.wait(lambda: share(someone) >= SCREENS[screen])
    QTest.keyClick(someone.window, Qt.Key.Key_F10)
    someone.wait(lambda: share(someone) == 1.0)
    someone.window.show_view("home")
    assert someone.window.rail.isVisible()
    someone.window.show_view("page")
    QTest.keyClick(someone.window, Qt.Key.Key_F10)
    QTest.qWait(0)
    assert someone.view.side.isVisible()
    someone.wait(lambda: SCREENS[screen] <= share(someone) < 1.0)


@pytest.mark.long
@pytest.mark.parametrize("screen", SCREENS)
def test_marking_takes_the_page_nothing_of_its_width(someone, screen: tuple[int, int]) -> None:
    size(someone, *screen)
    someone.wait(lambda: share(someone) >= SCREENS[screen])
    before = share(someone)
    run(someone.view, "page.mark")
    QTest.qWait(0)
    assert share(someone) == before
    assert someone.window.size() == QSize(*screen)


@pytest.mark.long
@pytest.mark.parametrize("screen", SCREENS)
def test_the_boxes_of_a_token_do_not_lie_over_one_another(someone, screen: tuple[int, int]) -> None:
    size(someone, *screen)
    editor = someone.view.features.tokens.editor
    boxes = [editor.text, editor.status, editor.error, editor.written, editor.intended]
    rects = [box.geometry() for box in boxes]
    for number, rect in enumerate(rects):
        assert editor.rect().contains(rect)
        assert rect.width() >= 60
        assert not any(rect.intersects(other) for other in rects[number + 1 :])


@pytest.mark.long
def test_documents_stand_beside_a_wide_page_by_themselves(someone) -> None:
    size(someone, 1600, 900)
    assert someone.view.files.isVisible()
    assert share(someone) >= 0.55
    size(someone, 1280, 720)
    assert not someone.view.files.isVisible()
    run(someone.view, "page.panel-documents")
    assert someone.view.files.isVisible()


@pytest.mark.long
@pytest.mark.parametrize(
    ("action", "panel"),
    [
        ("page.panel-documents", lambda view: view.files),
        ("page.panel-tools", lambda view: view.features.toolbox.palette),
        ("page.panel-side", lambda view: view.side),
    ],
)
def test_each_panel_folds_by_itself_and_is_remembered(
    user, someone, tmp_path: Path, action: str, panel
) -> None:
    size(someone, 1600, 900)
    before = someone.view.canvas.width()
    run(someone.view, action)
    assert (panel(someone.view).isVisible(), is_checked(someone.view, action)) == (False, False)
    QTest.qWait(0)
    assert someone.view.canvas.width() > before
    someone.window.close()
    again = user(tmp_path)
    again.wait(lambda: again.view.workspace is not None)
    size(again, 1600, 900)
    assert not panel(again.view).isVisible()
    run(again.view, action)
    assert panel(again.view).isVisible()


@pytest.mark.long
def test_what_is_asked_for_unfolds_its_panel(someone) -> None:
    run(someone.view, "page.fold-panels")
    run(someone.view, "page.history")
    assert someone.view.side.isVisible()


@pytest.mark.long
def test_tools_without_room_are_in_a_menu(someone) -> None:
    size(someone, 1600, 900)
    run(someone.view, "page.panel-side")
    QTest.qWait(0)
    bar = someone.view.findChild(Toolbar)
    shown = [button.defaultAction() for _, button in bar.steps if button.isVisible()]
    assert len(shown) == len(bar.steps)
    assert not bar.more.isVisible()
    bar.setFixedWidth(400)
    QTest.qWait(0)
    left = [button.defaultAction() for _, button in bar.steps if button.isVisible()]
    assert left + bar.more.menu().actions() == shown
    assert 3 < len(left) < len(shown)
    assert bar.more.geometry().right() <= 400
    for _, button in bar.steps:
        assert not button.isVisible() or button.geometry().right() <= 400


@pytest.mark.long
@pytest.mark.parametrize("screen", SCREENS)
def test_no_tool_is_cut_off(someone, screen: tuple[int, int]) -> None:
    size(someone, *screen)
    bar = someone.view.findChild(Toolbar)
    for _, button in bar.steps:
        assert not button.isVisible() or button.geometry().right() < bar.width()


@pytest.mark.long
def test_tools_below_the_edge_are_in_a_menu(someone) -> None:
    """Where the column of tools is too high for the window, nothing is cut in silence."""
    palette = someone.view.features.toolbox.palette
    size(someone, 1280, 720)
    left = [button for _, button in palette.steps if button.isVisible()]
    hidden = palette.more.menu().actions()
    assert len(left) + len(hidden) == len(palette.steps)
    assert hidden
    # The tools themselves have room; what they do to what is chosen stands in the menus as well.
    region = someone.window.commands.named("page.tool-region")
    assert region in [button.defaultAction() for button in left]
    assert palette.more.isVisible()
    assert palette.more.geometry().bottom() < palette.height()
    size(someone, 1280, 1100)
    assert not palette.more.isVisible()
    assert all(button.isVisible() for _, button in palette.steps)


def test_a_name_gives_up_its_beginning_first(qtbot) -> None:
    label = NameLabel()
    qtbot.addWidget(label)
    label.setText(NORMAL)
    label.resize(label.fontMetrics().horizontalAdvance(NORMAL) // 2, 20)
    assert label.minimumSizeHint().width() == 0
    plain = label.grab().toImage()
    label.setText("X" + NORMAL[1:])  # another beginning shows the same
    assert label.grab().toImage() == plain
    label.setText(NORMAL[:-1] + "9")
    assert label.grab().toImage() != plain


# A question stands beside what it asks about

ROOM = QRect(0, 0, 1280, 720)


@pytest.mark.parametrize(
    "what",
    [
        QRect(600, 100, 80, 40),
        QRect(600, 660, 80, 40),
        QRect(0, 330, 60, 60),
        QRect(1200, 0, 80, 700),
        QRect(400, 0, 60, 720),
    ],
)
def test_a_box_covers_nothing_of_what_it_is_about(what: QRect) -> None:
    place = QRect(beside(what, QSize(400, 220), ROOM), QSize(400, 220))
    assert not place.intersects(what)
    assert ROOM.contains(place)


def _asked(monkeypatch: pytest.MonkeyPatch) -> list[QRect]:
    places = []

    def reject(dialog: QDialog) -> QDialog.DialogCode:
        places.append(QRect(dialog.pos(), dialog.size()))
        return QDialog.DialogCode.Rejected

    monkeypatch.setattr(LinkDialog, "exec", reject)
    monkeypatch.setattr(QMessageBox, "exec", reject)
    return places


@pytest.mark.long
@pytest.mark.parametrize("what", ["cut", "remove", "link"])
def test_questions_leave_their_word_to_be_seen(someone, monkeypatch, what: str) -> None:
    size(someone, 1280, 720)
    view, places = someone.view, _asked(monkeypatch)
    word = ShapeKey(2, 1)
    someone.click(someone.at(word))
    if what == "cut":
        run(view, "page.tool-cut")
        box = view.canvas.on_screen([word])
        top = view.canvas.viewport().mapFromGlobal(box.topLeft()) + QPoint(box.width() // 2, -8)
        someone.drag(top, top + QPoint(0, box.height() + 16))
    elif what == "remove":
        view.features.toolbox.edits.remove()
    else:
        token = view.features.tokens._token
        other = (*token[:2], token[2] + 1)
        view.features.tokens._link(other, (0, 2, 1))
    assert len(places) == 1
    assert not places[0].intersects(view.canvas.on_screen([word]))


@pytest.mark.long
def test_the_rail_is_icons_alone_where_names_would_take_from_the_page(someone) -> None:
    rail, text = someone.window.rail, Qt.ToolButtonStyle.ToolButtonTextUnderIcon
    for width in (1600, 1024, 1600, 1199, 1200):
        size(someone, width, 800)
        styles = {button.toolButtonStyle() for button in rail.buttons.values()}
        assert styles == {text if width >= 1200 else Qt.ToolButtonStyle.ToolButtonIconOnly}
        someone.wait(lambda narrow=width < 1200: (rail.width() < 50) == narrow)
    assert all(button.toolTip() for button in rail.buttons.values())


@pytest.mark.long
@pytest.mark.parametrize("screen", SCREENS)
def test_what_is_wrong_can_be_read_in_a_narrow_panel(someone, screen: tuple[int, int]) -> None:
    size(someone, *screen)
    problems = someone.view.side.problems
    someone.view.side.tabs.setCurrentWidget(problems)
    QTest.qWait(0)
    header, rows = problems.table.horizontalHeader(), problems.table.verticalHeader()
    assert header.sectionSize(0) >= 0.6 * problems.table.viewport().width()
    room = header.sectionSize(0) // 8 * (rows.defaultSectionSize() // 18)
    assert room >= 48, "letters"


@pytest.mark.parametrize("width", [120, 180, 240, 300, 500])
def test_columns_without_room_are_left_out_and_the_rest_is_taken(qtbot, width: int) -> None:
    table = QTableView()
    qtbot.addWidget(table)
    table.setModel(QStandardItemModel(3, 4))
    table.verticalHeader().hide()
    FittedColumns(table, 1, least=100, widths={0: 70, 3: 60, 2: 90})
    table.resize(width, 200)
    table.show()
    QTest.qWait(0)
    room = table.viewport().width() - table.verticalScrollBar().sizeHint().width()
    shown = [column for column in range(4) if not table.isColumnHidden(column)]
    wanted = [0, 3, 2][: sum(room >= 100 + least for least in (70, 130, 220))]
    assert shown == sorted([1, *wanted])
    assert sum(table.columnWidth(column) for column in shown) == table.viewport().width()
    assert all(table.columnWidth(column) in (70, 60, 90) for column in wanted)


@pytest.mark.parametrize("way", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_buttons_without_room_go_on_in_the_next_line(qtbot, way: Qt.LayoutDirection) -> None:
    box = QWidget()
    qtbot.addWidget(box)
    box.setLayoutDirection(way)
    row = WrappingRow(gap=4)
    box.setLayout(row)
    buttons = [QWidget(box) for _ in range(4)]
    for button, width in zip(buttons, (80, 60, 300, 50), strict=True):
        button.setFixedHeight(20)
        button.sizeHint = lambda w=width: QSize(w, 20)  # type: ignore[method-assign]
        row.addWidget(button)
    assert (row.heightForWidth(600), row.heightForWidth(200), row.heightForWidth(100)) == (
        20, 20 * 3 + 8, 20 * 4 + 12,
    )  # fmt: skip
    box.resize(200, row.heightForWidth(200))
    box.show()
    found = [button.geometry() for button in buttons]
    assert [rect.top() for rect in found] == [0, 0, 24, 48]
    assert [rect.width() for rect in found] == [80, 60, 200, 50]
    starts = [
        rect.left() if way is Qt.LayoutDirection.LeftToRight else 199 - rect.right()
        for rect in found
    ]
    assert starts == [0, 84, 0, 0]


@pytest.mark.long
def test_the_name_of_a_page_is_read_from_the_left_in_every_language(someone) -> None:
    someone.window.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    label = someone.view.name_label
    assert label.layoutDirection() is Qt.LayoutDirection.LeftToRight
