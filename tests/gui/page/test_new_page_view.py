"""Opening a scan that has no document yet."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtWidgets import QFileDialog, QMessageBox

from madcat_studio.formats.madcat import read


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
    someone.window.commands["page.mark"].trigger()
    assert someone.window.commands["page.mark"].isChecked()


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
    someone.window.commands["page.mark"].trigger()
