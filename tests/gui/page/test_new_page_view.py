"""Opening a scan that has no document yet."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox

from madcat_studio.formats.madcat import read
from madcat_studio.gui.page.marking.feature import MarkingFeature
from madcat_studio.model.links import link
from madcat_studio.operations.pages.new_page import new_page
from madcat_studio.pages.compare import compare_pages
from madcat_studio.pages.marking import tokens_of


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    path = tmp_path / "scan.png"
    Image.new("L", (850, 600), 255).save(path)
    return path


def answer(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    def run(box: QMessageBox) -> int:
        button = next(button for button in box.buttons() if button.text().strip("&") == text)
        monkeypatch.setattr(QMessageBox, "clickedButton", lambda _: button)
        return 0

    monkeypatch.setattr(QMessageBox, "exec", run)


def test_a_page_is_made_with_its_transcript_and_marked(
    user, scan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = scan.with_name("text.txt")
    text.write_text("وصل الوفد\nالحكومي\n", encoding="utf-8")
    someone = user(None)
    answer(monkeypatch, "Cancel")
    someone.window.open(str(scan))
    assert not list(scan.parent.glob("*.xml"))
    answer(monkeypatch, "With its transcript…")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    someone.window.open(str(scan))
    assert not list(scan.parent.glob("*.xml"))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(text), ""))
    someone.window.open(str(scan))
    page = scan.with_name("scan.madcat.xml")
    someone.opened(page)
    assert someone.view.side.segment_model.rowCount() == 2
    someone.window.commands.named("page.mark").trigger()
    assert someone.window.commands.named("page.mark").isChecked()


def test_a_page_without_a_text_and_a_text_that_is_none(
    user, scan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    someone = user(None)
    wrong = scan.with_name("wrong.txt")
    wrong.write_bytes(b"\xff\xfe\x00")
    answer(monkeypatch, "With its transcript…")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(wrong), ""))
    someone.window.open(str(scan))
    assert "UTF-8" in someone.window.message_bar.text.text()
    answer(monkeypatch, "Without a text")
    someone.window.open(str(scan))
    page = scan.with_name("scan.madcat.xml")
    someone.opened(page)
    assert list(read(page).document.segments()) == []
    someone.window.commands.named("page.mark").trigger()


def test_a_page_of_the_demo_is_marked_anew_with_a_key_a_line(user, tmp_path: Path) -> None:
    name = "DEMO_ARB_20480104.0004_1_SCR0001"
    reference = Path("resources/demo/reference") / f"{name}.madcat.xml"
    wanted = read(reference).document
    scan, text = tmp_path / f"{name}.tif", tmp_path / "text.txt"
    shutil.copy(reference.with_name(scan.name), scan)
    told = [" ".join(token.source or "" for token in each.tokens) for each in wanted.segments()]
    text.write_text("\n".join(told), encoding="utf-8")
    page = new_page(scan, text)
    someone = user(page)
    feature = next(one for one in someone.view.features if isinstance(one, MarkingFeature))
    someone.window.commands.named("page.mark").trigger()
    someone.wait(lambda: feature.marking.writing is not None)
    keys = 0
    while feature.marking.current is not None and keys < 20:
        someone.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        keys += 1
    assert keys == 12
    someone.window.commands.named("page.save").trigger()
    made = read(page).document
    compared = compare_pages(wanted.pages[0], made.pages[0])
    assert len(compared.words.matches) == len(list(wanted.pages[0].words())) == 124
    assert compared.words.iou > 0.85
    assert (compared.words.order, len(compared.lines.matches)) == (1.0, 12)
    links = link(made)
    assert all(links.word_of[token] for token in tokens_of(made))
