"""Nothing is lost: files that change meanwhile, full disks, crashes; problems that are mended."""

from __future__ import annotations

import errno
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox

from madcat_studio.edits import MoveVertex, Outline, SetPageCount, SetPolygon
from madcat_studio.formats.madcat import read
from madcat_studio.gui.page.actions import SAVE
from madcat_studio.gui.page.diskwatch import DiskWatch
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.workspace.journal import journal_folder
from tests.gui.helpers import NORMAL, SMALL, TWO_PAGES, copy_sample

WORD = ShapeKey(2, 1)
FIRST = Outline(0, 0, 0)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return copy_sample(NORMAL, tmp_path, image=False)


def edit(someone, key: ShapeKey = WORD) -> None:
    someone.click(someone.at(key))
    start = someone.at(key, 0)
    someone.drag(start, start + QPoint(9, 9))


def answer(monkeypatch: pytest.MonkeyPatch, words: str) -> list[str]:
    """Press the button with these words in every box that comes; what the boxes said."""
    said: list[str] = []

    def choose(box: QMessageBox) -> int:
        said.append(f"{box.text()} {box.informativeText()}")
        box.setProperty("pressed", [b.text() for b in box.buttons()].index(words))
        return 0

    monkeypatch.setattr(QMessageBox, "exec", choose)
    monkeypatch.setattr(
        QMessageBox, "clickedButton", lambda box: box.buttons()[box.property("pressed")]
    )
    return said


def message(someone) -> str:
    shown = someone.window.message_bar.message
    return shown.text if shown is not None else ""


def change_file(someone, page: Path, data: bytes) -> None:
    """Somebody else writes the file, and the window notices."""
    page.write_bytes(data)
    watch = next(part for part in someone.view.features if isinstance(part, DiskWatch))
    watch._timer.start(0)
    someone.wait(lambda: "changed by somebody else" in message(someone))


@pytest.mark.long
def test_a_page_is_edited_where_nothing_can_be_kept_and_the_folder_is_named(
    user, page: Path
) -> None:
    journal_folder().parent.mkdir(parents=True)
    journal_folder().touch()  # a folder that cannot be made, not even by root
    someone = user(page)
    edit(someone)
    assert str(journal_folder()) in message(someone)
    someone.window.commands[SAVE].trigger()
    assert not someone.window.isWindowModified()


# The file changes meanwhile


@pytest.mark.long
def test_a_file_that_changed_is_read_again_by_one_click(user, page: Path) -> None:
    someone = user(page)
    theirs = page.read_bytes().replace(b"Minister", b"MINISTER")
    change_file(someone, page, theirs)
    someone.window.message_bar._run()
    assert "MINISTER" in next(someone.view.workspace.document.segments()).translation
    assert not someone.window.isWindowModified()
    assert list(page.parent.glob("*.bak")) == []


@pytest.mark.long
@pytest.mark.parametrize("whose", ["Keep mine", "Take theirs"])
def test_of_two_versions_the_other_is_kept_beside(
    user, page: Path, monkeypatch, whose: str
) -> None:
    someone = user(page)
    edit(someone)
    mine = someone.polygon(WORD)
    theirs = page.read_bytes() + b"<!-- theirs -->"
    change_file(someone, page, theirs)
    said = answer(monkeypatch, whose)
    someone.window.message_bar._run()
    assert "theirs.bak" in said[0]
    kept = page.with_name(f"{page.name}.{'theirs' if whose == 'Keep mine' else 'mine'}.bak")
    assert kept.name in message(someone)
    ours, other = (page, kept) if whose == "Keep mine" else (kept, page)
    assert other.read_bytes() == theirs
    assert read(ours).document.pages[0].lines[2].words[1].polygon == mine
    assert not someone.window.isWindowModified()


@pytest.mark.long
def test_both_can_be_kept(user, page: Path, monkeypatch, tmp_path: Path) -> None:
    someone = user(page)
    edit(someone)
    mine = someone.polygon(WORD)
    theirs = page.read_bytes() + b"<!-- theirs -->"
    change_file(someone, page, theirs)
    answer(monkeypatch, "Keep both: save mine as…")
    other = tmp_path / "mine.madcat.xml"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(other), ""))
    someone.window.commands.named("page.save").trigger()
    assert page.read_bytes() == theirs
    assert read(other).document.pages[0].lines[2].words[1].polygon == mine
    assert someone.view.workspace.path == other


@pytest.mark.long
def test_a_file_that_is_gone_is_written_anew(user, page: Path) -> None:
    someone = user(page)
    edit(someone)
    page.unlink()
    next(part for part in someone.view.features if isinstance(part, DiskWatch))._timer.start(0)
    someone.wait(lambda: "no longer exists" in message(someone))
    someone.window.commands.named("page.save").trigger()
    assert read(page).document.pages[0].lines[2].words[1].polygon == someone.polygon(WORD)


# The disk says no


@pytest.mark.long
@pytest.mark.parametrize("trouble", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_disk_that_refuses_loses_nothing(
    user, page: Path, monkeypatch, tmp_path: Path, trouble: int
) -> None:
    someone = user(page)
    before = page.read_bytes()
    edit(someone)
    make = tempfile.mkstemp

    def refuse(*arguments: object, **options: object) -> object:
        if options.get("dir") == page.parent:
            raise OSError(trouble, "no")
        return make(*arguments, **options)

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    monkeypatch.setattr(shutil, "copy2", refuse_copy(page, trouble))
    someone.window.commands.named("page.save").trigger()
    assert "cannot be written" in message(someone)
    assert "save elsewhere" in message(someone)
    assert page.read_bytes() == before
    assert someone.window.isWindowModified()
    # It can be saved elsewhere, and it comes back after a crash.
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    other = elsewhere / "page.madcat.xml"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(other), ""))
    someone.window.message_bar._run()
    assert read(other).document.pages[0].lines[2].words[1].polygon == someone.polygon(WORD)
    assert not someone.window.isWindowModified()


def refuse_copy(page: Path, trouble: int) -> Callable[..., None]:
    def copy(source: object, target: object) -> None:
        raise OSError(trouble, "no", str(target))

    return copy


# After a crash


@pytest.mark.long
def test_everything_that_was_open_comes_back(user, tmp_path: Path) -> None:
    pages = [copy_sample(name, tmp_path, image=False) for name in (NORMAL, SMALL, TWO_PAGES)]
    someone = user(tmp_path)
    someone.opened(min(pages))
    places = {}
    for path in sorted(pages)[:2]:
        someone.window.open(str(path))
        someone.opened(path)
        places[path] = someone.view.workspace
        someone.view.execute(MoveVertex(FIRST, 0, (7, 8)))
    someone.window.open(str(max(pages)))
    someone.opened(max(pages))
    someone.view.execute(MoveVertex(FIRST, 0, (7, 8)))
    someone.window.leave()
    again = user()
    again.opened(max(pages))
    assert "One unsaved edit of" in message(again)
    assert "of 2 more" in message(again)
    assert sorted(again.view.documents.unsaved()) == sorted(pages)
    assert again.view.files.files == sorted(pages)
    assert all(again.view.files.item(row).text().startswith("• ") for row in range(3))
    for path in pages:
        again.window.open(str(path))
        again.opened(path)
        assert again.view.workspace.document.pages[0].lines[0].words[0].polygon[0] == (7, 8)
        again.window.commands.named("page.undo").trigger()
        assert not again.window.isWindowModified()


# Problems


@pytest.mark.long
def test_a_problem_is_mended_by_key_undone_and_comes_back(user, page: Path) -> None:
    someone = user(page)
    view, commands = someone.view, someone.window.commands
    model = view.side.problems.model
    someone.wait(lambda: not view.features[1]._work.busy and not view.features[1]._timer.isActive())
    none = model.rowCount()
    (a, b, c, d), *_ = [view.workspace.document.pages[0].lines[0].words[0].polygon]
    view.execute(SetPolygon(FIRST, (a, c, b, d)))
    view.execute(SetPageCount(5))
    someone.wait(lambda: model.rowCount() >= none + 2)
    assert not commands.named("page.mend").isEnabled()
    mended = []
    while True:
        rows = [n for n in range(model.rowCount()) if model.finding(n).mend]
        if not rows:
            break
        while view.side.problems.table.currentIndex().row() != rows[0]:
            someone.press(Qt.Key.Key_F8)
        assert commands.named("page.mend").isEnabled()
        mended.append(model.finding(rows[0]).problem.code)
        count = model.rowCount()
        someone.press(Qt.Key.Key_F9)
        someone.wait(lambda count=count: model.rowCount() < count)
    assert sorted(mended) == ["count-differs", "polygon-self-crossing"]
    assert set(view.workspace.document.pages[0].lines[0].words[0].polygon) == {a, b, c, d}
    assert view.workspace.document.nbpages == 1
    assert view.workspace.undo_label.startswith("Mend: ")
    commands.named("page.undo").trigger()
    commands.named("page.undo").trigger()
    someone.wait(lambda: sum(bool(f.mend) for f in model.findings()) == 2)
    assert view.workspace.undo_label == "Change the number of pages"


@pytest.mark.long
def test_problems_are_walked_both_ways(user, page: Path) -> None:
    someone = user(page)
    problems = someone.view.side.problems
    someone.view.execute(SetPolygon(FIRST, ((1, 1), (2, 2))))
    someone.view.execute(SetPolygon(Outline(0, 1, 0), ((1, 1), (2, 2))))
    someone.wait(lambda: problems.model.rowCount() >= 2)
    count = problems.model.rowCount()
    rows = []
    for key in [Qt.Key.Key_F8] * (count + 1):
        someone.press(key)
        rows.append(problems.table.currentIndex().row())
    assert rows == [*range(count), 0]
    someone.press(Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert problems.table.currentIndex().row() == count - 1


# History


@pytest.mark.long
def test_a_click_in_the_history_goes_there(user, page: Path) -> None:
    someone = user(page)
    before = someone.polygon(WORD)
    edit(someone)
    once = someone.polygon(WORD)
    someone.window.commands.named("page.save").trigger()
    edit(someone)
    someone.press(Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    history = someone.view.side.history
    assert history.isVisible()
    model = history.history
    assert model.rowCount() == 3
    assert "saved" in model.index(1).data()
    for row, expected in ((0, before), (1, once)):
        history.setCurrentIndex(model.index(row))
        assert someone.polygon(WORD) == expected
    assert not someone.window.isWindowModified()
    someone.window.commands.named("page.redo").trigger()
    assert history.currentIndex().row() == 2


def test_what_happens_behind_the_history_moves_nothing(user, page: Path) -> None:
    someone = user(page)
    tabs, history = someone.view.side.tabs, someone.view.side.history
    for x in range(3):
        someone.view.execute(MoveVertex(FIRST, 0, (x, 8)))
    tabs.setCurrentWidget(history)
    assert history.currentIndex().row() == 3
    tabs.setCurrentIndex(0)
    for _ in range(3):
        someone.window.commands.named("page.undo").trigger()
    someone.view.execute(MoveVertex(FIRST, 0, (50, 60)))
    tabs.setCurrentWidget(history)
    assert (history.currentIndex().row(), history.history.rowCount()) == (1, 2)
    assert someone.polygon(ShapeKey(0, 0))[0] == (50, 60)


# Somebody else wrote into the file as well


def changed_beside(page: Path) -> bytes:
    return page.read_bytes().replace(b"Minister", b"MINISTER")


@pytest.mark.long
@pytest.mark.parametrize("saved_before", [False, True])
def test_what_collides_with_nothing_is_taken_over_and_saved(
    user, page: Path, monkeypatch, saved_before: bool
) -> None:
    someone = user(page)
    said = answer(monkeypatch, "Cancel")
    if saved_before:
        edit(someone, ShapeKey(1, 0))
        someone.window.commands[SAVE].trigger()
    edit(someone)
    mine = someone.polygon(WORD)
    theirs = changed_beside(page)
    page.write_bytes(theirs)
    someone.window.commands[SAVE].trigger()
    assert said == []
    assert "1 change by somebody else" in message(someone)
    saved = read(page).document
    assert saved.pages[0].lines[2].words[1].polygon == mine
    assert "MINISTER" in next(saved.segments()).translation
    assert page.with_name(f"{page.name}.theirs.bak").read_bytes() == theirs
    assert not someone.window.isWindowModified()
    someone.window.commands.named("page.undo").trigger()
    assert "Minister" in next(someone.view.workspace.document.segments()).translation
    assert someone.polygon(WORD) == mine


@pytest.mark.long
def test_what_both_changed_is_named_and_can_be_compared(user, page: Path, monkeypatch) -> None:
    someone = user(page)
    edit(someone)
    polygon = someone.polygon(WORD)
    before = page.read_bytes()
    workspace = someone.view.workspace
    workspace.save()
    theirs = page.read_bytes()
    workspace.undo()
    someone.view.execute(SetPolygon(Outline(0, 2, 1), tuple((x + 3, y) for x, y in polygon)))
    workspace.save()
    edit(someone)
    page.write_bytes(theirs)
    assert theirs != before
    said = answer(monkeypatch, "Compare")
    someone.window.commands[SAVE].trigger()
    assert "Both of you changed page" in said[0]
    assert someone.window.isWindowModified()
    assert page.read_bytes() == theirs
    someone.wait(lambda: someone.view.features.comparing.is_on)
