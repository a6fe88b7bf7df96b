"""The manual in the window: the page of a view, a word, a code, and links that lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from madcat_studio.errors import WorldError
from madcat_studio.gui.manualpages import as_html, beside, explained, find, page, pages
from madcat_studio.gui.manualwindow import ManualWindow
from madcat_studio.gui.views import VIEWS
from madcat_studio.paths import manual
from tests.gui.dialogs import DIALOGS, Stage
from tests.gui.helpers import NORMAL, copy_sample


def _help(window) -> ManualWindow:
    [found] = window.findChildren(ManualWindow)
    return found


@pytest.mark.long
def test_f1_opens_the_page_of_the_view(make_window) -> None:
    window = make_window()
    assert "F1" in [keys.toString() for keys in window.commands.named("help.manual").shortcuts()]
    for view, wanted in [("home", "index"), *((spec.id, spec.manual) for spec in VIEWS)]:
        window.show_view(view)
        window.commands.named("help.manual").trigger()
        found = _help(window)
        assert found.isVisible()
        assert found.place == (wanted, "")
        assert page(wanted).title in found.text.toPlainText()
        if wanted != "index":
            assert found.list.currentItem().text() == page(wanted).title


PAGES_OF_DIALOGS = {
    "NewCardDialog": "scorecards",
    "PagePreview": "rendering",
    "SegmenterDialog": "segmenters",
    "ServerDialog": "server",
    "SetupDialog": "campaigns",
    "TrustDialog": "reports",
}


@pytest.mark.long
def test_f1_opens_the_manual_over_every_dialog(
    make_window, campaign: Path, tmp_path: Path, qtbot
) -> None:
    """Also while the dialog waits for its answer, when nothing else of the program can be used."""
    window = make_window()
    stage = Stage(window, campaign, tmp_path, qtbot.waitUntil)
    for kind, make in DIALOGS.items():
        if kind is ManualWindow:
            continue
        dialog = make(stage)
        dialog.hide()
        dialog.setWindowModality(Qt.WindowModality.ApplicationModal)
        dialog.show()
        dialog.activateWindow()
        qtbot.waitUntil(lambda top=dialog: QApplication.activeWindow() is top)
        front = {spec.id: spec.manual for spec in VIEWS}.get(window.front(), "index")
        dialog.setFocus()
        QTest.keyClick(dialog, Qt.Key.Key_F1)
        [found] = [one for one in dialog.children() if isinstance(one, ManualWindow)]
        qtbot.waitUntil(lambda top=found: QApplication.activeWindow() is top)
        if kind.__name__ in PAGES_OF_DIALOGS:
            assert found.place[0] == PAGES_OF_DIALOGS[kind.__name__]
        assert found.place[0] == getattr(kind, "manual", front), kind.__name__
        assert page(found.place[0]).title in found.text.toPlainText(), kind.__name__
        QTest.keyClicks(found.search, "kit")
        assert found.list.count() == len(find("kit"))
        found.close()
        dialog.reject()
        dialog.deleteLater()
        QCoreApplication.sendPostedEvents(dialog, QEvent.Type.DeferredDelete)


def test_every_code_has_a_page_to_go_to() -> None:
    """The page has all that the code raises, as tests/test_house.py holds it to."""
    codes = re.findall(r"^\| `(\S+)` \|", page("errors").text, re.MULTILINE)
    assert len(set(codes)) > 300
    made = as_html(page("errors"))
    lost = [code for code in codes if explained(code) != code or f'name="{code}"' not in made]
    assert lost == []


@pytest.mark.long
def test_the_meaning_of_an_error_is_one_click_away(make_window, qtbot) -> None:
    window = make_window()
    window.show_error(WorldError("window.no-display", "there is no display here"))
    assert window.message_bar.meaning.isVisible()
    window.message_bar.meaning.click()
    found = _help(window)
    assert found.place == ("errors", "window.no-display")
    # And it stands in sight, far down a long page.
    bar = found.text.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() > 1000)
    top = found.text.cursorForPosition(found.text.rect().topLeft())
    top.setPosition(top.position() + 400, top.MoveMode.KeepAnchor)
    assert "window.no-display" in top.selectedText()
    window.messages.info("All is well")
    assert not window.message_bar.meaning.isVisible()


@pytest.mark.long
def test_words_are_found_in_sections_and_headings_first(make_window) -> None:
    hits = find("reading ORDER")
    assert hits
    assert all("reading" in one.page.text.casefold() for one in hits)
    in_heading = ["order" in one.heading.casefold() and "reading" in one.heading for one in hits]
    assert in_heading == sorted(in_heading, reverse=True)
    assert find("xyzzy order") == []
    assert find("  ") == []
    window = make_window()
    window.commands.named("help.manual").trigger()
    found = _help(window)
    QTest.keyClicks(found.search, "snap")
    assert found.list.count() == len(find("snap"))
    found.list.setCurrentRow(0)
    assert found.place == (find("snap")[0].page.name, find("snap")[0].anchor)
    found.search.setText("xyzzy")
    assert found._count.text() == "No page has all these words."
    found.search.clear()
    assert found.list.count() == len(pages())


def test_back_and_forward(make_window) -> None:
    window = make_window()
    window.commands.named("help.manual").trigger()
    found = _help(window)
    for name in ("editing", "reports"):
        found.show_page(name)
    found.back.click()
    assert found.place[0] == "editing"
    assert found.forward.isEnabled()
    found.back.click()
    assert not found.back.isEnabled()
    found.forward.click()
    found.show_page("glossary")
    assert found.place[0] == "glossary"
    assert not found.forward.isEnabled()


@pytest.mark.long
def test_every_link_and_picture_of_a_page_leads_somewhere() -> None:
    lost = []
    in_folders = [*manual().glob("adr/*.md"), *manual().glob("api/*.md")]
    names = [str(path.relative_to(manual()).with_suffix("")) for path in in_folders]
    assert len(names) > 20
    for one in (*pages(), page("index"), *map(page, names)):
        made = as_html(one)
        for address in re.findall(r'href="([^"]+)"', made):
            if address.startswith(("http://", "https://", "mailto:")):
                continue
            name, _, anchor = address.partition("#")
            name = beside(one.name, name) if name else ""
            target = page(name.removesuffix(".md")) if name else one
            if target is None:
                if not (manual() / name).exists():
                    lost.append((one.name, address))
            elif anchor and f'name="{anchor}"' not in as_html(target):
                lost.append((one.name, address))
        shown = re.findall(r'<img src="([^"]+)"', made)
        assert all((manual() / name).is_file() for name in shown)
    assert lost == []


@pytest.mark.long
def test_links_are_followed(make_window, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda address: opened.append(address))
    window = make_window(copy_sample(NORMAL, tmp_path, image=False))
    window.commands.named("help.manual").trigger()
    found = _help(window)
    found._follow(QUrl("editing.md#keys"))
    assert found.place == ("editing", "keys")
    found._follow(QUrl("#texts"))
    assert found.place == ("editing", "texts")
    assert not opened
    found._follow(QUrl("https://example.org/a"))
    assert [one.scheme() for one in opened] == ["https"]
    # Pages in folders are shown as well, and lead on from where they are.
    found._follow(QUrl("adr/index.md"))
    assert found.place == ("adr/index", "")
    found._follow(QUrl("0006-typer-for-the-command-line.md"))
    assert found.place == ("adr/0006-typer-for-the-command-line", "")
    found._follow(QUrl("../library.md"))
    found._follow(QUrl("api/operations.md"))
    assert found.place == ("api/operations", "")
    shown = found.text.toPlainText()
    assert "\nmadcat_studio.operations.campaign\n" in shown
    assert "\nboard\nHow a campaign stands" in shown
    assert "{" not in shown
    found._follow(QUrl("../rooms.svg"))
    assert opened[-1] == QUrl.fromLocalFile(str(manual() / "rooms.svg"))


def test_what_is_not_there_is_said(make_window, monkeypatch: pytest.MonkeyPatch) -> None:
    assert page("../README") is None
    assert explained("") == explained("no.such-code") == ""
    assert explained("window.no-display.x") == ""
    assert explained("scorecards.no-comet-extra") == "scorecards.no-…"
    window = make_window()
    window.commands.named("help.manual").trigger()
    found = _help(window)
    found.show_page("nowhere")
    assert found.text.toPlainText() == "The manual is not installed here."


def test_a_picture_that_is_not_installed_is_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert "<img" in as_html(page("annotating"))
    monkeypatch.setattr("madcat_studio.gui.manualpages.manual", lambda: tmp_path)
    assert "<img" not in as_html(page("annotating"))
