from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from madcat_studio.edits import MoveVertex, Outline, RemoveWord, SetTranslation
from madcat_studio.errors import ConflictError, FormatError, InputError
from madcat_studio.formats import madcat_writer
from madcat_studio.formats.madcat import read
from madcat_studio.formats.source import Source
from madcat_studio.model.change import Change
from madcat_studio.workspace.journal import journal_folder
from madcat_studio.workspace.page import DiskState, PageWorkspace

SAMPLE = Path(__file__).parent.parent / "data/madcat/ZZN_ARB_20991231.0001_1_SCR0001.madcat.xml"
MOVE = MoveVertex(Outline(0, 0, 0), 0, (1, 2))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    target = tmp_path / "pages" / SAMPLE.name
    target.parent.mkdir()
    shutil.copyfile(SAMPLE, target)
    return target


def translation(workspace: PageWorkspace) -> str | None:
    return next(workspace.document.segments()).translation


def journals() -> list[str]:
    folder = journal_folder()
    return sorted(p.suffix for p in folder.iterdir()) if folder.exists() else []


def test_edits_are_done_undone_and_told(path: Path) -> None:
    workspace = PageWorkspace.open(path)
    told: list[Change] = []
    end = workspace.subscribe(told.append)
    assert not workspace.dirty
    assert (workspace.can_undo, workspace.undo_label) == (False, "")
    change = workspace.execute(MOVE)
    assert change == Change(words=frozenset({(0, 0, 0)}))
    assert (workspace.dirty, workspace.undo_label) == (True, "Move a vertex of a word")
    assert workspace.undo() == change
    assert (workspace.dirty, workspace.redo_label) == (False, "Move a vertex of a word")
    assert workspace.redo() == change
    workspace.undo()
    workspace.execute(RemoveWord(0, 0, 0))
    assert not workspace.can_redo
    assert len(told) == 5
    end()
    workspace.undo()
    assert workspace.undo() == Change()
    assert len(told) == 5
    workspace.close()
    assert journals() == []


def test_a_refused_edit_leaves_no_trace(path: Path) -> None:
    workspace = PageWorkspace.open(path)
    with pytest.raises(InputError):
        workspace.execute(RemoveWord(0, 0, 99))
    assert not workspace.dirty
    assert not workspace.can_undo
    assert journals() == []
    workspace.close()


def test_undoing_after_a_save_is_an_edit_and_gives_the_old_file(path: Path) -> None:
    workspace = PageWorkspace.open(path)
    workspace.execute(SetTranslation(0, 0, "new"))
    workspace.save()
    assert not workspace.dirty
    assert next(read(path).document.segments()).translation == "new"
    workspace.undo()
    assert workspace.dirty
    workspace.save()
    assert path.read_bytes() == SAMPLE.read_bytes()
    workspace.redo()
    assert workspace.dirty
    workspace.save()
    assert next(read(path).document.segments()).translation == "new"
    assert path.with_name(path.name + ".bak").read_bytes() == SAMPLE.read_bytes()
    workspace.close()


def test_a_new_edit_after_undoing_a_saved_one_can_never_be_clean(path: Path) -> None:
    workspace = PageWorkspace.open(path)
    workspace.execute(SetTranslation(0, 0, "one"))
    workspace.save()
    workspace.undo()
    workspace.execute(SetTranslation(0, 0, "two"))
    assert workspace.dirty
    workspace.undo()
    assert workspace.dirty
    workspace.close(discard=True)


def test_merged_edits_are_one_step(path: Path) -> None:
    workspace = PageWorkspace.open(path)
    before = translation(workspace)
    for text in ("a", "ab", "abc"):
        workspace.execute(SetTranslation(0, 0, text), merge=text != "a")
    workspace.undo()
    assert translation(workspace) == before
    workspace.redo()
    assert translation(workspace) == "abc"
    workspace.save()
    workspace.execute(SetTranslation(0, 0, "abcd"), merge=True)
    workspace.undo()
    assert (translation(workspace), workspace.dirty) == ("abc", False)
    workspace.close()


def test_a_file_changed_by_somebody_else(path: Path) -> None:
    workspace = PageWorkspace.open(path)
    workspace.execute(SetTranslation(0, 0, "mine"))
    assert workspace.disk_state() is DiskState.SAME
    theirs = path.read_bytes().replace(b"Minister", b"MINISTER")
    path.write_bytes(theirs)
    assert workspace.disk_state() is DiskState.CHANGED
    with pytest.raises(ConflictError):
        workspace.save()
    assert path.read_bytes() == theirs
    assert workspace.dirty
    workspace.save(overwrite=True)
    assert next(read(path).document.segments()).translation == "mine"
    assert path.with_name(path.name + ".bak").read_bytes() == theirs
    path.write_bytes(theirs)
    workspace.take_theirs()
    assert "MINISTER" in (translation(workspace) or "")
    assert (workspace.dirty, workspace.can_undo) == (False, False)
    path.unlink()
    assert workspace.disk_state() is DiskState.GONE
    workspace.close()


def test_neither_side_of_a_conflict_is_lost(path: Path) -> None:
    workspace = PageWorkspace.open(path)
    for number in range(2):
        workspace.execute(SetTranslation(0, 0, f"mine {number}"))
        theirs = path.read_bytes() + b"<!-- theirs %d -->" % number
        path.write_bytes(theirs)
        kept = workspace.save(overwrite=True)
        assert kept is not None
        assert kept.read_bytes() == theirs
        assert translation(PageWorkspace.open(path)) == f"mine {number}"
    assert sorted(p.name for p in path.parent.glob("*.theirs*.bak")) == [
        f"{path.name}.theirs-2.bak",
        f"{path.name}.theirs.bak",
    ]
    assert workspace.save(overwrite=True) is None
    workspace.execute(SetTranslation(0, 0, "mine again"))
    path.write_bytes(path.read_bytes() + b"<!-- theirs -->")
    kept = workspace.take_theirs()
    assert kept is not None
    mine = path.with_name("mine.madcat.xml")
    kept.rename(mine)
    assert translation(PageWorkspace.open(mine)) == "mine again"
    assert translation(workspace) == "mine 1"
    assert workspace.take_theirs() is None
    workspace.close()


def test_the_history_is_gone_to_and_fro(path: Path) -> None:
    workspace = PageWorkspace.open(path)
    before = path.read_bytes()
    for number in range(4):
        workspace.execute(MoveVertex(Outline(0, 0, 0), 0, (number, 2)))
        if number == 1:
            workspace.save()
    workspace.execute(RemoveWord(0, 0, 0))
    told: list[Change] = []
    workspace.subscribe(told.append)
    assert (workspace.position, workspace.history.saved, workspace.history.count) == (5, 2, 5)
    change = workspace.go_to(2)
    assert told == [change]
    assert change.structure
    assert not workspace.dirty
    workspace.go_to(0)
    labels = [workspace.history.label(number) for number in range(workspace.history.count)]
    assert labels == ["Move a vertex of a word"] * 4 + ["Remove a word"]
    workspace.save()
    assert path.read_bytes() == before
    workspace.go_to(5)
    assert workspace.go_to(5) == Change()
    with pytest.raises(ValueError, match="no position 6"):
        workspace.go_to(6)
    # The way there and back is in the journal: a crash now comes back to the same place.
    left = workspace.document
    workspace.close()
    again = PageWorkspace.open(path)
    again.recover()
    assert again.document == left
    assert (again.position, again.history.saved) == (5, 0)
    again.close(discard=True)


def test_save_as_goes_on_with_the_other_file(path: Path, tmp_path: Path) -> None:
    workspace = PageWorkspace.open(path)
    workspace.execute(SetTranslation(0, 0, "new"))
    other = tmp_path / "other.madcat.xml"
    workspace.save_as(other)
    assert path.read_bytes() == SAMPLE.read_bytes()
    assert (workspace.path, workspace.dirty) == (other, False)
    workspace.undo()
    workspace.save()
    assert other.read_bytes() == SAMPLE.read_bytes()
    with pytest.raises(ConflictError):
        workspace.save_as(path)
    workspace.close()
    assert journals() == []


CRASH = """
import os, signal, sys
from madcat_studio.edits import SetTranslation, RemoveWord
from madcat_studio.workspace.page import PageWorkspace
workspace = PageWorkspace.open(sys.argv[1])
workspace.execute(RemoveWord(0, 0, 0))
workspace.execute(SetTranslation(0, 0, "one"))
if "save" in sys.argv:
    workspace.save()
workspace.execute(SetTranslation(0, 0, "two"))
workspace.execute(SetTranslation(0, 0, "three"))
workspace.undo()
os.kill(os.getpid(), signal.SIGKILL)
"""


def crash(path: Path, *words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(CRASH), str(path), *words], check=False
    )
    assert done.returncode == -signal.SIGKILL


@pytest.mark.long
@pytest.mark.parametrize("saved", [False, True])
def test_a_kill_loses_nothing(path: Path, saved: bool) -> None:
    crash(path, *(["save"] if saved else []))
    before = path.read_bytes()
    workspace = PageWorkspace.open(path)
    recovery = workspace.recovery
    assert recovery is not None
    assert (recovery.steps, recovery.conflict, recovery.damaged) == (
        3 if saved else 5,
        False,
        False,
    )
    workspace.recover()
    assert workspace.recovery is None
    assert (translation(workspace), workspace.dirty) == ("two", True)
    assert path.read_bytes() == before
    workspace.redo()
    assert translation(workspace) == "three"
    for _ in range(4):
        workspace.undo()
    workspace.save()
    assert path.read_bytes() == SAMPLE.read_bytes()
    workspace.close()
    assert journals() == []


@pytest.mark.long
def test_a_torn_line_is_left_out_and_a_damaged_one_told(path: Path) -> None:
    crash(path)
    journal = next(journal_folder().glob("*.journal"))
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-5])  # the undo was torn
    workspace = PageWorkspace.open(path)
    workspace.recover()
    assert translation(workspace) == "three"
    workspace.close(discard=True)
    crash(path)
    lines = journal.read_bytes().split(b"\n")
    lines[3] = b"\x00\x00"
    journal.write_bytes(b"\n".join(lines))
    workspace = PageWorkspace.open(path)
    assert workspace.recovery is not None
    assert workspace.recovery.damaged
    assert workspace.recovery.steps == 2
    workspace.close(discard=True)


@pytest.mark.long
def test_recovery_of_a_file_that_changed_is_a_conflict_at_saving(path: Path) -> None:
    crash(path)
    path.write_bytes(path.read_bytes().replace(b"Minister", b"MINISTER"))
    workspace = PageWorkspace.open(path)
    assert workspace.recovery is not None
    assert workspace.recovery.conflict
    workspace.recover()
    with pytest.raises(ConflictError):
        workspace.save()
    workspace.close(discard=True)


@pytest.mark.long
def test_what_is_not_recovered_can_be_discarded_or_waits(path: Path) -> None:
    crash(path)
    workspace = PageWorkspace.open(path)
    workspace.execute(MOVE)  # the user goes on without looking
    assert workspace.recovery is None
    workspace.undo()
    workspace.close()
    workspace = PageWorkspace.open(path)
    assert workspace.recovery is not None
    workspace.discard_recovery()
    workspace.close()
    assert PageWorkspace.open(path).recovery is None
    assert journals() == []


def test_two_sessions_keep_two_journals(path: Path) -> None:
    one, two = PageWorkspace.open(path), PageWorkspace.open(path)
    one.execute(SetTranslation(0, 0, "one"))
    two.execute(SetTranslation(0, 0, "two"))
    three = PageWorkspace.open(path)
    assert three.recovery is None  # both are alive
    assert journals() == [".base", ".base", ".journal", ".journal"]
    one.save()
    with pytest.raises(ConflictError):
        two.save()
    for workspace in (one, two, three):
        workspace.close(discard=True)
    assert journals() == []


def test_closing_with_unsaved_edits_keeps_them(path: Path) -> None:
    workspace = PageWorkspace.open(path)
    workspace.execute(SetTranslation(0, 0, "kept"))
    workspace.close()
    workspace = PageWorkspace.open(path)
    workspace.recover()
    assert translation(workspace) == "kept"
    workspace.close(discard=True)


def test_a_journal_that_cannot_be_written_does_not_stop_the_work(path: Path) -> None:
    folder = journal_folder()
    folder.parent.mkdir(parents=True)
    folder.write_text("in the way")
    workspace = PageWorkspace.open(path)
    workspace.execute(SetTranslation(0, 0, "new"))
    assert workspace.trouble is not None
    assert workspace.trouble.code == "journal.cannot-write"
    workspace.save()
    assert next(read(path).document.segments()).translation == "new"
    workspace.close()
    assert os.fspath(folder) in workspace.trouble.where


def test_saving_reads_only_what_is_to_be_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = path.read_bytes()
    workspace = PageWorkspace.open(path)

    def refuse(source: Source) -> None:
        raise AssertionError("what was opened is read again")

    monkeypatch.setattr(madcat_writer, "read_source", refuse)
    for _ in range(2):
        workspace.execute(MOVE)
        workspace.save()
        assert read(path).document.pages[0].lines[0].words[0].polygon[0] == (1, 2)
        workspace.undo()
        workspace.save()
        assert path.read_bytes() == original
    workspace.execute(MOVE)
    workspace.save_as(path.with_name("other.madcat.xml"))
    workspace.undo()
    workspace.save()
    assert workspace.path.read_bytes() == original
    workspace.close()


@pytest.mark.long
def test_a_page_in_another_format_becomes_a_new_document_beside_it(path: Path) -> None:
    page = path.parent / "other.hocr"
    page.write_bytes((SAMPLE.parent.parent / "real" / "hocrtools_tess.hocr").read_bytes())
    before = page.read_bytes()
    workspace = PageWorkspace.open(page)
    assert (workspace.imported_from, workspace.path.name) == (page, "other.madcat.xml")
    assert workspace.dirty
    assert not workspace.path.exists()
    assert any("is not copied" in problem.what for problem in workspace.problems)
    workspace.execute(MOVE)
    workspace.save()
    assert (page.read_bytes(), workspace.dirty) == (before, False)
    assert read(workspace.path).document.pages[0].lines[0].words[0].polygon[0] == (1, 2)
    workspace.close()
    again = PageWorkspace.open(page)
    with pytest.raises(ConflictError):  # the document of the first time is in the way
        again.save()
    again.close(discard=True)
    with pytest.raises(FormatError):
        PageWorkspace.open(Path(__file__))
