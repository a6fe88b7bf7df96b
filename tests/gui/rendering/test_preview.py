"""A page in the other language, in a window of its own: beside its original, or under a lens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from madcat_studio.errors import StudioError
from madcat_studio.gui.rendering.preview import PagePreview
from madcat_studio.gui.rendering.twopages import Sheet, TwoPages, sheet_of
from tests.gui.rendering.made import HEIGHT, WIDTH, written_page

TEXTS = ["The first text of the page.", "The second text."]


@pytest.fixture
def preview(user, tmp_path: Path, qtbot):
    """The window of a small page, with what it shows."""

    def opened(texts=TEXTS, **more) -> PagePreview:
        page = written_page(tmp_path, texts, **more)
        someone = user(page)
        someone.opened(page)
        someone.scan_is_there()
        made = someone.view.features.translated.show()
        assert made is not None
        qtbot.addWidget(made)
        qtbot.waitUntil(lambda: made.export.isEnabled() or made.notes.isVisible())
        return made

    return opened


@pytest.mark.long
def test_the_page_is_shown_beside_its_original_and_exported(
    preview, tmp_path: Path, monkeypatch, qtbot
) -> None:
    made = preview()
    assert not made.notes.isVisible()
    assert [part.name for part in made.pages.spoken.parts()] == [
        "s0: The first text of the page.",
        "s1: The second text.",
    ]
    for name, begins in (("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")):
        target = tmp_path / name
        monkeypatch.setattr(
            QFileDialog, "getSaveFileName", lambda *_, target=target: (str(target), "")
        )
        made.export.click()
        qtbot.waitUntil(made.export.isEnabled)
        assert target.read_bytes().startswith(begins)
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == (WIDTH, HEIGHT)
        there = np.asarray(Image.open(tmp_path / "page.tif"))
        assert (np.asarray(image)[240:] == there[240:]).all()
        assert (np.asarray(image)[:240] != there[:240]).any()


@pytest.mark.long
def test_an_export_that_fails_is_told_and_can_be_tried_again(
    preview, tmp_path: Path, monkeypatch, qtbot
) -> None:
    made = preview()
    told: list[StudioError] = []
    monkeypatch.setattr(type(made._shell), "show_error", lambda _, error: told.append(error))
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "file" / "a.png"), "")
    )
    made.export.click()
    qtbot.waitUntil(lambda: bool(told))
    assert made.export.isEnabled()


@pytest.mark.long
def test_what_does_not_fit_is_listed_and_a_page_without_outlines_says_so(preview) -> None:
    made = preview(["word " * 900, "short"], lines=1)
    assert "does not fit" in made.notes.item(0).text()


def test_a_page_that_cannot_be_rendered_says_why(preview) -> None:
    made = preview(outlines=False)
    assert made.notes.item(0).text().startswith("No text has an outline to fit into. Mark")
    assert not made.export.isEnabled()


@pytest.mark.long
def test_without_a_translation_there_is_nothing_to_show(user, tmp_path: Path) -> None:
    page = written_page(tmp_path, [None])
    someone = user(page)
    someone.opened(page)
    assert not someone.view.features.translated.is_possible


def sheet(grey: int) -> Sheet:
    image = QImage(400, 600, QImage.Format.Format_Grayscale8)
    image.fill(grey)
    return sheet_of(image)


@pytest.fixture
def pages(qtbot) -> TwoPages:
    made = TwoPages()
    qtbot.addWidget(made)
    made.resize(808, 600)
    made.show()
    made.show_pages(sheet(40), sheet(200), ["s: text"])
    return made


def grey_at(widget: TwoPages, x: int, y: int) -> int:
    return widget.grab().toImage().pixelColor(x, y).lightness()


def test_both_are_side_by_side_and_move_together(pages: TwoPages) -> None:
    assert grey_at(pages, 200, 300) == 40
    assert grey_at(pages, 600, 300) == 200
    scales = []
    pages.zoomed.connect(scales.append)
    QTest.keyClick(pages, Qt.Key.Key_Plus)
    assert scales[-1] == 125
    QTest.keyClick(pages, Qt.Key.Key_Right)
    assert grey_at(pages, 5, 300) == 40
    assert grey_at(pages, 415, 300) == 200
    QTest.keyClick(pages, Qt.Key.Key_0)
    assert scales[-1] == 100
    point = QPointF(600, 300)
    wheel = QWheelEvent(
        point, pages.mapToGlobal(point), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(pages, wheel)
    assert scales[-1] == 125
    QTest.mousePress(pages, Qt.MouseButton.LeftButton, pos=QPoint(600, 300))
    QTest.mouseMove(pages, QPoint(500, 250))
    QTest.mouseRelease(pages, Qt.MouseButton.LeftButton, pos=QPoint(500, 250))
    assert grey_at(pages, 600, 300) == 200


def test_the_original_is_seen_through_a_lens(pages: TwoPages) -> None:
    pages.show_lens(True)
    middle = pages.rect().center()
    assert grey_at(pages, middle.x(), middle.y()) == 40
    assert grey_at(pages, middle.x(), 20) == 200
    QTest.keyClick(pages, Qt.Key.Key_Up)
    for _ in range(4):
        QTest.keyClick(pages, Qt.Key.Key_Up)
    assert grey_at(pages, middle.x(), middle.y()) == 200
    QTest.mouseMove(pages, middle)
    QTest.mouseMove(pages, middle + QPoint(2, 2))
    assert grey_at(pages, middle.x(), middle.y()) == 40
    pages.show_lens(False)
    assert grey_at(pages, 600, 300) == 200
