"""The queue of pages in the window, with somebody else at the same pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from madcat_studio.edits import SetTranslation
from madcat_studio.gui.page.queue.feature import QueueFeature
from madcat_studio.gui.settings import QUEUE_NAME
from madcat_studio.model.pagework import WorkState
from madcat_studio.operations.pages import page_queue
from tests.gui.helpers import NORMAL, SMALL, PageUser, copy_sample


class Worker:
    """Somebody called ana who works through the queue."""

    def __init__(self, someone: PageUser) -> None:
        self.someone = someone
        self.view = someone.view
        found = [one for one in self.view.features if isinstance(one, QueueFeature)]
        self.feature = found[0]
        self.panel = self.feature.panel
        someone.window.settings.set(QUEUE_NAME, "ana")
        self.settled()

    def settled(self) -> None:
        self.someone.wait(lambda: not self.feature._jobs.busy and self.feature.work is not None)

    def do(self, action: str) -> None:
        self.someone.window.commands.named(f"page.{action}").trigger()
        self.settled()

    def can(self) -> list[str]:
        names = ("claim", "finish", "give-back", "reopen", "release")
        commands = self.someone.window.commands
        return [name for name in names if commands.named(f"page.queue-{name}").isEnabled()]

    def look(self) -> None:
        self.feature.look()
        self.settled()


@pytest.fixture
def pages(tmp_path: Path) -> list[Path]:
    return [copy_sample(name, tmp_path, image=False) for name in (NORMAL, SMALL)]


@pytest.fixture
def worker(user, pages: list[Path]) -> Worker:
    someone = user(pages[0].parent)
    someone.opened(pages[0])
    return Worker(someone)


@pytest.mark.long
def test_a_page_is_claimed_finished_checked_and_released(
    worker: Worker, pages: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = pages[0].read_bytes()
    worker.do("queue")
    assert worker.view.side.tabs.currentWidget() is worker.panel
    assert worker.panel.model.rowCount() == 2
    assert worker.can() == ["claim"]
    worker.do("queue-claim")
    assert worker.panel.state.text().startswith("In work: ana has it since")
    assert worker.can() == ["finish", "give-back"]
    worker.view.execute(SetTranslation(0, 0, "changed"))
    worker.do("queue-finish")
    assert not worker.view.workspace.dirty
    assert pages[0].read_bytes() != before
    assert worker.can() == ["reopen", "release"]  # nobody checks what he did himself
    worker.someone.window.settings.set(QUEUE_NAME, "bob")
    worker.look()
    assert worker.can() == ["claim", "reopen", "release"]
    assert worker.someone.window.commands.named("page.queue-claim").text() == "&Check the page"
    worker.do("queue-claim")
    worker.do("queue-finish")
    assert "done by ana, checked by bob" in worker.panel.state.text()
    worker.do("queue-release")
    assert worker.can() == ["reopen"]
    assert "frozen" in worker.someone.window.message_bar.text.text()
    assert not worker.view.execute(SetTranslation(0, 0, "again"))
    worker.do("queue-reopen")
    assert worker.view.execute(SetTranslation(0, 0, "again"))
    assert "Open: nobody" in worker.view.files.item(0).toolTip()


@pytest.mark.long
def test_the_next_page_opens(worker: Worker, pages: list[Path]) -> None:
    page_queue.claim(pages[0], "bob")
    worker.someone.window.commands.named("page.queue-next").trigger()
    worker.someone.opened(pages[1])
    worker.settled()
    assert worker.feature.work.holder == "ana"
    worker.do("queue-finish")
    worker.someone.window.commands.named("page.queue-next").trigger()
    worker.someone.wait(lambda: worker.someone.window.message_bar.message is not None)
    worker.settled()
    assert "No page is open" in worker.someone.window.message_bar.text.text()


@pytest.mark.long
def test_somebody_elses_page_is_said_and_taken_over_after_a_question(
    worker: Worker, pages: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    page_queue.claim(pages[0], "bob")
    worker.look()
    assert "bob has this page" in worker.someone.window.message_bar.text.text()
    assert worker.someone.window.commands.named("page.queue-claim").text() == "Take the page &over"
    buttons = QMessageBox.StandardButton
    monkeypatch.setattr(QMessageBox, "question", lambda *_: buttons.Cancel)
    worker.do("queue-claim")
    assert worker.feature.work.holder == "bob"
    monkeypatch.setattr(QMessageBox, "question", lambda *_: buttons.Yes)
    worker.do("queue-claim")
    assert worker.feature.work.holder == "ana"
    worker.do("queue-give-back")
    assert worker.feature.work.state is WorkState.OPEN


@pytest.mark.long
def test_somebody_is_faster(worker: Worker, pages: list[Path]) -> None:
    page_queue.claim(pages[0], "bob")  # and this window does not know yet
    worker.do("queue-claim")
    told = worker.someone.window.message_bar.text.text().lower()
    assert "bob has the page" in told
    assert worker.feature.work.holder == "bob"


@pytest.mark.long
def test_notes_filters_and_opening_from_the_list(worker: Worker, pages: list[Path]) -> None:
    worker.do("queue")
    worker.panel.note.setFocus()
    worker.panel.note.setPlainText("السطر ٣ مرتين")
    worker.panel.table.setFocus()
    worker.someone.wait(lambda: page_queue.work_of(pages[0]).note == "السطر ٣ مرتين")
    worker.settled()
    page_queue.claim(pages[1], "ana")
    worker.look()
    worker.panel.filter.setCurrentIndex(worker.panel.filter.findText("Mine"))
    assert worker.panel.model.rowCount() == 1
    assert "1 open · 1 in work" in worker.panel.counts.text()
    worker.panel.table.setCurrentIndex(worker.panel.model.index(0, 0))
    QTest.keyClick(worker.panel.table, Qt.Key.Key_Return)
    worker.someone.opened(pages[1])
    worker.panel.filter.setCurrentIndex(worker.panel.filter.findText("Open"))
    assert [worker.panel.model.work(0).page] == [NORMAL]


@pytest.mark.long
def test_a_damaged_queue_is_said_and_pages_open_all_the_same(user, pages: list[Path]) -> None:
    page_queue.claim(pages[0], "bob")
    next((pages[0].parent / "page-queue").glob("*.json")).write_text("{}")
    someone = user(pages[0].parent)
    someone.opened(pages[0])
    someone.wait(lambda: someone.window.message_bar.message is not None)
    assert "step of the queue" in someone.window.message_bar.text.text()


REAL = Path(__file__).parent.parent.parent / "data" / "real"


@pytest.mark.long
def test_a_folder_of_page_xml_and_alto_is_worked_through(user, tmp_path: Path) -> None:
    pages = [tmp_path / "0001.xml", tmp_path / "0002.alto.xml"]
    for page, name in zip(
        pages, ("prima_SimplePage", "kraken_alto_bsb00084914_00007"), strict=True
    ):
        page.write_bytes((REAL / f"{name}.xml").read_bytes())
    (tmp_path / "mets.xml").write_text("<mets/>")
    someone = user(tmp_path)
    someone.opened(pages[0])
    assert someone.view.files.files == pages
    worker = Worker(someone)
    worker.do("queue")
    shown = [worker.panel.model.work(row).page for row in range(worker.panel.model.rowCount())]
    assert shown == ["0001.xml", "0002.alto.xml"]
    for page in pages:
        before = page.read_bytes()
        worker.someone.window.commands.named("page.queue-next").trigger()
        worker.someone.opened(page)
        worker.settled()
        assert worker.panel.table.currentIndex().row() == pages.index(page)
        worker.do("queue-finish")
        assert "Done" in someone.view.files.item(pages.index(page)).toolTip()
        assert page_queue.work_of(page).worker == "ana"
        assert page.read_bytes() == before
    worker.someone.window.settings.set(QUEUE_NAME, "bob")
    worker.look()
    worker.do("queue-claim")
    worker.do("queue-finish")
    worker.do("queue-release")
    assert not someone.view.execute(SetTranslation(0, 0, "again"))
