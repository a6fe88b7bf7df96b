"""The page of a row beside its table, with the boxes of the system painted over it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from madcat_studio.gui.scorecard.pages import remember_pages
from madcat_studio.reports.cards_ltb_boxes import BoxState
from tests.gui.helpers import can, run
from tests.operations.test_scorecard_boxes import data_set, out

__all__ = ["data_set", "out"]


@pytest.fixture
def view(out: Path, opened):
    return opened(out / "ltb.json")


def click(view, table: str, row: int) -> None:
    view.show_table(table)
    index = view.proxy.index(row, 0)
    QTest.mouseClick(
        view.table.viewport(),
        Qt.MouseButton.LeftButton,
        pos=view.table.visualRect(index).center(),
    )


def test_a_click_on_a_row_shows_its_page_with_the_boxes(view, data_set, qtbot) -> None:
    remember_pages(data_set[0])
    view.show_table("pairs")
    assert not view.boxes.isVisible()
    view.show_table("documents")
    assert view.boxes.isVisible()
    assert view.boxes.page.page is None
    click(view, "documents", 0)
    page = view.boxes.page
    assert page.page.document == "a&b"
    qtbot.waitUntil(lambda: page.has_picture)
    # The picture has twice the pixels that the boxes are given in.
    image = page.grab().toImage()
    ratio = image.devicePixelRatio()
    by_state = {box.state: page.place_of(box) for box in page.page.boxes}
    paper = QColor(200, 200, 200)

    def colour(place: QPointF) -> QColor:
        return image.pixelColor((place * ratio).toPoint())

    extra = by_state[BoxState.EXTRA]
    missed = by_state[BoxState.MISSED]
    assert colour(extra.bottomRight() + QPointF(4, 4)) == paper
    assert colour(missed.center()).red() > colour(missed.center()).green() + 20
    assert colour(extra.center()).blue() > colour(extra.center()).green() + 10
    right = by_state[BoxState.RIGHT]
    edge = colour(QPointF(right.right(), right.center().y()))
    assert edge.green() > edge.red() + 40
    assert [part.name for part in page.spoken.parts()] == [
        "gone: missed: IoU 0.00, chrF 0.0",
        "good: right: IoU 0.96, chrF 100.0",
        "off: beside: IoU 0.14, chrF 100.0",
        "matched to nothing",
    ]
    assert [part.name for part in view.boxes.legend.spoken.parts()] == [
        "1 right",
        "1 beside",
        "1 missed",
        "1 matched to nothing",
        "2 ground truth",
    ]


def test_pages_that_are_elsewhere_are_asked_for_once(
    view, data_set, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    click(view, "regions", 0)
    qtbot.waitUntil(view.boxes.ask.isVisible)
    assert view.boxes.page.page is not None
    monkeypatch.setattr(
        QFileDialog, "getExistingDirectory", staticmethod(lambda *_: str(data_set[0]))
    )
    view.boxes.ask.click()
    qtbot.waitUntil(lambda: view.boxes.page.has_picture)
    assert not view.boxes.ask.isVisible()
    click(view, "documents", 0)
    assert view.boxes.page.has_picture


def test_the_page_moves_and_zooms(view, qtbot) -> None:
    click(view, "documents", 0)
    page = view.boxes.page
    [box] = [one for one in page.page.boxes if one.state is BoxState.EXTRA]
    whole = page.place_of(box)
    page.setFocus()
    QTest.keyClick(page, Qt.Key.Key_Plus)
    assert page.place_of(box).width() == pytest.approx(1.25 * whole.width())
    QTest.keyClick(page, Qt.Key.Key_Minus)
    QTest.keyClick(page, Qt.Key.Key_Minus)
    assert page.place_of(box) == whole
    for _ in range(8):
        QTest.keyClick(page, Qt.Key.Key_Plus)
    near = page.place_of(box)
    middle = page.rect().center()
    QTest.mousePress(page, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(page, middle - (near.topLeft() - whole.topLeft()).toPoint() / 50)
    QTest.mouseRelease(page, Qt.MouseButton.LeftButton)
    assert page.place_of(box).topLeft() != near.topLeft()
    QTest.keyClick(page, Qt.Key.Key_0)
    assert page.place_of(box) == whole


def test_the_boxes_can_be_put_away_for_good(view, out: Path, opened) -> None:
    click(view, "documents", 0)
    assert can(view, "scorecard.boxes")
    run(view, "scorecard.boxes")
    assert not view.boxes.isVisible()
    view.show_table("regions")
    assert not view.boxes.isVisible()
    again = opened(out / "ltb.json")
    again.show_table("regions")
    assert not again.boxes.isVisible()
    run(again, "scorecard.boxes")
    assert again.boxes.isVisible()
    again.show_table("pairs")
    assert not can(again, "scorecard.boxes")


def test_a_result_without_boxes_shows_no_page(ltb: Path, opened, tmp_path: Path) -> None:
    import json

    value = json.loads(ltb.read_text(encoding="utf-8"))
    del value["pages"]
    old = tmp_path / "old.json"
    old.write_text(json.dumps(value), encoding="utf-8")
    view = opened(old)
    view.show_table("documents")
    assert not view.boxes.isVisible()
