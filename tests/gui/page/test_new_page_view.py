"""Opening a scan that has no document yet."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from fpdf import FPDF
from PIL import Image
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFileDialog, QMessageBox

from madcat_studio.formats.madcat import read
from madcat_studio.gui.page import newpage
from madcat_studio.gui.page.marking.feature import MarkingFeature
from madcat_studio.gui.page.pdfpages import PdfPages
from madcat_studio.gui.views import LocationKind, kind_of
from madcat_studio.model.links import link
from madcat_studio.operations.pages.new_page import new_page
from madcat_studio.pages.compare import compare_pages
from madcat_studio.pages.marking import tokens_of
from madcat_studio.progress import Cancelled, Progress


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
    answer(monkeypatch, "Without text")
    someone.window.open(str(scan))
    page = scan.with_name("scan.madcat.xml")
    someone.opened(page)
    assert list(read(page).document.segments()) == []
    someone.window.commands.named("page.mark").trigger()


@pytest.mark.long
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


@pytest.fixture
def pdf(tmp_path: Path, scan: Path) -> Path:
    made = FPDF(unit="pt", format=(204, 144))
    for _ in range(2):
        made.add_page()
        made.image(str(scan), 0, 0, 204, 144)
    path = tmp_path / "scans.pdf"
    made.output(str(path))
    return path


def test_a_pdf_is_opened_and_its_pages_become_scans(
    user, pdf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    someone = user(None)
    answer(monkeypatch, "Without text")
    someone.window.open(str(pdf))
    page = pdf.with_name("scans.madcat.xml")
    someone.opened(page)
    assert [(each.width, each.height) for each in someone.view.workspace.document.pages] == [
        (850, 600)
    ] * 2
    with Image.open(pdf.with_name("scans.tif")) as scans:
        assert getattr(scans, "n_frames", 1) == 2
    # Opened again, it is the document that is meant.
    monkeypatch.setattr(QMessageBox, "exec", lambda _: pytest.fail("asked again"))
    someone.window.open(str(pdf))
    someone.opened(page)


def test_a_pdf_that_is_stopped_or_broken_leaves_nothing(
    user, pdf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    someone = user(None)
    answer(monkeypatch, "Without text")
    before = sorted(pdf.parent.iterdir())
    begun = []

    def endless(_scan: Path, _text: Path | None, *, progress: Progress) -> Path:
        begun.append(True)
        while not progress.cancelled():
            pass
        raise Cancelled

    def stop() -> None:
        (dialog,) = someone.window.findChildren(PdfPages)
        if begun:
            dialog.bar.stop.click()
        else:
            QTimer.singleShot(20, stop)

    with monkeypatch.context() as patch:
        patch.setattr(newpage, "new_page", endless)
        QTimer.singleShot(20, stop)
        someone.window.open(str(pdf))
    assert begun
    assert someone.view.workspace is None
    assert sorted(pdf.parent.iterdir()) == before
    pdf.write_bytes(pdf.read_bytes()[:300])
    someone.window.open(str(pdf))
    assert "The PDF cannot be read" in someone.window.message_bar.text.text()
    assert sorted(pdf.parent.iterdir()) == before


def test_json_of_a_page_is_no_result(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for text, kind in [
        ('{"version": "5", "shapes": [], "imagePath": "a.png"}', LocationKind.PAGE),
        ('{"images": [], "annotations": []}', LocationKind.PAGE),
        ('{"kind": "madcat-studio-ltb", "images": []}', LocationKind.SCORECARD),
        ("{}", LocationKind.SCORECARD),
        ("", LocationKind.SCORECARD),
    ]:
        path.write_text(text)
        assert kind_of(str(path)) is kind
    assert kind_of(str(tmp_path / "gone.json")) is LocationKind.SCORECARD
