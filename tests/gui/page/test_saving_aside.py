"""A large page is saved in a thread while its user goes on."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from madcat_studio.errors import WorldError
from madcat_studio.formats.madcat import read
from madcat_studio.gui.page import saver
from madcat_studio.gui.page.actions import SAVE
from madcat_studio.gui.page.shapes import ShapeKey
from madcat_studio.workspace import saving
from madcat_studio.workspace.page import DiskState
from tests.gui.helpers import NORMAL, SMALL, copy_sample, run
from tests.gui.page.test_safety import WORD, answer, edit, message

OTHER = ShapeKey(1, 0)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return copy_sample(NORMAL, tmp_path, image=False)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch):
    """Every page counts as large, and a save waits until it is let go."""
    gate, real = threading.Event(), saving.save
    monkeypatch.setattr(saver, "_LARGE", 0)

    def save(*arguments: object, **named: object) -> object:
        assert threading.current_thread() is not threading.main_thread()
        assert gate.wait(60)
        return real(*arguments, **named)

    monkeypatch.setattr(saving, "save", save)
    yield gate
    gate.set()


def outline(path: Path, key: ShapeKey) -> object:
    return read(path).document.pages[0].lines[key.line].words[key.word].polygon


def saver_of(someone):
    return someone.view.documents.saver


@pytest.mark.long
def test_edits_go_on_while_a_page_is_saved_and_are_not_in_the_file(user, page: Path, held) -> None:
    someone = user(page)
    edit(someone)
    first = someone.polygon(WORD)
    before = page.read_bytes()
    someone.window.commands[SAVE].trigger()
    edit(someone, OTHER)
    assert page.read_bytes() == before
    assert saver_of(someone)._running is not None
    held.set()
    someone.wait(lambda: saver_of(someone)._running is None)
    assert outline(page, WORD) == first
    assert outline(page, OTHER) != someone.polygon(OTHER)
    assert someone.window.isWindowModified()
    assert "is saved" in message(someone)
    run(someone.view, "page.undo")
    assert not someone.window.isWindowModified()
    run(someone.view, "page.redo")
    someone.window.commands[SAVE].trigger()
    someone.wait(lambda: not someone.window.isWindowModified())
    assert outline(page, OTHER) == someone.polygon(OTHER)


@pytest.mark.long
def test_a_second_save_while_the_first_runs_saves_what_came_between(user, page: Path, held) -> None:
    someone = user(page)
    edit(someone)
    someone.window.commands[SAVE].trigger()
    edit(someone, OTHER)
    someone.window.commands[SAVE].trigger()
    held.set()
    someone.wait(lambda: not someone.window.isWindowModified())
    assert outline(page, OTHER) == someone.polygon(OTHER)


@pytest.mark.long
def test_whoever_leaves_the_page_meanwhile_loses_nothing(
    user, page: Path, held, tmp_path: Path
) -> None:
    other = copy_sample(SMALL, tmp_path, image=False)
    someone = user(page)
    edit(someone)
    wanted = someone.polygon(WORD)
    someone.window.commands[SAVE].trigger()
    someone.window.open(str(other))
    someone.opened(other)
    held.set()
    someone.wait(lambda: saver_of(someone)._running is None)
    assert outline(page, WORD) == wanted
    assert page not in someone.view.documents.unsaved()


@pytest.mark.long
def test_closing_waits_for_the_save(user, page: Path, held) -> None:
    someone = user(page)
    edit(someone)
    wanted = someone.polygon(WORD)
    someone.window.commands[SAVE].trigger()
    threading.Timer(0.1, held.set).start()
    someone.window.close()
    assert outline(page, WORD) == wanted


@pytest.mark.long
def test_a_file_that_somebody_else_changed_is_asked_about(
    user, page: Path, held, monkeypatch: pytest.MonkeyPatch
) -> None:
    someone = user(page)
    edit(someone)
    theirs = page.read_bytes() + b"\n"
    page.write_bytes(theirs)
    said = answer(monkeypatch, "Cancel")
    someone.window.commands[SAVE].trigger()
    held.set()
    someone.wait(lambda: bool(said))
    assert "changed by somebody else" in said[0]
    assert (page.read_bytes(), someone.window.isWindowModified()) == (theirs, True)


@pytest.mark.long
def test_a_save_that_fails_is_told_and_the_edits_stay(
    user, page: Path, held, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise WorldError("file.cannot-write", "the disk is full", where=page)

    someone = user(page)
    edit(someone, WORD)
    monkeypatch.setattr(saving, "save", refuse)
    someone.window.commands[SAVE].trigger()
    someone.wait(lambda: "disk is full" in message(someone))
    assert someone.window.isWindowModified()


@pytest.mark.long
def test_our_own_save_is_never_told_as_somebody_elses(
    user, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is another before the window knows that its save is done."""
    replaced, go_on, real = threading.Event(), threading.Event(), saving.save
    monkeypatch.setattr(saver, "_LARGE", 0)

    def save(*arguments: object, **named: object) -> object:
        made = real(*arguments, **named)
        replaced.set()
        assert go_on.wait(60)
        return made

    monkeypatch.setattr(saving, "save", save)
    someone = user(page)
    edit(someone)
    watch = someone.view.features.watch
    someone.window.commands[SAVE].trigger()
    assert replaced.wait(60)
    watch._look()
    someone.wait(lambda: not watch._work.busy)
    go_on.set()
    someone.wait(lambda: saver_of(someone)._running is None)
    assert "is saved" in message(someone)
    # The same where the file was looked at just before, and the answer comes after.
    before = someone.view.workspace.source
    edit(someone)
    watch._timer.stop()
    someone.view.documents.save(someone.view.workspace)
    watch._on_found(someone.view.workspace, before, DiskState.CHANGED)
    assert "changed by somebody else" not in message(someone)
    assert watch._timer.isActive()
