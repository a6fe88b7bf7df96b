from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QDialog

from madcat_studio.formats.documents import read_document
from madcat_studio.formats.madcat import read
from madcat_studio.formats.madcat_writer import write
from madcat_studio.formats.source import Source
from madcat_studio.gui.page.asklink import LinkDialog
from madcat_studio.gui.page.ordermodel import OrderModel
from madcat_studio.gui.page.orderpanel import OrderPanel
from madcat_studio.gui.page.shapes import ShapeKey
from tests.gui.helpers import NORMAL, SAMPLES, PageUser, copy_sample

TABLE = Path(__file__).parent.parent.parent / "data/documents/table.page.xml"

MOVE = Qt.DropAction.MoveAction


def test_the_tree_is_a_model(qapp) -> None:
    model = OrderModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert model.rowCount() == 0
    page = read(SAMPLES / f"{NORMAL}.madcat.xml").document.pages[0]
    model.show_page(page, lambda key: {ShapeKey(0, 1): "وزير"}.get(key, ""))
    assert model.rowCount() == 6
    line = model.index(0, 0)
    assert model.rowCount(line) == 7
    assert line.data() == "1  line z0: 7 words"
    assert "وزير" in model.index(1, 0, line).data()
    assert model.key(model.index(1, 0, line)) == ShapeKey(0, 1)
    assert model.parent(model.index(1, 0, line)) == line
    assert model.index_of(ShapeKey(2, 3)).row() == 3
    assert not model.index(9, 0).isValid()
    del tester


class Sorter:
    """Somebody with the list of the order before them."""

    def __init__(self, someone: PageUser) -> None:
        self.someone = someone
        self.view = someone.view
        self.panel = next(f for f in self.view.features if isinstance(f, OrderPanel))
        tabs = self.view.side.tabs
        tabs.setCurrentIndex([tabs.tabText(n) for n in range(tabs.count())].index("Order"))

    def names(self, line: int) -> list[str | None]:
        return [w.id for w in self.view.workspace.document.pages[0].lines[line].words]

    def lines(self) -> list[str | None]:
        return [line.id for line in self.view.workspace.document.pages[0].lines]

    def drop(self, keys: list[ShapeKey], parent: QModelIndex, row: int) -> None:
        """What the view does when a drag ends; offscreen no drag can be made by mouse."""
        model = self.panel.model
        carried = model.mimeData([model.index_of(key) for key in keys])
        model.dropMimeData(carried, MOVE, row, 0, parent)
        QApplication.processEvents()


@pytest.fixture
def sorter(user, tmp_path: Path) -> Sorter:
    return Sorter(user(copy_sample(NORMAL, tmp_path, image=False)))


@pytest.mark.long
def test_dragging_changes_the_order_and_undo_brings_it_back(sorter: Sorter) -> None:
    view, model = sorter.view, sorter.panel.model
    workspace = view.workspace
    original = write(workspace.document, workspace.source)
    line = model.index(0, 0)
    before = sorter.names(0)
    sorter.drop([ShapeKey(0, 3)], line, 1)
    assert sorter.names(0) == [before[0], before[3], before[1], before[2], *before[4:]]
    assert workspace.undo_label == "Change the order of words"
    sorter.drop([ShapeKey(0, 0)], model.index(0, 0), 1)
    assert "already in that place" in sorter.someone.window.message_bar.text.text()
    other = sorter.names(1)
    sorter.drop([ShapeKey(0, 5), ShapeKey(0, 4)], model.index(1, 0), 2)
    assert sorter.names(1) == [*other[:2], before[4], before[5], *other[2:]]
    sorter.drop([ShapeKey(1, 0)], model.index(4, 0), -1)
    assert sorter.names(4)[-1] == other[0]
    sorter.drop([ShapeKey(5)], QModelIndex(), 0)
    assert sorter.lines() == ["z5", "z0", "z1", "z2", "z3", "z4"]
    sorter.drop([ShapeKey(0)], model.index(2, 0), -1)
    assert sorter.lines() == ["z0", "z1", "z5", "z2", "z3", "z4"]
    after = write(workspace.document, workspace.source)
    while workspace.can_undo:
        workspace.undo()
    assert write(workspace.document, workspace.source) == original
    while workspace.can_redo:
        workspace.redo()
    assert write(workspace.document, workspace.source) == after


@pytest.mark.long
def test_list_and_page_choose_the_same(sorter: Sorter) -> None:
    view, panel = sorter.view, sorter.panel
    view.canvas.selection.select([ShapeKey(2, 1)])
    assert panel.model.key(panel.tree.currentIndex()) == ShapeKey(2, 1)
    index = panel.model.index_of(ShapeKey(3, 4))
    panel.tree.selectionModel().setCurrentIndex(
        index, QItemSelectionModel.SelectionFlag.ClearAndSelect
    )
    assert view.canvas.selection.key == ShapeKey(3, 4)
    panel.tree.expand(panel.model.index(3, 0))
    sorter.someone.press(Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert view.workspace.undo_label == "Change the order of words"
    assert view.canvas.selection.key == ShapeKey(3, 5)
    assert panel.model.key(panel.tree.currentIndex()) == ShapeKey(3, 5)
    assert panel.tree.isExpanded(panel.model.index(3, 0))


@pytest.mark.long
@pytest.mark.parametrize("way", ["dragged", "by key", "by the tool"])
@pytest.mark.parametrize("answer", ["given", "left", "given up"])
def test_a_line_among_those_of_another_region_is_given_to_it_or_stays(
    user, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, way: str
) -> None:
    path = tmp_path / TABLE.name
    path.write_bytes(TABLE.read_bytes())
    sorter = Sorter(user(path))
    asked: list[str] = []

    def run(dialog: LinkDialog) -> QDialog.DialogCode:
        asked.extend(button.text() for button in dialog.buttons)
        dialog.buttons[answer != "given"].setChecked(True)
        codes = QDialog.DialogCode
        return codes.Rejected if answer == "given up" else codes.Accepted

    monkeypatch.setattr(LinkDialog, "exec", run)
    before = sorter.lines()
    assert before[:4] == ["c11l1", "c12l1", "c12l2", "c21l1"]
    if way == "dragged":
        sorter.drop([ShapeKey(3)], QModelIndex(), 2)
    elif way == "by key":
        sorter.view.canvas.selection.select([ShapeKey(3)])
        sorter.view.features.toolbox.edits.along(-1)
    else:
        sorter.view.features.toolbox.edits.order([ShapeKey(3), ShapeKey(1), ShapeKey(2)])
    region, place = ("c11", 1) if way == "by the tool" else ("c12", 2)
    assert f"Give it to that region: c21l1 → {region}" in asked[0]
    lines = sorter.view.workspace.document.pages[0].lines
    sorter.view.workspace.save()
    if answer == "given":
        expected = ["c11l1", "c12l1", "c12l2"]
        expected.insert(place, "c21l1")
        assert [line.id for line in lines[:4]] == expected
        assert lines[place].region == region
        found = read_document(Source(path.read_bytes(), "x")).document.pages[0]
        assert [(line.id, line.region) for line in found.lines] == [
            (line.id, line.region) for line in lines
        ]
        sorter.view.workspace.undo()
        assert sorter.lines() == before
        assert lines[3].region == "c21"
    else:
        assert sorter.lines() == before
        assert path.read_bytes() == TABLE.read_bytes()
